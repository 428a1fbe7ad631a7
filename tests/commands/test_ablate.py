"""`tromf ablate`: what it prints and writes, and what it refuses."""

import json

import pytest

from tests.commands.test_main import run

FAST = ("ablate", "mustamaija", "expert", "--knobs", "hoard_attack,hoard_defence", "--against", "beginner", "--deals", "10")


def test_figures_are_printed_and_written(capsys, tmp_path):
    paths = tmp_path / "figures.json", tmp_path / "report"
    more = ("--against", "journeyman", "--seed", "3", "--players", "3", "--json", str(paths[0]), "--out", str(paths[1]))
    code, out, err = run(capsys, *FAST, *more)
    assert (code, err) == (0, "")
    assert "mustamaija, standard, 3 players, 10 deal blocks, seed 3" in out
    for part in (
        "Effects, among beginner",
        "Effects, among journeyman",
        "hoard_attack × hoard_defence",
        "The gap between expert and beginner",
    ):
        assert part in out
    assert f"report: {paths[1] / 'report.md'}" in out
    figures = json.loads(paths[0].read_text())
    assert figures == json.loads((paths[1] / "result.json").read_text())
    assert [each["against"] for each in figures["populations"]] == ["beginner", "journeyman"]
    assert [len(each["arms"]) for each in figures["populations"]] == [4, 4]


def test_levels_and_sides(capsys):
    line = "ablate south-dakota expert --knobs hoard_trumps --levels hoard_trumps=0,1,2 --against journeyman --deals 10"
    code, out, _ = run(capsys, *line.split())
    assert code == 0
    assert "Effects, against journeyman" in out
    assert "hoard_trumps 0 → 2" in out


def test_a_report_is_replaced_only_when_told_so(capsys, tmp_path):
    folder = ("--out", str(tmp_path))
    (tmp_path / "report.md").write_text("of something else")
    code, _, err = run(capsys, *FAST, *folder)
    assert (code, len(err.splitlines())) == (2, 1)
    assert f"{tmp_path} exists and is not empty: choose another folder" in err
    assert [each.name for each in tmp_path.iterdir()] == ["report.md"]
    assert run(capsys, *FAST, *folder, "--overwrite")[0] == 0
    assert (tmp_path / "report.md").read_text(encoding="utf-8") != "of something else"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("mustamaija expert --knobs hord", "no knob 'hord'"),
        ("mustamaija expert --knobs take,take", "knob 'take' is given twice"),
        ("mustamaija journeyman --knobs take", "only expert has knobs"),
        ("mustamaija expert --knobs take --against beginner --against beginner", "each population is given once"),
        ("mustamaija expert --knobs take --against nowhere.safetensors", "nowhere.safetensors"),
        ("mustamaija expert --knobs take --levels take", "levels 'take' are not of the form KNOB=0,1,2"),
        ("mustamaija expert --knobs take --levels take=0,,1", "not of the form"),
        ("mustamaija expert --knobs take --levels take=0,1 --levels take=0,1", "levels of 'take' are given twice"),
        ("mustamaija expert --knobs take --levels take=0,2", "knob 'take' is 2: accepted are 0 or 1"),
        ("mustamaija expert --knobs take --levels take=[,1", "not YAML"),
        ("mustamaija expert --knobs take --deals 1", "deals"),
        ("mustamaija expert", "--knobs"),
        ("mustamaija expert --knobs take --json /dev", "/dev"),
        ("mustamaija expert --knobs take --out /dev/null", "/dev/null"),
    ],
)
def test_what_cannot_be_is_refused(line, message, capsys):
    code, out, err = run(capsys, "ablate", *line.split())
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.splitlines()) == 1
