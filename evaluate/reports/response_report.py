"""What a best response found: a report with its learning curve."""

from pathlib import Path

import yaml

from tromf.evaluate.reports import made, page
from tromf.evaluate.reports.learning import training_curve
from tromf.evaluate.reports.page import Code, Picture, Piece, Section, Table
from tromf.evaluate.response import LEARNERS, Response
from tromf.evaluate.result import among

MEANING = (
    "The gain is a lower bound: no policy gains more than a best response does, and another learner, or a larger budget, may find more. "
    "A gain below 0 says only that the learner plays worse than the agent itself."
)


def write(response: Response, metrics: Path, folder: Path, command: str | None = None) -> Path:
    """Write the report, as `page.write` does. `metrics`: the training run's log."""
    result = response.result
    others = f"{among(result)}{' copies of' if result.sides > 2 else ''} {result.code(response.agent)}"
    summary = (
        f"**{response.gain.text()}** a deal, at least: the mean return of a learner (checkpoint: {response.policy}) {others}, which itself "
        f"would have 0 there. Brackets are 95 % intervals by bootstrap over deal blocks. {MEANING}",
        f"Setting: {result.setting_text()}. The deals are fresh: neither those of the training nor those on which anything was chosen.",
        f"Budget: {response.budget()}. The checkpoint measured was written after {response.chosen_at:,}.",
    )
    learning: list[Piece] = [
        "Playing greedily, on the deals that choose the checkpoint, where the highest point flatters; and sampling, in those games of "
        "the training in which it had a choice. The band is the gain on fresh deals."
    ]
    curve = training_curve(metrics, result.players, losers=False)
    if curve is not None:
        curve.axes[0].axhspan(response.gain.low, response.gain.high, alpha=0.25, label="gain on fresh deals")
        curve.axes[0].legend(fontsize=8)
        learning.append(Picture("curve.png", "gain by decisions", curve))
    playing = (
        "Checkpoint and way to play were chosen on deals of their own.",
        Table(["checkpoint", "gain there:"], [[name, each.text()] for name, each in response.choices.items()]),
        "The match on fresh deals has [a report of its own](evaluation/report.md); the learner is in "
        f"`run/{LEARNERS[response.policy][0]}.safetensors`.",
    )
    sections = [
        Section("", summary),
        *([Section("Learning", learning)] if curve is not None else []),
        Section("How the learner plays", playing),
        Section("Configuration of the training", [Code(yaml.safe_dump(response.configuration, sort_keys=False).rstrip(), "yaml")]),
        made.section(command),
    ]
    title = f"How hard is `{response.agent}` to beat? {response.name.capitalize()} in {result.game}"
    return page.write(folder, title, sections, response.to_json())
