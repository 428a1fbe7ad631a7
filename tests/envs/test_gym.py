"""Gymnasium faces: one seat learns, alone or in many games at once."""

import copy
import pickle

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from tests.envs import faces
from tromf import agents
from tromf.envs import BatchEnv, IllegalAction, registry
from tromf.envs.gym import SeatEnv, SeatVectorEnv
from tromf.envs.registration import gymnasium_id
from tromf.envs.solo import SoloBatch

GAME, _ = registry.find("mustamaija")
JOURNEYMAN, RANDOM = agents.make("journeyman", GAME), agents.make("random", GAME)


class Lowest:
    """Somebody's agent, with no class of ours above it; remembers which games it was told to begin."""

    def __init__(self):
        self.begun = []

    def act(self, batch):
        assert (batch.masks != 0).all()
        return np.array([int(mask & -mask).bit_length() - 1 for mask in batch.masks.tolist()], np.int64)

    def reset(self, rows):
        self.begun.append(rows.tolist())


def play(env, seed=None, options=None):
    """An episode of random legal actions: rewards, infos of the end, learner's seat."""
    observation, info = env.reset(seed=seed, options=options)
    rewards, done = [], False
    env.action_space.seed(seed)
    while not done:
        assert (env.unwrapped.action_masks() == info["action_mask"].astype(bool)).all()
        observation, reward, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))
        rewards.append(reward)
        done = terminated or truncated
    return rewards, info, observation


@pytest.mark.parametrize("name", registry.names())
def test_gymnasiums_checker(name):
    check_env(gymnasium.make(f"tromf.envs:{gymnasium_id(name)}").unwrapped, skip_render_check=True)


@pytest.mark.parametrize("mode", ["ansi", "rgb_array"])
def test_render_modes(mode):
    env = gymnasium.make(gymnasium_id("mustamaija"), render_mode=mode)
    env.reset(seed=0)
    picture = env.render()
    assert isinstance(picture, str) if mode == "ansi" else picture.dtype == np.uint8
    assert not isinstance(picture, np.ndarray) or (picture.shape[0] >= 480 and picture.shape[1] >= 640)


@pytest.mark.parametrize("opponents", [None, JOURNEYMAN, [RANDOM, Lowest()]])
def test_the_learner_gets_its_return_also_when_others_end_the_game(opponents):
    env = SeatEnv("mustamaija", players=3, opponents=opponents)
    ended_by_others = 0
    for seed in range(60):
        rewards, info, _ = play(env, seed)
        outcome = info["outcome"]
        assert not any(rewards[:-1])
        assert rewards[-1] == outcome["returns"][info["seat"]]
        assert sum(outcome["returns"]) == pytest.approx(0)
        ended_by_others += outcome["places"][info["seat"]] != 3 and outcome["decisions"] > 0
    assert ended_by_others


@pytest.mark.parametrize(("name", "variant", "players"), faces.FEWEST_AND_MOST)
def test_rewards_are_the_learners_returns_in_every_setting(name, variant, players):
    solo = SoloBatch(name, 40, variant=variant, players=players)
    solo.reset(0)
    rewards = np.zeros(40)
    while not solo.done.all():
        solo.step(np.array([int(mask & -mask).bit_length() - 1 for mask in solo.masks.tolist()]))
        rewards = np.where(solo.done, solo.learner_returns(), rewards)
    expected = np.zeros((40, players))
    from tromf.envs.batch import returns_rows

    returns_rows(solo.states, expected)
    assert rewards == pytest.approx(expected[np.arange(40), solo.learners])


def test_the_seat_changes_from_episode_to_episode_with_the_seed():
    env = SeatEnv("mustamaija")
    seats = [env.reset(seed=seed)[1]["seat"] for seed in range(100)]
    assert seats == [env.reset(seed=seed)[1]["seat"] for seed in range(100)]
    assert min(np.bincount(seats, minlength=4)) > 10
    assert {env.reset()[1]["seat"] for _ in range(40)} == {0, 1, 2, 3}
    fixed = SeatEnv("mustamaija", seat=2)
    assert {fixed.reset()[1]["seat"] for _ in range(20)} == {2}
    assert fixed.reset(options={"seat": 1})[1]["seat"] == 1
    assert fixed.reset()[1]["seat"] == 2


