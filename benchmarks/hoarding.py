"""Measures what hoarding trumps is worth, and writes the tables of docs/hoarding.md and, from these, that of the README.

    python -m benchmarks.hoarding                                 # everything, on all cores
    python -m benchmarks.hoarding --only 101-2p --deals 2000      # one table, on fewer deals

With each table stand the commands that give the same figures.
"""

import argparse
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tromf.commands.common import find_setting
from tromf.commands.measured import fill
from tromf.evaluate import ablate, dealsets
from tromf.evaluate.reports.page import Table
from tromf.evaluate.statistics.intervals import Estimate

ROOT = Path(__file__).parents[1]
PAGE, README = ROOT / "docs" / "hoarding.md", ROOT / "README.md"


class Run(NamedTuple):
    """One ablation of an expert: the game, the knobs, deal blocks, and the seats where the game leaves a choice."""

    game: str
    knobs: tuple[str, ...]
    deals: int
    players: int | None = None

    @property
    def command(self) -> str:
        players = f" --players {self.players}" if self.players else ""
        return f"tromf ablate {self.game} expert --knobs {','.join(self.knobs)}{players} --deals {self.deals}"


ATTACK_DEFENCE, STAGES = ("hoard_attack", "hoard_defence"), ("hoard_early", "hoard_late", "hoard_end")
TABLES = {
    "mustamaija-4p": (Run("mustamaija", ATTACK_DEFENCE, 100_000, 4), Run("mustamaija", ("placebo",), 100_000, 4)),
    "mustamaija-2p": (Run("mustamaija", ATTACK_DEFENCE, 20_000, 2), Run("mustamaija", ("placebo",), 20_000, 2)),
    "101-2p": (Run("101", STAGES, 100_000, 2), Run("101", ("placebo",), 100_000, 2)),
    "101-4p": (Run("101", STAGES, 100_000, 4), Run("101", ("placebo",), 100_000, 4)),
    "south-dakota": (
        Run("south-dakota", ("hoard_trumps", "draw_trumps"), 100_000),
        Run("south-dakota", ("placebo", "draw_placebo"), 100_000),
    ),
}


def measure(run: Run, threads: int | None = None) -> dict[str, Any]:
    """The figures of an ablation, on the deal set that the command would choose."""
    game, variant, options = find_setting(run.game, players=run.players)
    deals = dealsets.of(game, game.states(1, variant, **options))
    return ablate(game, "expert", run.knobs, blocks=run.deals, deal_set=deals, variant=variant, threads=threads, **options).to_json()


def table(runs: Sequence[Run], figures: Sequence[dict[str, Any]]) -> str:
    """A Markdown table of the effects, a column for each population, and below it the commands."""
    populations = [each["against"] for each in figures[0]["populations"]]
    rows = []
    for found in figures:
        for place, effect in enumerate(found["populations"][0]["effects"]):
            name = " × ".join(f"`{knob['knob']}`" for knob in effect["knobs"])
            rows.append([name, *(_cell(population["effects"][place]) for population in found["populations"])])
    rows.append(["*expert – beginner*", *(_estimate(population["gap"]) for population in figures[0]["populations"])])
    headings = ["effect", *(f"others: `{population}`:" for population in populations)]
    return Table(headings, rows).markdown() + "\n\n" + "\n".join(f"    {run.command}" for run in runs)


def _estimate(found: dict[str, Any]) -> str:
    return Estimate(found["value"], found["low"], found["high"]).text()


def _cell(effect: dict[str, Any]) -> str:
    if not effect["blocks_changed"]:
        return "0, in every block"
    share = effect["share_of_gap"]
    return _estimate(effect) + (f", {100 * share:+.0f} %" if share is not None else "")


class Line(NamedTuple):
    """A line of the README's table: the table of the page it is from, and its effects; one after a minus is of a habit's opposite."""

    title: str
    table: str
    habits: tuple[str, ...]
    placebos: tuple[str, ...] = ("placebo",)


LINES = (
    Line("Mustamaija, 4 players", "mustamaija-4p", ATTACK_DEFENCE),
    Line("Mustamaija, 2 players", "mustamaija-2p", ATTACK_DEFENCE),
    Line("101, 2 players", "101-2p", STAGES[:2]),
    Line("101, 4 players", "101-4p", STAGES),
    Line("South Dakota Whist", "south-dakota", ("hoard_trumps", "-draw_trumps"), ("placebo", "-draw_placebo")),
)
NAMES = {
    "hoard_attack": "in attack",
    "hoard_defence": "in defence",
    "hoard_early": "early",
    "hoard_late": "in the last draws",
    "hoard_end": "in the last tricks",
    "hoard_trumps": "not spending them like plain cards",
    "-draw_trumps": "not leading them",
}


def readme_table(page: str) -> str:
    """The README's table: what the page says of habits among experts."""
    rows = [
        [
            line.title,
            ", ".join(f"{NAMES[habit]} {effect_of(page, line.table, habit)}" for habit in line.habits),
            ", ".join(effect_of(page, line.table, placebo) for placebo in line.placebos),
        ]
        for line in LINES
    ]
    return Table(["game", "keeping trumps", "placebo"], rows).markdown()


def effect_of(page: str, name: str, effect: str) -> str:
    """An effect among experts, the first column of a table of the page."""
    written = page.partition(f"<!-- measured: {name} -->\n")[2].partition("<!-- end -->")[0]
    cell = re.search(rf"^\| `{effect.removeprefix('-')}` \| ([^|]*)\]", written, re.MULTILINE)
    if cell is None:
        raise ValueError(f"the page says nothing of {effect} in {name}")
    value, low, high = map(float, re.findall(r"[+-][\d.]+", cell[1]))
    return (Estimate(-value, -high, -low) if effect.startswith("-") else Estimate(value, low, high)).text()


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Measure what hoarding trumps is worth, and write the tables of docs/hoarding.md.")
    parser.add_argument("--only", choices=TABLES, help="this table only")
    parser.add_argument("--deals", type=int, help="so many deal blocks at most, in place of the usual number")
    parser.add_argument("--threads", type=int, help="threads (default: one a core)")
    parser.add_argument("--page", type=Path, default=PAGE, help="the page whose tables are written")
    given = parser.parse_args(argv)
    for name in [given.only] if given.only else TABLES:
        runs = [run._replace(deals=min(run.deals, given.deals or run.deals)) for run in TABLES[name]]
        content = table(runs, [measure(run, given.threads) for run in runs])
        print(f"{name}\n\n{content}\n", flush=True)
        fill(given.page, name, content)
    if given.page == PAGE:
        fill(README, "hoarding", readme_table(PAGE.read_text(encoding="utf-8")))


if __name__ == "__main__":
    main()
