"""The OpenSpiel face: one class for all games. `register()` tells OpenSpiel about every game and variant.

    import pyspiel
    from tromf.envs.openspiel import register

    register()
    game = pyspiel.load_game("tromf_euchre(players=3)")

Needs the extra `tromf[openspiel]`. Chance moves: the dealer, unless the parameter `dealer` names a seat; then the deck of every deal, card
by card, first dealt first, each of those left being equally likely; and what the game decides by lot. So all probabilities are exact.
"""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from tromf.envs import batch, jit, registry
from tromf.envs.cards import members
from tromf.envs.memory import remember, remember_action, take, to_decide
from tromf.envs.options import PACK, Option
from tromf.envs.words import expand

try:
    import pyspiel
except ImportError as error:
    raise ImportError("tromf.envs.openspiel needs OpenSpiel: install the extra with pip install 'tromf[openspiel]'") from error

NONE = -1  # stands for None, and for a dealer to be drawn, in parameters that are numbers
UP = " up"  # `7 up`: a rank as text, since OpenSpiel would read a bare 7 as a number
LONGEST = 2**30  # OpenSpiel adds decisions and chance moves up in 32 bits
WORLDS = 1000  # most that are drawn to find one whose history leads to what the seat has seen

DEALER, DECK, LOT, DECISION = range(4)  # what is to happen next in a state


def register() -> tuple[str, ...]:
    """Register every game and variant with OpenSpiel, unless they are already; all their names, `tromf_` and the name with underscores."""
    known = set(pyspiel.registered_names())
    names = []
    for name in dict.fromkeys([*registry.names(), *(v for game in registry.names() for v in registry.find(game)[0].variants)]):
        game, variant = registry.find(name)
        names.append(f"tromf_{name.replace('-', '_')}")
        if names[-1] not in known:
            kind = _game_type(names[-1], game, variant)
            # a class, since OpenSpiel lets go of it when Python has ended already, and classes live as long as the process
            own = type(names[-1], (OpenSpielGame,), {"kind": kind, "rules": game, "variant": variant})
            pyspiel.register_game(kind, own)
    return tuple(names)


def _game_type(name: str, game: registry.Game, variant: str | None) -> pyspiel.GameType:
    return pyspiel.GameType(
        short_name=name,
        long_name=game.title if variant is None else f"{game.title}, {variant}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.max_players,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=defaults(game, variant),
    )


def defaults(game: registry.Game, variant: str | None) -> dict[str, Any]:
    """The parameters of a game or variant and their defaults: `dealer`, and every option as OpenSpiel can hold it.

    A list of cards is text, `QS KS AS`. Where an option may be None, -1 means that if it is a number otherwise, and no text if it is cards.
    """
    values = game.values(variant)
    return {"dealer": NONE} | {option.name: _parameter(option, values[option.name]) for option in game.options}


def _parameter(option: Option, value: Any) -> Any:
    if value is None:
        return "" if option is PACK else NONE
    return " ".join(value) if isinstance(value, list) else value


def option_value(option: Option, parameter: Any) -> Any:
    """The value of an option that a parameter stands for, not checked."""
    if option is PACK:
        cards = parameter.removesuffix(UP).split()
        return None if not cards else cards[0] if len(cards[0]) == 1 else cards
    if isinstance(option.default, list):
        return parameter.split()
    return None if parameter == NONE and _may_be_none(option) else parameter


def _may_be_none(option: Option) -> bool:
    try:
        return option.check(None) is None
    except (ValueError, TypeError):
        return False


