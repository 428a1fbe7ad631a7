"""Factorial ablations: the arithmetic of effects, what is played, and the controls, which must show exactly nothing."""

import json
import math
import re
from pathlib import Path

import numpy as np
import pytest

from tests.pages import whole_page
from tromf import evaluate
from tromf.agents import make
from tromf.agents.minnesota_whist.expert import placebo_suit as whist_placebo
from tromf.agents.mitza.expert import placebo_suit as mitza_placebo
from tromf.agents.mustamaija.expert import placebo_cards
from tromf.envs import registry
from tromf.envs.mustamaija.rules import SUIT
from tromf.evaluate import ablation, setting
from tromf.evaluate.ablation import ablate, contrasts
from tromf.evaluate.reports import ablation_report
from tromf.evaluate.statistics.multiple import holm

PAGE = Path(__file__).parents[2] / "docs" / "hoarding.md"
HOARD = ["hoard_attack", "hoard_defence"]


@pytest.fixture(scope="module")
def small():
    return ablate("mustamaija", "expert", HOARD, against=["journeyman", "beginner"], blocks=40, seed=3, players=3)


def effects(levels, by_arm):
    return {changes: values.tolist() for changes, values in contrasts(levels, np.array(by_arm, float))}


def test_effects_of_two_knobs():
    """Off and off 1, b alone 2, a alone 5, both 10; in a second block nothing happens."""
    found = effects({"a": (0, 1), "b": (0, 1)}, [[1, 7], [2, 7], [5, 7], [10, 7]])
    assert found == {
        (("a", 0, 1),): [(4 + 8) / 2, 0],
        (("b", 0, 1),): [(1 + 5) / 2, 0],
        (("a", 0, 1), ("b", 0, 1)): [8 - 4, 0],
    }


def test_every_level_is_compared_with_the_first():
    found = effects({"a": (3, 1, 2), "b": (0, 1)}, [[1], [2], [5], [10], [0], [0]])
    assert found[("a", 3, 1),] == [6]
    assert found[("a", 3, 2),] == [-1.5]
    assert found[("a", 3, 2), ("b", 0, 1)] == [0 - 1]
    assert len(found) == 3 * 2 - 1


def test_additive_knobs_have_no_interaction_of_any_order():
    worth = [0.5, -2.0, 8.0]
    arms = [sum(w * (arm >> 2 - k & 1) for k, w in enumerate(worth)) for arm in range(8)]
    found = effects(dict.fromkeys("abc", (0, 1)), [[value] for value in arms])
    assert [found[(name, 0, 1),] for name in "abc"] == [[w] for w in worth]
    assert [values for changes, values in found.items() if len(changes) > 1] == [[0]] * 4


def test_arms_are_matches_of_one_among_the_population(small):
    for population in small.populations:
        assert [arm.levels for arm in population.arms] == [(0, 0), (0, 1), (1, 0), (1, 1)]
        for arm in population.arms:
            spec = "expert," + ",".join(f"{name}={level:g}" for name, level in zip(HOARD, arm.levels))
            pairs = evaluate.pairs("mustamaija", [spec], against=[population.against], blocks=40, seed=3, players=3)
            assert arm.mean.value == pytest.approx(pairs.row(spec, population.against).mean.value)
        off, defence, attack, both = (arm.mean.value for arm in population.arms)
        assert small.effect(population.against, "hoard_attack").mean.value == pytest.approx((attack + both - off - defence) / 2)
        assert small.effect(population.against, *HOARD).mean.value == pytest.approx(both - attack - defence + off)


def test_the_gap_is_that_between_agent_and_beginner(small):
    expert, beginner = (
        evaluate.pairs("mustamaija", [one], against=["journeyman"], blocks=40, seed=3, players=3).rows[0].mean.value
        for one in ("expert", "beginner")
    )
    population = small.populations[0]
    assert population.gap.value == pytest.approx(expert - beginner)
    for effect in population.effects:
        assert effect.share == pytest.approx(effect.mean.value / population.gap.value)


def test_p_values_are_corrected_over_all_populations(small):
    found = [effect for population in small.populations for effect in population.effects]
    assert len(found) == 6
    assert [effect.corrected for effect in found] == holm([effect.p for effect in found]).tolist()


