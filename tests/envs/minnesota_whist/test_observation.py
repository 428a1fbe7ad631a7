"""What a seat of Minnesota Whist is shown: everything it may know (C-7), nothing else, and enough to play."""

from random import Random
from typing import Any

import numpy as np
import pytest

from tests.envs.minnesota_whist import fuzzing
from tests.envs.minnesota_whist.fuzzing import (
    GAME,
    MAKE_SOLA,
    Asked,
    choose_rows,
    draw_setting,
    knowledge_differs,
    observe_rows,
    positions,
    reference,
)
from tests.envs.minnesota_whist.table import Table, a_deck
from tromf import agents
from tromf.agents.registry import rules_of
from tromf.envs import batch
from tromf.envs.cards import FRENCH
from tromf.envs.minnesota_whist.rules import BID, GIVE, PLAY

ROW = {row.name: number for number, row in enumerate(GAME.rows)}


def observed(states: np.ndarray, seats: Any) -> np.ndarray:
    words = np.zeros((len(states), GAME.words), np.uint64)
    observe_rows(states, np.broadcast_to(np.asarray(seats), (len(states),)).astype(np.int64), words)
    return words


def look_alike(one: np.ndarray, other: np.ndarray, seats: Any) -> bool:
    """Whether seats see the same in both of each pair of records, and know the same."""
    seats = np.broadcast_to(np.asarray(seats), (len(one),)).astype(np.int64)
    same = (observed(one, seats) == observed(other, seats)).all()
    return bool(same and (batch.concealed(one, seats) == batch.concealed(other, seats)).all())


def test_a_concealed_record_shows_the_same_as_the_true_one():
    states = positions(600, seed=1)
    for seat in range(4):
        seats = np.full(len(states), seat)
        assert (observed(batch.concealed(states, seats), seats) == observed(states, seats)).all()


def test_concealing_twice_is_concealing_once():
    states = positions(400, seed=2)
    for seat in range(4):
        seats = np.full(len(states), seat)
        once = batch.concealed(states, seats)
        assert (batch.concealed(once, seats) == once).all()


def test_worlds_that_a_seat_cannot_tell_apart_look_and_play_the_same():
    for number, state in enumerate(positions(80, seed=3)):
        for seat in range(4):
            worlds = batch.worlds(GAME, state, seat, 4, seed=number)
            both = np.concatenate([np.array([state], GAME.state), worlds])
            assert look_alike(both[:1].repeat(5), both, seat)
            acting, masks = np.zeros(len(both), np.int64), np.zeros(len(both), np.uint64)
            batch.look_rows(both, acting, observed(both, seat), masks)
            assert len(set(acting.tolist())) == 1
            assert acting[0] != seat or len(set(masks.tolist())) == 1


def test_nothing_hidden_is_left_in_a_concealed_record():
    states = positions(300, seed=4)
    seats = (states["turn"].astype(np.int64) + 1) % 4
    copies = batch.concealed(states, seats)
    for name in ("rng", "seed", "given"):
        assert not copies[name].any()
    assert (copies["deck"] == 255).all()
    for state, copy, seat in zip(states, copies, seats):
        for other in {0, 1, 2, 3} - {int(seat)}:
            partners = other == (seat + 2) % 4 and state["gave"][seat] >= 0 and state["phase"] == PLAY
            seen = int(state["known"][other])
            if partners:
                seen |= (1 << int(state["gave"][seat]) | int(state["pair"])) & int(state["hand"][other])
            assert int(copy["hand"][other]) == seen
            assert int(copy["hidden"][other]) == int(state["hand"][other]).bit_count() - seen.bit_count()
            assert copy["gave"][other] == copy["received"][other] == -1
            assert copy["bid"][other] == (state["bid"][other] if int(state["shown"]) >> other & 1 else -1)


def test_decks_given_for_later_deals_are_hidden():
    env = batch.BatchEnv("minnesota-whist", 2, episode="game")
    deck = list(range(52))
    env.reset(0, [[deck, deck], [deck, deck[::-1]]], 0)
    copies = batch.concealed(env.states, np.zeros(2, np.int64))
    assert copies[0] == copies[1]


def test_the_legal_actions_are_a_function_of_the_observation():
    """In tiny packs the same observation comes up again and again, from different decks."""
    fixed = {"variant": "askov", "solos": True, "trumps": False, "grand_points": 1, "defence_points": 1, "failed_solo_star": False}
    fixed |= {"star_value": 1.0, "episode": "deal", "target": 1, "max_deals": 1}
    seen: dict[bytes, int] = {}
    again = 0
    for seed in range(3):
        states = positions(1500, seed, pack=["2C", "3C", "4C", "5C", "2D", "3D", "4D", "5D"], **fixed)
        seats, masks = np.zeros(len(states), np.int64), np.zeros(len(states), np.uint64)
        words = np.zeros((len(states), GAME.words), np.uint64)
        batch.look_rows(states, seats, words, masks)
        for row, mask in zip(words, masks.tolist()):
            key = row.tobytes()
            again += key in seen
            assert seen.setdefault(key, mask) == mask
    assert again > 200


