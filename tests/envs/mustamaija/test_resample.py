"""Worlds drawn by `resample` are distributed as enumeration says: all decks of a small pack, the same actions, the same sights.

A deck is kept if, from the deal on, the seat would have seen exactly what it has seen. Every deck is as likely as any other, so
a world is as likely as the decks that lead to it are many.
"""

from collections import Counter
from random import Random

import numpy as np
import pytest
from scipy import stats

from tests.envs.mustamaija.fuzzing import GAME, draw_setting
from tests.envs.mustamaija.table import Table
from tromf.envs import batch, verbs
from tromf.envs.jit import assign, compiled
from tromf.envs.mustamaija.rules import DECLARED, TURNED

DRAWN = 20_000  # worlds


@compiled
def next_permutation(order):
    """The next one in lexicographic order, in place; False after the last."""
    i = order.shape[0] - 2
    while i >= 0 and order[i] >= order[i + 1]:
        i -= 1
    if i < 0:
        return False
    j = order.shape[0] - 1
    while order[j] <= order[i]:
        j -= 1
    order[i], order[j] = order[j], order[i]
    order[i + 1 :] = order[i + 1 :][::-1].copy()
    return True


@compiled
def replay(s, deck, dealer, actions, seat, sights, words):
    """Deal a deck and repeat the actions; whether all are legal and the seat sees the same after each, and before the first."""
    for i in range(deck.shape[0]):
        s.deck[i] = deck[i]
    batch.begin(s, np.uint64(1), dealer, True)
    for k in range(actions.shape[0] + 1):
        verbs.observe(s, seat, words)
        for w in range(words.shape[0]):
            if words[w] != sights[k, w]:
                return False
        if k < actions.shape[0]:
            if s.over or not (verbs.legal(s) >> np.uint64(actions[k])) & np.uint64(1):
                return False
            verbs.apply(s, actions[k])
    return True


@compiled
def enumerate_worlds(scratch, deck, free, dealer, actions, seat, sights, words, kept):
    """All decks that differ from one in the free places only and are consistent; the states they lead to go to `kept`."""
    order = np.sort(deck[free])
    count = 0
    while True:
        for i in range(free.shape[0]):
            deck[free[i]] = order[i]
        if replay(scratch[0], deck, dealer, actions, seat, sights, words):
            if count < kept.shape[0]:
                assign(kept[count], scratch[0])
            count += 1
        if not next_permutation(order):
            return count


@compiled
def look_on(states, deck, dealer, actions, seat, sights):
    """What the seat sees in a true game, before each action and after the last."""
    s = states[0]
    for i in range(deck.shape[0]):
        s.deck[i] = deck[i]
    batch.begin(s, np.uint64(1), dealer, True)
    for k in range(actions.shape[0] + 1):
        verbs.observe(s, seat, sights[k])
        if k < actions.shape[0]:
            verbs.apply(s, actions[k])


def consistent(options: np.ndarray, deck: list[int], dealer: int, actions: list[int], seat: int) -> tuple[np.ndarray, np.ndarray]:
    """The true state, (1,), and the states of all consistent decks, (k,)."""
    true, scratch = np.zeros(1, GAME.state), np.zeros(1, GAME.state)
    true["options"] = scratch["options"] = options
    true["size"] = scratch["size"] = len(deck)
    players, hand = int(options["players"]), int(options["hand_size"])
    own = {players * k + (seat - dealer - 1) % players for k in range(hand)}
    free = np.array([place for place in range(len(deck)) if place not in own])
    cards, played = np.array(deck, np.uint8), np.array(actions, np.int64)
    sights = np.zeros((len(actions) + 1, GAME.words), np.uint64)
    look_on(true, cards, dealer, played, seat, sights)
    kept = np.zeros(400_000, GAME.state)
    count = enumerate_worlds(scratch, cards.copy(), free, dealer, played, seat, sights, np.zeros(GAME.words, np.uint64), kept)
    assert 0 < count <= len(kept)
    return true, kept[:count]


def keys(states: np.ndarray, depth: int) -> Counter:
    """How often each world occurs: all hands, and so many cards of the stock."""
    return Counter(
        (*state["hand"].tolist(), *state["deck"][state["top"] : min(state["size"], state["top"] + depth)].tolist()) for state in states
    )


def compare(options, deck, dealer, actions, seat, seed=0) -> tuple[float, int]:
    """The p-value of a chi-square test of worlds drawn against enumeration, and the number of different worlds."""
    true, kept = consistent(options, deck, dealer, actions, seat)
    copies = batch.concealed(kept, np.full(len(kept), seat))
    assert (copies == copies[0]).all()  # a function of what was seen
    drawn = batch.worlds(GAME, true[0], seat, DRAWN, seed)
    for depth in (8, 4, 2, 1, 0):
        expected = keys(kept, depth)
        if len(expected) * 20 <= DRAWN or depth == 0:
            break
    found = keys(drawn, depth)
    assert set(found) <= set(expected), "a world was drawn that cannot be"
    if len(expected) == 1:
        return 1.0, 1
    share = np.array([expected[key] for key in expected]) / len(kept)
    return float(stats.chisquare([found[key] for key in expected], share * DRAWN).pvalue), len(expected)


