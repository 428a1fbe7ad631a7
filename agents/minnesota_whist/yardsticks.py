"""`beginner` and `journeyman` are yardsticks of strength, pinned by a test: never improve them.

Ranks decide what is low and high, 2 to ace; of equal ranks, and of equal suits, the first of C D H S is taken. A suit's points are
those of its honours: A 4, K 3, Q 2, J 1. Neither bids a solo. Sola nulla is played like a low hand, grand dix like a high one; asked
for a card before sola nulla, the partner gives its lowest, the soloist its highest. A hand without the colour wanted bids its lowest
card. A seat that sits out is nobody's partner in the trick.

`beginner` bids its lowest black card with three aces and kings or more, else its lowest red one, and names its longest suit. High, it
leads the highest card of its longest suit, trumps too, and follows with the lowest card that beats those on the table (without the
suit led, a trump), or else with its lowest, plain before trumps. Low, it leads its lowest card, and follows with its highest card that
does not win, or its lowest.

`journeyman` bids its lowest black card with twelve points or more, else its lowest red one, and names its longest suit, of equal ones
that with more points. High, it leads

- the highest card of the first suit that its partner has led in this deal and that it holds,
- or else from its longest suit (of equal ones that with more points): the highest card if the next lower rank is there too and it is a
  jack at least, otherwise the fourth highest, or the lowest of fewer.

Following suit, it plays low in second hand. Third hand it leaves the trick to a partner's card that no unseen card of the suit can
beat; otherwise it plays the lowest card that beats those on the table and all unseen ones of the suit, or its highest if an opponent
holds the trick and it beats that, or low. Fourth hand it wins as cheaply as it can, never over its partner's card, or plays low.
Without the suit led it plays the lowest trump that wins where an opponent holds the trick, not in second hand, and otherwise discards
the lowest card of its weakest suit: plain before trumps, then fewest points, then fewest cards. The last of three players is last.

Low, it leads the lowest card of the suit with the lowest mean rank, follows or discards its highest card that does not win, and if
all win plays its highest when it is the last, its lowest otherwise.
"""

import numpy as np

from tromf.agents.minnesota_whist.cards import above
from tromf.envs.jit import bit, compiled, highest, lowest, popcount
from tromf.envs.minnesota_whist.rules import BID, DIX, GIVE, HIGH, NAME, PASS, SOLA, SOLO, SUIT, TRUMP

BLACK = np.uint64(0x1FFF | 0x1FFF << 39)
RANK = np.array([1 << r | 1 << 13 + r | 1 << 26 + r | 1 << 39 + r for r in range(13)], dtype=np.uint64)
JACK = 9


@compiled
def yardstick(s, cards, journeyman):
    """The decision of `journeyman` or `beginner`, given the legal actions."""
    hand = s.hand[s.turn]
    if s.phase == BID:
        strong = points(hand) >= 12 if journeyman else popcount(hand & (RANK[12] | RANK[11])) >= 3
        wanted = hand & (BLACK if strong else ~BLACK)
        return lowest_of(wanted if wanted else hand)
    if s.phase == SOLO:
        return np.int64(PASS)
    if s.phase == GIVE:
        return highest_of(hand) if s.turn == s.soloist else lowest_of(hand)
    if s.phase == TRUMP:
        return NAME + longest(hand, journeyman)
    if s.solo == SOLA or (s.solo != DIX and s.kind != HIGH):
        return journeyman_low(s, cards) if journeyman else beginner_low(s, cards)
    return journeyman_high(s, cards) if journeyman else beginner_high(s, cards)


@compiled
def beginner_high(s, cards):
    if s.laid == 0:
        return highest_of(cards & SUIT[longest(cards, False)])
    winning = winners(s, cards)
    return lowest_of(winning) if winning else lowest_of(plain_first(s, cards))


@compiled
def beginner_low(s, cards):
    losing = cards & ~winners(s, cards)
    return highest_of(losing) if s.laid and losing else lowest_of(cards)


