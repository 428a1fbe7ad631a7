"""The search of high hands: can side 0 win so many tricks? A depth-first search without recursion, which remembers classes of positions.

Every answer comes with the cards that matter: the answer stays true when, in each suit, cards below the lowest of them change owners,
suit lengths kept (partition search, Ginsberg 1996).
"""

import numpy as np

from tromf.agents.solver.bits import SUIT, leaders_of_sequences, sequence_end, tops
from tromf.agents.solver.ordering import order
from tromf.agents.solver.quick import countered, later_tricks, quick_tricks
from tromf.agents.solver.table import known, remember, slot_of
from tromf.envs.jit import EMPTY, ONE, bit, compiled, extract, popcount

# A point of the search at which a card is to be played.
FRAME = np.dtype(
    [
        ("hands", np.uint64, 4),
        ("out", np.uint64),  # the cards of all hands when the trick began
        ("top", np.uint64),  # the highest of them in each suit
        ("laid", np.uint64),  # the cards of the trick
        ("one", np.uint64),  # owners as the table wants them
        ("two", np.uint64),
        ("shape", np.uint64),  # suit lengths of all hands, four bits each
        ("matter", np.uint64),
        ("leader", np.int64),
        ("seat", np.int64),
        ("count", np.int64),  # cards of the trick
        ("best", np.int64),  # the card that wins it so far
        ("winner", np.int64),
        ("led", np.int64),
        ("goal", np.int64),  # tricks that side 0 must win, from this trick on
        ("left", np.int64),  # tricks to be played, from this trick on
        ("n", np.int64),
        ("at", np.int64),
        ("moves", np.int64, 16),
        ("weights", np.int64, 16),
    ]
)
FRAMES = 53


@compiled
def shape_of(hands):
    """Suit lengths of all hands, four bits each."""
    shape = EMPTY
    for seat in range(4):
        for suit in range(4):
            shape |= popcount(hands[seat] & SUIT[suit]) << np.uint64(16 * seat + 4 * suit)
    return shape


@compiled
def beats(card, best, trump):
    """Whether a card beats the best so far, which was led or beats what was."""
    if card // 13 == best // 13:
        return card > best
    return card // 13 == trump


