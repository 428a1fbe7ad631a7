"""PettingZoo face: PettingZoo's own tests and our conformance kit in every setting, and what they do not look at."""

import copy
import pickle
import subprocess
import sys
from functools import partial
from importlib import import_module

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, render_test, seed_test

from tests.envs import faces
from tromf.envs import BatchEnv, IllegalAction, aec, mustamaija_v0, registry
from tromf.envs.conformance import check

PACK = registry.find("mustamaija")[0].pack
DECK = list(PACK.texts)


def play(env, choose):
    """Play an episode on until everybody has left; what every seat was handed by `last()`."""
    handed = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        handed[agent] += reward
        env.step(None if terminated or truncated else choose(observation["action_mask"]))
    return handed


def chooser(seed):
    """Uniformly random legal actions."""
    rng = np.random.default_rng(seed)
    return lambda mask: int(rng.choice(np.flatnonzero(mask)))


def lowest(mask):
    return int(np.flatnonzero(mask)[0])


def finish(env, seed=0):
    """Play to the end with random actions; nobody has left yet."""
    choose = chooser(seed)
    while not any(env.terminations.values()) and not any(env.truncations.values()):
        env.step(choose(env.last()[0]["action_mask"]))


def trace(env, choose):
    """An episode from here as a list of what was seen and paid."""
    seen = []
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        seen.append((agent, observation["observation"].tobytes(), observation["action_mask"].tobytes(), reward, repr(info)))
        env.step(None if terminated or truncated else choose(observation["action_mask"]))
    return seen


@pytest.mark.parametrize(("name", "variant", "players"), faces.SETTINGS)
def test_pettingzoo_checks_every_setting(name, variant, players, capsys):
    make = partial(aec.env, name, variant=variant, players=players)
    api_test(make(), 60)
    seed_test(make, 10)


@pytest.mark.parametrize("name", registry.names())
def test_conformance(name):
    make = partial(aec.env, name)
    hooks = {"legal": faces.legal, "returns": faces.returns, "hidden": faces.hidden}
    report = check(make, 1, 1, **hooks, payoff="end", deals=30, probes=3, skip=["leak"])
    assert report.ok, str(report)


@pytest.mark.parametrize(("name", "variant", "players"), faces.FEWEST_AND_MOST)
def test_no_setting_shows_what_is_hidden(name, variant, players):
    make = partial(aec.raw_env, name, variant=variant, players=players)
    hooks = {"legal": faces.legal, "returns": faces.returns, "hidden": faces.hidden}
    only = ["legal", "returns", "hidden", "mask_off_turn", "payoff_sum", "observe_kept"]
    report = check(make, 1, 2, **hooks, payoff="end", probes=2, only=only)
    assert report.ok, str(report)


@pytest.mark.parametrize("name", registry.names())
def test_every_render_mode(name, monkeypatch, capsys):
    pytest.importorskip("tromf.envs.render")
    render_test(partial(aec.env, name))


def test_rendering_without_a_mode_warns():
    env = mustamaija_v0.env()
    env.reset(seed=0)
    with pytest.warns(UserWarning, match="without a render_mode"):
        assert env.render() is None
    env.close()


@pytest.mark.parametrize("scoring", ["loser", "placing", "winner"])
def test_what_is_handed_out_are_the_games_returns(scoring):
    env = mustamaija_v0.raw_env(players=5, scoring=scoring)
    env.reset(seed=3)
    for episode in range(40):
        handed = play(env, chooser(episode))
        expected = faces.returns(env)
        assert handed == pytest.approx(expected)
        assert sum(handed.values()) == pytest.approx(0)
        env.reset()


def test_the_end_tells_every_seat_the_outcome():
    env = mustamaija_v0.raw_env()
    env.reset(seed=0)
    finish(env)
    assert env.agents == env.possible_agents  # those who went out early are still there
    assert set(env.terminations.values()) == {True}
    assert set(env.truncations.values()) == {False}
    assert all(type(flag) is bool for flag in (*env.terminations.values(), *env.truncations.values()))
    outcome = env.infos["player_0"]["outcome"]
    assert outcome["places"][outcome["loser"]] == 4
    assert sorted(outcome["places"]) == [1, 2, 3, 4]
    assert env.rewards[f"player_{outcome['loser']}"] == -1
    assert not outcome["truncated"]
    for agent in env.agents:
        assert not env.observe(agent)["action_mask"].any()


