"""How fast things are: what `tromf bench` and the scripts in benchmarks/ measure, and how.

Everything is a chunk of work, a function that returns the number of decisions it made. Chunks that are compared run
interleaved in one process, round by round, so that a machine that slows down slows them all; figures are medians over rounds.
"""

import os
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from tromf.envs.registry import Game

Chunk = Callable[[], int | tuple[int, float]]  # decisions made, or decisions and the seconds that count

ROWS = 2048  # games in a batch: the records fit into the second cache of most machines


def settings() -> list[str]:
    """The settings that are measured unless others are named: those of all games."""
    from tromf.envs import registry

    return [setting for name in registry.names() for setting in registry.find(name)[0].measured]


def main_setting(names: Sequence[str]) -> str:
    """The setting for what is measured only once: among these the middle one of the first game, or else their first."""
    from tromf.envs import registry

    measured = registry.find(registry.names()[0])[0].measured
    middle = measured[len(measured) // 2]
    return middle if middle in names else names[0]


def find_setting(name: str) -> tuple["Game", str | None, int]:
    """The game, variant and number of players that a setting such as `euchre-4p` names; `ValueError` if it is none."""
    from tromf.envs import registry

    match = re.fullmatch(r"(.+)-(\d+)p", name)
    if match is None:
        raise ValueError(f"no setting {name!r}: settings are a game or variant and a number of players, such as {settings()[0]}")
    game, variant = registry.find(match[1])
    game.values(variant, players=int(match[2]))
    return game, variant, int(match[2])


def interleaved(chunks: Mapping[str, Chunk], rounds: int, seconds: float) -> dict[str, list[float]]:
    """Decisions per second of each chunk in each round; a round gives each chunk `seconds`, after one call to warm up."""
    rates: dict[str, list[float]] = {name: [] for name in chunks}
    for chunk in chunks.values():
        chunk()
    for _ in range(rounds):
        for name, chunk in chunks.items():
            done, spent = 0, 0.0
            while spent < seconds or not done:
                begun = time.perf_counter()
                result = chunk()
                made, counted = result if isinstance(result, tuple) else (result, time.perf_counter() - begun)
                done, spent = done + made, spent + counted
            rates[name].append(done / spent)
    return rates


def ratio(rates: Mapping[str, list[float]], one: str, other: str) -> float:
    """The median over rounds of the ratio of two rates."""
    return statistics.median(a / b for a, b in zip(rates[one], rates[other], strict=True))


def medians(rates: Mapping[str, list[float]]) -> dict[str, float]:
    """The median rate of each chunk."""
    return {name: statistics.median(each) for name, each in rates.items()}


def load() -> float:
    """Load average over the last minute: above the number of busy threads of ours, somebody else was using the machine."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")


def machine() -> dict[str, Any]:
    """What the figures were measured on."""
    import numba

    return {
        "python": platform.python_version(),
        "numba": numba.__version__,
        "numpy": np.__version__,
        "processor": _processor(),
        "cores": os.cpu_count(),
    }


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return next((line.split(":", 1)[1].strip() for line in file if line.startswith("model name")), platform.machine())
    except OSError:
        return platform.processor() or platform.machine()


def bare(game: "Game", variant: str | None, players: int, seed: int = 0, decisions: int = 40) -> Chunk:
    """Uniformly random decisions, games beginning anew at their end, nothing looked at."""
    from tromf.envs import batch

    states = started(game, variant, players, seed)

    def chunk() -> int:
        batch.play_randomly(states, decisions)
        return decisions * len(states)

    return chunk


def started(game: "Game", variant: str | None, players: int, seed: int, rows: int = ROWS) -> np.ndarray:
    """Records of episodes just begun, (rows,)."""
    from tromf.envs import batch

    states = game.states(rows, variant, players=players)
    batch.begin_rows(states, np.arange(rows), batch.seeds_for(seed, rows), np.full(rows, -1), np.zeros(rows, np.bool_))
    return states


def stepped(game: "Game", variant: str | None, players: int, *, dense: bool = False, seed: int = 0) -> Chunk:
    """Random decisions through `BatchEnv`, with observation words and masks; with `dense`, both also as 0/1 vectors of int8."""
    from tromf.envs import BatchEnv, batch
    from tromf.envs.words import expand

    env = BatchEnv(game, ROWS, autoreset=True, variant=variant, players=players)
    env.reset(seeds=seed)
    actions = np.zeros(ROWS, np.int64)
    vectors, masks, mask_widths = np.empty((ROWS, game.bits), np.int8), np.empty((ROWS, game.actions), np.int8), np.array([game.actions])

    def chunk() -> int:
        batch.choose_randomly(env.states, env.masks, actions)
        env.step(actions)
        if dense:
            env.dense(vectors)
            expand(env.masks[:, None], mask_widths, masks)
        return ROWS

    return chunk


def bare_threads(game: "Game", variant: str | None, players: int, threads: int, seed: int = 0, decisions: int = 400) -> Chunk:
    """`bare` in some threads at once, each with games of its own."""
    chunks = [bare(game, variant, players, seed + thread, decisions) for thread in range(threads)]
    pool = ThreadPoolExecutor(threads)

    def chunk() -> int:
        return sum(int(made) for made in pool.map(lambda each: each(), chunks))

    return chunk


def threaded(game: "Game", variant: str | None, players: int, threads: int, seed: int = 0) -> Chunk:
    """`BatchEnv.step` of many games in some threads; choosing the actions is not counted."""
    from tromf.envs import BatchEnv, batch

    rows = 16 * ROWS
    env = BatchEnv(game, rows, autoreset=True, threads=threads, variant=variant, players=players)
    env.reset(seeds=seed)
    actions = np.zeros(rows, np.int64)

    def chunk() -> tuple[int, float]:
        batch.choose_randomly(env.states, env.masks, actions)
        begun = time.perf_counter()
        env.step(actions)
        return rows, time.perf_counter() - begun

    return chunk


THREADED = {"bare": bare_threads, "step": threaded}


def aec(game: "Game", variant: str | None, players: int, *, wrapped: bool, seed: int = 0) -> Chunk:
    """Random decisions through PettingZoo's face: `raw_env` with `observe` and `step`, or `env` with `last` and `step`."""
    from importlib import import_module
    from random import Random

    module = import_module(f"tromf.envs.{game.name.replace('-', '_')}_v{game.version}")
    env = (module.env if wrapped else module.raw_env)(variant=variant, players=players)
    env.reset(seed=seed)
    draw = Random(seed).random

    def chunk() -> int:
        made = 0
        while made < 100:
            if wrapped:
                observation, _, terminated, truncated, _ = env.last()
                over = terminated or truncated
            else:
                over = env.terminations[env.agent_selection] or env.truncations[env.agent_selection]
                observation = None if over else env.observe(env.agent_selection)
            if over:
                env.reset()
                continue
            legal = observation["action_mask"].nonzero()[0]
            env.step(int(legal[int(draw() * len(legal))]))
            made += 1
        return made

    return chunk


def rule_agent(game: "Game", variant: str | None, players: int, spec: str, seed: int = 0) -> Chunk:
    """Whole games among copies of a rule agent, in compiled loops; decisions with one legal action are played, not counted."""
    from tromf import agents
    from tromf.agents.play import knobs_of
    from tromf.agents.rule import advance
    from tromf.envs import batch

    knobs, _ = knobs_of([agents.make(spec, game)])
    states, scratch = started(game, variant, players, seed), np.zeros(1, game.state)
    table, rows = np.zeros((ROWS, players), np.int64), np.arange(ROWS)
    round_number = 0

    def chunk() -> tuple[int, float]:
        nonlocal round_number
        round_number += 1
        batch.begin_rows(states, rows, batch.seeds_for(seed + round_number * ROWS, ROWS), np.full(ROWS, -1), np.zeros(ROWS, np.bool_))
        begun = time.perf_counter()
        made = advance(states, table, knobs, scratch, True)
        return int(made), time.perf_counter() - begun

    return chunk


def network_agent(game: "Game", variant: str | None, players: int, seed: int = 0) -> Chunk:
    """Whole games among copies of a network of two layers of 256 units that reads everything, on one core."""
    import torch

    from tromf.agents.net import NetAgent, Network
    from tromf.agents.play import play

    network = Network(game, range(game.bits), (256, 256))
    network.initialise(torch.Generator().manual_seed(seed))

    class Counting(NetAgent):
        asked = 0

        def act(self, batch: Any) -> np.ndarray:
            self.asked += len(batch)
            return super().act(batch)

    agent = Counting("net", network)
    rows, round_number = ROWS // 2, 0
    table = np.zeros((rows, players), np.int64)

    def chunk() -> tuple[int, float]:
        nonlocal round_number
        round_number += 1
        states = started(game, variant, players, seed + round_number * rows, rows)
        threads = torch.get_num_threads()
        torch.set_num_threads(1)
        agent.asked = 0
        begun = time.perf_counter()
        play(game, states, [agent], table)
        seconds = time.perf_counter() - begun
        torch.set_num_threads(threads)
        return agent.asked, seconds

    return chunk


START = """
import tromf.envs
from tromf.envs import {module}
env = {module}.env()
env.reset(seed=0)
observation, *_ = env.last()
env.step(int(observation["action_mask"].nonzero()[0][0]))
"""


def start_seconds(module: str, *, cold: bool = False, only_import: bool = False) -> float:
    """Seconds from starting Python to the first step through PettingZoo's face, or to having imported `tromf.envs`.

    `cold` starts with an empty cache of machine code, in a folder made for it.
    """
    program = "import tromf.envs" if only_import else START.format(module=module)
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "TROMF_CACHE": folder} if cold else None
        begun = time.perf_counter()
        done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)
        seconds = time.perf_counter() - begun
    if done.returncode:
        raise RuntimeError(f"starting failed: {done.stderr.strip()}")
    return seconds
