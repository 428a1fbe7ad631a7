"""The compiled loops of control variates: games played while luck is measured by a value function, and positions to fit one on.

The value of a position is a small network's: the bits of `scene`, two hidden layers, a number for each seat; a side has the mean of its
seats, and the mean over sides is taken off, so that values add up to nothing. A finished game is worth its returns.

`Weights` are arrays float32: first (bits, a), first_bias (a,), second (a, b), second_bias (b,), last (b,), last_bias (1,); and, int64,
starts (words,), the first bit of each word, and by_seat (players,), the side of each seat.
"""

from typing import NamedTuple

import numpy as np

from tromf.agents.rule import decide
from tromf.envs import verbs
from tromf.envs.batch import decision_draw
from tromf.envs.jit import GOLDEN, ONE, assign, compiled, draw_unit, lowest, mixed, nth, popcount, stream


class Weights(NamedTuple):
    first: np.ndarray
    first_bias: np.ndarray
    second: np.ndarray
    second_bias: np.ndarray
    last: np.ndarray
    last_bias: np.ndarray
    starts: np.ndarray
    by_seat: np.ndarray


@compiled
def value(state, weights, out):
    """Write the value of a position for every seat, (players,) float64."""
    players = np.int64(state.options.players)
    if verbs.over(state):
        verbs.returns(state, out)
        return
    words = np.empty(weights.starts.shape[0], np.uint64)
    hidden, deep = np.empty_like(weights.first_bias), np.empty_like(weights.second_bias)
    for seat in range(players):
        verbs.scene(state, seat, words)
        hidden[:] = weights.first_bias
        for w in range(words.shape[0]):
            bits = words[w]
            while bits:
                row = weights.starts[w] + np.int64(lowest(bits))
                bits &= bits - ONE
                for k in range(hidden.shape[0]):
                    hidden[k] += weights.first[row, k]
        deep[:] = weights.second_bias
        for k in range(hidden.shape[0]):
            if hidden[k] > 0:
                for m in range(deep.shape[0]):
                    deep[m] += hidden[k] * weights.second[k, m]
        total = weights.last_bias[0]
        for m in range(deep.shape[0]):
            if deep[m] > 0:
                total += deep[m] * weights.last[m]
        out[seat] = total
    centre(out, weights.by_seat, players)


@compiled
def centre(values, by_seat, players):
    """Give every seat the mean of its side, less the mean over all: sides are of equal size, so what is left adds up to nothing."""
    means = np.zeros(players)
    mean, sides = 0.0, by_seat[:players].max() + 1
    for p in range(players):
        means[by_seat[p]] += values[p] * sides / players
        mean += values[p] / players
    for p in range(players):
        values[p] = means[by_seat[p]] - mean


@compiled
def chance_of(state):
    """What changes whenever chance decides something."""
    return mixed(state.rng) ^ np.uint64(verbs.drawn(state))


@compiled
def mean_over_redraws(state, action, weights, redraws, scratch, source, values, out):
    """Write the mean value of what comes of an action, over so many redraws of what chance holds, which are functions of the game's seed
    and the number of the decision. scratch, source: (1,) records, the latter with a field `rng`; values: (players,)."""
    out[:] = 0.0
    source[0].rng = mixed(stream(state.seed, 1 << 42) + np.uint64(state.decisions) * GOLDEN)
    for _ in range(redraws):
        assign(scratch[0], state)
        verbs.redraw(scratch[0], source[0])
        verbs.apply(scratch[0], action)
        value(scratch[0], weights, values)
        out += values / redraws


@compiled
def expect(state, action, weights, redraws, scratch, source, values, out):
    """The same; where no chance comes in, the value itself."""
    assign(scratch[0], state)
    verbs.apply(scratch[0], action)
    if chance_of(scratch[0]) == chance_of(state):
        value(scratch[0], weights, out)
    else:
        mean_over_redraws(state, action, weights, redraws, scratch, source, values, out)


@compiled
def step(state, action, weights, redraws, scratch, source, values, expected, control):
    """The game takes an action; what chance then brought, beyond what could be expected, is taken off `control`, (players,).

    scratch (2,) records; otherwise as `mean_over_redraws`.
    """
    assign(scratch[1], state)
    verbs.apply(state, action)
    if chance_of(state) != chance_of(scratch[1]):
        mean_over_redraws(scratch[1], action, weights, redraws, scratch, source, values, expected)
        control += expected
        value(state, weights, values)
        control -= values


@compiled
def advance(states, table, knobs, weights, redraws, scratch, source, controls):
    """`agents.rule.advance`, forced decisions included, with luck: `controls`, (N, players) float64, is added to. scratch (2,) records."""
    players = controls.shape[1]
    values, expected = np.empty(players), np.empty(players)
    for i in range(states.shape[0]):
        state = states[i]
        while not verbs.over(state):
            actions = verbs.legal(state)
            action = np.int64(nth(actions, 0))
            if popcount(actions) > 1:
                seat = verbs.actor(state)
                who = table[i, seat]
                if who < 0:
                    break
                assign(scratch[0], state)
                verbs.conceal(scratch[0], seat)
                action = np.int64(decide(scratch[0], knobs[who], decision_draw(state)))
            step(state, action, weights, redraws, scratch, source, values, expected, controls[i])


@compiled
def choose(states, rows, actions, chances, weights, redraws, scratch, source, controls):
    """Games in some rows take actions, (k,), drawn from known chances, (k, actions) float64: what the action was worth beyond what could
    be expected is taken off `controls`, and then what chance brought. Where the chances of a row are all 0 they are not known."""
    players = controls.shape[1]
    values, expected = np.empty(players), np.empty(players)
    for k in range(rows.shape[0]):
        state = states[rows[k]]
        control = controls[rows[k]]
        taken = chances[k, actions[k]]
        if 0.0 < taken < 1.0:
            expect(state, actions[k], weights, redraws, scratch, source, values, expected)
            control -= expected
            legal = verbs.legal(state)
            while legal:
                action = np.int64(lowest(legal))
                legal &= legal - ONE
                if chances[k, action] > 0.0:
                    expect(state, action, weights, redraws, scratch, source, values, expected)
                    control += expected * chances[k, action]
        step(state, actions[k], weights, redraws, scratch, source, values, expected, control)


@compiled
def collect(states, table, knobs, often, seldom, scratch, source, words, targets, players):
    """Play games between rule agents to their end, and keep positions: for every seat of each the scene, and its return
    in the end.

    Args:
        often, seldom: how likely a position is kept, where chance has just come in and elsewhere.
        words: (n, words) uint64, targets: (n,) float32; filled from the start.
    Returns how many rows were filled; games for which there is no room are not played.
    """
    out = np.empty(players)
    filled = np.int64(0)
    for i in range(states.shape[0]):
        state = states[i]
        source[0].rng = stream(state.seed, 1 << 43)
        first = filled
        while not verbs.over(state) and filled + players <= targets.shape[0]:
            seat = verbs.actor(state)
            assign(scratch[0], state)
            verbs.conceal(scratch[0], seat)
            before = chance_of(state)
            verbs.apply(state, decide(scratch[0], knobs[table[i, seat]], decision_draw(state)))
            if draw_unit(source[0]) < (often if chance_of(state) != before else seldom) and not verbs.over(state):
                for p in range(players):
                    verbs.scene(state, p, words[filled + p])
                filled += players
        if not verbs.over(state):
            return first
        verbs.returns(state, out)
        for k in range(first, filled):
            targets[k] = out[(k - first) % players]
    return filled
