"""Masked PPO in self-play: one network plays all seats that learn, against itself, rule agents and its past selves.

The loop, again and again until the budget is spent:

1. `collect`: every worker, a thread with games of its own, plays a segment of T decisions in each of its n games. Decisions with
   one legal action, and those of rule agents, are played in compiled loops and never asked for (`rollout.py`).
2. `rollout.find_advantages`: generalised advantages along each seat's own decisions; a return reaches every seat that learns,
   whoever decided last.
3. `update`: a few epochs of minibatches. Each worker finds the gradient for its part of a minibatch, the parts are added in a fixed
   order, and Adam takes a step. A policy that must stay close to the one that played (`kl`) makes it magnetic mirror descent: with
   the entropy bonus, whose magnet is the uniform policy, that is MMD (Sokota et al. 2023).
4. The average of the weights over the last updates is what is evaluated and saved: it plays better than the weights themselves.

All chance comes from the games' own seeds and one generator of minibatches, threads share nothing while they work, and torch has
one thread in each, so that a run is a function of its configuration.
"""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from tromf import agents
from tromf.agents import inputs
from tromf.agents.net import Network, fast_precision
from tromf.agents.play import knobs_of
from tromf.envs import batch, registry
from tromf.envs.jit import stream
from tromf.train import rollout
from tromf.train.config import Config

PAST = "past"  # the name of past selves among a configuration's opponents
POOL = 4  # how many of them are kept


class Worker:
    """A share of the games, played and learned from on one thread.

    Args:
        lineups: who may sit beside a learning seat: cumulative shares and codes, as `rollout.seat_players` takes them.
    """

    def __init__(
        self, game: registry.Game, states: np.ndarray, knobs: np.ndarray, lineups: tuple[np.ndarray, np.ndarray], length: int
    ) -> None:
        self.game, self.states, self.knobs, self.length = game, states, knobs, length
        self.shares, self.codes = lineups
        self.players = int(states["options"]["players"].max())
        self.table = np.full((len(states), self.players), rollout.LEARNER, np.int64)
        self.scratch = np.zeros(1, game.state)
        self.segment = rollout.empty_segment(length, len(states), game.words, self.players)
        self.log_policies = np.zeros((0, 0), np.float32)

    def begin(self, seeds: np.ndarray) -> None:
        """Start every game."""
        rollout.begin_all(self.states, self.table, seeds, self.shares, self.codes)

    def collect(self, network: Network, past: list[Network], discount: float, lam: float) -> None:
        """Play a segment and find its advantages."""
        segment = self.segment
        for t in range(self.length + 1):
            rollout.go_on(self.states, self.table, self.knobs, self.scratch, self.shares, self.codes, t, segment)
            with torch.inference_mode():
                logits, values = network(network.read(segment.words[t]))
                for k, other in enumerate(past):
                    rows = np.flatnonzero(segment.who[t] == rollout.FIRST_PAST - k)
                    if len(rows):
                        logits[torch.from_numpy(rows)] = other(other.read(segment.words[t, rows]))[0]
            segment.values[t] = values.numpy()
            if t < self.length:
                inputs.sample(logits.numpy(), segment.masks[t], segment.draws[t], segment.actions[t], segment.log_probabilities[t])
        rollout.find_advantages(segment, discount, lam)

    def examples(self) -> np.ndarray:
        """Where in the segment, counted through all T · n decisions, there are decisions to learn from."""
        return np.flatnonzero(self.segment.learns)

    def minibatch(self, network: Network, chosen: np.ndarray) -> dict[str, Tensor]:
        """The chosen decisions as tensors."""
        s = self.segment
        masks = torch.empty((len(chosen), self.game.actions), dtype=torch.bool)
        inputs.spread_masks(s.masks.reshape(-1)[chosen], masks.numpy())
        return {
            "x": network.read(s.words.reshape(-1, self.game.words)[chosen]),
            "masks": masks,
            "actions": torch.from_numpy(s.actions.reshape(-1)[chosen]),
            "log_probabilities": torch.from_numpy(s.log_probabilities.reshape(-1)[chosen]),
            "advantages": torch.from_numpy(s.advantages.reshape(-1)[chosen]),
            "targets": torch.from_numpy(s.targets.reshape(-1)[chosen]),
        }


