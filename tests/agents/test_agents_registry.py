"""Agents by name: what a spec may say, and the one line that says what is wrong with it."""

import numpy as np
import pytest

from tromf.agents import search
from tromf.agents.registry import kinds, make, parse
from tromf.envs import registry

GAME, _ = registry.find("mustamaija")


@pytest.mark.parametrize(
    ("spec", "parts"),
    [
        ("random", ("random", None, {})),
        ("expert,hoard_attack=0,remember=true", ("expert", None, {"hoard_attack": 0, "remember": True})),
        ("net:runs/x/best.safetensors,greedy=true", ("net", "runs/x/best.safetensors", {"greedy": True})),
        ("runs/x/best.safetensors", ("net", "runs/x/best.safetensors", {})),
        ("sb3:a.safetensors", ("sb3", "a.safetensors", {})),
    ],
)
def test_parts_of_a_spec(spec, parts):
    assert parse(spec) == parts


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("exprt", "no agent 'exprt' (did you mean 'expert'?): there are random, beginner, journeyman, expert"),
        ("", "there are random, beginner"),
        ("expert,hoard_attack", "'hoard_attack' is not of the form key=value"),
        ("expert,=1", "is not of the form key=value"),
        ("expert,count=1,count=0", "'count' is given twice"),
        ("expert:somewhere", "expert takes no path"),
        ("net", "names no file: write net:PATH"),
        ("expert,hoard_attak=0", "no knob 'hoard_attak' (did you mean 'hoard_attack'?): there are hoard_attack, "),
        ("expert,kind=1", "no knob 'kind'"),
        ("expert,weights=1", "no knob 'weights'"),
        ("expert,remember=2", "knob 'remember' is 2: accepted are 0 or 1"),
        ("expert,remember=0.5", "knob 'remember' is 0.5: accepted are 0 or 1"),
        ("expert,lay_max=0", "knob 'lay_max' is 0: accepted are 1 … 13"),
        ("expert,lay_max=2.5", "knob 'lay_max' is 2.5"),
        ("expert,lay_max=many", "knob 'lay_max' is 'many'"),
        ("expert,lay_max=[1]", "knob 'lay_max' is [1]"),
        ("expert,hoard_attack=", "knob 'hoard_attack' is None"),
        ("expert,hoard_attack=.nan", "knob 'hoard_attack' is nan"),
        ("expert,hoard_attack=1000", "knob 'hoard_attack' is 1000"),
        ("journeyman,hoard_attack=0", "agent 'journeyman' has no knob 'hoard_attack': only expert has knobs"),
        ("expert,count={", "is no YAML value"),
        ("net:somewhere,temperature=2", "has no setting 'temperature': there is greedy"),
        ("net:somewhere,spec=x", "has no setting 'spec': there is greedy"),
        ("sb3:somewhere,path=x", "has no setting 'path': there is greedy"),
        (3, "agent 3 is no spec: accepted is a text"),
        (None, "agent None is no spec"),
    ],
)
def test_a_wrong_spec_says_what_is_wrong_in_one_line(spec, says):
    with pytest.raises(ValueError) as raised:  # noqa: PT011 - the text is looked at below
        make(spec, GAME)
    assert says in str(raised.value)
    assert "\n" not in str(raised.value)


def test_knobs_are_turned():
    knobs = make("expert,hoard_attack=0,take=false,lay_max=3,suits=0.5", GAME).compiled
    plain = make("expert", GAME).compiled
    assert (knobs["hoard_attack"], knobs["take"], knobs["lay_max"]) == (0.0, 0, 3)
    changed = knobs["weights"] != plain["weights"]
    assert changed.any(axis=0).sum() == 1
    assert np.allclose(knobs["weights"][changed], plain["weights"][changed] / 2)


def test_every_kind_of_a_game_can_be_made():
    for kind in set(kinds(GAME)) - {"net", "sb3"}:
        agent = make(kind, GAME)
        assert agent.spec == kind
        assert repr(agent) == f"<agent {kind}>"
        assert (agent.compiled is None) == (kind in search.KINDS)