def test_the_same_seed_gives_the_same_deal_as_the_batch():
    env, batch = SeatEnv("mustamaija"), BatchEnv("mustamaija", 1)
    batch.reset(11)
    env.reset(seed=11, options={"seat": int(batch.seats[0])})  # the first to decide, so that nobody has played yet
    assert env._solo.states["deck"].tolist() == batch.states["deck"].tolist()
    assert env._solo.states["dealer"] == batch.states["dealer"]
    env.reset(seed=11, options={"deck": list(range(52)), "dealer": 3, "seat": 0})
    assert env._solo.states["deck"][0].tolist() == list(range(52))
    assert env.action_text(0) == "lay 2C"
    assert env.parse_action("lay 2C") == 0


def test_one_seed_one_episode():
    ours, theirs = SeatEnv("mustamaija", opponents=RANDOM), SeatEnv("mustamaija", opponents=[RANDOM] * 3)
    for seed in (1, 2):
        one, other = play(ours, seed), play(theirs, seed)
        assert one[0] == other[0]
        assert one[1]["outcome"] == other[1]["outcome"]


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_goes_on_alike(duplicate):
    env = SeatEnv("mustamaija", opponents=JOURNEYMAN)
    env.reset(seed=3)
    env.action_space.seed(3)
    twin = duplicate(env)
    for _ in range(300):
        action = env.action_space.sample()  # among the legal ones
        assert action == twin.action_space.sample()
        one, other = env.step(action), twin.step(action)
        assert (one[0] == other[0]).all()
        assert one[1:4] == other[1:4]
        if one[2]:
            one, other = env.reset(), twin.reset()
            assert (one[0] == other[0]).all()


def test_an_illegal_action_loses_or_raises():
    env = SeatEnv("mustamaija", seat=0)
    _, info = env.reset(seed=0)
    wrong = int(np.flatnonzero(info["action_mask"] == 0)[0])
    for action in (60, -1, 1.5, "take", None, True):
        with pytest.raises(IllegalAction, match="does not exist"):
            env.step(action)
    _, reward, terminated, truncated, info = env.step(wrong)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert "is not legal for seat 0" in info["illegal_action"]
    assert not info["action_mask"].any()
    with pytest.raises(ValueError, match="the episode has ended"):
        env.step(0)
    _, info = env.reset(seed=0)
    assert info["action_mask"].any()
    strict = SeatEnv("mustamaija", seat=0, on_illegal="raise")
    with pytest.raises(ValueError, match="no episode has begun"):
        strict.step(0)
    strict.reset(seed=0)
    before = strict._solo.states.tobytes()
    with pytest.raises(IllegalAction, match="is not legal for seat 0"):
        strict.step(wrong)
    assert strict._solo.states.tobytes() == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"opponents": "expert"}, "opponents are 'expert'"),
        ({"opponents": [RANDOM]}, "a list of 3 agents"),
        ({"opponents": [RANDOM, RANDOM, 5]}, "a list of 3 agents"),
        ({"seat": 4}, "seat 4 is no seat"),
        ({"on_illegal": "ignore"}, "on_illegal is 'ignore'"),
        ({"render_mode": "film"}, "render_mode is 'film'"),
        ({"players": 9}, "players"),
        ({"nonsense": 1}, "no option 'nonsense'"),
    ],
)
def test_bad_arguments(arguments, message):
    with pytest.raises(ValueError, match=message):
        SeatEnv("mustamaija", **arguments)


def test_an_opponents_illegal_action_is_refused():
    class Wrong(Lowest):
        def act(self, batch):
            return np.full(len(batch), 59)

    env = SeatEnv("mustamaija", opponents=Wrong())
    with pytest.raises(IllegalAction, match=r"opponent .*Wrong.* action 59"):
        env.reset(seed=0, options={"dealer": 0, "seat": 0})


