"""Hands of eight cards and fewer, solved with open cards: the returns of the deal if all play as well as can be."""

import numpy as np

from tromf.agents import exact
from tromf.agents.minnesota_whist.position import cards_laid
from tromf.agents.solver import avoiding, high, low, solo, splits, table
from tromf.envs.jit import EMPTY, compiled, popcount
from tromf.envs.minnesota_whist.rules import HIGH, NONE, PLAY, SOLA, STATE, returns, score_tricks

CARDS = 8  # of the seat to play: most such hands are solved in a few milliseconds
CLASSES = 1 << 18  # of each of the solver's memories


def memory() -> tuple[np.ndarray, np.ndarray]:
    """For high hands, and for low ones and solos."""
    return table.new_memory(CLASSES), splits.new_memory(CLASSES)


@compiled
def solved(s, memory, out):
    """`tromf.agents.exact.exact` for this game. Points grow with tricks, so who plays for tricks plays for points.

    Deals of a game are left alone: what a deal is worth there depends on those that follow.
    """
    if s.phase != PLAY or s.options.game or np.int64(popcount(s.hand[s.turn])) > CARDS:
        return False
    hands, laid = s.hand.copy(), np.empty(4, np.int64)
    count = cards_laid(s, laid)
    if s.solo != NONE:
        solo_returns(s, hands, laid[:count], memory[1], out)
    else:
        trick_returns(s, hands, laid[:count], memory, out)
    return True


@compiled
def trick_returns(s, hands, laid, memory, out):
    """MW-9 to MW-11 when all tricks have been played."""
    turn, left = np.int64(s.turn), np.int64(popcount(s.hand[s.turn]))
    if s.kind == HIGH:
        tricks = high.solve(hands, turn, laid, np.int64(s.trump), memory[0])
    else:
        tricks = low.solve(hands, turn, laid, memory[1])
    mine, theirs = turn & 1, 1 - (turn & 1)
    before = s.tricks[mine], s.tricks[theirs]
    s.tricks[mine] += tricks
    s.tricks[theirs] += left - tricks
    score_tricks(s)
    write_returns(s, out)
    s.score[0] = s.score[1] = 0
    s.tricks[mine], s.tricks[theirs] = before


@compiled
def solo_returns(s, hands, laid, memory, out):
    """MW-12 when the solo is decided."""
    soloist = np.int64(s.soloist)
    side, partner = soloist & 1, (soloist + 2) & 3
    if s.solo == SOLA:
        hands[partner] = EMPTY
        made = solo.solve(hands, np.int64(s.turn), laid, avoiding.SOLA, soloist, False, np.int64(popcount(s.hand[s.turn])), memory)
    else:
        first = s.seats == 4  # the trick to which the partner leads
        if not first or len(laid):
            hands[partner] = EMPTY
        left = np.int64(s.options.tricks) // 2 + 1 - np.int64(s.tricks[side])
        made = solo.solve(hands, np.int64(s.turn), laid, avoiding.DIX, soloist, first, left, memory)
    winner = side if made else 1 - side
    if made or s.options.failed_solo_star:
        s.stars[winner] += 1
        write_returns(s, out)
        s.stars[winner] -= 1
    else:
        write_returns(s, out)


@compiled
def write_returns(s, out):
    """The returns as they would be if the deal were over now."""
    s.over = 1
    returns(s, out)
    s.over = 0


exact.register(STATE, memory, solved)
