"""Endings of Mustamaija between two, solved: the stock is empty, all others are out, every card is known.

Such an ending is finite. An attack of which anything is beaten takes cards out of the game; one that is all taken leaves the attacker
on turn (MM-N2) with fewer cards. So nothing ever comes round again, and play cannot be dragged out until it is cut off (MM-X): the value
is that of play to the end, one of the two losing, provided that the longest possible play fits into the decisions left.

The search goes over the verbs, so that every option counts, and keeps what it learns of positions at the beginning of an attack. Their
key tells apart nothing that does not matter: of a suit it has who holds the cards in order of rank, not which ranks they are; plain suits
are exchangeable; of spades Mustamaija stands apart, for she beats nothing and nothing beats her.
"""

from typing import Any

import numpy as np

from tromf.envs.jit import EMPTY, ONE, bit, compiled, highest, lowest, mixed, popcount
from tromf.envs.mustamaija.rules import (
    ACTIONS,
    ATTACK,
    DECLARED,
    DEFEND,
    DONE,
    MAIJA,
    QUEEN,
    SPADES,
    STATE,
    SUIT,
    actor,
    apply,
    legal,
    returns,
)

LIMITS = np.array([14, 12, 10])  # most cards in play for `exact`: usually; while trumps may be declared; with wrong attacks, which are many
MOST = 24  # for `solve`
PLACES = 1 << 18  # in the memory
CARDS = bit(DONE) - ONE


def longest(cards: int, misplay: bool) -> int:
    """A bound on the decisions that may follow when so many cards are in play.

    Between two attacks of which something is beaten, which take two cards or more out of the game, the attacker's hand only shrinks, so
    that all attacks together lay no more than its cards. Each asks for `done` and for an answer to each card. A wrong attack may lay the
    whole hand; after `done` and `keep` each card that stays is returned or answered. To this come the rest of an attack that has begun,
    and a declaration.
    """
    later = sum(sum(2 * hand + 2 for hand in range(1, left)) if misplay else 3 * (left - 1) for left in range(cards, 1, -2))
    return 2 * cards + 3 + later


LONGEST = np.array([[longest(cards, misplay) for cards in range(MOST + 1)] for misplay in (False, True)])


def memory() -> np.ndarray:
    """What `exact` keeps of positions that it has solved: (places,) uint64, a key of 61 bits and whether the attacker loses."""
    return np.zeros(PLACES, np.uint64)


def solve(state: Any, table: np.ndarray | None = None) -> tuple[int, list[int]]:
    """Who loses an ending when both play perfectly, and the actions after which the seat to decide does not lose: none if it must.

    Args:
        state: a record with all cards open, of a deal that is not over. table: what `memory` made, to be used again; else a new one.

    `ValueError` if more than two are in, the stock is not empty, more than `MOST` cards are in play, or the deal may be cut off.
    """
    table = memory() if table is None else table
    loser = int(loser_of(state, table, MOST))
    if loser < 0:
        raise ValueError(_why_not(state))
    actions = int(saving(state, table, MOST))
    return loser, [action for action in range(ACTIONS) if actions >> action & 1]


def _why_not(state: Any) -> str:
    """Why a position is not solved, as one line."""
    if state["top"] < state["size"]:
        return f"{state['size'] - state['top']} cards are in the stock: only endings are solved, when it is empty"
    players = int(state["options"]["players"]) - int(state["out"])
    if players != 2:
        return f"{players} players are in: only endings between two are solved"
    cards = int(in_play(state)).bit_count()
    if cards > MOST:
        return f"{cards} cards are in play: endings are solved up to {MOST}"
    return (
        f"after {state['decisions']} decisions the deal may be cut off (max_decisions={state['options']['max_decisions']}) before its end"
    )


@compiled
def exact(world, table, out):
    """Write the returns under best play; False if more than two are in, cards are in the stock, or too many in play."""
    if world.over:
        returns(world, out)
        return True
    kind = 2 if world.options.misplay_penalty else 1 if world.trump < 0 else 0
    loser = loser_of(world, table, LIMITS[kind])
    if loser < 0:
        return False
    end = np.empty(1, STATE)
    end[0] = world
    s = end[0]
    s.over, s.loser, s.out = 1, loser, s.options.players - 1
    for p in range(s.options.players):
        if s.place[p] == 0 and p != loser:
            s.place[p] = s.out
    returns(s, out)
    return True


@compiled
def loser_of(world, table, most):
    """The seat that loses a deal that is not over; -1 if the position is none that is solved, or has more cards in play than `most`."""
    if world.top < world.size or world.out + 2 != world.options.players:
        return np.int64(-1)
    cards = np.int64(popcount(in_play(world)))
    if cards > most:
        return np.int64(-1)
    decisions = LONGEST[world.options.misplay_penalty, cards]
    if np.int64(world.decisions) + decisions > np.int64(world.options.max_decisions):
        return np.int64(-1)
    key = key_of(world) if world.phase == ATTACK and world.attack == EMPTY else EMPTY
    loser = remembered(world, key, table)
    return loser if loser >= 0 else search(world, key, table, decisions)


@compiled
def in_play(s):
    """All cards but those that have left the game or will when this attack is over."""
    cards = s.attack & ~s.beaten
    for p in range(s.options.players):
        cards |= s.hand[p]
    return cards


