"""Plots of an evaluation, made without a window system. Every function returns a matplotlib `Figure`."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from tromf.evaluate.result import Result, among
from tromf.evaluate.statistics.intervals import Estimate

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_WIDTH = 36  # letters of an agent's name that fit beside a plot
_BLUE, _GREY = "#1f5f99", "#888888"


def short(name: str) -> str:
    """A name that fits: the end of a long path says more than its beginning."""
    return name if len(name) <= _WIDTH else "…" + name[-_WIDTH + 1 :]


def losses(result: Result) -> "Figure":
    """A forest plot: the share of deals lost in every row, with its interval, and what would be fair."""
    fair = 1 / result.players if result.helmets is not None else None
    return _forest(
        _labelled(result, [row.loss for row in result.rows]),
        "share of deals lost (%), with 95 % interval",
        100,
        fair,
        result.setting_text(),
    )


def means(result: Result) -> "Figure":
    """A forest plot: the mean return in every row, with its interval."""
    return _forest(
        _labelled(result, [row.mean for row in result.rows]), "mean return for a deal, with 95 % interval", 1, 0.0, result.setting_text()
    )


def _labelled(result: Result, estimates: Sequence[Estimate]) -> list[tuple[str, Estimate]]:
    """The estimates of a result's rows with the names that stand beside them."""
    where = among(result)
    if where == "among" and result.kind == "pairs":
        where += f" {result.players - 1} ×"
    names = [f"{short(result.called(row.agent))}\n{where} {short(result.called(row.against))}" for row in result.rows]
    return list(zip(names, estimates))


def _forest(rows: Sequence[tuple[str, Estimate]], label: str, scale: float, fair: float | None, title: str) -> "Figure":
    figure = _figure(9, 1.6 + 0.55 * len(rows))
    axes = figure.add_subplot()
    values, lows, highs = (scale * np.array([getattr(estimate, name) for _, estimate in rows]) for name in ("value", "low", "high"))
    places = np.arange(len(rows))
    if fair is not None:
        axes.axvline(scale * fair, color=_GREY, linestyle="--", linewidth=1, label=f"fair: {scale * fair:g}")
        axes.legend(loc="lower right", fontsize=8, framealpha=0.9)
    axes.errorbar(values, places, xerr=np.maximum(0, [values - lows, highs - values]), fmt="o", color=_BLUE, capsize=3, markersize=5)
    for place, value, high in zip(places, values, highs):
        text = f"{value:.1f}" if scale == 100 else f"{value:+.3f}"
        axes.annotate(text, (high, place), (6, 0), textcoords="offset points", va="center", fontsize=8)
    axes.set_yticks(places, [name for name, _ in rows], fontsize=8)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.margins(x=0.12)
    if scale == 100:
        axes.set_xlim(left=0, right=min(105, axes.get_xlim()[1]))
    axes.set_xlabel(label)
    axes.set_title(title, fontsize=9)
    axes.grid(axis="x", alpha=0.3)
    return figure


def cross(result: Result) -> "Figure":
    """A heat map: the mean return of the row's agent among, or against, the column's, with its interval in the cell.

    Dark is less and light is more, so that it can be read when printed in grey.
    """
    ones = list(dict.fromkeys(row.agent for row in result.rows))
    others = [agent for agent in result.agents if any(row.against == agent for row in result.rows)]
    means = np.full((len(ones), len(others)), np.nan)
    figure = _figure(3.5 + 1.3 * len(others), 2.2 + 0.75 * len(ones))
    axes = figure.add_subplot()
    for row in result.rows:
        means[ones.index(row.agent), others.index(row.against)] = row.mean.value
    bound = float(np.nanmax(np.abs(means))) or 1.0
    image = axes.imshow(means, cmap="cividis", vmin=-bound, vmax=bound, aspect="auto")
    for row in result.rows:
        i, j = ones.index(row.agent), others.index(row.against)
        text = row.mean.text().replace(" ", "\n", 1)
        axes.text(j, i, text, ha="center", va="center", fontsize=8, color="white" if row.mean.value < 0.1 * bound else "black")
    axes.set_xticks(range(len(others)), [short(result.called(name)) for name in others], rotation=20, ha="right", fontsize=8)
    axes.set_yticks(range(len(ones)), [short(result.called(name)) for name in ones], fontsize=8)
    axes.set_xlabel("in all other seats")
    axes.set_ylabel("in all seats of one side" if result.together else "in one seat")
    axes.set_title(result.setting_text(), fontsize=9)
    figure.colorbar(image, label="mean return for a deal (fair: 0)")
    return figure


