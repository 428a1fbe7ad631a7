"""Tricks that can be counted without search, between two tricks of a high hand.

All functions err on the safe side: they promise no trick that the other side could prevent.
"""

import numpy as np

from tromf.agents.solver.bits import SUIT
from tromf.envs.jit import EMPTY, ONE, compiled, highest, popcount

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
    # The leader's side can go on for so many tricks, in suits of which it has the highest card; then the others get in, and whoever it is
    # can still cash its own highest cards.
    ours = EMPTY
    longest = np.int64(0)
    for s in range(4):
        suit = SUIT[s]
        if top & suit & ~theirs:
            longest += max(np.int64(popcount(hands[leader] & suit)), np.int64(popcount(hands[leader ^ 2] & suit)))
        else:
            ours |= top & suit
    if longest >= left:
        return np.int64(0), EMPTY
    one, first = tops_of(lho, out)
    other, second = tops_of(rho, out)
    number = min(max(min(one, other), 1), left - longest)
    matter = ours
    if number > 1:
        matter |= first | second
    return number, matter


@compiled
def tops_of(hand, out):
    """How many tricks a hand without trumps cashes with the highest cards of each suit; and these cards."""
    number, cards = np.int64(0), EMPTY
    for s in range(4):
        own = hand & SUIT[s]
        n = from_the_top(own, out & SUIT[s])
        number += n
        cards |= best_of(own, n)
    return number, cards


@compiled
def countered(hands, out, top, leader, trump, left, wanted):
    """Whether, whatever is led, one of the other side wins the trick with the highest card of the suit and then takes tricks enough.

    `wanted` are the tricks that the leader's side needs. With the cards that matter, a set.
    """
    mine = hands[leader]
    matter = EMPTY
    enough = left - wanted + 1
    stops = EMPTY  # suits that an opponent stops
    for seat in (leader + 1) & 3, (leader + 3) & 3:
        heads = top & hands[seat]
        used = False
        for s in range(4):
            suit = SUIT[s]
            if not (heads & suit and mine & suit):
                continue
            if trump >= 0 and s != trump:
                last = hands[leader ^ 2]
                if not last & suit and last & SUIT[trump]:
                    continue
                if not hands[seat ^ 2] & ~SUIT[trump]:
                    continue
            stops |= suit
            used = True
        if used:
            number, cards = quick_tricks(hands, out, seat, trump, left, enough)
            if number < enough:
                return False, EMPTY
            matter |= cards | heads
    return not mine & ~stops, matter
