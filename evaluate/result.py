"""What an evaluation found: rows with intervals, as JSON."""

from dataclasses import dataclass, field
from typing import Any

from tromf.evaluate.statistics.intervals import Estimate
from tromf.evaluate.statistics.ratings import Ratings

TOLD = 0.01  # the mean return for which results say how many deals tell it from 0


@dataclass(frozen=True)
class Row:
    """How one agent did in one match.

    Attributes:
        against: whom it met: for pairs the agent on all other sides, at a table the other agents, with blanks between.
        mean: its mean return for a deal, a mean over all its seats; fair is 0.
        loss: share of deals it lost (for a game without a single loser: in which its return was negative).
        truncated: share of deals that were cut off by a limit, such as that of decisions.
        helmets: golden helmets it won, see `docs/evaluation.md`; None for games that have none.
        deals: deals it played, all seatings and blocks together; one in which it plays two sides counts twice.
        blocks: deal blocks behind all this.
        decisions: mean number of decisions of a game in the match, forced ones too.
        needed: deal blocks with which a mean return of `TOLD` would be told from 0 four times of five; None if all blocks are equal.
    """

    agent: str
    against: str
    mean: Estimate
    loss: Estimate
    truncated: float
    helmets: int | None
    deals: int
    blocks: int
    decisions: float
    needed: int | None

    def to_json(self) -> dict[str, Any]:
        return {
            "agent": self.agent,
            "against": self.against,
            "mean": self.mean.value,
            "low": self.mean.low,
            "high": self.mean.high,
            "loss_rate": self.loss.value,
            "loss_low": self.loss.low,
            "loss_high": self.loss.high,
            "truncated": self.truncated,
            "helmets": self.helmets,
            "deals": self.deals,
            "blocks": self.blocks,
            "decisions": self.decisions,
            "needed": self.needed,
        }


@dataclass(frozen=True)
class Difference:
    """By how much the mean return of `better` exceeds that of `worse` against the same opponents, paired by block.

    Attributes:
        p: two-sided p-value of no difference, after Holm's correction over all differences of the evaluation.
    """

    better: str
    worse: str
    against: str
    mean: Estimate
    blocks: int
    p: float

    def to_json(self) -> dict[str, Any]:
        return {
            "better": self.better,
            "worse": self.worse,
            "against": self.against,
            "mean": self.mean.value,
            "low": self.mean.low,
            "high": self.mean.high,
            "blocks": self.blocks,
            "p_holm": self.p,
        }


@dataclass(frozen=True)
class Position:
    """The mean return in a place at the table, whoever sits there: the first is on the dealer's left, the last is the dealer's."""

    place: int
    mean: Estimate

    def to_json(self) -> dict[str, Any]:
        return {"place": self.place, "mean": self.mean.value, "low": self.mean.low, "high": self.mean.high}


@dataclass(frozen=True)
class Measure:
    """How an agent plays: a habit of its game, measured over a sample of blocks in all matches; `count` decisions are behind it."""

    agent: str
    habit: str
    value: Estimate
    count: int

    def to_json(self) -> dict[str, Any]:
        return {
            "agent": self.agent,
            "habit": self.habit,
            "value": self.value.value,
            "low": self.value.low,
            "high": self.value.high,
            "count": self.count,
        }


@dataclass(frozen=True)
class Pace:
    """How long an agent took for so many decisions, in seconds, asked for `batch` games at once (a mean)."""

    agent: str
    seconds: float
    decisions: int
    batch: float


@dataclass(frozen=True)
class Saved:
    """What control variates saved.

    Attributes:
        name, digest: of the value function, and the first digits of the SHA-256 of its file.
        rows: (agent, against, how many times smaller they made the variance of the agent's mean return over blocks).
    """

    name: str
    digest: str
    rows: tuple[tuple[str, str, float], ...]

    def text(self) -> str:
        """One line."""
        ratios = [ratio for _, _, ratio in self.rows]
        times = f"{min(ratios):.2f}" if min(ratios) == max(ratios) else f"{min(ratios):.2f} to {max(ratios):.2f}"
        return f"controls {self.name} ({self.digest}): the variance of mean returns over blocks is {times} times smaller"

    def to_json(self) -> dict[str, Any]:
        rows = [{"agent": agent, "against": against, "variance_ratio": ratio} for agent, against, ratio in self.rows]
        return {"name": self.name, "digest": self.digest, "rows": rows}


