"""The expert of Mîța and 101: stronger than the yardsticks, exact at the end of two players' deals, every knob turning something."""

from functools import cache

import numpy as np
import pytest

from tests.agents.mitza.playing import GAME, SETTINGS, decisions, mean_return, position, says, started
from tromf.agents.mitza import KINDS, knobs
from tromf.agents.mitza.expert import PLAIN, STAGES, TERMS, TRUMP
from tromf.agents.mitza.knobs import _MEANINGS, HABITS, KNOB_OPTIONS, TERM_TABLE
from tromf.agents.mitza.weights import WEIGHTS
from tromf.agents.registry import make
from tromf.agents.rule import decide, decide_rows
from tromf.envs.batch import concealed, worlds
from tromf.envs.mitza.rules import CRY, EXCHANGE, PLAY, QUIET, TROMF
from tromf.envs.verbs import actor, apply, legal

EVERYWHERE = [
    *((variant, players, {}) for variant, players in SETTINGS),
    ("101", 6, {"scoring": "tricks"}),
    ("101", 4, {"episode": "match"}),
]


@pytest.mark.parametrize(
    ("variant", "players", "least"), [("mitza", 2, 0.04), ("mitza", 4, 0.07), ("101", 2, 0.14), ("101", 4, 0.07), ("101", 6, 0.10)]
)
def test_expert_is_better_than_the_yardsticks(variant, players, least):
    assert mean_return("expert", "journeyman", 5_000, 10**9, variant, players) > least
    assert mean_return("expert", "beginner", 5_000, 10**9, variant, players) > least


@pytest.mark.parametrize(("players", "least"), [(2, 0.4), (4, 0.2)])
def test_expert_wins_matches(players, least):
    assert mean_return("expert", "journeyman", 1_000, 10**9, "101", players, episode="match") > least


@pytest.mark.parametrize(("variant", "players", "options"), EVERYWHERE)
def test_every_kind_decides_legally(variant, players, options):
    """`step` raises at an illegal action."""
    for _ in decisions(["expert", *KINDS], 40, 7, variant, players, **options):
        pass


def test_every_kind_decides_legally_with_odd_options():
    for seed, options in enumerate(
        [
            {"exchange": True, "check_stock": True, "players": 4},
            {"tromf": False, "scoring": "points", "players": 2},
            {"pack": "J", "players": 2, "scoring": "points", "exchange": True},
            {"pack": ["7H", "8H", "TH", "KH", "AH", "QS", "KS", "AS"], "players": 2, "exchange": True},
            {"scoring": "points", "episode": "match", "target": 1, "players": 2},
            {"scoring": "points", "players": 6, "removed": ["8D", "8H"]},
        ]
    ):
        for _ in decisions(["expert", *KINDS], 60, seed, "101", **options):
            pass


def best_value(state, side, number=0):
    """What a side gets when both play the rest of a deal perfectly, by trying everything; winning a match is worth most."""
    match = state["options"]["match"]
    if state["over"] or state["number"] != number:
        counted = state["score" if match else "points" if state["options"]["scoring"] else "tricks"].astype(int)
        ahead = counted[side] - counted[1 - side]
        return ahead + (1000 * np.sign(ahead) if match and state["over"] else 0)
    actions, values = int(legal(state)), []
    for action in (each for each in range(36) if actions >> each & 1):
        after = np.array([state])
        apply(after[0], action)
        values.append(best_value(after[0], side, number))
    return max(values) if actor(state) % 2 == side else min(values)


@pytest.mark.parametrize(
    ("variant", "options", "score"),
    [("101", {}, (0, 0)), ("mitza", {}, (0, 0)), ("101", {"tromf": False}, (0, 0)), ("101", {"episode": "match"}, (50, 70))],
)
def test_two_players_last_three_tricks_are_perfect(variant, options, score):
    """No action of the expert makes the value worse, also when the other has not played perfectly."""
    random, expert, solved = make("random", GAME), make("expert", GAME), 0
    states = started(8, 2, variant, players=2, **options)
    states["score"] = score
    for row, state in enumerate(states):
        generator = np.random.default_rng(row)
        while not state["over"] and state["number"] == 0:
            seat = int(actor(state))
            agent = expert if seat == row % 2 else random
            draw = generator.integers(0, 2**64, dtype=np.uint64)
            action = decide(concealed(np.array([state]), np.array([seat]))[0], agent.compiled, draw)
            if agent is expert and state["top"] == state["stock_size"]:
                before = best_value(state, seat % 2)
                apply(state, action)
                assert best_value(state, seat % 2) == before
                solved += 1
            else:
                apply(state, action)
    assert solved > 16


