"""Compiled rules beside the plain reference at every decision, over the whole option grid; then a long walk with every card counted.

    python -m tests.fuzz [--games N] [--decisions N] [--seed S] [--seconds T] [--processes P]
    python -m tests.fuzz --replay LINE      # one game, given by the line that a mismatch printed

Ends with '0 mismatches', or prints a line that reproduces the first mismatch and exits with 1. With NUMBA_BOUNDSCHECK=1 in
the environment indices are checked too, which compiled code does not do by itself.
"""

import argparse
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from multiprocessing import get_context
from random import Random
from typing import Any

import numpy as np

from tests.envs.mustamaija import fuzzing as mustamaija
from tromf.envs import batch

GAMES = {"mustamaija": mustamaija}
GAMES_A_UNIT = 250  # games compared in one piece of work; each has options, deck and way of playing of its own
WALKERS = 250  # games walked on in one piece of work
PIECE = 250_000  # decisions walked in one piece of work
NEEDED_FOR_COVERAGE = 100_000  # games from which on everything in `expected` must have occurred


@dataclass
class Outcome:
    """What a piece of work found: how much was played, what occurred how often, and the first mismatch as a line."""

    games: int = 0
    decisions: int = 0
    seen: Counter = field(default_factory=Counter)
    mismatch: str | None = None

    def add(self, other: "Outcome") -> None:
        self.games += other.games
        self.decisions += other.decisions
        self.seen.update(other.seen)
        self.mismatch = self.mismatch or other.mismatch


def line(game: str, values: dict[str, Any], seed: int, actions: list[int], what: str) -> str:
    """All that is needed to play a game again, as one line of JSON."""
    return json.dumps({"game": game, "options": values, "seed": seed, "actions": actions, "differs": what})


def difference(game: Any, mine: list[int], theirs: list[int], stocks: bool) -> str | None:
    """The names of the facts that differ, or None. Compiled facts first; facts of a deal that is over are fewer."""
    if mine[: len(theirs)] == theirs and stocks:
        return None
    return ", ".join([name for name, a, b in zip(game.FACTS, mine, theirs) if a != b] + ([] if stocks else ["stock"]))


def compare(name: str, seed: int, unit: int, n: int = GAMES_A_UNIT) -> Outcome:
    """Play n games side by side."""
    game, random, outcome = GAMES[name], Random(f"{seed}/{unit}"), Outcome()
    settings = [game.draw_setting(random) for _ in range(n)]
    seeds = [random.getrandbits(64) for _ in range(n)]
    ways = np.array(random.choices(range(len(game.WAYS)), game.OFTEN, k=n))
    rngs = np.array([(random.getrandbits(64),) for _ in range(n)], [("rng", np.uint64)])
    states = np.zeros(n, game.GAME.state)
    states["options"] = [record for _, record in settings]
    everyone = np.arange(n)
    batch.begin_rows(states, everyone, np.array(seeds, np.uint64), np.full(n, -1), np.zeros(n, np.bool_))
    references = [game.reference(values, state) for (values, _), state in zip(settings, states)]
    history: list[list[int]] = [[] for _ in range(n)]
    facts, chosen = np.zeros((n, len(game.FACTS) + 1), np.int64), np.zeros(n, np.int64)
    width = states["deck"].shape[1]
    returns = np.zeros((n, game.GAME.max_players))
    phases = [0] * n  # in which a game's last decision was made
    alive = list(range(n))
    while alive:
        rows = np.array(alive)
        game.facts_rows(states, rows, facts)
        mine = facts[: len(rows)].tolist()
        decks, tops, sizes = states["deck"][rows].tobytes(), states["top"][rows].tolist(), states["size"][rows].tolist()
        running = []
        for k, i in enumerate(alive):
            theirs = references[i]
            stocks = decks[k * width + tops[k] : k * width + sizes[k]] == bytes(theirs.stock)
            what = difference(game, mine[k], game.reference_facts(theirs), stocks)
            if what is None and mine[k][game.OVER]:
                batch.returns_rows(states[i : i + 1], returns[i : i + 1])
                if np.abs(returns[i, : theirs.players] - theirs.returns()).max() > 1e-12:
                    what = "returns"
                note_end(outcome.seen, game, settings[i][0], mine[k], phases[i])
                outcome.games += 1
            elif what is None:
                running.append(i)
                phases[i] = mine[k][game.PHASE]
                if mine[k][game.PASSED]:
                    outcome.seen["a spade passed over"] += 1
            if what is not None:
                outcome.mismatch = line(name, settings[i][0], seeds[i], history[i], what)
                return outcome
        alive = running
        rows = np.array(alive, np.int64)
        game.choose_rows(states, rows, ways, rngs, chosen)
        batch.apply_chosen(states, rows, chosen)
        outcome.decisions += len(alive)
        for i in alive:
            action = int(chosen[i])
            history[i].append(action)
            outcome.seen[phases[i], action if action >= 52 else "card"] += 1
            try:
                references[i].apply(action)
            except Exception as error:
                outcome.mismatch = line(name, settings[i][0], seeds[i], history[i], f"the reference says {error!r}")
                return outcome
    return outcome


