"""The rules of Minnesota Whist and its relatives, compiled. Ids such as MW-8 are those of `docs/rules/minnesota-whist.md`.

A deal runs: bids, seat by seat and unseen - showing - with `solos` the bidding for a solo, and for sola nulla the exchange - with
`trumps` the granding seat names them - tricks. In a game the next deal begins within the decision that ends the last one.
`state.phase` says which decision is asked for.
"""

import numpy as np

from tromf.envs.decks import next_deck
from tromf.envs.jit import EMPTY, bit, compiled

OPTIONS = np.dtype(
    [
        ("word", np.uint64), ("more", np.uint64),   # the options as observation words
        ("pack", np.uint64),                # set of all cards that take part
        ("star_value", np.float64),
        ("target", np.uint32), ("max_deals", np.uint32), ("grand_points", np.uint32), ("defence_points", np.uint32),
        ("players", np.uint8),              # always 4
        ("tricks", np.uint8),               # of a deal
        ("solos", np.uint8), ("failed_solo_star", np.uint8), ("trumps", np.uint8),
        ("south_dakota", np.uint8),         # the granding seat leads, and its side alone scores
        ("game", np.uint8),                 # deals follow one another until a side has `target`
    ],
    align=True,
)  # fmt: skip

LATER_DECKS = 15  # decks that can be given for the deals of a game after the first

STATE = np.dtype(
    [  # what every decision touches stands together at the front
        ("options", OPTIONS),
        ("decisions", np.uint32),
        ("phase", np.uint8), ("turn", np.uint8), ("leader", np.uint8), ("dealer", np.uint8),
        ("trump", np.int8),                 # the suit, -1 for none
        ("laid", np.uint8), ("seats", np.uint8),    # cards in this trick, and how many it will have
        ("lead", np.int8), ("best", np.int8),   # the card led, and the one that holds the trick; -1
        ("holder", np.uint8),               # the seat that holds the trick
        ("kind", np.uint8),                 # UNDECIDED, LOW or HIGH
        ("granded", np.int8),               # the seat that showed black; -1
        ("solo", np.uint8), ("soloist", np.int8), ("passes", np.uint8),     # solo bidding: passes since the last bid
        ("out", np.int8),                   # the seat that sits out; -1
        ("shown", np.uint8),                # seats that have shown their bid card
        ("over", np.uint8), ("truncated", np.uint8), ("size", np.uint8),
        ("tricks", np.uint8, (2,)),         # by side, of this deal
        ("number", np.uint16),              # deals of this episode before this one
        ("table", np.uint64),               # cards in this trick
        ("hand", np.uint64, (4,)),          # by seat
        ("known", np.uint64, (4,)),         # by seat: the publicly known part of the hand
        ("played", np.uint64, (4,)),        # by seat: cards played in this deal
        ("pair", np.uint64),                # cards publicly known to be with the soloist or the partner (MW-4)
        ("void", np.uint8, (4,)),           # by seat: suits that it is known not to hold, a bit set
        ("led", np.uint8, (4,)),            # by seat: suits that it has led in this deal, a bit set
        ("bid", np.int8, (4,)),             # by seat: the card set aside as its bid; -1
        ("gave", np.int8, (4,)), ("received", np.int8, (4,)),   # by seat: cards exchanged before sola nulla; -1
        ("rng", np.uint64),
        ("score", np.int32, (2,)),          # by side
        ("stars", np.uint16, (2,)),         # by side
        ("hidden", np.uint8, (4,)),         # by seat: cards of the hand that a concealed record does not show
        ("deck", np.uint8, (52,)),          # as it was dealt
        ("seed", np.uint64),
        ("given", np.uint8),                # decks given for later deals
        ("decks", np.uint8, (LATER_DECKS, 52)),
    ],
    align=True,
)  # fmt: skip

PLAN = np.dtype(
    [
        ("state", STATE),
        ("seat", np.uint8),                 # whose knowledge it is
        ("unseen", np.uint64),              # cards whose place is not known, apart from the loose ones
        ("loose", np.int8, (2,)),           # cards known to be with the soloist or the partner; -1
        ("suits", np.int8, (4,)),           # suits that some of the others are known not to hold; -1
        ("ways", np.float64, (5, 14, 14)),  # see `count_ways`
        ("cases", np.float64, (4,)),        # how likely the loose cards lie so or so, see `weigh_cases`
        ("counted", np.uint8),              # whether the last two are needed
    ],
    align=True,
)  # fmt: skip

