"""Do the statistics err as often as they say? Simulated matches, drawn from deal blocks of real games.

    python -m benchmarks.calibrate                   # a few minutes on two cores
    python -m benchmarks.calibrate --write           # and write the tables into docs/calibration.md
    python -m benchmarks.calibrate --matches 1000    # faster and rougher

A pair of agents is played once for many blocks, whose outcomes are then the truth: a simulated match draws from them. *A/B* matches draw
outcomes as they are; *A/A* matches are between equal agents, and the outcomes are weighted so that their mean is 0; weights
proportional to exp(t × outcome) do so while outcomes stay what a deal can bring, zeros and all. The same weighting makes a mean of exactly
the margin, the hardest case for a test. Ends with exit code 1 if a figure is not what is said of it.
"""

import argparse
import shlex
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from scipy import stats
from scipy.optimize import brentq

from tromf.agents import registry as agents
from tromf.commands import speed
from tromf.commands.measured import fill
from tromf.envs import registry
from tromf.evaluate.blocks import cores, play_matches
from tromf.evaluate.matches import BLOCKS
from tromf.evaluate.reports.page import Table
from tromf.evaluate.seatings import one_among
from tromf.evaluate.setting import Setting
from tromf.evaluate.statistics import intervals, multiple, power, sequential

PAGE = Path(__file__).parent.parent / "docs" / "calibration.md"
PLAYED = 20_000  # blocks of each pair
REPLICATES = 199  # of a bootstrap: the fewest whose quantiles are exact; an evaluation has 4,000, which only makes ends less random
FIXED = 1000  # blocks of the test of fixed length beside which the sequential one stands
COVERAGE = (0.94, 0.96)
SHORTER = 0.6  # mean length of the sequential test, of that of fixed length


@dataclass(frozen=True)
class Outcomes:
    """What a deal block may bring: distinct values, (K,), and their chances, (K,)."""

    values: np.ndarray
    chances: np.ndarray

    @property
    def mean(self) -> float:
        return float(self.values @ self.chances)

    @property
    def deviation(self) -> float:
        return float(np.sqrt((self.values - self.mean) ** 2 @ self.chances))

    def tilted(self, mean: float) -> "Outcomes":
        """The same values with another mean: chances weighted by exp(t × value)."""
        apart = (self.values - mean) / self.deviation

        def weighted(t: float) -> np.ndarray:
            weights = self.chances * np.exp(t * apart - np.max(t * apart))
            return np.asarray(weights / weights.sum())

        if not apart.min() < 0 < apart.max():
            raise ValueError(f"{len(self.values)} different blocks, none of them on both sides of {mean:g}: play more (--played)")
        return Outcomes(self.values, weighted(brentq(lambda t: weighted(t) @ apart, -30, 30, xtol=1e-13)))

    def drawn(self, rng: np.random.Generator, matches: int, blocks: int) -> np.ndarray:
        """Values, (matches, blocks)."""
        return self.values[np.cumsum(self.chances)[:-1].searchsorted(rng.random((matches, blocks)))]

    def counted(self, rng: np.random.Generator, matches: int, blocks: int) -> np.ndarray:
        """How often each value occurs, (matches, K)."""
        return rng.multinomial(blocks, self.chances, size=matches)


def play(setting: str, one: str, other: str, blocks: int, seed: int) -> Outcomes:
    """The mean returns of one agent among others, by block."""
    game, variant, players = speed.find_setting(setting)
    made = Setting(game, [one, other], variant, {"players": players})
    seatings = made.seated(one_among(0, 1, made.sides))
    (outcome,) = play_matches(game, made.blank, [seatings], made.agents, blocks, seed)
    values, counts = np.unique(np.round(outcome.of_agent(0, outcome.returns), 12), return_counts=True)
    return Outcomes(values, counts / blocks)


