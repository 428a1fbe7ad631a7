"""Tricks that can be counted without search, between two tricks of a high hand."""

import numpy as np

from tromf.agents.solver.bits import SUIT
from tromf.envs.jit import EMPTY, ONE, compiled, highest, popcount


@compiled
def from_the_top(cards, out):
    """How many of the highest cards that are out, within one suit, are among `cards`; and these cards, a set."""
    number, found = np.int64(0), EMPTY
    while out:
        card = ONE << highest(out)
        if not cards & card:
            break
        found |= card
        out ^= card
        number += 1
    return number, found


@compiled
def quick_tricks(hands, out, leader, trump, left, wanted):
    """Tricks that the leader's side can take at once, at least, counted up to `wanted`; and the cards that matter, a set."""
    lho, rho, partner = hands[(leader + 1) & 3], hands[(leader + 3) & 3], hands[(leader + 2) & 3]
    mine = hands[leader]
    number, matter = np.int64(0), EMPTY
    ruff_left, ruff_right = False, False
    if trump >= 0:
        suit = SUIT[trump]
        drawn, found = from_the_top(mine & suit, out & suit)
        longest = max(np.int64(popcount(lho & suit)), np.int64(popcount(rho & suit)))
        if drawn < longest:
            ruff_left, ruff_right = (lho & suit) != EMPTY, (rho & suit) != EMPTY
        elif longest > 0:
            # Trumps are drawn for the side suits.
            matter |= found
        number = drawn
        if drawn >= longest and np.int64(popcount(partner & suit)) <= drawn:
            number = np.int64(popcount(mine & suit))
        if number > 0:
            matter |= found
    crossing, across, over = False, np.int64(0), EMPTY
    for s in range(4):
        if number >= wanted:
            break
        if s == trump:
            continue
        suit = SUIT[s]
        own = mine & suit
        theirs = partner & suit
        top, found = from_the_top(own, out & suit)
        left_length, right_length = np.int64(popcount(lho & suit)), np.int64(popcount(rho & suit))
        longest = max(left_length, right_length)
        safe = np.int64(13)
        if ruff_left:
            safe = min(safe, left_length)
        if ruff_right:
            safe = min(safe, right_length)
        length, other = np.int64(popcount(own)), np.int64(popcount(theirs))
        if top >= longest and other <= top and safe == 13:
            tricks = length
        else:
            tricks = min(top, safe)
        if tricks > 0:
            matter |= found
        number += tricks
        if trump < 0 and other > top:
            more, beyond = from_the_top(theirs, out & suit & ~found)
            if more > 0:
                room = other - top
                gain = min(more, room)
                if top + more >= longest and length - top <= more:
                    gain = room
                across += gain
                over |= beyond | found
                crossing |= length > top
    if number < wanted and crossing:
        number += across
        matter |= over
    return min(number, left), matter
