"""Equilibria of small games for two players, by OpenSpiel's CFR+ (Tammelin 2014) on what is left when the endings are solved.

OpenSpiel is handed the trunk (see `endings`) as a tree in Gambit's extensive form. Needs the `openspiel` extra.
"""

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import numpy as np

from tromf.evaluate.exact.endings import Endings, solve
from tromf.evaluate.exact.tree import Tree

ITERATIONS = 1000


def checked(iterations: Any = ITERATIONS) -> int:
    """A number of iterations, as it is if it is one."""
    if isinstance(iterations, bool) or not isinstance(iterations, (int, np.integer)) or iterations < 1:
        raise ValueError(f"agent 'equilibrium': iterations is {iterations!r}: accepted is an integer from 1")
    return int(iterations)


def average_policy(tree: Tree, iterations: int = ITERATIONS) -> np.ndarray:
    """The policy, (S,) float64, of so many iterations: CFR+'s average on the trunk, the best action in solved endings."""
    if tree.players != 2:
        raise ValueError(f"agent 'equilibrium' is for games of 2 players, and this one has {tree.players}")
    spiel, endings = openspiel(), solve(tree)
    policy = endings.policy.copy()
    if endings.solved.all():
        return policy
    solver = spiel.CFRPlusSolver(spiel.load_efg_game(efg(tree, endings)))
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    for name, choices in solver.tabular_average_policy().policy_table().items():
        number = int(name.rsplit("-", 1)[1])
        policy[tree.starts[number] : tree.starts[number + 1]] = [probability for _, probability in choices]
    return policy


def openspiel() -> Any:
    """The module `pyspiel`; `ValueError` says how to get it."""
    try:
        return import_module("pyspiel")
    except ImportError:
        raise ValueError("agent 'equilibrium' needs OpenSpiel: install tromf[openspiel]") from None


def efg(tree: Tree, endings: Endings | None = None) -> str:
    """A tree, or its trunk, in Gambit's format. Names of information sets are their numbers, those of actions their places in the set."""
    return "\n".join(_lines(tree, endings)) + "\n"


def _lines(tree: Tree, endings: Endings | None) -> Iterator[str]:
    ends, values = (tree.sets < 0, tree.returns) if endings is None else (endings.solved, endings.values)
    players = " ".join(f'"{seat}"' for seat in range(tree.players))
    yield f'EFG 2 R "{tree.game.name}" {{ {players} }}'
    yield 'c "" 1 "" { ' + " ".join(f'"{deal}" 1/{tree.deals}' for deal in range(tree.deals)) + " } 0"
    shown = np.ones(len(tree), np.bool_)
    later = tree.parents >= 0
    shown[later] = ~ends[tree.parents[later]]
    numbers: list[dict[int, int]] = [{} for _ in range(tree.players)]  # every player's sets are numbered from 1 without gaps
    for number, i in enumerate(np.flatnonzero(shown)):
        here = int(tree.sets[i])
        if ends[i]:
            yield f't "" {number + 1} "{number + 1}" {{ {" ".join(repr(float(value)) for value in values[i])} }}'
        else:
            choices = " ".join(f'"{place:02}"' for place in range(tree.starts[here + 1] - tree.starts[here]))
            mine = numbers[tree.seats[here]]
            yield f'p "" {tree.seats[here] + 1} {mine.setdefault(here, len(mine) + 1)} "{here}" {{ {choices} }} 0'
