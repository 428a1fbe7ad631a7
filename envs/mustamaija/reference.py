"""Mustamaija in plain Python: the reference that the compiled rules are checked against.

Written from the rules page alone (rules/mustamaija.md, with C-1 ... C-9 of rules/README.md), by
somebody who had not seen the compiled rules. It is slow and obvious on purpose: one small method a
step of the page, each with the ids of the rules that it carries out. Options arrive validated.

Cards are ints, 13 * suit + rank (suits C D H S = 0..3, ranks 2..A = 0..12). Actions, as on the page:
0-51 lay / beat with / return that card, 52 done or take, 53-55 declare C|D|H, 56-59 keep C|D|H|S.

Readings (where the page can be read in more than one way)
- MM-A1  The limit in force when the attack begins is fixed then: an attack begun while the stock
         lasts keeps `attack_limit` (or none) when the stock runs out under it. `attack_limit` does
         not bind an attack begun with an empty stock; D's count alone does.
- MM-A1, MM-H2  Both suits of a wrong attack count together towards `attack_limit` while laying;
         after `keep` only the cards that stayed count (so follow-ups may fill up again).
- MM-T2  With `keep`: step 2 comes when the attack stands, that is after `keep`.
- MM-T3  The turned spade on top stays on top; the card turned instead leaves its place and goes
         under the stock. Spades passed over become no public knowledge, unless they were already.
- MM-D1  Which attack card is answered is not chosen: always the lowest unanswered one, follow-up
         cards sorted in with the rest.
- MM-D4  King and ace of spades do not beat Mustamaija either; trumps do not.
- MM-E   When the deal ends after A's draw, the attack stays on the table: nobody picks it up.
- MM-H1  'Ascending among those added' is meant for one round of adding (from a race won to
         `done`); after another draw and race A may add lower cards again.
- MM-H1  The race is run even if A holds no card that could be added, or the limit is reached.
- MM-H2  After the first card of the second suit no more cards of the first suit may be laid.
- MM-H2  `keep` and `return` take effect at once: each card is back in A's hand, publicly known,
         after the very decision (this shows in MM-X).
- MM-V2  Only cards in the hand can be shown: not those on the table, laid or answered with `take`.
- MM-X   A decision is carried out with all that follows from it (draws, race, resolution, next
         combat) before the limit is looked at. `declare` is a decision and counts.
- MM-X, MM-P  With Mustamaija in the stock there is no loser: `loser` is None, all returns are 0.
- MM-P   `placed` holds the seats that went out; the loser did not go out and is not in it.
"""

from collections.abc import Callable, Sequence

CLUBS, DIAMONDS, HEARTS, SPADES = 0, 1, 2, 3
QUEEN, KING = 10, 11
MUSTAMAIJA = 13 * SPADES + QUEEN
DONE = TAKE = 52
DECLARE = 53  # + suit (clubs, diamonds, hearts)
KEEP = 56  # + suit

# What is being decided (`phase`).
LAYING, KEEPING, RETURNING, ADDING, DEFENDING = "lay", "keep", "return", "add", "defend"


def suit(card: int) -> int:
    return card // 13


def rank(card: int) -> int:
    return card % 13


