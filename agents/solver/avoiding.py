"""The search of low hands and solos: do the counted seats win so many tricks? Depth first without recursion; classes are remembered.

The counted seats are one side in a low hand, the soloist in sola, all others in dix. Some seats want the answer to be yes, the others no.

Every answer comes with the splits on which it stands (`tromf.agents.solver.splits`): it stays true for all positions that have as many
cards of each hand between any two neighbouring splits, suit lengths kept. A split is written as the card below which it lies. Three things
make splits: a trick, whose best card must stay above the others that followed suit; what is known already; and what `can_duck_now`,
`can_duck` and `masters` compare.
"""

import numpy as np

from tromf.agents.solver.bits import SUIT
from tromf.agents.solver.dodges import order
from tromf.agents.solver.splits import key_of, known, remember
from tromf.envs.jit import EMPTY, ONE, bit, compiled, deposit, extract, highest, lowest, popcount

LOW, SOLA, DIX = 0, 1, 2
TWO = np.uint64(2)

# A point of the search at which a card is to be played.
FRAME = np.dtype(
    [
        ("hands", np.uint64, 4),
        ("out", np.uint64),  # the cards of all hands when the trick began
        ("key", np.uint64),
        ("one", np.uint64),  # owners as the memory wants them
        ("two", np.uint64),
        ("splits", np.uint64),
        ("idle", np.int64),  # seats that sit out: a set
        ("seat", np.int64),
        ("count", np.int64),  # cards of the trick
        ("size", np.int64),  # ... when it is complete
        ("led", np.int64),
        ("best", np.int64),  # the card that wins it so far
        ("winner", np.int64),
        ("best_top", np.int64),  # the highest card in sequence with it in the hand it came from
        ("rival_top", np.int64),  # the same of the second highest card of the suit led; -1 if nobody else has followed
        ("goal", np.int64),  # tricks that the counted seats must win, from this trick on
        ("left", np.int64),  # tricks that are looked at, from this trick on
        ("hint", np.int64),  # the card to try first, -1 if none is known
        ("n", np.int64),
        ("at", np.int64),
        ("moves", np.int64, 13),
        ("weights", np.int64, 13),
    ]
)
FRAMES = 53


@compiled
def next_seat(seat, idle):
    """The seat that plays after this one."""
    seat = (seat + 1) & 3
    while idle >> seat & 1:
        seat = (seat + 1) & 3
    return seat


@compiled
def up_to(card):
    """All cards from 0 to this one."""
    return (bit(card) << ONE) - ONE


