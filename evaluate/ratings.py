"""Ratings for reports: one number an agent, fitted to all games at once, so that their order does not matter, with bootstrap intervals.

Two models, both of choices: of a set of agents one is chosen, with probability proportional to exp(strength), or to exp(-strength).

- **better** (Bradley–Terry): of every two sides at a table the one with the higher return is chosen; a tie is half a choice for each. With two
  sides this is the model behind Elo; with more it is the Plackett–Luce ranking model, fitted by all its pairs (Azari Soufiani et al.
  2013, *Generalized method-of-moments for rank aggregation*), in which ties have a place.
- **loser**, for games in which one seat loses and the others are equal (Mustamaija: who is left with the queen): of the seats at the
  table one is chosen to lose. Who is twice as weak as each of three others loses two deals of five.

The scale is Elo's: 400 points are odds of 10 to 1, to be the better of two, or not to be the loser of two. Strengths are the most probable
ones after one choice more, evenly divided, for every set of agents that met; so who always won is strong, not infinitely strong.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tromf.evaluate.intervals import LEVEL, Estimate

ELO = 400 / np.log(10)  # points for a factor e
ANCHOR = 1000.0
REPLICATES = 500


@dataclass(frozen=True)
class Choices:
    """What agents were chosen from what sets, by block.

    Attributes:
        sets: (sets, agents), how often each agent is in a set.
        counts: (blocks, sets, agents), how often it was chosen.
        sign: 1 where the strong are chosen, -1 where the weak are.
    """

    sets: np.ndarray
    counts: np.ndarray
    sign: int


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
        return f"400 points are odds of 10 to 1 {chance}; {self.anchor or 'the mean'} has {ANCHOR:.0f}; 95 % intervals by bootstrap over blocks"


def fit(
    matches: Sequence[tuple[np.ndarray, np.ndarray]],
    names: Sequence[str],
    *,
    losers: bool,
    anchor: str | None = None,
    seed: int = 0,
    replicates: int = REPLICATES,
) -> Ratings:
    """Rate agents by matches on the same blocks.

    Args:
        matches: for each the seatings of sides, (seatings, sides) int, and what the sides had, (blocks, seatings, sides): with `losers` 1
            for the side that lost, else their returns. Blocks are drawn together for all matches, since they share their deals.
        names: of the agents that the seatings mean.
        losers: whether to fit the loser model.
        anchor: the agent that has 1000; by default the mean has.

    Raises `ValueError` if an agent did not play, or nobody links two groups of agents.
    """
    if anchor is not None and anchor not in names:
        raise ValueError(f"the anchor {anchor!r} is not among the agents: accepted are {', '.join(names)}")
    choices = (losing if losers else pairing)(matches, len(names))
    _check_linked(choices.sets, names)
    blocks = len(choices.counts)
    strengths = most_probable(choices, choices.counts.sum(axis=0))
    flat = choices.counts.reshape(blocks, -1)
    rng = np.random.default_rng(seed)
    draws = np.array(
        [
            most_probable(choices, (rng.multinomial(blocks, np.full(blocks, 1 / blocks)) @ flat).reshape(choices.sets.shape), strengths)
            for _ in range(replicates)
        ]
    )
    hang = (lambda s: s.mean(axis=-1, keepdims=True)) if anchor is None else (lambda s: s[..., [names.index(anchor)]])
    low, high = ANCHOR + ELO * np.quantile(draws - hang(draws), [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    value = ANCHOR + ELO * (strengths - hang(strengths))
    order = np.argsort(-value, kind="stable")
    rated = {names[i]: Estimate(float(value[i]), float(low[i]), float(high[i])) for i in order}
    return Ratings("loser" if losers else "better", anchor, rated, blocks)


def pairing(matches: Sequence[tuple[np.ndarray, np.ndarray]], agents: int) -> Choices:
    """For every two different agents at a table, which had the higher return."""
    first, second = np.triu_indices(agents, 1)
    number = np.full((agents, agents), -1)
    number[first, second] = number[second, first] = np.arange(len(first))
    counts = np.zeros((len(matches[0][1]), len(first), agents))
    for seatings, returns in matches:
        for seated, had in zip(np.asarray(seatings), np.moveaxis(returns, 1, 0)):
            for i, j in zip(*np.triu_indices(len(seated), 1)):
                a, b = seated[i], seated[j]
                if a != b:
                    share = (np.sign(np.round(had[:, i] - had[:, j], 12)) + 1) / 2
                    counts[:, number[a, b], a] += share
                    counts[:, number[a, b], b] += 1 - share
    sets = np.zeros((len(first), agents))
    sets[np.arange(len(first)), first] = sets[np.arange(len(first)), second] = 1
    met = counts.any(axis=(0, 2))
    return Choices(sets[met], counts[:, met], 1)


def losing(matches: Sequence[tuple[np.ndarray, np.ndarray]], agents: int) -> Choices:
    """For every table with different agents, who lost; deals without a loser, cut off for instance, choose nobody."""
    found: dict[tuple[int, ...], np.ndarray] = {}
    for seatings, lost in matches:
        for seated, had in zip(np.asarray(seatings), np.moveaxis(lost, 1, 0)):
            if len(set(seated.tolist())) > 1:
                table = tuple(np.bincount(seated, minlength=agents).tolist())
                np.add.at(found.setdefault(table, np.zeros((len(had), agents))), (slice(None), seated), had.astype(float))
    if not found:
        return Choices(np.zeros((0, agents)), np.zeros((1, 0, agents)), -1)
    return Choices(np.array(list(found), float), np.stack(list(found.values()), axis=1), -1)


def most_probable(choices: Choices, counts: np.ndarray, start: np.ndarray | None = None) -> np.ndarray:
    """The strengths, (agents,), with mean 0, that make the choices, (sets, agents) counts, most probable, by Newton's method.

    The likelihood is concave, and with one evenly divided choice more a set it has one greatest value.
    """
    sets = choices.sets
    counts = counts + sets / sets.sum(axis=1, keepdims=True)
    total = counts.sum(axis=1)
    agents = sets.shape[1]
    theta = np.zeros(agents) if start is None else choices.sign * start
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
    return choices.sign * (theta - theta.mean())


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
