"""`expert` weighs plans, whole attacks and whole defences, by the worth of the hand they leave and by what they do to the others.

A plan's worth is a sum of terms, each with a weight for every stage of the deal (`knobs.py` says what each term and each habit
means). Nothing is remembered between decisions: a plan is found anew at each of its cards, and, since nothing that it was
chosen by has changed, found again.
"""

import numpy as np

from tromf.envs.jit import EMPTY, ONE, bit, compiled, highest, lowest, nth, popcount
from tromf.envs.mustamaija.rules import (
    ATTACK,
    DECLARE,
    DECLARED,
    DEFEND,
    DONE,
    FOLLOW_UP,
    KEEP,
    KEEP_SUIT,
    MAIJA,
    SPADES,
    SUIT,
    TAKE,
    above,
)

STAGES = ("early", "late", "end", "three", "duel")
EARLY, LATE, END, THREE, DUEL = range(5)

TERMS = (
    "cards", "drawn", "rank", "low", "high", "trumps", "trump_rank", "suits", "one_suit", "exposed", "company", "guard",
    "turn", "turn_holding", "turn_trumps", "turn_one_suit", "turn_pair", "beaten", "beaten_plain", "beaten_holding",
    "beaten_right", "beaten_pair", "again_one_suit", "given", "given_rank", "given_trumps", "launch", "launch_size",
)  # fmt: skip
(
    CARDS, DRAWN, RANK, LOW, HIGH, TRUMPS, TRUMP_RANK, SUITS, ONE_SUIT, EXPOSED, COMPANY, GUARD, TURN, TURN_HOLDING,
    TURN_TRUMPS, TURN_ONE_SUIT, TURN_PAIR, BEATEN, BEATEN_PLAIN, BEATEN_HOLDING, BEATEN_RIGHT, BEATEN_PAIR, AGAIN_ONE_SUIT,
    GIVEN, GIVEN_RANK, GIVEN_TRUMPS, LAUNCH, LAUNCH_SIZE,
) = range(28)  # fmt: skip

LOW_CARDS = np.uint64(sum(0x1F << (13 * suit) for suit in range(4)))  # two to six
HIGH_CARDS = np.uint64(sum(0x1C00 << (13 * suit) for suit in range(4)))  # queen to ace
COURT = np.uint64(sum(0xC00 << (13 * suit) for suit in range(3)))  # what trumps are declared with
OUT = 10.0  # the worth of having no cards left: more than anything else

CHOICES = np.zeros((53, 16))  # CHOICES[n, k]: ways to choose k of n
CHOICES[:, 0] = 1.0
for n in range(1, 53):
    for k in range(1, 16):
        CHOICES[n, k] = CHOICES[n - 1, k] + CHOICES[n - 1, k - 1]


@compiled
def expert(s, actions, knobs, draw):
    seat = actor(s)
    declarable = actions >> np.uint64(DECLARE) & np.uint64(7)
    if declarable:
        suit = worth_declaring(s, seat, declarable, knobs)
        if suit >= 0:
            return DECLARE + suit
    unseen = unseen_cards(s, seat, knobs)
    if s.phase == DEFEND:
        action, _ = best_defence(s, seat, s.attack & ~s.beaten & ~s.taken, s.taken, unseen, knobs)
        return action
    if s.phase == ATTACK or s.phase == FOLLOW_UP:
        if s.decisions >= knobs.patience and s.phase == ATTACK and draw & np.uint64(3) == EMPTY:
            return random_card(s, draw)
        return best_attack(s, seat, unseen, knobs)
    return give_back(s, seat, actions, unseen, knobs)


@compiled
def actor(s):
    return np.int64(s.attacker) if s.phase == ATTACK or s.phase == FOLLOW_UP else np.int64(s.defender)


@compiled
def worth_declaring(s, seat, declarable, knobs):
    """The suit to declare now, the longest; -1 to wait for more of it."""
    best, longest = np.int64(-1), np.int64(0)
    for suit in range(3):
        length = np.int64(popcount(s.hand[seat] & SUIT[suit]))
        if declarable >> np.uint64(suit) & ONE and length > longest:
            best, longest = np.int64(suit), length
    return best if longest >= knobs.declare_wait or s.size - s.top <= knobs.declare_stock else np.int64(-1)


