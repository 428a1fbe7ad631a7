"""A small card game that is right, and many versions of it that are each wrong in one way: the test of the conformance kit.

The game: fifteen cards in three suits, four to each of two or three players, one turned up for all to see, the rest is the stock. Who leads
is drawn by lot. Four tricks; follow suit if you can; the highest card of the suit led takes the trick and leads the next. A trick is worth
`players - 1` to the winner and costs each other player 1, all paid at the end.
"""

from __future__ import annotations

import copy
import random

import numpy as np
from gymnasium import spaces
from gymnasium.utils import EzPickle
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

SUITS, RANKS, TRICKS = 3, 5, 4
CARDS = SUITS * RANKS


class Toy(AECEnv):
    """The game as it should be. Cards are numbers, `suit * RANKS + rank`; seats are numbers too, agents are "player_<seat>"."""

    metadata = {"name": "toy_v0", "render_modes": [], "is_parallelizable": False}

    def __init__(self, players=3):
        super().__init__()
        self.render_mode = None
        self.players = players
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self.rng = np.random.default_rng()
        self.action_spaces = {agent: spaces.Discrete(CARDS) for agent in self.possible_agents}
        self.observation_spaces = {agent: self.make_observation_space() for agent in self.possible_agents}

    def make_observation_space(self):
        return spaces.Dict({"observation": spaces.Box(0, 1, (self.width(),), np.int8), "action_mask": spaces.Box(0, 1, (CARDS,), np.int8)})

    def width(self):
        return CARDS * (2 + 2 * self.players) + self.players

    def observation_space(self, agent):
        return self.observation_spaces[agent]

    def action_space(self, agent):
        return self.action_spaces[agent]

    # --- rules

    def seed(self, seed):
        if seed is not None:
            self.rng = np.random.default_rng(seed)

    def shuffled(self):
        return [int(card) for card in self.rng.permutation(CARDS)]

    def deal(self):
        deck = self.shuffled()
        self.hands = [set(deck[4 * seat : 4 * seat + 4]) for seat in range(self.players)]
        self.upcard, self.stock = deck[4 * self.players], deck[4 * self.players + 1 :]
        self.leader = int(self.rng.integers(self.players))
        self.played = [[] for _ in range(self.players)]  # all cards a seat has played
        self.table = []  # (seat, card) of this trick
        self.taken = [0] * self.players

    def turn(self):
        return (self.leader + len(self.table)) % self.players

    def legal(self, seat):
        if self.table:
            suit = self.table[0][1] // RANKS
            return {card for card in self.hands[seat] if card // RANKS == suit} or set(self.hands[seat])
        return set(self.hands[seat])

    def play(self, seat, card):
        self.hands[seat].remove(card)
        self.played[seat].append(card)
        self.table.append((seat, card))
        if len(self.table) == self.players:
            suit = self.table[0][1] // RANKS
            self.leader = max((card, seat) for seat, card in self.table if card // RANKS == suit)[1]
            self.taken[self.leader] += 1
            self.table = []

    def over(self):
        return sum(self.taken) == TRICKS

    def payoffs(self):
        return [float(self.players * taken - TRICKS) for taken in self.taken]

    # --- what seats see

    def mask(self, seat):
        mask = np.zeros(CARDS, np.int8)
        if not self.over() and seat == self.turn():
            mask[list(self.legal(seat))] = 1
        return mask

    def rows(self, seat):
        """Sets of cards, each a row of the observation: own hand, card turned up, then for each player cards played and lying."""
        rows = [self.hands[seat], {self.upcard}]
        for other in [(seat + k) % self.players for k in range(self.players)]:
            rows += [self.played[other], {card for who, card in self.table if who == other}]
        return rows

    def vector(self, seat):
        vector = np.zeros(self.width(), np.int8)
        vector[[number * CARDS + card for number, row in enumerate(self.rows(seat)) for card in row]] = 1
        vector[-self.players + (self.leader - seat) % self.players] = 1
        return vector

    def observe(self, agent):
        seat = self.possible_agents.index(agent)
        return {"observation": self.vector(seat), "action_mask": self.mask(seat)}

    # --- PettingZoo

    def reset(self, seed=None, options=None):
        self.seed(seed)
        self.deal()
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: self.info(agent) for agent in self.agents}
        self.agent_selection = self.possible_agents[self.turn()]

    def info(self, agent):
        return {}

    def step(self, action):
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        seat = self.turn()
        card = self.accept(seat, action)
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        self.play(seat, card)
        self.pay()
        if self.over():
            self.finish()
        self._accumulate_rewards()
        self.infos = {agent: self.info(agent) for agent in self.agents}
        self.agent_selection = self.agents[0] if self.over() else self.possible_agents[self.turn()]

    def accept(self, seat, action):
        if action not in self.legal(seat):
            raise ValueError(f"card {action} cannot be played")
        return int(action)

    def pay(self):
        if self.over():
            self.rewards.update(zip(self.possible_agents, self.payoffs()))

    def finish(self):
        self.terminations = dict.fromkeys(self.agents, True)


def env(cls=Toy, **kwargs):
    """The game in PettingZoo's usual wrappers."""
    return wrappers.OrderEnforcingWrapper(
        wrappers.AssertOutOfBoundsWrapper(wrappers.TerminateIllegalWrapper(cls(**kwargs), illegal_reward=-1))
    )


# --- hooks: written from the rules, without the functions above that a wrong version may change


def legal(game):
    hand = game.hands[game.turn()]
    follow = [card for card in hand if game.table and card // RANKS == game.table[0][1] // RANKS]
    return follow or list(hand)


def returns(game):
    return {agent: game.players * taken - TRICKS for agent, taken in zip(game.possible_agents, game.taken)}


def hidden(game, agent, rng):
    # That a seat which did not follow suit has none left is not respected: nothing that anybody sees depends on it.
    world = copy.deepcopy(game)
    seat = game.possible_agents.index(agent)
    others = [other for other in range(game.players) if other != seat]
    unseen = sorted(set(game.stock).union(*(game.hands[other] for other in others)))
    rng.shuffle(unseen)
    for other in others:
        world.hands[other] = {unseen.pop() for _ in game.hands[other]}
    world.stock = unseen
    world.infos = {agent: world.info(agent) for agent in world.agents}  # else they would still tell of the old world
    world.rng = np.random.default_rng(int(rng.integers(2**32)))
    return world


# --- other games that are right


class HookedToy(Toy):
    """Has its hooks as methods."""

    def conformance_legal(self):
        return legal(self)

    def conformance_returns(self):
        return returns(self)

    def conformance_hidden(self, agent, rng):
        return hidden(self, agent, rng)


class PaidByTrick(Toy):
    """Each trick is paid at once, mostly in the turn of another seat."""

    def pay(self):
        if not self.table:
            self.rewards.update(dict.fromkeys(self.possible_agents, -1.0))
            self.rewards[self.possible_agents[self.leader]] = self.players - 1.0


class MaskInInfos(Toy):
    """The mask is in `infos`, the observation is a bare array."""

    def make_observation_space(self):
        return spaces.Box(0, 1, (self.width(),), np.int8)

    def observe(self, agent):
        return self.vector(self.possible_agents.index(agent))

    def info(self, agent):
        return {"action_mask": self.mask(self.possible_agents.index(agent))}


class ActionsFromOne(Toy):
    """Numbers its actions from 1."""

    def __init__(self, players=3):
        super().__init__(players)
        self.action_spaces = {agent: spaces.Discrete(CARDS, start=1) for agent in self.possible_agents}

    def accept(self, seat, action):
        return super().accept(seat, action - 1)


class LeavesEarly(PaidByTrick):
    """Who has played his last card is out; the last trick does not count. Right only where `ending="any"`."""

    def pay(self):
        if sum(self.taken) < TRICKS:
            super().pay()

    def step(self, action):
        agent, dead = self.agent_selection, self.terminations[self.agent_selection]
        super().step(action)
        if not dead and not self.hands[self.possible_agents.index(agent)]:
            self.terminations[agent] = True
            self._deads_step_first()


# --- games that are wrong: the eleven of the table in the docs first


class OpponentsHands(Toy):
    def width(self):
        return super().width() + CARDS * (self.players - 1)

    def rows(self, seat):
        return super().rows(seat) + [self.hands[(seat + k) % self.players] for k in range(1, self.players)]


class MaskOffTurn(Toy):
    def mask(self, seat):
        mask = np.zeros(CARDS, np.int8)
        mask[list(self.legal(seat))] = 1
        return mask


class MaskTooWide(Toy):
    """Marks a card not held; who plays it has silently played the lowest legal card."""

    def mask(self, seat):
        mask = super().mask(seat)
        if mask.any():
            mask[np.flatnonzero(mask == 0)[0]] = 1
        return mask

    def accept(self, seat, action):
        return int(action) if action in self.legal(seat) else min(self.legal(seat))


class MaskTooNarrow(Toy):
    def mask(self, seat):
        mask = super().mask(seat)
        if mask.sum() > 1:
            mask[np.flatnonzero(mask)[-1]] = 0
        return mask


class MaskAllZero(Toy):
    def mask(self, seat):
        mask = super().mask(seat)
        return mask * (sum(self.taken) < 3)


class GlobalGenerator(Toy):
    def seed(self, seed):
        self.seeded = seed is not None
        super().seed(seed)

    def shuffled(self):
        return super().shuffled() if self.seeded else [int(card) for card in np.random.permutation(CARDS)]  # noqa: NPY002


class DrawsInObserve(Toy):
    def observe(self, agent):
        self.rng.random()
        return super().observe(agent)


class PayoffsSwapped(Toy):
    def payoffs(self):
        payoffs = super().payoffs()
        return [payoffs[1], payoffs[0], *payoffs[2:]]


class SharedBuffer(Toy):
    def __init__(self, players=3):
        super().__init__(players)
        self.buffer = np.zeros(self.width(), np.int8)

    def vector(self, seat):
        self.buffer[:] = super().vector(seat)
        return self.buffer


class SeedIgnored(Toy):
    def seed(self, seed):
        pass


class RewardsNeverCleared(PaidByTrick):
    def step(self, action):
        kept = 0.0 if self.terminations[self.agent_selection] else self._cumulative_rewards[self.agent_selection]
        agent = self.agent_selection
        super().step(action)
        if agent in self._cumulative_rewards:
            self._cumulative_rewards[agent] += kept


# ... and more of their kind


class RewardsAddedUp(PaidByTrick):
    """`rewards` itself is not cleared: a trick is paid again at each decision."""

    def _clear_rewards(self):
        if not self.over():
            return
        super()._clear_rewards()


class NeighboursCard(Toy):
    """A seat sees the lowest card of its left neighbour."""

    def width(self):
        return super().width() + CARDS

    def rows(self, seat):
        return [*super().rows(seat), sorted(self.hands[(seat + 1) % self.players])[:1]]


class StockSeen(Toy):
    def width(self):
        return super().width() + CARDS

    def rows(self, seat):
        return [*super().rows(seat), self.stock[:1]]


class HandsInInfo(Toy):
    def info(self, agent):
        return {"hands": [sorted(hand) for hand in self.hands]}


class CopySharesGenerator(Toy):
    def __deepcopy__(self, memo):
        memo[id(self.rng)] = self.rng
        twin = type(self).__new__(type(self))
        memo[id(self)] = twin
        twin.__dict__.update({key: copy.deepcopy(value, memo) for key, value in self.__dict__.items()})
        return twin


class CopySharesHands(Toy):
    def __deepcopy__(self, memo):
        twin = type(self).__new__(type(self))
        twin.__dict__.update({key: value if key == "hands" else copy.deepcopy(value, memo) for key, value in self.__dict__.items()})
        return twin


class CopyStartsAnew(Toy, EzPickle):
    def __init__(self, players=3):
        EzPickle.__init__(self, players)
        Toy.__init__(self, players)


class CopyForgetsGenerator(Toy):
    def __getstate__(self):
        return {key: value for key, value in self.__dict__.items() if key != "rng"}

    def __setstate__(self, state):
        self.__dict__.update(state, rng=np.random.default_rng())


class GeneratorOfTheClass(Toy):
    """All instances draw from one generator."""

    common = np.random.default_rng()

    def seed(self, seed):
        if seed is not None:
            GeneratorOfTheClass.common = np.random.default_rng(seed)
        self.rng = GeneratorOfTheClass.common


class OnlyWinnersPaid(Toy):
    def payoffs(self):
        return [max(payoff, 0.0) for payoff in super().payoffs()]


class SeatMissesReward(Toy):
    def pay(self):
        super().pay()
        if self.over():
            del self.rewards[self.possible_agents[-1]]


class PaidTooLate(Toy):
    """The seats are paid when the first of them has already left."""

    def pay(self):
        pass

    def step(self, action):
        dead = self.over()
        super().step(action)
        if dead and len(self.agents) == self.players - 1:
            for agent in self.agents:
                self._cumulative_rewards[agent] = self.rewards[agent] = self.payoffs()[self.possible_agents.index(agent)]


class RewardLost(PaidByTrick):
    """What comes in another seat's turn is thrown away."""

    def _accumulate_rewards(self):
        actor = self.agent_selection
        for agent in self.agents:
            self._cumulative_rewards[agent] = self.rewards[agent] if agent == actor else 0.0


class PaidEarly(Toy):
    """Pays all when the last trick begins; the outcome is not known yet, so the leader is taken for the winner."""

    def pay(self):
        if sum(self.taken) == TRICKS - 1 and not self.table:
            self.rewards.update(
                dict(
                    zip(
                        self.possible_agents,
                        (float(self.players * (taken + (seat == self.leader)) - TRICKS) for seat, taken in enumerate(self.taken)),
                    )
                )
            )


class ObservationIsTheGame(Toy):
    """Hands out the array in which it keeps the hand, so that later steps change what was seen, and writing into it deals new cards."""

    def deal(self):
        super().deal()
        self.vectors = [Toy.vector(self, seat) for seat in range(self.players)]

    def vector(self, seat):
        self.hands[seat] = {int(card) for card in np.flatnonzero(self.vectors[seat][:CARDS])}
        return self.vectors[seat]

    def play(self, seat, card):
        super().play(seat, card)
        for other in range(self.players):
            self.vectors[other][:] = Toy.vector(self, other)


class WritableMemory(Toy):
    """A fresh view of its memory each time, replaced and never changed by the game: only who writes into it is in trouble."""

    def deal(self):
        super().deal()
        self.memory = [super(WritableMemory, self).mask(seat) for seat in range(self.players)]

    def mask(self, seat):
        return self.memory[seat]

    def accept(self, seat, action):
        if not self.memory[seat][action]:
            raise ValueError("the memory says no")
        return super().accept(seat, action)

    def play(self, seat, card):
        super().play(seat, card)
        self.memory = [super(WritableMemory, self).mask(seat) for seat in range(self.players)]


class WrongDtype(Toy):
    def vector(self, seat):
        return super().vector(seat).astype(np.float32)


class OutOfSpace(Toy):
    def vector(self, seat):
        vector = super().vector(seat)
        vector[0] += 2 * (len(self.table) == 2)
        return vector


class BoolMask(Toy):
    def make_observation_space(self):
        return spaces.Dict({**super().make_observation_space().spaces, "action_mask": spaces.Box(0, 1, (CARDS,), np.bool_)})

    def mask(self, seat):
        return super().mask(seat).astype(bool)


class LastLooker(Toy):
    """What a seat sees depends on who looked before."""

    looked = 0

    def vector(self, seat):
        vector = super().vector(seat)
        vector[0] = self.looked % 2
        self.looked = seat
        return vector


class FirstLooker(Toy):
    """The mask lacks a card when another seat looked first since the last step."""

    first = None

    def mask(self, seat):
        mask = super().mask(seat)
        self.first = seat if self.first is None else self.first
        if self.first != seat and mask.sum() > 1:
            mask[np.flatnonzero(mask)[-1]] = 0
        return mask

    def deal(self):
        super().deal()
        self.first = None

    def play(self, seat, card):
        super().play(seat, card)
        self.first = None


class LookingMoves(Toy):
    """Who looks too often loses the lead."""

    looks = 0

    def observe(self, agent):
        self.looks += 1
        return super().observe(agent)

    def play(self, seat, card):
        super().play(seat, card)
        if not self.table and self.looks > 60:
            self.leader = (self.leader + 1) % self.players


class NewSpaces(Toy):
    def action_space(self, agent):
        return spaces.Discrete(CARDS)


class NumpyBools(Toy):
    def finish(self):
        self.terminations = dict.fromkeys(self.agents, np.bool_(True))


class HalfTruncated(Toy):
    def finish(self):
        super().finish()
        self.terminations["player_0"], self.truncations["player_0"] = False, True


class StrictInts(Toy):
    def accept(self, seat, action):
        if type(action) is not int:
            raise TypeError("a card is an int")
        return super().accept(seat, action)


class ZeroIsNoSeed(Toy):
    def seed(self, seed):
        super().seed(seed or None)


class SameDealAgain(Toy):
    kept = 0

    def seed(self, seed):
        self.kept = self.kept if seed is None else seed
        super().seed(self.kept)


class OneDealOnly(Toy):
    def seed(self, seed):
        super().seed(7)


class RefusesOptions(Toy):
    def reset(self, seed=None, options=None):
        if options:
            raise KeyError(f"unknown options {list(options)}")
        super().reset(seed)


class SeedsGlobally(Toy):
    def seed(self, seed):
        super().seed(seed)
        random.seed(seed)


class Remembers(Toy):
    """Forgets to put the lead back if an episode was left in the middle."""

    def deal(self):
        leader = self.leader if getattr(self, "table", None) else None
        super().deal()
        self.leader = self.leader if leader is None else leader


class HalfRefused(Toy):
    def accept(self, seat, action):
        self.leader = (self.leader + 1) % self.players if action not in self.legal(seat) else self.leader
        return super().accept(seat, action)


class RefusesLegal(Toy):
    """Refuses the first card of a suit that is the one turned up, though the mask allows it."""

    def accept(self, seat, action):
        if action % RANKS == self.upcard % RANKS and len(self.hands[seat]) == 4 and len(self.legal(seat)) > 1:
            raise ValueError("not this one")
        return super().accept(seat, action)


class NeverEnds(Toy):
    def play(self, seat, card):
        super().play(seat, card)
        if sum(self.taken) == TRICKS:
            self.deal()


class RaisesInStep(Toy):
    def play(self, seat, card):
        super().play(seat, card)
        if self.taken[0] == 2:
            raise RuntimeError("lost the cards")


class StepReturns(Toy):
    def step(self, action):
        super().step(action)
        return self.rewards


class NoMask(Toy):
    def make_observation_space(self):
        return spaces.Box(0, 1, (self.width(),), np.int8)

    def observe(self, agent):
        return self.vector(self.possible_agents.index(agent))

    def accept(self, seat, action):
        return int(action) if action in self.legal(seat) else min(self.legal(seat))
