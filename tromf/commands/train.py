"""`tromf train`: self-play training, in a folder that can be resumed."""

from pathlib import Path
from typing import Annotated

import typer


def train(
    config: Annotated[
        str | None,
        typer.Argument(
            metavar="CONFIG", help="A YAML file, or the name of one that comes with the package: mustamaija/ppo.", show_default=False
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
    if (config is None) == (resume is None) and not (config and resume):
        raise ValueError("give a configuration, such as mustamaija/ppo, or --resume FOLDER")
    if resume and out:
        raise ValueError("--resume continues in the run's own folder: leave out --out")
    changes = [*(settings or ()), *(() if seed is None else (f"seed={seed}",))]
    if resume and config is None and changes:
        raise ValueError("a run is resumed with its own configuration: leave out --set and --seed")

    from tromf.train import run
    from tromf.train.config import find, load, read_mapping
    from tromf.train.progress import display

    if config and read_mapping(find(config)).get("algorithm") == "maskable_ppo":
        from tromf.train import maskable_ppo

        if resume:
            raise ValueError("a run of maskable_ppo cannot be resumed: leave out --resume")
        chosen, folder = maskable_ppo.load(config, changes), out or new_folder(config)
        with display(f"training in {folder}") as report:
            print(f"agent: sb3:{maskable_ppo.train(chosen, folder, report)}")
        return
    wanted = load(config, changes) if config else None
    folder = resume or out or new_folder(config or "")
    with display(f"training in {folder}") as report:
        best = run.resume(folder, wanted, report) if resume else run.start(wanted, folder, report)  # type: ignore[arg-type]
    print(f"best agent: {best}")


def new_folder(config: str) -> Path:
    """The first folder in runs/ that is named after a configuration and not taken."""
    name = "-".join(Path(config).with_suffix("").parts[-2:])
    number = 1
    while (folder := Path("runs") / f"{name}-{number}").exists():
        number += 1
    return folder
