"""Variants, solos and games in the faces: what single deals of the default variant, which the general tests play, do not meet."""

import copy
import pickle
from functools import partial

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from tests.envs import faces
from tests.envs.positions import random_states
from tromf.envs import BatchEnv, aec, minnesota_whist_v0, record, registry
from tromf.envs.conformance import check
from tromf.envs.gym import SeatEnv

GAME, _ = registry.find("minnesota-whist")
HOOKS = {"legal": faces.legal, "returns": faces.returns, "hidden": faces.hidden}
DEALS = [{"variant": variant} for variant in GAME.variants] + [{"variant": "south-dakota", "trumps": False, "solos": True}]
GAMES = [
    {"variant": "minnesota", "target": 1, "pack": "9", "max_deals": 8},
    {"variant": "askov", "target": 2, "max_deals": 4, "failed_solo_star": True},
    {"variant": "south-dakota", "target": 3, "max_deals": 5},
    {"variant": "penalty", "max_deals": 2},
]


def step_randomly(env, seed=0):
    """Legal actions until the end."""
    rng = np.random.default_rng(seed)
    while env.agents:
        *_, terminated, truncated, _ = env.last()
        if terminated or truncated:
            return
        env.step(int(rng.choice(np.flatnonzero(env.observe(env.agent_selection)["action_mask"]))))


@pytest.mark.parametrize("options", DEALS)
def test_conformance_of_deals(options):
    make = partial(aec.env, "minnesota-whist", **options)
    report = check(make, 1, 1, **HOOKS, payoff="end", deals=10, probes=2, skip=["leak"])
    assert report.ok, str(report)


@pytest.mark.parametrize("options", GAMES)
def test_conformance_of_games(options, capsys):
    make = partial(aec.env, "minnesota-whist", episode="game", **options)
    report = check(make, 1, 1, **HOOKS, payoff="end", deals=4, probes=2, skip=["leak"])
    assert report.ok, str(report)
    api_test(make(), 60)
    seed_test(make, 10)


@pytest.mark.parametrize("options", GAMES)
def test_a_record_of_a_game_plays_the_same_game(options, tmp_path):
    options = options | {"episode": "game"}
    variant = options.pop("variant")
    states, actions = random_states(2, variant, GAME, **options)
    made = record.of(GAME, variant, options, states[0], actions, ["random"] * 4)
    record.write(tmp_path / "games.jsonl", [made])
    (again,) = record.read(tmp_path / "games.jsonl")
    assert again == made
    assert (record.replay(again) == states).all()


def test_a_record_keeps_the_decks_that_were_given():
    options, decks = {"episode": "game", "max_deals": 3}, [list(GAME.pack.texts), list(GAME.pack.texts[::-1])]
    env = BatchEnv("minnesota-whist", 1, **options)
    env.reset(4, [decks], 1)
    start, actions = env.states[0].copy(), []
    while not env.done[0]:
        actions.append(int(env.masks[0]).bit_length() - 1)
        env.step(np.array(actions[-1:]))
    made = record.of(GAME, "minnesota", options, start, actions, ["a", "b", "a", "b"])
    assert made.deck == decks
    assert record.replay(made)[-1] == env.states[0]


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_in_the_middle_of_a_game_goes_on_alike(duplicate):
    env = minnesota_whist_v0.raw_env(variant="askov", episode="game", target=2, max_deals=30)
    env.reset(seed=1, options={"deck": [list(range(52)), list(range(52))[::-1]]})

    def step(each, k):
        actions = np.flatnonzero(each.observe(each.agent_selection)["action_mask"])
        each.step(int(actions[k % len(actions)]))

    for k in range(70):
        step(env, k)
    twin = duplicate(env)
    for k in range(5000):
        if any(env.terminations.values()) or any(env.truncations.values()):
            break
        step(env, k)
        step(twin, k)
        assert (env._states == twin._states).all()
        assert env.agent_selection == twin.agent_selection
    assert env.infos == twin.infos
    assert env.infos["player_0"]["outcome"]["deals"] > 1
    assert env.rewards == twin.rewards


def test_a_game_without_end_is_truncated_in_the_pettingzoo_face():
    env = aec.raw_env("minnesota-whist", episode="game", max_deals=1, target=100)
    env.reset(seed=0)
    step_randomly(env)
    assert all(env.truncations.values())
    assert not any(env.terminations.values())
    assert not any(env.rewards.values())
    assert env.infos["player_0"]["outcome"]["truncated"] is True


def test_an_illegal_action_costs_the_one_who_took_it():
    env = minnesota_whist_v0.env()
    env.reset(seed=0, options={"deck": list(range(52)), "dealer": 3})
    env.step(51)  # seat 0 holds 2C, 6C and so on
    assert {agent: env.rewards[agent] for agent in env.possible_agents} == {"player_0": -1, "player_1": 0, "player_2": 0, "player_3": 0}
    raw = minnesota_whist_v0.raw_env()
    raw.reset(seed=0, options={"deck": list(range(52)), "dealer": 3})
    with pytest.raises(aec.IllegalAction, match="AS") as raised:
        raw.step(51)
    assert "\n" not in str(raised.value)


def test_the_learner_plays_a_game_for_its_side():
    env = SeatEnv("minnesota-whist", episode="game", target=1, pack="T")
    for seed in range(10):
        _, info = env.reset(seed=seed)
        rewards, done = [], False
        while not done:
            _, reward, terminated, truncated, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
            rewards.append(reward)
            done = terminated or truncated
        assert not any(rewards[:-1])
        winner = info["outcome"]["winner"]
        assert rewards[-1] == (0 if winner is None else 1 if winner == info["seat"] % 2 else -1)


def test_decks_for_a_game_reach_the_gymnasium_face():
    env = SeatEnv("minnesota-whist", episode="game", target=1000)
    decks = [list(range(52)), list(range(52))[::-1]]
    _, info = env.reset(seed=0, options={"deck": decks, "dealer": 0})
    while env._solo.states["number"][0] < 1:
        _, _, _, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
    assert env._solo.states["deck"][0].tolist() == decks[1]
