"""`tromf play`: whole games through piped input, every answer to what is typed, scores, records."""

import io
import os
import re
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from tromf.__main__ import main
from tromf.agents.base import Agent
from tromf.commands.session import Session, opponents_by_seat
from tromf.envs import record, registry

SEED = ("--seed", "3")  # seat 0 attacks first and holds 8C JC JD 4S 9S


@pytest.fixture
def play(monkeypatch, capsys):
    """Run `tromf play mustamaija` with lines of input, against journeymen unless others are named; exit code, output, errors."""

    def run(lines, *arguments, game="mustamaija"):
        if "--opponents" not in arguments:
            arguments += ("--opponents", "journeyman")
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        with pytest.raises(SystemExit) as left:
            main(["play", game, *map(str, arguments)])
        captured = capsys.readouterr()
        return left.value.code or 0, captured.out, captured.err

    return run


def asked(out):
    """What was typed after each prompt."""
    return re.findall(r"^your move: (.*)$", out, re.MULTILINE)


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--players", 2, "--opponents", "journeyman"),
        ("--players", 6, "--seat", 5, "--opponents", "random"),
        ("--variant", "three-card-declared", "--players", 8, "--seat", 2, "--opponents", "beginner"),
        ("--variant", "house", "--players", 3, "--opponents", "journeyman", "--opponents", "random"),
        ("--option", "hand_size=6", "--cards", "letters"),
    ],
)
def test_a_whole_game_through_piped_input(play, arguments):
    code, out, err = play(["1"] * 2000, *SEED, *arguments)
    assert (code, err) == (0, "")
    assert re.search(r"(you lose|seat \d loses)$", out.rstrip())
    assert set(asked(out)) == {"1"}


def test_moves_by_number_text_card_and_several_at_once(play):
    _, out, _ = play(["lay 8c", "2", "quit"], *SEED)
    assert "you draw" in out
    _, by_text, _ = play(["lay 8C", "done", "quit"], *SEED)
    assert out.split("you draw")[1].replace("goodbye", "") == by_text.split("you draw")[1].replace("goodbye", "")
    for line in ("8♣ JC done", "8c, lay jc, done", "lay 8C jc"):
        _, out, _ = play([line, "quit"], *SEED)
        assert asked(out)[0] == line
        assert "seat 1 beats 8C with" in out or "seat 1 takes 8C" in out
        assert "JC" in out.split("is turned up")[1]


def test_ten_may_be_typed_as_ten():
    from tests.envs.positions import GAME, after
    from tromf.agents.human import understood

    state = after(0, 1)
    ten = GAME.pack.number("TH")
    for typed in ("10h", "TH", "10♥", "lay th", "lay 10H"):
        assert understood(GAME, state, typed, [3, ten]) == ten


def test_the_table_is_shown_with_sorted_hands_and_nothing_hidden(play):
    _, out, _ = play(["quit"], *SEED)
    assert "> seat 0  attacker  8♣ J♣  J♦  4♠ 9♠  5 cards" in out
    assert "  seat 1  defender  ▒▒▒▒▒ 5\n" in out
    _, out, _ = play(["quit"], *SEED, "--cards", "letters")
    assert "8C JC  JD  4S 9S" in out


def test_opponents_moves_are_told_in_one_line_each(play):
    _, out, _ = play(["1"] * 1000, *SEED)
    told = re.findall(r"^  (seat \d (?:lays|beats|takes) .*)$", out, re.MULTILINE)
    assert len(told) > 10
    card = "[2-9TJQKA][CDHS]"
    assert all(
        re.fullmatch(rf"seat [1-3] ((lays|takes) {card}( {card})*|beats {card} with {card}(, {card} with {card})*)", line) for line in told
    )
    assert any(re.fullmatch(rf"seat \d lays {card} {card}.*", line) for line in told)