class OpenSpielGame(pyspiel.Game):
    """A game or variant with its options, as OpenSpiel knows it.

    Made by `pyspiel.load_game`. Parameters: `dealer`, a seat, or -1 for a chance move; and the game's options (`defaults`). Bad values are
    a `ValueError`; parameters that do not exist, and values of another type than the default, OpenSpiel's own error.

    Attributes: rules, the game; dealer; pack, the numbers of its cards; lots, the parts of [0, 1) that its lots have, as (from, to); start,
    a blank record, (1,).
    """

    kind: pyspiel.GameType
    rules: registry.Game
    variant: str | None

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        rules = self.rules
        standard = defaults(rules, self.variant)
        given = standard | (params or {})
        options = {option.name: option_value(option, given[option.name]) for option in rules.options}
        self.dealer = given["dealer"]
        self.start = rules.states(1, self.variant, **options)
        record = self.start["options"][0]
        players = int(record["players"])
        if not NONE <= self.dealer < players:
            raise ValueError(f"parameter 'dealer' is {self.dealer}: accepted are the seats 0 … {players - 1}, and -1 to draw it")
        self.pack = rules.pack.members(int(record["pack"]))
        bounds = rules.tree.bounds(record)
        edges = (0.0, *bounds.lots, 1.0)
        self.lots = list(zip(edges[:-1], edges[1:]))
        chance = bounds.deals * len(self.pack) + (self.dealer < 0) + bool(bounds.lots) * bounds.decisions
        self._chance_moves = min(chance, LONGEST - 1)
        info = pyspiel.GameInfo(
            num_distinct_actions=rules.actions,
            max_chance_outcomes=max(len(rules.pack), players, len(self.lots)),
            num_players=players,
            min_utility=-bounds.returns,
            max_utility=bounds.returns,
            utility_sum=0.0,
            max_game_length=min(bounds.decisions, LONGEST),
        )
        super().__init__(self.kind, info, {name: value for name, value in given.items() if value != standard[name]})

    def new_initial_state(self) -> "OpenSpielState":
        """The state before anything has happened."""
        return OpenSpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        return self._chance_moves

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "Observer":
        """What writes observations and information states."""
        return Observer(self, iig_obs_type, params)


