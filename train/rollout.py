"""Playing for a trainer, compiled: games with learning seats, what they decided, and how that turned out.

A segment is T decisions in each of n games, recorded as arrays (T, n), or (T + 1, n) where the decision after the last one
is needed. In every game some seats learn (-1 in the game's row of the table), others are rule agents (the number of their
knobs) or are asked, as past selves are (-2 and below); the seats of a side are of one kind. Rule agents and forced decisions
are played inside `go_on` and never recorded.
"""

from typing import NamedTuple

import numpy as np

from tromf.agents.rule import advance, decide
from tromf.envs import verbs
from tromf.envs.batch import begin, decision_draw, next_seed
from tromf.envs.jit import compiled, mixed

LEARNER, FIRST_PAST = -1, -2


class Segment(NamedTuple):
    """What a group of n games decided in T decisions each."""

    words: np.ndarray  # (T + 1, n, W) uint64, the observation of the seat to decide
    masks: np.ndarray  # (T + 1, n) uint64
    draws: np.ndarray  # (T + 1, n) uint64, random bits for the decision
    seats: np.ndarray  # (T + 1, n) int64
    who: np.ndarray  # (T + 1, n) int64, the seat's entry in the table
    values: np.ndarray  # (T + 1, n) float32, the network's
    actions: np.ndarray  # (T, n) int64
    log_probabilities: np.ndarray  # (T, n) float32, of the actions
    ended: np.ndarray  # (T, n) bool, whether the game ended before the next decision
    payoffs: np.ndarray  # (T, n, seats) float64, every seat's return, where it ended
    against: np.ndarray  # (T, n) int64, who met the one learning side in the game that ended; -1 where all learned
    learner: np.ndarray  # (T, n) int64, a seat of that side
    learns: np.ndarray  # (T, n) bool, decisions to learn from
    advice: np.ndarray  # (T + 1, n) int64, what the teacher would do; -1 without one
    advantages: np.ndarray  # (T, n) float32
    targets: np.ndarray  # (T, n) float32, for the value


def empty_segment(length: int, games: int, words: int, players: int) -> Segment:
    at, after = (length, games), (length + 1, games)
    return Segment(
        words=np.zeros((*after, words), np.uint64),
        masks=np.zeros(after, np.uint64),
        draws=np.zeros(after, np.uint64),
        seats=np.zeros(after, np.int64),
        who=np.zeros(after, np.int64),
        values=np.zeros(after, np.float32),
        actions=np.zeros(at, np.int64),
        log_probabilities=np.zeros(at, np.float32),
        ended=np.zeros(at, np.bool_),
        payoffs=np.zeros((*at, players)),
        against=np.zeros(at, np.int64),
        learner=np.zeros(at, np.int64),
        learns=np.zeros(at, np.bool_),
        advice=np.full(after, -1),
        advantages=np.zeros(at, np.float32),
        targets=np.zeros(at, np.float32),
    )


@compiled
def seat_players(state, row, sides, shares, codes):
    """Fill a game's row of the table: a line-up is drawn by the game's seed, and in it the one side that learns.

    sides: (players,) int64, the side of each seat; shares: (k,) float64, cumulative probabilities; codes: (k,) int64, who sits at
    the seats of the other sides (-1: all learn).
    """
    draw = mixed(state.seed ^ np.uint64(0xA5A5A5A55A5A5A5A))
    u = np.float64(draw >> np.uint64(11)) * (1.0 / 9007199254740992.0)
    k = 0
    while k + 1 < shares.shape[0] and u >= shares[k]:
        k += 1
    row[:] = codes[k]
    side = np.int64(mixed(draw) % np.uint64(sides.max() + 1))
    for seat in range(sides.shape[0]):
        if sides[seat] == side:
            row[seat] = LEARNER


@compiled
def begin_all(states, table, seeds, sides, shares, codes):
    """Start an episode in every game."""
    for i in range(states.shape[0]):
        begin(states[i], seeds[i], -1, False)
        seat_players(states[i], table[i], sides, shares, codes)


