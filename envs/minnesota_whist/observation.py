"""What a seat knows in Minnesota Whist: the observation words, and the concealed record (C-7). Worlds: `worlds.py`."""

import numpy as np

from tromf.envs.jit import EMPTY, bit, compiled, popcount, thermometer
from tromf.envs.minnesota_whist.rules import BID, HIGH, NONE, PLAY, UNDECIDED
from tromf.envs.words import Row

# Names and widths of the parts of the words that hold several things, lowest bit first. 'relative' means clockwise from the
# observing seat, bit 0 itself.
OPTION_BITS = {
    "grand points": 10,
    "defence points": 10,
    "target": 14,
    "max deals": 14,
    "solos": 1,
    "failed solo star": 1,
    "trumps": 1,
    "south dakota": 1,
    "game": 1,
}
MORE_BITS = {"out of the pack": 52, "star value": 12}
ROLE_BITS = {
    "leader": 4,
    "holder": 4,
    "dealer": 4,
    "phase": 5,
    "bids made": 4,
    "low or high": 2,
    "granded": 4,
    "solo": 2,
    "soloist": 4,
    "passes": 4,
    "sits out": 4,
    "trumps": 4,
    "suit led": 4,
    "cards laid": 4,
}
COUNT_BITS = {"no cards of a suit": 16, "sizes of hands": 16, "tricks, own side": 13, "tricks, other side": 13}
SCORE_BITS = {"score, own side": 24, "score, other side": 24}
STAR_BITS = {"stars, own side": 14, "stars, other side": 14, "deals left": 14}
MISSING = 30  # points on each thermometer

_WHOSE = ("own seat", "seat 1 to the left", "seat opposite", "seat 3 to the left")
ROWS = (
    Row("hand", 52, "cards of the own hand"),
    *(Row(f"known, {k} to the left", 52, f"cards known to the own seat to be in the hand of the seat {k} to the left") for k in (1, 2, 3)),
    *(Row(f"played, {k} to the left", 52, f"cards that the {_WHOSE[k]} has played in this deal") for k in range(4)),
    Row("known, own hand", 52, "cards of the own hand that everybody knows to be there"),
    Row("pair", 52, "bid cards publicly known to be with the player of sola nulla or the partner, nobody else knowing with which"),
    Row("pair, own bid", 52, "the one among these that the player of sola nulla showed"),
    Row("trick", 52, "cards in this trick"),
    Row("holds the trick", 52, "the card that holds the trick"),
    Row("own bid", 52, "the own bid card, until it is played"),
    Row("given", 52, "the card given to the partner before sola nulla, until it is played"),
    Row("received", 52, "the card received from the partner before sola nulla, until it is played"),
    Row(
        "roles",
        sum(ROLE_BITS.values()),
        "leader once play begins, holder of the trick once a card is laid, dealer (relative, four bits each); phase (bid, solo, give, "
        "trump, play); seats that have bid (relative); low, high; who granded (relative); sola, dix; who plays it (relative); passes since "
        "the last solo bid, a thermometer; who sits out (relative); trumps; suit led (C, D, H, S); cards laid, a thermometer",
    ),
    Row(
        "voids and counts",
        sum(COUNT_BITS.values()),
        "suits that the seats 0 … 3 to the left are known not to hold, four bits each; sizes of their hands, four binary digits each; "
        "tricks of the own and the other side, thermometers",
    ),
    Row("scores", sum(SCORE_BITS.values()), "score of the own and the other side, 24 binary digits each, two's complement"),
    Row(
        "stars and deals",
        sum(STAR_BITS.values()),
        "stars of the own and the other side, and in a game the deals that may follow this one, 14 binary digits each",
    ),
    Row(
        "missing",
        2 * MISSING,
        f"in a game: points that the own and the other side lack to the target, thermometers of {MISSING} bits, full from {MISSING} on",
    ),
    Row(
        "options",
        sum(OPTION_BITS.values()),
        "grand and defence points, 10 binary digits each; target and most deals of a game, 14 each; solos; a failed solo gives a star; "
        "trumps; south-dakota; game",
    ),
    Row(
        "more options", sum(MORE_BITS.values()), "cards that are not in the pack; value of a star, 12 binary digits, in quarters of a point"
    ),
)


