"""Properties of Minnesota Whist that hold for all options, decks and ways of playing."""

from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import fuzz
from tests.envs.minnesota_whist import fuzzing
from tests.envs.minnesota_whist.fuzzing import FAULTS, GAME, draw_setting, faults_of, positions
from tromf.envs import BatchEnv
from tromf.envs.cards import FRENCH

seeds = st.integers(0, 2**32)
quick = settings(max_examples=25, deadline=None, derandomize=True)


@quick
@given(seeds, st.sampled_from(list(fuzzing.KINDS)))
def test_compiled_rules_and_reference_agree(seed, kind):
    outcome = fuzz.compare("minnesota-whist", seed, 0, 6, kind)
    assert outcome.mismatch is None
    assert outcome.games == 6


@quick
@given(seeds)
def test_every_card_is_in_one_place(seed):
    outcome = fuzz.walk("minnesota-whist", seed, 0, 5000)
    assert outcome.mismatch is None


def test_high_and_low_hands_and_both_solos_are_often_compared():
    """At least one deal in ten each, as `make fuzz` demands of all its deals."""
    found = fuzz.Outcome()
    for unit in range(2):
        found.add(fuzz.compare("minnesota-whist", 0, unit, kind="deals"))
    assert found.mismatch is None
    assert not fuzz.too_rare(fuzzing, "deals", found)
    assert fuzz.too_rare(fuzzing, "deals", fuzz.Outcome(games=10)) == {f"deal: {what}" for what in ("high", "low", "sola", "dix")}


def draw_moves(env: BatchEnv, seed: int) -> list[list[int]]:
    """Play random games to their end; the actions of every row."""
    random, moves = Random(seed), [[] for _ in range(env.n)]
    while env.masks.any():
        actions = [random.choice([a for a in range(59) if mask >> a & 1]) if mask else 0 for mask in env.masks.tolist()]
        for row, mask in enumerate(env.masks.tolist()):
            if mask:
                moves[row].append(actions[row])
        env.step(actions)
    return moves


def batch_of(seed: int, n: int, **keywords: Any) -> BatchEnv:
    """A batch of n games of random settings."""
    random = Random(seed)
    env = BatchEnv(GAME, n, **keywords)
    for row in range(n):
        env.states["options"][row] = draw_setting(random)[1]
    env.reset(seed)
    return env


@quick
@given(seeds)
def test_returns_sum_to_zero_and_partners_share_them(seed):
    env = batch_of(seed, 12)
    draw_moves(env, seed)
    assert (env.returns[:, 2:] == env.returns[:, :2]).all()
    assert (env.returns[:, 0] == -env.returns[:, 1]).all()
    for state, returns, cut in zip(env.states, env.returns, env.truncated):
        score, stars, options = state["score"].tolist(), state["stars"].tolist(), state["options"]
        if cut:
            assert options["game"]
            assert max(score) < options["target"]
            assert not returns.any()
        elif options["game"]:
            winner = int(returns[1] > 0)
            assert score[winner] >= options["target"] > score[1 - winner]
            assert abs(returns[0]) == 1 + stars[winner] * int(options["solos"])
        else:
            assert returns[0] == score[0] - score[1] + options["star_value"] * (stars[0] - stars[1])


@quick
@given(seeds)
def test_all_tricks_are_played_but_in_solos(seed):
    env = batch_of(seed, 12)
    draw_moves(env, seed)
    for state in env.states:
        tricks, all_tricks = int(state["tricks"].sum()), int(state["options"]["tricks"])
        assert tricks == all_tricks or (state["solo"] and tricks < all_tricks)


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
        alone = BatchEnv(GAME, 1)
        alone.states["options"] = env.states["options"][row]
        alone.reset((seed + row) % 2**64)
        for action in moves[row]:
            alone.step([action])
        assert (alone.states == env.states[row : row + 1]).all()


@quick
@given(seeds, st.data())
def test_decks_and_dealers_are_honoured(seed, data):
    random = Random(seed)
    env = BatchEnv(GAME, 1)
    env.states["options"] = draw_setting(random)[1]
    deck, dealer = data.draw(st.permutations(FRENCH.members(env.states["options"]["pack"][0]))), random.randrange(4)
    env.reset(seed, [deck], dealer)
    state = env.states[0]
    assert state["deck"][: state["size"]].tolist() == deck
    assert state["dealer"] == dealer
    for seat in range(4):
        assert FRENCH.members(state["hand"][seat]) == sorted(deck[(seat - dealer - 1) % 4 :: 4])


