"""What commands show while they work, and in the end."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def progress_bar(unit: str = "games") -> Iterator[Callable[[int, int], None]]:
    """A bar on stderr, where that is a terminal; gives the function that moves it: games ended, games in all."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(unit), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(unit, total=None)
        yield lambda ended, total: bar.update(task, completed=ended, total=total)


def show(*things: Any) -> None:
    """Print tables, or anything that rich can; into files and pipes 140 columns wide."""
    from rich.console import Console

    console = Console()
    if not console.is_terminal:
        console = Console(width=140)
    for thing in things:
        console.print(thing)
