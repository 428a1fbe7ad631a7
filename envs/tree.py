"""A game as a tree: how long and how valuable its episodes can be, where chance decides, and how a world can have come about.

For faces in which chance makes moves and a state is its history (`tromf.envs.openspiel`). A game's `tree.py` offers

- `bounds(options) -> Bounds`, of a record of options;
- `origin(world, records, seat, rng) -> deck`: a random one of the decks from which a world of the seat can have come about, as a list, or
  None if there is none; `records` are those of the true deal, before every decision and now;
- `recall(world, state) -> action`: what the seat to act in `state`, an earlier record of the world's deal, did there without anybody
  seeing what; -1 where everybody sees, and where it has not decided yet.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from tromf.envs.cards import members

NO_CARD = 255  # beyond the end of a pack, in concealed records


class Bounds(NamedTuple):
    """Bounds of an episode.

    Attributes:
        returns: no seat's return is above it, or below its negative.
        decisions: the most decisions. deals: the most deals.
        lots: where the record's generator decides something within a deal, a decision draws one number in [0, 1) from it, and what happens
            depends only on the part in which that number lies; these numbers, ascending, divide the parts. Empty where decks are the only
            chance.
    """

    returns: float
    decisions: int
    deals: int = 1
    lots: tuple[float, ...] = ()


def origin(world: Any, records: Sequence[Any], seat: int, rng: np.random.Generator) -> list[int]:
    """`origin` of games with a stock, in whose records `hand`, `known`, `top` and `stock` (or `deck`, played from) mean the usual.

    A place in the true deck whose card the seat does not know gets the world's card instead: in the stock by its place there, in a hand any
    one. A card that comes into the open lay, with equal chance, in any of the places from which unknown cards of that hand had come.
    """
    first, last = records[0], records[-1]
    deck = [int(card) for card in first["deck"][: int(first["size"])]]
    place = {card: i for i, card in enumerate(deck)}
    for p in range(int(first["options"]["players"])):
        if p == seat:
            continue
        unknown: list[int] = []  # places in the deck from which those cards of the hand have come that others do not know
        hand = known = 0
        for record in records:
            now, now_known = int(record["hand"][p]), int(record["known"][p])
            for card in members(hand & ~known & (~now | now_known)):
                deck[unknown.pop(int(rng.integers(len(unknown))))] = card
            unknown += [place[card] for card in members(now & ~hand & ~now_known)]
            hand, known = now, now_known
        for i, card in zip(unknown, rng.permutation(members(int(world["hand"][p]) & ~known)), strict=True):
            deck[i] = int(card)
    stock = "stock" if "stock" in last.dtype.names else "deck"
    for before, after in zip(last[stock][int(last["top"]) :], world[stock][int(last["top"]) :]):
        if before != after and after != NO_CARD:
            deck[place[int(before)]] = int(after)
    return deck
