"""Masked PPO in self-play: one network plays all seats that learn, against itself, rule agents and its past selves.

Where seats play together, a side learns as a whole: the network sits in all its seats, each of which sees its own hand only.

The loop, again and again until the budget is spent:

1. `collect`: every worker, a thread with games of its own, plays a segment of T decisions in each of its n games. Decisions with
   one legal action, and those of rule agents, are played in compiled loops and never asked for (`rollout.py`).
2. `rollout.find_advantages`: generalised advantages along each seat's own decisions; a return reaches every seat that learns,
   whoever decided last.
3. `update`: a few epochs of minibatches. Each worker finds the gradient for its part of a minibatch, the parts are added in a fixed
   order, and Adam takes a step. A policy that must stay close to the one that played (`kl`) makes it magnetic mirror descent: with
   the entropy bonus, whose magnet is the uniform policy, that is MMD (Sokota et al. 2023).
4. With a `teacher`, a rule agent, the loss also draws the policy towards what the teacher would do at the same decisions, at first
   strongly, later not at all: kickstarting (Schmitt et al. 2018, arXiv 1803.03835).
5. The average of the weights over the last updates is what is evaluated and saved: it plays better than the weights themselves.

All chance comes from the games' own seeds and one generator of minibatches, threads share nothing while they work, and torch has
one thread in each, so that a run is a function of its configuration.
"""

import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from tromf import agents
from tromf.agents import inputs
from tromf.agents.base import Agent
from tromf.agents.net import NetAgent, Network, fast_precision
from tromf.agents.play import knobs_of, play, returns
from tromf.envs import batch, registry
from tromf.envs.jit import stream
from tromf.envs.words import spread_masks
from tromf.train import rollout
from tromf.train.config import Config, variant_of

PAST = "past"  # the name of past selves among a configuration's opponents
POOL = 4  # how many of them are kept
FIRST_ASKED = rollout.FIRST_PAST - POOL  # below the past selves: opponents that are no rule agents


