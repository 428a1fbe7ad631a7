"""Deal blocks: one deck and one dealer, played in all seatings compared; the unit of every statistic.

Block k is a function of (seed, k) alone: its deck, its dealer (seat k modulo players, so that the dealer moves left from block
to block) and the game's own chance. So all seatings, and all agents ever compared on the same seed, meet the same deals.
"""

import copy
import os
import sys
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from queue import SimpleQueue
from typing import Any

import numpy as np

from tromf.agents import Agent
from tromf.agents.play import play
from tromf.envs.registry import Game
from tromf.evaluate.compiled import begin_blocks, read_outcomes
from tromf.evaluate.luck import controls as control
from tromf.evaluate.luck.controls import Controls
from tromf.evaluate.outcome import FIELDS, Outcome
from tromf.evaluate.storage.spans import Range, Spans, missing

__all__ = ["BATCH", "Outcome", "cores", "has_losers", "one_torch_thread", "outcomes", "play_matches", "start"]

BATCH = 4096  # games played side by side
SECONDS = 20.0  # a span of blocks should take about so long, or less where the batch is full
GROWTH = 16  # how much longer a span may be than one before it


def start(blank: np.ndarray, seatings: int, seed: int, first: int, blocks: int) -> np.ndarray:
    """Started episodes of the blocks from number `first` on, (blocks × seatings,) records; `blank` is one with the options set."""
    states = np.repeat(blank[:1], blocks * seatings)
    begin_blocks(states, seatings, np.uint64(seed % 2**64), first)
    return states


def has_losers(game: Game) -> bool:
    """Whether a deal of the game has one loser, named in the record."""
    return "loser" in (game.state.names or ())


def play_matches(*arguments: Any, **how: Any) -> list[Outcome]:
    """Play several matches on the same blocks: all that `outcomes` gives, which see for the arguments and for more than memory holds."""
    return list(outcomes(*arguments, **how))


