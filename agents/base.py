"""What an agent is, and what it is shown: always many games at once."""

from typing import Any

import numpy as np

from tromf.envs.batch import Batch
from tromf.envs.registry import Game


class Agent:
    """Anything that can decide. Subclass it and write `act`; the rest has defaults.

    Attributes:
        spec: the text that names the agent everywhere (`expert,hoard_attack=0`).
        compiled: the knobs, a record, of a rule agent that can play inside compiled loops; None for all others.
        game: the name of the game for which it was made; None if it plays any.
        variant: the variant of its game for which it was trained; None if it is known for none or plays all.
        cheats: whether it looks at cards that its seat does not know; reports mark such agents.
    """

    spec: str = "agent"
    compiled: Any = None
    variant: str | None = None
    game: str | None = None
    cheats: bool = False

    def act(self, batch: Batch) -> np.ndarray:
        """A legal action for every row, (k,) int64."""
        raise NotImplementedError

    def probabilities(self, batch: Batch) -> np.ndarray:
        """The probability with which the agent takes each action, (k, actions) float64; rows sum to 1. `ValueError` if it does not say."""
        raise ValueError(f"agent {self.spec} does not say with which probability it takes an action")

    def check(self, game: Game) -> None:
        """`ValueError` if the agent was made for another game."""
        if self.game not in (None, game.name):
            raise ValueError(f"agent {self.spec} was made for {self.game}, not for {game.name}")

    def reset(self, rows: np.ndarray) -> None:
        """New episodes begin in these rows; for agents that remember something."""

    def __repr__(self) -> str:
        return f"<agent {self.spec}>"
