"""Solos solved: whether the soloist makes sola nulla or grand dix (MW-4 to MW-6), and after which cards. Compiled, on plain arrays.

`hands`, `turn`, `laid` and `memory` are those of `tromf.agents.solver.low`; the hand of a partner who sits out is empty. `partner` says
whether it plays to the trick in hand, as to the first of a grand dix; `left` counts the tricks that the soloist must still win in dix or
not win in sola, that in hand included. Nothing is checked.
"""

import numpy as np

from tromf.agents.solver.avoiding import FRAME, FRAMES, SOLA, begin, contract_of, play, reaches, sequence_top
from tromf.agents.solver.bits import SUIT
from tromf.agents.solver.dodges import bottoms_of_sequences
from tromf.envs.jit import ONE, bit, compiled, lowest


@compiled
def seats_of(contract, soloist):
    """Whose tricks end the solo, who want that, and who sits out: sets of seats."""
    partner = 1 << (soloist + 2 & 3)
    counted = 1 << soloist if contract == SOLA else 15 & ~(1 << soloist)
    return counted, 15 & ~(1 << soloist) & ~partner, partner


@compiled
def solve(hands, turn, laid, contract, soloist, partner, left, memory):
    """Whether the soloist makes a solo (`SOLA` or `DIX`) under best play of all: 1 or 0."""
    counted, opponents, idle = seats_of(contract, soloist)
    frames = np.empty(FRAMES, FRAME)
    begin(frames[0], hands, turn, laid, left, 0 if partner else idle)
    history = np.zeros((4, 52), np.int64)
    return 1 - np.int64(reaches(frames, 1, counted, opponents, idle, contract_of(contract, soloist), history, memory))


@compiled
def solve_cards(hands, turn, laid, contract, soloist, partner, left, memory, out):
    """The same for each card that the seat to play may play, into `out` (52,) int64; -1 for all others. Returns the best for the seat."""
    counted, opponents, idle = seats_of(contract, soloist)
    frames = np.empty(FRAMES, FRAME)
    f = frames[0]
    begin(f, hands, turn, laid, left, 0 if partner else idle)
    f.goal = 1
    history = np.zeros((4, 52), np.int64)
    out[:] = -1
    hand = f.hands[turn]
    legal = hand & SUIT[f.led] if f.count else hand
    if not legal:
        legal = hand
    wish = 1 - (opponents >> turn & 1)
    best = 1 - wish
    cards = bottoms_of_sequences(legal, f.out)
    while cards:
        card = np.int64(lowest(cards))
        cards &= cards - ONE
        play(f, frames[1], card, counted, idle)
        failed = reaches(frames[1:], frames[1].goal, counted, opponents, idle, contract_of(contract, soloist), history, memory)
        made = 1 - np.int64(failed)
        if made == wish:
            best = wish
        for other in range(card, sequence_top(card, hand, f.out) + 1):
            if hand & bit(other):
                out[other] = made
    return best