@compiled
def best_attack(s, seat, unseen, knobs):
    """The first card of the best attack, or DONE: runs of neighbouring cards of a suit are tried, with and without Mustamaija.

    While laying, the plans left are those that begin with what lies there.
    """
    laid, stock = s.attack, np.int64(s.size) - s.top
    whole = s.hand[seat] | laid
    impatient = s.decisions >= knobs.patience
    most = min(np.int64(s.limit), np.int64(1) if impatient else np.int64(knobs.lay_max)) if stock > 0 else np.int64(s.limit)
    best, best_worth = np.int64(-1), -1e18
    if laid:
        best, best_worth = np.int64(DONE), attack_worth(s, seat, whole, laid, unseen, knobs)
    for suit in range(4):
        first = s.hand[seat] & SUIT[suit]
        if laid:
            first &= SUIT[lowest(laid) // 13]
            if s.last >= 0:
                first &= above(s.last)
        while first:
            card = lowest(first)
            plan, more = laid, first
            while more and np.int64(popcount(plan)) < most:
                plan |= more & ~(more - ONE)
                more &= more - ONE
                for without in range(2):
                    tried = plan & ~MAIJA if without else plan
                    if without and (not plan & MAIJA or laid & MAIJA or bit(card) == MAIJA):
                        break
                    if tried & MAIJA and stock > knobs.launch_stock and whole & ~MAIJA:
                        continue
                    worth = attack_worth(s, seat, whole, tried, unseen, knobs)
                    if worth > best_worth:
                        best, best_worth = np.int64(card), worth
            first &= first - ONE
    return best


@compiled
def random_card(s, draw):
    """A random card that can be laid properly, or DONE if there is none: what ends a deal that has come to go in circles."""
    cards = s.hand[s.attacker]
    if s.attack:
        cards &= SUIT[s.last // 13] & above(s.last) if popcount(s.attack) < s.limit else EMPTY
    if cards == EMPTY:
        return np.int64(DONE)
    return np.int64(nth(cards, ((draw >> np.uint64(32)) * popcount(cards)) >> np.uint64(32)))


@compiled
def best_defence(s, seat, unanswered, taken, unseen, knobs):
    """The action about the lowest unanswered card that begins the best defence, and the worth of that.

    Tried are: to take the highest or the lowest cards, from none to all, and to beat the others, each with the cheapest card.
    """
    hand, trump_cards = s.hand[seat], trumps(s)
    n = np.int64(popcount(unanswered))
    best, best_worth = np.int64(TAKE), -1e18
    for lowest_taken in range(2):
        for number in range(lowest_taken, n + 1 - lowest_taken):
            used, took, rest, answer = EMPTY, taken, unanswered, np.int64(TAKE)
            for place in range(n - 1, -1, -1):  # the highest first, which the fewest cards beat
                card = highest(rest)
                rest &= ~bit(card)
                if bit(card) == MAIJA or (place < number if lowest_taken else place >= n - number):
                    answer = np.int64(TAKE)
                    took |= bit(card)
                else:
                    answer = cheapest_beater(card, hand & ~used, trump_cards)
                    if answer < 0:
                        break
                    used |= bit(answer)
            if answer < 0:
                continue
            worth = defence_worth(s, seat, hand, used, took, unseen, knobs)
            if worth > best_worth:
                best, best_worth = answer, worth
            if took == EMPTY and (not knobs.take or s.decisions >= knobs.patience):
                return answer, worth
    return best, best_worth


@compiled
def give_back(s, seat, actions, unseen, knobs):
    """After a wrong attack, keep the suit or return the card that leaves the attack easiest to meet."""
    best, best_worth, rest = np.int64(-1), -1e18, actions & ~(np.uint64(7) << np.uint64(DECLARE))
    while rest:
        action = np.int64(lowest(rest))
        rest &= rest - ONE
        left = s.attack & SUIT[action - KEEP_SUIT] if s.phase == KEEP else s.attack & ~bit(action)
        _, worth = best_defence(s, seat, left, EMPTY, unseen, knobs)
        if worth > best_worth:
            best, best_worth = action, worth
    return best


@compiled
def attack_worth(s, seat, whole, plan, unseen, knobs):
    """What it is worth to attack with the cards of a plan, out of a whole hand."""
    kept, trump_cards, d = whole & ~plan, trumps(s), np.int64(s.defender)
    w, at = weights_after(s, kept, knobs)
    if is_out(s, kept):
        return OUT
    known, hidden = cards_of(s, d, unseen, knobs)
    chance = chance_beaten(plan, known, hidden, unseen, trump_cards)
    given = plan & ~MAIJA
    value = hand_worth(s, seat, kept, knobs.hoard_attack, unseen, knobs) + w[BEATEN] * chance
    if not plan & trump_cards:
        value += w[BEATEN_PLAIN] * chance_beaten(plan, known & ~trump_cards, hidden, unseen & ~trump_cards, EMPTY)
    right = right_of(s, seat)
    if known & MAIJA:
        value += w[BEATEN_HOLDING] * chance
    elif cards_of(s, right, unseen, knobs)[0] & MAIJA:
        value += w[BEATEN_RIGHT] * chance
    if right == d and at < END:
        value += w[BEATEN_PAIR] * chance
    gift = w[GIVEN] * popcount(given) + w[GIVEN_RANK] * rank_sum(given & ~trump_cards) + w[GIVEN_TRUMPS] * popcount(given & trump_cards)
    value += (1.0 - chance) * gift
    if plan & MAIJA:
        value += w[LAUNCH] + w[LAUNCH_SIZE] * (np.int64(popcount(known)) + hidden)
    if at >= END:
        value += w[EXPOSED] * exposed(kept, known | plan, hidden, unseen, trump_cards)
        if at == DUEL and one_suited(kept):
            value += w[AGAIN_ONE_SUIT] * (1.0 - chance)
    return value


@compiled
def defence_worth(s, seat, hand, used, took, unseen, knobs):
    """What it is worth to have used some cards to beat and to have taken others."""
    kept, trump_cards = (hand & ~used) | took, trumps(s)
    w, at = weights_after(s, kept, knobs)
    if is_out(s, kept):
        return OUT
    stock = np.int64(s.size) - s.top
    value = hand_worth(s, seat, kept, knobs.hoard_defence if stock >= knobs.hoard_defence_stock else 0.0, unseen, knobs)
    if took == EMPTY:
        value += w[TURN] + w[TURN_TRUMPS] * popcount(kept & trump_cards)
        if kept & MAIJA:
            value += w[TURN_HOLDING]
        if right_of(s, seat) == neighbour(s, seat, 1) and at < END:
            value += w[TURN_PAIR]
    if at >= END:
        known, hidden = cards_of(s, neighbour(s, seat, 1), unseen, knobs)
        value += w[EXPOSED] * exposed(kept, known, hidden, unseen, trump_cards)
        if took == EMPTY and one_suited(kept) and np.int64(popcount(kept)) <= np.int64(popcount(known)) + hidden:
            value += w[TURN_ONE_SUIT]
    return value


@compiled
def hand_worth(s, seat, hand, hoard, unseen, knobs):
    """What it is worth to hold some cards, together with the unknown ones that will be drawn to them now."""
    w, at = weights_after(s, hand, knobs)
    trump_cards = trumps(s)
    mine = hand & ~MAIJA
    plain, drawn = mine & ~trump_cards, drawn_to(s, hand)
    size = np.int64(popcount(hand)) + drawn
    value = w[DRAWN] * drawn + w[CARDS] * (size if at >= END else max(0, size - np.int64(s.options.hand_size)))
    value += w[RANK] * rank_sum(plain) + w[LOW] * popcount(plain & LOW_CARDS) + w[HIGH] * popcount(plain & HIGH_CARDS)
    value += hoard * (w[TRUMPS] * popcount(mine & trump_cards) + w[TRUMP_RANK] * rank_sum(mine & trump_cards))
    if knobs.placebo != 0.0:
        dear = mine & placebo_cards(s, seat)
        value += knobs.placebo * (w[TRUMPS] * popcount(dear) + w[TRUMP_RANK] * rank_sum(dear))
    if hand & MAIJA:
        value += w[COMPANY] * popcount(mine & SUIT[SPADES])
    if at >= END and one_suited(hand):
        value += w[ONE_SUIT]
    if s.trump < 0 and s.options.trump == DECLARED:
        value += knobs.court * popcount(mine & COURT)
    right, _ = cards_of(s, right_of(s, seat), unseen, knobs)
    right &= ~MAIJA & ~trump_cards
    for suit in range(4):
        if plain & SUIT[suit]:
            value += w[SUITS]
            if right & SUIT[suit]:
                value += w[GUARD] * popcount(plain & SUIT[suit] & above(lowest(right & SUIT[suit])))
    return value


@compiled
def weights_after(s, hand, knobs):
    """The weights, and the stage of the deal, when cards have been drawn to a hand."""
    stock = np.int64(s.size) - s.top - drawn_to(s, hand)
    left = np.int64(s.options.players) - s.out
    at = DUEL if left <= 2 else THREE if left == 3 else END
    if stock > 0:
        at = EARLY if stock > knobs.late_stock else LATE
    return knobs.weights[at], at


@compiled
def drawn_to(s, hand):
    """How many cards will be drawn to a hand."""
    return min(np.int64(s.size) - s.top, max(0, np.int64(s.options.hand_size) - np.int64(popcount(hand))))


@compiled
def is_out(s, hand):
    return hand == EMPTY and s.top == s.size


@compiled
def one_suited(hand):
    """Whether one attack could lay the whole hand."""
    return hand != EMPTY and hand & ~SUIT[lowest(hand) // 13] == EMPTY


@compiled
def exposed(hand, known, hidden, unseen, trump_cards):
    """The chances, summed over the suits of a hand, that a seat can beat all its cards of the suit."""
    total = 0.0
    for suit in range(4):
        cards = hand & SUIT[suit]
        if cards:
            total += chance_beaten(cards, known, hidden, unseen, trump_cards)
    return total


@compiled
def chance_beaten(cards, known, hidden, unseen, trump_cards):
    """About the chance that a seat with some known and some hidden cards can beat all cards of a set.

    It is the least, over these cards, of the chances to hold enough that beat this one for it and for all above it.
    """
    if cards & MAIJA:
        return 0.0
    chance, needed, rest, total = 1.0, np.int64(0), cards, np.int64(popcount(unseen))
    while rest:
        card = highest(rest)
        rest &= ~bit(card)
        needed += 1
        beaters = SUIT[card // 13] & above(card) & ~MAIJA
        if not bit(card) & trump_cards:
            beaters |= trump_cards
        wanted = needed - np.int64(popcount(known & beaters))
        chance = min(chance, at_least(total, np.int64(popcount(unseen & beaters)), hidden, wanted))
    return chance


@compiled
def at_least(total, good, hidden, wanted):
    """The chance that among so many hidden cards, out of a total of which some are good, at least the wanted number is good."""
    if wanted <= 0:
        return 1.0
    hidden = min(hidden, total, np.int64(15))
    if wanted > hidden or wanted > good:
        return 0.0
    ways = 0.0
    for k in range(wanted):
        if hidden - k <= total - good:
            ways += CHOICES[good, k] * CHOICES[total - good, hidden - k]
    return 1.0 - ways / CHOICES[total, hidden]


@compiled
def unseen_cards(s, seat, knobs):
    """The cards that may be among the hidden ones of others."""
    held = s.hand[seat] | s.attack
    if knobs.count:
        held |= s.beating | s.gone | s.seen
    if knobs.remember:
        for p in range(s.options.players):
            held |= s.hand[p]
    return s.options.pack & ~held


@compiled
def cards_of(s, seat, unseen, knobs):
    """The cards of another seat that are remembered, or that nobody else can hold, and the number of its others."""
    known, hidden = s.hand[seat], np.int64(s.hidden[seat])
    if not knobs.remember:
        return EMPTY, hidden + np.int64(popcount(known))
    if hidden == np.int64(popcount(unseen)):
        return known | unseen, np.int64(0)
    return known, hidden


@compiled
def neighbour(s, seat, step):
    """The next seat that holds cards, to the left with a step of 1, to the right with one of players - 1."""
    players = np.int64(s.options.players)
    p = (seat + step) % players
    while p != seat and s.hand[p] == EMPTY and s.hidden[p] == 0:
        p = (p + step) % players
    return p


@compiled
def right_of(s, seat):
    return neighbour(s, seat, np.int64(s.options.players) - 1)


@compiled
def cheapest_beater(card, hand, trump_cards):
    """The cheapest card of a hand that beats a card, plain before trump; -1 if there is none."""
    beaters = hand & SUIT[card // 13] & above(card) & ~MAIJA
    if not beaters and not bit(card) & trump_cards:
        beaters = hand & trump_cards
    return np.int64(lowest(beaters)) if beaters else np.int64(-1)


@compiled
def rank_sum(cards):
    """The sum of ranks, two 0, ace 1."""
    total = 0.0
    while cards:
        total += lowest(cards) % np.uint64(13)
        cards &= cards - ONE
    return total / 12.0


@compiled
def trumps(s):
    return SUIT[s.trump] if s.trump >= 0 else EMPTY


@compiled
def placebo_cards(s, seat):
    """One of the two other suits that might have been trumps, by seat and dealer, whatever the cards; none while there are no trumps."""
    return SUIT[(np.int64(s.trump) + 1 + (np.int64(seat) + np.int64(s.dealer)) % 2) % 3] if s.trump >= 0 else EMPTY
