"""`beginner` and `journeyman` are yardsticks of strength, pinned by a test: never improve them.

`beginner` leads its weakest card: plain before trumps, then the lowest rank. Following, it wins with its cheapest winning card, cheap
being the same as weak, even over its partner; if it cannot win it throws its weakest. It exchanges and never cries.

`journeyman` leads the plain card with the fewest points, a trump only if it has nothing else. Following, if its partner holds the trick
and no opponent is still to play, it throws the plain card with the most points. Otherwise it wins with the winning plain card with the
fewest points, or with its lowest winning trump if the trick holds 10 points or more or the stock is empty. Otherwise it throws the
plain card with the fewest points. Wherever it has only trumps to lead or throw, it takes the one with the fewest points. It exchanges,
and cries when it holds the highest trump not yet played; the card that it has just led is played.

Of cards with equal points the lowest rank is taken, and of equal ranks the first suit in the order C D H S. Points of cards are those
of MZ-8 in tricks scoring too, but a trick there counts as 10 points. After `tromf` both choose among the trumps that they must play.
"""

import numpy as np

from tromf.envs.jit import EMPTY, ONE, compiled, highest, lowest
from tromf.envs.mitza.rules import CRY, EXCHANGE, EXCHANGE_SEVEN, QUIET, SUIT, TRICKS, TROMF, points_of

# Keys of the ranks 7 8 9 J Q T K A; the card with the least key is taken.
WEAKEST = np.arange(8)
FEWEST_POINTS = np.array([0, 1, 2, 3, 4, 6, 5, 7])
MOST_POINTS = np.array([7, 8, 9, 5, 4, 1, 3, 0])


@compiled
def yardstick(s, actions, is_journeyman):
    """The decision of `journeyman` or `beginner`."""
    if s.phase == EXCHANGE:
        return np.int64(EXCHANGE_SEVEN)
    if s.phase == CRY:
        return np.int64(TROMF if is_journeyman and holds_highest_trump(s) else QUIET)
    return journeyman(s, actions) if is_journeyman else beginner(s, actions)


@compiled
def beginner(s, actions):
    winning = winners(s, actions)
    return plain_first(s, winning if winning else actions, WEAKEST)


@compiled
def journeyman(s, actions):
    trumps, last = SUIT[s.trump], s.laid + 1 == s.options.players
    if s.laid:
        if last and s.holder & 1 == s.turn & 1:  # whoever follows next is an opponent
            return least(actions & ~trumps, MOST_POINTS) if actions & ~trumps else least(actions, FEWEST_POINTS)
        winning = winners(s, actions)
        if winning & ~trumps:
            return least(winning & ~trumps, FEWEST_POINTS)
        worth_a_trump = s.options.scoring == TRICKS or points_of(s.table) >= 10 or s.top == s.stock_size
        if winning and worth_a_trump:
            return least(winning, WEAKEST)
    return plain_first(s, actions, FEWEST_POINTS)


@compiled
def holds_highest_trump(s):
    """Whether the seat to decide holds the highest trump that nobody has played."""
    left = s.options.pack & SUIT[s.trump]
    for p in range(s.options.players):
        left &= ~s.played[p]
    return left != EMPTY and s.hand[s.turn] >> highest(left) & ONE != EMPTY


@compiled
def winners(s, cards):
    """Those of a set of cards that would hold the trick; none for a leader."""
    if not s.laid:
        return EMPTY
    best = np.int64(s.best)
    above = SUIT[best // 8] & ~((np.uint64(2) << np.uint64(best)) - ONE)
    return cards & (above if best // 8 == s.trump else above | SUIT[s.trump])


@compiled
def plain_first(s, cards, keys):
    """The least of the plain cards, or of the trumps if there are no others."""
    plain = cards & ~SUIT[s.trump]
    return least(plain if plain else cards, keys)


@compiled
def least(cards, keys):
    """The card whose rank has the least key, of equal ones the first suit; the set must not be empty."""
    best = np.int64(lowest(cards))
    cards &= cards - ONE
    while cards:
        card = np.int64(lowest(cards))
        if keys[card % 8] < keys[best % 8]:
            best = card
        cards &= cards - ONE
    return best
