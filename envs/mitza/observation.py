"""What a seat knows in Mîța and 101: observation words, concealed records, and worlds drawn from what is known (C-7)."""

import numpy as np

from tromf.envs.jit import EMPTY, ONE, assign, bit, compiled, draw_below, draw_uint, draw_unit, lowest, popcount, thermometer
from tromf.envs.mitza.rules import ACTIONS, EXCHANGE, PLAY, SUIT, seven_of_trumps
from tromf.envs.symmetry import Symmetry
from tromf.envs.words import Row, to_the_left

# Names and widths of the parts of the words that hold several things, lowest bit first. 'relative' means clockwise from the
# observing seat, bit 0 itself.
OPTION_BITS = {
    "out of the pack": 32,
    "players": 3,
    "scoring": 1,
    "exchange": 1,
    "tromf": 1,
    "check stock": 1,
    "match": 1,
    "target": 20,
}
ROLE_BITS = {
    "leader": 6,
    "holder": 6,
    "dealer": 6,
    "phase": 3,
    "trumps": 4,
    "suit led": 4,
    "tromf cried": 1,
    "no trumps": 6,
    "kept": 1,
    "cards laid": 5,
    "sizes of hands": 18,
}
COUNT_BITS = {"stock": 26, "tricks, own side": 5, "tricks, other side": 5, "points, own side": 7, "points, other side": 7}
SCORE_BITS = {"score, own side": 21, "score, other side": 21}
STEP, STEPS = 2, 60  # of the thermometers of points missing

ROWS = (
    Row("own cards", 64, "cards of the own hand (32 bits), and cards that the own seat has played in this deal (32)"),
    *(
        Row(
            f"{k} to the left", 64, f"cards publicly known to be in the hand of the seat {k} to the left (32), and cards it has played (32)"
        )
        for k in range(1, 6)
    ),
    Row("won", 64, "cards won in this deal by the own side (32) and by the other side (32)"),
    Row("trick", 64, "cards in this trick (32), and the one that holds it (32)"),
    Row("face up", 64, "the card face up under the stock (32), and cards of the own hand that everybody knows to be there (32)"),
    Row(
        "roles",
        sum(ROLE_BITS.values()),
        "leader, holder of the trick once a card is laid, dealer (relative, six bits each); phase (play, cry, exchange, the last for the "
        "seat that is asked only); trumps and suit led (C, D, H, S); tromf cried in this trick; seats known to hold no trump (relative); "
        "whether the own seat was asked, has kept the seven of trumps and still holds it; cards laid, a thermometer; sizes of the hands "
        "0 … 5 to the left, a thermometer of three bits each",
    ),
    Row(
        "stock, tricks and points",
        sum(COUNT_BITS.values()),
        "size of the stock, a thermometer; tricks of the own and the other side, five binary digits each, and their points, seven each, in "
        "this deal",
    ),
    Row("scores", sum(SCORE_BITS.values()), "points of the own and the other side in the finished deals of a match, 21 binary digits each"),
    *(
        Row(
            f"missing, {whose} side",
            STEPS,
            f"in a match: points that the {whose} side still lacks to the target, those of this deal counted, a thermometer with a bit for "
            f"every {STEP} points, full from {STEP * STEPS - 1} on",
        )
        for whose in ("own", "other")
    ),
    Row(
        "options",
        sum(OPTION_BITS.values()),
        "cards that are not in the pack; players (2, 4, 6); points scoring; exchange; tromf; check stock; match; its target, 20 binary "
        "digits",
    ),
)

_HIGH = np.uint64(32)


def symmetry() -> Symmetry:
    """Suits can be renamed: with trumps t, suit s becomes s XOR t, so that clubs are always trumps."""
    starts = np.cumsum([0, *(row.width for row in ROWS)])
    bits = np.tile(np.arange(starts[-1]), (4, 1))
    actions = np.tile(np.arange(ACTIONS), (4, 1))
    roles, options = (next(k for k, row in enumerate(ROWS) if row.name == name) for name in ("roles", "options"))
    suits = [starts[roles] + _offset(ROLE_BITS, name) for name in ("trumps", "suit led")]
    sets = [starts[word] + half for word in range(roles) for half in (0, 32)] + [starts[options] + _offset(OPTION_BITS, "out of the pack")]
    for trump in range(4):
        for first in suits:
            bits[trump, first : first + 4] = first + (np.arange(4) ^ trump)
        cards = np.arange(32) ^ trump << 3
        for first in sets:
            bits[trump, first : first + 32] = first + cards
        actions[trump, :32] = cards
    return Symmetry(roles, _offset(ROLE_BITS, "trumps"), 4, bits, actions)


def _offset(layout: dict[str, int], name: str) -> int:
    """The lowest bit of a part of a word."""
    return sum(list(layout.values())[: list(layout).index(name)])