@compiled
def journeyman_high(s, cards):
    if s.laid == 0:
        return lead_high(s, cards)
    led = s.lead // 13
    partner_holds = (s.holder + 2) & 3 == s.turn
    winning, last = winners(s, cards), s.laid + 1 == s.seats
    if not cards & SUIT[led]:
        if winning and s.laid > 1 and not partner_holds:
            return lowest_of(winning)
        return lowest_of(cards & SUIT[weakest(s, cards)])
    if last:
        return lowest_of(winning) if winning and not partner_holds else lowest_of(cards)
    if s.laid == 1:
        return lowest_of(cards)
    unseen = unseen_of(s, led)
    if partner_holds and (not unseen or highest(unseen) < s.best) and s.best // 13 == led:
        return lowest_of(cards)
    sure = winning & above(np.int64(highest(unseen))) if unseen else winning
    if sure:
        return lowest_of(sure)
    return highest_of(winning) if winning and not partner_holds else lowest_of(cards)


@compiled
def lead_high(s, cards):
    """The card that journeyman leads to a high hand."""
    partner = (s.turn + 2) & 3
    for suit in range(4):
        if (s.led[partner] >> suit) & 1 and cards & SUIT[suit]:
            return highest_of(cards & SUIT[suit])
    suit = cards & SUIT[longest(cards, True)]
    top = highest(suit)
    if top % 13 >= JACK and suit & bit(top - 1):
        return np.int64(top)
    for _ in range(3):  # down to the fourth highest
        if popcount(suit) > 1:
            suit &= ~bit(highest(suit))
    return np.int64(highest(suit))


@compiled
def journeyman_low(s, cards):
    if s.laid == 0:
        best, lowest_mean = 0, 99.0
        for suit in range(4):
            if cards & SUIT[suit]:
                mean = mean_rank(cards & SUIT[suit])
                if mean < lowest_mean:
                    best, lowest_mean = suit, mean
        return lowest_of(cards & SUIT[best])
    losing = cards & ~winners(s, cards)
    if losing:
        return highest_of(losing)
    return highest_of(cards) if s.laid + 1 == s.seats else lowest_of(cards)


@compiled
def winners(s, cards):
    """Those of some cards that beat all cards on the table; all of them for a leader."""
    if s.laid == 0:
        return cards
    best = s.best // 13
    result = cards & above(np.int64(s.best))
    if s.trump >= 0 and best != s.trump:
        result |= cards & SUIT[s.trump]
    return result


@compiled
def unseen_of(s, suit):
    """Cards of a suit that are neither played nor in the own hand."""
    seen = s.hand[s.turn]
    for p in range(4):
        seen |= s.played[p]
    return s.options.pack & SUIT[suit] & ~seen


@compiled
def plain_first(s, cards):
    """The plain ones of some cards, or all if there are none."""
    plain = cards & ~SUIT[s.trump] if s.trump >= 0 else cards
    return plain if plain else cards


@compiled
def longest(cards, by_points):
    """The suit with most cards; of equal ones, if asked for, that with most points; of equal ones the first."""
    best, most = np.int64(0), np.int64(-1)
    for suit in range(4):
        length = np.int64(popcount(cards & SUIT[suit])) * 16 + (points(cards & SUIT[suit]) if by_points else 0)
        if length > most:
            best, most = np.int64(suit), length
    return best


@compiled
def weakest(s, cards):
    """The suit to discard from."""
    best, least = np.int64(0), np.int64(9999)
    for suit in range(4):
        mine = cards & SUIT[suit]
        if mine:
            worth = points(mine) * 16 + np.int64(popcount(mine)) + (1000 if suit == s.trump else 0)
            if worth < least:
                best, least = np.int64(suit), worth
    return best


@compiled
def points(cards):
    """High-card points: A 4, K 3, Q 2, J 1."""
    total = np.int64(0)
    for k in range(4):
        total += (k + 1) * np.int64(popcount(cards & RANK[JACK + k]))
    return total


@compiled
def mean_rank(cards):
    """The mean rank of some cards, at least one."""
    total = 0.0
    for rank in range(13):
        total += rank * np.float64(popcount(cards & RANK[rank]))
    return total / np.float64(popcount(cards))


@compiled
def lowest_of(cards):
    """The card of lowest rank in a set that is not empty, the first of equals."""
    for rank in range(13):
        if cards & RANK[rank]:
            return np.int64(lowest(cards & RANK[rank]))
    return np.int64(-1)


@compiled
def highest_of(cards):
    """The card of highest rank in a set that is not empty, the first of equals."""
    for rank in range(12, -1, -1):
        if cards & RANK[rank]:
            return np.int64(lowest(cards & RANK[rank]))
    return np.int64(-1)