@compiled
def sequence_top(card, hand, out):
    """The highest card of the sequence in a hand that begins with `card`: no other card that was out when the trick began is in between."""
    higher = SUIT[card // 13] & ~up_to(card)
    others = out & ~hand & higher
    mine = hand & higher
    if others:
        mine &= (ONE << lowest(others)) - ONE
    return np.int64(highest(mine)) if mine else card


@compiled
def take(f, card, seat, top):
    """A card joins the trick of a frame; `top` is the end of its sequence."""
    if f.count == 0:
        f.led, f.best, f.winner, f.best_top, f.rival_top = card // 13, card, seat, top, -1
    elif card // 13 == f.led:
        if card > f.best:
            f.rival_top = f.best_top
            f.best, f.winner, f.best_top = card, seat, top
        else:
            f.rival_top = max(f.rival_top, top)
    f.count += 1


@compiled
def play(f, g, card, counted, idle):
    """Frame `g` after a card played in frame `f`; `idle` are the seats that sit out in the next trick."""
    seat = f.seat
    for i in range(4):
        g.hands[i] = f.hands[i]
    g.hands[seat] &= ~bit(card)
    g.count, g.led, g.best, g.winner, g.best_top, g.rival_top = f.count, f.led, f.best, f.winner, f.best_top, f.rival_top
    take(g, card, seat, sequence_top(card, f.hands[seat], f.out))
    g.goal, g.left, g.idle, g.size, g.out = f.goal, f.left, f.idle, f.size, f.out
    if g.count == g.size:
        g.goal -= counted >> g.winner & 1
        g.left -= 1
        g.seat = g.winner
        g.count, g.size, g.idle, g.out = 0, 4, idle, EMPTY
        for i in range(4):
            if idle >> i & 1:
                g.hands[i] = EMPTY
                g.size = 3
            g.out |= g.hands[i]
    else:
        g.seat = next_seat(seat, f.idle)


@compiled
def last_trick(f, counted):
    """Who wins the last trick, which plays itself: whether a counted seat, and the split that says so."""
    best, winner, rival = np.int64(lowest(f.hands[f.seat])), f.seat, False
    led = SUIT[best // 13]
    for i in range(4):
        if i != f.seat and f.hands[i] & led:
            rival = True
            card = np.int64(lowest(f.hands[i]))
            if card > best:
                best, winner = card, i
    return counted >> winner & 1, bit(best) if rival else EMPTY


@compiled
def can_duck_now(hands, leader, leading, ducking):
    """Whether the seats `ducking` (a set) need not win the next trick, which `leader` leads, whatever it leads; and the splits that say so.

    They need not while each has no card of a suit that it may lead, or one below its lowest or below all of its partner's.
    """
    splits = EMPTY
    partner = hands[leader ^ 2] if leading >> (leader ^ 2) & 1 else EMPTY
    for suit in range(4):
        cards, others = hands[leader] & SUIT[suit], partner & SUIT[suit]
        if not cards:
            continue
        threat = np.int64(lowest(cards))
        if others:
            threat = max(threat, np.int64(lowest(others)))
        for i in range(4):
            if ducking >> i & 1 and hands[i] & SUIT[suit]:
                duck = np.int64(lowest(hands[i] & SUIT[suit]))
                if duck > threat:
                    return False, EMPTY
                if not splits & up_to(threat) & ~up_to(duck):
                    splits |= bit(threat)
    return True, splits


@compiled
def can_duck(hands, leading, ducking, number):
    """Whether the seats `ducking` (a set) need win none of the next `number` tricks, the others leading; and the splits that say so.

    A hand need never win while its lowest cards of each suit lie, one for one, below the lowest that the leading seats have between them.
    """
    splits, leads = EMPTY, EMPTY
    for i in range(4):
        if leading >> i & 1:
            leads |= hands[i]
    for suit in range(4):
        cards = leads & SUIT[suit]
        if not cards:
            continue
        longest = np.int64(0)
        for i in range(4):
            if leading >> i & 1:
                longest = max(longest, np.int64(popcount(hands[i] & SUIT[suit])))
        for i in range(4):
            if ducking >> i & 1:
                threats, ducks = cards, hands[i] & SUIT[suit]
                for _ in range(min(number, longest)):
                    if not ducks:
                        break
                    threat, duck = np.int64(lowest(threats)), np.int64(lowest(ducks))
                    if duck > threat:
                        return False, EMPTY
                    if not splits & up_to(threat) & ~up_to(duck):
                        splits |= bit(threat)
                    threats &= threats - ONE
                    ducks &= ducks - ONE
    return True, splits


@compiled
def masters(f, number):
    """Whether the leader wins the next `number` tricks with cards that nobody can beat; and the splits that say so."""
    splits = EMPTY
    hand = f.hands[f.seat]
    others = f.out & ~hand
    for suit in range(4):
        mine, theirs = hand & SUIT[suit], others & SUIT[suit]
        if theirs:
            mine &= ~up_to(np.int64(highest(theirs)))
        enough = min(number, np.int64(popcount(mine)))
        for _ in range(enough - 1):
            mine &= ~(ONE << highest(mine))
        if enough and theirs:
            splits |= ONE << highest(mine)
        number -= enough
    return number <= 0, splits


@compiled
def at_once(f, counted, contract, memory):
    """The answer between two tricks if it can be had without search: 1 yes, 0 no, -1 not so; and its splits."""
    if f.goal <= 0:
        return np.int64(1), EMPTY
    if f.goal > f.left:
        return np.int64(0), EMPTY
    hand = f.hands[f.seat]
    if not hand & (hand - ONE):
        won, splits = last_trick(f, counted)
        return np.int64(won >= f.goal), splits
    leading, others = counted, 15 & ~counted & ~f.idle
    number, answer = f.goal, np.int64(1)
    if not counted >> f.seat & 1:
        leading, others = others, leading
        number, answer = f.left - f.goal + 1, np.int64(0)
    if contract >> TWO == DIX:
        certain, splits = False, EMPTY
        if answer == 0:
            certain, splits = masters(f, number)
    elif number == 1:
        certain, splits = can_duck_now(f.hands, f.seat, leading, others)
    else:
        certain, splits = can_duck(f.hands, leading, others, number)
    if certain:
        return answer, splits
    # What is asked is one number: solos always ask for one trick, low hands look at all that are left.
    f.key = key_of(f.hands, f.seat, f.goal if contract >> TWO == LOW else f.left, contract)
    f.one = extract(f.hands[1] | f.hands[3], f.out)
    f.two = extract(f.hands[2] | f.hands[3], f.out)
    answer, splits, f.hint = known(memory, f.key, f.one, f.two)
    return answer, deposit(splits, f.out)


@compiled
def trick_split(f, card, splits):
    """The splits after which a trick that `card` completed goes to the same hand: its best card stays above all others that followed."""
    best, rival = f.best, f.rival_top
    if card // 13 == f.led:
        top = sequence_top(card, f.hands[f.seat], f.out)
        if card > best:
            best, rival = card, f.best_top
        else:
            rival = max(rival, top)
    if rival >= 0 and not splits & up_to(best) & ~up_to(rival):
        splits |= bit(best)
    return splits


@compiled
def for_the_sequence(f, card, splits):
    """The splits of an answer to `card`, made good for all cards in sequence with it: none of them lies within the sequence."""
    suit = SUIT[card // 13]
    top = sequence_top(card, f.hands[f.seat], f.out)
    within = up_to(top) & ~up_to(card)
    inner = splits & within
    if inner:
        splits = splits & ~inner | bit(card)
        higher = f.out & suit & ~up_to(top)
        # A split just above the card that was played is one just below it, since it is gone. Any other needs both ends.
        if inner != ONE << lowest(f.hands[f.seat] & within) and higher:
            splits |= ONE << lowest(higher)
    return splits


@compiled
def same_answer(f, card, other, splits):
    """Whether the answer to `card`, which stands on `splits`, is that to another card of the hand too: no split lies between them."""
    if card // 13 != other // 13:
        return False
    if other > card:
        return not splits & up_to(sequence_top(other, f.hands[f.seat], f.out)) & ~up_to(card)
    return not splits & up_to(card) & ~up_to(other)


@compiled
def reaches(frames, goal, counted, yes, idle, contract, memory):
    """Whether the counted seats win `goal` tricks of those looked at, from the trick of `frames[0]` on, under best play of all.

    `counted`, `yes` (who want it) and `idle` (who sit out from the next trick on) are sets of seats; for `contract` see
    `contract_of`.
    """
    frames[0].goal = goal
    depth = 0
    while True:
        f = frames[depth]
        answer, splits = np.int64(-1), EMPTY
        memory[3] += ONE
        f.hint = -1
        if f.count == 0:
            answer, splits = at_once(f, counted, contract, memory)
        if answer < 0:
            order(f)
            f.at, f.splits = 0, EMPTY
            play(f, frames[depth + 1], f.moves[0], counted, idle)
            depth += 1
            continue
        while True:
            if depth == 0:
                return answer == 1
            depth -= 1
            f = frames[depth]
            card = f.moves[f.at]
            if f.count == f.size - 1:
                splits = trick_split(f, card, splits)
            splits = for_the_sequence(f, card, splits)
            if answer == yes >> f.seat & 1:
                # The seat has what it wants.
                f.splits = splits
            else:
                f.splits |= splits
                f.at += 1
                while f.at < f.n and same_answer(f, card, f.moves[f.at], splits):
                    f.at += 1
                if f.at < f.n:
                    play(f, frames[depth + 1], f.moves[f.at], counted, idle)
                    depth += 1
                    break
            splits = f.splits
            if f.count == 0:
                lead = f.moves[f.at] if f.at < f.n else np.int64(-1)
                remember(memory, f.key, f.one, f.two, extract(splits, f.out), answer, lead)


@compiled
def contract_of(contract, soloist):
    """Contract and soloist (0 in low hands) as one word."""
    return np.uint64(contract) << TWO | np.uint64(soloist)


@compiled
def begin(f, hands, turn, laid, left, idle):
    """Write a position into a frame; `idle` are the seats that sit out in the trick in hand."""
    f.out = EMPTY
    f.size = 4
    for i in range(4):
        f.hands[i] = hands[i]
        f.out |= hands[i]
        f.size -= idle >> i & 1
    for card in laid:
        f.out |= bit(card)
    f.seat, f.idle, f.left, f.count = turn, idle, left, 0
    seat = turn
    for _ in range(f.size - len(laid)):
        seat = next_seat(seat, idle)
    for card in laid:
        take(f, card, seat, card)
        seat = next_seat(seat, idle)


@compiled
def number(frames, low, high, first, counted, yes, idle, contract, memory):
    """The tricks of the counted seats, known to be in low … high, from `frames[0]` on; looked for from `first` in steps of one."""
    goal = min(max(first, low + 1), high)
    while low < high:
        if reaches(frames, goal, counted, yes, idle, contract, memory):
            low = goal
            goal += 1
        else:
            high = goal - 1
            goal -= 1
    return low
