"""The sequential test: what it decides, and how seldom it errs, by simulation."""

import json

import numpy as np
import pytest

from tromf.__main__ import main
from tromf.evaluate.statistics import sequential

OUTCOMES = np.array([-2 / 3, -1 / 3, 0, 1 / 3])  # of a block of Mustamaija


def values_of(chances, seed):
    rng = np.random.default_rng(seed)
    return lambda first, end: rng.choice(OUTCOMES, end - first, p=chances)


def test_a_clear_difference_is_seen_soon_and_none_too():
    better = sequential.decide(values_of([0.0, 0.1, 0.3, 0.6], 1), 0.05)
    equal = sequential.decide(values_of([0.1, 0.2, 0.3, 0.4], 1), 0.05)
    worse = sequential.decide(values_of([0.3, 0.3, 0.3, 0.1], 1), 0.05)
    assert (better.better, equal.better, worse.better) == (True, False, False)
    assert worse.blocks < equal.blocks < equal.fixed
    assert better.blocks < better.fixed
    assert better.text("a", "b").startswith("a is better than b (by 0.05 rather than by nothing): mean return +0.1")
    assert "is not better than" in equal.text("a", "b")


def test_errors_and_length_are_as_stated():
    margin = 0.03  # 900 blocks in a test of fixed length
    for chances, wrong in (([0.1, 0.15, 0.4, 0.35], True), ([0.085, 0.14, 0.375, 0.4], False)):
        mean = OUTCOMES @ np.array(chances)
        assert mean == pytest.approx(margin * (not wrong), abs=0.001)
        verdicts = [sequential.decide(values_of(chances, seed), margin) for seed in range(400)]
        assert np.mean([each.better is wrong for each in verdicts]) <= 0.05 + 0.025
        assert np.mean([each.blocks / each.fixed for each in verdicts]) < 0.6


def test_the_ratio_is_that_of_the_most_probable_normal_distributions():
    values = np.random.default_rng(0).normal(0.1, 1, 500)
    values = np.concatenate([values, 2 * values.mean() - values])  # symmetric: no skewness
    ratio = sequential.log_ratio(len(values), sequential.sums_of(values), 0.2)
    likelihoods = [-len(values) / 2 * np.log(np.mean((values - mean) ** 2)) for mean in (0, 0.2)]
    assert ratio == pytest.approx(likelihoods[1] - likelihoods[0])


def test_the_ratio_with_skewness_is_near_the_empirical_one():
    from scipy.optimize import brentq

    values = np.random.default_rng(0).choice([-3.0, 1.0], 2000, p=[0.23, 0.77])

    def log_empirical(mean):
        apart = values - mean
        lam = brentq(lambda t: np.mean(apart / (1 + t * apart)), -1 / apart.max() + 1e-9, -1 / apart.min() - 1e-9)
        return -np.log1p(lam * apart).sum()

    for margin in (0.05, 0.2):
        expected = log_empirical(margin) - log_empirical(0)
        assert sequential.log_ratio(len(values), sequential.sums_of(values), margin) == pytest.approx(expected, rel=0.03)


def test_seldom_different_blocks_are_waited_for():
    seldom = np.zeros(2000)
    seldom[::20] = 1 / 3
    verdict = sequential.decide(lambda first, end: seldom[first:end], 0.01, cap=2000)
    assert verdict.better
    assert verdict.blocks > 20 * (sequential.VARIED - 1)
    nothing = sequential.decide(lambda first, end: np.zeros(end - first), 0.01, cap=500)
    assert (nothing.better, nothing.blocks) == (None, 500)
    assert "undecided whether" in nothing.text("a", "b")


def test_looks_are_a_schedule_that_ends_with_the_cap():
    found = list(sequential.looks(1000))
    assert found[0] == sequential.FIRST
    assert found[-1] == 1000
    assert all(a < b <= max(a + 1, round(a * sequential.GROWTH)) for a, b in zip(found, found[1:]))
    assert list(sequential.looks(7)) == [7]


def test_stricter_errors_need_more_blocks():
    chances = [0.1, 0.15, 0.4, 0.35]
    blocks = [sequential.decide(values_of(chances, 1), 0.05, alpha=error, beta=error).blocks for error in (0.1, 0.05, 0.001)]
    assert blocks == sorted(blocks)
    assert blocks[0] < blocks[2]


@pytest.mark.parametrize(
    ("wrong", "expected"),
    [
        ({"margin": 0}, "margin is 0"),
        ({"margin": float("nan")}, "margin is nan"),
        ({"alpha": 0.5}, "alpha is 0.5"),
        ({"beta": 0}, "beta is 0"),
        ({"cap": 1}, "cap is 1 blocks"),
    ],
)
def test_what_no_test_can_be_made_of(wrong, expected):
    with pytest.raises(ValueError, match=expected):
        sequential.decide(lambda first, end: np.zeros(end - first), **{"margin": 0.1} | wrong)


def test_until_decided_is_the_same_with_any_number_of_threads_and_plays_the_blocks_of_the_seed():
    from tromf import evaluate

    how = {"margin": 0.3, "seed": 3, "cap": 200}
    found = sequential.until_decided("mustamaija", "journeyman", "random", threads=1, **how)
    assert found == sequential.until_decided("mustamaija", "journeyman", "random", threads=2, batch=64, **how)
    row = evaluate.pairs("mustamaija", ["journeyman"], against=["random"], blocks=found.blocks, seed=3).rows[0]
    assert found.mean == pytest.approx(row.mean.value)


def test_an_agent_is_not_compared_with_itself():
    with pytest.raises(ValueError, match="given twice"):
        sequential.until_decided("mustamaija", "random", "random", 0.1)


def test_the_command(tmp_path, capsys):
    with pytest.raises(SystemExit) as end:
        main(["evaluate", "mustamaija", "journeyman", "random", "--until-decided", "0.2", "--json", str(tmp_path / "x.json")])
    out = capsys.readouterr().out
    assert end.value.code in (None, 0)
    assert out.startswith("journeyman is better than random (by 0.2 rather than by nothing): mean return +0.")
    assert out.count("\n") == 1
    assert json.loads((tmp_path / "x.json").read_text())["better"] is True


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("journeyman random beginner --until-decided 0.1", "for two agents"),
        ("journeyman random --until-decided 0", "margin is 0"),
        ("journeyman random --until-decided 0.1 --deals 1", "cap is 1"),
        ("journeyman random --until-decided 0.1 --deals 2000000", "has 1,000,000 deal blocks"),
    ],
)
def test_what_the_command_refuses_in_one_line(line, expected, capsys):
    with pytest.raises(SystemExit) as end:
        main(["evaluate", "mustamaija", *line.split()])
    err = capsys.readouterr().err
    assert end.value.code == 2
    assert expected in err
    assert err.count("\n") == 1
