"""`tromf solve`: deals and recorded positions, the best cards, and what is refused."""

import json

import pytest

from tests.commands.test_main import run

ENDING = "N:AK2.QJ.T.7 Q43.K2.A.2 J65.A3.2.8 T98.T9.3.3"
SOLVE = ("solve", "minnesota-whist")


def test_a_deal_is_solved(capsys, tmp_path):
    code, out, err = run(capsys, *SOLVE, ENDING, "--trump", "H", "--json", str(tmp_path / "answer.json"))
    assert (code, err) == (0, "")
    assert "high, trumps ♥; seat 0 to lead" in out
    answer = json.loads((tmp_path / "answer.json").read_text())
    assert answer["cards"]["AS"] == 6
    assert answer["cards"]["2S"] == answer["cards"]["TD"] == 5
    assert answer["deal"] == ENDING


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (("AS KS/2S 3S/4S 5S/6S 7S",), "tricks of side 0"),
        (("AS KS/2S 3S/4S 5S/6S 7S", "--contract", "low"), "low; seat 0 to lead"),
        (("AS 2S/KS 3S//6S 7S", "--contract", "sola", "--soloist", "0", "--turn", "3"), "the solo is"),
        (("AS KS/2S 3S/4S 5S/6S 7S", "--contract", "dix", "--soloist", "N", "--turn", "S"), "made"),
        (("2C KS/2D 3S/4S/6S", "--laid", "9S 8S"), "seat 0 to play"),
    ],
)
def test_every_contract(more, says, capsys):
    code, out, err = run(capsys, *SOLVE, *more)
    assert (code, err) == (0, "")
    assert says in out


def test_positions_of_recorded_games(capsys, tmp_path):
    path = tmp_path / "games.jsonl"
    file = str(path)
    assert run(capsys, "evaluate", "minnesota", "expert", "journeyman", "--deals", "2", "--records", file)[0] == 0
    decisions = len(json.loads(path.read_text().splitlines()[0])["actions"])
    code, out, _ = run(capsys, *SOLVE, "--record", file, "--game", "1", "--after", str(decisions - 6))
    assert code == 0
    assert "to play" in out or "to lead" in out
    for after, says in (("0", "the cards are not yet being played"), (str(decisions), "the deal is over"), ("999", "--after is 999")):
        code, _, err = run(capsys, *SOLVE, "--record", file, "--after", after)
        assert code == 2
        assert says in err
    code, _, err = run(capsys, *SOLVE, "--record", file, "--game", "99")
    assert (code, err) == (2, f"tromf: {file} has no game 99\n")
    code, _, err = run(capsys, *SOLVE, "--record", file, "--game", str(10**20))
    assert (code, err) == (2, f"tromf: {file} has no game {10**20}\n")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ((*SOLVE, "AS KS/2S 3S"), "the deal has 2 hands"),
        ((*SOLVE, "AS KS/2S 3S/4S AS/6S 7S"), "the deal has 8 cards, and AS in more than one hand"),
        ((*SOLVE, "AS KS/2S 3S/4S/6S 7S"), "hands of 2, 2, 1, 2 cards"),
        ((*SOLVE, "AS/2S/4S/6S", "--contract", "nullo"), "no contract 'nullo': accepted are high, low, sola, dix"),
        ((*SOLVE, "AS/2S/4S/6S", "--contract", "sola"), "contract sola needs --soloist, the seat that plays alone: 0 … 3, or N, E, S, W"),
        ((*SOLVE, "AS/2S/4S/6S", "--after", "3"), "--after does not go with a DEAL, only with --record"),
        ((*SOLVE, "AS/2S/4S/6S", "--game", "2"), "--game does not go with a DEAL"),
        ((*SOLVE, "--record", "x.jsonl", "--trump", "H"), "--trump does not go with --record, which gives the whole position"),
        ((*SOLVE, "--record", "x.jsonl", "--won", "0"), "--won does not go with --record"),
        ((*SOLVE, "AS/2S/4S/6S", "--trump", "X"), "no trump 'X': accepted are C, D, H, S and none"),
        ((*SOLVE, "AS/2S/4S/6S", "--contract", "low", "--trump", "S"), "trumps in contract low: only a high hand has them"),
        ((*SOLVE, "AS/2S/4S/6S", "--turn", "5"), "no seat '5': accepted are 0 … 3, or N, E, S, W"),
        ((*SOLVE, "AS/2S/4S/6S", "--record", "x.jsonl"), "give one of them"),
        (SOLVE, "give one of them"),
        (
            ("solve", "mitza", "AS/2S/4S/6S"),
            "deals of mitza are not solved by this command (docs/endings.md has what is): accepted is minnesota-whist",
        ),
        (("solve", "bridge", "AS/2S/4S/6S"), "no game 'bridge'"),
    ],
)
def test_bad_input_is_one_line(line, says, capsys):
    code, _, err = run(capsys, *line)
    assert code == 2
    assert says in err
    assert err.count("\n") == 1


def test_a_deal_of_53_cards_is_refused(capsys):
    cards = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]
    hands = " / ".join(" ".join(cards[13 * k : 13 * k + 13]) for k in range(4))
    code, _, err = run(capsys, *SOLVE, hands + " 2C")
    assert code == 2
    assert "the deal has 53 cards, and 2C in more than one hand" in err