class OpenSpielState(pyspiel.State):
    """A state: the record of one game, and what chance or a seat is to decide next. Copies and pickles hold no more than that."""

    def __init__(self, game: OpenSpielGame) -> None:
        super().__init__(game)
        self._rules = game.rules
        self._record = game.start.copy()
        players = int(self._record["options"]["players"][0])
        self._observations = np.zeros((players, game.rules.words), np.uint64)
        self._memories = np.zeros((players, 2), np.uint64)
        self._next = DEALER if game.dealer < 0 else DECK
        self._record["dealer"] = max(game.dealer, 0)
        self._dealt = self._record  # the record after the last deal
        self._since = 0  # length of the history then
        self._deck: list[int] = []  # cards of a deck that is being drawn
        self._waiting = -1  # the decision that chance has to settle
        self._seat, self._legal = -1, 0

    def current_player(self) -> int:
        if self._next != DECISION:
            return int(pyspiel.PlayerId.CHANCE)
        return self._seat if self._seat >= 0 else int(pyspiel.PlayerId.TERMINAL)

    def is_terminal(self) -> bool:
        return self._next == DECISION and self._seat < 0

    def returns(self) -> list[float]:
        """Every seat's return; zeros before the end."""
        result = np.zeros((1, len(self._memories)))
        if self.is_terminal():
            batch.returns_rows(self._record, result)
        return [float(value) for value in result[0]]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Dealers, cards or lots, each with its probability."""
        game = self.get_game()
        if self._next == LOT:
            return [(k, high - low) for k, (low, high) in enumerate(game.lots) if high > low]
        left = sorted(set(game.pack) - set(self._deck)) if self._next == DECK else range(len(self._memories))
        return [(each, 1 / len(left)) for each in left]

    def _legal_actions(self, player: int) -> list[int]:
        return members(self._legal)

    def _apply_action(self, action: int) -> None:
        if self._next == DECISION:
            self._decide(action)
        elif self._next == DEALER:
            self._record["dealer"], self._next = action, DECK
        elif self._next == LOT:
            self._settle(after_lot(self._record, self._waiting, self.get_game().lots[action]))
        else:
            self._deck.append(action)
            if len(self._deck) == len(self.get_game().pack):
                self._settle(self._after_deck())
                self._dealt, self._deck = self._record.copy(), []
                self._since = len(self.history()) + 1  # OpenSpiel has still to add this move

    def _decide(self, action: int) -> None:
        """A seat decides; chance is asked first if the record's generator, or a new deck, would decide what comes of it."""
        remember_action(self._memories, self._seat, action)
        after = self._record.copy()
        take(after, action)
        self._waiting = action
        if after["rng"] != self._record["rng"]:
            self._next = LOT
        elif deals_again(self._rules, self._record, after):
            self._next = DECK
        else:
            self._settle(after)

    def _after_deck(self) -> np.ndarray:
        """The record after the deck has been drawn and dealt."""
        after = self._record.copy()
        if self._waiting < 0:
            after["deck"][0, : len(self._deck)], after["size"] = self._deck, len(self._deck)
            batch.begin_rows(after, np.zeros(1, np.int64), np.zeros(1, np.uint64), after["dealer"].astype(np.int64), np.ones(1, np.bool_))
            return after
        after["number"], after["given"] = 0, 1  # the next deal, as far as `next_deck` can tell, is the first for which a deck is given
        after["decks"][0, 0, : len(self._deck)] = self._deck
        take(after, self._waiting)
        after["number"], after["given"] = self._record["number"] + 1, 0
        return after

    def _settle(self, record: np.ndarray) -> None:
        """What has happened is clear: everybody looks."""
        self._record, self._next, self._waiting = record, DECISION, -1
        remember(record, self._observations, self._memories)
        seat, legal = to_decide(record)
        self._seat, self._legal = int(seat), int(legal)

    def resample_from_infostate(self, player: int, probability_sampler: Callable[[], float]) -> "OpenSpielState":
        """A state with another history that has shown the player the same, drawn as `resample` draws worlds.

        probability_sampler: gives random numbers in [0, 1); one or more are taken. Decks of earlier deals stay as they were.
        """
        if not 0 <= player < len(self._memories):
            raise ValueError(f"no seat {player}: seats are 0 … {len(self._memories) - 1}")
        rng = np.random.default_rng([int(probability_sampler() * 2**53) for _ in range(2)])
        history, drawn = self.history(), len(self._deck)
        settled = len(history) - drawn
        partial = [int(card) for card in rng.permutation(self.get_game().pack)[:drawn]]
        if not self._since:
            return self._initial().follow([*history[:settled], *partial])
        waiting = history[settled - (self._waiting >= 0) : settled]
        decided = self._decided(history[self._since : settled - len(waiting)])
        records = [*(record[0] for record, _ in decided), self._record[0]]
        seen = [moves for record, moves in decided if self._rules.tree.recall(records[-1], record[0]) < 0]
        past = history[: self._since - len(self.get_game().pack)]
        for _ in range(WORLDS):
            world = batch.worlds(self._rules, records[-1], player, 1, int(rng.integers(2**62)))
            deck = self._rules.tree.origin(world[0], records, player, rng)
            if deck is None:
                continue
            state = self._initial().follow([*past, *deck])
            if state.retell(world, seen) and state.follow(waiting).looks_like(self, player):
                return state.follow(partial)
        raise RuntimeError(f"in {WORLDS} worlds none was found with a history that shows seat {player} what it has seen")

    def _initial(self) -> "OpenSpielState":
        return self.get_game().new_initial_state()

    def _decided(self, moves: list[int]) -> list[tuple[np.ndarray, list[int]]]:
        """The decisions of this deal, each with the record before it, as moves: the action and, if it was settled by lot, the lot."""
        result, record = [], self._dealt
        while moves:
            after = record.copy()
            take(after, moves[0])
            lot = int(after["rng"][0] != record["rng"][0])
            if lot:
                after = after_lot(record, moves[0], self.get_game().lots[moves[1]])
            result.append((record, moves[: 1 + lot]))
            record, moves = after, moves[1 + lot :]
        return result

    def follow(self, moves: Iterable[int]) -> "OpenSpielState":
        """Make moves, which must be possible; this state."""
        for move in moves:
            self.apply_action(move)
        return self

    def retell(self, world: np.ndarray, seen: list[list[int]]) -> bool:
        """Make the moves of the deal that everybody has seen, between them the secret ones of a world, (1,); whether that leads to it."""
        told = iter(seen)
        while not self.is_terminal():
            secret = self._rules.tree.recall(world[0], self._record[0])
            moves = [secret] if secret >= 0 else next(told, None)
            if moves is None:
                break
            for move in moves:
                if move not in self.legal_actions():
                    return False
                self.apply_action(move)
        observations = np.zeros_like(self._observations)
        remember(world, observations, np.zeros_like(self._memories))
        return next(told, None) is None and np.array_equal(observations, self._observations)

    def looks_like(self, other: "OpenSpielState", player: int) -> bool:
        """Whether a seat has seen the same in two states."""
        return self._next == other._next and np.array_equal(self._memories[player], other._memories[player])

    def observation(self, player: int) -> np.ndarray:
        """What a seat sees, (1, W) uint64 words; zeros before the first deal."""
        return self._observations[player : player + 1]

    def memory(self, player: int) -> str:
        """What it has seen and done so far, as 32 hexadecimal digits."""
        return "".join(f"{int(half):016x}" for half in self._memories[player])

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return {DEALER: "dealer {}", LOT: "lot {}"}.get(self._next, self._rules.pack.texts[action]).format(action)
        return self._rules.action_text(self._record[0], action)

    def __str__(self) -> str:
        seats = (f"seat {seat}: {described(self._rules, words)}" for seat, words in enumerate(self._observations))
        drawn = " ".join(self._rules.pack.texts[card] for card in self._deck)
        return "\n".join((f"next: {('dealer', 'deck', 'lot', 'decision')[self._next]} {drawn}".rstrip(), *seats))


