"""`tromf bench` and `tromf warm`: what they measure and write; not how fast anything is."""

import json

import pytest

from tests.commands.test_main import run
from tromf.commands import bench, measured, speed
from tromf.envs import jit, registry

PLACE = "<!-- measured: speed -->\n<!-- end -->"
FIGURES = {
    **dict.fromkeys(bench.FIGURES, 21_500_000.0),
    "bare_to_main": 1.0,
    "observed_to_bare": 0.45,
    "dense_to_bare": 0.25,
    "agents": {"expert": 64_000.0},
    "threads": {"bare two_to_one": 1.8, "step two_to_one": 1.5},
    "training": {"training": 13_000.0, "arithmetic": 16_000.0, "training_to_arithmetic": 0.8},
    "start": {"import": 0.5, "first_step_warm": 1.0, "first_step_cold": 20.0},
    "rounds": 5,
    "seconds": 0.5,
    "load": [0.1, 1.2],
    "machine": {"processor": "a processor", "python": "3.11", "numba": "0.61", "numpy": "2.0", "cores": 2},
}


def test_every_game_is_measured():
    assert {speed.find_setting(name)[0].name for name in speed.settings()} == set(registry.names())
    for name in speed.settings():
        assert registry.setting(*speed.find_setting(name)) == name


def test_what_is_measured_once_is_measured_in_the_middle():
    first, second, third = registry.find(registry.names()[0])[0].measured
    assert speed.main_setting(speed.settings()) == speed.main_setting([third, second]) == second
    assert speed.main_setting([third, first]) == third


def test_settings_may_name_variants():
    game, variant, players = speed.find_setting("six-card-3p")
    assert (game.name, variant, players) == ("mustamaija", "six-card", 3)
    for wrong in ("mustamaija", "mustamaija-p", "4p", "whist-4p"):
        with pytest.raises(ValueError, match=r"^no (setting|game) "):
            speed.find_setting(wrong)


def test_measurements_are_interleaved():
    calls = []

    def chunk(name, decisions):
        def work():
            calls.append(name)
            return decisions, 1.0  # a second each, it says

        return work

    rates = speed.interleaved({"a": chunk("a", 10), "b": chunk("b", 5)}, rounds=3, seconds=2.0)
    assert calls == ["a", "b", *["a", "a", "b", "b"] * 3]
    assert speed.medians(rates) == {"a": 10.0, "b": 5.0}
    assert speed.ratio(rates, "b", "a") == 0.5


@pytest.mark.parametrize("name", speed.settings())
def test_every_chunk_makes_decisions(name):
    setting = speed.find_setting(name)
    chunks = [speed.bare(*setting), speed.stepped(*setting), speed.stepped(*setting, dense=True), speed.threaded(*setting, threads=2)]
    chunks += [speed.aec(*setting, wrapped=wrapped) for wrapped in (False, True)]
    chunks += [speed.rule_agent(*setting, spec) for spec in bench.RULE_AGENTS]
    for chunk in chunks:
        made = chunk()
        assert (made[0] if isinstance(made, tuple) else made) >= 100


def test_the_table_goes_between_its_markers():
    text = "before\n" + PLACE.replace("\n", "\nyesterday\n") + "\nafter\n"
    once = measured.filled(text, "speed", bench.markdown({"mustamaija-4p": FIGURES}))
    assert once.startswith("before\n<!-- measured: speed -->\n| decisions per second, one core | `bare` | `observed` |")
    assert once.endswith("<!-- end -->\nafter\n")
    assert "yesterday" not in once
    assert "\n| mustamaija-4p | 21.5 M |" in once
    assert measured.filled(once, "speed", bench.markdown({"mustamaija-4p": FIGURES})) == once
    with pytest.raises(ValueError, match="no place for nothing"):
        measured.filled(text, "nothing", "")


@pytest.mark.slow
def test_figures_of_a_tiny_run(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    readme, figures = tmp_path / "README.md", tmp_path / "bench.json"
    readme.write_text(PLACE, encoding="utf-8")
    tiny = ("--quick", "--rounds", "1", "--seconds", "0", "--settings", "mustamaija-2p")
    code, out, err = run(capsys, "bench", *tiny, "--json", str(figures), "--readme")
    assert (code, err) == (0, "")
    assert "first step" in out
    (found,) = json.loads(figures.read_text(encoding="utf-8")).items()
    assert found[0] == "mustamaija-2p"
    assert all(found[1][key] > 0 for key in bench.FIGURES)
    assert set(found[1]) == set(FIGURES)
    assert "| mustamaija-2p |" in readme.read_text(encoding="utf-8")


@pytest.mark.slow
def test_warm_says_what_it_did(capsys):
    code, out, _ = run(capsys, "warm")
    assert code == 0
    assert "mustamaija: training" in out
    assert str(jit.CACHE_DIR) in out
    assert run(capsys, "warm", "--quiet") == (0, "", "")
