"""`tromf demo`: everything once, in some minutes: train an agent by self-play, play it against the baselines, write a report."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tromf.commands.common import Seed, check_writable
from tromf.commands.terminal import progress_bar, show

if TYPE_CHECKING:
    from tromf.evaluate.result import Result
    from tromf.train.config import Config

TITLE = "tromf demo"
BASELINES = ("random", "beginner", "journeyman", "expert")
AGENT = "best.safetensors"


def demo(
    minutes: Annotated[float, typer.Option(help="Minutes of training; everything else takes two or three more.")] = 4.0,
    out: Annotated[
        Path, typer.Option("--out", metavar="FOLDER", help="Where the results go; those of an earlier demo there are replaced.")
    ] = Path("runs/demo"),
    config: Annotated[
        str | None,
        typer.Option(
            metavar="CONFIG",
            help="The configuration of training, as for `tromf train` (default: the first game's demo).",
            show_default=False,
        ),
    ] = None,
    deals: Annotated[int, typer.Option(min=1, metavar="N", help="Deal blocks that the agent plays against each baseline.")] = 1500,
    seed: Seed = 0,
) -> None:
    """Train a self-play agent for some minutes, play it against the baselines on duplicate deals, and write a report.

    The report, its plots, the agent and its training run appear in the folder when everything is done; until then, and if the demo
    is interrupted, the results of an earlier one stay as they are.
    """
    if not 0 < minutes < float("inf"):
        raise ValueError(f"--minutes is {minutes:g}: accepted is a number above 0")
    check_replaceable(out)

    from tromf.envs import registry
    from tromf.evaluate.reports import report
    from tromf.train import run
    from tromf.train.config import load
    from tromf.train.progress import display

    wanted = load(config or f"{registry.names()[0]}/demo", [f"minutes={minutes}", f"seed={seed}"])
    with replacing(out) as folder:
        with display(f"training by self-play for {minutes:g} minutes") as told:
            run.start(wanted, folder, told)
        result = strength(folder / AGENT, wanted, deals, seed)
        spec = f"{out / AGENT},greedy=true"
        notes = [
            f"A network learned {result.game} for {minutes:g} minutes, playing against itself and rule players. Then it played each "
            "baseline on the same deals: `trained, greedy` takes the action it thinks best, `trained, sampling` draws from its policy.",
            f"The agent is `{AGENT}` beside this page. `tromf play {result.game} --opponents {spec}` plays against it, "
            f"`tromf evaluate {result.game} {spec} expert` measures it again.",
        ]
        report.write(result, folder, TITLE, metrics=folder / "metrics.jsonl", notes=notes)
    show(report.terminal(result))
    print(f"report: {out / 'report.md'}\nagent:  {out / AGENT}")


def strength(file: Path, config: "Config", deals: int, seed: int) -> "Result":
    """One among three of each baseline: the trained agent, greedy and sampling, and `expert` to compare with."""
    from tromf import agents
    from tromf.envs import registry
    from tromf.evaluate import matches

    game, variant = registry.find(config.game)
    options = config.options | ({} if config.players is None else {"players": config.players})
    trained = {
        f"trained, {how}": agents.make(f"net:{file},greedy={greedy}", game) for how, greedy in (("greedy", "true"), ("sampling", "false"))
    }
    for name, agent in trained.items():
        agent.spec = name
    with progress_bar() as progress:
        return matches.pairs(
            game,
            [*trained.values(), "expert"],
            against=BASELINES,
            blocks=deals,
            seed=seed,
            variant=config.variant or variant,
            progress=progress,
            **options,
        )


def check_replaceable(folder: Path) -> None:
    """`OSError` or `ValueError` if a demo cannot be written there; folders with anything but a demo are left alone."""
    check_writable(folder, folder=True)
    if folder.is_dir() and any(folder.iterdir()):
        report = folder / "report.md"
        if not report.is_file() or report.read_text(encoding="utf-8", errors="replace").splitlines()[:1] != [f"# {TITLE}"]:
            raise ValueError(f"{folder} holds something else than a demo, which would be lost: choose another folder with --out")


@contextmanager
def replacing(folder: Path) -> Iterator[Path]:
    """A new folder beside this one, which takes its place in the end; if something goes wrong it is removed."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    beside, old = (folder.with_name(f".{folder.name}.{suffix}.{os.getpid()}") for suffix in ("new", "old"))
    beside.mkdir()
    try:
        yield beside
        if folder.exists():
            folder.rename(old)
        beside.rename(folder)
    finally:
        for each in (beside, old):
            shutil.rmtree(each, ignore_errors=True)
