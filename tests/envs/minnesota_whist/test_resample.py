"""Worlds drawn by `resample` are distributed as enumeration says.

All deals of a small pack are tried, and in each all bids and all gifts of the others that nobody has seen: what happened is repeated with
them, and a world is kept if the seat would have seen exactly what it has seen. Each is as likely as any other.
"""

from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import NamedTuple

import numpy as np
import pytest
from scipy import stats

from tests.envs.minnesota_whist.fuzzing import GAME, MAKE_DIX, MAKE_SOLA, RANDOMLY, RED, choose_rows, draw_setting
from tests.envs.minnesota_whist.table import Table
from tromf.envs import batch, verbs
from tromf.envs.cards import FRENCH
from tromf.envs.jit import assign, bit, compiled, nth
from tromf.envs.minnesota_whist.rules import BID, GIVE

DRAWN = 30_000  # worlds
# What is told of a world: hands, bids, gifts. Each alone, and all of it, must be distributed as enumeration says.
PARTS = {"hands": range(4), "bids": range(4, 8), "gifts": range(8, 16), "hands and gifts": [*range(4), *range(8, 16)], "all": range(16)}
MIXERS = np.random.default_rng(0).integers(0, 2**63, 16).astype(np.uint64) * np.uint64(2) + np.uint64(1)


class Scene(NamedTuple):
    """A deal and all its actions so far, by whom and in which phase."""

    options: np.ndarray
    deck: list[int]
    dealer: int
    actions: list[tuple[int, int, int]]

    def until(self, moment: int) -> "Scene":
        return self._replace(actions=self.actions[:moment])


# ------------------------------------------------------------------ enumeration


