"""Options of a game as a table: what each accepts, checked once, with errors of one line."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Option:
    """One option: its name, default, the values it accepts (in words), a normalising check, and what it means.

    `check(value)` returns the value as it will be stored, or raises `ValueError`/`TypeError` (any message).
    """

    name: str
    default: Any
    accepts: str
    check: Callable[[Any], Any]
    meaning: str


def integer(low: int, high: int) -> Callable[[Any], int]:
    """Accepts an int in low … high; NumPy integers too, bools and strings not (C-8)."""

    def check(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not low <= value <= high:
            raise ValueError
        return int(value)

    return check


def number(low: float, high: float) -> Callable[[Any], float]:
    """Accepts a real number in low … high."""

    def check(value: Any) -> float:
        if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.integer, np.floating)) or not low <= value <= high:
            raise ValueError
        return float(value)

    return check


def flag(value: Any) -> bool:
    """Accepts true or false."""
    if not isinstance(value, (bool, np.bool_)):
        raise ValueError
    return bool(value)


def choice(*names: str) -> Callable[[Any], str]:
    """Accepts one of some words."""

    def check(value: Any) -> str:
        if not isinstance(value, str) or value not in names:
            raise ValueError
        return value

    return check


def optional(check: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Accepts None too."""
    return lambda value: None if value is None else check(value)


PACK = Option(
    "pack",
    None,
    "None, a rank (the pack holds the ranks from it upwards) or a list of cards",
    lambda pack: pack,  # looked at by `Pack.reduced`
    "research option: a smaller pack",
)


def unknown(kind: str, name: Any, known: Any) -> ValueError:
    """The error for a name that does not exist: says what exists, and what was probably meant."""
    known = list(known)
    near = get_close_matches(str(name), known, 1)
    return ValueError(f"no {kind} {name!r}{f' (did you mean {near[0]!r}?)' if near else ''}: there are {', '.join(known)}")


def resolve(
    table: tuple[Option, ...], variants: Mapping[str, Mapping[str, Any]], variant: str | None, given: Mapping[str, Any]
) -> dict[str, Any]:
    """All options' values: the variant's, overridden by those given (C-8). `ValueError` names what is wrong."""
    if variant is None:
        variant = next(iter(variants))
    if variant not in variants:
        raise unknown("variant", variant, variants)
    options = {option.name: option for option in table}
    for name in given:
        if name not in options:
            raise unknown("option", name, options)
    values = {option.name: option.default for option in table} | dict(variants[variant]) | dict(given)
    for name, value in values.items():
        try:
            values[name] = options[name].check(value)
        except (ValueError, TypeError) as error:
            raise ValueError(str(error) or f"option '{name}' is {value!r}: accepted are {options[name].accepts}") from None
    return values
