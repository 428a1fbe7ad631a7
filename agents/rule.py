"""Rule agents: a record of knobs and a compiled decision, so that whole matches run inside compiled loops."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types
from numba.extending import overload

from tromf.agents.base import Agent
from tromf.envs import verbs
from tromf.envs.batch import Batch, decision_draw
from tromf.envs.jit import compiled, nth, popcount
from tromf.envs.words import spread_masks

DRAWS = np.arange(8, dtype=np.uint64) * np.uint64((1 << 61) + 1)  # their highest and their lowest bits differ

RANDOM = 0  # the kind of the agent that plays at random, in the knobs of every game

_DECISIONS: dict[tuple[np.dtype, np.dtype], Callable] = {}


def register(state: np.dtype, knobs: np.dtype, function: Callable) -> None:
    """Say which compiled function decides for agents with these knobs in games with these records."""
    if (state, knobs) in _DECISIONS:
        raise ValueError("a decision is already registered for these dtypes")
    _DECISIONS[state, knobs] = function


def decide(concealed, knobs, draw):
    """The action, int64, that a rule agent with these knobs takes, given a concealed record and 64 random bits."""
    return _DECISIONS[concealed.dtype, knobs.dtype](concealed, knobs, draw)


@overload(decide)
def _decide(concealed, knobs, draw):
    if not isinstance(concealed, types.Record) or not isinstance(knobs, types.Record):
        return None
    chosen = _DECISIONS[concealed.dtype, knobs.dtype]
    return lambda concealed, knobs, draw: chosen(concealed, knobs, draw)


@compiled
def random_action(state, draw):
    """A uniformly random legal action."""
    actions = verbs.legal(state)
    return np.int64(nth(actions, ((draw >> np.uint64(32)) * popcount(actions)) >> np.uint64(32)))


@compiled
def decide_rows(concealed, knobs, draws, actions):
    for k in range(concealed.shape[0]):
        actions[k] = decide(concealed[k], knobs, draws[k])


@compiled
def advance(states, table, knobs, scratch, skip_forced):
    """Play every game on while a rule agent is to decide, and stop at the end or at somebody else's decision.

    Args:
        states: (N,) records. table: (N, players) int, which of the knobs plays a seat, -1 for seats that are asked.
        knobs: (m,) records. scratch: (1,) record. skip_forced: play decisions with one legal action for everybody.
    Returns the number of decisions made.
    """
    made = 0
    for i in range(states.shape[0]):
        state = states[i]
        while not verbs.over(state):
            actions = verbs.legal(state)
            if popcount(actions) == 1 and skip_forced:
                verbs.apply(state, nth(actions, 0))
                continue
            seat = verbs.actor(state)
            who = table[i, seat]
            if who < 0:
                break
            scratch[0] = state
            verbs.conceal(scratch[0], seat)
            verbs.apply(state, decide(scratch[0], knobs[who], decision_draw(state)))
            made += 1
    return made


class RuleAgent(Agent):
    """An agent given by knobs, a record; its decisions depend on nothing else but the concealed record and the draw."""

    def __init__(self, spec: str, knobs: Any) -> None:
        self.spec, self.compiled = spec, knobs

    def act(self, batch: Batch) -> np.ndarray:
        actions = np.empty(len(batch), np.int64)
        decide_rows(batch.concealed(), self.compiled, batch.draws, actions)
        return actions

    def probabilities(self, batch: Batch) -> np.ndarray:
        """`random` is uniform over the legal actions. The others decide one way whatever they draw, or it is a `ValueError`."""
        if self.compiled["kind"] == RANDOM:
            legal = np.empty((len(batch), batch.game.actions), np.bool_)
            spread_masks(batch.masks, legal)
            return legal / legal.sum(axis=1, keepdims=True)
        records, actions, others = batch.concealed(), np.empty(len(batch), np.int64), np.empty(len(batch), np.int64)
        for k, draw in enumerate(DRAWS):
            decide_rows(records.copy(), self.compiled, np.full(len(batch), draw), others if k else actions)
            if k and (others != actions).any():
                raise ValueError(f"agent {self.spec} draws lots at some decisions, and does not say with which probabilities")
        return np.eye(batch.game.actions)[actions]
