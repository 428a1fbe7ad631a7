"""Properties of Mustamaija that hold for all options, decks and ways of playing."""

from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import fuzz
from tests.envs.mustamaija import fuzzing
from tests.envs.mustamaija.fuzzing import FAULTS, GAME, draw_setting, faults_of, positions
from tromf.envs import BatchEnv
from tromf.envs.cards import FRENCH

seeds = st.integers(0, 2**32)
quick = settings(max_examples=25, deadline=None, derandomize=True)


@quick
@given(seeds)
def test_compiled_rules_and_reference_agree(seed):
    outcome = fuzz.compare("mustamaija", seed, 0, 6)
    assert outcome.mismatch is None
    assert outcome.games == 6


@quick
@given(seeds)
def test_every_card_is_in_one_place(seed):
    outcome = fuzz.walk("mustamaija", seed, 0, 5000)
    assert outcome.mismatch is None


def draw_moves(env: BatchEnv, seed: int) -> list[list[int]]:
    """Play random games to their end; the actions of every row."""
    random, moves = Random(seed), [[] for _ in range(env.n)]
    while env.masks.any():
        actions = [random.choice([a for a in range(60) if mask >> a & 1]) if mask else 0 for mask in env.masks.tolist()]
        for row, mask in enumerate(env.masks.tolist()):
            if mask:
                moves[row].append(actions[row])
        env.step(actions)
    return moves


def batch_of(seed: int, n: int, **keywords: Any) -> BatchEnv:
    """A batch of n games of random settings, cut off early so that games are short."""
    random = Random(seed)
    env = BatchEnv(GAME, n, players=6, **keywords)
    for row in range(n):
        env.states["options"][row] = draw_setting(random, max_decisions=60, players=random.randint(2, 6))[1]
    env.reset(seed)
    return env


@quick
@given(seeds)
def test_returns_sum_to_zero_and_the_loser_pays(seed):
    env = batch_of(seed, 12)
    draw_moves(env, seed)
    assert np.abs(env.returns.sum(axis=1)).max() < 1e-12
    for state, returns in zip(env.states, env.returns):
        assert np.abs(returns).max() <= 1
        if state["loser"] >= 0 and returns.any():
            assert returns[state["loser"]] == returns.min()


@quick
@given(seeds)
def test_neither_batch_nor_threads_nor_skipping_change_a_game(seed):
    env = batch_of(seed, 6)
    moves = draw_moves(env, seed)
    threads, skipping = batch_of(seed, 6, threads=2), batch_of(seed, 6, skip_forced=True)
    for each in (threads, skipping):
        left = [iter(row) for row in moves]
        while each.masks.any():
            actions = []
            for row, mask in enumerate(each.masks.tolist()):
                # the moves that were forced are not asked for
                while mask and len(moves[row]) - left[row].__length_hint__() < each.states["decisions"][row]:
                    next(left[row])
                actions.append(next(left[row]) if mask else 0)
            each.step(actions)
        assert (each.returns == env.returns).all()
        assert (each.states["decisions"] == env.states["decisions"]).all()
    for row in range(6):
        alone = BatchEnv(GAME, 1, players=6)
        alone.states["options"] = env.states["options"][row]
        alone.reset((seed + row) % 2**64)
        for action in moves[row]:
            alone.step([action])
        assert (alone.states == env.states[row : row + 1]).all()


@quick
@given(seeds, st.data())
def test_decks_and_dealers_are_honoured(seed, data):
    random = Random(seed)
    values, _ = draw_setting(random)
    env = BatchEnv(GAME, 1, **values)
    pack = FRENCH.members(env.states["options"]["pack"][0])
    deck, dealer = data.draw(st.permutations(pack)), random.randrange(values["players"])
    env.reset(seed, [deck], dealer)
    state = env.states[0]
    assert state["deck"][: state["size"]].tolist() == deck
    assert state["dealer"] == dealer
    for seat in range(values["players"]):
        own = deck[(seat - dealer - 1) % values["players"] : values["players"] * values["hand_size"] : values["players"]]
        assert FRENCH.members(state["hand"][seat]) == sorted(own)


def test_the_check_of_cards_sees_faults():
    """What finds no fault must be able to find one."""
    states = positions(200, seed=1)
    assert faults_of(states) == 0
    for spoil in (
        lambda s: s["hand"].__setitem__(0, s["hand"][0] ^ np.uint64(1)),
        lambda s: s["known"].__setitem__(0, ~s["hand"][0]),
        lambda s: s.__setitem__("gone", s["gone"] ^ np.uint64(1 << 30)),
        lambda s: s.__setitem__("seen", s["seen"] ^ np.uint64(1 << 49)),
        lambda s: s.__setitem__("top", s["top"] + 1),
    ):
        for state in states[:50]:
            copy = np.array([state])
            spoil(copy[0])
            if copy[0] != state and copy["top"][0] <= copy["size"][0]:
                assert faults_of(copy) > 0
    assert len(FAULTS) > 8


