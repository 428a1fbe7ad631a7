"""Seatings: who plays which side in the games of a match, (seatings, sides) int, indices of agents.

Where nobody plays together a side is a seat. `seatings[:, game.sides(players)]` says the same by seats, (seatings, players).
"""

from collections.abc import Sequence

import numpy as np


def one_among(one: int, others: int, sides: int) -> np.ndarray:
    """Seatings, (sides, sides) int: one agent among others, on every side once."""
    return np.where(np.eye(sides, dtype=bool), one, others)


def rotations(table: Sequence[int]) -> np.ndarray:
    """Seatings, (k, sides) int: a table, an agent a side, in all its rotations; of equal ones only the first."""
    turned = [tuple(table[(side - turn) % len(table)] for side in range(len(table))) for turn in range(len(table))]
    return np.array(list(dict.fromkeys(turned)))
