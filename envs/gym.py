"""Gymnasium face: one side learns, agents sit at the other seats.

    import gymnasium
    from tromf import agents
    from tromf.envs import registry
    game, _ = registry.find("euchre")
    env = gymnasium.make("tromf.envs:tromf/Euchre-v0", players=4, opponents=agents.make("journeyman", game))
    observation, info = env.reset(seed=0)
    observation, reward, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))

Observations are int8 vectors of 0 and 1. The legal actions are `info["action_mask"]` (int8, as `Discrete.sample` wants it) and the method
`action_masks()` (bool, as MaskablePPO wants it); without a mask the action space samples among the actions legal now. The reward is 0
until the episode ends, in whoever's turn, and then the learner's return.

Where seats play together, the learner decides for each seat of its side in that seat's turn, and sees what that seat sees; `info["seat"]`
says which seat it is. After the end it sees what its own seat sees, the one given as `seat`, or drawn.

An illegal action of the single environment ends the episode with -1, as in PettingZoo's wrapper (Gymnasium's checker takes such
actions); with `on_illegal="raise"`, and always in the vector form, it raises `IllegalAction`, and nothing has changed.
"""

from typing import Any

import gymnasium
import numpy as np
from gymnasium import logger, spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from tromf.envs.batch import IllegalAction, action_number
from tromf.envs.solo import SoloBatch

RENDER_MODES = ("human", "ansi", "rgb_array")


class LegalActions(spaces.Discrete):
    """Actions 0 … n-1, of which only some are legal at a time: `legal`, (n,) int8, which the environment keeps up."""

    def __init__(self, n: int) -> None:
        super().__init__(n)
        self.legal = np.ones(n, np.int8)

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        """A random action, among those legal now unless told otherwise."""
        return super().sample(self.legal if mask is None and probability is None else mask, probability)


class LegalBatchActions(spaces.MultiDiscrete):
    """One action for each of N games, of which only some are legal at a time: `legal`, (N, n) int8, which the environment keeps up."""

    def __init__(self, games: int, n: int) -> None:
        super().__init__(np.full(games, n))
        self.legal = np.ones((games, n), np.int8)

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        """Random actions, among those legal now unless told otherwise."""
        return super().sample(tuple(self.legal) if mask is None and probability is None else mask, probability)


class SeatEnv(gymnasium.Env):
    """One side of a game: a seat, or several that play together.

    Args:
        game: a game's or variant's name. variant, **options: as for `BatchEnv`.
        opponents: None (random), one agent for all seats not of the learner's side, or a list of agents, one for each of them, from the
            left of the learner's seat.
        seat: the learner's seat, which names its side; None draws it anew for each episode, from the episode's seed. `info["seat"]`
            tells the seat that is to decide.
        skip_forced: decisions with only one legal action are made without asking.
        on_illegal: `lose` or `raise`.
        render_mode: None, `human`, `ansi` or `rgb_array`; shown is what the learner sees, and all hands after the end.

    `reset(seed, options)` knows the options `deck`, `dealer` and `seat`; without a seed the episode follows from the seed of the
    one before.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 2}

    def __init__(
        self,
        game: str,
        *,
        variant: str | None = None,
        opponents: Any = None,
        seat: int | None = None,
        skip_forced: bool = False,
        on_illegal: str = "lose",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ValueError(f"render_mode is {render_mode!r}: accepted are None, {', '.join(RENDER_MODES)}")
        if on_illegal not in ("lose", "raise"):
            raise ValueError(f"on_illegal is {on_illegal!r}: accepted are lose and raise")
        self._solo = SoloBatch(game, 1, variant=variant, opponents=opponents, seat=seat, skip_forced=skip_forced, **options)
        self.game = self._solo.game
        self.render_mode, self._on_illegal = render_mode, on_illegal
        self._lost = False  # by an illegal action
        self.observation_space = spaces.Box(0, 1, (self.game.bits,), np.int8)
        self._actions = LegalActions(self.game.actions)
        self.action_space = self._actions

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[np.ndarray, dict[str, Any]]:
        """Start an episode and play it to the learner's first decision."""
        super().reset(seed=seed)
        self._solo.reset(seed, options)
        self._lost = False
        return self._tell()

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """The learner takes a legal action, and the others play until it is asked again or the end."""
        solo = self._solo
        if solo.started and (solo.done[0] or self._lost):
            raise ValueError("the episode has ended: call reset()")
        number = action_number(self.game, action)
        try:
            solo.step(np.array([number]))
        except IllegalAction as error:
            if self._on_illegal == "raise":
                raise
            self._lost = True
            observation, info = self._tell()
            return observation, -1.0, True, False, info | {"illegal_action": str(error)}
        observation, info = self._tell()
        done, truncated = bool(solo.done[0]), bool(solo.truncated[0])
        if done:
            info["outcome"] = solo.outcome(0)
        return observation, float(solo.learner_returns()[0]), done and not truncated, done and truncated, info

    def _tell(self) -> tuple[np.ndarray, dict[str, Any]]:
        mask = self._solo.dense_masks()[0] * np.int8(not self._lost)
        self._actions.legal[:] = mask
        if self.render_mode == "human":
            self.render()
        return self._solo.dense()[0], {"seat": int(self._solo.seats[0]), "action_mask": mask}

    def action_masks(self) -> np.ndarray:
        """The actions legal now, (actions,) bool."""
        return self._solo.dense_masks()[0].astype(np.bool_) & (not self._lost)

    def action_text(self, action: int) -> str:
        """The text of an action now: `lay 7H`, `take`."""
        return self.game.action_text(self._solo.states[0], action)

    def parse_action(self, text: str) -> int:
        """The action with this text now; `ValueError` if there is none, saying which are legal."""
        return self.game.parse_action(self._solo.states[0], text, np.flatnonzero(self.action_masks()).tolist())

    def render(self) -> Any:
        """The table as the seat to decide sees it: text, (height, width, 3) uint8, or printed."""
        if self.render_mode is None:
            logger.warn("render() does nothing without a render_mode: give one when you make the environment, such as render_mode='ansi'")
            return None
        if not self._solo.started:
            raise ValueError("no episode has begun: call reset()")
        from tromf.envs import render  # pictures need Pillow, which nobody else should wait for

        seat = None if self._solo.done[0] or self._lost else int(self._solo.seats[0])
        return getattr(render, self.render_mode)(self.game, self._solo.states[0], seat)

    def close(self) -> None:
        """There is nothing to release."""


