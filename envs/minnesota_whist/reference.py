"""Minnesota Whist, penalty, Askov and South Dakota Whist in plain Python: the reference that the compiled rules are checked against.

Written from the rules page alone (rules/minnesota-whist.md, with C-1 ... C-9 of rules/README.md), by
somebody who had not seen the compiled rules. It is slow and obvious on purpose: one small method a
step of the page, each with the ids of the rules that it carries out. Options arrive validated.

Cards are ints, 13 * suit + rank (suits C D H S = 0..3, ranks 2..A = 0..12). Actions, as on the page:
0-51 bid, give or play that card, 52 `pass`, 53 `sola`, 54 `dix`, 55-58 `trump C|D|H|S`.

Readings (where the page can be read in more than one way)
- MW-1   The card set aside counts as in the hand all the time; hands have the same size during the bidding as after it.
- MW-2, C-7  A shown card is known, and who showed it is known, until it is played. Its own bid card, shown or not, a
         seat knows until somebody plays it, also when it gave the card away in sola nulla.
- MW-3   Solos are bid after every showing, high or low. 'Once in a deal': after `sola` only `dix` goes over it.
- MW-4   Any card can be given, a shown one too. Both cards change hands after the second choice. Only then are shown
         cards of the two known no better than 'with one of them'; until then all know who holds them.
- MW-4, C-7  Such a card stays 'with one of the two' until it is played. That one of them did not follow its suit, or
         holds the gift itself, and so knows better, follows from other facts in the knowledge and changes nothing here.
- MW-5   The partner sits out from the end of the first trick, also when that trick decides the solo. A first trick
         that the partner wins counts as its side's, but the solo has failed by it.
- MW-6   High and low hands are always played to the last card.
- MW-8   Who leads and how high hands score in South Dakota follow `variant`, with trumps or without. Where `solos` are
         played in it, the leads of solos are those of MW-4 and MW-5.
- MW-10  'Six' and 'seven' are T // 2 and T // 2 + 1: with an even T a side that lacks one of 'seven' took just 'six'.
- MW-13  The target and `max_deals` bind games only. The score of a single deal is its change of score.
- MW-P   In a game without `solos` nothing is paid: returns are +1 and -1.
"""

from collections.abc import Callable, Sequence
from typing import Any

RANKS, SUITS = "23456789TJQKA", "CDHS"
CLUBS, DIAMONDS, HEARTS, SPADES = 0, 1, 2, 3
PLAYERS = 4
PASS, BID_SOLA, BID_DIX = 52, 53, 54
TRUMP = 55  # + suit

# What is being decided (`phase`).
BIDDING, SOLOS, GIVING, NAMING, PLAYING = "bid", "solo", "give", "trump", "play"

# The kinds of solo.
SOLA, DIX = "sola", "dix"

# What the variants set (table of options); everything else is the default of `minnesota`.
VARIANTS: dict[str, dict[str, Any]] = {
    "minnesota": {"grand_points": 1, "defence_points": 1, "target": 13, "solos": False, "trumps": False},
    "penalty": {"grand_points": 1, "defence_points": 2, "target": 13, "solos": False, "trumps": False},
    "askov": {"grand_points": 2, "defence_points": 1, "target": 15, "solos": True, "trumps": False},
    "south-dakota": {"grand_points": 1, "defence_points": 1, "target": 11, "solos": False, "trumps": True},
}


def number(card: int | str) -> int:
    """C-2: the number of a card, given so or as text (`QS`)."""
    return 13 * SUITS.index(card[1]) + RANKS.index(card[0]) if isinstance(card, str) else int(card)


def text(card: int) -> str:
    """C-2: rank, then suit."""
    return RANKS[rank(card)] + SUITS[suit(card)]


def suit(card: int) -> int:
    """C-2."""
    return card // 13


def rank(card: int) -> int:
    """C-2: ace high."""
    return card % 13


