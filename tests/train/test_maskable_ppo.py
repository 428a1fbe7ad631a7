"""MaskablePPO on our VecEnv, and its exported policy as an agent."""

import json
import os
import signal
import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from tromf import agents
from tromf.agents import sb3, weights
from tromf.agents.play import play, returns
from tromf.envs import BatchEnv, registry
from tromf.train import maskable_ppo

GAME, _ = registry.find("mustamaija")
SMALL = ["decisions=512", "players=3", "games=8", "opponents=[random]", "network.hidden=[16]"]
SMALL += ["ppo.segment=32", "ppo.minibatch=128", "ppo.epochs=1"]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A small training run: its folder."""
    folder = tmp_path_factory.mktemp("run")
    seen = []
    path = maskable_ppo.train(maskable_ppo.load("mustamaija/maskable_ppo", SMALL), folder, seen.append)
    assert path == folder / "agent.safetensors"
    assert [metrics["decisions"] for metrics in seen] == [256, 512]
    assert [metrics["progress"] for metrics in seen] == [0.5, 1.0]
    assert seen[1]["entropy"] > 0
    return folder


def test_what_a_run_leaves(run):
    header = weights.read(run / "agent.safetensors", GAME, "sb3")[1]
    assert json.loads(header["config"]) == {"hidden": [16], "activation": "relu"}
    assert header["decisions"] == "512"
    assert maskable_ppo.load(str(run / "config.yaml")) == maskable_ppo.load("mustamaija/maskable_ppo", SMALL)
    assert (run / "progress.json").read_text().count("\n") >= 1
    assert not list(run.glob("*.zip"))
    assert not list(run.glob("*.pkl"))


@pytest.mark.parametrize("activation", ["relu", "tanh"])
def test_the_agent_decides_as_the_model_did(tmp_path, activation):
    from sb3_contrib import MaskablePPO

    from tromf.envs.sb3 import SeatVecEnv

    env = SeatVecEnv("mustamaija", 4)
    kinds = {"net_arch": [16, 8], "activation_fn": sb3.ACTIVATIONS[activation]}
    model = MaskablePPO("MlpPolicy", env, n_steps=8, batch_size=32, policy_kwargs=kinds, seed=1, device="cpu")
    sb3.save(tmp_path / "m.safetensors", GAME, model)
    agent = agents.make(f"sb3:{tmp_path}/m.safetensors,greedy=true", GAME)
    batch = BatchEnv("mustamaija", 300)
    batch.reset(0)
    for _ in range(5):
        masks = (batch.masks[:, None] >> np.arange(60, dtype=np.uint64) & np.uint64(1)).astype(bool)
        expected = model.predict(batch.dense(), action_masks=masks, deterministic=True)[0]
        chosen = agent.act(batch.decisions())
        assert (chosen == expected).mean() > 0.99  # logits closer than the last bits may be told apart differently
        batch.step(chosen)


def test_decisions_do_not_depend_on_the_batch(run):
    agent = agents.make(f"sb3:{run}/agent.safetensors", GAME)
    batch = BatchEnv("mustamaija", 600, players=3)
    batch.reset(0)
    together = agent.act(batch.decisions())
    parts = [agent.act(batch.decisions(rows)) for rows in np.array_split(np.arange(600), 7)]
    assert (together == np.concatenate(parts)).all()
    assert len(set(together.tolist())) > 5


def test_the_agent_plays_whole_games(run):
    states = GAME.states(20, None, players=3)
    batch = BatchEnv("mustamaija", 20, players=3)
    batch.reset(1)
    states[:] = batch.states
    team = [agents.make(f"sb3:{run}/agent.safetensors", GAME), agents.make("journeyman", GAME)]
    play(GAME, states, team, np.tile([0, 1, 1], (20, 1)))
    assert returns(states, 3).sum(1) == pytest.approx(np.zeros(20))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (["nonsense=1"], "nonsense: unknown key; there are"),
        (["ppo.nonsense=1"], "ppo.nonsense: unknown key"),
        (["games=0"], "games"),
        (["games=7"], "no multiple of the minibatch"),
        (["network.activation=step"], "network.activation"),
        (["opponents=[]"], "opponents"),
        (["minutes=null"], "exactly one budget"),
    ],
)
def test_bad_configurations(settings, message):
    with pytest.raises(ValueError, match=message) as error:
        maskable_ppo.load("mustamaija/maskable_ppo", settings)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (["opponents=[nobody]"], "no agent 'nobody'"),
        (["opponents=[random,random]"], "a list of 3 agents"),
        (["players=9"], "players"),
        (["game=poker"], "no game 'poker'"),
        (["options={nonsense: 1}"], "no option 'nonsense'"),
    ],
)
def test_what_a_configuration_names_must_exist(tmp_path, settings, message):
    with pytest.raises(ValueError, match=message):
        maskable_ppo.train(maskable_ppo.load("mustamaija/maskable_ppo", settings), tmp_path / "run")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(("settings", "message"), [(",greedy=maybe", "greedy is 'maybe'"), (",temperature=2", "temperature")])
def test_bad_settings_of_the_agent(run, settings, message):
    with pytest.raises(ValueError, match=message):
        agents.make(f"sb3:{run}/agent.safetensors{settings}", GAME)


def test_files_that_are_no_such_policy(run, tmp_path):
    tensors, header = weights.read(run / "agent.safetensors", GAME)
    path = tmp_path / "x.safetensors"
    for config in ('{"hidden": [16]}', '{"hidden": ["a"], "activation": "relu"}', '{"hidden": [16], "activation": "step"}', "3"):
        weights.save(path, tensors, header | {"config": config})
        with pytest.raises(ValueError, match="describes no network"):
            agents.make(f"sb3:{path}", GAME)
    weights.save(path, tensors, header | {"config": '{"hidden": [17], "activation": "relu"}'})
    with pytest.raises(ValueError, match=r"'action.weight' is"):
        agents.make(f"sb3:{path}", GAME)
    weights.save(path, tensors, header | {"kind": "net"})
    with pytest.raises(ValueError, match="kind 'net'"):
        agents.make(f"sb3:{path}", GAME)


def test_a_folder_that_holds_a_run_is_left_alone(run):
    before = (run / "agent.safetensors").read_bytes()
    with pytest.raises(ValueError, match="already holds a run"):
        maskable_ppo.train(maskable_ppo.load("mustamaija/maskable_ppo", SMALL), run)
    assert (run / "agent.safetensors").read_bytes() == before


def test_a_folder_with_a_run_of_the_other_algorithm_is_left_alone(tmp_path):
    (tmp_path / "config.yaml").touch()
    with pytest.raises(ValueError, match="already holds a run"):
        maskable_ppo.train(maskable_ppo.load("mustamaija/maskable_ppo", SMALL), tmp_path)
    assert [each.name for each in tmp_path.iterdir()] == ["config.yaml"]


@pytest.mark.slow
def test_what_was_learned_survives_an_interruption(tmp_path):
    settings = [part for setting in [*SMALL[1:], "minutes=5"] for part in ("--set", setting)]
    command = [sys.executable, "-m", "tromf", "train", "mustamaija/maskable_ppo", "--out", str(tmp_path / "run"), *settings]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert "training in" in process.stdout.readline()
    assert "decisions" in process.stdout.readline()  # the first segment has been played
    os.kill(process.pid, signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 130
    agents.make(f"sb3:{tmp_path}/run/agent.safetensors", GAME)
