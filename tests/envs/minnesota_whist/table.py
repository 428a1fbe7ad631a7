"""A deal or a game set up with cards by name, played and read as text, so that a test reads like a rule."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from tests.envs.minnesota_whist import fuzzing
from tromf.envs import BatchEnv
from tromf.envs.cards import SUITS
from tromf.envs.minnesota_whist.options import PACK
from tromf.envs.minnesota_whist.rules import ACTIONS

PHASES = ("bid", "solo", "give", "trump", "play")


def a_deck(*hands: str, dealer: int = 3) -> list[str]:
    """The deck that gives every seat, from seat 0, its hand."""
    held = [hand.split() for hand in hands]
    return [held[(dealer + 1 + k) % 4][j] for j in range(len(held[0])) for k in range(4)]


class Table:
    """One episode of Minnesota Whist, on the compiled rules and on the plain reference: every action is taken by both, which must agree.

    Args:
        hands: of the seats 0 to 3; their cards are the pack.
        dealer: seat 3 by default, so that seat 0 bids first.
        later: decks for the deals after the first.
        options: as for the environments.
    """

    def __init__(self, *hands: str, dealer: int = 3, later: Sequence[Sequence[str]] = (), seed: int = 0, **options: Any) -> None:
        deck = a_deck(*hands, dealer=dealer)
        variant = options.pop("variant", "minnesota")
        self.env = BatchEnv("minnesota-whist", 1, variant=variant, pack=deck, **options)
        self.env.reset(seed, [[deck, *later] if later else deck], dealer)
        values = self.env.game.values(variant, pack=deck, **options)
        self.reference = fuzzing.reference(values | {"variant": variant}, self.state)
        self.agree()

    def agree(self) -> None:
        """The reference is in the same state, and every seat knows what it says; in long deals one seat is asked after each action."""
        facts = np.zeros((1, fuzzing.COLUMNS), np.int64)
        fuzzing.facts_rows(self.env.states, np.arange(1), facts)
        theirs = fuzzing.reference_facts(self.reference)
        assert dict(zip(fuzzing.FACTS, facts[0].tolist()[: len(theirs)])) == dict(zip(fuzzing.FACTS, theirs))
        assert self.returns == self.reference.returns()
        for seat in range(4) if len(self.reference.cards) < 20 else [self.reference.decisions % 4]:
            assert fuzzing.knowledge_differs(self.state, self.reference, seat) is None

    @property
    def state(self) -> Any:
        return self.env.states[0]

    @property
    def legal(self) -> set[str]:
        """Legal actions as `play` below takes them; empty after the end."""
        texts = [self.env.game.action_text(self.state, action) for action in range(ACTIONS) if int(self.env.masks[0]) >> action & 1]
        return {text.replace("trump ", "trump=").split()[-1] for text in texts}

    def play(self, *actions: str) -> "Table":
        """Take actions, several in a text if one likes: a card, without saying whether it is bid, given or played, `pass`, `sola`, `dix`,
        `trump=H`; the test fails if one is illegal."""
        for action in " ".join(actions).split():
            assert action in self.legal, f"{action!r} is not among {sorted(self.legal)}"
            number = PACK.number(action) if action in PACK.texts else self.env.game.parse_action(self.state, action.replace("=", " "), ())
            self.env.step([number])
            self.reference.apply(number)
            self.agree()
        return self

    def bid(self, granded: int | None) -> "Table":
        """Everybody bids its lowest red card, but the seat that is to grand its lowest black one."""
        for _ in range(4):
            colour = "CS" if self.actor == granded else "DH"
            self.play(min((card for card in self.legal if card[1] in colour), key=PACK.number))
        return self

    def seen(self, seat: int) -> list[int]:
        """The observation words of a seat."""
        words = np.zeros((1, self.env.game.words), np.uint64)
        fuzzing.observe_rows(self.env.states, np.array([seat]), words)
        return words[0].tolist()  # type: ignore[no-any-return]

    @property
    def phase(self) -> str:
        return PHASES[self.state["phase"]]

    @property
    def actor(self) -> int:
        return int(self.env.seats[0])

    @property
    def leader(self) -> int:
        return int(self.state["leader"])

    @property
    def kind(self) -> str:
        return ("undecided", "low", "high")[self.state["kind"]]

    @property
    def granded(self) -> int:
        """-1 for nobody."""
        return int(self.state["granded"])

    @property
    def trump(self) -> str:
        """'' without."""
        return SUITS[self.state["trump"]] if self.state["trump"] >= 0 else ""

    def hand(self, seat: int) -> set[str]:
        return cards(self.state["hand"][seat])

    @property
    def known(self) -> list[set[str]]:
        """By seat: the publicly known part of the hand."""
        return [cards(known) for known in self.state["known"]]

    @property
    def pair(self) -> set[str]:
        """Cards publicly known to be with the player of sola nulla or the partner."""
        return cards(self.state["pair"])

    @property
    def lacks(self) -> list[str]:
        """By seat: suits that it is publicly known not to hold."""
        return ["".join(suit for k, suit in enumerate(SUITS) if int(void) >> k & 1) for void in self.state["void"]]

    def numbers(self, name: str) -> list[int]:
        """A field that has a number for each side, or each seat."""
        return self.state[name].tolist()  # type: ignore[no-any-return]

    @property
    def tricks(self) -> list[int]:
        return self.numbers("tricks")

    @property
    def score(self) -> list[int]:
        return self.numbers("score")

    @property
    def stars(self) -> list[int]:
        return self.numbers("stars")

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
    return set(PACK.text(members).split())


# ------------------------------------------------------------------ whole deals in which every trick is chosen
#
# A quad is four neighbouring cards of a suit, one for each seat, the highest of them where the test wants the trick to go. Twelve quads
# and the four aces, one for each seat too, make a deal in which everybody always follows; the aces are the last trick.

QUADS = [[rank + suit for rank in ranks] for suit in SUITS for ranks in ("2345", "6789", "TJQK")]
ACES = [f"A{suit}" for suit in SUITS]


def quad_hands(winners: Sequence[int]) -> list[str]:
    """The hands of the seats 0 to 3, card k to be played to trick k; `winners`: of the first twelve tricks. Seat k holds ace k."""
    hands: list[list[str]] = [[], [], [], []]
    for quad, winner in zip(QUADS, winners, strict=True):
        for seat, card in zip([*(seat for seat in range(4) if seat != winner), winner], quad):
            hands[seat].append(card)
    return [" ".join([*hand, ace]) for hand, ace in zip(hands, ACES)]


def tricks_of_side(own: int, seats: tuple[int, int] = (0, 1)) -> list[int]:
    """Winners of the twelve quads with which the first seat gets so many tricks of thirteen, and the second the others.

    The trick of aces goes to the winner of the twelfth quad.
    """
    first, second = (seats[0],) * own, (seats[1],) * (13 - own)
    return list((*first, *second)[:12]) if own < 7 else list((*second, *first)[:12])


def play_quads(table: Table, tricks: int = 13) -> Table:
    """Play until so many tricks of the deal are over, or the deal is: everybody its card of the quad, at last the aces."""
    deal = int(table.state["number"])
    while not table.over and table.state["number"] == deal and sum(table.tricks) < tricks:
        quad = [*QUADS, ACES][sum(table.tricks)]
        table.play(next(card for card in quad if card in table.hand(table.actor)))
    return table
