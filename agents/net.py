"""Networks that play: one network for all seats, from observation words to a policy and a value.

A network reads the observation bits listed in its `columns` (those that vary in the setting it was trained for, or all), then
fully connected layers, then two heads: a logit for each action, and the value, the seat's expected return. In a game whose suits
can be renamed it sees them renamed, and its logits are renamed back; what it learns with one suit of trumps holds for all.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from tromf.agents import inputs, weights
from tromf.agents.base import Agent
from tromf.envs.batch import Batch
from tromf.envs.registry import Game
from tromf.envs.words import spread_masks

CHUNK = 256  # rows that go through a network at once, padded: results of a row differ in the last bits between batch sizes
PRECISIONS = ("float32", "bfloat16")


def fast_precision() -> str:
    """`bfloat16` on processors that multiply such numbers in hardware, where layers take a fifth of the time; else `float32`."""
    abilities = torch.cpu.get_capabilities()
    return "bfloat16" if abilities.get("amx_bf16") or abilities.get("avx512_bf16") else "float32"


class Network(nn.Module):
    """Policy and value of one seat, given its observation.

    Args:
        game: whose observation layout and actions. columns: numbers of the bits it reads, ascending.
        hidden: units of each hidden layer. precision: of the arithmetic in the hidden layers; weights are always float32.
        renamed: whether suits are renamed; by default where the game says how.
    """

    def __init__(
        self,
        game: Game,
        columns: Sequence[int] | np.ndarray,
        hidden: Sequence[int],
        precision: str = "float32",
        renamed: bool | None = None,
    ) -> None:
        super().__init__()
        symmetry = game.symmetry if renamed is not False else None
        numbers = [int(column) for column in columns]
        self.config = {"columns": numbers, "hidden": list(hidden), "precision": precision, "renamed": symmetry is not None}
        self._type = torch.bfloat16 if precision == "bfloat16" else torch.float32
        self._starts = np.cumsum(game.widths) - game.widths
        places = np.full(game.bits, -1, np.int64)
        places[numbers] = np.arange(len(numbers))
        sizes = [len(numbers), *hidden]
        self._columns, self._by, self._names = places[None], np.zeros(3, np.int64), None
        if symmetry is not None:
            self._columns = places[symmetry.bits]
            self._by = np.array([symmetry.word, symmetry.shift, symmetry.count])
            told = self._starts[symmetry.word] + symmetry.shift + np.arange(symmetry.count)
            self._columns[np.arange(symmetry.count), told] = len(numbers) + np.arange(symmetry.count)  # the last inputs say how
            self._names = torch.from_numpy(symmetry.actions)
        self._read, self._width = len(numbers), len(numbers) + int(self._by[2])
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in zip(sizes[:-1], sizes[1:]))
        self.policy = nn.Linear(sizes[-1], game.actions)
        self.value = nn.Linear(sizes[-1], 1)

    def initialise(self, generator: torch.Generator) -> None:
        """Orthogonal weights; the policy starts almost uniform, the value near 0."""
        for module in (*self.layers, self.policy, self.value):
            gain = {id(self.policy): 0.01, id(self.value): 0.1}.get(id(module), 2**0.5)
            nn.init.orthogonal_(module.weight, gain, generator=generator)
            nn.init.zeros_(module.bias)

    def blank(self, count: int) -> Tensor:
        """Room for the inputs of so many observations."""
        return torch.empty((count, self._width), dtype=self._type)

    def read(self, words: np.ndarray, out: Tensor | None = None) -> Tensor:
        """Observations, (k, W) uint64, as the 0/1 rows that `forward` takes, written into `out` if given."""
        x = self.blank(len(words)) if out is None else out
        if self._type == torch.bfloat16:
            one = np.uint16(0x3F80)  # the pattern of 1.0
            inputs.spread(words, self._starts, self._columns, self._by, one, x.view(torch.uint16).numpy())
        else:
            inputs.spread(words, self._starts, self._columns, self._by, np.float32(1.0), x.numpy())
        return x

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Logits (k, actions) and values (k,), float32."""
        names = None if self._names is None else self._names[x[:, self._read :].argmax(1)]
        x = x[:, : self._read]
        for layer in self.layers:
            weight, bias = layer.get_parameter("weight"), layer.get_parameter("bias")
            x = functional.relu(functional.linear(x, weight.to(self._type), bias.to(self._type)))
        x = x.float()
        logits = self.policy(x)
        return logits if names is None else logits.gather(1, names), self.value(x).squeeze(1)

    def logits(self, words: np.ndarray) -> Tensor:
        """Logits, (k, actions), of the policy for observations, (k, W) uint64."""
        return self(self.read(words))[0]


