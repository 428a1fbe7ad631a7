"""p-values over blocks and Holm's correction."""

import numpy as np
import pytest
from scipy import stats

from tromf.evaluate.statistics import multiple


def test_p_is_that_of_student():
    values = np.random.default_rng(0).normal(0.1, 1, 200)
    assert multiple.p_value(values) == pytest.approx(stats.ttest_1samp(values, 0).pvalue)


def test_values_without_spread():
    assert multiple.p_value(np.zeros(100)) == 1
    assert multiple.p_value(np.full(4, 0.5)) == 1 / 8
    assert multiple.p_value(np.array([])) == 1


def test_holm_by_hand():
    assert multiple.holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert multiple.holm([0.5, 0.9]) == pytest.approx([1, 1])
    assert multiple.holm([0.04]) == pytest.approx([0.04])
    assert len(multiple.holm([])) == 0


def test_the_chance_of_any_false_rejection_is_kept_and_some_true_ones_are_found():
    rng = np.random.default_rng(1)
    values = rng.choice([-1.0, 0, 1], (400, 10, 100))
    values[:, :2] += 0.5
    adjusted = np.array([multiple.holm([multiple.p_value(each) for each in table]) for table in values])
    assert (adjusted[:, 2:] < 0.05).any(axis=1).mean() < 0.075
    assert (adjusted[:, :2] < 0.05).mean() > 0.9


def test_what_is_no_p():
    for wrong in ([0.5, 1.5], [-0.1], [np.nan]):
        with pytest.raises(ValueError, match="between 0 and 1"):
            multiple.holm(wrong)


def test_text():
    assert [multiple.text(p) for p in (0.0002, 0.0123, 1.0)] == ["< 0.001", "0.012", "1.000"]
