"""A running ladder: ratings of many agents over time, in a file that more rounds and more agents may be added to.

A round draws a table: the agent whose rating is least certain, and others at random. It plays some deal blocks in all rotations, on deals
that the ladder has not had before, and every block is one result: agents ranked by their mean return, ties and all. Ratings are those of
openskill's Plackett–Luce model (an extra), updated block by block; they depend on the order of results, so a ladder shows where agents
stand, and for a report one plays a cross table and fits `ratings`. Round k depends on the seed, k and the ladder before it alone: a
ladder that was interrupted ends as if it had not been.
"""

import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from tromf.agents import Agent
from tromf.envs import registry, schema
from tromf.envs.files import write_whole
from tromf.evaluate.blocks import play_matches
from tromf.evaluate.seatings import rotations
from tromf.evaluate.setting import Setting, whole

FORMAT = "tromf ladder 1"
MU, SIGMA = 25.0, 25 / 3  # of a new agent, as in openskill
SURE = 3  # how many sigmas below mu a rating counts: so strong an agent is almost surely
SECONDS = 2.0  # of play that may be lost when the process is killed
Count = Annotated[int, Field(ge=0, lt=2**53)]


class Standing(BaseModel):
    """Where an agent stands: its rating mu ± sigma, the games it played, the round in which it came."""

    model_config = ConfigDict(extra="forbid", strict=True)

    mu: Annotated[float, Field(gt=-1e6, lt=1e6, allow_inf_nan=False)] = MU
    sigma: Annotated[float, Field(gt=0, lt=1e6, allow_inf_nan=False)] = SIGMA
    games: Count = 0
    since: Count = 0

    @property
    def sure(self) -> float:
        """The conservative rating, by which agents are ranked."""
        return self.mu - SURE * self.sigma


class Ladder(BaseModel):
    """A ladder and what it was played with.

    Attributes:
        rounds: played so far.
        goal: rounds to play; more than `rounds` if the last call was interrupted.
        blocks: deal blocks played so far, which is the number of the next one.
        standings: `{spec: Standing}`, in the order in which agents came.
    """

    model_config = ConfigDict(extra="forbid", strict=True)

    game: str
    variant: str
    options: dict[str, Any]
    seed: Annotated[int, Field(ge=0)]
    rounds: Count = 0
    goal: Count = 0
    blocks: Count = 0
    standings: dict[str, Standing] = Field(default_factory=dict)

    def ranking(self) -> list[tuple[str, Standing]]:
        """Agents and where they stand, best first by conservative rating."""
        return sorted(self.standings.items(), key=lambda each: -each[1].sure)

    def rows(self) -> list[list[str]]:
        """Rows of a table: rank, agent, mu ± sigma, conservative rating, games, since which round."""
        return [
            [str(rank), agent, f"{each.mu:.2f} ± {each.sigma:.2f}", f"{each.sure:.2f}", f"{each.games:,}", str(each.since)]
            for rank, (agent, each) in enumerate(self.ranking(), 1)
        ]

    def to_json(self) -> dict[str, Any]:
        return {"format": FORMAT, **self.model_dump()}


def read(path: str | Path) -> Ladder:
    """A ladder from its file. `OSError` or `ValueError`, in one line, if that is none."""
    path = Path(path)
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        if found.pop("format") != FORMAT:
            raise ValueError
    except (ValueError, TypeError, KeyError, AttributeError):
        raise ValueError(f"{path} is no ladder, or of another version: choose another file") from None
    return schema.parse(found, str(path), Ladder)


