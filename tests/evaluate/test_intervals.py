"""Bootstrap intervals, beside scipy's and beside what is known."""

import numpy as np
import pytest
from scipy import stats

from tromf.evaluate import intervals

RNG = np.random.default_rng(3)


@pytest.mark.parametrize("values", [RNG.choice([-1.0, 1 / 3], 60), RNG.normal(size=40), np.repeat([0.0, 0.25, 1.0], [30, 8, 2])])
def test_the_interval_is_the_one_of_scipy(values):
    ours = intervals.mean(values, seed=1, replicates=40_000)
    theirs = stats.bootstrap((values,), np.mean, n_resamples=40_000, method="percentile", rng=np.random.default_rng(2)).confidence_interval
    step = np.diff(np.unique(values)).min() / len(values)  # the least by which two means of few distinct values can differ
    tolerance = 0.06 * values.std() / len(values) ** 0.5 + 1.01 * step
    assert ours.value == pytest.approx(values.mean())
    assert abs(ours.low - theirs.low) < tolerance
    assert abs(ours.high - theirs.high) < tolerance


def test_the_interval_covers_the_truth_as_often_as_it_says():
    rng = np.random.default_rng(0)
    covered = 0
    for k in range(1000):
        _, low, high = intervals.mean(rng.choice([-1, -1 / 3, 1 / 3], 200, p=[0.2, 0.3, 0.5]), k, 1000)
        covered += low <= 0.2 * -1 + 0.3 * -1 / 3 + 0.5 / 3 <= high
    assert 0.93 < covered / 1000 < 0.97


def test_the_same_seed_gives_the_same_interval_and_another_one_another():
    values = RNG.normal(size=100)
    assert intervals.mean(values, 1) == intervals.mean(values, 1) != intervals.mean(values, 2)


def test_many_different_values_are_resampled_piece_by_piece(monkeypatch):
    values = RNG.normal(size=300)
    monkeypatch.setattr(intervals, "_CELLS", 1000)
    pieces = intervals.mean(values, 1)
    assert pieces.low == pytest.approx(intervals.mean(values, 2, 10_000).low, abs=0.02)


def test_values_that_never_differ_leave_no_doubt():
    assert intervals.mean(np.zeros(10), 0) == (0, 0, 0)


def test_a_share_of_nothing_or_everything_keeps_the_exact_binomial_doubt():
    exact = stats.binomtest(0, 50).proportion_ci()
    assert intervals.share(np.zeros(50), 0) == pytest.approx((0, 0, exact.high))
    assert intervals.share(np.ones(50), 0) == pytest.approx((1, 1 - exact.high, 1))
    assert intervals.share(np.repeat([0.0, 0.25], 25), 0).high < 0.2


def test_texts():
    estimate = intervals.Estimate(0.125, -0.0204, 0.25)
    assert estimate.text() == "+0.125 [-0.020, +0.250]"
    assert estimate.percent() == "12.5 % [-2.0, 25.0]"
