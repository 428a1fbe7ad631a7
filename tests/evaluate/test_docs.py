"""What docs/evaluation.md says is so."""

import re
from pathlib import Path

from tromf import evaluate

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "evaluation.md").read_text(encoding="utf-8")


def test_the_example_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(compile(code.replace("blocks=500", "blocks=20"), "docs/evaluation.md", "exec"), {})
    assert "Estimate(value=" in capsys.readouterr().out
    assert (tmp_path / "runs" / "report" / "report.md").is_file()


def test_the_keys_of_the_json_are_those_of_the_page():
    section = re.search(r"## JSON\n(.*?)\n## ", PAGE, re.DOTALL)
    assert section
    top, row, difference, helmets, position, habit = (
        set(re.findall(r"\w+", keys)) for keys in re.findall(r"`\{(.*?)\}`", section[1], re.DOTALL)
    )
    value = evaluate.pairs("mustamaija", ["journeyman", "beginner", "random"], blocks=5, sample=2).to_json()
    assert (top, row) == (value.keys(), value["rows"][0].keys())
    assert (difference, helmets) == (value["differences"][0].keys(), value["helmets"][0].keys())
    assert (position, habit) == (value["positions"][0].keys(), value["habits"][0].keys())


def test_the_deal_sets_are_those_of_the_page():
    section = re.search(r"## Deal sets\n(.*?)\n## ", PAGE, re.DOTALL)
    assert section
    listed = re.findall(r"^\| `([\w-]+)`", section[1], re.MULTILINE)
    assert sorted(listed) == sorted(path.stem for path in (ROOT / "configs" / "deals").glob("*.yaml"))
