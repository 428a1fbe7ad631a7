"""How the games of a match ended."""

from dataclasses import dataclass

import numpy as np

FIELDS = ("returns", "lost", "truncated", "decisions", "controls")


@dataclass
class Outcome:
    """How the games of a match, or of some of its blocks, ended.

    Attributes:
        seatings: (seatings, players) int, the index of the agent in each seat.
        returns: (blocks, seatings, players) float64.
        lost: (blocks, seatings, players) bool, which seats lost their deal: its loser, or without one those with a negative return.
        truncated: (blocks, seatings) bool.
        decisions: (blocks, seatings) int32, forced ones too.
        controls: (blocks, seatings, players) float64, what control variates add to the returns (`luck.controls`); 0 without them.
    """

    seatings: np.ndarray
    returns: np.ndarray
    lost: np.ndarray
    truncated: np.ndarray
    decisions: np.ndarray
    controls: np.ndarray

    @classmethod
    def blank(cls, seatings: np.ndarray, blocks: int) -> "Outcome":
        """Room for the games of so many blocks."""
        games, seats = (blocks, len(seatings)), (blocks, *seatings.shape)
        return cls(
            seatings, np.zeros(seats), np.zeros(seats, np.bool_), np.zeros(games, np.bool_), np.zeros(games, np.int32), np.zeros(seats)
        )

    def of_agent(self, agent: int, values: np.ndarray) -> np.ndarray:
        """The mean of some values, (blocks, seatings, players), over the seats of one agent, (blocks,)."""
        return values[:, self.seatings == agent].mean(axis=1)
