"""Mîța and 101 in plain Python: the reference that the compiled rules are checked against.

Written from the rules page alone (rules/mitza.md, with C-1 ... C-9 of rules/README.md), by
somebody who had not seen the compiled rules. It is slow and obvious on purpose: one small method a
step of the page, each with the ids of the rules that it carries out. Options arrive validated.

Cards are ints, 8 * suit + rank (suits C D H S = 0..3, ranks 7 8 9 J Q T K A = 0..7). Actions, as on
the page: 0-31 play that card, 32 `tromf`, 33 `quiet`, 34 `exchange`, 35 `keep`.

Readings (where the page can be read in more than one way)
- MZ-2   m // 2 counts the rest of the face-down stock, without the card that is moved and without the
         turned card. With one card in the face-down stock nothing can change.
- MZ-3   Asked is the holder after the deal of three cards, so nobody if the seven was turned or lies in
         the stock. The exchanged seven is then the card publicly seen under the stock, and is publicly
         known in the hand of the seat that draws it.
- MZ-3   'As if nobody had been asked': to everybody else it is the first leader's turn to play, to that
         leader too, whose mask alone tells otherwise. A count of decisions would give `keep` away, so no
         seat knows it.
- C-7, MZ-3  That it kept, a seat knows for as long as it holds the seven.
- MZ-6   The question comes after the card is led and before anybody follows, and everybody sees that it
         is asked. 'Known to have none' holds to the end of the deal: nobody can draw any more.
- MZ-9   Only totals after a whole deal count. A match goes on while they are equal or below the target.
- MZ-P   If the cards of a reduced pack carry no points at all, a deal for points returns 0 to everybody.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

RANKS, SUITS = "789JQTKA", "CDHS"
SEVEN = 0
POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}  # MZ-8
HAND = 3  # MZ-1
TROMF, QUIET, EXCHANGE_SEVEN, KEEP = 32, 33, 34, 35

# What is being decided (`phase`).
PLAYING, CRYING, EXCHANGING = "play", "cry", "exchange"


def number(card: int | str) -> int:
    """C-2: the number of a card, given so or as text (`QS`)."""
    return 8 * SUITS.index(card[1]) + RANKS.index(card[0]) if isinstance(card, str) else int(card)


def text(card: int) -> str:
    """C-2: rank, then suit."""
    return RANKS[rank(card)] + SUITS[suit(card)]


def suit(card: int) -> int:
    return card // 8


def rank(card: int) -> int:
    return card % 8


def points_of(cards: Iterable[int]) -> int:
    """MZ-8."""
    return sum(POINTS.get(RANKS[rank(card)], 0) for card in cards)


def cards_in_play(players: int, pack: str | Sequence[int | str] | None, removed: Sequence[int | str]) -> set[int]:
    """C-9 and option `removed`: the cards that are dealt."""
    if pack is None:
        cards = set(range(32))
    elif isinstance(pack, str):
        cards = {card for card in range(32) if rank(card) >= RANKS.index(pack)}
    else:
        cards = {number(card) for card in pack}
    if players == 6:
        cards -= {number(card) for card in removed}
    return cards


class Reference:
    """One deal of Mîța or 101, or a match of several.

    Args:
        deck_for: the decks of the episode, first dealt first (C-3): a list of decks, or a function from
            the number of the deal, beginning with 0. A deck is a permutation of the cards in play.
        dealer: the dealer of the first deal.

    The state: `hands`, `known` (the publicly known part of each hand), `stock` (top first, the turned
    card last), `table` (seat -> card, in the order played), `leader` (of this trick; after the last trick
    its winner), `trump`, `called` (`tromf` was cried in this trick), `lacks` (seats publicly known to
    hold no trump), `played` (by each seat in this deal), `won` (cards of each side), `tricks` and `points`
    of each side in this deal, `score` of each side in the match before this deal (at the end of a match it
    includes the last deal), `number` (deals before this one), `dealer`, `phase`, `decisions`,
    `exchanged` and `keeper` (the seat that exchanged, the seat that kept, or None; the latter is secret).
    A side is seat mod 2. `over` is true at the end of the episode.

    Raises:
        ValueError: a deck is no permutation of the cards in play; an illegal action.
    """

    def __init__(
        self,
        deck_for: Sequence[Sequence[int]] | Callable[[int], Sequence[int]],
        dealer: int,
        *,
        players: int = 2,
        scoring: str = "tricks",
        exchange: bool = False,
        tromf: bool = True,
        check_stock: bool = False,
        removed: Sequence[int | str] = ("8C", "8S"),
        episode: str = "deal",
        target: int = 101,
        pack: str | Sequence[int | str] | None = None,
    ) -> None:
        self.deck_for = deck_for if callable(deck_for) else deck_for.__getitem__
        self.players = players
        self.scoring = scoring
        self.exchange = exchange
        self.tromf = tromf
        self.check_stock = check_stock
        self.episode = episode
        self.target = target
        self.cards = cards_in_play(players, pack, removed)

        self.decisions = 0
        self.number = 0
        self.dealer = dealer
        self.score = [0, 0]
        self.over = False
        self.begin_deal()

    # ---------------------------------------------------------------- the deal

    def left_of(self, seat: int) -> int:
        """C-1: clockwise is upwards."""
        return (seat + 1) % self.players

    def clockwise_from(self, seat: int) -> list[int]:
        """C-1: all seats, `seat` first."""
        return [(seat + k) % self.players for k in range(self.players)]

    @staticmethod
    def side(seat: int) -> int:
        """Option `players`: the seats alternate; with two players each is a side."""
        return seat % 2

    def begin_deal(self) -> None:
        """MZ-1, MZ-2, MZ-3: deal, look at the stock, ask for the exchange, first trick."""
        self.stock = list(self.deck_for(self.number))
        if sorted(self.stock) != sorted(self.cards):
            raise ValueError(f"deck {self.number} is no permutation of the {len(self.cards)} cards in play: {self.stock}")
        self.hands: list[set[int]] = [set() for _ in range(self.players)]
        self.known: list[set[int]] = [set() for _ in range(self.players)]
        self.played: list[set[int]] = [set() for _ in range(self.players)]
        self.won: list[set[int]] = [set(), set()]
        self.tricks = [0, 0]
        self.points = [0, 0]
        self.lacks: set[int] = set()
        self.exchanged: int | None = None
        self.keeper: int | None = None

        self.deal_hands()
        self.turn_card()
        if self.check_stock:
            self.check_ends()
        self.begin_trick(self.left_of(self.dealer))  # MZ-4
        self.asked = self.holder_of_the_seven() if self.exchange else None
        if self.asked is not None:
            self.phase = EXCHANGING

    def deal_hands(self) -> None:
        """MZ-1, C-4: three cards each, one at a time, clockwise, starting left of the dealer."""
        for _ in range(HAND):
            for seat in self.clockwise_from(self.left_of(self.dealer)):
                self.hands[seat].add(self.stock.pop(0))

    def turn_card(self) -> None:
        """MZ-1: the next card makes trumps and goes under the stock."""
        turned = self.stock.pop(0)
        self.trump = suit(turned)
        self.stock.append(turned)

    def check_ends(self) -> None:
        """MZ-2, C-4: a trump on top of the face-down stock goes into its middle, then one at its bottom."""
        *face_down, turned = self.stock
        if suit(face_down[0]) == self.trump:
            card = face_down.pop(0)
            face_down.insert(len(face_down) // 2, card)
        if suit(face_down[-1]) == self.trump:
            card = face_down.pop()
            face_down.insert(len(face_down) // 2, card)
        self.stock = [*face_down, turned]

    @property
    def turned(self) -> int | None:
        """MZ-1, MZ-3: the card seen under the stock; None once it is drawn."""
        return self.stock[-1] if self.stock else None

    @property
    def seven(self) -> int:
        """MZ-3: the trump seven."""
        return 8 * self.trump + SEVEN

    def holder_of_the_seven(self) -> int | None:
        """MZ-3."""
        for seat in range(self.players):
            if self.seven in self.hands[seat]:
                return seat
        return None

    # ---------------------------------------------------------------- decisions

    @property
    def actor(self) -> int:
        """The seat to decide; -1 after the end."""
        if self.over:
            return -1
        if self.phase == EXCHANGING:
            assert self.asked is not None
            return self.asked
        if self.phase == CRYING:
            return self.leader
        return self.next_to_play()

    def next_to_play(self) -> int:
        """MZ-4: the leader, then the others clockwise."""
        return self.clockwise_from(self.leader)[len(self.table)]

    def legal(self) -> set[int]:
        """C-5: the legal actions of the seat to decide; empty after the end."""
        if self.over:
            return set()
        if self.phase == EXCHANGING:
            return {EXCHANGE_SEVEN, KEEP}  # MZ-3
        if self.phase == CRYING:
            return {TROMF, QUIET}  # MZ-6
        return self.legal_cards(self.next_to_play())

    def legal_cards(self, seat: int) -> set[int]:
        """MZ-4: any card. MZ-6: after `tromf` a trump, if the seat has one."""
        hand = self.hands[seat]
        trumps = {card for card in hand if suit(card) == self.trump}
        return trumps if self.called and trumps else set(hand)

    def apply(self, action: int) -> None:
        """Carry out one decision with all that follows from it."""
        if action not in self.legal():
            raise ValueError(f"illegal action {action!r} in phase {self.phase!r}, over: {self.over}")
        self.decisions += 1
        if self.phase == EXCHANGING:
            self.exchange_or_keep(action)
        elif self.phase == CRYING:
            self.called = action == TROMF
            self.phase = PLAYING
        else:
            self.play(action)

    def exchange_or_keep(self, action: int) -> None:
        """MZ-3, C-7: the turned card comes into the hand for all to see, the seven lies in its place."""
        assert self.asked is not None
        seat = self.asked
        if action == EXCHANGE_SEVEN:
            self.hands[seat].remove(self.seven)
            self.hands[seat].add(self.stock[-1])
            self.known[seat].add(self.stock[-1])
            self.stock[-1] = self.seven
            self.exchanged = seat
        else:
            self.keeper = seat
        self.asked = None
        self.phase = PLAYING

    # ---------------------------------------------------------------- tricks

    def begin_trick(self, leader: int) -> None:
        """MZ-4: an empty table."""
        self.leader = leader
        self.table: dict[int, int] = {}
        self.called = False
        self.phase = PLAYING

    def play(self, card: int) -> None:
        """MZ-4, MZ-6: a card from the hand to the table, and what follows."""
        seat = self.next_to_play()
        self.hands[seat].remove(card)
        self.known[seat].discard(card)
        self.played[seat].add(card)
        self.table[seat] = card
        if self.called and suit(card) != self.trump:
            self.lacks.add(seat)
        if len(self.table) == self.players:
            self.end_trick()
        elif self.tromf and seat == self.leader and not self.stock and suit(card) == self.trump:
            self.phase = CRYING

    def trick_winner(self) -> int:
        """MZ-4: who laid the highest trump, else the highest card of the suit led."""
        suits = {suit(card) for card in self.table.values()}
        strongest = self.trump if self.trump in suits else suit(self.table[self.leader])
        able = [seat for seat, card in self.table.items() if suit(card) == strongest]
        return max(able, key=lambda seat: rank(self.table[seat]))

    def end_trick(self) -> None:
        """MZ-4, MZ-5, MZ-7, MZ-8: the winner's side takes it, all draw, the winner leads."""
        winner = self.trick_winner()
        side = self.side(winner)
        self.won[side].update(self.table.values())
        self.tricks[side] += 1
        self.points[side] += points_of(self.table.values())
        self.begin_trick(winner)
        for seat in self.clockwise_from(winner):
            self.draw(seat)
        if not any(self.hands):
            self.end_deal()

    def draw(self, seat: int) -> None:
        """MZ-5; C-7: the card seen under the stock is publicly known in the hand of whoever draws it."""
        if not self.stock:
            return
        card = self.stock.pop(0)
        self.hands[seat].add(card)
        if not self.stock:
            self.known[seat].add(card)

    # ---------------------------------------------------------------- the end

    def end_deal(self) -> None:
        """MZ-7, MZ-9: a single deal is the episode; in a match the next dealer deals until a side has won."""
        if self.episode == "deal":
            self.over = True
            return
        self.score = [self.score[side] + self.points[side] for side in (0, 1)]
        if max(self.score) >= self.target and self.score[0] != self.score[1]:
            self.over = True
            return
        self.number += 1
        self.dealer = self.left_of(self.dealer)
        self.begin_deal()

    @property
    def winner(self) -> int | None:
        """MZ-9, MZ-P: the side that is ahead at the end of the episode; None before it, and for equal sides."""
        if not self.over:
            return None
        mine, theirs = self.score if self.episode == "match" else self.counted()
        return None if mine == theirs else 0 if mine > theirs else 1

    def counted(self) -> list[int]:
        """Option `scoring`: tricks or points of the sides in this deal."""
        return self.tricks if self.scoring == "tricks" else self.points

    def returns(self) -> list[float]:
        """MZ-P. Zeros before the end (C-6)."""
        if not self.over:
            return [0.0] * self.players
        if self.episode == "match":
            return [1.0 if self.side(seat) == self.winner else -1.0 for seat in range(self.players)]
        count = self.counted()
        if sum(count) == 0:
            return [0.0] * self.players
        return [(count[self.side(seat)] - count[1 - self.side(seat)]) / sum(count) for seat in range(self.players)]

    # ---------------------------------------------------------------- what a seat knows

    def knows(self, seat: int) -> dict[str, Any]:
        """C-7: all that a seat knows of the present state, in plain values of its own (copies).

        `hand`: its own cards. `known`: for every seat, the publicly known part of its hand. `sizes`: of all
        hands. `stock`: number of cards in it, the one under it included. `turned`: the card seen under it, or
        None. `played`: cards played by each seat in this deal, those on the table included. `won`: cards of
        each side. `table`: seat -> card. `actor`: the seat to decide as far as this seat may know, -1 after the
        end. `phase`: as this seat may know it. `kept`: it was asked for the exchange, kept, and still holds the
        seven. `lacks`: seats known to hold no trump. The rest as in the state.
        """
        return {
            "hand": set(self.hands[seat]),
            "known": [set(cards) for cards in self.known],
            "sizes": [len(hand) for hand in self.hands],
            "stock": len(self.stock),
            "turned": self.turned,
            "played": [set(cards) for cards in self.played],
            "won": [set(cards) for cards in self.won],
            "table": dict(self.table),
            "leader": self.leader,
            "dealer": self.dealer,
            "trump": self.trump,
            "called": self.called,
            "lacks": set(self.lacks),
            "tricks": list(self.tricks),
            "points": list(self.points),
            "score": list(self.score),
            "number": self.number,
            "phase": self.phase_for(seat),
            "actor": self.actor_for(seat),
            "kept": self.keeper == seat and self.seven in self.hands[seat],
            "over": self.over,
        }

    def phase_for(self, seat: int) -> str:
        """MZ-3: only the seat that is asked knows of the question."""
        return PLAYING if self.phase == EXCHANGING and seat != self.asked else self.phase

    def actor_for(self, seat: int) -> int:
        """MZ-3: to the others it is the leader's turn, as if nobody had been asked."""
        return self.leader if self.phase == EXCHANGING and seat != self.asked else self.actor

    def legal_for(self, seat: int) -> set[int]:
        """C-5, MZ-3: the mask of a seat, empty unless it is the seat to decide."""
        return self.legal() if seat == self.actor else set()
