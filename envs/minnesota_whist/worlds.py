"""Worlds of Minnesota Whist, drawn exactly from what a seat knows: hand sizes, voids, known cards, hidden bids and gifts.

A world is as likely as the decks, bids and gifts that lead to it are many. Without voids all ways to fill the hidden hands are
equally likely. With voids, each suit that somebody is known not to hold is divided between the other hands first, suit by suit,
in proportion to the ways in which all the rest can then be dealt; `count_ways` counts these, from the last suit back.
Cards that are only known to be with the player of sola nulla or the partner (MW-4) are placed before everything else.
"""

import math

import numpy as np

from tromf.envs.jit import EMPTY, assign, bit, compiled, draw_below, draw_uint, draw_unit, nth, nth_bit, popcount
from tromf.envs.minnesota_whist.rules import BID, GIVE, SOLA, SUIT

CHOOSE = np.array([[float(math.comb(n, k)) for k in range(14)] for n in range(40)])


@compiled
def prepare(concealed, seat, plan):
    """List what the seat does not know, and count the ways to deal it if voids or loose cards make them differ."""
    s = concealed
    plan.state = s
    plan.seat = seat
    held = EMPTY
    for p in range(4):
        held |= s.hand[p] | s.played[p]
    loose = s.pair & ~held
    plan.unseen = s.options.pack & ~held & ~loose
    plan.loose[0] = plan.loose[1] = -1
    for i in range(popcount(loose)):
        plan.loose[i] = nth(loose, i)
    plan.suits[:] = -1
    k = 0
    for suit in range(4):
        if plan.unseen & SUIT[suit] and somebody_lacks(s, seat, suit):
            plan.suits[k] = suit
            k += 1
    plan.counted = k > 0 or loose != EMPTY
    if plan.counted:
        count_ways(plan, seat, k)
        weigh_cases(plan, seat)


@compiled
def somebody_lacks(s, seat, suit):
    """Whether another seat that holds unknown cards is known not to hold a suit."""
    for p in range(4):
        if p != seat and s.hidden[p] and (s.void[p] >> suit) & 1:
            return True
    return False


@compiled
def count_ways(plan, seat, suits):
    """ways[k, a, b]: in how many ways the suits from the k-th restricted one on, and all cards of unrestricted suits, can be dealt to the
    three other hands when the first has a places left, the second b, and the third the rest."""
    s = plan.state
    free = plan.unseen
    for k in range(suits):
        free &= ~SUIT[plan.suits[k]]
    left = np.int64(popcount(free))
    for a in range(14):
        for b in range(14):
            third = left - a - b
            plan.ways[suits, a, b] = CHOOSE[left, a] * CHOOSE[left - a, b] if 0 <= third < 14 and a <= left else 0.0
    for k in range(suits - 1, -1, -1):
        suit = plan.suits[k]
        cards = np.int64(popcount(plan.unseen & SUIT[suit]))
        left += cards
        may = holders(s, seat, suit)
        for a in range(14):
            for b in range(14):
                total = 0.0
                if 0 <= left - a - b < 14:
                    for x in range(a + 1 if a < cards else cards + 1):
                        for y in range(b + 1 if b < cards - x else cards - x + 1):
                            if allowed(may, x, y, cards - x - y):
                                total += CHOOSE[cards, x] * CHOOSE[cards - x, y] * plan.ways[k + 1, a - x, b - y]
                plan.ways[k, a, b] = total


@compiled
def holders(s, seat, suit):
    """Which of the three other seats may hold a suit, from the left, three bits."""
    may = 0
    for j in range(3):
        p = (np.int64(seat) + 1 + j) & 3
        if not (s.void[p] >> suit) & 1:
            may |= 1 << j
    return may


@compiled
def allowed(may, first, second, third):
    """Whether cards go only to hands that may hold them."""
    return (may & 1 or not first) and (may & 2 or not second) and (may & 4 or not third)


@compiled
def places(s, seat, j):
    """Unknown cards of the hand j + 1 to the left."""
    return np.int64(s.hidden[(np.int64(seat) + 1 + j) & 3])


