"""What a party found: tables for the terminal, and a report with a plot of the tables over time."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tromf.evaluate.party import Party
from tromf.evaluate.reports import made, page, plots
from tromf.evaluate.reports.page import Picture, Piece, Section, Table
from tromf.evaluate.result import Result
from tromf.evaluate.statistics.intervals import Estimate

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from rich.console import Group

PARTS = ("own", "partners", "opponents", "luck")


def agents_table(party: Party) -> Table:
    """The agents, by rounds won."""
    parts = [f"{part}:" for part in PARTS]
    headings = ["agent", "players:", "rounds won:", "points a round:", "strength:", *parts, "mean table:", "mean place:"]
    rows = [
        [
            f"`{row['agent']}`",
            str(row["players"]),
            f"{100 * row['won']:.1f} %",
            f"{row['points']:+.2f}",
            Estimate(**row["strength"]).text(2),
            *(f"{row[part]:+.2f}" for part in PARTS),
            f"{row['mean_table']:.2f}",
            f"{row['mean_place']:.1f}",
        ]
        for row in party.by_agent()
    ]
    return Table(headings, rows)


def players_table(party: Party) -> Table:
    """Every player, by place."""
    headings = ["place:", "player:", "agent", "rounds won:", "points:", "ended at table:", *(f"{part}:" for part in PARTS)]
    rows = [
        [
            str(row["place"]),
            str(row["player"]),
            f"`{row['agent']}`",
            str(row["won"]),
            f"{row['points']:+.2f}",
            str(row["table"]),
            *(f"{row[part]:+.2f}" for part in PARTS),
        ]
        for row in party.standing()
    ]
    return Table(headings, rows)


def shares_text(party: Party) -> str:
    """One sentence: what the differences between the players' results are due to."""
    shares = party.shares()
    return (
        f"Of the differences between the players' results {100 * shares['own']:.0f} % are due to themselves, "
        f"{100 * shares['partners']:.0f} % to their partners, {100 * shares['opponents']:.0f} % to their opponents and "
        f"{100 * shares['luck']:.0f} % to luck."
    )


def duplicate_table(party: Party, duplicate: Result) -> Table:
    """The agents' order at the party beside that of fixed partnerships on duplicate deals."""
    means, strengths = fixed_means(duplicate), party.strengths()
    best = sorted(means, key=lambda name: -means[name])
    strongest = sorted(strengths, key=lambda name: -strengths[name].value)
    names = [row["agent"] for row in party.by_agent()]
    rows = [
        [f"`{name}`", str(k), str(strongest.index(name) + 1), str(best.index(name) + 1), f"{means[name]:+.3f}"]
        for k, name in enumerate(names, 1)
    ]
    return Table(["agent", "by rounds won:", "by fitted strength:", "in duplicate:", "mean return in duplicate:"], rows)


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


def rounds_table(party: Party) -> Table:
    """At which table each player sat in every round."""
    headings = ["player:", "agent", *(f"{k + 1}:" for k in range(party.rounds)), "end:"]
    rows = [
        [str(player), f"`{party.agents[who]}`", *(str(table + 1) for table in party.tables[:, player])]
        for player, who in enumerate(party.who)
    ]
    return Table(headings, rows)


def terminal(party: Party, duplicate: Result | None) -> "Group":
    """Tables for the terminal."""
    from rich.console import Group
    from rich.text import Text

    tables = [players_table(party).rich(party.setting_text()), agents_table(party).rich("Agents, means over their players and rounds")]
    beside = []
    if duplicate is not None:
        title = f"Beside fixed partnerships, {duplicate.blocks:,} duplicate deals"
        beside.append(duplicate_table(party, duplicate).rich(title))
    return Group(*tables, Text(shares_text(party)), *beside)


def write(party: Party, folder: str | Path, title: str, duplicate: Result | None = None, command: str | None = None) -> Path:
    """Write the report, as `page.write` does."""
    setting = (
        f"Setting: {party.setting_text()}.",
        "After each round winners move up a table and losers down; everywhere but at the top partners change.",
    )
    standing: tuple[Piece, ...] = (
        "By rounds won, then points (of the player's sides less their opponents'), then the table where it ended. The last four columns "
        "say, in points a round, what the player's result owes to itself, its partners, its opponents and luck.",
        players_table(party),
    )
    agents: tuple[Piece, ...] = (
        "Means over their players. **Strength**: the points that the agent adds to its side in a round, beyond the mean agent's, fitted by "
        "least squares to all meetings of four players; brackets are 95 % intervals, by bootstrap over these meetings.",
        agents_table(party),
        shares_text(party),
    )
    picture = Picture("tables.png", "the tables of every agent's players over the rounds", tables_plot(party))
    sections = [
        Section("", setting),
        Section("Standing", standing),
        Section("Agents", agents),
        Section("Tables", [picture, rounds_table(party)]),
    ]
    if duplicate is not None:
        told = f"{duplicate.blocks:,} deals, at two tables with the sides exchanged, a partnership of equals against each of the others."
        sections.append(Section("Beside fixed partnerships", [told, duplicate_table(party, duplicate)]))
    return page.write(folder, title, [*sections, made.section(command)], figures(party, duplicate))


def figures(party: Party, duplicate: Result | None) -> dict[str, Any]:
    """All figures, as plain Python values."""
    return party.to_json() | {"duplicate": None if duplicate is None else duplicate.to_json()}
