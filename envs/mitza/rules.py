"""The rules of Mîța and 101, compiled. Ids such as MZ-4 are those of the rules page, `docs/rules/mitza.md`.

A deal runs: with `exchange` the holder of the trump seven is asked - tricks of one card from each seat, after each of which all
draw while the stock lasts - once it is empty, a leader of a trump is asked whether it cries `tromf`. In a match the next deal
begins within the decision that ends the last one. `state.phase` says which decision is asked for.
"""

import numpy as np

from tromf.envs.decks import next_deck
from tromf.envs.jit import EMPTY, ONE, bit, compiled, popcount

OPTIONS = np.dtype(
    [
        ("word", np.uint64),                # the options as an observation word
        ("pack", np.uint64),                # set of all cards that take part
        ("target", np.uint32),              # of a match
        ("players", np.uint8),
        ("scoring", np.uint8),              # TRICKS or POINTS
        ("exchange", np.uint8), ("tromf", np.uint8), ("check_stock", np.uint8),
        ("match", np.uint8),                # deals follow one another until a side has `target`
        ("total", np.uint8),                # tricks or points of a deal, whichever count
    ],
    align=True,
)  # fmt: skip

LATER_DECKS = 7  # decks that can be given for the deals of a match after the first

STATE = np.dtype(
    [  # what every decision touches stands together at the front
        ("options", OPTIONS),
        ("decisions", np.uint32),
        ("phase", np.uint8),
        ("turn", np.uint8),                 # the seat to decide
        ("leader", np.uint8),               # of this trick, which is the winner of the last one
        ("dealer", np.uint8), ("trump", np.uint8),
        ("called", np.uint8),               # `tromf` was cried in this trick
        ("laid", np.uint8),                 # cards in this trick
        ("lead", np.int8), ("best", np.int8),   # the card led, and the one that holds the trick; -1
        ("holder", np.uint8),               # the seat that holds the trick
        ("lacks", np.uint8),                # seats publicly known to hold no trump (MZ-6)
        ("top", np.uint8),                  # cards drawn from the stock
        ("stock_size", np.uint8),           # cards in it after the deal, the turned one included
        ("size", np.uint8), ("over", np.uint8),
        ("exchanged", np.int8),             # the seat that has exchanged the seven of trumps; -1
        ("keeper", np.int8),                # the seat that was asked and kept it, which nobody else knows; -1
        ("tricks", np.uint8, (2,)), ("points", np.uint8, (2,)),     # by side, of this deal
        ("number", np.uint16),              # deals of this episode before this one
        ("kept", np.uint16),                # decisions of this episode of which nobody else knows (MZ-3)
        ("table", np.uint64),               # cards in this trick
        ("hand", np.uint64, (6,)),          # by seat
        ("known", np.uint64, (6,)),         # by seat: the publicly known part of the hand
        ("played", np.uint64, (6,)),        # by seat: cards played in this deal
        ("won", np.uint64, (2,)),           # by side: cards won in this deal
        ("rng", np.uint64),
        ("score", np.uint32, (2,)),         # by side: points of the deals of a match that are finished
        ("stock", np.uint8, (32,)),         # from the top, the turned card last
        ("hidden", np.uint8, (6,)),         # by seat: cards of the hand that a concealed record does not show
        ("deck", np.uint8, (32,)),          # as it was dealt
        ("seed", np.uint64),
        ("given", np.uint8),                # decks given for later deals
        ("decks", np.uint8, (LATER_DECKS, 32)),
    ],
    align=True,
)  # fmt: skip
PLAN = np.dtype(
    [
        ("state", STATE),
        ("unseen", np.uint8, (32,)),        # cards whose place is not known, trumps first
        ("count", np.uint8), ("trumps", np.uint8),
        ("unknown", np.uint8),              # places in the stock
        ("free", np.uint8, (6,)),           # by seat: places in the hand where a trump may be
        ("weighed", np.uint8), ("weights", np.float64, (6,)),   # whether and where the seven of trumps is more likely than elsewhere
    ],
    align=True,
)  # fmt: skip

