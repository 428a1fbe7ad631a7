"""Checks any card game with hidden information that has the PettingZoo AEC interface and action masks.

    from tromf.envs.conformance import check
    report = check(my_game.env)
    print(report)
    assert report.ok

PettingZoo's own `api_test` and `seed_test` check the interface; they let pass a game that shows a seat the other hands, whose mask is
wrong, or that pays the wrong seat. This kit looks for those faults and complements them. It needs nothing of the game but the interface.
What cannot be known from outside (which cards are hidden, which actions the rules allow, what the seats should be paid) comes from
optional hooks, see `check`; without them the report says what stayed unchecked.

How a check works: it plays episodes with random legal actions, drawn from the kit's own generator, and raises `_Fault` at the first thing
that is wrong. Whatever the environment itself raises becomes a failure too. A step or reset that never comes back cannot be stopped.
"""

from __future__ import annotations

import copy
import itertools
import pickle
import random
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

__all__ = ["CHECKS", "Failure", "Place", "Report", "Result", "check"]

RARE = 8  # a feature must take its rarer values in this many deals before two equal features are no coincidence (1 in C(240, 8) ~ 10**14)
WIDTH = 32  # actions of each kind, legal and illegal, that are tried at one decision


# ------------------------------------------------------------------------------------------------------------------------- the report


class Place(NamedTuple):
    """Where something went wrong: `decision` actions had been taken in episode number `episode` after `reset(seed)`, both from 0."""

    seed: int | None = None
    episode: int = 0
    decision: int | None = None
    agent: str | None = None

    def __str__(self) -> str:
        words = [] if self.seed is None else [f"seed {self.seed}"]
        words += [f"episode {self.episode} after it, without a seed"] if self.episode else []
        words += [] if self.decision is None else [f"decision {self.decision}"]
        return ", ".join(words + ([] if self.agent is None else [str(self.agent)]))


@dataclass(frozen=True)
class Failure:
    """One failed check: its name, what is wrong in one sentence, and the first place where it was seen."""

    check: str
    message: str
    place: Place

    def __str__(self) -> str:
        return f"{self.check}: {self.message}" + (f" ({self.place})" if str(self.place) else "")


@dataclass(frozen=True)
class Result:
    """The outcome of one check: `status` is "passed", "failed" or "not applicable", and `reason` says why it is not applicable."""

    check: str
    description: str
    status: str
    reason: str = ""


@dataclass
class Report:
    """What `check` found: `results` has one line per check, `failures` one per failed check, `notes` what could not be looked at."""

    name: str
    results: list[Result] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """True if no check failed."""
        return not self.failures

    def failed(self) -> set[str]:
        """Names of the checks that failed."""
        return {failure.check for failure in self.failures}

    def __str__(self) -> str:
        done = sum(result.status != "not applicable" for result in self.results)
        lines = [f"{self.name}: " + (f"all {done} checks passed" if self.ok else f"{len(self.failures)} of {done} checks failed")]
        for result in self.results:
            status = "FAILED" if result.status == "failed" else result.status
            lines.append(f"  {status:<16}{result.check:<18}{result.description}" + (f" [{result.reason}]" if result.reason else ""))
        for title, sentences in (("failures", self.failures), ("notes", self.notes)):
            lines += [f"{title}:", *(f"  {sentence}" for sentence in sentences)] if sentences else []
        return "\n".join(lines)


class _Fault(Exception):
    """Raised by a check at the first thing that is wrong."""

    def __init__(self, message: str, place: Place | None = None):
        super().__init__(message)
        self.place = place or Place()


class _Broken(_Fault):
    """The environment itself raised, or could not go on, in a call that every other check needs as well."""


class _NotApplicable(Exception):
    """Raised by a check that has nothing to look at."""


# --------------------------------------------------------------------------------------------------- values: freeze, compare, flatten


