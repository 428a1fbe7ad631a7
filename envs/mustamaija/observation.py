"""What a seat knows in Mustamaija: observation words, concealed records, and worlds drawn from what is known (C-7)."""

import numpy as np

from tromf.envs.jit import EMPTY, ONE, assign, bit, compiled, draw_below, draw_uint, draw_unit, highest, lowest, popcount, thermometer
from tromf.envs.mustamaija.rules import KING, NO_LIMIT, SUIT, hidden_cards
from tromf.envs.words import Row, to_the_left

# Names and widths of the parts of the words that hold several things, lowest bit first. 'relative' means clockwise from the
# observing seat, bit 0 itself.
OPTION_BITS = {
    "players": 7,
    "hand size": 8,
    "trump": 3,
    "either": 1,
    "attack limit": 13,
    "follow up": 1,
    "misplay penalty": 1,
    "scoring": 3,
    "slap probability": 10,
}
ROLE_BITS = {
    "attacker": 8,
    "defender": 8,
    "dealer": 8,
    "declarer": 8,
    "phase": 5,
    "trumps": 4,
    "lacks king": 1,
    "last rank": 13,
    "no limit": 1,
    "limit": 6,
}

ROWS = (
    Row("hand", 52, "cards of the own hand"),
    Row("attack", 52, "cards laid in this combat, whatever has become of them"),
    Row("unanswered", 52, "cards of the attack neither beaten nor taken yet"),
    Row("taken", 52, "cards of the attack answered with `take`"),
    Row("beating", 52, "cards with which the defender has beaten in this combat"),
    Row("gone", 52, "cards that have left the game or, with a reduced pack, never were in it"),
    Row("seen in stock", 52, "cards publicly known to lie in the stock: turned spades, the trump card"),
    Row("depths seen", 52, "where in the stock those cards lie: bit d for the card under d others"),
    Row("spades passed over", 52, "bit d: the card under d others in the stock is a spade that was passed over unseen (MM-T3)"),
    Row(
        "order of turned spades",
        52,
        "four bits a spade, 2 to A: its number among the spades turned up that still lie in the stock, the one turned first 1",
    ),
    Row("known, own hand", 52, "cards of the own hand that everybody knows to be there"),
    *(Row(f"known, {k} to the left", 52, f"cards publicly known to be in the hand of the seat {k} to the left") for k in range(1, 8)),
    Row("few cards", 63, "sizes of the hands 1 … 7 to the left, a thermometer of nine bits each"),
    Row("sizes of hands", 48, "sizes of the hands 0 … 7 to the left, six binary digits each"),
    Row("stock", 52, "size of the stock, a thermometer"),
    Row(
        "roles",
        sum(ROLE_BITS.values()),
        "attacker, defender, dealer, declarer (relative, eight bits each); phase (attack, keep, return, follow up, defend); trumps (none, "
        "C, D, H); whether the declarer is known to hold no king of trumps; rank of the card laid or returned last in this phase; attack "
        "without limit; limit of the attack, binary",
    ),
    Row(
        "suit and places",
        36,
        "suit of the card laid or returned last in this phase; order of going out of the seats 0 … 7 to the left, four binary digits each, "
        "0 while in",
    ),
    Row(
        "decisions left",
        63,
        "before the episode is cut off: 31 binary digits; then their number of digits, a thermometer of 32 bits",
    ),
    Row(
        "options",
        sum(OPTION_BITS.values()),
        "players (2 … 8); hand size, a thermometer; trump (turned, diamonds, declared); declare with either; attack limit, a thermometer; "
        "follow up; misplay penalty; scoring (loser, placing, winner); slap probability, binary in 1/1023",
    ),
)


@compiled(forceinline=True)
def observe(s, seat, words):
    players = np.int64(s.options.players)
    words[0] = s.hand[seat]
    words[1] = s.attack
    words[2] = s.attack & ~s.beaten & ~s.taken
    words[3] = s.taken
    words[4] = s.beating
    words[5] = s.gone | ~s.options.pack & np.uint64(0xFFFFFFFFFFFFF)
    words[6] = s.seen
    words[7] = s.seen_at >> np.uint64(s.top)
    words[8] = s.passed_at >> np.uint64(s.top)
    words[9] = order_of_turned(s) if s.seen & SUIT[3] else EMPTY
    words[10] = s.known[seat]
    sizes = popcount(s.hand[seat]) + np.uint64(s.hidden[seat])
    few = EMPTY
    p = np.int64(seat)
    for k in range(1, players):
        p = p + 1 if p + 1 < players else np.int64(0)
        size = popcount(s.hand[p]) + np.uint64(s.hidden[p])
        sizes |= size << np.uint64(6 * k)
        few |= (np.uint64(0x1FF) >> (np.uint64(9) - min(size, np.uint64(9)))) << np.uint64(9 * (k - 1))
        words[10 + k] = s.known[p]
    for k in range(players, 8):
        words[10 + k] = EMPTY
    words[18] = few
    words[19] = sizes
    words[20] = thermometer(s.size - s.top)
    words[21] = roles(s, seat, players)
    words[22] = np.uint64(s.last >= 0) << np.uint64((np.int64(s.last) if s.last >= 0 else 0) // 13) | (
        places(s, seat, players) if s.out else EMPTY
    )
    left = np.uint64(s.options.max_decisions - s.decisions)
    digits = ~EMPTY >> np.uint64(63 - highest(left)) if left else EMPTY
    words[23] = left | digits << np.uint64(31)
    words[24] = s.options.word


