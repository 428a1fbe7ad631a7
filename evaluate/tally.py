"""What is kept of a match once it has been played: values by block for the statistics, not the games."""

from dataclasses import dataclass

import numpy as np

from tromf.evaluate.helmets import golden_helmets
from tromf.evaluate.outcome import Outcome
from tromf.evaluate.result import Position
from tromf.evaluate.statistics.intervals import Estimate


@dataclass
class Match:
    """A match: of every agent in it the mean return, (blocks,), the share of deals lost, (blocks,), golden helmets and seats, and the
    spread of its mean return without controls."""

    returns: dict[int, np.ndarray]
    lost: dict[int, np.ndarray]
    helmets: dict[int, int]
    seats: dict[int, int]  # in all seatings together
    truncated: float
    length: float  # mean decisions of a game
    plain: dict[int, float]  # variance of the mean return of a block without controls


class Tally:
    """The matches of an evaluation, added one by one.

    Args:
        losers: whether every deal has one.
    """

    def __init__(self, agents: int, players: int, blocks: int, losers: bool) -> None:
        self.losers, self.players, self.blocks = losers, players, blocks
        self.matches: list[Match] = []
        self.helmets, self.deals = np.zeros(agents, np.int64), np.zeros(agents, np.int64)
        self._places = np.zeros((blocks, players))  # returns by place relative to the dealer, over matches
        self._lengths: dict[int, int] = {}
        self._dealers = np.arange(blocks) % players

    def add(self, outcome: Outcome) -> None:
        """Add the next match."""
        agents = [int(agent) for agent in np.unique(outcome.seatings)]
        helmets = golden_helmets(outcome.lost) if self.losers else np.zeros(outcome.seatings.shape, np.int64)
        if self.losers:
            np.add.at(self.helmets, outcome.seatings, helmets)
            np.add.at(self.deals, outcome.seatings, len(outcome.lost))
        self.matches.append(
            Match(
                {agent: outcome.of_agent(agent, outcome.returns + outcome.controls) for agent in agents},
                {agent: outcome.of_agent(agent, outcome.lost) for agent in agents},
                {agent: int(helmets[outcome.seatings == agent].sum()) for agent in agents},
                {agent: int((outcome.seatings == agent).sum()) for agent in agents},
                float(outcome.truncated.mean()),
                float(outcome.decisions.mean()),
                {agent: float(outcome.of_agent(agent, outcome.returns).var()) for agent in agents},
            )
        )
        by_seat = outcome.returns.mean(axis=1)
        for place in range(self.players):
            seat = (self._dealers + 1 + place) % self.players
            self._places[:, place] += by_seat[np.arange(self.blocks), seat]
        for length, count in zip(*np.unique(outcome.decisions, return_counts=True)):
            self._lengths[int(length)] = self._lengths.get(int(length), 0) + int(count)

    def positions(self) -> tuple[Position, ...]:
        """The mean return of every place relative to the dealer, over all matches; the last is the dealer's."""
        values = self._places / len(self.matches)
        return tuple(Position(place + 1, _normal(values[:, place])) for place in range(self.players))

    def lengths(self) -> dict[int, int]:
        """How many games had so many decisions."""
        return dict(sorted(self._lengths.items()))


def _normal(values: np.ndarray) -> Estimate:
    """The mean of the values of blocks, with a normal interval: averages over many games have too many values for the bootstrap."""
    mean, error = float(values.mean()), float(values.std(ddof=1)) / len(values) ** 0.5 if len(values) > 1 else float("inf")
    return Estimate(mean, mean - 1.96 * error, mean + 1.96 * error)