@compiled(forceinline=True)
def observe(s, seat, words):
    own = np.int64(seat) & 1
    voids = sizes = EMPTY
    for k in range(4):
        p = (np.int64(seat) + k) & 3
        words[k] = s.hand[seat] if k == 0 else known_to(s, seat, p)
        words[4 + k] = s.played[p]
        voids |= np.uint64(s.void[p]) << np.uint64(4 * k)
        sizes |= (popcount(s.hand[p]) + np.uint64(s.hidden[p])) << np.uint64(4 * k)
    words[8] = s.known[seat]
    words[9] = s.pair
    words[10] = s.pair & bit(s.bid[s.soloist]) if s.pair and (s.shown >> s.soloist) & 1 else EMPTY
    words[11] = s.table
    words[12] = bit(s.best) if s.laid else EMPTY
    words[13] = unplayed(s, s.bid[seat])
    words[14] = unplayed(s, s.gave[seat])
    words[15] = unplayed(s, s.received[seat])
    words[16] = roles(s, seat)
    words[17] = (
        voids | sizes << np.uint64(16) | thermometer(s.tricks[own]) << np.uint64(32) | thermometer(s.tricks[1 - own]) << np.uint64(45)
    )
    words[18] = (np.uint64(s.score[own]) & np.uint64(0xFFFFFF)) | (np.uint64(s.score[1 - own]) & np.uint64(0xFFFFFF)) << np.uint64(24)
    words[19] = np.uint64(s.stars[own]) | np.uint64(s.stars[1 - own]) << np.uint64(14)
    words[20] = EMPTY
    if s.options.game:
        words[19] |= np.uint64(s.options.max_deals - 1 - s.number) << np.uint64(28)
        words[20] = missing(s, own) | missing(s, 1 - own) << np.uint64(MISSING)
    words[21] = s.options.word
    words[22] = s.options.more


@compiled
def known_to(s, seat, other):
    """Cards that a seat knows to be in another's hand: what is public, and in sola nulla what it gave or can tell from its own hand."""
    cards = s.known[other]
    if other == (seat + 2) & 3:
        if s.gave[seat] >= 0 and s.received[seat] >= 0:
            cards |= bit(s.gave[seat])
        if seat == s.soloist or other == s.soloist:
            cards |= s.pair
    return cards & s.hand[other]


@compiled
def unplayed(s, card):
    """The set of a card, empty for -1 and once it is played."""
    if card < 0:
        return EMPTY
    return bit(card) & ~(s.played[0] | s.played[1] | s.played[2] | s.played[3])


@compiled
def one_of_four(seat, of):
    """Where a seat stands, relative: one bit of four, none for -1."""
    return EMPTY if of < 0 else bit((np.int64(of) - np.int64(seat)) & 3)


@compiled(forceinline=True)
def roles(s, seat):
    """The word described by `ROLE_BITS`."""
    word = one_of_four(seat, s.dealer) << np.uint64(8) | bit(12 + s.phase)
    if s.phase == PLAY:
        word |= one_of_four(seat, s.leader)
    if s.laid:
        word |= one_of_four(seat, s.holder) << np.uint64(4) | bit(45 + s.lead // 13)
    word |= bids_made(s, seat) << np.uint64(17)
    if s.kind != UNDECIDED:
        word |= bit(22 if s.kind == HIGH else 21)
    word |= one_of_four(seat, s.granded) << np.uint64(23)
    if s.solo != NONE:
        word |= bit(26 + s.solo)
    word |= one_of_four(seat, s.soloist) << np.uint64(29) | thermometer(s.passes) << np.uint64(33)
    word |= one_of_four(seat, s.out) << np.uint64(37)
    if s.trump >= 0:
        word |= bit(41 + s.trump)
    return word | thermometer(s.laid) << np.uint64(49)


@compiled
def bids_made(s, seat):
    """The seats that have set aside a bid card, relative, four bits."""
    if s.phase != BID:
        return np.uint64(15)
    made = EMPTY
    p = (np.int64(s.dealer) + 1) & 3
    while p != s.turn:
        made |= one_of_four(seat, p)
        p = (p + 1) & 3
    return made


@compiled
def missing(s, side):
    """The thermometer of the points that a side lacks to the target of a game."""
    return thermometer(min(max(np.int64(s.options.target) - np.int64(s.score[side]), 0), MISSING))


@compiled
def conceal(s, seat):
    """Blank what the seat does not know. Hands of others keep the cards it knows there; `hidden` counts the others."""
    for p in range(4):
        if p != seat:
            cards = known_to(s, seat, p)
            s.hidden[p] += np.uint8(popcount(s.hand[p] & ~cards))
            s.hand[p] = cards
    for p in range(4):
        if p != seat:
            if s.phase == BID or not (s.shown >> p) & 1:
                s.bid[p] = -1
            s.gave[p] = s.received[p] = -1
    for i in range(52):
        s.deck[i] = 255
        for k in range(s.given):
            s.decks[k, i] = 255
    s.given = 0
    s.rng = s.seed = EMPTY
