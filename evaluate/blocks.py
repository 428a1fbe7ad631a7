"""Deal blocks: one deck and one dealer, played in all seatings compared; the unit of every statistic.

Block k is a function of (seed, k) alone: its deck, its dealer (seat k modulo players, so that the dealer moves left from block
to block) and the game's own chance. So all seatings, and all agents ever compared on the same seed, meet the same deals.
"""

import copy
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from queue import SimpleQueue

import numpy as np

from tromf.agents import Agent
from tromf.agents.play import play
from tromf.envs import verbs
from tromf.envs.batch import begin
from tromf.envs.jit import compiled, stream
from tromf.envs.registry import Game

BATCH = 4096  # games played side by side


@compiled
def begin_blocks(states, seatings, seed, first):
    """Start the blocks from number `first` on, each in so many successive rows."""
    for i in range(states.shape[0]):
        block = first + i // seatings
        begin(states[i], stream(seed, block), block % np.int64(states[i].options.players), False)


@compiled
def read_outcomes(states, returns, truncated):
    """Write the returns, (N, players), of finished games, and whether they were cut off, (N,)."""
    for i in range(states.shape[0]):
        verbs.returns(states[i], returns[i])
        truncated[i] = verbs.truncated(states[i])


@dataclass
class Outcome:
    """How the games of a match ended.

    Attributes:
        seatings: (seatings, players) int, the index of the agent in each seat.
        returns: (blocks, seatings, players) float64.
        lost: (blocks, seatings, players) bool, which seats lost their deal: its loser, or without one those with a negative return.
        truncated: (blocks, seatings) bool.
    """

    seatings: np.ndarray
    returns: np.ndarray
    lost: np.ndarray
    truncated: np.ndarray

    def of_agent(self, agent: int, values: np.ndarray) -> np.ndarray:
        """The mean of some values, (blocks, seatings, players), over the seats of one agent, (blocks,)."""
        return values[:, self.seatings == agent].mean(axis=1)


def start(blank: np.ndarray, seatings: int, seed: int, first: int, blocks: int) -> np.ndarray:
    """Started episodes of the blocks from number `first` on, (blocks × seatings,) records; `blank` is one with the options set."""
    states = np.repeat(blank[:1], blocks * seatings)
    begin_blocks(states, seatings, np.uint64(seed % 2**64), first)
    return states


def has_losers(game: Game) -> bool:
    """Whether a deal of the game has one loser, named in the record."""
    return "loser" in (game.state.names or ())


def play_matches(
    game: Game,
    blank: np.ndarray,
    matches: Sequence[np.ndarray],
    agents: Sequence[Agent],
    blocks: int,
    seed: int,
    threads: int | None = None,
    batch: int = BATCH,
    progress: Callable[[int, int], None] | None = None,
) -> list[Outcome]:
    """Play several matches on the same blocks. The outcomes depend neither on `threads` (all cores by default) nor on `batch`.

    Args:
        blank: one record with the options set, (1,).
        matches: for each match its seatings, (seatings, players) int, indices of agents.
        batch: games played side by side; more are faster for networks and take more memory.
        progress: is told, now and then, how many games have ended and how many there are.
    """
    threads = threads or cores()
    players = int(blank["options"]["players"][0])
    outcomes = [
        Outcome(
            seatings,
            np.zeros((blocks, len(seatings), players)),
            np.zeros((blocks, len(seatings), players), np.bool_),
            np.zeros((blocks, len(seatings)), np.bool_),
        )
        for seatings in map(np.asarray, matches)
    ]
    crews: SimpleQueue[list[Agent]] = SimpleQueue()
    for crew in range(threads):
        crews.put([agent if crew == 0 or agent.compiled is not None else copy.deepcopy(agent) for agent in agents])

    def play_part(outcome: Outcome, first: int, end: int) -> int:
        crew = crews.get()  # agents may remember their games, so no two threads share one
        try:
            states = start(blank, len(outcome.seatings), seed, first, end - first)
            play(game, states, crew, np.tile(outcome.seatings, (end - first, 1)))
        finally:
            crews.put(crew)
        returns, truncated = np.zeros((len(states), players)), np.zeros(len(states), np.bool_)
        read_outcomes(states, returns, truncated)
        lost = states["loser"][:, None] == np.arange(players) if has_losers(game) else returns < 0
        shape = (end - first, len(outcome.seatings))
        outcome.returns[first:end] = returns.reshape(*shape, players)
        outcome.lost[first:end] = lost.reshape(*shape, players)
        outcome.truncated[first:end] = truncated.reshape(shape)
        return len(states)

    with one_torch_thread(), ThreadPoolExecutor(threads) as pool:
        play_part(outcomes[0], 0, 1)  # what is not compiled yet is compiled by this one block, on the thread that hears Ctrl-C
        spans = [(outcome, *span) for outcome in outcomes for span in spans_of(outcome, batch, threads)]
        ended, total = 0, sum(outcome.truncated.size for outcome in outcomes)
        try:
            for part in as_completed([pool.submit(play_part, *span) for span in spans]):
                ended += part.result()
                if progress is not None:
                    progress(ended, total)
        except BaseException:  # an interrupt too: what has not begun shall not begin
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return outcomes


def spans_of(outcome: Outcome, batch: int, threads: int) -> Iterator[tuple[int, int]]:
    """Parts of a match that are played side by side: first block and the one after the last."""
    blocks, seatings = outcome.truncated.shape
    size = max(1, min(batch // seatings, -(-blocks // threads)))
    for first in range(0, blocks, size):
        yield first, min(first + size, blocks)


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def one_torch_thread() -> Iterator[None]:
    """Let torch, if some agent has loaded it, compute in the calling thread: the games are what is divided among threads."""
    torch = sys.modules.get("torch")
    if torch is None:
        yield
        return
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