@compiled
def saving(world, table, most):
    """The actions after which the seat to decide does not lose, none if it does; all 64 bits if the position is none that is solved."""
    if loser_of(world, table, most) < 0:
        return ~EMPTY
    seat, actions, found, after = actor(world), legal(world), EMPTY, np.empty(1, STATE)
    while actions:
        action = lowest(actions)
        actions &= actions - ONE
        after[0] = world
        s = after[0]
        s.options.max_decisions = 0xFFFFFFFF  # there is room for all that follow
        apply(s, action)
        loser = np.int64(s.loser) if s.over else loser_of(s, table, most)
        found |= bit(action) if loser != seat else EMPTY
    return found


@compiled
def remembered(s, key, table):
    """The seat that loses a position with this key, -1 if the table does not know."""
    entry = table[mixed(key) % np.uint64(len(table))]
    if key == EMPTY or entry >> ONE != key:
        return np.int64(-1)
    return np.int64(s.attacker if entry & ONE else s.defender)


@compiled
def search(world, key, table, decisions):
    """The seat that loses: depth first, each seat looking for one action after which it is the other."""
    stack, keys, left = np.empty(decisions + 1, STATE), np.empty(decisions + 1, np.uint64), np.empty(decisions + 1, np.uint64)
    stack[0], keys[0], left[0], depth = world, key, choices(world), 0
    for p in range(8):  # all cards lie open, so that the rules need not follow who knows what
        stack[0].known[p] = stack[0].hand[p]
    while True:
        action = lowest(left[depth])
        left[depth] &= left[depth] - ONE
        stack[depth + 1] = stack[depth]
        s = stack[depth + 1]
        apply(s, action)
        while True:  # play on while there is no choice
            begins = not s.over and s.phase == ATTACK and s.attack == EMPTY
            keys[depth + 1] = key_of(s) if begins else EMPTY
            loser = np.int64(s.loser) if s.over else remembered(s, keys[depth + 1], table)
            if loser >= 0:
                break
            left[depth + 1] = choices(s)
            if left[depth + 1] & (left[depth + 1] - ONE):
                break
            apply(s, lowest(left[depth + 1]))
        if loser < 0:
            depth += 1
            continue
        while loser != actor(stack[depth]) or left[depth] == EMPTY:  # an action that wins, or the last one that loses
            key = keys[depth]
            if key:
                table[mixed(key) % np.uint64(len(table))] = key << ONE | np.uint64(loser == stack[depth].attacker)
            if depth == 0:
                return loser
            depth -= 1


@compiled
def choices(s):
    """The legal actions, but of neighbours in one hand only the lowest, for which of them leaves it does not matter."""
    actions = legal(s)
    if (s.phase != ATTACK and s.phase != DEFEND) or (s.trump < 0 and s.options.trump == DECLARED):
        return actions
    cards, others = actions & CARDS, in_play(s) & ~MAIJA
    rest = cards & ~MAIJA
    while rest:
        card = np.int64(lowest(rest))
        rest &= rest - ONE
        below = others & SUIT[card // 13] & (bit(card) - ONE)
        if below and bit(highest(below)) & cards:
            actions &= ~bit(card)
    return actions


@compiled
def key_of(s):
    """A position at the beginning of an attack as 61 bits, never 0, in which equivalent positions are equal."""
    a, d = s.hand[s.attacker], s.hand[s.defender]
    first, second, third, spades = EMPTY, EMPTY, EMPTY, suit_code(s, a, d, SPADES)
    for suit in range(3):
        code = suit_code(s, a, d, suit)
        if suit == s.trump:
            code |= np.uint64(1) << np.uint64(20)  # so that trumps are sorted to the first place
        if code > first:
            first, second, third = code, first, second
        elif code > second:
            second, third = code, second
        else:
            third = code
    key, courts = EMPTY, EMPTY
    for code in (first, second, third, spades):
        length = (code >> np.uint64(13)) & np.uint64(15)
        key = key << length | code & np.uint64(0x1FFF)
        courts = courts << np.uint64(3) | (code >> np.uint64(17)) & np.uint64(7)
    for code in (first, second, third, spades):
        key = key << np.uint64(4) | (code >> np.uint64(13)) & np.uint64(15)
    key = key << np.uint64(9) | courts >> np.uint64(3)
    flags = np.uint64(s.trump >= 0) | np.uint64(s.options.misplay_penalty) << ONE
    flags |= np.uint64(a & MAIJA != EMPTY) << np.uint64(2) | np.uint64(courts != EMPTY and s.options.either) << np.uint64(3)
    return key << np.uint64(4) | flags


@compiled
def suit_code(s, a, d, suit):
    """Of a suit: whether A holds each card, by rank (13 bits), how many there are (4), what may be declared (3)."""
    cards, holders = (a | d) & SUIT[suit] & ~MAIJA, EMPTY
    rest = cards
    while rest:
        holders = holders << ONE | (a >> lowest(rest)) & ONE
        rest &= rest - ONE
    code = popcount(cards) << np.uint64(13) | holders
    if s.trump < 0 and s.options.trump == DECLARED and suit != SPADES:
        top = cards >> np.uint64(13 * suit + QUEEN)  # with the ace, since it tells where the two are
        court = top & np.uint64(3)
        if court == np.uint64(3) or (s.options.either and court):
            code |= top << np.uint64(17)
    return code
