"""What a seat of Mustamaija is shown: everything it may know (C-7), nothing else, and enough to play."""

from random import Random
from typing import Any

import numpy as np
import pytest

from tests.envs.mustamaija.fuzzing import GAME, PHASES, Asked, draw_setting, observe_rows, positions, reference
from tests.envs.mustamaija.table import Table
from tromf import agents
from tromf.agents.registry import rules_of
from tromf.envs import batch
from tromf.envs.mustamaija.observation import ROLE_BITS
from tromf.envs.mustamaija.reference import RETURNING, SPADES, suit

ROW = {row.name: number for number, row in enumerate(GAME.rows)}


def observed(states: np.ndarray, seats: Any) -> np.ndarray:
    words = np.zeros((len(states), GAME.words), np.uint64)
    observe_rows(states, np.broadcast_to(np.asarray(seats), (len(states),)).astype(np.int64), words)
    return words


def test_a_concealed_record_shows_the_same_as_the_true_one():
    states = positions(400, seed=1)
    for distance in range(8):
        seats = (states["attacker"].astype(np.int64) + distance) % states["options"]["players"]
        assert (observed(batch.concealed(states, seats), seats) == observed(states, seats)).all()


def test_concealing_twice_is_concealing_once():
    states = positions(200, seed=2)
    seats = states["defender"].astype(np.int64)
    once = batch.concealed(states, seats)
    assert (batch.concealed(once, seats) == once).all()


def test_worlds_that_a_seat_cannot_tell_apart_look_and_play_the_same():
    for number, state in enumerate(positions(60, seed=3)):
        for seat in range(int(state["options"]["players"])):
            worlds = batch.worlds(GAME, state, seat, 4, seed=number)
            both = np.concatenate([np.array([state], GAME.state), worlds])
            seats = np.full(len(both), seat)
            assert len(np.unique(observed(both, seats), axis=0)) == 1
            copies = batch.concealed(both, seats)
            assert (copies == copies[0]).all()
            acting, masks = np.zeros(len(both), np.int64), np.zeros(len(both), np.uint64)
            batch.look_rows(both, acting, observed(both, seats), masks)
            assert len(set(acting.tolist())) == 1
            assert acting[0] != seat or len(set(masks.tolist())) == 1


def test_nothing_hidden_is_left_in_a_concealed_record():
    states = positions(200, seed=4)
    seats = states["attacker"].astype(np.int64)
    copies = batch.concealed(states, seats)
    assert (copies["rng"] == 0).all()
    assert (copies["seed"] == 0).all()
    for state, copy, seat in zip(states, copies, seats):
        for other in range(int(state["options"]["players"])):
            shown = state["hand"][other] if other == seat else state["known"][other]
            assert copy["hand"][other] == shown
        for place in range(52):
            known = int(state["seen_at"]) >> place & 1
            assert copy["deck"][place] == (state["deck"][place] if known else 255)


def test_the_legal_actions_are_a_function_of_the_observation():
    """In tiny packs the same observation comes up again and again, from different decks."""
    fixed = {"players": 2, "hand_size": 2, "max_decisions": 15, "attack_limit": None, "slap_probability": 0.5, "scoring": "loser"}
    seen: dict[bytes, int] = {}
    again = 0
    for seed in range(3):
        states = positions(1500, seed, pack=["QS", "2S", "QH", "KH", "4C"], **fixed)
        seats, masks, words = (
            np.zeros(len(states), np.int64),
            np.zeros(len(states), np.uint64),
            np.zeros((len(states), GAME.words), np.uint64),
        )
        batch.look_rows(states, seats, words, masks)
        for row, mask in zip(words, masks.tolist()):
            key = row.tobytes()
            again += key in seen
            assert seen.setdefault(key, mask) == mask
    assert again > 200


# ------------------------------------------------------------------ what each row says, beside the reference


