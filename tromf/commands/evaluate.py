"""`tromf evaluate`: duplicate matches between agents."""

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
    check_out,
    check_writable,
    find_setting,
    which_deals,
    write_json,
)
from tromf.commands.terminal import progress_bar, show


def evaluate(
    game: GameName,
    agents: Annotated[
        list[str],
        typer.Argument(
            metavar="AGENT...", help="Two or more agents: expert, random, runs/x/best.safetensors,greedy=true …", show_default=False
        ),
    ],
    table: Annotated[bool, typer.Option("--table", help="Play one table, an agent a seat (or side), instead of all pairs.")] = False,
    seatings: Annotated[
        str | None,
        typer.Option(
            "--seatings",
            metavar="N|all|given",
            help="With --table: orders round the table, each in all its rotations (default: all, or 24 drawn with the seed).",
            show_default=False,
        ),
    ] = None,
    deals: Annotated[
        int | None,
        typer.Option(
            "--deals",
            min=1,
            max=1_000_000_000,
            metavar="N",
            help="Deal blocks, each played in every seating compared (default: 2000; with --until-decided all there are).",
            show_default=False,
        ),
    ] = None,
    until_decided: Annotated[
        float | None,
        typer.Option(
            "--until-decided",
            metavar="MARGIN",
            help="For two agents: play only until the first one's mean return is better by so much, or is not (errors 5 %).",
            show_default=False,
        ),
    ] = None,
    deal_set: DealSet = None,
    seed: DealSeed = None,
    players: Players = None,
    variant: Variant = None,
    option: Options = None,
    threads: Threads = None,
    batch: Annotated[
        int | None,
        typer.Option("--batch", min=1, metavar="N", help="Games played side by side; the figures do not depend on it.", show_default=False),
    ] = None,
    controls: Annotated[
        str | None,
        typer.Option(
            "--controls",
            metavar="NAME",
            help="Take luck off the returns with a value function that comes with tromf, or in a file: fewer deals say as much.",
            show_default=False,
        ),
    ] = None,
    json: Json = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FOLDER",
            help="Write a report with plots, and all games as Parquet, there; the same command goes on after an interrupt.",
            show_default=False,
        ),
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Write over a report in that folder.")] = False,
    records: Annotated[
        Path | None,
        typer.Option(
            "--records", metavar="PATH", help="Write the games of the first ten deal blocks there, for `tromf replay`.", show_default=False
        ),
    ] = None,
) -> None:
    """Play agents against each other on duplicate deals.

    Every ordered pair (A, B) is played as one A among B in all other seats, A in each seat once, always on the same deals; where seats
    play together, A takes all seats of a side, and each side once. --table plays one table, in all orders and rotations. Shown are mean
    returns and shares of deals lost, with 95 % intervals by bootstrap over deals.
    """
    found, named, options = find_setting(game, variant, players, option)
    if seatings is not None and not table:
        raise ValueError("--seatings says how one table is seated: give --table, too")
    for path in filter(None, (json, records)):
        check_writable(path, folder=False)
    check_out(out, overwrite)

    from tromf.evaluate import blocks, matches
    from tromf.evaluate.reports import report
    from tromf.evaluate.statistics import sequential

    deal_set = which_deals(found, named, options, deal_set, seed)
    how: dict[str, Any] = {"seed": seed, "deal_set": deal_set, "variant": named, "threads": threads, "batch": batch or blocks.BATCH}
    if until_decided is not None:
        if len(agents) != 2 or table or out or records or controls:
            raise ValueError("--until-decided is for two agents, without --table, --out, --records or --controls")
        with progress_bar("deal blocks") as progress:
            verdict = sequential.until_decided(found, agents[0], agents[1], until_decided, cap=deals, progress=progress, **how, **options)
        print(verdict.text(*agents))
        if json:
            played = {"game": found.name, "variant": named, "options": options, "agents": agents, "deal_set": deal_set, "seed": seed}
            write_json(json, played | verdict.to_json())
        return
    how |= {"blocks": deals or matches.BLOCKS, "controls": controls}
    if table:
        how |= {"seatings": int(seatings) if seatings and seatings.isdecimal() else seatings}
    play = matches.table if table else matches.pairs
    with progress_bar() as progress:
        result = play(found, agents, **how, progress=progress, keep=records, out=out, overwrite=overwrite, **options)
    show(report.terminal(result))
    if json:
        write_json(json, result.to_json())
    if out:
        title = f"{found.title}: {', '.join(agents)}"
        print(f"report: {report.write(result, out, title)}")
