"""Whole games between agents of any kind: rule agents inside compiled loops, all others asked in batches."""

from collections.abc import Sequence

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
        deciders = table[asked, seats[asked]]
        for index in np.unique(deciders):
            mine = asked[deciders == index]
            actions[mine] = agents[index].act(batch.decisions(game, states, observations, masks, seats, mine))
        wrong = batch.first_illegal(masks, actions)
        if wrong >= 0:
            who = agents[table[wrong, seats[wrong]]].spec
            named = batch.describe_illegal(game, states[wrong], int(seats[wrong]), int(actions[wrong]), int(masks[wrong]))
            raise batch.IllegalAction(f"agent {who}: {named}")
        batch.apply_chosen(states, asked, actions)


def returns(states: np.ndarray, players: int) -> np.ndarray:
    """The returns of finished games, (N, players) float64."""
    result = np.zeros((len(states), players))
    batch.returns_rows(states, result)
    return result
