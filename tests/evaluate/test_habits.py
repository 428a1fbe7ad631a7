"""How play differs: known habits of the yardsticks, and that every figure of every game is measured."""

import numpy as np
import pytest

from tests.evaluate.test_blocks import small_network
from tromf import evaluate
from tromf.envs import registry
from tromf.evaluate import habits

SETTINGS = {"mustamaija": ("mustamaija", {}), "mitza": ("101", {"players": 4}), "minnesota-whist": ("askov", {})}


def values(result):
    return {(each.agent, each.habit): each.value for each in result.habits}


@pytest.mark.parametrize("name", registry.names())
def test_every_habit_of_a_game_is_measured(name):
    game, options = SETTINGS[name]
    result = evaluate.pairs(game, ["random", "beginner"], blocks=60, sample=60, **options)
    known = {habit.name: habit for habit in registry.find(game)[0].habits}
    found = values(result)
    missing = {habit for habit in known if ("random", habit) not in found}
    assert missing <= {"trumps"}  # named in another variant only
    for (_, habit), (value, low, high) in found.items():
        assert 0 <= low <= value <= high <= (1 if known[habit].percent else 99)
    assert all(each.count > 0 for each in result.habits)


def test_known_habits():
    result = evaluate.pairs("mustamaija", ["beginner", "random"], blocks=30, sample=30)
    found = values(result)
    assert found["beginner", "cards an attack"] == (1, 1, 1)
    assert found["beginner", "takes though able"] == (0, 0, 0)
    assert 0.3 < found["random", "takes though able"].value < 0.5
    assert [pace.agent for pace in result.paces] == ["beginner", "random"]
    assert all(pace.seconds > 0 and pace.decisions > 0 for pace in result.paces)


def test_figures_do_not_depend_on_the_games_side_by_side(monkeypatch):
    whole = evaluate.pairs("mustamaija", [small_network(), "random"], blocks=6, sample=6)
    monkeypatch.setattr(habits, "GAMES", 10)
    assert evaluate.pairs("mustamaija", [small_network(), "random"], blocks=6, sample=6).habits == whole.habits


def test_a_replay_plays_the_same_games():
    result = evaluate.pairs("mustamaija", ["beginner", "random"], blocks=4, sample=4)
    played = sum(length * count for length, count in result.lengths.items())
    assert sum(each.decisions for each in result.paces) < played  # the others are forced
    assert sum(each.decisions for each in result.paces) > 0.3 * played


@pytest.mark.parametrize(("blocks", "sample"), [(3, 3), (100, 10), (2000, 100), (100_000, 200)])
def test_the_sample_is_one_of_twenty_blocks(blocks, sample):
    assert habits.sample_of(blocks) == sample


def test_places_are_relative_to_the_dealer():
    from tromf.evaluate.outcome import Outcome
    from tromf.evaluate.tally import Tally

    outcome = Outcome.blank(np.array([[0, 1, 2]]), 6)
    outcome.returns[np.arange(6), 0, (np.arange(6) + 1) % 3] = 1.0  # whoever sits on the dealer's left wins
    tally = Tally(3, 3, 6, True)
    tally.add(outcome)
    assert [position.mean.value for position in tally.positions()] == [1, 0, 0]