def test_the_check_of_cards_sees_faults():
    """What finds no fault must be able to find one."""
    states = positions(200, seed=1)
    assert faults_of(states) == 0
    for spoil in (
        lambda s: s["hand"].__setitem__(0, s["hand"][0] ^ np.uint64(1)),
        lambda s: s["known"].__setitem__(0, ~s["hand"][0]),
        lambda s: s["played"].__setitem__(1, s["played"][1] ^ np.uint64(1 << 30)),
        lambda s: s["tricks"].__setitem__(1, s["tricks"][1] + 1),
        lambda s: s.__setitem__("table", s["table"] ^ np.uint64(1 << 17)),
        lambda s: s.__setitem__("laid", s["laid"] + 1),
        lambda s: s.__setitem__("pair", ~s["hand"][0]),
        lambda s: s.__setitem__("granded", -1 if s["granded"] >= 0 else 0),
        lambda s: s.__setitem__("out", -1 if s["out"] >= 0 else 0),
        lambda s: s["hidden"].__setitem__(2, 1),
    ):
        for state in states[:50]:
            copy = np.array([state])
            spoil(copy[0])
            assert faults_of(copy) > 0
    voids = [state for state in states if state["hand"].any() and state["phase"] == 4]
    for state in voids:
        copy = np.array([state])
        copy["void"][0] |= 15
        assert faults_of(copy) > 0
    assert len(FAULTS) > 8


def last_trump_wins(self):
    """MW-8 got wrong."""
    trumps = [seat for seat, card in self.table.items() if card // 13 == self.trump]
    able = trumps[-1:] or [seat for seat, card in self.table.items() if card // 13 == self.suit_led()]
    return max(able, key=lambda seat: self.table[seat])


@pytest.mark.parametrize(
    ("method", "wrong", "what"),
    [
        ("trick_winner", last_trump_wins, "holder"),
        ("legal_plays", lambda self, hand: set(hand), "legal"),
        ("forget", lambda self, card: [known.discard(card) for known in self.known], "shown"),
        ("unless_played", lambda self, card: card, "what seat"),
        ("value_of_deal", lambda self: float(self.score[0] - self.score[1]), "returns"),
    ],
)
def test_a_mismatch_is_found_and_can_be_played_again(monkeypatch, capsys, method, wrong, what):
    """A reference with another rule is found out, and the line that is printed plays the very game."""
    monkeypatch.setattr(fuzzing.Reference, method, wrong)
    monkeypatch.setattr(fuzz, "LOOKED_AT", 0.2)
    outcome = fuzz.compare("minnesota-whist", 0, 0, 120)
    assert outcome.mismatch is not None
    assert what in outcome.mismatch
    assert what in (fuzz.replay(outcome.mismatch) or "")
    monkeypatch.undo()
    assert fuzz.replay(outcome.mismatch) is None


# ------------------------------------------------------------------ options


ACCEPTED: dict[str, list[Any]] = {
    "players": [4, np.int64(4), np.uint8(4)],
    "grand_points": [0, 1, 1000, np.int64(3)],
    "defence_points": [0, 2, 1000, np.uint8(3)],
    "target": [1, 13, 10_000, np.int64(7)],
    "solos": [True, False, np.bool_(True)],
    "failed_solo_star": [True, False],
    "star_value": [0, 7.5, 1000, np.float32(0.5), np.int64(2)],
    "trumps": [True, False],
    "episode": ["deal", "game"],
    "max_deals": [1, 100, 10_000, np.int64(7)],
    "pack": [None, "2", "8", "A", list(FRENCH.texts), tuple(FRENCH.texts), np.arange(52), list(range(8)), ["7C", "AC", "2D", "TS"]],
}
REFUSED: dict[str, list[Any]] = {
    "players": [1, 2, 3, 5, 8, 4.0, "4", True, None, [4]],
    "grand_points": [-1, 1001, 1.0, "1", True, None],
    "defence_points": [-1, 1001, 2.5, "1", False, None],
    "target": [0, -1, 10_001, 13.0, "13", True, None],
    "solos": [0, 1, "yes", None],
    "failed_solo_star": [0, 1, None, "false"],
    "star_value": [-0.1, 1000.5, "1", None, True, float("nan"), float("inf")],
    "trumps": [0, 1, None, "true"],
    "episode": ["match", "games", None, 1],
    "max_deals": [0, -1, 10_001, 1.0, "5", True, None],
    "pack": ["1", "QS", 5, True, [], ["7C"], ["7C"] * 4, ["7C", "8C", "9C", "ZZ"], {"7C"}, list(range(9))],
}


def test_every_option_has_examples():
    assert set(ACCEPTED) == set(REFUSED) == {option.name for option in GAME.options}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in ACCEPTED.items() for value in values])
def test_accepted(name, value):
    values = GAME.values(**{name: value})
    assert type(values[name]) in (int, float, bool, str, type(None), list, tuple, np.ndarray)


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in REFUSED.items() for value in values])
def test_refused_in_one_line(name, value):
    with pytest.raises(ValueError, match=r"accepted are|no card|more than once") as raised:
        GAME.values(**{name: value})
    assert "\n" not in str(raised.value)
    assert name in str(raised.value) or "no card" in str(raised.value)


@pytest.mark.parametrize("players", range(2, 9))
@pytest.mark.parametrize("variant", GAME.variants)
def test_every_variant_is_played_by_four(variant, players):
    if players != 4:
        with pytest.raises(ValueError, match="players"):
            BatchEnv(GAME, 1, variant=variant, players=players)
        return
    env = BatchEnv(GAME, 3, variant=variant, players=players)
    env.reset(players)
    draw_moves(env, players)
    assert env.done.all()
    assert np.abs(env.returns.sum(axis=1)).max() < 1e-12
