"""Settings of the agents that search: what they accept, and how the values given in a spec are looked at."""

import time
from collections.abc import Iterator, Sequence
from typing import Any

from tromf.agents.knobs import switch, turned
from tromf.envs import verbs
from tromf.envs.options import Option, integer, number, optional, unknown
from tromf.envs.registry import Game

MOST = 10_000_000
MOST_MS = 3_600_000
COUNT = f"an integer from 1 to {MOST:,}"

MS = Option(
    "ms", None, f"a number of milliseconds, 0.001 … {MOST_MS:,}", optional(number(1e-3, MOST_MS)), "think so long instead, by the clock"
)
ROLLOUT = Option("rollout", "random", "a rule agent of the game", str, "who plays the imagined games to their end")
SOLVED = "use the game's solver, where it can say how an imagined game would end, instead of playing it"

_TREE = (
    Option("iterations", 1000, COUNT, integer(1, MOST), "games imagined for each decision"),
    MS,
    ROLLOUT,
    Option("exact", 0, "0 or 1", switch, SOLVED),
    Option("explore", 0.7, "a number 0 … 100", number(0, 100), "how much seldom tried actions attract, in shares of the spread of returns"),
)

SETTINGS: dict[str, tuple[Option, ...]] = {
    "pimc": (
        Option("worlds", 32, COUNT, integer(1, MOST), "worlds imagined for each decision; every action is tried in each"),
        MS,
        ROLLOUT,
        Option("exact", 1, "0 or 1", switch, SOLVED),
    ),
    "ismcts": _TREE,
    "cheat": _TREE,
}
KINDS = tuple(SETTINGS)


def settings_of(game: Game, kind: str, values: dict[str, Any], rules: Sequence[str]) -> dict[str, Any]:
    """All settings of a search, those given put over the defaults; `rules` are the kinds of rule agents that can play on.

    `ValueError` says in one line what is wrong.
    """
    for verb, dtype in (("conceal", game.state), ("prepare", game.state), ("resample", game.plan)):
        if not verbs.has(verb, dtype):
            raise ValueError(f"agent '{kind}' cannot play {game.name}: it has no verb '{verb}', without which no worlds can be imagined")
    options = SETTINGS[kind]
    settings = turned(options, values, f"setting of {kind}")
    budget = options[0].name
    if settings["ms"] is not None and budget in values:
        raise ValueError(f"agent '{kind}' has two budgets: give {budget} or ms")
    if settings["rollout"] not in rules:
        raise unknown("rule agent", settings["rollout"], rules)
    return settings


def parts(budget: int, ms: float | None, size: int) -> Iterator[int]:
    """The parts into which the work for one decision falls: the whole budget, or `size` again and again until the time is over."""
    if ms is None:
        yield budget
        return
    end = time.perf_counter() + ms / 1000
    yield size
    while time.perf_counter() < end:
        yield size
