"""`tromf replay`: recorded games, whole or one, as everybody or one seat saw them."""

import io
import json
import re
import sys
from dataclasses import asdict

import pytest
from PIL import Image

from tests.envs.positions import GAME, random_states
from tromf.__main__ import main
from tromf.envs import record, registry


def game(seed, variant="standard", **options):
    states, actions = random_states(seed, variant, **options)
    return record.of(GAME, variant, options, states[0], actions, ["random"] * int(states[0]["options"]["players"]))


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "games.jsonl"
    record.write(path, [game(1), game(2, "house", players=3)])
    return path


@pytest.fixture
def replay(monkeypatch, capsys):
    def run(*arguments, lines=()):
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        with pytest.raises(SystemExit) as left:
            main(["replay", *map(str, arguments)])
        captured = capsys.readouterr()
        return left.value.code or 0, captured.out, captured.err

    return run


def test_all_games_are_shown(replay, file):
    code, out, err = replay(file)
    assert (code, err) == (0, "")
    assert "game 1: Mustamaija, standard, seed 1: seat 0 random" in out
    assert "game 2: Mustamaija, house, seed 2" in out
    assert out.count("returns: ") == 2
    assert "▒" not in out


def test_every_card_laid_is_told(replay, file):
    _, out, _ = replay(file, "--game", 1)
    lines = [line for line in out.splitlines() if " lays " in line]
    laid = [text.split()[1] for text in next(iter(record.read(file))).texts if text.startswith("lay ")]
    assert [card for line in lines for card in line.split(" lays ")[1].split()] == laid


def test_one_game_as_one_seat_saw_it(replay, file):
    code, out, _ = replay(file, "--game", 2, "--seat", 1)
    assert code == 0
    assert "game 1:" not in out
    assert "▒" in out
    assert "you draw" in out


def test_stepping(replay, file):
    code, out, _ = replay(file, "--step", lines=["", "", "q"])
    assert code == 0
    assert sum(line.startswith("  seat ") and not line.startswith("  seat 0 ") for line in out.splitlines()) < 20
    assert "game 2" not in out
    assert replay(file, "--step", lines=[])[0] == 0


@pytest.fixture
def deal_of_101(tmp_path):
    path = tmp_path / "101.jsonl"
    found, variant = registry.find("101")
    states, actions = random_states(4, variant, found, players=4)
    record.write(path, [record.of(found, variant, {"players": 4}, states[0], actions, ["random"] * 4)])
    return path, len(actions)


def test_hungarian_cards(replay, deal_of_101):
    code, out, err = replay(deal_of_101[0], "--cards", "hungarian")
    assert (code, err) == (0, "")
    assert len(re.findall(r"plays (șeptar|optar|nouar|doiar|treiar|zecar|pătrar|as) (roșu|dubă|verde|ghindă)", out)) == 32
    assert not re.search(r"[♣♦♥♠]", out)


def test_pictures_of_every_position(replay, deal_of_101, tmp_path):
    path, decisions = deal_of_101
    code, _, err = replay(path, "--pictures", tmp_path / "a" / "pictures", "--seat", 1, "--cards", "hungarian")
    assert (code, err) == (0, "")
    names = sorted(each.name for each in (tmp_path / "a" / "pictures").iterdir())
    assert names == [f"game-1-{k:03}.png" for k in range(decisions + 1)]
    with Image.open(tmp_path / "a" / "pictures" / names[0]) as picture:
        assert picture.size == (1280, 880)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--game", 3), "holds 2 games, and --game is 3"),
        (("--seat", 3), "--seat is 3, and seats of game 2 are 0 … 2"),
        (("--cards", "tarot"), "no card style 'tarot'"),
        (("--cards", "hungarian"), "card style 'hungarian' is for packs of 7 8 9 J Q T K A"),
        (("--pictures", __file__), "is a file, not a folder"),
    ],
)
def test_wrong_arguments_are_refused_in_one_line(replay, file, arguments, message):
    code, _, err = replay(file, *arguments)
    assert code == 2
    assert err.count("\n") == 1
    assert message in err


def test_files_that_hold_no_games_are_refused_in_one_line(replay, file, tmp_path):
    whole = file.read_text()
    spoiled = json.dumps(asdict(game(1)) | {"returns": [0.0, 0.0, 0.0, 0.0]})
    for content, message in (
        ("", "holds 0 games"),
        ("hello\n", "line 1: no JSON object"),
        (whole[:-30], "line 2: no JSON object"),
        (spoiled, "line 1: returns are"),
    ):
        path = tmp_path / "other.jsonl"
        path.write_text(content)
        code, _, err = replay(path)
        assert code == 2
        assert err.count("\n") == 1
        assert message in err
    code, _, err = replay(tmp_path / "nowhere.jsonl")
    assert code == 2
    assert "nowhere.jsonl" in err
