"""Hands of eight cards and fewer, solved with open cards: the returns of the deal if all play as well as can be."""

import numpy as np

from tromf.agents import exact
from tromf.agents.solver.high import solve as solve_high
from tromf.agents.solver.table import new_memory
from tromf.envs.jit import compiled, highest, popcount
from tromf.envs.minnesota_whist.rules import HIGH, NONE, PLAY, STATE, returns, score_tricks

CARDS = 8  # of the seat to play: what is solved in about a millisecond
CLASSES = 1 << 18  # of the solver's memory


@compiled
def cards_laid(s, laid):
    """The cards of the trick in hand, in the order in which they were laid, into `laid` (4,) int64; their number."""
    seat = np.int64(s.leader)
    for i in range(s.laid):
        if seat == s.out:
            seat = (seat + 1) & 3
        laid[i] = np.int64(highest(s.table & s.played[seat]))
        seat = (seat + 1) & 3
    return np.int64(s.laid)


@compiled
def solved(s, memory, out):
    """`tromf.agents.exact.exact` for this game. Points grow with tricks, so who plays for tricks plays for points.

    Deals of a game are left alone: what a deal is worth there depends on those that follow.
    """
    left = np.int64(popcount(s.hand[s.turn]))
    if s.phase != PLAY or s.options.game or left > CARDS or s.solo != NONE or s.kind != HIGH:
        return False
    hands, laid = s.hand.copy(), np.empty(4, np.int64)
    count = cards_laid(s, laid)
    tricks = solve_high(hands, np.int64(s.turn), laid[:count], np.int64(s.trump), memory)
    mine = np.int64(s.turn) & 1
    before0, before1 = s.tricks[0], s.tricks[1]
    s.tricks[mine] += tricks
    s.tricks[1 - mine] += left - tricks
    score_tricks(s)
    s.over = 1
    returns(s, out)
    s.over = s.score[0] = s.score[1] = 0
    s.tricks[0], s.tricks[1] = before0, before1
    return True


exact.register(STATE, lambda: new_memory(CLASSES), solved)