def _arrays(value: Any) -> Iterator[np.ndarray]:
    """All arrays in nested dictionaries, lists and tuples."""
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _arrays(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _arrays(item)


def _frozen(value: Any) -> Any:
    """A copy that later changes of arrays and containers do not reach."""
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, dict):
        return {key: _frozen(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_frozen(item) for item in value]
    return value


def _key(value: Any) -> Any:
    """Something hashable, equal exactly for equal values. Of foreign objects only the type counts: they may compare by identity."""
    if isinstance(value, np.ndarray):
        return (value.dtype.str, value.shape, _key(value.tolist()) if value.dtype.hasobject else value.tobytes())
    if isinstance(value, dict):
        return tuple(sorted(((str(key), _key(item)) for key, item in value.items()), key=lambda pair: pair[0]))
    if isinstance(value, list | tuple):
        return tuple(_key(item) for item in value)
    if isinstance(value, np.generic):
        return _key(value.item())
    if isinstance(value, bool | int | float | complex | str | bytes | None):
        return value if value == value else "nan"
    return type(value).__name__


def _path(a: Any, b: Any) -> str | None:
    pairs: Iterable[tuple[Any, Any, Any]]
    if isinstance(a, dict) and isinstance(b, dict):
        if a.keys() != b.keys():
            return " (its keys)"
        pairs = ((key, item, b[key]) for key, item in a.items())
    elif isinstance(a, list | tuple) and isinstance(b, list | tuple) and len(a) == len(b):
        pairs = zip(range(len(a)), a, b)
    else:
        return None if _key(a) == _key(b) else ""
    for key, x, y in pairs:
        if (inner := _path(x, y)) is not None:
            return f"[{key}]{inner}"
    return None


def _difference(a: Any, b: Any, name: str = "") -> str | None:
    """The path of the first part in which two values differ, such as `observe[player_0][action_mask]`, or None."""
    path = _path(a, b)
    return path if path is None else (name + path if name else path.replace("[", "", 1).replace("]", "", 1)) or "it"


def _features(observation: Any) -> np.ndarray:
    """The numbers of an observation as one float vector, the action mask left out."""
    inner = {key: item for key, item in observation.items() if key != "action_mask"} if isinstance(observation, dict) else observation
    parts = [array.ravel() for array in _arrays(inner) if array.dtype.kind in "biuf"]
    return np.concatenate(parts).astype(float) if parts else np.zeros(0)


def _short(error: BaseException) -> str:
    text = " ".join(str(error).split())
    return type(error).__name__ + (f": {text[:200]}" if text else "")


def _unwrapped(env: Any) -> Any:
    # A converted parallel environment unwraps to something that is no AEC environment: then the converter is as far as we get.
    try:
        raw = env.unwrapped
    except Exception as error:
        raise _Broken(f"unwrapped raised {_short(error)}") from error
    return raw if isinstance(raw, AECEnv) else env


# ------------------------------------------------------------------------------------------------------- an environment being played


class _Game:
    """One environment, where in an episode it is, and what it has paid. Exceptions of the environment come out as `_Broken`."""

    def __init__(self, kit: _Kit, env: Any = None, raw: bool = False):
        self.kit = kit
        self.env = kit.make() if env is None else env
        self.raw = _unwrapped(self.env)
        self.env = self.raw if raw else self.env
        self.cast: Callable[[int], Any] = int  # the type in which actions are handed over
        self.watch: Callable[[str, Any], None] | None = None  # called after every reset and step with the call's name and its argument
        self.log: list[tuple[str, Any]] = []  # all resets and steps so far
        self.place = Place()
        self.steps = 0
        self.endless = False
        self.rng = np.random.default_rng(kit.seed)

    @contextmanager
    def doing(self, call: str, agent: str | None = None) -> Iterator[None]:
        try:
            yield
        except (_Fault, _NotApplicable):
            raise
        except Exception as error:
            raise _Broken(f"{call} raised {_short(error)}", self.at(agent)) from error

    def at(self, agent: str | None = None) -> Place:
        return self.place._replace(agent=agent)

    def reset(self, seed: int | None = None, options: dict | None = None) -> None:
        self.place = Place(seed) if seed is not None else Place(self.place.seed, self.place.episode + 1)
        with self.doing("reset"):
            self.returned = self.env.reset(seed=seed) if options is None else self.env.reset(seed=seed, options=options)
            self.agents = list(self.env.possible_agents)
        self.place = self.place._replace(decision=0)
        self.steps, self.endless = 0, False
        self.handed: dict[Any, float] = dict.fromkeys(self.agents, 0.0)  # what each seat was told by last()
        self.paid: dict[Any, float] = dict.fromkeys(self.agents, 0.0)  # what stood in rewards after each step
        self.rng = np.random.default_rng([self.kit.seed, self.place.seed or 0, self.place.episode])
        self.log.append(("reset", seed))
        if self.watch:
            self.watch("reset", seed)

    @property
    def actor(self) -> Any:
        return self.env.agent_selection

    def over(self, agent: Any) -> bool:
        return bool(self.env.terminations.get(agent) or self.env.truncations.get(agent))

    def all_over(self) -> bool:
        return all(self.over(agent) for agent in self.env.agents)

    def live(self) -> bool:
        """Let seats that are over leave; True if a seat has to decide, False at the end (or past `max_decisions`: then `endless`)."""
        with self.doing("reading agents, agent_selection, terminations and truncations"):
            while self.env.agents and not self.endless:
                self.endless = self.steps >= self.kit.max_decisions + len(self.agents)
                if not self.over(self.actor):
                    return not self.endless
                self.step(None)
        return False

    def space(self, agent: Any) -> spaces.Discrete:
        with self.doing("action_space", agent):
            space = self.env.action_space(agent)
        if not isinstance(space, spaces.Discrete):
            raise _Broken(f"the action space is {space}, and action masks need a Discrete one", self.at(agent))
        return space

    def observe(self, agent: Any) -> Any:
        with self.doing("observe", agent):
            return self.env.observe(agent)

    def masks(self, agent: Any, observation: Any = None) -> list[Any]:
        """The masks an agent gets, as they are: from its observation, from its info, or from both."""
        observation = self.observe(agent) if observation is None else observation
        with self.doing("reading infos", agent):
            sources = (observation, self.env.infos.get(agent))
        return [source["action_mask"] for source in sources if isinstance(source, dict) and "action_mask" in source]

    def allowed(self, agent: Any) -> np.ndarray:
        """Indices of the actions that the agent's mask allows. Without any mask: all."""
        n, masks = int(self.space(agent).n), self.masks(agent)
        mask = np.asarray(masks[0]).astype(bool).ravel() if masks else np.ones(n, bool)
        return np.flatnonzero(mask[:n])

    def choose(self) -> int:
        agent = self.actor
        allowed = self.allowed(agent)
        if not allowed.size:
            raise _Broken("the mask of the seat to act allows no action", self.at(agent))
        return int(self.space(agent).start) + int(allowed[self.rng.integers(allowed.size)])

    def step(self, action: int | None) -> None:
        agent = self.actor
        with self.doing("last", agent):
            self.handed[agent] = self.handed.get(agent, 0.0) + float(self.env.last(observe=False)[1])
        with self.doing(f"step({action})", agent):
            self.returned = self.env.step(action if action is None else self.cast(action))
        self.steps += 1
        self.log.append(("step", action))
        with self.doing("reading rewards", agent):
            for payee, reward in self.env.rewards.items():
                self.paid[payee] = self.paid.get(payee, 0.0) + float(reward)
        if self.watch:
            self.watch("step", action)
        if action is not None:
            self.place = self.place._replace(decision=(self.place.decision or 0) + 1)

    def facts(self) -> dict[str, Any]:
        """What everybody can read without observing."""
        with self.doing("reading agents, rewards, terminations and truncations"):
            return _frozen(
                {
                    "agents": self.env.agents,
                    "agent_selection": self.actor if self.env.agents else None,
                    "rewards": self.env.rewards,
                    "terminations": self.env.terminations,
                    "truncations": self.env.truncations,
                }
            )

    def copy(self) -> Any:
        """A copy of the raw environment. It shares the spaces, which take most of the time to copy and do not change."""
        shared = [space(agent) for agent in self.agents for space in (self.raw.observation_space, self.raw.action_space)]
        return copy.deepcopy(self.raw, {id(space): space for space in shared})

    def state(self) -> Any:
        with self.doing("state"):
            try:
                return self.env.state() if callable(getattr(self.raw, "state", None)) else None
            except NotImplementedError:
                return None

    def view(self, first: int = 0) -> dict[str, Any]:
        """All that can be read: facts, infos, every seat's observation (seat number `first` looks first), and any `state()`. A copy."""
        facts = self.facts()
        seen = {agent: _frozen(self.observe(agent)) for agent in facts["agents"][first:] + facts["agents"][:first]}
        return facts | {"infos": _frozen(self.env.infos), "observe": seen, "state": _frozen(self.state())}

    def fork(self, env: Any) -> _Game:
        """The same place in the same episode, the same choices ahead, in another environment."""
        twin = copy.copy(self)
        twin.env, twin.raw, twin.watch = env, _unwrapped(env), None
        twin.log, twin.rng, twin.handed, twin.paid = list(self.log), copy.deepcopy(self.rng), dict(self.handed), dict(self.paid)
        return twin


Record = tuple[Place, dict[str, Any]]


class _Kit:
    """What the checks share: how to make the environment, the settings, the hooks, and results needed by more than one check."""

    seed: int
    episodes: int
    max_decisions: int
    off_turn: str
    ending: str
    payoff: str
    chance: bool
    total: float | None
    deals: int
    probes: int

    def __init__(self, env_fn: Callable[[], Any], hooks: dict[str, Callable[..., Any] | None], **settings: Any):
        self.env_fn, self.hooks = env_fn, hooks
        self.made: list[Any] = []  # environments to close in the end
        self.notes: list[str] = []
        self.shaken = 0
        self.__dict__.update(settings)

    def make(self) -> Any:
        try:
            env = self.env_fn()
        except Exception as error:
            raise _Broken(f"env_fn raised {_short(error)}") from error
        if not isinstance(env, AECEnv):
            raise _Broken(f"env_fn must return a PettingZoo AECEnv, not {type(env).__name__}")
        self.made.append(env)
        return env

    def hook(self, name: str) -> Callable[..., Any]:
        """The hook that was passed to `check`, or else the method `conformance_<name>` of the raw environment, as a plain function."""
        given, method = self.hooks[name], f"conformance_{name}"
        if given is None and not hasattr(_unwrapped(self.make()), method):
            raise _NotApplicable(f"no hook `{name}`")

        def call(env: Any, *rest: Any) -> Any:
            try:
                return given(env, *rest) if given else getattr(env, method)(*rest)
            except Exception as error:
                raise _Fault(f"the hook `{name}` raised {_short(error)}") from error

        return call

    def games(self, count: int | None = None) -> Iterator[_Game]:
        """One environment, reset with the seeds one after the other."""
        game = _Game(self)
        for number in range(count or self.episodes):
            game.reset(self.seed + number)
            yield game

    def decisions(self, count: int | None = None) -> Iterator[_Game]:
        """Every decision of these games; after each, the game is played on."""
        for game in self.games(count):
            while game.live():
                yield game
                game.step(game.choose())

    def sample(self, count: int) -> Iterator[_Game]:
        """About `count` decisions of all episodes. Episodes that break off are left to the check `play`."""
        rng = np.random.default_rng([self.seed, 1])
        for game in self.games():
            with suppress(_Broken):
                while game.live():
                    if rng.random() * self.episodes * self.length < count:
                        yield game
                    game.step(game.choose())

    @cached_property
    def length(self) -> int:
        """How many decisions the first episode has."""
        game = next(self.games(1))
        with suppress(_Broken):
            while game.live():
                game.step(game.choose())
        return max(1, game.place.decision or 0)

    def finished(self) -> Iterator[_Game]:
        """These games once they are over and all seats have left; episodes without an end are skipped."""
        for game in self.games():
            while game.live():
                game.step(game.choose())
            if not game.endless:
                yield game

    def few(self, count: int = 3) -> range:
        """Seeds for checks that play each episode several times."""
        return range(self.seed, self.seed + min(count, self.episodes))

    def rest(self, game: _Game, before: Callable[[_Game], None] | None = None) -> Iterator[Record]:
        """Play the rest of the episode; what can be seen after each decision."""
        while game.live():
            if before:
                before(game)
            agent = game.actor
            game.step(game.choose())
            yield game.at(agent), game.view()

    def run(self, game: _Game, resets: Iterable[int | None], before: Callable[[_Game], None] | None = None) -> Iterator[Record]:
        """Play one episode after each reset; what can be seen after each reset and decision."""
        for seed in resets:
            game.reset(seed)
            yield game.at(), game.view()
            yield from self.rest(game, before)

    def same(self, ours: Iterable[Record], theirs: Iterable[Record], claim: str) -> None:
        """Raise `_Fault(claim)` where two records of play first differ."""
        for one, other in itertools.zip_longest(ours, theirs):
            if one is None or other is None:
                raise _Fault(f"{claim}: one of them goes on longer", (one or other)[0])
            if (path := _difference(one[1], other[1])) is not None:
                raise _Fault(f"{claim}: {path} differs", one[0])

    def disturb(self, game: _Game | None = None) -> None:
        """Move the global generators: nothing in the environment may notice."""
        self.shaken += 1
        random.seed(self.shaken)
        np.random.seed(self.shaken)  # noqa: NPY002 (it is the global generator that is tested)

    @cached_property
    def copy_fault(self) -> Exception | None:
        """Why `copy.deepcopy` cannot be trusted; None if its copies can be played on instead of the original."""
        try:
            _check_duplicate(self, copy.deepcopy, "copy")
        except (_Fault, _NotApplicable) as error:
            return error
        return None

    def branch(self, game: _Game) -> _Game:
        """A raw environment at the same place of its (seeded) episode: a copy, or, where copies cannot be trusted, the episode replayed."""
        if self.copy_fault is None:
            return game.fork(game.copy())
        twin = game.fork(_unwrapped(self.make()))
        with twin.doing("replaying the episode"):
            twin.env.reset(seed=game.place.seed)
            for _, action in game.log[max(i for i, (call, _) in enumerate(game.log) if call == "reset") + 1 :]:
                twin.env.step(action)
        if _difference(game.facts(), twin.facts()) or _key(game.observe(game.actor)) != _key(twin.observe(twin.actor)):
            raise _NotApplicable("neither a copy nor a replay of an episode leads to the same position")
        return twin

    @cached_property
    def tried(self) -> dict[str, _Fault]:
        """The first fault of each kind when single actions are tried on branches of the game, by name of the check it belongs to."""
        return _try_actions(self)

    @cached_property
    def starts(self) -> list[tuple[Any, dict[Any, np.ndarray], np.ndarray]]:
        """For many seeds: the first seat to act, every seat's first observation as numbers, and the mask of the first seat to act."""
        game, starts = _Game(self), []
        for number in range(self.deals):
            game.reset(self.seed + number)
            if game.live():
                mask = np.zeros(int(game.space(game.actor).n))
                mask[game.allowed(game.actor)] = 1
                starts.append((game.actor, {agent: _features(game.observe(agent)) for agent in game.env.agents}, mask))
        return starts


# --------------------------------------------------------------------------------------------------------------------- the checks

CHECKS: dict[str, tuple[str, Callable[[_Kit], None]]] = {}  # name -> (what must hold, function); in the order in which they run


def _check(name: str, description: str) -> Callable[[Callable[[_Kit], None]], Callable[[_Kit], None]]:
    def register(function: Callable[[_Kit], None]) -> Callable[[_Kit], None]:
        CHECKS[name] = (description, function)
        return function

    return register


@_check("play", "episodes of legal actions come to their end, and nothing raises")
def _play(kit: _Kit) -> None:
    for game in kit.games():
        while game.live():
            game.step(game.choose())
            game.view()
        if game.endless:
            limit = kit.max_decisions  # the other checks need not wait as long
            kit.max_decisions, kit.episodes = min(limit, 100), min(kit.episodes, 3)
            raise _Fault(f"the episode is not over after {limit} decisions (max_decisions raises the limit)", game.at())


@_check("bookkeeping", "agents, rewards, flags and infos have the keys and types of PettingZoo, and last() agrees with them")
def _bookkeeping(kit: _Kit) -> None:
    for game in kit.games():
        gone: set[Any] = set()

        def books(call: str, action: Any, game: _Game = game, gone: set[Any] = gone) -> None:
            env, at = game.env, game.at()
            if game.returned is not None:
                raise _Fault(f"{call} returned {type(game.returned).__name__}, not None", at)
            agents = list(env.agents)
            if len(set(agents)) < len(agents) or not set(agents) <= set(game.agents):
                raise _Fault(f"agents {agents} are not distinct members of possible_agents", at)
            if back := gone & set(agents):
                raise _Fault(f"{back.pop()} came back after it had left", at)
            gone.update(set(game.agents) - set(agents))
            if agents and game.actor not in agents:
                raise _Fault(f"agent_selection is {game.actor!r}, which is not in agents", at)
            for name in ("rewards", "terminations", "truncations", "infos"):
                book = getattr(env, name)
                if not isinstance(book, dict) or set(book) != set(agents):
                    raise _Fault(f"{name} must have exactly the seats in agents as keys, but it is {book!r:.100}", at)
            for agent in agents:
                for name in ("terminations", "truncations"):
                    flag = getattr(env, name)[agent]
                    if type(flag) is not bool:
                        raise _Fault(f"{name} holds a {type(flag).__name__}, not a Python bool", game.at(agent))
                    if flag and call == "reset":
                        raise _Fault(f"{name} is True right after reset", game.at(agent))
                if not np.isfinite(float(env.rewards[agent])):
                    raise _Fault(f"the reward is {env.rewards[agent]}", game.at(agent))
                if not isinstance(env.infos[agent], dict):
                    raise _Fault("the info is not a dictionary", game.at(agent))

        game.watch = None
        books("reset", None)
        game.watch = books
        while game.live():
            agent = game.actor
            with game.doing("last", agent):
                observation, _, terminated, truncated, info = game.env.last()
                blind = game.env.last(observe=False)[0]
            if blind is not None:
                raise _Fault("last(observe=False) returned an observation", game.at(agent))
            told = {"observe": observation, "terminations": terminated, "truncations": truncated, "infos": info}
            held = {"observe": game.observe(agent), **{name: getattr(game.env, name)[agent] for name in list(told)[1:]}}
            if path := _difference(told, held):
                raise _Fault(f"last() disagrees with {path}", game.at(agent))
            game.step(game.choose())
        game.watch = None


@_check("ending", "seats end as promised: together or one by one, and all terminated or all truncated")
def _ending(kit: _Kit) -> None:
    for game in kit.games():
        while game.live():
            present = list(game.env.agents)
            game.step(game.choose())
            if gone := [agent for agent in present if agent not in game.env.agents]:
                raise _Fault("this seat vanished from agents in a decision, without a step(None) of its own", game.at(gone[0]))
            ends = {agent: (game.env.terminations[agent], game.env.truncations[agent]) for agent in present}
            over = [agent for agent in present if any(ends[agent])]
            if kit.ending == "together" and 0 < len(over) < len(present):
                raise _Fault("this seat is over while others play on (if the game means it: ending='any')", game.at(over[0]))
            if both := [agent for agent in over if all(ends[agent])]:
                raise _Fault("this seat is terminated and truncated at once", game.at(both[0]))
            if kit.ending == "together" and len({tuple(map(bool, ends[agent])) for agent in over}) > 1:
                raise _Fault("some seats are terminated and others truncated", game.at())


@_check("spaces", "every seat has one observation space and one Discrete action space, the same object at each call")
def _spaces(kit: _Kit) -> None:
    game = next(kit.games(1))
    for agent in game.agents:
        for name in ("observation_space", "action_space"):
            with game.doing(name, agent):
                first, second = getattr(game.env, name)(agent), getattr(game.env, name)(agent)
            if not isinstance(first, spaces.Space):
                raise _Fault(f"{name} returned {type(first).__name__}, not a Gymnasium space", game.at(agent))
            if first is not second:
                raise _Fault(f"{name} returned another object at the second call, so that a seed given to it is lost", game.at(agent))
        game.space(agent)
    if isinstance(space := getattr(game.raw, "state_space", None), spaces.Space) and not space.contains(game.state()):
        raise _Fault("state() is outside state_space", game.at())


@_check("observation_space", "every seat's observation lies in its space, with the space's dtype")
def _observation_space(kit: _Kit) -> None:
    def inside(space: spaces.Space, value: Any, name: str, place: Place) -> None:
        if isinstance(space, spaces.Dict):
            if not isinstance(value, dict) or set(value) != set(space.spaces):
                raise _Fault(f"the {name} is not a dictionary with the keys {list(space.spaces)}", place)
            for key, part in space.spaces.items():
                inside(part, value[key], f"{name}[{key!r}]", place)
        elif isinstance(value, np.ndarray) and space.dtype is not None and value.dtype != space.dtype:
            raise _Fault(f"the {name} has dtype {value.dtype}, its space {space.dtype}", place)
        elif isinstance(value, np.ndarray) and space.shape is not None and value.shape != space.shape:
            raise _Fault(f"the {name} has shape {value.shape}, its space {space.shape}", place)
        elif not space.contains(value):
            raise _Fault(f"the {name} is outside its space {space}"[:200], place)

    for game in kit.games():
        seats = {agent: game.env.observation_space(agent) for agent in game.agents}
        for agent, space in seats.items():
            inside(space, game.observe(agent), "observation", game.at(agent))
        while game.live():
            game.step(game.choose())
            for agent in game.env.agents:
                inside(seats[agent], game.observe(agent), "observation", game.at(agent))


@_check("mask_form", "the mask is an int8 vector of zeros and ones, one for each action; in observation and info alike")
def _mask_form(kit: _Kit) -> None:
    for game in kit.decisions():
        for agent in game.env.agents:
            masks, n = game.masks(agent), int(game.space(agent).n)
            if not masks and agent == game.actor:
                raise _Fault("the seat to act has no action_mask, neither in its observation nor in its info", game.at(agent))
            for mask in masks:
                if not isinstance(mask, np.ndarray) or mask.shape != (n,):
                    raise _Fault(f"the mask is not an array of shape ({n},)", game.at(agent))
                if mask.dtype != np.int8:
                    raise _Fault(f"the mask has dtype {mask.dtype}; Discrete.sample accepts int8 only", game.at(agent))
                if not np.isin(mask, (0, 1)).all():
                    raise _Fault("the mask has values other than 0 and 1", game.at(agent))
            if len(masks) == 2 and not np.array_equal(*masks):
                raise _Fault("the masks in observation and info differ", game.at(agent))


@_check("mask_on_turn", "the seat to act always has a legal action")
def _mask_on_turn(kit: _Kit) -> None:
    for game in kit.decisions():
        if not game.allowed(game.actor).size:
            raise _Fault(
                "the mask of the seat to act is all zero (Discrete.sample silently returns the first action then)", game.at(game.actor)
            )


@_check("mask_off_turn", "the mask of a seat not to act is all zero")
def _mask_off_turn(kit: _Kit) -> None:
    if kit.off_turn == "any":
        raise _NotApplicable("off_turn='any'")
    for game in kit.decisions():
        for agent in game.env.agents:
            if agent != game.actor and any(np.any(mask) for mask in game.masks(agent)):
                raise _Fault(f"its mask allows actions while {game.actor} is to act (off_turn='any' permits it)", game.at(agent))


def _check_duplicate(kit: _Kit, duplicate: Callable[[Any], Any], word: str) -> None:
    """`duplicate` in the middle of an episode gives an environment that goes on like the original and leaves it alone."""
    for number, seed in enumerate(kit.few()):
        game = _Game(kit)
        game.reset(seed)
        for _ in range(number * kit.length // 3 + 1):  # at the start, after a third, after two thirds of an episode
            if game.live():
                game.step(game.choose())
        before = game.view()
        try:
            twin = game.fork(duplicate(game.env))
        except Exception as error:
            kit.notes.append(f"{word}: the environment cannot be duplicated in the middle of an episode ({_short(error)})")
            raise _NotApplicable("it raises: see notes") from error
        try:
            wrong = f"{path} differs" if (path := _difference(before, twin.view())) else ""
        except _Broken as error:
            wrong = str(error)
        if wrong:
            raise _Fault(f"a {word} does not stand where the original stands: {wrong} (EzPickle, for one, starts anew)", game.at())
        theirs = [*kit.rest(twin), *kit.run(twin, [None])]
        if path := _difference(before, game.view()):
            raise _Fault(f"playing on with a {word} changed the original: {path}", game.at())
        # An episode more, because a shared generator may be drawn from only when the next episode is dealt.
        kit.same([*kit.rest(game), *kit.run(game, [None])], theirs, f"a {word} and its original, given the same actions, differ")


@_check("copy", "copy.deepcopy in the middle of an episode: an independent environment that goes on identically")
def _copy(kit: _Kit) -> None:
    if kit.copy_fault:
        raise kit.copy_fault


@_check("pickle", "pickle in the middle of an episode: an independent environment that goes on identically")
def _pickle(kit: _Kit) -> None:
    _check_duplicate(kit, lambda env: pickle.loads(pickle.dumps(env)), "pickled copy")


def _try_actions(kit: _Kit) -> dict[str, _Fault]:
    """Try the actions in the mask, and those outside it, on branches of the raw environment."""
    faults: dict[str, _Fault] = {}
    rng = np.random.default_rng([kit.seed, 2])
    for game in kit.sample(kit.probes):
        n, start, legal = int(game.space(game.actor).n), int(game.space(game.actor).start), game.allowed(game.actor)
        others = np.setdiff1d(np.arange(n), legal)
        legal, others = (some if some.size <= WIDTH else rng.choice(some, WIDTH, replace=False) for some in (legal, others))
        _try_legal(kit, game, [start + int(a) for a in legal], faults)
        _try_illegal(kit, game, [start + int(a) for a in others], faults)
    return faults


def _try_legal(kit: _Kit, game: _Game, actions: list[int], faults: dict[str, _Fault]) -> None:
    at = game.at(game.actor)
    seen: dict[Any, int] = {}
    for action in actions:
        twin = kit.branch(game)
        try:
            twin.env.step(action)
        except Exception as error:
            faults.setdefault("mask_accepted", _Fault(f"action {action} is in the mask, but step raised {_short(error)}", at))
            continue
        if twin.all_over():
            continue  # what can be seen of a finished game may well be the same
        other = seen.setdefault(_key(twin.view()), action)
        if other == action or "mask_distinct" in faults:
            continue
        # The same position twice. Go one decision further before accusing anybody.
        first = kit.branch(game)
        first.env.step(other)
        if not twin.live():
            continue
        onward = twin.choose()
        first.step(onward)
        twin.step(onward)
        if _difference(first.view(), twin.view()) is None:
            faults.setdefault(
                "mask_distinct",
                _Fault(
                    f"actions {other} and {action} are both in the mask and lead to exactly the same position: one is played as the other",
                    at,
                ),
            )


def _try_illegal(kit: _Kit, game: _Game, actions: list[int], faults: dict[str, _Fault]) -> None:
    at, twin = game.at(game.actor), None
    for action in actions:
        if twin is None:
            twin = kit.branch(game)
            before = twin.view()
        try:
            twin.env.step(action)
        except Exception:
            try:
                path = _difference(before, twin.view())
            except _Broken as error:
                path = str(error)
            if path:
                faults.setdefault("refusal_clean", _Fault(f"action {action} was refused, but not without a trace: {path} changed", at))
                twin = None
            continue
        # PettingZoo's other way to refuse: the episode ends at once, at the offender's cost.
        if not (twin.all_over() and float(twin.env.rewards.get(at.agent, 0)) < 0):
            faults.setdefault(
                "mask_refused",
                _Fault(
                    f"action {action} is not in the mask, but the raw environment plays it: the mask is too narrow, or nothing guards it",
                    at,
                ),
            )
        twin = None


def _report_tried(name: str) -> Callable[[_Kit], None]:
    def function(kit: _Kit) -> None:
        if kit.probes < 1:
            raise _NotApplicable("probes=0")
        if name in kit.tried:
            raise kit.tried[name]

    return function


_check("mask_accepted", "every action in the mask is accepted (tried on branches of the raw environment)")(_report_tried("mask_accepted"))
_check("mask_distinct", "no two actions in the mask do exactly the same")(_report_tried("mask_distinct"))
_check("mask_refused", "every action outside the mask is refused by the raw environment")(_report_tried("mask_refused"))
_check("refusal_clean", "a refused action changes nothing")(_report_tried("refusal_clean"))


@_check("legal", "the mask is exactly what the hook `legal` says")
def _legal(kit: _Kit) -> None:
    legal = kit.hook("legal")
    for game in kit.decisions():
        start, agent = int(game.space(game.actor).start), game.actor
        mask, rules = {start + int(a) for a in game.allowed(agent)}, {int(a) for a in legal(game.raw)}
        if wrong := sorted(mask - rules):
            raise _Fault(f"the mask allows {wrong[:8]}, which the hook `legal` does not", game.at(agent))
        if wrong := sorted(rules - mask):
            raise _Fault(f"the mask lacks {wrong[:8]}, which the hook `legal` allows", game.at(agent))


@_check("seed", "reset(seed) and the same actions give the same episode in two environments, whatever the global generators do")
def _seed(kit: _Kit) -> None:
    for seed in kit.few():
        ours, theirs = _Game(kit), _Game(kit)
        kit.disturb()
        kit.same(list(kit.run(ours, [seed])), kit.run(theirs, [seed], kit.disturb), "two environments reset with the same seed differ")


@_check("later_episodes", "so do the episodes that follow without a seed")
def _later_episodes(kit: _Kit) -> None:
    resets = [kit.seed, None, None, None]
    ours, theirs = _Game(kit), _Game(kit)
    kit.disturb()
    kit.same(
        list(kit.run(ours, resets)),
        kit.run(theirs, resets, kit.disturb),
        "two environments with the same seed differ, after the global generators were disturbed",
    )


@_check("seed_matters", "other seeds give other deals, and so do later episodes without a seed")
def _seed_matters(kit: _Kit) -> None:
    if not kit.chance:
        raise _NotApplicable("chance=False")
    if len(kit.starts) > 1 and len({_key([actor, list(seen.values()), mask]) for actor, seen, mask in kit.starts}) == 1:
        raise _Fault(f"{len(kit.starts)} seeds gave the same start (for a game without chance say chance=False)")
    game = _Game(kit)
    deals = [next(kit.run(game, [seed]))[1] for seed in (kit.seed, *[None] * 9)]
    if len({_key(deal) for deal in deals[1:]}) == 1:
        raise _Fault("reset() without a seed starts the same episode again and again", Place(kit.seed, 1))


@_check("reset_forgets", "reset(seed) gives the same episode whatever was played before, even in the middle of an episode")
def _reset_forgets(kit: _Kit) -> None:
    for number, seed in enumerate(kit.few(8)):
        used, fresh = _Game(kit), _Game(kit)
        for _ in kit.run(used, [seed + 1] * (number % 2)):
            pass
        for _ in itertools.islice(kit.run(used, [seed + 2]), number + 2):
            pass
        kit.same(kit.run(fresh, [seed]), kit.run(used, [seed]), "a fresh environment and one that was used before differ")


@_check("global_rng", "the environment neither draws from nor seeds the global generators")
def _global_rng(kit: _Kit) -> None:
    def stamp() -> tuple[Any, Any]:
        return random.getstate(), _key(np.random.get_state())  # noqa: NPY002 (it is the global generator that is tested)

    mark = stamp()

    def untouched(call: str, place: Place) -> None:
        if touched := [name for name, a, b in zip(("random", "numpy.random"), mark, stamp()) if a != b]:
            raise _Fault(f"{call} draws from or seeds the global generator of {touched[0]}", place)

    game = _Game(kit)
    untouched("env_fn", Place())
    game.watch = lambda call, argument: untouched(call, game.at())
    for seed in (kit.seed, None):
        game.reset(seed)
        while game.live():
            game.view()
            untouched("observe or state", game.at(game.actor))
            game.step(game.choose())


@_check("instances", "two environments played by turns do not notice each other")
def _instances(kit: _Kit) -> None:
    resets = [kit.seed, None, None]
    alone = list(kit.run(_Game(kit), resets))
    other = kit.run(_Game(kit), itertools.chain([kit.seed + 1], itertools.repeat(None)))
    paired = (record for record, _ in zip(kit.run(_Game(kit), resets), other))
    kit.same(alone, paired, "an environment plays otherwise when another one is played beside it")


@_check("observe_order", "what a seat sees does not depend on who looked before, or how often")
def _observe_order(kit: _Kit) -> None:
    for game in kit.sample(kit.probes or 60):
        firsts = range(len(game.env.agents))
        try:
            looks = [kit.branch(game).view(first) for first in firsts]
        except _NotApplicable:
            looks = []
        looks += [game.view(first) for first in (0, *firsts)]
        for other in looks[1:]:
            if path := _difference(looks[0], other):
                raise _Fault(f"{path} depends on which seat looked first, or how often it looked", game.at(game.actor))


@_check("observe_pure", "looking changes nothing: an episode goes on the same whether seats look often or never")
def _observe_pure(kit: _Kit) -> None:
    def look(game: _Game) -> None:
        game.view()
        game.view(1)

    for seed in kit.few():
        busy, quiet = _Game(kit, raw=True), _Game(kit, raw=True)  # raw, because wrappers look by themselves
        facts: list[dict[str, Any]] = []
        busy.watch = lambda call, argument, busy=busy, facts=facts: facts.append(busy.facts())
        records = list(kit.run(busy, [seed, None, None], look))
        ends = [number for number, (call, _) in enumerate(busy.log) if call == "reset"]
        for number, (call, argument) in enumerate(busy.log):
            place = quiet.at()
            try:
                getattr(quiet, call)(argument)
            except _Broken as error:
                raise _Fault(f"an episode that nobody looked at goes another way: {error}", error.place) from error
            if path := _difference(facts[number], quiet.facts()):
                raise _Fault(f"an episode that nobody looked at goes another way: {path} differs", place)
            if number == ends[-1]:
                break
        start = next(view for place, view in records if place.episode == 2)
        if path := _difference(start, quiet.view()):
            raise _Fault(f"after two episodes that nobody looked at the third starts otherwise: {path} differs", quiet.at())


@_check("observe_kept", "an observation once handed out is never changed afterwards")
def _observe_kept(kit: _Kit) -> None:
    for seed in kit.few():
        kept: list[tuple[Place, str, Any, Any]] = []

        def keep(game: _Game, kept: list = kept) -> None:
            for agent in game.env.agents:
                for name, value in (("observation", game.observe(agent)), ("mask", game.masks(agent)), ("state()", game.state())):
                    kept.append((game.at(agent), name, value, _frozen(value)))

        for _ in kit.run(_Game(kit), [seed, None], keep):
            pass
        for place, name, value, was in kept:
            if _difference(was, value):
                raise _Fault(f"the {name} handed out here was changed by a later call (one buffer for all, or the game's own?)", place)


@_check("observe_owned", "writing into an observation does not reach the game")
def _observe_owned(kit: _Kit) -> None:
    def scribble(game: _Game) -> None:
        for agent in game.env.agents:
            for array in _arrays([game.observe(agent), game.state()]):
                if array.flags.writeable and array.dtype.kind in "biuf":
                    array[...] = np.logical_not(array)

    for seed in kit.few():
        kit.same(
            list(kit.run(_Game(kit, raw=True), [seed, None])),
            kit.run(_Game(kit, raw=True), [seed, None], scribble),
            "an episode goes another way when somebody writes into the observations",
        )


@_check("int32", "actions may be NumPy integers")
def _int32(kit: _Kit) -> None:
    for kind in (np.int32, np.int64):
        numpy = _Game(kit)
        numpy.cast = kind
        kit.same(list(kit.run(_Game(kit), [kit.seed])), kit.run(numpy, [kit.seed]), f"int and {kind.__name__} actions differ")


@_check("reset_options", "reset tolerates options it does not know")
def _reset_options(kit: _Kit) -> None:
    plain, optional = _Game(kit), _Game(kit)
    plain.reset(kit.seed)
    try:
        optional.reset(kit.seed, options={"options": 1, "no_such_option": [1, 2]})
    except _Broken as error:
        raise _Fault(f"with unknown options {error}", error.place) from error
    if path := _difference(plain.view(), optional.view()):
        raise _Fault(f"unknown options changed the start: {path}", optional.at())


@_check("rewards_handed", "what last() hands out over an episode is what stood in rewards, for every seat")
def _rewards_handed(kit: _Kit) -> None:
    for game in kit.finished():
        for agent in game.agents:
            if abs(game.handed[agent] - game.paid[agent]) > 1e-6:
                raise _Fault(
                    f"last() handed out {game.handed[agent]:g} in all, but rewards held {game.paid[agent]:g} "
                    "(cumulative rewards not cleared, or cleared before the seat could see them?)",
                    game.at(agent),
                )


@_check("reward_timing", "nothing is paid after the end, and nothing before it where payoff='end'")
def _reward_timing(kit: _Kit) -> None:
    for game in kit.games():

        def timely(call: str, action: Any, game: _Game = game) -> None:
            early = kit.payoff == "end" and call == "step" and not game.all_over()
            for agent, reward in game.env.rewards.items() if early or action is None else ():
                if float(reward) != 0:
                    raise _Fault(f"a reward of {float(reward):g} comes " + ("before the end" if early else "after the end"), game.at(agent))

        game.watch = timely
        while game.live():
            game.step(game.choose())
        game.watch = None


@_check("payoff_sum", "the seats' returns sum to the expected total (0, unless told otherwise)")
def _payoff_sum(kit: _Kit) -> None:
    if kit.total is None:
        raise _NotApplicable("zero_sum=False")
    for game in kit.finished():
        if abs(sum(game.handed.values()) - kit.total) > 1e-6:
            raise _Fault(
                f"the returns {list(game.handed.values())} sum to {sum(game.handed.values()):g}, not {kit.total:g} "
                "(zero_sum=False or total=... if this is right)",
                game.at(),
            )


@_check("returns", "what each seat was handed over the episode is what the hook `returns` says")
def _returns(kit: _Kit) -> None:
    returns = kit.hook("returns")
    for game in kit.games():
        due: dict[Any, float] = {}

        def remember(call: str, action: Any, game: _Game = game, due: dict[Any, float] = due) -> None:
            if not due and game.env.agents and game.all_over():
                due.update(returns(game.raw))

        game.watch = remember
        while game.live():
            game.step(game.choose())
        game.watch = None
        for agent in [] if game.endless else game.agents:
            if agent not in due:
                raise _Fault("the hook `returns` left this seat out", game.at(agent))
            if abs(game.handed[agent] - float(due[agent])) > 1e-6:
                raise _Fault(
                    f"the seat was handed {game.handed[agent]:g} over the episode, but should return {float(due[agent]):g}", game.at(agent)
                )


@_check("hidden", "a seat sees the same in all worlds that it cannot tell apart (hook `hidden`)")
def _hidden(kit: _Kit) -> None:
    hidden = kit.hook("hidden")
    rng = np.random.default_rng([kit.seed, 3])
    others_changed = False
    for game in kit.sample(200):
        before = game.view()
        for agent in dict.fromkeys([game.actor, game.env.agents[rng.integers(len(game.env.agents))]]):  # the seat to act, and any
            world = hidden(game.raw, agent, rng)
            if world is game.raw:
                raise _Fault("the hook `hidden` returned the environment itself, not a copy", game.at(agent))
            seen = game.fork(world).view()
            for part in ("observe", "infos"):
                if path := _difference(before[part][agent], seen[part][agent], part):
                    raise _Fault(
                        f"this seat can tell apart two worlds that differ only in what is hidden from it, by {path}", game.at(agent)
                    )
            others_changed |= any(_key(seen["observe"][other]) != _key(before["observe"][other]) for other in game.env.agents)
        if path := _difference(before, game.view()):
            raise _Fault(f"the hook `hidden` changed the environment it was given: {path}", game.at())
    if not others_changed:
        raise _Fault("the hook `hidden` never changed what any other seat sees, so nothing was tested")


@_check("leak", "no seat's first observation shows what only another seat should see (by statistics over many deals)")
def _leak(kit: _Kit) -> None:
    """Two features are taken for the same fact if they are equal in every deal and vary enough for that to be no coincidence.

    A fact that two seats see and a third does not is private to one of the two. If all that varies for one seat is also seen by another,
    it has no secrets. Where a seat is the first to act, its mask tells of its hand; if most of that is seen by others, so is the hand.
    """
    agents = list(kit.starts[0][1]) if kit.starts else []
    if len(kit.starts) < 4 * RARE or len(agents) < 2:
        raise _NotApplicable(f"needs at least {4 * RARE} deals and two seats")
    if any(list(seen) != agents or any(seen[a].shape != kit.starts[0][1][a].shape for a in agents) for _, seen, _ in kit.starts):
        raise _NotApplicable("the observations have other seats or sizes from deal to deal")

    def facts(rows: np.ndarray) -> dict[bytes, int]:
        found: dict[bytes, int] = {}
        for column, values in enumerate(rows.T):
            if len(values) - np.unique(values, return_counts=True)[1].max() >= RARE:
                found.setdefault(values.tobytes(), column)
        return found

    tables = {agent: np.stack([seen[agent] for _, seen, _ in kit.starts]) for agent in agents}
    seen = {agent: facts(table) for agent, table in tables.items()}
    if not any(seen.values()):
        raise _NotApplicable("nothing in the first observations varies from deal to deal")
    for one, other in itertools.combinations(agents, 2):
        for third in agents:
            if third not in (one, other) and (shared := seen[one].keys() & seen[other].keys() - seen[third].keys()):
                fact = min(shared, key=lambda fact: seen[one][fact])
                raise _Fault(
                    f"feature {seen[one][fact]} of {one} equals feature {seen[other][fact]} of {other} in all {len(kit.starts)} "
                    f"deals, but {third} does not see it: what is private to one of them is shown to the other",
                    Place(agent=one),
                )
    for one, other in itertools.permutations(agents, 2):
        if seen[other] and seen[other].keys() <= seen[one].keys():
            raise _Fault(f"all that varies in the first observation of {other} is seen by {one} too: no secrets are left", Place(agent=one))
    for actor in agents:
        rows = [row for row, (first, _, _) in enumerate(kit.starts) if first == actor]
        bits = facts(np.stack([kit.starts[row][2] for row in rows])) if rows else {}
        for agent in agents:
            known = sorted(bits[fact] for fact in bits.keys() & facts(tables[agent][rows]).keys()) if agent != actor and bits else []
            if len(known) >= 2 and 2 * len(known) >= len(bits):
                raise _Fault(
                    f"{len(known)} of the {len(bits)} varying bits in the mask of {actor}, for example bit {known[0]}, "
                    f"are features of {agent}'s observation: it sees that hand",
                    Place(agent=agent),
                )
            if known:
                kit.notes.append(f"leak: bits {known[:8]} of the first mask of {actor} are seen by {agent}; right only if they are public")


# ----------------------------------------------------------------------------------------------------------------------- check()

UNSEEN = {  # what stays unchecked when a hook is missing
    "legal": "a mask that is wrong in the same way as the game itself is not noticed",
    "returns": "payoffs swapped between seats are not noticed",
    "hidden": "only first observations were searched for other hands (`leak`); the stock, cards drawn later, infos, and features that do "
    "not equal another seat's feature were not",
}


def check(
    env_fn: Callable[[], Any],
    episodes: int = 20,
    seed: int = 0,
    *,
    legal: Callable[[Any], Iterable[int]] | None = None,
    returns: Callable[[Any], dict[Any, float]] | None = None,
    hidden: Callable[[Any, Any, np.random.Generator], Any] | None = None,
    zero_sum: bool = True,
    total: float | None = None,
    payoff: str = "any",
    ending: str = "together",
    off_turn: str = "zero",
    chance: bool = True,
    max_decisions: int = 5000,
    deals: int = 240,
    probes: int = 60,
    only: Iterable[str] = (),
    skip: Iterable[str] = (),
) -> Report:
    """Check an AEC environment of a card game; never raises because of the environment.

    Args:
        env_fn: makes an environment, raw or wrapped, without arguments. It is called many times. The mask may be in
            `observation["action_mask"]`, in `infos[agent]["action_mask"]` or in both; the action space must be Discrete.
        episodes: how many episodes the simple checks play; the others play a few of them several times.
        seed: episodes are reset with `seed`, `seed + 1`, ...; all choices of the kit follow from it as well. Not negative.
        legal: hook `legal(env)`, the legal actions of the seat to act, found independently of the mask.
        returns: hook `returns(env)`, each possible agent's payoff over the episode, found independently of `rewards`; called once, when all
            seats are over and none of the last ones has left yet.
        hidden: hook `hidden(env, agent, rng)`, a copy of `env` in which everything hidden from `agent` is dealt anew (`rng`, a NumPy
            Generator), consistent with what it knows; `env` stays as it is. Cards nobody has seen, chance to come included, are hidden too.
        zero_sum, total: the returns of all seats sum to 0, or to `total` if it is given; `zero_sum=False` alone: to anything.
        payoff: "end" if rewards come with the last decision only, "any" if also before.
        ending: "together" if all seats end at once, "any" if some may end before others.
        off_turn: "zero" if masks of seats not to act are all zero, "any" if they may be anything.
        chance: False for a game without any chance, where all seeds are alike.
        max_decisions: longer episodes count as endless.
        deals: how many deals `seed_matters` and `leak` look at.
        probes: at how many decisions single actions are tried on branches of the game; 0 leaves these checks out.
        only, skip: names of checks to run, or to leave out (see `CHECKS`).

    All hooks receive the raw environment (`env.unwrapped`). Instead of passing a hook, the raw environment may have it as a method:
    `conformance_legal()`, `conformance_returns()`, `conformance_hidden(agent, rng)`. A hook that is passed wins.

    Returns:
        A `Report`; printing it gives a table. `leak` works without hooks, but has limits: it compares first observations, finds facts that
        are encoded as equal numbers, and takes what all seats see for public, unless it is what a mask tells about a hand or nothing
        private is left. A public fact that decides most of the first seat's mask, and partners who may see each other's cards, make it
        complain wrongly: then pass `hidden` and `skip=["leak"]`.

    Raises:
        ValueError: an argument is not among the values above.
    """
    for name, value, accepted in (
        ("payoff", payoff, ("any", "end")),
        ("ending", ending, ("any", "together")),
        ("off_turn", off_turn, ("any", "zero")),
    ):
        if value not in accepted:
            raise ValueError(f"{name} is {value!r}; it must be one of {', '.join(map(repr, accepted))}")
    for name, number, least in (
        ("episodes", episodes, 1),
        ("seed", seed, 0),
        ("max_decisions", max_decisions, 1),
        ("deals", deals, 0),
        ("probes", probes, 0),
    ):
        if number < least:
            raise ValueError(f"{name} is {number}; it must be at least {least}")
    only, skip = set(only), set(skip)
    if unknown := sorted((only | skip) - set(CHECKS)):
        raise ValueError(f"unknown check {unknown[0]!r}; there are {', '.join(CHECKS)}")
    kit = _Kit(
        env_fn,
        {"legal": legal, "returns": returns, "hidden": hidden},
        episodes=episodes,
        seed=seed,
        payoff=payoff,
        ending=ending,
        off_turn=off_turn,
        chance=chance,
        max_decisions=max_decisions,
        deals=deals,
        probes=probes,
        total=total if total is not None else 0.0 if zero_sum else None,
    )
    report = Report("environment", notes=kit.notes)
    generators = random.getstate(), np.random.get_state()  # noqa: NPY002 (put back below: our checks disturb them)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            _run(kit, report, [name for name in CHECKS if name not in skip and (not only or name in only)])
    finally:
        random.setstate(generators[0])
        np.random.set_state(generators[1])  # noqa: NPY002
    return report


def _run(kit: _Kit, report: Report, names: list[str]) -> None:
    with suppress(Exception):  # an environment that cannot even be made is reported by the checks
        report.name = str(_unwrapped(kit.make()))
    unplayable = False
    for name in names:
        description, function = CHECKS[name]
        result = Result(name, description, "passed")
        try:
            function(kit)
        except _NotApplicable as reason:
            result = replace(result, status="not applicable", reason=str(reason))
            if str(reason) == f"no hook `{name}`":
                report.notes.append(f"{name}: without the hook {UNSEEN[name]}")
        except Exception as error:
            # What already stopped plain play is reported once, there, and not by every check that plays.
            if unplayable and (isinstance(error, _Broken) or not isinstance(error, _Fault)):
                result = replace(result, status="not applicable", reason="the environment cannot be played, see play")
            else:
                message = str(error) if isinstance(error, _Fault) else f"the check was stopped by {_short(error)}"
                report.failures.append(Failure(name, message, error.place if isinstance(error, _Fault) else Place()))
                result = replace(result, status="failed")
                unplayable |= name == "play" and isinstance(error, _Broken)
        report.results.append(result)
    for env in kit.made:
        try:
            env.close()
        except Exception as error:
            report.notes.append(f"close raised {_short(error)}")
            break
    report.notes[:] = dict.fromkeys(report.notes)
