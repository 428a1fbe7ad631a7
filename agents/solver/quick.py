"""Tricks that can be counted without search, between two tricks of a high hand.

All functions err on the safe side: they promise no trick that the other side could prevent.
"""

import numpy as np

from tromf.agents.solver.bits import SUIT
from tromf.envs.jit import EMPTY, ONE, compiled, highest, lowest, popcount

ALL = np.int64(13)


@compiled
def from_the_top(cards, out):
    """How many of the highest cards that are out, within one suit, are among `cards`."""
    others = out & ~cards
    if others:
        cards &= ~((np.uint64(2) << highest(others)) - ONE)
    return np.int64(popcount(cards))


@compiled
def best_of(cards, n):
    """The `n` highest of a set within one suit, all of them if there are fewer."""
    found = EMPTY
    while n > 0 and cards:
        card = ONE << highest(cards)
        found |= card
        cards ^= card
        n -= 1
    return found


@compiled
def quick_tricks(hands, out, leader, trump, left, wanted):
    """Tricks that the leader's side can take at once, at least, counted up to `wanted`; and the cards that matter, a set.

    First the leader cashes its highest cards, trumps before others; if it then can reach its partner with a low card below the
    partner's highest of the suit, the partner goes on.
    """
    mine, partner = hands[leader], hands[leader ^ 2]
    lho, rho = hands[(leader + 1) & 3], hands[(leader + 3) & 3]
    number, matter = np.int64(0), EMPTY  # the leader's
    across, over, crossing = np.int64(0), EMPTY, False  # its partner's
    ruff_left, ruff_right = False, False
    most, back = ALL, ALL  # tricks in side suits until the partner, or later the leader, must ruff
    first = 0
    if trump >= 0:
        first = -1
        most = np.int64(popcount(partner & ~SUIT[trump])) + 1
        back = np.int64(popcount(mine & ~SUIT[trump]))
    for k in range(first, 4):
        if number >= wanted:
            break
        if k == trump:
            continue
        s = trump if k < 0 else k
        suit = SUIT[s]
        own, theirs = mine & suit, partner & suit
        left_length, right_length = np.int64(popcount(lho & suit)), np.int64(popcount(rho & suit))
        longest = max(left_length, right_length)
        length, other = np.int64(popcount(own)), np.int64(popcount(theirs))
        safe = ALL  # rounds that no opponent ruffs
        if ruff_left:
            safe = left_length
        if ruff_right:
            safe = min(safe, right_length)
        top = from_the_top(own, out & suit)
        tricks = min(top, safe)
        if safe == ALL and top >= longest and other <= top:
            tricks = length  # nobody else has cards of the suit then: the low ones win too
        used = min(top, min(tricks, wanted - number))
        if s == trump:
            ruff_left, ruff_right = left_length > top, right_length > top
            if other <= top:
                most = ALL
            if number + tricks < wanted and longest > 0:
                used = top  # side suits count on so many trumps being drawn
        else:
            tricks = min(tricks, most)
            most -= tricks
            back -= tricks
        matter |= best_of(own, used)
        number += tricks
        if other > top and safe > top:
            more = from_the_top(theirs, out & suit & ~best_of(own, top))
            gain = min(min(more, other - top), safe - top)
            if gain > 0:
                over |= best_of(theirs, gain) | best_of(own, top)
                crossing |= length > top
                if safe == ALL and top + more >= longest and length - top <= more:
                    over |= best_of(theirs, more)
                    gain = other - top
                across += gain
    if number < wanted and crossing:
        across = min(across, min(back, most - 1))
        if across > 0:
            number += across
            matter |= over
    return min(number, left), matter


@compiled
def later_tricks(hands, out, top, leader, trump, left):
    """Tricks that the side that does not lead wins sooner or later, at least; and the cards that matter, a set."""
    lho, rho = hands[(leader + 1) & 3], hands[(leader + 3) & 3]
    theirs = lho | rho
    if trump >= 0:
        suit = SUIT[trump]
        number = from_the_top(theirs & suit, out & suit)
        number = min(number, max(np.int64(popcount(lho & suit)), np.int64(popcount(rho & suit))))
        return number, best_of(theirs & suit, number)
    # Whatever is led, an opponent can win and cash its highest cards, if they have the highest card of every suit that the leader has.
    mine = hands[leader]
    least, matter = left, EMPTY
    for seat in (leader + 1) & 3, (leader + 3) & 3:
        number, cards, can = np.int64(0), EMPTY, False
        for s in range(4):
            suit = SUIT[s]
            if not mine & suit:
                pass
            elif not top & suit & theirs:
                return np.int64(0), EMPTY
            elif top & suit & hands[seat]:
                can = True
            own = hands[seat] & suit
            n = from_the_top(own, out & suit)
            number += n
            cards |= best_of(own, n)
        if can:
            least = min(least, number)
            matter |= cards
    return least, matter