def test_the_agent_may_turn_other_knobs_and_the_default_need_not_be_an_arm():
    result = ablate(
        "mustamaija", "expert,lay_max=2", ["hoard_attack"], levels={"hoard_attack": [0, 2, 3]}, against=["beginner"], blocks=20, players=2
    )
    (population,) = result.populations
    assert [effect.name for effect in population.effects] == ["hoard_attack 0 → 2", "hoard_attack 0 → 3"]
    assert len(population.arms) == 3
    pairs = evaluate.pairs("mustamaija", ["expert,lay_max=2", "beginner"], blocks=20, players=2)
    assert population.gap.value == pytest.approx(pairs.rows[0].mean.value)


def test_figures_depend_on_the_seed_but_not_on_threads():
    def figures(**how):
        return json.dumps(
            ablate("south-dakota", "expert", ["draw_trumps"], against=["journeyman"], **({"blocks": 30, "seed": 1} | how)).to_json()
        )

    assert figures(threads=1) == figures(threads=2) == figures()
    assert figures() != figures(seed=2)


NO_KINGS = [f"{rank}{suit}" for suit in "CDHS" for rank in "23456789TJQA"]
NOTHING = [
    ("mustamaija", ["hoard_attack", "hoard_defence", "placebo"], {"trump": "declared", "pack": NO_KINGS, "players": 4}),
    ("mustamaija", ["hoard_attack", "hoard_defence", "placebo"], {"trump": "declared", "pack": NO_KINGS, "players": 2}),
    ("minnesota", ["hoard_trumps", "draw_trumps", "placebo", "draw_placebo"], {}),
    ("101", ["hoard_end"], {"players": 2}),  # the last three tricks are solved
]


@pytest.mark.parametrize(("game", "knobs", "options"), NOTHING)
def test_without_trumps_hoarding_makes_exactly_no_difference_in_any_block(game, knobs, options):
    result = ablate(game, "expert", knobs, against=["expert", "journeyman"], blocks=100, seed=5, **options)
    for population in result.populations:
        assert len(population.effects) == 2 ** len(knobs) - 1
        for effect in population.effects:
            assert (effect.changed, effect.p, effect.corrected) == (0, 1, 1)
            assert effect.mean == (0, 0, 0)
        assert len({arm.mean for arm in population.arms}) == 1


@pytest.mark.parametrize(
    ("game", "knobs", "options"),
    [
        ("mustamaija", ["hoard_attack", "hoard_defence", "placebo"], {}),
        ("101", ["hoard_early", "hoard_late", "placebo"], {"players": 2}),
        ("101", ["hoard_early", "hoard_late", "hoard_end", "placebo"], {"players": 4}),
        ("south-dakota", ["hoard_trumps", "draw_trumps", "placebo", "draw_placebo"], {}),
    ],
)
def test_with_trumps_every_habit_changes_some_deals(game, knobs, options):
    result = ablate(game, "expert", knobs, against=["journeyman"], blocks=40, **options)
    assert all(result.effect("journeyman", knob).changed > 0 for knob in knobs)


