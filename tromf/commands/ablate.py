"""`tromf ablate`: what the habits of a rule agent are worth."""

from pathlib import Path
from typing import Annotated, Any

import typer

from tromf.commands.common import (
    DealSeed,
    DealSet,
    GameName,
    Json,
    Options,
    Players,
    Threads,
    Variant,
    check_report,
    check_writable,
    find_setting,
    which_deals,
    write_json,
)
from tromf.commands.terminal import progress_bar, show


def ablate(
    game: GameName,
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="A rule agent with knobs, such as expert.", show_default=False)],
    knobs: Annotated[
        str,
        typer.Option("--knobs", metavar="A,B,…", help="Knobs to turn, off (0) and as they are.", show_default=False),
    ],
    levels: Annotated[
        list[str] | None,
        typer.Option(
            "--levels", metavar="KNOB=0,1,2", help="Other levels of a knob, compared with the first; may be repeated.", show_default=False
        ),
    ] = None,
    against: Annotated[
        list[str] | None,
        typer.Option(
            "--against",
            metavar="AGENT",
            help="Who sits in all other seats; may be repeated (default: expert, journeyman and beginner, each for itself).",
            show_default=False,
        ),
    ] = None,
    deals: Annotated[
        int, typer.Option("--deals", min=2, max=1_000_000_000, metavar="N", help="Deal blocks, each played by every arm in every seat.")
    ] = 10_000,
    players: Players = None,
    variant: Variant = None,
    option: Options = None,
    deal_set: DealSet = None,
    seed: DealSeed = None,
    threads: Threads = None,
    json: Json = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FOLDER", help="Write a report with a plot to this folder.", show_default=False)
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Write over a report in that folder.")] = False,
) -> None:
    """Say what habits of a rule agent are worth, alone and together: a factorial ablation.

    Every combination of the knobs' levels plays the same deals, in all seats (or sides), among the same others. Shown are, for each
    kind of others, the effects of the knobs and of their interactions on the mean return, with 95 % intervals by bootstrap over deals,
    as shares of the gap between the agent and a beginner, and the mean return of every combination.
    """
    found, named, options = find_setting(game, variant, players, option)
    check_report(out, overwrite)
    if json:
        check_writable(json)

    from tromf.evaluate import ablation
    from tromf.evaluate.reports import ablation_report

    names, turned = [name.strip() for name in knobs.split(",")], parse_levels(levels or ())
    others = tuple(against or ablation.AGAINST)
    deal_set = which_deals(found, named, options, deal_set, seed)
    with progress_bar() as progress:
        result = ablation.ablate(
            found,
            agent,
            names,
            levels=turned,
            against=others,
            blocks=deals,
            seed=seed,
            deal_set=deal_set,
            variant=named,
            threads=threads,
            progress=progress,
            **options,
        )
    show(ablation_report.terminal(result))
    if json:
        write_json(json, result.to_json())
    if out:
        print(f"report: {ablation_report.write(result, out)}")


def parse_levels(texts: "list[str] | tuple[()]") -> dict[str, list[Any]]:
    """`knob=0,1,2` texts as a dictionary, values read as YAML. `ValueError` for another form or a knob given twice."""
    from tromf.envs.schema import yaml_value

    result: dict[str, list[Any]] = {}
    for text in texts:
        name, equals, values = text.partition("=")
        if not equals or not name or not all(values.split(",")):
            raise ValueError(f"levels {text!r} are not of the form KNOB=0,1,2")
        if name in result:
            raise ValueError(f"levels of {name!r} are given twice")
        try:
            result[name] = [yaml_value(value) for value in values.split(",")]
        except ValueError:
            raise ValueError(f"levels {text!r}: the values are not YAML") from None
    return result
