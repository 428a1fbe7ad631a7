"""The solver of low hands and solos beside plain minimax, and its speed.

    python -m benchmarks.solver_low [--endings 5000] [--timed 100] [--seed 1] [--json PATH]

Correctness: every card of random endings of up to five cards each, low, sola and dix: how often a result differs from minimax's.
Speed: processor time of one result of random endings of seven tricks and of random whole deals, each with an empty memory; and how many
cards the search tried, which no other load on the machine changes.
"""

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np

from tests.agents.solver.minimax import four, minimax_cards, random_endings
from tromf.agents import solver
from tromf.agents.solver import Position, splits
from tromf.commands.common import write_json
from tromf.envs.cards import FRENCH

CONTRACTS = ("low", "sola", "dix")


def correctness(n: int, seed: int) -> dict[str, int]:
    """By contract, endings of up to five cards each in which a card's result differs from minimax's."""
    found = {}
    for contract in CONTRACTS:
        found[contract] = sum(solver.cards(position) != minimax_cards(position) for position in random_endings(n, contract, seed))
        print(f"{contract}, endings of up to five cards: {found[contract]} of {n} differ from minimax", flush=True)
    return found


def random_deal(contract: str, cards: int, rng: np.random.Generator) -> Position:
    """The first trick of a random deal; in solos anybody may be soloist, and no cards are exchanged."""
    deck = rng.permutation(len(FRENCH)).tolist()
    hands = [FRENCH.collect(deck[seat * cards : (seat + 1) * cards]) for seat in range(4)]
    seat = int(rng.integers(4))
    if contract == "low":
        return Position(four(hands), seat, contract=contract)
    if contract == "dix":
        return Position(four(hands), (seat + 2) % 4, contract=contract, soloist=seat)
    hands[(seat + 2) % 4] = 0
    return Position(four(hands), (seat + 3) % 4, contract=contract, soloist=seat)


def speed(contract: str, cards: int, n: int, seed: int) -> dict[str, float]:
    """One result of random deals of so many cards each, each with an empty memory: milliseconds of processor time, and cards tried."""
    rng = np.random.default_rng([seed, cards])
    memory = splits.new_memory()
    solver.tricks(random_deal(contract, 1, rng), memory)
    milliseconds, tried = [], []
    for _ in range(n):
        position = random_deal(contract, cards, rng)
        splits.forget(memory)
        before = int(memory[3])
        begun = time.process_time()
        solver.tricks(position, memory)
        milliseconds.append((time.process_time() - begun) * 1e3)
        tried.append(int(memory[3]) - before)
    median, p90, p99 = np.quantile(milliseconds, (0.5, 0.9, 0.99)).tolist()
    found = {"median": median, "p90": p90, "p99": p99, "worst": max(milliseconds)}
    listed = ", ".join(f"{name} {value:.2f} ms" for name, value in found.items())
    print(f"{contract}, {n} random deals of {cards} cards each: {listed}; median of {np.median(tried):.0f} cards tried", flush=True)
    return {**found, "tried": float(np.median(tried))}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--endings", type=int, default=5000, help="endings of each contract that minimax solves too")
    parser.add_argument("--timed", type=int, default=100, help="random deals of each kind that are timed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path, help="write the figures here too")
    options = parser.parse_args()
    found: dict[str, Any] = {"differ": correctness(options.endings, options.seed)}
    found["speed"] = {
        f"{contract} {cards}": speed(contract, cards, options.timed, options.seed) for contract in CONTRACTS for cards in (7, 13)
    }
    if options.json:
        write_json(options.json, found)


if __name__ == "__main__":
    main()
