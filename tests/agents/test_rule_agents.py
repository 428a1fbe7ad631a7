"""Rule agents of Mustamaija: legal everywhere, blind to what is hidden, the yardsticks as they were, every knob turning something."""

import zlib
from functools import cache

import numpy as np
import pytest

from tests.envs.positions import settings
from tromf.agents.mustamaija import KINDS, knobs
from tromf.agents.mustamaija.expert import STAGES, TERMS
from tromf.agents.mustamaija.knobs import HABITS, KNOB_OPTIONS, TERM_TABLE
from tromf.agents.play import play
from tromf.agents.registry import make
from tromf.agents.rule import decide, decide_rows
from tromf.envs import BatchEnv, registry
from tromf.envs.batch import begin_rows, concealed, seeds_for, worlds
from tromf.envs.mustamaija.rules import DECLARE, DEFEND, FOLLOW_UP, KEEP, KEEP_SUIT, RETURN, SUIT, TAKE

GAME, _ = registry.find("mustamaija")
SETTINGS = settings(GAME)


def started(n, seed, variant="standard", **options):
    states = GAME.states(n, variant, **options)
    begin_rows(states, np.arange(n), seeds_for(seed, n), np.full(n, -1), np.zeros(n, np.bool_))
    return states


def share_lost(one, others, n, seed, variant="standard", players=4, **options):
    """Share of n deals lost by one agent among others, its seat going round."""
    states = started(n, seed, variant, players=players, **options)
    table = (np.arange(players) != np.arange(n)[:, None] % players).astype(np.int64)
    play(GAME, states, [make(one, GAME), make(others, GAME)], table)
    return np.mean(states["loser"] == np.arange(n) % players)


def decisions(kinds, n, seed, variant, players, **options):
    """The decisions of games in which the kinds sit in turn: (records, seats, actions, index of the agent), one entry a round."""
    agents = [make(kind, GAME) for kind in kinds]
    env = BatchEnv(GAME, n, variant=variant, players=players, **options)
    env.reset(seed)
    while len(rows := np.flatnonzero(env.masks)):
        who = (env.seats[rows] + rows) % len(agents)
        actions = np.zeros(n, np.int64)
        for index, agent in enumerate(agents):
            mine = rows[who == index]
            if len(mine):
                actions[mine] = agent.act(env.decisions(mine))
        yield env.states[rows].copy(), env.seats[rows].copy(), actions[rows], who
        env.step(actions)


@pytest.mark.parametrize(
    ("variant", "players", "options", "expected"),
    [
        ("standard", 2, {}, 4208912017),
        ("standard", 4, {}, 3377129601),
        ("six-card", 6, {}, 2014978501),
        ("three-card-diamonds", 8, {}, 2122283453),
        ("three-card-declared", 5, {}, 3664197381),
        ("six-card-declared", 3, {"declare_with": "either"}, 1615064769),
        ("house", 4, {}, 454467323),
        ("house", 3, {}, 3613830295),
    ],
)
def test_the_yardsticks_decide_as_they_always_did(variant, players, options, expected):
    check = 0
    for _, _, actions, _ in decisions(["journeyman", "beginner", "random"], 100, 20260, variant, players, **options):
        check = zlib.crc32(actions.astype("<i8").tobytes(), check)
    assert check == expected


@pytest.mark.parametrize(("one", "others", "expected"), [("journeyman", "beginner", 0.011), ("beginner", "journeyman", 0.82)])
def test_the_yardsticks_are_as_strong_as_they_always_were(one, others, expected):
    assert share_lost(one, others, 20_000, 1) == pytest.approx(expected, abs=0.006)


def test_expert_loses_little():
    assert share_lost("expert", "journeyman", 10_000, 10**9) < 0.11
    assert share_lost("expert", "beginner", 4_000, 10**9) < 0.015


@pytest.mark.parametrize(
    ("variant", "players"), [("standard", 2), ("standard", 3), ("six-card", 5), ("house", 4), ("three-card-declared", 6)]
)
def test_expert_is_better_than_journeyman_everywhere(variant, players):
    assert share_lost("expert", "journeyman", 2_000, 10**9, variant, players) < 0.85 / players


@pytest.mark.parametrize(("variant", "players"), SETTINGS)
def test_every_kind_decides_legally(variant, players):
    """`step` raises at an illegal action; the random seats make wrong attacks, long hands and late declarations."""
    for _ in decisions(["expert", *KINDS], 30, 7, variant, players, max_decisions=600):
        pass


def test_every_kind_decides_legally_with_odd_options():
    for seed, options in enumerate(
        [
            {"declare_with": "either", "trump": "declared", "misplay_penalty": True, "follow_up": True},
            {"follow_up": True, "slap_probability": 0.0, "attack_limit": 1},
            {"misplay_penalty": True, "hand_size": 6, "attack_limit": 2},
            {"pack": "9", "hand_size": 2, "players": 2},
            {"pack": "T", "hand_size": 8, "players": 2, "trump": "diamonds"},
        ]
    ):
        for _ in decisions(["expert", *KINDS], 60, seed, "standard", **({"players": 4} | options), max_decisions=600):
            pass


