"""How Mustamaija is played, as figures."""

import numpy as np

from tromf.envs.habits import Counts, Decisions, Habit, above, bits, chosen, lowest, share
from tromf.envs.mustamaija.rules import ATTACK, DEFEND, FOLLOW_UP, MAIJA, SUIT, TAKE

CARDS = np.uint64((1 << 52) - 1)
NONE = np.uint64(0)


def _trumps(d: Decisions) -> np.ndarray:
    """The set of all trumps; empty while there are none."""
    trump = d.states["trump"]
    return np.where(trump < 0, NONE, SUIT[trump])


def _lays(d: Decisions) -> np.ndarray:
    """Whether a card is laid in attack."""
    phase = d.states["phase"]
    return ((phase == ATTACK) | (phase == FOLLOW_UP)) & (d.actions < 52)


def _begins(d: Decisions) -> np.ndarray:
    """Whether an attack begins with this card."""
    return _lays(d) & (d.states["phase"] == ATTACK) & (d.states["attack"] == 0)


def _defends(d: Decisions) -> np.ndarray:
    """Whether a card is answered."""
    return (d.states["phase"] == DEFEND) & (d.actions <= TAKE)


def trumps(d: Decisions) -> Counts:
    known = d.states["trump"] >= 0
    return share((_lays(d) | (_defends(d) & (d.actions < 52))) & known, bits(d.actions) & _trumps(d) != 0)


def attacks_with_trump(d: Decisions) -> Counts:
    return chosen(d, _trumps(d) & CARDS, _begins(d))


def attacks_with_maija(d: Decisions) -> Counts:
    return chosen(d, np.full(len(d.actions), MAIJA), _begins(d))


def cards_an_attack(d: Decisions) -> Counts:
    return _lays(d), _begins(d)


def takes(d: Decisions) -> Counts:
    return share(_defends(d) & (d.masks & CARDS != 0), d.actions == TAKE)


def trumps_to_beat(d: Decisions) -> Counts:
    states = d.states
    card = lowest(states["attack"] & ~states["beaten"] & ~states["taken"])
    suit = np.where(card < 52, card // 13, 0)
    following = np.where(card < 52, SUIT[suit] & above(np.minimum(card, 51)), NONE)
    both = (d.masks & following & CARDS != 0) & (suit != states["trump"]) & _defends(d) & (d.actions < TAKE)
    could = both & (d.masks & _trumps(d) & CARDS != 0)
    return share(could, bits(d.actions) & _trumps(d) != 0)


HABITS = (
    Habit("trumps", "trumps among the cards laid in attack or to beat", True, trumps),
    Habit("attacks with a trump", "attacks that begin with a trump though another card could be laid", True, attacks_with_trump),
    Habit("attacks with Mustamaija", "attacks that begin with her though another card could be laid", True, attacks_with_maija),
    Habit("cards an attack", "cards laid in an attack", False, cards_an_attack),
    Habit("takes though able", "cards taken up though they could be beaten", True, takes),
    Habit("trumps to beat", "cards beaten with a trump though a card of their suit was there, too", True, trumps_to_beat),
)
