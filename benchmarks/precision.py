"""Deals for equal precision: of independent games, of duplicate blocks, and of these with control variates (`docs/controls.md`).

    python -m benchmarks.precision --setting 101-2p --controls 101-2p-1 expert expert,hoard_late=2

Two agents play duplicate blocks. *Independent* is what the games say when each deal is played once, the first agent on a side drawn for
it; *duplicate* the mean of a block; *controls* this with luck taken off. The ratio of the variances says how many times fewer deals than
independent ones give a mean return of the same precision; as a block is several games, the same is said of games. Intervals are 95 %
percentile bootstrap intervals over blocks.
"""

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from tromf.commands import speed
from tromf.commands.common import write_json
from tromf.commands.terminal import progress_bar
from tromf.evaluate.blocks import outcomes
from tromf.evaluate.luck import controls
from tromf.evaluate.seatings import one_among
from tromf.evaluate.setting import Setting
from tromf.evaluate.statistics import intervals

REPLICATES = 2000


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.precision", description=__doc__.split("\n")[0])
    parser.add_argument("agents", nargs=2, metavar="AGENT", help="two agents that play alike")
    parser.add_argument("--setting", default=speed.main_setting(speed.settings()), help="game or variant and players (%(default)s)")
    parser.add_argument("--controls", help="name or file of a value function (none: duplicate only)")
    parser.add_argument("--redraws", type=int, default=controls.REDRAWS, help="of what chance holds (%(default)s)")
    parser.add_argument("--deals", type=int, default=5000, help="deal blocks (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the deals (%(default)s)")
    parser.add_argument("--threads", type=int, help="all cores by default")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    game, variant, players = speed.find_setting(given.setting)
    setting = Setting(game, given.agents, variant, {"players": players})
    found = None if given.controls is None else replace(controls.find(given.controls), redraws=given.redraws)
    if found is not None:
        found.check(game, setting.agents, given.seed)
    one, other = map(setting.index, given.agents)
    seatings = setting.seated(one_among(one, other, setting.sides))
    with progress_bar() as progress:
        how: dict[str, Any] = {"threads": given.threads, "progress": progress, "controls": found}
        (outcome,) = outcomes(game, setting.blank, [seatings], setting.agents, given.deals, given.seed, **how)
    games = np.stack([outcome.returns[:, k, seats == one].mean(axis=1) for k, seats in enumerate(seatings)], axis=1)
    plain = outcome.of_agent(one, outcome.returns)
    if np.ptp(plain) < intervals.DUST:
        parser.error("all deal blocks are equal: the two play alike, and there is nothing to be told apart")
    shown: dict[str, Any] = {"setting": given.setting, "agents": given.agents, "deals": given.deals, "seed": given.seed}
    kinds = {"duplicate": plain}
    if found is not None:
        corrections = outcome.of_agent(one, outcome.controls)
        kinds["duplicate and controls"] = plain + corrections
        error = float(corrections.std()) / len(corrections) ** 0.5
        shown |= {"controls": found.name, "digest": found.digest, "redraws": found.redraws}
        shown |= {"correction": float(corrections.mean()), "correction_error": error}
        print(f"controls {found.name} ({found.digest}); mean correction {corrections.mean():+.5f}, standard error {error:.5f}")
    print(f"{given.setting}, {' against '.join(given.agents)}, {given.deals:,} deal blocks of {len(seatings)} games, seed {given.seed}\n")
    print("| | times fewer deals | times fewer games |\n| --- | --- | --- |\n| independent games | 1 | 1 |")
    for name, values in kinds.items():
        ratios = fewer(games, values, given.seed)
        shown[name] = {"deals": ratios, "games": [ratio / len(seatings) for ratio in ratios]}
        print(f"| {name} | {text(shown[name]['deals'])} | {text(shown[name]['games'])} |")
    if given.json:
        write_json(given.json, shown)


def fewer(games: np.ndarray, values: np.ndarray, seed: int) -> list[float]:
    """How many times the variance of the values of blocks, (blocks,), is smaller than that of single games, (blocks, seatings), with an
    interval."""
    powers = np.stack([games.mean(axis=1), (games**2).mean(axis=1), values, values**2], axis=1)
    rng, blocks = np.random.default_rng(seed), len(values)
    means = [powers.mean(axis=0), *(powers[rng.integers(blocks, size=blocks)].mean(axis=0) for _ in range(REPLICATES))]
    ratios = [(square - mean**2) / max(after - between**2, 1e-300) for mean, square, between, after in means]
    return [float(ratios[0]), *map(float, np.quantile(ratios[1:], [0.025, 0.975]))]


def text(ratio: list[float]) -> str:
    return f"{ratio[0]:.2f} [{ratio[1]:.2f}, {ratio[2]:.2f}]"


if __name__ == "__main__":
    main()
