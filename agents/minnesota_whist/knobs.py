"""What `expert` goes by: its habits, each a knob, and the terms in which it thinks, each with a knob that scales its weights.

The weights, in `weights.py`, were fitted: in many thousand deals every card that could be played (every colour, every suit as trumps)
was tried and the deal played on to its end, against `journeyman` and against itself; the returns were regressed on the differences
between the choices' terms, and this was repeated with the player that came of it.
"""

from typing import Any

import numpy as np

from tromf.agents.knobs import SCALE, SWITCH, Term, fields, scale, scales, switch, turned
from tromf.agents.minnesota_whist.auction import (
    ALSO_TO_ESCAPE,
    DIX_TERMS,
    HAND_TERMS,
    LOWEST,
    NEVER,
    OF_SHORTEST,
    ROLES,
    SCORINGS,
    SOLA_TERMS,
    TRUMP_TERMS,
)
from tromf.agents.minnesota_whist.expert import CONTEXTS, PLACES, SETS, TERMS
from tromf.agents.minnesota_whist.weights import BID, DIX, ORDINARY, PLAY, SOLA, TRUMPS
from tromf.envs.options import Option, integer, number

_MEANINGS = {
    "master": ("card", "no unseen card of its suit is higher"),
    "one_above": ("card", "one is"),
    "two_above": ("card", "two are"),
    "height": ("card", "the part of its suit's unseen cards that is lower"),
    "high": ("card", "the same, squared"),
    "height_lost": ("card", "its height, if it does not hold the trick"),
    "high_lost": ("card", "the same, squared"),
    "height_thrown": ("card", "its height, if another suit was led"),
    "bare": ("card", "no other card of its suit is kept"),
    "one_kept": ("card", "one is"),
    "two_kept": ("card", "two are"),
    "sequence": ("card", "a lower one is kept that is as good, no unseen one lying between"),
    "stoppers": ("card", "stoppers given up: own cards with enough lower ones to wait until those above are gone"),
    "masters_kept": ("card", "each kept card of its suit that no unseen one beats"),
    "established": ("card", "kept cards of its suit beyond what the others may follow to: their unseen cards, divided by 2.5"),
    "relief": ("card", "danger got rid of: quarters of the unseen cards below each own one, beyond its place from below"),
    "exit": ("card", "the part of its suit's unseen cards that is above the lowest one kept"),
    "unseen": ("card", "thirteenths of its suit that are unseen"),
    "holds": ("trick", "the card holds the trick"),
    "over_partner": ("trick", "it takes it from the partner's"),
    "partner_holds": ("trick", "the partner's card still holds it"),
    "take": ("trick", "about the chance that the own side takes it, everybody playing high"),
    "take_myself": ("trick", "the card holds it: chance that nobody still to play can beat it"),
    "left_with_it": ("trick", "the card holds it: chance that all still to play can stay below"),
    "partner_left": ("trick", "the partner's holds it: chance that the opponents still to play can stay below"),
    "foe_left": ("trick", "an opponent's holds it: chance that all still to play can stay below"),
    "next_beats": ("trick", "chance that the next opponent to play can beat the card that holds it"),
    "partner_beats": ("trick", "chance that the partner, still to play, can"),
    "last_beats": ("trick", "chance that the second opponent still to play can"),
    "returned": ("lead", "the partner has led the suit"),
    "continued": ("lead", "the leader has led it before"),
    "next_led": ("lead", "the next opponent has led it"),
    "last_led": ("lead", "the other opponent has led it"),
    "next_void": ("lead", "the next opponent is known to be void in it"),
    "partner_void": ("lead", "the partner is"),
    "last_void": ("lead", "the other opponent is"),
    "trump": ("trumps", "the card is a trump"),
    "trumps_out": ("trumps", "the same, for thirteenths of the suit that are unseen"),
    "to_ruff": ("trumps", "the last card of a plain suit, trumps being kept"),
}
SHOWN = tuple(f"{what} {place}" for what in ("grand", "low") for place in PLACES)  # columns of the table in the documentation
TERM_TABLE = tuple(
    Term(name, where, tuple(PLAY[what][TERMS.index(name), 2 * k] for what in ("grand", "low") for k in range(4)), meaning)
    for name, (where, meaning) in _MEANINGS.items()
)

