"""What an ablation found: tables for the terminal, and a report with a plot of the effects."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tromf.envs.files import write_whole, written_whole
from tromf.evaluate.ablation import Ablation, Population
from tromf.evaluate.reports import plots
from tromf.evaluate.reports.report import made, markdown_table
from tromf.evaluate.statistics import multiple

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Table = tuple[list[str], list[list[str]]]  # headings, with a colon where numbers stand below, and rows


def effects_table(population: Population) -> Table:
    """Headings and rows: the effects in one population."""
    headings = ["effect", "mean return:", "share of the gap:", "deal blocks changed:", "p (Holm):"]
    rows = [
        [
            effect.name,
            effect.mean.text(4),
            "–" if effect.share is None else f"{100 * effect.share:+.1f} %",
            f"{100 * effect.changed:.1f} %",
            multiple.text(effect.corrected),
        ]
        for effect in population.effects
    ]
    return headings, rows


def arms_table(ablation: Ablation, population: Population) -> Table:
    """Headings and rows: the mean return of every arm in one population."""
    rows = [[*(f"{level:g}" for level in arm.levels), arm.mean.text(4)] for arm in population.arms]
    return [*(f"{name}:" for name in ablation.knobs), "mean return:"], rows


def among(ablation: Ablation) -> str:
    return "against" if ablation.sides < ablation.players else "among"


def gap_text(ablation: Ablation, population: Population) -> str:
    """One sentence: the gap of which the shares are."""
    return f"The gap between `{ablation.agent}` and `beginner`, {among(ablation)} `{population.against}`: {population.gap.text(4)}."


def effects_plot(ablation: Ablation) -> "Figure":
    """Every effect with its interval, by population."""
    groups = {f"{among(ablation)} {each.against}": [(effect.name, effect.mean) for effect in each.effects] for each in ablation.populations}
    return plots.grouped(groups, "effect on the mean return for a deal, with 95 % interval", ablation.setting_text())


def terminal(ablation: Ablation) -> Any:
    """Tables for the terminal."""
    from rich import box
    from rich.console import Group
    from rich.table import Table as RichTable
    from rich.text import Text

    def table(title: str, content: Table) -> RichTable:
        result = RichTable(title=title, box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0), title_justify="left")
        for heading in content[0]:
            numbers = heading.endswith(":")
            result.add_column(heading.removesuffix(":"), justify="right" if numbers else "left", no_wrap=numbers, overflow="fold")
        for row in content[1]:
            result.add_row(*map(Text, row))
        return result

    parts: list[Any] = [Text(f"{ablation.agent}: {ablation.setting_text()}\n")]
    for each in ablation.populations:
        where = f"{among(ablation)} {each.against}"
        parts += [
            table(f"Effects, {where}", effects_table(each)),
            Text(gap_text(ablation, each).replace("`", "") + "\n"),
            table(f"Arms, {where}", arms_table(ablation, each)),
            Text(),
        ]
    return Group(*parts, Text("Brackets are 95 % intervals over deal blocks; p is corrected over all effects shown."))


def write(ablation: Ablation, folder: str | Path, command: str | None = None) -> Path:
    """Write `report.md`, `result.json` and `effects.png`, and return the path of the first."""
    folder = Path(folder)
    levels = "; ".join(f"`{name}` {', '.join(f'{level:g}' for level in each)}" for name, each in ablation.knobs.items())
    parts = [
        f"# What habits are worth: `{ablation.agent}` in {ablation.game}",
        f"Setting: {ablation.setting_text()}.",
        f"Turned in all combinations were {levels}. Each combination, an arm, was one agent {among(ablation)} others of one kind, in every "
        "seat or side once, on the same deals. The effect of a knob is what its level brings above its first one, a mean over the other "
        "knobs; an interaction (×) is by how much more one brings with the other turned. Brackets are 95 % intervals by bootstrap over "
        "deal blocks; p is corrected by Holm's method over all effects of this report.",
        "![effects by population](effects.png)",
    ]
    for each in ablation.populations:
        parts += [
            f"## {among(ablation).capitalize()} `{each.against}`",
            markdown_table(*effects_table(each)),
            gap_text(ablation, each),
            markdown_table(*arms_table(ablation, each)),
        ]
    parts += ["## How this was made", made(command)]
    with written_whole(folder / "effects.png") as beside:
        effects_plot(ablation).savefig(beside)
    write_json(ablation, folder / "result.json")
    write_whole(folder / "report.md", "\n\n".join(parts) + "\n")
    return folder / "report.md"


def write_json(ablation: Ablation, path: str | Path) -> None:
    """Write the figures as JSON; the same ablation gives the same bytes."""
    write_whole(path, json.dumps(ablation.to_json(), indent=2, ensure_ascii=False) + "\n")
