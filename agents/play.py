"""Whole games between agents of any kind: rule agents inside compiled loops, all others asked in batches."""

import time
from collections.abc import Iterator, Sequence

import numpy as np

from tromf.agents.base import Agent
from tromf.agents.rule import advance
from tromf.envs import batch
from tromf.envs.registry import Game


def knobs_of(agents: Sequence[Agent]) -> tuple[np.ndarray, np.ndarray]:
    """The knobs of the rule agents among some, (m,) records, and for each agent its place there, (a,) int64, -1 for the others."""
    records = [agent.compiled for agent in agents if agent.compiled is not None]
    places = np.cumsum([agent.compiled is not None for agent in agents]) - 1
    places[[agent.compiled is None for agent in agents]] = -1
    return np.array(records) if records else np.zeros(0), places.astype(np.int64)


def play(game: Game, states: np.ndarray, agents: Sequence[Agent], table: np.ndarray) -> None:
    """Play started episodes to their end, in place.

    Args:
        states: (N,) records. table: (N, players) int, the index of the agent that plays each seat. Row i keeps the id i for
            agents with memory. Decisions with one legal action are not asked for. The outcome does not depend on N.

    Raises `IllegalAction`, naming the agent, if one decides against the rules.
    """
    knobs, places = knobs_of(agents)
    compiled_table = places[table]
    rows = np.arange(len(states))
    for agent in agents:
        agent.reset(rows)
    scratch = np.zeros(1, game.state)
    n = len(states)
    seats, masks, observations = np.zeros(n, np.int64), np.zeros(n, np.uint64), np.zeros((n, game.words), np.uint64)
    while True:
        if len(knobs):
            advance(states, compiled_table, knobs, scratch, True)
        else:
            batch.skip_all_forced(states)
        batch.look_rows(states, seats, observations, masks)
        asked = np.flatnonzero(masks)
        if not len(asked):
            return
        actions = np.zeros(n, np.int64)
        for _, decisions, chosen in ask(game, states, observations, masks, seats, agents, table, asked):
            actions[decisions.rows] = chosen
        batch.apply_chosen(states, asked, actions)


def ask(
    game: Game,
    states: np.ndarray,
    observations: np.ndarray,
    masks: np.ndarray,
    seats: np.ndarray,
    agents: Sequence[Agent],
    table: np.ndarray,
    rows: np.ndarray,
    clock: np.ndarray | None = None,
) -> Iterator[tuple[int, batch.Batch, np.ndarray]]:
    """Ask the agents that are to decide in some rows, (k,) indices, each for all its decisions at once.

    Args:
        states, observations, masks, seats: as `batch.look_rows` leaves them. table: (N, players) int, the index of the agent in each seat.
        clock: (agents, 3): to it are added, for every agent, the seconds that it took, its decisions, and how often it was asked.

    Gives the index of an agent, its decisions, and its actions, int64. `IllegalAction` names the agent, if one is against the rules.
    """
    deciders = table[rows, seats[rows]]
    for index in np.unique(deciders).tolist():
        decisions, begun = batch.decisions(game, states, observations, masks, seats, rows[deciders == index]), time.perf_counter()
        actions = np.asarray(agents[index].act(decisions), np.int64)
        if clock is not None:
            clock[index] += time.perf_counter() - begun, len(decisions), 1
        wrong = batch.first_illegal(decisions.masks, actions)
        if wrong >= 0:
            row, mask = decisions.rows[wrong], int(decisions.masks[wrong])
            named = batch.describe_illegal(game, states[row], int(seats[row]), int(actions[wrong]), mask)
            raise batch.IllegalAction(f"agent {agents[index].spec}: {named}")
        yield index, decisions, actions


def returns(states: np.ndarray, players: int) -> np.ndarray:
    """The returns of finished games, (N, players) float64."""
    result = np.zeros((len(states), players))
    batch.returns_rows(states, result)
    return result
