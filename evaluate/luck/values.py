"""Value functions for `controls`: positions of games between rule agents, a small network fitted to how these ended, and its file."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from tromf.agents import make
from tromf.agents.play import knobs_of
from tromf.envs.registry import Game
from tromf.evaluate.blocks import start
from tromf.evaluate.luck import loops
from tromf.evaluate.luck.controls import KIND, SOURCE, TENSORS

HIDDEN = (48, 16)


def positions(
    game: Game, blank: np.ndarray, agents: Sequence[str], games: int, seed: int, often: float, seldom: float
) -> tuple[np.ndarray, np.ndarray]:
    """Positions of games between rule agents, one drawn for each side of every game: scenes of all seats, (n, words) uint64, those of one
    position together, and the returns of these seats, (n,) float32. `often`, `seldom`: see `loops.collect`."""
    players = int(blank["options"]["players"][0])
    sides = np.array(game.sides(players))
    rng = np.random.default_rng(seed)
    table = rng.integers(len(agents), size=(games, sides.max() + 1))[:, sides]
    knobs, _ = knobs_of([make(spec, game) for spec in agents])
    room = games * players * 64
    words, targets = np.zeros((room, len(game.scene)), np.uint64), np.zeros(room, np.float32)
    states = start(blank, 1, seed, 0, games)
    filled = loops.collect(states, table, knobs, often, seldom, np.zeros(1, game.state), np.zeros(1, SOURCE), words, targets, players)
    return words[:filled], targets[:filled]


def fit(
    game: Game,
    words: np.ndarray,
    targets: np.ndarray,
    *,
    seed: int,
    passes: int = 8,
    rows: int = 1024,
    told: Callable[[str], None] = print,
) -> dict[str, np.ndarray]:
    """A value network for what `positions` gave: least squares, Adam with a rate that rises and falls. The last tenth of the rows is kept
    apart, to say what share of the spread is explained."""
    import torch
    from torch import nn

    from tromf.envs.words import expand

    widths = np.array([row.width for row in game.scene], np.int64)
    generator = torch.Generator().manual_seed(seed)
    layers = nn.Linear(int(widths.sum()), HIDDEN[0]), nn.Linear(*HIDDEN), nn.Linear(HIDDEN[1], 1)
    network = nn.Sequential(layers[0], nn.ReLU(), layers[1], nn.ReLU(), layers[2])
    for layer in layers:
        for parameter in layer.parameters():
            nn.init.uniform_(parameter, -(layer.in_features**-0.5), layer.in_features**-0.5, generator=generator)
    steps = passes * (len(words) * 9 // 10 // rows)
    optimiser = torch.optim.Adam(network.parameters(), lr=2e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 2e-3, total_steps=max(1, steps))

    def inputs(part: np.ndarray) -> torch.Tensor:
        dense = np.empty((len(part), int(widths.sum())), np.int8)
        expand(words[part], widths, dense)
        return torch.from_numpy(dense).float()

    kept = len(words) * 9 // 10
    done = 0
    for each in range(passes):
        order = torch.randperm(kept, generator=generator).numpy()
        for first in range(0, kept - rows + 1, rows):
            part = order[first : first + rows]
            loss = (network(inputs(part)).squeeze(1) - torch.from_numpy(targets[part])).square().mean()
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            done += 1
            if done < steps:
                schedule.step()
        with torch.inference_mode():
            apart = np.arange(kept, min(len(words), kept + 50_000))
            error = (network(inputs(apart)).squeeze(1) - torch.from_numpy(targets[apart])).square().mean()
        told(f"pass {each + 1}: explained {1 - float(error) / float(np.var(targets[apart])):.3f} of the spread of returns")
    arrays = [array for layer in layers for array in (layer.weight.detach().numpy().T.copy(), layer.bias.detach().numpy().copy())]
    arrays[4] = arrays[4].reshape(-1)
    return dict(zip(TENSORS, (np.ascontiguousarray(array, np.float32) for array in arrays), strict=True))


def save(path: Path, game: Game, tensors: dict[str, np.ndarray], seed: int, settings: object) -> None:
    """Write a value function where `find` reads it."""
    from safetensors.numpy import save as to_bytes

    from tromf.envs.files import write_whole

    header = {"format": "tromf-1", "kind": KIND, "game": game.name, "seed": str(seed), "settings": json.dumps(settings, sort_keys=True)}
    write_whole(path, to_bytes(tensors, header))