def black(card: int) -> bool:
    """MW-1: clubs and spades ask for high, the others for low."""
    return suit(card) in (CLUBS, SPADES)


def cards_in_play(pack: str | Sequence[int | str] | None) -> set[int]:
    """C-9: the cards that are dealt."""
    if pack is None:
        return set(range(52))
    if isinstance(pack, str):
        return {card for card in range(52) if rank(card) >= RANKS.index(pack)}
    return {number(card) for card in pack}


def left_of(seat: int) -> int:
    """C-1: clockwise is upwards."""
    return (seat + 1) % PLAYERS


def right_of(seat: int) -> int:
    """C-1."""
    return (seat - 1) % PLAYERS


def partner_of(seat: int) -> int:
    """Partners sit opposite."""
    return (seat + 2) % PLAYERS


def side_of(seat: int) -> int:
    """A side (team) is seat mod 2."""
    return seat % 2


def clockwise_from(seat: int) -> list[int]:
    """C-1: all seats, `seat` first."""
    return [(seat + k) % PLAYERS for k in range(PLAYERS)]


class Reference:
    """One deal, or a game of several.

    Args:
        deck_for: the decks of the episode, first dealt first (C-3): a list of decks, or a function from
            the number of the deal, beginning with 0. A deck is a permutation of the cards in play.
        dealer: the dealer of the first deal.
        variant: sets what is not given (None) among the options that follow it; in `south-dakota` who leads
            and how high hands score depend on it alone (MW-8, MW-10).

    The state: `hands` (the card set aside and the card chosen to give are in them), `bids` and `gifts` (seat -> card,
    secret), `shown` (seat -> bid card turned for all to see, until it is played), `known` (the publicly known part
    of each hand), `either` (cards publicly known to be in one of the hands of the soloist and its partner, after
    the exchange), `high` (None before the showing), `granded` (seat or None), `solo` (highest solo bid so far:
    None, SOLA or DIX), `soloist` (its bidder, B, or None), `passes` (in a row, while solos are bid), `sits_out` (seat or
    None), `trump` (suit or None), `leader` (of this trick, None before the play; after the last trick its winner),
    `table` (seat -> card, in the order played), `played` (by each seat in this deal), `lacks` (suits that each seat
    is publicly known not to hold), `tricks` of each side in this deal, `score` and `stars` of each side, `number`
    (deals before this one), `dealer`, `phase`, `decisions`. `over` is true at the end of the episode, `truncated`
    if it was cut off. After the end everything stays as the last deal left it.

    Raises:
        ValueError: a deck is no permutation of the cards in play; an illegal action.
    """

    def __init__(
        self,
        deck_for: Sequence[Sequence[int]] | Callable[[int], Sequence[int]],
        dealer: int,
        *,
        variant: str = "minnesota",
        grand_points: int | None = None,
        defence_points: int | None = None,
        target: int | None = None,
        solos: bool | None = None,
        trumps: bool | None = None,
        failed_solo_star: bool = False,
        star_value: float = 7.5,
        episode: str = "deal",
        max_deals: int = 100,
        pack: str | Sequence[int | str] | None = None,
    ) -> None:
        self.deck_for = deck_for if callable(deck_for) else deck_for.__getitem__
        self.variant = variant
        own = VARIANTS[variant]
        self.grand_points: int = own["grand_points"] if grand_points is None else grand_points
        self.defence_points: int = own["defence_points"] if defence_points is None else defence_points
        self.target: int = own["target"] if target is None else target
        self.solos: bool = own["solos"] if solos is None else solos
        self.trumps: bool = own["trumps"] if trumps is None else trumps
        self.failed_solo_star = failed_solo_star
        self.star_value = star_value
        self.episode = episode
        self.max_deals = max_deals
        self.cards = cards_in_play(pack)

        # MW-R
        self.tricks_in_deal = len(self.cards) // PLAYERS
        self.six = self.tricks_in_deal // 2
        self.seven = self.six + 1

        self.decisions = 0
        self.number = 0
        self.dealer = dealer
        self.score = [0, 0]
        self.stars = [0, 0]
        self.over = False
        self.truncated = False
        self.begin_deal()

    # ---------------------------------------------------------------- the deal

    def begin_deal(self) -> None:
        """C-4, MW-1: deal all cards; the seat left of the dealer bids first."""
        deck = list(self.deck_for(self.number))
        if sorted(deck) != sorted(self.cards):
            raise ValueError(f"deck {self.number} is no permutation of the {len(self.cards)} cards in play: {deck}")
        self.hands: list[set[int]] = [set() for _ in range(PLAYERS)]
        self.known: list[set[int]] = [set() for _ in range(PLAYERS)]
        self.played: list[set[int]] = [set() for _ in range(PLAYERS)]
        self.lacks: list[set[int]] = [set() for _ in range(PLAYERS)]
        self.either: set[int] = set()
        self.bids: dict[int, int] = {}
        self.shown: dict[int, int] = {}
        self.gifts: dict[int, int] = {}
        self.high: bool | None = None
        self.granded: int | None = None
        self.solo: str | None = None
        self.soloist: int | None = None
        self.passes = 0
        self.sits_out: int | None = None
        self.trump: int | None = None
        self.leader: int | None = None
        self.table: dict[int, int] = {}
        self.tricks = [0, 0]

        self.deal_hands(deck)
        self.phase = BIDDING
        self.turn = left_of(self.dealer)

    def deal_hands(self, deck: list[int]) -> None:
        """C-4: one card at a time, clockwise, starting left of the dealer, until none is left."""
        seat = self.dealer
        for card in deck:
            seat = left_of(seat)
            self.hands[seat].add(card)

    # ---------------------------------------------------------------- decisions

    @property
    def actor(self) -> int:
        """The seat to decide; -1 after the end."""
        return -1 if self.over else self.turn

    def legal(self) -> set[int]:
        """C-5: the legal actions of the seat to decide; empty after the end."""
        if self.over:
            return set()
        hand = self.hands[self.turn]
        if self.phase in (BIDDING, GIVING):
            return set(hand)  # MW-1, MW-4
        if self.phase == SOLOS:
            return self.legal_solo_bids()
        if self.phase == NAMING:
            return {TRUMP + s for s in (CLUBS, DIAMONDS, HEARTS, SPADES)}  # MW-7
        return self.legal_plays(hand)

    def legal_solo_bids(self) -> set[int]:
        """MW-3: sola once in a deal, dix over everything."""
        return {PASS, BID_DIX} if self.solo == SOLA else {PASS, BID_SOLA, BID_DIX}

    def legal_plays(self, hand: set[int]) -> set[int]:
        """MW-8: any card to lead; follow suit if able, otherwise any card."""
        following = {card for card in hand if self.table and suit(card) == self.suit_led()}
        return following or set(hand)

    def apply(self, action: int) -> None:
        """Carry out one decision with all that follows from it."""
        if action not in self.legal():
            raise ValueError(f"illegal action {action!r} in phase {self.phase!r}, over: {self.over}")
        self.decisions += 1
        if self.phase == BIDDING:
            self.bid(action)
        elif self.phase == SOLOS:
            self.bid_solo(action)
        elif self.phase == GIVING:
            self.give(action)
        elif self.phase == NAMING:
            self.name_trump(action)
        else:
            self.play(action)

    # ---------------------------------------------------------------- step 1 and 2: bids

    def bid(self, card: int) -> None:
        """MW-1: set a card aside, clockwise from left of the dealer."""
        self.bids[self.turn] = card
        self.turn = left_of(self.turn)
        if len(self.bids) == PLAYERS:
            self.show_bids()

    def show_bids(self) -> None:
        """MW-2: turn the cards until the first black one; the hand is high if there is one."""
        for seat in clockwise_from(left_of(self.dealer)):
            card = self.bids[seat]
            self.shown[seat] = card
            self.known[seat].add(card)
            if black(card):
                self.granded = seat
                break
        self.high = self.granded is not None
        if self.solos:
            self.begin_solo_bidding()
        else:
            self.begin_ordinary_hand()

    # ---------------------------------------------------------------- step 3: solos

    def begin_solo_bidding(self) -> None:
        """MW-3: beginning left of the dealer."""
        self.phase = SOLOS
        self.turn = left_of(self.dealer)

    def bid_solo(self, action: int) -> None:
        """MW-3: a pass or a bid; the end of the bidding."""
        if action == PASS:
            self.passes += 1
        else:
            self.solo = SOLA if action == BID_SOLA else DIX
            self.soloist = self.turn
            self.passes = 0
        self.turn = left_of(self.turn)
        if self.solo is None and self.passes == 4:
            self.passes = 0
            self.begin_ordinary_hand()
        elif self.solo == SOLA and self.passes == 3:
            self.passes = 0
            self.begin_exchange()
        elif self.solo == DIX:
            self.begin_play()

    def begin_exchange(self) -> None:
        """MW-4: B is asked first."""
        assert self.soloist is not None
        self.phase = GIVING
        self.turn = self.soloist

    def give(self, card: int) -> None:
        """MW-4: choose a card for the partner; with the second one both change hands."""
        self.gifts[self.turn] = card
        self.turn = partner_of(self.turn)
        if len(self.gifts) == 2:
            self.exchange()

    def exchange(self) -> None:
        """MW-4: the cards change hands unseen; shown cards of the two may be with either now; the partner sits out."""
        assert self.soloist is not None
        for giver, card in self.gifts.items():
            self.hands[giver].remove(card)
            self.hands[partner_of(giver)].add(card)
        for seat in self.gifts:
            self.either |= self.known[seat]
            self.known[seat] = set()
        self.sits_out = partner_of(self.soloist)
        self.begin_play()

    # ---------------------------------------------------------------- step 4: trumps

    def begin_ordinary_hand(self) -> None:
        """MW-7: in a high hand G names trumps first, if the game has trumps."""
        if self.trumps and self.granded is not None:
            self.phase = NAMING
            self.turn = self.granded
        else:
            self.begin_play()

    def name_trump(self, action: int) -> None:
        """MW-7."""
        self.trump = action - TRUMP
        self.begin_play()

    # ---------------------------------------------------------------- step 5: play

    def first_leader(self) -> int:
        """MW-4, MW-5, MW-8."""
        if self.soloist is not None:
            return right_of(self.soloist) if self.solo == SOLA else partner_of(self.soloist)
        if self.granded is not None:
            return self.granded if self.variant == "south-dakota" else right_of(self.granded)
        return left_of(self.dealer)

    def begin_play(self) -> None:
        """MW-8: the first trick."""
        self.phase = PLAYING
        self.begin_trick(self.first_leader())

    def begin_trick(self, leader: int) -> None:
        """MW-8: an empty table."""
        self.leader = leader
        self.turn = leader
        self.table = {}

    def seats_in_trick(self) -> list[int]:
        """MW-4, MW-5: the leader, then clockwise those who do not sit out."""
        assert self.leader is not None
        return [seat for seat in clockwise_from(self.leader) if seat != self.sits_out]

    def suit_led(self) -> int:
        """MW-8: of a trick that has been led to."""
        assert self.leader is not None
        return suit(self.table[self.leader])

    def play(self, card: int) -> None:
        """MW-8, C-7: a card from the hand to the table; who does not follow has none of the suit."""
        seat = self.turn
        self.hands[seat].remove(card)
        self.played[seat].add(card)
        self.forget(card)
        self.table[seat] = card
        if suit(card) != self.suit_led():
            self.lacks[seat].add(self.suit_led())
        seats = self.seats_in_trick()
        if len(self.table) == len(seats):
            self.end_trick()
        else:
            self.turn = seats[len(self.table)]

    def forget(self, card: int) -> None:
        """C-7: with a card that is played all other knowledge of the card ends."""
        for known in self.known:
            known.discard(card)
        self.either.discard(card)
        self.shown = {seat: other for seat, other in self.shown.items() if other != card}

    def trick_winner(self) -> int:
        """MW-8: who laid the highest trump, else the highest card of the suit led."""
        suits = {suit(card) for card in self.table.values()}
        strongest = self.trump if self.trump in suits else self.suit_led()
        able = [seat for seat, card in self.table.items() if suit(card) == strongest]
        return max(able, key=lambda seat: rank(self.table[seat]))

    def end_trick(self) -> None:
        """MW-8, MW-5, MW-6: the winner's side takes it, the winner leads; in dix the partner sits out from now on."""
        winner = self.trick_winner()
        self.tricks[side_of(winner)] += 1
        if self.soloist is not None and self.solo == DIX:
            self.sits_out = partner_of(self.soloist)
        self.begin_trick(winner)
        if self.soloist is None:
            if sum(self.tricks) == self.tricks_in_deal:
                self.end_hand()
        else:
            made = self.solo_made(winner)
            if made is not None:
                self.end_solo(made)

    def solo_made(self, winner: int) -> bool | None:
        """MW-6, after a trick that `winner` won: None while the solo is not decided."""
        if self.solo == SOLA:
            if winner == self.soloist:
                return False
            return True if sum(self.tricks) == self.tricks_in_deal else None
        if winner != self.soloist:
            return False
        return True if sum(self.tricks) == self.seven else None

    # ---------------------------------------------------------------- scores

    def end_hand(self) -> None:
        """MW-9, MW-10, MW-11: the scores of a high or a low hand."""
        if self.granded is None:
            self.score_low()
        elif self.variant == "south-dakota":
            self.score_high_in_south_dakota(side_of(self.granded))
        else:
            self.score_high(side_of(self.granded))
        self.end_deal()

    def score_high(self, granders: int) -> None:
        """MW-9."""
        for side in (0, 1):
            if self.tricks[side] >= self.seven:
                points = self.grand_points if side == granders else self.defence_points
                self.score[side] += points * (self.tricks[side] - self.six)

    def score_high_in_south_dakota(self, granders: int) -> None:
        """MW-10."""
        tricks = self.tricks[granders]
        if tricks >= self.seven:
            self.score[granders] += tricks - self.six
        else:
            self.score[granders] -= self.seven - tricks

    def score_low(self) -> None:
        """MW-11."""
        for side in (0, 1):
            if self.tricks[side] >= self.seven:
                self.score[side] -= self.tricks[side] - self.six

    def end_solo(self, made: bool) -> None:
        """MW-12 and option `failed_solo_star`."""
        assert self.soloist is not None
        side = side_of(self.soloist)
        if made:
            self.stars[side] += 1
        elif self.failed_solo_star:
            self.stars[1 - side] += 1
        self.end_deal()

    # ---------------------------------------------------------------- the end

    def end_deal(self) -> None:
        """MW-13, C-6: a single deal is the episode; a game ends with a winner, else with the last deal that is allowed."""
        if self.episode == "deal" or self.side_at_target() is not None:
            self.over = True
        elif self.number + 1 == self.max_deals:
            self.over = True
            self.truncated = True
        else:
            self.number += 1
            self.dealer = left_of(self.dealer)
            self.begin_deal()

    def side_at_target(self) -> int | None:
        """MW-13: the side that has the target; only one side's score can rise in a deal."""
        for side in (0, 1):
            if self.score[side] >= self.target:
                return side
        return None

    @property
    def winner(self) -> int | None:
        """MW-13, MW-P: the side that is paid at the end of the episode; None before it, for equal sides, and when truncated."""
        value = self.returns()[0]
        return None if value == 0 else 0 if value > 0 else 1

    def returns(self) -> list[float]:
        """MW-P. Zeros before the end and after a truncation (C-6, MW-13)."""
        if not self.over or self.truncated:
            return [0.0] * PLAYERS
        value = self.value_of_deal() if self.episode == "deal" else self.value_of_game()
        return [value if side_of(seat) == 0 else -value for seat in range(PLAYERS)]

    def value_of_deal(self) -> float:
        """MW-P: what the deal is worth to side 0."""
        worth = [self.score[side] + self.star_value * self.stars[side] for side in (0, 1)]
        return float(worth[0] - worth[1])

    def value_of_game(self) -> float:
        """MW-P: what the game is worth to side 0."""
        winner = self.side_at_target()
        assert winner is not None
        value = 1.0 + self.stars[winner] if self.solos else 1.0
        return value if winner == 0 else -value

    def cents(self) -> list[float]:
        """MW-13: what each seat is paid at the end of a game with `solos`, in cents; zeros where nothing is paid."""
        paid = self.episode == "game" and self.solos
        return [15 * value if paid else 0.0 for value in self.returns()]

    # ---------------------------------------------------------------- what a seat knows

    def knows(self, seat: int) -> dict[str, Any]:
        """C-7: all that a seat knows of the present state, in plain values of its own (copies).

        Private: `hand`: its own cards; `bid`: the card that it bid, `gave` and `received`: the cards of the exchange
        in sola nulla (MW-4), each None before it happens and again when the card is played.

        Public: `shown`: seat -> shown bid card, until it is played. `known`: for every seat, the publicly known part
        of its hand. `either`: cards publicly known to be with the soloist or its partner. `sizes`: of all hands.
        `played`: cards played by each seat in this deal, those on the table included. `table`: seat -> card. `kind`:
        what is played, "high", "low", SOLA or DIX, None until it is certain. `actor`: the seat to decide, -1 after
        the end. `deals_left`: deals that can follow this one. The rest as in the state. Of unshown bids of other seats, and of cards
        that others gave, there is nothing in it (MW-1, MW-4).
        """
        return {
            "hand": set(self.hands[seat]),
            "bid": self.unless_played(self.bids.get(seat)),
            "gave": self.unless_played(self.gifts.get(seat)),
            "received": self.unless_played(self.received_by(seat)),
            "shown": dict(self.shown),
            "known": [set(cards) for cards in self.known],
            "either": set(self.either),
            "sizes": [len(hand) for hand in self.hands],
            "played": [set(cards) for cards in self.played],
            "table": dict(self.table),
            "leader": self.leader,
            "dealer": self.dealer,
            "phase": self.phase,
            "actor": self.actor,
            "high": self.high,
            "granded": self.granded,
            "solo": self.solo,
            "soloist": self.soloist,
            "passes": self.passes,
            "sits_out": self.sits_out,
            "kind": self.kind(),
            "trump": self.trump,
            "lacks": [set(suits) for suits in self.lacks],
            "tricks": list(self.tricks),
            "score": list(self.score),
            "stars": list(self.stars),
            "deals_left": self.max_deals - 1 - self.number if self.episode == "game" else 0,
            "over": self.over,
            "truncated": self.truncated,
        }

    def unless_played(self, card: int | None) -> int | None:
        """C-7: private knowledge of a card lasts until it is played, by whomever."""
        return None if any(card in cards for cards in self.played) else card

    def received_by(self, seat: int) -> int | None:
        """MW-4: nothing is received until both have chosen."""
        return self.gifts[partner_of(seat)] if len(self.gifts) == 2 and seat in self.gifts else None

    def kind(self) -> str | None:
        """MW-2, MW-3: what is played; while solos are bid it is not certain."""
        if self.phase in (BIDDING, SOLOS):
            return None
        return self.solo or ("high" if self.high else "low")

    def legal_for(self, seat: int) -> set[int]:
        """C-5: the mask of a seat, empty unless it is the seat to decide."""
        return self.legal() if seat == self.actor else set()
