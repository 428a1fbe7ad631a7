"""Intransitivity: whether one number an agent can say who beats whom, seen from the cross table of mean returns.

Two views of the table know no scale. **Alpha-rank** (Omidshafiei et al. 2019, through OpenSpiel, an extra): how much of its time a
population of agents would spend with each, if one that does better among the others takes over. **Nash averaging** (Balduzzi et al. 2018):
agents meet a mixture of all that nobody beats, the one of greatest entropy, so that copies of an agent change nothing. OpenSpiel has the
second too, but needs a convex solver for it that we need for nothing else; scipy solves it as well.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tromf.evaluate.statistics.intervals import Estimate

SHARES = 1e-3  # weights below count as none
MISSING = "alpha-rank is left out: it needs OpenSpiel (pip install 'tromf[openspiel]')"


@dataclass(frozen=True)
class Comparison:
    """What the cross table says of agents, in their order.

    Attributes:
        alpha_rank: mass of each, summing to 1; None without OpenSpiel.
        nash: weight of each in the mixture that nobody beats, summing to 1.
        against_nash: mean return of each against that mixture, 0 for those in it, below for the others.
        warnings: one line each; none if ratings, alpha-rank and Nash averaging agree.
    """

    agents: tuple[str, ...]
    alpha_rank: tuple[float, ...] | None
    nash: tuple[float, ...]
    against_nash: tuple[float, ...]
    warnings: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        return {key: list(value) if isinstance(value, tuple) else value for key, value in vars(self).items()}

    def rows(self) -> list[list[str]]:
        """Rows of a table: agent, alpha-rank mass, Nash weight, return against the mixture."""
        masses = self.alpha_rank or [None] * len(self.agents)
        return [
            [agent, "–" if mass is None else f"{mass:.3f}", f"{weight:.3f}", f"{value:+.3f}"]
            for agent, mass, weight, value in zip(self.agents, masses, self.nash, self.against_nash)
        ]


def compare(agents: Sequence[str], cross: Mapping[tuple[str, str], Estimate], ratings: Mapping[str, float]) -> Comparison:
    """Compare ratings with what the cross table says.

    Args:
        cross: for ordered pairs (A, B) the mean return of A among B. Of both orders half the difference counts, so that the table is
            antisymmetric, as with two sides it is anyway.
        ratings: greater is better.

    Raises `LookupError` for a pair that is not there.
    """
    table = antisymmetric(agents, cross)
    nash = nash_mixture(table)
    alpha = alpha_rank(table)
    warnings = [MISSING] if alpha is None else []
    best = max(ratings, key=lambda agent: ratings[agent])
    if alpha is not None and agents[int(np.argmax(alpha))] != best:
        warnings.append(f"alpha-rank puts {agents[int(np.argmax(alpha))]} first, the ratings {best}")
    mixed = [agent for agent, weight in zip(agents, nash) if weight > SHARES]
    if len(mixed) > 1:
        warnings.append(f"nobody beats all others: Nash averaging divides its weight among {', '.join(mixed)}")
    elif mixed[0] != best:
        warnings.append(f"Nash averaging puts {mixed[0]} first, the ratings {best}")
    for a in agents:
        for b in agents:
            if a != b and ratings[a] > ratings[b] and cross[a, b].high < 0 and cross[b, a].low > 0:
                warnings.append(f"{a} is rated above {b}, but loses to it: {cross[a, b].text()}")
    return Comparison(
        tuple(agents), None if alpha is None else tuple(map(float, alpha)), tuple(map(float, nash)), tuple(map(float, table @ nash)),
        tuple(warnings),
    )  # fmt: skip


def antisymmetric(agents: Sequence[str], cross: Mapping[tuple[str, str], Estimate]) -> np.ndarray:
    """(agents, agents) float: what the first has above the second, half the difference of (A among B) and (B among A)."""
    try:
        return np.array([[0 if a == b else (cross[a, b].value - cross[b, a].value) / 2 for b in agents] for a in agents], float)
    except KeyError as error:
        raise LookupError(f"{error.args[0]} were not played: everyone has to meet everyone") from None


def nash_mixture(table: np.ndarray) -> np.ndarray:
    """The mixture of greatest entropy among those that no row of an antisymmetric table beats, (agents,)."""
    from scipy.optimize import linprog, minimize

    agents = len(table)
    scale = np.abs(table).max() or 1.0
    rows = table / scale
    support = np.zeros(agents, bool)  # agents that have weight in any equilibrium: each one's greatest weight is above 0
    middle = np.zeros(agents)
    for agent in range(agents):
        found = linprog(-np.eye(agents)[agent], A_ub=rows, b_ub=np.full(agents, 1e-9), A_eq=np.ones((1, agents)), b_eq=[1])
        support[agent] = found.x[agent] > 1e-6
        middle += found.x / agents
    if support.sum() == 1:
        return support.astype(float)
    inner = rows[:, support]
    start = middle[support] / middle[support].sum()
    best = minimize(
        lambda x: float(np.sum(x * np.log(np.maximum(x, 1e-12)))),
        start,
        jac=lambda x: np.log(np.maximum(x, 1e-12)) + 1,
        bounds=[(0, 1)] * len(start),
        constraints=[
            {"type": "eq", "fun": lambda x: x.sum() - 1, "jac": lambda x: np.ones(len(x))},
            {"type": "ineq", "fun": lambda x: 1e-9 - inner @ x, "jac": lambda x: -inner},
        ],
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 500},
    )
    mixture = np.zeros(agents)
    mixture[support] = np.maximum(best.x if best.success else start, 0)
    return mixture / mixture.sum()


def alpha_rank(table: np.ndarray) -> np.ndarray | None:
    """The mass of every agent by alpha-rank of infinite intensity, (agents,); None without OpenSpiel."""
    try:
        from open_spiel.python.egt import alpharank
    except ImportError:
        return None
    if len(table) == 1:
        return np.ones(1)
    return np.asarray(alpharank.compute([table], use_inf_alpha=True)[2], float)
