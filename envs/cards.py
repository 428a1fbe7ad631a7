"""Packs of cards: numbers, texts, sets of cards as `uint64`, and decks as people write them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

SUITS = "CDHS"
SYMBOLS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


class Pack:
    """All cards of a game: `ranks` from low to high, in each of the suits C D H S. Card number = ranks × suit + rank (C-2)."""

    def __init__(self, ranks: str) -> None:
        self.ranks = ranks
        self.texts = tuple(rank + suit for suit in SUITS for rank in ranks)
        self._numbers = {text: number for number, text in enumerate(self.texts)}

    def __len__(self) -> int:
        return len(self.texts)

    def number(self, card: Any) -> int:
        """The number of a card given as text (`QS`, case does not matter) or number; `ValueError` for a foreign card."""
        if isinstance(card, str) and card.upper() in self._numbers:
            return self._numbers[card.upper()]
        if isinstance(card, (int, np.integer)) and not isinstance(card, bool) and 0 <= card < len(self):
            return int(card)
        accepted = f"a rank of {self.ranks} and a suit of {SUITS}, such as {self.texts[-1]}, or a number 0 … {len(self) - 1}"
        raise ValueError(f"no card {card!r}: cards are {accepted}")

    def members(self, cards: int) -> list[int]:
        """The numbers in a set of cards, ascending."""
        return members(int(cards) & ((1 << len(self)) - 1))

    def text(self, cards: int) -> str:
        """A set of cards as text, ascending, `2C KC QS`."""
        return " ".join(self.texts[number] for number in self.members(cards))

    def collect(self, cards: Iterable[Any]) -> int:
        """A set of cards from texts or numbers."""
        result = 0
        for card in cards:
            result |= 1 << self.number(card)
        return result

    def reduced(self, pack: Any) -> int:
        """The set that option `pack` (C-9) names: None (all), a rank (from it upwards), or a list of cards."""
        if pack is None:
            return (1 << len(self)) - 1
        if isinstance(pack, str) and len(pack) == 1 and pack.upper() in self.ranks:
            low = self.ranks.index(pack.upper())
            return self.collect(number for number in range(len(self)) if number % len(self.ranks) >= low)
        if isinstance(pack, (list, tuple, np.ndarray)):
            numbers = [self.number(card) for card in pack]
            doubled = [self.texts[number] for number, count in Counter(numbers).items() if count > 1]
            if doubled:
                raise ValueError(f"option 'pack' names {', '.join(doubled)} more than once")
            return self.collect(numbers)
        raise ValueError(f"option 'pack' is {pack!r}: accepted are None, a rank of {self.ranks}, or a list of cards")

    def deck(self, cards: Sequence[Any], pack: int) -> list[int]:
        """A deck (C-3) as numbers; `ValueError` naming the missing, doubled or foreign cards if it is no permutation of `pack`."""
        if isinstance(cards, str):
            cards = cards.split()
        numbers = [self.number(card) for card in cards]
        counts = Counter(numbers)
        faults = {
            "doubled": [card for card, count in counts.items() if count > 1],
            "foreign": [card for card in counts if not pack >> card & 1],
            "missing": [card for card in self.members(pack) if card not in counts],
        }
        if any(faults.values()):
            named = "; ".join(
                f"{fault}: {' '.join(self.texts[card] for card in sorted(found))}" for fault, found in faults.items() if found
            )
            raise ValueError(f"the deck is no permutation of the pack ({named})")
        return numbers


def members(cards: int) -> list[int]:
    """The numbers in a set of cards or actions, ascending."""
    result, cards = [], int(cards)
    while cards:
        lowest = cards & -cards
        result.append(lowest.bit_length() - 1)
        cards ^= lowest
    return result


FRENCH = Pack("23456789TJQKA")