_HANDS = {
    **{name: f"each of the {name}" for name in HAND_TERMS[:8]},
    "shape": "tenths of the squares of the suits' lengths beyond 3.25",
    "stops": "stoppers: cards with enough lower ones beside them to wait until those above are gone",
    "danger": "quarters of the others' cards below each own one, beyond its place in its suit from below",
    "quick": "tricks from the top, long suits to their end",
    "constant": "constant",
}
_SOLAS = {
    "constant": "constant",
    "danger": "as in `bid_danger`",
    "worst": "the same of the suit where it is most",
    "worst_squared": "its square",
    "voids": "suits not held",
    "lowest": "quarters of the others' cards below the lowest of each suit",
    "small": "quarters of the twos, threes and fours",
}
_DIXES = {
    "constant": "constant",
    "sure": "tricks from the top, long suits to their end",
    "sure_squared": "tenths of their square",
    "gaps": "suits without ace",
    "longest": "cards of the longest suit",
}
_TRUMPS = {
    "length": "each card of the suit",
    "length_squared": "tenths of the square of its length",
    **{name: f"its {name}" for name in TRUMP_TERMS[2:]},
}


THREE, POINTS = "0, 1 or 2", "points from -100 to 100"

HABITS = (
    Option("boldness", 0.0, POINTS, number(-100, 100), "what showing black is thought to be worth beside what the hand says"),
    Option("show_high", 0, SWITCH, switch, "show the highest card of the colour, not the lowest"),
    Option("solos", ALSO_TO_ESCAPE, THREE, integer(NEVER, ALSO_TO_ESCAPE), "solos: 0 none, 1 as if failing cost a star, 2 also to escape"),
    Option("caution", 0.0, POINTS, number(-100, 100), "how much more than passing a solo must promise"),
    Option("expectation", 1.0, SCALE, scale, "how much what the side may expect without a solo counts"),
    Option("sola_made", 0.4, "a number from 0 to 1", number(0, 1), "the chance that somebody else's sola nulla is made"),
    Option("game_star", 8.0, POINTS, number(-100, 100), "what a star is worth in a game, in points"),
    Option("gift", LOWEST, THREE, integer(LOWEST, OF_SHORTEST), "lowest card to give: 0 of all, 1 of the longest suit, 2 of the shortest"),
    Option("count", 1, SWITCH, switch, "count the cards that have been played"),
    Option("late_cards", 7, "0 … 13", integer(0, 13), "the late stage begins with so many cards in hand"),
    Option("hoard_trumps", 1.0, SCALE, scale, "how dear trumps are, beside plain cards of the same height"),
    Option("draw_trumps", 1, SWITCH, switch, "lead trumps too, not only when holding nothing else"),
    Option("placebo", 0.0, SCALE, scale, "how dear a plain suit, another for each seat and deal, is as if it were trumps"),
    Option("draw_placebo", 1, SWITCH, switch, "lead that plain suit too, not only when holding nothing else"),
)

FAMILIES = {
    "bid": (_HANDS, "what showing black is worth more than red"),
    "sola": (_SOLAS, "the logit of the chance to make sola nulla"),
    "dix": (_DIXES, "the logit of the chance to make grand dix"),
    "trumps": (_TRUMPS, "what a suit is worth as trumps"),
}
KNOB_OPTIONS = (
    *HABITS,
    *scales(TERM_TABLE),
    *(
        Option(f"{family}_{name}", 1.0, SCALE, scale, f"scales in {what}: {meaning}")
        for family, (terms, what) in FAMILIES.items()
        for name, meaning in terms.items()
    ),
)

KNOBS = np.dtype(
    [
        *fields(HABITS),
        ("weights", np.float64, (SETS, len(TERMS))),
        ("bid", np.float64, (len(SCORINGS), 4, len(HAND_TERMS))),
        ("ordinary", np.float64, (len(ROLES), len(HAND_TERMS))),
        ("sola", np.float64, (len(SOLA_TERMS),)),
        ("dix", np.float64, (len(DIX_TERMS),)),
        ("trumps", np.float64, (len(TRUMP_TERMS),)),
    ],
    align=True,
)


def expert_knobs(values: dict[str, Any]) -> np.ndarray:
    """The record of an expert, shape (), with its knobs turned; `ValueError` for an unknown knob or a value not accepted."""
    given = turned(KNOB_OPTIONS, values)
    result = np.zeros((), KNOBS)
    for habit in HABITS:
        result[habit.name] = given[habit.name]
    by_context = np.array([PLAY[what].T for what in CONTEXTS])  # (contexts, places and stages, terms)
    result["weights"] = by_context.reshape(SETS, len(TERMS)) * [given[term] for term in TERMS]
    hands = {"bid": np.array([BID[how].T for how in SCORINGS]), "sola": SOLA[:, 0], "dix": DIX[:, 0], "trumps": TRUMPS[:, 0]}
    for family, weights in hands.items():
        result[family] = weights * np.array([given[f"{family}_{name}"] for name in FAMILIES[family][0]])
    result["ordinary"] = ORDINARY.T
    return result
