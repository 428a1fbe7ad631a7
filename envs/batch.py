"""N games stepped at once: what trainers, evaluation and search use, and the only place that loops over games for them."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from operator import index
from typing import Any

import numpy as np

from tromf.envs import deals, registry, verbs
from tromf.envs.jit import EMPTY, compiled, draw_below, mixed, nth, popcount, stream
from tromf.envs.words import expand


class IllegalAction(ValueError):
    """An action that the rules do not allow now; nothing has changed."""


@compiled
def begin(state, seed, dealer, keep_deck):
    """Start an episode from a seed: generator, dealer (drawn if negative), deck 0 (drawn unless `keep_deck`), deal."""
    state.seed = seed
    if dealer >= 0:
        state.dealer = dealer
    else:
        state.rng = stream(seed, 1)
        state.dealer = draw_below(state, state.options.players)
    state.rng = stream(seed, 0)
    if not keep_deck:
        verbs.shuffle(state, 0)
    verbs.deal(state)


@compiled
def next_seed(seed):
    """The seed of the episode after the one with this seed, for batches that go on by themselves."""
    return stream(seed, 1 << 40)


@compiled
def begin_rows(states, rows, seeds, dealers, keep_decks):
    for k in range(rows.shape[0]):
        begin(states[rows[k]], seeds[k], dealers[k], keep_decks[k])


@compiled
def play_forced(state):
    """Play decisions with one legal action until there is a choice or the end."""
    while not verbs.over(state):
        actions = verbs.legal(state)
        if popcount(actions) != 1:
            return
        verbs.apply(state, nth(actions, 0))


@compiled
def skip_all_forced(states):
    for i in range(states.shape[0]):
        play_forced(states[i])


@compiled
def apply_chosen(states, rows, actions):
    """The games in some rows take their actions, (N,) for all rows, which must be legal."""
    for i in rows:
        verbs.apply(states[i], actions[i])


@compiled
def returns_rows(states, out):
    for i in range(states.shape[0]):
        verbs.returns(states[i], out[i])


@compiled
def begin_next(state, skip_forced):
    """Start the episode with the next seed; with `skip_forced`, the first one in which there is something to decide.

    In games so small that this is rare one may be left finished.
    """
    for _ in range(1000):
        begin(state, next_seed(state.seed), -1, False)
        if skip_forced:
            play_forced(state)
        if not verbs.over(state):
            return


@compiled
def first_illegal(masks, actions):
    """The first unfinished row whose action is not legal, or -1."""
    for i in range(masks.shape[0]):
        a = actions[i]
        if masks[i] and (a < 0 or a > 63 or not (masks[i] >> np.uint64(a)) & np.uint64(1)):
            return i
    return -1


@compiled
def observe_rows(states, seats, observations, masks):
    """Seats to act and what they see; nothing for finished games, whose masks are 0."""
    for i in range(states.shape[0]):
        if masks[i]:
            seats[i] = verbs.actor(states[i])
            verbs.observe(states[i], seats[i], observations[i])
        else:
            observations[i] = EMPTY


@compiled
def look_rows(states, seats, observations, masks):
    """Seats to act, what they see, and what they may do; nothing for finished games."""
    for i in range(states.shape[0]):
        masks[i] = EMPTY if verbs.over(states[i]) else verbs.legal(states[i])
    observe_rows(states, seats, observations, masks)


@compiled
def step_rows(states, actions, seats, observations, masks, returns, done, truncated, skip_forced, autoreset):
    """Every unfinished game takes its action; what ended says so; then everybody looks.

    Two passes are faster than one: each has fewer branches to guess.
    """
    if autoreset:
        done[:] = False
        truncated[:] = False
    for i in range(states.shape[0]):
        if masks[i]:
            state = states[i]
            verbs.apply(state, actions[i])
            if skip_forced:
                play_forced(state)
            if verbs.over(state):
                done[i], truncated[i] = True, verbs.truncated(state)
                verbs.returns(state, returns[i])
                if autoreset:
                    begin_next(state, skip_forced)
            masks[i] = EMPTY if verbs.over(state) else verbs.legal(state)
    observe_rows(states, seats, observations, masks)


@compiled
def conceal_rows(states, seats):
    for i in range(states.shape[0]):
        verbs.conceal(states[i], seats[i])


@compiled
def play_randomly(states, decisions):
    """Every game plays that many uniformly random legal decisions, dealing anew at the end; the number of games ended."""
    games = 0
    for i in range(states.shape[0]):
        state = states[i]
        for _ in range(decisions):
            actions = verbs.legal(state)
            verbs.apply(state, nth(actions, draw_below(state, popcount(actions))))
            if verbs.over(state):
                games += 1
                begin(state, next_seed(state.seed), -1, False)
    return games


@compiled
def choose_randomly(states, masks, actions):
    """A uniformly random legal action for every unfinished game, from the game's own generator."""
    for i in range(actions.shape[0]):
        if masks[i]:
            actions[i] = nth(masks[i], draw_below(states[i], popcount(masks[i])))


