"""A report of an evaluation: `report.html` and `report.md`, `result.json` and plots in a folder, readable by a stranger.

Each section is a function from a `Context` to a `Section` of the page, or None where there is nothing to say; `SECTIONS` is their order.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tromf.envs import registry
from tromf.evaluate.reports import made, page, plots
from tromf.evaluate.reports.learning import training_curve
from tromf.evaluate.reports.page import Picture, Piece, Section, Table
from tromf.evaluate.result import TOLD, Result, among
from tromf.evaluate.statistics import intransitivity, multiple
from tromf.evaluate.statistics.ratings import Ratings
from tromf.evaluate.storage import unfinished

if TYPE_CHECKING:
    from rich.console import Group

FOREST = 24  # rows that a plot of single figures may have; above, the cross table and the table of figures say it better


@dataclass(frozen=True)
class Context:
    """What a section may speak of.

    Attributes:
        games: the file with all games (see `parquet`); None if they were not kept.
        metrics: the `metrics.jsonl` of a training run, or None. command: what made the result; by default this process's.
    """

    result: Result
    games: Path | None
    metrics: Path | None
    command: str | None


def write(
    result: Result,
    folder: str | Path,
    title: str,
    *,
    command: str | None = None,
    metrics: str | Path | None = None,
    notes: Sequence[Piece] = (),
    more: Sequence[Section] = (),
) -> Path:
    """Write a report and return the path of its `report.md`. Files of an earlier report in the folder are replaced.

    Args:
        command: the command that made it; by default this process's command line.
        metrics: the `metrics.jsonl` of a training run, for the training curve.
        notes: what stands below the title. more: sections that stand after all others, before how the report was made.
    """
    games = Path(folder) / "blocks.parquet"
    context = Context(result, games if games.is_file() else None, Path(metrics) if metrics else None, command)
    found = [section for make in SECTIONS if (section := make(context)) is not None]
    first = Section("", [*notes, f"Setting: {result.setting_text()}."])
    path = page.write(folder, title, [first, *found, *more, how_made(context)], result.to_json())
    unfinished.end(Path(folder))
    return path


def strength(context: Context) -> Section:
    """The rows of the result, as a table and, if they are few, as a plot."""
    result = context.result
    rows = [
        [
            result.code(row.agent),
            result.code(row.against),
            row.loss.percent(),
            row.mean.text(),
            f"{100 * row.truncated:.2f} %",
            f"{row.deals:,}",
            "–" if row.needed is None else f"{row.needed:,}",
        ]
        for row in result.rows
    ]
    fair, lost = f" (fair: {100 / result.players:.1f} %)", ""
    if result.helmets is None:
        fair, lost = "", " A deal is lost by those whose return is negative."
    where = f"One table, in all rotations of {_orders(result)}"
    if result.kind == "pairs":
        where = "One agent among others of one kind, in every seat once"
        if result.together:
            where = "One agent in all seats of a side against another in all other seats, on every side once"
        elif result.sides == 2:
            where = "One agent against another, in both seats"
    cheats = ""
    if result.cheats:
        cheats = f" Not everybody plays fair: {', '.join(f'`{name}`' for name in result.cheats)} sees all cards."
    told = (
        f" The last column says with how many deal blocks a mean return of {TOLD:g} would be told from 0, two-sided at 5 %, four times of "
        "five, from the spread measured here."
    )
    explained = f"{where}, on the same deals. Brackets are 95 % intervals, by bootstrap over deal blocks.{lost}{cheats}{told}"
    headings = ["agent", among(result), f"deals lost{fair}:", "mean return (fair: 0):", "cut off:", "deals played:", f"to tell {TOLD:g}:"]
    pieces: list[Piece] = [explained, Table(headings, rows)]
    if len(result.rows) <= FOREST:
        losers = result.helmets is not None
        figure = plots.losses(result) if losers else plots.means(result)
        pieces.append(Picture("losses.png" if losers else "means.png", "strength", figure))
    if result.controls is not None:
        pieces.append(f"Luck is taken off mean returns and differences: {result.controls.text()}.")
    return Section("Strength", pieces)


def cross(context: Context) -> Section | None:
    """Mean returns of everyone among everyone, as a heat map."""
    result = context.result
    if result.kind != "pairs" or len(result.agents) < 3 or len({row.agent for row in result.rows}) < 2:
        return None
    text = f"mean return of the row's agent {among(result)} the column's"
    return Section(f"Everyone {among(result)} everyone", [Picture("cross.png", text, plots.cross(result))])


def differences(context: Context) -> Section | None:
    """Who is better, and by how much."""
    if not context.result.differences:
        return None
    explained = (
        "Of mean returns against the same opponents, paired by deal block. p values are two-sided, of Student's t over blocks, and "
        "corrected by Holm's method over all rows: the chance of any false finding below 0.05 is at most 5 %."
    )
    return Section("Differences", [explained, differences_table(context.result)])


def rated(context: Context) -> Section | None:
    """One number an agent."""
    result = context.result
    if result.ratings is None:
        return None
    model = "who is left as the loser" if result.ratings.model == "loser" else "who has the higher return"
    explained = f"Fitted to all games at once, by {model}: {result.ratings.text()}."
    return Section("Ratings", [explained, ratings_table(result, result.ratings)])


def order(context: Context) -> Section | None:
    """Whether one number an agent says enough: alpha-rank and Nash averaging beside ratings."""
    result = context.result
    met = {(row.agent, row.against): row.mean for row in result.rows}
    if result.ratings is None or result.kind != "pairs" or len(met) < len(result.agents) * (len(result.agents) - 1):
        return None
    found = intransitivity.compare(result.agents, met, {name: each.value for name, each in result.ratings.ratings.items()})
    explained = (
        "Ratings are one number an agent, which cannot say that A beats B, B beats C and C beats A. Alpha-rank is the share of time that "
        "agents would be played for, if better ones took the place of others; Nash averaging weighs the mixture that nobody beats. "
        + (" ".join(f"But: {warning}." for warning in found.warnings) or "They agree with the ratings.")
    )
    rows = [[result.code(name), *figures] for name, *figures in found.rows()]
    return Section("Is there one order?", [explained, Table(["agent", "alpha-rank:", "Nash weight:", "against the mixture:"], rows)])


def helmets(context: Context) -> Section | None:
    """Golden helmets, in games that have them."""
    result = context.result
    if result.helmets is None:
        return None
    rows = [
        [result.code(agent), f"{helmets:,}", f"{deals:,}", f"{1000 * helmets / deals:.2f}"]
        for agent, (helmets, deals) in result.helmets.items()
        if deals
    ]
    explained = (
        "Three losses in a row in one seat, over successive deal blocks in the same seating, the dealer moving left from one "
        "to the next; after three the count begins anew."
    )
    return Section("Golden helmets", [explained, Table(["agent", "helmets:", "deals:", "for 1,000 deals:"], rows)])


def places(context: Context) -> Section | None:
    """Whether it matters where one sits."""
    result = context.result
    if not result.positions:
        return None
    worse = [each for each in result.positions if each.mean.high < 0]
    better = [each for each in result.positions if each.mean.low > 0]
    found = "No place is better or worse than fair by more than chance would explain."
    if worse or better:
        said = [
            f"{plots.place(each.place, result.players)} {'wins' if each in better else 'loses'} {abs(each.mean.value):.3f}"
            for each in result.positions
            if each in worse or each in better
        ]
        found = f"By more than chance would explain, a deal on average, {', '.join(said)}."
    explained = (
        "Mean return by place at the table, over all matches, in which every agent sits in every place equally often. The first place "
        f"is on the dealer's left, the last is the dealer's. Brackets are 95 % intervals, normal, over deal blocks. {found}"
    )
    rows = [[plots.place(each.place, result.players), each.mean.text()] for each in result.positions]
    picture = Picture("places.png", "mean return by place", plots.places(result))
    return Section("Where one sits", [explained, Table(["place", "mean return (fair: 0):"], rows), picture])


def lengths(context: Context) -> Section | None:
    """How long games are."""
    result = context.result
    if not result.lengths:
        return None
    rows = [[result.code(row.agent), result.code(row.against), f"{row.decisions:.1f}"] for row in result.rows]
    explained = f"Decisions of a game, forced ones too: {_spread(result)}. Their mean in each match:"
    table = Table(["agent", among(result), "decisions a game:"], rows)
    return Section("Lengths of games", [explained, table, Picture("lengths.png", "lengths of games", plots.lengths(result))])


def habits(context: Context) -> Section | None:
    """How play differs."""
    result = context.result
    if not result.habits:
        return None
    known = {habit.name: habit for habit in registry.find(result.game)[0].habits}
    found = list(dict.fromkeys(each.habit for each in result.habits))
    cells = {(each.agent, each.habit): each.value.percent() if known[each.habit].percent else each.value.text() for each in result.habits}
    cells = {key: text.replace("+", "") for key, text in cells.items()}
    agents = [agent for agent in result.agents if any(each.agent == agent for each in result.habits)]
    rows = [[habit, *(cells.get((agent, habit), "–") for agent in agents)] for habit in found]
    explained = (
        f"From the first {result.sampled} deal blocks, replayed decision by decision, over all matches. Brackets are 95 % intervals, by "
        "bootstrap over these blocks."
    )
    meanings = Table(["figure", "what it is"], [[habit, known[habit].text] for habit in found])
    table = Table(["figure", *(f"{result.code(agent)}:" for agent in agents)], rows)
    units = {habit: "%" if known[habit].percent else "mean" for habit in found}
    return Section("How play differs", [explained, meanings, table, Picture("habits.png", "how play differs", plots.habits(result, units))])


def paces(context: Context) -> Section | None:
    """How long agents think."""
    result = context.result
    if not result.paces:
        return None
    rows = [
        [result.code(each.agent), f"{1e6 * each.seconds / each.decisions:,.1f}", f"{each.decisions:,}", f"{each.batch:,.0f}"]
        for each in result.paces
    ]
    explained = (
        "Of decisions with a choice, in the replayed games, on one thread of the machine named below, which may have had other things "
        "to do. Agents are asked for many games at once, which suits networks."
    )
    headings = ["agent", "microseconds a decision:", "decisions:", "asked at once (mean):"]
    return Section("Decision times", [explained, Table(headings, rows)])


def training(context: Context) -> Section | None:
    """The training curve, in reports of training."""
    result = context.result
    if context.metrics is None or (curve := training_curve(context.metrics, result.players, result.helmets is not None)) is None:
        return None
    return Section("Training", [Picture("training.png", "training curve", curve)])


Maker = Callable[[Context], Section | None]

# What a report says, in this order.
SECTIONS: tuple[Maker, ...] = (strength, cross, differences, rated, order, helmets, places, lengths, habits, paces, training)


def how_made(context: Context) -> Section:
    """With which command, versions and deals a report was made, and where its games are."""
    result = context.result
    deals = f"the deals of seed {result.seed}"
    if result.deal_set is not None:
        deals = f"deal set `{result.deal_set}` (seed {result.seed}), which everybody can play who has this version of the game"
    kept = ["All games, a row for each seat, are in `blocks.parquet` beside this page; all figures in `result.json`."]
    return made.section(context.command, f"Game: {registry.face(result.game)}, {deals}.", *(kept if context.games is not None else ()))


def terminal(result: Result) -> "Group":
    """Tables for the terminal; what chance hardly explains is coloured."""
    from rich.console import Group
    from rich.text import Text

    figures = [(row.mean.text(), row.loss.percent(), f"{100 * row.truncated:.1f} %") for row in result.rows]
    rows = [[result.code(row.agent), result.code(row.against), *told] for row, told in zip(result.rows, figures)]
    styles = ["green" if row.mean.low > 0 else "red" if row.mean.high < 0 else "" for row in result.rows]
    caption = "95 % intervals; fair is a mean return of 0"
    if result.helmets is not None:
        rates = (f"{name} {1000 * helmets / deals:.1f}" for name, (helmets, deals) in result.helmets.items())
        caption += f" and {100 / result.players:.4g} % lost\ngolden helmets for 1,000 deals: {', '.join(rates)}"
    if result.controls is not None:
        caption += f"\n{result.controls.text()}"
    if needed := [row.needed for row in result.rows if row.needed]:
        caption += f"\na mean return of {TOLD:g} would be told from 0 with {max(needed):,} deal blocks (two-sided 5 %, power 80 %)"
    parts = [Table(["agent", among(result), "mean return:", "lost:", "cut off:"], rows).rich(result.setting_text(), styles)]
    parts[0].caption = Text(caption)
    if result.differences:
        styles = ["green" if each.p < 0.05 else "" for each in result.differences]
        title = "Differences, paired by deal block; p values corrected by Holm's method"
        parts.append(differences_table(result).rich(title, styles))
    if result.ratings is not None:
        parts.append(ratings_table(result, result.ratings).rich("Ratings"))
        parts[-1].caption = Text(result.ratings.text())
    return Group(*parts)


def differences_table(result: Result) -> Table:
    """Every difference, with its p value."""
    rows = [
        [*(result.code(name) for name in (each.better, each.worse, each.against)), each.mean.text(), multiple.text(each.p)]
        for each in result.differences
    ]
    return Table(["agent", "minus", among(result), "difference:", "p (Holm):"], rows)


def ratings_table(result: Result, ratings: Ratings) -> Table:
    """Every rating, the best first."""
    return Table(["agent", "rating:", "interval:"], [[result.code(name), *figures] for name, *figures in ratings.rows()])


def _orders(result: Result) -> str:
    if result.orders is None or result.orders[1] == 1:
        return "its only order round the table"
    played, every = result.orders
    return f"all its {every} orders round the table" if played == every else f"{played} of its {every} orders round the table"


def _spread(result: Result) -> str:
    """The spread of lengths, in words."""
    total, marks = sum(result.lengths.values()), []
    for share in (0.05, 0.5, 0.95):
        reached = 0
        for length, count in result.lengths.items():
            reached += count
            if reached >= share * total:
                marks.append(length)
                break
    low, middle, high = marks
    return f"half of all games have at most {middle}, nine of ten between {low} and {high}, the longest {max(result.lengths)}"
