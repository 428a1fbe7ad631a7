"""Options and named variants of Minnesota Whist and its relatives (rules page: Options), and the record in which the rules read them."""

from typing import Any

import numpy as np

from tromf.envs import options, words
from tromf.envs.cards import FRENCH
from tromf.envs.minnesota_whist.rules import OPTIONS as RECORD
from tromf.envs.options import Option, choice, flag, integer, number, optional

PACK = FRENCH
EPISODE = ("deal", "game")
MOST_POINTS, MOST_TARGET, MOST_DEALS, MOST_VALUE = 1000, 10_000, 10_000, 1000

OPTIONS = (
    Option("players", 4, "4", integer(4, 4), "number of seats; those opposite each other are partners"),
    Option(
        "grand_points",
        1,
        f"an integer from 0 to {MOST_POINTS} (south-dakota has none)",
        optional(integer(0, MOST_POINTS)),
        "high hands: points for every trick over six to the side that granded",
    ),
    Option(
        "defence_points",
        1,
        f"an integer from 0 to {MOST_POINTS} (south-dakota has none)",
        optional(integer(0, MOST_POINTS)),
        "the same to the other side, when it wins a high hand",
    ),
    Option("target", 13, f"an integer from 1 to {MOST_TARGET}", integer(1, MOST_TARGET), "points at which a game is won"),
    Option("solos", False, "true or false", flag, "whether sola nulla and grand dix may be bid"),
    Option("failed_solo_star", False, "true or false", flag, "whether a failed solo gives the other side a star"),
    Option(
        "star_value", 7.5, f"a number from 0 to {MOST_VALUE}", number(0, MOST_VALUE), "points that a star is worth in the returns of a deal"
    ),
    Option("trumps", False, "true or false", flag, "whether the seat that granded names trumps"),
    Option("episode", "deal", "deal or game", choice(*EPISODE), "one deal, or deals until a side has the target"),
    Option("max_deals", 100, f"an integer from 1 to {MOST_DEALS}", integer(1, MOST_DEALS), "deals after which a game is cut off"),
    options.PACK,
)

VARIANTS: dict[str, dict[str, Any]] = {
    "minnesota": {},
    "penalty": {"defence_points": 2},
    "askov": {"grand_points": 2, "target": 15, "solos": True},
    "south-dakota": {"grand_points": None, "defence_points": None, "target": 11, "trumps": True},
    "tiny-whist": {"pack": ["JC", "QC", "KC", "AC", "JH", "QH", "KH", "AH"]},  # for exact methods
}


def record(values: dict[str, Any], variant: str | None = None) -> np.ndarray:
    """The options as the record that the rules read, shape (). `ValueError` if they cannot be played, saying why."""
    pack = PACK.reduced(values["pack"])
    cards = len(PACK.members(pack))
    if not cards or cards % 4:
        raise ValueError(f"a pack of {cards} cards cannot be dealt: accepted are a multiple of 4")
    if values["trumps"] and values["solos"]:
        raise ValueError("trumps=True and solos=True contradict each other: with solos nobody names trumps")
    for name in ("grand_points", "defence_points"):
        if variant == "south-dakota" and values[name] is not None:
            raise ValueError(f"option '{name}' is {values[name]}: south-dakota has a scoring of its own and does not use it")
        if variant != "south-dakota" and values[name] is None:
            raise ValueError(f"option '{name}' is None: accepted are an integer from 0 to {MOST_POINTS}")
    result = np.zeros((), RECORD)
    result["players"], result["pack"], result["tricks"] = 4, pack, cards // 4
    result["grand_points"], result["defence_points"] = values["grand_points"] or 0, values["defence_points"] or 0
    for name in ("target", "max_deals", "star_value", "solos", "failed_solo_star", "trumps"):
        result[name] = values[name]
    result["south_dakota"], result["game"] = variant == "south-dakota", values["episode"] == "game"
    result["word"], result["more"] = _words(values, variant, pack)
    return result


def _words(values: dict[str, Any], variant: str | None, pack: int) -> tuple[int, int]:
    """The observation words of the options; their layout stands in `observation.OPTION_BITS` and `MORE_BITS`."""
    from tromf.envs.minnesota_whist.observation import MORE_BITS, OPTION_BITS  # observation imports the rules, which must stay below

    game = values["episode"] == "game"
    parts = {
        "grand points": values["grand_points"] or 0,
        "defence points": values["defence_points"] or 0,
        "target": values["target"] if game else 0,
        "max deals": values["max_deals"] if game else 0,
        "solos": values["solos"],
        "failed solo star": values["failed_solo_star"],
        "trumps": values["trumps"],
        "south dakota": variant == "south-dakota",
        "game": game,
        "out of the pack": ~pack & (1 << len(PACK)) - 1,
        "star value": min(round(values["star_value"] * 4), 4095),
    }
    return words.pack(OPTION_BITS, parts), words.pack(MORE_BITS, parts)