def grouped(groups: Mapping[str, Sequence[tuple[str, Estimate]]], label: str, title: str) -> "Figure":
    """A forest plot of the same rows several times, a colour for each group; 0 is marked."""
    names = [name for name, _ in next(iter(groups.values()))]
    figure = _figure(9, 1.8 + (0.25 + 0.22 * len(groups)) * len(names))
    axes = figure.add_subplot()
    axes.axvline(0, color=_GREY, linestyle="--", linewidth=1)
    for k, (group, rows) in enumerate(groups.items()):
        values, lows, highs = (np.array([getattr(estimate, name) for _, estimate in rows]) for name in ("value", "low", "high"))
        places = np.arange(len(rows)) + 0.7 * ((k + 0.5) / len(groups) - 0.5)
        errors = np.maximum(0, [values - lows, highs - values])
        axes.errorbar(values, places, xerr=errors, fmt="o", color=f"C{k % 10}", capsize=3, markersize=4, label=group)
    axes.set_yticks(range(len(names)), names, fontsize=8)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_xlabel(label)
    axes.set_title(title, fontsize=9)
    axes.grid(axis="x", alpha=0.3)
    axes.legend(fontsize=8, framealpha=0.9)
    return figure


def place(number: int, players: int) -> str:
    """What a place relative to the dealer is called; the first is on the dealer's left."""
    return "dealer" if number == players else {1: "1st", 2: "2nd", 3: "3rd"}.get(number, f"{number}th")


def places(result: Result) -> "Figure":
    """The mean return in each place at the table, with its interval."""
    figure = _figure(6.5, 3.4)
    axes = figure.add_subplot()
    values, lows, highs = (np.array([getattr(each.mean, name) for each in result.positions]) for name in ("value", "low", "high"))
    numbers = np.arange(len(values))
    axes.axhline(0, color=_GREY, linestyle="--", linewidth=1, label="fair: 0")
    axes.errorbar(numbers, values, yerr=[values - lows, highs - values], fmt="o", color="black", capsize=4, markersize=5)
    axes.set_xticks(numbers, [place(each.place, result.players) for each in result.positions])
    axes.set_xlabel("place, from the dealer's left")
    axes.set_ylabel("mean return for a deal,\nwith 95 % interval")
    axes.set_title(result.setting_text(), fontsize=9)
    axes.grid(axis="y", alpha=0.3)
    axes.margins(x=0.15)
    axes.legend(fontsize=8)
    return figure