def climb(
    path: str | Path,
    game: str | registry.Game,
    agents: Sequence[str],
    *,
    rounds: int = 100,
    blocks: int = 10,
    seed: int | None = None,
    variant: str | None = None,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    **options: Any,
) -> Ladder:
    """Begin a ladder, or go on with the one in a file: play rounds, and write it there now and then, and at the end.

    Args:
        agents: specs; those the ladder has not seen come new into it, those it has need not be given.
        rounds: so many more; where the last call was interrupted, only what it had left.
        blocks: deal blocks a round.
        seed: of a new ladder (default 0); that of an old one cannot be changed.
        progress: is told rounds played, and their number in the end.

    Raises `ValueError` or `OSError`, in one line, for agents or files that do not exist, a ladder of another game or other options, fewer
    than two agents, or a missing openskill. Nothing is played or written then.
    """
    path = Path(path)
    whole("rounds", rounds, 1), whole("blocks", blocks, 1)
    rate = _rater()
    old = read(path) if path.exists() else None
    specs = list(dict.fromkeys([*(old.standings if old else ()), *agents]))
    setting = Setting(game, specs, variant, options)
    ladder = Ladder(game=setting.game.name, variant=setting.variant, options=_plain(setting), seed=whole("seed", seed or 0, 0))
    if old is not None:
        for name in ("game", "variant", "options", "seed"):
            if getattr(old, name) != getattr(ladder, name) and not (name == "seed" and seed is None):
                raise ValueError(f"{path} is a ladder with {name} {getattr(old, name)}, not {getattr(ladder, name)}: choose another file")
        ladder = old
    for spec in specs:
        ladder.standings.setdefault(spec, Standing(since=ladder.rounds))
    if len(specs) < 2:
        raise ValueError("a ladder needs at least two different agents")
    if ladder.rounds >= ladder.goal:
        ladder.goal = ladder.rounds + rounds
    written = time.monotonic()
    try:
        while ladder.rounds < ladder.goal:
            _play_round(ladder, setting, setting.agents, blocks, threads, rate)
            if progress is not None:
                progress(ladder.rounds, ladder.goal)
            if time.monotonic() - written > SECONDS:
                _write(ladder, path)
                written = time.monotonic()
    finally:
        _write(ladder, path)
    return ladder


def drawn_table(ladder: Ladder, sides: int) -> list[int]:
    """The table of the next round, an index of an agent a side: the least certain, then others at random, all again if they are few."""
    standings = list(ladder.standings.values())
    one = max(range(len(standings)), key=lambda i: (standings[i].sigma, -i))
    rng = np.random.default_rng((ladder.seed, ladder.rounds))
    others = rng.permutation([i for i in range(len(standings)) if i != one])
    return np.resize(np.array([one, *others]), sides).tolist() if len(standings) < sides else [one, *others[: sides - 1].tolist()]


def _play_round(ladder: Ladder, setting: Setting, agents: Sequence[Agent], blocks: int, threads: int | None, rate: Any) -> None:
    """Play one round and change the ladder, all at once: an interrupt leaves it as it was before or after."""
    table = drawn_table(ladder, setting.sides)
    seated = setting.seated(rotations(table))
    (outcome,) = play_matches(setting.game, setting.blank, [seated], agents, blocks, ladder.seed, first=ladder.blocks, threads=threads)
    seats = sorted(set(table))
    values = np.round([outcome.of_agent(agent, outcome.returns) for agent in seats], 12)
    names = [list(ladder.standings)[agent] for agent in seats]
    standings = [ladder.standings[name] for name in names]
    ratings = [(each.mu, each.sigma) for each in standings]
    for block in values.T:
        ratings = rate(ratings, np.unique(-block, return_inverse=True)[1].tolist())
    after = {
        name: Standing(mu=mu, sigma=sigma, games=old.games + blocks * len(seated) * table.count(agent), since=old.since)
        for name, (mu, sigma), old, agent in zip(names, ratings, standings, seats)
    }
    ladder.standings, ladder.rounds, ladder.blocks = ladder.standings | after, ladder.rounds + 1, ladder.blocks + blocks


def _rater() -> Callable[[list[tuple[float, float]], list[int]], list[tuple[float, float]]]:
    """The function that makes new ratings of old ones and ranks, lower being better and equal a tie.

    Ranks are integers: of others openskill would drop the fractions.
    """
    try:
        from openskill.models import PlackettLuce
    except ImportError:
        raise ValueError("a ladder needs openskill: pip install 'tromf[ladder]'") from None
    model = PlackettLuce(mu=MU, sigma=SIGMA)

    def rate(ratings: list[tuple[float, float]], ranks: list[int]) -> list[tuple[float, float]]:
        teams = [[model.rating(mu=mu, sigma=sigma)] for mu, sigma in ratings]
        return [(float(team[0].mu), float(team[0].sigma)) for team in model.rate(teams, ranks=[float(rank) for rank in ranks])]

    return rate


def _plain(setting: Setting) -> dict[str, Any]:
    """The options given and the number of players, as JSON would give them back."""
    values: dict[str, Any] = json.loads(json.dumps(setting.options | {"players": setting.players}))
    return dict(sorted(values.items()))


def _write(ladder: Ladder, path: Path) -> None:
    write_whole(path, json.dumps(ladder.to_json(), indent=1, ensure_ascii=False) + "\n")
