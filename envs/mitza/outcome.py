"""How an episode of Mîța or 101 ended, as plain values."""

from typing import Any


def outcome(state: Any) -> dict[str, Any]:
    """The outcome of a finished episode, given its record.

    By side: `tricks` and `points` of the deal (the last one of a match), and `score` of a match, None for single deals; `winner`: the side
    that wins, None when both are equal; `deals`; `decisions`.
    """
    options = state["options"]
    tricks, points, score = (state[name].tolist() for name in ("tricks", "points", "score"))
    counted = score if options["match"] else points if options["scoring"] else tricks
    return {
        "winner": None if counted[0] == counted[1] else int(counted[1] > counted[0]),
        "tricks": tricks,
        "points": points,
        "score": score if options["match"] else None,
        "deals": int(state["number"]) + 1,
        "decisions": int(state["decisions"]),
    }