def test_an_episode_that_is_cut_off_is_truncated():
    env = mustamaija_v0.raw_env(max_decisions=3)
    env.reset(seed=0)
    for _ in range(3):
        env.step(lowest(env.last()[0]["action_mask"]))
    assert set(env.truncations.values()) == {True}
    assert set(env.terminations.values()) == {False}
    assert env.infos["player_1"]["outcome"]["truncated"]


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize("make", [mustamaija_v0.env, mustamaija_v0.raw_env])
def test_a_copy_in_the_middle_of_an_episode_goes_on_alike(make, duplicate):
    env = make(variant="house")
    env.reset(seed=5)
    choose = chooser(1)
    for _ in range(25):
        env.step(choose(env.last()[0]["action_mask"]))
    twin = duplicate(env)
    assert type(twin.unwrapped) is mustamaija_v0.raw_env
    assert trace(env, chooser(3)) == trace(twin, chooser(3))
    env.reset()
    twin.reset()
    assert trace(env, chooser(2)) == trace(twin, chooser(2))


def test_episodes_without_a_seed_follow_from_the_seed():
    one, other = mustamaija_v0.raw_env(), mustamaija_v0.raw_env()
    one.reset(seed=7)
    other.reset(seed=7)
    play(one, chooser(1))
    for env in (one, other):
        env.reset()
    assert trace(one, chooser(2)) == trace(other, chooser(2))
    fresh = [mustamaija_v0.raw_env() for _ in range(2)]
    for env in fresh:
        env.reset()
    assert fresh[0].state().tobytes() != fresh[1].state().tobytes()


def test_the_same_seed_gives_the_same_deal_as_the_batch():
    env, batch = mustamaija_v0.raw_env(), BatchEnv("mustamaija", 3)
    env.reset(seed=11)
    batch.reset(10)
    assert env._states[0]["deck"].tolist() == batch.states[1]["deck"].tolist()
    assert env._states[0]["dealer"] == batch.states[1]["dealer"]


@pytest.mark.parametrize("deck", [DECK, " ".join(DECK), list(range(52)), np.arange(52), [DECK], [DECK, DECK[::-1]], np.array([range(52)])])
def test_deck_and_dealer_are_taken(deck):
    env = mustamaija_v0.raw_env()
    env.reset(seed=1, options={"deck": deck, "dealer": np.int64(2), "stranger": object()})
    assert env._states[0]["deck"].tolist() == list(range(52))
    assert env.agent_selection == "player_3"  # left of the dealer (MM-1)
    assert env.action_text(0) == "lay 2C"
    assert env.parse_action("lay 2c") == env.parse_action("2C") == 0
    env.reset()
    assert env._states[0]["deck"].tolist() != list(range(52))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"deck": DECK[1:]}, "missing: 2C"),
        ({"deck": [*DECK, "2C"]}, "doubled: 2C"),
        ({"deck": ["2X", *DECK[1:]]}, "no card '2X'"),
        ({"deck": []}, "missing"),
        ({"deck": [DECK, DECK[1:]]}, "missing: 2C"),
        ({"deck": 3}, "deck is 3"),
        ({"dealer": 4}, "dealer 4 is no seat: seats are 0 … 3"),
        ({"dealer": -1}, "dealer -1 is no seat"),
        ({"dealer": True}, "dealer True is no seat"),
        ({"dealer": "1"}, "dealer '1' is no seat"),
        ([], "options are"),
    ],
)
def test_bad_options_of_reset(options, message):
    env = mustamaija_v0.raw_env()
    env.reset(seed=1)
    before = env._states.tobytes()
    with pytest.raises(ValueError, match=message) as error:
        env.reset(seed=2, options=options)
    assert "\n" not in str(error.value)
    assert env._states.tobytes() == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"players": 9}, "players"),
        ({"players": True}, "players"),
        ({"variant": "nonsense"}, "no variant 'nonsense'"),
        ({"nonsense": 1}, "no option 'nonsense'"),
        ({"render_mode": "film"}, "render_mode is 'film'"),
    ],
)
def test_bad_arguments(arguments, message):
    for make in (mustamaija_v0.env, mustamaija_v0.raw_env):
        with pytest.raises(ValueError, match=message):
            make(**arguments)


