"""Monte Carlo tree search over information sets (ISMCTS: Cowling, Powley & Whitehouse 2012), one tree for the seat that decides.

Every iteration draws a world that agrees with what the seat knows, and plays it down the tree. A node is what the searching seat sees
when somebody has a choice, and who that is, so worlds and orders of play that it cannot tell apart share their figures. At a node the
seat to act takes an action not tried yet, or else the one with the best upper confidence bound (UCB1) for its own return, among those
that it could take in this world; how often an action could be taken stands in for the visits of the node. Behind a new action the rest
of the game is played out. The searching seat takes the action that was tried most.

`cheat` searches the true state in place of worlds: what that wins is a ceiling for fair players.
"""

from typing import Any

import numpy as np

from tromf.agents.base import Agent
from tromf.agents.exact import memory_for
from tromf.agents.search.leaf import leaf
from tromf.agents.search.settings import parts
from tromf.envs import verbs
from tromf.envs.batch import Batch
from tromf.envs.jit import EMPTY, ONE, bit, compiled, draw_below, lowest, nth, popcount, stream
from tromf.envs.registry import Game
from tromf.envs.words import digest

PART = 64  # iterations between two looks at the clock
GROWS = 1 << 18  # nodes for which there is room when the clock is the budget; after that the tree grows no more
DEPTH = 1024  # decisions of one iteration that are learned from
TABLE = 4096

NODE = np.dtype([("key", np.uint64), ("tried", np.uint64), ("first", np.int32)], align=True)
EDGE = np.dtype(
    [
        ("mean", np.float64),  # return of the seat that takes the action
        ("spread", np.float64),  # 1 / sqrt(visits)
        ("visits", np.uint32), ("available", np.uint32),
        ("next", np.int32), ("action", np.uint8), ("seat", np.uint8),
    ],
    align=True,
)  # fmt: skip
TREE = np.dtype([("nodes", np.int64), ("edges", np.int64), ("low", np.float64), ("high", np.float64), ("rng", np.uint64)], align=True)

WIDTH = np.zeros(TABLE)  # sqrt(log n), with which confidence bounds grow
WIDTH[1:] = np.sqrt(np.log(np.arange(1, TABLE)))


@compiled
def begin(states, k, seat, draw, fair, plan, tree, nodes, slots):
    """Begin to search for row k, with an empty tree."""
    if fair:
        verbs.prepare(states[k], seat, plan[0])
    tree[0].rng = stream(draw, 0)
    tree[0].nodes = tree[0].edges = 0
    nodes[0].first = -1
    tree[0].low, tree[0].high = np.inf, -np.inf
    slots[:] = -1


@compiled
def node_of(words, mover, tree, nodes, slots):
    """The node of what the searching seat sees and of who has the choice, made if it is new; -1 if there is no room."""
    key = digest(words, mover)  # some choices are secret (MZ-3): to the others somebody else is to play
    last = np.uint64(slots.shape[0] - 1)
    slot = key & last
    while slots[slot] >= 0:
        if nodes[slots[slot]].key == key:
            return np.int64(slots[slot])
        slot = (slot + ONE) & last
    made = tree[0].nodes
    if made == nodes.shape[0]:
        return np.int64(-1)
    slots[slot] = made
    nodes[made].key, nodes[made].tried, nodes[made].first = key, EMPTY, -1
    tree[0].nodes += 1
    return np.int64(made)


@compiled
def most_promising(node, edges, actions, explore):
    """Of the edges of a node whose actions could be taken now the one with the best bound; all of these are counted as available."""
    best, best_bound = np.int64(-1), -np.inf
    e = np.int64(node.first)
    while e >= 0:
        edge = edges[e]
        if actions & bit(edge.action):
            edge.available += 1
            n = edge.available
            width = WIDTH[n] if n < TABLE else np.sqrt(np.log(n))
            bound = edge.mean + explore * width * edge.spread
            if bound > best_bound:
                best, best_bound = e, bound
        e = np.int64(edge.next)
    return best


@compiled
def add_edge(node, tree, edges, action, seat):
    """A new edge of a node, for an action never tried there."""
    made = tree[0].edges
    edge = edges[made]
    edge.mean, edge.spread, edge.visits, edge.available = 0.0, 0.0, 0, 1
    edge.next, edge.action, edge.seat = node.first, action, seat
    node.first = made
    node.tried |= bit(action)
    tree[0].edges += 1
    return np.int64(made)


