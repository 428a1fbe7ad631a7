"""A sequential test on deal blocks: stop as soon as A's mean return against B is better by a margin (H1), or is not (H0: by nothing).

The test is a generalised sequential probability ratio test (GSPRT): at every look the likelihoods of the two hypotheses are compared,
variance and skewness being what the blocks seen say, and play stops at Wald's bounds. Where a test of fixed length and the same errors
needs n blocks, this one needs about 0.55 n on average. Blocks have few outcomes, many of them equal, so their spread is trusted only after
`VARIED` blocks that differ from the most frequent outcome. That the errors are then what they are said to be is shown by simulation
from outcomes of real games, `benchmarks/calibrate.py`; so are the limits.

The looks are a schedule fixed in advance, so the verdict depends on the deals alone. Sources: Wald 1945; Li, Liu and Ying 2014 for the
generalised test; chess engines are tested so (Fishtest), on pairs of games with the same opening as we on blocks with the same deal.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from tromf.agents import Agent
from tromf.envs import registry
from tromf.evaluate import dealsets
from tromf.evaluate.blocks import BATCH, play_matches
from tromf.evaluate.dealsets import DealSet
from tromf.evaluate.seatings import one_among
from tromf.evaluate.setting import Setting
from tromf.evaluate.statistics.power import blocks_for_errors

ERROR = 0.05  # of either kind
FIRST = 50  # blocks before the first look
GROWTH = 1.04  # from look to look: the last batch adds at most this factor, and half of it on average
VARIED = 60  # blocks unlike the most frequent outcome, before which nothing is decided
CAP = 1_000_000  # blocks


@dataclass(frozen=True)
class Verdict:
    """How a sequential test ended.

    Attributes:
        better: True if the mean return is better by the margin, False if it is not better at all, None if the cap came first.
            Of a true mean between 0 and the margin either may be said, and neither is an error.
        mean: of the blocks played; after a stop it is a little too far from margin / 2, so it is no estimate to quote.
        fixed: blocks that a test of fixed length with these errors would need, by the variance seen.
        looks: how often the test was asked.
    """

    better: bool | None
    margin: float
    alpha: float
    beta: float
    blocks: int
    mean: float
    fixed: int
    looks: int

    def to_json(self) -> dict[str, Any]:
        return dict(vars(self))

    def text(self, one: str, other: str) -> str:
        """One line."""
        said = {
            True: f"{one} is better than {other} (by {self.margin:g} rather than by nothing)",
            False: f"{one} is not better than {other} by {self.margin:g}",
            None: f"undecided whether {one} is better than {other} by {self.margin:g}",
        }[self.better]
        errors = f"errors {100 * self.alpha:g} % and {100 * self.beta:g} %"
        return f"{said}: mean return {self.mean:+.4f} in {self.blocks:,} deal blocks; a fixed number would be {self.fixed:,} ({errors})"


def bounds(alpha: float = ERROR, beta: float = ERROR) -> tuple[float, float]:
    """The log-likelihood ratios at which H0 and H1 are accepted; `ValueError` for errors outside 0 … 0.5."""
    for name, value in (("alpha", alpha), ("beta", beta)):
        if not 0 < value < 0.5:
            raise ValueError(f"{name} is {value!r}: accepted is an error rate between 0 and 0.5")
    return float(np.log(beta / (1 - alpha))), float(np.log((1 - beta) / alpha))


def looks(cap: int) -> Iterator[int]:
    """Numbers of blocks after which the test is asked, the last of them `cap`."""
    blocks = min(FIRST, cap)
    yield blocks
    while blocks < cap:
        blocks = min(max(blocks + 1, round(blocks * GROWTH)), cap)
        yield blocks


def sums_of(values: np.ndarray) -> np.ndarray:
    """Sums of values, squares and cubes over the last axis, (3, ...)."""
    return np.array([values.sum(axis=-1), (values**2).sum(axis=-1), (values**3).sum(axis=-1)])


def log_ratio(blocks: int, sums: np.ndarray, margin: float) -> np.ndarray:
    """Log-likelihood ratio of mean `margin` against mean 0, from the number of blocks and `sums_of` their values, (3, ...).

    It is that of the normal distribution with unknown variance, n / 2 log(v0 / v1), v being the mean square around either mean, and
    the next term of the empirical likelihood (Owen 2001, *Empirical Likelihood*), which knows of skewness: who seldom loses much seems
    better, and surer, until it happens. Infinite or not a number where all values are equal 0 or the margin.
    """
    mean, square, cube = sums / blocks
    third = cube - 3 * mean * square + 2 * mean**3
    zero, other = square, square - 2 * margin * mean + margin**2
    with np.errstate(divide="ignore", invalid="ignore"):
        skewness = third * ((mean / zero) ** 3 - ((mean - margin) / other) ** 3)
        return blocks * (np.log(zero / other) / 2 + skewness / 3)


def decided(blocks: int, sums: np.ndarray, varied: Any, margin: float, alpha: float = ERROR, beta: float = ERROR) -> np.ndarray:
    """One look at many matches of so many blocks: 1 where H1 is accepted, -1 where H0 is, 0 where play goes on.

    Args:
        sums: `sums_of` the values of the blocks, (3, ...).
        varied: (...), blocks unlike the most frequent outcome.
    """
    low, high = bounds(alpha, beta)
    ratio = log_ratio(blocks, sums, margin)
    return np.where(np.asarray(varied) < VARIED, 0, (ratio >= high).astype(int) - (ratio <= low))


def decide(
    values: Callable[[int, int], np.ndarray], margin: float, *, alpha: float = ERROR, beta: float = ERROR, cap: int = CAP
) -> Verdict:
    """Ask for the values of more and more blocks until the test is decided, or `cap` blocks are played.

    Args:
        values: `values(first, end)` gives the values of the blocks from number `first` to before `end`, (end - first,).
        margin: by how much A is to be better, in the unit of the values, above 0.
        alpha: greatest probability to say *better by the margin* if the true mean is 0 or less.
        beta: greatest probability to say *not better* if the true mean is the margin or more.
    """
    check(margin, cap, alpha, beta)
    seen, state, asked = np.empty(0), 0, 0
    for end in looks(cap):
        seen = np.concatenate([seen, np.round(values(len(seen), end), 12)])  # without the dust of means, which hides that values are equal
        varied = len(seen) - np.unique(seen, return_counts=True)[1].max()
        asked += 1
        state = int(decided(len(seen), sums_of(seen), varied, margin, alpha, beta))
        if state:
            break
    return Verdict(
        {1: True, -1: False, 0: None}[state],
        margin,
        alpha,
        beta,
        len(seen),
        float(seen.mean()),
        blocks_for_errors(float(seen.std()), margin, alpha, beta),
        asked,
    )


def check(margin: float, cap: int = CAP, alpha: float = ERROR, beta: float = ERROR) -> None:
    """`ValueError`, in one line, for what no test can be made of."""
    if not 0 < margin < np.inf:
        raise ValueError(f"the margin is {margin!r}: accepted is a number above 0")
    if cap < 2:
        raise ValueError(f"the cap is {cap!r} blocks: accepted is an integer from 2")
    bounds(alpha, beta)


def until_decided(
    game: str | registry.Game,
    one: str | Agent,
    other: str | Agent,
    margin: float,
    *,
    alpha: float = ERROR,
    beta: float = ERROR,
    cap: int | None = None,
    seed: int | None = None,
    deal_set: str | DealSet | None = None,
    variant: str | None = None,
    threads: int | None = None,
    batch: int = BATCH,
    progress: Callable[[int, int], None] | None = None,
    **options: Any,
) -> Verdict:
    """Play one agent among others of one kind, on every side once, until it is decided whether its mean return is better by `margin`.

    Args:
        cap: most blocks to play; by default as many as the deal set has, or a million.
        progress: is told how many blocks have been played, and how many may be.

    The other arguments are those of `decide` and `matches.pairs`; the verdict depends neither on `threads` nor on `batch`.
    """
    setting = Setting(game, [one, other], variant, options)
    a, b = setting.index(one), setting.index(other)
    if a == b:
        raise ValueError("an agent is given twice: it takes two to be compared")
    check(margin, CAP if cap is None else cap, alpha, beta)
    seed, _ = setting.deals(seed, deal_set, 2 if cap is None else cap)
    if cap is None:
        cap = CAP
        if deal_set is not None:
            cap = (dealsets.find(deal_set) if isinstance(deal_set, str) else deal_set).blocks
    seatings = setting.seated(one_among(a, b, setting.sides))

    def values(first: int, end: int) -> np.ndarray:
        (outcome,) = play_matches(
            setting.game, setting.blank, [seatings], setting.agents, end - first, seed, first=first, threads=threads, batch=batch
        )
        if progress is not None:
            progress(end, cap)
        return outcome.of_agent(a, outcome.returns)

    return decide(values, margin, alpha=alpha, beta=beta, cap=cap)
