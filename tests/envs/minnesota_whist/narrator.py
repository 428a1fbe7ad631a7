"""Deals and games of Minnesota Whist as a card player would tell them, for the golden games."""

from typing import Any

import numpy as np

from tests.envs.minnesota_whist.fuzzing import SENSIBLY, choose_rows
from tromf.envs.cards import FRENCH
from tromf.envs.minnesota_whist.rules import BID, DIX, GIVE, HIGH, NONE, PLAY, SOLA, SOLO, TRUMP

SUITS = ("clubs", "diamonds", "hearts", "spades")
SOLOS = {SOLA: "sola nulla", DIX: "grand dix"}
HEADINGS = {BID: "bids", SOLO: "who plays alone?", GIVE: "the exchange", TRUMP: "trumps"}

# Golden games: variant, options, seed, and how every seat plays.
GOLDEN: dict[str, tuple[str, dict[str, Any], int, int]] = {
    "minnesota-high": ("minnesota", {}, 11, SENSIBLY),
    "minnesota-low": ("minnesota", {}, 95, SENSIBLY),
    "penalty": ("penalty", {}, 20, SENSIBLY),
    "askov": ("askov", {}, 4, SENSIBLY),
    "sola-made": ("askov", {}, 9, SENSIBLY),
    "sola-failed": ("askov", {"failed_solo_star": True}, 16, SENSIBLY),
    "dix-made": ("askov", {}, 175, SENSIBLY),
    "dix-failed": ("askov", {}, 13, SENSIBLY),
    "south-dakota": ("south-dakota", {}, 3, SENSIBLY),
    "south-dakota-lost": ("south-dakota", {}, 37, SENSIBLY),
    "tiny": ("tiny-whist", {}, 1, SENSIBLY),
    "game": ("minnesota", {"episode": "game", "target": 2, "pack": "T"}, 3, SENSIBLY),
    "game-with-solos": ("askov", {"episode": "game", "target": 4, "pack": "9", "failed_solo_star": True}, 22, SENSIBLY),
    "cut-off": ("south-dakota", {"episode": "game", "pack": "T", "max_deals": 2}, 3, SENSIBLY),
}


def choose(states: np.ndarray, way: int, rng: np.ndarray) -> int:
    """The next action of a golden game that is being written."""
    actions = np.zeros(1, np.int64)
    choose_rows(states, np.zeros(1, np.int64), np.array([way]), rng, actions)
    return int(actions[0])


def opening(state: Any) -> list[str]:
    """The hands."""
    return [f"seat {seat} holds {FRENCH.text(state['hand'][seat])}" for seat in range(4)]


def heading(state: Any) -> str | None:
    """The lines before the first decision of a deal, of a round of bids, and of a trick."""
    phase = int(state["phase"])
    if phase == PLAY:
        return None if state["laid"] else f"trick {int(state['tricks'].sum()) + 1}"
    first = {
        BID: (state["bid"] < 0).all(),
        SOLO: state["solo"] == NONE and state["passes"] == 0,
        GIVE: state["turn"] == state["soloist"],
        TRUMP: True,
    }[phase]
    if not first:
        return None
    lines = [HEADINGS[phase]]
    if phase == BID and state["number"]:
        stars = f" and {_sum(state['stars'])} stars" if state["options"]["solos"] else ""
        lines = [f"deal {int(state['number']) + 1}, dealt by seat {state['dealer']}, with {_sum(state['score'])} points{stars} in the game"]
        lines += [*opening(state), "", HEADINGS[phase]]
    return "\n".join(lines)


def events(before: Any, after: Any, action_text: str) -> list[str]:
    """What an action brought about, a line each."""
    phase, seat = int(before["phase"]), int(before["turn"])
    if phase == PLAY:
        return _card_played(before, after, seat, FRENCH.number(action_text.split()[1]))
    if after["phase"] == phase:
        return []
    return {BID: _shown, SOLO: _solo, GIVE: _exchanged, TRUMP: lambda after: []}[phase](after)


def _shown(after: Any) -> list[str]:
    """MW-2."""
    order = [(int(after["dealer"]) + 1 + k) % 4 for k in range(4)]
    bids = [FRENCH.texts[after["bid"][p]] for p in order]
    black = next((k for k, card in enumerate(bids) if card[1] in "CS"), None)
    last = 3 if black is None else black
    lines = [f"shown: {', '.join(f'{card} by seat {p}' for p, card in zip(order[: last + 1], bids))}"]
    return [*lines, "low" if black is None else f"high, seat {order[black]} granded"]


def _solo(after: Any) -> list[str]:
    """MW-3."""
    if not after["solo"]:
        return ["nobody does"]
    return [f"seat {after['soloist']} plays {SOLOS[int(after['solo'])]}"]


def _exchanged(after: Any) -> list[str]:
    """MW-4."""
    soloist = int(after["soloist"])
    partner = (soloist + 2) % 4
    card = {p: FRENCH.texts[after["gave"][p]] for p in (soloist, partner)}
    return [f"seat {soloist} gets {card[partner]} for {card[soloist]}", f"seat {partner} sits out"]


def _card_played(before: Any, after: Any, seat: int, card: int) -> list[str]:
    """MW-8, and what follows from a complete trick."""
    led = card // 13 if before["lead"] < 0 else int(before["lead"]) // 13
    lines = [f"has no {SUITS[led]}"] if card // 13 != led and not int(before["void"][seat]) >> led & 1 else []
    if before["laid"] + 1 < before["seats"]:
        return lines
    table = {p: int(before["played"][p]) & int(before["table"]) for p in range(4)}
    laid = {p: cards.bit_length() - 1 for p, cards in table.items() if cards} | {seat: card}
    winner = max(laid, key=lambda p: (laid[p] // 13 == before["trump"], laid[p] // 13 == led, laid[p]))
    tricks = before["tricks"].tolist()
    tricks[winner % 2] += 1
    lines.append(f"seat {winner} wins the trick, {_sum(tricks)}")
    if not after["over"] and after["number"] == before["number"]:
        partner = (int(before["soloist"]) + 2) % 4
        return [*lines, f"seat {partner} sits out"] if before["solo"] == DIX and sum(tricks) == 1 else lines
    stars = [int(value) for value in after["stars"] - before["stars"]]
    points = [int(value) for value in after["score"] - before["score"]]
    if before["solo"]:
        soloist = int(before["soloist"])
        made = tricks[soloist % 2] == 0 if before["solo"] == SOLA else winner == soloist
        lines.append(f"seat {soloist} {'has made' if made else 'has failed in'} {SOLOS[int(before['solo'])]}, {_sum(stars)} stars")
    else:
        kind = "high" if before["kind"] == HIGH else "low"
        lines.append(f"the {kind} hand is over, {_sum(points)} points")
    return lines


def ending(state: Any, returns: Any) -> list[str]:
    """How the deal or the game ended."""
    stars = f" and {_sum(state['stars'])} stars" if state["options"]["solos"] else ""
    end = f"cut off after {int(state['number']) + 1} deals" if state["truncated"] else "the end"
    return [f"{end}: {_sum(state['score'])} points{stars}", f"returns: {', '.join(f'{value + 0.0:g}' for value in returns)}"]


def _sum(pair: Any) -> str:
    return f"{int(pair[0])} to {int(pair[1])}"
