"""The options that `reset` takes in every face: `deck`, `dealer` and, where one side learns, `seat`."""

from typing import Any

import numpy as np

from tromf.envs.registry import Game


def as_dict(options: Any) -> dict[str, Any]:
    """Options of `reset` as a dictionary; keys that mean nothing to us are left to others."""
    if options is not None and not isinstance(options, dict):
        raise ValueError(f"options are {options!r}: accepted is a dictionary, with the keys deck and dealer")
    return options or {}


def decks(game: Game, given: Any, pack: int) -> list[list[int]]:
    """Option `deck`, one deck or a list of decks for the successive deals of an episode, as a list of decks of numbers.

    `ValueError` if one is no permutation of the pack (a set of cards), naming the missing, doubled or foreign cards, and for more
    decks than a record can hold. A game whose episodes are single deals uses the first only.
    """
    if not isinstance(given, (str, list, tuple, np.ndarray)):
        raise ValueError(f"deck is {given!r}: accepted is a list of all cards of the pack, or a list of such lists")
    several = len(given) > 0 and all(isinstance(each, (list, tuple, np.ndarray)) and np.ndim(each) == 1 for each in given)
    decks: list[Any] = list(given) if several else [given]
    found = [game.pack.deck(each, pack) for each in decks]
    if game.later_decks and len(found) > game.later_decks + 1:
        raise ValueError(f"{len(found)} decks given: accepted are at most {game.later_decks + 1}; those of later deals come from the seed")
    return found


def seat(name: str, given: Any, players: int) -> int | None:
    """Option `dealer` or `seat`: the number of a seat, or None."""
    if given is None:
        return None
    if isinstance(given, bool) or not isinstance(given, (int, np.integer)) or not 0 <= given < players:
        raise ValueError(f"{name} {given!r} is no seat: seats are 0 … {players - 1}")
    return int(given)
