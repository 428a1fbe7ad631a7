"""Games and their variants by name: the only list of games."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from typing import Any

import numpy as np

from tromf.envs.cards import Pack
from tromf.envs.habits import Habit
from tromf.envs.options import Option, resolve, unknown
from tromf.envs.symmetry import Symmetry
from tromf.envs.words import Row

_MODULES = {
    "mustamaija": "tromf.envs.mustamaija.game",
    "mitza": "tromf.envs.mitza.game",
    "minnesota-whist": "tromf.envs.minnesota_whist.game",
}
_VERSIONS = {
    "mustamaija": 0,
    "mitza": 0,
    "minnesota-whist": 0,
}  # as in `mustamaija_v0`; here, so that environments can be registered without importing their games


def alone(players: int) -> tuple[int, ...]:
    """The sides of a game in which every seat plays for itself."""
    return tuple(range(players))


def opposite(players: int) -> tuple[int, ...]:
    """The sides of a game for two sides, whose seats alternate."""
    return tuple(seat % 2 for seat in range(players))


@dataclass(frozen=True, eq=False)
class Game:
    """A game: its record dtypes, tables, options and texts. Its rules are the verbs registered for `state`."""

    name: str
    title: str
    version: int
    state: np.dtype
    plan: np.dtype
    actions: int
    max_players: int
    pack: Pack
    rows: tuple[Row, ...]
    options: tuple[Option, ...]
    variants: Mapping[str, Mapping[str, Any]]
    measured: tuple[str, ...]  # settings that `tromf bench` measures, from few players to many
    record: Callable[[dict[str, Any], str | None], np.ndarray]  # of the options, from their values and the variant (None: the first)
    text: Any  # module with the functions listed in `tromf.envs.view`
    outcome: Callable[[Any], dict[str, Any]]  # how a finished episode ended, as plain values
    tree: Any = None  # module with the functions listed in `tromf.envs.tree`
    symmetry: Symmetry | None = None  # of suits, for networks
    sides: Callable[[int], tuple[int, ...]] = alone  # of so many players the side of each seat, numbered from 0, all of equal size
    habits: tuple[Habit, ...] = ()  # figures that say how somebody plays

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles are the game itself, by its name."""
        return _game, (self.name,)

    @cached_property
    def widths(self) -> np.ndarray:
        """Used bits of each observation word, (W,) int64."""
        return np.array([row.width for row in self.rows], np.int64)

    @property
    def words(self) -> int:
        """Words of an observation."""
        return len(self.rows)

    @property
    def later_decks(self) -> int:
        """How many decks can be given for the deals of an episode after the first; 0 where an episode is one deal."""
        return self.state["decks"].shape[0] if "decks" in (self.state.names or ()) else 0

    @cached_property
    def bits(self) -> int:
        """Length of the dense observation vector."""
        return int(self.widths.sum())

    def values(self, variant: str | None = None, **options: Any) -> dict[str, Any]:
        """All options' values, the variant's overridden by those given; `ValueError` names what is wrong."""
        values = resolve(self.options, self.variants, variant, options)
        self.record(values, variant)
        return values

    def states(self, n: int, variant: str | None = None, **options: Any) -> np.ndarray:
        """n blank records with the options set, shape (n,): seed and deal them before use."""
        states = np.zeros(n, self.state)
        states["options"] = self.record(resolve(self.options, self.variants, variant, options), variant)
        return states

    def action_text(self, state: Any, action: int) -> str:
        """The text of an action in a state."""
        if isinstance(action, bool) or not isinstance(action, (int, np.integer)) or not 0 <= action < self.actions:
            raise ValueError(f"no action {action!r}: actions of {self.name} are 0 … {self.actions - 1}")
        return str(self.text.action_text(state, int(action)))

    def parse_action(self, state: Any, text: str, legal: Iterable[int]) -> int:
        """The action whose text this is, among all of the game in this state; a bare card names the one legal action with it.

        `ValueError` if the text is no action, saying which are legal.
        """
        wanted = " ".join(str(text).split()).casefold()
        for action in range(self.actions):
            if self.action_text(state, action).casefold() == wanted:
                return action
        shorter = [action for action in legal if self.action_text(state, action).casefold().split()[-1] == wanted]
        if len(shorter) == 1:
            return shorter[0]
        raise ValueError(f"no action {text!r}: legal are {', '.join(self.action_text(state, action) for action in legal)}")


@cache
def _game(name: str) -> Game:
    return import_module(_MODULES[name]).GAME


def names() -> tuple[str, ...]:
    """Names of all games."""
    return tuple(_MODULES)


def version(name: str) -> int:
    """The version of a game's environments; it goes up when results are no longer comparable."""
    return _VERSIONS[name]


def face(name: str) -> str:
    """What the environment of a game is called, and the module with its PettingZoo face: `mustamaija_v0`."""
    return f"{name.replace('-', '_')}_v{version(name)}"


def choose(name: str, variant: str | None) -> tuple[Game, str | None]:
    """The game and variant that a name and a variant given beside it mean; `ValueError` if they contradict each other."""
    game, named = find(name)
    if named and variant and variant != named:
        raise ValueError(f"{named!r} is a variant, and {variant!r} another one: give one of them")
    return game, variant or named


def find(name: str) -> tuple[Game, str | None]:
    """The game of this name, and the variant if the name is a variant's; `ValueError` says what exists."""
    key = str(name).replace("_", "-").lower()
    if key in _MODULES:
        return _game(key), None
    for game in map(_game, _MODULES):
        if key in game.variants:
            return game, key
    raise unknown("game", name, _MODULES)


def setting(game: Game, variant: str | None, players: int) -> str:
    """What a game, variant and number of players together are called everywhere: `mustamaija-4p`, `101-2p`."""
    default = next(iter(game.variants))
    return f"{game.name if variant in (None, default) else variant}-{players}p"
