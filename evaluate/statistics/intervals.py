"""Intervals: how far a figure may lie from the truth, from nothing but the deal blocks behind it."""

from typing import NamedTuple

import numpy as np

REPLICATES = 4000
DUST = 1e-12  # a mean nearer to 0 is rounding: returns are thirds, fifths and the like
LEVEL = 0.95
ENDS = ((1 - LEVEL) / 2, (1 + LEVEL) / 2)  # the quantiles where an interval begins and ends
_CELLS = 4_000_000  # counts held in memory at once


class Estimate(NamedTuple):
    """A figure and its 95 % interval."""

    value: float
    low: float
    high: float

    def text(self, digits: int = 3) -> str:
        return f"{self.value:+.{digits}f} [{self.low:+.{digits}f}, {self.high:+.{digits}f}]"

    def percent(self, digits: int = 1) -> str:
        return f"{100 * self.value:.{digits}f} % [{100 * self.low:.{digits}f}, {100 * self.high:.{digits}f}]"


def mean(values: np.ndarray, seed: int, replicates: int = REPLICATES) -> Estimate:
    """The mean of the values of blocks, (blocks,), with its bootstrap-t interval.

    The percentile interval, the quantiles of resampled means, is too short where values are skewed and blocks few;
    bootstrap-t takes those of (resampled mean - mean) / resampled deviation, and covers what it says (Efron and Tibshirani
    1993, *An Introduction to the Bootstrap*, chapter 12; `docs/calibration.md`). A resampled deviation counts at least a third of the
    measured one: where differences are rare, some resamples hold none, and dividing by nothing would make an interval of any length.

    Drawing blocks with replacement is drawing how often each distinct value occurs; a deal has few outcomes, so these counts
    are few, and a hundred thousand blocks cost no more than a hundred.
    """
    distinct, counts = np.unique(np.round(values, 12), return_counts=True)  # without the dust of means, which hides that values are equal
    blocks, centre = len(values), float(np.mean(values))
    if abs(centre) < DUST:  # agents that play alike differ by exactly nothing
        centre = 0.0
    if len(distinct) == 1:
        return Estimate(centre, centre, centre)
    apart = distinct - centre
    powers = np.stack([apart, apart**2], axis=1)
    variance = counts @ powers[:, 1] / blocks
    rng = np.random.default_rng(seed)
    part = max(1, _CELLS // len(distinct))
    moments = np.concatenate(
        [
            rng.multinomial(blocks, counts / blocks, size=min(part, replicates - done)) @ powers / blocks
            for done in range(0, replicates, part)
        ]
    )
    shift, square = moments.T
    deviation = np.sqrt(np.maximum(square - shift**2, variance / 9))
    low, high = np.quantile(shift / deviation, ENDS, method="weibull") * np.sqrt(variance)  # covers what it says however few resamples
    return Estimate(centre, float(centre - high), float(centre - low))


def share(values: np.ndarray, seed: int, replicates: int = REPLICATES) -> Estimate:
    """The same for shares, 0 … 1. Where no block ever lost, or every block always, resampling knows no doubt; there the exact
    binomial limit over blocks stands instead (after 100 blocks without a loss: 0 … 3.6 %)."""
    result = mean(values, seed, replicates)
    result = result._replace(low=max(0.0, result.low), high=min(1.0, result.high))
    limit = ENDS[0] ** (1 / len(values))
    if not np.any(values):
        return result._replace(high=1 - limit)
    if np.all(values == 1):
        return result._replace(low=limit)
    return result