@compiled
def world_rows(state, seat, plan, worlds, rng):
    verbs.prepare(state, seat, plan)
    for i in range(worlds.shape[0]):
        verbs.resample(plan, worlds[i], rng)


@compiled
def decision_draw(state):
    """64 random bits for the decision to be made: a function of the game's seed and the number of the decision."""
    return mixed(stream(state.seed, 1 << 41) + np.uint64(state.decisions) * np.uint64(0x9E3779B97F4A7C15))


@compiled
def draw_rows(states, rows, draws):
    for k in range(rows.shape[0]):
        draws[k] = decision_draw(states[rows[k]])


def concealed(states: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """Copies of records, (N,), in which everything that the given seats, (N,), do not know is blanked."""
    copies = states.copy()
    conceal_rows(copies, np.asarray(seats))
    return copies


def worlds(game: registry.Game, state: Any, seat: int, n: int, seed: int) -> np.ndarray:
    """n worlds, (n,) records, that agree with what `seat` knows in a record (concealed or not; the hidden part is not used)."""
    players = int(state["options"]["players"])
    if seat not in range(players):
        raise ValueError(f"no seat {seat!r}: seats are 0 … {players - 1}")
    if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or n < 0:
        raise ValueError(f"{n!r} worlds: accepted is an integer from 0")
    rng = np.zeros(1, [("rng", np.uint64)])
    rng["rng"] = stream(np.uint64(seed), 0)
    copy = concealed(np.array([state], game.state), np.array([seat]))
    result = np.zeros(n, game.state)
    world_rows(copy[0], seat, np.zeros(1, game.plan)[0], result, rng[0])
    return result


@dataclass
class Batch:
    """Decisions to be made, one a row.

    Attributes:
        game: the game played.
        observations: (k, W) uint64 words, as described by `game.rows`.
        masks: (k,) uint64, bit a set where action a is legal; never 0.
        seats: (k,) int64, the seat to act.
        rows: (k,) int64, stable ids of the games, for agents with memory.
        draws: (k,) uint64 random numbers, a function of seed, game and decision, never of the batch.
        conceal: makes the records, (k,), with everything blanked that the seats to act do not know; call `concealed()`.
        reveal: makes the records, (k,), with everything in them; for agents that say that they cheat, which call `revealed()`.
    """

    game: registry.Game
    observations: np.ndarray
    masks: np.ndarray
    seats: np.ndarray
    rows: np.ndarray
    draws: np.ndarray
    conceal: Callable[[], np.ndarray]
    reveal: Callable[[], np.ndarray]

    def concealed(self) -> np.ndarray:
        """The records, (k,), as the seats to act know them."""
        return self.conceal()

    def revealed(self) -> np.ndarray:
        """The records, (k,), as nobody may know them who plays fair."""
        return self.reveal()

    def __len__(self) -> int:
        return len(self.masks)


def decisions(
    game: registry.Game, states: np.ndarray, observations: np.ndarray, masks: np.ndarray, seats: np.ndarray, rows: np.ndarray
) -> Batch:
    """The decisions to be made in some rows (indices) of a batch, as agents see them."""
    draws = np.empty(len(rows), np.uint64)
    draw_rows(states, rows, draws)
    return Batch(
        game,
        observations[rows],
        masks[rows],
        seats[rows],
        rows,
        draws,
        lambda: concealed(states[rows], seats[rows]),
        lambda: states[rows],
    )


def seeds_for(seeds: Any, n: int) -> np.ndarray:
    """n seeds, (n,) uint64: an int s gives s, s+1, …; a sequence gives itself; None gives fresh entropy from the system."""
    if seeds is None:
        return np.random.SeedSequence().generate_state(n, np.uint64)
    if isinstance(seeds, (int, np.integer)) and not isinstance(seeds, bool):
        return np.uint64(int(seeds) % 2**64) + np.arange(n, dtype=np.uint64)
    array = np.asarray(seeds)
    if array.shape != (n,) or array.dtype.kind not in "iu":
        raise ValueError(f"seeds are {np.shape(seeds)} {array.dtype}: accepted are one integer or {n} of them")
    return array.astype(np.uint64)


def chosen_rows(rows: Any, n: int) -> np.ndarray:
    """Indices of rows, (k,), given as such, as a mask of all rows, or by None for all; `ValueError` if they are none of n rows."""
    if rows is None:
        return np.arange(n)
    array = np.asarray(rows)
    if array.dtype == np.bool_ and array.shape == (n,):
        return np.flatnonzero(array)
    if array.size == 0 and array.ndim == 1:
        return np.zeros(0, np.int64)
    if array.ndim != 1 or array.dtype.kind not in "iu" or (array < 0).any() or (array >= n).any() or len(np.unique(array)) < len(array):
        raise ValueError(f"rows are {rows!r}: accepted are different indices 0 … {n - 1}, or a mask of {n}")
    return array.astype(np.int64)


class BatchEnv:
    """N games of one kind stepped at once.

    Args:
        game: a game's or variant's name, or a `Game`.
        n: number of games, the rows of the batch.
        skip_forced: play decisions with only one legal action without asking.
        autoreset: a finished game begins anew in the same step, with the next seed of its row; `done` and `returns` tell of
            the episode that ended, everything else of the new one. Otherwise a finished game stays so until it is reset.
        threads: rows are stepped in so many threads; results do not depend on it.
        variant, **options: as for the environments. Batches may also mix: write to `states["options"]` before `reset`.

    Attributes, filled in place:
        states (N,) records; seats (N,) int64, to act; observations (N, W) uint64; masks (N,) uint64, bit a set where action a
        is legal, 0 for finished games; returns (N, players) float64; done (N,) bool; truncated (N,) bool.
    """

    def __init__(
        self,
        game: str | registry.Game,
        n: int,
        *,
        skip_forced: bool = False,
        autoreset: bool = False,
        threads: int = 1,
        variant: str | None = None,
        **options: Any,
    ) -> None:
        if not isinstance(game, registry.Game):
            game, variant = registry.choose(game, variant)
        for name, value in (("n", n), ("threads", threads)):
            if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
                raise ValueError(f"{name} is {value!r}: accepted is an integer from 1")
        self.game, self.n = game, int(n)
        self.skip_forced, self.autoreset, self.threads = bool(skip_forced), bool(autoreset), int(threads)
        self.states = game.states(n, variant, **options)
        self.players = int(self.states["options"]["players"].max())
        self.seats = np.zeros(n, np.int64)
        self.observations = np.zeros((n, game.words), np.uint64)
        self.masks = np.zeros(n, np.uint64)
        self.returns = np.zeros((n, self.players))
        self.done = np.ones(n, np.bool_)
        self.truncated = np.zeros(n, np.bool_)
        self._started = np.zeros(n, np.bool_)
        self._pool: ThreadPoolExecutor | None = None

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_pool": None}

    def reset(
        self,
        seeds: Any = None,
        decks: Sequence[Any] | None = None,
        dealers: Any = None,
        rows: Any = None,
    ) -> None:
        """Start episodes in the given rows (all by default).

        Args:
            seeds: an integer s (row k of those given gets s + k), one for each row, or None: each row goes on with its next seed.
            decks: for each row a deck (C-3), a list of decks for the successive deals of its episode, or None for drawn ones.
            dealers: one seat for all, or one for each row.
            rows: indices or a mask of the rows to start.

        Raises `ValueError` for a deck that is no permutation of the pack, or a dealer that is no seat; then nothing changes.
        """
        chosen = chosen_rows(rows, self.n)
        k = len(chosen)
        row_seeds = seeds_for(seeds, k)
        if seeds is None:
            again = self._started[chosen]
            row_seeds[again] = next_seeds(self.states["seed"][chosen[again]])
        players = self.states["options"]["players"][chosen]
        if k and players.max() > self.players:
            raise ValueError(f"options of {players.max()} players written to a batch made for {self.players}")
        row_dealers = np.full(k, -1, np.int64)
        if dealers is not None:
            given = np.asarray(dealers)
            if given.dtype.kind not in "iu" or given.shape not in ((), (k,)) or (given < 0).any() or (given >= players).any():
                raise ValueError(f"dealer {dealers!r} is no seat: seats are 0 … {int(players.min()) - 1 if k else 0}")
            row_dealers[:] = given
        keep = np.zeros(k, np.bool_)
        if decks is not None:
            if len(decks) != k:
                raise ValueError(f"{len(decks)} decks given for {k} rows")
            packs = self.states["options"]["pack"][chosen]
            found = [None if each is None else deals.decks(self.game, each, int(pack)) for each, pack in zip(decks, packs, strict=True)]
            for row, each in enumerate(found):
                if each is not None:
                    keep[row] = True
                    self._hand_out(chosen[row], each)
        begin_rows(self.states, chosen, row_seeds, row_dealers, keep)
        self._started[chosen] = True
        self.done[chosen] = self.truncated[chosen] = False
        self.returns[chosen] = 0.0
        if self.skip_forced:
            skip_rows(self.states, chosen, self.done, self.truncated, self.returns, self.autoreset)
        self._look()

    def _hand_out(self, row: int, decks: list[list[int]]) -> None:
        """Write the decks of an episode into its record."""
        first, *later = decks
        self.states["deck"][row, : len(first)] = first
        self.states["size"][row] = len(first)
        if self.game.later_decks:
            self.states["given"][row] = len(later)
            for k, deck in enumerate(later):
                self.states["decks"][row, k, : len(deck)] = deck

    def step(self, actions: Any) -> None:
        """Every unfinished game takes its action, (N,) integers; those of finished games are ignored.

        Raises `IllegalAction`, naming row and action, if one is not legal; then nothing changes. `ValueError` before any `reset`.
        """
        if not self._started.any():
            raise ValueError("step before reset: start the episodes with reset()")
        actions = np.asarray(actions)
        if actions.shape != (self.n,) or actions.dtype.kind not in "iu":
            raise ValueError(f"actions are {actions.shape} {actions.dtype}: accepted are {self.n} integers")
        actions = actions.astype(np.int64, copy=False)
        row = first_illegal(self.masks, actions)
        if row >= 0:
            named = describe_illegal(self.game, self.states[row], int(self.seats[row]), int(actions[row]), int(self.masks[row]))
            raise IllegalAction(f"row {row}: {named}")
        arrays = (self.states, actions, self.seats, self.observations, self.masks, self.returns, self.done, self.truncated)
        self._divide(step_rows, arrays, (self.skip_forced, self.autoreset))

    def _look(self) -> None:
        self._divide(look_rows, (self.states, self.seats, self.observations, self.masks))

    def _divide(self, function: Callable[..., None], arrays: tuple[np.ndarray, ...], settings: tuple[Any, ...] = ()) -> None:
        """Call a compiled function on all rows, divided among the threads; it leaves the interpreter's lock."""
        if self.threads == 1:
            function(*arrays, *settings)
            return
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.threads - 1)
        edges = np.linspace(0, self.n, self.threads + 1).astype(int)
        parts = [slice(a, b) for a, b in zip(edges[:-1], edges[1:], strict=True)]
        others = [self._pool.submit(function, *(array[part] for array in arrays), *settings) for part in parts[1:]]
        function(*(array[parts[0]] for array in arrays), *settings)  # a share for this thread: waking another one takes its time
        for other in others:
            other.result()

    def dense(self, out: np.ndarray | None = None) -> np.ndarray:
        """The observations as 0/1 vectors, (N, bits) int8, written to `out` if given."""
        if out is None:
            out = np.empty((self.n, self.game.bits), np.int8)
        self._divide(lambda words, vectors: expand(words, self.game.widths, vectors), (self.observations, out))
        return out

    def concealed(self) -> np.ndarray:
        """The records as the seats to act know them: copies, (N,), with everything hidden blanked."""
        return concealed(self.states, self.seats)

    def decisions(self, rows: np.ndarray | None = None) -> Batch:
        """The decisions to be made, in the given rows (indices) or in all unfinished games, as agents see them."""
        rows = np.flatnonzero(self.masks) if rows is None else rows
        return decisions(self.game, self.states, self.observations, self.masks, self.seats, rows)


