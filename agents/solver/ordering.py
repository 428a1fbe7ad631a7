"""Which card to try first: guesses, which decide how long the search takes and never what it finds."""

import numpy as np

from tromf.agents.solver.bits import SUIT
from tromf.envs.jit import EMPTY, ONE, compiled, highest, lowest, popcount

# WEIGHTS-BEGIN
# fmt: off
WEIGHTS = np.array([
    -12, 3, 20, 32, 10, 1, 1, 5, 4, -5,  # 0 cash, low from top; partner top: low, second; lho top: partner 2nd, own 2nd, other; rho
    1, 1, -1, -1, -4, 0, -4, -4, 20, 0,  # 10 lengths own, partner, lho, rho; rank (quarter); void partner, lho, rho; killer; history
    0, 0, 20, -20, -20, 5, 0, 0, 0, 0,  # 20 -, trump lead, partner ruffs, lho ruffs, rho ruffs, own singleton
    50, 5, 34, 27, 50, 2, 4, 0, 0, 0,  # 30 win: fourth, overtaking, third sure, forcing, second sure, forcing, partner can
    -32, 4, -44, -46, 4, 60, -40, 0, 0, 0,  # 40 discard: rank, length, winner, unguarding, partner's top; ruff, ruff partner's trick
])
# fmt: on
# WEIGHTS-END


@compiled
def order(f, cards, trump):
    """Write `cards`, a set, into the frame's moves, the most promising first."""
    n = 0
    single = cards & (cards - ONE) == EMPTY
    while cards:
        card = np.int64(lowest(cards))
        cards &= cards - ONE
        weight = np.int64(0)
        if not single:
            if f.count == 0:
                weight = lead_weight(f, card, trump)
            elif card // 13 == f.led:
                weight = follow_weight(f, card, trump)
            else:
                weight = discard_weight(f, card, trump)
            if card == f.killer:
                weight += 4 * WEIGHTS[18]
            if card == f.hint:
                weight += 4000
        k = n
        while k > 0 and f.weights[k - 1] < weight:
            f.weights[k], f.moves[k] = f.weights[k - 1], f.moves[k - 1]
            k -= 1
        f.weights[k], f.moves[k] = weight, card
        n += 1
    f.n = n


@compiled
def top_of(cards):
    """The highest card of a set, -1 if it is empty."""
    return np.int64(highest(cards)) if cards else np.int64(-1)


@compiled
def relation(hands, seat, card):
    """Where a card lies: 0 own hand, 1 left, 2 partner, 3 right; 0 if there is none."""
    if card < 0:
        return np.int64(0)
    for k in range(1, 4):
        if hands[(seat + k) & 3] >> np.uint64(card) & ONE:
            return np.int64(k)
    return np.int64(0)