@compiled
def play(f, g, card, trump):
    """Frame `g` after a card played in frame `f`."""
    seat = f.seat
    for i in range(4):
        g.hands[i] = f.hands[i]
    g.hands[seat] &= ~bit(card)
    g.shape = f.shape - (ONE << np.uint64(16 * seat + 4 * (card // 13)))
    best, winner = f.best, f.winner
    if f.count == 0 or beats(card, best, trump):
        best, winner = card, seat
    g.goal, g.left = f.goal, f.left
    if f.count == 3:
        g.count, g.laid = 0, EMPTY
        g.leader = g.seat = winner
        g.left -= 1
        if winner & 1 == 0:
            g.goal -= 1
        g.out = f.out & ~(f.laid | bit(card))
    else:
        g.count, g.laid = f.count + 1, f.laid | bit(card)
        g.leader, g.seat = f.leader, (seat + 1) & 3
        g.led = card // 13 if f.count == 0 else f.led
        g.out, g.top = f.out, f.top
    g.best, g.winner = best, winner


@compiled
def at_once(f, trump, kind, memory):
    """The answer between two tricks if it can be had without search: 1 yes, 0 no, -1 not so; and the cards that matter."""
    if f.goal <= 0:
        return np.int64(1), EMPTY
    if f.goal > f.left:
        return np.int64(0), EMPTY
    f.top = tops(f.out)
    side = f.leader & 1
    wanted = f.left - f.goal + 1 if side else f.goal
    number, matter = quick_tricks(f.hands, f.out, f.leader, trump, f.left, wanted)
    if number >= wanted:
        return 1 - side, matter
    number, matter = later_tricks(f.hands, f.out, f.top, f.leader, trump, f.left)
    if number > f.left - wanted:
        return side, matter
    f.one = extract(f.hands[1] | f.hands[3], f.out)
    f.two = extract(f.hands[2] | f.hands[3], f.out)
    slot = slot_of(memory, f.shape, kind | np.uint64(f.leader))
    verdict, matter = known(memory, slot, f.one, f.two, f.out, f.goal)
    if verdict < 0:
        fails, matter = countered(f.hands, f.out, f.top, f.leader, trump, f.left, wanted)
        if fails:
            return side, matter
    return verdict, matter


@compiled
def after_the_lead(f, trump):
    """The answer after a lead if whoever has the highest card of the suit can win with it and then take enough at once; as `at_once`."""
    suit = SUIT[f.led]
    top = f.top & suit
    leader = f.leader
    holder = np.int64(0)
    while not f.hands[holder] & top:
        holder += 1
        if holder == 4:
            return np.int64(-1), EMPTY
    if holder == leader or (holder == leader ^ 2 and f.hands[leader] & suit & (f.laid - ONE)):
        return np.int64(-1), EMPTY  # the counting takes it that the leader's lowest card was led
    if trump >= 0 and trump != f.led:
        trumps = SUIT[trump]
        left, right = f.hands[(holder + 1) & 3], f.hands[(holder + 3) & 3]
        if (not left & suit and left & trumps and (holder + 1) & 3 != leader) or (
            not right & suit and right & trumps and (holder + 3) & 3 != leader
        ):
            return np.int64(-1), EMPTY
        if not f.hands[holder ^ 2] & ~trumps:
            return np.int64(-1), EMPTY
    side = holder & 1
    wanted = f.left - f.goal + 1 if side else f.goal
    f.hands[leader] |= f.laid
    number, matter = quick_tricks(f.hands, f.out, holder, trump, f.left, wanted)
    f.hands[leader] ^= f.laid
    if number >= wanted:
        return 1 - side, matter | top
    return np.int64(-1), EMPTY


@compiled
def can_win(frames, history, goal, trump, memory):
    """Whether side 0 wins `goal` tricks, from the trick of `frames[0]` on, under best play of all."""
    kind = np.uint64(trump + 1) << np.uint64(2)
    frames[0].goal = goal
    depth = 0
    while True:
        f = frames[depth]
        verdict, matter = np.int64(-1), EMPTY
        memory[5] += ONE
        if f.count == 0:
            memory[6] += ONE
            verdict, matter = at_once(f, trump, kind, memory)
        elif f.count == 1:
            verdict, matter = after_the_lead(f, trump)
        if verdict < 0:
            hand = f.hands[f.seat]
            legal = hand & SUIT[f.led] if f.count else hand
            if not legal:
                legal = hand
            order(f, leaders_of_sequences(legal, f.out, f.top), trump, history[f.seat])
            f.at = 0
            f.matter = EMPTY
            play(f, frames[depth + 1], f.moves[0], trump)
            depth += 1
            continue
        while True:
            if depth == 0:
                return verdict == 1
            depth -= 1
            f = frames[depth]
            card = f.moves[f.at]
            if f.count == 3:
                g = frames[depth + 1]
                if (f.laid | bit(card)) & SUIT[g.best // 13] & ~bit(g.best):
                    matter |= bit(g.best)
            if verdict != f.seat & 1:
                # The side to play has what it wants.
                f.matter = matter
                if f.count == 0 and f.n > 1:
                    history[f.seat, card] += f.left * f.left
            else:
                if matter & SUIT[card // 13] & f.hands[f.seat]:
                    end = sequence_end(card, f.hands[f.seat], f.out)
                    if matter & f.hands[f.seat] & ((bit(card) << ONE) - end):
                        matter |= end
                f.matter |= matter
                f.at += 1
                if f.at < f.n:
                    play(f, frames[depth + 1], f.moves[f.at], trump)
                    depth += 1
                    break
            matter = f.matter
            if f.count == 0:
                low, high = (f.goal, f.left) if verdict == 1 else (np.int64(0), f.goal - 1)
                remember(memory, f.shape, kind | np.uint64(f.leader), f.one, f.two, f.out, matter, low, high)
