"""Endings of a tree that need no secret: where every seat can play as well as if all cards lay open, backward induction solves the game.

Take two players with opposite returns, and the value of every history under best play with open cards. An information set is clear if
one action is best, with open cards, in all its histories. Below a history with nothing but clear sets, whose histories are all such,
playing those actions yields at least the open value to either seat, whatever the other does or knows. So the history can be replaced by
an end of play with this value: an equilibrium of what is left, the trunk, continued in this way, is one of the whole game.
"""

from dataclasses import dataclass

import numpy as np

from tromf.envs.jit import EMPTY, ONE, bit, compiled
from tromf.evaluate.exact.tree import Tree


@dataclass(frozen=True, eq=False)
class Endings:
    """What is solved of a tree.

    Attributes:
        solved: (n,) bool, the histories that are. values: (n, 2) float64, every seat's value with open cards.
        policy: (S,) float64, the best action in solved information sets, uniform elsewhere.
    """

    solved: np.ndarray
    values: np.ndarray
    policy: np.ndarray


def solve(tree: Tree) -> Endings:
    """The endings of a game for two players."""
    if tree.players != 2:
        raise ValueError(f"endings are solved for 2 players, and this game has {tree.players}")
    values, best = tree.returns.copy(), np.full(len(tree.seats), ~EMPTY)
    open_cards(tree.parents, tree.slots, tree.sets, tree.seats, tree.starts, values, best)
    clear, solved = best != EMPTY, np.ones(len(tree), np.bool_)
    while settle(tree.parents, tree.sets, clear, solved):
        pass
    sizes = np.diff(tree.starts)
    policy = np.repeat(1.0 / sizes, sizes)
    policy[np.repeat(clear, sizes)] = 0.0
    lowest = np.bitwise_count((best & ~(best - ONE)) - ONE)
    policy[(tree.starts[:-1] + lowest)[clear]] = 1.0
    return Endings(solved, values, policy)


@compiled
def open_cards(parents, slots, sets, seats, starts, values, best):
    """Write every history's values under best play with open cards, and for every set the actions, counted from its first, that are best
    in all its histories."""
    reached = np.zeros(parents.shape[0], np.bool_)
    tops = np.zeros(parents.shape[0], np.uint64)
    for i in range(parents.shape[0] - 1, -1, -1):
        here = sets[i]
        if here >= 0:
            best[here] &= tops[i]
        up = parents[i]
        if up >= 0:
            seat = seats[sets[up]]
            this = bit(slots[i] - starts[sets[up]])
            if not reached[up] or values[i, seat] > values[up, seat]:
                values[up], tops[up], reached[up] = values[i], this, True
            elif values[i, seat] == values[up, seat]:
                tops[up] |= this


@compiled
def settle(parents, sets, clear, solved):
    """Unmark histories whose set is not clear and those above them, and then sets with a history that is unmarked; whether any was."""
    changed = False
    for i in range(parents.shape[0] - 1, -1, -1):
        here = sets[i]
        if solved[i] and here >= 0 and not clear[here]:
            solved[i] = False
            changed = True
        if not solved[i]:
            if here >= 0 and clear[here]:
                clear[here] = False
                changed = True
            if parents[i] >= 0:
                solved[parents[i]] = False
    return changed
