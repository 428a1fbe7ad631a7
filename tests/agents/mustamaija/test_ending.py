"""Endings of Mustamaija between two: values like those of plain value iteration, and the seat that is said to win wins."""

import re

import numpy as np
import pytest

from tests.envs.mustamaija.table import Table
from tromf.agents import exact
from tromf.agents.mustamaija.ending import LIMITS, LONGEST, MOST, in_play, key_of, loser_of, memory, saving, solve
from tromf.agents.registry import make
from tromf.agents.rule import decide
from tromf.envs import registry, verbs
from tromf.envs.batch import begin_rows, decision_draw, seeds_for
from tromf.envs.jit import compiled, lowest
from tromf.envs.mustamaija.rules import ATTACK, DECLARED, cut_off, holder_from

GAME, _ = registry.find("mustamaija")
MAIJA, COURTS = 49, [10, 11, 23, 24, 36, 37]
SETTINGS = [
    ("standard", 2, {}),
    ("standard", 4, {"scoring": "placing"}),
    ("three-card-diamonds", 3, {"scoring": "winner"}),
    ("three-card-declared", 2, {"scoring": "winner"}),
    ("six-card-declared", 2, {"declare_with": "either"}),
    ("six-card-declared", 5, {"declare_with": "either", "misplay_penalty": True}),
    ("house", 2, {}),
    ("house", 3, {"attack_limit": 1, "scoring": "placing"}),
]


def endings(n, seed, cards, variant="standard", players=2, **options):
    """Positions between two with so many cards in play, (n,) records: random cards, then some random decisions, if the deal goes on."""
    generator = np.random.default_rng(seed)
    states = GAME.states(n, variant, players=players, **options)
    for i, s in enumerate(states):
        s["size"] = s["top"] = 52
        s["decisions"] = 100
        s["loser"] = s["declarer"] = s["trump"] = -1
        if s["options"]["trump"] != DECLARED:
            s["trump"] = 1 if s["options"]["trump"] else generator.integers(3)
        places = generator.permutation(players)
        s["place"][places[2:]] = np.arange(1, players - 1)
        s["out"] = players - 2
        chosen = [MAIJA, *generator.choice(np.setdiff1d(COURTS if generator.integers(2) else np.arange(52), [MAIJA]), 2, replace=False)]
        chosen += generator.choice(np.setdiff1d(np.arange(52), chosen), cards - len(chosen), replace=False).tolist()
        generator.shuffle(chosen)
        split = generator.integers(1, cards)
        for seat, held in zip(places[:2], (chosen[:split], chosen[split:])):
            s["hand"][seat] = s["known"][seat] = sum(1 << int(card) for card in held)
        s["gone"] = s["options"]["pack"] & ~np.bitwise_or.reduce(s["hand"])
        s["attacker"], s["defender"], s["phase"] = places[0], places[1], ATTACK
        assert holder_from(s, places[0] + 1) == places[1]
        s["last"], s["limit"] = -1, cards - split
        for _ in range(generator.integers(6) * generator.integers(2)):
            after = np.array([s])
            verbs.apply(after[0], generator.choice(actions_of(verbs.legal(s))))
            if after[0]["over"]:
                break
            states[i] = after[0]
    return states


def actions_of(members):
    return [action for action in range(60) if int(members) >> action & 1]


def position(s):
    """All of a record that matters to what may follow, but for the number of decisions."""
    fields = (
        "phase",
        "attacker",
        "defender",
        "last",
        "limit",
        "trump",
        "hand",
        "attack",
        "beaten",
        "beating",
        "taken",
        "out",
        "place",
        "over",
    )
    return b"".join(s[name].tobytes() for name in fields)