THIRDS = np.array([sum(1 << 3 * k for k in range(6) if seats >> k & 1) for seats in range(64)], np.uint64)  # bit 3k for every bit k


@compiled(forceinline=True)
def observe(s, seat, words):
    players, own = np.int64(s.options.players), np.int64(seat) & 1
    words[0] = s.hand[seat] | s.played[seat] << _HIGH
    p = np.int64(seat)
    for k in range(1, players):
        p = p + 1 if p + 1 < players else np.int64(0)
        words[k] = s.known[p] | s.played[p] << _HIGH
    for k in range(players, 6):
        words[k] = EMPTY
    left = np.int64(s.stock_size) - np.int64(s.top)
    words[6] = s.won[own] | s.won[1 - own] << _HIGH
    words[7] = s.table | (bit(s.best) << _HIGH if s.laid else EMPTY)
    words[8] = (bit(s.stock[s.stock_size - 1]) if left else EMPTY) | s.known[seat] << _HIGH
    words[9] = roles(s, seat, players)
    words[10] = (
        thermometer(left)
        | np.uint64(s.tricks[own]) << np.uint64(26)
        | np.uint64(s.tricks[1 - own]) << np.uint64(31)
        | np.uint64(s.points[own]) << np.uint64(36)
        | np.uint64(s.points[1 - own]) << np.uint64(43)
    )
    words[11] = np.uint64(s.score[own]) | np.uint64(s.score[1 - own]) << np.uint64(21)
    words[12] = missing(s, own) if s.options.match else EMPTY
    words[13] = missing(s, 1 - own) if s.options.match else EMPTY
    words[14] = s.options.word