class SeatVectorEnv(VectorEnv):
    """N games stepped at once, in each of which one side learns; arguments as for `SeatEnv`.

    A game that ends begins anew in the same step (`AutoresetMode.SAME_STEP`): the observation is the new episode's first, and
    `infos["final_obs"]` and `infos["final_info"]` tell of the one that ended. `action_masks()` is (N, actions) bool.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}

    def __init__(self, game: str, num_envs: int = 1, *, render_mode: None = None, **options: Any) -> None:
        if render_mode is not None:
            raise ValueError(f"render_mode is {render_mode!r}: many games at once are not drawn")
        self._solo = SoloBatch(game, num_envs, **options)
        self.game, self.num_envs = self._solo.game, num_envs
        self.single_observation_space = spaces.Box(0, 1, (self.game.bits,), np.int8)
        self.single_action_space = spaces.Discrete(self.game.actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._actions = LegalBatchActions(num_envs, self.game.actions)
        self.action_space = self._actions

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[np.ndarray, dict[str, Any]]:
        """Start an episode in every game: an int s seeds game k with s + k; the options are the same for all."""
        if seed is None or isinstance(seed, (int, np.integer)):
            super().reset(seed=None if seed is None else int(seed))
        self._solo.reset(seed, options)
        return self._solo.dense(), self._infos()

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """The learner of every game takes a legal action; rewards (N,) float64, and what ended begins anew."""
        solo = self._solo
        solo.step(actions)
        rewards, terminations, truncations = solo.learner_returns(), solo.done & ~solo.truncated, solo.done & solo.truncated
        ended = np.flatnonzero(solo.done)
        observations = solo.dense()
        outcomes = {row: solo.outcome(row) for row in ended.tolist()}
        unknown = {key for outcome in outcomes.values() for key, value in outcome.items() if value is None}  # no numbers in these arrays
        final: dict[str, Any] = {"final_info": {"outcome": {key: np.full(self.num_envs, None) for key in unknown}}} if unknown else {}
        for row, outcome in outcomes.items():
            info = {"seat": int(solo.seats[row]), "outcome": outcome}
            final = self._add_info(final, {"final_obs": observations[row].copy(), "final_info": info}, row)
        if len(ended):
            solo.reset(rows=ended)
            observations = solo.dense()
        return observations, rewards, terminations, truncations, self._infos() | final

    def _infos(self) -> dict[str, Any]:
        masks, everywhere = self._solo.dense_masks(), np.ones(self.num_envs, np.bool_)
        self._actions.legal[:] = masks
        return {"seat": self._solo.seats.copy(), "_seat": everywhere, "action_mask": masks, "_action_mask": everywhere.copy()}

    def action_masks(self) -> np.ndarray:
        """The actions legal now, (N, actions) bool."""
        return self._solo.dense_masks().astype(np.bool_)