@compiled
def descend(world, seat, tree, nodes, edges, slots, path, words, explore):
    """Play a world down the tree and one action beyond; edges passed, written to `path`, and decisions played."""
    length, played = np.int64(0), np.int64(0)
    while not verbs.over(world) and length < DEPTH:
        actions = verbs.legal(world)
        played += 1
        if popcount(actions) == 1:
            verbs.apply(world, lowest(actions))
            continue
        mover = np.int64(verbs.actor(world))
        verbs.observe(world, seat, words)
        place = node_of(words, mover, tree, nodes, slots)
        if place < 0:
            return length, played - 1
        node = nodes[place]
        new = actions & ~node.tried
        promising = most_promising(node, edges, actions, explore)
        if new:
            if tree[0].edges == edges.shape[0]:
                return length, played - 1
            action = nth(new, draw_below(tree[0], popcount(new)))
            path[length] = add_edge(node, tree, edges, action, mover)
            verbs.apply(world, action)
            return length + 1, played
        path[length] = promising
        length += 1
        verbs.apply(world, np.uint64(edges[promising].action))
    return length, played


@compiled
def learn(tree, edges, path, length, players, out):
    """Add the returns of an iteration to the edges that it passed."""
    for seat in range(players):
        tree[0].low, tree[0].high = min(tree[0].low, out[seat]), max(tree[0].high, out[seat])
    for i in range(length):
        edge = edges[path[i]]
        edge.visits += 1
        edge.mean += (out[edge.seat] - edge.mean) / edge.visits
        edge.spread = 1.0 / np.sqrt(np.float64(edge.visits))


@compiled
def iterate(states, k, seat, fair, iterations, explore, solve, memory, knobs, scratch, plan, tree, nodes, edges, slots, path, words, out):
    """So many more iterations for row k; the number of decisions played in them."""
    played, players = np.int64(0), np.int64(states[k].options.players)
    world = scratch[1]
    for _ in range(iterations):
        if fair:
            verbs.resample(plan[0], world, tree[0])
        else:
            scratch[1] = states[k]
        spread = tree[0].high - tree[0].low if tree[0].high > tree[0].low else 0.0
        length, down = descend(world, seat, tree, nodes, edges, slots, path, words, explore * spread)
        played += down + leaf(world, solve, memory, knobs[0], scratch, tree[0], out)
        learn(tree, edges, path, length, players, out)
    return played


@compiled
def most_tried(nodes, edges, actions):
    """The action of the root, which is the first node, with the most visits; of several the lowest."""
    best, most = np.int64(lowest(actions)), np.int64(-1)
    e = np.int64(nodes[0].first)
    while e >= 0:
        action, visits = np.int64(edges[e].action), np.int64(edges[e].visits)
        if visits > most or (visits == most and action < best):
            best, most = action, visits
        e = np.int64(edges[e].next)
    return best


class TreeSearch(Agent):
    """`ismcts` and `cheat`: see the top of this file.

    Args:
        knobs: of the rule agent that plays on. iterations: for each decision; with `ms`, milliseconds by the clock, as many as
            fit, and then decisions depend on the machine. exact: whether the game's solver is asked. explore: the constant of UCB1,
            in shares of the spread of the returns met so far.

    Attributes: played: imagined decisions so far.
    """

    def __init__(
        self, spec: str, game: Game, knobs: Any, *, cheats: bool, iterations: int, ms: float | None, exact: int, explore: float
    ) -> None:
        self.spec, self.cheats, self.iterations, self.ms, self.explore, self.played = spec, cheats, iterations, ms, explore, 0
        self._solve, self._memory, self._knobs = bool(exact), memory_for(game), np.array([knobs])
        self._scratch, self._plan, self._tree = np.zeros(2, game.state), np.zeros(1, game.plan), np.zeros(1, TREE)
        room = GROWS if ms is not None else iterations + 1
        self._nodes, self._edges = np.zeros(room, NODE), np.zeros(room, EDGE)
        self._slots = np.empty(1 << (2 * room - 1).bit_length(), np.int32)
        self._path, self._words, self._out = np.zeros(DEPTH, np.int64), np.zeros(game.words, np.uint64), np.zeros(game.max_players)

    def act(self, batch: Batch) -> np.ndarray:
        states, chosen = batch.revealed() if self.cheats else batch.concealed(), np.empty(len(batch), np.int64)
        for k, (actions, seat, draw) in enumerate(zip(batch.masks, batch.seats, batch.draws)):
            if not actions & (actions - ONE):  # nothing to decide
                chosen[k] = int(actions).bit_length() - 1
                continue
            begin(states, k, seat, draw, not self.cheats, self._plan, self._tree, self._nodes, self._slots)
            for iterations in parts(self.iterations, self.ms, PART):
                self.played += iterate(
                    states, k, seat, not self.cheats, iterations, self.explore, self._solve, self._memory, self._knobs, self._scratch,
                    self._plan, self._tree, self._nodes, self._edges, self._slots, self._path, self._words, self._out,
                )  # fmt: skip
            chosen[k] = most_tried(self._nodes, self._edges, actions)
        return chosen
