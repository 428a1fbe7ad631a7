"""From observation words to the arrays that networks read, and from their logits to actions, compiled."""

import numpy as np

from tromf.envs.jit import ONE, compiled, lowest, thermometer


@compiled
def spread(words, starts, columns, by, one, out):
    """Write observations as 0/1 rows: bit b of the layout goes to column `columns[value, b]`, or nowhere if that is negative.

    Args:
        words: (k, W) uint64. starts: (W,) int64, the number of each word's bit 0 in the layout. columns: (values, bits) int64.
        by: (3,) int64, word, shift and number of the bits of which the one that is set gives the value (see `tromf.envs.symmetry`).
        one: what stands for a set bit (its pattern, where NumPy has no such type). out: (k, columns), overwritten.
    """
    for i in range(words.shape[0]):
        out[i] = 0
        value = (words[i, by[0]] >> np.uint64(by[1])) & thermometer(by[2])
        places = columns[lowest(value) if value else np.uint64(0)]
        for w in range(words.shape[1]):
            rest, start = words[i, w], starts[w]
            while rest:
                column = places[start + np.int64(lowest(rest))]
                if column >= 0:
                    out[i, column] = one
                rest &= rest - ONE


@compiled
def sample(logits, masks, draws, actions, log_probabilities):
    """Draw an action for each row from the softmax over its legal actions, by inverting the distribution with 64 random bits.

    Args:
        logits: (k, actions) float32. masks, draws: (k,) uint64. actions: (k,) int64 and log_probabilities: (k,) float32, written.
    """
    weights = np.empty(64)
    for i in range(masks.shape[0]):
        if not masks[i]:
            continue
        top, rest = -np.inf, masks[i]
        while rest:
            top = max(top, logits[i, lowest(rest)])
            rest &= rest - ONE
        total, rest = 0.0, masks[i]
        while rest:
            a = lowest(rest)
            weights[a] = np.exp(np.float64(logits[i, a] - top))
            total += weights[a]
            rest &= rest - ONE
        left = np.float64(draws[i] >> np.uint64(11)) * (1.0 / 9007199254740992.0) * total
        rest = masks[i]
        a = lowest(rest)
        while left >= weights[a] and rest & (rest - ONE):
            left -= weights[a]
            rest &= rest - ONE
            a = lowest(rest)
        actions[i] = np.int64(a)
        log_probabilities[i] = np.float32(np.log(weights[a] / total))


@compiled
def best(logits, masks, actions):
    """The legal action with the largest logit for each row, the first of equals."""
    for i in range(masks.shape[0]):
        rest = masks[i]
        if not rest:
            continue
        a = lowest(rest)
        while rest:
            b = lowest(rest)
            if logits[i, b] > logits[i, a]:
                a = b
            rest &= rest - ONE
        actions[i] = np.int64(a)