def test_a_mismatch_is_found_and_can_be_played_again(monkeypatch):
    """A reference with another rule is found out, and the line that is printed plays the very game."""
    monkeypatch.setattr(fuzzing.Reference, "beats", lambda self, card, target: card > target)
    outcome = fuzz.compare("mustamaija", 0, 0, 50)
    assert outcome.mismatch is not None
    assert "legal" in outcome.mismatch
    assert "legal" in (fuzz.replay(outcome.mismatch) or "")
    monkeypatch.undo()
    assert fuzz.replay(outcome.mismatch) is None


# ------------------------------------------------------------------ options


ACCEPTED: dict[str, list[Any]] = {
    "players": [2, 6, np.int64(3), np.uint8(5)],
    "hand_size": [3, 5, 6, np.int32(6)],
    "trump": ["turned", "diamonds", "declared"],
    "declare_with": ["marriage", "either"],
    "attack_limit": [None, 1, 13, np.int64(5)],
    "follow_up": [True, False, np.bool_(True)],
    "slap_probability": [0, 1, 0.25, np.float32(0.5), np.int64(1)],
    "misplay_penalty": [True, False],
    "scoring": ["loser", "placing", "winner"],
    "max_decisions": [1, 2000, 2**31 - 1, np.int64(7)],
    "pack": [None, "3", "4", list(FRENCH.texts), tuple(FRENCH.texts), np.arange(52), list(range(10, 52))],
}
REFUSED: dict[str, list[Any]] = {
    "players": [1, 9, 4.0, "4", True, None, np.bool_(True), [4]],
    "hand_size": [0, 9, 5.0, "5", True, None],
    "trump": ["spades", None, 1, True, "Turned"],
    "declare_with": ["king", None, 0],
    "attack_limit": [0, 14, -1, 5.0, "5", True],
    "follow_up": [0, 1, "yes", None, "true"],
    "slap_probability": [-0.1, 1.1, "0.5", None, True, float("nan"), np.bool_(False)],
    "misplay_penalty": [0, 1, None, "false"],
    "scoring": ["loosing", None, 0],
    "max_decisions": [0, -1, 2**31, 1e3, "2000", True, None],
    "pack": ["1", "QS", 5, True, ["2C"], ["QS", "QS"], ["QS", "ZZ"], {"QS"}],
}


def test_every_option_has_examples():
    assert set(ACCEPTED) == set(REFUSED) == {option.name for option in GAME.options}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in ACCEPTED.items() for value in values])
def test_accepted(name, value):
    values = GAME.values(**{name: value})
    assert type(values[name]) in (int, float, bool, str, type(None), list, tuple, np.ndarray)


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in REFUSED.items() for value in values])
def test_refused_in_one_line(name, value):
    with pytest.raises(ValueError, match=r"accepted are|no card|lacks QS|more than once") as raised:
        GAME.values(**{name: value})
    assert "\n" not in str(raised.value)
    assert name in str(raised.value) or "no card" in str(raised.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"hand_size": 4}, "option 'hand_size' is 4: accepted are 5, 3 or 6"),
        ({"players": 7}, "option 'players' is 7: accepted are 2 … 6 with hand_size=5"),
        ({"players": 8, "hand_size": 2, "pack": "3"}, "option 'players' is 8: accepted are 2 … 6 with hand_size=2"),
        ({"players": 6, "hand_size": 5, "pack": "8", "trump": "diamonds"}, "6 players with hand_size=5 need 30 cards, and the pack has 28"),
        ({"players": 6, "hand_size": 6, "pack": "3"}, "trump='turned' needs more cards in the stock"),
    ],
)
def test_what_cannot_be_dealt_is_refused(options, message):
    with pytest.raises(ValueError, match=message) as raised:
        GAME.values(**options)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("players", range(2, 9))
@pytest.mark.parametrize("variant", GAME.variants)
def test_every_variant_can_be_played_by_as_many_as_its_hand_size_allows(variant, players):
    values = GAME.values(variant)
    if (players > 6 and values["hand_size"] != 3) or players * values["hand_size"] > len(values["pack"] or GAME.pack):
        with pytest.raises(ValueError, match="players"):
            BatchEnv(GAME, 1, variant=variant, players=players)
        return
    env = BatchEnv(GAME, 3, variant=variant, players=players)
    env.reset(players)
    draw_moves(env, players)
    assert env.done.all()
    assert np.abs(env.returns.sum(axis=1)).max() < 1e-12
