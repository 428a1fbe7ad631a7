"""High hands solved: tricks of the best play, and of each card. Everything here is compiled and works on plain arrays.

`hands` are four sets (4,) uint64 without the cards on the table, `turn` the seat to play, `laid` the cards of the trick in hand in order
(k,) int64, `trump` 0 … 3 or -1, `memory` a table of `tromf.agents.solver.table.new_memory`, which may have served any other positions
before. Nothing is checked.
"""

import numpy as np

from tromf.agents.solver.bits import SUIT, leaders_of_sequences, sequence_end, tops
from tromf.agents.solver.search import FRAME, FRAMES, beats, can_win, play, shape_of
from tromf.envs.jit import EMPTY, ONE, bit, compiled, highest, popcount

@compiled
def begin(f, hands, turn, laid, trump):
    """Write a position into a frame."""
    f.out, f.laid = EMPTY, EMPTY
    for i in range(4):
        f.hands[i] = hands[i]
        f.out |= hands[i]
    f.seat, f.count = turn, len(laid)
    f.leader = f.winner = (turn - len(laid)) & 3
    f.best, f.led, f.hint = 0, 0, -1
    for i in range(len(laid)):
        card = laid[i]
        f.laid |= bit(card)
        if i == 0:
            f.led = card // 13
        if i == 0 or beats(card, f.best, trump):
            f.best, f.winner = card, (f.leader + i) & 3
    f.out |= f.laid
    f.top = tops(f.out)
    f.shape = shape_of(f.hands)
    f.left = np.int64(popcount(hands[turn]))


@compiled
def guess(f, trump):
    """Tricks of side 0 that its cards promise: a straight line through random deals, within 1.3 tricks of the truth more often than not.

    Points, 4, 3, 2 and 1 for the highest cards out of each suit, as bridge players count; the lead, worth more without trumps; trump length.
    """
    ours, points = 0, 0
    for suit in range(4):
        cards = f.out & SUIT[suit]
        worth = 4
        while cards and worth > 0:
            card = ONE << highest(cards)
            cards ^= card
            points += worth
            if (f.hands[0] | f.hands[2]) & card:
                ours += worth
            worth -= 1
    lead = 1 - 2 * (f.leader & 1)
    if trump < 0:
        hundreds = 50 * f.left + 160 * f.left * (2 * ours - points) // (2 * points) + 60 * lead
    else:
        own, other = (f.hands[0] | f.hands[2]) & SUIT[trump], (f.hands[1] | f.hands[3]) & SUIT[trump]
        longer = np.int64(popcount(own)) - np.int64(popcount(other))
        hundreds = 50 * f.left + 120 * f.left * (2 * ours - points) // (2 * points) + 25 * lead + 50 * longer
    return min(max((hundreds + 50) // 100, 0), f.left)


@compiled
def value(frames, low, high, first, trump, memory):
    """The tricks of side 0, known to be in low … high, from `frames[0]` on; looked for from `first` in steps of one."""
    goal = min(max(first, low + 1), high)
    while low < high:
        if can_win(frames, goal, trump, memory):
            low = goal
            goal += 1
        else:
            high = goal - 1
            goal -= 1
    return low


@compiled
def solve(hands, turn, laid, trump, memory):
    """Tricks that the side of the seat to play wins, from the trick in hand on, if all play as well as can be."""
    frames = np.zeros(FRAMES, FRAME)
    f = frames[0]
    begin(f, hands, turn, laid, trump)
    tricks = value(frames, 0, f.left, guess(f, trump), trump, memory)
    return f.left - tricks if turn & 1 else tricks


@compiled
def solve_cards(hands, turn, laid, trump, memory, out):
    """The same for each card that the seat to play may play, into `out` (52,) int64; -1 for all others. Returns the most."""
    frames = np.zeros(FRAMES, FRAME)
    f = frames[0]
    begin(f, hands, turn, laid, trump)
    out[:] = -1
    hand = f.hands[turn]
    legal = hand & SUIT[f.led] if f.count else hand
    if not legal:
        legal = hand
    side = turn & 1
    # The best first: most others are then found to be as good, or a trick worse, by a search or two.
    most = value(frames, 0, f.left, guess(f, trump), trump, memory)
    heads = leaders_of_sequences(legal, f.out, f.top)
    while heads:
        card = np.int64(highest(heads))
        heads ^= bit(card)
        play(f, frames[1], card, trump)
        won = f.goal - frames[1].goal
        low, high = (most, f.left) if side else (0, most)
        low, high = max(low - won, 0), min(high - won, frames[1].left)
        tricks = value(frames[1:], low, high, low + 1 if side else high, trump, memory) + won
        if side:
            tricks = f.left - tricks
        end = sequence_end(card, hand, f.out)
        members = hand & ((bit(card) << ONE) - end)
        while members:
            out[highest(members)] = tricks
            members ^= ONE << highest(members)
    return f.left - most if side else most
