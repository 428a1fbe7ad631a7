"""`tromf party`: a whist party of agents, who change tables and partners."""

from pathlib import Path
from typing import Annotated

import typer

from tromf.commands.common import GameName, Json, Options, Seed, Variant, check_report, check_writable, find_setting, write_json
from tromf.commands.terminal import progress_bar, show


def party(
    game: GameName,
    agents: Annotated[
        list[str], typer.Argument(metavar="AGENT...", help="Agents; they are repeated evenly over all seats.", show_default=False)
    ],
    tables: Annotated[int, typer.Option("--tables", min=2, max=10_000, metavar="T", help="Tables, of four players each.")] = 4,
    rounds: Annotated[
        int, typer.Option("--rounds", min=1, max=1_000_000, metavar="N", help="Rounds, after each of which players move.")
    ] = 24,
    deals: Annotated[int, typer.Option("--deals-per-round", min=1, max=1_000_000, metavar="N", help="Deals in a round.")] = 8,
    duplicate: Annotated[
        int,
        typer.Option(
            "--duplicate",
            min=0,
            max=1_000_000_000,
            metavar="N",
            help="Deals of the duplicate matches of fixed partnerships beside which the ranking is shown; 0 for none.",
        ),
    ] = 500,
    variant: Variant = None,
    option: Options = None,
    seed: Seed = 0,
    json: Json = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FOLDER", help="Write a report with a plot of the tables to this folder.", show_default=False),
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Write over a report in that folder.")] = False,
) -> None:
    """Hold a party: after each round the winners move up a table, the losers down, and partners change.

    For games of two sides of two, such as whist. Shown are each player's rounds won, points and last table, what its points are due
    to (itself, its partners, its opponents, luck), and the agents' ranking beside that of fixed partnerships on duplicate deals.
    """
    found, named, options = find_setting(game, variant, None, option)
    check_report(out, overwrite)
    if json:
        check_writable(json)

    from tromf.evaluate import matches
    from tromf.evaluate.party import hold
    from tromf.evaluate.reports import party_report

    with progress_bar() as progress:
        held = hold(found, agents, tables=tables, rounds=rounds, deals=deals, seed=seed, variant=named, progress=progress, **options)
        different = list(dict.fromkeys(agents))
        beside = None
        if duplicate and len(different) > 1:
            beside = matches.pairs(found, different, blocks=duplicate, seed=seed, variant=named, progress=progress, **options)
    show(party_report.terminal(held, beside))
    if json:
        write_json(json, party_report.figures(held, beside))
    if out:
        title = f"A party of {named}: {', '.join(different)}"
        print(f"report: {party_report.write(held, out, title, beside)}")
