"""Game records: what is written is read and played again, and nothing else is."""

import json
import subprocess
import sys
from dataclasses import asdict, replace

import numpy as np
import pytest

from tests.envs import faces
from tests.envs.positions import GAME, random_states
from tromf.envs import record, registry


def played(seed=1, variant="standard", **options):
    """A random game, recorded."""
    states, actions = random_states(seed, variant, **options)
    return record.of(GAME, variant, options, states[0], actions, ["random"] * int(states[0]["options"]["players"])), states


@pytest.mark.parametrize("variant", list(GAME.variants))
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"players": 2, "max_decisions": 30},
        {"players": 3, "hand_size": 2, "pack": ["QS", "2C", "AS", "3D", "4D", "5D", "KH", "6C", "7C"], "trump": "diamonds"},
    ],
)
def test_a_record_plays_the_same_game(variant, options, tmp_path):
    made, states = played(4, variant, **options)
    record.write(tmp_path / "games.jsonl", [made])
    (again,) = record.read(tmp_path / "games.jsonl")
    assert again == made
    assert (record.replay(again) == states).all()


@pytest.mark.parametrize(("name", "variant", "players"), faces.SETTINGS)
def test_a_record_plays_the_same_game_in_every_setting(name, variant, players):
    game, _ = registry.find(name)
    states, actions = random_states(6, variant, game, players=players)
    made = record.of(game, variant, {"players": players}, states[0], actions, ["random"] * players)
    assert record.parse(json.dumps(asdict(made))) == made
    assert (record.replay(made) == states).all()


def test_a_record_says_what_was_played():
    made, states = played(2, "house", players=3)
    assert (made.game, made.version, made.variant, made.seed, made.dealer) == ("mustamaija", 0, "house", 2, int(states[0]["dealer"]))
    assert made.options["follow_up"] is True
    assert made.options["players"] == 3
    assert sorted(made.deck) == sorted(GAME.pack.texts)
    assert len(made.texts) == len(made.actions) == len(states) - 1
    assert made.texts[0].startswith("lay ")
    assert sum(made.returns) == pytest.approx(0)


def test_a_deck_put_in_by_hand_is_kept(tmp_path):
    from tromf.envs import BatchEnv

    env = BatchEnv("mustamaija", 1, players=2)
    env.reset(seeds=5, decks=[list(reversed(GAME.pack.texts))], dealers=1)
    start, actions = env.states[0].copy(), []
    while not env.done[0]:
        actions.append(int(env.masks[0]).bit_length() - 1)
        env.step(np.array(actions[-1:]))
    made = record.of(GAME, None, {"players": 2}, start, actions, ["a", "b"])
    assert made.deck == list(reversed(GAME.pack.texts))
    assert record.replay(made)[-1] == env.states[0]


def test_actions_that_do_not_end_the_episode_are_no_record():
    states, actions = random_states(1)
    with pytest.raises(ValueError, match="has not ended after 3 decisions"):
        record.of(GAME, "standard", {}, states[0], actions[:3], ["random"] * 4)


def test_appending_keeps_what_is_there(tmp_path):
    path = tmp_path / "new" / "games.jsonl"
    first, second = played(1)[0], played(2)[0]
    record.write(path, [first])
    record.write(path, [second, first])
    assert list(record.read(path)) == [first, second, first]
    record.write(path, [second], append=False)
    assert list(record.read(path)) == [second]
    assert [each.name for each in path.parent.iterdir()] == ["games.jsonl"]


def test_a_torn_line_does_not_spoil_the_next_record(tmp_path):
    path = tmp_path / "games.jsonl"
    made = played()[0]
    record.write(path, [made])
    path.write_bytes(path.read_bytes()[:-20])
    record.write(path, [made])
    lines = path.read_text().splitlines()
    assert len(lines) == 2
    assert record.parse(lines[1]) == made
    with pytest.raises(ValueError, match=r"games.jsonl, line 1: no JSON object \(is the line torn\?\)$"):
        list(record.read(path))


def test_a_full_disk_leaves_the_file_as_it_was(tmp_path):
    path = tmp_path / "games.jsonl"
    made = played()[0]
    record.write(path, [made])
    before = path.read_bytes()
    code = f"""
import resource, signal
from tromf.envs import record
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
made = list(record.read({str(path)!r}))
resource.setrlimit(resource.RLIMIT_FSIZE, ({len(before) + 100},) * 2)
for append in (True, False):
    try:
        record.write({str(path)!r}, made * 2, append=append)
    except OSError as error:
        print(type(error).__name__)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["OSError", "OSError"]
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["games.jsonl"]


def changed(**changes):
    return json.dumps(asdict(played()[0]) | changes)


def without(name):
    value = asdict(played()[0])
    del value[name]
    return json.dumps(value)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (lambda: "", "no JSON object"),
        (lambda: "[1, 2]", "no JSON object"),
        (lambda: '{"game": "musta', "no JSON object"),
        (lambda: without("deck"), "missing: deck"),
        (lambda: changed(colour="red"), "unknown: colour"),
        (lambda: changed(game="skat"), "no game 'skat'"),
        (lambda: changed(variant="standrad"), "did you mean 'standard'"),
        (lambda: changed(version=7), "rules of version 7"),
        (lambda: changed(options={"players": 9}), "option 'players' is 9"),
        (lambda: changed(seed=-1), "'seed' is no integer"),
        (lambda: changed(seed=True), "'seed' is no integer"),
        (lambda: changed(actions=[1.5]), "'actions' is no list of integers"),
        (lambda: changed(actions=[1]), "texts for 1 actions"),
        (lambda: changed(returns=[0.0]), "'returns' has 1 entries for 4 players"),
        (lambda: changed(agents=["a"]), "'agents' has 1 entries for 4 players"),
        (lambda: changed(deck="7H"), "'deck' is no list of cards"),
    ],
)
def test_a_line_that_is_no_record_is_refused_in_one_line(line, message, tmp_path):
    path = tmp_path / "games.jsonl"
    path.write_text(changed() + "\n" + line() + "\n")
    records = record.read(path)
    next(records)
    with pytest.raises(ValueError, match=message) as refused:
        next(records)
    assert str(refused.value).startswith(f"{path}, line 2: ")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda made: {"actions": [59, *made.actions[1:]], "texts": ["keep S", *made.texts[1:]]}, "decision 1: action 59 .* is not legal"),
        (lambda made: {"actions": [99, *made.actions[1:]]}, "decision 1: action 99 is not legal"),
        (lambda made: {"texts": ["lay 2C", *made.texts[1:]]}, "decision 1: action .* the record says 'lay 2C'"),
        (lambda made: {"actions": made.actions[:-1], "texts": made.texts[:-1]}, "stops after"),
        (lambda made: {"actions": [*made.actions, 1], "texts": [*made.texts, "lay 3C"]}, "has ended before it"),
        (lambda made: {"returns": made.returns[::-1] if made.returns[0] != made.returns[-1] else [-1.0, 1.0, 0.0, 0.0]}, "returns are"),
        (lambda made: {"deck": made.deck[1:]}, "missing: "),
        (lambda made: {"dealer": 4}, "dealer .*4.* is no seat"),
    ],
)
def test_a_record_that_does_not_fit_the_rules_is_refused(change, message):
    made = played(3)[0]
    assert made.texts[0] != "lay 2C"
    with pytest.raises(ValueError, match=message) as refused:
        record.replay(replace(made, **change(made)))
    assert "\n" not in str(refused.value)
