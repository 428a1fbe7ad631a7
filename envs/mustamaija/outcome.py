"""How a deal of Mustamaija ended, as plain values."""

from typing import Any


def outcome(state: Any) -> dict[str, Any]:
    """The outcome of a finished deal, given its record.

    `loser`: the seat that loses, None when nobody does (cut off while Mustamaija lay in the stock); `places`: for every seat the place in
    which it went out, from 1, the loser last, None for other seats still in when the deal was cut off; `decisions`; `truncated`.
    """
    players, loser = int(state["options"]["players"]), int(state["loser"])
    places = [int(place) or None for place in state["place"][:players]]
    if loser >= 0:
        places[loser] = players
    return {
        "loser": loser if loser >= 0 else None,
        "places": places,
        "decisions": int(state["decisions"]),
        "truncated": bool(state["truncated"]),
    }
