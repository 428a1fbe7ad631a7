"""Deals and matches of Mîța and 101 as a card player would tell them, for the golden games."""

from fractions import Fraction
from typing import Any

import numpy as np

from tests.envs.mitza.fuzzing import APART, HOARD, RANDOMLY, SENSIBLY, choose_rows
from tromf.envs.mitza.options import CARD_POINTS, PACK
from tromf.envs.mitza.rules import EXCHANGE, POINTS

SUITS = ("clubs", "diamonds", "hearts", "spades")

# Golden games: variant, options, seed, and how every seat plays.
GOLDEN: dict[str, tuple[str, dict[str, Any], int, int]] = {
    "mitza-2": ("mitza", {}, 1, SENSIBLY),
    "mitza-4": ("mitza", {"players": 4}, 4, SENSIBLY),
    "101-2": ("101", {}, 9, SENSIBLY),
    "101-4": ("101", {"players": 4}, 3, SENSIBLY),
    "101-6": ("101", {"players": 6, "removed": ["8D", "8H"]}, 3, SENSIBLY),
    "tiny": ("tiny-101", {}, 11, SENSIBLY),
    "exchange-and-tromf": ("101", {"players": 4}, 14, HOARD),
    "match": ("101", {"players": 4, "episode": "match"}, 79, SENSIBLY),
    "match-equal": ("101", {"episode": "match", "target": 20, "pack": "Q"}, 284, APART),
    "checked-stock": (
        "mitza",
        {"exchange": True, "check_stock": True, "pack": [rank + suit for rank in "7JTA" for suit in "CDHS"]},
        131,
        RANDOMLY,
    ),
}


def choose(states: np.ndarray, way: int, rng: np.ndarray) -> int:
    """The next action of a golden game that is being written."""
    actions = np.zeros(1, np.int64)
    choose_rows(states, np.zeros(1, np.int64), np.array([way]), rng, actions)
    return int(actions[0])


def opening(state: Any) -> list[str]:
    """The deal: hands, the turned card, the stock."""
    players, turned = _players(state), _cards(state["stock"][state["stock_size"] - 1 :][:1])
    lines = [f"seat {seat} holds {PACK.text(state['hand'][seat])}" for seat in range(players)]
    dealt, lying = (_cards(state[name][start:end]) for name, start, end in _face_down(state))
    lines += [f"{turned} is turned and lies under the stock: {SUITS[state['trump']]} are trumps", f"stock, top first: {dealt or 'none'}"]
    return lines + ([f"checked, it is: {lying}"] if lying != dealt else [])


def _face_down(state: Any) -> list[tuple[str, int, int]]:
    """Where the face-down stock stands as it was dealt, and as it lies."""
    return [("deck", 3 * _players(state) + 1, int(state["size"])), ("stock", 0, int(state["stock_size"]) - 1)]


def heading(state: Any) -> str | None:
    """The lines before the first decision of a deal or a trick."""
    if state["laid"]:
        return None
    begun = state["phase"] != EXCHANGE and (state["keeper"] >= 0 or state["exchanged"] >= 0)
    first = not state["played"].any() and not begun
    lines = []
    if first and state["number"]:
        lines += [f"deal {int(state['number']) + 1}, dealt by seat {state['dealer']}, with {_sum(state['score'])} in the match"]
        lines += [*opening(state), ""]
    if state["phase"] == EXCHANGE:
        return "\n".join([*lines, f"seat {state['turn']} is asked for the exchange"])
    return "\n".join([*lines, f"trick {int(state['tricks'].sum()) + 1}"])


def events(before: Any, after: Any, action_text: str) -> list[str]:
    """What an action brought about, a line each."""
    if action_text == "exchange":
        seat = int(before["turn"])
        taken = int(after["hand"][seat]) & ~int(before["hand"][seat])
        return [f"takes {PACK.text(taken)}, and {PACK.texts[after['stock'][after['stock_size'] - 1]]} lies under the stock"]
    if action_text in ("keep", "tromf", "quiet"):
        return []
    card, seat, trump = PACK.number(action_text.split()[1]), int(before["turn"]), int(before["trump"])
    lines = ["has no trumps, as everybody sees"] if before["called"] and card // 8 != trump else []
    if before["laid"] < _players(before) - 1:
        return lines
    trick = {int(before["leader"]) + k: None for k in range(_players(before))}
    trick = {p % _players(before): int(before["played"][p % _players(before)]) & int(before["table"]) for p in trick}
    trick[seat] = 1 << card
    laid = {p: cards.bit_length() - 1 for p, cards in trick.items()}
    led = laid[int(before["leader"])] // 8
    winner = max(laid, key=lambda p: (laid[p] // 8 == trump, laid[p] // 8 == led, laid[p]))
    points = sum(CARD_POINTS[PACK.texts[each][0]] for each in laid.values())
    lines.append(f"seat {winner} wins the trick" + (f", {points} points" if before["options"]["scoring"] == POINTS else ""))
    same = before["number"] == after["number"]
    if same and after["top"] > before["top"]:
        drawn = [int(card) for card in before["stock"][before["top"] : after["top"]]]
        lines.append(", ".join(f"seat {(winner + k) % _players(before)} draws {PACK.texts[card]}" for k, card in enumerate(drawn)))
    if before["options"]["match"] and (after["over"] or not same):
        sums = [int(value) for value in after["score"]]
        lines.append(f"the deal is over: {sums[0] - int(before['score'][0])} to {sums[1] - int(before['score'][1])}")
    return lines


def ending(state: Any, returns: Any) -> list[str]:
    """How the deal or the match ended."""
    options = state["options"]
    name = "score" if options["match"] else "points" if options["scoring"] == POINTS else "tricks"
    paid = ", ".join(str(Fraction(float(value)).limit_denominator(200)) for value in returns[: _players(state)])
    what = {"score": "points in the match", "points": "points", "tricks": "tricks"}[name]
    return [f"the end: {_sum(state[name])} {what}", f"returns: {paid}"]


def _sum(pair: Any) -> str:
    return f"{pair[0]} to {pair[1]}"


def _players(state: Any) -> int:
    return int(state["options"]["players"])


def _cards(cards: Any) -> str:
    return " ".join(PACK.texts[card] for card in cards)
