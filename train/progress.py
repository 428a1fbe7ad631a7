"""How a run is going, while it runs: a live panel in a terminal, plain lines elsewhere."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from tromf.train.run import Report

LINE_SECONDS = 10.0  # between two plain lines


class State:
    """What the display shows: the newest of each metric, and the speed over the last half minute."""

    def __init__(self) -> None:
        self.newest: dict[str, float] = {}
        self.speeds: list[tuple[float, float]] = []

    def add(self, metrics: dict[str, float]) -> None:
        self.newest |= metrics
        self.speeds.append((metrics["seconds"], metrics["decisions"]))
        while len(self.speeds) > 2 and self.speeds[0][0] < metrics["seconds"] - 30:
            self.speeds.pop(0)

    @property
    def rate(self) -> float:
        """Decisions per second."""
        (a, first), (b, last) = self.speeds[0], self.speeds[-1]
        return (last - first) / (b - a) if b > a else 0.0

    @property
    def left(self) -> float:
        """Seconds to go, by what has been spent of the budget."""
        done = self.newest["progress"]
        return self.newest["seconds"] * (1 - done) / done if done else 0.0

    def figures(self) -> list[tuple[str, str]]:
        n = self.newest
        rows = [("decisions", f"{n['decisions']:,}"), ("decisions/s", f"{self.rate:,.0f}"), ("entropy", f"{n['entropy']:.3f}")]
        rows += [(f"return against {name[7:]}", f"{value:+.3f} (sampling)") for name, value in n.items() if name.startswith("return/")]
        if "lost" in n:
            rows.append(("last evaluation", f"{n['evaluation']:+.3f}, {100 * n['lost']:.1f} % lost (greedy)"))
        return rows


def clock(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


@contextmanager
def display(title: str, console: Console | None = None) -> Iterator[Report]:
    """Shows the metrics it is given."""
    console = console or Console()
    state = State()
    if not console.is_terminal:
        last = -LINE_SECONDS

        def line(metrics: dict[str, float]) -> None:
            nonlocal last
            state.add(metrics)
            now = time.monotonic()
            if now - last >= LINE_SECONDS or "lost" in metrics or metrics["progress"] >= 1:
                last = now
                text = ", ".join(f"{name} {value}" for name, value in state.figures())
                console.print(f"{100 * metrics['progress']:5.1f} %  {clock(state.left)} left  {text}", soft_wrap=True, highlight=False)

        console.print(title, soft_wrap=True, highlight=False)
        yield line
        return
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[left]} left"),
        console=console,
    )
    task = bar.add_task(title, total=1.0, left="?")

    def show(metrics: dict[str, float]) -> None:
        state.add(metrics)
        bar.update(task, completed=metrics["progress"], left=clock(state.left))
        live.update(panel(bar, state))

    with Live(bar, console=console, refresh_per_second=4) as live:
        yield show


def panel(bar: Progress, state: State) -> Group:
    table = Table.grid(padding=(0, 2))
    for name, value in state.figures():
        table.add_row(f"  {name}", value)
    return Group(bar, table)
