"""Positions for tests of what is shown: random play up to a decision, or the first position of every kind."""

from typing import Any

import numpy as np

from tromf.envs import batch, registry
from tromf.envs.registry import Game

GAME, _ = registry.find("mustamaija")


def settings(game: Game = GAME) -> list[tuple[str, int]]:
    """Every named variant with every number of players."""
    found = []
    for variant in game.variants:
        for players in range(2, game.max_players + 1):
            try:
                game.values(variant, players=players)
            except ValueError:
                continue
            found.append((variant, players))
    return found


def random_states(seed: int, variant: str | None = None, game: Game = GAME, **options: Any) -> tuple[np.ndarray, np.ndarray]:
    """A random game: the states before every decision and at the end, (k + 1,) records, and its actions, (k,)."""
    env = batch.BatchEnv(game, 1, variant=variant, **options)
    env.reset(seeds=seed)
    rng = np.random.default_rng(seed)
    states, actions = [env.states[0].copy()], []
    while not env.done[0]:
        mask = int(env.masks[0])
        action = rng.choice([a for a in range(64) if mask >> a & 1])
        env.step(np.array([action]))
        actions.append(action)
        states.append(env.states[0].copy())
    return np.array(states, game.state), np.array(actions, np.int64)


def after(decisions: int, seed: int, variant: str | None = None, **options: Any) -> Any:
    """The state of a random game after so many decisions."""
    return random_states(seed, variant, **options)[0][decisions]


def one_of_each_kind(seed: int, variant: str, players: int, game: Game = GAME) -> list[Any]:
    """From random games, the first state of every phase, with and without cards on the table, trumps and stock, and a last one."""
    kinds = {}
    for k in range(3):
        states, _ = random_states(seed + k, variant, game, players=players)
        for state in states:
            view = game.text.view(state)
            kinds.setdefault((game.text.phase_text(state), bool(view.rows), view.trump, bool(view.stock), bool(state["over"])), state)
    return list(kinds.values())
