"""What whist players see in the cards of one suit: `mine`, some cards of a seat, beside `out`, those of others not seen yet."""

import numpy as np

from tromf.envs.jit import ONE, bit, compiled, highest, lowest, popcount
from tromf.envs.minnesota_whist.rules import SUIT


@compiled
def above(card):
    """The higher cards of a card's suit."""
    return SUIT[card // 13] & ~((np.uint64(2) << np.uint64(card)) - ONE)


@compiled
def stoppers(mine, out):
    """How many of one's cards have enough lower ones beside them to wait until those above are gone."""
    number, rest = 0, mine
    while rest:
        card = np.int64(highest(rest))
        rest &= ~bit(card)
        if popcount(out & above(card)) > popcount(rest):
            break
        number += 1
    return number


@compiled
def quick(mine, out):
    """How many tricks one takes from the top: all, where the others are likely to have none left by then."""
    top, rest = 0, mine
    while rest:
        card = np.int64(highest(rest))
        rest &= ~bit(card)
        if out & above(card):
            break
        top += 1
    return np.int64(popcount(mine)) if top * 3 >= np.int64(popcount(out)) + 2 else top


@compiled
def risk(mine, out):
    """How far one's cards are from safe in a low hand: the k-th lowest, from 0, is safe if at most k unseen ones are lower."""
    total, k, rest = np.int64(0), 0, mine
    while rest:
        card = lowest(rest)
        rest &= rest - ONE
        lower = np.int64(popcount(out & (bit(card) - ONE)))
        if lower > k:
            total += lower - k
        k += 1
    return total
