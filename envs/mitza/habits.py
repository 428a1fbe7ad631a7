"""How Mîța and 101 are played, as figures."""

import numpy as np

from tromf.envs.habits import Counts, Decisions, Habit, above, bits, chosen, share
from tromf.envs.mitza.options import CARD_POINTS, PACK
from tromf.envs.mitza.rules import CRY, EXCHANGE, EXCHANGE_SEVEN, PLAY, SUIT, TROMF

POINTS = np.array([CARD_POINTS[card[0]] for card in PACK.texts] + [0] * (64 - len(PACK)))


def _plays(d: Decisions) -> np.ndarray:
    """Whether a card is played."""
    return d.states["phase"] == PLAY


def _follows(d: Decisions) -> np.ndarray:
    """Whether a card is played to a trick that has begun."""
    return _plays(d) & (d.states["laid"] > 0)


def _with_partner(d: Decisions) -> np.ndarray:
    """Whether the seat's own side holds the trick."""
    return (d.states["holder"] & 1) == (d.seats & 1)


def _winners(d: Decisions) -> np.ndarray:
    """The cards that would take the trick."""
    best, trump = np.maximum(d.states["best"], 0), d.states["trump"]
    higher = SUIT[best // 8] & above(best.astype(np.int64))
    return np.where(best // 8 == trump, higher, higher | SUIT[trump])


def trumps_led(d: Decisions) -> Counts:
    return chosen(d, SUIT[d.states["trump"]], _plays(d) & (d.states["laid"] == 0))


def trumps_laid(d: Decisions) -> Counts:
    return chosen(d, SUIT[d.states["trump"]], _follows(d))


def takes(d: Decisions) -> Counts:
    return chosen(d, _winners(d), _follows(d) & ~_with_partner(d))


def overtakes(d: Decisions) -> Counts:
    return chosen(d, _winners(d), _follows(d) & _with_partner(d))


def points_to_partner(d: Decisions) -> Counts:
    given = _follows(d) & _with_partner(d)
    return given * POINTS[d.actions], given


def points_to_others(d: Decisions) -> Counts:
    given = _follows(d) & ~_with_partner(d) & (bits(d.actions) & _winners(d) == 0)
    return given * POINTS[d.actions], given


def cries(d: Decisions) -> Counts:
    return share(d.states["phase"] == CRY, d.actions == TROMF)


def exchanges(d: Decisions) -> Counts:
    return share(d.states["phase"] == EXCHANGE, d.actions == EXCHANGE_SEVEN)


HABITS = (
    Habit("trumps led", "tricks begun with a trump though another card could be led", True, trumps_led),
    Habit("trumps laid", "cards laid to a trick that are trumps though another card could be laid", True, trumps_laid),
    Habit("takes", "tricks of the other side that it takes where it can take or leave them", True, takes),
    Habit("overtakes partner", "tricks of its own side that it takes over where it can take or leave them", True, overtakes),
    Habit("points to partner", "points of a card laid on a trick of its own side", False, points_to_partner),
    Habit("points to others", "points of a card laid on a trick that stays with the other side", False, points_to_others),
    Habit("cries tromf", "leads of a trump, once the stock is empty, with which it calls for trumps", True, cries),
    Habit("exchanges", "times that it exchanges the seven of trumps when asked", True, exchanges),
)
