"""Exact values of positions near the end of a deal, when all cards lie open: what searches may use in place of roll-outs.

`exact` is one name for all games, like the verbs: the solver is chosen by the record type, at compile time. A game without one
has no position that it could solve.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types
from numba.extending import overload

from tromf.envs.registry import Game

Memory = np.ndarray | tuple[np.ndarray, ...]

_SOLVERS: dict[np.dtype, tuple[Callable[[], Memory], Callable]] = {}


def register(state: np.dtype, memory: Callable[[], Memory], function: Callable) -> None:
    """Say which compiled function solves positions with these records, and what makes the memory that it works with.

    What a solver leaves in its memory must hold for every position of the game, so that one memory serves all calls.
    """
    if state in _SOLVERS:
        raise ValueError("a solver is already registered for this dtype")
    _SOLVERS[state] = memory, function


def memory_for(game: Game) -> Memory:
    """New memory for `exact`, to be used by one thread at a time."""
    return _SOLVERS[game.state][0]() if game.state in _SOLVERS else np.zeros(1, np.uint64)


def exact(world: Any, memory: Memory, out: np.ndarray) -> bool:
    """Solve a position, a full record, if it is near enough to the end; False, quickly, if it is not.

    Written to `out`, (players,) float64 or longer, are the returns when from here on every side plays for its own return and
    knows all cards.
    """
    return bool(_SOLVERS[world.dtype][1](world, memory, out)) if world.dtype in _SOLVERS else False


@overload(exact)
def _exact(world, memory, out):
    if not isinstance(world, types.Record):
        return None
    if world.dtype not in _SOLVERS:
        return lambda world, memory, out: False
    chosen = _SOLVERS[world.dtype][1]
    return lambda world, memory, out: chosen(world, memory, out)
