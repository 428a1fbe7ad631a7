"""Games played decision by decision: for records, and to see how agents play."""

from collections.abc import Iterator, Sequence

import numpy as np

from tromf.agents import Agent
from tromf.agents.play import ask
from tromf.envs import batch
from tromf.envs.habits import Decisions
from tromf.envs.registry import Game


def steps(
    game: Game, states: np.ndarray, agents: Sequence[Agent], table: np.ndarray, clock: np.ndarray | None = None
) -> Iterator[tuple[np.ndarray, Decisions]]:
    """Play started episodes to their end, as `agents.play.play` does, and give every decision, forced ones too, before it takes effect.

    Args:
        states: (N,) records, changed in place. table: (N, players) int, the index of the agent that plays each seat.
        clock: as for `agents.play.ask`.

    Gives, for one decision of every unfinished game at a time, the rows of these games, (k,), and the decisions. The records in them are
    copies.
    """
    n = len(states)
    for agent in agents:
        agent.reset(np.arange(n))
    seats, masks, observations = np.zeros(n, np.int64), np.zeros(n, np.uint64), np.zeros((n, game.words), np.uint64)
    while True:
        batch.look_rows(states, seats, observations, masks)
        going = np.flatnonzero(masks)
        if not len(going):
            return
        actions = np.bitwise_count(~masks & (masks - np.uint64(1))).astype(np.int64)  # the only one, where there is only one
        choosing = going[np.bitwise_count(masks[going]) > 1]
        for _, asked, chosen in ask(game, states, observations, masks, seats, agents, table, choosing, clock):
            actions[asked.rows] = chosen
        yield going, Decisions(states[going], seats[going], masks[going], actions[going])
        batch.apply_chosen(states, going, actions)
