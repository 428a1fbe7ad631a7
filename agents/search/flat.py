"""Flat search over worlds, known as perfect-information Monte Carlo (Levy, The Million Pound Bridge Program, 1989; Ginsberg 1999).

Worlds are drawn that agree with what the seat knows. In each every legal action is tried once, and the rest of the game is solved with
open cards or played by a rule agent. The action with the greatest mean return is taken.
"""

from typing import Any

import numpy as np

from tromf.agents.base import Agent
from tromf.agents.exact import memory_for
from tromf.agents.search.leaf import leaf
from tromf.agents.search.settings import parts
from tromf.envs import verbs
from tromf.envs.batch import Batch
from tromf.envs.jit import ONE, bit, compiled, lowest, stream
from tromf.envs.registry import Game

PART = 4  # worlds between two looks at the clock


@compiled
def begin(states, k, seat, draw, plan, rng, totals):
    """Begin to search for row k."""
    rng[0].rng = stream(draw, 0)
    verbs.prepare(states[k], seat, plan[0])
    totals[:] = 0.0


@compiled
def try_worlds(plan, actions, seat, worlds, solve, memory, knobs, scratch, rng, out, totals):
    """Try the actions of a set in so many more worlds and add the seat's returns to `totals`, (64,); the number of decisions played."""
    played = np.int64(0)
    for _ in range(worlds):
        verbs.resample(plan[0], scratch[2], rng[0])
        rest = actions
        while rest:
            action = lowest(rest)
            rest &= rest - ONE
            scratch[1] = scratch[2]
            verbs.apply(scratch[1], action)
            played += 1 + leaf(scratch[1], solve, memory, knobs[0], scratch, rng[0], out)
            totals[action] += out[seat]
    return played


@compiled
def best(actions, totals):
    """The action, of a set, with the greatest total; of several the first."""
    chosen = np.int64(lowest(actions))
    for action in range(chosen, 64):
        if actions & bit(action) and totals[action] > totals[chosen]:
            chosen = np.int64(action)
    return chosen


class FlatSearch(Agent):
    """`pimc`: see the top of this file.

    Args:
        knobs: of the rule agent that plays on. worlds: imagined for each decision; with `ms`, milliseconds by the clock, as many
            as fit, and then decisions depend on the machine. exact: whether the game's solver is asked.

    Attributes: played: imagined decisions so far.
    """

    def __init__(self, spec: str, game: Game, knobs: Any, *, worlds: int, ms: float | None, exact: int) -> None:
        self.spec, self.worlds, self.ms, self.played = spec, worlds, ms, 0
        self._solve, self._memory, self._knobs = bool(exact), memory_for(game), np.array([knobs])
        self._scratch, self._plan = np.zeros(3, game.state), np.zeros(1, game.plan)
        self._rng = np.zeros(1, [("rng", np.uint64)])
        self._out, self._totals = np.zeros(game.max_players), np.zeros(64)

    def act(self, batch: Batch) -> np.ndarray:
        states, chosen = batch.concealed(), np.empty(len(batch), np.int64)
        for k, (actions, seat, draw) in enumerate(zip(batch.masks, batch.seats, batch.draws)):
            if not actions & (actions - ONE):  # nothing to decide
                chosen[k] = int(actions).bit_length() - 1
                continue
            begin(states, k, seat, draw, self._plan, self._rng, self._totals)
            for worlds in parts(self.worlds, self.ms, PART):
                self.played += try_worlds(
                    self._plan, actions, seat, worlds, self._solve, self._memory, self._knobs, self._scratch, self._rng, self._out,
                    self._totals,
                )  # fmt: skip
            chosen[k] = best(actions, self._totals)
        return chosen
