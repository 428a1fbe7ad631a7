"""The tricks of Minnesota Whist beside a bridge player's: the double-dummy solver of endplay (DDS) on random endings of five cards each.

In a high hand without trumps, or with them, all that is left to do is to win tricks, as in bridge. Brute force over our rules must find
as many tricks as the solver, for every card that can be led.
"""

import numpy as np
import pytest
from endplay.dds import solve_all_boards
from endplay.types import Deal, Denom, Player

from tests.envs.minnesota_whist.fuzzing import GAME
from tromf.envs import batch, verbs
from tromf.envs.cards import FRENCH, SUITS
from tromf.envs.jit import EMPTY, assign, bit, compiled, draw_below, lowest, mixed, nth, popcount
from tromf.envs.minnesota_whist.rules import HIGH, PLAY

ENDINGS = 2000
CARDS = 5
SEATS = (Player.north, Player.east, Player.south, Player.west)
DENOMS = {"C": Denom.clubs, "D": Denom.diamonds, "H": Denom.hearts, "S": Denom.spades, "": Denom.nt}


@compiled
def play_to_ending(states, rng):
    """Every deal is played at random until each seat has five cards, and none is on the table."""
    for i in range(states.shape[0]):
        s = states[i]
        while s.phase != PLAY or s.laid or popcount(s.hand[s.turn]) > CARDS:
            legal = verbs.legal(s)
            verbs.apply(s, np.int64(nth(legal, draw_below(rng, popcount(legal)))))


@compiled
def can_take(stack, depth, side, goal, known, answers):
    """Whether a side comes to so many tricks in the deal, if all play as well as can be. `stack[depth]` is the position.

    `known` and `answers` remember positions between two tricks, by the cards that are left, the leader and the tricks that are wanted.
    """
    s = stack[depth]
    if s.tricks[side] >= goal:
        return True
    if s.options.tricks - s.tricks[1 - side] < goal:
        return False
    key, place = EMPTY, 0
    if s.laid == 0:
        left = s.hand[0] | s.hand[1] | s.hand[2] | s.hand[3]
        key = left | np.uint64(s.turn) << np.uint64(52) | np.uint64(goal - s.tricks[side]) << np.uint64(54)
        place = np.int64(mixed(key) & np.uint64(known.shape[0] - 1))
        if known[place] == key:
            return answers[place]
    mine = (s.turn & 1) == side
    cards = verbs.legal(s)
    taken = not mine
    while cards and taken != mine:
        card = np.int64(lowest(cards))
        cards &= ~bit(card)
        assign(stack[depth + 1], s)
        verbs.apply(stack[depth + 1], card)
        taken = can_take(stack, depth + 1, side, goal, known, answers)
    if s.laid == 0:
        known[place], answers[place] = key, taken
    return taken


@compiled
def tricks_by_lead(states, stack, known, answers, out):
    """For each ending and each card: how many more tricks the leading side takes if it is led; -1 if it cannot be. (n, 52)."""
    for i in range(states.shape[0]):
        s = states[i]
        side = np.int64(s.turn) & 1
        known[:] = EMPTY
        out[i, :] = -1
        for card in range(52):
            if verbs.legal(s) & bit(card):
                assign(stack[0], s)
                verbs.apply(stack[0], card)
                more = 0
                while more < CARDS and can_take(stack, 0, side, s.tricks[side] + more + 1, known, answers):
                    more += 1
                out[i, card] = more


def endings(variant: str, n: int, seed: int) -> np.ndarray:
    """High hands of random deals, random bids and random play, with five cards left in each hand, (n,)."""
    found = np.zeros(0, GAME.state)
    while len(found) < n:
        states = GAME.states(n, variant)
        seeds = np.arange(n, dtype=np.uint64) + np.uint64(seed * 1_000_003 + len(found))
        batch.begin_rows(states, np.arange(n), seeds, np.full(n, -1), np.zeros(n, np.bool_))
        play_to_ending(states, np.array([(seed,)], [("rng", np.uint64)])[0])
        found = np.concatenate([found, states[states["kind"] == HIGH]])
    return found[:n]


def by_brute_force(states: np.ndarray) -> np.ndarray:
    """Tricks of the leading side by card led, (n, 52); -1 for cards that it does not hold."""
    out = np.zeros((len(states), 52), np.int64)
    stack = np.zeros(4 * CARDS + 1, GAME.state)
    tricks_by_lead(states, stack, np.zeros(1 << 14, np.uint64), np.zeros(1 << 14, np.bool_), out)
    return out


def as_bridge(state: np.void) -> Deal:
    """The same ending at a bridge table, seat 0 being North."""
    hands = []
    for seat in range(4):
        cards = [FRENCH.texts[card] for card in FRENCH.members(state["hand"][seat])]
        hands.append(".".join("".join(card[0] for card in reversed(cards) if card[1] == suit) for suit in reversed(SUITS)))
    trump = SUITS[state["trump"]] if state["trump"] >= 0 else ""
    return Deal("N:" + " ".join(hands), first=SEATS[state["turn"]], trump=DENOMS[trump])


def by_solver(states: np.ndarray) -> np.ndarray:
    """The same of endplay."""
    out = np.full((len(states), 52), -1)
    for first in range(0, len(states), 100):  # boards that it solves at once
        part = states[first : first + 100]
        for i, solved in enumerate(solve_all_boards([as_bridge(state) for state in part])):
            for card, tricks in solved:
                out[first + i, FRENCH.number(card.rank.name[1:] + card.suit.name[0])] = tricks
    return out


@pytest.mark.parametrize("variant", ["minnesota", "south-dakota"])
def test_MW_8_the_best_play_takes_as_many_tricks_as_the_double_dummy_solver_says(variant):
    states = endings(variant, ENDINGS, seed=1)
    assert ((states["trump"] >= 0) == (variant == "south-dakota")).all()
    ours = by_brute_force(states)
    assert (ours == by_solver(states)).all()
    best = ours.max(axis=1)
    assert set(best.tolist()) == set(range(CARDS + 1))
    assert (((ours == -1) | (ours == best[:, None])).all(axis=1)).mean() < 0.8  # what is led often matters
