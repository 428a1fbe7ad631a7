"""`tromf replay`: look at recorded games."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tromf.commands.common import Cards, check_writable

if TYPE_CHECKING:
    import numpy as np
    from rich.console import Console

    from tromf.envs.record import Record
    from tromf.envs.registry import Game
    from tromf.envs.render import Cards as Style


def replay(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Game records, one a line, as written by play and evaluate.", show_default=False)
    ],
    game: Annotated[
        int | None, typer.Option("--game", min=1, metavar="K", help="Only the K-th game of the file (default: all).", show_default=False)
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option("--seat", min=0, metavar="S", help="Show only what this seat knew (default: everything).", show_default=False),
    ] = None,
    step: Annotated[bool, typer.Option("--step", help="Wait for Enter after each line; q leaves.")] = False,
    delay: Annotated[float, typer.Option("--delay", min=0, max=3600, metavar="SECONDS", help="Pause after each line.")] = 0.0,
    cards: Cards = "two",
    pictures: Annotated[
        Path | None,
        typer.Option("--pictures", metavar="FOLDER", help="Also write a picture of every position to this folder.", show_default=False),
    ] = None,
) -> None:
    """Show recorded games, move by move; every move and result is checked against the rules."""
    from rich.console import Console

    from tromf.envs.render import card_style

    teller = _Teller(Console(highlight=False), card_style(cards), delay, step)
    if pictures is not None:
        check_writable(pictures, folder=True)
    try:
        for number, each in _chosen(file, game):
            _show(file, number, each, seat, teller, pictures)
    except _Left:
        pass


class _Left(Exception):
    """The reader does not want to see more."""


class _Teller:
    """Prints lines of a story, with a pause after each."""

    def __init__(self, console: "Console", cards: "Style", delay: float, step: bool) -> None:
        self.console, self.cards, self._delay, self._step = console, cards, delay, step

    def say(self, line: str) -> None:
        import time

        from tromf.envs.render import sentence

        self.console.print(sentence(f"  {line}", self.cards), soft_wrap=True)
        time.sleep(self._delay)
        if self._step:
            try:
                answer = input()
            except EOFError:
                raise _Left from None
            if answer.strip().lower() in ("q", "quit"):
                raise _Left


def _chosen(file: Path, game: int | None) -> "Iterator[tuple[int, Record]]":
    """The games to be shown, with their numbers. `ValueError` if there is none."""
    from tromf.envs.record import read

    number = 0
    for number, each in enumerate(read(file), 1):
        if game in (None, number):
            yield number, each
        if number == game:
            return
    if game is not None or number == 0:
        raise ValueError(f"{file} holds {number} game{'s' * (number != 1)}{f', and --game is {game}' if game else ''}")


def _show(file: Path, number: int, record: "Record", seat: int | None, teller: _Teller, pictures: Path | None) -> None:
    import numpy as np

    from tromf.commands.story import Story
    from tromf.envs import batch, registry, render
    from tromf.envs.record import replay

    game, _ = registry.find(record.game)
    render.card_style(teller.cards, game)
    if seat is not None and seat >= len(record.agents):
        raise ValueError(f"--seat is {seat}, and seats of game {number} are 0 … {len(record.agents) - 1}")
    try:
        states = replay(record)
    except ValueError as error:
        raise ValueError(f"{file}, line {number}: {error}") from None
    seats, masks = np.zeros(len(states), np.int64), np.zeros(len(states), np.uint64)
    batch.look_rows(states, seats, np.zeros((len(states), game.words), np.uint64), masks)
    agents = ", ".join(f"seat {p} {agent}" for p, agent in enumerate(record.agents))
    teller.console.print(
        f"game {number}: {game.title}, {record.variant}, seed {record.seed}: {agents}", style="bold", markup=False, soft_wrap=True
    )
    if pictures is not None:
        _draw(game, states, seat, teller.cards, pictures, number)
    story = Story(game, teller.say, seat)
    clear = False
    for k, action in enumerate(record.actions):
        was, clear = clear, not game.text.view(states[k]).rows
        if clear and not was:
            story.flush()
            teller.console.print()
            teller.console.print(render.coloured(game, states[k], seat, teller.cards), soft_wrap=True)
        story.decision(states[k], int(seats[k]), action, states[k + 1])
    story.flush()
    scores = ", ".join(f"seat {p} {value:+.2f}" for p, value in enumerate(record.returns))
    teller.console.print(f"returns: {scores}\n", style="bold", soft_wrap=True)


def _draw(game: "Game", states: "np.ndarray", seat: int | None, cards: "Style", folder: Path, number: int) -> None:
    """Write a picture of every position of a game: `game-1-000.png`, `game-1-001.png`, …"""
    from PIL import Image

    from tromf.envs.render import rgb_array

    folder.mkdir(parents=True, exist_ok=True)
    for k, state in enumerate(states):
        Image.fromarray(rgb_array(game, state, seat, cards)).save(folder / f"game-{number}-{k:03}.png")