@compiled
def start(s, hands, dealer):
    """Deal these hands."""
    size = np.int64(s.size)
    for k in range(4):
        p = (dealer + 1 + k) & 3
        for j in range(size // 4):
            s.deck[4 * j + k] = np.int64(nth(hands[p], j))
    batch.begin(s, np.uint64(1), dealer, True)


@compiled
def replay(s, hands, dealer, actions, hidden, choices, seat, sights, words):
    """Repeat the actions, the hidden ones as chosen: the n-th of those that are legal.

    Returns -1 if the seat sees what stands in `sights` before each action and after the last, else how many choices were made until then.
    """
    start(s, hands, dealer)
    made = 0
    for k in range(actions.shape[0] + 1):
        verbs.observe(s, seat, words)
        for w in range(words.shape[0]):
            if words[w] != sights[k, w]:
                return made
        if k < actions.shape[0]:
            if s.over:
                return made
            legal = verbs.legal(s)
            action = actions[k]
            if hidden[k]:
                action = np.int64(nth(legal, choices[made]))
                made += 1
            if not legal & bit(action):
                return made
            verbs.apply(s, action)
    return -1


@compiled
def tell(s, key):
    """What is told of a world."""
    for p in range(4):
        key[p], key[4 + p], key[8 + p], key[12 + p] = s.hand[p], s.bid[p], s.gave[p], s.received[p]


@compiled
def tell_all(states, keys):
    for i in range(states.shape[0]):
        tell(states[i], keys[i])


@compiled
def enumerate_worlds(scratch, deals, dealer, actions, hidden, seat, sights, words, keys, kept):
    """The keys of all worlds, (k, 16), and the first ones themselves; k is returned."""
    tricks, several = np.int64(scratch[0].size) // 4, np.int64(hidden.sum())
    choices = np.zeros(several + 1, np.int64)
    count = 0
    for d in range(deals.shape[0]):
        choices[:] = 0
        going = True
        while going:
            made = replay(scratch[0], deals[d], dealer, actions, hidden, choices, seat, sights, words)
            if made < 0:
                made = several
                if count < keys.shape[0]:
                    tell(scratch[0], keys[count])
                if count < kept.shape[0]:
                    assign(kept[count], scratch[0])
                count += 1
            choices[made:] = 0
            while made and choices[made - 1] == tricks - 1:  # the next choices that differ from these in what has been looked at
                made -= 1
                choices[made] = 0
            going = made > 0
            if going:
                choices[made - 1] += 1
    return count


@compiled
def look_on(states, hands, dealer, actions, seat, sights):
    """What the seat sees in the true game, which the one record then is in."""
    s = states[0]
    start(s, hands, dealer)
    for k in range(actions.shape[0] + 1):
        verbs.observe(s, seat, sights[k])
        if k < actions.shape[0]:
            verbs.apply(s, actions[k])


def dealt(scene: Scene) -> list[list[int]]:
    """The hands at the beginning."""
    return [scene.deck[(seat - scene.dealer - 1) % 4 :: 4] for seat in range(4)]


def possible_deals(scene: Scene, seat: int) -> np.ndarray:
    """All hands, (k, 4) sets, in which the seat's own are as they were and cards played by another seat its own or its partner's."""
    hands = dealt(scene)
    size = len(scene.deck) // 4
    exchanged = any(phase == GIVE for _, _, phase in scene.actions)
    may: dict[int, set[int]] = {card: {0, 1, 2, 3} - {seat} for hand in hands for card in hand}
    for actor, action, phase in scene.actions:
        if phase > GIVE and action < 52:
            may[action] &= {actor, (actor + 2) % 4} if exchanged else {actor}
    others = [p for p in range(4) if p != seat]
    left = [card for p in others for card in hands[p]]
    own = sum(1 << card for card in hands[seat])
    found = []
    for split in divisions(left, size, others, may):
        cards = dict(zip(others, split)) | {seat: own}
        found.append([cards[p] for p in range(4)])
    return np.array(found, np.uint64)


def divisions(cards: list[int], size: int, seats: list[int], may: dict[int, set[int]]) -> Iterator[list[int]]:
    """All ways to give each of the seats so many of the cards, as sets."""
    if not seats:
        yield []
        return
    must = [card for card in cards if may[card] == {seats[0]}]
    can = [card for card in cards if seats[0] in may[card] and card not in must]
    for more in combinations(can, size - len(must)) if len(must) <= size else ():
        chosen = {*must, *more}
        rest = [card for card in cards if card not in chosen]
        if all(may[card] & set(seats[1:]) for card in rest):
            for others in divisions(rest, size, seats[1:], may):
                yield [sum(1 << card for card in chosen), *others]


def true_state(scene: Scene, seat: int) -> tuple[np.ndarray, np.ndarray]:
    """The true record, (1,), and what the seat has seen before each action and after the last."""
    true = np.zeros(1, GAME.state)
    true["options"], true["size"] = scene.options, len(scene.deck)
    sights = np.zeros((len(scene.actions) + 1, GAME.words), np.uint64)
    hands = np.array([sum(1 << card for card in hand) for hand in dealt(scene)], np.uint64)
    look_on(true, hands, scene.dealer, np.array([action for _, action, _ in scene.actions], np.int64), seat, sights)
    return true, sights


def consistent(scene: Scene, seat: int) -> tuple[np.ndarray, np.ndarray]:
    """The true record, (1,), and what is told of all consistent worlds, (k, 16)."""
    true, sights = true_state(scene, seat)
    actions = np.array([action for _, action, _ in scene.actions], np.int64)
    hidden = np.array([actor != seat and phase in (BID, GIVE) for actor, _, phase in scene.actions], np.bool_)
    keys, kept, words = np.zeros((1_000_000, 16), np.int64), np.zeros(100, GAME.state), np.zeros(GAME.words, np.uint64)
    deals = possible_deals(scene, seat)
    count = enumerate_worlds(true.copy(), deals, scene.dealer, actions, hidden, seat, sights, words, keys, kept)
    assert 0 < count <= len(keys)
    copies = batch.concealed(kept[:count], np.full(min(count, len(kept)), seat))
    assert (copies == copies[0]).all()  # a function of what was seen
    return true, keys[:count]


def compare(scene: Scene, seat: int, seed: int = 0) -> tuple[float, int]:
    """The smallest p-value of chi-square tests of worlds drawn against enumeration, and the number of worlds."""
    true, expected = consistent(scene, seat)
    drawn = np.zeros((DRAWN, 16), np.int64)
    tell_all(batch.worlds(GAME, true[0], seat, DRAWN, seed), drawn)
    p = 1.0
    for name, columns in PARTS.items():
        keys, times = np.unique(mixed(expected, columns), return_counts=True)
        found, often = np.unique(mixed(drawn, columns), return_counts=True)
        assert np.isin(found, keys).all(), f"{name} that cannot be"
        shares = times / len(expected)
        if len(keys) > 1 and shares.min() * DRAWN >= 5:
            counts = np.zeros(len(keys))
            counts[np.searchsorted(keys, found)] = often
            p = min(p, float(stats.chisquare(counts, shares * DRAWN).pvalue))
    return p, len(expected)


def mixed(keys: np.ndarray, columns: range | list[int]) -> np.ndarray:
    """One number for each row that stands for these columns."""
    chosen = list(columns)
    return (keys[:, chosen].astype(np.uint64) * MIXERS[chosen]).sum(axis=1, dtype=np.uint64)


# ------------------------------------------------------------------ scenes


def of(table: Table, *texts: str) -> Scene:
    """A scene of a table that plays on."""
    deck = table.state["deck"][: table.state["size"]].tolist()
    dealer, actions = int(table.state["dealer"]), []
    for text in " ".join(texts).split():
        number = FRENCH.number(text) if text in FRENCH.texts else table.env.game.parse_action(table.state, text.replace("=", " "), ())
        actions.append((table.actor, number, int(table.state["phase"])))
        table.play(text)
    return Scene(table.env.states["options"][0], deck, dealer, actions)


HANDS = ("2C 6D 7D", "3C 3D 8H", "4D 9H 4S", "5D 5H 8S")
SCENES = {
    "high, one bid shown": of(Table(*HANDS), "2C 3D 4S 5D", "5D 6D 3D 4D"),
    "high, three bids shown": of(Table(*HANDS), "6D 8H 4S 8S", "3C 4S 8S 2C"),
    "low, two voids": of(Table(*HANDS), "6D 3D 9H 5D", "2C 3C 4D 5D", "3D 9H 5H 6D"),
    "trumps": of(Table(*HANDS, variant="south-dakota"), "6D 3C 4S 8S", "trump=H", "3C 9H 8S 2C"),
    "solos passed": of(Table(*HANDS, solos=True), "6D 3D 9H 5D", "pass pass sola pass dix", "9H 5H 6D 8H"),
    "sola, both bids shown, both given": of(Table(*HANDS, solos=True), "6D 3D 9H 5D", "pass sola pass pass pass", "3D 5D", "2C 3C 4D"),
    "sola, both bids shown, one given": of(Table(*HANDS, solos=True), "6D 3D 9H 5D", "pass sola pass pass pass", "3D 8S", "2C 3C 4D"),
    "sola, both bids shown, none given": of(Table(*HANDS, solos=True), "6D 3D 9H 5D", "pass sola pass pass pass", "3C 5H", "6D 3D 4D"),
    "sola, one bid shown and given": of(Table(*HANDS, solos=True), "6D 3C 9H 5D", "pass sola pass pass pass", "3C 5D", "6D 3D 4D"),
    "sola, one bid shown and kept": of(Table(*HANDS, solos=True), "6D 3C 9H 5D", "pass sola pass pass pass", "8H 5H", "6D 3D 4D"),
    "sola, partner's bid shown and given": of(
        Table(*HANDS, solos=True, dealer=2), "5D 7D 3D 9H", "pass pass sola pass pass pass", "8H 5D", "6D 3D 4D"
    ),
    "sola, no bid shown of the two": of(Table(*HANDS, solos=True), "2C 3D 9H 5D", "pass sola pass pass pass", "8H 5D", "2C 3C 4S"),
    "sola, a void tells where a shown card is": of(
        Table("2D 6D 7D", "3C 4C 8D", "4D 9D 4H", "5D 5C 8C", solos=True),
        *("2D 8D 9D 5D", "pass sola pass pass pass", "8D 5C", "6D 3C 9D"),
    ),
}


@pytest.mark.parametrize("scene", SCENES)
def test_worlds_are_as_likely_as_all_deals_bids_and_gifts_say(scene):
    several = 0
    end = len(SCENES[scene].actions)
    for moment in range(end + 1):
        for seat in range(4) if moment >= end - 4 else [moment % 4]:
            p, worlds = compare(SCENES[scene].until(moment), seat)
            several += worlds > 1
            assert p > 1e-5, (moment, seat, p, worlds)
    assert several


def random_scene(seed: int, tricks: int, way: int, **fixed) -> Scene:
    """A deal of a small pack, mostly of two or three suits, so that there are voids."""
    random = Random(seed)
    suits = random.sample(range(4), random.choice((2, 3, 4)))
    pack = random.sample([card for card in range(52) if card // 13 in suits], 4 * tricks)
    _, options = draw_setting(random, pack=pack, episode="deal", **fixed)
    deck, dealer = random.sample(pack, len(pack)), random.randrange(4)
    states = np.zeros(1, GAME.state)
    states["options"], states["size"], states["deck"][0, : len(deck)] = options, len(deck), deck
    batch.begin_rows(states, np.arange(1), np.array([1], np.uint64), np.array([dealer]), np.array([True]))
    rng, chosen, actions = np.array([(seed,)], [("rng", np.uint64)]), np.zeros(1, np.int64), []
    while not states[0]["over"]:
        choose_rows(states, np.arange(1), np.array([way]), rng, chosen)
        actions.append((int(states[0]["turn"]), int(chosen[0]), int(states[0]["phase"])))
        batch.apply_chosen(states, np.arange(1), chosen)
    return Scene(options, deck, dealer, actions[:-1])


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("way", [RANDOMLY, RED, MAKE_SOLA, MAKE_DIX])
def test_worlds_of_random_deals(seed, way):
    fixed = {"solos": True, "trumps": False} if way in (MAKE_SOLA, MAKE_DIX) else {"solos": False}
    scene = random_scene(100 * way + seed, 3, way, **fixed)
    random = Random(seed)
    for moment in random.sample(range(len(scene.actions) + 1), min(4, len(scene.actions))):
        seat = random.randrange(4)
        p, worlds = compare(scene.until(moment), seat, seed)
        assert p > 1e-5, (moment, seat, p, worlds)


@pytest.mark.parametrize("seed", range(6))
def test_worlds_of_longer_deals_with_voids(seed):
    """The second half of deals of six tricks."""
    scene = random_scene(seed, 6, RED, solos=False)
    random = Random(seed)
    for moment in random.sample(range(4 + 13, len(scene.actions) + 1), 2):
        seat = random.randrange(4)
        p, worlds = compare(scene.until(moment), seat, seed)
        assert p > 1e-5, (moment, seat, p, worlds)


def test_the_scenes_show_what_they_should():
    """Two voids, cards of the pair with either, and known gifts are among them."""
    voids, pairs = set(), set()
    for scene in SCENES.values():
        for moment in range(len(scene.actions) + 1):
            true, _ = true_state(scene.until(moment), 0)
            voids.add(sum(int(void) != 0 for void in true["void"][0]))
            pairs.add(int(true["pair"][0]).bit_count())
    assert voids >= {0, 1, 2}
    assert pairs == {0, 1, 2}
