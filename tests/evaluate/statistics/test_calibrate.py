"""benchmarks/calibrate.py at a small size, and what its page says."""

import re

import numpy as np
import pytest

from benchmarks import calibrate
from benchmarks.calibrate import Outcomes

BLOCK = Outcomes(np.array([-1.0, -1 / 3, 0, 1 / 3]), np.array([0.05, 0.15, 0.4, 0.4]))


def test_tilting_gives_the_mean_wanted_and_leaves_the_outcomes():
    for mean in (-0.2, 0, 0.1):
        tilted = BLOCK.tilted(mean)
        assert tilted.mean == pytest.approx(mean, abs=1e-9)
        assert tilted.chances.sum() == pytest.approx(1)
        assert (tilted.values == BLOCK.values).all()


def test_draws_have_the_chances():
    rng = np.random.default_rng(0)
    assert BLOCK.drawn(rng, 100, 1000).mean() == pytest.approx(BLOCK.mean, abs=0.01)
    assert BLOCK.counted(rng, 100, 1000).mean(axis=0) / 1000 == pytest.approx(BLOCK.chances, abs=0.01)


def test_the_simulated_test_is_the_one_that_is_played():
    """One match, from the same outcomes in the same order."""
    from tromf.evaluate.statistics import sequential

    for seed in range(5):
        rng = np.random.default_rng((seed, 1))
        verdict = sequential.decide(lambda first, end, rng=rng: BLOCK.drawn(rng, 1, end - first)[0], 0.08)
        better, worse, length = calibrate.tested(BLOCK, 0.08, 1, seed)
        assert verdict.better == {(1, 0): True, (0, 1): False}[better, worse]
        assert verdict.blocks == length


def test_figures_of_one_pair_are_sound():
    figures = calibrate.judge((("", "a", "b"), BLOCK, 200, 0))
    assert 0.9 < figures["A/A"] < 0.99
    assert 0.9 < figures["A/B"] < 0.99
    assert figures["alpha"] < 0.1
    assert figures["beta"] < 0.1
    assert 0.45 < figures["length 0"] < 0.7
    assert figures["power"] == pytest.approx(0.8, abs=0.1)
    assert calibrate.judge((("", "a", "b"), BLOCK, 200, 0)) == figures
    assert "| `s`, `a` against `b` |" in calibrate.tables({("s", "a", "b"): figures})


def test_what_is_not_as_said_is_named():
    good = {"A/A": 0.95, "A/B": 0.945, "alpha": 0.04, "beta": 0.05, "length 0": 0.55, "length 1": 0.6}
    assert calibrate.faults({("s", "a", "b"): good}) == []
    for key, value in {"A/A": 0.93, "A/B": 0.97, "alpha": 0.06, "beta": 0.051, "length 0": 0.7}.items():
        assert len(calibrate.faults({("s", "a", "b"): good | {key: value}})) == 1


def test_the_command_writes_its_page(tmp_path, monkeypatch, capsys):
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- measured: calibration -->\nold\n<!-- end -->\nafter\n")
    monkeypatch.setattr(calibrate, "PAGE", page)
    monkeypatch.setattr(calibrate, "pairs", lambda: [("mustamaija-4p", "expert", "journeyman")])
    monkeypatch.setattr(calibrate, "cores", lambda: 1)
    with pytest.raises(SystemExit):
        calibrate.main(["--matches", "50", "--played", "300", "--write"])
    text = page.read_text()
    assert text.startswith("before\n")
    assert text.endswith("\nafter\n")
    assert "old" not in text
    assert "python -m benchmarks.calibrate --matches 50 --played 300 --write" in text
    assert "50 matches" in capsys.readouterr().out


def test_the_figures_of_the_page_are_as_they_should_be():
    text = (calibrate.PAGE).read_text(encoding="utf-8")
    coverage, tests, _ = re.findall(r"(\| pair .*?)\n(?!\|)", text.partition("<!-- measured: calibration -->\n")[2], re.DOTALL)
    for row in coverage.splitlines()[2:]:
        assert all(94 <= float(cell.strip(" %")) <= 96 for cell in row.split("|")[-3:-1])
    for row in tests.splitlines()[2:]:
        assert all(float(cell.strip(" %")) <= 5 for cell in row.split("|")[3:5])
