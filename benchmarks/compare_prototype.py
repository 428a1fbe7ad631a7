"""Our bare random decisions beside an early prototype of the same loop, interleaved in one process.

    python -m benchmarks.compare_prototype FOLDER

FOLDER holds the prototype: modules `loops` (with `play_randomly`) and `mustamaija` (with the record dtype `STATE`).
"""

import argparse
import sys
from pathlib import Path
from typing import Any

import numpy as np

from tromf.commands import speed

DECISIONS = 40


def prototype(folder: Path, players: int) -> speed.Chunk:
    """Random decisions of the prototype, as many games at once as ours."""
    sys.path.insert(0, str(folder))
    import loops  # type: ignore[import-not-found]
    import mustamaija  # type: ignore[import-not-found]

    states = np.zeros(speed.ROWS, mustamaija.STATE)
    states["players"], states["hand_size"], states["rng"] = players, 5, np.arange(speed.ROWS)

    def chunk() -> int:
        loops.play_randomly(states, DECISIONS)
        return DECISIONS * speed.ROWS

    return chunk


def compare(folder: Path, players: int, rounds: int, seconds: float) -> dict[str, Any]:
    """Decisions per second of both, and the median of the ratios."""
    game, variant, _ = speed.find_setting(f"mustamaija-{players}p")
    chunks = {"ours": speed.bare(game, variant, players, decisions=DECISIONS), "prototype": prototype(folder, players)}
    rates = speed.interleaved(chunks, rounds, seconds)
    return {**speed.medians(rates), "ratio": speed.ratio(rates, "ours", "prototype")}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5)
    arguments = parser.parse_args()
    if not (arguments.folder / "loops.py").is_file():
        sys.exit(f"no prototype in {arguments.folder}: it has no loops.py")
    for players in (2, 4, 6):
        found = compare(arguments.folder, players, arguments.rounds, arguments.seconds)
        rates = f"{found['ours'] / 1e6:.1f} M to {found['prototype'] / 1e6:.1f} M decisions per second"
        print(f"{players} players: {found['ratio']:.2f} of the prototype ({rates}), load average {speed.load():.2f}")


if __name__ == "__main__":
    main()
