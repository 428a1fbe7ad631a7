"""Stable-Baselines3 face."""

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import VecMonitor

from tromf import agents
from tromf.envs import IllegalAction, registry
from tromf.envs.gym import SeatEnv
from tromf.envs.sb3 import SeatVecEnv

GAME, _ = registry.find("mustamaija")


@pytest.mark.parametrize("name", registry.names())
def test_the_checker_of_stable_baselines(name):
    check_env(SeatEnv(name), warn=True)


def test_masks_reach_maskable_ppo():
    env = SeatVecEnv("mustamaija", 6, seed=1)
    env.reset()
    assert is_masking_supported(env)
    masks = get_action_masks(env)
    assert masks.shape == (6, 60)
    assert masks.dtype == bool
    assert (np.array(env.env_method("action_masks", indices=[4, 1])) == masks[[4, 1]]).all()
    with pytest.warns(UserWarning, match="already wrapped with a `Monitor`"):  # infos tell of episodes without it
        assert get_action_masks(VecMonitor(env)).shape == (6, 60)
    assert env.has_attr("num_envs")
    assert not env.has_attr("nonsense")
    assert env.get_attr("game", indices=2) == [GAME]
    assert env.env_is_wrapped(Monitor) == [True] * 6
    with pytest.raises(AttributeError, match="no method 'nonsense'"):
        env.env_method("nonsense")


def test_every_return_reaches_the_learner():
    env = SeatVecEnv("mustamaija", 40, players=3, opponents=agents.make("journeyman", GAME), seed=3)
    observations = env.reset()
    rng, ended = np.random.default_rng(0), 0
    lengths = np.zeros(40, int)
    for _ in range(120):
        masks = get_action_masks(env)
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        before = observations
        observations, rewards, dones, infos = env.step(actions)
        assert observations.dtype == np.int8
        assert rewards.dtype == np.float32
        assert observations is not before
        lengths += 1
        assert not rewards[~dones].any()
        for row in np.flatnonzero(dones):
            info = infos[row]
            assert rewards[row] == info["outcome"]["returns"][info["seat"]]
            assert info["episode"]["r"] == rewards[row]
            assert info["episode"]["l"] == lengths[row]
            assert info["terminal_observation"] in env.observation_space
            assert (info["terminal_observation"] != observations[row]).any()
            assert info["TimeLimit.truncated"] is False
            lengths[row] = 0
        ended += int(dones.sum())
    assert ended > 40


def test_seeds():
    env = SeatVecEnv("mustamaija", 3)
    assert env.seed(8) == [8, 9, 10]
    first = env.reset()
    assert (env.reset() != first).any()
    env.seed(8)
    assert (env.reset() == first).all()
    alone, info = SeatEnv("mustamaija").reset(seed=9)
    assert (first[1] == alone).all()
    env.seed(9)
    env.reset()
    assert env.reset_infos[0] == {"seat": info["seat"]}
    env.set_options({"dealer": 2, "seat": 3, "deck": list(range(52))})
    env.reset()
    assert env._solo.states["dealer"].tolist() == [2, 2, 2]
    env.set_options([{"dealer": 1}, {}, {}])
    with pytest.raises(ValueError, match="the same for all"):
        env.reset()


def test_an_episode_that_is_cut_off_says_so():
    env = SeatVecEnv("mustamaija", 4, max_decisions=6, seed=0)
    env.reset()
    told = [info["TimeLimit.truncated"] for _ in range(5) for info in env.step(get_action_masks(env).argmax(1))[3] if "outcome" in info]
    assert told
    assert all(told)


def test_an_illegal_action_is_refused():
    env = SeatVecEnv("mustamaija", 4, seed=0)
    with pytest.raises(ValueError, match="no episode has begun"):
        env.step(np.zeros(4, np.int64))
    env.reset()
    with pytest.raises(IllegalAction, match="row 0: action 59"):
        env.step(np.full(4, 59))
