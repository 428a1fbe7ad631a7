"""Approximate best responses: how much a learner, trained against an agent, wins among copies of it.

The gain is the learner's mean return among copies of the agent, minus that of the agent itself there. Every deal is played with the
learner in each seat (or on each side), over which the agent's own returns sum to 0, so the learner's mean is the gain. Any policy gains
at most what a best response does: a gain measured is a lower bound of how far the agent can be beaten (Timbers et al., *Approximate
Exploitability*, IJCAI 2022, arXiv 2004.09677, train such learners with search; ours is PPO).

Three sets of deals are kept apart by their seeds: those on which training chose its best checkpoint, those on which it is chosen here
whether that one or the last one is measured, sampling from its policy or playing greedily, and fresh ones, which alone give the gain.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from tromf.agents import make
from tromf.envs.registry import Game
from tromf.evaluate.matches import pairs
from tromf.evaluate.reports.learning import read_metrics
from tromf.evaluate.result import Result
from tromf.evaluate.statistics.intervals import Estimate

CHOICE, FRESH = 2_000_003, 3_000_003  # added to the seed: the deals that choose a learner, and the fresh ones
LEARNERS = {  # by name: file and setting; the best checkpoint played greedily when it was chosen, so the last one may sample better
    "best, greedy": ("best", "greedy=true"),
    "best, sampling": ("best", "greedy=false"),
    "last, greedy": ("last", "greedy=true"),
    "last, sampling": ("last", "greedy=false"),
}


@dataclass(frozen=True)
class Response:
    """What a learner wins against an agent.

    Attributes:
        agent: its spec. choices: how each of `LEARNERS` did, on deals that served to choose one. result: the chosen one's match
        on fresh deals. chosen_at: decisions after which the checkpoint was written that is measured. decisions, seconds: the
        training's budget, as spent. curve: the gain, playing greedily, on the deals of training's evaluations, by decisions made.
        configuration: of the training.
    """

    agent: str
    choices: dict[str, Estimate]
    result: Result
    chosen_at: int
    decisions: int
    seconds: float
    curve: tuple[tuple[int, float], ...]
    configuration: dict[str, Any]

    @property
    def policy(self) -> str:
        """Which of `LEARNERS` was chosen."""
        return self.result.rows[0].agent

    @property
    def gain(self) -> Estimate:
        return self.result.rows[0].mean

    @property
    def name(self) -> str:
        """What the gain is called: with more than two sides nobody's deviation alone is exploitability."""
        if self.result.sides > 2:
            return "unilateral deviation gain"
        return "gain of a side" if self.result.together else "best-response gain"

    def budget(self) -> str:
        return f"{self.decisions:,} decisions of the learner in {self.seconds / 60:.1f} minutes"

    def to_json(self) -> dict[str, Any]:
        """All figures, as plain Python values."""
        return {
            "agent": self.agent,
            "name": self.name,
            "gain": self.gain.value,
            "low": self.gain.low,
            "high": self.gain.high,
            "policy": self.policy,
            "choices": {name: each._asdict() for name, each in self.choices.items()},
            "decisions": self.decisions,
            "seconds": self.seconds,
            "chosen_at": self.chosen_at,
            "curve": [list(point) for point in self.curve],
            "configuration": self.configuration,
            "result": self.result.to_json(),
        }

    def text(self) -> str:
        """Some lines for the terminal."""
        chosen = "; ".join(f"{name}: {each.text()}" for name, each in self.choices.items())
        return "\n".join(
            [
                f"{self.name} against {self.result.called(self.agent)}: {self.gain.text()} a deal, at least (checkpoint: {self.policy})",
                f"{self.result.setting_text()}; brackets are 95 % intervals",
                f"budget: {self.budget()}; checkpoint after {self.chosen_at:,}; chosen on other deals: {chosen}",
            ]
        )


def measure(
    game: Game,
    agent: str,
    run: Path,
    *,
    blocks: int,
    seed: int,
    variant: str | None = None,
    out: Path | None = None,
    progress: Callable[[int, int], None] | None = None,
    **options: Any,
) -> Response:
    """What the learner gains that a finished training run has left in its folder.

    Args:
        blocks: fresh deal blocks; on a quarter as many each of `LEARNERS` is tried. seed: that of the training.
        out: a folder for the match on fresh deals: what is played is kept there, and written over.

    The others are as for `evaluate.pairs`.
    """
    learners = {}
    for name, (file, setting) in LEARNERS.items():
        learners[name] = make(f"net:{run / file}.safetensors,{setting}", game)
        learners[name].spec = name
    how: dict[str, Any] = {"variant": variant, "progress": progress, **options}
    tried = pairs(game, list(learners.values()), against=[agent], blocks=max(2, blocks // 4), seed=seed + CHOICE, **how)
    choices = {row.agent: row.mean for row in tried.rows}
    chosen = max(choices, key=lambda name: choices[name].value)
    result = pairs(game, [learners[chosen]], against=[agent], blocks=blocks, seed=seed + FRESH, out=out, overwrite=True, **how)
    entries = read_metrics(run / "metrics.jsonl")
    curve = tuple((entry["decisions"], entry["evaluation"]) for entry in entries if "evaluation" in entry)
    configuration = yaml.safe_load((run / "config.yaml").read_text(encoding="utf-8"))
    last = entries[-1]
    chosen_at = max(curve, key=lambda point: point[1])[0] if LEARNERS[chosen][0] == "best" else last["decisions"]
    return Response(agent, choices, result, chosen_at, last["decisions"], last["seconds"], curve, configuration)
