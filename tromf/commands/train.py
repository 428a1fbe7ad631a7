"""`tromf train`: self-play training, in a folder that can be resumed."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tromf.commands.common import check_writable

if TYPE_CHECKING:
    from tromf.train.run import Report


def train(
    config: Annotated[
        str | None,
        typer.Argument(
            metavar="CONFIG", help="A YAML file, or the name of one that comes with the package, such as GAME/ppo.", show_default=False
        ),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Override a value (YAML); dotted keys; may be repeated.", show_default=False),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FOLDER", help="The run's folder (default: a new one in runs/).", show_default=False)
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", min=0, metavar="S", help="Seed of all chance; the same as --set seed=S.", show_default=False)
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option("--resume", metavar="FOLDER", help="Continue the run in this folder from its checkpoint.", show_default=False),
    ] = None,
) -> None:
    """Train a network by self-play.

    Writes its best agent, checkpoints and metrics into a folder; a run that was interrupted or killed goes on with --resume FOLDER.
    """
    if config is None and resume is None:
        from tromf.envs import registry

        raise ValueError(f"give a configuration, such as {registry.names()[0]}/ppo, or --resume FOLDER")
    if resume and out:
        raise ValueError("--resume continues in the run's own folder: leave out --out")
    changes = [*(settings or ()), *(() if seed is None else (f"seed={seed}",))]
    if resume and config is None and changes:
        raise ValueError("a run is resumed with its own configuration: leave out --set and --seed")

    from tromf.train.progress import display

    folder = resume or out or new_folder(config or "")
    if out:
        check_writable(out, folder=True)
    with display(f"training in {folder}") as report:
        agent = trained(config, changes, folder, report, resume=resume is not None)
    print(f"best agent: {agent}")


def trained(config: str | None, changes: list[str], folder: Path, report: "Report", resume: bool) -> Path:
    """Train by the algorithm that the configuration names; the path of the agent."""
    from tromf.envs.options import unknown
    from tromf.envs.schema import read_mapping
    from tromf.train import maskable_ppo, run
    from tromf.train.config import find, load, override

    algorithm = override(read_mapping(find(config)), changes).get("algorithm", "ppo") if config else "ppo"
    if algorithm not in ("ppo", "maskable_ppo"):
        raise unknown("algorithm", algorithm, ("ppo", "maskable_ppo"))
    if config and algorithm == "maskable_ppo":
        if resume:
            raise ValueError("runs of maskable_ppo cannot be resumed")
        return maskable_ppo.train(maskable_ppo.load(config, changes), folder, report)
    wanted = load(config, changes) if config else None
    if resume or wanted is None:
        return run.resume(folder, wanted, report)
    return run.start(wanted, folder, report)


def new_folder(config: str) -> Path:
    """The first folder in runs/ that is named after a configuration and not taken."""
    path = Path(config)
    name = "-".join(filter(None, (path.parent.name, path.stem)))
    number = 1
    while (folder := Path("runs") / f"{name}-{number}").exists():
        number += 1
    return folder