@compiled
def next_seeds(seeds):
    result = np.empty_like(seeds)
    for i in range(seeds.shape[0]):
        result[i] = next_seed(seeds[i])
    return result


@compiled
def skip_rows(states, rows, done, truncated, returns, autoreset):
    """Play forced decisions at the start of episodes; one that ends by them is over, or gives way to the next."""
    for i in rows:
        play_forced(states[i])
        if verbs.over(states[i]) and autoreset:
            begin_next(states[i], True)
        if verbs.over(states[i]):
            done[i], truncated[i] = True, verbs.truncated(states[i])
            verbs.returns(states[i], returns[i])


def action_number(game: registry.Game, action: Any) -> int:
    """An action, of any integer type, as a number that exists in the game; `IllegalAction` if it is none."""
    try:
        number = index(action)
    except TypeError:
        number = -1
    if not 0 <= number < game.actions or isinstance(action, bool):
        raise IllegalAction(f"action {action!r} does not exist: accepted is an integer 0 … {game.actions - 1}")
    return number


def describe_illegal(game: registry.Game, state: Any, seat: int, action: int, mask: int) -> str:
    """One line that names an illegal action and the legal ones."""
    legal = ", ".join(f"{a} ({game.action_text(state, a)})" for a in range(game.actions) if mask >> a & 1)
    named = f" ({game.action_text(state, action)})" if 0 <= action < game.actions else ""
    return f"action {action}{named} is not legal for seat {seat}; legal are {legal}"
