"""The decks of an episode, compiled; a game of several deals has fields `given` and `decks` for those given at the start."""

import numpy as np

from tromf.envs.jit import GOLDEN, ONE, compiled, lowest, mixed, nth_bit, popcount, stream


@compiled
def draw_deck(s, k):
    """Write deck k of the episode, a permutation of `options.pack` that is a function of (seed, k) alone (C-3).

    Every card is a random one of those left, found in the set of these with one instruction: half the time of exchanging cards.
    """
    left = s.options.pack
    state = stream(s.seed, k + 2)
    size = popcount(left)
    s.size = size
    for i in range(np.uint64(0), size - ONE, np.uint64(2)):
        state += GOLDEN
        bits = mixed(state)  # enough for two cards
        one = nth_bit(left, ((bits >> np.uint64(32)) * (size - i)) >> np.uint64(32))
        left ^= one
        other = nth_bit(left, ((bits & np.uint64(0xFFFFFFFF)) * (size - i - ONE)) >> np.uint64(32))
        left ^= other
        s.deck[i], s.deck[i + ONE] = lowest(one), lowest(other)
    if left:  # the last of an odd number
        s.deck[size - ONE] = lowest(left)


@compiled
def next_deck(s, k):
    """Write the deck of an episode's deal k: the one given for it, if there is one, otherwise `draw_deck`'s (C-3)."""
    if k == 0:
        s.given = 0
    if k and k <= s.given:
        for i in range(s.size):
            s.deck[i] = s.decks[k - 1, i]
    else:
        draw_deck(s, k)
