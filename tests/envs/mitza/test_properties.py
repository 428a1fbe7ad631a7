"""Properties of Mîța and 101 that hold for all options, decks and ways of playing."""

from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import fuzz
from tests.envs.mitza import fuzzing
from tests.envs.mitza.fuzzing import FAULTS, GAME, draw_setting, faults_of, positions
from tromf.envs import BatchEnv
from tromf.envs.mitza.options import PACK

seeds = st.integers(0, 2**32)
quick = settings(max_examples=25, deadline=None, derandomize=True)


@quick
@given(seeds, st.sampled_from(list(fuzzing.KINDS)))
def test_compiled_rules_and_reference_agree(seed, kind):
    outcome = fuzz.compare("mitza", seed, 0, 6, kind)
    assert outcome.mismatch is None
    assert outcome.games == 6


@quick
@given(seeds)
def test_every_card_is_in_one_place(seed):
    outcome = fuzz.walk("mitza", seed, 0, 5000)
    assert outcome.mismatch is None


def draw_moves(env: BatchEnv, seed: int) -> list[list[int]]:
    """Play random games to their end; the actions of every row."""
    random, moves = Random(seed), [[] for _ in range(env.n)]
    while env.masks.any():
        actions = [random.choice([a for a in range(36) if mask >> a & 1]) if mask else 0 for mask in env.masks.tolist()]
        for row, mask in enumerate(env.masks.tolist()):
            if mask:
                moves[row].append(actions[row])
        env.step(actions)
    return moves


def batch_of(seed: int, n: int, **keywords: Any) -> BatchEnv:
    """A batch of n games of random settings."""
    random = Random(seed)
    env = BatchEnv(GAME, n, variant="101", players=6, **keywords)
    for row in range(n):
        env.states["options"][row] = draw_setting(random)[1]
    env.reset(seed)
    return env


@quick
@given(seeds)
def test_returns_sum_to_zero_and_partners_share_them(seed):
    env = batch_of(seed, 12)
    draw_moves(env, seed)
    assert np.abs(env.returns.sum(axis=1)).max() < 1e-12
    for state, returns in zip(env.states, env.returns):
        players = int(state["options"]["players"])
        assert np.abs(returns).max() <= 1
        assert (returns[:players:2] == returns[0]).all()
        assert (returns[1:players:2] == -returns[0]).all()
        assert not returns[players:].any()
        if state["options"]["match"]:
            assert abs(returns[0]) == 1


@quick
@given(seeds)
def test_points_of_whole_packs_sum_to_120(seed):
    env = batch_of(seed, 12)
    draw_moves(env, seed)
    whole = [int(pack).bit_count() == (30 if players == 6 else 32) for pack, players in env.states["options"][["pack", "players"]]]
    points, score = env.states["points"].sum(axis=1)[whole], env.states["score"].sum(axis=1)[whole]
    assert (points == 120).all()
    assert (score == np.where(env.states["options"]["match"], 120 * (env.states["number"].astype(np.int64) + 1), 0)[whole]).all()


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
        alone = BatchEnv(GAME, 1, variant="101", players=6)
        alone.states["options"] = env.states["options"][row]
        alone.reset((seed + row) % 2**64)
        for action in moves[row]:
            alone.step([action])
        assert (alone.states == env.states[row : row + 1]).all()


@quick
@given(seeds, st.data())
def test_decks_and_dealers_are_honoured(seed, data):
    random = Random(seed)
    _, record = draw_setting(random)
    env = BatchEnv(GAME, 1, variant="101", players=6)
    env.states["options"] = record
    pack, players = PACK.members(record["pack"]), int(record["players"])
    deck, dealer = data.draw(st.permutations(pack)), random.randrange(players)
    env.reset(seed, [deck], dealer)
    state = env.states[0]
    assert state["deck"][: state["size"]].tolist() == deck
    assert state["dealer"] == dealer
    for seat in range(players):
        assert PACK.members(state["hand"][seat]) == sorted(deck[(seat - dealer - 1) % players : 3 * players : players])


def test_the_check_of_cards_sees_faults():
    """What finds no fault must be able to find one."""
    states = positions(200, seed=1)
    assert faults_of(states) == 0
    for spoil in (
        lambda s: s["hand"].__setitem__(0, s["hand"][0] ^ np.uint64(1)),
        lambda s: s["known"].__setitem__(0, ~s["hand"][0]),
        lambda s: s["played"].__setitem__(1, s["played"][1] ^ np.uint64(1 << 30)),
        lambda s: s["won"].__setitem__(0, s["won"][0] ^ np.uint64(1 << 9)),
        lambda s: s["points"].__setitem__(0, s["points"][0] + 1),
        lambda s: s["tricks"].__setitem__(1, s["tricks"][1] + 1),
        lambda s: s["score"].__setitem__(1, s["score"][1] + 1),
        lambda s: s.__setitem__("table", s["table"] ^ np.uint64(1 << 17)),
        lambda s: s.__setitem__("laid", s["laid"] + 1),
    ):
        for state in states[:50]:
            copy = np.array([state])
            spoil(copy[0])
            assert faults_of(copy) > 0
    assert len(FAULTS) > 8


