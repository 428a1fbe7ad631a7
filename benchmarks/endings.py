"""Endings of Mustamaija between two: how often deals come to them, and how long they take to solve.

    python -m benchmarks.endings [--variant NAME] [--players N] [--agent SPEC] [--deals N] [--largest N]

Positions at the beginning of an attack, from deals between equal agents, by the number of cards in play: the share of the deals that
reach that number or fewer, and processor time with an empty memory, in microseconds.
"""

import argparse
from collections.abc import Sequence
from time import process_time_ns

import numpy as np

from tromf.agents.mustamaija.ending import MOST, loser_of, memory
from tromf.agents.registry import make
from tromf.agents.rule import decide
from tromf.envs import registry, verbs
from tromf.envs.batch import begin_rows, decision_draw, seeds_for
from tromf.envs.jit import EMPTY, compiled
from tromf.envs.mustamaija.rules import ATTACK

A_DEAL = 24  # positions kept, at most
EACH = 200  # endings solved of each size


@compiled
def walk(states, knobs, found, deals):
    """Play deals to their end and keep the positions between two, with the numbers of their deals; how many there are."""
    kept, scratch = 0, states[:1].copy()
    for i in range(len(states)):
        s, first = states[i], kept
        while not verbs.over(s):
            between_two = s.top == s.size and s.out + 2 == s.options.players
            if between_two and s.phase == ATTACK and s.attack == EMPTY:
                if kept - first == A_DEAL:  # the last ones are kept
                    found[first : kept - 1] = found[first + 1 : kept].copy()
                    kept -= 1
                found[kept], deals[kept] = s, i
                kept += 1
            scratch[0] = s
            verbs.conceal(scratch[0], verbs.actor(s))
            verbs.apply(s, decide(scratch[0], knobs, decision_draw(s)))
    return kept


@compiled
def solve(state, table):
    return loser_of(state, table, MOST)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.endings", description=__doc__.split("\n")[0])
    parser.add_argument("--variant", default="standard")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--agent", default="expert", help="the agent at every seat (%(default)s)")
    parser.add_argument("--deals", type=int, default=2000)
    parser.add_argument("--largest", type=int, default=18, help="most cards in play (%(default)s)")
    wanted = parser.parse_args(arguments)
    game, _ = registry.find("mustamaija")
    n = wanted.deals
    states = game.states(n, wanted.variant, players=wanted.players)
    begin_rows(states, np.arange(n), seeds_for(7, n), np.full(n, -1), np.zeros(n, np.bool_))
    found, deals = np.zeros(A_DEAL * n, game.state), np.zeros(A_DEAL * n, np.int64)
    kept = walk(states, make(wanted.agent, game).compiled, found, deals)
    found, deals = found[:kept], deals[:kept]
    sizes = np.bitwise_count(np.bitwise_or.reduce(found["hand"], axis=1))
    table, generator = memory(), np.random.default_rng(0)
    print("| cards in play | deals | median | 99th percentile | mean | longest |\n| --- | --- | --- | --- | --- | --- |")
    for size in range(4, wanted.largest + 1, 2):
        times = []
        for row in generator.permutation(np.flatnonzero(sizes == size))[:EACH]:
            table[:] = 0
            solve(found[row], table)
            table[:] = 0
            before = process_time_ns()
            solve(found[row], table)
            times.append((process_time_ns() - before) / 1000)
        if times:
            share = len(np.unique(deals[sizes <= size])) / n
            numbers = " | ".join(f"{value:.0f}" for value in (*np.percentile(times, [50, 99]), np.mean(times), max(times)))
            print(f"| {size} | {100 * share:.1f} % | {numbers} |", flush=True)


if __name__ == "__main__":
    main()