@compiled(forceinline=True)
def roles(s, seat, players):
    """The word described by `ROLE_BITS`."""
    led_by = to_the_left(s.leader, seat, players)
    word = bit(led_by) | bit(12 + to_the_left(s.dealer, seat, players)) | bit(21 + s.trump)
    if s.laid:
        word |= bit(6 + to_the_left(s.holder, seat, players)) | bit(25 + s.lead // 8)
    secret = s.phase == EXCHANGE and s.turn != seat  # MZ-3
    word |= bit(18 + (PLAY if secret else s.phase)) | np.uint64(s.called) << np.uint64(29)
    word |= turned_round(np.uint64(s.lacks), players - np.int64(seat), players) << np.uint64(30)
    if s.keeper == np.int64(seat) and s.hand[seat] & seven_of_trumps(s):
        word |= bit(36)
    return word | thermometer(s.laid) << np.uint64(37) | sizes(s, seat, led_by, players) << np.uint64(42)


@compiled(forceinline=True)
def turned_round(seats, by, players):
    """A set of seats, each so many places further on."""
    return (seats << np.uint64(by) | seats >> np.uint64(players - by)) & thermometer(players)


@compiled(forceinline=True)
def sizes(s, seat, led_by, players):
    """The sizes of all hands, relative, thermometers of three bits each, without looking at them: all seats hold as many cards, those
    that have laid to this trick one fewer."""
    laid = turned_round(thermometer(s.laid), led_by, players)
    before = popcount(s.hand[seat]) + (laid & ONE)
    return thermometer(before) * THIRDS[(1 << players) - 1] - ((THIRDS[laid] << before) >> ONE)


@compiled
def missing(s, side):
    """The thermometer of the points that a side lacks."""
    lacking = np.int64(s.options.target) - np.int64(s.score[side]) - np.int64(0 if s.over else s.points[side])
    steps = (lacking + STEP - 1) // STEP if lacking > 0 else 0
    return thermometer(min(steps, STEPS))


@compiled
def conceal(s, seat):
    """Blank what the seat does not know. Hands of others keep their known cards; `hidden` counts the others.

    Whether a seat was asked about the seven of trumps is a secret (MZ-3), so that decision is not counted, even for the seat itself.
    """
    for p in range(s.options.players):
        if p != seat:
            s.hidden[p] += np.uint8(popcount(s.hand[p] & ~s.known[p]))
            s.hand[p] = s.known[p]
    for i in range(32):
        if i != s.stock_size - 1:
            s.stock[i] = 255
        s.deck[i] = 255
        for k in range(s.given):
            s.decks[k, i] = 255
    s.given = 0
    if s.phase == EXCHANGE and s.turn != seat:
        s.phase, s.turn = PLAY, s.leader
    if s.keeper != seat or not s.hand[seat] & seven_of_trumps(s):
        s.keeper = -1
    s.decisions -= s.kept
    s.kept = 0
    s.rng = s.seed = EMPTY


@compiled
def prepare(concealed, seat, plan):
    """List the cards whose place the seat does not know, trumps first, and weigh the places of the seven of trumps."""
    s = concealed
    plan.state = s
    held, unknown = EMPTY, 0
    for p in range(s.options.players):
        held |= s.hand[p] | s.played[p]
        plan.free[p] = 0 if (s.lacks >> p) & 1 else s.hidden[p]  # places where a trump may be
    if s.top < s.stock_size:
        held |= bit(s.stock[s.stock_size - 1])
        unknown = s.stock_size - 1 - s.top
    unseen = s.options.pack & ~held
    plan.unknown, plan.count, plan.trumps = unknown, popcount(unseen), popcount(unseen & SUIT[s.trump])
    i = 0
    for cards in (unseen & SUIT[s.trump], unseen & ~SUIT[s.trump]):
        while cards:
            plan.unseen[i] = lowest(cards)
            cards &= cards - ONE
            i += 1
    plan.weighed = s.options.exchange and s.exchanged < 0 and (unseen & seven_of_trumps(s)) != EMPTY
    if plan.weighed:
        weigh_seven(plan)


@compiled
def weigh_seven(plan):
    """How likely the seven of trumps is in each hand and in the stock, when nobody has exchanged it (MZ-3).

    A seat to which it was dealt has kept it, for which the chance was one half; one that drew it was not asked. Every card that a seat
    plays may be any of the three it holds, so an unknown card of a hand was dealt, not drawn, with chance (2/3)^k after k draws.
    """
    s = plan.state
    bottom = bit(s.stock[s.stock_size - 1])
    for p in range(s.options.players):
        draws = np.int64(s.top) // np.int64(s.options.players)
        if s.top == s.stock_size and (s.known[p] | s.hand[p] | s.played[p]) & bottom:
            draws -= 1  # that card is known
        plan.weights[p] = plan.free[p] * (1.0 - 0.5 * (2.0 / 3.0) ** draws)


@compiled
def resample(plan, world, rng):
    """Deal the unseen cards to the places whose cards the seat does not know, uniformly among the deals that agree with what it knows
    and in proportion to the chance of what was kept secret. Exact, but that a checked stock (MZ-2) counts as a plain one."""
    assign(world, plan.state)
    left = np.empty(32, np.uint8)
    count, first = plan.count, 0
    for i in range(count):
        left[i] = plan.unseen[i]
    if plan.weighed:  # it is the lowest trump and stands first
        place_seven(plan, world, rng)
        first = 1
    if world.lacks:  # then the stock is empty
        for i in range(first, plan.trumps):
            place_trump(plan, world, left[i], rng)
        first = plan.trumps
    for p in range(world.options.players):
        for _ in range(world.hidden[p]):
            count = take_random(left, first, count, rng)
            world.hand[p] |= bit(left[count])
        world.hidden[p] = 0
    for i in range(world.top, world.stock_size - 1):
        if world.stock[i] == 255:
            count = take_random(left, first, count, rng)
            world.stock[i] = left[count]
    world.rng, world.seed = draw_uint(rng), draw_uint(rng)


@compiled
def take_random(left, first, count, rng):
    """Move a random one of the cards from `first` to `count` to the end; the new count."""
    k = first + np.int64(draw_below(rng, count - first))
    left[k], left[count - 1] = left[count - 1], left[k]
    return count - 1


@compiled
def place_seven(plan, world, rng):
    """Put the seven of trumps into a hand or into the stock; a seat that would hold it since the deal has kept it, and knows that."""
    total = np.float64(plan.unknown)
    for p in range(world.options.players):
        total += plan.weights[p]
    u = draw_unit(rng) * total - plan.unknown
    if u < 0:
        world.stock[world.top + draw_below(rng, plan.unknown)] = 8 * world.trump
        return
    chosen = 0
    for p in range(np.int64(world.options.players)):
        if plan.weights[p] > 0 and u >= 0:
            chosen = p
            u -= plan.weights[p]
    world.hand[chosen] |= seven_of_trumps(world)
    world.hidden[chosen] -= 1
    weight = plan.weights[chosen] / plan.free[chosen]
    if draw_unit(rng) * weight < 1.0 - weight:  # dealt and kept: what one half was taken off for
        world.keeper = chosen


@compiled
def place_trump(plan, world, card, rng):
    """Put a trump into the hand of a seat that is not known to lack trumps."""
    free = 0
    for p in range(world.options.players):
        free += 0 if (world.lacks >> p) & 1 else world.hidden[p]
    k = np.int64(draw_below(rng, free))
    for p in range(world.options.players):
        if (world.lacks >> p) & 1 == 0:
            if 0 <= k < world.hidden[p]:
                world.hand[p] |= bit(card)
                world.hidden[p] -= 1
                return
            k -= world.hidden[p]
