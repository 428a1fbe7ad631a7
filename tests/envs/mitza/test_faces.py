"""Matches and exchanges in the faces: what single deals of the default variant, which the general tests play, do not meet."""

import copy
import pickle
from functools import partial

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from tests.envs import faces
from tests.envs.positions import random_states
from tromf.envs import BatchEnv, aec, record, registry
from tromf.envs.conformance import check
from tromf.envs.gym import SeatEnv

GAME, _ = registry.find("mitza")
HOOKS = {"legal": faces.legal, "returns": faces.returns, "hidden": faces.hidden}
MATCHES = [({"players": 2, "target": 130}), ({"players": 4, "target": 60, "check_stock": True}), ({"players": 6, "target": 1})]


@pytest.mark.parametrize("players", [2, 4, 6])
def test_conformance_of_101(players):
    make = partial(aec.env, "101", players=players)
    report = check(make, 1, 1, **HOOKS, payoff="end", deals=20, probes=2, skip=["leak"])
    assert report.ok, str(report)


@pytest.mark.parametrize("options", MATCHES)
def test_conformance_of_matches(options, capsys):
    make = partial(aec.env, "101", episode="match", **options)
    report = check(make, 1, 1, **HOOKS, payoff="end", deals=6, probes=2, skip=["leak"])
    assert report.ok, str(report)
    api_test(make(), 60)
    seed_test(make, 10)


@pytest.mark.parametrize("options", MATCHES)
def test_a_record_of_a_match_plays_the_same_match(options, tmp_path):
    options = options | {"episode": "match"}
    states, actions = random_states(2, "101", GAME, **options)
    made = record.of(GAME, "101", options, states[0], actions, ["random"] * options["players"])
    record.write(tmp_path / "matches.jsonl", [made])
    (again,) = record.read(tmp_path / "matches.jsonl")
    assert again == made
    assert (record.replay(again) == states).all()


def test_a_record_keeps_the_decks_that_were_given():
    options, decks = {"episode": "match", "target": 300}, [list(GAME.pack.texts), list(GAME.pack.texts[::-1])]
    env = BatchEnv("101", 1, **options)
    env.reset(4, [decks], 1)
    start, actions = env.states[0].copy(), []
    while not env.done[0]:
        actions.append(int(env.masks[0]).bit_length() - 1)
        env.step(np.array(actions[-1:]))
    made = record.of(GAME, "101", options, start, actions, ["a", "b"])
    assert made.deck == decks
    assert record.replay(made)[-1] == env.states[0]


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_in_the_middle_of_a_match_goes_on_alike(duplicate):
    env = aec.raw_env("101", players=4, episode="match", target=300)
    env.reset(seed=1, options={"deck": [list(range(32)), list(range(32))[::-1]]})

    def step(each, k):
        actions = np.flatnonzero(each.observe(each.agent_selection)["action_mask"])
        each.step(int(actions[k % len(actions)]))

    for k in range(20):
        step(env, k)
    twin = duplicate(env)
    for k in range(500):
        if any(env.terminations.values()):
            break
        step(env, k)
        step(twin, k)
        assert (env._states == twin._states).all()
        assert env.agent_selection == twin.agent_selection
    assert all(env.terminations.values())
    assert env.infos == twin.infos
    outcome = env.infos["player_0"]["outcome"]
    assert outcome["deals"] > 2
    assert max(outcome["score"]) >= 300
    assert env.rewards["player_0"] == env.rewards["player_2"] == (1 if outcome["winner"] == 0 else -1)


def test_the_learner_plays_a_match_for_its_side():
    env = SeatEnv("101", players=4, episode="match", target=50)
    for seed in range(10):
        _, info = env.reset(seed=seed)
        rewards, done = [], False
        while not done:
            _, reward, terminated, truncated, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
            rewards.append(reward)
            done = terminated or truncated
        assert not any(rewards[:-1])
        assert rewards[-1] == (1 if info["outcome"]["winner"] == info["seat"] % 2 else -1)


def test_decks_for_a_match_reach_the_gymnasium_face():
    env = SeatEnv("101", episode="match", target=1000)
    decks = [list(range(32)), list(range(32))[::-1]]
    _, info = env.reset(seed=0, options={"deck": decks, "dealer": 0})
    while env._solo.states["number"][0] < 1:
        _, _, _, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
    assert env._solo.states["deck"][0].tolist() == decks[1]