def iterated(state):
    """The loser with 0, 1, 2 … decisions left, by value iteration over all positions that can be reached, until nothing changes.

    With none left the deal is cut off (MM-X). Returns the losers of the given position, and the actions that save the seat to decide.
    """
    numbers, records, follow = {position(state): 0}, [np.array([state])], []
    for at in records:  # grows while it is gone through
        follow.append({})
        if not at[0]["over"]:
            for action in actions_of(verbs.legal(at[0])):
                after = at.copy()
                after[0]["options"]["max_decisions"], after[0]["decisions"] = 2**31, 0
                verbs.apply(after[0], action)
                number = numbers.setdefault(position(after[0]), len(records))
                if number == len(records):
                    records.append(after)
                follow[-1][action] = number
    seats, losers = [], []
    for at in records:
        seats.append(int(verbs.actor(at[0])))
        if not at[0]["over"]:
            cut_off(at[0])
        losers.append(int(at[0]["loser"]))
    rows = [losers]
    while len(rows) < 2 or rows[-1] != rows[-2]:
        losers = rows[-1]
        new = []
        for number, choices in enumerate(follow):
            other = [losers[after] for after in choices.values() if losers[after] != seats[number]]
            new.append(losers[number] if not choices else other[0] if other else seats[number])
        rows.append(new)
    seat = seats[0]
    return [row[0] for row in rows], [action for action, after in follow[0].items() if rows[-1][after] != seat]


@pytest.mark.parametrize(("variant", "players", "options"), SETTINGS)
def test_solved_endings_are_those_of_value_iteration(variant, players, options):
    table, lost = memory(), set()
    wrong = GAME.states(1, variant, **options)[0]["options"]["misplay_penalty"]
    for cards, n in ((4, 40), (5, 20)) if wrong else ((4, 60), (5, 60), (6, 20), (7, 4)):
        for state in endings(n, cards, cards, variant, players, **options):
            losers, saving_actions = iterated(state)
            assert solve(state, table) == (losers[-1], saving_actions)
            assert len(losers) <= LONGEST[int(state["options"]["misplay_penalty"]), cards]  # nothing comes round again
            lost.add(losers[-1] == verbs.actor(state))
    assert lost == {False, True}


def test_endings_that_begin_when_the_attacker_goes_out():
    """The two who are left are then the defender, who must still answer, and somebody who waits."""
    found, generator, states = 0, np.random.default_rng(4), GAME.states(60, "standard", players=3)
    begin_rows(states, np.arange(60), seeds_for(4, 60), np.full(60, -1), np.zeros(60, np.bool_))
    for i in range(60):
        while not states[i]["over"]:
            s = states[i]
            if s["out"] == 1 and not s["hand"][s["attacker"]] and int(in_play(s)).bit_count() <= 6:
                losers, saving_actions = iterated(s)
                assert solve(s) == (losers[-1], saving_actions)
                found += 1
            verbs.apply(s, generator.choice(actions_of(verbs.legal(s))))
    assert found > 5


def returned(state, table):
    """What `exact` writes; None if it does not solve the position."""
    out, before = np.full(8, np.nan), state.tobytes()
    if not exact.exact(state, table, out):
        return None
    assert state.tobytes() == before
    return out[: state["options"]["players"]].tolist()


@pytest.mark.parametrize(("variant", "players", "options"), SETTINGS)
def test_exact_writes_the_returns_of_play_to_the_end(variant, players, options):
    table = exact.memory_for(GAME)
    for state in endings(40, 1, 6, variant, players, **options):
        end = np.array([state])
        while not end[0]["over"]:
            loser, saving_actions = solve(end[0], table)
            verbs.apply(end[0], (saving_actions or actions_of(verbs.legal(end[0])))[-1])
        out = np.zeros(8)
        verbs.returns(end[0], out)
        assert loser == end[0]["loser"]
        assert returned(state, table) == returned(end[0], table) == out[:players].tolist()


@compiled
def duel(states, knobs, table, scratch, said, lost):
    """Who is said to lose, and who loses when the other plays by the solver, and it at random or, every second time, as a rule agent."""
    for i in range(len(states)):
        s = states[i]
        said[i] = loser_of(s, table, MOST)
        while not verbs.over(s):
            seat = verbs.actor(s)
            if seat != said[i]:
                action = np.int64(lowest(saving(s, table, MOST)))
            else:
                scratch[0] = s
                verbs.conceal(scratch[0], seat)
                action = np.int64(decide(scratch[0], knobs[i % len(knobs)], decision_draw(s)))
            verbs.apply(s, action)
        lost[i] = s.loser


