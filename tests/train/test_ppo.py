"""PPO in self-play: who is paid, advantages, and runs that can be repeated."""

import numpy as np
import pytest
import torch

from tromf.train import rollout
from tromf.train.config import NetworkConfig, PPOConfig
from tromf.train.ppo import Trainer, benchmark, loss_of


def collected(config, segments=1, **ppo):
    """A trainer that has played, but not learned from, some segments; its values are noise that tells decisions apart."""
    trainer = Trainer(config.model_copy(update={"ppo": config.ppo.model_copy(update=ppo)}))
    torch.nn.init.normal_(trainer.network.value.weight, generator=torch.Generator().manual_seed(1))
    for _ in range(segments):
        trainer.collect()
    return trainer


def slow_advantages(segment, game, discount, lam):
    """Advantages of one game's decisions by (decision, seat): plainly, from lists of each seat's own decisions."""
    length = len(segment.actions)
    result, own = {}, {}

    def settle(seat, moments, ahead, factor):
        advantage = 0.0
        for k, t in reversed(list(enumerate(moments))):
            following = segment.values[moments[k + 1], game] if k + 1 < len(moments) else ahead
            step = discount if k + 1 < len(moments) else factor
            advantage = step * following - segment.values[t, game] + step * lam * advantage
            result[t] = advantage

    for t in range(length):
        if segment.who[t, game] == rollout.LEARNER:
            own.setdefault(segment.seats[t, game], []).append(t)
        if segment.ended[t, game]:
            for seat, moments in own.items():
                settle(seat, moments, segment.payoffs[t, game, seat], 1.0)
            own = {}
    for seat, moments in own.items():
        if seat == segment.seats[length, game] and segment.who[length, game] == rollout.LEARNER:
            settle(seat, moments, segment.values[length, game], discount)
        else:
            settle(seat, moments[:-1], segment.values[moments[-1], game], discount)
    return result


@pytest.mark.parametrize("discount", [1.0, 0.9])
def test_advantages_run_over_each_seats_own_decisions(tiny, discount):
    trainer = collected(tiny(), segment=96, discount=discount, lam=0.8)
    for worker in trainer.workers:
        s = worker.segment
        for game in range(s.actions.shape[1]):
            wanted = slow_advantages(s, game, discount, 0.8)
            assert set(np.flatnonzero(s.learns[:, game])) == set(wanted)
            assert np.allclose([s.advantages[t, game] for t in wanted], list(wanted.values()), atol=1e-5)
        assert s.ended.sum() > 3
        assert s.learns.mean() > 0.5


def test_returns_reach_the_seats_that_earned_them(tiny):
    """With lambda 1 the target of every decision of a finished game is what its seat was paid, and payments sum to 0."""
    trainer = collected(tiny(players=3), segments=2, segment=128, lam=1.0)
    for worker in trainer.workers:
        s = worker.segment
        assert np.allclose(s.payoffs[s.ended].sum(1), 0.0)
        assert np.array_equal(np.sort(s.payoffs[s.ended], 1), np.tile([-1.0, 0.5, 0.5], (s.ended.sum(), 1)))
        for game in range(s.actions.shape[1]):
            ends = np.flatnonzero(s.ended[:, game])
            for t in np.flatnonzero(s.learns[:, game]):
                end = ends[ends >= t]
                if len(end):
                    assert s.targets[t, game] == pytest.approx(s.payoffs[end[0], game, s.seats[t, game]], abs=1e-5)


def test_only_choices_of_seats_that_learn_are_learned_from(tiny):
    trainer = collected(tiny(opponents={"journeyman": 0.5, "past": 0.5}), segment=64)
    for worker in trainer.workers:
        s = worker.segment
        assert (np.bitwise_count(s.masks) > 1).all()
        assert set(np.unique(s.who)) <= {rollout.LEARNER, *(rollout.FIRST_PAST - k for k in range(4))}
        assert (s.who[:-1][s.learns] == rollout.LEARNER).all()
        assert ((worker.table == rollout.LEARNER).sum(1) == 1).all()
        assert (s.masks[:-1] >> s.actions.astype(np.uint64) & np.uint64(1)).all()


def test_shares_of_opponents(tiny):
    trainer = Trainer(tiny(games=4000, opponents={"beginner": 0.1, "journeyman": 0.5}))
    table = np.concatenate([worker.table for worker in trainer.workers])
    kinds = table.max(1)
    assert (kinds == 0).mean() == pytest.approx(0.1, abs=0.02)
    assert (kinds == 1).mean() == pytest.approx(0.5, abs=0.03)
    places = (table[kinds >= 0] == rollout.LEARNER).mean(0)
    assert places == pytest.approx([0.25] * 4, abs=0.04)


