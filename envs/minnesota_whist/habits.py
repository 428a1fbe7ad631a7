"""How Minnesota Whist and its relatives are played, as figures."""

from collections.abc import Callable

import numpy as np

from tromf.envs.habits import Counts, Decisions, Habit, above, chosen, share
from tromf.envs.minnesota_whist.rules import BID, CLUBS, HIGH, LOW, NONE, PASS, PLAY, SOLO, SPADES, SUIT


def _plays(d: Decisions, kind: int) -> np.ndarray:
    """Whether a card is played in a high or low hand without a solo."""
    return (d.states["phase"] == PLAY) & (d.states["kind"] == kind) & (d.states["solo"] == NONE)


def _with_partner(d: Decisions) -> np.ndarray:
    """Whether the seat's own side holds the trick."""
    return (d.states["holder"] & 1) == (d.seats & 1)


def _winners(d: Decisions) -> np.ndarray:
    """The cards that would take the trick."""
    best, trump = np.maximum(d.states["best"], 0).astype(np.int64), d.states["trump"]
    higher = SUIT[best // 13] & above(best)
    return np.where((trump < 0) | (best // 13 == trump), higher, higher | SUIT[np.maximum(trump, 0)])


def _takes(kind: int, from_partner: bool) -> Callable[[Decisions], Counts]:
    def count(d: Decisions) -> Counts:
        return chosen(d, _winners(d), _plays(d, kind) & (d.states["laid"] > 0) & (_with_partner(d) == from_partner))

    return count


def _rank_led(kind: int) -> Callable[[Decisions], Counts]:
    def count(d: Decisions) -> Counts:
        leads = _plays(d, kind) & (d.states["laid"] == 0) & (np.bitwise_count(d.masks) > 1)
        return leads * (d.actions % 13 + 2), leads

    return count


def black_bids(d: Decisions) -> Counts:
    suit = d.actions // 13
    return share(d.states["phase"] == BID, (suit == CLUBS) | (suit == SPADES))


def solos(d: Decisions) -> Counts:
    return share(d.states["phase"] == SOLO, d.actions > PASS)


def trumps(d: Decisions) -> Counts:
    trump = d.states["trump"]
    return chosen(d, np.where(trump < 0, np.uint64(0), SUIT[np.maximum(trump, 0)]), d.states["phase"] == PLAY)


HABITS = (
    Habit("bids black", "bids that are black cards, for a high hand", True, black_bids),
    Habit("bids a solo", "answers that bid one when a solo may be bid", True, solos),
    Habit("trumps", "cards that are trumps though another card could be played", True, trumps),
    Habit("takes, high", "high hands: tricks of the other side that it takes where it can take or leave them", True, _takes(HIGH, False)),
    Habit("takes, low", "low hands: the same", True, _takes(LOW, False)),
    Habit("overtakes, high", "high hands: tricks of its partner that it takes over where it need not", True, _takes(HIGH, True)),
    Habit("overtakes, low", "low hands: the same", True, _takes(LOW, True)),
    Habit("rank led, high", "high hands: rank of the cards led where there is a choice (2 … 10, jack 11 … ace 14)", False, _rank_led(HIGH)),
    Habit("rank led, low", "low hands: the same", False, _rank_led(LOW)),
)