def note_end(seen: Counter, game: Any, values: dict[str, Any], facts: list[int], phase: int) -> None:
    """Count the options of a game that has ended, and how it ended."""
    for option, value in values.items():
        if option in ("pack", "max_decisions", "slap_probability"):
            value = value if value is None else type(value).__name__
        seen[f"{option}={value}"] += 1
    if facts[game.TRUNCATED]:
        seen["cut off", phase] += 1
        if facts[game.FACTS.index("loser")] < 0:
            seen["cut off without loser"] += 1
    else:
        seen["ended"] += 1


def expected() -> set[Any]:
    """Everything that a fuzz of any length worth the name must have met."""
    phases = range(len(mustamaija.PHASES))
    result: set[Any] = {("cut off", phase) for phase in phases} | {(phase, 53 + suit) for phase in phases for suit in range(3)}
    result |= {(0, "card"), (0, 52), (2, "card"), (3, "card"), (3, 52), (4, "card"), (4, 52)} | {(1, 56 + suit) for suit in range(4)}
    result |= {"a spade passed over", "cut off without loser", "ended"}
    result |= {f"players={n}" for n in range(2, 9)} | {f"hand_size={n}" for n in range(1, 9)}
    result |= {f"attack_limit={n}" for n in (None, *range(1, 14))}
    result |= {f"{name}={value}" for name in ("follow_up", "misplay_penalty") for value in (False, True)}
    result |= {f"trump={value}" for value in ("turned", "diamonds", "declared")}
    result |= {f"declare_with={value}" for value in ("marriage", "either")}
    result |= {f"scoring={value}" for value in ("loser", "placing", "winner")}
    return result | {f"pack={kind}" for kind in ("None", "str", "list")}