def test_a_run_is_a_function_of_its_configuration(tiny):
    finals = []
    for seed in (0, 0, 1):
        np.random.seed(seed + len(finals))  # noqa: NPY002 (disturbs the global generators, on which nothing depends)
        torch.manual_seed(len(finals))
        trainer = Trainer(tiny(seed=seed))
        for _ in range(3):
            trainer.iterate(0.1)
        finals.append(torch.cat([weights.detach().reshape(-1) for weights in trainer.average.parameters()]))
    assert torch.equal(finals[0], finals[1])
    assert not torch.equal(finals[0], finals[2])


def test_restored_state_continues_identically(tiny):
    one, other = Trainer(tiny()), Trainer(tiny())
    one.iterate(0.0)
    arrays, rest = one.state()
    expected = one.iterate(0.2)
    other.restore(arrays, rest)
    assert other.iterate(0.2) == expected
    for a, b in zip(one.network.parameters(), other.network.parameters()):
        assert torch.equal(a, b)


def test_evaluation_leaves_training_alone(tiny):
    one, other = Trainer(tiny()), Trainer(tiny())
    for trainer in (one, other):
        trainer.iterate(0.0)
    assert one.evaluate() == one.evaluate()
    assert one.iterate(0.1) == other.iterate(0.1)


def test_learning_makes_good_actions_likelier(tiny):
    """A few steps on one segment raise the probability of actions with positive advantage, and lower that of the others."""
    trainer = collected(tiny(), segment=64)
    worker = trainer.workers[0]
    rows = worker.examples()
    examples = worker.minibatch(trainer.network, rows)
    examples["x"] = examples["x"].clone()
    trainer.update(0.0)
    with torch.no_grad():
        logits = trainer.network(examples["x"])[0].masked_fill(~examples["masks"], -1e9)
    change = torch.log_softmax(logits, 1).gather(1, examples["actions"].unsqueeze(1)).squeeze(1) - examples["log_probabilities"]
    assert float((change * torch.sign(examples["advantages"] - examples["advantages"].mean())).mean()) > 0


def test_the_kl_term_keeps_the_policy_near_the_one_that_played(tiny):
    found = {}
    for kl in (0.0, 10.0):
        trainer = Trainer(tiny(ppo=PPOConfig(segment=64, epochs=4, minibatch=128, kl=kl)))
        trainer.iterate(0.0)
        found[kl] = trainer.iterate(0.0)["kl"]
    assert 0 <= found[10.0] < 0.5 * found[0.0]


def test_the_loss_against_plain_arithmetic(tiny):
    trainer = collected(tiny(network=NetworkConfig(hidden=[8], precision="float32")), segment=16)
    worker = trainer.workers[0]
    examples = worker.minibatch(trainer.network, worker.examples()[:7])
    examples["log_probabilities"] = examples["log_probabilities"] + torch.linspace(-0.5, 0.5, 7)
    loss, _ = loss_of(trainer.network, examples, clip=0.2, entropy=0.1, kl=0.3, value=0.5)
    with torch.no_grad():
        logits, values = (tensor.double().numpy() for tensor in trainer.network(examples["x"]))
    wanted = 0.0
    for i in range(7):
        legal = np.flatnonzero(examples["masks"][i].numpy())
        policy = np.exp(logits[i, legal]) / np.exp(logits[i, legal]).sum()
        log_ratio = np.log(policy[list(legal).index(int(examples["actions"][i]))]) - float(examples["log_probabilities"][i])
        ratio, advantage = np.exp(log_ratio), float(examples["advantages"][i])
        wanted -= min(ratio * advantage, np.clip(ratio, 0.8, 1.2) * advantage)
        wanted += 0.5 * (values[i] - float(examples["targets"][i])) ** 2
        wanted += 0.1 * (policy * np.log(policy)).sum() + 0.3 * (ratio - 1 - log_ratio)
    assert loss.item() == pytest.approx(wanted, rel=1e-4)


def test_opponents_and_settings_that_do_not_exist(tiny):
    for changes, message in [
        ({"opponents": {"jorneyman": 0.5}}, "jorneyman"),
        ({"opponents": {"net:x.safetensors": 0.5}}, "x.safetensors"),
        ({"game": "mustmaija"}, "mustmaija"),
        ({"variant": "stanard"}, "stanard"),
        ({"players": 9}, "players"),
    ]:
        with pytest.raises((ValueError, OSError), match=message):
            Trainer(tiny(**changes))


def test_benchmark(tiny):
    config = tiny()
    figures = benchmark(
        Trainer(config).game, None, 4, rounds=1, seconds=0.1, games=16, ppo=config.ppo, network=config.network, opponents=config.opponents
    )
    assert set(figures) == {"training", "arithmetic", "training_to_arithmetic"}
    assert min(figures.values()) > 0