def of(table: Table, *texts: str) -> tuple[np.ndarray, list[int], int, list[int]]:
    """Options, deck, dealer and actions of a table that plays on."""
    deck = table.state["deck"][: table.state["size"]].tolist()
    actions = []
    for text in texts:
        actions.append(table.env.game.parse_action(table.state, text, ()))
        table.play(text)
    return table.env.states["options"][0], deck, table.dealer, actions


SCENES = {
    "nothing seen yet": of(Table("5H 9H", "7C QS", stock="2D 3D 4D")),
    "turned trump, spades in the stock": of(Table("5H 6H", "7C QS", stock="3S 4S 9D TC JC KC", trump="turned"), "lay 5H", "done", "take"),
    "a turned spade drawn": of(Table("5H 6H", "7C QS", stock="3S 9D TC JC KC", trump="turned"), "lay 5H", "done", "take", "lay 6H", "done"),
    "spades passed over": of(Table("5H 6H", "7C QS", stock="3S 4S 5S 6S 9D TD", trump="turned"), "lay 5H", "done"),
    "cards picked up": of(
        Table("5H 9H 2C", "6H TC QS", stock="3D 4D 7D 8D"), "lay 5H", "lay 9H", "done", "beat 6H", "take", "lay 2C", "done"
    ),
    "three hands after draws": of(
        Table("5H 2C", "6H 3C", "QS 9C", stock="4D 7D TD"), "lay 5H", "done", "beat 6H", "lay 3C", "done", "take"
    ),
    "marriage declared": of(Table("QH KH 5C", "7C 8D QS", stock="2C 3C 4C", trump="declared"), "lay 5C", "declare H", "done", "take"),
    "kept and returned": of(
        Table("5H 9H 2C", "7C 8D QS", stock="2H 3H", misplay_penalty=True), "lay 5H", "lay 9H", "lay 2C", "done", "keep C", "beat 7C"
    ),
    "queen shown": of(Table("QH 2C 5C", "KH 8D QS", stock="3D 6C 7C", trump="declared", declare_with="either"), "declare H"),
    "queen shown, then a card drawn": of(
        Table("QH 2C 5C", "KH 8D QS", stock="3D 6C 7C", trump="declared", declare_with="either"), "declare H", "lay 2C", "done"
    ),
    "queen shown, drawn, and an unknown card played": of(
        Table("QH 2C 5C", "KH 8D QS", stock="3D 6C 7C", trump="declared", declare_with="either"),
        *("declare H", "lay 2C", "done", "take", "lay 3D", "done"),
    ),
    "queen shown, drawn twice, played": of(
        Table("QH 2C 5C", "8C 8D QS", stock="3D KH 6C 7C", trump="declared", declare_with="either"),
        *("declare H", "lay 2C", "done", "take", "lay 5C", "done", "take", "lay 3D"),
    ),
    "queen shown, and played": of(
        Table("QH 2C 5C", "8C 8D QS", stock="3D KH 6C", trump="declared", declare_with="either"),
        "declare H",
        "lay QH",
        "done",
        "take",
        "lay 2C",
    ),
}


@pytest.mark.parametrize("scene", SCENES)
def test_worlds_are_as_likely_as_decks_are_many(scene):
    options, deck, dealer, actions = SCENES[scene]
    several = 0
    for seat in range(int(options["players"])):
        for moment in sorted({len(actions), max(len(actions) - 1, 0)}):
            p, worlds = compare(options, deck, dealer, actions[:moment], seat)
            several += worlds > 1
            assert p > 1e-4, (seat, moment, p, worlds)
    assert several


@pytest.mark.parametrize("seed", range(12))
def test_worlds_of_random_games(seed):
    random = Random(seed)
    pack = (
        [49, *random.sample([card for card in range(52) if card != 49], 8)]
        if seed % 3
        else [49, *random.sample(range(7, 13), 4), 36, 37, 23, 40]
    )
    players, hand = random.choice(((2, 2), (2, 3), (3, 2)))
    trump = random.choice(("declared", "diamonds")) if seed % 2 else "declared"
    _, options = draw_setting(
        random, pack=pack, players=players, hand_size=hand, trump=trump, declare_with="either", follow_up=False, max_decisions=2000
    )
    deck, dealer = random.sample(pack, len(pack)), random.randrange(players)
    states = np.zeros(1, GAME.state)
    states["options"], states["size"], states["deck"][0, : len(deck)] = options, len(deck), deck
    batch.begin_rows(states, np.arange(1), np.array([1], np.uint64), np.array([dealer]), np.array([True]))
    actions: list[int] = []
    moments = []
    while not states[0]["over"] and len(actions) < 14:
        moments.append(len(actions))
        seats, masks, words = np.zeros(1, np.int64), np.zeros(1, np.uint64), np.zeros((1, GAME.words), np.uint64)
        batch.look_rows(states, seats, words, masks)
        actions.append(random.choice([action for action in range(60) if int(masks[0]) >> action & 1]))
        batch.apply_chosen(states, np.arange(1), np.array(actions[-1:]))
    for moment in random.sample(moments, min(3, len(moments))):
        seat = random.randrange(players)
        p, worlds = compare(options, deck, dealer, actions[:moment], seat, seed)
        assert p > 1e-4, (seat, moment, p, worlds, actions)


def test_the_scenes_show_what_they_should():
    trumps = {int(options["trump"]) for options, *_ in SCENES.values()}
    assert trumps >= {TURNED, DECLARED}