def test_exchange_goes_by_the_turned_card():
    state = position("7H KC TC", phase=EXCHANGE)
    for rank, name in enumerate("789JQTKA"):
        if rank:
            state["stock"][state["stock_size"] - 1] = 16 + rank
            assert says("expert,exchange_from=4", state) == ("exchange" if rank >= 4 else "keep"), name
            assert says("expert", state) == "exchange"
            assert says("expert,exchange_from=8", state) == "keep"


def test_crying_goes_by_the_knob():
    after = {"stock": False, "phase": CRY, "players": 4}
    low, high = position("7C 7D", played="QH", **after), position("7C KH", played="AH TH", **after)
    assert [says(f"expert,cry={how}", low) for how in range(3)] == ["quiet", "quiet", "tromf"]
    assert [says(f"expert,cry={how}", high) for how in range(3)] == ["quiet", "tromf", "tromf"]


@cache
def sample():
    """Decisions of experts among others, over many settings: concealed records and the draws for them."""
    found = []
    for k, (variant, players, options) in enumerate(EVERYWHERE):
        for states, seats, _, _ in decisions(["expert", "journeyman", "random"], 60, 100 + k, variant, players, **options):
            found.append(concealed(states, seats))
    records = np.concatenate(found)
    return records, np.random.default_rng(0).integers(0, 2**64, len(records), np.uint64)


def answers(spec):
    records, draws = sample()
    actions = np.zeros(len(records), np.int64)
    decide_rows(records.copy(), make(spec, GAME).compiled, draws, actions)
    return actions


TURNED = {"exchange_from": 8, "cry": 1, "late_draws": 8, "placebo": 1}


@pytest.mark.parametrize("knob", [option.name for option in KNOB_OPTIONS])
def test_every_knob_changes_decisions(knob):
    assert (answers(f"expert,{knob}={TURNED.get(knob, 0)}") != answers("expert")).any()


def test_the_tables_of_knobs_agree():
    assert tuple(term.name for term in TERM_TABLE) == TERMS == tuple(_MEANINGS)
    assert TERMS[PLAIN] == "plain_8"
    assert TERMS[TRUMP] == "trump_7"
    assert len(TERMS) == TRUMP + 8
    assert set(WEIGHTS) == {(scoring, players) for scoring in ("tricks", "points") for players in (2, 4, 6)}
    assert all(table.shape == (len(TERMS), len(STAGES)) for table in WEIGHTS.values())
    plain = make("expert", GAME).compiled.tobytes()
    assert all(plain == knobs("expert", **{option.name: option.default}).tobytes() for option in KNOB_OPTIONS)
    assert {habit.name for habit in HABITS} >= set(TURNED)


def test_expert_meets_every_kind_of_decision():
    records, _ = sample()
    actions = answers("expert")
    assert set(records["phase"].tolist()) == {PLAY, CRY, EXCHANGE}
    assert {TROMF, QUIET} <= set(actions.tolist())


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("variant", "players"), SETTINGS)
def test_decisions_do_not_depend_on_what_is_hidden(kind, variant, players):
    agent = make(kind, GAME)
    for states, seats, _, _ in decisions([kind, "random"], 12, 31, variant, players):
        for state, seat in list(zip(states, seats))[:2]:
            possible = worlds(GAME, state, seat, 4, seed=int(state["decisions"]))
            seen = concealed(np.append(possible, state), np.full(5, seat))
            draw = np.uint64(int(state["decisions"]) * 0x9E3779B97F4A7C15 % 2**64)
            assert len({decide(record, agent.compiled, draw) for record in seen}) == 1


def test_wrong_knobs_are_refused_in_one_line():
    for spec, says_so in [
        ("expert,solved=1", "no knob 'solved' (did you mean 'solve'?)"),
        ("expert,cry=3", "knob 'cry' is 3: accepted are 0, 1 or 2"),
        ("expert,exchange_from=9", "knob 'exchange_from' is 9: accepted are 0 … 8"),
        ("journeyman,solve=1", "agent 'journeyman' has no knob 'solve': only expert has knobs"),
    ]:
        with pytest.raises(ValueError) as raised:  # noqa: PT011 - the text is looked at below
            make(spec, GAME)
        assert says_so in str(raised.value)