class Reference:
    """One deal of Mustamaija.

    Public facts: `hands`, `known` (the publicly known part of each hand), `stock` (top first), `seen`
    (card -> index in the stock, for cards publicly known to lie there), `attack` (attack cards on
    the table, in the order laid; cards already answered are among them until the resolution),
    `taken` and `beaten` (the answered part of `attack`), `beating` (the cards used for it, parallel to
    `beaten`), `discard`, `trump`, `attacker`, `defender`, `dealer`, `phase`, `decisions`.
    `over` is true at any end, `truncated` only if the limit cut the deal off.
    """

    def __init__(
        self,
        deck: Sequence[int],
        dealer: int,
        race: Callable[[], float],
        *,
        players: int = 4,
        hand_size: int = 5,
        trump: str = "turned",
        declare_with: str = "marriage",
        attack_limit: int | None = None,
        follow_up: bool = False,
        slap_probability: float = 0.5,
        misplay_penalty: bool = False,
        scoring: str = "loser",
        max_decisions: int = 2000,
    ) -> None:
        self.dealer = dealer
        self.race = race
        self.players = players
        self.hand_size = hand_size
        self.trump_rule = trump
        self.declare_with = declare_with
        self.attack_limit = attack_limit
        self.follow_up = follow_up
        self.slap_probability = slap_probability
        self.misplay_penalty = misplay_penalty
        self.scoring = scoring
        self.max_decisions = max_decisions

        self.hands: list[set[int]] = [set() for _ in range(players)]
        self.known: list[set[int]] = [set() for _ in range(players)]
        self.stock: list[int] = list(deck)
        self.seen_in_stock: set[int] = set()
        self.discard: list[int] = []
        self.trump: int | None = DIAMONDS if trump == "diamonds" else None  # MM-V1, MM-V2
        self.placed: list[int] = []
        self.loser: int | None = None
        self.over = False
        self.truncated = False
        self.decisions = 0
        self.first_attack = True

        self.deal()
        self.begin_combat(self.left_of(dealer))  # MM-1

    # ---------------------------------------------------------------- the table

    def left_of(self, seat: int) -> int:
        """C-1: clockwise is upwards."""
        return (seat + 1) % self.players

    def first_with_cards(self, seat: int) -> int:
        """MM-N3: `seat`, or clockwise from it the first seat that holds cards."""
        while not self.hands[seat]:
            seat = self.left_of(seat)
        return seat

    def deal(self) -> None:
        """C-4: one card at a time, clockwise, starting left of the dealer."""
        for _ in range(self.hand_size):
            seat = self.dealer
            for _ in range(self.players):
                seat = self.left_of(seat)
                self.hands[seat].add(self.stock.pop(0))

    @property
    def seen(self) -> dict[int, int]:
        """C-7: the cards publicly known to lie in the stock, with their index from the top."""
        return {card: place for place, card in enumerate(self.stock) if card in self.seen_in_stock}

    @property
    def unanswered(self) -> list[int]:
        """MM-D1: the attack cards that D must still deal with, in ascending rank."""
        return sorted(card for card in self.attack if card not in self.taken and card not in self.beaten)

    @property
    def actor(self) -> int:
        """The seat to decide; -1 after the end."""
        if self.over:
            return -1
        return self.attacker if self.phase in (LAYING, ADDING) else self.defender

    def play_from_hand(self, seat: int, card: int) -> None:
        self.hands[seat].remove(card)
        self.known[seat].discard(card)

    def pick_up(self, seat: int, card: int) -> None:
        """C-7: a card that goes from the table into a hand is publicly known to be there."""
        self.hands[seat].add(card)
        self.known[seat].add(card)

    # ---------------------------------------------------------------- legal actions

    def legal(self) -> set[int]:
        if self.over:
            return set()
        actions = {
            LAYING: self.legal_lays,
            KEEPING: self.legal_keeps,
            RETURNING: self.legal_returns,
            ADDING: self.legal_additions,
            DEFENDING: self.legal_answers,
        }[self.phase]()
        return actions | self.legal_declarations()  # MM-V2: at every decision of whatever kind

    def legal_lays(self) -> set[int]:
        """MM-A, MM-A1, MM-A2, MM-H2: one suit, ascending; with the misplay rule one second suit."""
        hand = self.hands[self.attacker]
        if not self.attack:
            return set(hand)
        actions = {DONE}  # MM-A2: legal after at least one card, asked for even alone
        if self.laying_limit is not None and len(self.attack) >= self.laying_limit:
            return actions
        last = self.attack[-1]
        second_suit_allowed = self.misplay_penalty and len(self.suits_on_table()) == 1
        for card in hand:
            if suit(card) == suit(last):
                if rank(card) > rank(last):
                    actions.add(card)
            elif second_suit_allowed:
                actions.add(card)
        return actions

    def legal_keeps(self) -> set[int]:
        """MM-H2: D says which of the two suits stays."""
        return {KEEP + s for s in self.suits_on_table()}

    def legal_returns(self) -> set[int]:
        """MM-H2: ascending, and enough higher cards must be left for the returns still due."""
        assert self.limit is not None  # only a limit makes returns due
        due_after_this = len(self.attack) - self.limit - 1
        actions = set()
        for card in self.attack:
            higher = [other for other in self.attack if rank(other) > rank(card)]
            ascending = self.last_returned is None or rank(card) > rank(self.last_returned)
            if ascending and len(higher) >= due_after_this:
                actions.add(card)
        return actions

    def legal_additions(self) -> set[int]:
        """MM-H1: cards of the attack's suit, ascending among those added; `done` always."""
        actions = {DONE}
        if self.limit is not None and len(self.attack) >= self.limit:
            return actions  # the limit counts the whole attack
        for card in self.hands[self.attacker]:
            if suit(card) == suit(self.attack[0]) and (not self.added or rank(card) > rank(self.added[-1])):
                actions.add(card)
        return actions

    def legal_answers(self) -> set[int]:
        """MM-D1, MM-D5: beat the lowest unanswered card, or take it, which is always allowed."""
        target = self.unanswered[0]
        return {TAKE} | {card for card in self.hands[self.defender] if self.beats(card, target)}

    def beats(self, card: int, target: int) -> bool:
        """MM-D2, MM-D4."""
        if card == MUSTAMAIJA or target == MUSTAMAIJA:
            return False
        if suit(card) == suit(target):
            return rank(card) > rank(target)
        return suit(card) == self.trump  # and then the target is no trump

    def legal_declarations(self) -> set[int]:
        """MM-V2: while there are no trumps, a suit (not spades) of which the seat can show enough."""
        if self.trump_rule != "declared" or self.trump is not None:
            return set()
        return {DECLARE + s for s in (CLUBS, DIAMONDS, HEARTS) if self.cards_to_show(self.actor, s)}

    def cards_to_show(self, seat: int, s: int) -> list[int]:
        """MM-V2: king and queen; with `either` the king, or the queen if the king is not there."""
        king, queen = 13 * s + KING, 13 * s + QUEEN
        held = [card for card in (king, queen) if card in self.hands[seat]]
        if self.declare_with == "either":
            return held[:1]
        return held if len(held) == 2 else []

    # ---------------------------------------------------------------- one decision

    def apply(self, action: int) -> None:
        """Carry out one decision with all that follows from it."""
        if action not in self.legal():
            raise ValueError(f"illegal action {action!r} in phase {self.phase!r}, over: {self.over}")
        self.decisions += 1
        if DECLARE <= action < KEEP:
            self.declare(action - DECLARE)
        elif self.phase == LAYING:
            self.lay_or_done(action)
        elif self.phase == KEEPING:
            self.keep(action - KEEP)
        elif self.phase == RETURNING:
            self.return_card(action)
        elif self.phase == ADDING:
            self.add_or_done(action)
        else:
            self.beat_or_take(action)
        if not self.over and self.decisions >= self.max_decisions:  # C-6: a natural end goes first
            self.truncate()

    def declare(self, s: int) -> None:
        """MM-V2: the cards are shown, the suit is trumps, the seat goes on with the same decision."""
        self.known[self.actor].update(self.cards_to_show(self.actor, s))
        self.trump = s

    # ---------------------------------------------------------------- step 1: attack

    def begin_combat(self, attacker: int) -> None:
        """A and D of the new combat, an empty table, and the limit of the attack (MM-A1)."""
        self.attacker = attacker
        self.defender = self.first_with_cards(self.left_of(attacker))
        self.attack: list[int] = []
        self.added: list[int] = []
        self.taken: list[int] = []
        self.beaten: list[int] = []
        self.beating: list[int] = []
        self.last_returned: int | None = None
        if self.stock:
            self.limit = self.attack_limit
            self.laying_limit = self.attack_limit
        else:
            self.limit = len(self.hands[self.defender])
            # MM-H2: A may lay beyond it, and D then gives back what is too much.
            self.laying_limit = None if self.misplay_penalty else self.limit
        self.phase = LAYING

    def suits_on_table(self) -> set[int]:
        return {suit(card) for card in self.attack}

    def lay_or_done(self, action: int) -> None:
        if action == DONE:
            self.judge_attack()
        else:
            self.play_from_hand(self.attacker, action)
            self.attack.append(action)

    def judge_attack(self) -> None:
        """MM-H2: before step 2, D chooses the suit, then gives back what is beyond the limit."""
        if len(self.suits_on_table()) == 2:
            self.phase = KEEPING
        elif self.limit is not None and len(self.attack) > self.limit:
            self.phase = RETURNING
        else:
            self.attack_stands()

    def keep(self, s: int) -> None:
        for card in [card for card in self.attack if suit(card) != s]:
            self.give_back(card)
        self.judge_attack()

    def return_card(self, card: int) -> None:
        self.last_returned = card
        self.give_back(card)
        self.judge_attack()

    def give_back(self, card: int) -> None:
        """MM-H2: to A's hand, publicly known."""
        self.attack.remove(card)
        self.pick_up(self.attacker, card)

    def attack_stands(self) -> None:
        """The attack is laid: step 2 if it was the deal's first, then step 3."""
        if self.first_attack and self.trump_rule == "turned":
            self.turn_trump()
        self.first_attack = False
        self.attacker_draws()

    # ---------------------------------------------------------------- step 2: trumps

    def turn_trump(self) -> None:
        """MM-T1, MM-T2, MM-T3."""
        while suit(self.stock[0]) == SPADES and self.stock[0] not in self.seen_in_stock:
            spade = self.stock.pop(0)
            self.stock.insert(len(self.stock) // 2, spade)  # C-4: the middle of the rest
            self.seen_in_stock.add(spade)
        # On top lies now a card that is no spade, or a spade turned before, which stays (MM-T3).
        turned = next(card for card in self.stock if suit(card) != SPADES)
        self.stock.remove(turned)
        self.stock.append(turned)  # MM-T2: face up under the stock
        self.seen_in_stock.add(turned)
        self.trump = suit(turned)

    # ---------------------------------------------------------------- step 3: drawing

    def draw(self, seat: int) -> int:
        """MM-R: up to `hand_size`; a seat left without cards is out. Says how many were drawn."""
        drawn = 0
        while self.stock and len(self.hands[seat]) < self.hand_size:
            card = self.stock.pop(0)
            self.hands[seat].add(card)
            if card in self.seen_in_stock:  # C-7: all know who has it now
                self.seen_in_stock.remove(card)
                self.known[seat].add(card)
            drawn += 1
        if not self.hands[seat]:
            self.placed.append(seat)
        return drawn

    def attacker_draws(self) -> None:
        """Step 3; then MM-E; then MM-H1: the race, if A drew."""
        drawn = self.draw(self.attacker)
        if self.ended():
            return
        if self.follow_up and drawn > 0 and not self.defender_is_quicker():
            self.added = []
            self.phase = ADDING
        else:
            self.phase = DEFENDING

    def defender_is_quicker(self) -> bool:
        """MM-H1: one number a race."""
        return self.race() < self.slap_probability

    def add_or_done(self, action: int) -> None:
        """MM-H1: if A added any, A draws again, and there may be another race."""
        if action != DONE:
            self.play_from_hand(self.attacker, action)
            self.attack.append(action)
            self.added.append(action)
        elif self.added:
            self.attacker_draws()
        else:
            self.phase = DEFENDING

    # ---------------------------------------------------------------- steps 4-6: defence, resolution

    def beat_or_take(self, action: int) -> None:
        """MM-D1, MM-D3: a beating card has left the hand, so it beats one card only."""
        target = self.unanswered[0]
        if action == TAKE:
            self.taken.append(target)
        else:
            self.play_from_hand(self.defender, action)
            self.beaten.append(target)
            self.beating.append(action)
        if not self.unanswered:
            self.resolve()

    def resolve(self) -> None:
        """MM-S, MM-E, MM-N."""
        self.discard += self.beaten + self.beating
        for card in self.taken:
            self.pick_up(self.defender, card)
        took_any = bool(self.taken)
        self.attack, self.taken, self.beaten, self.beating = [], [], [], []
        self.draw(self.defender)
        if self.ended():
            return
        next_attacker = self.left_of(self.defender) if took_any else self.defender  # MM-N2, MM-N1
        self.begin_combat(self.first_with_cards(next_attacker))  # MM-N3

    # ---------------------------------------------------------------- the end

    def ended(self) -> bool:
        """MM-E: at most one seat holds cards. Mustamaija is its, or on the table before it."""
        holders = [seat for seat in range(self.players) if self.hands[seat]]
        if len(holders) <= 1:
            self.over = True
            self.loser = holders[0]
        return self.over

    def truncate(self) -> None:
        """MM-X: the limit is reached. Who has Mustamaija?"""
        self.over = True
        self.truncated = True
        if MUSTAMAIJA in self.attack:
            self.loser = self.defender
        for seat in range(self.players):
            if MUSTAMAIJA in self.hands[seat]:
                self.loser = seat

    def returns(self) -> list[float]:
        """MM-P, and MM-X for a truncated deal. Zeros before the end (C-6)."""
        n = self.players
        if not self.over or self.loser is None:
            return [0.0] * n
        if self.scoring == "loser":
            return [-1.0 if seat == self.loser else 1 / (n - 1) for seat in range(n)]
        if self.scoring == "winner":
            if not self.placed:
                return [0.0] * n
            return [1.0 if seat == self.placed[0] else -1 / (n - 1) for seat in range(n)]
        # placing: the k-th seat out gets 1 - 2k / (n - 1), the loser is last
        place_value = [1 - 2 * k / (n - 1) for k in range(n)]
        result = [0.0] * n
        for k, seat in enumerate(self.placed):
            result[seat] = place_value[k]
        result[self.loser] = place_value[n - 1]
        undecided = [seat for seat in range(n) if seat != self.loser and seat not in self.placed]
        places_left = place_value[len(self.placed) : n - 1]
        for seat in undecided:  # only after a truncation
            result[seat] = sum(places_left) / len(places_left)
        return result