def test_an_episode_without_a_decision_of_the_learner_gives_way_to_the_next():
    env = SeatEnv("mustamaija", players=4, max_decisions=2)
    for seed in range(30):
        rewards, info, _ = play(env, seed)
        assert 1 <= len(rewards) <= 2
        assert info["outcome"]["truncated"]
    with pytest.raises(ValueError, match="the learner is never asked"):
        env.reset(options={"dealer": 0, "seat": 3})


def test_forced_decisions_can_be_left_out():
    asked = {}
    for skip in (True, False):
        solo = SoloBatch("mustamaija", 64, skip_forced=skip, opponents=JOURNEYMAN)
        solo.reset(0)
        asked[skip] = int((np.bitwise_count(solo.masks) == 1).sum())
        for _ in range(30):
            solo.step(np.array([max(int(mask), 1).bit_length() - 1 for mask in solo.masks.tolist()]))
            asked[skip] += int((np.bitwise_count(solo.masks) == 1).sum())
    assert asked[True] == 0 < asked[False]


def test_the_vector_form():
    lowest = Lowest()
    env = gymnasium.make_vec(gymnasium_id("mustamaija"), num_envs=32, players=3, opponents=[lowest, JOURNEYMAN])
    assert env.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    observations, infos = env.reset(seed=5)
    assert observations in env.observation_space
    alone = SeatEnv("mustamaija", players=3, opponents=[Lowest(), JOURNEYMAN])
    first, info = alone.reset(seed=5 + 7)
    assert (observations[7] == first).all()
    assert infos["seat"][7] == info["seat"]
    ended = 0
    live = True  # the game played alone beside game 7 has not ended yet
    for _ in range(150):
        assert (env.unwrapped.action_masks() == infos["action_mask"]).all()
        actions = env.action_space.sample()
        assert infos["action_mask"][np.arange(32), actions].all()
        observations, rewards, terminations, truncations, infos = env.step(actions)
        done = terminations | truncations
        assert not rewards[~done].any()
        assert observations in env.observation_space
        if live:
            first, reward, terminated, _, info = alone.step(actions[7])
            assert reward == rewards[7]
            assert terminated == terminations[7]
            assert (first == (infos["final_obs"][7] if terminated else observations[7])).all()
            live = not terminated
        if done.any():
            assert (infos["_final_info"] == done).all()
            for row in np.flatnonzero(done):
                seat = infos["final_info"]["seat"][row]
                assert infos["final_info"]["outcome"]["returns"][row][seat] == rewards[row]
        ended += int(done.sum())
    assert ended > 32
    assert lowest.begun[0] == list(range(32))
    assert sum(map(len, lowest.begun)) == 32 + ended
    before = env.unwrapped._solo.states.tobytes()
    with pytest.raises(IllegalAction, match=r"row \d+: action 59"):
        env.step(np.full(32, 59))
    with pytest.raises(IllegalAction, match="accepted are 32 integers"):
        env.step(np.zeros(3, np.int64))
    assert env.unwrapped._solo.states.tobytes() == before
    env.close()


def test_outcomes_that_some_games_leave_open():
    """Where one game has a loser and another, cut off, has none, the vector form tells both."""
    env, seen = SeatVectorEnv("mustamaija", 64, players=3, max_decisions=40), set()
    _, infos = env.reset(seed=0)
    for _ in range(40):
        _, _, _, _, infos = env.step(infos["action_mask"].argmax(1))
        if "final_info" in infos:
            seen |= set(infos["final_info"]["outcome"]["loser"][infos["_final_info"]].tolist())
    assert seen == {None, 0, 1, 2}


def test_results_do_not_depend_on_the_number_of_games():
    for n in (1, 5):
        env = SeatVectorEnv("mustamaija", n, opponents=RANDOM)
        _, infos = env.reset(seed=9)
        for _ in range(60):
            _, _, _, _, infos = env.step(infos["action_mask"].argmax(1))
        if n == 1:
            expected = env._solo.states[0].tobytes()
        else:
            assert env._solo.states[0].tobytes() == expected
