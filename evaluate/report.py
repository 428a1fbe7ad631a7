"""A report of an evaluation: `report.md`, `result.json` and plots in a folder, readable by a stranger."""

import importlib.metadata
import json
import platform
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tromf.envs.files import write_whole, written_whole
from tromf.evaluate import plots, unfinished
from tromf.evaluate.result import Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PACKAGES = ("tromf", "numpy", "numba", "torch")


def write(
    result: Result,
    folder: str | Path,
    title: str,
    *,
    command: str | None = None,
    metrics: str | Path | None = None,
    notes: Sequence[str] = (),
) -> Path:
    """Write a report and return the path of its `report.md`. Files of an earlier report in the folder are replaced.

    Args:
        command: the command that made it; by default this process's command line.
        metrics: the `metrics.jsonl` of a training run, for the training curve.
        notes: paragraphs (Markdown) that stand below the title.
    """
    folder = Path(folder)
    pictures: dict[str, Figure] = {}
    among = "against" if result.together else "among"
    parts = [f"# {title}", *notes, f"Setting: {result.setting_text()}.", "## Strength", _strength(result, among)]
    name = "losses.png" if result.helmets is not None else "means.png"
    pictures[name] = plots.losses(result) if result.helmets is not None else plots.means(result)
    parts.append(f"![strength]({name})")
    if result.kind == "pairs" and len(result.agents) > 2 and len({row.agent for row in result.rows}) > 1:
        pictures["cross.png"] = plots.cross(result)
        parts += [f"## Everyone {among} everyone", f"![mean return of the row's agent {among} the column's](cross.png)"]
    if result.differences:
        parts += ["## Differences", _differences(result, among)]
    if result.helmets is not None:
        parts += ["## Golden helmets", _helmets(result)]
    if metrics is not None and (curve := training_curve(metrics, result.players, result.helmets is not None)) is not None:
        pictures["training.png"] = curve
        parts += ["## Training", "![training curve](training.png)"]
    parts += ["## How this was made", made(command)]
    for picture, figure in pictures.items():
        with written_whole(folder / picture) as beside:
            figure.savefig(beside)
    write_json(result, folder / "result.json")
    write_whole(folder / "report.md", "\n\n".join(parts) + "\n")
    unfinished.end(folder)
    return folder / "report.md"


def write_json(result: Result, path: str | Path) -> None:
    """Write the figures of a result as JSON; the same evaluation gives the same bytes."""
    write_whole(path, json.dumps(result.to_json(), indent=2, ensure_ascii=False) + "\n")


def markdown_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table; headings that end in a colon stand over columns of numbers, aligned to the right."""
    bars = ["---:" if heading.endswith(":") else "---" for heading in headings]
    lines = [[heading.removesuffix(":") for heading in headings], bars, *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def _strength(result: Result, among: str) -> str:
    rows = [
        [f"`{row.agent}`", f"`{row.against}`", row.loss.percent(), row.mean.text(), f"{100 * row.truncated:.2f} %", f"{row.deals:,}"]
        for row in result.rows
    ]
    fair, lost = f" (fair: {100 / result.players:.1f} %)", ""
    if result.helmets is None:
        fair, lost = "", " A deal is lost by those whose return is negative."
    where = "One table, in all its rotations"
    if result.kind == "pairs":
        where = "One agent among others of one kind, in every seat once"
        if result.together:
            where = "One agent in all seats of a side against another in all other seats, on every side once"
    explained = f"{where}, on the same deals. Brackets are 95 % intervals, by bootstrap over deal blocks.{lost}"
    headings = ["agent", among, f"deals lost{fair}:", "mean return (fair: 0):", "cut off:", "deals played:"]
    return explained + "\n\n" + markdown_table(headings, rows)


def _differences(result: Result, among: str) -> str:
    rows = [[f"`{each.better}`", f"`{each.worse}`", f"`{each.against}`", each.mean.text()] for each in result.differences]
    return "Of mean returns against the same opponents, paired by deal block.\n\n" + markdown_table(
        ["agent", "minus", among, "difference:"], rows
    )


def _helmets(result: Result) -> str:
    assert result.helmets is not None
    rows = [
        [f"`{agent}`", f"{helmets:,}", f"{deals:,}", f"{1000 * helmets / deals:.2f}"]
        for agent, (helmets, deals) in result.helmets.items()
        if deals
    ]
    explained = (
        "Three losses in a row in one seat, over successive deal blocks in the same seating, the dealer moving left from one "
        "to the next; after three the count begins anew."
    )
    return explained + "\n\n" + markdown_table(["agent", "helmets:", "deals:", "for 1,000 deals:"], rows)


def made(command: str | None) -> str:
    """The paragraph that says how a report was made: the command, by default this process's, and versions."""
    command = command or this_command()
    return f"```\n{command}\n```\n\n{versions()}."


def this_command() -> str:
    """The command line of this process, without the folder of the program."""
    return shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]])


def versions() -> str:
    """One line: the versions of what computed, and the machine."""
    found = [f"Python {platform.python_version()}"]
    for package in PACKAGES:
        try:
            found.append(f"{package} {importlib.metadata.version(package)}")
        except importlib.metadata.PackageNotFoundError:
            continue
    return f"{', '.join(found)}; {platform.system()} {platform.machine()}"


def training_curve(metrics: str | Path, players: int, losers: bool = True) -> "Figure | None":
    """The curves in the `metrics.jsonl` of a training run; None if it has none. `OSError` if it cannot be read.

    Shown are shares of deals lost, where every deal has one of the players for its loser; otherwise (`losers=False`) mean returns.
    """
    axis, scale, fair = ("share of deals lost (%)", 100.0, 100 / players) if losers else ("mean return for a deal", 1.0, 0.0)
    greedily, sampling = ("lost", "lost_sampling") if losers else ("evaluation", "return")
    lines: dict[str, tuple[list[float], list[float]]] = {}
    for entry in read_metrics(metrics):
        for name, value in entry.items():
            kind, _, others = name.partition("/")
            if kind in (greedily, sampling) and isinstance(value, (int, float)):
                label = "evaluation, choosing greedily" if kind == greedily else f"in training among {others}, sampling"
                x, y = lines.setdefault(label, ([], []))
                x.append(entry["decisions"] / 1e6)
                y.append(scale * value)
    return plots.curves({axis: lines}, "million decisions", {axis: fair}) if lines else None


def read_metrics(path: str | Path) -> list[dict[str, Any]]:
    """The entries of a `metrics.jsonl`; a last line that was cut off by a kill is left out."""
    entries = []
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        try:
            entries.append(json.loads(line))
        except json.JSONDecodeError:
            continue
    return [entry for entry in entries if isinstance(entry, dict) and "decisions" in entry]
