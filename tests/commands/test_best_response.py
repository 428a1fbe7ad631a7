"""`tromf best-response`: what a learner gains, that an interrupted one goes on, and what is refused."""

import json

import pytest
import yaml

from tests.commands.test_main import run
from tests.pages import whole_page
from tromf.envs import registry
from tromf.train import response
from tromf.train import run as training

SMALL = {
    "game": "mustamaija",  # replaced, like all else that says where and against whom
    "decisions": 5,
    "games": 64,
    "opponents": {"journeyman": 0.5, "past": 0.5},
    "network": {"hidden": [32], "precision": "float32"},
    "ppo": {"segment": 32, "epochs": 4, "minibatch": 256, "learning_rate": {"start": 0.005, "end": 0.002}},
    "evaluation": {"every": 8000, "deals": 20},
}


@pytest.fixture
def config(tmp_path):
    path = tmp_path / "small.yaml"
    path.write_text(yaml.safe_dump(SMALL))
    return str(path)


def asked(config, folder, *more, agent="random", decisions=50_000):
    line = f"best-response 101 {agent} --players 2 --decisions {decisions} --deals 60 --seed 3 --config {config} --out {folder}"
    return (*line.split(), *more)


def test_a_learner_gains_against_random_and_says_what_it_took(capsys, tmp_path, config):
    folder = tmp_path / "response"
    code, out, err = run(capsys, *asked(config, folder, "--json", str(tmp_path / "figures.json")))
    assert (code, err) == (0, "")
    assert "best-response gain against random: +" in out
    assert f"report: {folder / 'report.md'}" in out
    found = json.loads((folder / "result.json").read_text())
    assert found == json.loads((tmp_path / "figures.json").read_text())
    assert found["low"] > 0
    assert found["decisions"] >= 50_000
    assert found["configuration"]["opponents"] == {"random": 1.0}
    assert len(found["curve"]) > 1
    assert "a lower bound" in (folder / "report.md").read_text()
    assert {each.name for each in folder.iterdir()} == {"report.md", "report.html", "result.json", "curve.png", "run", "evaluation"}
    page = whole_page(folder)
    assert (len(page.loads), page.links) == (1, ["evaluation/report.html"])
    assert page.tables[0][:3] == ["checkpoint", "gain there", "best, greedy"]
    code, _, err = run(capsys, *asked(config, folder))
    assert code == 2
    assert "is not empty" in err
    assert run(capsys, *asked(config, folder, "--overwrite", decisions=2000))[0] == 0


def test_an_interrupted_one_goes_on_with_the_same_result(capsys, tmp_path, config, monkeypatch):
    whole, stopped = tmp_path / "whole", tmp_path / "stopped"
    assert run(capsys, *asked(config, whole, decisions=4000))[0] == 0
    measure = training.start

    def stop(*arguments):
        measure(*arguments)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(training, "start", stop)
        assert run(capsys, *asked(config, stopped, decisions=4000))[0] == 130
    assert not (stopped / "report.md").exists()
    code, _, err = run(capsys, *asked(config, stopped, agent="beginner", decisions=4000))
    assert code == 2
    assert "\n" not in err.strip()
    assert run(capsys, *asked(config, stopped, decisions=4000))[0] == 0
    one, other = (json.loads((folder / "result.json").read_text()) for folder in (whole, stopped))
    assert (one["gain"], one["choices"], one["result"]) == (other["gain"], other["choices"], other["result"])


def test_agents_of_any_kind_can_be_answered(capsys, tmp_path, config):
    code, out, err = run(capsys, *asked(config, tmp_path / "x", agent="ismcts,iterations=2", decisions=300))
    assert (code, err) == (0, "")
    assert "best-response gain against ismcts,iterations=2" in out


@pytest.mark.parametrize(("game", "players"), [("mustamaija", 4), ("mustamaija", 2), ("101", 4)])
def test_the_learner_meets_the_agent_alone(game, players):
    found, variant = registry.choose(game, None)
    config = response.configuration(found, variant or next(iter(found.variants)), {"players": players}, "expert", minutes=2.0, seed=7)
    assert config.opponents == {"expert": 1.0}
    assert (config.players, config.minutes, config.decisions, config.seed) == (players, 2.0, None, 7)
    assert config.evaluation.opponent == "expert"
    assert config.evaluation.seed != config.seed


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("101 random", "give exactly one budget, --minutes or --decisions"),
        ("101 random --minutes 1 --decisions 9", "give exactly one budget"),
        ("101 random --decisions 9 --overwrite", "--overwrite is for the folder of --out: give both"),
        ("101 exprt --decisions 9", "did you mean 'expert'"),
        ("chess expert --decisions 9", "no game 'chess'"),
        ("101 nowhere.safetensors --decisions 9", "nowhere.safetensors"),
        ("101 random --decisions 9 --config mitza/pp", "mitza/pp"),
    ],
)
def test_bad_input_is_one_line(line, says, capsys, tmp_path):
    out = () if "--overwrite" in line else ("--out", str(tmp_path / "x"))
    code, _, err = run(capsys, "best-response", *line.split(), *out)
    assert code == 2
    assert says in err
    assert err.count("\n") == 1
    assert not (tmp_path / "x").exists()
