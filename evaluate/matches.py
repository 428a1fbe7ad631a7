"""Matches: who sits where, and what the outcomes say."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from tromf.agents import Agent
from tromf.envs import registry
from tromf.envs.files import written_whole
from tromf.evaluate import habits
from tromf.evaluate.blocks import BATCH, has_losers, outcomes, play_matches
from tromf.evaluate.dealsets import DealSet
from tromf.evaluate.luck import controls as control
from tromf.evaluate.luck.controls import Controls
from tromf.evaluate.result import TOLD, Difference, Measure, Pace, Result, Row, Saved
from tromf.evaluate.seatings import chosen_orders, one_among, rotations
from tromf.evaluate.setting import Setting, whole
from tromf.evaluate.statistics import intervals, multiple, power, ratings
from tromf.evaluate.statistics.intervals import Estimate
from tromf.evaluate.statistics.ratings import Choices
from tromf.evaluate.storage import records, unfinished
from tromf.evaluate.tally import Tally

BLOCKS = 2000
TABLE = "blocks.parquet"


@dataclass(frozen=True)
class How:
    """How an evaluation is played, which changes no figure; see `pairs`."""

    threads: int | None = None
    batch: int = BATCH
    progress: Callable[[int, int], None] | None = None
    keep: str | Path | None = None
    out: str | Path | None = None
    overwrite: bool = False
    sample: int | None = None
    controls: str | Controls | None = None

    def __post_init__(self) -> None:
        whole("batch", self.batch, 1)
        if self.threads is not None:
            whole("threads", self.threads, 1)
        if self.sample is not None:
            whole("sample", self.sample, 0)
        if self.out is not None:
            unfinished.check(Path(self.out), self.overwrite)


class _Evaluation:
    """Matches played in a setting, and what is said of them."""

    def __init__(self, setting: Setting, matches: Sequence[np.ndarray], blocks: int, deals: tuple[int, str | None], how: How) -> None:
        """Play matches, given by their seatings of sides."""
        self.setting, self.blocks, (self.seed, self.deal_set), game = setting, blocks, deals, setting.game
        seated = [setting.seated(seatings) for seatings in matches]
        self.tally = Tally(len(setting.agents), setting.players, blocks, has_losers(game))
        settings = setting.described(seated, blocks, self.seed, self.deal_set)
        self.controls = control.find(how.controls) if isinstance(how.controls, str) else how.controls
        self.told = list[tuple[int, int]]()  # of every row the match and the agent
        if self.controls is not None:
            self.controls.check(game, setting.agents, self.seed)
            settings |= {"controls": self.controls.digest, "redraws": self.controls.redraws}
        with ExitStack() as stack:
            spans, writer = None, None
            if how.out is not None:
                from tromf.evaluate.storage.parquet import Writer

                spans = unfinished.begin(Path(how.out), settings, how.overwrite)
                beside = stack.enter_context(written_whole(Path(how.out) / TABLE))
                writer = stack.enter_context(Writer(beside, setting.names, settings))
            choices = Choices(len(setting.agents), has_losers(game)) if len(setting.agents) > 2 else None
            played = outcomes(
                game, setting.blank, seated, setting.agents, blocks, self.seed, threads=how.threads, batch=how.batch,
                progress=how.progress, spans=spans, controls=self.controls,
            )  # fmt: skip
            for outcome in stack.enter_context(closing(played)):  # closed here, where it can still say that a disk is full
                self.tally.add(outcome)
                if choices is not None:
                    choices.add(outcome.seatings, outcome.lost if choices.losers else outcome.returns, setting.by_seat)
                if writer is not None:
                    writer.write(outcome)
        self.ratings = None
        if choices is not None:
            with suppress(ValueError):  # some never met, not even through others
                self.ratings = ratings.fit(choices, setting.names, seed=self.seed)
        if how.keep is not None:
            records.write(how.keep, game, setting.variant, setting.options, seated, setting.agents, setting.names, blocks, self.seed)
        wanted = habits.sample_of(blocks) if how.sample is None and how.out is not None else how.sample or 0
        self.sampled = min(wanted, blocks)
        self.habits: tuple[Measure, ...] | None = None
        self.paces: tuple[Pace, ...] | None = None
        if self.sampled:
            self.habits, self.paces = habits.measure(setting, seated, self.sampled, self.seed)

    def row(self, match: int, agent: int, against: str) -> Row:
        setting, played = self.setting, self.tally.matches[match]
        self.told.append((match, agent))
        return Row(
            setting.names[agent],
            against,
            intervals.mean(played.returns[agent], self.seed),
            intervals.share(played.lost[agent], self.seed),
            played.truncated,
            played.helmets[agent] if self.tally.losers else None,
            played.seats[agent] * setting.sides // setting.players * self.blocks,
            self.blocks,
            played.length,
            power.needed(played.returns[agent], TOLD),
        )

    def difference(self, a: int, c: int, against: str, first: np.ndarray, second: np.ndarray) -> Difference:
        """The difference of two agents' values by block, the one with the higher mean named first."""
        if first.mean() < second.mean():
            a, c, first, second = c, a, second, first
        names = self.setting.names
        return Difference(
            names[a], names[c], against, intervals.mean(first - second, self.seed), len(first), multiple.p_value(first - second)
        )

    def result(self, kind: str, rows: list[Row], differences: list[Difference], orders: tuple[int, int] | None = None) -> Result:
        setting, tally = self.setting, self.tally
        corrected = multiple.holm([each.p for each in differences])
        differences = [replace(each, p=float(p)) for each, p in zip(differences, corrected)]
        helmets = {name: (int(tally.helmets[i]), int(tally.deals[i])) for i, name in enumerate(setting.names)}
        return Result(
            setting.game.name,
            setting.variant,
            dict(setting.options),
            setting.players,
            setting.sides,
            self.seed,
            self.blocks,
            kind,
            tuple(setting.names),
            tuple(rows),
            tuple(differences),
            helmets if tally.losers else None,
            self.deal_set,
            orders,
            tuple(agent.spec for agent in setting.agents if agent.cheats),
            tally.positions(),
            tally.lengths(),
            self.habits,
            self.paces,
            self.sampled,
            None if self.controls is None else Saved(self.controls.name, self.controls.digest, self.saved(rows)),
            self.ratings,
        )

    def saved(self, rows: list[Row]) -> tuple[tuple[str, str, float], ...]:
        """For every row the agent, its opponents, and how many times smaller controls made the variance over blocks."""
        found = []
        for row, (match, agent) in zip(rows, self.told, strict=True):
            played = self.tally.matches[match]
            found.append((row.agent, row.against, played.plain[agent] / max(float(played.returns[agent].var()), 1e-300)))
        return tuple(found)


