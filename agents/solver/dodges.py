"""Which card to try first where tricks are avoided: get out of the lead, duck with the highest card that ducks, throw what could win.

The weights were found by changing them at random and keeping what made the search of random endings of nine tricks visit fewer positions.
Before them comes the lead that did it last time with the same suit lengths, which the memory knows.
"""

import numpy as np

from tromf.agents.solver.bits import SUIT
from tromf.envs.jit import EMPTY, ONE, bit, compiled, deposit, extract, lowest, popcount

REMEMBERED = 1000  # above all others


@compiled
def size(cards):
    return np.int64(popcount(cards))


@compiled
def bottoms_of_sequences(cards, out):
    """The lowest card of each sequence among a seat's cards; no other card that was out when the trick began stands within one."""
    mine = extract(cards, out)
    lowest_of_suits = EMPTY
    for suit in range(4):
        members = out & SUIT[suit]
        lowest_of_suits |= members & (~members + ONE)
    return deposit(mine & ~(mine << ONE & ~extract(lowest_of_suits, out)), out)


@compiled
def lead(f, card, rank, suit, below):
    """The weight of a lead."""
    mine, partner = f.hands[f.seat] & suit, f.hands[f.seat ^ 2] & suit
    left, right = f.hands[(f.seat + 1) & 3] & suit, f.hands[(f.seat + 3) & 3] & suit
    theirs = left | right
    forced, ours = np.int64(-1), card
    for hand in (left, right):
        if hand:
            forced = max(forced, np.int64(lowest(hand)))
    if partner:
        ours = max(ours, np.int64(lowest(partner)))
    if forced > ours:
        weight = 178 + 2 * rank - size(theirs & ~below)
    else:
        weight = 3 * rank - size(theirs) + 3 * size(partner & ~below)
    weight -= 3 * size(mine) + 2 * size(mine & below) + 3 * size(theirs)
    return weight + (0 if partner else 3) - (0 if left else 18) - (0 if right else 21)


@compiled
def follow(f, card, rank, suit):
    """The weight of a card of the suit led."""
    if card < f.best:
        return 40 + 7 * rank
    ours = 4 if f.winner & 1 == f.seat & 1 else 0
    if f.count < f.size - 1:
        following, partner = f.hands[(f.seat + 1) & 3] & suit, f.hands[f.seat ^ 2] & suit
        if following and np.int64(lowest(following)) > card:
            return 281 - rank
        if f.count == 1 and partner and np.int64(lowest(partner)) > card:
            return -3 - rank
    return 2 + 4 * rank + ours


@compiled
def throw(f, rank, suit, below):
    """The weight of a card thrown on another suit."""
    mine, partner = f.hands[f.seat] & suit, f.hands[f.seat ^ 2] & suit
    others = f.out & ~f.hands[f.seat] & suit
    weight = rank + 5 * size(others & below) - 2 * size(others & ~below) - 8 * size(mine & below) - 3 * size(mine)
    return weight - 3 * size(partner & below) - 4 * size(partner & ~below) + (6 if size(mine) == 1 else 0)


@compiled
def order(f):
    """Write the cards to be tried into a frame, the most hopeful first: one of each sequence, its lowest."""
    hand = f.hands[f.seat]
    legal = hand & SUIT[f.led] if f.count else hand
    if not legal:
        legal = hand
    cards = bottoms_of_sequences(legal, f.out)
    if not cards & (cards - ONE):
        f.moves[0], f.n = np.int64(lowest(cards)), 1
        return
    n = 0
    while cards:
        card = np.int64(lowest(cards))
        cards &= cards - ONE
        suit = SUIT[card // 13]
        below = bit(card) - ONE
        rank = size(f.out & suit & below)
        if f.count == 0:
            weight = lead(f, card, rank, suit, below)
        elif card // 13 == f.led:
            weight = follow(f, card, rank, suit)
        else:
            weight = throw(f, rank, suit, below)
        if card == f.hint:
            weight += REMEMBERED
        k = n
        while k > 0 and f.weights[k - 1] < weight:
            f.weights[k], f.moves[k] = f.weights[k - 1], f.moves[k - 1]
            k -= 1
        f.weights[k], f.moves[k] = weight, card
        n += 1
    f.n = n