def outcomes(
    game: Game,
    blank: np.ndarray,
    matches: Sequence[np.ndarray],
    agents: Sequence[Agent],
    blocks: int,
    seed: int,
    *,
    first: int = 0,
    threads: int | None = None,
    batch: int = BATCH,
    progress: Callable[[int, int], None] | None = None,
    spans: Spans | None = None,
    controls: Controls | None = None,
) -> Generator[Outcome, None, None]:
    """Play several matches on the same blocks, and give their outcomes one by one, in the order of the matches.

    The outcomes depend neither on `threads` (all cores by default) nor on `batch`, nor on what was played before.

    Args:
        blank: one record with the options set, (1,).
        matches: for each match its seatings, (seatings, players) int, indices of agents.
        first: number of the first block.
        batch: games played side by side; more are faster for networks and take more memory.
        progress: is told, now and then, how many games have ended and how many there are.
        spans: keeps what is played, and knows what has been played already.
        controls: if given, the outcomes hold its corrections.
    """
    matches, threads, spans = [np.asarray(match) for match in matches], threads or cores(), spans or Spans()
    crews: SimpleQueue[list[Agent]] = SimpleQueue()
    for crew in range(threads):
        crews.put([agent if crew == 0 or agent.compiled is not None else copy.deepcopy(agent) for agent in agents])

    def play_span(match: int, span: Range) -> tuple[Outcome, float]:
        crew, begun = crews.get(), time.perf_counter()  # agents may remember their games, so no two threads share one
        try:
            part = _play_span(game, blank, matches[match], crew, seed, span, controls)
        finally:
            crews.put(crew)
        return part, time.perf_counter() - begun

    sizes = [min(batch // len(seatings), -(-blocks // threads)) for seatings in matches]
    fitting: dict[int, int] = {}
    work = [_Match(spans, k, matches[k], (first, first + blocks), size, fitting) for k, size in enumerate(sizes)]
    total = blocks * sum(map(len, matches))
    ended = total - sum(match.games_left for match in work)
    pending: dict[Future[tuple[Outcome, float]], tuple[_Match, Range]] = {}

    def finish(match: _Match, span: Range, part: Outcome, seconds: float) -> None:
        nonlocal ended
        match.take(span, part, seconds)
        ended += part.truncated.size
        if progress is not None:
            progress(ended, total)

    def submit() -> None:
        for match in work:
            while len(pending) < 2 * threads and match.to_play:
                span = match.next()
                pending[pool.submit(play_span, match.number, span)] = match, span

    with one_torch_thread(), ThreadPoolExecutor(threads) as pool:
        try:
            if ended < total:  # what is not compiled yet is compiled by this one block, on the thread that hears Ctrl-C
                match = next(match for match in work if match.to_play)
                span = match.next()
                finish(match, span, *play_span(match.number, span))
            for match in work:
                while match.open:
                    submit()
                    for future in wait(pending, return_when=FIRST_COMPLETED).done:
                        finish(*pending.pop(future), *future.result())
                yield match.hand_over()
        finally:  # after an interrupt too: what has not begun shall not begin, and what is done shall not be lost
            pool.shutdown(wait=False, cancel_futures=True)
            for future, (match, span) in pending.items():
                if future.done() and not future.cancelled() and future.exception() is None:
                    spans.add(match.number, span, future.result()[0])
            spans.flush()


def _play_span(
    game: Game, blank: np.ndarray, seatings: np.ndarray, crew: Sequence[Agent], seed: int, span: Range, controls: Controls | None
) -> Outcome:
    """Play some blocks of a match to their end."""
    part = Outcome.blank(seatings, span[1] - span[0])
    states = start(blank, len(seatings), seed, span[0], span[1] - span[0])
    table = np.tile(seatings, (span[1] - span[0], 1))
    if controls is None:
        play(game, states, crew, table)
    else:
        part.controls[:] = control.play(game, states, crew, table, controls).reshape(part.controls.shape)
    players = seatings.shape[1]
    read_outcomes(states, part.returns.reshape(-1, players), part.truncated.reshape(-1))
    lost = states["loser"][:, None] == np.arange(players) if has_losers(game) else part.returns < 0
    part.lost[:] = lost.reshape(part.lost.shape)
    part.decisions[:] = states["decisions"].reshape(part.decisions.shape)
    return part


class _Match:
    """A match being played: its outcome, and what of it is still to be played.

    Args:
        most: blocks of a span, at most. fitting: for every agent that has played, how many blocks of a match with it make a span of
            `SECONDS`; matches share it. With somebody new it is one block, so that the spans of slow agents do not take for ever.
    """

    def __init__(self, spans: Spans, number: int, seatings: np.ndarray, blocks: Range, most: int, fitting: dict[int, int]) -> None:
        self._agents, self._fitting = np.unique(seatings).tolist(), fitting
        self.spans, self.number, self.seatings, self.blocks, self.most = spans, number, seatings, blocks, max(1, most)
        self.to_play = missing(spans.played(number), *blocks)
        self.open = sum(end - first for first, end in self.to_play)  # blocks whose outcome is missing
        self.games_left = self.open * len(seatings)
        self._outcome: Outcome | None = None  # there is room for it from the time when it is first needed

    @property
    def outcome(self) -> Outcome:
        if self._outcome is None:
            self._outcome = Outcome.blank(self.seatings, self.blocks[1] - self.blocks[0])
            self.spans.fill(self.number, self._outcome, self.blocks[0])
        return self._outcome

    def hand_over(self) -> Outcome:
        """The outcome, which is kept here no longer."""
        outcome, self._outcome = self.outcome, None
        return outcome

    def next(self) -> Range:
        """The blocks to be played next."""
        first, end = self.to_play.pop(0)
        reached = min(end, first + min(self.most, *(self._fitting.get(agent, 1) for agent in self._agents)))
        if reached < end:
            self.to_play.insert(0, (reached, end))
        return first, reached

    def take(self, span: Range, part: Outcome, seconds: float) -> None:
        """Take over the outcome of a span, and learn from the time it took."""
        begin, end = (block - self.blocks[0] for block in span)
        for field in FIELDS:
            getattr(self.outcome, field)[begin:end] = getattr(part, field)
        self.spans.add(self.number, span, part)
        self.open -= end - begin
        size = int(max(1, min(GROWTH * (end - begin), (end - begin) * SECONDS / max(seconds, 1e-9))))
        self._fitting.update((agent, size) for agent in self._agents)


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
