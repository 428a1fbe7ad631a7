"""Ratings: strengths that made the results are found again."""

import numpy as np
import pytest

from tromf.evaluate.seatings import one_among, rotations
from tromf.evaluate.statistics import ratings

NAMES = ["strong", "middle", "weak"]
STRENGTHS = np.array([1.0, 0.2, -1.2])  # in units of a factor e; mean 0


def fit(matches, names, losers, **how):
    """Ratings of matches, (seatings, what the sides had) each."""
    choices = ratings.Choices(len(names), losers)
    for match in matches:
        choices.add(*match)
    return ratings.fit(choices, names, **how)


def losers(seatings, blocks, rng):
    """Who loses, (blocks, seatings, seats), by the loser model."""
    weights = np.exp(-STRENGTHS[seatings])
    chances = weights / weights.sum(axis=1, keepdims=True)
    picked = (rng.random((blocks, len(seatings), 1)) > chances.cumsum(axis=1)).sum(axis=2)
    return np.eye(seatings.shape[1])[picked]


def returns(seatings, blocks, rng):
    """Returns, (blocks, seatings, sides), ranked by the Plackett–Luce model."""
    noise = rng.gumbel(size=(blocks, *seatings.shape))
    return np.argsort(np.argsort(STRENGTHS[seatings] + noise, axis=-1), axis=-1).astype(float)


@pytest.mark.parametrize(("model", "sides"), [("loser", 4), ("better", 2), ("better", 4)])
def test_the_strengths_that_made_the_results_are_found_again(model, sides):
    rng = np.random.default_rng(1)
    pairs = [one_among(a, b, sides) for a in range(3) for b in range(3) if a != b]
    make = losers if model == "loser" else returns
    matches = [(seatings, make(seatings, 3000, rng)) for seatings in pairs]
    found = fit(matches, NAMES, losers=model == "loser", replicates=50)
    assert found.model == model
    assert list(found.ratings) == NAMES
    for name, strength in zip(NAMES, STRENGTHS):
        each = found.ratings[name]
        assert each.value == pytest.approx(1000 + ratings.ELO * strength, abs=12)
        assert each.low < each.value < each.high < each.low + 50


def test_two_sides_are_rated_as_elo_does():
    seatings = np.array([[0, 1]])
    had = np.zeros((1000, 1, 2))
    had[:700, 0] = [1, -1]
    had[700:800, 0] = [0, 0]
    had[800:, 0] = [-1, 1]
    found = fit([(seatings, had)], ["a", "b"], losers=False, anchor="b", replicates=20).ratings
    assert found["a"].value - found["b"].value == pytest.approx(400 * np.log10(0.75 / 0.25), abs=1)
    assert found["b"] == (1000, 1000, 1000)


def test_the_newton_steps_end_where_scipy_does():
    from scipy.optimize import minimize

    rng = np.random.default_rng(3)
    table = rotations([0, 1, 2, 2])
    choices = ratings.Choices(3, losers=True)
    choices.add(table, losers(table, 60, rng))
    counts = choices.counts.sum(axis=0)
    with_prior = counts + choices.sets / choices.sets.sum(axis=1, keepdims=True)
    theirs = minimize(lambda theta: -ratings._likelihood(choices.sets, with_prior, theta)[0] + theta.sum() ** 2, np.zeros(3))
    assert ratings.most_probable(choices.sets, counts, choices.sign) == pytest.approx(-(theirs.x - theirs.x.mean()), abs=1e-4)


def test_seats_that_play_together_count_once():
    rng = np.random.default_rng(3)
    sides = one_among(0, 1, 2)
    had = returns(sides, 40, rng)
    seats = np.array([0, 1, 0, 1])
    together = ratings.Choices(2, losers=False)
    together.add(sides[:, seats], had[:, :, seats], seats)
    assert ratings.fit(together, NAMES[:2], replicates=20) == fit([(sides, had)], NAMES[:2], losers=False, replicates=20)


def test_who_always_won_is_strong_but_finite():
    had = np.tile([[[1.0, -1.0]]], (50, 1, 1))
    found = fit([(np.array([[0, 1]]), had)], ["a", "b"], losers=False, replicates=10).ratings
    assert 1200 < found["a"].value < 1600


def test_deals_without_a_loser_choose_nobody():
    lost = np.zeros((10, 1, 2))
    lost[:4, 0, 0] = 1
    lost[4:8, 0, 1] = 1
    found = fit([(np.array([[0, 1]]), lost)], ["a", "b"], losers=True, replicates=10).ratings
    assert found["a"].value == pytest.approx(1000)


def test_the_interval_of_the_difference_covers_the_truth():
    covered = 0
    seatings = one_among(0, 1, 2)
    for seed in range(60):
        had = returns(seatings, 150, np.random.default_rng(seed))
        found = fit([(seatings, had)], NAMES[:2], losers=False, anchor="middle", seed=seed, replicates=100).ratings["strong"]
        covered += found.low <= 1000 + ratings.ELO * (STRENGTHS[0] - STRENGTHS[1]) <= found.high
    assert covered >= 52


def test_agents_that_never_met_are_not_rated():
    had = np.zeros((5, 1, 2))
    with pytest.raises(ValueError, match="c, d never met a"):
        fit([(np.array([[0, 1]]), had), (np.array([[2, 3]]), had)], list("abcd"), losers=False)
    with pytest.raises(ValueError, match="anchor 'e' is not among"):
        fit([(np.array([[0, 1]]), had)], ["a", "b"], losers=False, anchor="e")


def test_figures_and_texts():
    found = fit([(np.array([[0, 1]]), np.zeros((5, 1, 2)))], ["a", "b"], losers=False, replicates=5)
    assert found.rows() == [["a", "1000", "1000 … 1000"], ["b", "1000", "1000 … 1000"]]
    assert found.to_json()["ratings"][0] == {"agent": "a", "rating": 1000, "low": 1000, "high": 1000}
    assert "the mean has 1000" in found.text()
