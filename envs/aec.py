"""PettingZoo face: one class for all games. Modules such as `euchre_v0` bind it to a game.

    from tromf.envs import euchre_v0
    env = euchre_v0.env(variant="british", players=4)
    env.reset(seed=0)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        done = termination or truncation
        env.step(None if done else env.action_space(agent).sample(observation["action_mask"]))

`raw_env` raises `IllegalAction` on an illegal action. `env` wraps it as PettingZoo's own games are wrapped: there an illegal action
ends the episode, the seat that took it gets -1 and everybody else 0, whatever the game's scoring (which is not zero-sum).
"""

from typing import Any

import numpy as np
from gymnasium import logger, spaces
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

from tromf.envs import deals, registry, verbs
from tromf.envs.batch import BatchEnv, IllegalAction, action_number, describe_illegal, returns_rows
from tromf.envs.jit import EMPTY, ONE, compiled
from tromf.envs.words import expand

RENDER_MODES = ("human", "ansi", "rgb_array")
_END, _ILLEGAL = -1, -2


@compiled
def take(states, action):
    """The only game of a batch takes an action: the seat to act next, `_END`, or `_ILLEGAL` and then nothing has changed."""
    state = states[0]
    if not (verbs.legal(state) >> np.uint64(action)) & ONE:
        return _ILLEGAL
    verbs.apply(state, action)
    return _END if verbs.over(state) else np.int64(verbs.actor(state))


@compiled
def look(states, seat, to_act, words, widths, observation, mask):
    """What a seat sees, dense, (1, bits) int8, and may do, (actions,) int8: nothing unless it is to act."""
    state = states[0]
    verbs.observe(state, seat, words[0])
    expand(words, widths, observation)
    actions = EMPTY
    if to_act and not verbs.over(state) and verbs.actor(state) == seat:
        actions = verbs.legal(state)
    for action in range(mask.shape[0]):
        mask[action] = (actions >> np.uint64(action)) & ONE


