"""The last three tricks of two players, solved: once the stock is empty each knows what the other holds, for every other card is seen.

Values are those of the deal, or of the match, to whoever holds the first of two hands: `mine` with `ahead` counted so far, against
`theirs` with `behind`. The three tricks are written out, since compiled functions that call themselves cannot be kept on disk.
"""

import numpy as np

from tromf.agents.mitza.yardsticks import winners
from tromf.envs.jit import EMPTY, ONE, bit, compiled, lowest, popcount
from tromf.envs.mitza.rules import CRY, POINTS, QUIET, SUIT, TROMF, points_of

VICTORY = 1000  # what a match is worth beside points
MOST = 1 << 20


@compiled
def ending(s, actions, theirs):
    """The best action for the seat to decide, given the other's hand; of equally good ones the first, but `quiet` before `tromf`."""
    mine, side = s.hand[s.turn], np.int64(s.turn) & 1
    ahead, behind = counted(s, side), counted(s, 1 - side)
    if s.phase == CRY:
        lead = np.int64(s.lead)
        quiet = answered(s, lead, False, mine, theirs, ahead, behind, -MOST)
        return np.int64(TROMF if answered(s, lead, True, mine, theirs, ahead, behind, quiet) > quiet else QUIET)
    best, most = np.int64(-1), -MOST
    while actions:
        card = np.int64(lowest(actions))
        actions &= actions - ONE
        if s.laid:
            value = after_trick(s, winners(s, bit(card)) != EMPTY, s.table | bit(card), mine & ~bit(card), theirs, ahead, behind)
        else:
            value = led(s, card, mine & ~bit(card), theirs, ahead, behind, most)
        if value > most:
            best, most = card, value
    return best


@compiled
def counted(s, side):
    """What a side has so far: tricks, or points, in a match those of the deals before too."""
    return np.int64(s.score[side]) + np.int64(s.points[side]) if s.options.scoring == POINTS else np.int64(s.tricks[side])


@compiled
def led(s, card, mine, theirs, ahead, behind, least):
    """The value of leading a card, with `tromf` if that is better; no more than `least` means that it is not above that."""
    value = answered(s, card, False, mine, theirs, ahead, behind, least)
    if may_matter(s, card, theirs):
        value = max(value, answered(s, card, True, mine, theirs, ahead, behind, max(value, least)))
    return value


@compiled
def may_matter(s, card, theirs):
    """Whether `tromf` with this card would take away a choice of the other."""
    trumps = SUIT[s.trump]
    return s.options.tromf and bit(card) & trumps and theirs & trumps and theirs & ~trumps


@compiled
def answered(s, card, called, mine, theirs, ahead, behind, least):
    """The value of a card led, when the other gives the best answer."""
    trumps = SUIT[s.trump]
    replies, value = theirs & trumps if called and theirs & trumps else theirs, MOST
    while replies and value > least:
        reply = np.int64(lowest(replies))
        replies &= replies - ONE
        value = min(value, after_trick(s, holds(s, card, reply), bit(card) | bit(reply), mine, theirs & ~bit(reply), ahead, behind))
    return value


@compiled
def holds(s, card, reply):
    """Whether a card led holds the trick against another."""
    return card > reply if card // 8 == reply // 8 else reply // 8 != s.trump


@compiled
def after_trick(s, won, cards, mine, theirs, ahead, behind):
    """The value once a trick of some cards is won or lost."""
    if won:
        ahead += worth(s, cards)
        return lead_two(s, mine, theirs, ahead, behind) if popcount(mine) == 2 else last_trick(s, mine, theirs, ahead, behind)
    behind += worth(s, cards)
    return -(lead_two(s, theirs, mine, behind, ahead) if popcount(mine) == 2 else last_trick(s, theirs, mine, behind, ahead))


@compiled
def lead_two(s, mine, theirs, ahead, behind):
    """The value of leading with two cards each to go."""
    trumps, most, rest = SUIT[s.trump], -MOST, mine
    while rest:
        card = np.int64(lowest(rest))
        rest &= rest - ONE
        for called in range(2 if may_matter(s, card, theirs) else 1):
            replies, value = theirs & trumps if called else theirs, MOST
            while replies and value > most:
                reply = np.int64(lowest(replies))
                replies &= replies - ONE
                cards = bit(card) | bit(reply)
                if holds(s, card, reply):
                    value = min(value, last_trick(s, mine & ~cards, theirs & ~cards, ahead + worth(s, cards), behind))
                else:
                    value = min(value, -last_trick(s, theirs & ~cards, mine & ~cards, behind + worth(s, cards), ahead))
            most = max(most, value)
    return most


@compiled
def last_trick(s, mine, theirs, ahead, behind):
    """The value of leading the last card, or of having no more."""
    if mine:
        if holds(s, np.int64(lowest(mine)), np.int64(lowest(theirs))):
            ahead += worth(s, mine | theirs)
        else:
            behind += worth(s, mine | theirs)
    if s.options.match and ahead != behind and max(ahead, behind) >= s.options.target:
        return ahead - behind + (VICTORY if ahead > behind else -VICTORY)
    return ahead - behind


@compiled
def worth(s, cards):
    """Of a trick."""
    return np.int64(points_of(cards)) if s.options.scoring == POINTS else np.int64(1)
