"""Minnesota Whist and its relatives as trees (`tromf.envs.tree`)."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from tromf.envs.cards import members
from tromf.envs.minnesota_whist.rules import BID, GIVE
from tromf.envs.tree import Bounds

_BEFORE_PLAY = 4 + 7 + 2 + 1  # bids; three passes, a sola, two passes, a dix; cards exchanged; trumps named


def bounds(options: Any) -> Bounds:
    """MW-P, from the most points of a deal (MW-9, MW-10, MW-R) or the stars of a game."""
    tricks, deals = int(options["tricks"]), int(options["max_deals"]) if options["game"] else 1
    over = tricks - tricks // 2
    points = [over * max(1, int(options["grand_points"]), int(options["defence_points"]))]
    if options["south_dakota"]:
        points = [over, tricks // 2 + 1]
    stars = bool(options["solos"])
    highest = 1.0 + deals * stars if options["game"] else float(max([*points, float(options["star_value"]) * stars]))
    return Bounds(returns=highest, decisions=deals * (4 * tricks + _BEFORE_PLAY), deals=deals)


def recall(world: Any, state: Any) -> int:
    """Bid cards are set aside face down (MW-1), and so are the cards exchanged before sola nulla (MW-4)."""
    if state["phase"] == BID:
        return int(world["bid"][state["turn"]])
    return int(world["gave"][state["turn"]]) if state["phase"] == GIVE else -1


def origin(world: Any, records: Sequence[Any], seat: int, rng: np.random.Generator) -> list[int]:
    """Every hand as it was dealt, in any order (C-4)."""
    deck = [int(card) for card in records[0]["deck"][: int(records[0]["size"])]]
    for p in range(4):
        if p != seat:
            cards = int(world["hand"][p]) | int(world["played"][p])
            if world["received"][p] >= 0:
                cards = cards & ~(1 << int(world["received"][p])) | 1 << int(world["gave"][p])
            deck[(p - int(world["dealer"]) - 1) % 4 :: 4] = [int(card) for card in rng.permutation(members(cards))]
    return deck