def walk(name: str, seed: int, unit: int, decisions: int) -> Outcome:
    """Play `WALKERS` games on and on, compiled only, so many decisions together; every card is counted after each."""
    game, random, n = GAMES[name], Random(f"{seed}/walk/{unit}"), WALKERS
    settings = [game.draw_setting(random) for _ in range(n)]
    seeds = np.array([random.getrandbits(64) for _ in range(n)], np.uint64)
    ways = np.array(random.choices(range(len(game.WAYS)), game.OFTEN, k=n))
    rngs = np.array([(random.getrandbits(64),) for _ in range(n)], [("rng", np.uint64)])
    states = np.zeros(n, game.GAME.state)
    states["options"] = [record for _, record in settings]
    batch.begin_rows(states, np.arange(n), seeds, np.full(n, -1), np.zeros(n, np.bool_))
    counts, words = np.zeros(2, np.int64), np.zeros((2, game.GAME.words), np.uint64)
    scratch, plan = np.zeros(2, game.GAME.state), np.zeros(1, game.GAME.plan)
    row, fault = game.walk(states, ways, rngs, -(-decisions // n), scratch, plan, words, counts)
    outcome = Outcome(games=int(counts[0]), decisions=-(-decisions // n) * n)
    if row >= 0:
        at = {"seed of the deal": int(states["seed"][row]), "decisions": int(states["decisions"][row]), "walk": [seed, unit, int(row)]}
        outcome.mismatch = json.dumps({"game": name, "options": settings[row][0], "fault": game.FAULTS[fault], **at})
    return outcome


def replay(text: str) -> str | None:
    """Play the game of a mismatch's line again, both sides; what differs first, or None."""
    given = json.loads(text)
    game = GAMES[given["game"]]
    states = np.zeros(1, game.GAME.state)
    states["options"] = game.GAME.record(given["options"])
    batch.begin_rows(states, np.arange(1), np.array([given["seed"]], np.uint64), np.array([-1]), np.array([False]))
    theirs = game.reference(given["options"], states[0])
    facts = np.zeros((1, len(game.FACTS) + 1), np.int64)
    for number, action in enumerate([*given["actions"], None]):
        game.facts_rows(states, np.arange(1), facts)
        other = game.reference_facts(theirs)
        stock = bytes(states["deck"][0][int(states["top"][0]) : int(states["size"][0])]) == bytes(theirs.stock)
        what = difference(game, facts[0].tolist(), other, stock)
        if what is not None:
            pairs = [f"{name}: compiled {a}, reference {b}" for name, a, b in zip(game.FACTS, facts[0].tolist(), other) if a != b]
            return f"after {number} decisions: {'; '.join(pairs) or what}"
        if action is not None:
            print(number, "seat", theirs.actor, game.GAME.action_text(states[0], action))
            batch.apply_chosen(states, np.arange(1), np.array([action]))
            theirs.apply(action)
    returns = np.zeros((1, game.GAME.max_players))
    batch.returns_rows(states, returns)
    if np.abs(returns[0, : theirs.players] - theirs.returns()).max() > 1e-12:
        return f"returns: compiled {returns[0].tolist()}, reference {theirs.returns()}"
    return None


class Progress:
    """Says every few seconds how far one part of the work is; knows when its time is up."""

    def __init__(self, what: str, seconds: float = float("inf")) -> None:
        self.what, self.seconds = what, seconds
        self.begun = self.shown = time.monotonic()

    def late(self) -> bool:
        return time.monotonic() - self.begun > self.seconds

    def show(self, total: Outcome, last: bool = False) -> None:
        now = time.monotonic()
        if last or now - self.shown > 5:
            self.shown = now
            print(f"{self.what}: {total.games:,} games, {total.decisions:,} decisions in {now - self.begun:.0f} s", flush=True)


def in_processes(processes: int, tasks: Iterator[tuple[Any, ...]], progress: Progress) -> Outcome:
    """Run tasks (function, arguments …) in processes until they are used up, it is late, or one finds a mismatch."""
    total = Outcome()
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        waiting: set[Future] = set()
        while True:
            while len(waiting) < 2 * processes and not progress.late() and total.mismatch is None and (task := next(tasks, None)):
                waiting.add(pool.submit(*task))
            if not waiting:
                progress.show(total, last=True)
                return total
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for future in done:
                total.add(future.result())
            progress.show(total)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Compiled rules beside the plain reference.")
    parser.add_argument("--games", type=int, default=200_000, help="games compared with the reference (200000)")
    parser.add_argument("--decisions", type=int, default=10_000_000, help="decisions with every card counted (10000000)")
    parser.add_argument("--seed", type=int, default=0, help="everything follows from it (0)")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop comparing after so long")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="(all cores)")
    parser.add_argument("--coverage", action="store_true", help="print what occurred how often")
    parser.add_argument("--replay", metavar="LINE", help="play the game of a mismatch's line again")
    given = parser.parse_args(arguments)
    if given.replay:
        print(replay(given.replay) or "0 mismatches")
        return 0
    return max(fuzz(name, given) for name in GAMES)


def fuzz(name: str, given: argparse.Namespace) -> int:
    """All that is asked for, with one game; 1 if something is wrong, 0 otherwise."""
    compare(name, given.seed, -1, 10)  # compiles, so that the processes find everything in the cache
    walk(name, given.seed, -1, WALKERS)
    progress = Progress(f"{name}, beside the reference", given.seconds)
    units = ((compare, name, given.seed, unit) for unit in range(-(-given.games // GAMES_A_UNIT)))
    compared = in_processes(given.processes, units, progress)
    if given.coverage:
        for what, times in sorted(compared.seen.items(), key=str):
            print(f"  {what}: {times:,}")
    missing = expected() - set(compared.seen) if compared.games >= NEEDED_FOR_COVERAGE else set()
    if compared.mismatch is None:
        progress = Progress(f"{name}, every card counted")
        pieces = (
            (walk, name, given.seed, unit, min(PIECE, given.decisions - unit * PIECE)) for unit in range(-(-given.decisions // PIECE))
        )
        compared.add(in_processes(given.processes, pieces, progress))
    if compared.mismatch is not None:
        print(f"{name}: MISMATCH {compared.mismatch}")
        return 1
    if missing:
        print(f"{name}: never occurred: {sorted(map(str, missing))}")
        return 1
    print(f"{name}: 0 mismatches")
    return 0


if __name__ == "__main__":
    sys.exit(main())
