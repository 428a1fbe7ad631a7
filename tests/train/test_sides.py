"""Training where seats play together: a side learns as a whole."""

from typing import ClassVar

import numpy as np
import pytest

from tests import partners
from tromf.agents import Agent, make
from tromf.envs import registry
from tromf.train import rollout
from tromf.train.config import PPOConfig
from tromf.train.ppo import Trainer, duel

SIDES = np.array(partners.facing(6))


@pytest.fixture
def partnered(tiny, monkeypatch):
    """Makes configurations of the toy with three pairs of partners."""
    monkeypatch.setattr(registry, "find", lambda name: (partners.GAME, None))
    return lambda **changes: tiny(players=6, **changes)


def test_one_whole_side_learns(partnered):
    trainer = Trainer(partnered(games=3000, opponents={"journeyman": 0.5, "past": 0.4}))
    table = np.concatenate([worker.table for worker in trainer.workers])
    learn = table == rollout.LEARNER
    one = ~learn.all(1)
    assert one.mean() == pytest.approx(0.9, abs=0.03)
    assert (learn.sum(1)[one] == 2).all()
    assert np.array([(learn[one] == (side == SIDES)).all(1).mean() for side in range(3)]) == pytest.approx([1 / 3] * 3, abs=0.04)
    others = table[one][~learn[one]].reshape(-1, 4)
    assert (others == others[:, :1]).all()  # and the others are all of one kind


def test_every_seat_of_the_side_is_learned_from_and_paid_its_own_return(partnered):
    trainer = Trainer(partnered(opponents={"journeyman": 0.6, "past": 0.4}))
    trainer.collect()
    learned = 0
    for worker in trainer.workers:
        s = worker.segment
        for game in range(s.actions.shape[1]):
            start = 0
            for end in np.flatnonzero(s.ended[:, game]):
                mine = np.flatnonzero(s.who[start : end + 1, game] == rollout.LEARNER) + start
                assert set(SIDES[s.seats[mine, game]]) <= {SIDES[s.learner[end, game]]}
                assert s.learns[mine, game].all()
                for seat in set(s.seats[mine, game]):  # the last decision of each looks ahead to its own return
                    last = mine[s.seats[mine, game] == seat][-1]
                    assert s.targets[last, game] == pytest.approx(s.payoffs[end, game, seat], abs=1e-5)
                learned += len(set(s.seats[mine, game])) == 2
                start = end + 1
            assert (s.against[s.ended[:, game], game] != rollout.LEARNER).all()
    assert learned


def test_metrics_are_those_of_the_side_that_learned(partnered):
    trainer = Trainer(partnered(opponents={"journeyman": 1.0}))
    trainer.collect()
    paid = [s.payoffs[t, g, s.learner[t, g]] for s in (w.segment for w in trainer.workers) for t, g in np.argwhere(s.ended)]
    metrics = trainer.outcomes()
    assert metrics["return/journeyman"] == pytest.approx(np.mean(paid))
    assert metrics["lost_sampling/journeyman"] == pytest.approx(np.mean([each < 0 for each in paid]))


def test_a_duel_plays_every_deal_once_on_each_side():
    class First(Agent):
        """Plays the lowest action and notes for which games and seats it was asked."""

        asked: ClassVar[set] = set()

        def act(self, batch):
            self.asked |= set(zip(batch.rows.tolist(), batch.seats.tolist()))
            return np.array([int(mask & -mask).bit_length() - 1 for mask in batch.masks.tolist()])

    paid = duel(partners.GAME, partners.GAME.states(1, players=6), First(), make("random", partners.GAME), np.arange(10), 5)
    assert paid.shape == (10, 3)
    assert {row for row, _ in First.asked} == set(range(30))
    assert {(row % 3, seat) for row, seat in First.asked} == {(side, seat) for seat, side in enumerate(SIDES)}


def test_evaluation_and_learning_go_through(partnered):
    trainer = Trainer(partnered())
    assert trainer.iterate(0.0).keys() >= {"policy_loss", "return/journeyman"}
    assert set(trainer.evaluate()) == {"evaluation", "lost"}


@pytest.mark.parametrize("players", [4, 6])
def test_partners_in_101_learn_from_the_return_of_their_side(tiny, players):
    """With lambda 1 the target of every decision of a finished game is what the deciding seat's side was paid."""
    ppo = PPOConfig(segment=128, epochs=1, minibatch=128, lam=1.0)
    trainer = Trainer(tiny(game="101", players=players, opponents={"random": 0.3, "past": 0.3}, ppo=ppo))
    trainer.collect()
    learned = set()
    for worker in trainer.workers:
        s = worker.segment
        paid = s.payoffs[s.ended]
        assert (paid == np.where(np.arange(players) % 2, -paid[:, :1], paid[:, :1])).all()
        for game in range(s.actions.shape[1]):
            ends = np.flatnonzero(s.ended[:, game])
            for t in np.flatnonzero(s.learns[:, game]):
                if (later := ends[ends >= t]).size:
                    assert s.targets[t, game] == pytest.approx(s.payoffs[later[0], game, s.seats[t, game] % 2], abs=1e-5)
                    learned.add(int(s.seats[t, game]))
    assert learned == set(range(players))
    assert {"return/random", "lost_sampling/random"} <= trainer.outcomes().keys()
    evaluated = trainer.evaluate()
    assert -1 <= evaluated["evaluation"] <= 1
    assert 0 <= evaluated["lost"] <= 1
