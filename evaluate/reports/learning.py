"""The curves of a training run, from its log, `metrics.jsonl`."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tromf.evaluate.reports import plots

if TYPE_CHECKING:
    from matplotlib.figure import Figure


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
