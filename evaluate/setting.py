"""What is evaluated: a game with its options set, the agents that meet, and the deals; all checked before anything is played."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tromf import __version__
from tromf.agents import Agent, make
from tromf.agents.registry import parse
from tromf.envs import registry
from tromf.evaluate import dealsets
from tromf.evaluate.dealsets import DealSet


class Setting:
    """A game with its options set, and the agents that meet.

    Args:
        agents: specs or agents; equal ones are one.

    Attributes: game, variant, options (those given), blank ((1,) record), players, by_seat ((players,) the side of each seat), sides,
        agents and names (their specs), without doubles.

    Raises `ValueError` for anything that does not exist or cannot be played.
    """

    def __init__(self, game: str | registry.Game, agents: Sequence[str | Agent], variant: str | None, options: dict[str, Any]) -> None:
        if not isinstance(game, registry.Game):
            game, variant = registry.choose(game, variant)
        self.game, self.variant, self.options = game, variant or next(iter(game.variants)), options
        self.blank = game.states(1, self.variant, **options)
        self.players = int(self.blank["options"]["players"][0])
        self.by_seat = np.array(self.game.sides(self.players))
        self.sides = int(self.by_seat.max()) + 1
        self.agents: list[Agent] = []
        self.names: list[str] = []
        for agent in agents:
            if isinstance(agent, str):
                if agent not in self.names:
                    self.names.append(agent)
                    self.agents.append(make(agent, game))
            elif not isinstance(agent, Agent):
                raise ValueError(f"{agent!r} is no agent: accepted are specs and agents")
            elif not any(agent is known for known in self.agents):
                if agent.spec in self.names:
                    raise ValueError(f"two agents are called {agent.spec!r}: give each a `spec` of its own")
                self.names.append(agent.spec)
                self.agents.append(agent)
        for agent in self.agents:
            agent.check(game)

    def index(self, agent: str | Agent) -> int:
        """Which of the agents is meant."""
        return self.names.index(agent if isinstance(agent, str) else agent.spec)

    def seated(self, seatings: np.ndarray) -> np.ndarray:
        """Seatings of sides, (k, sides), by seats, (k, players)."""
        return np.asarray(seatings)[:, self.by_seat]

    def deals(self, seed: int | None, deal_set: str | DealSet | None, blocks: int) -> tuple[int, str | None]:
        """The seed of the deals, and the name of their set; by default seed 0. `ValueError` if they are given twice or do not fit."""
        if deal_set is None:
            return (0 if seed is None else whole("seed", seed, 0)), None
        if seed is not None:
            raise ValueError("a seed and a deal set are given, and each says which deals are played: give one of them")
        found = dealsets.find(deal_set) if isinstance(deal_set, str) else deal_set
        found.check(self.game, self.blank, blocks)
        return found.seed, found.name

    def described(self, matches: Sequence[np.ndarray], blocks: int, seed: int, deal_set: str | None) -> dict[str, Any]:
        """All that the outcome of these matches depends on, as plain values; of agents in files their content too."""
        return {
            "tromf": __version__,
            "game": registry.face(self.game.name),
            "variant": self.variant,
            "options": {name: value.tolist() if hasattr(value, "tolist") else value for name, value in sorted(self.options.items())},
            "agents": [_identity(name) for name in self.names],
            "seatings": [np.asarray(match).tolist() for match in matches],
            "blocks": blocks,
            "seed": seed,
            "deal set": deal_set,
        }


def whole(name: str, value: Any, least: int) -> int:
    """An integer from `least` on; `ValueError` for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
        raise ValueError(f"{name} is {value!r}: accepted is an integer from {least}")
    return int(value)


def _identity(spec: str) -> str:
    """The spec of an agent and, if it names a file, what is in it."""
    try:
        path = parse(spec)[1]
    except ValueError:  # the name of an agent made by a program
        path = None
    if path is None or not Path(path).is_file():
        return spec
    return f"{spec} (SHA-256 {hashlib.sha256(Path(path).read_bytes()).hexdigest()[:16]})"
