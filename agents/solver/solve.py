"""The solver for positions as Python has them: tricks of the best play, and of each card."""

from functools import cache

import numpy as np

from tromf.agents.solver import high
from tromf.agents.solver.position import Position
from tromf.agents.solver.table import new_memory

CLASSES = 1 << 20  # of the memory that all calls share: about 44 MB, of which the system gives what is used


@cache
def shared_memory() -> np.ndarray:
    """The memory of this process."""
    return new_memory(CLASSES)


def arrays(position: Position) -> tuple[np.ndarray, int, np.ndarray]:
    """`hands, turn, laid` as the compiled entries take them."""
    return np.array(position.hands, np.uint64), position.turn, np.array(position.laid, np.int64)


def tricks(position: Position, memory: np.ndarray | None = None) -> int:
    """Tricks that the side of the seat to play wins, that in hand included, if all play as well as can be.

    In "sola" and "dix" 1 if the soloist makes it, else 0. `memory` (`new_memory`) may serve one thread at a time; None takes that of the
    process.
    """
    memory = shared_memory() if memory is None else memory
    match position.contract:
        case "high":
            return int(high.solve(*arrays(position), position.trump, memory))
    raise NotImplementedError(position.contract)


def cards(position: Position, memory: np.ndarray | None = None) -> dict[int, int]:
    """The same for each card that the seat to play may play."""
    memory = shared_memory() if memory is None else memory
    out = np.empty(52, np.int64)
    match position.contract:
        case "high":
            high.solve_cards(*arrays(position), position.trump, memory, out)
        case _:
            raise NotImplementedError(position.contract)
    return {card: int(out[card]) for card in np.flatnonzero(out >= 0).tolist()}