@dataclass(frozen=True)
class Result:
    """An evaluation: where it was made (game, variant, options, players, sides, seed, blocks) and what it found.

    Attributes:
        sides: of the game, as many as players where every seat plays for itself.
        kind: "pairs" or "table".
        agents: the specs of all agents, in the order given.
        helmets: for each agent its golden helmets and deals over all matches, `{agent: (helmets, deals)}`; None where there are none.
        deal_set: the name of the deals; None where a seed was given.
        orders: of a table, how many orders round it were played, and how many there are.
        cheats: agents that see all cards.
        positions: mean returns by place, over all matches.
        lengths: how many games had so many decisions, forced ones too, over all matches.
        habits: how the agents play; None where that was not measured.
        sampled: how many blocks were replayed to see that.
        controls: which control variates the mean returns hold, and what they saved; None without them.
        ratings: of three agents or more; None for two, or where games do not link all.
        paces: how long they took; None where that was not measured. No part of the JSON, since it is never the same again.
    """

    game: str
    variant: str
    options: dict[str, Any]
    players: int
    sides: int
    seed: int
    blocks: int
    kind: str
    agents: tuple[str, ...]
    rows: tuple[Row, ...]
    differences: tuple[Difference, ...] = ()
    helmets: dict[str, tuple[int, int]] | None = None
    deal_set: str | None = None
    orders: tuple[int, int] | None = None
    cheats: tuple[str, ...] = ()
    positions: tuple[Position, ...] = ()
    lengths: dict[int, int] = field(default_factory=dict)
    habits: tuple[Measure, ...] | None = None
    paces: tuple[Pace, ...] | None = None
    sampled: int = 0
    controls: Saved | None = None
    ratings: Ratings | None = None

    @property
    def together(self) -> bool:
        """Whether seats play together."""
        return self.sides < self.players

    def row(self, agent: str, against: str) -> Row:
        """The row of one match; `LookupError` if it was not played."""
        for row in self.rows:
            if (row.agent, row.against) == (agent, against):
                return row
        raise LookupError(f"{agent!r} was not played against {against!r}")

    def to_json(self) -> dict[str, Any]:
        """All figures, as plain Python values; the same evaluation gives the same dictionary."""
        return {
            "game": self.game,
            "variant": self.variant,
            "options": self.options,
            "players": self.players,
            "deal_set": self.deal_set,
            "seed": self.seed,
            "blocks": self.blocks,
            "kind": self.kind,
            "orders": None if self.orders is None else list(self.orders),
            "cheats": list(self.cheats),
            "rows": [row.to_json() for row in self.rows],
            "differences": [difference.to_json() for difference in self.differences],
            "ratings": None if self.ratings is None else self.ratings.to_json(),
            "controls": None if self.controls is None else self.controls.to_json(),
            "positions": [position.to_json() for position in self.positions],
            "lengths": [[length, count] for length, count in self.lengths.items()],
            "habits": None if self.habits is None else [measure.to_json() for measure in self.habits],
            "helmets": None
            if self.helmets is None
            else [{"agent": agent, "helmets": helmets, "deals": deals} for agent, (helmets, deals) in self.helmets.items()],
        }

    def code(self, agents: str) -> str:
        """An agent, or several with blanks between, as `code` in a text for people; those that see all cards are marked."""
        names = [agents] if agents in self.agents else agents.split(" ")
        if not set(names) & set(self.cheats):
            return f"`{agents}`"
        return " ".join(f"`{name}` (sees all cards)" if name in self.cheats else f"`{name}`" for name in names)

    def called(self, agents: str) -> str:
        """The same as plain text."""
        return self.code(agents).replace("`", "")

    def setting_text(self) -> str:
        """One line that says what was played."""
        if self.orders is None or self.orders[0] == self.orders[1]:
            return setting_text(self)
        return f"{setting_text(self)}, {self.orders[0]} of {self.orders[1]} orders round the table"


def setting_text(found: Any) -> str:
    """One line that says what was played: game, variant, options, players and deals of anything that has been found on deal blocks."""
    deals = f"deal set {found.deal_set}" if found.deal_set is not None else f"seed {found.seed}"
    played = f"{found.game}, {found.variant}{options_text(found.options)}"
    return f"{played}, {found.players} players, {found.blocks:,} deal blocks, {deals}"


def among(found: Any) -> str:
    """How one meets the others in anything that has been found on deal blocks: with more than two sides one plays among them."""
    return "against" if found.sides == 2 or found.sides < found.players else "among"


def options_text(options: dict[str, Any]) -> str:
    """Options behind a variant's name; the number of players is told elsewhere."""
    return "".join(f", {name} = {value}" for name, value in options.items() if name != "players")
