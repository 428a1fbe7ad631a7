"""A human as an agent, asked through a small interface, of which the terminal is one."""

import re
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from tromf.agents.base import Agent
from tromf.envs import hungarian, render
from tromf.envs.batch import Batch
from tromf.envs.cards import SYMBOLS
from tromf.envs.registry import Game

if TYPE_CHECKING:
    from rich.console import Console

COMMANDS = {
    "?": "explains what you may do",
    "hint": "asks the adviser",
    "table": "shows the table again",
    "undo": "takes your last decision back",
    "quit": "leaves",
}


class Undo(Exception):
    """The human takes back its last decision."""


class Quit(Exception):
    """The human leaves, or its input has ended."""


class Interface(Protocol):
    """What a human agent asks its human through."""

    def choose(self, game: Game, state: Any, seat: int, actions: list[int], batch: Batch) -> int:
        """One of the legal actions; may raise `Undo` and `Quit`.

        `state` is the record as the seat knows it; `batch` is this decision alone, for advisers.
        """
        ...


class Human(Agent):
    """Asks its human for every decision, one after the other."""

    spec = "human"

    def __init__(self, interface: Interface) -> None:
        self.interface = interface

    def act(self, batch: Batch) -> np.ndarray:
        states = batch.concealed()
        chosen = np.empty(len(batch), np.int64)
        for k in range(len(batch)):
            actions = [action for action in range(64) if int(batch.masks[k]) >> action & 1]
            chosen[k] = self.interface.choose(batch.game, states[k], int(batch.seats[k]), actions, _alone(batch, k))
        return chosen


def _alone(batch: Batch, k: int) -> Batch:
    """The k-th decision of a batch as a batch of one."""
    part = slice(k, k + 1)
    return Batch(
        batch.game,
        batch.observations[part],
        batch.masks[part],
        batch.seats[part],
        batch.rows[part],
        batch.draws[part],
        lambda: batch.concealed()[part],
        lambda: batch.revealed()[part],
    )


class Terminal:
    """Asks in the terminal: shows the table, lists the moves, reads a line.

    Args:
        console: where to write. adviser: the agent that gives hints, and its name; made when first asked.
        read: gives the next line that the human types; raises `EOFError` at the end of the input.
        cards: how cards are drawn. echo: repeat what was typed, for input that does not come from a keyboard.
    """

    def __init__(
        self,
        console: "Console",
        adviser: Callable[[], Agent] | None = None,
        read: Callable[[], str] = input,
        cards: render.Cards = "two",
        echo: bool | None = None,
    ) -> None:
        self.console, self.cards, self._read = console, cards, read
        self._adviser = adviser
        self._advising: Agent | None = None
        self._echo = not sys.stdin.isatty() if echo is None else echo
        self._news = True  # something has happened since the table was last shown
        self._queue: list[str] = []  # moves typed ahead on one line

    def say(self, line: str, style: str = "") -> None:
        """Tell what happens; the table is shown before the next question."""
        text = render.sentence(line, self.cards)
        text.style = style
        self.console.print(text, soft_wrap=True)
        self._news = True

    def show(self, game: Game, state: Any, seat: int | None) -> None:
        """Show the table."""
        self.console.print()
        self.console.print(render.coloured(game, state, seat, self.cards), soft_wrap=True)
        self._news = False

    def choose(self, game: Game, state: Any, seat: int, actions: list[int], batch: Batch) -> int:
        """See `Interface`. Unknown moves and moves that are not legal are answered by one line each."""
        if self._news:
            self._queue.clear()
            self.show(game, state, seat)
        texts = [game.action_text(state, action) for action in actions]
        if not self._queue:
            self._list(game, state, texts)
        while True:
            typed = self._queue.pop(0) if self._queue else self._ask(texts)
            match typed.lower():
                case "":
                    self._answer("type a move or its number; ? explains")
                case "?" | "help":
                    self._explain(game, state, texts)
                case "hint" | "h":
                    self._hint(game, state, batch)
                case "table" | "t":
                    self.show(game, state, seat)
                    self._list(game, state, texts)
                case "undo" | "u":
                    raise Undo
                case "quit" | "q" | "exit":
                    raise Quit
                case _:
                    try:
                        return understood(game, state, typed, actions)
                    except ValueError as error:
                        self._queue.clear()
                        self._answer(str(error))

    def _ask(self, texts: list[str]) -> str:
        """The next line; several moves on one line are queued."""
        self.console.print("your move: ", end="", style="bold")
        try:
            line = self._read().strip()
        except EOFError:
            self.console.print()
            raise Quit from None
        if self._echo:
            self.console.print(line, markup=False)
        first, *self._queue = _moves(line, {text.split()[0] for text in texts if " " in text})
        return first

    def _answer(self, line: str) -> None:
        self.console.print(render.sentence(f"  {line}", self.cards), soft_wrap=True)

    def _list(self, game: Game, state: Any, texts: list[str]) -> None:
        moves = "   ".join(f"{number} {text}" for number, text in enumerate(texts, 1))
        self._answer(f"{game.text.phase_text(state)}:   {moves}")

    def _explain(self, game: Game, state: Any, texts: list[str]) -> None:
        for line in game.text.moment(state):
            self._answer(line)
        self._list(game, state, texts)
        self._answer("Type a move, its number or its card, or several with commas.")
        self._answer("; ".join(f"{name} {does}" for name, does in COMMANDS.items()))

    def _hint(self, game: Game, state: Any, batch: Batch) -> None:
        if self._adviser is None:
            self._answer("there is nobody to ask")
            return
        if self._advising is None:
            self._advising = self._adviser()
        self._answer(f"{self._advising.spec} advises: {game.action_text(state, int(self._advising.act(batch)[0]))}")


_LETTERS = str.maketrans({symbol: letter for letter, symbol in SYMBOLS.items()})


def understood(game: Game, state: Any, typed: str, actions: list[int]) -> int:
    """The legal action meant: by its number in the list (from 1), its text, or its card alone (`7h`, `10♥`, `as verde`).

    `ValueError`, one line that says what is legal, if there is none.
    """
    if typed.isdecimal():
        if not 1 <= int(typed) <= len(actions):
            raise ValueError(f"no move {typed}: moves are 1 … {len(actions)}")
        return actions[int(typed) - 1]
    named = hungarian.in_letters(typed) if hungarian.fit(game.pack.ranks) else typed
    action = game.parse_action(state, re.sub(r"10(?=\w)", "T", named.translate(_LETTERS)), actions)
    if action not in actions:
        legal = ", ".join(game.action_text(state, each) for each in actions)
        raise ValueError(f"'{game.action_text(state, action)}' is not legal now; legal are {legal}")
    return action


def _moves(line: str, verbs: set[str]) -> list[str]:
    """The moves on a line, one or more: separated by commas, or cards one after the other (`lay 7H 9H`, `7H 9H done`)."""
    moves = [move.strip() for move in line.split(",")]
    if len(moves) == 1 and len(words := [word for word in line.split() if word.lower() not in verbs]) > 1:
        if all(re.fullmatch(r"(10|\w)[CDHS♣♦♥♠]|done|take", word, re.IGNORECASE) for word in words):
            return words
    return moves
