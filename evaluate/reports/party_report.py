"""What a party found: tables for the terminal, and a report with a plot of the tables over time."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tromf.envs.files import write_whole, written_whole
from tromf.evaluate.party import Party
from tromf.evaluate.reports import plots
from tromf.evaluate.reports.report import made, markdown_table
from tromf.evaluate.result import Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PARTS = ("own", "partners", "opponents", "luck")


def agents_table(party: Party) -> tuple[list[str], list[list[str]]]:
    """Headings and rows: the agents, by rounds won."""
    headings = [
        "agent",
        "players:",
        "rounds won:",
        "points a round:",
        "strength:",
        *(f"{part}:" for part in PARTS),
        "mean table:",
        "mean place:",
    ]
    rows = []
    for row in party.by_agent():
        strength = row["strength"]
        rows.append(
            [
                row["agent"],
                str(row["players"]),
                f"{100 * row['won']:.1f} %",
                f"{row['points']:+.2f}",
                f"{strength['value']:+.2f} [{strength['low']:+.2f}, {strength['high']:+.2f}]",
                *(f"{row[part]:+.2f}" for part in PARTS),
                f"{row['mean_table']:.2f}",
                f"{row['mean_place']:.1f}",
            ]
        )
    return headings, rows


def players_table(party: Party) -> tuple[list[str], list[list[str]]]:
    """Headings and rows: every player, by place."""
    headings = ["place:", "player:", "agent", "rounds won:", "points:", "ended at table:", *(f"{part}:" for part in PARTS)]
    rows = [
        [
            str(row["place"]),
            str(row["player"]),
            row["agent"],
            str(row["won"]),
            f"{row['points']:+.2f}",
            str(row["table"]),
            *(f"{row[part]:+.2f}" for part in PARTS),
        ]
        for row in party.standing()
    ]
    return headings, rows


def shares_text(party: Party) -> str:
    """One sentence: what the differences between the players' results are due to."""
    shares = party.shares()
    return (
        f"Of the differences between the players' results {100 * shares['own']:.0f} % are due to themselves, "
        f"{100 * shares['partners']:.0f} % to their partners, {100 * shares['opponents']:.0f} % to their opponents and "
        f"{100 * shares['luck']:.0f} % to luck."
    )


def duplicate_table(party: Party, duplicate: Result) -> tuple[list[str], list[list[str]]]:
    """Headings and rows: the agents' order at the party beside that of fixed partnerships on duplicate deals."""
    means = fixed_means(duplicate)
    best = sorted(means, key=lambda name: -means[name])
    strengths = party.strengths()
    strongest = sorted(strengths, key=lambda name: -strengths[name].value)
    rows = [
        [row["agent"], str(k + 1), str(strongest.index(row["agent"]) + 1), str(best.index(row["agent"]) + 1), f"{means[row['agent']]:+.3f}"]
        for k, row in enumerate(party.by_agent())
    ]
    return ["agent", "by rounds won:", "by fitted strength:", "in duplicate:", "mean return in duplicate:"], rows


def fixed_means(duplicate: Result) -> dict[str, float]:
    """The mean return of every agent in fixed partnerships, over all other agents."""
    return {name: float(np.mean([row.mean.value for row in duplicate.rows if row.agent == name])) for name in duplicate.agents}


def tables_plot(party: Party) -> "Figure":
    """The mean table of every agent's players after each round, and each player's own way."""
    return plots.paths(
        {name: party.tables[:, party.who == k].T + 1 for k, name in enumerate(party.agents)},
        "rounds played",
        "table (1 is the top)",
        party.setting_text(),
    )


def terminal(party: Party, duplicate: Result | None) -> Any:
    """Tables for the terminal."""
    from rich import box
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    def table(title: str, content: tuple[list[str], list[list[str]]]) -> Table:
        result = Table(title=title, box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
        for heading in content[0]:
            result.add_column(heading.removesuffix(":"), justify="right" if heading.endswith(":") else "left", overflow="fold")
        for row in content[1]:
            result.add_row(*map(Text, row))
        return result

    parts: list[Any] = [
        table(party.setting_text(), players_table(party)),
        table("Agents, means over their players and rounds", agents_table(party)),
        Text(shares_text(party)),
    ]
    if duplicate is not None:
        parts.append(table(f"Beside fixed partnerships, {duplicate.blocks:,} duplicate deals", duplicate_table(party, duplicate)))
    return Group(*parts)


def write(party: Party, folder: str | Path, title: str, duplicate: Result | None = None, command: str | None = None) -> Path:
    """Write `report.md`, `result.json` and `tables.png`, and return the path of the first."""
    folder = Path(folder)
    parts = [
        f"# {title}",
        f"Setting: {party.setting_text()}.",
        "After each round winners move up a table and losers down; everywhere but at the top partners change.",
        "## Standing",
        "By rounds won, then points (of the player's sides less their opponents'), then the table where it ended. The last four columns "
        "say, in points a round, what the player's result owes to itself, its partners, its opponents and luck.",
        _table(players_table(party)),
        "## Agents",
        "Means over their players. *Strength*: the points that the agent adds to its side in a round, beyond the mean agent's, fitted by "
        "least squares to all meetings of four players; brackets are 95 % intervals, by bootstrap over these meetings.",
        _table(agents_table(party)),
        shares_text(party),
        "## Tables",
        "![the tables of every agent's players over the rounds](tables.png)",
        _table(table_rounds(party)),
    ]
    if duplicate is not None:
        parts += [
            "## Beside fixed partnerships",
            f"{duplicate.blocks:,} deals, at two tables with the sides exchanged, a partnership of equals against each of the others.",
            _table(duplicate_table(party, duplicate)),
        ]
    parts += ["## How this was made", made(command)]
    with written_whole(folder / "tables.png") as beside:
        tables_plot(party).savefig(beside)
    content = party.to_json() | {"duplicate": None if duplicate is None else duplicate.to_json()}
    write_whole(folder / "result.json", json.dumps(content, indent=2, ensure_ascii=False) + "\n")
    write_whole(folder / "report.md", "\n\n".join(parts) + "\n")
    return folder / "report.md"


def table_rounds(party: Party) -> tuple[list[str], list[list[str]]]:
    """Headings and rows: at which table each player sat in every round."""
    headings = ["player:", "agent", *(f"{k + 1}:" for k in range(party.rounds)), "end:"]
    rows = []
    for player, who in enumerate(party.who):
        rows.append([str(player), party.agents[who], *(str(table + 1) for table in party.tables[:, player])])
    return headings, rows


def _table(content: tuple[Sequence[str], Sequence[Sequence[str]]]) -> str:
    headings, rows = content
    place = list(headings).index("agent")
    return markdown_table(headings, [[f"`{cell}`" if k == place else cell for k, cell in enumerate(row)] for row in rows])
