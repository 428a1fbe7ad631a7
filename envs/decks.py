"""Decks that a game draws itself, compiled."""

import numpy as np

from tromf.envs.jit import GOLDEN, bit, compiled, mixed, nth, popcount, stream


@compiled
def draw_deck(s, k):
    """Write deck k of the episode, a permutation of `options.pack` that is a function of (seed, k) alone (C-3).

    Every card is a random one of those left, found in the set of these with one instruction: half the time of exchanging cards.
    """
    left = s.options.pack
    state = stream(s.seed, k + 2)
    size = np.int64(popcount(left))
    for i in range(size):
        state += GOLDEN
        card = nth(left, ((mixed(state) >> np.uint64(32)) * np.uint64(size - i)) >> np.uint64(32))
        s.deck[i] = card
        left ^= bit(card)
    s.size = size
