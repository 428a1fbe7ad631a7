"""The solver for open cards beside bridge players' (DDS, through endplay), and its speed.

    python -m benchmarks.solver [--endings 5000] [--deals 200] [--timed 100] [--seed 1] [--json PATH]

Correctness: random endings of four to eight cards each, and whole deals, with and without trumps: how often a result differs from DDS's.
Speed: one result (no trumps, one leader) of random whole deals, DDS and ours in turn on the same deal, with an empty memory; endings of
seven tricks; and the tricks of all cards of sixteen worlds with eight cards a seat, which a determinised search wants for a decision. DDS
runs in one thread, as ours.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from tests.agents.solver.dds import as_bridge, dds_cards, dds_tricks, random_positions
from tromf.agents import solver
from tromf.agents.solver import Position
from tromf.agents.solver.table import forget
from tromf.commands import speed
from tromf.commands.common import write_json

TRUMPS = (0, 1, 2, 3)
WORLDS = 16

Step = Callable[[argparse.Namespace], dict[str, Any]]


def seconds_of(job: Callable[[], Any]) -> float:
    begun = time.perf_counter()
    job()
    return time.perf_counter() - begun


def spread(seconds: list[float]) -> dict[str, float]:
    """Median, mean and ninety-ninth percentile in milliseconds."""
    return {
        "median_ms": statistics.median(seconds) * 1e3,
        "mean_ms": statistics.mean(seconds) * 1e3,
        "p99_ms": float(np.quantile(seconds, 0.99)) * 1e3,
    }


def said(figures: dict[str, float]) -> str:
    return f"median {figures['median_ms']:.2f} ms, mean {figures['mean_ms']:.2f}, 99 % below {figures['p99_ms']:.2f}"


def high_endings(options: argparse.Namespace) -> dict[str, Any]:
    """Every card of endings of four to eight cards each, half of them without trumps, beside DDS."""
    found = {}
    for trumps in ((-1,), TRUMPS):
        differ = done = 0
        for size in range(4, 9):
            for position in random_positions(options.endings // 10, size, options.seed * 100 + size, trumps):
                differ += solver.cards(position) != dds_cards(position)
                done += 1
        name = "no trumps" if trumps == (-1,) else "trumps"
        print(f"high, endings of 4 to 8 cards, {name}: {differ} of {done} differ from DDS", flush=True)
        found[name] = {"positions": done, "differ": differ}
    return found


def high_deals(options: argparse.Namespace) -> dict[str, Any]:
    """One result of whole deals, half of them without trumps, beside DDS."""
    found = {}
    for trumps in ((-1,), TRUMPS):
        positions = list(random_positions(options.deals // 2, 13, options.seed * 100 + 13, trumps, laid=0))
        differ = sum(solver.tricks(position) != dds_tricks(as_bridge(position)) for position in positions)
        name = "no trumps" if trumps == (-1,) else "trumps"
        print(f"high, whole deals, {name}: {differ} of {len(positions)} differ from DDS", flush=True)
        found[name] = {"positions": len(positions), "differ": differ}
    return found


def high_deals_speed(options: argparse.Namespace) -> dict[str, Any]:
    """Time of one result of whole deals, and of DDS on the same, in turn."""
    found = {}
    memory = solver.new_memory()
    for trumps in ((-1,), TRUMPS):
        times: dict[str, list[float]] = {"ours": [], "dds": []}
        before = speed.load()
        for position in random_positions(options.timed, 13, options.seed * 100 + 14, trumps, laid=0):
            forget(memory)
            deal = as_bridge(position)
            times["ours"].append(seconds_of(lambda: solver.tricks(position, memory)))  # noqa: B023
            times["dds"].append(seconds_of(lambda: dds_tricks(deal)))  # noqa: B023
        name = "no trumps" if trumps == (-1,) else "trumps"
        ours, dds = spread(times["ours"]), spread(times["dds"])
        ratio = ours["median_ms"] / dds["median_ms"]
        print(f"high, whole deals, {name}: ratio of medians {ratio:.2f} (load {before:.2f} → {speed.load():.2f})")
        print(f"    ours {said(ours)}\n    DDS  {said(dds)}", flush=True)
        found[name] = {"ratio": ratio, "ours": ours, "dds": dds, "load": [before, speed.load()]}
    return found


def high_endings_speed(options: argparse.Namespace) -> dict[str, Any]:
    """Time of one result of endings of seven tricks, with an empty memory."""
    return endings_speed("high", [(-1,), TRUMPS], lambda trumps: random_positions(options.timed, 7, options.seed * 100 + 7, trumps, laid=0))


def endings_speed(contract: str, kinds: list[Any], positions: Callable[[Any], Any]) -> dict[str, Any]:
    """Time of one result of positions of some kinds; -1 in a kind means no trumps."""
    found = {}
    memory = solver.new_memory(1 << 16)
    for kind in kinds:
        times = []
        for position in positions(kind):
            forget(memory)
            times.append(seconds_of(lambda: solver.tricks(position, memory)))  # noqa: B023
        name = "no trumps" if kind == (-1,) else "trumps"
        found[name] = spread(times)
        print(f"{contract}, endings of seven tricks, {name}: {said(found[name])}", flush=True)
    return found


def worlds_speed(options: argparse.Namespace) -> dict[str, Any]:
    """Time for the tricks of all cards in sixteen worlds that agree in the hand of the seat to play, with eight cards each."""
    memory = solver.new_memory()
    times = []
    for position in random_positions(options.timed // 4, 8, options.seed * 100 + 8):
        rng = np.random.default_rng(position.hands[0])
        worlds = [another_world(position, rng) for _ in range(WORLDS)]
        forget(memory)
        times.append(seconds_of(lambda: [solver.cards(world, memory) for world in worlds]))  # noqa: B023
    found = spread(times)
    print(f"high, all cards of {WORLDS} worlds of eight cards a seat: {said(found)}", flush=True)
    return found


def another_world(position: Position, rng: np.random.Generator) -> Position:
    """The same position with the cards of the other three hands dealt anew; voids that the table shows are not respected in `laid`."""
    while True:
        others = [seat for seat in range(4) if seat != position.turn]
        unseen = [card for seat in others for card in range(52) if position.hands[seat] >> card & 1]
        mixed = rng.permutation(unseen).tolist()
        hands = list(position.hands)
        for seat in others:
            size = hands[seat].bit_count()
            hands[seat] = sum(1 << card for card in mixed[:size])
            mixed = mixed[size:]
        try:
            return Position(tuple(hands), position.turn, position.laid, position.trump)
        except ValueError:  # somebody who did not follow suit would now hold the suit
            continue


# What is measured, in this order; other contracts add theirs.
CORRECTNESS: list[Step] = [high_endings, high_deals]
SPEED: list[Step] = [high_deals_speed, high_endings_speed, worlds_speed]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--endings", type=int, default=5000, help="endings compared")
    parser.add_argument("--deals", type=int, default=200, help="whole deals compared")
    parser.add_argument("--timed", type=int, default=100, help="positions of each kind timed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    for position in random_positions(2, 4, 0):  # compile first
        solver.tricks(position), solver.cards(position)
    found: dict[str, Any] = {step.__name__: step(options) for step in [*CORRECTNESS, *SPEED]}
    if options.json:
        write_json(options.json, {**found, "seed": options.seed, "machine": speed.machine()})


if __name__ == "__main__":
    main()
