"""Seatings: who plays which side in the games of a match, (seatings, sides) int, indices of agents.

Where nobody plays together a side is a seat. `seatings[:, game.sides(players)]` says the same by seats, (seatings, players). Seatings that
are rotations of one another have one *order* round the table; an order is always played in all its rotations, which is what makes
seats equal.
"""

from collections.abc import Sequence
from itertools import permutations

import numpy as np

ORDERS = 24  # of a table's orders, so many are played unless more are asked for
MOST_ORDERS = 720


def one_among(one: int, others: int, sides: int) -> np.ndarray:
    """Seatings, (sides, sides) int: one agent among others, on every side once."""
    return np.where(np.eye(sides, dtype=bool), one, others)


def rotations(table: Sequence[int]) -> np.ndarray:
    """Seatings, (k, sides) int: a table, an agent a side, in all its rotations; of equal ones only the first."""
    turned = [tuple(table[(side - turn) % len(table)] for side in range(len(table))) for turn in range(len(table))]
    return np.array(list(dict.fromkeys(turned)))


def orders(table: Sequence[int]) -> list[tuple[int, ...]]:
    """All different orders in which a table's agents can sit round it; the given one first."""
    first, *others = table
    found = {min(map(tuple, rotations(table))): tuple(table)}
    for order in sorted(set(permutations(others))):
        found.setdefault(min(map(tuple, rotations((first, *order)))), (first, *order))
    return list(found.values())


def chosen_orders(table: Sequence[int], wanted: int | str | None, seed: int) -> tuple[list[tuple[int, ...]], int]:
    """The orders of a table that are played, and how many there are.

    Args:
        wanted: "all"; "given", the one given; a number, so many, drawn with the seed; None, all if there are no more than `ORDERS`, which
            otherwise is the number drawn.

    `ValueError`, in one line, for anything else, or too many.
    """
    if wanted == "given":
        return [tuple(table)], len(orders(table))
    every = orders(table)
    if wanted not in (None, "all") and (isinstance(wanted, (bool, str)) or not isinstance(wanted, (int, np.integer)) or wanted < 1):
        raise ValueError(f"seatings are {wanted!r}: accepted are 'all', 'given', or a number of orders round the table from 1")
    count = len(every) if wanted == "all" else min(ORDERS if wanted is None else int(wanted), len(every))
    if count > MOST_ORDERS:
        raise ValueError(f"{count:,} orders round the table are too many: give seatings as a number up to {MOST_ORDERS}")
    if count == len(every):
        return every, len(every)
    drawn = np.random.default_rng(seed).choice(len(every), count, replace=False)
    return [every[k] for k in sorted(drawn)], len(every)
