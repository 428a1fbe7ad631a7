"""benchmarks/strength.py: the strength table, on a few deals."""

import pytest

from benchmarks import strength


def test_the_strength_table_of_the_rule_players(tmp_path, capsys):
    strength.main(["--deals", "20", "--out", str(tmp_path)])
    out = capsys.readouterr().out
    assert "python -m benchmarks.strength --deals 20" in out
    assert "| `beginner` |" in out
    assert "among 3 `journeyman`" in out
    assert "python -m benchmarks.strength" in (tmp_path / "report.md").read_text()


def test_games_without_a_loser_are_told_in_mean_returns(tmp_path, capsys):
    strength.main(["--setting", "101-4p", "--deals", "20", "--out", str(tmp_path)])
    out = capsys.readouterr().out
    assert "mean return for a deal" in out
    assert "against sides of `journeyman`" in out


def test_wrong_agents_are_noticed_before_anything_is_played(tmp_path, capsys):
    with pytest.raises(SystemExit):
        strength.main([str(tmp_path / "nowhere.safetensors"), "--out", str(tmp_path / "out")])
    assert "nowhere.safetensors" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_run_that_exists_is_not_overwritten(tmp_path, capsys):
    (tmp_path / "run").mkdir()
    with pytest.raises(SystemExit):
        strength.main(["--minutes", "1", "--out", str(tmp_path)])
    assert "exists" in capsys.readouterr().err
    (tmp_path / "101-2p" / "run").mkdir(parents=True)
    with pytest.raises(SystemExit):
        strength.main(["--readme", "101-4p", "101-2p", "--out", str(tmp_path)])
    assert "101-2p/run exists" in capsys.readouterr().err
    assert not (tmp_path / "101-4p").exists()


@pytest.mark.slow
def test_the_tables_of_the_readme(tmp_path, monkeypatch, capsys):
    text = strength.README.read_text(encoding="utf-8")
    page = tmp_path / "README.md"
    page.write_text(text, encoding="utf-8")
    monkeypatch.setattr(strength, "README", page)
    monkeypatch.setitem(strength.PLANS, "101-2p", strength.Plan(20, 0.02, "mitza/ppo"))
    strength.main(["--readme", "101-2p", "--out", str(tmp_path / "out")])
    written = page.read_text(encoding="utf-8")
    before, _, after = written.partition("<!-- measured: strength 101-2p -->\n")
    table, _, after = after.partition("<!-- end -->")
    assert "| trained for 0.02 minutes on" in table
    assert "20 deal blocks, deal set mitza-1" in table
    assert "`python -m benchmarks.strength --readme 101-2p`" in table
    assert text.startswith(before)
    assert text.endswith(after)
    for setting in strength.PLANS:
        assert f"<!-- measured: strength {setting} -->" in text
