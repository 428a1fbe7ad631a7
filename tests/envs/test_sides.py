"""Sides: what games say of them, and how one learns in the single-agent faces."""

import numpy as np
import pytest

from tests import partners
from tests.envs import faces
from tests.partners import GAME
from tromf.agents import make
from tromf.envs import BatchEnv, IllegalAction, registry, verbs
from tromf.envs.aec import raw_env
from tromf.envs.batch import apply_chosen, look_rows, returns_rows
from tromf.envs.gym import SeatEnv, SeatVectorEnv
from tromf.envs.render import ansi
from tromf.envs.solo import SoloBatch


def lowest(masks):
    """The lowest legal action of every row, 0 where there is none."""
    return np.array([max(int(mask & -mask), 1).bit_length() - 1 for mask in masks.tolist()])


class Noting:
    """Plays the lowest action and notes for which rows and seats it was asked."""

    def __init__(self):
        self.asked = set()

    def act(self, batch):
        self.asked |= set(zip(batch.rows.tolist(), batch.seats.tolist()))
        return lowest(batch.masks)

    def reset(self, rows):
        pass


@pytest.mark.parametrize(("name", "variant", "players"), faces.SETTINGS)
def test_sides_of_every_game_are_numbered_from_0_and_of_equal_size(name, variant, players):
    sides = registry.find(name)[0].sides(players)
    assert len(sides) == players
    assert len(set(np.bincount(sides).tolist())) == 1


@pytest.mark.parametrize(("name", "variant", "players"), faces.FEWEST_AND_MOST)
def test_partners_are_paid_the_same(name, variant, players):
    batch = BatchEnv(name, 40, variant=variant, players=players)
    sides = np.array(batch.game.sides(players))
    batch.reset(0)
    while not batch.done.all():
        batch.step(lowest(batch.masks))
    for side in range(max(sides) + 1):
        assert (batch.returns[:, sides == side] == batch.returns[:, sides == side][:, :1]).all()


@pytest.mark.parametrize("players", [4, 5, 6])
def test_the_learner_decides_for_its_whole_side_and_the_others_for_theirs(players):
    sides = np.array(partners.facing(players))
    opponents = [Noting() for _ in range(int((sides != sides[0]).sum()))]
    solo = SoloBatch(GAME, 60, players=players, opponents=opponents)
    plain = BatchEnv(GAME, 60, players=players)  # the same games, in which every seat is asked
    solo.reset(3)
    plain.reset(3)
    own = sides[solo.learners]

    def go_on(rows):
        apply_chosen(plain.states, np.flatnonzero(rows), lowest(plain.masks))
        look_rows(plain.states, plain.seats, plain.observations, plain.masks)

    partners_asked = 0
    while not solo.done.all():
        while (others := (plain.masks != 0) & (sides[plain.seats] != own)).any():
            go_on(others)
        going = ~solo.done
        assert (solo.seats[going] == plain.seats[going]).all()
        assert (solo.masks == plain.masks).all()
        assert (solo.observations[going] == plain.observations[going]).all()  # what the seat to act sees, and no other
        partners_asked += (solo.seats != solo.learners).sum()
        solo.step(lowest(solo.masks))
        go_on(going)
    assert (partners_asked > 60) == (players != 5)
    for place, agent in enumerate(opponents):
        assert agent.asked
        for row, seat in agent.asked:
            left = [(solo.learners[row] + k) % players for k in range(1, players)]
            assert [other for other in left if sides[other] != own[row]][place] == seat


def test_after_the_end_the_learners_own_seat_looks_and_is_paid():
    solo = SoloBatch(GAME, 50)
    solo.reset(1)
    while not solo.done.all():
        solo.step(lowest(solo.masks))
    observations, expected = np.zeros_like(solo.observations), np.zeros((50, 4))
    for row, seat in enumerate(solo.learners):
        verbs.observe(solo.states[row], seat, observations[row])
    returns_rows(solo.states, expected)
    assert (solo.observations == observations).all()
    assert (solo.learner_returns() == expected[np.arange(50), solo.learners]).all()
    assert set(solo.learners.tolist()) == {0, 1, 2, 3}