# ------------------------------------------------------------------ unshown bids


def rebid(states: np.ndarray, seat: int, random: Random) -> tuple[np.ndarray, np.ndarray]:
    """Those records in which the seat has bid a card that is not shown, and their twins in which it has bid another one."""
    unshown = (states["bid"][:, seat] >= 0) & (states["shown"] >> seat & 1 == 0)
    twins = states.copy()
    changed = np.zeros(len(states), np.bool_)
    for k in np.flatnonzero(unshown):
        state = states[k]
        held = int(state["hand"][seat]) | int(state["played"][seat])
        if state["received"][seat] >= 0:  # what it held when it bid
            held = held & ~(1 << int(state["received"][seat])) | 1 << int(state["gave"][seat])
        others = [card for card in FRENCH.members(held) if card != state["bid"][seat]]
        if others:
            twins["bid"][k, seat], changed[k] = random.choice(others), True
    return states[changed], twins[changed]


@pytest.mark.parametrize("seat", range(4))
def test_MW_1_and_MW_2_nobody_sees_another_seats_unshown_bid(seat):
    """While bids are made, and at any time afterwards."""
    states, twins = rebid(positions(2500, seed=5, solos=True, trumps=False), seat, Random(seat))
    phases = set(states["phase"].tolist())
    assert phases >= {BID, GIVE, PLAY}
    assert len(states) > 500
    for other in {0, 1, 2, 3} - {seat}:
        assert look_alike(states, twins, other)
    played = np.array([int(cards.sum()) >> int(bid) & 1 for cards, bid in zip(states["played"], states["bid"][:, seat])], np.bool_)
    own = (observed(states, seat) != observed(twins, seat)).any(axis=1)
    assert own[~played].all()  # but the seat itself does


@pytest.mark.parametrize("seed", range(10))
def test_MW_1_no_observation_before_the_showing_depends_on_bids(seed):
    """The same deal with other bids: nobody but the bidder sees a difference until the cards are shown."""
    random, env = Random(seed), batch.BatchEnv("minnesota-whist", 20)
    env.reset(seed, [random.sample(range(52), 52)] * 20, seed % 4)
    for k in range(3):
        env.step(np.array([random.choice(FRENCH.members(mask)) for mask in env.masks.tolist()]))
        bidders = [(seed % 4 + 1 + j) % 4 for j in range(k + 1)]
        for seat in {0, 1, 2, 3} - set(bidders):
            assert look_alike(env.states[:1].repeat(20), env.states, seat)
        for seat in bidders:
            same = [i for i in range(20) if env.states["bid"][i, seat] == env.states["bid"][0, seat]]
            assert look_alike(env.states[:1].repeat(len(same)), env.states[same], seat)


# ------------------------------------------------------------------ cards exchanged


def exchanges(n: int, seed: int, tricks: int) -> np.ndarray:
    """Deals in which the soloist of sola nulla is to give a card, (n,)."""
    random, found = Random(seed), []
    rng, chosen = np.array([(seed,)], [("rng", np.uint64)]), np.zeros(1, np.int64)
    while len(found) < n:
        pack = random.sample(range(52), 4 * tricks)
        states = np.zeros(1, GAME.state)
        states["options"] = draw_setting(random, pack=pack, solos=True, trumps=False, episode="deal")[1]
        batch.begin_rows(states, np.arange(1), np.array([random.getrandbits(60)], np.uint64), np.array([-1]), np.array([False]))
        while not states[0]["over"] and states[0]["phase"] < GIVE:
            choose_rows(states, np.arange(1), np.array([MAKE_SOLA]), rng, chosen)
            batch.apply_chosen(states, np.arange(1), chosen)
        if states[0]["phase"] == GIVE:
            found.append(states[0].copy())
    return np.array(found, GAME.state)


def give(state: np.ndarray, card: int) -> np.ndarray:
    after = state.copy()
    batch.apply_chosen(after, np.arange(1), np.array([card]))
    return after


@pytest.mark.parametrize("tricks", [2, 4, 13])
def test_MW_4_nobody_sees_which_card_the_soloist_chose_before_the_partner_chooses(tricks):
    for start in exchanges(20, seed=tricks, tricks=tricks):
        state = np.array([start], GAME.state)
        soloist = int(start["soloist"])
        after = np.concatenate([give(state, card) for card in FRENCH.members(start["hand"][soloist])])
        for seat in {0, 1, 2, 3} - {soloist}:
            assert look_alike(after[:1].repeat(len(after)), after, seat)
        assert len(np.unique(observed(after, soloist), axis=0)) == len(after)