class Worker:
    """A share of the games, played and learned from on one thread.

    Args:
        cast: who else plays; agents that are asked are copied, since no two threads may share one.
        lineups: who may meet the side that learns: cumulative shares and codes, as `rollout.seat_players` takes them.
    """

    def __init__(
        self,
        game: registry.Game,
        states: np.ndarray,
        cast: "Cast",
        lineups: tuple[np.ndarray, np.ndarray],
        length: int,
    ) -> None:
        self.game, self.states, self.knobs, self.teacher, self.length = game, states, cast.knobs, cast.teacher, length
        self.asked, self.examiner = deepcopy(cast.asked), deepcopy(cast.examiner)
        self.shares, self.codes = lineups
        self.players = int(states["options"]["players"].max())
        self.sides = np.array(game.sides(self.players), np.int64)
        self.table = np.full((len(states), self.players), rollout.LEARNER, np.int64)
        self.scratch = np.zeros(1, game.state)
        self.inputs: Tensor | None = None
        self.segment = rollout.empty_segment(length, len(states), game.words, self.players)

    def begin(self, seeds: np.ndarray) -> None:
        """Start every game."""
        rollout.begin_all(self.states, self.table, seeds, self.sides, self.shares, self.codes)

    def collect(self, network: Network, past: list[Network], discount: float, lam: float) -> None:
        """Play a segment and find its advantages."""
        segment = self.segment
        for t in range(self.length + 1):
            rollout.go_on(self.states, self.table, self.knobs, self.teacher, self.scratch, self.sides, self.shares, self.codes, t, segment)
            x = self.read(network, segment.words[t])
            with torch.inference_mode():
                logits, values = network(x)
                for k, other in enumerate(past):
                    rows = np.flatnonzero(segment.who[t] == rollout.FIRST_PAST - k)
                    if len(rows):
                        logits[torch.from_numpy(rows)] = other(other.read(segment.words[t, rows]))[0]
            segment.values[t] = values.numpy()
            if t < self.length:
                inputs.sample(logits.numpy(), segment.masks[t], segment.draws[t], segment.actions[t], segment.log_probabilities[t])
                self.ask(t)
        rollout.find_advantages(segment, discount, lam)

    def ask(self, t: int) -> None:
        """Let opponents that are no rule agents make those of the decisions t that are theirs."""
        s = self.segment
        for k, agent in enumerate(self.asked):
            rows = np.flatnonzero(s.who[t] == FIRST_ASKED - k)
            if len(rows):
                s.actions[t, rows] = agent.act(batch.decisions(self.game, self.states, s.words[t], s.masks[t], s.seats[t], rows))

    def examples(self) -> np.ndarray:
        """Where in the segment, counted through all T · n decisions, there are decisions to learn from."""
        return np.flatnonzero(self.segment.learns)

    def read(self, network: Network, words: np.ndarray) -> Tensor:
        """The network's inputs, in memory of ours that the next call overwrites: fresh memory would cost as much as the reading."""
        if self.inputs is None or len(self.inputs) < len(words):
            self.inputs = network.blank(len(words))
        return network.read(words, self.inputs[: len(words)])

    def minibatch(self, network: Network, chosen: np.ndarray) -> dict[str, Tensor]:
        """The chosen decisions as tensors, `x` good until the next ones are asked for."""
        s = self.segment
        masks = torch.empty((len(chosen), self.game.actions), dtype=torch.bool)
        spread_masks(s.masks.reshape(-1)[chosen], masks.numpy())
        return {
            "x": self.read(network, s.words.reshape(-1, self.game.words)[chosen]),
            "masks": masks,
            "actions": torch.from_numpy(s.actions.reshape(-1)[chosen]),
            "log_probabilities": torch.from_numpy(s.log_probabilities.reshape(-1)[chosen]),
            "advantages": torch.from_numpy(s.advantages.reshape(-1)[chosen]),
            "targets": torch.from_numpy(s.targets.reshape(-1)[chosen]),
        } | ({"advice": torch.from_numpy(s.advice.reshape(-1)[chosen])} if self.teacher >= 0 else {})


def loss_of(
    network: Network, examples: dict[str, Tensor], clip: float, entropy: float, kl: float, value: float, teaching: float = 0.0
) -> tuple[Tensor, Tensor]:
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
    if teaching and "advice" in examples:
        loss = loss - teaching * log_policy.gather(1, examples["advice"].unsqueeze(1)).sum()
    clipped = ((ratio - 1).abs() > clip).sum()
    return loss, torch.stack([policy_loss, value_loss, surprise, divergence, clipped]).detach()


