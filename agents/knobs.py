"""Knobs of rule agents: what they accept, and how values given by a person become the values of all of them."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from tromf.envs.options import Option, flag, integer, number, unknown

SWITCH, SCALE = "0 or 1", "a factor from -100 to 100, 0 off"


class Term(NamedTuple):
    """A term in the worth of a choice: where it counts, weights of it (a game's page says which), and what is counted."""

    name: str
    where: str
    weights: tuple[float, ...]
    meaning: str


def switch(value: Any) -> int:
    """Accepts true and false, 1 and 0."""
    return int(flag(value)) if isinstance(value, (bool, np.bool_)) else integer(0, 1)(value)


def scale(value: Any) -> float:
    """Accepts a factor; true and false are 1 and 0."""
    return float(flag(value)) if isinstance(value, (bool, np.bool_)) else number(-100, 100)(value)


def scales(terms: Sequence[Term]) -> tuple[Option, ...]:
    """A knob for every term, a factor on its weights."""
    return tuple(Option(term.name, 1.0, SCALE, scale, f"scales the weights of: {term.meaning} ({term.where})") for term in terms)


def fields(habits: Sequence[Option]) -> list[tuple[str, type]]:
    """The fields of a knobs record: the agent's kind, and its habits."""
    return [("kind", np.int64), *((habit.name, np.float64 if isinstance(habit.default, float) else np.int64) for habit in habits)]


def turned(options: Sequence[Option], values: dict[str, Any], what: str = "knob") -> dict[str, Any]:
    """The values of all knobs, those given put over the defaults; `ValueError` for an unknown knob or a value not accepted."""
    known = {option.name: option for option in options}
    result = {name: option.default for name, option in known.items()}
    for name, value in values.items():
        if name not in known:
            raise unknown(what, name, known)
        try:
            result[name] = known[name].check(value)
        except ValueError:
            raise ValueError(f"{what} '{name}' is {value!r}: accepted are {known[name].accepts}") from None
    return result


def plain(kind: str, knobs: np.dtype, values: dict[str, Any]) -> np.ndarray:
    """The record of an agent without knobs, shape (); `ValueError` if values for some are given."""
    for name in values:
        raise ValueError(f"agent '{kind}' has no knob {name!r}: only expert has knobs")
    return np.zeros((), knobs)
