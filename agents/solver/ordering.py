"""Which card to try first: guesses, which decide how long the search takes and never what it finds.

The numbers were found by a search of one number at a time for the fewest cards that random deals of ten and eleven cards a seat take to solve.
"""

import numpy as np

from tromf.agents.solver.bits import SUIT
from tromf.envs.jit import EMPTY, ONE, bit, compiled, highest, lowest, popcount

# Leads, by the place of the suit's highest card and of its second: 0 own hand, 1 left, 2 partner, 3 right, 4 nowhere.
HIGHEST = np.array([-8, -32, -8, -32, -8])  # the highest is led, by the place of the second
SECOND = np.array([12, 8, 28, 36])  # the second is led, by the place of the highest
LOWER = np.array([[12, -36, 12, -36, -36], [4, -20, 32, -20, -20], [28, 52, 28, 28, 28], [-12, -36, 4, -36, -36]])  # another
LENGTH = np.array([1, -1, 7, -1])  # for each card of the suit in each place
VOID = np.array([0, -16, 16, -40])  # the suit is missing there,
RUFF = np.array([0, -120, 40, -80])  # and there are trumps
SINGLETON = 20  # the leader's only card of the suit, with trumps beside it
PAST = 64  # what the lead has done elsewhere in the search


@compiled
def order(f, cards, trump, past):
    """Write `cards`, a set, into the frame's moves, the most promising first. `past` (52,): how much each lead of the seat has achieved."""
    f.n = 0
    if cards & (cards - ONE) == EMPTY:
        f.moves[0], f.n = lowest(cards), 1
    elif f.count == 0:
        order_leads(f, cards, trump, past)
    else:
        while cards:
            card = np.int64(lowest(cards))
            cards &= cards - ONE
            insert(f, card, following(f, card, trump) if card // 13 == f.led else discarding(f, card, trump))


@compiled
def insert(f, card, weight):
    """Put a move where its weight wants it."""
    k = f.n
    while k > 0 and f.weights[k - 1] < weight:
        f.weights[k], f.moves[k] = f.weights[k - 1], f.moves[k - 1]
        k -= 1
    f.weights[k], f.moves[k] = weight, card
    f.n += 1


@compiled
def most_of(values, cards):
    """The highest of the values of some cards, 1 at least."""
    most = np.int64(1)
    while cards:
        most = max(most, values[lowest(cards)])
        cards &= cards - ONE
    return most


@compiled
def top_of(cards):
    """The highest card of a set, -1 if it is empty."""
    return np.int64(highest(cards)) if cards else np.int64(-1)


@compiled
def place_of(hands, seat, card):
    """Where a card lies, seen from a seat; 4 for no card."""
    if card < 0:
        return np.int64(4)
    k = np.int64(0)
    while not hands[(seat + k) & 3] & bit(card):
        k += 1
    return k


@compiled
def order_leads(f, cards, trump, past):
    """The same for leads."""
    most = most_of(past, cards)
    for s in range(4):
        suit = SUIT[s]
        leads = cards & suit
        if not leads:
            continue
        out = f.out & suit
        top = np.int64(highest(out))
        second = top_of(out & ~bit(top))
        first, then = place_of(f.hands, f.seat, top), place_of(f.hands, f.seat, second)
        base = np.int64(0)
        for k in range(4):
            hand = f.hands[(f.seat + k) & 3]
            length = np.int64(popcount(hand & suit))
            base += LENGTH[k] * length
            if length == 0:
                base += VOID[k]
                if trump >= 0 and s != trump and hand & SUIT[trump]:
                    base += RUFF[k]
            elif k == 0 and length == 1 and trump >= 0 and s != trump and hand & SUIT[trump]:
                base += SINGLETON
        while leads:
            card = np.int64(lowest(leads))
            leads &= leads - ONE
            weight = base + past[card] * PAST // most
            if card == top:
                weight += HIGHEST[then]
            else:
                weight += SECOND[first] if card == second else LOWER[first, then]
                weight -= 14 * np.int64(popcount(out & (bit(card) - ONE))) // 4
            insert(f, card, weight)


@compiled
def following(f, card, trump):
    """How promising a card of the suit led is: the cheapest of those that win the trick, or else the lowest."""
    suit = SUIT[f.led]
    cost = 4 * (card % 13)
    wins = card > f.best and f.led == f.best // 13
    ours = (f.winner ^ f.seat) & 1 == 0
    if f.count == 3:
        return (20 if ours else 200) * wins - cost
    next_hand = f.hands[(f.seat + 1) & 3]
    behind = top_of(next_hand & suit)
    ruffed = trump >= 0 and trump != f.led and behind < 0 and (next_hand & SUIT[trump]) != EMPTY
    if ruffed or not wins:
        return -cost
    if f.count == 2:
        if ours and f.best > behind:
            return -cost
        if card > behind:
            return 144 - cost
        return (46 if behind > f.best else 0) - cost
    partner = top_of(f.hands[f.seat ^ 2] & suit)
    if card > behind:
        return (8 if partner > max(behind, f.best) else 200) - cost
    return (-12 if partner < behind else 0) - cost


@compiled
def discarding(f, card, trump):
    """How promising a card of another suit than that led is."""
    s = card // 13
    suit = SUIT[s]
    partner = f.hands[f.seat ^ 2]
    if s == trump:
        return ruffing(f, card, suit)
    mine, out = f.hands[f.seat] & suit, f.out & suit
    length = np.int64(popcount(mine))
    weight = 20 * length - 40 * np.int64(popcount(out & (bit(card) - ONE)))
    if card == np.int64(highest(out)):
        weight -= 232
    # The highest card held wins a trick in the end if there are as many beside it as above it.
    needed = np.int64(popcount(out & ~((np.uint64(2) << highest(mine)) - ONE))) + 1
    if length == needed:
        weight -= 184
    elif length < needed:
        weight -= 40
    if f.top & suit & partner:
        weight -= 8
    return weight


@compiled
def ruffing(f, card, trumps):
    """How promising a trump on another suit is."""
    if f.best // 13 == card // 13 and card < f.best:
        return -160 - 4 * (card % 13)
    weight = -(card % 13)
    if f.count < 3:
        behind = f.hands[(f.seat + 1) & 3]
        if not behind & SUIT[f.led] and behind & trumps & ~((bit(card) << ONE) - ONE):
            weight -= 40  # and may be ruffed higher
    if f.count == 1 and f.hands[f.seat ^ 2] & f.top & SUIT[f.led]:
        weight -= 40  # partner has the highest card
    if (f.winner ^ f.seat) & 1:
        return weight + 240
    return weight + (-160 if f.count == 3 or f.top & bit(f.best) else 40)