def pairs(
    game: str | registry.Game,
    agents: Sequence[str | Agent],
    *,
    against: Sequence[str | Agent] | None = None,
    blocks: int = BLOCKS,
    seed: int | None = None,
    deal_set: str | DealSet | None = None,
    variant: str | None = None,
    threads: int | None = None,
    batch: int = BATCH,
    progress: Callable[[int, int], None] | None = None,
    keep: str | Path | None = None,
    out: str | Path | None = None,
    overwrite: bool = False,
    sample: int | None = None,
    controls: str | Controls | None = None,
    **options: Any,
) -> Result:
    """One agent among others: every ordered pair (A, B), A on each side once (in each seat, where nobody plays together), B on all
    others, on the same deal blocks. Between two sides (A, B) and (B, A) are the same games, and are played once.

    Args:
        game: a game's or variant's name, or a `Game`; `variant` and `options` as everywhere.
        agents: specs or agents, at least two.
        against: if given, only these are the others, and `agents` may be one.
        blocks: deals, each played in as many seatings as there are sides (seats, where nobody plays together).
        seed, deal_set: which deals: those of a seed (by default 0), or of a named set.
        threads: all cores by default; results depend neither on it nor on `batch`, the games played side by side.
        progress: is told, now and then, how many games have ended and how many there are.
        keep: a file for records of the games in the first ten blocks.
        out: the folder of a report to be written afterwards. What is played is kept there, so that the same call after an interrupt goes
            on, with the same result; the games go into `blocks.parquet`. `overwrite`: whatever else is in the folder may be replaced.
        sample: so many blocks are replayed decision by decision, to see how play differs; with `out` by default some, otherwise none.
        controls: control variates, or their name or file, which take luck off the returns (`docs/controls.md`): mean returns and their
            differences become more precise. All else is told of the games as they were played.

    Raises `ValueError` for anything that does not exist or cannot be played, before any game is.
    """
    setting = Setting(game, [*agents, *(against or [])], variant, options)
    ones = list(dict.fromkeys(map(setting.index, agents)))
    others = ones if against is None else list(dict.fromkeys(map(setting.index, against)))
    if len(ones) < len(agents):
        raise ValueError("an agent is given twice: in pairs each agent meets every other one once")
    met = [(a, b) for a in ones for b in others if a != b]
    if not met:
        raise ValueError("pairs need at least two different agents")
    deals = setting.deals(seed, deal_set, whole("blocks", blocks, 1))
    same = {pair: tuple(sorted(pair)) if setting.sides == 2 else pair for pair in met}  # the games in which a pair meets
    games = list({name: pair for pair, name in reversed(same.items())}.items())[::-1]
    places = {name: k for k, (name, _) in enumerate(games)}
    how = How(threads, batch, progress, keep, out, overwrite, sample, controls)
    played = _Evaluation(setting, [one_among(*pair, setting.sides) for _, pair in games], blocks, deals, how)
    match_of = {pair: places[name] for pair, name in same.items()}
    rows = [played.row(match_of[a, b], a, setting.names[b]) for a, b in met]
    returns = {(a, b): played.tally.matches[match_of[a, b]].returns[a] for a, b in met}
    differences = []
    for b in others:
        for a, c in combinations([a for a in ones if a != b], 2):
            differences.append(played.difference(a, c, setting.names[b], returns[a, b], returns[c, b]))
    return played.result("pairs", rows, differences)


