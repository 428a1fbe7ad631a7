"""The probabilities that agents give are those with which they act."""

import numpy as np
import pytest

from tests.agents.test_net import network
from tromf.agents.base import Agent
from tromf.agents.net import NetAgent
from tromf.agents.registry import make
from tromf.envs import BatchEnv, registry

GAME, _ = registry.find("mustamaija")


def decisions(n=400, steps=8, **options):
    """Decisions some way into random games."""
    env = BatchEnv(GAME, n, skip_forced=True, **options)
    env.reset(seeds=9)
    player = make("random", GAME)
    for _ in range(steps):
        actions = np.zeros(n, np.int64)
        rows = np.flatnonzero(env.masks)
        actions[rows] = player.act(env.decisions(rows))
        env.step(actions)
    return env.decisions()


def test_random_is_uniform_over_the_legal_actions():
    batch = decisions()
    legal = batch.masks[:, None] >> np.arange(GAME.actions, dtype=np.uint64) & np.uint64(1)
    assert (make("random", GAME).probabilities(batch) == legal / np.bitwise_count(batch.masks)[:, None]).all()


@pytest.mark.parametrize("spec", ["beginner", "journeyman", "expert"])
def test_rule_agents_do_what_they_do(spec):
    batch, agent = decisions(), make(spec, GAME)
    given = agent.probabilities(batch)
    assert (given.sum(axis=1) == 1).all()
    assert (given.argmax(axis=1) == agent.act(batch)).all()


def test_a_rule_agent_that_draws_lots_says_so():
    batch = decisions(steps=40, players=2)
    with pytest.raises(ValueError, match="agent expert,patience=0 draws lots at some decisions"):
        make("expert,patience=0", GAME).probabilities(batch)


@pytest.mark.parametrize("rows", [400, 1, 257])
def test_networks_give_the_softmax_of_legal_logits(rows):
    batch = decisions(rows)
    agent = NetAgent("net", network())
    given = agent.probabilities(batch)
    assert given.shape == (len(batch), GAME.actions)
    assert np.allclose(given.sum(axis=1), 1, atol=1e-12)
    legal = (batch.masks[:, None] >> np.arange(GAME.actions, dtype=np.uint64) & np.uint64(1)).astype(bool)
    assert (given[~legal] == 0).all()
    assert (given[legal] > 0).all()
    logits = agent.network.logits(batch.observations).detach().numpy().astype(float)
    ratios = np.log(np.where(legal, given, 1)) - np.where(legal, logits, 0)
    spread = [ratios[k, legal[k]].max() - ratios[k, legal[k]].min() for k in range(len(batch))]
    assert max(spread) < 1e-4


def test_greedy_networks_take_one_action():
    batch, agent = decisions(), NetAgent("net", network(), greedy=True)
    assert (agent.probabilities(batch) == np.eye(GAME.actions)[agent.act(batch)]).all()


def test_other_agents_do_not_say():
    with pytest.raises(ValueError, match="agent agent does not say"):
        Agent().probabilities(decisions(4))
