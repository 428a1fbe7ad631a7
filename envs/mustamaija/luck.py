"""Luck in Mustamaija, for evaluation that corrects it: what chance still holds, and the whole position as words for a value function."""

import numpy as np

from tromf.envs.jit import EMPTY, ONE, bit, compiled, draw_below, draw_uint, lowest, popcount, thermometer
from tromf.envs.mustamaija.observation import take_random
from tromf.envs.mustamaija.rules import ATTACK, DEFEND, SPADES, SUIT
from tromf.envs.words import Row, to_the_left

# Clubs and trumps are exchanged, so that trumps are always clubs. 'Relative' means clockwise from the seat, bit 0 itself.
SCENE = (
    *(Row(f"hand, {k} to the left", 52, f"cards in the hand of the seat {k} to the left") for k in range(8)),
    Row("unanswered", 52, "cards of the attack neither beaten nor taken yet"),
    Row("taken", 52, "cards of the attack that the defender takes"),
    Row("seen in stock", 52, "cards publicly known to lie in the stock"),
    Row("stock", 52, "its size, a thermometer"),
    Row("sizes", 63, "sizes of the hands 0 … 6 to the left, thermometers of nine bits each"),
    Row("roles", 27, "attacker, defender, seats that are out (relative, eight bits each); phase attack, phase defend; trumps are made"),
)


@compiled
def drawn(s):
    return np.int64(s.top) | (np.int64(s.trump) + 1) << 8


@compiled
def redraw(s, rng):
    """Unseen cards of the stock are in random order, but that spades lie where spades were passed over (MM-T3)."""
    left = np.empty(52, np.uint8)
    count = spades = 0
    for passing in range(2):
        for i in range(s.top, s.size):
            if not s.seen_at & bit(i) and (s.deck[i] // 13 == SPADES) == (passing == 0):
                left[count] = s.deck[i]
                count += 1
        if passing == 0:
            spades = count
    passed = s.passed_at
    while passed:  # spades stand first in the list, and the list stays that way
        index = lowest(passed)
        passed &= passed - ONE
        k = np.int64(draw_below(rng, spades))
        s.deck[index] = left[k]
        spades, count = spades - 1, count - 1
        left[k] = left[spades]
        left[spades] = left[count]
    for i in range(s.top, s.size):
        if not (s.seen_at | s.passed_at) & bit(i):
            count = take_random(left, count, rng)
            s.deck[i] = left[count]
    s.rng, s.seed = draw_uint(rng), draw_uint(rng)


@compiled
def renamed(cards, trump):
    """The cards with clubs and trumps exchanged."""
    if trump <= 0:
        return cards
    by = np.uint64(13 * trump)
    return (cards & ~(SUIT[0] | SUIT[trump])) | (cards & SUIT[0]) << by | (cards & SUIT[trump]) >> by


@compiled
def scene(s, seat, words):
    players, trump = np.int64(s.options.players), np.int64(s.trump)
    sizes = roles = EMPTY
    p = np.int64(seat)
    for k in range(8):
        words[k] = EMPTY
        if k < players:
            words[k] = renamed(s.hand[p], trump)
            if k < 7:
                sizes |= thermometer(min(popcount(s.hand[p]), np.uint64(9))) << np.uint64(9 * k)
            if s.hand[p] == EMPTY:
                roles |= bit(16 + k)
            p = p + 1 if p + 1 < players else np.int64(0)
    words[8] = renamed(s.attack & ~s.beaten & ~s.taken, trump)
    words[9] = renamed(s.taken, trump)
    words[10] = renamed(s.seen, trump)
    words[11] = thermometer(np.int64(s.size) - np.int64(s.top))
    words[12] = sizes
    roles |= bit(to_the_left(s.attacker, seat, players)) | bit(8 + to_the_left(s.defender, seat, players))
    words[13] = (
        roles
        | np.uint64(s.phase == ATTACK) << np.uint64(24)
        | np.uint64(s.phase == DEFEND) << np.uint64(25)
        | np.uint64(trump >= 0) << np.uint64(26)
    )
