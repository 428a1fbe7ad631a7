"""Games in each of which one side learns and agents sit at the other seats: what the single-agent faces stand on.

A side is a seat, or in a game in which seats play together all seats of partners: the learner decides for each of them in its turn,
seeing what that seat sees.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from tromf.envs import deals, registry, verbs
from tromf.envs.batch import Batch, BatchEnv, IllegalAction, apply_chosen, decisions, describe_illegal, first_illegal, play_forced
from tromf.envs.jit import EMPTY, compiled, nth, popcount, stream
from tromf.envs.words import expand, spread_masks

_TRIES = 200  # episodes in a row that may end before the learner is asked, before we take it that it never is


@compiled
def draw_seats(seeds, players, seats):
    """The learner's seat of every episode, a function of its seed."""
    for i in range(seeds.shape[0]):
        seats[i] = ((stream(seeds[i], 1 << 42) >> np.uint64(32)) * np.uint64(players)) >> np.uint64(32)


@compiled
def choose(masks, draws, actions):
    """A uniformly random legal action a row."""
    for i in range(masks.shape[0]):
        actions[i] = nth(masks[i], ((draws[i] >> np.uint64(32)) * popcount(masks[i])) >> np.uint64(32))


@compiled
def look_at(states, rows, learners, skip_forced, seats, observations, masks, returns, truncated):
    """Like `look_rows`, for some rows; forced decisions are made first if they are skipped; at the end the learner's seat looks."""
    for i in rows:
        state = states[i]
        if skip_forced:
            play_forced(state)
        if verbs.over(state):
            masks[i] = EMPTY
            truncated[i] = verbs.truncated(state)
            verbs.returns(state, returns[i])
            seats[i] = learners[i]
        else:
            masks[i] = verbs.legal(state)
            seats[i] = verbs.actor(state)
        verbs.observe(state, seats[i], observations[i])


class RandomOpponent:
    """Takes a uniformly random legal action: whom the learner meets when no opponents are given."""

    def act(self, batch: Batch) -> np.ndarray:
        """A legal action for every row, (k,) int64."""
        actions = np.empty(len(batch), np.int64)
        choose(batch.masks, batch.draws, actions)
        return actions

    def reset(self, rows: np.ndarray) -> None:
        """There is nothing to forget."""


