"""Luck in Mîța and 101, for evaluation that corrects it: what chance still holds, and the whole position as words for a value function."""

import numpy as np

from tromf.envs.jit import EMPTY, bit, compiled, draw_below, draw_uint, thermometer
from tromf.envs.mitza.observation import STEPS, missing
from tromf.envs.mitza.rules import CRY, EXCHANGE, PLAY, SUIT
from tromf.envs.words import Row, to_the_left

# Clubs and trumps are exchanged, so that trumps are always clubs. 'Relative' means clockwise from the seat, bit 0 itself.
SCENE = (
    *(Row(f"hand, {k} to the left", 32, f"cards in the hand of the seat {k} to the left") for k in range(6)),
    Row("trick", 64, "cards in this trick (32), and the one that holds it (32)"),
    Row("face up", 58, "the card face up under the stock (32); size of the stock, a thermometer (26)"),
    Row(
        "roles",
        22,
        "leader, seat to decide, holder of the trick once a card is laid (relative, six bits each); phase play, cry, exchange; tromf cried",
    ),
    Row("counts", 24, "tricks of the own and the other side, five binary digits each, and their points, seven each, in this deal"),
    Row("missing, own side", STEPS, "in a match: points that the own side lacks to the target, as in the observation"),
    Row("missing, other side", STEPS, "the same of the other side"),
)


@compiled
def drawn(s):
    return np.int64(s.top) | np.int64(s.number) << 8


@compiled
def redraw(s, rng):
    """The face-down cards of the stock in random order; in one that was checked (MZ-2), trumps and other cards each among themselves:
    the check looks at nothing but which cards are trumps."""
    top = np.int64(s.top)
    for i in range(np.int64(s.stock_size) - 2, top, -1):
        j = top + np.int64(draw_below(rng, i - top + 1))
        while s.options.check_stock and (s.stock[i] // 8 == s.trump) != (s.stock[j] // 8 == s.trump):
            j = top + np.int64(draw_below(rng, i - top + 1))
        s.stock[i], s.stock[j] = s.stock[j], s.stock[i]
    s.rng, s.seed = draw_uint(rng), draw_uint(rng)


@compiled
def renamed(cards, trump):
    """The cards with clubs and trumps exchanged."""
    if trump <= 0:
        return cards
    by = np.uint64(8 * trump)
    return (cards & ~(SUIT[0] | SUIT[trump])) | (cards & SUIT[0]) << by | (cards & SUIT[trump]) >> by


@compiled
def scene(s, seat, words):
    players, trump, own = np.int64(s.options.players), np.int64(s.trump), np.int64(seat) & 1
    p = np.int64(seat)
    for k in range(6):
        words[k] = EMPTY
        if k < players:
            words[k] = renamed(s.hand[p], trump)
            p = p + 1 if p + 1 < players else np.int64(0)
    words[6] = renamed(s.table, trump) | (renamed(bit(s.best), trump) << np.uint64(32) if s.laid else EMPTY)
    left = np.int64(s.stock_size) - np.int64(s.top)
    words[7] = (renamed(bit(s.stock[s.stock_size - 1]), trump) if left else EMPTY) | thermometer(left) << np.uint64(32)
    roles = bit(to_the_left(s.leader, seat, players)) | bit(6 + to_the_left(s.turn, seat, players))
    if s.laid:
        roles |= bit(12 + to_the_left(s.holder, seat, players))
    for k, phase in enumerate((PLAY, CRY, EXCHANGE)):
        roles |= np.uint64(s.phase == phase) << np.uint64(18 + k)
    words[8] = roles | np.uint64(s.called) << np.uint64(21)
    words[9] = (
        np.uint64(s.tricks[own])
        | np.uint64(s.tricks[1 - own]) << np.uint64(5)
        | np.uint64(s.points[own]) << np.uint64(10)
        | np.uint64(s.points[1 - own]) << np.uint64(17)
    )
    words[10] = missing(s, own) if s.options.match else EMPTY
    words[11] = missing(s, 1 - own) if s.options.match else EMPTY