class raw_env(AECEnv):
    """A game for PettingZoo, without wrappers.

    Args:
        game: a game's or variant's name. variant, **options: as for `BatchEnv`.
        render_mode: None, `human`, `ansi` or `rgb_array`.

    Observations are `{"observation": (bits,) int8 of 0 and 1, "action_mask": (actions,) int8}`; the mask is zero off turn. The widths
    are the same for all variants and numbers of players. Rewards are 0 until the end, when `rewards` holds every seat's return.
    Seats that have gone out stay in `agents`; all end together, either all terminated or all truncated; then `infos` tells every
    seat the outcome. Every bad argument is a `ValueError`, and so is `IllegalAction`, after which nothing has changed.
    """

    def __init__(self, game: str, *, variant: str | None = None, render_mode: str | None = None, **options: Any) -> None:
        super().__init__()
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ValueError(f"render_mode is {render_mode!r}: accepted are None, {', '.join(RENDER_MODES)}")
        self._batch = BatchEnv(game, 1, variant=variant, **options)  # starts episodes; they are played with `take`, in one call
        self._states = self._batch.states
        self.game = self._batch.game
        self.render_mode = render_mode
        self.metadata = {
            "name": registry.face(self.game.name),
            "render_modes": list(RENDER_MODES),
            "render_fps": 2,
            "is_parallelizable": False,
        }
        self.possible_agents = [f"player_{seat}" for seat in range(self._batch.players)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._words = np.zeros((1, self.game.words), np.uint64)
        self._started = False
        bits, actions = self.game.bits, self.game.actions
        self.observation_spaces = {
            agent: spaces.Dict({"observation": spaces.Box(0, 1, (bits,), np.int8), "action_mask": spaces.Box(0, 1, (actions,), np.int8)})
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self.state_space = spaces.Box(0, 1, (self.game.max_players, bits), np.int8)

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start an episode.

        Args:
            seed: any integer. Without one the episode follows from the previous one's seed; the first draws fresh entropy.
            options: `deck`, a list of all cards, first dealt first (or a list of such lists, for the successive deals of an episode),
                and `dealer`, a seat; what is not given is drawn from the seed. Other keys are ignored.

        Raises `ValueError` for a deck that is no permutation of the pack, or a dealer that is no seat; then nothing changes.
        """
        options = deals.as_dict(options)
        dealer = deals.seat("dealer", options.get("dealer"), len(self.possible_agents))
        self._batch.reset(seed, decks=[options.get("deck")], dealers=dealer)
        self._started = True
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self.agents[self._batch.seats[0]]
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """What a seat knows, in new arrays."""
        try:
            seat = self._seats[agent]
        except (KeyError, TypeError):
            raise ValueError(f"no agent {agent!r}: there are {', '.join(self.possible_agents)}") from None
        self._require_start()
        to_act = agent == self.agent_selection and not (self.terminations.get(agent, True) or self.truncations.get(agent, True))
        observation, mask = np.empty((1, self.game.bits), np.int8), np.empty(self.game.actions, np.int8)
        look(self._states, seat, to_act, self._words, self.game.widths, observation, mask)
        return {"observation": observation[0], "action_mask": mask}

    def step(self, action: Any) -> None:
        """The seat `agent_selection` takes an action; `None` once it has ended, which takes it out of `agents`."""
        agent = self.agent_selection if self.agents else None
        if agent is None or self.terminations[agent] or self.truncations[agent]:
            self._require_start()
            if agent is None:
                raise ValueError("the episode has ended: call reset()")
            self._was_dead_step(action)
            return
        number = action_number(self.game, action)
        seat = take(self._states, number)
        if seat == _ILLEGAL:
            mask = int(verbs.legal(self._states[0]))
            raise IllegalAction(describe_illegal(self.game, self._states[0], self._seats[agent], number, mask))
        # Rewards are zero before the end, so that there is nothing to clear and nothing to accumulate until then.
        if seat == _END:
            self._end()
        else:
            self.agent_selection = self.possible_agents[seat]
        if self.render_mode == "human":
            self.render()

    def _end(self) -> None:
        """Every seat ends and gets its return."""
        returns = np.zeros((1, len(self.agents)))
        returns_rows(self._states, returns)
        cut_off = bool(verbs.truncated(self._states[0]))
        outcome = self.game.outcome(self._states[0])
        self.rewards = dict(zip(self.agents, returns[0].tolist()))
        self._cumulative_rewards = dict(self.rewards)
        self.terminations = dict.fromkeys(self.agents, not cut_off)
        self.truncations = dict.fromkeys(self.agents, cut_off)
        self.infos = {
            agent: {"outcome": {key: list(v) if isinstance(v, list) else v for key, v in outcome.items()}} for agent in self.agents
        }
        self._deads_step_first()

    def state(self) -> np.ndarray:
        """The whole truth, for centralised critics: (max_players, bits) int8, row p what seat p observes, absent seats zero.

        Every hand is in it. The order of the cards that nobody has seen is not: it is chance still to come.
        """
        self._require_start()
        result, mask = np.zeros(self.state_space.shape, np.int8), np.empty(self.game.actions, np.int8)
        for seat in range(len(self.possible_agents)):
            look(self._states, seat, False, self._words, self.game.widths, result[seat : seat + 1], mask)
        return result

    def action_text(self, action: int) -> str:
        """The text of an action now: `lay 7H`, `take`."""
        self._require_start()
        return self.game.action_text(self._states[0], action)

    def parse_action(self, text: str) -> int:
        """The action with this text now; `ValueError` if there is none, saying which are legal."""
        self._require_start()
        mask = int(verbs.legal(self._states[0])) if self.agents and not verbs.over(self._states[0]) else 0
        return self.game.parse_action(self._states[0], text, [a for a in range(self.game.actions) if mask >> a & 1])

    def render(self) -> str | np.ndarray | None:
        """The table as the seat to act sees it, and all of it after the end: text, (height, width, 3) uint8, or printed."""
        if self.render_mode is None:
            logger.warn("render() does nothing without a render_mode: give one when you make the environment, such as render_mode='ansi'")
            return None
        self._require_start()
        from tromf.envs import render  # pictures need Pillow, which nobody else should wait for

        seat = None if not self.agents or verbs.over(self._states[0]) else self._seats[self.agent_selection]
        picture: str | np.ndarray | None = getattr(render, self.render_mode)(self.game, self._states[0], seat)
        return picture

    def close(self) -> None:
        """There is nothing to release."""

    def _require_start(self) -> None:
        if not self._started:
            raise ValueError("no episode has begun: call reset()")


def wrapped(environment: raw_env) -> AECEnv:
    """An environment in the wrappers that PettingZoo's users expect."""
    safe: AECEnv = TerminateIllegalWrapper(environment, illegal_reward=-1)
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(safe))


def env(game: str, **options: Any) -> AECEnv:
    """A game for PettingZoo in the usual wrappers; arguments as for `raw_env`."""
    return wrapped(raw_env(game, **options))