class SoloBatch:
    """N games, in each of which one side learns. Between two of its decisions the other seats play.

    Args:
        game, n, variant, **options: as for `BatchEnv`.
        opponents: None (random), one agent for all seats not of the learner's side, or a list of agents, one for each of them, from the
            left of the learner's seat. An agent has `act(batch)` and `reset(rows)`, as in `tromf.agents`.
        seat: the learner's seat, which names its side; None draws it anew for each episode, from the episode's seed.
        skip_forced: decisions with only one legal action are made without asking.

    Attributes, filled in place:
        states (N,) records; learners (N,) int64, their seats; seats (N,) int64, the seat of the learner's side that is to decide, after the
        end the learner's seat; observations (N, W) uint64 and masks (N,) uint64, what that seat sees and may do, no action after the
        end; returns (N, players) float64 of the episodes ended; done, truncated (N,) bool.
    """

    def __init__(
        self,
        game: str | registry.Game,
        n: int,
        *,
        variant: str | None = None,
        opponents: Any = None,
        seat: int | None = None,
        skip_forced: bool = False,
        **options: Any,
    ) -> None:
        self._batch = BatchEnv(game, n, variant=variant, **options)
        self.game, self.n, self.players, self.states = self._batch.game, self._batch.n, self._batch.players, self._batch.states
        self.seat, self.skip_forced = deals.seat("seat", seat, self.players), bool(skip_forced)
        self.learners = np.zeros(n, np.int64)
        self.observations = np.zeros((n, self.game.words), np.uint64)
        self.masks = np.zeros(n, np.uint64)
        self.returns = np.zeros((n, self.players))
        self.done, self.truncated = np.ones(n, np.bool_), np.zeros(n, np.bool_)
        self.started = False
        self.seats = np.zeros(n, np.int64)
        self._sides = np.array(self.game.sides(self.players))
        self._places = _places(self._sides)
        self._opponents = _seated(opponents, int(self._places.max()) + 1)
        for agent, _ in self._opponents:
            if hasattr(agent, "check"):  # ours say for which game they were made
                agent.check(self.game)

    def reset(self, seeds: Any = None, options: dict[str, Any] | None = None, rows: np.ndarray | None = None) -> None:
        """Start episodes in some rows (indices; all by default) and play them to the learner's first decision.

        `seeds` as for `BatchEnv.reset`; `options`: deck, dealer, seat, the same for all rows. An episode that ends before the learner
        is asked gives way to the one after it. `ValueError` for bad options, and if the learner is never asked.
        """
        options = deals.as_dict(options)
        rows = np.arange(self.n) if rows is None else rows
        dealer = deals.seat("dealer", options.get("dealer"), self.players)
        seat = deals.seat("seat", options.get("seat"), self.players)
        seat = self.seat if seat is None else seat
        for _ in range(_TRIES):
            self._batch.reset(seeds, [options.get("deck")] * len(rows), dealer, rows)
            if seat is None:
                seats = np.empty(len(rows), np.int64)
                draw_seats(self.states["seed"][rows], self.players, seats)
                self.learners[rows] = seats
            else:
                self.learners[rows] = seat
            for agent, _ in self._opponents:
                agent.reset(rows)
            self.returns[rows] = 0.0
            self.done[rows] = self.truncated[rows] = False
            self._play_on(rows)
            rows, seeds = rows[self.masks[rows] == 0], None
            if not len(rows):
                self.started = True
                return
        raise ValueError(
            "the learner is never asked: every episode ends before its first decision; change the options, deck, dealer or seat"
        )

    def step(self, actions: np.ndarray) -> None:
        """The learner of every unfinished game takes its action, (N,) integers, and the others play until it is asked again or the end.

        Raises `IllegalAction`, naming row and action, if one is not legal; then nothing changes.
        """
        actions = np.asarray(actions)
        if not self.started:
            raise ValueError("no episode has begun: call reset()")
        if actions.shape != (self.n,) or actions.dtype.kind not in "iu":
            raise IllegalAction(f"actions are {actions.shape} {actions.dtype}: accepted are {self.n} integers 0 … {self.game.actions - 1}")
        actions = actions.astype(np.int64, copy=False)
        row = first_illegal(self.masks, actions)
        if row >= 0:
            seat, mask = int(self.seats[row]), int(self.masks[row])
            where = f"row {row}: " if self.n > 1 else ""
            raise IllegalAction(where + describe_illegal(self.game, self.states[row], seat, int(actions[row]), mask))
        rows = np.flatnonzero(self.masks)
        apply_chosen(self.states, rows, actions)
        self._play_on(rows)
        self.done[rows] = self.masks[rows] == 0

    def _play_on(self, rows: np.ndarray) -> None:
        """The others play until the learner is to decide, or the end."""
        actions = np.zeros(self.n, np.int64)
        while True:
            look_at(
                self.states, rows, self.learners, self.skip_forced, self.seats, self.observations, self.masks, self.returns, self.truncated
            )
            rows = rows[self._sides[self.seats[rows]] != self._sides[self.learners[rows]]]  # after the end it is the learner's own
            if not len(rows):
                return
            places = self._places[self.learners[rows], self.seats[rows]]
            for agent, sits in self._opponents:
                mine = rows if len(self._opponents) == 1 else rows[sits[places]]
                if len(mine):
                    actions[mine] = agent.act(decisions(self.game, self.states, self.observations, self.masks, self.seats, mine))
                    self._check(agent, mine, actions)
            apply_chosen(self.states, rows, actions)

    def _check(self, agent: Any, rows: np.ndarray, actions: np.ndarray) -> None:
        k = first_illegal(self.masks[rows], actions[rows])
        if k >= 0:
            row = rows[k]
            text = describe_illegal(self.game, self.states[row], int(self.seats[row]), int(actions[row]), int(self.masks[row]))
            raise IllegalAction(f"opponent {agent}: {text}")

    def learner_returns(self) -> np.ndarray:
        """The learners' returns in the episodes ended, (N,) float64, 0 in the others."""
        return np.where(self.done, self.returns[np.arange(self.n), self.learners], 0.0)

    def dense(self) -> np.ndarray:
        """What the learners' seats to decide see as 0/1 vectors, (N, bits) int8, new each time."""
        result = np.empty((self.n, self.game.bits), np.int8)
        expand(self.observations, self.game.widths, result)
        return result

    def dense_masks(self) -> np.ndarray:
        """What the learners may do, (N, actions) int8, new each time."""
        result = np.empty((self.n, self.game.actions), np.int8)
        spread_masks(self.masks, result)
        return result

    def outcome(self, row: int) -> dict[str, Any]:
        """How the episode of a row ended: what the game says, and every seat's return."""
        return self.game.outcome(self.states[row]) | {"returns": self.returns[row].tolist()}


def _places(sides: np.ndarray) -> np.ndarray:
    """For each learner's seat the numbers of all seats among its opponents, from its left, (players, players) int64; -1 for its side."""
    places = np.full((len(sides), len(sides)), -1)
    for learner, side in enumerate(sides):
        others = [seat % len(sides) for seat in range(learner + 1, learner + len(sides)) if sides[seat % len(sides)] != side]
        places[learner, others] = np.arange(len(others))
    return places


def _seated(opponents: Any, n: int) -> list[tuple[Any, np.ndarray]]:
    """The different agents among n opponents, each with the places, (n,) bool from the learner's left, at which it sits."""
    if opponents is None:
        opponents = RandomOpponent()
    agents = [opponents] * n if hasattr(opponents, "act") else opponents
    if isinstance(agents, str) or not isinstance(agents, Sequence) or len(agents) != n or not all(hasattr(each, "act") for each in agents):
        raise ValueError(
            f"opponents are {opponents!r}: accepted are None (random), an agent (tromf.agents.make makes one), or a list of {n} agents"
        )
    different = list({id(agent): agent for agent in agents}.values())
    return [(agent, np.array([each is agent for each in agents])) for agent in different]