def illegal_action(env):
    return int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"] == 0)[0])


def test_an_illegal_action_changes_nothing_in_the_raw_environment():
    env = mustamaija_v0.raw_env()
    env.reset(seed=0)
    before = env._states.tobytes()
    wrong = [60, -1, 2**70, 1.0, "lay 2C", None, True, np.array([1]), np.float64(3), illegal_action(env)]
    for action in wrong:
        with pytest.raises(IllegalAction) as error:
            env.step(action)
        assert "\n" not in str(error.value)
    with pytest.raises(ValueError, match=r"action \d+ \(lay \w\w\) is not legal for seat \d; legal are \d+ \(lay"):
        env.step(illegal_action(env))
    assert env._states.tobytes() == before
    for kind in (np.int32, np.uint8, np.array):  # a NumPy integer of any width is an action
        env.reset(seed=0)
        env.step(kind(lowest(env.last()[0]["action_mask"])))


def test_the_wrappers_payoff_of_an_illegal_action():
    """-1 for the seat that took it, 0 for the others, whatever the scoring; not zero-sum."""
    env = mustamaija_v0.env(scoring="placing")
    env.reset(seed=0)
    culprit = env.agent_selection
    env.observe(culprit)
    env.step(illegal_action(env))
    assert env.rewards == {agent: -1.0 if agent == culprit else 0 for agent in env.possible_agents}
    assert play(env, lowest) == env.unwrapped.rewards | {agent: -1.0 if agent == culprit else 0.0 for agent in env.possible_agents}
    env.reset(seed=0)
    with pytest.raises(AssertionError, match="not in action space"):
        env.step(60)


def test_too_early_and_too_late():
    env = mustamaija_v0.raw_env()
    for call in (lambda: env.step(0), env.state, lambda: env.observe("player_0"), lambda: env.action_text(0)):
        with pytest.raises(ValueError, match="no episode has begun"):
            call()
    wrapped = mustamaija_v0.env()
    with pytest.raises(AssertionError, match="reset"):
        wrapped.step(0)
    env.reset(seed=0)
    finish(env)
    with pytest.raises(ValueError, match="only valid action is None"):
        env.step(0)
    play(env, lowest)
    with pytest.raises(ValueError, match="the episode has ended"):
        env.step(0)
    env.reset(seed=0)
    with pytest.raises(ValueError, match="no agent 'player_9'"):
        env.observe("player_9")


def test_the_state_is_what_all_seats_see():
    env = mustamaija_v0.raw_env(players=3)
    env.reset(seed=4)
    choose = chooser(0)
    for _ in range(30):
        env.step(choose(env.last()[0]["action_mask"]))
    state = env.state()
    assert state in env.state_space
    for seat, agent in enumerate(env.possible_agents):
        assert (state[seat] == env.observe(agent)["observation"]).all()
    assert not state[3:].any()


@pytest.mark.parametrize("name", registry.names())
def test_the_game_is_registered(name):
    face = registry.face(name)
    env = pettingzoo.make("aec", f"tromf/{face}", players=4)
    assert str(env) == env.metadata["name"] == face
    module = import_module(f"tromf.envs.{face}")
    assert module.__doc__
    assert isinstance(env.unwrapped, module.raw_env)
    assert len(env.possible_agents) == 4


def test_importing_is_light_and_may_be_repeated():
    code = (
        "import sys, warnings; warnings.simplefilter('error'); import tromf.envs; tromf.envs.register_all();"
        "print([name for name in ('torch', 'PIL', 'tromf.envs.aec', 'tromf.envs.mustamaija') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
