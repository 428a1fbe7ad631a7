"""A small game as a tree: every deal, every way to play it, and what a seat with a perfect memory can tell apart.

The dealer is the last seat, so seat 0 begins: the other dealers give the same game with the seats renamed. The deals at the root are
equally likely; two decks are one deal if every seat gets the same cards and the stock is the same (C-4). A decision with one legal
action is played out. A history is a node: a deal and the choices since, the end of play included.

An information set holds the histories in which the seat to decide has seen the same things in the same order and done the same: the
sequence of its different observations and its own actions, as a hash of 64 bits. Observations alone would not do: they hold the present
state, not the order of past plays (C-7), and some decisions are not known to others (MZ-3), so nothing is counted that a seat does not see.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, permutations
from math import factorial
from typing import Any

import numpy as np

from tromf.envs import batch, verbs
from tromf.envs.batch import begin
from tromf.envs.jit import EMPTY, GOLDEN, ONE, compiled, draw_below, lowest, mixed, nth, popcount, stream
from tromf.envs.registry import Game
from tromf.envs.words import digest

LIMIT = 2_000_000  # histories that a tree may have: some 300 bytes each, records of information sets included
DEPTH = 256  # choices that a line of play may have
PROBES = 4000
SMALLER = ("pack", "hand_size", "players")  # options that make a game small, where it has them

NODE = np.dtype(
    [
        ("mask", np.uint64),  # legal actions; 0 at the end of play
        ("memory", np.uint64),  # what tells the information set: all that the seat to decide has seen and done
        ("sight", np.uint64),  # the same for a seat that sees only the present
        ("parent", np.int32),  # -1 for a deal
        ("action", np.int8),  # that led here; -1 for a deal
        ("seat", np.int8),  # to decide; -1 at the end
    ],
    align=True,
)


@dataclass(frozen=True, eq=False)
class Tree:
    """A game's histories in the order of a depth-first walk, parents before children, and its information sets in order of appearance.

    An information set has a slot for each of its legal actions, in ascending order; a policy is one probability a slot, (S,) float64.

    Attributes:
        game, players: whose tree it is. deals: how many there are at the root.
        parents: (n,) int32, -1 for deals. slots: (n,) int32, the slot of the choice that led here, -1 for deals.
        sets: (n,) int32, the information set of the choice here, -1 at the end. returns: (n, players) float64, 0 before the end.
        seats: (I,) int8, who decides. starts: (I + 1,) int64, the first slot of each set. actions: (S,) int8, of each slot.
        owners: (S,) int8, the seat of each slot. states: (I,) records, the first history of each set.
        sights: how many information sets observations without memory would give.
    """

    game: Game
    players: int
    deals: int
    parents: np.ndarray
    slots: np.ndarray
    sets: np.ndarray
    returns: np.ndarray
    seats: np.ndarray
    starts: np.ndarray
    actions: np.ndarray
    owners: np.ndarray
    states: np.ndarray
    sights: int

    def __len__(self) -> int:
        return len(self.parents)

    @property
    def ends(self) -> int:
        """How many histories are ends of play."""
        return int((self.sets < 0).sum())

    @property
    def span(self) -> float:
        """The payoff range: the highest return less the lowest."""
        return float(self.returns.max() - self.returns.min())


def grow(game: Game, variant: str | None = None, *, limit: int = LIMIT, **options: Any) -> Tree:
    """The tree of a game. `ValueError` for one that is too large, which says how large, or that has chance after the deal."""
    values = game.values(variant, **options)
    if values.get("episode", "deal") != "deal":
        raise ValueError(f"option 'episode' is {values['episode']!r}: exact methods accept single deals, episode='deal'")
    root = game.states(1, variant, **options)
    about = deal_count(game, root) * float(probe(root[0], PROBES, np.zeros(1, [("rng", np.uint64)])[0]))
    if about > limit:
        raise _too_large(game, f"about {about:.0e}", limit)
    decks = np.array(list(_decks(game, root)), np.uint8)
    nodes, returns, done, used = np.zeros(0, NODE), np.zeros((0, int(values["players"]))), 0, 0
    stack, more = np.zeros(DEPTH, game.state), min(limit, int(1.2 * about) + 1000)
    while done < len(decks):
        if len(nodes) == limit:
            raise _too_large(game, f"more than {limit:,}", limit)
        more = min(more, limit - len(nodes))
        nodes, returns = np.concatenate([nodes, np.zeros(more, NODE)]), np.concatenate([returns, np.zeros((more, returns.shape[1]))])
        done, used = walk(root[0], decks, done, nodes, returns, used, stack, np.zeros(game.words, np.uint64))
        if done < 0:
            raise ValueError(f"exact methods accept at most {DEPTH} choices in a deal" if done == TOO_DEEP else _LATER_CHANCE)
    return _with_sets(game, root, decks, nodes[:used], returns[:used])


def _too_large(game: Game, size: str, limit: int) -> ValueError:
    tiny = [name for name, values in game.variants.items() if values.get("pack") is not None]
    names = [option.name for option in game.options if option.name in SMALLER]
    return ValueError(
        f"{game.name} with these options has {size} histories, and exact methods accept at most {limit:,}: "
        f"options that make it small are {', '.join(names)}; small is the variant {', '.join(tiny)}"
    )


_LATER_CHANCE = "exact methods accept games without chance after the deal, and with these options it decides later too"


# ------------------------------------------------------------------ deals


def _sizes(root: np.ndarray) -> list[int]:
    """How many cards each seat is dealt."""
    state = root.copy()
    begin(state[0], np.uint64(0), int(state["options"]["players"][0]) - 1, False)
    return np.bitwise_count(state["hand"][0][: state["options"]["players"][0]]).tolist()


def deal_count(game: Game, root: np.ndarray) -> int:
    """How many different deals there are."""
    count = factorial(len(game.pack.members(int(root["options"]["pack"][0]))))
    for size in _sizes(root):
        count //= factorial(size)
    return count


def _decks(game: Game, root: np.ndarray) -> Iterator[list[int]]:
    """A deck for each different deal, the dealer being the last seat."""
    sizes, cards = _sizes(root), game.pack.members(int(root["options"]["pack"][0]))
    dealt = sum(sizes)

    def hands(seat: int, left: list[int], deck: list[int]) -> Iterator[list[int]]:
        if seat == len(sizes):
            for stock in permutations(left):
                yield [*deck[:dealt], *stock]
            return
        for hand in combinations(left, sizes[seat]):
            deck[seat : dealt : len(sizes)] = hand
            yield from hands(seat + 1, [card for card in left if card not in hand], deck)

    return hands(0, cards, [0] * dealt)


# ------------------------------------------------------------------ the walk

TOO_DEEP, CHANCE = -1, -2


@compiled
def probe(state, count, dice):
    """An estimate of the histories of a deal, by the number of choices along random lines of play (Knuth 1975), a mean of so many."""
    total = 0.0
    for k in range(count):
        begin(state, stream(np.uint64(k), 0), np.int64(state.options.players) - 1, False)
        weight = 1.0
        batch.play_forced(state)
        total += weight
        while not verbs.over(state):
            actions = verbs.legal(state)
            weight *= popcount(actions)
            total += weight
            verbs.apply(state, nth(actions, draw_below(dice, popcount(actions))))
            batch.play_forced(state)
    return total / count


@compiled
def take_in(state, memory, sight, words):
    """Every seat remembers what it sees now, if that is new to it."""
    for p in range(np.int64(state.options.players)):
        verbs.observe(state, p, words)
        seen = digest(words, p)
        if seen != sight[p]:
            sight[p] = seen
            memory[p] = mixed(mixed(memory[p] + GOLDEN) ^ seen)


@compiled
def go(state, action, memory, sight, words):
    """A choice, and the forced decisions after it."""
    while True:
        seat = np.int64(verbs.actor(state))
        memory[seat] = mixed(mixed(memory[seat] + GOLDEN) ^ ~np.uint64(action))
        verbs.apply(state, action)
        take_in(state, memory, sight, words)
        if verbs.over(state):
            return
        actions = verbs.legal(state)
        if popcount(actions) > 1:
            return
        action = np.int64(lowest(actions))


@compiled
def walk(root, decks, done, nodes, returns, used, stack, words):
    """Write the histories of deals, from deal `done` and node `used` on, until a deal finds no room; the new (done, used).

    Args:
        root: record with options and size. decks: (D, cards) uint8. nodes: (n,) NODE. returns: (n, players). stack: (depth,) records.
    `done` is TOO_DEEP if the stack is too short, CHANCE if the game draws from its generator after the deal.
    """
    players, deepest = np.int64(root.options.players), stack.shape[0]
    memory, sight = np.zeros((deepest, players), np.uint64), np.zeros((deepest, players), np.uint64)
    todo, ids = np.zeros(deepest, np.uint64), np.zeros(deepest, np.int64)
    while done < decks.shape[0]:
        began, depth = used, 0
        root.size = decks.shape[1]
        for i in range(decks.shape[1]):
            root.deck[i] = decks[done, i]
        begin(root, np.uint64(0), players - 1, True)
        root.rng = EMPTY
        stack[0] = root
        memory[0], sight[0] = EMPTY, EMPTY
        take_in(stack[0], memory[0], sight[0], words)
        actions = EMPTY if verbs.over(stack[0]) else verbs.legal(stack[0])
        if popcount(actions) == 1:
            go(stack[0], np.int64(lowest(actions)), memory[0], sight[0], words)
        parent, action = np.int64(-1), np.int64(-1)
        while depth >= 0:
            if action >= 0 or parent < 0:  # a history not yet written
                if used == nodes.shape[0]:
                    return done, began
                state, node = stack[depth], nodes[used]
                if state.rng != EMPTY:
                    return CHANCE, used
                node.parent, node.action = parent, action
                if verbs.over(state):
                    node.mask, node.seat = EMPTY, -1
                    verbs.returns(state, returns[used])
                else:
                    seat = np.int64(verbs.actor(state))
                    node.mask, node.seat = verbs.legal(state), seat
                    node.memory, node.sight = mixed(memory[depth, seat] + np.uint64(seat)), sight[depth, seat]
                todo[depth], ids[depth] = node.mask, used
                used += 1
            if todo[depth] == EMPTY:
                depth -= 1
                parent, action = np.int64(0), np.int64(-1)
                continue
            parent, action = ids[depth], np.int64(lowest(todo[depth]))
            todo[depth] &= todo[depth] - ONE
            if depth + 1 == deepest:
                return TOO_DEEP, used
            stack[depth + 1] = stack[depth]
            memory[depth + 1], sight[depth + 1] = memory[depth], sight[depth]
            depth += 1
            go(stack[depth], action, memory[depth], sight[depth], words)
        done += 1
    return done, used


# ------------------------------------------------------------------ information sets


def _with_sets(game: Game, root: np.ndarray, decks: np.ndarray, nodes: np.ndarray, returns: np.ndarray) -> Tree:
    """The tree of histories that were walked."""
    choices = np.flatnonzero(nodes["mask"])
    _, first, inverse = np.unique(nodes["memory"][choices], return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), np.int32)
    rank[order] = np.arange(len(order))
    leaders = choices[first[order]]
    sets = np.full(len(nodes), -1, np.int32)
    sets[choices] = rank[inverse]
    same = nodes[leaders][sets[choices]]
    for name in ("mask", "seat", "sight"):
        if (same[name] != nodes[name][choices]).any():
            raise RuntimeError(f"histories of one information set differ in {name}: two hashes agree, or a seat has forgotten something")
    starts = np.concatenate([[0], np.cumsum(np.bitwise_count(nodes["mask"][leaders]).astype(np.int64))])
    slots = np.full(len(nodes), -1, np.int32)
    later = np.flatnonzero(nodes["parent"] >= 0)
    above = nodes["parent"][later]
    lower = np.bitwise_count(nodes["mask"][above] & ((ONE << nodes["action"][later].astype(np.uint64)) - ONE))
    slots[later] = starts[sets[above]] + lower
    actions = np.zeros(starts[-1], np.int8)
    actions[slots[later]] = nodes["action"][later]
    states = np.zeros(len(leaders), game.state)
    number = np.cumsum(nodes["parent"] < 0) - 1  # of the deal of every node
    replay(root[0], decks, number, nodes, leaders, states)
    return Tree(
        game=game,
        players=returns.shape[1],
        deals=len(decks),
        parents=nodes["parent"].copy(),
        slots=slots,
        sets=sets,
        returns=returns,
        seats=nodes["seat"][leaders],
        starts=starts,
        actions=actions,
        owners=np.repeat(nodes["seat"][leaders], np.diff(starts)),
        states=states,
        sights=len(np.unique(nodes["sight"][choices])),
    )


@compiled
def replay(root, decks, number, nodes, wanted, states):
    """Write the records, (k,), of some nodes, (k,) indices, by playing to them."""
    path = np.empty(DEPTH, np.int64)
    for k in range(wanted.shape[0]):
        node, length = wanted[k], 0
        for i in range(decks.shape[1]):
            root.deck[i] = decks[number[node], i]
        while nodes[node].parent >= 0:
            path[length] = nodes[node].action
            length += 1
            node = nodes[node].parent
        state = states[k]
        states[k] = root
        begin(state, np.uint64(0), np.int64(root.options.players) - 1, True)
        batch.play_forced(state)
        for j in range(length - 1, -1, -1):
            verbs.apply(state, path[j])
            batch.play_forced(state)
