"""A teacher: its advice is what the rule agent would do, draws the policy, and stops counting."""

import numpy as np
import pytest
import torch

from tromf import agents
from tromf.agents.rule import decide
from tromf.envs import batch, verbs
from tromf.train.config import PPOConfig, Teaching
from tromf.train.ppo import Trainer, loss_of


@pytest.mark.parametrize("game", ["mustamaija", "101"])
def test_advice_is_what_the_teacher_would_do(tiny, game):
    trainer = Trainer(tiny(game=game, teacher="expert", opponents={"journeyman": 0.5}))
    worker = trainer.workers[0]
    expert = agents.make("expert", trainer.game).compiled
    trainer.collect()
    states = worker.states  # they stand at the decision after the segment's last
    for i, seat in enumerate(worker.segment.seats[-1]):
        known = batch.concealed(states[i : i + 1], np.array([seat]))
        assert worker.segment.advice[-1, i] == decide(known[0], expert, worker.segment.draws[-1, i])
        assert int(verbs.legal(states[i])) >> int(worker.segment.advice[-1, i]) & 1


def test_the_policy_is_drawn_to_the_advice(tiny):
    config = tiny(game="101", teacher="expert", opponents={})
    trainer = Trainer(config.model_copy(update={"ppo": PPOConfig(segment=32, epochs=2, minibatch=128, teaching=Teaching(start=5, end=5))}))

    def agreement() -> float:
        trainer.collect()
        worker = trainer.workers[0]
        chosen = worker.examples()
        examples = worker.minibatch(trainer.network, chosen)
        with torch.inference_mode():
            logits, _ = trainer.network(examples["x"])
        return float((logits.masked_fill(~examples["masks"], -1e9).argmax(1) == examples["advice"]).float().mean())

    before = agreement()
    for _ in range(40):
        trainer.iterate(0.0)
    assert agreement() > before + 0.15


def test_without_weight_the_advice_changes_nothing(tiny):
    trainer = Trainer(tiny(game="101", teacher="expert", opponents={}))
    trainer.collect()
    worker = trainer.workers[0]
    examples = worker.minibatch(trainer.network, worker.examples())
    plain = {key: value for key, value in examples.items() if key != "advice"}
    settings = {"clip": 0.2, "entropy": 0.1, "kl": 0.3, "value": 0.5}
    assert loss_of(trainer.network, examples, **settings)[0] == loss_of(trainer.network, plain, **settings, teaching=1.0)[0]
    assert loss_of(trainer.network, examples, **settings, teaching=1.0)[0] > loss_of(trainer.network, examples, **settings)[0]


def test_the_teacher_must_be_a_rule_agent_that_exists(tiny):
    with pytest.raises(ValueError, match="no agent 'nobody'"):
        Trainer(tiny(teacher="nobody"))
