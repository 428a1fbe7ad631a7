"""Habits: how a game is played, as figures. Each game says in its `habits.py` what is worth counting in the decisions made in it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np


class Decisions(NamedTuple):
    """Decisions made: the records, (k,), before them, the seats that decided, (k,) int64, what they could do, (k,) uint64 with bit a set
    where action a was legal, and what they did, (k,) int64. Forced ones are among them."""

    states: np.ndarray
    seats: np.ndarray
    masks: np.ndarray
    actions: np.ndarray


Counts = tuple[np.ndarray, np.ndarray]  # of every decision: how much, and of how much, (k,) each


@dataclass(frozen=True)
class Habit:
    """A figure that says how somebody plays: a sum over decisions, divided by another one.

    Attributes:
        name: short, unique within the game. text: what it is, in words. percent: whether it is a share; otherwise a mean number.
        count: what every decision adds to the two sums.
    """

    name: str
    text: str
    percent: bool
    count: Callable[[Decisions], Counts]


def bits(numbers: np.ndarray) -> np.ndarray:
    """Sets, uint64, that hold one card, or action, each; empty for negative numbers."""
    return np.where(numbers < 0, np.uint64(0), np.uint64(1) << np.maximum(numbers, 0).astype(np.uint64))


def lowest(sets: np.ndarray) -> np.ndarray:
    """The lowest member of each set, int64; 64 for the empty set."""
    return np.bitwise_count(~sets & (sets - np.uint64(1))).astype(np.int64)


def above(cards: np.ndarray) -> np.ndarray:
    """The set of all cards with higher numbers than each of these, 0 … 62."""
    return ~(bits(cards + 1) - np.uint64(1))


def share(of: np.ndarray, which: np.ndarray) -> Counts:
    """The counts of a share: of some decisions, those that are `which`; both bool."""
    return of & which, of


def chosen(d: Decisions, wanted: np.ndarray, when: np.ndarray | bool = True) -> Counts:
    """The counts of a share: how often an action of the set `wanted` was taken where it was legal and another one was, too."""
    could = (d.masks & wanted != 0) & (d.masks & ~wanted != 0) & when
    return share(could, bits(d.actions) & wanted != 0)
