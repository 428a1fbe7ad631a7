"""`tromf demo` from end to end, with seconds of training, and what it does with a folder that is there already."""

import json

import pytest

from tests.commands.test_main import run
from tromf.commands import demo


@pytest.mark.slow
def test_the_demo_writes_a_report_plots_and_the_agent(capsys, tmp_path):
    folder = tmp_path / "runs" / "demo"
    for seed in ("1", "2"):  # the second replaces the first
        code, out, _ = run(capsys, "demo", "--minutes", "0.01", "--deals", "3", "--seed", seed, "--out", str(folder))
        assert code == 0
        assert f"report: {folder / 'report.md'}" in out
        assert json.loads((folder / "result.json").read_text(encoding="utf-8"))["seed"] == int(seed)
    assert [path.name for path in folder.parent.iterdir()] == ["demo"]
    report = (folder / "report.md").read_text(encoding="utf-8")
    assert report.startswith(f"# {demo.TITLE}\n")
    for name in ("trained, greedy", "trained, sampling", *demo.BASELINES):
        assert f"`{name}`" in report
        assert name in out
    assert {"losses.png", "training.png", demo.AGENT, "metrics.jsonl"} <= {path.name for path in folder.iterdir()}
    assert run(capsys, "evaluate", "mustamaija", str(folder / demo.AGENT), "random", "--deals", "2")[0] == 0


def test_other_folders_are_left_alone(capsys, tmp_path):
    (tmp_path / "report.md").write_text("# mine\n", encoding="utf-8")
    code, _, err = run(capsys, "demo", "--out", str(tmp_path))
    assert code == 2
    assert "something else than a demo" in err
    assert run(capsys, "demo", "--out", str(tmp_path / "report.md"))[0] == 2
    assert (tmp_path / "report.md").read_text(encoding="utf-8") == "# mine\n"


def test_a_demo_that_fails_leaves_the_old_one(tmp_path):
    old = tmp_path / "demo"
    old.mkdir()
    (old / "report.md").write_text(f"# {demo.TITLE}\nold\n", encoding="utf-8")
    demo.check_replaceable(old)

    def interrupted():
        with demo.replacing(old) as folder:
            (folder / "report.md").touch()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert [path.name for path in tmp_path.iterdir()] == ["demo"]
    assert (old / "report.md").read_text(encoding="utf-8").endswith("old\n")
    with demo.replacing(old) as folder:
        (folder / "new").touch()
    assert [path.name for path in old.iterdir()] == ["new"]
    assert [path.name for path in tmp_path.iterdir()] == ["demo"]
