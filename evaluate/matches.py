"""Matches: who sits where, and what the outcomes say."""

from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from tromf.agents import Agent, make
from tromf.envs import registry
from tromf.evaluate import intervals, records
from tromf.evaluate.blocks import BATCH, Outcome, has_losers, play_matches
from tromf.evaluate.helmets import golden_helmets
from tromf.evaluate.intervals import Estimate
from tromf.evaluate.result import Difference, Result, Row
from tromf.evaluate.seatings import one_among, rotations

BLOCKS = 2000


class _Setting:
    """A game with its options set, and the agents that meet, checked before anything is played."""

    def __init__(self, game: str | registry.Game, agents: Sequence[str | Agent], variant: str | None, options: dict[str, Any]) -> None:
        if not isinstance(game, registry.Game):
            game, variant = registry.choose(game, variant)
        self.game, self.variant, self.options = game, variant or next(iter(game.variants)), options
        self.blank = game.states(1, self.variant, **options)
        self.players = int(self.blank["options"]["players"][0])
        self.by_seat = np.array(self.game.sides(self.players))
        self.sides = int(self.by_seat.max()) + 1
        self.agents: list[Agent] = []
        self.names: list[str] = []
        for agent in agents:
            if isinstance(agent, str):
                if agent not in self.names:
                    self.names.append(agent)
                    self.agents.append(make(agent, game))
            elif not isinstance(agent, Agent):
                raise ValueError(f"{agent!r} is no agent: accepted are specs and agents")
            elif not any(agent is known for known in self.agents):
                if agent.spec in self.names:
                    raise ValueError(f"two agents are called {agent.spec!r}: give each a `spec` of its own")
                self.names.append(agent.spec)
                self.agents.append(agent)
        for agent in self.agents:
            agent.check(game)

    def index(self, agent: str | Agent) -> int:
        """Which of the agents is meant."""
        return self.names.index(agent if isinstance(agent, str) else agent.spec)

    def play(self, matches: list[np.ndarray], blocks: int, seed: int, keep: str | Path | None = None, **how: Any) -> list[Outcome]:
        """Play matches, given by their seatings of sides; records of the first games are written to `keep`."""
        for name, value, least in (("blocks", blocks, 1), ("seed", seed, 0), ("threads", how["threads"], 1), ("batch", how["batch"], 1)):
            if name == "threads" and value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
                raise ValueError(f"{name} is {value!r}: accepted is an integer from {least}")
        matches = [seatings[:, self.by_seat] for seatings in matches]
        outcomes = play_matches(self.game, self.blank, matches, self.agents, blocks, seed, **how)
        if keep is not None:
            records.write(keep, self.game, self.variant, self.options, matches, self.agents, self.names, blocks, seed)
        return outcomes

    def row(self, outcome: Outcome, agent: int, against: str, seed: int) -> Row:
        mine = outcome.seatings == agent
        helmets = int(golden_helmets(outcome.lost)[mine].sum()) if has_losers(self.game) else None
        return Row(
            self.names[agent],
            against,
            intervals.mean(outcome.of_agent(agent, outcome.returns), seed),
            intervals.share(outcome.of_agent(agent, outcome.lost), seed),
            float(outcome.truncated.mean()),
            helmets,
            int(mine.sum()) * self.sides // self.players * len(outcome.lost),
            len(outcome.lost),
        )

    def helmets(self, outcomes: list[Outcome]) -> dict[str, tuple[int, int]] | None:
        """Golden helmets and deals of every agent, over all seats it had in all matches."""
        if not has_losers(self.game):
            return None
        helmets, deals = np.zeros(len(self.agents), np.int64), np.zeros(len(self.agents), np.int64)
        for outcome in outcomes:
            np.add.at(helmets, outcome.seatings, golden_helmets(outcome.lost))
            np.add.at(deals, outcome.seatings, len(outcome.lost))
        return {name: (int(helmets[i]), int(deals[i])) for i, name in enumerate(self.names)}

    def result(self, kind: str, outcomes: list[Outcome], rows: list[Row], differences: list[Difference], seed: int) -> Result:
        return Result(
            self.game.name,
            self.variant,
            dict(self.options),
            self.players,
            self.sides,
            int(seed),
            rows[0].blocks,
            kind,
            tuple(self.names),
            tuple(rows),
            tuple(differences),
            self.helmets(outcomes),
        )


