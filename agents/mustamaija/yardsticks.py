"""`beginner` and `journeyman` are yardsticks of strength, pinned by a test: never improve them.

`beginner` lays its lowest card, one at a time (Mustamaija last), and beats whenever it can, as cheaply as it can, plain cards
before trumps. `journeyman` keeps trumps while the stock lasts, lays several cards of its weakest long suit, and gets rid of
Mustamaija with her spades as soon as it attacks. Both declare at once, keep the suit with more cards, return the lowest card,
and add nothing after drawing.
"""

import numpy as np

from tromf.envs.jit import EMPTY, ONE, bit, compiled, lowest, popcount
from tromf.envs.mustamaija.rules import ATTACK, DECLARE, DEFEND, DONE, FOLLOW_UP, KEEP, KEEP_SUIT, MAIJA, SPADES, SUIT, TAKE


@compiled
def yardstick(s, actions, is_journeyman):
    """The decision of `journeyman` or `beginner`."""
    if actions >> np.uint64(DECLARE) & np.uint64(7):
        return DECLARE + np.int64(lowest(actions >> np.uint64(DECLARE) & np.uint64(7)))
    if s.phase == KEEP:
        return keep_longer(s, actions)
    if s.phase == FOLLOW_UP:
        return np.int64(DONE)
    if s.phase != ATTACK and s.phase != DEFEND:
        return np.int64(lowest(actions))
    return journeyman(s, actions) if is_journeyman else beginner(s, actions)


@compiled
def beginner(s, actions):
    cards = actions & ~bit(DONE)
    if s.phase == DEFEND:
        return cheapest(cards, trumps(s)) if cards else np.int64(TAKE)
    if s.attack:
        return np.int64(DONE)
    others = cards & ~MAIJA
    best = np.int64(49)
    while others:
        card = np.int64(lowest(others))
        if best == 49 or card % 13 < best % 13:
            best = card
        others &= others - ONE
    return best


@compiled
def journeyman(s, actions):
    cards, stock_is_empty = actions & ~bit(DONE), s.top == s.size
    if s.phase == DEFEND:
        if cards & ~trumps(s) or (cards and stock_is_empty):
            return cheapest(cards, trumps(s))
        return np.int64(TAKE)
    if not s.attack:
        if cards & MAIJA:
            return np.int64(lowest(cards & SUIT[SPADES]))
        pool = cards & ~trumps(s) if cards & ~trumps(s) else cards
        best, best_cost, rest = np.int64(-1), 1e9, pool
        while rest:
            card = np.int64(lowest(rest))
            cost = card % 13 - 0.9 * popcount(pool & SUIT[card // 13])
            if cost < best_cost:
                best, best_cost = card, cost
            rest &= rest - ONE
        return best
    cards &= SUIT[s.last // 13]  # no wrong attacks, where a house rule makes them possible
    if cards and popcount(s.attack) < s.limit:
        card = np.int64(lowest(cards))
        if card // 13 == SPADES or card % 13 < 8 or stock_is_empty:
            return card
    return np.int64(DONE)


@compiled
def keep_longer(s, actions):
    """Of a wrong attack, keep the suit with more cards; of equal ones the first."""
    best, most = np.int64(-1), np.uint64(0)
    for suit in range(4):
        count = popcount(s.attack & SUIT[suit])
        if actions & bit(KEEP_SUIT + suit) and count > most:
            best, most = np.int64(KEEP_SUIT + suit), count
    return best


@compiled
def trumps(s):
    return SUIT[s.trump] if s.trump >= 0 else EMPTY


@compiled
def cheapest(cards, trump_cards):
    """The lowest card of a set that is not empty, plain cards before trumps."""
    plain = cards & ~trump_cards
    return np.int64(lowest(plain if plain else cards))
