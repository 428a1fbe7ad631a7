"""What an evaluation found: rows with intervals, as JSON and as a table for the terminal."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tromf.evaluate.intervals import Estimate

if TYPE_CHECKING:
    from rich.console import Group
    from rich.table import Table


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
    """

    agent: str
    against: str
    mean: Estimate
    loss: Estimate
    truncated: float
    helmets: int | None
    deals: int
    blocks: int

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
        }


@dataclass(frozen=True)
class Difference:
    """By how much the mean return of `better` exceeds that of `worse` against the same opponents, paired by block."""

    better: str
    worse: str
    against: str
    mean: Estimate
    blocks: int

    def to_json(self) -> dict[str, Any]:
        return {
            "better": self.better,
            "worse": self.worse,
            "against": self.against,
            "mean": self.mean.value,
            "low": self.mean.low,
            "high": self.mean.high,
            "blocks": self.blocks,
        }


@dataclass(frozen=True)
class Result:
    """An evaluation: where it was made (game, variant, options, players, sides, seed, blocks) and what it found.

    Attributes:
        sides: of the game, as many as players where every seat plays for itself.
        kind: "pairs" or "table".
        agents: the specs of all agents, in the order given.
        helmets: for each agent its golden helmets and deals over all matches, `{agent: (helmets, deals)}`; None where there are none.
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
    helmets: dict[str, tuple[int, int]] | None = field(default=None)

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
            "seed": self.seed,
            "blocks": self.blocks,
            "kind": self.kind,
            "rows": [row.to_json() for row in self.rows],
            "differences": [difference.to_json() for difference in self.differences],
            "helmets": None
            if self.helmets is None
            else [{"agent": agent, "helmets": helmets, "deals": deals} for agent, (helmets, deals) in self.helmets.items()],
        }

    def setting_text(self) -> str:
        """One line that says what was played."""
        options = "".join(f", {name} = {value}" for name, value in self.options.items() if name != "players")
        return f"{self.game}, {self.variant}{options}, {self.players} players, {self.blocks:,} deal blocks, seed {self.seed}"

    def rich(self) -> "Group":
        """Tables for the terminal."""
        from rich.console import Group
        from rich.text import Text

        caption = "95 % intervals; fair is a mean return of 0"
        if self.helmets is not None:
            rates = (f"{name} {1000 * helmets / deals:.1f}" for name, (helmets, deals) in self.helmets.items())
            caption += f" and {100 / self.players:.4g} % lost\ngolden helmets for 1,000 deals: {', '.join(rates)}"
        rows = _table(self.setting_text(), ("agent", "against"), ("mean return", "lost", "cut off"))
        rows.caption = Text(caption)
        for row in self.rows:
            style = "green" if row.mean.low > 0 else "red" if row.mean.high < 0 else ""
            figures = (row.mean.text(), row.loss.percent(), f"{100 * row.truncated:.1f} %")
            rows.add_row(Text(row.agent), Text(row.against), *(Text(figure, style) for figure in figures))
        parts = [rows]
        if self.differences:
            differences = _table("Differences, paired by deal block", ("agent", "minus", "against"), ("mean return",))
            for each in self.differences:
                differences.add_row(
                    Text(each.better), Text(each.worse), Text(each.against), Text(each.mean.text(), "green" if each.mean.low > 0 else "")
                )
            parts.append(differences)
        return Group(*parts)


def _table(title: str, names: tuple[str, ...], figures: tuple[str, ...]) -> "Table":
    """An empty table for the terminal; names fold where it is narrow, figures do not."""
    from rich import box
    from rich.table import Table

    table = Table(title=title, box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    for heading in names:
        table.add_column(heading, overflow="fold", min_width=10)
    for heading in figures:
        table.add_column(heading, justify="right", no_wrap=True)
    return table
