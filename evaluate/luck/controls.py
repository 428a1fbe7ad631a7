"""Control variates: luck is measured by a value function and taken off the returns, whose means stay what they are.

After Burch, Schmid, Moravcik, Morrill and Bowling 2018, *AIVAT: A New Variance Reduction Technique for Agent Evaluation in Imperfect
Information Games* (arXiv 1612.06915). A value function V says what a position, all cards open, is worth to every seat. Whenever chance
comes in, V of what came less its mean over what could have come is taken off the return; whenever an agent with known probabilities has
acted, V after its action less the mean over its actions. Each of these has mean zero whatever V is, so V changes the spread only.

The mean over what could have come is estimated: what chance still holds is drawn anew `redraws` times, with the distribution of the truth
given all that has happened (the verb `redraw`). Truth and redraws are exchangeable, so the difference has mean exactly zero for any number
of redraws; few of them leave some of the noise.

The deal itself needs no correction in duplicate: every agent holds every hand in turn and values add up to nothing, so within a block the
values of the deal cancel. V is fixed in a file and named by a hash; it was fitted on deals of its own seed, and evaluation on that seed is
refused, since a function that had seen the deals could be made to say anything (arXiv 2605.14261).
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

import numpy as np

from tromf.agents import Agent, make, tensorfile
from tromf.agents.play import ask, knobs_of
from tromf.envs import batch
from tromf.envs.registry import Game
from tromf.evaluate.luck import loops
from tromf.evaluate.luck.loops import Weights

REDRAWS = 16
KIND = "value"

TENSORS = ("first", "first_bias", "second", "second_bias", "last", "last_bias")
SOURCE = np.dtype([("rng", np.uint64)])


@dataclass(frozen=True, eq=False)
class Controls:
    """A frozen value function, and how chance is averaged.

    Attributes:
        name: where it comes from: of a file that comes with the package, or a path. digest: 16 hexadecimal digits of its SHA-256.
        tensors: float32, see `loops.Weights`. seed: of the deals on which it was fitted. settings: how it was fitted, for people.
        redraws: of what chance holds, whenever it comes in.
    """

    name: str
    digest: str
    tensors: dict[str, np.ndarray]
    game: str
    seed: int
    settings: str
    redraws: int = REDRAWS

    def check(self, game: Game, agents: Sequence[Agent], seed: int) -> None:
        """`ValueError` if these controls cannot be used in an evaluation."""
        if game.name != self.game:
            raise ValueError(f"controls {self.name} are for {self.game}, not for {game.name}")
        if seed % 2**64 == self.seed % 2**64:  # larger seeds give the same deals again
            raise ValueError(f"controls {self.name} were fitted on the deals of seed {seed}: give another seed or deal set")
        self._check_tensors(game)
        for agent in agents:
            if agent.cheats:
                raise ValueError(f"agent {agent.spec} sees cards that chance still holds, with which controls are biased: leave them out")

    def _check_tensors(self, game: Game) -> None:
        """`ValueError` if the tensors do not fit the scene of the game, or one another: compiled loops would read beside them."""
        first, second = (self.tensors[name].size for name in ("first_bias", "second_bias"))
        shapes = ((sum(row.width for row in game.scene), first), (first,), (first, second), (second,), (second,), (1,))
        for name, shape in zip(TENSORS, shapes, strict=True):
            found = self.tensors[name]
            if found.shape != shape or found.dtype != np.float32:
                raise ValueError(
                    f"controls {self.name} do not fit this version of {game.name}: '{name}' is {found.shape} {found.dtype}, "
                    f"and {shape} float32 is wanted: fit them anew with `python -m benchmarks.values`"
                )
            if not np.isfinite(found).all():
                raise ValueError(f"controls {self.name} hold numbers that are not finite in '{name}': fit them anew")

    def weights(self, game: Game, players: int) -> Weights:
        """As the compiled loops want them."""
        widths = np.array([row.width for row in game.scene], np.int64)
        tensors = {name: self.tensors[name] for name in TENSORS}
        return Weights(**tensors, starts=np.cumsum(widths) - widths, by_seat=np.array(game.sides(players), np.int64))


def play(game: Game, states: np.ndarray, agents: Sequence[Agent], table: np.ndarray, controls: Controls) -> np.ndarray:
    """Play started episodes to their end as `agents.play.play` does, with the same outcome; the corrections to add to the returns, (N,
    players) float64. Arguments are those of `agents.play.play`."""
    n, players = table.shape
    knobs, places = knobs_of(agents)
    compiled_table, rows = places[table], np.arange(n)
    for agent in agents:
        agent.reset(rows)
    weights, found = controls.weights(game, players), np.zeros((n, players))
    scratch, source = np.zeros(2, game.state), np.zeros(1, SOURCE)
    seats, masks, observations = np.zeros(n, np.int64), np.zeros(n, np.uint64), np.zeros((n, game.words), np.uint64)
    silent: set[int] = set()  # agents that do not say with which probabilities they act
    if not len(knobs):
        knobs = np.array([make("random", game).compiled])  # nobody plays by them
    while True:
        loops.advance(states, compiled_table, knobs, weights, controls.redraws, scratch, source, found)
        batch.look_rows(states, seats, observations, masks)
        asked = np.flatnonzero(masks)
        if not len(asked):
            return found
        for index, decisions, actions in ask(game, states, observations, masks, seats, agents, table, asked):
            chances = np.zeros((len(decisions), game.actions))
            if index not in silent:
                try:
                    chances = agents[index].probabilities(decisions)
                except ValueError:
                    silent.add(index)
            loops.choose(states, decisions.rows, actions, chances, weights, controls.redraws, scratch, source, found)


def find(name: str, redraws: int = REDRAWS) -> Controls:
    """Controls that come with the package, by name, or in a file. `OSError` or `ValueError`, in one line, if there are none."""
    path = Path(name) if name.endswith(".safetensors") else _folder() / f"{name}.safetensors"
    if not path.is_file():
        shipped = ", ".join(sorted(file.stem for file in _folder().glob("*.safetensors")))
        raise ValueError(f"no controls {name!r}: there are {shipped}, or give the path of a safetensors file")
    tensors, header = tensorfile.read(path, "numpy")
    if header.get("kind") != KIND or set(tensors) != set(TENSORS):
        raise ValueError(f"{path} holds no value function for controls: make one with `python -m benchmarks.values`")
    if not {"game", "seed", "settings"} <= header.keys() or not header["seed"].isdecimal():
        raise ValueError(f"{path} does not say for which game and on which seed it was fitted: make one with `python -m benchmarks.values`")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    return Controls(name, digest, tensors, header["game"], int(header["seed"]), header["settings"], redraws)


def _folder() -> Path:
    return Path(str(resources.files("tromf.configs"))) / "values"
