"""What happens at a table, told line by line, as one seat or an onlooker sees it; used by `tromf play` and `tromf replay`."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tromf.envs.registry import Game


class Story:
    """Tells decisions, several of one kind by one seat in one line (`seat 2 lays 7H 9H`), and what follows from them.

    Args:
        say: takes each line. seat: who is told the story, as 'you', and learns only what it may know; None: everything.
    """

    def __init__(self, game: "Game", say: Callable[[str], None], seat: int | None) -> None:
        self._game, self._say, self._seat = game, say, seat
        self._subject: tuple[int, str] | None = None
        self._objects: list[str] = []

    def decision(self, before: Any, seat: int, action: int, after: Any, *, silent: bool = False) -> None:
        """A seat has taken an action in the record `before`, which led to `after`. `silent`: only what follows is told."""
        verb, thing = self._game.text.told(before, action)
        if silent or not verb:
            self.flush()
        else:
            if self._subject != (seat, verb):
                self.flush()
            self._subject = seat, verb
            self._objects.append(thing)
        if lines := self._game.text.events(before, after, self._seat):
            self.flush()
            for line in lines:
                self._say(line)

    def flush(self) -> None:
        """Tell what has been held back for lines that may still grow."""
        if self._subject is not None:
            seat, verb = self._subject
            separator = ", " if any(" " in thing for thing in self._objects) else " "
            self._say(f"seat {seat} {verb} {separator.join(self._objects)}")
        self._subject, self._objects = None, []