SUIT = np.array([0xFF << (8 * s) for s in range(4)], dtype=np.uint64)
JACKS, QUEENS, TENS, KINGS, ACES = (np.uint64(0x01010101 << rank) for rank in range(3, 8))
TRICKS, POINTS = 0, 1
PLAY, CRY, EXCHANGE = 0, 1, 2
TROMF, QUIET, EXCHANGE_SEVEN, KEEP, ACTIONS = 32, 33, 34, 35, 36
HAND = 3  # cards dealt, and the size to which hands are refilled


@compiled
def deal(s):
    """Begin an episode with its first deal."""
    s.decisions, s.over, s.number, s.kept = 0, 0, 0, 0
    s.score[0] = s.score[1] = 0
    deal_hands(s)


@compiled
def deal_hands(s):
    """MZ-1."""
    players = np.int64(s.options.players)
    for p in range(6):
        s.hand[p] = s.known[p] = s.played[p] = EMPTY
        s.hidden[p] = 0
    seat = s.dealer
    for i in range(HAND * players):  # C-4
        seat = left_of(s, seat)
        s.hand[seat] |= bit(s.deck[i])
    turned, count = s.deck[HAND * players], s.size - HAND * players
    for i in range(count - 1):
        s.stock[i] = s.deck[HAND * players + 1 + i]
    s.stock[count - 1] = turned
    for i in range(count, 32):
        s.stock[i] = 255
    s.stock_size, s.top, s.trump = count, 0, turned // 8
    if s.options.check_stock:
        check_stock(s)
    s.won[0] = s.won[1] = EMPTY
    s.tricks[0] = s.tricks[1] = s.points[0] = s.points[1] = 0
    s.lacks, s.exchanged, s.keeper = 0, -1, -1
    s.phase = PLAY
    begin_trick(s, left_of(s, s.dealer))
    if s.options.exchange:
        ask_for_exchange(s)


@compiled(forceinline=True)
def left_of(s, seat):
    """The next seat clockwise."""
    return seat + 1 if seat + 1 < s.options.players else 0


@compiled
def check_stock(s):
    """MZ-2: a trump on top of the face-down stock, then one at its bottom, goes into the middle."""
    count = np.int64(s.stock_size) - 1  # the turned card does not count
    middle = (count - 1) // 2
    if count and s.stock[0] // 8 == s.trump:
        card = s.stock[0]
        for i in range(middle):
            s.stock[i] = s.stock[i + 1]
        s.stock[middle] = card
    if count and s.stock[count - 1] // 8 == s.trump:
        card = s.stock[count - 1]
        for i in range(count - 1, middle, -1):
            s.stock[i] = s.stock[i - 1]
        s.stock[middle] = card


@compiled
def ask_for_exchange(s):
    """MZ-3: whoever holds the seven of trumps is asked before the first trick."""
    for p in range(s.options.players):
        if s.hand[p] & seven_of_trumps(s):
            s.phase, s.turn = EXCHANGE, p


@compiled
def seven_of_trumps(s):
    """The set of which the seven of trumps is the only member."""
    return bit(8 * s.trump)


@compiled(forceinline=True)
def begin_trick(s, leader):
    s.leader = s.turn = s.holder = leader
    s.table = EMPTY
    s.laid = s.called = 0
    s.lead = s.best = -1


@compiled
def actor(s):
    return s.turn


@compiled(forceinline=True)
def legal(s):
    if s.phase == PLAY:
        cards = s.hand[s.turn]
        if s.called:  # nobody but those who follow is asked for a card then
            trumps = cards & SUIT[s.trump]
            return trumps if trumps else cards  # MZ-6
        return cards  # MZ-4
    return bit(TROMF) | bit(QUIET) if s.phase == CRY else bit(EXCHANGE_SEVEN) | bit(KEEP)


@compiled(forceinline=True)
def apply(s, action):
    s.decisions += 1
    if action < TROMF:
        play(s, action)
    elif s.phase == CRY:
        s.phase, s.called = PLAY, action == TROMF
        s.turn = left_of(s, s.turn)
    else:
        answer_exchange(s, action)


