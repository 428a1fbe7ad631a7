"""How fast searches are: imagined games and decisions per second, beside bare random play in the same rounds, on one core.

    python -m benchmarks.search [--setting mustamaija-4p] [--rounds 5] [--seconds 0.5]

Searched are decisions early in deals that have just begun.
"""

import argparse
import statistics
from collections.abc import Sequence

import numpy as np

from tromf import agents
from tromf.agents.search import TreeSearch
from tromf.commands import speed
from tromf.envs import BatchEnv

ROWS = 64
ITERATIONS = 1000
SETTINGS = ("mustamaija-2p", "mustamaija-4p", "101-2p", "101-4p", "minnesota-whist-4p", "askov-4p", "south-dakota-4p")


def searched(setting: str, iterations: int) -> speed.Chunk:
    """Tree search of decisions early in a deal; decisions made in imagined games."""
    game, variant, players = speed.find_setting(setting)
    env = BatchEnv(game, ROWS, variant=variant, players=players)
    env.reset(seeds=0)
    agent = agents.make(f"ismcts,iterations={iterations}", game)
    assert isinstance(agent, TreeSearch)
    row = 0

    def chunk() -> int:
        nonlocal row
        before, row = agent.played, (row + 1) % ROWS
        agent.act(env.decisions(np.array([row])))
        return agent.played - before

    return chunk


def games_of(setting: str, iterations: int) -> float:
    """Mean decisions of an imagined game, down the tree and to its end."""
    chunk = searched(setting, iterations)
    return sum(int(chunk()) for _ in range(ROWS)) / (ROWS * iterations)  # type: ignore[arg-type]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.search", description=__doc__.split("\n")[0])
    parser.add_argument("--setting", action="append", help=f"may be repeated ({', '.join(SETTINGS)})")
    parser.add_argument("--iterations", type=int, default=ITERATIONS, help="of each search (%(default)s)")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5, help="of each chunk in a round (%(default)s)")
    given = parser.parse_args(arguments)
    print("| ismcts, one core | games imagined per second | decisions per second | times bare random play |\n| --- | ---: | ---: | ---: |")
    for setting in given.setting or SETTINGS:
        game, variant, players = speed.find_setting(setting)
        chunks = {"bare": speed.bare(game, variant, players), "search": searched(setting, given.iterations)}
        rates = speed.interleaved(chunks, given.rounds, given.seconds)
        rate = statistics.median(rates["search"])
        length = games_of(setting, given.iterations)
        print(f"| {setting} | {rate / length / 1000:.0f} k | {rate / 1e6:.1f} M | {speed.ratio(rates, 'search', 'bare'):.2f} |", flush=True)
    print(f"\n{given.iterations:,} iterations a decision, medians of {given.rounds} rounds; load average {speed.load():.1f}")


if __name__ == "__main__":
    main()