class Trainer:
    """A run of PPO in memory: `iterate` collects a segment and learns from it; `state` and `restore` save and continue it.

    Attributes: `network`, which plays and learns; `average`, the network to evaluate and save; `past`, the past selves;
    `decisions`, made by learning seats where there was a choice, and learned from.
    """

    def __init__(self, config: Config) -> None:
        torch.set_num_threads(1)  # the one place: each worker computes on its own thread
        self.config = config
        self.game, self.blank = setting_of(config)
        require_choices(self.game, self.blank)
        precision = fast_precision() if config.network.precision == "auto" else config.network.precision
        columns = np.arange(self.game.bits) if config.network.inputs == "all" else varying_bits(self.game, self.blank)
        self.network = Network(self.game, columns, config.network.hidden, precision)
        self.network.initialise(torch.Generator().manual_seed(config.seed))
        self.average = deepcopy(self.network)
        self.past = [deepcopy(self.network) for _ in range(POOL if PAST in config.opponents else 0)]
        self.optimiser = torch.optim.Adam(self.network.parameters(), eps=1e-5, fused=True)
        self.minibatches = np.random.Generator(np.random.PCG64(config.seed))
        self.decisions = self.updates = 0
        self.cast = cast_of(config, self.game)
        games, lineups = config.games // config.workers, lineups_of(config, self.cast)
        self.workers = [
            Worker(self.game, np.repeat(self.blank, games), self.cast, lineups, config.ppo.segment) for _ in range(config.workers)
        ]
        seeds = np.array([stream(config.seed, k + 16) for k in range(config.games)], np.uint64)
        for worker, part in zip(self.workers, np.split(seeds, config.workers)):
            worker.begin(part)
        self.pool = ThreadPoolExecutor(config.workers)

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
        """The learning side's mean return and share of games lost, in the games that ended in this segment, by whom it met.

        A game is lost whose return is negative.
        """
        metrics = {}
        segments = [worker.segment for worker in self.workers]
        metrics["games"] = float(sum(int(s.ended.sum()) for s in segments))
        for name, code in self.cast.codes.items():
            last = code - POOL + 1 if name == PAST else code
            mine = [s.ended & (s.against <= code) & (s.against >= last) for s in segments]
            paid = np.concatenate([s.payoffs[m, s.learner[m]] for s, m in zip(segments, mine)])
            if len(paid):
                metrics |= {f"return/{name}": float(paid.mean()), f"lost_sampling/{name}": float((paid < 0).mean())}
        return metrics

    def update(self, done: float) -> dict[str, float]:
        """Learn from the segment collected."""
        p = self.config.ppo
        examples = [worker.examples() for worker in self.workers]
        values, targets, advantages = self._gather(examples)
        mean, scale = advantages.mean(dtype=np.float64), advantages.std(dtype=np.float64) + 1e-8
        for worker in self.workers:
            worker.segment.advantages[:] = (worker.segment.advantages - mean) / scale
        count = len(advantages)
        pieces = max(1, round(count / p.minibatch))
        entropy, rate, teaching = p.entropy.at(done), p.learning_rate.at(done), p.teaching.at(done)
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        parameters = list(self.network.parameters())
        totals, norms = torch.zeros(5, dtype=torch.float64), 0.0

        def gradient(worker: Worker, chosen: np.ndarray, size: int) -> tuple[tuple[Tensor, ...], Tensor]:
            loss, sums = loss_of(self.network, worker.minibatch(self.network, chosen), p.clip, entropy, p.kl, p.value, teaching)
            return torch.autograd.grad(loss / size, parameters), sums

        for _ in range(p.epochs):
            shuffled = [np.array_split(self.minibatches.permutation(rows), pieces) for rows in examples]
            for parts in zip(*shuffled):
                results = self.each(gradient, parts, [sum(map(len, parts))] * len(parts))
                norms += descend(self.optimiser, parameters, [gradients for gradients, _ in results], p.gradient)
                totals += sum(sums for _, sums in results)
        self._count(count)
        names = ("policy_loss", "value_loss", "entropy", "kl", "clipped")
        return dict(zip(names, (totals / (count * p.epochs)).tolist())) | {
            "explained": 1 - float((targets - values).var() / max(targets.var(), 1e-12)),
            "gradient": norms / (p.epochs * pieces),
            "learning_rate": rate,
            "entropy_bonus": entropy,
        }

    def _gather(self, examples: list[np.ndarray]) -> list[np.ndarray]:
        """Values, targets and advantages of the decisions to learn from, of all workers."""
        of = [(worker.segment.values[:-1], worker.segment.targets, worker.segment.advantages) for worker in self.workers]
        return [np.concatenate([arrays[k].reshape(-1)[rows] for arrays, rows in zip(of, examples)]) for k in range(3)]

    def _count(self, count: int) -> None:
        """After an update: move the average, and now and then a past self, to the new weights."""
        before, self.decisions = self.decisions, self.decisions + count
        weight = min(self.config.average, (self.updates + 1) / (self.updates + 10))  # the first weights are soon forgotten
        self.updates += 1
        with torch.no_grad():
            for mean, weights in zip(self.average.parameters(), self.network.parameters()):
                mean.lerp_(weights, 1 - weight)
        moment = self.decisions // self.config.past_every
        if self.past and moment > before // self.config.past_every:
            self.past[moment % POOL].load_state_dict(self.average.state_dict())

    def evaluate(self) -> dict[str, float]:
        """The average network, choosing greedily, against equal opponents on fixed deals: its mean return and share lost."""
        e = self.config.evaluation
        one = NetAgent("average", self.average, greedy=True)
        blocks = np.array_split(np.arange(e.deals), self.config.workers)
        paid = np.concatenate(self.each(lambda worker, block: duel(self.game, self.blank, one, worker.examiner, block, e.seed), blocks))
        return {"evaluation": float(paid.mean()), "lost": float((paid < 0).mean())}

    def state(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """All that continuing needs: arrays by name, and the rest as what JSON can hold."""
        arrays: dict[str, np.ndarray] = {}
        for name, network in self._networks():
            arrays |= {f"{name}/{key}": tensor.numpy().copy() for key, tensor in network.state_dict().items()}
        for k, moments in self.optimiser.state_dict()["state"].items():
            arrays |= {f"adam/{k}/{key}": tensor.numpy().copy() for key, tensor in moments.items()}
        arrays["states"] = np.concatenate([worker.states for worker in self.workers])
        arrays["table"] = np.concatenate([worker.table for worker in self.workers])
        return arrays, {"decisions": self.decisions, "updates": self.updates, "minibatches": self.minibatches.bit_generator.state}

    def restore(self, arrays: dict[str, np.ndarray], rest: dict[str, Any]) -> None:
        """Continue from a `state` of a trainer with the same configuration."""
        for name, network in self._networks():
            network.load_state_dict({key: torch.from_numpy(arrays[f"{name}/{key}"].copy()) for key in network.state_dict()})
        moments: dict[int, dict[str, Tensor]] = {}
        for name, array in arrays.items():
            if name.startswith("adam/"):
                _, k, key = name.split("/")
                moments.setdefault(int(k), {})[key] = torch.from_numpy(array.copy())
        self.optimiser.load_state_dict(self.optimiser.state_dict() | {"state": moments})
        for worker, states, table in zip(
            self.workers, np.split(arrays["states"], len(self.workers)), np.split(arrays["table"], len(self.workers))
        ):
            worker.states[:], worker.table[:] = states, table
        self.decisions, self.updates = rest["decisions"], rest["updates"]
        self.minibatches.bit_generator.state = rest["minibatches"]

    def _networks(self) -> list[tuple[str, Network]]:
        return [("network", self.network), ("average", self.average), *((f"past{k}", past) for k, past in enumerate(self.past))]


def descend(optimiser: torch.optim.Optimizer, parameters: list[nn.Parameter], parts: list[tuple[Tensor, ...]], limit: float) -> float:
    """Take a step along the sum of the workers' gradients, clipped; returns its norm before."""
    for parameter, *gradients in zip(parameters, *parts):
        parameter.grad = gradients[0]
        for gradient in gradients[1:]:
            parameter.grad += gradient
    norm = float(nn.utils.clip_grad_norm_(parameters, limit))
    optimiser.step()
    return norm


def duel(game: registry.Game, blank: np.ndarray, one: Agent, other: Agent, deals: np.ndarray, seed: int) -> np.ndarray:
    """Returns of one agent among equal others, (deals, sides): every deal is played once with it in all seats of each side."""
    sides = np.array(game.sides(int(blank["options"]["players"][0])))
    first = np.unique(sides, return_index=True)[1]  # a seat of each side
    states = np.repeat(blank, len(deals) * len(first))
    rows = np.arange(len(states))
    seeds = np.repeat(np.array([stream(seed, deal) for deal in deals], np.uint64), len(first))
    batch.begin_rows(states, rows, seeds, np.full(len(rows), -1), np.zeros(len(rows), np.bool_))
    side = rows % len(first)
    play(game, states, [one, other], np.where(sides == side[:, None], 0, 1))
    return returns(states, len(sides))[rows, first[side]].reshape(-1, len(first))


def setting_of(config: Config) -> tuple[registry.Game, np.ndarray]:
    """The game of a configuration, and a blank record, (1,), with its options. `ValueError` says what is wrong with them."""
    game, variant = variant_of(config.game, config.variant)
    players = {} if config.players is None else {"players": config.players}
    return game, game.states(1, variant, **(config.options | players))


def require_choices(game: registry.Game, blank: np.ndarray) -> None:
    """`ValueError` if nobody has a choice in hundreds of games, as with packs of a card a seat: there would be nothing to learn from."""
    states = np.repeat(blank, 256)
    rows = np.arange(len(states))
    batch.begin_rows(states, rows, batch.seeds_for(0, len(states)), np.full(len(rows), -1), np.zeros(len(rows), np.bool_))
    batch.skip_all_forced(states)
    masks, words = np.zeros(len(states), np.uint64), np.zeros((len(states), game.words), np.uint64)
    batch.look_rows(states, np.zeros(len(states), np.int64), words, masks)
    if not masks.any():
        raise ValueError("with these options nobody ever has a choice: there is nothing to learn")


class Cast(NamedTuple):
    """Who plays in a run beside the network that learns."""

    knobs: np.ndarray  # (m,) records of the rule agents, at least one
    teacher: int  # which of them gives advice, -1 for none
    asked: list[Agent]  # opponents that are no rule agents
    examiner: Agent  # the opponent in evaluations
    codes: dict[str, int]  # the entries in the table that stand for the opponents; for past selves the first of `POOL`, downwards


def cast_of(config: Config, game: registry.Game) -> Cast:
    """Make the agents that a configuration names. `ValueError` or `OSError`, in one line, for those that do not exist or fit."""
    rules: list[Agent] = []
    asked: list[Agent] = []
    codes = {}
    for spec in config.opponents:
        if spec == PAST:
            codes[spec] = rollout.FIRST_PAST
        elif (agent := agents.make(spec, game)).compiled is not None:
            codes[spec] = len(rules)
            rules.append(agent)
        else:
            codes[spec] = FIRST_ASKED - len(asked)
            asked.append(agent)
    if config.teacher:
        rules.append(agents.make(config.teacher, game))
        if rules[-1].compiled is None:
            raise ValueError(f"teacher: {config.teacher!r} is no rule agent: accepted are rule agents")
    knobs, _ = knobs_of(rules or [agents.make("random", game)])
    return Cast(knobs, len(rules) - 1 if config.teacher else -1, asked, agents.make(config.evaluation.opponent, game), codes)


def warm_up(config: Config) -> None:
    """Compile, or read from the cache, all that a run uses, by a tiny one, so that it does not count as training time."""
    tiny = {"games": config.workers, "ppo": config.ppo.model_copy(update={"segment": 2, "epochs": 1})}
    trainer = Trainer(config.model_copy(update=tiny | {"evaluation": config.evaluation.model_copy(update={"deals": 1})}))
    trainer.iterate(0.0)
    trainer.evaluate()


def lineups_of(config: Config, cast: Cast) -> tuple[np.ndarray, np.ndarray]:
    """Cumulative shares, (k,) float64, and codes, (k,) int64, of who meets the side that learns; what is left over is self-play."""
    shares, codes = [], []
    for name, share in config.opponents.items():
        places = POOL if name == PAST else 1
        shares += [share / places] * places
        codes += [cast.codes[name] - k for k in range(places)]
    cumulative = np.cumsum([*shares, 1 - sum(shares)])
    return cumulative, np.array([*codes, rollout.LEARNER], np.int64)


def varying_bits(game: registry.Game, blank: np.ndarray) -> np.ndarray:
    """Numbers of the observation bits that are not the same at all decisions of some thousand games of a setting."""
    states = np.repeat(blank, 2048)
    knobs, _ = knobs_of([agents.make(spec, game) for spec in ("random", "journeyman")])
    seeds, rows = batch.seeds_for(0, len(states)), np.arange(len(states))
    batch.begin_rows(states, rows, seeds, np.full(len(rows), -1), np.zeros(len(rows), np.bool_))
    return rollout.probe(states, rows % 2, knobs, game.widths)


def benchmark(
    game: registry.Game, variant: str | None, players: int, *, rounds: int = 5, seconds: float = 5.0, seed: int = 0, **settings: Any
) -> dict[str, float]:
    """Decisions per second of training, and of its bare network arithmetic alone: medians of interleaved rounds of some seconds.

    The arithmetic is the same network, precision, minibatches, epochs, loss, optimiser and threads on random data that lie ready as
    tensors, and the same forward passes for acting; no games, no advantages, nothing read or written. `settings`: for `Config`.
    """
    name = "journeyman"
    config = Config(game=game.name, variant=variant, players=players, decisions=1, seed=seed, **{"opponents": {name: 0.5}} | settings)
    trainer = Trainer(config)
    trainer.iterate(0.0)
    arithmetic = bare_arithmetic(Trainer(config), seed)
    rates: dict[str, list[float]] = {"training": [], "arithmetic": []}

    def learn() -> int:
        before = trainer.decisions
        trainer.iterate(0.5)
        return trainer.decisions - before

    arithmetic()
    for _ in range(rounds):
        for key, chunk in (("training", learn), ("arithmetic", arithmetic)):
            made, begun = 0, time.perf_counter()
            while time.perf_counter() - begun < seconds / 2 or not made:
                made += chunk()
            rates[key].append(made / (time.perf_counter() - begun))
    ratio = float(np.median(np.array(rates["training"]) / np.array(rates["arithmetic"])))
    return {key: float(np.median(values)) for key, values in rates.items()} | {"training_to_arithmetic": ratio}


def bare_arithmetic(trainer: Trainer, seed: int) -> Callable[[], int]:
    """A function that does the network arithmetic of one iteration on random data, and returns how many decisions that stands for."""
    config, game, network = trainer.config, trainer.game, trainer.network
    p, generator = config.ppo, np.random.default_rng(seed)
    games = config.games // config.workers
    size = p.minibatch // config.workers

    def random_words(count: int) -> np.ndarray:
        used = (np.uint64(1) << game.widths.astype(np.uint64)) - np.uint64(1)  # `read` knows no others
        return generator.integers(0, 2**63, (count, game.words), np.uint64) & used

    def random_examples(count: int) -> dict[str, Tensor]:
        words = random_words(count) & random_words(count)
        masks = generator.random((count, game.actions)) < 0.07  # about four legal actions
        actions = generator.integers(0, game.actions, count)
        masks[np.arange(count), actions] = True
        numbers = (generator.standard_normal(count).astype(np.float32) for _ in range(2))
        return {
            "x": network.read(words),
            "masks": torch.from_numpy(masks),
            "actions": torch.from_numpy(actions),
            "log_probabilities": torch.from_numpy(-np.log(masks.sum(1)).astype(np.float32)),
        } | dict(zip(("advantages", "targets"), map(torch.from_numpy, numbers)))

    seen = [network.read(random_words(games)) for _ in trainer.workers]
    minibatches = [random_examples(size) for _ in trainer.workers]
    parameters = list(network.parameters())

    def act(worker: Worker, x: Tensor) -> None:
        with torch.inference_mode():
            for _ in range(p.segment + 1):
                network(x)

    def gradient(worker: Worker, examples: dict[str, Tensor]) -> tuple[Tensor, ...]:
        loss, _ = loss_of(network, examples, p.clip, p.entropy.start, p.kl, p.value)
        return torch.autograd.grad(loss / (size * config.workers), parameters)

    def iterate() -> int:
        trainer.each(act, seen)
        pieces = max(1, round(config.games * p.segment / p.minibatch))
        for _ in range(p.epochs * pieces):
            descend(trainer.optimiser, parameters, trainer.each(gradient, minibatches), p.gradient)
        return pieces * size * config.workers

    return iterate
