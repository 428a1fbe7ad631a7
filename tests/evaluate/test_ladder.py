"""The running ladder: it can be interrupted, grows, and puts stronger agents above weaker ones."""

import json

import pytest

from tromf.__main__ import main
from tromf.evaluate import ladder

pytest.importorskip("openskill")
GAME = "mustamaija"


def climb(path, *agents, **how):
    return ladder.climb(path, GAME, agents, **{"rounds": 4, "blocks": 3, "seed": 5} | how)


def test_the_stronger_stand_above_the_weaker(tmp_path):
    held = climb(tmp_path / "l.json", "random", "journeyman", "beginner", rounds=30, blocks=10)
    ranking = [agent for agent, _ in held.ranking()]
    assert ranking == ["journeyman", "beginner", "random"]
    assert held.rows()[0][:2] == ["1", "journeyman"]
    assert held.rounds == 30
    assert held.blocks == 300
    assert all(each.games > 300 and each.sigma < ladder.SIGMA for each in held.standings.values())


def test_an_interrupted_ladder_ends_as_if_it_had_not_been(tmp_path):
    whole = climb(tmp_path / "whole.json", "random", "beginner", "journeyman")
    with pytest.raises(KeyboardInterrupt):
        climb(tmp_path / "parts.json", "random", "beginner", "journeyman", progress=interrupt_after(2))
    assert ladder.read(tmp_path / "parts.json").rounds == 2
    parts = climb(tmp_path / "parts.json", "random", "beginner", "journeyman", threads=1)
    assert parts == whole
    assert (tmp_path / "parts.json").read_bytes() == (tmp_path / "whole.json").read_bytes()


def interrupt_after(rounds):
    def progress(played, goal):
        if played == rounds:
            raise KeyboardInterrupt

    return progress


def test_a_ladder_goes_on_and_takes_new_agents(tmp_path):
    path = tmp_path / "l.json"
    climb(path, "random", "beginner")
    held = climb(path, "journeyman", seed=None, rounds=3)
    assert held.rounds == 7
    assert held.blocks == 21
    assert held.standings["journeyman"].since == 4
    assert held.standings["journeyman"].games >= 9  # the least certain is at the table
    assert climb(path).rounds == 11


def test_tables_are_drawn_for_the_least_certain():
    held = ladder.Ladder(
        game="g",
        variant="v",
        options={},
        seed=0,
        standings={name: ladder.Standing(sigma=sigma) for name, sigma in zip("abcde", (3, 4, 5, 2, 1))},
    )
    assert ladder.drawn_table(held, 2)[0] == 2
    assert sorted(ladder.drawn_table(held, 5)) == [0, 1, 2, 3, 4]
    assert len(set(ladder.drawn_table(held, 8)[:5])) == 5
    met = set()
    for held.rounds in range(40):
        met.add(ladder.drawn_table(held, 2)[1])
    assert met == {0, 1, 3, 4}


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"variant": "omaha"}, "omaha"),
        ({"seed": 6}, "is a ladder with seed 5, not 6"),
        ({"players": 3}, "is a ladder with options"),
        ({"rounds": 0}, "rounds is 0"),
    ],
)
def test_what_does_not_fit_is_refused_and_the_ladder_stays(tmp_path, change, expected):
    path = tmp_path / "l.json"
    climb(path, "random", "beginner", rounds=1)
    before = path.read_bytes()
    with pytest.raises(ValueError, match=expected):
        climb(path, "journeyman", **change)
    assert path.read_bytes() == before


def test_one_agent_or_a_file_that_is_no_ladder(tmp_path):
    with pytest.raises(ValueError, match="at least two"):
        climb(tmp_path / "l.json", "random")
    for text in ("{}", "[]", "nothing", json.dumps({"format": "tromf ladder 0", "seed": 1})):
        (tmp_path / "l.json").write_text(text)
        with pytest.raises(ValueError, match="is no ladder"):
            climb(tmp_path / "l.json", "random", "beginner")


@pytest.mark.parametrize(
    ("where", "name", "value", "accepted"),
    [
        ("", "rounds", "four", "valid integer"),
        ("", "blocks", -3, "greater than or equal to 0"),
        ("", "goal", 1.5, "valid integer"),
        ("", "seed", -1, "greater than or equal to 0"),
        ("random", "mu", None, "valid number"),
        ("random", "mu", float("nan"), "finite number"),
        ("random", "sigma", 0, "greater than 0"),
        ("random", "games", True, "valid integer"),
        ("random", "points", 3, "unknown key; there are games, mu, sigma, since"),
    ],
)
def test_a_ladder_edited_by_hand_is_refused_in_one_line(tmp_path, where, name, value, accepted):
    path = tmp_path / "l.json"
    climb(path, "random", "beginner", rounds=1)
    held = json.loads(path.read_text())
    (held["standings"][where] if where else held)[name] = value
    path.write_text(json.dumps(held))
    with pytest.raises(ValueError, match=rf"l.json: {'standings.random.' if where else ''}{name}: .*{accepted}") as caught:
        climb(path, "random", "beginner", seed=None)
    assert "\n" not in str(caught.value)


def test_the_command(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as end:
        main(["ladder", GAME, "random", "beginner", "--rounds", "2", "--deals", "2", "--json", "l.json"])
    out = capsys.readouterr().out
    assert end.value.code in (None, 0)
    assert "2 rounds, 4 deal blocks" in out
    assert "beginner" in out
    assert (tmp_path / "runs" / "ladder" / "mustamaija-4p.json").is_file()
    assert json.loads((tmp_path / "l.json").read_text())["rounds"] == 2


@pytest.mark.parametrize("agent", ["nobody", "nowhere.safetensors"])
def test_the_command_names_what_is_not_there_in_one_line(tmp_path, capsys, monkeypatch, agent):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as end:
        main(["ladder", GAME, "random", agent])
    assert end.value.code == 2
    err = capsys.readouterr().err
    assert agent in err
    assert err.count("\n") == 1
    assert not (tmp_path / "runs").exists()
