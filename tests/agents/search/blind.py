"""Agents that search, asked twice: in a position, and in another one that their seat cannot tell from it.

    python -m tests.agents.search.blind [--game NAME] [--cases N] [--seed S]

Ends with '0 differ' for every game, or exits with 1.
"""

import argparse
import sys
from collections.abc import Iterator

import numpy as np

from tests.envs.positions import settings
from tromf.agents import make
from tromf.envs import BatchEnv, batch, registry
from tromf.envs.registry import Game

SPECS = ("pimc,worlds=3", "pimc,worlds=2,rollout=expert", "pimc,worlds=2,exact=0", "ismcts,iterations=40", "ismcts,iterations=20,exact=1")
A_GAME = 4  # positions asked about in one game


def alike(game: Game, variant: str, players: int, n: int, seed: int) -> Iterator[tuple[np.ndarray, np.ndarray, int]]:
    """n times a position of random play, one that the seat to act cannot tell from it, (1,) records each, and this seat."""
    rng, found = np.random.default_rng(seed), 0
    while found < n:
        env = BatchEnv(game, 1, variant=variant, players=players)
        env.reset(seeds=int(rng.integers(2**62)))
        positions = []
        while not env.done[0]:
            mask = int(env.masks[0])
            if mask.bit_count() > 1:
                positions.append((env.states.copy(), int(env.seats[0])))
            env.step(np.array([rng.choice([action for action in range(64) if mask >> action & 1])]))
        for place in rng.permutation(len(positions))[: min(A_GAME, n - found)]:
            states, seat = positions[place]
            yield states, batch.worlds(game, states[0], seat, 1, int(rng.integers(2**62))), seat
            found += 1


def asked(game: Game, states: np.ndarray, seat: int, draw: int) -> batch.Batch:
    """A batch of the one decision to be made in a position."""
    words, masks, seats = np.zeros((1, game.words), np.uint64), np.zeros(1, np.uint64), np.zeros(1, np.int64)
    batch.look_rows(states, seats, words, masks)
    assert seats[0] == seat
    hidden = batch.concealed(states, seats)
    return batch.Batch(game, words, masks, seats, np.arange(1), np.array([draw], np.uint64), lambda: hidden, lambda: states)


def differing(game: Game, variant: str, players: int, n: int, seed: int) -> int:
    """In how many of n cases some agent decides otherwise in the other position."""
    agents = [make(spec, game) for spec in SPECS]
    differ = 0
    for number, (one, other, seat) in enumerate(alike(game, variant, players, n, seed)):
        here, there = (asked(game, states, seat, number) for states in (one, other))
        differ += any(agent.act(here)[0] != agent.act(there)[0] for agent in agents)
    return differ


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.agents.search.blind", description=__doc__.split("\n")[0])
    parser.add_argument("--game", choices=registry.names(), help="one game only (all)")
    parser.add_argument("--cases", type=int, default=10_000, help="positions of each game (%(default)s)")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    total = 0
    for name in [given.game] if given.game else registry.names():
        game, _ = registry.find(name)
        where = settings(game)
        share = -(-given.cases // len(where))
        differ = sum(differing(game, *setting, share, given.seed + k) for k, setting in enumerate(where))
        print(f"{name}: {share * len(where):,} cases, {len(SPECS)} agents: {differ} differ", flush=True)
        total += differ
    return int(total > 0)


if __name__ == "__main__":
    sys.exit(main())