@compiled
def go_on(states, table, knobs, teacher, scratch, sides, shares, codes, t, segment):
    """Every game takes its action of decision t - 1 (none before the first) and is played on to decision t, which is recorded.

    Games that end begin anew with their next seed.
    """
    for i in range(states.shape[0]):
        state, record = states[i], t > 0
        if record:
            segment.ended[t - 1, i] = False
            verbs.apply(state, segment.actions[t - 1, i])
        while True:
            advance(states[i : i + 1], table[i : i + 1], knobs, scratch, True)
            if not verbs.over(state):
                break
            if record:  # a game without any decision of ours has nobody to pay
                segment.ended[t - 1, i] = True
                verbs.returns(state, segment.payoffs[t - 1, i])
                segment.against[t - 1, i] = LEARNER
                for seat in range(table.shape[1]):
                    if table[i, seat] == LEARNER:
                        segment.learner[t - 1, i] = seat
                    else:
                        segment.against[t - 1, i] = table[i, seat]
                record = False
            begin(state, next_seed(state.seed), -1, False)
            seat_players(state, table[i], sides, shares, codes)
        seat = verbs.actor(state)
        segment.seats[t, i] = seat
        segment.who[t, i] = table[i, seat]
        segment.masks[t, i] = verbs.legal(state)
        segment.draws[t, i] = decision_draw(state)
        if teacher >= 0:
            scratch[0] = state
            verbs.conceal(scratch[0], seat)
            segment.advice[t, i] = decide(scratch[0], knobs[teacher], segment.draws[t, i])
        verbs.observe(state, seat, segment.words[t, i])


@compiled
def find_advantages(segment, discount, lam):
    """Generalised advantages along each seat's own decisions, and targets for the value.

    A seat's return counts for its last decision of the game, whoever decided after it; partners, who are paid the same, have each
    their own decisions. Where the segment ends in the middle of a game, the value at the seat's last decision seen stands for the
    rest: that decision itself is not learned from, unless it is the one after the segment's last, which is not part of it.
    """
    length, games = segment.actions.shape
    seats = segment.payoffs.shape[2]
    known, final = np.empty(seats, np.bool_), np.empty(seats, np.bool_)
    ahead, carried = np.empty(seats), np.empty(seats)  # by seat: what comes next, and the advantage there
    for i in range(games):
        known[:] = False
        seat = segment.seats[length, i]
        if segment.who[length, i] == LEARNER:
            known[seat], final[seat], ahead[seat], carried[seat] = True, False, segment.values[length, i], 0.0
        for t in range(length - 1, -1, -1):
            if segment.ended[t, i]:
                known[:] = final[:] = True
                ahead[:], carried[:] = segment.payoffs[t, i], 0.0
            seat, value = segment.seats[t, i], segment.values[t, i]
            learns = segment.who[t, i] == LEARNER and known[seat]
            segment.learns[t, i] = learns
            segment.advantages[t, i] = 0.0
            if learns:
                factor = 1.0 if final[seat] else discount
                carried[seat] = factor * ahead[seat] - value + factor * lam * carried[seat]
                segment.advantages[t, i] = carried[seat]
                segment.targets[t, i] = value + carried[seat]
            else:
                carried[seat] = 0.0
            known[seat], final[seat], ahead[seat] = segment.who[t, i] == LEARNER, False, value


@compiled
def probe(states, kinds, knobs, widths):
    """Play games to their end, game i by the rule agent `kinds[i]` alone; numbers of the observation bits that varied."""
    words = np.empty(widths.shape[0], np.uint64)
    ever, always = np.zeros_like(words), ~np.zeros_like(words)
    scratch = np.zeros_like(states[:1])
    for i in range(states.shape[0]):
        state = states[i]
        while not verbs.over(state):
            seat = verbs.actor(state)
            verbs.observe(state, seat, words)
            ever |= words
            always &= words
            scratch[0] = state
            verbs.conceal(scratch[0], seat)
            verbs.apply(state, decide(scratch[0], knobs[kinds[i]], decision_draw(state)))
    numbers, start = np.empty(widths.sum(), np.int64), 0
    count = 0
    for w in range(widths.shape[0]):
        for b in range(widths[w]):
            if ((ever[w] & ~always[w]) >> np.uint64(b)) & np.uint64(1):
                numbers[count] = start + b
                count += 1
        start += widths[w]
    return numbers[:count]
