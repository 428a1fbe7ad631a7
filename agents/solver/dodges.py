"""Which card to try first where tricks are avoided: get out of the lead, duck with the highest card that ducks, throw what could win.

The weights were found by changing them at random and keeping what made the search of random endings of eight tricks visit fewer positions.
"""

import numpy as np

from tromf.agents.solver.bits import SUIT, deposit, extract
from tromf.envs.jit import EMPTY, ONE, bit, compiled, highest, lowest, popcount

HISTORY = 0


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
    left, right, partner = f.hands[(f.seat + 1) & 3] & suit, f.hands[(f.seat + 3) & 3] & suit, f.hands[(f.seat + 2) & 3] & suit
    theirs = left | right
    forced, ours = -1, card
    for hand in (left, right):
        if hand:
            forced = max(forced, np.int64(lowest(hand)))
    if partner:
        ours = max(ours, np.int64(lowest(partner)))
    if forced > ours:
        weight = 178 + 2 * rank
    else:
        weight = 3 * rank - 2 * size(theirs & ~below) - size(theirs & below) + 4 * size(partner & ~below)
    weight += -5 * size(f.hands[f.seat] & suit) - 3 * size(theirs)
    return weight + (0 if partner else 3) - (0 if left else 17) - (0 if right else 17)


@compiled
def follow(f, card, rank, suit):
    """The weight of a card of the suit led."""
    ours = f.winner & 1 == f.seat & 1
    if card < f.best:
        return 37 + (rank if ours else 2 * rank)
    if f.count == f.size - 1:
        return rank + (3 if ours else 0)
    after = f.hands[(f.seat + 1) & 3] & suit
    if after and np.int64(lowest(after)) > card:
        return 281 + rank
    return -3 - 2 * rank


@compiled
def throw(f, rank, suit, below):
    """The weight of a card thrown on another suit."""
    mine, others = f.hands[f.seat] & suit, f.out & ~f.hands[f.seat] & suit
    return 5 * size(others & below) - 6 * size(mine & below) - 3 * size(mine) + rank - 2 * size(others & ~below)


@compiled
def order(f, history):
    """Write the cards to be tried into a frame, the most hopeful first: one of each sequence, its lowest."""
    hand = f.hands[f.seat]
    legal = hand & SUIT[f.led] if f.count else hand
    if not legal:
        legal = hand
    cards = bottoms_of_sequences(legal, f.out)
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
        if HISTORY and history[f.seat, card]:
            weight = 4 * weight + HISTORY * np.int64(highest(np.uint64(history[f.seat, card])))
        k = n
        while k > 0 and f.weights[k - 1] < weight:
            f.weights[k], f.moves[k] = f.weights[k - 1], f.moves[k - 1]
            k -= 1
        f.weights[k], f.moves[k] = weight, card
        n += 1
    f.n = n
