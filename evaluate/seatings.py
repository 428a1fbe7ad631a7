"""Seatings: who sits where in the games of a match, (seatings, players) int, indices of agents."""

from collections.abc import Sequence

import numpy as np


def one_among(one: int, others: int, players: int) -> np.ndarray:
    """Seatings, (players, players) int: one agent among others, in every seat once."""
    return np.where(np.eye(players, dtype=bool), one, others)


def rotations(table: Sequence[int]) -> np.ndarray:
    """Seatings, (k, players) int: a table in all its rotations; of equal ones only the first."""
    turned = [tuple(table[(seat - turn) % len(table)] for seat in range(len(table))) for turn in range(len(table))]
    return np.array(list(dict.fromkeys(turned)))
