"""Deals of open cards as text: four hands of cards, or bridge's PBN (Portable Bridge Notation 2.1, section 3.4.11).

    AS KS 2H / QS JS 3H / …                  the hands of the seats 0, 1, 2, 3, cards as everywhere (`QS`), in any order
    N:AK2.QJ.T9.87 43.…                      PBN: the seat of the first hand, then clockwise; suits S.H.D.C; North is seat 0

Hands need not be whole: an ending is a deal of fewer cards.
"""

import re

from tromf.envs.cards import FRENCH

COMPASS = "NESW"
_PBN_SUITS = "SHDC"


def parse(text: str) -> tuple[int, int, int, int]:
    """The four hands, card sets by seat; `ValueError` says in one line what is wrong with a text."""
    text = " ".join(text.split())
    if match := re.fullmatch(r'\[Deal "(.*)"\]', text):  # a tag of a PBN file
        text = match[1]
    hands = _pbn(text) if text[1:2] == ":" else _plain(text)
    cards = sum(hand.bit_count() for hand in hands)
    together = hands[0] | hands[1] | hands[2] | hands[3]
    if together.bit_count() < cards:
        twice = [FRENCH.texts[card] for card in FRENCH.members(together) if sum(hand >> card & 1 for hand in hands) > 1]
        raise ValueError(f"the deal has {cards} cards, and {' '.join(twice)} in more than one hand")
    if not cards:
        raise ValueError("the deal has no cards")
    return hands


def pbn(hands: tuple[int, ...]) -> str:
    """Four hands as PBN, North first."""
    return "N:" + " ".join(".".join(_ranks(hand, suit) for suit in _PBN_SUITS) for hand in hands)


def _ranks(hand: int, suit: str) -> str:
    """The ranks of a suit in a hand, highest first."""
    first = FRENCH.number(FRENCH.ranks[0] + suit)
    return "".join(rank for number, rank in enumerate(FRENCH.ranks) if hand >> first + number & 1)[::-1]


def seat(text: str) -> int:
    """The seat that 0 … 3 or a letter of the compass names."""
    if text in tuple("0123"):
        return int(text)
    if text.upper() in tuple(COMPASS):
        return COMPASS.index(text.upper())
    raise ValueError(f"no seat {text!r}: accepted are 0 … 3, or N, E, S, W")


def _plain(text: str) -> tuple[int, int, int, int]:
    parts = text.split("/")
    if len(parts) != 4:
        raise ValueError(f"the deal has {len(parts)} hands: accepted are four, as 'AS KH / …', or PBN, as 'N:AK2.QJ.T9.87 …'")
    hands = []
    for number, part in enumerate(parts):
        hand = 0
        for word in part.split():
            card = 1 << FRENCH.number(word)
            if hand & card:
                raise ValueError(f"hand {number} has {word.upper()} twice")
            hand |= card
        hands.append(hand)
    return hands[0], hands[1], hands[2], hands[3]


def _pbn(text: str) -> tuple[int, int, int, int]:
    first, parts = seat(text[0]), text[2:].split()
    if len(parts) != 4:
        raise ValueError(f"the PBN deal has {len(parts)} hands: accepted are four, such as AK2.QJ.T9.87, or - for one without cards")
    hands = [0] * 4
    for number, part in enumerate(parts):
        suits = ["", "", "", ""] if part == "-" else part.split(".")
        if len(suits) != 4:
            raise ValueError(
                f"hand {part!r} has {len(suits)} suits: PBN has four, spades, hearts, diamonds and clubs, with a point between"
            )
        for suit, ranks in zip(_PBN_SUITS, suits):
            for rank in ranks.upper():
                if rank not in FRENCH.ranks:
                    raise ValueError(f"no rank {rank!r} in hand {part!r}: ranks are {FRENCH.ranks}")
                card = 1 << FRENCH.number(rank + suit)
                if hands[(first + number) % 4] & card:
                    raise ValueError(f"hand {part!r} has {rank + suit} twice")
                hands[(first + number) % 4] |= card
    return hands[0], hands[1], hands[2], hands[3]
