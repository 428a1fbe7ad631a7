"""Options and named variants of Mîța and 101 (rules page: Options), and the record in which the rules read them."""

from typing import Any

import numpy as np

from tromf.envs import options, words
from tromf.envs.cards import Pack
from tromf.envs.mitza.rules import HAND
from tromf.envs.mitza.rules import OPTIONS as RECORD
from tromf.envs.options import Option, choice, flag, integer

PACK = Pack("789JQTKA")
CARD_POINTS = dict(zip(PACK.ranks, (0, 0, 0, 2, 3, 10, 4, 11), strict=True))  # MZ-8
SCORING, EPISODE = ("tricks", "points"), ("deal", "match")
EIGHTS = tuple(card for card in PACK.texts if card[0] == "8")
MOST_TARGET = 1_000_000


def _removed(value: Any) -> list[str]:
    """Two different eights, as texts."""
    cards = [PACK.texts[PACK.number(card)] for card in value] if isinstance(value, (list, tuple, np.ndarray)) else []
    if len(cards) != 2 or cards[0] == cards[1] or not set(cards) <= set(EIGHTS):
        raise ValueError(f"option 'removed' is {value!r}: accepted are two different eights of {', '.join(EIGHTS)}")
    return cards


def _players(value: Any) -> int:
    if integer(2, 6)(value) not in (2, 4, 6):
        raise ValueError
    return int(value)


OPTIONS = (
    Option("players", 2, "2 or 4, with 101 also 6", _players, "number of seats; 4 and 6 play in two sides, seats alternating"),
    Option("scoring", "tricks", "tricks or points", choice(*SCORING), "what is counted: tricks won, or the points of the cards won"),
    Option("exchange", False, "true or false", flag, "whether the seven of trumps may be exchanged for the turned card"),
    Option("tromf", True, "true or false", flag, "whether a leader may call for trumps once the stock is empty"),
    Option("check_stock", False, "true or false", flag, "trumps at the ends of the stock are put into its middle"),
    Option("removed", ["8C", "8S"], "a list of two different eights", _removed, "with six players: the cards left out"),
    Option("episode", "deal", "deal or match", choice(*EPISODE), "one deal, or deals until a side has the target (with points only)"),
    Option("target", 101, f"an integer from 1 to {MOST_TARGET}", integer(1, MOST_TARGET), "points at which a match is won"),
    options.PACK,
)

VARIANTS: dict[str, dict[str, Any]] = {
    "mitza": {},
    "101": {"scoring": "points", "exchange": True},
    "tiny-101": {  # for exact methods
        "scoring": "points",
        "exchange": True,
        "pack": ["7C", "AC", "7D", "AD", "TH", "AH", "TS", "AS"],
    },
}


def record(values: dict[str, Any], variant: str | None = None) -> np.ndarray:
    """The options as the record that the rules read, shape (). `ValueError` if they cannot be dealt (C-9), saying why."""
    pack, players = PACK.reduced(values["pack"]), values["players"]
    if players == 6 and variant != "101":
        raise ValueError("option 'players' is 6: accepted are 2 or 4, with variant '101' also 6")
    if players == 6:
        pack &= ~PACK.collect(values["removed"])
    cards = PACK.members(pack)
    if len(cards) % players or len(cards) <= HAND * players:
        held = "a card to turn" if len(cards) <= HAND * players else "a stock that goes out evenly"
        raise ValueError(
            f"a pack of {len(cards)} cards does not leave {players} players {held}: accepted are more than {HAND * players} cards, "
            f"a multiple of {players}"
        )
    points = sum(CARD_POINTS[PACK.texts[card][0]] for card in cards)
    if values["episode"] == "match" and values["scoring"] == "tricks":
        raise ValueError("episode='match' needs scoring='points': tricks are not added up over deals")
    if values["episode"] == "match" and not points:
        raise ValueError("episode='match' needs points in the pack, and this one has none")
    result = np.zeros((), RECORD)
    result["players"], result["pack"] = players, pack
    result["scoring"] = SCORING.index(values["scoring"])
    result["exchange"], result["tromf"], result["check_stock"] = values["exchange"], values["tromf"], values["check_stock"]
    result["match"], result["target"] = values["episode"] == "match", values["target"]
    result["total"] = points if values["scoring"] == "points" else len(cards) // players
    result["word"] = _word(values, pack)
    return result


def _word(values: dict[str, Any], pack: int) -> int:
    """The observation word of the options; its layout stands in `observation.OPTION_BITS`."""
    from tromf.envs.mitza.observation import OPTION_BITS  # observation imports the rules, which must stay below

    parts = {
        "out of the pack": ~pack & (1 << len(PACK)) - 1,
        "players": 1 << values["players"] // 2 - 1,
        "scoring": SCORING.index(values["scoring"]),
        "exchange": values["exchange"],
        "tromf": values["tromf"],
        "check stock": values["check_stock"],
        "match": values["episode"] == "match",
        "target": values["target"] if values["episode"] == "match" else 0,
    }
    return words.pack(OPTION_BITS, parts)