def test_hungarian_cards_are_typed_as_they_are_shown(monkeypatch, capsys):
    class Lowest(Agent):
        def act(self, batch):
            return np.array([(mask & -mask).bit_length() - 1 for mask in batch.masks.tolist()])

    class Reader(io.StringIO):
        """Types the first move that is listed."""

        def readline(self, *_):
            said.append(capsys.readouterr().out)
            return re.findall(r"1 ((?:play )?\w+(?: \w+)?)", said[-1])[-1] + "\n"

    said = []
    monkeypatch.setattr(sys, "stdin", Reader())
    game, variant = registry.find("101")
    Session(game, variant, {"players": 4}, [None, Lowest(), Lowest(), Lowest()], 0, cards="hungarian").play(1, 3)
    out = "".join(said) + capsys.readouterr().out
    typed = asked(out)
    assert len(typed) > 5
    assert all(
        re.fullmatch(r"play (șeptar|optar|nouar|doiar|treiar|zecar|pătrar|as) (roșu|dubă|verde|ghindă)", each)
        for each in typed
        if "play" in each
    )
    assert re.search(r"wins? the deal, \d+ points to \d+|the deal is equal, 60 points each", out)
    assert not re.search(r"\b[789JQKTA][CDHS]\b|[♣♦♥♠]", out)


def test_forced_decisions_are_played_and_said(play):
    _, out, _ = play(["8C", "JC", "quit"], *SEED)
    assert "you have one choice: done" in out
    _, out, _ = play(["8C", "JC", "quit"], *SEED, "--ask-forced")
    assert "you have one choice" not in out
    assert "attack:   1 done" in out


def test_a_question_mark_explains(play):
    _, out, _ = play(["?", "quit"], *SEED)
    assert "Lay cards of one suit" in out
    assert "hint asks" in out
    _, out, _ = play(["?", "1"] * 1000, *SEED)
    assert re.search("Beat .. with a higher card of its suit", out)
    assert "The stock is empty: at most" in out


def test_hint_names_a_legal_move(play):
    _, out, _ = play(["hint", "quit"], *SEED)
    assert re.search(r"^  \w+ advises: lay (8C|JC|JD|4S|9S)$", out, re.MULTILINE)


def test_undo_comes_back_to_the_same_question(play):
    _, out, _ = play(["8C", "done", "undo", "undo", "undo", "quit"], *SEED)
    tables = [part.split("your move")[0] for part in re.split(r"(?=^Mustamaija  )", out, flags=re.MULTILINE)[1:]]
    assert out.count("taken back") == 2
    assert out.count("there is nothing to take back") == 1
    assert tables[0] == tables[-1] == tables[-2]
    assert "8♣" in tables[0]


def test_a_game_goes_on_after_undo_as_if_nothing_had_been(play, tmp_path):
    path = tmp_path / "games.jsonl"
    play(["8C", "done", "undo", "undo", *["1"] * 1000], *SEED, "--record", path)
    play(["1"] * 1000, *SEED, "--record", path)
    one, other = record.read(path)
    assert one == other


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("foo", "no action 'foo': legal are lay 8C, lay JC, lay JD, lay 4S, lay 9S"),
        ("lay 2C", "'lay 2C' is not legal now; legal are lay 8C, lay JC, lay JD, lay 4S, lay 9S"),
        ("keep S", "'keep S' is not legal now; legal are lay 8C, lay JC, lay JD, lay 4S, lay 9S"),
        ("6", "no move 6: moves are 1 … 5"),
        ("0", "no move 0: moves are 1 … 5"),
        ("", "type a move or its number; ? explains"),
        ("[bold]", "no action '[bold]': legal are lay 8C, lay JC, lay JD, lay 4S, lay 9S"),
    ],
)
def test_unknown_moves_are_answered_by_one_line(play, typed, answer):
    code, out, _ = play([typed, "quit"], *SEED)
    assert code == 0
    assert out.split(f"your move: {typed}\n")[1] == f"  {answer}\nyour move: quit\ngoodbye\n"


