"""Deals of Mustamaija as a card player would tell them, for the golden games."""

from fractions import Fraction
from typing import Any

import numpy as np

from tests.envs.mustamaija.fuzzing import LAY_BEAT, LIKE_JOURNEYMAN, RANDOMLY, TWO_SUITS, choose_rows
from tromf.envs.cards import FRENCH
from tromf.envs.mustamaija.rules import DEFEND, FOLLOW_UP, SPADES

SUITS = ("clubs", "diamonds", "hearts", "spades")

# Golden games: variant, options, seed, and how every seat plays.
GOLDEN: dict[str, tuple[str, dict[str, Any], int, int]] = {
    "standard": ("standard", {}, 108, LIKE_JOURNEYMAN),
    "six-card": ("six-card", {"players": 3}, 237, LIKE_JOURNEYMAN),
    "three-card-diamonds": ("three-card-diamonds", {"players": 3}, 68, LIKE_JOURNEYMAN),
    "three-card-declared": ("three-card-declared", {"players": 3}, 84, LIKE_JOURNEYMAN),
    "six-card-declared": ("six-card-declared", {"players": 3, "declare_with": "either"}, 133, LIKE_JOURNEYMAN),
    "house": ("house", {"players": 2}, 153, TWO_SUITS),
    "eight-players": ("three-card-diamonds", {"players": 8}, 237, LIKE_JOURNEYMAN),
    "placing": ("standard", {"players": 4, "scoring": "placing", "pack": "8", "hand_size": 3}, 150, LIKE_JOURNEYMAN),
    "follow-up": ("standard", {"players": 2, "follow_up": True, "slap_probability": 0.2, "pack": "8"}, 49, LAY_BEAT),
    "turned-again": (
        "standard",
        {"players": 2, "hand_size": 2, "pack": ["6H", "7H", "8C", "9C", "TD", *(f"{rank}S" for rank in "23456789TJQ")]},
        405,
        LIKE_JOURNEYMAN,
    ),
    "tiny": ("tiny-mustamaija", {}, 22, LIKE_JOURNEYMAN),
    "cut-off": ("standard", {"players": 3, "max_decisions": 25, "scoring": "placing"}, 78, RANDOMLY),
}


def choose(states: np.ndarray, way: int, rng: np.ndarray) -> int:
    """The next action of a golden game that is being written."""
    actions = np.zeros(1, np.int64)
    choose_rows(states, np.zeros(1, np.int64), np.array([way]), rng, actions)
    return int(actions[0])


def opening(state: Any) -> list[str]:
    """The deal: hands and stock."""
    players = int(state["options"]["players"])
    lines = [f"seat {seat} holds {FRENCH.text(state['hand'][seat])}" for seat in range(players)]
    return [*lines, f"stock, top first: {_cards(state['deck'][state['top'] : state['size']]) or 'none'}"]


def heading(state: Any) -> str | None:
    """The line before an action that opens a combat."""
    if state["phase"] == 0 and not state["attack"]:
        return f"seat {state['attacker']} attacks seat {state['defender']}"
    return None


def events(before: Any, after: Any, action_text: str) -> list[str]:
    """What an action brought about, a line each."""
    attacker, defender = int(before["attacker"]), int(before["defender"])
    lines = []
    back = int(before["attack"]) & ~int(after["attack"]) if before["phase"] in (1, 2) else 0
    if back:
        lines.append(f"{FRENCH.text(back)} back to seat {attacker}")
    if action_text.startswith("declare"):
        shown = int(after["known"][after["declarer"]]) & ~int(before["known"][after["declarer"]])
        lines.append(f"shows {FRENCH.text(shown)}: {SUITS[after['trump']]} are trumps")
    elif before["trump"] < 0 <= after["trump"]:
        lines += _turning(before, after)
    drawn = _cards(after["deck"][before["top"] : after["top"]])
    resolved = before["phase"] == DEFEND and (after["phase"] != DEFEND or after["attack"] != before["attack"] or after["over"])
    if resolved and not after["truncated"]:
        taken = int(before["taken"]) | (int(before["attack"]) & ~int(before["beaten"]) if action_text == "take" else 0)
        if taken:
            lines.append(f"seat {defender} picks up {FRENCH.text(taken)}")
    drawer = defender if before["phase"] == DEFEND else attacker
    if drawn:
        lines.append(f"seat {drawer} draws {drawn}")
    if drawn and drawer == attacker and before["options"]["follow_up"]:
        lines.append(f"seat {attacker if after['phase'] == FOLLOW_UP else defender} is quicker")
    lines += [f"seat {seat} is out" for seat in range(8) if after["place"][seat] > before["place"][seat]]
    return lines


def _turning(before: Any, after: Any) -> list[str]:
    """The spades turned up, first one first, and the card that makes trumps (MM-T)."""
    places = {FRENCH.number(text): int(after["turned"]) >> 4 * rank & 15 for rank, text in enumerate(FRENCH.texts[13 * SPADES :])}
    spades = sorted((card for card, place in places.items() if place), key=places.__getitem__)
    lines = [f"{FRENCH.texts[card]} is turned and put into the middle of the stock" for card in spades]
    passed = int(after["passed_at"]).bit_count()
    if passed:
        lines.append(f"a spade comes up again and stays; passed over unseen: {passed}")
    trump = FRENCH.texts[after["deck"][after["size"] - 1]]
    return [*lines, f"{trump} is turned and lies under the stock: {SUITS[after['trump']]} are trumps"]


def ending(state: Any, returns: Any) -> list[str]:
    """How the deal ended."""
    players = int(state["options"]["players"])
    held = [f"seat {seat} holds {FRENCH.text(state['hand'][seat])}" for seat in range(players) if state["hand"][seat]]
    loser = "nobody loses" if state["loser"] < 0 else f"seat {state['loser']} loses"
    end = f"cut off after {state['decisions']} decisions" if state["truncated"] else "the end"
    paid = ", ".join(str(Fraction(float(value)).limit_denominator(100)) for value in returns[:players])
    return [f"{end}: {loser}", *held, f"returns: {paid}"]


def _cards(cards: Any) -> str:
    return " ".join(FRENCH.texts[card] for card in cards)