def loss_of(network: Network, examples: dict[str, Tensor], clip: float, entropy: float, kl: float, value: float) -> tuple[Tensor, Tensor]:
    """The loss, summed over the examples, and sums of metrics: policy loss, value loss, entropy, KL, share clipped."""
    logits, values = network(examples["x"])
    log_policy = functional.log_softmax(logits.masked_fill(~examples["masks"], -1e9), 1)
    log_ratio = log_policy.gather(1, examples["actions"].unsqueeze(1)).squeeze(1) - examples["log_probabilities"]
    ratio, advantages = log_ratio.exp(), examples["advantages"]
    policy_loss = -torch.minimum(ratio * advantages, ratio.clamp(1 - clip, 1 + clip) * advantages).sum()
    value_loss = (values - examples["targets"]).square().sum()
    surprise = -(log_policy.exp() * log_policy.masked_fill(~examples["masks"], 0.0)).sum()
    divergence = (ratio - 1 - log_ratio).sum()  # an estimate of KL(acting policy, policy) that is never negative (Schulman 2020)
    loss = policy_loss + value * value_loss - entropy * surprise + kl * divergence
    clipped = ((ratio - 1).abs() > clip).sum()
    return loss, torch.stack([policy_loss, value_loss, surprise, divergence, clipped]).detach()


