"""Factorial ablations: what a rule agent's habits are worth to it, alone and together, from all combinations on the same deals.

Every combination of the knobs' levels is an arm, one agent among a population: on each side once (in each seat, where nobody plays
together), on the same deal blocks. An effect is a difference of means over arms, taken within each block:

- of one knob: what its level brings above its first level, a mean over all levels of the other knobs;
- of several, their interaction: by how much more one of them brings with the others turned, again a mean over the rest. For two knobs
  with the levels 0 and 1 it is (y₁₁ - y₀₁) - (y₁₀ - y₀₀), not halved as in some textbooks, and so in the units of a difference.

A population says nothing about another one, so effects are never averaged over populations.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import numpy as np

from tromf.agents import make
from tromf.agents.registry import parse, rules_of
from tromf.envs import registry
from tromf.envs.options import unknown
from tromf.evaluate.blocks import play_matches
from tromf.evaluate.dealsets import DealSet
from tromf.evaluate.result import setting_text
from tromf.evaluate.seatings import one_among
from tromf.evaluate.setting import Setting, whole
from tromf.evaluate.statistics import intervals
from tromf.evaluate.statistics.intervals import Estimate
from tromf.evaluate.statistics.multiple import holm, p_value

BLOCKS, MOST_ARMS = 10_000, 64
AGAINST = ("expert", "journeyman", "beginner")
YARDSTICK = "beginner"
DUST = 1e-9  # of block values: what is less is rounding, of sums of thirds for instance

Levels = dict[str, tuple[int | float, ...]]


@dataclass(frozen=True)
class Arm:
    """One combination of levels, and its mean return for a deal."""

    levels: tuple[int | float, ...]
    mean: Estimate


@dataclass(frozen=True)
class Effect:
    """What a knob's level, or several together, bring above the first levels, in returns for a deal.

    Attributes:
        changes: of each knob concerned its name, first level and level.
        p: two-sided, of no effect (`multiple.p_value`); 1 where no block shows a difference.
        corrected: the same after Holm's correction over all effects of the ablation.
        share: of the gap between the agent and the beginner in this population; None where there is no gap.
        changed: share of blocks in which it is not 0.
    """

    changes: tuple[tuple[str, int | float, int | float], ...]
    mean: Estimate
    p: float
    corrected: float
    share: float | None
    changed: float

    @property
    def name(self) -> str:
        return " × ".join(name if (first, level) == (0, 1) else f"{name} {first:g} → {level:g}" for name, first, level in self.changes)


@dataclass(frozen=True)
class Population:
    """What was found against one population.

    Attributes:
        gap: by how much the agent's mean return, with no knob turned, exceeds a beginner's.
    """

    against: str
    gap: Estimate
    arms: tuple[Arm, ...]
    effects: tuple[Effect, ...]


@dataclass(frozen=True)
class Ablation:
    """A factorial ablation: where it was made, and what it found in each population.

    Attributes:
        deal_set: the name of the deals; None where a seed was given.
    """

    game: str
    variant: str
    options: dict[str, Any]
    players: int
    sides: int
    seed: int
    deal_set: str | None
    blocks: int
    agent: str
    knobs: Levels
    populations: tuple[Population, ...]

    def effect(self, against: str, *names: str) -> Effect:
        """The effect of a knob, or of several together, in a population; `LookupError` if there is none."""
        for population in self.populations:
            for effect in population.effects:
                if population.against == against and {name for name, _, _ in effect.changes} == set(names):
                    return effect
        raise LookupError(f"no effect of {' × '.join(names)} against {against}")

    def to_json(self) -> dict[str, Any]:
        """All figures, as plain Python values; the same ablation gives the same dictionary."""
        return {
            "game": self.game,
            "variant": self.variant,
            "options": self.options,
            "players": self.players,
            "seed": self.seed,
            "deal_set": self.deal_set,
            "blocks": self.blocks,
            "agent": self.agent,
            "knobs": {name: list(levels) for name, levels in self.knobs.items()},
            "populations": [
                {
                    "against": each.against,
                    "gap": each.gap._asdict(),
                    "arms": [{"levels": dict(zip(self.knobs, arm.levels)), **arm.mean._asdict()} for arm in each.arms],
                    "effects": [
                        {
                            "knobs": [{"knob": name, "from": first, "to": level} for name, first, level in effect.changes],
                            **effect.mean._asdict(),
                            "p": effect.p,
                            "p_holm": effect.corrected,
                            "share_of_gap": effect.share,
                            "blocks_changed": effect.changed,
                        }
                        for effect in each.effects
                    ],
                }
                for each in self.populations
            ],
        }

    def setting_text(self) -> str:
        """One line that says what was played."""
        return setting_text(self)


def ablate(
    game: str | registry.Game,
    agent: str,
    knobs: Sequence[str],
    *,
    levels: Mapping[str, Sequence[Any]] | None = None,
    against: Sequence[str] = AGAINST,
    blocks: int = BLOCKS,
    seed: int | None = None,
    deal_set: str | DealSet | None = None,
    variant: str | None = None,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    **options: Any,
) -> Ablation:
    """Turn some knobs of a rule agent in all combinations, and say what each is worth, by population.

    Args:
        agent: a spec. It may turn other knobs.
        levels: of knobs that are to have others than 0 and their default (0 and 1, where that is 0); the first is the one that the
            others are compared with.
        against: specs of the populations, agents of any kind.
        seed, deal_set: which deals: those of a seed (by default 0), or of a named set.
        blocks: deal blocks, each played by every arm on each side once; 8 bytes are kept for each block and arm.
        threads: all cores by default; results do not depend on it.
        progress: is told, now and then, how many games have ended and how many there are.

    Raises `ValueError` for anything that does not exist or cannot be played, before any game is.
    """
    if not against or len(set(against)) < len(against):
        raise ValueError("each population is given once, and there is at least one")
    setting = Setting(game, against, variant, options)
    chosen, named = setting.deals(seed, deal_set, whole("blocks", blocks, 2))
    if threads is not None:
        whole("threads", threads, 1)
    turned = design(setting.game, agent, knobs, levels or {})
    arms, plain = list(product(*turned.values())), tuple(_default(setting.game, name) for name in turned)
    if plain not in arms:
        arms.append(plain)  # not of the design, but the gap begins there
    specs = [agent + "".join(f",{name}={level}" for name, level in zip(turned, arm)) for arm in arms]
    played = [make(spec, setting.game) for spec in (*specs, YARDSTICK)]
    seatings, total = setting.seated(one_among(0, 1, setting.sides)), len(against) * len(played) * blocks * setting.sides

    def values(number: int) -> np.ndarray:
        """What an arm wins in each block, (blocks,), by its number over all populations."""
        crew = [played[number % len(played)], setting.agents[number // len(played)]]
        before = number * blocks * setting.sides
        tell = None if progress is None else lambda ended, _: progress(before + ended, total)
        (outcome,) = play_matches(setting.game, setting.blank, [seatings], crew, blocks, chosen, threads=threads, progress=tell)
        return outcome.of_agent(0, outcome.returns)

    found = []
    for k, name in enumerate(against):
        *by_arm, yardstick = [values(number) for number in range(k * len(played), (k + 1) * len(played))]
        gap = by_arm[arms.index(plain)] - yardstick
        found.append(_population(name, turned, np.array(by_arm[: math.prod(map(len, turned.values()))]), gap, chosen))
    return Ablation(
        setting.game.name,
        setting.variant,
        dict(options),
        setting.players,
        setting.sides,
        chosen,
        named,
        blocks,
        agent,
        turned,
        tuple(_corrected(found)),
    )


def design(game: registry.Game, agent: str, knobs: Sequence[str], levels: Mapping[str, Sequence[Any]]) -> Levels:
    """The levels of every knob that is turned; `ValueError` says what is wrong with them, or with the agent."""
    rules, (kind, _, given) = rules_of(game), parse(agent)
    make(agent, game)
    if kind not in rules.KINDS:
        raise ValueError(f"agent {agent!r} is no rule agent: accepted is one with knobs, such as 'expert'")
    known = {option.name: option for option in rules.KNOB_OPTIONS}
    if not knobs:
        raise ValueError("no knob is given: name one or more")
    result: Levels = {}
    for name in knobs:
        if name not in known:
            raise unknown("knob", name, known)
        if name in result or name in given:
            raise ValueError(f"knob {name!r} is given twice")
        option = known[name]
        wanted = levels.get(name, (0, option.default or 1))
        for value in wanted:
            make(f"{agent},{name}={value}", game)
        result[name] = tuple(option.check(value) for value in wanted)
        if len(set(result[name])) < max(2, len(wanted)):
            raise ValueError(f"knob {name!r} needs two different levels or more, and has {', '.join(map(str, wanted))}")
    for name in levels:
        if name not in result:
            raise ValueError(f"levels are given for {name!r}, which is not among the knobs: {', '.join(knobs)}")
    arms = math.prod(map(len, result.values()))
    if arms > MOST_ARMS:
        raise ValueError(f"{arms} arms are too many: accepted are up to {MOST_ARMS}, the product of the knobs' levels")
    return result


def _default(game: registry.Game, knob: str) -> Any:
    return next(option.default for option in rules_of(game).KNOB_OPTIONS if option.name == knob)


def contrasts(levels: Levels, by_arm: np.ndarray) -> Iterator[tuple[tuple[tuple[str, int | float, int | float], ...], np.ndarray]]:
    """Every effect by block: the changes that it is of, and its values, (blocks,). Single knobs come first, then interactions.

    Args:
        by_arm: (arms, blocks), the arms in the order of `itertools.product` over the levels.
    """
    names, shape = list(levels), [len(each) for each in levels.values()]
    for order in range(1, len(names) + 1):
        for axes in combinations(range(len(names)), order):
            for chosen in product(*(range(1, shape[axis]) for axis in axes)):
                values = by_arm.reshape(*shape, -1)
                for axis, level in zip(axes, chosen):  # differences before means: equal arms then differ by exactly nothing
                    values = values.take([level], axis) - values.take([0], axis)
                changes = tuple((names[axis], levels[names[axis]][0], levels[names[axis]][level]) for axis, level in zip(axes, chosen))
                yield changes, values.mean(axis=tuple(range(len(names))))


def _population(against: str, levels: Levels, by_arm: np.ndarray, gap: np.ndarray, seed: int) -> Population:
    width = float(gap.mean())
    effects = []
    for changes, values in contrasts(levels, by_arm):
        share = float(values.mean()) / width if width else None
        effects.append(
            Effect(changes, intervals.mean(values, seed), p_value(values), math.nan, share, float(np.mean(np.abs(values) > DUST)))
        )
    arms = [Arm(arm, intervals.mean(values, seed)) for arm, values in zip(product(*levels.values()), by_arm)]
    return Population(against, intervals.mean(gap, seed), tuple(arms), tuple(effects))


def _corrected(populations: Sequence[Population]) -> Iterator[Population]:
    """The populations, with the p values of all their effects corrected together."""
    corrected = iter(holm([effect.p for each in populations for effect in each.effects]).tolist())
    for each in populations:
        effects = tuple(Effect(e.changes, e.mean, e.p, next(corrected), e.share, e.changed) for e in each.effects)
        yield Population(each.against, each.gap, each.arms, effects)
