"""A position of trick-taking play with open cards: what the solver is asked about.

Cards are numbered 13 × suit + rank, suits C D H S and ranks 2 … A from 0 (`tromf.envs.cards.FRENCH`); a hand is a set of them, bit i
standing for card i. Seats 0 … 3 sit clockwise, sides are seat mod 2, a missing trump suit is -1. Any number of cards a seat will do.
"""

from dataclasses import dataclass

from tromf.envs.cards import FRENCH, SUITS

CONTRACTS = ("high", "low", "sola", "dix")
SOLOS = ("sola", "dix")
ALL_CARDS = (1 << len(FRENCH)) - 1


@dataclass(frozen=True)
class Position:
    """Some cards in four hands and on the table.

    hands: what each seat still holds, four sets; cards that lie on the table are in no hand.
    turn: the seat to play next, or to lead.
    laid: the cards of the trick in hand, in the order in which they were laid.
    trump: 0 … 3, or -1; only a high hand has trumps.
    contract: "high": each side wants as many tricks as it can get; "low": as few; "sola": the soloist undertakes to win none; "dix": to
        win the first T // 2 + 1 of T tricks, seven of thirteen.
    soloist: the seat that plays alone; -1 in high and low hands.
    won: tricks that the soloist has won already; only in "dix". Since all tricks before were then the soloist's, T follows from it.

    A soloist's partner sits out: its hand is empty. In "dix" it leads to the first trick, which has four cards: until then it holds as
    many cards as the others, and afterwards none.
    """

    hands: tuple[int, int, int, int]
    turn: int = 0
    laid: tuple[int, ...] = ()
    trump: int = -1
    contract: str = "high"
    soloist: int = -1
    won: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "hands", tuple(int(hand) for hand in self.hands))
        object.__setattr__(self, "laid", tuple(int(card) for card in self.laid))
        self._check_words()
        self._check_cards()
        self._check_sizes()
        self._check_follow()

    @property
    def order(self) -> tuple[int, ...]:
        """The seats that play to the trick in hand, its leader first."""
        if self.soloist < 0:
            leader, seats = (self.turn - len(self.laid)) % 4, (0, 1, 2, 3)
        else:
            partner = (self.soloist + 2) % 4
            seats = tuple(seat for seat in range(4) if seat != partner or self._partner_plays())
            leader = seats[(seats.index(self.turn) - len(self.laid)) % len(seats)]
        first = seats.index(leader)
        return seats[first:] + seats[:first]

    @property
    def cards(self) -> int:
        """Cards of each seat that has not yet played to the trick in hand, those of the seat to play."""
        return self.hands[self.turn].bit_count()

    @property
    def legal(self) -> int:
        """The cards that the seat to play may play: a set."""
        hand = self.hands[self.turn]
        if not self.laid:
            return hand
        return hand & suit_set(self.laid[0] // 13) or hand

    @property
    def needed(self) -> int:
        """Tricks that the soloist must win in all in "dix" (MW-5, MW-R)."""
        return (self.cards + self.won) // 2 + 1

    def _partner_plays(self) -> bool:
        """Whether the soloist's partner plays to the trick in hand: in "dix" it leads to the first."""
        partner = (self.soloist + 2) % 4
        if self.contract != "dix" or self.won:
            return False
        if self.turn == partner:
            return not self.laid
        # It has led if of the three others one fewer than there are cards on the table is a card short.
        short = sum(hand.bit_count() < self.cards for seat, hand in enumerate(self.hands) if seat != partner)
        return 0 < len(self.laid) == short + 1

    def _check_words(self) -> None:
        if len(self.hands) != 4:
            raise ValueError(f"a position has four hands, not {len(self.hands)}")
        if self.contract not in CONTRACTS:
            raise ValueError(f"no contract {self.contract!r}: accepted are {', '.join(CONTRACTS)}")
        if self.turn not in range(4):
            raise ValueError(f"no seat {self.turn!r}: turn is 0 … 3")
        if self.trump not in range(-1, 4):
            raise ValueError(f"no trump {self.trump!r}: accepted are 0 … 3 ({', '.join(SUITS)}) and -1 for none")
        if self.trump >= 0 and self.contract != "high":
            raise ValueError(f"trumps in contract {self.contract}: only a high hand has them")
        if self.contract in SOLOS and self.soloist not in range(4):
            raise ValueError(f"contract {self.contract} has soloist {self.soloist!r}: accepted are seats 0 … 3")
        if self.contract not in SOLOS and self.soloist != -1:
            raise ValueError(f"contract {self.contract} has soloist {self.soloist!r}: only sola and dix have one, others say -1")
        if self.won < 0 or (self.won and self.contract != "dix"):
            raise ValueError(f"won is {self.won!r} in contract {self.contract}: tricks already won, 0 or more, count in dix alone")

    def _check_cards(self) -> None:
        total = sum(hand.bit_count() for hand in self.hands) + len(self.laid)
        if total > len(FRENCH):
            raise ValueError(f"{total} cards: a pack has {len(FRENCH)}")
        for card in self.laid:
            FRENCH.number(card)
        seen = 0
        for cards, place in [(hand, f"the hand of seat {seat}") for seat, hand in enumerate(self.hands)] + [
            (1 << card, "the trick") for card in self.laid
        ]:
            if cards & ~ALL_CARDS:
                raise ValueError(f"{place} is no set of the cards 0 … {len(FRENCH) - 1}")
            if cards & seen:
                raise ValueError(f"{FRENCH.text(cards & seen)} in {place}: in another place too")
            seen |= cards

    def _check_sizes(self) -> None:
        """Each seat has as many cards as the seat to play, those that have played to the trick one less, and who sits out none."""
        if not self.hands[self.turn]:
            raise ValueError(f"seat {self.turn} is to play and has no card")
        sitting_out = set() if self.soloist < 0 or self._partner_plays() else {(self.soloist + 2) % 4}
        if self.turn in sitting_out:
            raise ValueError(f"seat {self.turn} is to play and sits out: it is the soloist's partner")
        order = self.order
        if len(self.laid) >= len(order):
            raise ValueError(f"{len(self.laid)} cards on the table: at most {len(order) - 1}, and a seat still to play")
        wanted = [self.cards] * 4
        for seat in order[: len(self.laid)]:
            wanted[seat] -= 1
        for seat in sitting_out:
            wanted[seat] = 0
        if self._partner_plays() and self.laid:
            wanted[order[0]] = 0
        sizes = [hand.bit_count() for hand in self.hands]
        if sizes != wanted:
            raise ValueError(f"hands of {', '.join(map(str, sizes))} cards: with seat {self.turn} to play and {len(self.laid)} laid "
                             f"they must be {', '.join(map(str, wanted))}")  # fmt: skip
        if self.contract == "dix" and self.won >= self.needed:
            raise ValueError(f"the soloist has won {self.won} tricks: it needs {self.needed}, and the solo is over")

    def _check_follow(self) -> None:
        """Who has not followed suit must be out of it."""
        for seat, card in list(zip(self.order, self.laid))[1:]:
            led = self.laid[0] // 13
            if card // 13 != led and self.hands[seat] & suit_set(led):
                raise ValueError(f"seat {seat} laid {FRENCH.texts[card]} and holds {FRENCH.text(self.hands[seat] & suit_set(led))}")


def suit_set(suit: int) -> int:
    """All cards of a suit."""
    return 0x1FFF << 13 * suit
