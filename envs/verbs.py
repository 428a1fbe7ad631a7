"""What a game is: a record dtype, and the verbs below, written for one record and compiled by Numba.

Loops over games (batches, roll-outs, search) are written once, in terms of the verbs, and Numba compiles them for each
game's record type. The verb is chosen by the type of the record at compile time, so nothing is looked up while running;
and unlike functions handed over as arguments or closures, such loops stay in the disk cache. From Python the same names
work on a single record too (`legal(states[0])`), one lookup slower.

Every record has the fields `options` (a nested record), `rng` (the game's own generator), `seed`, `deck`, `size` (cards in the
pack), `dealer` and `decisions`.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types
from numba.extending import overload

_IMPLEMENTATIONS: dict[tuple[str, np.dtype], Callable] = {}


def _verb(declaration: Callable) -> Callable:
    """Turn a declaration into a verb: looked up by the first argument's dtype, at compile time in compiled code."""
    name = declaration.__name__

    def dispatch(*arguments: Any) -> Any:
        return implementation(name, arguments[0].dtype)(*arguments)

    dispatch.__name__, dispatch.__doc__ = name, declaration.__doc__

    @overload(dispatch, jit_options={"forceinline": True})
    def choose(*arguments):  # Numba wants the signature of the implementation, without annotations
        if not isinstance(arguments[0], types.Record):
            return None
        chosen = implementation(name, arguments[0].dtype)
        return lambda *arguments: chosen(*arguments)

    return dispatch


def implementation(verb: str, dtype: np.dtype) -> Callable:
    """The compiled function that stands for a verb on records of a dtype; `LookupError` if none is registered."""
    try:
        return _IMPLEMENTATIONS[verb, dtype]
    except KeyError:
        raise LookupError(f"no verb '{verb}' is registered for records of dtype {dtype}") from None


def has(verb: str, dtype: np.dtype) -> bool:
    """Whether a verb is registered for records of a dtype."""
    return (verb, dtype) in _IMPLEMENTATIONS


def register(dtype: np.dtype, **verbs: Callable) -> None:
    """Say which compiled functions are the verbs of a record dtype. `ValueError` if one is registered already."""
    for verb, function in verbs.items():
        if (verb, dtype) in _IMPLEMENTATIONS:
            raise ValueError(f"verb '{verb}' is already registered for this dtype")
        _IMPLEMENTATIONS[verb, dtype] = function


@_verb
def shuffle(state, k):
    """Write the k-th deck of this episode, a function of (state.seed, k) alone, into `state.deck`."""


@_verb
def deal(state):
    """Set up a new deal from `state.deck` and `state.dealer`; options are fields of the record and stay."""


@_verb
def actor(state):
    """The seat to decide."""


@_verb
def legal(state):
    """`uint64` with bit a set where action a is legal; never 0 before the end."""


@_verb
def apply(state, action):
    """The seat to decide takes a legal action. Illegal ones are not looked for: `BatchEnv` does that."""


@_verb
def over(state):
    """Whether the episode has ended (by its rules, or cut off)."""


@_verb
def truncated(state):
    """Whether the episode was cut off by its limit."""


@_verb
def returns(state, out):
    """Write every seat's return, float64 (players,) or longer; zeros before the end."""


@_verb
def observe(state, seat, words):
    """Write all that a seat knows, and nothing else, as `uint64` words, one a row of the game's table."""


@_verb
def conceal(state, seat):
    """Blank, in place, everything in the record that the seat cannot know: other hands, the stock, the generator."""


@_verb
def prepare(concealed, seat, plan):
    """Fill a plan record from which `resample` draws worlds that a concealed record allows."""


@_verb
def resample(plan, world, rng):
    """Write into `world` a state drawn from the distribution that a uniformly random deck and uniformly random hidden
    choices would give, given what the plan's seat knows. `rng` is any record with a field `rng`, from which it draws."""


@_verb
def drawn(state):
    """A number, int64, that changes whenever chance that is no draw from the generator decides something after the first deal."""


@_verb
def redraw(state, rng):
    """Draw anew, in place, all that chance still holds: the cards of the stock that nobody has seen, later decks, the generator. The
    result has the distribution of the truth, given everything that has happened, all hands included. `rng` as in `resample`."""


@_verb
def scene(state, seat, words):
    """Write the whole position, hands of all included, as a seat at an open table would see it: `uint64` words, a row of `Game.scene`
    each; suits may be renamed. What is hidden in the stock is no part of it."""
