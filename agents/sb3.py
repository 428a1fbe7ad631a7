"""Policies that Stable-Baselines3's MaskablePPO has learned, read from safetensors that `tromf.train.maskable_ppo` exported.

Nothing is unpickled and Stable-Baselines3 is not needed to play them. The network is that of its `MlpPolicy`: all bits of the
observation, fully connected layers, and a logit for each action.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from tromf.agents import weights
from tromf.agents.net import NetAgent, load_as
from tromf.envs.registry import Game
from tromf.envs.words import expand

ACTIVATIONS = {"tanh": nn.Tanh, "relu": nn.ReLU}


class PolicyNetwork(nn.Module):
    """From dense observations, (k, bits) float32, to logits, (k, actions) float32."""

    def __init__(self, game: Game, hidden: Sequence[int], activation: str) -> None:
        super().__init__()
        self._widths = game.widths
        sizes = [game.bits, *hidden]
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in zip(sizes[:-1], sizes[1:]))
        self.action = nn.Linear(sizes[-1], game.actions)
        self.activation = ACTIVATIONS[activation]()

    def forward(self, x: Tensor) -> Tensor:
        """Logits, before masking."""
        for layer in self.layers:
            x = self.activation(layer(x))
        return self.action(x)

    def logits(self, words: np.ndarray) -> Tensor:
        """Logits, (k, actions), for observations, (k, W) uint64."""
        dense = np.empty((len(words), self._widths.sum()), np.int8)
        expand(words, self._widths, dense)
        return self(torch.from_numpy(dense).float())


def save(path: str | Path, game: Game, model: Any, **more: str) -> None:
    """Export the policy of a MaskablePPO model with an `MlpPolicy`, with more entries for the header."""
    layers = [module for module in model.policy.mlp_extractor.policy_net if isinstance(module, nn.Linear)]
    activation = next(name for name, kind in ACTIVATIONS.items() if issubclass(model.policy.activation_fn, kind))
    tensors = {"action.weight": model.policy.action_net.weight, "action.bias": model.policy.action_net.bias}
    for k, layer in enumerate(layers):
        tensors |= {f"layers.{k}.weight": layer.weight, f"layers.{k}.bias": layer.bias}
    config = {"hidden": [layer.out_features for layer in layers], "activation": activation}
    weights.save(path, tensors, weights.header_for(game, "sb3", config) | more)


def load(path: str | Path, game: Game, *, spec: str, greedy: Any = False) -> NetAgent:
    """The agent in a file; `ValueError` or `OSError` says what is wrong with the file or the settings."""
    return load_as("sb3", lambda config: PolicyNetwork(game, config["hidden"], config["activation"]), path, game, spec, greedy)
