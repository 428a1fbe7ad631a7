"""Many comparisons at once: p-values of mean differences over deal blocks, and Holm's correction for a table of them.

The p-values are Student's t over blocks, paired as the differences are. A bootstrap of 4,000 resamples knows no p below 1 / 4,000, which
in a table of 28 pairs Holm makes 0.7 %; t has no such floor, and at some hundred blocks errs as often as it says (`docs/calibration.md`).
"""

from collections.abc import Sequence

import numpy as np
from scipy import stats


def p_value(values: np.ndarray) -> float:
    """Two-sided p-value of the hypothesis that the mean of the values of blocks, (blocks,), is 0.

    Values that are all equal have no spread to judge by; there the sign test stands, 2^(1 - blocks) if they differ from 0, else 1.
    """
    values = np.round(values, 12)  # means of few returns: what differs by less is equal
    if len(values) < 2 or np.all(values == values[0]):
        return 1.0 if not len(values) or values[0] == 0 else float(2.0 ** (1 - len(values)))
    return float(p_values(len(values), values.mean(), values.std(ddof=1)))


def p_values(blocks: int, mean: np.ndarray, deviation: np.ndarray) -> np.ndarray:
    """The same from means and standard deviations (the divisor being blocks - 1), elementwise."""
    return 2 * stats.t.sf(np.abs(mean) / (deviation / blocks**0.5), blocks - 1)


def holm(p: Sequence[float] | np.ndarray) -> np.ndarray:
    """Adjusted p-values, in the order given: rejecting those up to α, the chance of any false rejection in the table is at most α.

    Holm 1979, *A simple sequentially rejective multiple test procedure*; holds however the comparisons depend on each other.
    """
    p = np.asarray(p, float)
    if np.any((p < 0) | (p > 1)) or np.any(np.isnan(p)):
        raise ValueError("p-values lie between 0 and 1")
    order = np.argsort(p, kind="stable")
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(1, np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1)))
    return adjusted


def text(p: float) -> str:
    """A p-value for a table."""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"