def test_the_opponents_are_experts_unless_others_are_named(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    with pytest.raises(SystemExit):
        main(["play", "mustamaija"])
    assert "seat 0 you, seat 1 expert, seat 2 expert, seat 3 expert" in capsys.readouterr().out


def test_the_end_of_the_input_ends_politely(play):
    code, out, err = play([], *SEED)
    assert (code, err) == (0, "")
    assert out.endswith("goodbye\n")


def test_watching(play):
    code, out, _ = play([], *SEED, "--seat", "none", "--opponents", "expert")
    assert code == 0
    assert asked(out) == []
    assert "▒" not in out
    assert re.search(r"seat \d loses\n$", out)


def test_several_deals_with_scores(play, tmp_path):
    path = tmp_path / "games.jsonl"
    code, out, _ = play(["1"] * 3000, *SEED, "--deals", 3, "--record", path)
    assert code == 0
    assert out.count("after ") >= 3
    assert "golden helmets" in out
    records = list(record.read(path))
    assert [each.seed for each in records] == [3, 4, 5]
    assert [(each.dealer - records[0].dealer) % 4 for each in records] == [0, 1, 2]
    assert [each.agents for each in records] == [["human", "journeyman", "journeyman", "journeyman"]] * 3
    for each in records:
        record.replay(each)
    totals = np.sum([each.returns for each in records], axis=0)
    last = out.split("after 3 deals")[1]
    assert all(f"{total:+.2f}" in last for total in totals)


def test_three_losses_in_a_row_make_a_golden_helmet(capsys):
    game, _ = registry.find("mustamaija")
    session = Session(game, "standard", {"players": 3}, opponents_by_seat(game, 3, None, ["random"]), None)
    for loser in (1, 1, 2, 1, 1, 1):
        session.returns.append(np.array([-1.0 if seat == loser else 0.5 for seat in range(3)]))
        session.losers.append(loser)
    session._print_scores()
    cells = [[cell.strip() for cell in line.split("│")[1:-1]] for line in capsys.readouterr().out.splitlines() if "│ seat" in line]
    assert cells == [
        ["seat 0", "random", "+3.00", "0", "0", ""],
        ["seat 1", "random", "-4.50", "5", "3", "1"],
        ["seat 2", "random", "+1.50", "1", "0", ""],
    ]


def test_only_finished_deals_are_recorded(play, tmp_path):
    path = tmp_path / "games.jsonl"
    play(["1", "quit"], *SEED, "--record", path)
    assert list(record.read(path)) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--seat", "4"), "--seat is '4': accepted are 0 … 3, or none"),
        (("--seat", "me"), "--seat is 'me'"),
        (("--opponents", "experd"), "no agent 'experd' (did you mean 'expert'?)"),
        (("--opponents", "random", "--opponents", "random"), "--opponents is given 2 times"),
        (("--cards", "tarot"), "no card style 'tarot'"),
        (("--cards", "hungarian"), "card style 'hungarian' is for packs of 7 8 9 J Q T K A"),
        (("--players", "9"), "option 'players' is 9"),
        (("--variant", "sixcard"), "did you mean 'six-card'"),
        (("--record", "."), "."),
    ],
)
def test_wrong_arguments_are_refused_in_one_line(play, arguments, message):
    code, out, err = play([], *arguments)
    assert code == 2
    assert out == ""
    assert err.count("\n") == 1
    assert message in err


def test_ctrl_c_leaves_with_130():
    environment = os.environ | {"PYTHONUNBUFFERED": "1"}
    running = subprocess.Popen(
        [sys.executable, "-m", "tromf", "play", "mustamaija", *SEED],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment,
    )  # fmt: skip
    seen = ""
    while "your move" not in seen:
        seen += running.stdout.read(1)
    time.sleep(0.2)
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "Traceback" not in err


def test_a_terminal_without_letters_for_suits():
    line = [sys.executable, "-m", "tromf", "play", "mustamaija", *SEED, "--opponents", "random"]
    done = subprocess.run(
        line, input=b"quit\n", capture_output=True, env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"goodbye" in done.stdout


@pytest.mark.skipif(os.name == "nt", reason="file descriptors")
def test_closed_stdin_is_an_empty_one():
    line = [sys.executable, "-m", "tromf", "play", "mustamaija", *SEED, "--opponents", "random"]
    done = subprocess.run(line, capture_output=True, preexec_fn=lambda: os.close(0), check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"goodbye" in done.stdout
