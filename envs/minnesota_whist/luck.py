"""Luck in Minnesota Whist, for evaluation that corrects it: later deals, and the whole position as words for a value function."""

import numpy as np

from tromf.envs.jit import EMPTY, bit, compiled, draw_uint, thermometer
from tromf.envs.minnesota_whist.observation import MISSING, missing, one_of_four
from tromf.envs.minnesota_whist.rules import HIGH, LOW
from tromf.envs.words import Row

# 'Relative' means clockwise from the seat, bit 0 itself.
SCENE = (
    *(Row(f"hand, {k} to the left", 52, f"cards in the hand of the seat {k} to the left") for k in range(4)),
    Row("trick", 52, "cards in this trick"),
    Row("holds the trick", 52, "the card that holds the trick"),
    Row("bids", 52, "cards set aside as bids"),
    Row(
        "roles",
        38,
        "leader, seat to decide, dealer, holder of the trick, who granded, who plays a solo (relative, four bits each); phase (bid, solo, "
        "give, trump, play); low, high; trumps (none, C, D, H, S); kind of solo, two binary digits",
    ),
    Row("tricks", 26, "of the own and the other side, thermometers of thirteen bits each"),
    Row("missing", 2 * MISSING, "in a game: points that the own and the other side lack to the target, thermometers"),
)


@compiled
def drawn(s):
    return np.int64(s.number)


@compiled
def redraw(s, rng):
    """Nothing but the later decks is left to chance."""
    s.rng, s.seed = draw_uint(rng), draw_uint(rng)


@compiled
def scene(s, seat, words):
    own = np.int64(seat) & 1
    bids = EMPTY
    for k in range(4):
        p = (np.int64(seat) + k) & 3
        words[k] = s.hand[p]
        if s.bid[p] >= 0:
            bids |= bit(s.bid[p]) & s.hand[p]
    words[4] = s.table
    words[5] = bit(s.best) if s.laid else EMPTY
    words[6] = bids
    roles = EMPTY
    for k, who in enumerate((s.leader, s.turn, s.dealer)):
        roles |= one_of_four(seat, who) << np.uint64(4 * k)
    if s.laid:
        roles |= one_of_four(seat, s.holder) << np.uint64(12)
    roles |= one_of_four(seat, s.granded) << np.uint64(16) | one_of_four(seat, s.soloist) << np.uint64(20) | bit(24 + s.phase)
    roles |= np.uint64(s.kind == LOW) << np.uint64(29) | np.uint64(s.kind == HIGH) << np.uint64(30) | bit(32 + s.trump)
    words[7] = roles | np.uint64(s.solo) << np.uint64(36)
    words[8] = thermometer(s.tricks[own]) | thermometer(s.tricks[1 - own]) << np.uint64(13)
    words[9] = missing(s, own) | missing(s, 1 - own) << np.uint64(MISSING) if s.options.game else EMPTY
