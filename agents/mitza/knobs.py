"""What `expert` goes by: its habits, each a knob, and the terms of a card's worth, each with a knob that scales its weights.

The weights, in `weights.py`, were fitted: in many thousand deals every card that could be played was tried and the deal played on to
its end, against `journeyman` and against itself; the returns were regressed on the differences between the cards' terms, and this was
repeated with the player that came of it.
"""

from typing import Any

import numpy as np

from tromf.agents.knobs import SCALE, SWITCH, Term, fields, scale, scales, switch, turned
from tromf.agents.mitza.expert import ALWAYS, NEVER, STAGES, TERMS, TRUMP
from tromf.agents.mitza.weights import WEIGHTS
from tromf.envs.mitza.options import SCORING
from tromf.envs.options import Option, integer

_CARDS = {"8": "eight", "9": "nine", "J": "jack", "Q": "queen", "T": "ten", "K": "king", "A": "ace"}
_MEANINGS = {
    "won": ("trick", "the own side holds the trick after this card"),
    "won_points": ("trick", "the same, for every ten points in it, this card's included (with tricks: 1)"),
    "lost_points": ("trick", "the other side holds it: for every ten points in it"),
    "won_early": ("trick", "the own side holds it: for each seat still to play"),
    "own": ("trick", "this card holds it"),
    "over_partner": ("trick", "this card takes it from the partner's"),
    "fed": ("trick", "the partner's card still holds it: for every ten points of this card"),
    "topped": ("trick", "held by a plain card: chance that an opponent still to play has a higher one of its suit"),
    "topped_points": ("trick", "the same, for every ten points in the trick"),
    "trumped": ("trick", "held by a plain card: chance that an opponent still to play has a trump"),
    "trumped_points": ("trick", "the same, for every ten points in the trick"),
    "overtrumped": ("trick", "held by a trump: chance that an opponent still to play has a higher one"),
    "overtrumped_points": ("trick", "the same, for every ten points in the trick"),
    "helped": ("trick", "held by an opponent's plain card: chance that a partner still to play has a higher one of its suit"),
    "helped_points": ("trick", "the same, for every ten points in the trick"),
    "rescued": ("trick", "held by an opponent: chance that a partner still to play has a trump that takes it"),
    "rescued_points": ("trick", "the same, for every ten points in the trick"),
    "turned": (
        "trick",
        "chance to win the trick before the last draw, which gives the turned card to an opponent, times its rank, ace 1",
    ),
    "lead_points": ("trick", "the own side holds it: every ten points in the plain cards kept"),
    "lead_low": ("trick", "the own side holds it: a plain seven, eight or nine is kept, to be led"),
    "lead_trumps": ("trick", "the own side holds it: each trump kept"),
    "catch": ("card", "plain: eighths of the suit that are lower and unseen, and so could be caught with it later"),
    "catch_points": ("card", "the same, for every ten points of the card"),
    "master": ("card", "plain: no higher one of the suit is unseen"),
    "pair": ("card", "plain: another of its suit is kept"),
    "bare": ("card", "plain: no trump is kept: for every ten points of the card"),
    "more_trumps": ("card", "trump: another one is kept"),
    "trumps_out": ("card", "trump: eighths of the suit that are unseen"),
    "higher_trumps": ("card", "trump: eighths of the suit that are higher and unseen"),
    **{f"plain_{rank}": ("card", f"a plain {name}, against a plain seven") for rank, name in _CARDS.items()},
    **{f"trump_{rank}": ("card", f"the {name} of trumps, against a plain seven") for rank, name in {"7": "seven", **_CARDS}.items()},
}
TERM_TABLE = tuple(Term(name, _MEANINGS[name][0], tuple(WEIGHTS["points", 2][TERMS.index(name)]), _MEANINGS[name][1]) for name in TERMS)


HABITS = (
    Option("solve", 1, SWITCH, switch, "two players: solve the last three tricks"),
    Option("exchange_from", 0, "0 … 8", integer(0, 8), "exchange for a turned card of at least this rank: 1 the eight, 7 the ace, 8 never"),
    Option("cry", ALWAYS, "0, 1 or 2", integer(NEVER, ALWAYS), "cry tromf: 0 never, 1 with the highest trump not yet played, 2 always"),
    Option("count", 1, SWITCH, switch, "count the cards that have been played"),
    Option("late_draws", 3, "0 … 10", integer(0, 10), "the late stage begins when at most so many draws are left"),
    Option("hoard_early", 1.0, SCALE, scale, "how dear trumps are in the early stage"),
    Option("hoard_late", 1.0, SCALE, scale, "how dear trumps are in the late stage, to be kept for the last three tricks"),
    Option("hoard_end", 1.0, SCALE, scale, "how dear trumps are in the last three tricks"),
    Option("placebo", 0.0, SCALE, scale, "how dear a plain suit, another for each seat and deal, is as if it were trumps"),
    Option("feed", 1.0, SCALE, scale, "how much points thrown on a partner's trick count"),
)  # fmt: skip

KNOB_OPTIONS = (
    *HABITS,
    *scales(TERM_TABLE),
)

_IN_RECORD = tuple(habit for habit in HABITS if not habit.name.startswith(("hoard", "placebo")))  # the others are factors on weights

KNOBS = np.dtype(
    [
        *fields(_IN_RECORD),
        ("weights", np.float64, (len(SCORING) * 3 * len(STAGES), len(TERMS))),
        ("placebo", np.float64, (len(SCORING) * 3 * len(STAGES), 8)),  # by rank
    ],
    align=True,
)


def expert_knobs(values: dict[str, Any]) -> np.ndarray:
    """The record of an expert, shape (), with its knobs turned; `ValueError` for an unknown knob or a value not accepted."""
    given = turned(KNOB_OPTIONS, values)
    result = np.zeros((), KNOBS)
    for habit in _IN_RECORD:
        result[habit.name] = given[habit.name]
    weights = np.array([WEIGHTS[scoring, players] for scoring in SCORING for players in (2, 4, 6)])  # (settings, terms, stages)
    weights *= np.array([given[term] for term in TERMS])[:, None]
    placebo = given["placebo"] * weights[:, TRUMP : TRUMP + 8]
    for stage, name in enumerate(STAGES):
        weights[:, TRUMP : TRUMP + 8, stage] *= given[f"hoard_{name.split()[-1]}"]
    result["weights"] = weights.transpose(0, 2, 1).reshape(result["weights"].shape)
    result["placebo"] = placebo.transpose(0, 2, 1).reshape(result["placebo"].shape)
    return result
