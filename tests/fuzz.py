"""Compiled rules beside the plain reference at every decision, over the whole option grid; then a long walk with every card counted.

    python -m tests.fuzz [--game NAME] [--games N] [--decisions N] [--seed S] [--seconds T] [--processes P]
    python -m tests.fuzz --replay LINE      # one game, given by the line that a mismatch printed

What it needs of a game stands in tests/envs/<game>/fuzzing.py: `KINDS` of episodes with their budgets, settings, ways to play, facts
of both implementations, `walk`, and perhaps `SHARES`, how often something must occur. Ends with '0 mismatches' for every game, or
prints a line that reproduces the first mismatch and exits with 1. With NUMBA_BOUNDSCHECK=1 in the environment indices are checked too,
which compiled code does not do by itself.
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
from importlib import import_module
from multiprocessing import get_context
from random import Random
from typing import Any

import numpy as np

from tromf.envs import batch, registry

GAMES = {name: import_module(f"tests.envs.{name.replace('-', '_')}.fuzzing") for name in registry.names()}
GAMES_A_UNIT = 250  # games compared in one piece of work; each has options, deck and way of playing of its own
WALKERS = 250  # games walked on in one piece of work
PIECE = 250_000  # decisions walked in one piece of work
LOOKED_AT = 1 / 40  # of the decisions: what a seat knows is compared too, where the reference says it
NEEDED_FOR_COVERAGE = 0.5  # share of a game's budget from which on everything in its `expected` must have occurred


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
    """The names of the facts that differ, or None. Compiled facts first; facts of an episode that is over are fewer."""
    if mine[: len(theirs)] == theirs and stocks:
        return None
    return ", ".join([name for name, a, b in zip(game.FACTS, mine, theirs) if a != b] + ([] if stocks else ["stock"]))


def drawn(game: Any, random: Random, n: int, **fixed: Any) -> tuple[list[dict[str, Any]], list[int], np.ndarray, np.ndarray, np.ndarray]:
    """n games that have just begun: their options, seeds and records, and for each a way of playing and its generator."""
    settings = [game.draw_setting(random, **fixed) for _ in range(n)]
    seeds = [random.getrandbits(64) for _ in range(n)]
    ways = np.array(random.choices(range(len(game.WAYS)), game.OFTEN, k=n))
    rngs = np.array([(random.getrandbits(64),) for _ in range(n)], [("rng", np.uint64)])
    states = np.zeros(n, game.GAME.state)
    states["options"] = [record for _, record in settings]
    batch.begin_rows(states, np.arange(n), np.array(seeds, np.uint64), np.full(n, -1), np.zeros(n, np.bool_))
    return [values for values, _ in settings], seeds, states, ways, rngs


def compare(name: str, seed: int, unit: int, n: int = GAMES_A_UNIT, kind: str | None = None) -> Outcome:
    """Play n games side by side, of a kind (the first of the game's `KINDS` if none is named)."""
    game, outcome = GAMES[name], Outcome()
    kind = kind or next(iter(game.KINDS))
    random = Random(f"{seed}/{kind}/{unit}")
    settings, seeds, states, ways, rngs = drawn(game, random, n, **game.KINDS[kind][1])
    references = [game.reference(values, state) for values, state in zip(settings, states)]
    history: list[list[int]] = [[] for _ in range(n)]
    facts, chosen = np.zeros((n, game.COLUMNS), np.int64), np.zeros(n, np.int64)
    returns = np.zeros((n, game.GAME.max_players))
    cards = len(game.GAME.pack)
    phases = [0] * n  # in which a game's last decision was made
    alive = list(range(n))
    while alive:
        rows = np.array(alive)
        game.facts_rows(states, rows, facts)
        met = facts[: len(rows), len(game.FACTS) :] != 0
        outcome.seen.update({what: int(times) for what, times in zip(game.MET, met.sum(axis=0)) if times})
        running = []
        for i, mine, stock in zip(alive, facts[: len(rows)].tolist(), game.stocks(states, rows)):
            theirs = references[i]
            what = difference(game, mine, game.reference_facts(theirs), stock == game.reference_stock(theirs))
            if what is None and random.random() < LOOKED_AT:
                what = game.knowledge_differs(states[i], theirs, random.randrange(theirs.players))
            if what is None and mine[game.OVER]:
                batch.returns_rows(states[i : i + 1], returns[i : i + 1])
                if np.abs(returns[i, : theirs.players] - theirs.returns()).max() > 1e-12:
                    what = "returns"
                what = what or game.wrong_at_the_end(settings[i], mine)
                note_end(outcome.seen, game, settings[i], game.ending(settings[i], mine, phases[i]))
                outcome.games += 1
            elif what is None:
                running.append(i)
                phases[i] = mine[game.PHASE]
            if what is not None:
                outcome.mismatch = line(name, settings[i], seeds[i], history[i], what)
                return outcome
        alive = running
        rows = np.array(alive, np.int64)
        game.choose_rows(states, rows, ways, rngs, chosen)
        batch.apply_chosen(states, rows, chosen)
        outcome.decisions += len(alive)
        for i in alive:
            action = int(chosen[i])
            history[i].append(action)
            outcome.seen[phases[i], action if action >= cards else "card"] += 1
            try:
                references[i].apply(action)
            except Exception as error:
                outcome.mismatch = line(name, settings[i], seeds[i], history[i], f"the reference says {error!r}")
                return outcome
    return outcome


def note_end(seen: Counter, game: Any, values: dict[str, Any], how: list[Any]) -> None:
    """Count the options of a game that has ended, and how it ended."""
    for option, value in values.items():
        if option in game.WIDE:
            value = value if value is None else type(value).__name__
        seen[f"{option}={value}"] += 1
    seen.update(how)


def too_rare(game: Any, kind: str, found: Outcome) -> set[str]:
    """What has occurred in less than its share of the games compared of a kind, as a game's `SHARES` demand, where it has such."""
    shares = getattr(game, "SHARES", {}).get(kind, {})
    return {what for what, share in shares.items() if found.seen[what] < share * found.games}


def walk(name: str, seed: int, unit: int, decisions: int) -> Outcome:
    """Play `WALKERS` games on and on, compiled only, so many decisions together; every card is counted after each."""
    game, n = GAMES[name], WALKERS
    settings, _, states, ways, rngs = drawn(game, Random(f"{seed}/walk/{unit}"), n)
    counts, words = np.zeros(2, np.int64), np.zeros((2, game.GAME.words), np.uint64)
    scratch, plan = np.zeros(2, game.GAME.state), np.zeros(1, game.GAME.plan)
    row, fault = game.walk(states, ways, rngs, -(-decisions // n), scratch, plan, words, counts)
    outcome = Outcome(games=int(counts[0]), decisions=-(-decisions // n) * n)
    if row >= 0:
        at = {"seed of the deal": int(states["seed"][row]), "decisions": int(states["decisions"][row]), "walk": [seed, unit, int(row)]}
        outcome.mismatch = json.dumps({"game": name, "options": settings[row], "fault": game.FAULTS[fault], **at})
    return outcome


def replay(text: str) -> str | None:
    """Play the game of a mismatch's line again, both sides; what differs first, or None."""
    given = json.loads(text)
    game = GAMES[given["game"]]
    states = np.zeros(1, game.GAME.state)
    states["options"] = game.record(given["options"])
    batch.begin_rows(states, np.arange(1), np.array([given["seed"]], np.uint64), np.array([-1]), np.array([False]))
    theirs = game.reference(given["options"], states[0])
    facts = np.zeros((1, game.COLUMNS), np.int64)
    for number, action in enumerate([*given["actions"], None]):
        game.facts_rows(states, np.arange(1), facts)
        mine, other = facts[0].tolist(), game.reference_facts(theirs)
        what = difference(game, mine, other, game.stocks(states, np.arange(1)) == [game.reference_stock(theirs)])
        if what is not None:
            pairs = [f"{name}: compiled {a}, reference {b}" for name, a, b in zip(game.FACTS, mine, other) if a != b]
            return f"after {number} decisions: {'; '.join(pairs) or what}"
        for seat in range(theirs.players):
            if (what := game.knowledge_differs(states[0], theirs, seat)) is not None:
                return f"after {number} decisions: {what}"
        if action is not None:
            print(number, "seat", theirs.actor, game.GAME.action_text(states[0], action))
            batch.apply_chosen(states, np.arange(1), np.array([action]))
            theirs.apply(action)
    returns = np.zeros((1, game.GAME.max_players))
    batch.returns_rows(states, returns)
    if np.abs(returns[0, : theirs.players] - theirs.returns()).max() > 1e-12:
        return f"returns: compiled {returns[0].tolist()}, reference {theirs.returns()}"
    return game.wrong_at_the_end(given["options"], mine) if mine[game.OVER] else None


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
    parser.add_argument("--game", choices=GAMES, help="one game only (all)")
    budgets = ", ".join(f"{name} {games:,} {kind}" for name, game in GAMES.items() for kind, (games, _) in game.KINDS.items())
    parser.add_argument("--games", type=int, default=sys.maxsize, help=f"compare at most so many of each kind ({budgets})")
    parser.add_argument("--decisions", type=int, default=10_000_000, help="decisions with every card counted, in each game (10000000)")
    parser.add_argument("--seed", type=int, default=0, help="everything follows from it (0)")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop comparing games of a kind after so long")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="(all cores)")
    parser.add_argument("--coverage", action="store_true", help="print what occurred how often")
    parser.add_argument("--replay", metavar="LINE", help="play the game of a mismatch's line again")
    given = parser.parse_args(arguments)
    if given.replay:
        print(replay(given.replay) or "0 mismatches")
        return 0
    return max([fuzz(name, given) for name in ([given.game] if given.game else GAMES)])


def fuzz(name: str, given: argparse.Namespace) -> int:
    """All that is asked for, with one game; 1 if something is wrong, 0 otherwise."""
    compare(name, given.seed, -1, 10)  # compiles, so that the processes find everything in the cache
    walk(name, given.seed, -1, WALKERS)
    compared, whole, rare = Outcome(), True, set()
    for kind, (games, _) in GAMES[name].KINDS.items():
        if compared.mismatch is None:
            progress = Progress(f"{name}, {kind} beside the reference", given.seconds)
            units = -(-min(games, given.games) // GAMES_A_UNIT)
            tasks = ((compare, name, given.seed, unit, GAMES_A_UNIT, kind) for unit in range(units))
            found = in_processes(given.processes, tasks, progress)
            whole &= found.games >= games * NEEDED_FOR_COVERAGE
            rare |= too_rare(GAMES[name], kind, found) if found.games >= games * NEEDED_FOR_COVERAGE else set()
            compared.add(found)
    if given.coverage:
        for what, times in sorted(compared.seen.items(), key=str):
            print(f"  {what}: {times:,}")
    missing = GAMES[name].expected() - set(compared.seen) if whole else set()
    if compared.mismatch is None:
        progress = Progress(f"{name}, every card counted")
        pieces = (
            (walk, name, given.seed, unit, min(PIECE, given.decisions - unit * PIECE)) for unit in range(-(-given.decisions // PIECE))
        )
        compared.add(in_processes(given.processes, pieces, progress))
    if compared.mismatch is not None:
        print(f"{name}: MISMATCH {compared.mismatch}")
        return 1
    if missing or rare:
        print(f"{name}: never occurred: {sorted(map(str, missing))}; too rarely: {sorted(rare)}")
        return 1
    print(f"{name}: 0 mismatches")
    return 0


if __name__ == "__main__":
    sys.exit(main())