@pytest.mark.parametrize("tricks", [3, 5, 13])
def test_MW_4_the_opponents_never_see_which_cards_were_exchanged(tricks):
    """All pairs of gifts look the same to them, and go on doing so as long as the same cards are played."""
    random, later = Random(tricks), 0
    for start in exchanges(12, seed=tricks, tricks=tricks):
        soloist = int(start["soloist"])
        partner = (soloist + 2) % 4
        hands = [FRENCH.members(start["hand"][seat]) for seat in (soloist, partner)]
        pairs = [(one, other) for one in hands[0] for other in hands[1]]
        after = np.concatenate(
            [give(give(np.array([start], GAME.state), one), other) for one, other in random.sample(pairs, min(len(pairs), 40))]
        )
        while len(after) > 1 and not after["over"].any():
            for seat in ((soloist + 1) % 4, (soloist + 3) % 4):
                assert look_alike(after[:1].repeat(len(after)), after, seat)
            later += int(after["tricks"][0].sum() > 0)
            seats, masks = np.zeros(len(after), np.int64), np.zeros(len(after), np.uint64)
            batch.look_rows(after, seats, observed(after, 0), masks)
            cards = FRENCH.members(masks[0])
            card = max(cards, key=lambda card: sum(int(mask) >> card & 1 for mask in masks))
            after = after[[bool(int(mask) >> card & 1) for mask in masks]]  # where the soloist holds the card
            batch.apply_chosen(after, np.arange(len(after)), np.full(len(after), card))
    assert later > 20


def test_MW_4_the_two_see_what_they_gave_and_received_and_nothing_else():
    hands = ("2C 6C 7C", "AD 3C KH", "4C 8C 9C", "5C TC JC")
    tables = [Table(*hands, solos=True).play("2C 3C 4C 5C", "pass sola pass pass pass", *gifts) for gifts in (("AD", "5C"), ("AD", "TC"))]
    assert tables[0].seen(1) != tables[1].seen(1)
    assert [tables[k].seen(1)[ROW["received"]] for k in range(2)] == [1 << FRENCH.number(card) for card in ("5C", "TC")]
    unequal = [row.name for row, one, other in zip(GAME.rows, tables[0].seen(1), tables[1].seen(1)) if one != other]
    assert unequal == ["hand", "received"]


# ------------------------------------------------------------------ what each row says, beside the reference


def test_every_row_says_what_the_reference_knows():
    random, changed = Random(5), set()
    for number in range(160):
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
        for seat in range(4):
            assert knowledge_differs(states[0], game, seat) is None, values
            changed |= {name for name, word in fuzzing.expected_words(game, seat).items() if word}
    assert changed == set(ROW)


def test_bits_beyond_the_width_of_a_row_are_never_set():
    states = positions(800, seed=6)
    for seat in range(4):
        assert (observed(states, seat) >> GAME.widths.astype(np.uint64) == 0).all()


def test_what_a_side_lacks_to_the_target_and_scores_below_zero():
    hands = ("2C 2D", "3C 3D", "5C 5D", "4C 4D")
    table = Table(*hands, episode="game", target=4, later=[a_deck(*hands, dealer=0)])
    table.play("2D 3D 5D 4D", "2C 3C 5C 4C", "5D 4D 2D 3D")  # a low hand, both tricks to seat 2: one over one
    assert table.score == [-1, 0]
    for seat, lacking in ((0, (5, 4)), (1, (4, 5))):
        word = table.seen(seat)[ROW["missing"]]
        assert ((word & (1 << 30) - 1).bit_count(), (word >> 30).bit_count()) == lacking
    assert table.seen(0)[ROW["scores"]] == (1 << 24) - 1
    assert table.seen(1)[ROW["scores"]] == (1 << 24) - 1 << 24


def test_options_differ_in_their_words_only_when_they_differ():
    game = {"episode": "game"}
    settings: list[dict[str, Any]] = [
        *({}, {"variant": "penalty"}, {"variant": "askov"}, {"variant": "south-dakota"}, {"variant": "south-dakota", "trumps": False}),
        *({"trumps": True}, {"solos": True}, {"grand_points": 3}, {"defence_points": 3}, {"failed_solo_star": True}, {"star_value": 1}),
        *(game, game | {"target": 12}, game | {"max_deals": 12}, {"pack": "T"}),
    ]
    words = {tuple(GAME.states(1, **options)["options"][["word", "more"]][0]) for options in settings}
    assert len(words) == len(settings)
    for without_effect in ({"target": 7}, {"max_deals": 7}):
        assert GAME.record(GAME.values(**without_effect))["word"] == GAME.record(GAME.values())["word"]


# ------------------------------------------------------------------ agents


@pytest.mark.parametrize("kind", rules_of(GAME).KINDS)
def test_no_decision_of_an_agent_changes_when_hidden_cards_do(kind):
    agent = agents.make(kind, GAME)
    n, copies = 200, 4
    states = positions(n, seed=7)
    everything = np.repeat(states, copies + 1)
    for i in range(n):
        first = i * (copies + 1)
        everything[first + 1 : first + 1 + copies] = batch.worlds(GAME, states[i], int(states["turn"][i]), copies, seed=i)
        everything["seed"][first : first + 1 + copies] = states["seed"][i]  # a random agent's draws come from it
    seats, masks = np.zeros(len(everything), np.int64), np.zeros(len(everything), np.uint64)
    words = np.zeros((len(everything), GAME.words), np.uint64)
    batch.look_rows(everything, seats, words, masks)
    actions = agent.act(batch.decisions(GAME, everything, words, masks, seats, np.arange(len(everything))))
    assert (actions.reshape(n, -1) == actions.reshape(n, -1)[:, :1]).all()
