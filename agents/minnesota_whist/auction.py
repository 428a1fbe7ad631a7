"""What `expert` decides before the play: its bid card, solos, the gift before sola nulla, trumps. Hands are weighed by sums of terms."""

import math

import numpy as np

from tromf.agents.minnesota_whist.cards import quick, risk, stoppers
from tromf.agents.minnesota_whist.yardsticks import BLACK, RANK, highest_of, lowest_of
from tromf.envs.jit import EMPTY, ONE, bit, compiled, lowest, popcount
from tromf.envs.minnesota_whist.rules import BID, BID_DIX, BID_SOLA, GIVE, HIGH, NAME, NONE, PASS, SOLO, SUIT

HAND_TERMS = ("aces", "kings", "queens", "jacks", "tens", "nines", "eights", "sevens", "shape", "stops", "danger", "quick", "constant")
ROLES = ("low", "granded", "partner granded", "foe granded")
SCORINGS = ("even", "defence dearer", "grand dearer", "grand alone")  # of high hands
PLACES = ("first", "second", "third", "fourth")  # in the bidding
SOLA_TERMS = ("constant", "danger", "worst", "worst_squared", "voids", "lowest", "small")
DIX_TERMS = ("constant", "sure", "sure_squared", "gaps", "longest")
TRUMP_TERMS = ("length", "length_squared", "king", "queen", "jack", "ten")  # an ace is worth no more as a trump

NEVER, WORTH_IT, ALSO_TO_ESCAPE = range(3)  # when to bid a solo
LOWEST, OF_LONGEST, OF_SHORTEST = range(3)  # what the partner gives before sola nulla


@compiled
def before_play(s, knobs):
    hand = s.hand[s.turn]
    if s.phase == BID:
        black = hand & BLACK
        wanted = black if grand_gain(s, hand, knobs) + knobs.boldness > 0.0 else hand & ~BLACK
        if not wanted:
            wanted = hand
        return highest_of(wanted) if knobs.show_high else lowest_of(wanted)
    if s.phase == SOLO:
        return solo(s, hand, knobs)
    if s.phase == GIVE:
        return throw_danger(s, hand, knobs) if s.turn == s.soloist else gift(hand, knobs.gift)
    return NAME + best_trumps(hand, knobs)


@compiled
def grand_gain(s, hand, knobs):
    """What showing black is worth more than showing red, in points of the deal."""
    x = np.zeros(len(HAND_TERMS))
    hand_terms(s, hand, x)
    place = (np.int64(s.turn) - np.int64(s.dealer) - 1) & 3
    return dot(knobs.bid[scoring(s), place], x)


@compiled
def scoring(s):
    """The kind of scoring of high hands."""
    if s.options.south_dakota:
        return 3
    grand, defence = s.options.grand_points, s.options.defence_points
    return 1 if defence > grand else 2 if grand > defence else 0


@compiled
def solo(s, hand, knobs):
    """MW-3: what seems best of passing, sola nulla and grand dix."""
    if knobs.solos == NEVER:
        return np.int64(PASS)
    star = s.options.star_value if not s.options.game else knobs.game_star
    lost = star if s.options.failed_solo_star or knobs.solos == WORTH_IT else 0.0
    low, high = sola_chance(s, hand, knobs), dix_chance(s, hand, knobs)
    worth_sola, worth_dix = low * star - (1.0 - low) * lost, high * star - (1.0 - high) * lost
    if s.solo == NONE:
        stay = ordinary(s, hand, knobs)
    else:
        stay = star * knobs.sola_made - (1.0 - knobs.sola_made) * lost
        if (s.turn ^ s.soloist) & 1:
            stay = -stay
    stay += knobs.caution
    if knobs.solos != ALSO_TO_ESCAPE:
        stay = max(stay, 0.0)
    if s.solo == NONE and worth_sola > stay and worth_sola >= worth_dix:
        return np.int64(BID_SOLA)
    return np.int64(BID_DIX if worth_dix > stay else PASS)


@compiled
def ordinary(s, hand, knobs):
    """What a seat's side may expect without a solo, in points."""
    x = np.zeros(len(HAND_TERMS))
    hand_terms(s, hand, x)
    role = 0
    if s.kind == HIGH:
        role = 1 if s.granded == s.turn else 3 if (s.granded ^ s.turn) & 1 else 2
    return knobs.expectation * dot(knobs.ordinary[role], x)