def table(
    game: str | registry.Game,
    agents: Sequence[str | Agent],
    *,
    seatings: int | str | None = None,
    blocks: int = BLOCKS,
    seed: int | None = None,
    deal_set: str | DealSet | None = None,
    variant: str | None = None,
    threads: int | None = None,
    batch: int = BATCH,
    progress: Callable[[int, int], None] | None = None,
    keep: str | Path | None = None,
    out: str | Path | None = None,
    overwrite: bool = False,
    sample: int | None = None,
    controls: str | Controls | None = None,
    **options: Any,
) -> Result:
    """One table, an agent a seat, or a side where seats play together (the same one may have several), in all its seatings.

    Args:
        seatings: which orders round the table are played, each in all its rotations: "all", "given" (the one given), or so many, drawn
            with the seed; by default all, and where these are more than 24, so many of them.

    The others are as for `pairs`.
    """
    setting = Setting(game, agents, variant, options)
    taken = [setting.index(agent) for agent in agents]
    if len(taken) != setting.sides:
        name = registry.setting(setting.game, setting.variant, setting.players)
        has = f"{setting.sides} seats (`players` changes that)" if setting.sides == setting.players else f"{setting.sides} sides"
        raise ValueError(f"a table of {len(taken)} agents does not fit {name}: it has {has}")
    if len(set(taken)) < 2:
        raise ValueError("a table needs at least two different agents")
    deals = setting.deals(seed, deal_set, whole("blocks", blocks, 1))
    orders, every = chosen_orders(taken, seatings, deals[0])
    how = How(threads, batch, progress, keep, out, overwrite, sample, controls)
    played = _Evaluation(setting, [np.concatenate([rotations(order) for order in orders])], blocks, deals, how)
    rows = []
    for agent in dict.fromkeys(taken):
        others = list(taken)
        others.remove(agent)
        rows.append(played.row(0, agent, " ".join(setting.names[other] for other in others)))
    values = played.tally.matches[0].returns
    differences = [played.difference(a, c, "this table", values[a], values[c]) for a, c in combinations(dict.fromkeys(taken), 2)]
    return played.result("table", rows, differences, (len(orders), every))


def loss_share(
    game: str | registry.Game,
    one: str | Agent,
    others: str | Agent,
    blocks: int = BLOCKS,
    seed: int | None = None,
    *,
    variant: str | None = None,
    threads: int | None = None,
    batch: int = BATCH,
    **options: Any,
) -> Estimate:
    """Share of deals that one agent loses among others of one kind, on every side once: (share, low, high), a 95 % interval.

    `one` and `others` may be the same agent, which is fair: 1 / players, if every deal has one loser.
    """
    setting = Setting(game, [one, others], variant, options)
    a, b = setting.index(one), setting.index(others)
    seed, _ = setting.deals(seed, None, whole("blocks", blocks, 1))
    How(threads, batch)
    seated = setting.seated(one_among(a, b, setting.sides))
    (outcome,) = play_matches(setting.game, setting.blank, [seated], setting.agents, blocks, seed, threads=threads, batch=batch)
    mine = setting.seated(one_among(1, 0, setting.sides)) == 1
    return intervals.share(outcome.lost[:, mine].mean(axis=1), seed)
