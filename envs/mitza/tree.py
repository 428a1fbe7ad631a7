"""Mîța and 101 as trees (`tromf.envs.tree`)."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from tromf.envs import tree
from tromf.envs.mitza.rules import EXCHANGE, EXCHANGE_SEVEN, HAND, KEEP
from tromf.envs.tree import Bounds

_TRIES = 10_000  # far more than a card kept through a whole deal needs: its chance is (2/3)^k after k tricks


def bounds(options: Any) -> Bounds:
    """MZ-P: nobody wins or loses more than 1.

    A match that stays level goes on (MZ-9), so it has no longest; this one counts as many deals as `number` can, or twice as many as the
    target needs.
    """
    deal = int(options["pack"]).bit_count() + HAND + 1  # every card, a cry for each trick without a stock, the seven of trumps
    deals = max(1 << 16, 2 * int(options["target"])) if options["match"] else 1
    return Bounds(returns=1.0, decisions=deals * deal, deals=deals)


def recall(world: Any, state: Any) -> int:
    """MZ-3: keeping the seven of trumps is a secret."""
    if state["phase"] != EXCHANGE or world["phase"] == EXCHANGE:
        return -1
    return EXCHANGE_SEVEN if world["exchanged"] == state["turn"] else KEEP


def origin(world: Any, records: Sequence[Any], seat: int, rng: np.random.Generator) -> list[int] | None:
    """A deck in which the seven of trumps was dealt to whoever has kept it, and to nobody else who holds it."""
    first = records[0]
    dealt = HAND * int(first["options"]["players"])
    seven = 8 * int(world["trump"])
    holder = next((p for p in range(int(first["options"]["players"])) if int(world["hand"][p]) >> seven & 1), seat)
    asked = first["options"]["exchange"] and world["exchanged"] < 0 and holder != seat
    for _ in range(_TRIES):
        deck = tree.origin(world, records, seat, rng)
        if not asked or (deck.index(seven) < dealt) == (int(world["keeper"]) == holder):
            return unchecked(deck, first, dealt, rng) if first["options"]["check_stock"] else deck
    return None


def unchecked(deck: list[int], first: Any, dealt: int, rng: np.random.Generator) -> list[int] | None:
    """A random one of the decks of which MZ-2 makes the stock that this one has by its places, not looking at suits.

    There are up to four. So that every deck is equally likely, a world with fewer is refused in proportion.
    """
    place = {int(card): i for i, card in enumerate(first["deck"][: int(first["size"])])}
    stock = [deck[place[int(card)]] for card in first["stock"][: int(first["stock_size"]) - 1]]
    trump, middle = deck[dealt] // 8, (len(stock) - 1) // 2
    found = []
    for bottom in (False, True):
        for top in (False, True):
            before = list(stock)
            if bottom:
                before.append(before.pop(middle))
            if top:
                before.insert(0, before.pop(middle))
            if before not in found and checked(before, trump) == stock:
                found.append(before)
    k = int(rng.integers(4))
    return [*deck[: dealt + 1], *found[k]] if k < len(found) else None


def checked(stock: list[int], trump: int) -> list[int]:
    """MZ-2, in plain words: the face-down stock, from the top, after the trumps at its ends have gone into the middle."""
    stock, middle = list(stock), (len(stock) - 1) // 2
    for end in (0, -1):
        if stock and stock[end] // 8 == trump:
            stock.insert(middle, stock.pop(end))
    return stock