@compiled(forceinline=True)
def play(s, card):
    """MZ-4: a card on the table."""
    seat, trumped = np.int64(s.turn), card >> 3 == s.trump
    s.hand[seat] &= ~bit(card)
    s.known[seat] &= ~bit(card)
    s.played[seat] |= bit(card)
    s.table |= bit(card)
    laid = np.int64(s.laid) + 1
    s.laid = laid
    if laid == 1:
        s.lead = s.best = card
        if trumped and s.top == s.stock_size and s.options.tromf:  # MZ-6
            s.phase = CRY
            return
    else:
        same = card >> 3 == s.best >> 3
        beats = (same & (card > s.best)) | (trumped & (not same))
        s.best += (card - s.best) * beats  # no branches, which could only be guessed
        s.holder += (seat - s.holder) * beats
        if s.called and not trumped:
            s.lacks |= np.uint8(1) << seat
    if laid == s.options.players:
        end_trick(s)
    else:
        s.turn = left_of(s, seat)


@compiled(forceinline=True)
def end_trick(s):
    """The trick goes to the side that holds it; MZ-5, MZ-7."""
    winner, cards = s.holder, s.table
    side = winner & 1
    s.won[side] |= cards
    s.tricks[side] += 1
    s.points[side] += points_of(cards)
    if s.top < s.stock_size:
        draw(s, winner)
    begin_trick(s, winner)
    if s.hand[winner] == EMPTY:
        end_deal(s)


@compiled(forceinline=True)
def points_of(cards):
    """MZ-8."""
    return (
        np.uint64(11) * popcount(cards & ACES)
        + np.uint64(10) * popcount(cards & TENS)
        + np.uint64(4) * popcount(cards & KINGS)
        + np.uint64(3) * popcount(cards & QUEENS)
        + np.uint64(2) * popcount(cards & JACKS)
    )


@compiled(forceinline=True)
def draw(s, winner):
    """MZ-5: every seat draws a card, the winner first."""
    players, p, top = np.uint64(s.options.players), np.uint64(winner), np.uint64(s.top)
    for _ in range(players):
        s.hand[p] |= bit(s.stock[top])
        top += ONE
        p = p + ONE if p + ONE < players else EMPTY
    s.top = top
    if top == s.stock_size:  # everybody has seen the card that was under the stock
        s.known[(p if p else players) - ONE] |= bit(s.stock[top - ONE])


@compiled
def answer_exchange(s, action):
    """MZ-3."""
    seat, bottom = s.turn, s.stock_size - 1
    s.phase, s.turn = PLAY, s.leader
    if action == KEEP:
        s.keeper = seat
        s.kept += 1
        return
    s.exchanged = seat
    turned = s.stock[bottom]
    s.stock[bottom] = 8 * s.trump
    s.hand[seat] = (s.hand[seat] & ~seven_of_trumps(s)) | bit(turned)
    s.known[seat] = bit(turned)


@compiled
def end_deal(s):
    """MZ-7, and in a match MZ-9."""
    if not s.options.match:
        s.over = 1
        return
    for side in range(2):
        s.score[side] += s.points[side]
    if s.score[0] != s.score[1] and max(s.score[0], s.score[1]) >= s.options.target:
        s.over = 1
        return
    s.number += 1
    s.dealer = left_of(s, s.dealer)
    next_deck(s, s.number)
    deal_hands(s)


@compiled
def over(s):
    return s.over != 0


@compiled
def truncated(s):
    return False


@compiled
def returns(s, out):
    """MZ-P."""
    if not s.over:
        ahead = 0.0
    elif s.options.match:
        ahead = 1.0 if s.score[0] > s.score[1] else -1.0
    elif s.options.total == 0:  # a reduced pack without points
        ahead = 0.0
    elif s.options.scoring == POINTS:
        ahead = (np.float64(s.points[0]) - np.float64(s.points[1])) / s.options.total
    else:
        ahead = (np.float64(s.tricks[0]) - np.float64(s.tricks[1])) / s.options.total
    for p in range(s.options.players):
        out[p] = -ahead if p & 1 else ahead