class Watched(Asked):
    """The reference, watched while trumps are turned: the order of the spades turned, and the spades passed over (MM-T3)."""

    turned: list[int] = []
    passed: set[int] = set()

    def turn_trump(self) -> None:
        stock, turned = list(self.stock), []
        while suit(stock[0]) == SPADES and stock[0] not in turned:
            turned.append(stock.pop(0))
            stock.insert(len(stock) // 2, turned[-1])
        place = next(place for place, card in enumerate(stock) if suit(card) != SPADES)
        self.turned, self.passed = turned, {card for card in stock[:place] if card not in turned}
        super().turn_trump()


def members(cards: Any) -> int:
    return sum(1 << card for card in cards)


def expected_rows(game: Watched, seat: int, pack: set[int]) -> dict[str, int]:
    """The words by row name, from the reference's facts."""
    players = [(seat + k) % game.players for k in range(game.players)]
    depth = {card: place for place, card in enumerate(game.stock)}
    order = [card for card in game.turned if card in game.seen]
    rows = {
        "hand": members(game.hands[seat]),
        "attack": members(game.attack),
        "unanswered": members(game.unanswered),
        "taken": members(game.taken),
        "beating": members(game.beating),
        "gone": members(game.discard) | members(set(range(52)) - pack),
        "seen in stock": members(game.seen),
        "depths seen": members(game.seen.values()),
        "spades passed over": members(depth[card] for card in game.passed if card in depth),
        "order of turned spades": sum(number << 4 * (card % 13) for number, card in enumerate(order, 1)),
        "sizes of hands": sum(len(game.hands[p]) << 6 * k for k, p in enumerate(players)),
        "few cards": sum(((1 << min(len(game.hands[p]), 9)) - 1) << 9 * (k - 1) for k, p in enumerate(players) if k),
        "stock": (1 << len(game.stock)) - 1,
    }
    rows["known, own hand"] = members(game.known[seat])
    for k in range(1, 8):
        rows[f"known, {k} to the left"] = members(game.known[players[k]]) if k < game.players else 0
    left = game.max_decisions - game.decisions
    rows["decisions left"] = left | ((1 << left.bit_length()) - 1) << 31
    places = sum((game.placed.index(p) + 1) << 4 * k for k, p in enumerate(players) if p in game.placed)
    last = {
        "lay": game.attack[-1:],
        "add": game.added[-1:],
        "return": [] if game.last_returned is None else [game.last_returned],
    }.get(game.phase, [])
    rows["suit and places"] = (1 << suit(last[0]) if last else 0) | places << 4
    return rows


def roles(word: int) -> dict[str, int]:
    """The parts of the word 'roles', by name."""
    parts = {}
    for name, width in ROLE_BITS.items():
        parts[name], word = word & ((1 << width) - 1), word >> width
    return parts


def test_every_row_says_what_the_reference_knows():
    random = Random(5)
    checked = set()
    for number in range(150):
        values, record = draw_setting(random, **({"max_decisions": 2**31 - 1} if number % 3 == 0 else {}))
        states = np.zeros(1, GAME.state)
        states["options"] = record
        batch.begin_rows(states, np.arange(1), np.array([number], np.uint64), np.array([-1]), np.array([False]))
        game = reference(values, states[0])
        game.__class__ = Watched
        pack = {card for card in range(52) if int(record["pack"]) >> card & 1}
        for _ in range(random.randint(0, 60)):
            actions = sorted(game.legal())
            action = random.choice(actions[:-1] if actions[-1] == 52 and len(actions) > 1 and random.random() < 0.6 else actions)
            game.apply(action)
            batch.apply_chosen(states, np.arange(1), np.array([action]))
            if game.over:
                break
        if game.over:
            continue
        for seat in range(game.players):
            words = observed(states, seat)[0]
            for name, expected in expected_rows(game, seat, pack).items():
                if name == "suit and places" and game.phase in ("keep", "defend"):
                    assert int(words[ROW[name]]) >> 4 == expected >> 4
                    continue
                assert int(words[ROW[name]]) == expected, (name, values)
                checked.add(name)
            parts = roles(int(words[ROW["roles"]]))
            assert parts["attacker"] == 1 << (game.attacker - seat) % game.players
            assert parts["defender"] == 1 << (game.defender - seat) % game.players
            assert parts["dealer"] == 1 << (game.dealer - seat) % game.players
            assert parts["phase"] == 1 << PHASES.index(game.phase)
            assert parts["trumps"] == 1 << (0 if game.trump is None else game.trump + 1)
            assert (parts["no limit"], parts["limit"]) == ((1, 0) if game.limit is None else (0, game.limit))
            if game.phase == RETURNING and game.last_returned is not None:
                assert parts["last rank"] == 1 << game.last_returned % 13
    assert checked >= set(ROW) - {"roles", "options"}


def test_bits_beyond_the_width_of_a_row_are_never_set():
    states = positions(500, seed=6)
    for distance in range(3):
        words = observed(states, (states["attacker"].astype(np.int64) + distance) % states["options"]["players"])
        assert (words >> GAME.widths.astype(np.uint64) == 0).all()


def test_the_declarer_that_showed_the_queen_lacks_the_king():
    table = Table("QH 2C", "3C 4C", "KH QS", trump="declared", declare_with="either", stock="5C 6C").play("declare H")
    assert roles(int(observed(table.env.states, 1)[0][ROW["roles"]]))["lacks king"] == 1
    table.play("lay 2C", "done")  # it has drawn a card, which may be the king
    assert roles(int(observed(table.env.states, 1)[0][ROW["roles"]]))["lacks king"] == 0


def test_options_differ_in_their_word_only_when_they_differ():
    words = {}
    for variant, options in [(v, {}) for v in GAME.variants] + [("standard", {"players": 5}), ("standard", {"scoring": "winner"})]:
        words[variant, str(options)] = int(GAME.record(GAME.values(variant, **options))["word"])
    assert len(set(words.values())) == len(words)


# ------------------------------------------------------------------ agents


@pytest.mark.parametrize("kind", rules_of(GAME).KINDS)
def test_no_decision_of_an_agent_changes_when_hidden_cards_do(kind):
    agent = agents.make(kind, GAME)
    n, copies = 120, 4
    states = positions(n, seed=7)
    everything = np.repeat(states, copies + 1)
    acting = np.where(np.isin(states["phase"], (0, 3)), states["attacker"], states["defender"])
    for i in range(n):
        first = i * (copies + 1)
        everything[first + 1 : first + 1 + copies] = batch.worlds(GAME, states[i], int(acting[i]), copies, seed=i)
        everything["seed"][first : first + 1 + copies] = states["seed"][i]  # a random agent's draws come from it
    seats, masks, words = (
        np.zeros(len(everything), np.int64),
        np.zeros(len(everything), np.uint64),
        np.zeros((len(everything), GAME.words), np.uint64),
    )
    batch.look_rows(everything, seats, words, masks)
    actions = agent.act(batch.decisions(GAME, everything, words, masks, seats, np.arange(len(everything))))
    assert (actions.reshape(n, -1) == actions.reshape(n, -1)[:, :1]).all()
