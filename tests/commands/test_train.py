"""`tromf train`: what it writes, and what it refuses."""

import json
import os
import signal
import time

import pytest
import yaml

from tests.commands.test_main import run, start
from tromf.train import config as configs

TINY = {
    "game": "mustamaija",
    "decisions": 1000,
    "games": 16,
    "opponents": {"journeyman": 0.5},
    "network": {"hidden": [8], "precision": "float32"},
    "ppo": {"segment": 16, "epochs": 1, "minibatch": 128},
    "evaluation": {"every": 500, "deals": 2},
}


@pytest.fixture
def tiny(tmp_path):
    path = tmp_path / "tiny.yaml"
    path.write_text(yaml.safe_dump(TINY))
    return str(path)


def test_training_and_resuming(capsys, tmp_path, tiny):
    folder = tmp_path / "runs" / "x"
    code, out, err = run(capsys, "train", tiny, "--set", "players=3", "--seed", "5", "--out", str(folder))
    assert (code, err) == (0, "")
    assert f"best agent: {folder / 'best.safetensors'}" in out
    assert "100.0 %" in out
    saved = yaml.safe_load((folder / "config.yaml").read_text())
    assert (saved["players"], saved["seed"]) == (3, 5)
    assert json.loads((folder / "metrics.jsonl").read_text().splitlines()[-1])["decisions"] >= 1000
    assert run(capsys, "train", "--resume", str(folder))[0] == 0
    code, _, err = run(capsys, "train", tiny, "--resume", str(folder))
    assert code == 2
    assert "another configuration: there, players is 3, not None" in err
    code, _, err = run(capsys, "train", tiny, "--out", str(folder))
    assert code == 2
    assert "already holds a run" in err


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "give a configuration"),
        ("mustamaija/pppo", "no configuration 'mustamaija/pppo': there are minnesota_whist/"),
        ("missing.yaml", "no configuration file missing.yaml"),
        ("{folder}/list.yaml", "list.yaml is not a mapping"),
        ("{folder}/broken.yaml", "broken.yaml is not YAML"),
        ("{tiny} --set nonsense", "not of the form key=value"),
        ("{tiny} --set learning_rat=1", "learning_rat: unknown key; there are algorithm, average,"),
        ("{tiny} --set ppo.lamda=1", "ppo.lamda: unknown key; there are clip,"),
        ("{tiny} --set ppo.learning_rate.strat=1", "ppo.learning_rate.strat: unknown key; there are end, start, until"),
        ("{tiny} --set ppo.clip=no", "ppo.clip"),
        ("{tiny} --set ppo.clip=-1", "ppo.clip: input should be greater than 0"),
        ("{tiny} --set ppo.epochs=0.5", "ppo.epochs"),
        ("{tiny} --set game.name=x", "'game' holds no keys"),
        ("{tiny} --set decisions=null", "exactly one budget"),
        ("{tiny} --set workers=3", "16 games cannot be divided among 3 workers"),
        ("{tiny} --set opponents.journeyman=0.9 --set opponents.random=0.2", "sum to 1.1"),
        ("{tiny} --set opponents.nobody=0.1", "nobody"),
        ("{tiny} --set evaluation.opponent=nobody", "nobody"),
        ("{tiny} --set game=whist", "whist"),
        ("{tiny} --set players=9", "players"),
        ("{tiny} --set options.hand_size=7", "hand_size"),
        ("{tiny} --set options.hand_sice=5", "hand_sice"),
        ("{tiny} --out {folder}/list.yaml/x", "list.yaml"),
        ("--resume {folder}", "holds no run to resume"),
        ("--resume {folder} --seed 3", "leave out --set and --seed"),
        ("{tiny} --resume {folder} --out x", "leave out --out"),
    ],
)
def test_what_is_refused(line, message, capsys, tmp_path, tiny):
    (tmp_path / "list.yaml").write_text("[1, 2]")
    (tmp_path / "broken.yaml").write_text("a: [")
    before = sorted(each.name for each in tmp_path.iterdir())
    arguments = line.format(folder=tmp_path, tiny=tiny).split()
    out = [] if "--out" in line or "--resume" in line else ["--out", str(tmp_path / "out")]
    code, _, err = run(capsys, "train", *arguments, *out)
    assert code == 2
    assert err.count("\n") == 1
    assert message in err
    assert sorted(each.name for each in tmp_path.iterdir()) == before


def test_every_configuration_that_comes_with_the_package_is_valid():
    folder = configs.find("mustamaija/ppo").parent
    names = [path.stem for path in folder.glob("*.yaml") if path.stem != "maskable_ppo"]
    assert {"ppo", "demo", "mmd", "strength"} <= set(names)
    for name in names:
        assert configs.load(f"mustamaija/{name}", ["minutes=1", "seed=3"]).minutes == 1
        assert configs.load(f"mustamaija/{name}", ["decisions=1000000"]).minutes is None


def test_numbers_as_people_write_them():
    assert configs.override({}, ["ppo.learning_rate.start=1e-3"]) == {"ppo": {"learning_rate": {"start": 0.001}}}


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_ctrl_c_leaves_a_run_that_can_be_resumed(tmp_path, tiny):
    folder = tmp_path / "x"
    process = start("train", tiny, "--set", "decisions=100000000", "--out", str(folder))
    deadline = time.monotonic() + 100
    while time.monotonic() < deadline and not ((folder / "metrics.jsonl").exists() and (folder / "metrics.jsonl").stat().st_size):
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err.strip() == "tromf: interrupted"
    assert (folder / "checkpoint.npz").exists()


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("minutes=inf", "minutes: input should be a finite number"),
        ("minutes=true", "minutes: input should not be true"),
        ("ppo.kl=.nan", "ppo.kl: "),
        ("ppo.learning_rate.start=.inf", "ppo.learning_rate.start: "),
        ("seed=99999999999999999999", "seed: input should be less than"),
        ("evaluation.seed=-1", "evaluation.seed: "),
        ("algorithm=dqn", "no algorithm 'dqn': there are ppo, maskable_ppo"),
        ("minutes=2020-01-01", "minutes: "),
    ],
)
def test_numbers_that_are_none(setting, message, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, _, err = run(capsys, "train", "mustamaija/ppo", "--set", setting)
    assert (code, err.count("\n")) == (2, 1)
    assert message in err
    assert list(tmp_path.iterdir()) == []