def test_info_tells_the_seat_to_act():
    env = SeatEnv(GAME, seat=1, render_mode="ansi", opponents=make("random", GAME))
    _, info = env.reset(seed=0)
    seats, done = [info["seat"]], False
    while not done:
        assert env.render() == ansi(GAME, env._solo.states[0], info["seat"])
        _, _, terminated, truncated, info = env.step(int(info["action_mask"].argmax()))
        seats.append(info["seat"])
        done = terminated or truncated
    assert set(seats) == {1, 3}
    assert seats[-1] == 1
    vector = SeatVectorEnv(GAME, 8, seat=2)
    _, infos = vector.reset(seed=0)
    told = set(infos["seat"].tolist())
    for _ in range(40):
        _, _, _, _, infos = vector.step(infos["action_mask"].argmax(1))
        told |= set(infos["seat"].tolist())
        if "final_info" in infos:
            assert set(infos["final_info"]["seat"][infos["_final_info"]].tolist()) == {2}
    assert told == {0, 2}


def test_stable_baselines_is_told_the_seats_too():
    pytest.importorskip("stable_baselines3")
    from tromf.envs.sb3 import SeatVecEnv

    env = SeatVecEnv(GAME, 8, seat=2, seed=0)
    env.reset()
    told = {info["seat"] for info in env.reset_infos}
    for _ in range(60):
        _, _, dones, infos = env.step(env.action_masks().argmax(1))
        told |= {info["seat"] for info in infos}
        assert all(infos[row]["seat"] == 2 for row in np.flatnonzero(dones))
    assert told == {0, 2}


def test_an_illegal_action_is_that_of_the_seat_to_act():
    env = SeatEnv(GAME, seat=0, on_illegal="raise")
    _, info = env.reset(seed=0)
    while info["seat"] != 2:
        _, _, _, _, info = env.step(int(info["action_mask"].argmax()))
    with pytest.raises(IllegalAction, match="is not legal for seat 2"):
        env.step(int(info["action_mask"].argmin()))


@pytest.mark.parametrize(("players", "count"), [(4, 2), (5, 4), (6, 4)])
def test_there_is_an_opponent_for_each_seat_of_the_other_sides(players, count):
    one = make("random", GAME)
    SoloBatch(GAME, 1, players=players, opponents=[one] * count)
    with pytest.raises(ValueError, match=f"a list of {count} agents"):
        SoloBatch(GAME, 1, players=players, opponents=[one] * (count + 1))


SIDED = [each for each in faces.SETTINGS if max(registry.find(each[0])[0].sides(each[2])) + 1 < each[2]]


def finished(name, variant, players, n):
    """Returns, (n, players), of games in which every seat plays its lowest action, straight from the rules."""
    batch = BatchEnv(name, n, variant=variant, players=players)
    batch.reset(0)
    while batch.masks.any():
        apply_chosen(batch.states, np.flatnonzero(batch.masks), lowest(batch.masks))
        look_rows(batch.states, batch.seats, batch.observations, batch.masks)
    returns = np.zeros((n, players))
    returns_rows(batch.states, returns)
    return returns


@pytest.mark.parametrize(("name", "variant", "players"), SIDED)
def test_every_face_hands_out_the_sides_returns(name, variant, players):
    n = 12
    wanted = finished(name, variant, players, n)
    assert len(np.unique(wanted)) > 1
    env = raw_env(name, variant=variant, players=players)
    for seed in range(n):
        env.reset(seed=seed)
        handed = dict.fromkeys(env.agents, 0.0)
        for agent in env.agent_iter():
            observation, reward, terminated, truncated, _ = env.last()
            handed[agent] += reward
            env.step(None if terminated or truncated else int(observation["action_mask"].argmax()))
        assert list(handed.values()) == wanted[seed].tolist()

    vector = SeatVectorEnv(name, n, variant=variant, players=players, opponents=Noting())
    _, infos = vector.reset(seed=0)
    paid: dict = {}
    while len(paid) < n:
        _, rewards, terminations, truncations, infos = vector.step(infos["action_mask"].argmax(1))
        for row in np.flatnonzero(terminations | truncations):
            paid.setdefault(row, (infos["final_info"]["seat"][row], rewards[row]))
    assert all(reward == wanted[row, seat] for row, (seat, reward) in paid.items())

    pytest.importorskip("stable_baselines3")
    from tromf.envs.sb3 import SeatVecEnv

    learner = SeatVecEnv(name, n, variant=variant, players=players, opponents=Noting(), seed=0)
    learner.reset()
    told: dict = {}
    while len(told) < n:
        _, rewards, dones, infos = learner.step(learner.action_masks().argmax(1))
        assert not rewards[~dones].any()
        for row in np.flatnonzero(dones):
            told.setdefault(row, (infos[row]["seat"], rewards[row]))
    assert all(reward == np.float32(wanted[row, seat]) for row, (seat, reward) in told.items())
    assert {row: seat for row, (seat, _) in told.items()} == {row: seat for row, (seat, _) in paid.items()}
