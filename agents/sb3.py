"""Policies that Stable-Baselines3's MaskablePPO has learned, read from safetensors that `tromf.train.maskable_ppo` exported.

Nothing is unpickled and Stable-Baselines3 is not needed to play them. The network is that of its `MlpPolicy`: all bits of the
observation, fully connected layers, and a logit for each action.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from tromf.agents import inputs, weights
from tromf.agents.base import Agent
from tromf.envs.batch import Batch
from tromf.envs.registry import Game

CHUNK = 256  # rows that go through the network at once, padded: results of a row differ in the last bits between batch sizes
ACTIVATIONS = {"tanh": nn.Tanh, "relu": nn.ReLU}


class PolicyNetwork(nn.Module):
    """From dense observations, (k, bits) float32, to logits, (k, actions) float32."""

    def __init__(self, bits: int, hidden: Sequence[int], actions: int, activation: str) -> None:
        super().__init__()
        sizes = [bits, *hidden]
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in zip(sizes[:-1], sizes[1:]))
        self.action = nn.Linear(sizes[-1], actions)
        self.activation = ACTIVATIONS[activation]()

    def forward(self, x: Tensor) -> Tensor:
        """Logits, before masking."""
        for layer in self.layers:
            x = self.activation(layer(x))
        return self.action(x)


class Sb3Agent(Agent):
    """Plays by such a policy: draws from it, or takes the most probable action."""

    def __init__(self, spec: str, game: Game, network: PolicyNetwork, greedy: bool = False) -> None:
        self.spec, self.network, self.greedy = spec, network, greedy
        self._starts = np.cumsum(game.widths) - game.widths
        self._columns = np.arange(game.bits)

    def act(self, batch: Batch) -> np.ndarray:
        actions = np.zeros(len(batch), np.int64)
        x = torch.empty((CHUNK, len(self._columns)))
        for start in range(0, len(batch), CHUNK):
            part = slice(start, start + CHUNK)
            words = np.zeros((CHUNK, batch.observations.shape[1]), np.uint64)
            words[: len(batch.masks[part])] = batch.observations[part]
            inputs.spread(words, self._starts, self._columns, np.float32(1.0), x.numpy())
            with torch.inference_mode():
                logits = self.network(x).numpy()
            if self.greedy:
                inputs.best(logits, batch.masks[part], actions[part])
            else:
                inputs.sample(logits, batch.masks[part], batch.draws[part], actions[part], np.empty(CHUNK, np.float32))
        return actions


def save(path: str | Path, game: Game, model: Any, **more: str) -> None:
    """Export the policy of a MaskablePPO model with an `MlpPolicy`, with more entries for the header."""
    layers = [module for module in model.policy.mlp_extractor.policy_net if isinstance(module, nn.Linear)]
    activation = next(name for name, kind in ACTIVATIONS.items() if issubclass(model.policy.activation_fn, kind))
    tensors = {"action.weight": model.policy.action_net.weight, "action.bias": model.policy.action_net.bias}
    for k, layer in enumerate(layers):
        tensors |= {f"layers.{k}.weight": layer.weight, f"layers.{k}.bias": layer.bias}
    config = {"hidden": [layer.out_features for layer in layers], "activation": activation}
    weights.save(path, tensors, weights.header_for(game, "sb3", config) | more)


def load(path: str | Path, game: Game, *, spec: str, greedy: Any = False) -> Sb3Agent:
    """The agent in a file; `ValueError` or `OSError` says what is wrong with the file or the settings."""
    if not isinstance(greedy, bool):
        raise ValueError(f"agent {spec!r}: greedy is {greedy!r}: accepted are true and false")
    tensors, header = weights.read(path, game, "sb3")
    config = json.loads(header["config"])
    try:
        network = PolicyNetwork(game.bits, config["hidden"], game.actions, config["activation"])
    except (KeyError, TypeError, ValueError, RuntimeError):
        raise ValueError(f"{path}: its configuration describes no network") from None
    weights.load_into(network, tensors, path)
    return Sb3Agent(spec, game, network, greedy)
