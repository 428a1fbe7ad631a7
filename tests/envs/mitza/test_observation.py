"""What a seat of Mîța or 101 is shown: everything it may know (C-7), nothing else, and enough to play."""

from random import Random
from typing import Any

import numpy as np
import pytest

from tests.envs.mitza import fuzzing
from tests.envs.mitza.fuzzing import GAME, Asked, draw_setting, knowledge_differs, observe_rows, positions, reference
from tests.envs.mitza.table import Table
from tromf import agents
from tromf.agents.registry import rules_of
from tromf.envs import batch
from tromf.envs.mitza.rules import EXCHANGE, KEEP

ROW = {row.name: number for number, row in enumerate(GAME.rows)}


def observed(states: np.ndarray, seats: Any) -> np.ndarray:
    words = np.zeros((len(states), GAME.words), np.uint64)
    observe_rows(states, np.broadcast_to(np.asarray(seats), (len(states),)).astype(np.int64), words)
    return words


def test_a_concealed_record_shows_the_same_as_the_true_one():
    states = positions(400, seed=1)
    for distance in range(6):
        seats = (states["turn"].astype(np.int64) + distance) % states["options"]["players"]
        assert (observed(batch.concealed(states, seats), seats) == observed(states, seats)).all()


def test_concealing_twice_is_concealing_once():
    states = positions(300, seed=2)
    for distance in range(2):
        seats = (states["turn"].astype(np.int64) + distance) % states["options"]["players"]
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
            if acting[0] == seat:
                assert len(set(masks.tolist())) == 1
            # while somebody is asked the others see the leader's turn (MZ-3)
            asked = state["phase"] == EXCHANGE and acting[0] != seat
            assert set(acting[1:].tolist()) == {int(state["leader"]) if asked else int(acting[0])}


def test_nothing_hidden_is_left_in_a_concealed_record():
    states = positions(200, seed=4)
    seats = (states["turn"].astype(np.int64) + 1) % states["options"]["players"]
    copies = batch.concealed(states, seats)
    assert not copies["rng"].any()
    assert not copies["seed"].any()
    assert (copies["deck"] == 255).all()
    for state, copy, seat in zip(states, copies, seats):
        for other in range(int(state["options"]["players"])):
            assert copy["hand"][other] == (state["hand"][other] if other == seat else state["known"][other])
        assert (np.delete(copy["stock"], int(state["stock_size"]) - 1) == 255).all()
        assert copy["phase"] != EXCHANGE
        assert copy["keeper"] in (-1, seat)


def test_decks_given_for_later_deals_are_hidden():
    env = batch.BatchEnv("101", 2, episode="match")
    deck = list(range(32))
    env.reset(0, [[deck, deck], [deck, deck[::-1]]], 0)
    copies = batch.concealed(env.states, np.zeros(2, np.int64))
    assert copies[0] == copies[1]


def test_the_legal_actions_are_a_function_of_the_observation():
    """In tiny packs the same observation comes up again and again, from different decks."""
    fixed = {"players": 2, "scoring": "points", "exchange": True, "tromf": True, "check_stock": False, "episode": "deal"}
    seen: dict[bytes, int] = {}
    again = 0
    for seed in range(3):
        states = positions(1500, seed, pack=["7C", "8C", "AC", "TC", "7D", "8D", "JD", "QD"], **fixed)
        seats, masks = np.zeros(len(states), np.int64), np.zeros(len(states), np.uint64)
        words = np.zeros((len(states), GAME.words), np.uint64)
        batch.look_rows(states, seats, words, masks)
        for row, mask in zip(words, masks.tolist()):
            key = row.tobytes()
            again += key in seen
            assert seen.setdefault(key, mask) == mask
    assert again > 200


# ------------------------------------------------------------------ the secret question


def without_the_question(states: np.ndarray, seat: int) -> np.ndarray:
    """The same positions had nobody been asked: the seven of trumps changes places with a card of the stock."""
    others = states.copy()
    for state in others:
        seven, holder = 8 * int(state["trump"]), int(state["turn"])
        card = int(state["stock"][0])
        state["hand"][holder] ^= np.uint64(1 << seven | 1 << card)
        state["stock"][0] = seven
        state["phase"], state["turn"] = 0, state["leader"]
    return others


@pytest.mark.parametrize("players", [2, 4, 6])
def test_asked_or_not_kept_or_not_looks_the_same_to_everybody_else(players):
    env = batch.BatchEnv("101", 600, players=players)
    env.reset(0)
    asked = env.states[(env.states["phase"] == EXCHANGE) & (env.states["stock_size"] > 1)]
    assert len(asked) > 30
    kept = asked.copy()
    batch.apply_chosen(kept, np.arange(len(kept)), np.full(len(kept), KEEP))
    for distance in range(1, players):
        seats = (asked["turn"].astype(np.int64) + distance) % players
        plain = without_the_question(asked, 0)
        for states in (asked, kept):
            assert (observed(states, seats) == observed(plain, seats)).all()
            assert (batch.concealed(states, seats) == batch.concealed(plain, seats)).all()
    own = asked["turn"].astype(np.int64)
    assert (observed(asked, own) != observed(kept, own)).any(axis=1).all()