@compiled(forceinline=True)
def roles(s, seat, players):
    """The word described by `ROLE_BITS`, without branches on what changes at every decision."""
    attacker, defender, dealer = (
        to_the_left(s.attacker, seat, players),
        to_the_left(s.defender, seat, players),
        to_the_left(s.dealer, seat, players),
    )
    word = bit(attacker) | bit(8 + defender) | bit(16 + dealer) | bit(32 + s.phase) | bit(37 + s.trump + 1)
    word |= np.uint64(s.last >= 0) << np.uint64(42 + (np.int64(s.last) if s.last >= 0 else 0) % 13)
    if s.declarer >= 0:
        word |= bit(24 + to_the_left(s.declarer, seat, players))
        if s.lacks_king and s.old[hidden_cards(s, s.declarer)] == 1.0:  # all its unknown cards are old
            word |= bit(41)
    unlimited = s.limit == NO_LIMIT
    return word | np.uint64(unlimited) << np.uint64(55) | np.uint64(0 if unlimited else s.limit) << np.uint64(56)


@compiled
def places(s, seat, players):
    """The order of going out, as in the row 'suit and places'."""
    word = EMPTY
    for p in range(players):
        word |= np.uint64(s.place[p]) << np.uint64(4 + 4 * to_the_left(p, seat, players))
    return word


@compiled
def order_of_turned(s):
    """Four bits for each turned spade still in the stock: its number among them."""
    drawn = 0
    for rank in range(13):
        if (s.turned >> np.uint64(4 * rank)) & np.uint64(15) and not s.seen & bit(39 + rank):
            drawn += 1
    order = EMPTY
    for rank in range(13):
        if s.seen & bit(39 + rank):
            order |= (((s.turned >> np.uint64(4 * rank)) & np.uint64(15)) - np.uint64(drawn)) << np.uint64(4 * rank)
    return order


@compiled
def conceal(s, seat):
    """Blank what the seat does not know. Hands of others keep their known cards; `hidden` counts the others."""
    for p in range(s.options.players):
        if p != seat:
            s.hidden[p] += np.uint8(popcount(s.hand[p] & ~s.known[p]))
            s.hand[p] = s.known[p]
    for i in range(52):
        if not s.seen_at & bit(i):
            s.deck[i] = 255
    s.rng = s.seed = EMPTY


@compiled
def prepare(concealed, seat, plan):
    """List the cards whose place the seat does not know, spades first."""
    s = concealed
    plan.state = s
    held = s.attack | s.beating | s.gone | s.seen
    for p in range(s.options.players):
        held |= s.hand[p]
    unseen = s.options.pack & ~held
    spades = unseen & SUIT[3]
    plan.spades, plan.count = popcount(spades), popcount(unseen)
    i = 0
    for cards in (spades, unseen & ~spades):
        while cards:
            plan.unseen[i] = lowest(cards)
            cards &= cards - ONE
            i += 1


@compiled
def resample(plan, world, rng):
    """Deal the unseen cards to the places whose cards the seat does not know, uniformly among the deals that agree with what
    it knows: where passed-over spades lie, and the king that a declarer has shown not to hold. Exact, but that the places of
    passed-over spades (MM-T3) count only while these lie in the stock."""
    assign(world, plan.state)
    cards = plan.unseen
    count, spades = np.int64(plan.count), np.int64(plan.spades)
    left = np.empty(52, np.uint8)
    for i in range(count):
        left[i] = cards[i]
    passed = world.passed_at
    while passed:  # spades stand first in the list, and the list stays that way
        index = lowest(passed)
        passed &= passed - ONE
        k = draw_below(rng, spades)
        world.deck[index] = left[k]
        spades, count = spades - 1, count - 1
        left[k] = left[spades]
        left[spades] = left[count]
    if world.lacks_king and world.hidden[world.declarer]:  # otherwise the seat sees all of that hand
        count = place_king(world, left, count, rng)
    for p in range(world.options.players):
        for _ in range(world.hidden[p]):
            count = take_random(left, count, rng)
            world.hand[p] |= bit(left[count])
        world.hidden[p] = 0
    for i in range(world.top, world.size):
        if world.deck[i] == 255:
            count = take_random(left, count, rng)
            world.deck[i] = left[count]
    world.rng, world.seed = draw_uint(rng), draw_uint(rng)


@compiled
def take_random(left, count, rng):
    """Move a random one of the first `count` cards to the end; the new count."""
    k = draw_below(rng, count)
    left[k], left[count - 1] = left[count - 1], left[k]
    return count - 1


@compiled
def place_king(world, left, count, rng):
    """Decide whether the declarer has drawn the king of trumps since it showed the queen alone (`note_lack_of_king`).

    With j old cards left the king may be any of the unseen cards but those j; `old` weighs the j. Either the declarer gets
    it here, or it goes to a random one of the other places, and both are taken out of what is dealt at random.
    """
    king, at = 13 * world.trump + KING, -1
    for i in range(count):
        if left[i] == king:
            at = i
    if at < 0:
        return count
    declarer = world.declarer
    unknown = np.float64(world.hidden[declarer])
    with_declarer = anywhere = 0.0
    for j in range(9):
        with_declarer += world.old[j] * max(unknown - j, 0.0)
        anywhere += world.old[j] * (count - j)
    left[at], left[count - 1] = left[count - 1], left[at]
    if draw_unit(rng) * anywhere < with_declarer:
        world.hand[declarer] |= bit(king)
        world.hidden[declarer] -= 1
        return count - 1
    # deal the declarer's hand from the others, then the king is one of the rest
    others = count - 1
    for _ in range(world.hidden[declarer]):
        k = draw_below(rng, others)
        world.hand[declarer] |= bit(left[k])
        others -= 1
        left[k] = left[others]
    left[others] = king
    world.hidden[declarer] = 0
    return others + 1
