"""`tromf evaluate`: what it prints and writes, and what it refuses."""

import json
import os
import signal
import time

import pytest

from tests.commands.test_main import run, start

FAST = ("evaluate", "mustamaija", "journeyman", "random", "--deals", "20")


def test_figures_are_printed_and_written(capsys, tmp_path):
    paths = tmp_path / "new" / "figures.json", tmp_path / "games.jsonl", tmp_path / "report"
    line = (*FAST, "--seed", "3", "--players", "3", "--json", str(paths[0]), "--records", str(paths[1]), "--out", str(paths[2]))
    code, out, err = run(capsys, *line)
    assert (code, err) == (0, "")
    assert "mustamaija, standard, 3 players, 20 deal blocks, seed 3" in out
    assert f"report: {paths[2] / 'report.md'}" in out
    figures = json.loads(paths[0].read_text())
    assert figures == json.loads((paths[2] / "result.json").read_text())
    assert [(row["agent"], row["against"]) for row in figures["rows"]] == [("journeyman", "random"), ("random", "journeyman")]
    assert len(paths[1].read_text().splitlines()) == 2 * 10 * 3


def test_the_same_seed_gives_the_same_file_with_any_number_of_threads(capsys, tmp_path):
    for threads in ("1", "2", "3"):
        assert run(capsys, *FAST, "--threads", threads, "--json", str(tmp_path / threads))[0] == 0
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes() == (tmp_path / "3").read_bytes()


def test_a_table_and_options(capsys):
    line = "evaluate three-card-declared journeyman random random beginner random --table --players 5 -o scoring=placing --deals 10"
    code, out, _ = run(capsys, *line.split(), "--seatings", "2")
    assert code == 0
    assert (
        "three-card-declared, scoring = placing, 5 players, 10 deal blocks, deal set mustamaija-1, 2 of 4 orders round the table"
        in " ".join(out.split())
    )
    assert "random random beginner random" in out


@pytest.mark.parametrize(
    ("line", "deals"),
    [
        ("mustamaija", "deal set mustamaija-1"),
        ("mustamaija --deal-set mustamaija-1", "deal set mustamaija-1"),
        ("mustamaija --seed 0", "seed 0"),
        ("mustamaija -o pack=7 --players 2", "seed 0"),
        ("101 --players 6", "deal set mitza-6p-1"),
        ("askov", "deal set minnesota-whist-1"),
    ],
)
def test_deals_come_from_the_set_of_the_game_unless_one_says_otherwise(line, deals, capsys, tmp_path):
    game, *more = line.split()
    code, out, _ = run(capsys, "evaluate", game, "beginner", "random", "--deals", "3", *more, "--json", str(tmp_path / "x.json"))
    assert code == 0
    assert f"3 deal blocks, {deals}" in " ".join(out.split())
    figures = json.loads((tmp_path / "x.json").read_text())
    assert figures["deal_set"] == (deals.removeprefix("deal set ") if "set" in deals else None)


def test_a_report_is_not_written_over(capsys, tmp_path):
    folder = str(tmp_path / "report")
    assert run(capsys, *FAST, "--out", folder)[0] == 0
    before = {path.name: path.read_bytes() for path in (tmp_path / "report").iterdir()}
    code, out, err = run(capsys, *FAST, "--out", folder)
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert "exists and is not empty: choose another folder" in err
    assert {path.name: path.read_bytes() for path in (tmp_path / "report").iterdir()} == before
    assert run(capsys, *FAST, "--out", folder, "--overwrite")[0] == 0
    assert (tmp_path / "report" / "blocks.parquet").read_bytes() == before["blocks.parquet"]
    assert (tmp_path / "report" / "result.json").read_bytes() == before["result.json"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("mustamaija random", "at least two different agents"),
        ("mustamaija random random", "given twice"),
        ("mustamaija random beginner journeyman --table", "3 agents does not fit mustamaija-4p: it has 4 seats"),
        ("mustamaija random beginner --json /dev", "/dev"),
        ("mustamaija random beginner --json /dev/null/x.json", "/dev/null"),
        ("mustamaija random beginner --records /dev/null/x.jsonl", "/dev/null"),
        ("mustamaija random beginner --out /dev/null", "/dev/null"),
        ("mustamaija random beginner --deals 0", "deals"),
        ("mustamaija random beginner --seed -1", "seed"),
        ("mustamaija random beginner --deal-set mustamaija-1 --seed 3", "a seed and a deal set are given"),
        ("mustamaija random beginner --deal-set mustamaija-2", "no deal set 'mustamaija-2': there are"),
        ("mustamaija random beginner --deal-set mitza-1", "deal set mitza-1 is for mitza, not for mustamaija"),
        ("mustamaija random beginner -o pack=7 --players 2 --deal-set mustamaija-1", "is for another pack"),
        ("mustamaija random beginner --deals 2000000", "deal set mustamaija-1 has 1,000,000 deal blocks"),
        ("mustamaija random beginner --seatings all", "give --table, too"),
        ("mustamaija random beginner random beginner --table --seatings few", "seatings are 'few'"),
        ("mustamaija random beginner --overwrite", "for the folder of --out"),
        ("mustamaija random beginner --batch 0", "batch"),
        ("101 random expert,hoard_attack=1", "hoard_attack"),
        ("mustamaija random {folder}/broken.safetensors", "broken.safetensors"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_written(line, message, capsys, tmp_path):
    (tmp_path / "broken.safetensors").write_bytes(b"no weights")
    places = [] if "--json" in line or "--out" in line or "--records" in line else ["--json", str(tmp_path / "x.json")]
    code, out, err = run(capsys, "evaluate", *line.format(folder=tmp_path).split(), *places)
    assert (code, out) == (2, "")
    assert message in err
    assert [each.name for each in tmp_path.iterdir()] == ["broken.safetensors"]


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_ctrl_c_while_playing(tmp_path):
    process = start("evaluate", "mustamaija", "journeyman", "beginner", "--deals", "1000000", "--json", str(tmp_path / "x.json"))
    time.sleep(6)
    process.send_signal(signal.SIGINT)
    try:
        _, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130
    assert err.splitlines()[-1] == "tromf: interrupted"
    assert list(tmp_path.iterdir()) == []
