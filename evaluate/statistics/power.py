"""Power: how many deal blocks tell a difference from nothing, from the measured spread of blocks, and which difference so many can tell.

All of it holds for means over blocks, which are normal for the numbers that matter here (some hundreds). For estimated variances the
number of blocks grows by z² / 2 (Guenther 1981, *Sample size formulas for normal theory t tests*, The American Statistician 35).
"""

from math import ceil

import numpy as np
from scipy import stats

from tromf.evaluate.statistics import intervals

ALPHA = 0.05  # two-sided
POWER = 0.8


def blocks_needed(deviation: float, difference: float, alpha: float = ALPHA, power: float = POWER) -> int:
    """Blocks after which a true difference is found significant (two-sided, at `alpha`) with probability `power`.

    Args:
        deviation: standard deviation of the values of blocks, in the unit of `difference`.

    Raises `ValueError` for a difference of 0, and for rates outside 0 … 1.
    """
    at, to = _quantiles(alpha / 2, power)
    if difference == 0 or not np.isfinite(difference):
        raise ValueError(f"a difference of {difference!r} cannot be told from nothing: accepted are other numbers than 0")
    return max(2, ceil(((at + to) * deviation / difference) ** 2 + at**2 / 2))


def detectable(deviation: float, blocks: int, alpha: float = ALPHA, power: float = POWER) -> float:
    """The smallest true difference that so many blocks find significant with probability `power`: the inverse of `blocks_needed`."""
    at, to = _quantiles(alpha / 2, power)
    if blocks <= at**2 / 2:
        return float("inf")
    return float((at + to) * deviation / (blocks - at**2 / 2) ** 0.5)


def blocks_for_errors(deviation: float, margin: float, alpha: float, beta: float) -> int:
    """Blocks of the one-sided test of fixed length that tells a mean of `margin` from 0 with errors `alpha` and `beta`."""
    at, to = _quantiles(alpha, 1 - beta)
    return max(2, ceil(((at + to) * deviation / margin) ** 2 + at**2 / 2))


def _quantiles(alpha: float, power: float) -> tuple[float, float]:
    """Normal quantiles of a one-sided level and a power."""
    for name, value in (("alpha", alpha), ("power", power)):
        if not 0 < value < 1:
            raise ValueError(f"{name} is {value!r}: accepted is a rate between 0 and 1")
    return float(stats.norm.isf(alpha)), float(stats.norm.ppf(power))


def needed(values: np.ndarray, difference: float) -> int | None:
    """`blocks_needed` with the spread of the values of blocks, (blocks,); None where these are all equal."""
    return blocks_needed(float(np.std(values, ddof=1)), difference) if np.ptp(values) >= intervals.DUST else None


def text(values: np.ndarray, difference: float) -> str:
    """One line for the values of blocks, (blocks,): how many blocks tell `difference`, and what these can tell."""
    blocks = needed(values, difference)
    if blocks is None:
        return f"to tell {difference:g} apart: unknown, all {len(values):,} blocks are equal"
    told = detectable(float(np.std(values, ddof=1)), len(values))
    return (
        f"to tell {difference:g} apart: {blocks:,} blocks "
        f"(two-sided {100 * ALPHA:g} %, power {100 * POWER:g} %); these {len(values):,} tell {told:.3g}"
    )