@compiled
def lead_weight(f, card, trump):
    """How promising a lead is."""
    s = card // 13
    suit = SUIT[s]
    seat = f.seat
    mine, partner = f.hands[seat] & suit, f.hands[seat ^ 2] & suit
    lho, rho = f.hands[(seat + 1) & 3] & suit, f.hands[(seat + 3) & 3] & suit
    out = f.out & suit
    top = np.int64(highest(out))
    second = top_of(out & ~(ONE << np.uint64(top)))
    who, then = relation(f.hands, seat, top), relation(f.hands, seat, second)
    weight = np.int64(0)
    if card == top:
        weight = WEIGHTS[0]
    elif who == 0:
        weight = WEIGHTS[1]
    elif who == 2:
        weight = WEIGHTS[3] if card == second else WEIGHTS[2]
    elif who == 1:
        weight = WEIGHTS[4] if then == 2 else WEIGHTS[5] if card == second else WEIGHTS[6]
    else:
        weight = WEIGHTS[7] if then == 2 else WEIGHTS[8] if card == second else WEIGHTS[9]
    weight *= 4
    weight += WEIGHTS[10] * np.int64(popcount(mine)) + WEIGHTS[11] * np.int64(popcount(partner))
    weight += WEIGHTS[12] * np.int64(popcount(lho)) + WEIGHTS[13] * np.int64(popcount(rho))
    if card != top:
        weight += WEIGHTS[14] * np.int64(popcount(out & ((ONE << np.uint64(card)) - ONE))) // 4
    if not partner:
        weight += 4 * WEIGHTS[15]
    if not lho:
        weight += 4 * WEIGHTS[16]
    if not rho:
        weight += 4 * WEIGHTS[17]
    if trump >= 0:
        trumps = SUIT[trump]
        if s == trump:
            weight += 4 * WEIGHTS[21]
        else:
            if not partner and f.hands[seat ^ 2] & trumps:
                weight += 4 * WEIGHTS[22]
            if not lho and f.hands[(seat + 1) & 3] & trumps:
                weight += 4 * WEIGHTS[23]
            if not rho and f.hands[(seat + 3) & 3] & trumps:
                weight += 4 * WEIGHTS[24]
            if mine & (mine - ONE) == EMPTY and f.hands[seat] & trumps:
                weight += 4 * WEIGHTS[25]
    return weight


@compiled
def follow_weight(f, card, trump):
    """How promising a card of the suit led is."""
    suit = SUIT[f.led]
    rank = card % 13
    wins = card > f.best and f.led == f.best // 13
    ours = (f.winner ^ f.seat) & 1 == 0
    if f.count == 3:
        if not wins:
            return -4 * rank
        return 4 * (WEIGHTS[31] if ours else WEIGHTS[30]) - 4 * rank
    next_hand = f.hands[(f.seat + 1) & 3]
    behind = top_of(next_hand & suit)
    ruffed = trump >= 0 and trump != f.led and behind < 0 and (next_hand & SUIT[trump]) != EMPTY
    if f.count == 2:
        if ruffed or (ours and f.best > behind):
            return -4 * rank
        if wins and card > behind:
            return 4 * WEIGHTS[32] - 4 * rank
        if wins and not ours and behind < 0:
            return 4 * WEIGHTS[32] - 4 * rank
        if wins and behind > f.best:
            return 4 * WEIGHTS[33] * (card > f.best) // 8 - 4 * rank
        return -4 * rank
    partner = top_of(f.hands[f.seat ^ 2] & suit)
    if ruffed:
        return -4 * rank
    if wins and card > behind:
        return 4 * (WEIGHTS[36] if partner > max(behind, f.best) else WEIGHTS[34]) - 4 * rank
    if wins and behind > f.best and partner < behind:
        return 4 * WEIGHTS[35] - 4 * rank
    return -4 * rank


@compiled
def discard_weight(f, card, trump):
    """How promising a card of another suit than that led is."""
    s = card // 13
    suit = SUIT[s]
    rank = card % 13
    mine = f.hands[f.seat] & suit
    if s == trump:
        ours = (f.winner ^ f.seat) & 1 == 0
        if f.best // 13 == trump and card < f.best:
            return 4 * WEIGHTS[46] - 4 * rank
        return 4 * (WEIGHTS[46] if ours else WEIGHTS[45]) - rank
    weight = WEIGHTS[40] * rank + WEIGHTS[41] * np.int64(popcount(mine))
    out = f.out & suit
    top = np.int64(highest(out))
    if card == top:
        return weight + 4 * WEIGHTS[42]
    second = top_of(out & ~(ONE << np.uint64(top)))
    if not f.hands[f.seat] >> np.uint64(top) & ONE and f.hands[f.seat] >> np.uint64(second) & ONE and np.int64(popcount(mine)) == 2:
        weight += 4 * WEIGHTS[43]
    if f.hands[f.seat ^ 2] >> np.uint64(top) & ONE:
        weight += 4 * WEIGHTS[44]
    return weight