def test_expert_meets_every_kind_of_decision():
    phases = set()
    for states, _, actions, who in decisions(["expert", "random"], 300, 11, "house", 4, max_decisions=600, trump="declared"):
        phases |= {
            (int(phase), action >= KEEP_SUIT, DECLARE <= action < KEEP_SUIT)
            for phase, action in zip(states["phase"][who == 0], actions[who == 0])
        }
    assert {phase for phase, _, _ in phases} == {0, KEEP, RETURN, FOLLOW_UP, DEFEND}
    assert any(declares for _, _, declares in phases)


@pytest.mark.parametrize("players", [2, 4])
def test_expert_never_makes_a_wrong_attack(players):
    for states, _, actions, _ in decisions(["expert"], 200, 5, "house", players):
        laying = (states["phase"] == 0) & (states["attack"] != 0) & (actions < TAKE)
        for state, action in zip(states[laying], actions[laying]):
            assert int(state["attack"]) & int(SUIT[action // 13]), "a second suit"
            assert np.bitwise_count(state["attack"]) < state["limit"], "more than the limit"


@pytest.mark.parametrize(("variant", "players"), [("standard", 3), ("standard", 4), ("house", 2), ("three-card-declared", 8)])
def test_deals_among_experts_end(variant, players):
    states = started(500, 3, variant, players=players)
    play(GAME, states, [make("expert", GAME)], np.zeros((500, players), np.int64))
    assert not states["truncated"].any()


@cache
def sample():
    """Decisions of experts among others, over many settings: concealed records and the draws for them."""
    found = []
    for k, (variant, players) in enumerate(SETTINGS):
        for states, seats, _, _ in decisions(["expert", "journeyman", "random"], 6, 100 + k, variant, players, max_decisions=500):
            found.append(concealed(states, seats))
    records = np.concatenate(found)
    return records, np.random.default_rng(0).integers(0, 2**64, len(records), np.uint64)


def answers(spec):
    records, draws = sample()
    actions = np.zeros(len(records), np.int64)
    decide_rows(records.copy(), make(spec, GAME).compiled, draws, actions)
    return actions


TURNED = {
    "hoard_attack": 0, "hoard_defence": 0, "hoard_defence_stock": 20, "placebo": 1, "launch_stock": 52, "lay_max": 2, "take": 0,
    "patience": 0, "remember": 0, "count": 0, "late_stock": 30, "court": 1, "declare_wait": 0, "declare_stock": 0,
}  # fmt: skip


@pytest.mark.parametrize("knob", [option.name for option in KNOB_OPTIONS])
def test_every_knob_changes_decisions(knob):
    assert (answers(f"expert,{knob}={TURNED.get(knob, 0)}") != answers("expert")).any()


def test_the_tables_of_knobs_agree():
    assert tuple(term.name for term in TERM_TABLE) == TERMS
    assert all(len(term.weights) == len(STAGES) for term in TERM_TABLE)
    assert set(TURNED) == {habit.name for habit in HABITS}
    plain = make("expert", GAME).compiled.tobytes()
    assert all(plain == knobs("expert", **{option.name: option.default}).tobytes() for option in KNOB_OPTIONS)


def test_habits_do_what_their_names_say():
    records, _ = sample()
    attacking = records["phase"] == 0
    stock = records["size"].astype(int) - records["top"]
    lays_maija = answers("expert,launch_stock=3") == 49
    others = np.array([int(hand[seat]) & ~(1 << 49) for hand, seat in zip(records["hand"], records["attacker"])]) != 0
    assert not (lays_maija & attacking & (records["attack"] == 0) & (stock > 3) & others).any()
    few = answers("expert,lay_max=2")
    assert not (attacking & (np.bitwise_count(records["attack"]) >= 2) & (few < TAKE) & (stock > 0)).any()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("variant", "players"), [("standard", 4), ("six-card-declared", 3), ("house", 5)])
def test_decisions_do_not_depend_on_what_is_hidden(kind, variant, players):
    agent = make(kind, GAME)
    for states, seats, _, _ in decisions([kind, "random"], 12, 31, variant, players, max_decisions=300):
        for state, seat in list(zip(states, seats))[:2]:
            possible = worlds(GAME, state, seat, 4, seed=int(state["decisions"]))
            seen = concealed(np.append(possible, state), np.full(5, seat))
            draw = np.uint64(int(state["decisions"]) * 0x9E3779B97F4A7C15 % 2**64)
            assert len({decide(record, agent.compiled, draw) for record in seen}) == 1


def test_random_is_uniform_over_the_legal_actions():
    states = started(1, 4)
    env = BatchEnv(GAME, 1)
    env.reset(4)
    actions = [action for action in range(60) if int(env.masks[0]) >> action & 1]
    draws = np.random.default_rng(1).integers(0, 2**64, 20_000, np.uint64)
    record, kind = concealed(states, env.seats)[0], make("random", GAME).compiled
    counts = np.bincount([decide(record, kind, draw) for draw in draws], minlength=60)
    assert counts.sum() == counts[actions].sum()
    expected = len(draws) / len(actions)
    assert ((counts[actions] - expected) ** 2 / expected).sum() < 30  # chi-square, 4 degrees of freedom
