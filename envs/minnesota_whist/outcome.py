"""How an episode of Minnesota Whist ended, as plain values."""

from typing import Any


def outcome(state: Any) -> dict[str, Any]:
    """The outcome of a finished episode, given its record.

    By side: `tricks` of the deal (the last one of a game), `score` and `stars`; `winner`: the side that is ahead (of a game: that has won),
    None when both are equal or the game was cut off; `deals`; `decisions`; `truncated`.
    """
    tricks, score, stars = (state[name].tolist() for name in ("tricks", "score", "stars"))
    value = 0.0 if state["options"]["game"] else float(state["options"]["star_value"])
    counted = [points + value * star for points, star in zip(score, stars, strict=True)]
    level = counted[0] == counted[1] or bool(state["truncated"])
    return {
        "winner": None if level else int(counted[1] > counted[0]),
        "tricks": tricks,
        "score": score,
        "stars": stars,
        "deals": int(state["number"]) + 1,
        "decisions": int(state["decisions"]),
        "truncated": bool(state["truncated"]),
    }