@compiled
def sola_chance(s, hand, knobs):
    """About the chance to make sola nulla, with the exchange to come."""
    x = np.zeros(len(SOLA_TERMS))
    sola_terms(s, hand, x)
    return 1.0 / (1.0 + math.exp(-dot(knobs.sola, x)))


@compiled
def dix_chance(s, hand, knobs):
    """About the chance to make grand dix."""
    x = np.zeros(len(DIX_TERMS))
    dix_terms(s, hand, x)
    return 1.0 / (1.0 + math.exp(-dot(knobs.dix, x)))


@compiled
def throw_danger(s, hand, knobs):
    """The card to give away before sola nulla: the one without which the hand is safest, of equals the highest."""
    best, most, x, rest = np.int64(-1), -1e18, np.zeros(len(SOLA_TERMS)), hand
    while rest:
        card = np.int64(lowest(rest))
        rest &= rest - ONE
        sola_terms(s, hand & ~bit(card), x)
        worth = dot(knobs.sola, x) + 0.001 * (card % 13)
        if worth > most:
            best, most = card, worth
    return best


@compiled
def gift(hand, how):
    """The card that the partner of sola nulla gives."""
    suit, most = 0, np.int64(-99)
    for k in range(4):
        length = np.int64(popcount(hand & SUIT[k]))
        if how == OF_SHORTEST:
            length = -length
        if hand & SUIT[k] and length > most:
            suit, most = k, length
    return lowest_of(hand if how == LOWEST else hand & SUIT[suit])


@compiled
def best_trumps(hand, knobs):
    """The suit to name, from 0."""
    best, most, x = np.int64(0), -1e18, np.zeros(len(TRUMP_TERMS))
    for suit in range(4):
        trump_terms(hand & SUIT[suit], x)
        worth = dot(knobs.trumps, x)
        if worth > most:
            best, most = np.int64(suit), worth
    return best


@compiled
def hand_terms(s, hand, x):
    """Write the terms of a hand."""
    x[:] = 0.0
    for k in range(8):
        x[k] = popcount(hand & RANK[12 - k])
    for suit in range(4):
        mine, out = hand & SUIT[suit], s.options.pack & SUIT[suit] & ~hand
        length = np.int64(popcount(mine))
        x[8] += (length - 3.25) ** 2 / 10.0
        x[9] += stoppers(mine, out)
        x[10] += risk(mine, out) / 4.0
        x[11] += quick(mine, out)
    x[12] = 1.0


@compiled
def sola_terms(s, hand, x):
    """Write the terms of a hand for sola nulla."""
    x[:] = 0.0
    x[0] = 1.0
    for suit in range(4):
        mine, out = hand & SUIT[suit], s.options.pack & SUIT[suit] & ~hand
        if not mine:
            x[4] += 1.0
            continue
        danger = risk(mine, out) / 4.0
        x[1] += danger
        x[2] = max(x[2], danger)
        x[5] += popcount(out & (bit(lowest(mine)) - ONE)) / 4.0  # what the lowest card may be left with
    x[3] = x[2] * x[2]
    x[6] = popcount(hand & (RANK[0] | RANK[1] | RANK[2])) / 4.0


@compiled
def dix_terms(s, hand, x):
    """Write the terms of a hand for grand dix."""
    x[:] = 0.0
    x[0] = 1.0
    for suit in range(4):
        mine, out = hand & SUIT[suit], s.options.pack & SUIT[suit] & ~hand
        x[1] += quick(mine, out)
        if mine & RANK[12] == EMPTY:
            x[3] += 1.0
        x[4] = max(x[4], np.float64(popcount(mine)))
    x[2] = x[1] * x[1] / 10.0


@compiled
def trump_terms(mine, x):
    """Write the terms of a suit as trumps."""
    x[0] = popcount(mine)
    x[1] = x[0] * x[0] / 10.0
    for k in range(4):
        x[2 + k] = popcount(mine & RANK[11 - k])


@compiled
def dot(w, x):
    """The sum of terms times weights."""
    total = 0.0
    for k in range(len(x)):
        total += w[k] * x[k]
    return total