def trump_rank_forgotten(self):
    """MZ-4 got wrong: the last trump wins."""
    trumps = [seat for seat, card in self.table.items() if card // 8 == self.trump]
    suit = self.table[self.leader] // 8
    return (
        trumps[-1] if trumps else max((seat for seat, card in self.table.items() if card // 8 == suit), key=lambda seat: self.table[seat])
    )


@pytest.mark.parametrize(
    ("method", "wrong", "what"),
    [
        ("trick_winner", trump_rank_forgotten, "holder"),
        ("legal_cards", lambda self, seat: set(self.hands[seat]), "legal"),
        ("phase_for", lambda self, seat: self.phase, "what seat"),
        ("actor_for", lambda self, seat: self.actor, "what seat"),
    ],
)
def test_a_mismatch_is_found_and_can_be_played_again(monkeypatch, capsys, method, wrong, what):
    """A reference with another rule is found out, and the line that is printed plays the very game."""
    monkeypatch.setattr(fuzzing.Reference, method, wrong)
    monkeypatch.setattr(fuzz, "LOOKED_AT", 1)
    outcome = fuzz.compare("mitza", 0, 0, 50)
    assert outcome.mismatch is not None
    assert what in outcome.mismatch
    assert what in (fuzz.replay(outcome.mismatch) or "")
    monkeypatch.undo()
    assert fuzz.replay(outcome.mismatch) is None


# ------------------------------------------------------------------ options


ACCEPTED: dict[str, list[Any]] = {
    "players": [2, 4, np.int64(4), np.uint8(2)],
    "scoring": ["tricks", "points"],
    "exchange": [True, False, np.bool_(True)],
    "tromf": [True, False],
    "check_stock": [True, False],
    "removed": [["8C", "8S"], ("8h", "8d"), [1, 9], np.array([1, 25])],
    "episode": ["deal"],
    "target": [1, 101, 1_000_000, np.int64(7)],
    "pack": [None, "7", "8", "K", list(PACK.texts), tuple(PACK.texts), np.arange(32), list(range(8))],
}
REFUSED: dict[str, list[Any]] = {
    "players": [1, 3, 5, 6, 8, 4.0, "4", True, None, np.bool_(True), [4]],
    "scoring": ["trick", None, 0, True, "Points"],
    "exchange": [0, 1, "yes", None],
    "tromf": [0, 1, None, "false"],
    "check_stock": [0, 1, None, "true"],
    "removed": [None, [], ["8C"], ["8C", "8C"], ["8C", "9C"], ["8C", "8D", "8H"], "8C 8S", 8, {"8C", "8S"}, ["8C", "ZZ"]],
    "episode": ["match", "deals", None, 1],  # with tricks there are no matches
    "target": [0, -1, 1_000_001, 101.0, "101", True, None],
    "pack": ["A", "6", "QS", 5, True, ["7C"], ["7C", "7C"], ["7C", "ZZ"], {"7C"}, list(range(9))],
}


def test_every_option_has_examples():
    assert set(ACCEPTED) == set(REFUSED) == {option.name for option in GAME.options}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in ACCEPTED.items() for value in values])
def test_accepted(name, value):
    values = GAME.values(**{name: value})
    assert type(values[name]) in (int, float, bool, str, type(None), list, tuple, np.ndarray)


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in REFUSED.items() for value in values])
def test_refused_in_one_line(name, value):
    with pytest.raises(ValueError, match=r"accepted are|no card|more than once|needs scoring") as raised:
        GAME.values(**{name: value})
    assert "\n" not in str(raised.value)
    assert name in str(raised.value) or "no card" in str(raised.value)


@pytest.mark.parametrize("players", range(2, 9))
@pytest.mark.parametrize("variant", GAME.variants)
def test_every_variant_can_be_played_by_as_many_as_its_account_says(variant, players):
    if players not in {"101": (2, 4, 6), "tiny-101": (2,)}.get(variant, (2, 4)):
        with pytest.raises(ValueError, match="players"):
            BatchEnv(GAME, 1, variant=variant, players=players)
        return
    env = BatchEnv(GAME, 3, variant=variant, players=players)
    env.reset(players)
    draw_moves(env, players)
    assert env.done.all()
    assert np.abs(env.returns.sum(axis=1)).max() < 1e-12