class Observer:
    """Writes observations and information states, for OpenSpiel's observers.

    As numbers both are the dense observation, (bits,) float32: all that the seat knows now that may matter. It forgets, as players do, in
    which order the cards were played; as texts, information states never forget (`tromf.envs.memory`).
    """

    def __init__(self, game: OpenSpielGame, kind: Any = None, params: Any = None) -> None:
        kind = kind or pyspiel.IIGObservationType(perfect_recall=False)
        if params or not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise ValueError("observations have no parameters, and hold what is public and what one seat knows besides")
        self._rules, self._recalls = game.rules, kind.perfect_recall
        self._dense = np.zeros((1, game.rules.bits), np.int8)
        self.tensor = np.zeros(game.rules.bits, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Write what a seat sees into `tensor`."""
        expand(state.observation(player), self._rules.widths, self._dense)
        self.tensor[:] = self._dense[0]

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """The words that are not zero, by name, and in information states the memory."""
        text = f"seat {player}: {described(self._rules, state.observation(player)[0])}"
        return f"{text}; memory {state.memory(player)}" if self._recalls else text


def described(rules: registry.Game, words: np.ndarray) -> str:
    """An observation as text: the words that are not zero, in hexadecimal digits, by their names."""
    return "; ".join(f"{row.name} {int(word):x}" for row, word in zip(rules.rows, words) if word)


def deals_again(rules: registry.Game, before: np.ndarray, after: np.ndarray) -> bool:
    """Whether the next deal of the episode has begun between two records, (1,)."""
    return rules.later_decks > 0 and before["number"][0] != after["number"][0]


def after_lot(record: np.ndarray, action: int, part: tuple[float, float]) -> np.ndarray:
    """The record, (1,), after an action for which the generator draws a number from the middle of a part of [0, 1)."""
    after = record.copy()
    after["rng"] = jit.generator_before(sum(part) / 2)
    take(after, action)
    after["rng"] = record["rng"]
    return after
