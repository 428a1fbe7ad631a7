"""Symmetries of a game: names of suits that can be exchanged without changing anything, so that a network need not learn it four times."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Symmetry:
    """Relabellings of what is seen and done, one for each value of something seen, such as the suit of trumps.

    Attributes:
        word, shift, count: the value is the number of the bit that is set among these bits of an observation word.
        bits: (count, bits of the observation) int64, the place of every bit after relabelling.
        actions: (count, actions) int64, the number of every action after relabelling.
    """

    word: int
    shift: int
    count: int
    bits: np.ndarray
    actions: np.ndarray