@compiled
def weigh_cases(plan, seat):
    """cases[c]: the weight of the worlds in which loose card i lies with the soloist if bit i of c is clear, with the partner if it is set.

    That is the ways to deal the rest, times the ways in which the cards can have been exchanged (`gifts`).
    """
    s = plan.state
    for c in range(4):
        plan.cases[c] = 0.0
    count = (plan.loose[0] >= 0) + (plan.loose[1] >= 0)
    for c in range(1 << count):
        a, b, third = places(s, seat, 0), places(s, seat, 1), places(s, seat, 2)
        possible = True
        for i in range(count):
            p = np.int64(s.soloist) if not (c >> i) & 1 else (np.int64(s.soloist) + 2) & 3
            if (s.void[p] >> (plan.loose[i] // 13)) & 1:
                possible = False
            j = (p - np.int64(seat) - 1) & 3
            a -= j == 0
            b -= j == 1
            third -= j == 2
        if possible and a >= 0 and b >= 0 and third >= 0:
            plan.cases[c] = plan.ways[0, a, b] * (gifts(plan, c) if count else 1.0)


@compiled
def gifts(plan, case):
    """In how many ways the two cards can have been exchanged, given where the bid cards shown by the soloist and the partner lie now."""
    s = plan.state
    b = np.int64(s.soloist)
    own, partners = bid_lies(plan, case, b), bid_lies(plan, case, (b + 2) & 3)
    tricks = np.float64(s.options.tricks)
    # what the partner gave, of the soloist's cards now: the partner's bid if it is there, else anything but the soloist's own bid
    from_partner = 1.0 if partners == 1 else tricks - (1.0 if own == 1 else 0.0)
    from_soloist = 1.0 if own == 2 else tricks - (1.0 if partners == 2 else 0.0)
    return from_partner * from_soloist


@compiled
def bid_lies(plan, case, p):
    """Where the bid card that a seat showed lies after the exchange: 1 with the soloist or played, 2 with the partner; 0 if unshown."""
    s = plan.state
    if not (s.shown >> p) & 1:
        return 0
    for i in range(2):
        if plan.loose[i] == s.bid[p]:
            return 2 if (case >> i) & 1 else 1
    b = np.int64(s.soloist)
    return 1 if (s.hand[b] | s.played[b]) & bit(s.bid[p]) else 2


@compiled
def resample(plan, world, rng):
    """Draw a world from the plan's seat's knowledge."""
    assign(world, plan.state)
    seat = np.int64(plan.seat)
    left = plan.unseen
    if plan.counted:
        place_loose(plan, world, rng)
        for k in range(4):
            if plan.suits[k] >= 0:
                left = divide_suit(plan, world, seat, k, left, rng)
    for p in range(4):
        if world.hidden[p]:
            left = fill(world, p, left, np.int64(world.hidden[p]), rng)
    recall_gifts(world, seat, rng)
    recall_bids(world, seat, rng)
    world.rng, world.seed = draw_uint(rng), draw_uint(rng)


@compiled
def place_loose(plan, world, rng):
    """Give the loose cards to the soloist or the partner."""
    total = plan.cases[0] + plan.cases[1] + plan.cases[2] + plan.cases[3]
    u = draw_unit(rng) * total
    case = 0
    for c in range(4):
        if plan.cases[c] > 0.0 and u >= 0.0:
            case = c
            u -= plan.cases[c]
    for i in range(2):
        if plan.loose[i] >= 0:
            p = np.int64(world.soloist) if not (case >> i) & 1 else (np.int64(world.soloist) + 2) & 3
            world.hand[p] |= bit(plan.loose[i])
            world.hidden[p] -= 1


@compiled
def divide_suit(plan, world, seat, k, left, rng):
    """Deal the cards of the k-th restricted suit to the three other hands; the cards left."""
    suit = plan.suits[k]
    cards = left & SUIT[suit]
    count, may = np.int64(popcount(cards)), holders(world, seat, suit)
    a, b, third = places(world, seat, 0), places(world, seat, 1), places(world, seat, 2)
    u = draw_unit(rng) * plan.ways[k, a, b]
    first, second = 0, 0
    for x in range(min(a, count) + 1):
        for y in range(max(0, count - x - third), min(b, count - x) + 1):
            if u >= 0.0 and allowed(may, x, y, count - x - y):
                ways = CHOOSE[count, x] * CHOOSE[count - x, y] * plan.ways[k + 1, a - x, b - y]
                if ways > 0.0:
                    first, second = x, y
                    u -= ways
    numbers = (first, second, count - first - second)
    for j in range(3):
        if numbers[j]:
            cards = fill(world, (seat + 1 + j) & 3, cards, numbers[j], rng)
    return left & ~SUIT[suit]


@compiled
def fill(world, p, cards, count, rng):
    """Put so many random ones of some cards into a hand; the cards left."""
    for _ in range(count):
        card = nth_bit(cards, draw_below(rng, popcount(cards)))
        world.hand[p] |= card
        cards ^= card
    world.hidden[p] -= count
    return cards


@compiled
def any_of(cards, rng):
    """A random card of a set."""
    return np.int64(nth(cards, draw_below(rng, popcount(cards))))


@compiled
def recall_gifts(world, seat, rng):
    """What soloist and partner have given each other before sola nulla."""
    if world.solo != SOLA or world.phase < GIVE:
        return
    b = np.int64(world.soloist)
    partner = (b + 2) & 3
    if world.phase == GIVE:
        if world.turn == partner and seat != b:
            world.gave[b] = any_of(world.hand[b], rng)
        return
    if seat in (b, partner):
        other = (seat + 2) & 3
        world.gave[other], world.received[other] = world.received[seat], world.gave[seat]
        return
    mine, partners = world.hand[b] | world.played[b], world.hand[partner]
    own = bit(world.bid[b]) if (world.shown >> b) & 1 else EMPTY
    others = bit(world.bid[partner]) if (world.shown >> partner) & 1 else EMPTY
    world.gave[partner] = world.received[b] = any_of(mine & others if mine & others else mine & ~own, rng)
    world.gave[b] = world.received[partner] = any_of(partners & own if partners & own else partners & ~others, rng)


@compiled
def recall_bids(world, seat, rng):
    """The bid cards that were not shown: any card that the seat held then."""
    bidding = True
    p = (np.int64(world.dealer) + 1) & 3
    for _ in range(4):
        if world.phase == BID and p == world.turn:
            bidding = False
        if bidding and p != seat and world.bid[p] < 0:
            cards = world.hand[p] | world.played[p]
            if world.received[p] >= 0:
                cards = (cards & ~bit(world.received[p])) | bit(world.gave[p])
            world.bid[p] = any_of(cards, rng)
        p = (p + 1) & 3
