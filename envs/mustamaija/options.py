"""Options and named variants of Mustamaija (rules page: Options), and the record in which the rules read them."""

from typing import Any

import numpy as np

from tromf.envs import options, words
from tromf.envs.cards import FRENCH
from tromf.envs.mustamaija.rules import OPTIONS as RECORD
from tromf.envs.options import Option, choice, flag, integer, number, optional

PACK = FRENCH
TRUMP, DECLARE_WITH, SCORING = ("turned", "diamonds", "declared"), ("marriage", "either"), ("loser", "placing", "winner")

OPTIONS = (
    Option("players", 4, "2 … 6, and up to 8 with hand_size=3", integer(2, 8), "number of seats"),
    Option("hand_size", 5, "5, 3 or 6 (1 … 8 with a reduced pack)", integer(1, 8), "cards dealt, and the size to which hands are refilled"),
    Option("trump", "turned", "turned, diamonds or declared", choice(*TRUMP), "how trumps are made"),
    Option(
        "declare_with",
        "marriage",
        "marriage or either",
        choice(*DECLARE_WITH),
        "declared trumps: by king and queen of one suit, or by either",
    ),
    Option("attack_limit", None, "None or 1 … 13", optional(integer(1, 13)), "house rule: most cards in one attack while the stock lasts"),
    Option("follow_up", False, "true or false", flag, "house rule: the attacker may add cards after drawing, if quicker than the defender"),
    Option("slap_probability", 0.5, "a number 0 … 1", number(0, 1), "with follow_up: chance that the defender is quicker"),
    Option("misplay_penalty", False, "true or false", flag, "house rule kostosääntö: a wrong attack is possible, and the victim chooses"),
    Option("scoring", "loser", "loser, placing or winner", choice(*SCORING), "returns: who pays whom"),
    Option("max_decisions", 2000, "an integer from 1 to 2147483647", integer(1, 2**31 - 1), "decisions after which the episode is cut off"),
    options.PACK,
)

VARIANTS: dict[str, dict[str, Any]] = {
    "standard": {},
    "six-card": {"hand_size": 6},
    "three-card-diamonds": {"hand_size": 3, "trump": "diamonds"},
    "three-card-declared": {"hand_size": 3, "trump": "declared"},
    "six-card-declared": {"hand_size": 6, "trump": "declared"},
    "house": {"attack_limit": 5, "follow_up": True, "misplay_penalty": True},
    "tiny-mustamaija": {  # for exact methods
        "players": 2,
        "hand_size": 2,
        "trump": "declared",
        "declare_with": "either",
        "pack": ["KC", "QD", "KD", "QH", "KH", "QS"],
    },
}


def record(values: dict[str, Any], variant: str | None = None) -> np.ndarray:
    """The options as the record that the rules read, shape (). `ValueError` if they cannot be dealt (C-9), saying why."""
    pack = PACK.reduced(values["pack"])
    whole = len(PACK.members(pack)) == len(PACK)
    size, players, hand = len(PACK.members(pack)), values["players"], values["hand_size"]
    if whole and hand not in (3, 5, 6):
        raise ValueError(f"option 'hand_size' is {hand}: accepted are 5, 3 or 6 (1 … 8 with a reduced pack)")
    if players > 6 and hand != 3:
        raise ValueError(f"option 'players' is {players}: accepted are 2 … 6 with hand_size={hand} (up to 8 with hand_size=3)")
    if not pack >> PACK.number("QS") & 1:
        raise ValueError("option 'pack' lacks QS, Mustamaija, without whom there is no game")
    if players * hand > size:
        raise ValueError(f"{players} players with hand_size={hand} need {players * hand} cards, and the pack has {size}")
    spades = len([card for card in PACK.members(pack) if card // 13 == 3])
    if values["trump"] == "turned" and size - players * hand <= spades:
        stock = size - players * hand
        raise ValueError(f"trump='turned' needs more cards in the stock than the pack has spades: {stock} and {spades}; deal fewer cards")
    result = np.zeros((), RECORD)
    result["players"], result["hand_size"], result["pack"] = players, hand, pack
    result["trump"] = TRUMP.index(values["trump"])
    result["either"] = values["declare_with"] == "either"
    result["attack_limit"] = values["attack_limit"] or 0
    result["follow_up"], result["slap_probability"] = values["follow_up"], values["slap_probability"]
    result["misplay_penalty"] = values["misplay_penalty"]
    result["scoring"] = SCORING.index(values["scoring"])
    result["max_decisions"] = values["max_decisions"]
    result["word"] = _word(values)
    return result


def _word(values: dict[str, Any]) -> int:
    """The observation word of the options; its layout stands in `observation.OPTION_BITS`."""
    from tromf.envs.mustamaija.observation import OPTION_BITS  # observation imports the rules, which must stay below

    parts = {
        "players": 1 << values["players"] - 2,
        "hand size": (1 << values["hand_size"]) - 1,
        "trump": 1 << TRUMP.index(values["trump"]),
        "either": values["declare_with"] == "either",
        "attack limit": (1 << (values["attack_limit"] or 0)) - 1,
        "follow up": values["follow_up"],
        "misplay penalty": values["misplay_penalty"],
        "scoring": 1 << SCORING.index(values["scoring"]),
        "slap probability": round(values["slap_probability"] * 1023),
    }
    return words.pack(OPTION_BITS, parts)
