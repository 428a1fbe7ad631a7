"""Mîța's last three tricks: values and decisions like those of trying everything."""

import numpy as np
import pytest

from tests.agents.mitza.playing import GAME, decisions
from tromf.agents import exact
from tromf.agents.mitza.ending import ending
from tromf.envs import verbs
from tromf.envs.batch import concealed
from tromf.envs.mitza.rules import CRY

SETTINGS = [
    ("101", 2, 60, {}),
    ("mitza", 2, 60, {}),
    ("101", 2, 50, {"tromf": False}),
    ("101", 2, 50, {"pack": "9", "scoring": "tricks"}),
    ("101", 2, 50, {"pack": ["7H", "8H", "9H", "7D", "8D", "9D", "7C", "8C"]}),  # without points
    ("101", 4, 20, {}),
    ("mitza", 4, 20, {"exchange": True}),
    ("101", 6, 8, {}),
    ("101", 6, 8, {"scoring": "tricks", "tromf": False}),
]


def actions_of(members):
    return [action for action in range(36) if int(members) >> action & 1]


def value(state, number, worth):
    """What side 0 gets under best play of both sides from a position on, by trying everything.

    `worth(state)` is asked when the deal with this number is over.
    """
    if state["over"] or state["number"] != number:
        return worth(state)
    values = []
    for action in actions_of(verbs.legal(state)):
        after = np.array([state])
        verbs.apply(after[0], action)
        values.append(value(after[0], number, worth))
    return min(values) if verbs.actor(state) & 1 else max(values)


def returned(state):
    """Side 0's return; 0 if a match goes on."""
    out = np.zeros(6)
    verbs.returns(state, out)
    return out[0]


def solved(state):
    """What `exact` writes for side 0; None if it does not solve the position. The seats' returns belong together."""
    out, players = np.full(6, np.nan), int(state["options"]["players"])
    before = state.tobytes()
    if not exact.exact(state, exact.memory_for(GAME), out):
        return None
    assert state.tobytes() == before
    assert out[:players].tolist() == [-out[0] if seat & 1 else out[0] for seat in range(players)]
    return out[0]


def last_tricks(n, seed, variant, players, **options):
    """Positions with an empty stock, of deals played at random."""
    for states, _, _, _ in decisions(["random"], n, seed, variant, players, **options):
        yield from states[states["top"] == states["stock_size"]]


def cards_left(state):
    return sum(int(hand).bit_count() for hand in state["hand"])


@pytest.mark.parametrize(("variant", "players", "n", "options"), SETTINGS)
def test_exact_is_what_trying_everything_finds(variant, players, n, options):
    tried = set()
    for state in last_tricks(n, 5, variant, players, **options):
        if cards_left(state) <= {2: 6, 4: 8, 6: 10}[players]:
            assert solved(state) == value(state, 0, returned)
            tried.add(solved(state))
    assert len(tried) > 3 or "pack" in options


@pytest.mark.parametrize(("variant", "players", "n", "options"), SETTINGS)
def test_exact_is_the_best_of_what_follows(variant, players, n, options):
    """With the test above: so are earlier positions, with up to six players' three cards, one decision after the other."""
    for state in last_tricks(2 * n, 6, variant, players, **options):
        values = []
        for action in actions_of(verbs.legal(state)):
            after = np.array([state])
            verbs.apply(after[0], action)
            values.append(solved(after[0]))
        assert solved(state) == (min(values) if verbs.actor(state) & 1 else max(values))


def test_not_before_the_stock_is_empty():
    for states, _, _, _ in decisions(["random"], 20, 3, "101", 4):
        for state in states:
            assert (solved(state) is None) == (state["top"] < state["stock_size"])


@pytest.mark.parametrize("scores", [(0, 0), (60, 80), (90, 95), (150, 130)])
def test_a_match_is_solved_if_a_side_can_win_it_now(scores):
    found = set()
    for state in last_tricks(25, 8, "101", 2, episode="match"):
        if state["number"] == 0:
            state["score"] = scores
            best = value(state, 0, returned)
            assert solved(state) == (best if best else None)
            found.add(best)
    assert found >= ({0} if scores == (0, 0) else {-1, 1})


@pytest.mark.parametrize(("variant", "options"), [("101", {}), ("mitza", {}), ("101", {"tromf": False}), ("101", {"episode": "match"})])
def test_decisions_are_the_first_best_and_quiet_before_tromf(variant, options):
    for state in last_tricks(40, 9, variant, 2, **options):
        if state["number"] == 0:
            seat, best = int(verbs.actor(state)), {}
            for action in actions_of(verbs.legal(state)):
                after = np.array([state])
                verbs.apply(after[0], action)
                best[action] = value(after[0], 0, points) * (-1 if seat else 1)
            actions = [action for action in best if best[action] == max(best.values())]
            seen = concealed(np.array([state]), np.array([seat]))[0]
            decided = ending(seen, verbs.legal(seen), state["hand"][1 - seat])
            assert decided == (max(actions) if state["phase"] == CRY else min(actions))


def points(state):
    """The margin of side 0, beside which to win a match is worth 1000."""
    options = state["options"]
    counted = state["score" if options["match"] else "points" if options["scoring"] else "tricks"].astype(int)
    won = 1000 * np.sign(counted[0] - counted[1]) if options["match"] and state["over"] else 0
    return int(counted[0] - counted[1] + won)
