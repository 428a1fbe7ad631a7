"""`tromf ladder`: ratings of many agents over time."""

from pathlib import Path
from typing import Annotated

import typer

from tromf.commands.common import GameName, Json, Options, Players, Threads, Variant, check_writable, find_setting, write_json
from tromf.commands.terminal import progress_bar, show


def ladder(
    game: GameName,
    agents: Annotated[
        list[str] | None,
        typer.Argument(metavar="[AGENT...]", help="Agents that come new into the ladder; the old ones stay.", show_default=False),
    ] = None,
    rounds: Annotated[
        int, typer.Option("--rounds", min=1, max=1_000_000_000, metavar="N", help="Rounds to play, or to finish if interrupted.")
    ] = 100,
    deals: Annotated[
        int,
        typer.Option("--deals", min=1, max=1_000_000, metavar="N", help="Deal blocks a round, each in all rotations of the table drawn."),
    ] = 10,
    state: Annotated[
        Path | None,
        typer.Option("--state", metavar="PATH", help="The ladder's file (default: runs/ladder/SETTING.json).", show_default=False),
    ] = None,
    players: Players = None,
    variant: Variant = None,
    option: Options = None,
    seed: Annotated[
        int | None, typer.Option("--seed", min=0, metavar="S", help="Seed of a new ladder (default: 0).", show_default=False)
    ] = None,
    threads: Threads = None,
    json: Json = None,
) -> None:
    """Play rounds of a ladder, at tables drawn anew, and show where agents stand.

    The ladder is kept in a file: the same command again plays more rounds, or those that an interrupt left; more agents may come at any
    time. Ratings are mu ± sigma, ranked by mu - 3 sigma. They depend on the order of play; `tromf evaluate` rates for reports.
    """
    found, named, options = find_setting(game, variant, players, option)
    from tromf.envs import registry
    from tromf.evaluate.ladder import climb
    from tromf.evaluate.reports.page import Table

    seats = int(found.states(1, named, **options)["options"]["players"][0])
    setting = registry.setting(found, named, seats)
    path = state or Path("runs") / "ladder" / f"{setting}.json"
    for each in filter(None, (path, json)):
        check_writable(each)
    with progress_bar("rounds") as progress:
        held = climb(
            path, found, agents or [], rounds=rounds, blocks=deals, seed=seed, variant=named, threads=threads, progress=progress, **options
        )
    title = f"{setting}: {held.rounds:,} rounds, {held.blocks:,} deal blocks, seed {held.seed}"
    show(Table(["rank:", "agent", "mu ± sigma:", "mu - 3 sigma:", "games:", "since round:"], held.rows()).rich(title))
    print(f"ladder: {path}")
    if json:
        write_json(json, held.to_json())
