"""Records of evaluated games, for people to look at and `tromf replay` to show."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tromf.agents import Agent
from tromf.envs import record
from tromf.envs.registry import Game
from tromf.evaluate.blocks import one_torch_thread, start
from tromf.evaluate.replay import steps

BLOCKS = 10  # of every match, so many blocks are recorded


def write(
    path: str | Path,
    game: Game,
    variant: str,
    options: dict[str, Any],
    matches: Sequence[np.ndarray],
    agents: Sequence[Agent],
    names: Sequence[str],
    blocks: int,
    seed: int,
) -> None:
    """Play the first blocks of some matches once more, with every decision kept, and write their records.

    Args:
        matches: for each its seatings, (seatings, players) int, indices of agents. names: the agents', for the records.
    """
    blank = game.states(1, variant, **options)
    records = []
    with one_torch_thread():
        for seatings in matches:
            dealt = start(blank, len(seatings), seed, 0, min(blocks, BLOCKS))
            table = np.tile(seatings, (min(blocks, BLOCKS), 1))
            for begun, seats, actions in zip(dealt, table, decisions(game, dealt.copy(), agents, table)):
                records.append(record.of(game, variant, options, begun, actions, [names[agent] for agent in seats]))
    record.write(path, records, append=False)


def decisions(game: Game, states: np.ndarray, agents: Sequence[Agent], table: np.ndarray) -> list[list[int]]:
    """All decisions of every game, forced ones too, as `agents.play.play` makes them; the games are played to their end."""
    made: list[list[int]] = [[] for _ in states]
    for rows, decided in steps(game, states, agents, table):
        for row, action in zip(rows.tolist(), decided.actions.tolist()):
            made[row].append(action)
    return made
