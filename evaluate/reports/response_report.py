"""What a best response found: a report with its learning curve."""

from pathlib import Path

import yaml

from tromf.envs.files import write_whole, written_whole
from tromf.evaluate.reports import report
from tromf.evaluate.response import LEARNERS, Response, write_json

MEANING = (
    "The gain is a lower bound: no policy gains more than a best response does, and another learner, or a larger budget, may find more. "
    "A gain below 0 says only that the learner plays worse than the agent itself."
)


def write(response: Response, metrics: Path, folder: Path, command: str | None = None) -> Path:
    """Write `report.md`, `result.json` and `curve.png`, and return the path of the first. `metrics`: the training run's log."""
    result = response.result
    parts = [
        f"# How hard is `{response.agent}` to beat? {response.name.capitalize()} in {result.game}",
        f"**{response.gain.text()}** a deal, at least: the mean return of a learner (checkpoint: {response.policy}) "
        f"{'against' if result.sides == 2 else 'among copies of'} `{result.called(response.agent)}`, which itself would have 0 there. "
        f"Brackets are 95 % intervals by bootstrap over deal blocks. {MEANING}",
        f"Setting: {result.setting_text()}. The deals are fresh: neither those of the training nor those on which anything was chosen.",
        f"Budget: {response.budget()}. The checkpoint measured was written after {response.chosen_at:,}.",
        "## Learning",
        "Playing greedily, on the deals that choose the checkpoint, where the highest point flatters; and sampling, in those games of "
        "the training in which it had a choice. The band is the gain on fresh deals.\n\n![gain by decisions](curve.png)",
        "## How the learner plays",
        "Checkpoint and way to play were chosen on deals of their own.\n\n"
        + report.markdown_table(["checkpoint", "gain there:"], [[name, each.text()] for name, each in response.choices.items()]),
        "The match on fresh deals has [a report of its own](evaluation/report.md); the learner is in "
        f"`run/{LEARNERS[response.policy][0]}.safetensors`.",
        "## Configuration of the training",
        f"```yaml\n{yaml.safe_dump(response.configuration, sort_keys=False)}```",
        "## How this was made",
        report.made(command),
    ]
    figure = report.training_curve(metrics, result.players, losers=False)
    if figure is not None:
        figure.axes[0].axhspan(response.gain.low, response.gain.high, alpha=0.25, label="gain on fresh deals")
        figure.axes[0].legend(fontsize=8)
        with written_whole(folder / "curve.png") as beside:
            figure.savefig(beside)
    write_json(response, folder / "result.json")
    write_whole(folder / "report.md", "\n\n".join(parts) + "\n")
    return folder / "report.md"