class NetAgent(Agent):
    """Plays by the policy of anything with `logits(words)`: draws from it, or takes the most probable action."""

    def __init__(self, spec: str, network: Any, greedy: bool = False) -> None:
        self.spec, self.network, self.greedy = spec, network, greedy

    def act(self, batch: Batch) -> np.ndarray:
        actions = np.zeros(len(batch), np.int64)
        for part, logits in self._logits(batch):
            if self.greedy:
                inputs.best(logits, batch.masks[part], actions[part])
            else:
                inputs.sample(logits, batch.masks[part], batch.draws[part], actions[part], np.empty(CHUNK, np.float32))
        return actions

    def probabilities(self, batch: Batch) -> np.ndarray:
        if self.greedy:
            return np.eye(batch.game.actions)[self.act(batch)]
        result = np.zeros((len(batch), batch.game.actions))
        for part, logits in self._logits(batch):
            legal = np.empty((len(batch.masks[part]), batch.game.actions), np.bool_)
            spread_masks(batch.masks[part], legal)
            shown = np.where(legal, logits[: len(legal)].astype(np.float64), -np.inf)
            weights = np.exp(shown - shown.max(axis=1, keepdims=True))
            result[part] = weights / weights.sum(axis=1, keepdims=True)
        return result

    def _logits(self, batch: Batch) -> Iterator[tuple[slice, np.ndarray]]:
        """The rows of a batch in parts, and the logits, (CHUNK, actions) float32, of each, padded."""
        for start in range(0, len(batch), CHUNK):
            part = slice(start, start + CHUNK)
            words = np.zeros((CHUNK, batch.observations.shape[1]), np.uint64)
            words[: len(batch.masks[part])] = batch.observations[part]
            with torch.inference_mode():
                yield part, self.network.logits(words).numpy()


def save(path: str | Path, game: Game, network: Network, **more: str) -> None:
    """Write a network where `load` reads it, with more entries for the header."""
    weights.save(path, network.state_dict(), weights.header_for(game, "net", network.config) | more)


def load(path: str | Path, game: Game, *, spec: str, greedy: Any = False) -> NetAgent:
    """The agent in a file; `ValueError` or `OSError` says what is wrong with the file or the settings."""

    def build(config: Any) -> Network:
        if not all(0 <= column < game.bits for column in config["columns"]) or config["precision"] not in PRECISIONS:
            raise ValueError
        renamed = config.get("renamed", False)
        if renamed and game.symmetry is None:
            raise ValueError
        return Network(game, config["columns"], config["hidden"], config["precision"], renamed)

    return load_as("net", build, path, game, spec, greedy)


def load_as(kind: str, build: Callable[[Any], nn.Module], path: str | Path, game: Game, spec: str, greedy: Any) -> NetAgent:
    """The agent in a file of some kind, whose network `build` makes from the configuration in the file's header."""
    if not isinstance(greedy, bool):
        raise ValueError(f"agent {spec!r}: greedy is {greedy!r}: accepted are true and false")
    tensors, header = weights.read(path, game, kind)
    try:
        network = build(json.loads(header["config"]))
    except (KeyError, TypeError, ValueError, RuntimeError):
        raise ValueError(f"{path}: its configuration describes no network") from None
    weights.load_into(network, tensors, path)
    agent = NetAgent(spec, network, greedy)
    agent.variant = header.get("variant")
    return agent