SUIT = np.array([0x1FFF << (13 * s) for s in range(4)], dtype=np.uint64)
CLUBS, DIAMONDS, HEARTS, SPADES = range(4)
BID, SOLO, GIVE, TRUMP, PLAY = range(5)
UNDECIDED, LOW, HIGH = 0, 1, 2
NONE, SOLA, DIX = 0, 1, 2
PASS, BID_SOLA, BID_DIX, NAME, ACTIONS = 52, 53, 54, 55, 59


@compiled
def deal(s):
    """Begin an episode with its first deal."""
    s.decisions, s.over, s.truncated, s.number = 0, 0, 0, 0
    s.score[0] = s.score[1] = 0
    s.stars[0] = s.stars[1] = 0
    deal_hands(s)


@compiled
def deal_hands(s):
    for p in range(4):
        s.hand[p] = s.known[p] = s.played[p] = EMPTY
        s.hidden[p] = s.void[p] = s.led[p] = 0
        s.bid[p] = s.gave[p] = s.received[p] = -1
    for i in range(s.size):  # C-4
        s.hand[(s.dealer + 1 + i) & 3] |= bit(s.deck[i])
    s.pair = s.table = EMPTY
    s.tricks[0] = s.tricks[1] = 0
    s.trump = s.granded = s.soloist = s.out = s.lead = s.best = -1
    s.kind, s.solo, s.passes, s.shown, s.laid, s.seats = UNDECIDED, NONE, 0, 0, 0, 4
    s.phase = BID
    s.leader = s.holder = s.turn = (s.dealer + 1) & 3


@compiled
def actor(s):
    return s.turn


