"""What `expert` goes by: its habits, each a knob, and the weights of its terms, each with a knob that scales it.

The weights were fitted: from many thousand decisions every plan was played on to the end of the deal, the deals lost were
regressed on the differences between the plans' terms, and this was repeated with the player that came of it.
"""

from typing import Any

import numpy as np

from tromf.agents.knobs import SCALE, SWITCH, Term, fields, scale, scales, switch, turned
from tromf.agents.mustamaija.expert import STAGES, TERMS
from tromf.envs.options import Option, integer

TERM_TABLE = (
    Term("cards", "hand", (0.009, 0.015, -0.011, 0.025, 0.063), "each card held; while the stock lasts, each above the hand size"),
    Term("drawn", "hand", (-0.002, -0.010, 0.020, 0.003, -0.073), "each unknown card that will be drawn"),
    Term("rank", "hand", (-0.013, -0.016, 0.011, -0.032, -0.048), "ranks of plain cards, two 0, ace 1"),
    Term("low", "hand", (-0.008, -0.016, 0.004, -0.032, 0.006), "each plain card from two to six"),
    Term("high", "hand", (0.005, 0.011, -0.003, 0.014, -0.012), "each plain queen, king, ace"),
    Term("trumps", "hand", (0.007, 0.011, 0.015, -0.028, -0.058), "each trump"),
    Term("trump_rank", "hand", (0.029, 0.040, 0.063, 0.056, 0.035), "ranks of trumps"),
    Term("suits", "hand", (-0.006, -0.025, -0.091, -0.123, -0.086), "each plain suit held"),
    Term("one_suit", "hand", (0.000, 0.000, -0.036, -0.055, -0.226), "all cards of one suit; stock empty"),
    Term("exposed", "hand", (0.000, 0.000, -0.003, -0.037, -0.096), "summed chances that the next seat can beat a whole suit; stock empty"),
    Term("company", "hand", (0.001, 0.002, 0.019, 0.022, 0.003), "each spade held beside Mustamaija"),
    Term("guard", "hand", (0.002, 0.012, 0.035, 0.051, 0.059), "each plain card that beats one known on the right"),
    Term("turn", "defence", (0.013, 0.060, 0.245, 0.298, 0.440), "beating everything, and so attacking next"),
    Term("turn_holding", "defence", (0.002, -0.007, -0.053, -0.147, 0.139), "the same with Mustamaija in hand"),
    Term("turn_trumps", "defence", (-0.003, -0.009, -0.036, -0.038, 0.023), "the same, for each trump in hand"),
    Term("turn_one_suit", "defence", (0.000, 0.000, 0.012, 0.090, 0.323), "the same with one suit left, which fits the next seat"),
    Term("turn_pair", "defence", (-0.056, -0.199, 0.000, 0.000, 0.000), "the same with two seats left; stock not empty"),
    Term("beaten", "attack", (-0.005, 0.006, -0.064, -0.083, -0.636), "chance that the defender can beat everything"),
    Term("beaten_plain", "attack", (0.003, -0.020, 0.008, 0.000, 0.122), "the same without trumps"),
    Term("beaten_holding", "attack", (-0.013, -0.048, 0.014, 0.005, 0.198), "the same, for a defender known to hold Mustamaija"),
    Term("beaten_right", "attack", (-0.007, -0.020, -0.010, -0.082, 0.000), "the same, when she is known to be on the right"),
    Term("beaten_pair", "attack", (-0.022, -0.024, 0.000, 0.000, 0.000), "the same, with two seats left; stock not empty"),
    Term("again_one_suit", "attack", (0.000, 0.000, 0.000, 0.000, 0.287), "of the last two: chance to attack again with one suit left"),
    Term("given", "attack", (-0.001, 0.002, 0.024, 0.012, 0.079), "each card, times the chance that it is taken"),
    Term("given_rank", "attack", (-0.005, 0.006, -0.026, -0.019, -0.045), "ranks of plain cards, times that chance"),
    Term("given_trumps", "attack", (0.003, 0.001, -0.017, -0.033, -0.042), "each trump, times that chance"),
    Term("launch", "attack", (0.016, -0.002, 0.061, 0.134, 0.153), "laying Mustamaija"),
    Term("launch_size", "attack", (-0.001, 0.001, -0.006, -0.007, -0.033), "the same, for each card the defender holds"),
)  # fmt: skip


STOCK = "0 … 52"

HABITS = (
    Option("hoard_attack", 1.0, SCALE, scale, "how much trumps are worth keeping when attacking"),
    Option("hoard_defence", 1.0, SCALE, scale, "how much trumps are worth keeping when defending"),
    Option("hoard_defence_stock", 0, STOCK, integer(0, 52), "this only while at least so many cards are in the stock"),
    Option("placebo", 0.0, SCALE, scale, "how much a plain suit, another for each seat and deal, is hoarded as if it were trumps"),
    Option("launch_stock", 5, STOCK, integer(0, 52), "Mustamaija is laid only when at most so many cards are in the stock"),
    Option("lay_max", 13, "1 … 13", integer(1, 13), "most cards laid at once while the stock lasts"),
    Option("take", 1, SWITCH, switch, "take cards although they could be beaten, where that seems better"),
    Option("patience", 300, "from 0", integer(0, 2**31), "after so many decisions lay single cards, beat what one can, at times lay any"),
    Option("remember", 1, SWITCH, switch, "remember which cards others have picked up"),
    Option("count", 1, SWITCH, switch, "count the cards that have left the game"),
    Option("late_stock", 12, STOCK, integer(0, 52), "the early stage ends when at most so many cards are in the stock"),
    Option("court", 0.05, SCALE, scale, "worth of a king or queen while nobody has declared trumps"),
    Option("declare_wait", 3, "0 … 13", integer(0, 13), "declare a suit when holding so many cards of it"),
    Option("declare_stock", 12, STOCK, integer(0, 52), "declare in any case when at most so many cards are in the stock"),
)  # fmt: skip

KNOB_OPTIONS = (
    *HABITS,
    *scales(TERM_TABLE),
)

KNOBS = np.dtype(
    [
        *fields(HABITS),
        ("weights", np.float64, (len(STAGES), len(TERMS))),
    ],
    align=True,
)


def expert_knobs(values: dict[str, Any]) -> np.ndarray:
    """The record of an expert, shape (), with its knobs turned; `ValueError` for an unknown knob or a value not accepted."""
    given = turned(KNOB_OPTIONS, values)
    result = np.zeros((), KNOBS)
    for habit in HABITS:
        result[habit.name] = given[habit.name]
    result["weights"] = np.array([np.array(term.weights) * given[term.name] for term in TERM_TABLE]).T
    return result
