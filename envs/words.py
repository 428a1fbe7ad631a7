"""Observation words: what a row of a game's table is, and their expansion into 0/1 vectors."""
from typing import NamedTuple

import numpy as np

from tromf.envs.jit import EMPTY, ONE, compiled


class Row(NamedTuple):
    """One `uint64` word of an observation: its name, how many of its lowest bits are used, and what they mean."""

    name: str
    width: int
    meaning: str


@compiled
def expand(words, widths, out):
    """Write the used bits of each row's words, (N, W) uint64, as 0/1, (N, sum of widths) int8, lowest bit first."""
    for i in range(words.shape[0]):
        place = 0
        for w in range(widths.shape[0]):
            word, width = words[i, w], widths[w]
            if word == EMPTY:
                for k in range(width):
                    out[i, place + k] = 0
            else:
                for k in range(width):
                    out[i, place + k] = (word >> np.uint64(k)) & ONE
            place += width