class Trainer:
    """A run of PPO in memory: `iterate` collects a segment and learns from it; `state` and `restore` save and continue it."""

    def __init__(self, config: Config) -> None:
        torch.set_num_threads(1)  # the one place: each worker computes on its own thread
        self.config = config
        self.game, named = registry.find(config.game)
        options = config.options | ({} if config.players is None else {"players": config.players})
        states = self.game.states(config.games, config.variant or named, **options)
        self.players = int(states["options"]["players"][0])
        precision = fast_precision() if config.network.precision == "auto" else config.network.precision
        columns = np.arange(self.game.bits) if config.network.inputs == "all" else varying_bits(self.game, states[:1])
        self.network = Network(self.game, columns, config.network.hidden, precision)
        self.network.initialise(torch.Generator().manual_seed(config.seed))
        self.average, self.past = deepcopy(self.network), [deepcopy(self.network) for _ in range(POOL if PAST in config.opponents else 0)]
        self.optimiser = torch.optim.Adam(self.network.parameters(), lr=1e-3, eps=1e-5, fused=True)
        self.minibatches = np.random.Generator(np.random.PCG64(config.seed))
        opponents = [agents.make(spec, self.game) for spec in config.opponents if spec != PAST]
        if any(agent.compiled is None for agent in opponents):
            raise ValueError(f"opponents are {', '.join(config.opponents)}: accepted are rule agents and '{PAST}'")
        knobs = knobs_of(opponents or [agents.make("random", self.game)])[0]
        lineups = lineups_of(config)
        groups = np.split(states, config.workers)
        self.workers = [Worker(self.game, group.copy(), knobs, lineups, config.ppo.segment) for group in groups]
        seeds = np.array([stream(config.seed, k + 16) for k in range(config.games)], np.uint64)
        for worker, part in zip(self.workers, np.split(seeds, config.workers)):
            worker.begin(part)
        self.pool = ThreadPoolExecutor(config.workers)
        self.decisions = self.games_ended = self.updates = 0

    def each(self, function: Callable[..., Any], *arguments: Iterable[Any]) -> list[Any]:
        """Call a function for every worker, on its thread; results in their order."""
        return list(self.pool.map(function, self.workers, *arguments))

    def iterate(self, done: float) -> dict[str, float]:
        """Collect a segment and learn from it; `done` is the share of the schedules' horizon. Returns metrics."""
        self.collect()
        return self.outcomes() | self.update(done)

    def collect(self) -> None:
        p = self.config.ppo
        self.each(lambda worker: worker.collect(self.network, self.past, p.discount, p.lam))

    def outcomes(self) -> dict[str, float]:
        """How the games that ended in this segment turned out for the learning seat, by kind of opponents."""
        return {}

    def update(self, done: float) -> dict[str, float]:
        """Learn from the segment collected."""
        p = self.config.ppo
        examples = [worker.examples() for worker in self.workers]
        advantages = np.concatenate([worker.segment.advantages.reshape(-1)[rows] for worker, rows in zip(self.workers, examples)])
        mean, scale = advantages.mean(dtype=np.float64), advantages.std(dtype=np.float64) + 1e-8
        for worker in self.workers:
            worker.segment.advantages[:] = (worker.segment.advantages - mean) / scale
        count = len(advantages)
        pieces = max(1, round(count / p.minibatch))
        entropy, rate = p.entropy.at(done), p.learning_rate.at(done)
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        parameters = list(self.network.parameters())
        totals, norms = torch.zeros(5, dtype=torch.float64), 0.0

        def gradient(worker: Worker, chosen: np.ndarray, size: int) -> tuple[tuple[Tensor, ...], Tensor]:
            loss, sums = loss_of(self.network, worker.minibatch(self.network, chosen), p.clip, entropy, p.kl, p.value)
            return torch.autograd.grad(loss / size, parameters), sums

        for _ in range(p.epochs):
            shuffled = [np.array_split(self.minibatches.permutation(rows), pieces) for rows in examples]
            for parts in zip(*shuffled):
                size = sum(map(len, parts))
                results = self.each(gradient, parts, [size] * len(parts))
                for k, parameter in enumerate(parameters):
                    parameter.grad = sum((gradients[k] for gradients, _ in results[1:]), results[0][0][k])
                norms += float(torch.nn.utils.clip_grad_norm_(parameters, p.gradient))
                self.optimiser.step()
                totals += sum(sums for _, sums in results)
        with torch.no_grad():
            weight = min(self.config.average, (self.updates + 1) / (self.updates + 10))
            for mean_weights, weights in zip(self.average.parameters(), parameters):
                mean_weights.lerp_(weights, 1 - weight)
        self.decisions += count
        self.updates += 1
        values = np.concatenate([worker.segment.values[:-1].reshape(-1)[rows] for worker, rows in zip(self.workers, examples)])
        targets = np.concatenate([worker.segment.targets.reshape(-1)[rows] for worker, rows in zip(self.workers, examples)])
        names = ("policy_loss", "value_loss", "entropy", "kl", "clipped")
        return dict(zip(names, (totals / (count * p.epochs)).tolist())) | {
            "explained": 1 - float((targets - values).var() / targets.var()),
            "gradient": norms / (p.epochs * pieces),
            "learning_rate": rate,
        }


def lineups_of(config: Config) -> tuple[np.ndarray, np.ndarray]:
    """Cumulative shares, (k,) float64, and codes, (k,) int64, of who sits beside a learning seat; what is left over is self-play."""
    shares, codes, rules = [], [], 0
    for name, share in config.opponents.items():
        if name == PAST:
            shares += [share / POOL] * POOL
            codes += [rollout.FIRST_PAST - k for k in range(POOL)]
        else:
            shares.append(share)
            codes.append(rules)
            rules += 1
    cumulative = np.cumsum([*shares, 1 - sum(shares)])
    return cumulative, np.array([*codes, rollout.LEARNER], np.int64)


def varying_bits(game: registry.Game, blank: np.ndarray) -> np.ndarray:
    """Numbers of the observation bits that are not the same at all decisions of some thousand games of a setting."""
    states = np.repeat(blank, 2048)
    agents_ = [agents.make(spec, game) for spec in ("random", "journeyman")]
    knobs, _ = knobs_of(agents_)
    seeds, rows = batch.seeds_for(0, len(states)), np.arange(len(states))
    batch.begin_rows(states, rows, seeds, np.full(len(rows), -1), np.zeros(len(rows), np.bool_))
    return rollout.probe(states, rows % 2, knobs, game.widths)
