"""Power: as many blocks as are needed, no more."""

import numpy as np
import pytest
from scipy import stats

from tromf.evaluate.statistics import power


@pytest.mark.parametrize(("deviation", "difference"), [(1.0, 0.1), (0.2, 0.1), (0.2, 0.01)])
def test_the_number_is_the_exact_one_of_the_t_test(deviation, difference):
    blocks = power.blocks_needed(deviation, difference)

    def exact(n):
        limit, shift = stats.t.isf(0.025, n - 1), difference / deviation * n**0.5
        return stats.nct.sf(limit, n - 1, shift) + stats.nct.cdf(-limit, n - 1, shift)

    assert exact(blocks + 1) > 0.8 > exact(blocks - 2)


def test_the_inverse():
    assert power.detectable(0.3, power.blocks_needed(0.3, 0.02)) == pytest.approx(0.02, rel=1e-3)
    assert power.detectable(0.3, 1) == np.inf


def test_the_known_numbers_of_win_rates():
    """1 point of win rate, unpaired: 19,622 games (Fleiss; here two samples are one of twice the variance)."""
    assert power.blocks_needed((2 * 0.25) ** 0.5, 0.01) / 2 == pytest.approx(19_622, rel=0.001)
    assert power.blocks_for_errors(0.5, 0.01, 0.05, 0.05) == pytest.approx(27_060, rel=0.001)


def test_so_many_blocks_find_the_difference_as_often_as_said():
    blocks = power.blocks_needed(0.5, 0.1)
    rng = np.random.default_rng(0)
    values = rng.choice([-0.4, 0.6], (4000, blocks))
    found = np.abs(stats.ttest_1samp(values, 0, axis=1).statistic) > stats.t.isf(0.025, blocks - 1)
    assert found.mean() == pytest.approx(0.8, abs=0.03)


def test_the_line():
    values = np.random.default_rng(0).normal(0, 0.2, 2000)
    line = power.text(values, 0.01)
    assert line.startswith(f"to tell 0.01 apart: {power.blocks_needed(values.std(ddof=1), 0.01):,} blocks (two-sided 5 %, power 80 %)")
    assert power.text(np.zeros(10), 0.01) == "to tell 0.01 apart: unknown, all 10 blocks are equal"


@pytest.mark.parametrize(
    ("wrong", "expected"), [({"difference": 0.0}, "difference of 0.0"), ({"power": 1.0}, "power is 1.0"), ({"alpha": 0}, "alpha is")]
)
def test_what_has_no_number(wrong, expected):
    with pytest.raises(ValueError, match=expected):
        power.blocks_needed(**{"deviation": 1.0, "difference": 0.1} | wrong)
