"""`tromf play`: play in the terminal, or watch."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from tromf.commands.common import Cards, GameName, Options, Players, Variant, find_setting


def play(
    game: GameName,
    players: Players = None,
    variant: Variant = None,
    option: Options = None,
    seat: Annotated[str, typer.Option("--seat", metavar="S", help="Your seat, or none to watch.")] = "0",
    opponents: Annotated[
        list[str] | None,
        typer.Option(
            "--opponents",
            metavar="SPEC",
            help="Who plays the other seats: once for all, or once for each of them, in the order of the seats.",
            show_default="expert",
        ),
    ] = None,
    deals: Annotated[int, typer.Option("--deals", min=1, metavar="N", help="How many deals; the dealer moves on after each.")] = 1,
    seed: Annotated[
        int | None,
        typer.Option("--seed", min=0, metavar="S", help="Seed of all chance (default: a new one, which is shown).", show_default=False),
    ] = None,
    delay: Annotated[
        float | None,
        typer.Option(
            "--delay",
            min=0,
            max=3600,
            metavar="SECONDS",
            help="Pause after each line that is told (default: 0.5 in a terminal).",
            show_default=False,
        ),
    ] = None,
    cards: Cards = "two",
    ask_forced: Annotated[bool, typer.Option("--ask-forced", help="Also ask for decisions with one legal move.")] = False,
    record: Annotated[
        Path | None,
        typer.Option("--record", metavar="PATH", help="Append a record of each finished deal to this file.", show_default=False),
    ] = None,
) -> None:
    """Play a game in the terminal against agents, or watch agents play.

    Type moves as they are listed, by number, or by card. `?` explains what you may do, `hint` asks the best rule-based player,
    `undo` takes a decision back, `quit` leaves.
    """
    found, named, options = find_setting(game, variant, players, option)
    values = found.values(named, **options)
    own = _seat(seat, values["players"])

    from tromf.commands.session import Session, opponents_by_seat

    session = Session(
        found,
        named,
        options,
        opponents_by_seat(found, values["players"], own, opponents or ["expert"]),
        own,
        cards=cards,
        delay=(0.5 if sys.stdout.isatty() else 0.0) if delay is None else delay,
        ask_forced=ask_forced,
        record=record,
    )
    session.play(deals, seed)


def _seat(text: str, players: int) -> int | None:
    if text.lower() == "none":
        return None
    if not text.isdecimal() or not int(text) < players:
        raise ValueError(f"--seat is {text!r}: accepted are 0 … {players - 1}, or none to watch")
    return int(text)
