"""What an ablation found: tables for the terminal, and a report with a plot of the effects."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from tromf.evaluate.ablation import Ablation, Population
from tromf.evaluate.reports import made, page, plots
from tromf.evaluate.reports.page import Picture, Section, Table
from tromf.evaluate.result import among
from tromf.evaluate.statistics import multiple

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from rich.console import Group


def effects_table(population: Population) -> Table:
    """The effects in one population."""
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
    return Table(["effect", "mean return:", "share of the gap:", "deal blocks changed:", "p (Holm):"], rows)


def arms_table(ablation: Ablation, population: Population) -> Table:
    """The mean return of every arm in one population."""
    rows = [[*(f"{level:g}" for level in arm.levels), arm.mean.text(4)] for arm in population.arms]
    return Table([*(f"{name}:" for name in ablation.knobs), "mean return:"], rows)


def gap_text(ablation: Ablation, population: Population) -> str:
    """One sentence: the gap of which the shares are."""
    return f"The gap between `{ablation.agent}` and `beginner`, {among(ablation)} `{population.against}`: {population.gap.text(4)}."


def effects_plot(ablation: Ablation) -> "Figure":
    """Every effect with its interval, by population."""
    groups = {f"{among(ablation)} {each.against}": [(effect.name, effect.mean) for effect in each.effects] for each in ablation.populations}
    return plots.grouped(groups, "effect on the mean return for a deal, with 95 % interval", ablation.setting_text())


def terminal(ablation: Ablation) -> "Group":
    """Tables for the terminal."""
    from rich.console import Group
    from rich.text import Text

    parts: list[Any] = [Text(f"{ablation.agent}: {ablation.setting_text()}\n")]
    for each in ablation.populations:
        where = f"{among(ablation)} {each.against}"
        parts += [effects_table(each).rich(f"Effects, {where}"), Text(f"{page.plain(gap_text(ablation, each))}\n")]
        parts += [arms_table(ablation, each).rich(f"Arms, {where}"), Text()]
    return Group(*parts, Text("Brackets are 95 % intervals over deal blocks; p is corrected over all effects shown."))


def write(ablation: Ablation, folder: str | Path, command: str | None = None) -> Path:
    """Write the report, as `page.write` does."""
    levels = "; ".join(f"`{name}` {', '.join(f'{level:g}' for level in each)}" for name, each in ablation.knobs.items())
    explained = (
        f"Turned in all combinations were {levels}. Each combination, an arm, was one agent {among(ablation)} others of one kind, in every "
        "seat or side once, on the same deals. The effect of a knob is what its level brings above its first one, a mean over the other "
        "knobs; an interaction (×) is by how much more one brings with the other turned. Brackets are 95 % intervals by bootstrap over "
        "deal blocks; p is corrected by Holm's method over all effects of this report."
    )
    plot = Picture("effects.png", "effects by population", effects_plot(ablation))
    found = [
        Section(
            f"{among(ablation).capitalize()} `{each.against}`",
            [effects_table(each), gap_text(ablation, each), arms_table(ablation, each)],
        )
        for each in ablation.populations
    ]
    sections = [Section("", [f"Setting: {ablation.setting_text()}.", explained, plot]), *found, made.section(command)]
    return page.write(folder, f"What habits are worth: `{ablation.agent}` in {ablation.game}", sections, ablation.to_json())
