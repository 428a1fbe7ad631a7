"""A deal or a match set up with cards by name, played and read as text, so that a test reads like a rule."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from tests.envs.mitza import fuzzing
from tromf.envs import BatchEnv
from tromf.envs.mitza.options import PACK


def a_deck(
    *hands: str, turned: str = "JH", stock: str = "", dealer: int | None = None, whole: bool = True, removed: Sequence[str] = ()
) -> list[str]:
    """The deck that gives every seat, from seat 0, its hand, turns a card, and has the face-down stock, top first.

    The other cards of the pack, but for those removed, lie below these; with `whole=False` the cards named are the pack.
    """
    players = len(hands)
    clockwise = [((players - 1 if dealer is None else dealer) + 1 + k) % players for k in range(players)]
    held = [hand.split() for hand in hands]
    deck = [held[seat][k] for k in range(3) for seat in clockwise] + [turned, *stock.split()]
    return deck + [card for card in PACK.texts if whole and card not in deck and card not in removed]


class Table:
    """One episode of Mîța or 101, on the compiled rules and on the plain reference: every action is taken by both, which must agree.

    Args:
        hands, turned, stock, whole: as for `a_deck`.
        dealer: the last seat by default, so that seat 0 leads first.
        later: decks for the deals after the first.
        options: as for the environments.
    """

    def __init__(
        self,
        *hands: str,
        turned: str = "JH",
        stock: str = "",
        whole: bool = True,
        dealer: int | None = None,
        later: Sequence[Sequence[str]] = (),
        seed: int = 0,
        **options: Any,
    ) -> None:
        self.players = len(hands)
        self.dealer = self.players - 1 if dealer is None else dealer
        variant = options.pop("variant", "101" if self.players == 6 else "mitza")
        removed = options.get("removed", ("8C", "8S")) if self.players == 6 else ()
        deck = a_deck(*hands, turned=turned, stock=stock, dealer=self.dealer, whole=whole, removed=removed)
        if not whole:
            options["pack"] = deck
        self.env = BatchEnv("mitza", 1, variant=variant, players=self.players, **options)
        self.env.reset(seed, [[deck, *later] if later else deck], self.dealer)
        self.reference = fuzzing.reference(self.env.game.values(variant, players=self.players, **options), self.state)
        self.agree()

    def agree(self) -> None:
        """The reference is in the same state, and every seat knows what the reference says that it knows."""
        facts = np.zeros((1, fuzzing.COLUMNS), np.int64)
        fuzzing.facts_rows(self.env.states, np.arange(1), facts)
        theirs = fuzzing.reference_facts(self.reference)
        assert dict(zip(fuzzing.FACTS, facts[0].tolist()[: len(theirs)])) == dict(zip(fuzzing.FACTS, theirs))
        assert fuzzing.stocks(self.env.states, np.arange(1)) == [bytes(self.reference.stock)]
        for seat in range(self.players):
            assert fuzzing.knowledge_differs(self.state, self.reference, seat) is None

    @property
    def state(self) -> Any:
        return self.env.states[0]

    @property
    def legal(self) -> set[str]:
        """Texts of the legal actions without `play`; empty after the end."""
        texts = [self.env.game.action_text(self.state, action) for action in range(36) if int(self.env.masks[0]) >> action & 1]
        return {text.removeprefix("play ") for text in texts}

    def play(self, *actions: str) -> "Table":
        """Take actions, `7H` or `tromf`, several in a text if one likes; the test fails if one is illegal."""
        for action in " ".join(actions).split():
            assert action in self.legal, f"{action!r} is not among {sorted(self.legal)}"
            number = self.env.game.parse_action(self.state, f"play {action}" if action in PACK.texts else action, ())
            self.env.step([number])
            self.reference.apply(number)
            self.agree()
        return self

    def seen(self, seat: int) -> list[int]:
        """The observation words of a seat."""
        words = np.zeros((1, self.env.game.words), np.uint64)
        fuzzing.observe_rows(self.env.states, np.array([seat]), words)
        return words[0].tolist()  # type: ignore[no-any-return]

    @property
    def actor(self) -> int:
        return int(self.env.seats[0])

    @property
    def leader(self) -> int:
        return int(self.state["leader"])

    def hand(self, seat: int) -> set[str]:
        return cards(self.state["hand"][seat])

    def known(self, seat: int) -> set[str]:
        """The publicly known part of a hand."""
        return cards(self.state["known"][seat])

    def won(self, side: int) -> set[str]:
        return cards(self.state["won"][side])

    @property
    def stock(self) -> str:
        """The stock, top first; its last card lies face up."""
        return " ".join(PACK.texts[card] for card in self.state["stock"][self.state["top"] : self.state["stock_size"]])

    @property
    def trump(self) -> str:
        return "CDHS"[self.state["trump"]]

    @property
    def lacks(self) -> set[int]:
        """Seats publicly known to hold no trump."""
        return {seat for seat in range(6) if int(self.state["lacks"]) >> seat & 1}

    @property
    def tricks(self) -> list[int]:
        return self.state["tricks"].tolist()  # type: ignore[no-any-return]

    @property
    def points(self) -> list[int]:
        return self.state["points"].tolist()  # type: ignore[no-any-return]

    @property
    def score(self) -> list[int]:
        return self.state["score"].tolist()  # type: ignore[no-any-return]

    @property
    def over(self) -> bool:
        return bool(self.env.done[0])

    @property
    def returns(self) -> list[float]:
        return [float(value) for value in self.env.returns[0]]


def cards(members: Any) -> set[str]:
    """The texts of a set of cards."""
    return set(PACK.text(members).split())