def pairs(
    game: str | registry.Game,
    agents: Sequence[str | Agent],
    *,
    against: Sequence[str | Agent] | None = None,
    blocks: int = BLOCKS,
    seed: int = 0,
    variant: str | None = None,
    threads: int | None = None,
    batch: int = BATCH,
    progress: Callable[[int, int], None] | None = None,
    keep: str | Path | None = None,
    **options: Any,
) -> Result:
    """One agent among others: every ordered pair (A, B), A on each side once (in each seat, where nobody plays together), B on all
    others, on the same deal blocks.

    Args:
        game: a game's or variant's name, or a `Game`; `variant` and `options` as everywhere.
        agents: specs or agents, at least two.
        against: if given, only these are the others, and `agents` may be one.
        blocks: deals, each played in as many seatings as there are sides (seats, where nobody plays together).
        threads: all cores by default; results depend neither on it nor on `batch`, the games played side by side.
        progress: is told, now and then, how many games have ended and how many there are.
        keep: a file for records of the games in the first ten blocks.

    Raises `ValueError` for anything that does not exist or cannot be played, before any game is.
    """
    setting = _Setting(game, [*agents, *(against or [])], variant, options)
    ones = list(dict.fromkeys(map(setting.index, agents)))
    others = ones if against is None else list(dict.fromkeys(map(setting.index, against)))
    if len(ones) < len(agents):
        raise ValueError("an agent is given twice: in pairs each agent meets every other one once")
    met = [(a, b) for a in ones for b in others if a != b]
    if not met:
        raise ValueError("pairs need at least two different agents")
    matches = [one_among(a, b, setting.sides) for a, b in met]
    outcomes = setting.play(matches, blocks, seed, keep, threads=threads, batch=batch, progress=progress)
    rows = [setting.row(outcome, a, setting.names[b], seed) for (a, b), outcome in zip(met, outcomes, strict=True)]
    by_pair = {pair: outcome.of_agent(pair[0], outcome.returns) for pair, outcome in zip(met, outcomes, strict=True)}
    differences = []
    for b in others:
        for a, c in combinations([a for a in ones if a != b], 2):
            differences.append(_difference(setting.names, a, c, setting.names[b], by_pair[a, b], by_pair[c, b], seed))
    return setting.result("pairs", outcomes, rows, differences, seed)


def _difference(names: list[str], a: int, c: int, against: str, first: np.ndarray, second: np.ndarray, seed: int) -> Difference:
    """The difference of two agents' values by block, the one with the higher mean named first."""
    if first.mean() < second.mean():
        a, c, first, second = c, a, second, first
    return Difference(names[a], names[c], against, intervals.mean(first - second, seed), len(first))


def table(
    game: str | registry.Game,
    agents: Sequence[str | Agent],
    *,
    blocks: int = BLOCKS,
    seed: int = 0,
    variant: str | None = None,
    threads: int | None = None,
    batch: int = BATCH,
    progress: Callable[[int, int], None] | None = None,
    keep: str | Path | None = None,
    **options: Any,
) -> Result:
    """One fixed table, an agent a seat, or a side where seats play together (the same one may have several), in all its rotations.

    Arguments as for `pairs`.
    """
    setting = _Setting(game, agents, variant, options)
    taken = [setting.index(agent) for agent in agents]
    if len(taken) != setting.sides:
        name = registry.setting(setting.game, setting.variant, setting.players)
        has = f"{setting.sides} seats (`players` changes that)" if setting.sides == setting.players else f"{setting.sides} sides"
        raise ValueError(f"a table of {len(taken)} agents does not fit {name}: it has {has}")
    if len(set(taken)) < 2:
        raise ValueError("a table needs at least two different agents")
    outcomes = setting.play([rotations(taken)], blocks, seed, keep, threads=threads, batch=batch, progress=progress)
    rows = []
    for agent in dict.fromkeys(taken):
        others = list(taken)
        others.remove(agent)
        rows.append(setting.row(outcomes[0], agent, " ".join(setting.names[other] for other in others), seed))
    values = {agent: outcomes[0].of_agent(agent, outcomes[0].returns) for agent in dict.fromkeys(taken)}
    differences = [
        _difference(setting.names, a, c, "this table", values[a], values[c], seed) for a, c in combinations(dict.fromkeys(taken), 2)
    ]
    return setting.result("table", outcomes, rows, differences, seed)


def loss_share(
    game: str | registry.Game,
    one: str | Agent,
    others: str | Agent,
    blocks: int = BLOCKS,
    seed: int = 0,
    *,
    variant: str | None = None,
    threads: int | None = None,
    batch: int = BATCH,
    **options: Any,
) -> Estimate:
    """Share of deals that one agent loses among others of one kind, on every side once: (share, low, high), a 95 % interval.

    `one` and `others` may be the same agent, which is fair: 1 / players, if every deal has one loser.
    """
    setting = _Setting(game, [one, others], variant, options)
    a, b = setting.index(one), setting.index(others)
    (outcome,) = setting.play([one_among(a, b, setting.sides)], blocks, seed, threads=threads, batch=batch)
    mine = one_among(1, 0, setting.sides)[:, setting.by_seat] == 1
    return intervals.share(outcome.lost[:, mine].mean(axis=1), seed)
