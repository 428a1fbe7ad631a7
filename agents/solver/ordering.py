"""Which card to try first: guesses, which decide how long the search takes and never what it finds."""

import numpy as np

from tromf.agents.solver.bits import SUIT
from tromf.envs.jit import ONE, compiled, highest, lowest, popcount


@compiled
def order(f, cards, trump):
    """Write `cards`, a set, into the frame's moves, the most promising first."""
    n = 0
    while cards:
        card = np.int64(lowest(cards))
        cards &= cards - ONE
        weight = lead_weight(f, card, trump) if f.count == 0 else follow_weight(f, card, trump)
        if card == f.hint:
            weight += 1000
        k = n
        while k > 0 and f.weights[k - 1] < weight:
            f.weights[k], f.moves[k] = f.weights[k - 1], f.moves[k - 1]
            k -= 1
        f.weights[k], f.moves[k] = weight, card
        n += 1
    f.n = n


@compiled
def lead_weight(f, card, trump):
    """How promising a lead is."""
    s = card // 13
    rank = card % 13
    suit = SUIT[s]
    mine, partner = f.hands[f.seat] & suit, f.hands[(f.seat + 2) & 3] & suit
    lho, rho = f.hands[(f.seat + 1) & 3] & suit, f.hands[(f.seat + 3) & 3] & suit
    top = np.int64(highest(f.top & suit))
    weight = 0
    if card == top:
        weight = 40
    elif mine >> np.uint64(top) & ONE:
        weight = 10 - rank
    elif partner >> np.uint64(top) & ONE:
        weight = 30 - rank
    elif lho >> np.uint64(top) & ONE:
        weight = 5 - rank
    else:
        weight = -5 - rank
    return weight + np.int64(popcount(mine | partner)) - np.int64(popcount(lho | rho))


@compiled
def top_of(cards):
    """The highest card of a set, -1 if it is empty."""
    return np.int64(highest(cards)) if cards else np.int64(-1)


@compiled
def follow_weight(f, card, trump):
    """How promising a card is after a lead."""
    suit = SUIT[f.led]
    rank = card % 13
    s = card // 13
    if s != f.led and s != trump:
        return -rank + np.int64(popcount(f.hands[f.seat] & SUIT[s]))
    wins = (s == f.best // 13 and card > f.best) or (s == trump and f.best // 13 != trump)
    ours = (f.winner & 1) == (f.seat & 1)
    if s != f.led:
        # a ruff
        if not wins:
            return -20 - rank
        return (-10 if ours else 50) - rank
    if f.count == 3:
        if wins and not ours:
            return 50 - rank
        return -rank
    behind = top_of(f.hands[(f.seat + 1) & 3] & suit)
    if f.count == 2:
        if ours and f.best > behind:
            return -rank
        if wins and card > behind:
            return 50 - rank
        return -rank
    partner = top_of(f.hands[(f.seat + 2) & 3] & suit)
    if partner > behind and partner > f.best:
        return -rank
    if wins and card > behind:
        return 50 - rank
    return -rank
