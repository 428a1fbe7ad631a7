"""Worlds drawn by `resample` are distributed as enumeration says.

With two players all decks of a small pack are tried: one is kept if, from the deal on, the seat would have seen exactly what it has
seen. Every deck is as likely as any other; but where somebody else was asked and kept the seven of trumps, which nobody sees (MZ-3), the
chance of that was one half. With more players there are too many decks, and the places from which the cards were played are counted
instead; with two players both counts must agree.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import combinations, permutations
from random import Random
from typing import NamedTuple

import numpy as np
import pytest
from scipy import stats

from tests.envs.mitza.fuzzing import GAME, draw_setting
from tests.envs.mitza.table import Table
from tromf.envs import batch, verbs
from tromf.envs.jit import assign, compiled
from tromf.envs.mitza.options import PACK
from tromf.envs.mitza.rules import EXCHANGE, EXCHANGE_SEVEN, KEEP

DRAWN = 20_000  # worlds
World = tuple[int, ...]  # hands by seat, the keeper of the seven as long as it holds it (-1), the face-down stock from the top


class Scene(NamedTuple):
    """A deal and all its actions so far, by whom."""

    options: np.ndarray
    deck: list[int]
    dealer: int
    actions: list[tuple[int, int]]

    def seen_by(self, seat: int) -> list[int]:
        """The actions of which the seat knows."""
        return [action for actor, action in self.actions if action != KEEP or actor == seat]


def of(table: Table, *texts: str) -> Scene:
    """A scene of a table that plays on."""
    deck = table.state["deck"][: table.state["size"]].tolist()
    actions = []
    for text in " ".join(texts).split():
        actions.append((table.actor, table.env.game.parse_action(table.state, f"play {text}" if text in PACK.texts else text, ())))
        table.play(text)
    return Scene(table.env.states["options"][0], deck, table.dealer, actions)


# ------------------------------------------------------------------ all decks


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
def replay(s, deck, dealer, actions, seat, sights, words, write):
    """Deal a deck and repeat the actions of which the seat knows: the chance that nobody does anything else of which it would know.

    0 if an action is not legal or the seat does not see what stands in `sights` before each action and after the last; with `write`
    these are written instead.
    """
    for i in range(deck.shape[0]):
        s.deck[i] = deck[i]
    batch.begin(s, np.uint64(1), dealer, True)
    chance = 1.0
    exchanged = actions.shape[0] > 0 and actions[0] == EXCHANGE_SEVEN
    if s.phase == EXCHANGE and s.turn != seat and not exchanged:
        verbs.apply(s, KEEP)
        chance = 0.5
    for k in range(actions.shape[0] + 1):
        verbs.observe(s, seat, words)
        if write:
            sights[k] = words
        for w in range(words.shape[0]):
            if words[w] != sights[k, w]:
                return 0.0
        if k < actions.shape[0]:
            if s.over or not (verbs.legal(s) >> np.uint64(actions[k])) & np.uint64(1):
                return 0.0
            verbs.apply(s, actions[k])
    return chance


@compiled
def enumerate_worlds(scratch, deck, free, dealer, actions, seat, sights, words, kept, chances):
    """All decks that differ from one in the free places only and are consistent; the states they lead to go to `kept`."""
    order = np.sort(deck[free])
    count = 0
    while True:
        for i in range(free.shape[0]):
            deck[free[i]] = order[i]
        chance = replay(scratch[0], deck, dealer, actions, seat, sights, words, False)
        if chance > 0:
            if count < kept.shape[0]:
                assign(kept[count], scratch[0])
                chances[count] = chance
            count += 1
        if not next_permutation(order):
            return count


def true_state(scene: Scene, seat: int) -> tuple[np.ndarray, np.ndarray]:
    """The true record, (1,), and what the seat has seen before each action of which it knows and after the last."""
    true, played = np.zeros(1, GAME.state), np.array(scene.seen_by(seat), np.int64)
    true["options"], true["size"] = scene.options, len(scene.deck)
    sights = np.zeros((len(played) + 1, GAME.words), np.uint64)
    cards, words = np.array(scene.deck, np.uint8), np.zeros(GAME.words, np.uint64)
    assert replay(true[0], cards, scene.dealer, played, seat, sights, words, True) > 0
    return true, sights


def by_decks(scene: Scene, seat: int) -> dict[World, float]:
    """The chance of each world, from all decks."""
    _, sights = true_state(scene, seat)
    players = int(scene.options["players"])
    fixed = {players * k + (seat - scene.dealer - 1) % players for k in range(3)} | {3 * players}
    free = np.array([place for place in range(len(scene.deck)) if place not in fixed])
    scratch, kept, chances = np.zeros(1, GAME.state), np.zeros(50_000, GAME.state), np.zeros(50_000)
    scratch["options"], scratch["size"] = scene.options, len(scene.deck)
    cards, played, words = np.array(scene.deck, np.uint8), np.array(scene.seen_by(seat), np.int64), np.zeros(GAME.words, np.uint64)
    count = enumerate_worlds(scratch, cards, free, scene.dealer, played, seat, sights, words, kept, chances)
    assert 0 < count <= len(kept)
    copies = batch.concealed(kept[:count], np.full(count, seat))
    assert (copies == copies[0]).all()  # a function of what was seen
    weights: dict[World, float] = defaultdict(float)
    for key, chance in zip(told(kept[:count]), chances):
        weights[key] += chance
    return normed(weights)


def normed(weights: dict[World, float]) -> dict[World, float]:
    total = sum(weights.values())
    return {key: weight / total for key, weight in weights.items()}


def told(states: np.ndarray) -> list[World]:
    """What is told of each of some records of one moment."""
    first = states[0]
    keepers = states["keeper"].astype(np.int64)
    sevens = states["hand"][np.arange(len(states)), np.maximum(keepers, 0)] >> np.uint64(8 * int(first["trump"])) & np.uint64(1)
    keepers[sevens == 0] = -1
    stocks = states["stock"][:, first["top"] : max(int(first["stock_size"]) - 1, int(first["top"]))]
    return list(map(tuple, np.concatenate([states["hand"].astype(np.int64), keepers[:, None], stocks], axis=1).tolist()))


# ------------------------------------------------------------------ places in the hands


def by_places(scene: Scene, seat: int) -> dict[World, float]:
    """The chance of each world, from the places in the hands from which cards were played: dealt ones, or drawn ones.

    A card that another seat plays may have come from any place of its hand whose card nobody else has seen. What is not yet seen lies in
    the places that are left, each order as likely as any other, but for the seven of trumps in a dealt one.
    """
    true, _ = true_state(scene, seat)
    state, players = true[0], int(scene.options["players"])
    trump = scene.deck[3 * players] // 8
    seven = 8 * trump
    exchanged = any(action == EXCHANGE_SEVEN for _, action in scene.actions)
    secret = bool(scene.options["exchange"]) and not exchanged
    bottom = seven if exchanged else scene.deck[3 * players]
    public = {bottom, scene.deck[3 * players]}  # whoever holds one of them, everybody knows
    start = tuple((3, 0) for _ in range(players))
    if exchanged:
        who = next(actor for actor, action in scene.actions if action == EXCHANGE_SEVEN)
        start = tuple((2, 0) if p == who else each for p, each in enumerate(start))
    ways: dict[tuple[tuple[int, int], ...], float] = {start: 1.0}  # unseen dealt and drawn cards of each hand
    laid, leader = [], (scene.dealer + 1) % players
    stock = len(scene.deck) - 3 * players
    for actor, action in scene.actions:
        if action >= 32:
            continue
        if action not in public:
            after: dict[tuple[tuple[int, int], ...], float] = defaultdict(float)
            for hands, weight in ways.items():
                dealt, later = hands[actor]
                half = 0.5 if secret and action == seven and actor != seat else 1.0
                for left, share in (((dealt - 1, later), dealt * half), ((dealt, later - 1), later)):
                    if share:
                        after[(*hands[:actor], left, *hands[actor + 1 :])] += weight * share
            ways = after
        laid.append(action)
        if len(laid) < players:
            continue
        best = max(laid, key=lambda card: (card // 8 == trump, card // 8 == laid[0] // 8, card))
        leader, laid = (leader + laid.index(best)) % players, []
        if stock:
            for k in range(players):
                p, stock = (leader + k) % players, stock - 1
                if stock:  # the last one is seen
                    ways = {(*hands[:p], (hands[p][0], hands[p][1] + 1), *hands[p + 1 :]): w for hands, w in ways.items()}
    held = [int(hand) for hand in state["hand"]]
    known = [int(cards) for cards in state["known"]]
    unseen = [card for p in range(players) if p != seat for card in PACK.members(held[p] & ~known[p])]
    face_down = [int(card) for card in state["stock"][state["top"] : state["stock_size"] - 1]] if stock else []
    unseen += face_down
    others = [p for p in range(players) if p != seat]
    kept, later = [0.0] * players, [0.0] * players  # chances of a card of a hand: dealt and kept, or drawn
    for hands, weight in ways.items():
        for p in others:
            if sum(hands[p]):
                kept[p] += weight * 0.5 * hands[p][0] / sum(hands[p])
                later[p] += weight * hands[p][1] / sum(hands[p])
    weights: dict[World, float] = {}
    for split in divisions(sorted(unseen), [sum(next(iter(ways))[p]) for p in others]):
        lacking = [cards for p, cards in zip(others, split) if int(state["lacks"]) >> p & 1]
        if any(card // 8 == trump for cards in lacking for card in cards):
            continue
        result, keepers = [*held[:players], *[0] * (6 - players)], {-1: sum(ways.values())}
        if int(state["keeper"]) == seat and held[seat] >> seven & 1:
            keepers = {seat: 1.0}
        for p, cards in zip(others, split):
            result[p] = known[p] | sum(1 << card for card in cards)
            if secret and seven in cards:
                keepers = {p: kept[p], -1: later[p]}
        below = [card for card in unseen if not any(card in cards for cards in split)]
        for order in permutations(below):
            weights |= {(*result, keeper, *order): weight for keeper, weight in keepers.items() if weight}
    return normed(weights)


def divisions(cards: list[int], sizes: list[int]) -> Iterator[list[tuple[int, ...]]]:
    """All ways to give so many of the cards to each; the others are left."""
    if not sizes:
        yield []
        return
    for chosen in combinations(cards, sizes[0]):
        for rest in divisions([card for card in cards if card not in chosen], sizes[1:]):
            yield [chosen, *rest]


# ------------------------------------------------------------------ what is compared


def compare(scene: Scene, seat: int, expected: dict[World, float], seed: int = 0) -> tuple[float, int]:
    """The p-value of a chi-square test of worlds drawn against chances, and the number of different worlds."""
    true, _ = true_state(scene, seat)
    drawn = told(batch.worlds(GAME, true[0], seat, DRAWN, seed))
    assert set(drawn) <= set(expected), "a world was drawn that cannot be"
    # With too many worlds for so few drawn, the stock's order from some depth on is left out, then all but the trumps in the hands.
    trumps = 0xFF << 8 * int(true[0]["trump"])
    coarser = [lambda key, n=n: key[:n] for n in (7 + 24, 7 + 2, 7 + 1, 7)]
    for coarse in (*coarser, lambda key: (*(hand & trumps for hand in key[:6]), key[6])):
        shares, found = defaultdict(float), Counter(map(coarse, drawn))
        for key, chance in expected.items():
            shares[coarse(key)] += chance
        if min(shares.values()) * DRAWN >= 5:
            break
    keys = list(shares)
    if len(keys) == 1:
        return 1.0, 1
    return float(stats.chisquare([found[key] for key in keys], np.array([shares[key] for key in keys]) * DRAWN).pvalue), len(keys)


def moments(scene: Scene) -> Iterator[Scene]:
    """The scene at every decision."""
    for k in range(len(scene.actions) + 1):
        yield scene._replace(actions=scene.actions[:k])


def two(first="7H 8S AH", second="9S 8C KH", turned="JH", stock="8H TC 9D", **options):
    return Table(first, second, turned=turned, stock=stock, whole=False, **{"exchange": True, **options})


TWO_PLAYERS = {
    "nothing played": of(two()),
    "without exchange": of(two(exchange=False), "8S 9S 8H"),
    "kept, and two draws": of(two(), "keep 8S 9S", "8C AH", "7H quiet KH"),
    "kept, and the seven played": of(two(), "keep 7H KH", "8H 8S"),
    "exchanged": of(two(), "exchange 8S 9S", "8H JH"),
    "the seven in the stock": of(two(first="QH 8S AH", stock="7H TC 9D"), "8S 9S", "8C AH", "TC 7H"),
    "the seven turned": of(two(first="QH 8S AH", turned="7H"), "8S 9S", "8C AH"),
    "a trump after tromf": of(two(second="9S 8C TC", stock="8H"), "keep AH 9S", "7H tromf JH", "8C 8H"),
    "no trump after tromf": of(two(second="9S 8C TC", stock="8D"), "keep 8S TC", "AH tromf JH", "7H tromf 9S"),
    "no seven in the pack": of(two(first="AH KH QH", second="9S 8C TC", turned="TH", stock="9D QD TD"), "AH 9S", "KH 8C", "QH tromf TH"),
}


@pytest.mark.parametrize("scene", TWO_PLAYERS)
def test_worlds_are_as_likely_as_all_decks_say(scene):
    several = 0
    for moment in moments(TWO_PLAYERS[scene]):
        for seat in range(2):
            expected = by_decks(moment, seat)
            assert by_places(moment, seat) == pytest.approx(expected)
            p, worlds = compare(moment, seat, expected)
            several += worlds > 1
            assert p > 1e-4, (seat, moment, p, worlds)
    assert several


def random_scene(seed: int, players: int, cards: int, decisions: int) -> Scene:
    """Random play with a small pack, mostly with the seven of trumps in it."""
    random = Random(seed)
    fixed = {"players": players, "exchange": seed % 4 > 0, "tromf": True, "check_stock": False, "episode": "deal", "removed": ["8C", "8D"]}
    pack, deck = [], [0] * cards
    while 8 * (deck[3 * players] // 8) not in pack:
        pack = random.sample([card for card in range(32) if players < 6 or PACK.texts[card] not in fixed["removed"]], cards)
        deck = random.sample(pack, cards)
    _, options = draw_setting(random, pack=pack, **fixed)
    dealer = random.randrange(players)
    states = np.zeros(1, GAME.state)
    states["options"], states["size"], states["deck"][0, :cards] = options, cards, deck
    batch.begin_rows(states, np.arange(1), np.array([1], np.uint64), np.array([dealer]), np.array([True]))
    actions: list[tuple[int, int]] = []
    for _ in range(decisions):
        seats, masks, words = np.zeros(1, np.int64), np.zeros(1, np.uint64), np.zeros((1, GAME.words), np.uint64)
        batch.look_rows(states, seats, words, masks)
        legal = [action for action in range(36) if int(masks[0]) >> action & 1]
        plain = [action for action in legal if action < 32 and action // 8 != deck[3 * players] // 8]
        action = random.choice(plain if plain and seed % 2 else [KEEP] if KEEP in legal and seed % 3 else legal)
        batch.apply_chosen(states, np.arange(1), np.array([action]))
        if states[0]["over"]:
            break
        actions.append((int(seats[0]), action))
    return Scene(options, deck, dealer, actions)


@pytest.mark.parametrize("seed", range(12))
def test_worlds_of_random_games_of_two(seed):
    scene = random_scene(seed, players=2, cards=10, decisions=30)
    for moment in Random(seed).sample(list(moments(scene)), 3):
        seat = seed % 2
        expected = by_decks(moment, seat)
        assert by_places(moment, seat) == pytest.approx(expected)
        p, worlds = compare(moment, seat, expected, seed)
        assert p > 1e-4, (seat, moment, p, worlds)


@pytest.mark.parametrize(("players", "cards"), [(4, 16), (4, 20), (6, 24)])
@pytest.mark.parametrize("seed", range(6))
def test_worlds_of_random_games_of_more(seed, players, cards):
    """From the moment on at which few enough cards are hidden."""
    scene = random_scene(seed, players, cards, decisions=60)
    late = [moment for moment in moments(scene) if hidden(moment) <= 7]
    for moment in Random(seed).sample(late, 2):
        seat = seed % players
        p, worlds = compare(moment, seat, by_places(moment, seat), seed)
        assert p > 1e-4, (seat, moment, p, worlds)


def hidden(scene: Scene) -> int:
    """About how many cards a seat has not seen."""
    players = int(scene.options["players"])
    return (len(scene.deck) - sum(action < 32 for _, action in scene.actions)) * (players - 1) // players


def four():
    hands = ("7H 8S AH", "9S 8C KH", "QS 7C 8D", "TS 9C TC")
    return Table(*hands, turned="JH", stock="QH 8H 9D", whole=False, exchange=True)


FOUR_PLAYERS = {
    "kept": of(four(), "keep 8S 9S QS TS"),
    "kept, and one has no trumps": of(four(), "keep AH 9S QS TS", "QH tromf KH 7C JH"),
    "exchanged": of(four(), "exchange 8S 9S QS TS"),
    "kept, and played": of(four(), "keep 7H 9S QS TS"),
}


@pytest.mark.parametrize("scene", FOUR_PLAYERS)
def test_worlds_of_four_players(scene):
    for moment in [moment for moment in moments(FOUR_PLAYERS[scene]) if hidden(moment) <= 9]:
        for seat in range(4):
            p, worlds = compare(moment, seat, by_places(moment, seat))
            assert p > 1e-4, (seat, moment, p, worlds)


def test_before_anybody_has_answered_a_seat_that_is_not_asked_sees_worlds_in_which_all_is_answered():
    """While somebody is asked the others are shown a game in which nobody is (MZ-3)."""
    state = two().state
    worlds = batch.worlds(GAME, state, 1, 200, seed=0)
    assert (worlds["phase"] == 0).all()
    assert (worlds["turn"] == 0).all()
    assert {-1, 0} == set(worlds["keeper"].tolist())
    own = batch.worlds(GAME, state, 0, 200, seed=0)
    assert (own["phase"] == EXCHANGE).all()
