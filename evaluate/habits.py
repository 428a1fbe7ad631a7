"""How agents play and how long they think, from a sample of blocks replayed decision by decision."""

from collections.abc import Sequence

import numpy as np

from tromf.evaluate.blocks import one_torch_thread, start
from tromf.evaluate.replay import steps
from tromf.evaluate.result import Measure, Pace
from tromf.evaluate.setting import Setting
from tromf.evaluate.statistics.intervals import ENDS, Estimate

MOST, LEAST, SHARE = 200, 10, 20  # blocks of a sample: one of twenty, but so many
GAMES = 8192  # side by side
REPLICATES = 1000


def sample_of(blocks: int) -> int:
    """How many of the blocks are replayed, unless a number is given: the first ones."""
    return min(blocks, max(LEAST, min(MOST, blocks // SHARE)))


def measure(setting: Setting, matches: Sequence[np.ndarray], blocks: int, seed: int) -> tuple[tuple[Measure, ...], tuple[Pace, ...]]:
    """Replay the first blocks of some matches, given by their seatings, (k, players); the habits of the agents, and their pace.

    Figures are ratios of sums over all matches; intervals are by bootstrap over blocks. An agent has no figure for what it never could do.
    """
    game, habits = setting.game, setting.game.habits
    sums = np.zeros((2, len(habits), len(setting.agents), blocks))
    clock = np.zeros((len(setting.agents), 3))
    step = max(1, GAMES // sum(map(len, matches)))
    with one_torch_thread():
        for first in range(0, blocks, step):
            count = min(step, blocks - first)
            states = np.concatenate([start(setting.blank, len(match), seed, first, count) for match in matches])
            table = np.concatenate([np.tile(match, (count, 1)) for match in matches])
            block = first + np.concatenate([np.repeat(np.arange(count), len(match)) for match in matches])
            for rows, decided in steps(game, states, setting.agents, table, clock):
                deciders = table[rows, decided.seats]
                for h, habit in enumerate(habits):
                    for total, amount in zip(sums[:, h], habit.count(decided)):
                        np.add.at(total, (deciders, block[rows]), amount)
    measures = tuple(
        Measure(name, habit.name, _ratio(sums[0, h, agent], sums[1, h, agent], seed), int(sums[1, h, agent].sum()))
        for h, habit in enumerate(habits)
        for agent, name in enumerate(setting.names)
        if sums[1, h, agent].any()
    )
    paces = tuple(
        Pace(name, float(seconds), int(decisions), float(decisions / asked))
        for name, (seconds, decisions, asked) in zip(setting.names, clock)
        if asked
    )
    return measures, paces


def _ratio(top: np.ndarray, bottom: np.ndarray, seed: int) -> Estimate:
    """The ratio of two sums over blocks, with its percentile bootstrap interval."""
    weights = np.random.default_rng(seed).multinomial(len(top), np.full(len(top), 1 / len(top)), size=REPLICATES)
    below = weights @ bottom
    ratios = (weights @ top)[below > 0] / below[below > 0]
    low, high = np.quantile(ratios, ENDS)
    return Estimate(float(top.sum() / bottom.sum()), float(low), float(high))
