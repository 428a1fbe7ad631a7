"""Bootstrap intervals, beside scipy's and beside what is known."""

import numpy as np
import pytest
from scipy import stats

from tromf.evaluate.statistics import intervals

RNG = np.random.default_rng(3)


@pytest.mark.parametrize("values", [RNG.choice([-1.0, 1 / 3], 60), RNG.normal(size=40), np.repeat([0.0, 0.25, 1.0], [30, 8, 2])])
def test_the_interval_is_that_of_resampling_block_by_block(values):
    ours = intervals.mean(values, seed=1, replicates=40_000)
    resampled = np.random.default_rng(2).choice(values, (40_000, len(values)))
    t = (resampled.mean(axis=1) - values.mean()) / np.maximum(resampled.std(axis=1), values.std() / 3)
    high, low = values.mean() - np.quantile(t, [0.025, 0.975]) * values.std()
    step = np.diff(np.unique(values)).min() / len(values)  # the least by which two means of few distinct values can differ
    tolerance = 0.06 * values.std() / len(values) ** 0.5 + 1.01 * step
    assert ours.value == pytest.approx(values.mean())
    assert abs(ours.low - low) < tolerance
    assert abs(ours.high - high) < 2 * tolerance  # the end towards the long tail is that of few resamples


def test_for_normal_values_the_interval_is_the_one_of_student():
    values = RNG.normal(size=40)
    ours = intervals.mean(values, seed=1, replicates=40_000)
    theirs = stats.ttest_1samp(values, 0).confidence_interval()
    assert ours[1:] == pytest.approx(tuple(theirs), abs=0.1 * values.std() / 40**0.5)


def test_rare_losses_have_an_interval_of_reasonable_length():
    for lost in (1, 2, 3, 5, 10):
        ours = intervals.share(np.repeat([1.0, 0.0], [lost, 1000 - lost]), 0)
        exact = stats.binomtest(lost, 1000).proportion_ci()
        assert 0 <= ours.low < lost / 1000
        assert 0.7 * exact.high < ours.high < 1.5 * exact.high


def test_the_interval_covers_the_truth_as_often_as_it_says():
    rng = np.random.default_rng(0)
    covered = 0
    for k in range(1000):
        _, low, high = intervals.mean(rng.choice([-1, -1 / 3, 1 / 3], 50, p=[0.05, 0.3, 0.65]), k, 1000)
        covered += low <= 0.05 * -1 + 0.3 * -1 / 3 + 0.65 / 3 <= high
    assert 0.935 < covered / 1000 < 0.97


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


def test_means_that_are_rounding_are_nothing():
    thirds = np.array([[1 / 3, 1 / 3, 1 / 3, -1], [-1, 1 / 3, 1 / 3, 1 / 3]]).mean(axis=1)
    assert (thirds != 0).any()
    assert str(tuple(intervals.mean(thirds, 0))) == "(0.0, 0.0, 0.0)"
