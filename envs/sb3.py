"""Stable-Baselines3 face: a `VecEnv` over the batch for sb3-contrib's MaskablePPO; needs the extra `tromf[sb3]`.

    from sb3_contrib import MaskablePPO
    from tromf.envs.sb3 import SeatVecEnv
    env = SeatVecEnv("euchre", 64, players=4)
    MaskablePPO("MlpPolicy", env).learn(100_000)

One side a game, a seat or partners, learns against frozen opponents. Its return reaches it also when the game ends in another's turn.
"""

import time
from typing import Any

import numpy as np
from gymnasium import spaces
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import VecEnv

from tromf.envs.solo import SoloBatch


class SeatVecEnv(VecEnv):
    """N games stepped at once, in each of which one side learns.

    Args:
        game: a game's or variant's name. n: number of games. seed: of the first episodes, game k gets seed + k; None for fresh entropy.
        opponents, seat, skip_forced, variant, **options: as for `tromf.envs.gym.SeatEnv`.

    Infos hold `seat`, the seat of the learner's side that is to decide. A game that ends begins anew in the same step, whose first
    `seat` is in `reset_infos`; its info holds `terminal_observation`, `TimeLimit.truncated`, `episode` (return `r`, length in the
    learner's decisions `l`, seconds `t`, as Monitor writes them), `outcome` and the learner's own `seat`. An episode that is cut off
    has been paid in full all the same.
    """

    def __init__(self, game: str, n: int, *, seed: int | None = None, **options: Any) -> None:
        self._solo = SoloBatch(game, n, **options)
        self.game = self._solo.game
        self.render_mode = None
        super().__init__(n, spaces.Box(0, 1, (self.game.bits,), np.int8), spaces.Discrete(self.game.actions))
        if seed is not None:
            self.seed(seed)
        self._actions = np.zeros(n, np.int64)
        self._lengths = np.zeros(n, np.int64)
        self._start = time.monotonic()

    def seed(self, seed: int | None = None) -> list[int | None]:
        """Seeds of the episodes that the next `reset` starts; None for fresh entropy."""
        self._seeds = [None if seed is None else seed + row for row in range(self.num_envs)]
        return self._seeds

    def reset(self) -> np.ndarray:
        """Start an episode in every game; observations (N, bits) int8."""
        if any(options != self._options[0] for options in self._options):
            raise ValueError("set_options was given different options for different games: accepted are the same for all")
        seeds = None if self._seeds[0] is None else np.array([int(seed or 0) % 2**64 for seed in self._seeds], np.uint64)
        self._solo.reset(seeds, self._options[0])
        self._reset_seeds()
        self._reset_options()
        self._lengths[:] = 0
        self.reset_infos = [{"seat": int(seat)} for seat in self._solo.seats]
        return self._solo.dense()

    def step_async(self, actions: np.ndarray) -> None:
        self._actions = actions

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Observations (N, bits) int8, rewards (N,) float32, what ended (N,) bool, and infos."""
        solo = self._solo
        solo.step(self._actions)
        self._lengths += 1
        rewards, dones = solo.learner_returns().astype(np.float32), solo.done.copy()
        infos: list[dict[str, Any]] = [{"TimeLimit.truncated": False, "seat": seat} for seat in solo.seats.tolist()]
        observations = solo.dense()
        ended = np.flatnonzero(dones).tolist()
        for row in ended:
            seconds = round(time.monotonic() - self._start, 6)
            infos[row] |= {
                "terminal_observation": observations[row].copy(),
                "TimeLimit.truncated": bool(solo.truncated[row]),
                "episode": {"r": float(rewards[row]), "l": int(self._lengths[row]), "t": seconds},
                "outcome": solo.outcome(row),
            }
        if len(ended):
            self._lengths[ended] = 0
            solo.reset(rows=np.array(ended))
            observations = solo.dense()
            for row in ended:
                self.reset_infos[row] = {"seat": int(solo.seats[row])}
        return observations, rewards, dones, infos

    def action_masks(self) -> np.ndarray:
        """The actions legal now, (N, actions) bool."""
        return self._solo.dense_masks().astype(np.bool_)

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """The only method of a single game is `action_masks`."""
        if method_name != "action_masks":
            raise AttributeError(f"no method {method_name!r}: there is action_masks")
        masks = self.action_masks()
        return [masks[row] for row in self._get_indices(indices)]

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute, the same for all games."""
        value = getattr(self, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set an attribute for all games."""
        if indices is not None:
            raise ValueError("attributes are the same for all games: indices are not accepted")
        setattr(self, attr_name, value)

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """Games are not wrapped, but tell of ended episodes as Monitor does."""
        return [issubclass(wrapper_class, Monitor) for _ in self._get_indices(indices)]

    def close(self) -> None:
        """There is nothing to release."""
