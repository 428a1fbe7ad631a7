"""Alpha-rank and Nash averaging beside ratings."""

import sys

import numpy as np
import pytest

from tromf.evaluate.statistics import intransitivity
from tromf.evaluate.statistics.intervals import Estimate

CYCLE = np.array([[0, 1, -1], [-1, 0, 1], [1, -1, 0]], float)  # rock, scissors, paper: each beats the next one


def cross(table, agents, doubt=0.01):
    return {
        (a, b): Estimate(table[i, j], table[i, j] - doubt, table[i, j] + doubt)
        for i, a in enumerate(agents)
        for j, b in enumerate(agents)
        if i != j
    }


def test_where_everything_is_in_order_there_is_no_warning():
    strength = np.array([0.3, 0.1, -0.4])
    table = strength[:, None] - strength
    found = intransitivity.compare("abc", cross(table, "abc"), {"a": 1200, "b": 1000, "c": 800})
    assert found.nash == (1, 0, 0)
    assert found.against_nash == pytest.approx((0, -0.2, -0.7))
    assert [warning for warning in found.warnings if warning != intransitivity.MISSING] == []


def test_a_circle_is_noticed():
    pytest.importorskip("open_spiel.python.egt.alpharank")
    found = intransitivity.compare("rsp", cross(CYCLE, "rsp"), {"r": 1001, "s": 1000, "p": 999})
    assert found.nash == pytest.approx([1 / 3] * 3)
    assert found.alpha_rank == pytest.approx([1 / 3] * 3)
    assert any("nobody beats all others: Nash averaging divides its weight among r, s, p" in warning for warning in found.warnings)
    assert any(warning.startswith("r is rated above p, but loses to it: -1.000") for warning in found.warnings)


def test_copies_of_an_agent_change_nothing():
    twice = CYCLE[np.ix_([0, 1, 2, 2], [0, 1, 2, 2])]
    assert intransitivity.nash_mixture(twice) == pytest.approx([1 / 3, 1 / 3, 1 / 6, 1 / 6], abs=1e-5)
    assert intransitivity.nash_mixture(np.zeros((4, 4))) == pytest.approx([0.25] * 4)
    biased = np.array([[0, 2, -1], [-2, 0, 3], [1, -3, 0]], float)
    assert intransitivity.nash_mixture(biased) == pytest.approx([3 / 6, 1 / 6, 2 / 6], abs=1e-6)


def test_ratings_that_put_another_agent_first_are_noticed():
    pytest.importorskip("open_spiel.python.egt.alpharank")
    table = np.array([[0, -0.1, 0.5], [0.1, 0, 0.1], [-0.5, -0.1, 0]])
    warnings = intransitivity.compare("abc", cross(table, "abc"), {"a": 1100, "b": 1000, "c": 900}).warnings
    assert "alpha-rank puts b first, the ratings a" in warnings
    assert "Nash averaging puts b first, the ratings a" in warnings
    assert any(warning.startswith("a is rated above b, but loses to it") for warning in warnings)


def test_without_openspiel_one_line_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "open_spiel.python.egt", None)
    found = intransitivity.compare("rsp", cross(CYCLE, "rsp"), {"r": 1001, "s": 1000, "p": 999})
    assert found.alpha_rank is None
    assert found.warnings[0] == intransitivity.MISSING
    assert found.rows()[0] == ["r", "–", "0.333", "+0.000"] or found.rows()[0] == ["r", "–", "0.333", "-0.000"]


@pytest.mark.parametrize("seed", range(3))
def test_nash_averaging_is_that_of_openspiel(seed):
    pytest.importorskip("cvxpy")
    pyspiel = pytest.importorskip("pyspiel")
    from open_spiel.python.algorithms.nash_averaging import nash_averaging

    table = np.random.default_rng(seed).integers(-3, 4, (5, 5)).astype(float)
    table -= table.T
    weights, values = nash_averaging(pyspiel.create_matrix_game(table, -table))
    assert intransitivity.nash_mixture(table) == pytest.approx(np.ravel(weights), abs=1e-3)
    assert table @ intransitivity.nash_mixture(table) == pytest.approx(np.ravel(values), abs=1e-2)


def test_a_pair_that_was_not_played():
    with pytest.raises(LookupError, match="everyone has to meet everyone"):
        intransitivity.compare("abc", {}, {"a": 1, "b": 1, "c": 1})