@compiled(forceinline=True)
def legal(s):
    if s.phase == PLAY:
        cards = s.hand[s.turn]
        if s.laid:
            following = cards & SUIT[s.lead // 13]
            return following if following else cards  # MW-8
        return cards
    return before_play(s)


@compiled
def before_play(s):
    """What may be done before the first trick."""
    if s.phase == SOLO:  # MW-3
        return bit(PASS) | bit(BID_DIX) | (bit(BID_SOLA) if s.solo == NONE else EMPTY)
    if s.phase == TRUMP:  # MW-7
        return bit(NAME) | bit(NAME + 1) | bit(NAME + 2) | bit(NAME + 3)
    return s.hand[s.turn]  # MW-1, MW-4


@compiled(forceinline=True)
def apply(s, action):
    s.decisions += 1
    if s.phase == PLAY:
        play(s, action)
    else:
        prepare_play(s, action)


@compiled
def prepare_play(s, action):
    """A decision before the first trick."""
    if s.phase == BID:
        s.bid[s.turn] = action
        if s.turn == s.dealer:
            show(s)
        else:
            s.turn = (s.turn + 1) & 3
    elif s.phase == SOLO:
        bid_solo(s, action)
    elif s.phase == GIVE:
        give(s, action)
    else:
        s.trump = action - NAME
        begin_play(s)


@compiled
def show(s):
    """MW-2: bid cards are turned until the first black one."""
    s.kind = LOW
    p = s.dealer
    for _ in range(4):
        p = (p + 1) & 3
        card = s.bid[p]
        s.known[p] |= bit(card)
        s.shown |= np.uint8(1) << p
        if card // 13 == CLUBS or card // 13 == SPADES:
            s.kind, s.granded = HIGH, p
            break
    s.turn = (s.dealer + 1) & 3
    if s.options.solos:
        s.phase = SOLO
    elif s.options.trumps and s.kind == HIGH:
        s.phase, s.turn = TRUMP, s.granded
    else:
        begin_play(s)


@compiled
def bid_solo(s, action):
    """MW-3."""
    if action == PASS:
        s.passes += 1
        if s.solo == NONE and s.passes == 4:
            begin_play(s)
            return
        if s.solo == SOLA and s.passes == 3:
            s.phase, s.turn, s.passes = GIVE, s.soloist, 0
            return
    else:
        s.soloist, s.passes = s.turn, 0
        s.solo = SOLA if action == BID_SOLA else DIX
        if s.solo == DIX:
            begin_play(s)
            return
    s.turn = (s.turn + 1) & 3


@compiled
def give(s, action):
    """MW-4: soloist and partner exchange a card."""
    b = s.soloist
    partner = (b + 2) & 3
    s.gave[s.turn] = action
    if s.turn == b:
        s.turn = partner
        return
    one, other = s.gave[b], s.gave[partner]
    s.hand[b] = (s.hand[b] & ~bit(one)) | bit(other)
    s.hand[partner] = (s.hand[partner] & ~bit(other)) | bit(one)
    s.received[b], s.received[partner] = other, one
    s.pair = s.known[b] | s.known[partner]
    s.known[b] = s.known[partner] = EMPTY
    s.out, s.seats = partner, 3
    begin_play(s)


@compiled
def begin_play(s):
    """MW-8: who leads to the first trick."""
    s.phase, s.passes = PLAY, 0
    if s.solo == SOLA:
        leader = s.soloist + 3  # MW-4: on the soloist's right
    elif s.solo == DIX:
        leader = s.soloist + 2  # MW-5: the partner
    elif s.kind == LOW:
        leader = s.dealer + 1
    else:
        leader = s.granded + (0 if s.options.south_dakota else 3)
    begin_trick(s, leader & 3)


@compiled(forceinline=True)
def begin_trick(s, leader):
    s.leader = s.turn = s.holder = leader
    s.table = EMPTY
    s.laid = 0
    s.lead = s.best = -1


@compiled(forceinline=True)
def play(s, card):
    """MW-8: a card on the table."""
    seat, suit = np.int64(s.turn), card // 13
    s.hand[seat] &= ~bit(card)
    s.known[seat] &= ~bit(card)
    s.played[seat] |= bit(card)
    s.table |= bit(card)
    s.pair &= ~bit(card)
    laid = np.int64(s.laid) + 1
    s.laid = laid
    if laid == 1:
        s.lead = s.best = card
        s.led[seat] |= np.uint8(1) << suit
    else:
        led, of_best = s.lead // 13, s.best // 13
        beats = ((suit == of_best) & (card > s.best)) | ((suit == s.trump) & (suit != of_best))
        s.best += (card - s.best) * beats  # no branches, which could only be guessed
        s.holder += (seat - s.holder) * beats
        s.void[seat] |= np.uint8(suit != led) << led
    if laid == s.seats:
        end_trick(s)
    else:
        seat = (seat + 1) & 3
        s.turn = (seat + 1) & 3 if seat == s.out else seat


@compiled
def end_trick(s):
    winner = s.holder
    s.tricks[winner & 1] += 1
    begin_trick(s, winner)
    if s.solo != NONE:
        judge_solo(s, winner)
    elif s.hand[winner] == EMPTY:
        score_tricks(s)
        end_deal(s)


@compiled
def judge_solo(s, winner):
    """MW-6: a solo ends as soon as it is decided; MW-12."""
    b = s.soloist
    side, partner = b & 1, (b + 2) & 3
    mine = winner == b
    if s.solo == SOLA:
        failed, made = mine, not mine and s.tricks[0] + s.tricks[1] == s.options.tricks
    else:
        failed, made = not mine, mine and s.tricks[side] == s.options.tricks // 2 + 1
        s.out, s.seats = partner, 3  # MW-5: after the first trick
    if made:
        s.stars[side] += 1
    elif failed and s.options.failed_solo_star:
        s.stars[1 - side] += 1
    if made or failed:
        end_deal(s)


@compiled
def score_tricks(s):
    """MW-9, MW-10, MW-11, MW-R."""
    half = np.int64(s.options.tricks) // 2
    granders = s.granded & 1
    if s.kind == HIGH and s.options.south_dakota:
        tricks = np.int64(s.tricks[granders])
        s.score[granders] += tricks - half if tricks > half else tricks - half - 1
        return
    for side in range(2):
        more = np.int64(s.tricks[side]) - half
        if more > 0:
            if s.kind == LOW:
                s.score[side] -= more
            else:
                s.score[side] += more * np.int64(s.options.grand_points if side == granders else s.options.defence_points)


@compiled
def end_deal(s):
    """MW-13 in games."""
    if not s.options.game:
        s.over = 1
        return
    target = np.int64(s.options.target)
    if s.score[0] >= target or s.score[1] >= target:
        s.over = 1
    elif s.number + 1 >= s.options.max_deals:
        s.over = s.truncated = 1
    else:
        s.number += 1
        s.dealer = (s.dealer + 1) & 3
        next_deck(s, s.number)
        deal_hands(s)


@compiled
def over(s):
    return s.over != 0


@compiled
def truncated(s):
    return s.truncated != 0


@compiled
def returns(s, out):
    """MW-P."""
    if not s.over or s.truncated:
        ahead = 0.0
    elif s.options.game:
        winners = 0 if s.score[0] > s.score[1] else 1
        ahead = 1.0 + (np.float64(s.stars[winners]) if s.options.solos else 0.0)
        ahead = -ahead if winners else ahead
    else:
        ahead = np.float64(s.score[0] - s.score[1]) + s.options.star_value * (np.float64(s.stars[0]) - np.float64(s.stars[1]))
    for p in range(4):
        out[p] = -ahead if p & 1 else ahead