def lengths(result: Result) -> "Figure":
    """A histogram of the lengths of all games, with the median."""
    figure = _figure(6.5, 3.0)
    axes = figure.add_subplot()
    decisions, games = np.array(list(result.lengths)), np.array(list(result.lengths.values()))
    up_to = decisions[np.searchsorted(np.cumsum(games), 0.995 * games.sum())]  # a few games without end would flatten all others
    step = max(1, -(-int(up_to - decisions.min() + 1) // 60))
    edges = np.arange(decisions.min(), up_to + step + 1, step) - 0.5
    shares, _ = np.histogram(decisions, edges, weights=100 * games / games.sum())
    axes.stairs(shares, edges, fill=True, color="#9db7cf", edgecolor="black", linewidth=0.6)
    median = decisions[np.searchsorted(np.cumsum(games), 0.5 * games.sum())]
    axes.axvline(median, color="black", linestyle="--", linewidth=1, label=f"median: {median}")
    axes.set_xlabel("decisions of a game" + (f" (one of 200 is longer than {up_to})" if up_to < decisions.max() else ""))
    axes.set_ylabel(f"games (%), by {step}" if step > 1 else "games (%)")
    axes.set_title(result.setting_text(), fontsize=9)
    axes.legend(fontsize=8)
    return figure


def habits(result: Result, units: Mapping[str, str]) -> "Figure":
    """How agents play: a panel for each habit, an agent a row, with intervals. `units`: of each habit "%" or "mean"."""
    measures = result.habits or ()
    agents = [agent for agent in result.agents if any(each.agent == agent for each in measures)]
    columns = min(3, len(units))
    figure = _figure(3.4 * columns + 1.5, (1.1 + 0.3 * len(agents)) * -(-len(units) // columns) + 0.4)
    panels = figure.subplots(-(-len(units) // columns), columns, sharey=True, squeeze=False)
    for axes, (habit, unit) in zip(panels.flat, units.items()):
        for each in measures:
            if each.habit == habit:
                value, low, high = (100 * part if unit == "%" else part for part in each.value)
                error = [[max(0.0, value - low)], [max(0.0, high - value)]]
                axes.errorbar(value, agents.index(each.agent), xerr=error, fmt="o", color="black", capsize=3, markersize=4)
        axes.set_title(f"{habit} ({unit})", fontsize=9)
        axes.set_yticks(range(len(agents)), [short(result.called(agent)) for agent in agents], fontsize=8)
        axes.set_ylim(len(agents) - 0.5, -0.5)
        axes.tick_params(axis="x", labelsize=8)
        axes.grid(alpha=0.3)
    for axes in panels.flat[len(units) :]:
        axes.set_visible(False)
    figure.suptitle("with 95 % intervals", fontsize=9)
    return figure


Lines = Mapping[str, tuple[Sequence[float], Sequence[float]]]  # x and y by name


def curves(panels: Mapping[str, Lines], x_label: str, references: Mapping[str, float]) -> "Figure":
    """Curves, one panel for each label of a y axis; `references` are level lines, by the same labels."""
    figure = _figure(9, 3.4 * len(panels))
    for axes, (label, lines) in zip(np.atleast_1d(figure.subplots(len(panels), 1)), panels.items()):
        for name, (x, y) in lines.items():
            axes.plot(x, y, label=name, linewidth=1.3, marker="o" if len(x) < 40 else None, markersize=3)
        if label in references:
            axes.axhline(references[label], color=_GREY, linestyle="--", linewidth=1, label=f"fair: {references[label]:g}")
        axes.set_xlabel(x_label)
        axes.set_ylabel(label)
        axes.grid(alpha=0.3)
        axes.legend(fontsize=8)
    return figure


def rising(lines: Mapping[str, tuple[Sequence[float], Sequence[Estimate]]], x_label: str, y_label: str) -> "Figure":
    """Estimates with their intervals over a logarithmic axis, a line for each name."""
    figure = _figure(9, 4.4)
    axes = figure.add_subplot()
    for k, (name, (x, estimates)) in enumerate(lines.items()):
        values, lows, highs = (np.array([getattr(estimate, part) for estimate in estimates]) for part in ("value", "low", "high"))
        errors = np.maximum(0, [values - lows, highs - values])
        axes.errorbar(x, values, yerr=errors, marker="os^Dv"[k % 5], markersize=5, capsize=3, linewidth=1.3, label=name)
    axes.set_xscale("log")
    axes.set_xlabel(x_label)
    axes.set_ylabel(y_label)
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8)
    return figure


def paths(ways: Mapping[str, np.ndarray], x_label: str, y_label: str, title: str) -> "Figure":
    """Places over time, 1 at the top: of every group, (players, moments), the mean as a thick line and each player as a thin one."""
    figure = _figure(9, 4.4)
    axes = figure.add_subplot()
    for k, (name, each) in enumerate(ways.items()):
        colour = f"C{k % 10}"
        moments = np.arange(each.shape[1])
        axes.plot(moments, each.T, color=colour, linewidth=0.6, alpha=0.3)
        axes.plot(moments, each.mean(axis=0), color=colour, linewidth=2.2, label=f"{short(name)} (mean of {len(each)})")
    axes.set_yticks(np.arange(1, int(max(each.max() for each in ways.values())) + 1))
    axes.invert_yaxis()
    axes.set_xlabel(x_label)
    axes.set_ylabel(y_label)
    axes.set_title(title, fontsize=9)
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8, loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=2, frameon=False)
    return figure


def _figure(width: float, height: float) -> "Figure":
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained", dpi=130)
