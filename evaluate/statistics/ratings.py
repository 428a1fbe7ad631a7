"""Ratings for reports: one number an agent, fitted to all games at once, so that their order does not matter, with bootstrap intervals.

Two models, both of choices: of a set of agents one is chosen, with probability proportional to exp(strength), or to exp(-strength).

- **better** (Bradley–Terry): of every two sides at a table the one with the higher return is chosen; a tie is half a choice for each.
  With two sides this is the model behind Elo; with more it is the Plackett–Luce ranking model, fitted by all its pairs (Azari Soufiani
  et al. 2013, *Generalized method-of-moments for rank aggregation*), in which ties have a place.
- **loser**, for games in which one seat loses and the others are equal: of the seats at the table one is chosen to lose. Who is twice as
  weak as each of three others loses two deals of five.

The scale is Elo's: 400 points are odds of 10 to 1, to be the better of two, or not to be the loser of two. Strengths are the most probable
ones after one choice more, evenly divided, for every set of agents that met; so who always won is strong, not infinitely strong.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tromf.evaluate.statistics.intervals import ENDS, Estimate

ELO = 400 / np.log(10)  # points for a factor e
ANCHOR = 1000.0
REPLICATES = 500


class Choices:
    """What agents were chosen from what sets, by block; matches on the same blocks are added one by one.

    Args:
        agents: how many there are.
        losers: whether to fit the loser model.

    Attributes:
        sign: 1 where the strong are chosen, -1 where the weak are.
    """

    def __init__(self, agents: int, losers: bool) -> None:
        self.agents, self.losers, self.sign = agents, losers, -1 if losers else 1
        self._found: dict[tuple[int, ...], np.ndarray] = {}

    def add(self, seatings: np.ndarray, had: np.ndarray, by_seat: np.ndarray | None = None) -> None:
        """Add a match.

        Args:
            seatings: (seatings, seats) int, the index of the agent in each seat.
            had: (blocks, seatings, seats): with `losers` who lost (a deal that nobody lost, cut off for instance, chooses nobody), else
                returns.
            by_seat: (seats,) the side of each seat, where seats play together and count once.
        """
        seats = slice(None) if by_seat is None else np.unique(by_seat, return_index=True)[1]
        for seated, values in zip(np.asarray(seatings)[:, seats], np.moveaxis(had, 1, 0)[:, :, seats]):
            if self.losers:
                if len(set(seated.tolist())) > 1:
                    self._of(seated, len(values))[:] += values @ np.eye(self.agents)[seated]
                continue
            for i, j in zip(*np.triu_indices(len(seated), 1)):
                if seated[i] != seated[j]:
                    better = (np.sign(np.round(values[:, i] - values[:, j], 12)) + 1) / 2
                    counts = self._of(seated[[i, j]], len(values))
                    counts[:, seated[i]] += better
                    counts[:, seated[j]] += 1 - better

    def _of(self, members: np.ndarray, blocks: int) -> np.ndarray:
        """The counts, (blocks, agents), of the set with these members."""
        key = tuple(np.bincount(members, minlength=self.agents).tolist())
        return self._found.setdefault(key, np.zeros((blocks, self.agents), np.float32))

    @property
    def sets(self) -> np.ndarray:
        """(sets, agents) float64: how often each agent is in a set."""
        return np.array(list(self._found), float).reshape(-1, self.agents)

    @property
    def counts(self) -> np.ndarray:
        """(blocks, sets, agents) float32: how often it was chosen."""
        return np.stack(list(self._found.values()), axis=1) if self._found else np.zeros((0, 0, self.agents), np.float32)


@dataclass(frozen=True)
class Ratings:
    """Ratings of agents, best first.

    Attributes:
        model: "better" or "loser".
        anchor: what the scale hangs on: the agent that has 1000, or None if the mean has.
        ratings: `{agent: Estimate}`.
    """

    model: str
    anchor: str | None
    ratings: dict[str, Estimate]
    blocks: int

    def to_json(self) -> dict[str, Any]:
        rows = [{"agent": agent, "rating": each.value, "low": each.low, "high": each.high} for agent, each in self.ratings.items()]
        return {"model": self.model, "anchor": self.anchor, "blocks": self.blocks, "ratings": rows}

    def rows(self) -> list[list[str]]:
        """Rows of a table: agent, rating, interval."""
        return [[agent, f"{each.value:.0f}", f"{each.low:.0f} … {each.high:.0f}"] for agent, each in self.ratings.items()]

    def text(self) -> str:
        """One line that says what the numbers mean."""
        chance = "to be the better of two" if self.model == "better" else "not to be the loser of two"
        hung = f"{self.anchor or 'the mean'} has {ANCHOR:.0f}"
        return f"400 points are odds of 10 to 1 {chance}; {hung}; 95 % intervals by bootstrap over blocks"


def fit(choices: Choices, names: Sequence[str], *, anchor: str | None = None, seed: int = 0, replicates: int = REPLICATES) -> Ratings:
    """Rate agents by what they were chosen for. Blocks are resampled for all matches together, since these share their deals.

    Args:
        names: of the agents that the choices mean.
        anchor: the agent that has 1000; by default the mean has.

    Raises `ValueError` if an agent did not play, or nobody links two groups of agents.
    """
    if anchor is not None and anchor not in names:
        raise ValueError(f"the anchor {anchor!r} is not among the agents: accepted are {', '.join(names)}")
    sets, counts = choices.sets, choices.counts
    _check_linked(sets, names)
    blocks = len(counts)
    strengths = most_probable(sets, counts.sum(axis=0, dtype=float), choices.sign)
    flat = counts.reshape(blocks, -1)
    rng = np.random.default_rng(seed)
    draws = np.empty((replicates, len(names)))
    for k in range(replicates):
        weights = rng.multinomial(blocks, np.full(blocks, 1 / blocks)).astype(np.float32)
        draws[k] = most_probable(sets, (weights @ flat).reshape(sets.shape), choices.sign, strengths)
    hang = strengths.mean() if anchor is None else strengths[names.index(anchor)]
    hangs = draws.mean(axis=1, keepdims=True) if anchor is None else draws[:, [names.index(anchor)]]
    value = ANCHOR + ELO * (strengths - hang)
    low, high = ANCHOR + ELO * np.quantile(draws - hangs, ENDS, axis=0)
    order = np.argsort(-value, kind="stable")
    rated = {names[i]: Estimate(float(value[i]), float(low[i]), float(high[i])) for i in order}
    return Ratings("loser" if choices.losers else "better", anchor, rated, blocks)


def most_probable(sets: np.ndarray, counts: np.ndarray, sign: int, start: np.ndarray | None = None) -> np.ndarray:
    """The strengths, (agents,), with mean 0, that make choices from sets, (sets, agents) both, most probable, by Newton's method.

    The likelihood is concave, and with one evenly divided choice more a set it has one greatest value.
    """
    counts = counts + sets / sets.sum(axis=1, keepdims=True)
    total = counts.sum(axis=1)
    agents = sets.shape[1]
    theta = np.zeros(agents) if start is None else sign * start
    value, chances = _likelihood(sets, counts, theta)
    for _ in range(100):
        gradient = (counts - total[:, None] * chances).sum(axis=0)
        information = np.diag(total @ chances) - (chances * total[:, None]).T @ chances
        step = np.linalg.solve(information + np.ones((agents, agents)), gradient)  # the ones: strengths count from their mean
        size = 1.0
        while True:
            after, chances_after = _likelihood(sets, counts, theta + size * step)
            if after >= value or size < 1e-6:
                break
            size /= 2
        theta, value, chances = theta + size * step, after, chances_after
        if np.abs(size * step).max() < 1e-9:
            break
    return sign * (theta - theta.mean())


def _likelihood(sets: np.ndarray, counts: np.ndarray, theta: np.ndarray) -> tuple[float, np.ndarray]:
    """The log-likelihood of counts, and the probability of each agent in each set."""
    weights = sets * np.exp(theta - theta.max())
    sums = weights.sum(axis=1, keepdims=True)
    chances = weights / sums
    return float((counts * (theta - theta.max() - np.log(sums))).sum()), chances


def _check_linked(sets: np.ndarray, names: Sequence[str]) -> None:
    """`ValueError` if the agents fall into groups that never met."""
    group = {0}
    while True:
        grown = group | {int(a) for each in sets if any(each[g] for g in group) for a in np.flatnonzero(each)}
        if grown == group:
            break
        group = grown
    if len(group) < len(names):
        apart = [name for i, name in enumerate(names) if i not in group]
        raise ValueError(f"{', '.join(apart)} never met {names[0]}, nor anybody who did: ratings need matches that link all agents")