@pytest.mark.parametrize(("variant", "players", "options"), SETTINGS)
def test_who_is_said_to_win_wins(variant, players, options):
    knobs = np.array([make(kind, GAME).compiled for kind in ("random", "expert")])
    for cards in (6, 9) if int(players) > 4 else (6, 9, 12):
        states = endings(400, cards, cards, variant, players, **options)
        said, lost = np.zeros((2, len(states)), np.int64)
        duel(states, knobs, memory(), np.zeros(1, GAME.state), said, lost)
        assert (said >= 0).all()
        assert said.tolist() == lost.tolist()


def test_memory_holds_for_other_positions():
    """One memory for all settings in turn gives the values of a new one each."""
    shared = memory()
    for seed in range(3):
        for variant, players, options in SETTINGS:
            for state in endings(10, seed, 7, variant, players, **options):
                assert loser_of(state, shared, MOST) == loser_of(state, memory(), MOST)


def test_positions_that_differ_in_nothing_that_matters_share_a_key():
    def key(one, other, **fields):
        return key_of(Table(one, other, **fields).state)

    assert key("4C 9C 7S QS", "5C TC 2D AD") == key("6C QC TS QS", "7C KC 9D JD") != key("6C KC TS QS", "7C QC 9D JD")  # ranks
    assert key("4C 5C QS 2D", "9H TH KH 3D") == key("9H TH QS 2D", "4C 5C 6C 3D") != key("9H TH QS 3D", "4C 5C 6C 2D")  # plain suits
    assert key("7S QS", "9S 2C") == key("7S QS", "KS 2C") != key("7S 2C", "KS QS")  # Mustamaija apart
    undeclared = {"trump": "declared"}
    assert key("KC QC QS", "2D 3D 4D", **undeclared) != key("9C 8C QS", "2D 3D 4D", **undeclared)
    assert key("KC 9C QS", "2D 3D 4D", **undeclared) == key("TC 9C QS", "2D 3D 4D", **undeclared)
    assert key("KC 9C QS", "2D 3D 4D", declare_with="either", **undeclared) != key(
        "TC 9C QS", "2D 3D 4D", declare_with="either", **undeclared
    )


def test_an_ending_that_a_player_can_follow():
    """Mustamaija must be taken, and who laid her goes on with the last card; the five of clubs first would be beaten by a trump."""
    table = Table("QS 5C", "3D 4C")
    assert solve(table.state) == (1, [MAIJA])
    table.play("lay 5C", "done")
    assert solve(table.state) == (0, [14])
    table.play("beat 3D", "lay 4C")
    assert solve(table.state) == (0, [52])


def test_what_is_not_solved_is_said_in_one_line():
    (state,) = endings(1, 0, 8, players=3)
    for changes, says in [
        ({"top": 50}, "2 cards are in the stock"),
        ({"out": 0}, "3 players are in: only endings between two are solved"),
        ({"decisions": 1990}, "after 1990 decisions the deal may be cut off (max_decisions=2000) before its end"),
    ]:
        changed = np.array([state])
        for name, value in changes.items():
            changed[0][name] = value
        assert returned(changed[0], memory()) is None
        with pytest.raises(ValueError, match=re.escape(says)):
            solve(changed[0])
    (large,) = endings(1, 0, MOST + 1)
    with pytest.raises(ValueError, match=f"{MOST + 1} cards are in play: endings are solved up to {MOST}"):
        solve(large)


def test_exact_solves_up_to_its_limits():
    for (variant, trump), limit in zip((("standard", 0), ("three-card-declared", -1), ("house", 0)), LIMITS.tolist()):
        for cards in (limit, limit + 1):
            (state,) = endings(1, 0, cards, variant)
            assert (state["trump"] < 0) == (trump < 0)
            assert (returned(state, memory()) is not None) == (cards == limit)