def test_the_placebo_is_a_plain_suit_by_seat_and_dealer():
    game, _ = registry.find("mustamaija")
    state = game.states(1)[0]
    for trump in range(3):
        state["trump"] = trump
        found = set()
        for state["dealer"] in range(4):
            suits = [next(suit for suit in range(4) if placebo_cards(state, seat) == SUIT[suit]) for seat in range(4)]
            found |= set(suits)
            assert sorted(suits) == sorted(2 * list({0, 1, 2} - {trump}))
        assert found == {0, 1, 2} - {trump}
    state["trump"] = -1
    assert placebo_cards(state, 0) == 0
    for name, suit in (("mitza", mitza_placebo), ("minnesota-whist", whist_placebo)):
        state = registry.find(name)[0].states(1, players=4)[0]
        for state["trump"] in range(4):
            found = [suit(state) for state["dealer"] in range(4) for state["turn"] in range(4)]
            assert set(found) == {0, 1, 2, 3} - {int(state["trump"])}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"knobs": ["hord_attack"]}, "no knob 'hord_attack' (did you mean 'hoard_attack'?)"),
        ({"knobs": ["hoard_attack", "hoard_attack"]}, "knob 'hoard_attack' is given twice"),
        ({"agent": "expert,hoard_attack=2"}, "knob 'hoard_attack' is given twice"),
        ({"knobs": []}, "no knob is given"),
        ({"agent": "journeyman"}, "agent 'journeyman' has no knob 'hoard_attack': only expert has knobs"),
        ({"agent": "pimc"}, "agent 'pimc' is no rule agent"),
        ({"agent": "exprt"}, "did you mean 'expert'"),
        ({"levels": {"hoard_attack": [0, 200]}}, "knob 'hoard_attack' is 200: accepted are a factor from -100 to 100, 0 off"),
        ({"levels": {"hoard_attack": [1]}}, "knob 'hoard_attack' needs two different levels or more, and has 1"),
        ({"levels": {"hoard_attack": [1, True]}}, "knob 'hoard_attack' needs two different levels or more, and has 1, True"),
        ({"levels": {"lay_max": [1, 2]}}, "levels are given for 'lay_max', which is not among the knobs: hoard_attack"),
        ({"knobs": ["lay_max"]}, "knob 'lay_max' is 0: accepted are 1 … 13"),
        ({"levels": {"hoard_attack": list(range(65))}}, "65 arms are too many: accepted are up to 64"),
        ({"against": ["beginner", "beginner"]}, "each population is given once"),
        ({"against": []}, "each population is given once"),
        ({"against": ["nobody"]}, "no agent 'nobody'"),
        ({"blocks": 1}, "blocks is 1: accepted is an integer from 2"),
        ({"seed": -1}, "seed is -1"),
        ({"threads": 0}, "threads is 0"),
        ({"deal_set": "nowhere"}, "no deal set 'nowhere'"),
        ({"deal_set": "mustamaija-1", "seed": 1}, "give one of them"),
        ({"players": 9}, "option 'players' is 9"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(given, message):
    wanted = {"agent": "expert", "knobs": ["hoard_attack"], "against": ["beginner"], "blocks": 5} | given
    with pytest.raises(ValueError) as raised:  # noqa: PT011 - the text is looked at below
        ablate("mustamaija", wanted.pop("agent"), wanted.pop("knobs"), **wanted)
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_population_of_another_game_is_refused(monkeypatch):
    guest = make("random", registry.find("101")[0])
    monkeypatch.setattr(setting, "make", lambda spec, game: guest)
    with pytest.raises(ValueError, match="agent random was made for mitza, not for mustamaija"):
        ablate("mustamaija", "expert", ["hoard_attack"], against=["guest"], blocks=5)


def test_the_report_is_complete(small, tmp_path):
    path = ablation_report.write(small, tmp_path / "out", command="tromf ablate")
    text = path.read_text(encoding="utf-8")
    for part in ("## Among `journeyman`", "## Among `beginner`", "hoard_attack × hoard_defence", "effects.png", "tromf ablate"):
        assert part in text
    assert (tmp_path / "out" / "effects.png").stat().st_size > 1000
    assert json.loads((tmp_path / "out" / "result.json").read_text(encoding="utf-8")) == small.to_json()
    effects = [ablation_report.effects_table(each) for each in small.populations]
    arms = [ablation_report.arms_table(small, each) for each in small.populations]
    page = whole_page(tmp_path / "out", *effects, *arms)
    assert len(page.loads) == 1


def test_the_keys_of_the_json_are_those_of_the_page(small):
    section = re.search(r"## Report and JSON\n(.*?)\n## ", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert section
    top, population, effect, change = (set(re.findall(r"\w+", keys)) for keys in re.findall(r"`\{(.*?)\}`", section[1], re.DOTALL))
    value = small.to_json()
    found = value["populations"][0]
    assert (top, population) == (value.keys(), found.keys())
    assert (effect, change) == (found["effects"][0].keys(), found["effects"][0]["knobs"][0].keys())


def test_where_there_is_no_gap_there_is_no_share(tmp_path):
    found = ablation._population("beginner", {"a": (0, 1)}, np.array([[0.0, 1.0], [1.0, 0.5]]), np.zeros(2), 0)
    assert [effect.share for effect in found.effects] == [None]
    assert ablation_report.effects_table(found).rows[0][2] == "–"
    assert math.isnan(found.effects[0].corrected)
