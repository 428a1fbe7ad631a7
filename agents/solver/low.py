"""Low hands solved: tricks of the best play where each side wants as few as possible, and of each card. Compiled, on plain arrays.

`hands` are four sets (4,) uint64 without the cards on the table, `turn` the seat to play, `laid` the cards of the trick in hand in order
(k,) int64, `memory` a table of `tromf.agents.solver.splits.new_memory`, which may have served any other low hands and solos before.
Nothing is checked.
"""

import numpy as np

from tromf.agents.solver.avoiding import FRAME, FRAMES, LOW, begin, contract_of, number, play, sequence_top
from tromf.agents.solver.bits import SUIT
from tromf.agents.solver.dodges import bottoms_of_sequences
from tromf.envs.jit import ONE, bit, compiled, lowest, popcount

FIRST, SECOND = 0b0101, 0b1010  # the sides: sets of seats


@compiled
def solve(hands, turn, laid, memory):
    """Tricks that the side of the seat to play wins, from the trick in hand on, if both sides avoid them as well as can be."""
    frames = np.empty(FRAMES, FRAME)
    f = frames[0]
    begin(f, hands, turn, laid, np.int64(popcount(hands[turn])), 0)
    history = np.zeros((4, 52), np.int64)
    tricks = number(frames, 0, f.left, (f.left + 1) // 2, FIRST, SECOND, 0, contract_of(LOW, 0), history, memory)
    return f.left - tricks if turn & 1 else tricks


@compiled
def solve_cards(hands, turn, laid, memory, out):
    """The same for each card that the seat to play may play, into `out` (52,) int64; -1 for all others. Returns the fewest."""
    frames = np.empty(FRAMES, FRAME)
    f = frames[0]
    begin(f, hands, turn, laid, np.int64(popcount(hands[turn])), 0)
    history = np.zeros((4, 52), np.int64)
    contract = contract_of(LOW, 0)
    best = number(frames, 0, f.left, (f.left + 1) // 2, FIRST, SECOND, 0, contract, history, memory)
    out[:] = -1
    hand = f.hands[turn]
    legal = hand & SUIT[f.led] if f.count else hand
    if not legal:
        legal = hand
    side = turn & 1
    cards = bottoms_of_sequences(legal, f.out)
    while cards:
        card = np.int64(lowest(cards))
        cards &= cards - ONE
        play(f, frames[1], card, FIRST, 0)
        won = f.goal - frames[1].goal
        # No card is better than the best: side 0 wins no fewer by its own cards, no more by the others'.
        low, high = (0, best) if side else (best, f.left)
        low, high = max(low - won, 0), min(high - won, frames[1].left)
        tricks = number(frames[1:], low, high, high if side else low + 1, FIRST, SECOND, 0, contract, history, memory) + won
        if side:
            tricks = f.left - tricks
        top = sequence_top(card, hand, f.out)
        for other in range(card, top + 1):
            if hand & bit(other):
                out[other] = tricks
    return f.left - best if side else best
