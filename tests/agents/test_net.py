"""Networks that play: files, batches, and choices."""

import json

import numpy as np
import pytest
import torch

from tromf import agents
from tromf.agents import inputs, net, weights
from tromf.agents.net import NetAgent, Network
from tromf.envs import BatchEnv, registry

GAME, _ = registry.find("mustamaija")


def network(precision="float32", hidden=(16, 16), seed=0):
    made = Network(GAME, range(0, GAME.bits, 2), hidden, precision)
    made.initialise(torch.Generator().manual_seed(seed))
    torch.nn.init.normal_(made.policy.weight, generator=torch.Generator().manual_seed(seed))
    return made


def decisions(n, rows=None):
    env = BatchEnv(GAME, n)
    env.reset(seeds=5)
    return env.decisions(rows)


def test_inputs_are_the_bits_of_the_columns():
    env = BatchEnv(GAME, 50)
    env.reset(seeds=3)
    for precision in net.PRECISIONS:
        read = network(precision).read(env.observations).float().numpy()
        assert np.array_equal(read, env.dense()[:, ::2])


@pytest.mark.parametrize("precision", net.PRECISIONS)
@pytest.mark.parametrize("greedy", [False, True])
def test_a_decision_does_not_depend_on_its_batch(precision, greedy):
    agent = NetAgent("net", network(precision), greedy)
    whole = decisions(600)
    actions = agent.act(whole)
    assert (whole.masks >> actions.astype(np.uint64) & np.uint64(1)).all()
    for rows in (np.arange(1), np.arange(599, 200, -7), np.array([255, 256, 257])):
        assert np.array_equal(agent.act(decisions(600, rows)), actions[rows])


def test_sampling_follows_the_policy():
    n = 40_000
    logits = np.tile(np.array([[0.0, 1.0, 2.0, 5.0, -1.0]], np.float32), (n, 1))
    masks = np.full(n, 0b10111, np.uint64)
    draws = np.random.default_rng(0).integers(0, 2**64, n, np.uint64)
    actions, log_probabilities = np.zeros(n, np.int64), np.zeros(n, np.float32)
    inputs.sample(logits, masks, draws, actions, log_probabilities)
    wanted = np.exp([0.0, 1.0, 2.0, -np.inf, -1.0])
    wanted /= wanted.sum()
    assert np.bincount(actions, minlength=5) / n == pytest.approx(wanted, abs=0.01)
    assert np.allclose(log_probabilities, np.log(wanted[actions]), atol=1e-5)
    inputs.best(logits, masks, actions)
    assert (actions == 2).all()


def test_sampling_uses_the_draws_of_the_batch_alone():
    agent = NetAgent("net", network())
    first = agent.act(decisions(100))
    torch.manual_seed(1)
    assert np.array_equal(agent.act(decisions(100)), first)


def test_a_file_plays_like_the_network_it_holds(tmp_path):
    path = tmp_path / "agent.safetensors"
    net.save(path, GAME, network("bfloat16"), decisions="7")
    assert weights.read(path, GAME)[1]["decisions"] == "7"
    batch = decisions(300)
    for spec, greedy in ((f"{path}", False), (f"net:{path},greedy=true", True)):
        agent = agents.make(spec, GAME)
        assert agent.spec == spec
        assert np.array_equal(agent.act(batch), NetAgent("x", network("bfloat16"), greedy).act(batch))


def test_what_is_refused(tmp_path):
    path = tmp_path / "agent.safetensors"
    made = network()
    net.save(path, GAME, made)
    with pytest.raises(ValueError, match="greedy is 3: accepted are true and false"):
        agents.make(f"{path},greedy=3", GAME)
    for change in ({"hidden": ["x"]}, {"precision": "int8"}, {"columns": [GAME.bits]}, {"hidden": None}, {"columns": "abc"}):
        header = weights.header_for(GAME, "net", made.config | change)
        weights.save(path, made.state_dict(), header)
        with pytest.raises(ValueError, match=r"agent\.safetensors: its configuration describes no network"):
            agents.make(str(path), GAME)
    weights.save(path, made.state_dict(), weights.header_for(GAME, "net", json.loads("[]")))
    with pytest.raises(ValueError, match="describes no network"):
        agents.make(str(path), GAME)
    weights.save(path, made.state_dict(), weights.header_for(GAME, "net", made.config | {"hidden": [16]}))
    with pytest.raises(ValueError, match="does not fit"):
        agents.make(str(path), GAME)
