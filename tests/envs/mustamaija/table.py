"""A deal set up with cards by name, played and read as text, so that a test reads like a rule."""

from typing import Any

from tromf.envs import BatchEnv
from tromf.envs.cards import FRENCH


class Table:
    """One deal of Mustamaija.

    Args:
        hands: the cards of each seat, from seat 0: `"5H QS"`. Their number is `hand_size`.
        stock: the stock, top first. The pack is all cards named; with `rest=True` the other cards of 52 lie under the stock.
        dealer: the last seat by default, so that seat 0 attacks first.
        options: as for the environments. Trumps are diamonds from the start unless said otherwise.
    """

    def __init__(self, *hands: str, stock: str = "", rest: bool = False, dealer: int | None = None, seed: int = 0, **options: Any) -> None:
        self.players = len(hands)
        self.dealer = self.players - 1 if dealer is None else dealer
        held = [hand.split() for hand in hands]
        clockwise = [(self.dealer + 1 + k) % self.players for k in range(self.players)]
        deck = [held[seat][k] for k in range(len(held[0])) for seat in clockwise] + stock.split()
        if rest:
            deck += [card for card in FRENCH.texts if card not in deck]
        self.env = BatchEnv(
            "mustamaija", 1, **{"players": self.players, "hand_size": len(held[0]), "trump": "diamonds", "pack": deck} | options
        )
        self.env.reset(seed, [deck], self.dealer)

    @property
    def state(self) -> Any:
        return self.env.states[0]

    @property
    def legal(self) -> set[str]:
        """Texts of the legal actions; empty after the end."""
        return {self.env.game.action_text(self.state, action) for action in range(60) if int(self.env.masks[0]) >> action & 1}

    def play(self, *texts: str) -> "Table":
        """Take actions given by text; the test fails if one is illegal."""
        for text in texts:
            assert text in self.legal, f"{text!r} is not among {sorted(self.legal)}"
            self.env.step([self.env.game.parse_action(self.state, text, ())])
        return self

    @property
    def actor(self) -> int:
        return int(self.env.seats[0])

    @property
    def attacker(self) -> int:
        return int(self.state["attacker"])

    @property
    def defender(self) -> int:
        return int(self.state["defender"])

    def hand(self, seat: int) -> set[str]:
        return cards(self.state["hand"][seat])

    def known(self, seat: int) -> set[str]:
        """The publicly known part of a hand."""
        return cards(self.state["known"][seat])

    @property
    def stock(self) -> str:
        """The stock, top first."""
        return " ".join(FRENCH.texts[card] for card in self.state["deck"][self.state["top"] : self.state["size"]])

    @property
    def seen(self) -> dict[str, int]:
        """Cards publicly known to lie in the stock, and how many lie above each."""
        top, size = int(self.state["top"]), int(self.state["size"])
        places = {FRENCH.texts[self.state["deck"][i]]: i - top for i in range(top, size) if int(self.state["seen_at"]) >> i & 1}
        assert set(places) == cards(self.state["seen"])
        return places

    @property
    def attack(self) -> set[str]:
        """Cards laid in this combat and not returned."""
        return cards(self.state["attack"])

    @property
    def gone(self) -> set[str]:
        return cards(self.state["gone"])

    @property
    def trump(self) -> str | None:
        """The suit of trumps, or None."""
        return None if self.state["trump"] < 0 else "CDHS"[self.state["trump"]]

    @property
    def over(self) -> bool:
        return bool(self.env.done[0])

    @property
    def truncated(self) -> bool:
        return bool(self.env.truncated[0])

    @property
    def returns(self) -> list[float]:
        return [float(value) for value in self.env.returns[0]]


def cards(members: Any) -> set[str]:
    """The texts of a set of cards."""
    return set(FRENCH.text(members).split())