@pytest.mark.parametrize("players", [2, 4])
def test_so_it_does_for_the_rest_of_the_deal(players):
    """Two deals that differ in nothing but where the seven lies: dealt and kept, or drawn in the first trick."""
    hands = ["AH 8C 9C", "7H 8D 9D", "8S 9S TS", "JS QS KS"][:players]
    drawn = [hands[0], hands[1].replace("7H", "TD"), *hands[2:]]
    # the winner of the first trick, seat 0, draws first, seat 1 second
    spare = ["TC", "7H", "JC", "QC"]
    one = Table(*hands, turned="KH", stock=" ".join(["TC", "TD", "JC", "QC"]), exchange=True).play("keep")
    other = Table(*drawn, turned="KH", stock=" ".join(spare), exchange=True)
    first = ["AH", "8D", "8S", "JS"][:players]
    for action in ("", *first, "8C", "9D"):
        if action:
            one.play(action)
            other.play(action)
        for seat in range(players):
            if seat != 1:
                assert one.seen(seat) == other.seen(seat), (seat, action)
                copies = [batch.concealed(table.env.states, np.array([seat]))[0] for table in (one, other)]
                assert copies[0] == copies[1]
    assert one.hand(1) == other.hand(1)
    assert one.seen(1) != other.seen(1)  # but the seat itself knows that it kept the seven


# ------------------------------------------------------------------ what each row says, beside the reference


def test_every_row_says_what_the_reference_knows():
    random = Random(5)
    changed: set[str] = set()
    for number in range(120):
        values, record = draw_setting(random)
        states = np.zeros(1, GAME.state)
        states["options"] = record
        batch.begin_rows(states, np.arange(1), np.array([number], np.uint64), np.array([-1]), np.array([False]))
        game: Asked = reference(values, states[0])
        for _ in range(random.randint(0, 60)):
            if game.over:
                break
            action = random.choice(sorted(game.legal()))
            game.apply(action)
            batch.apply_chosen(states, np.arange(1), np.array([action]))
        for seat in range(game.players):
            assert knowledge_differs(states[0], game, seat) is None, values
            changed |= {name for name, word in fuzzing.expected_words(game, seat).items() if word}
    assert changed == set(ROW)


def test_bits_beyond_the_width_of_a_row_are_never_set():
    states = positions(600, seed=6)
    for distance in range(3):
        words = observed(states, (states["turn"].astype(np.int64) + distance) % states["options"]["players"])
        narrow = GAME.widths < 64
        assert (words[:, narrow] >> GAME.widths[narrow].astype(np.uint64) == 0).all()


def test_what_a_side_lacks_to_the_target_is_a_thermometer_of_two_points_each():
    table = Table("AC 7C 8C", "AD 7D 8D", turned="7S", stock="8S", whole=False, scoring="points", episode="match", target=101)
    own, other = ROW["missing, own side"], ROW["missing, other side"]
    assert [table.seen(0)[row].bit_count() for row in (own, other)] == [51, 51]
    table.play("AC 8D")
    assert [table.seen(0)[row].bit_count() for row in (own, other)] == [45, 51]  # 90 and 101 points are lacking
    assert [table.seen(1)[row].bit_count() for row in (own, other)] == [51, 45]
    far = Table("AC 7C 8C", "AD 7D 8D", turned="7S", stock="8S", whole=False, scoring="points", episode="match", target=400)
    assert far.seen(0)[own] == (1 << 60) - 1


def test_options_differ_in_their_word_only_when_they_differ():
    settings: list[dict[str, Any]] = [
        *({}, {"variant": "101"}, {"players": 4}, {"variant": "101", "players": 6}, {"tromf": False}, {"check_stock": True}),
        *({"exchange": True}, {"scoring": "points"}, {"pack": "8"}, {"variant": "101", "players": 6, "removed": ["8D", "8H"]}),
        *({"variant": "101", "episode": "match"}, {"variant": "101", "episode": "match", "target": 102}),
    ]
    words = {int(GAME.states(1, **options)["options"]["word"][0]) for options in settings}
    assert len(words) == len(settings)
    assert GAME.record(GAME.values(target=7))["word"] == GAME.record(GAME.values())["word"]  # what has no effect is not shown
    assert GAME.record(GAME.values(removed=["8D", "8H"]))["word"] == GAME.record(GAME.values())["word"]


# ------------------------------------------------------------------ agents


@pytest.mark.parametrize("kind", rules_of(GAME).KINDS)
def test_no_decision_of_an_agent_changes_when_hidden_cards_do(kind):
    agent = agents.make(kind, GAME)
    n, copies = 120, 4
    states = positions(n, seed=7)
    everything = np.repeat(states, copies + 1)
    for i in range(n):
        first = i * (copies + 1)
        everything[first + 1 : first + 1 + copies] = batch.worlds(GAME, states[i], int(states["turn"][i]), copies, seed=i)
        for name in ("seed", "decisions"):  # a random agent's draws come from them
            everything[name][first : first + 1 + copies] = states[name][i]
    seats, masks = np.zeros(len(everything), np.int64), np.zeros(len(everything), np.uint64)
    words = np.zeros((len(everything), GAME.words), np.uint64)
    batch.look_rows(everything, seats, words, masks)
    actions = agent.act(batch.decisions(GAME, everything, words, masks, seats, np.arange(len(everything))))
    assert (actions.reshape(n, -1) == actions.reshape(n, -1)[:, :1]).all()
