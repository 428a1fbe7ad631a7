"""The solver for positions as Python has them: tricks of the best play, and of each card."""

from functools import cache

import numpy as np

from tromf.agents.solver import high, low, solo, splits
from tromf.agents.solver.avoiding import DIX, SOLA
from tromf.agents.solver.position import Position
from tromf.agents.solver.table import new_memory

CLASSES = 1 << 20  # of the memory that all calls share: about 44 MB, of which the system gives what is used


@cache
def shared_memory(high: bool) -> np.ndarray:
    """The memory of this process for high hands, or for low ones and solos."""
    return new_memory(CLASSES) if high else splits.new_memory(CLASSES)


def arrays(position: Position) -> tuple[np.ndarray, int, np.ndarray]:
    """`hands, turn, laid` as the compiled entries take them."""
    return np.array(position.hands, np.uint64), position.turn, np.array(position.laid, np.int64)


def solo_arguments(position: Position) -> tuple[int, int, bool, int]:
    """`contract, soloist, partner, left` as the compiled entries for solos take them."""
    if position.contract == "sola":
        return SOLA, position.soloist, False, position.cards
    return DIX, position.soloist, len(position.order) == 4, position.needed - position.won


def tricks(position: Position, memory: np.ndarray | None = None) -> int:
    """Tricks that the side of the seat to play wins, that in hand included, if all play as well as can be.

    In "sola" and "dix" 1 if the soloist makes it, else 0. `memory` (`table.new_memory` for high hands, `splits.new_memory` for the others)
    may serve one thread at a time; None takes that of the process.
    """
    memory = shared_memory(position.contract == "high") if memory is None else memory
    match position.contract:
        case "high":
            return int(high.solve(*arrays(position), position.trump, memory))
        case "low":
            return int(low.solve(*arrays(position), memory))
        case _:
            return int(solo.solve(*arrays(position), *solo_arguments(position), memory))


def cards(position: Position, memory: np.ndarray | None = None) -> dict[int, int]:
    """The same for each card that the seat to play may play."""
    memory = shared_memory(position.contract == "high") if memory is None else memory
    out = np.empty(52, np.int64)
    match position.contract:
        case "high":
            high.solve_cards(*arrays(position), position.trump, memory, out)
        case "low":
            low.solve_cards(*arrays(position), memory, out)
        case _:
            solo.solve_cards(*arrays(position), *solo_arguments(position), memory, out)
    return {card: int(out[card]) for card in np.flatnonzero(out >= 0).tolist()}