def pairs() -> list[tuple[str, str, str]]:
    """Setting and agents of what is played: of every game a clear difference, a small one, and an expert without one of its habits."""
    found = []
    for name in registry.names():
        game = registry.find(name)[0]
        setting = game.measured[len(game.measured) // 2]
        found += [(setting, "expert", "journeyman"), (setting, "journeyman", "beginner")]
        for habit in agents.rules_of(game).HABITS:
            other = f"expert,{habit.name}=0"
            if habit.default and len(play(setting, "expert", other, 100, 0).values) > 1:  # some habits have no occasion in a variant
                found.append((setting, "expert", other))
                break
    return found


def coverage(outcomes: Outcomes, blocks: int, matches: int, seed: int) -> float:
    """Share of matches of so many blocks whose 95 % interval holds the true mean."""
    rng, held = np.random.default_rng((seed, 0)), 0
    for match in range(matches):
        found = intervals.mean(outcomes.drawn(rng, 1, blocks)[0], match, REPLICATES)
        held += found.low - 1e-9 <= outcomes.mean <= found.high + 1e-9
    return held / matches


def tested(outcomes: Outcomes, margin: float, matches: int, seed: int) -> tuple[float, float, float]:
    """Shares of sequential tests that accept H1 and H0, and the mean of their blocks."""
    rng = np.random.default_rng((seed, 1))
    common = outcomes.values[outcomes.chances.argmax()]
    sums, varied = np.zeros((3, matches)), np.zeros(matches)
    verdicts, length, last = np.zeros(matches), np.zeros(matches), 0
    going = np.arange(matches)
    for blocks in sequential.looks(sequential.CAP):
        values = outcomes.drawn(rng, len(going), blocks - last)
        sums[:, going] += sequential.sums_of(values)
        varied[going] += (values != common).sum(axis=1)
        verdicts[going] = sequential.decided(blocks, sums[:, going], varied[going], margin)
        length[going], last = blocks, blocks
        going = going[verdicts[going] == 0]
        if not len(going):
            break
    return float((verdicts == 1).mean()), float((verdicts == -1).mean()), float(length.mean())


def rejected(outcomes: Outcomes, blocks: int, matches: int, seed: int, level: float = power.ALPHA) -> float:
    """Share of matches whose mean a t test over blocks finds different from 0."""
    counts = outcomes.counted(np.random.default_rng((seed, 2)), matches, blocks)
    mean = counts @ outcomes.values / blocks
    variance = (counts @ outcomes.values**2 / blocks - mean**2) * blocks / (blocks - 1)
    some = variance > 0
    p = multiple.p_values(blocks, mean[some], variance[some] ** 0.5)
    return float((p < level).sum() / matches)


def judge(job: tuple[tuple[str, str, str], Outcomes, int, int]) -> dict[str, float]:
    """All figures of one pair."""
    _, outcomes, matches, seed = job
    equal = outcomes.tilted(0)
    figures = {"zeros": float(outcomes.chances[outcomes.values == 0].sum()), "mean": outcomes.mean, "deviation": outcomes.deviation}
    figures |= {"A/A": coverage(equal, BLOCKS, matches, seed), "A/B": coverage(outcomes, BLOCKS, matches, seed + 1)}
    figures["t"] = rejected(equal, BLOCKS, matches, seed)
    margin = 2 * float(stats.norm.isf(sequential.ERROR)) * equal.deviation / FIXED**0.5
    better = outcomes.tilted(margin)
    wrongly, _, without = tested(equal, margin, matches, seed)
    _, missed, with_it = tested(better, margin, matches, seed + 1)
    between = tested(outcomes.tilted(margin / 2), margin, matches, seed + 2)[2]
    fixed = [power.blocks_for_errors(each.deviation, margin, sequential.ERROR, sequential.ERROR) for each in (equal, better)]
    figures |= {"margin": margin, "alpha": wrongly, "beta": missed, "length 0": without / fixed[0], "length 1": with_it / fixed[1]}
    figures |= {"length 0.5": between / fixed[0]}
    difference = power.detectable(equal.deviation, FIXED)
    figures["power"] = rejected(outcomes.tilted(difference), FIXED, matches, seed + 3)
    return figures


def tables(found: dict[tuple[str, str, str], dict[str, float]]) -> str:
    """Markdown."""

    def percent(value: float, digits: int = 1) -> str:
        return f"{100 * value:.{digits}f} %"

    names = {pair: f"`{pair[0]}`, `{pair[1]}` against `{pair[2]}`" for pair in found}
    lengths = [
        [names[pair], f"{f['mean']:+.3f}", f"{f['deviation']:.3f}", percent(f["zeros"]), percent(f["A/A"]), percent(f["A/B"])]
        for pair, f in found.items()
    ]
    tests = [
        [names[pair], f"{f['margin']:.4f}", *(percent(f[each], 2) for each in ("alpha", "beta"))]
        + [percent(f[each], 0) for each in ("length 0", "length 1", "length 0.5")]
        for pair, f in found.items()
    ]
    others = [[names[pair], percent(f["t"], 2), percent(f["power"])] for pair, f in found.items()]
    heads = (
        ["pair", "mean:", "deviation:", "blocks of 0:", "A/A:", "A/B:"],
        ["pair", "margin:", "wrong at mean 0:", "wrong at the margin:", "length at 0:", "length at the margin:", "length half way:"],
        ["pair", "false alarms at 5 %:", "found:"],
    )
    titles = (
        f"Coverage of 95 % intervals, matches of {BLOCKS:,} blocks, as many as an evaluation plays by default:",
        f"The sequential test (stated errors 5 %), its mean length in parts of the test of fixed length, about {FIXED:,} blocks:",
        f"False alarms of the t test between equal agents ({BLOCKS:,} blocks), and how often it finds what `power` says is found in 80 % "
        f"({FIXED:,} blocks):",
    )
    return "\n\n".join(f"{title}\n\n{Table(head, rows).markdown()}" for title, head, rows in zip(titles, heads, (lengths, tests, others)))


def faults(found: dict[tuple[str, str, str], dict[str, float]]) -> list[str]:
    """What is not as it is said to be."""
    wrong = []
    for pair, f in found.items():
        for key, value in f.items():
            if key in ("A/A", "A/B") and not COVERAGE[0] <= value <= COVERAGE[1]:
                wrong.append(f"{' '.join(pair)}: {key}: intervals cover {100 * value:.2f} %")
            if key in ("alpha", "beta") and value > sequential.ERROR:
                wrong.append(f"{' '.join(pair)}: {key} is {100 * value:.2f} %")
    for key in ("length 0", "length 1"):
        mean = np.mean([f[key] for f in found.values()])
        if mean > SHORTER:
            wrong.append(f"{key}: the sequential test needs {100 * mean:.0f} % on average")
    return wrong


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.calibrate", description=__doc__.split("\n")[0])
    parser.add_argument("--matches", type=int, default=10_000, help="simulated matches for each figure (%(default)s)")
    parser.add_argument("--played", type=int, default=PLAYED, help="deal blocks played of each pair (%(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="seed of deals and simulations (%(default)s)")
    parser.add_argument("--write", action="store_true", help=f"write the tables into docs/{PAGE.name}")
    given = parser.parse_args(arguments)
    jobs = [(pair, play(*pair, given.played, given.seed), given.matches, 1000 * k + given.seed) for k, pair in enumerate(pairs())]
    with ProcessPoolExecutor(cores(), get_context("spawn")) as pool:
        found = dict(zip([job[0] for job in jobs], pool.map(judge, jobs)))
    command = shlex.join(["python", "-m", "benchmarks.calibrate", *(sys.argv[1:] if arguments is None else arguments)])
    sizes = f"{given.matches:,} matches for each figure, {given.played:,} blocks played of each pair, seed {given.seed}."
    text = f"```\n{command}\n```\n\n{sizes}\n\n{tables(found)}\n"
    print(text)
    if given.write:
        fill(PAGE, "calibration", text)
    wrong = faults(found)
    print("\n".join(wrong) or "All figures are what is said of them.")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
