"""Fit a value function for control variates (`docs/controls.md`), on deals of its own seed, and write it to a file.

python -m benchmarks.values --setting 101-2p --out 101.safetensors
tromf evaluate 101 expert journeyman --controls 101.safetensors
"""

import argparse
from pathlib import Path

from tromf.commands import speed
from tromf.evaluate.luck import controls, values

SEED = 20261130


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.values", description=__doc__.split("\n")[0])
    parser.add_argument("--setting", default=speed.main_setting(speed.settings()), help="game or variant and players (%(default)s)")
    parser.add_argument("--agents", default="expert,journeyman", help="rule agents that play, one drawn for each side (%(default)s)")
    parser.add_argument("--games", type=int, default=200_000, help="games played (%(default)s)")
    parser.add_argument("--often", type=float, default=0.3, help="share of positions kept where chance has just come in (%(default)s)")
    parser.add_argument("--seldom", type=float, default=0.03, help="share of positions kept elsewhere (%(default)s)")
    parser.add_argument("--passes", type=int, default=5, help="passes over the positions (%(default)s)")
    parser.add_argument("--seed", type=int, default=SEED, help="seed of the deals, on which no evaluation may be made (%(default)s)")
    parser.add_argument("--out", type=Path, required=True, help="file to write")
    given = parser.parse_args()
    game, variant, players = speed.find_setting(given.setting)
    blank = game.states(1, variant, players=players)
    words, targets = values.positions(game, blank, given.agents.split(","), given.games, given.seed, given.often, given.seldom)
    print(f"{given.games:,} games, {len(words) // players:,} positions")
    tensors = values.fit(game, words, targets, seed=given.seed, passes=given.passes)
    settings = {name: value for name, value in vars(given).items() if name not in ("out", "seed")}
    values.save(given.out, game, tensors, given.seed, settings)
    print(f"{given.out} ({controls.find(str(given.out)).digest})")


if __name__ == "__main__":
    main()
