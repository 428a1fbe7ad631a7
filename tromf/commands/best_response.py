"""`tromf best-response`: how much a learner can win against an agent."""

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tromf.commands.common import GameName, Json, Options, Players, Seed, Variant, check_out, check_writable, find_setting, write_json
from tromf.commands.terminal import progress_bar

if TYPE_CHECKING:
    from tromf.envs.registry import Game
    from tromf.evaluate.response import Response
    from tromf.train.config import Config

RUN, EVALUATION = "run", "evaluation"  # folders within that of a best response


def best_response(
    game: GameName,
    agent: Annotated[
        str, typer.Argument(metavar="AGENT", help="Whom to beat: expert, net:PATH, ismcts, or any other agent.", show_default=False)
    ],
    minutes: Annotated[float | None, typer.Option("--minutes", metavar="M", help="Train so long.", show_default=False)] = None,
    decisions: Annotated[
        int | None, typer.Option("--decisions", min=1, metavar="N", help="Train on so many decisions of the learner.", show_default=False)
    ] = None,
    deals: Annotated[
        int, typer.Option("--deals", min=2, max=1_000_000_000, metavar="N", help="Fresh deal blocks on which the gain is measured.")
    ] = 5000,
    players: Players = None,
    variant: Variant = None,
    option: Options = None,
    seed: Seed = 0,
    config: Annotated[
        str | None,
        typer.Option(
            "--config",
            metavar="CONFIG",
            help="Train with the network and numbers of this configuration (default: the game's ppo).",
            show_default=False,
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FOLDER",
            help="The folder of run and report (default: a new one in runs/); the same command goes on after an interrupt.",
            show_default=False,
        ),
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Write over what is in that folder.")] = False,
    json: Json = None,
) -> None:
    """Say how much can be won against an agent, at least: train a learner against it.

    The learner takes one seat, each in turn, or one side where seats play together, and frozen copies of the agent all others. Its
    mean return there, on deals that served for nothing before, is the gain: a lower bound of what a best response would win.
    """
    found, named, options = find_setting(game, variant, players, option)
    if (minutes is None) == (decisions is None):
        raise ValueError("give exactly one budget, --minutes or --decisions")
    check_out(out, overwrite)
    if json:
        check_writable(json)

    from tromf.commands.train import new_folder
    from tromf.train.response import configuration

    budget: dict[str, Any] = {"decisions": decisions, "minutes": minutes}
    wanted = configuration(found, named, options, agent, **budget, seed=seed, base=config)
    measured, path = respond(found, agent, wanted, deals, options, out or new_folder(f"best-response/{named}"), overwrite)
    print(measured.text())
    if json:
        write_json(json, measured.to_json())
    print(f"report: {path}")


def respond(
    game: "Game", agent: str, config: "Config", deals: int, options: dict[str, Any], folder: Path, overwrite: bool
) -> "tuple[Response, Path]":
    """Train a learner, measure it and write the report, whose path comes second; what was interrupted in the folder goes on."""
    from tromf.evaluate import Setting, report, response
    from tromf.evaluate.reports import response_report
    from tromf.evaluate.result import among
    from tromf.evaluate.storage import unfinished
    from tromf.train import run
    from tromf.train.ppo import Trainer
    from tromf.train.progress import display

    setting = Setting(game, [agent], config.variant, options)
    unfinished.check(folder, overwrite)
    Trainer(config)  # says what is wrong before anything is written
    budget = {"decisions": config.decisions, "minutes": config.minutes}
    described = setting.described([], deals, config.seed, None) | budget | {"configuration": config.model_dump(mode="json")}
    unfinished.begin(folder, described, overwrite)
    place = folder / unfinished.FOLDER  # all is made here, and moved when it is whole
    begun = (place / RUN / run.CONFIG).is_file()
    with display(f"training against {agent}; after an interrupt, the same command with --out {folder} goes on") as told:
        run.resume(place / RUN, config, told) if begun else run.start(config, place / RUN, told)
    with progress_bar() as progress:
        measured = response.measure(
            game,
            agent,
            place / RUN,
            blocks=deals,
            seed=config.seed,
            variant=config.variant,
            out=place / EVALUATION,
            progress=progress,
            **options,
        )
    report.write(measured.result, place / EVALUATION, f"{game.title}: a learner {among(measured.result)} {agent}")
    path = response_report.write(measured, place / RUN / run.METRICS, folder)
    for name in (RUN, EVALUATION):
        shutil.rmtree(folder / name, ignore_errors=True)
        (place / name).rename(folder / name)
    unfinished.end(folder)
    return measured, path
