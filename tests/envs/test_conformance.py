"""The conformance kit finds nothing wrong with games that are right, and each planted fault by name."""

import random
import re
import sys
import types
import warnings

import numpy as np
import pytest
from gymnasium import spaces
from pettingzoo.test import api_test, seed_test

from tests.envs import toy_cards
from tests.envs.toy_cards import Toy
from tromf.envs.conformance import CHECKS, check

HOOKS = {"legal": toy_cards.legal, "returns": toy_cards.returns, "hidden": toy_cards.hidden}
QUICK = {"episodes": 2, "deals": 64, "probes": 8}  # enough for the toy, whose faults show at once

# Fault -> the checks that must find it, without hooks and with them. The eleven of the table first.
ELEVEN = {
    "OpponentsHands": ({"leak"}, {"hidden"}),
    "MaskOffTurn": ({"mask_off_turn"}, set()),
    "MaskTooWide": ({"mask_distinct"}, {"legal"}),
    "MaskTooNarrow": ({"mask_refused"}, {"legal"}),
    "MaskAllZero": ({"mask_on_turn"}, {"legal"}),
    "GlobalGenerator": ({"global_rng", "later_episodes"}, set()),
    "DrawsInObserve": ({"observe_pure"}, set()),
    "PayoffsSwapped": (set(), {"returns"}),
    "SharedBuffer": ({"observe_kept"}, set()),
    "SeedIgnored": ({"seed"}, set()),
    "RewardsNeverCleared": ({"rewards_handed"}, {"returns"}),
}
MORE = {
    "BoolMask": ({"mask_form"}, set()),
    "CopyForgetsGenerator": ({"copy", "pickle"}, set()),
    "CopySharesGenerator": ({"copy"}, set()),
    "CopySharesHands": ({"copy"}, set()),
    "CopyStartsAnew": ({"copy", "pickle"}, set()),
    "FirstLooker": ({"observe_order"}, set()),
    "GeneratorOfTheClass": ({"instances"}, set()),
    "HalfRefused": ({"refusal_clean"}, set()),
    "HalfTruncated": ({"ending"}, set()),
    "HandsInInfo": (set(), {"hidden"}),
    "LastLooker": ({"observe_order"}, set()),
    "LeavesEarly": ({"ending"}, set()),
    "LookingMoves": ({"observe_pure"}, set()),
    "NeighboursCard": ({"leak"}, {"hidden"}),
    "NeverEnds": ({"play"}, set()),
    "NewSpaces": ({"spaces"}, set()),
    "NoMask": ({"mask_form"}, set()),
    "NumpyBools": ({"bookkeeping"}, set()),
    "ObservationIsTheGame": ({"observe_kept", "observe_owned"}, set()),
    "OneDealOnly": ({"seed_matters"}, set()),
    "OnlyWinnersPaid": ({"payoff_sum"}, {"returns"}),
    "OutOfSpace": ({"observation_space"}, set()),
    "PaidEarly": (set(), {"returns"}),
    "PaidTooLate": ({"reward_timing"}, {"returns"}),
    "RaisesInStep": ({"play"}, set()),
    "RefusesLegal": ({"mask_accepted"}, set()),
    "RefusesOptions": ({"reset_options"}, set()),
    "Remembers": ({"reset_forgets"}, set()),
    "RewardLost": ({"rewards_handed"}, {"returns"}),
    "RewardsAddedUp": (set(), {"returns"}),
    "SameDealAgain": ({"seed_matters"}, set()),
    "SeatMissesReward": ({"bookkeeping"}, set()),
    "SeedsGlobally": ({"global_rng"}, set()),
    "StepReturns": ({"bookkeeping"}, set()),
    "StockSeen": (set(), {"hidden"}),
    "StrictInts": ({"int32"}, set()),
    "WritableMemory": ({"observe_owned"}, set()),
    "WrongDtype": ({"observation_space"}, set()),
    "ZeroIsNoSeed": ({"seed"}, set()),
}
RIGHT = {
    "raw": (Toy, {}),
    "raw, hooks passed": (Toy, HOOKS),
    "hooks as methods": (toy_cards.HookedToy, {}),
    "wrapped": (toy_cards.env, HOOKS),
    "two players": (lambda: toy_cards.env(players=2), HOOKS),
    "paid by the trick": (toy_cards.PaidByTrick, HOOKS),
    "paid at the end": (Toy, {"payoff": "end"}),
    "mask in infos": (lambda: toy_cards.env(toy_cards.MaskInInfos), HOOKS),
    "actions from one": (toy_cards.ActionsFromOne, HOOKS | {"legal": lambda game: [card + 1 for card in toy_cards.legal(game)]}),
    "seats leave early": (toy_cards.LeavesEarly, {"ending": "any", "legal": toy_cards.legal, "hidden": toy_cards.hidden}),
}


def wrong(name):
    return getattr(toy_cards, name)


@pytest.mark.parametrize("name", RIGHT)
def test_nothing_is_found_in_a_right_game(name):
    env_fn, settings = RIGHT[name]
    report = check(env_fn, **(QUICK | {"episodes": 5, "deals": 240}), **settings)
    assert report.ok, report


def test_hooks_leave_nothing_unchecked():
    report = check(toy_cards.HookedToy, **QUICK)
    assert [result.check for result in report.results] == list(CHECKS)
    assert all(result.status == "passed" for result in report.results), report
    assert not report.notes


@pytest.mark.parametrize("name", ELEVEN | MORE)
def test_planted_fault_is_found(name):
    blind, _ = (ELEVEN | MORE)[name]
    env_fn = (lambda: toy_cards.env(wrong(name))) if name in ELEVEN else wrong(name)
    rare = {"episodes": 8, "probes": 60} if name in ("RaisesInStep", "RefusesLegal", "Remembers") else {}
    report = check(env_fn, **(QUICK | rare), max_decisions=30)
    assert blind <= report.failed(), report
    assert report.ok == (not blind), report  # what cannot be found from outside is not found by accident


@pytest.mark.parametrize("name", [name for name, (_, hooked) in (ELEVEN | MORE).items() if hooked])
def test_planted_fault_is_found_by_its_hook(name):
    _, hooked = (ELEVEN | MORE)[name]
    report = check(wrong(name), **(QUICK | {"episodes": 8}), **HOOKS, only=hooked)
    assert report.failed() == hooked, report


def test_every_wrong_game_is_in_the_table():
    right = {Toy, *(env_fn for env_fn, _ in RIGHT.values()), toy_cards.MaskInInfos}
    games = {name for name, item in vars(toy_cards).items() if isinstance(item, type) and issubclass(item, Toy) and item not in right}
    assert games | {"LeavesEarly"} == set(ELEVEN | MORE)


def test_every_check_finds_a_planted_fault():
    assert set().union(*(blind | hooked for blind, hooked in (ELEVEN | MORE).values())) == set(CHECKS)


def test_the_standard_tests_find_two_of_the_eleven(capsys):
    found = set()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in ELEVEN:
            for standard in (lambda env_fn: api_test(env_fn(), num_cycles=20), lambda env_fn: seed_test(env_fn, num_cycles=20)):
                try:
                    standard(lambda name=name: toy_cards.env(wrong(name)))
                except AssertionError:
                    found.add(name)
    assert found == {"SeedIgnored", "RewardsNeverCleared"}


@pytest.mark.filterwarnings("ignore:Environment has not defined a render")
def test_the_right_game_passes_the_standard_tests(capsys):
    api_test(toy_cards.env(), num_cycles=50)
    seed_test(toy_cards.env, num_cycles=50)


# --- settings


def test_two_seats_that_see_each_other_are_found():
    assert check(lambda: toy_cards.OpponentsHands(players=2), **QUICK, only=["leak"]).failed() == {"leak"}


def test_what_the_settings_permit_is_no_fault():
    assert check(toy_cards.MaskOffTurn, **QUICK, off_turn="any", only=["mask_off_turn"]).ok
    assert check(toy_cards.OnlyWinnersPaid, **QUICK, zero_sum=False, only=["payoff_sum"]).ok
    assert check(toy_cards.OneDealOnly, **QUICK, chance=False, only=["seed_matters"]).ok
    assert check(toy_cards.PaidEarly, **QUICK, only=["reward_timing"]).ok


def test_what_the_settings_forbid_is_a_fault():
    assert check(toy_cards.PaidEarly, **QUICK, payoff="end", only=["reward_timing"]).failed() == {"reward_timing"}
    assert check(Toy, **QUICK, total=1, only=["payoff_sum"]).failed() == {"payoff_sum"}


def test_only_and_skip_choose_the_checks():
    assert [result.check for result in check(Toy, **QUICK, only=["seed", "spaces"], skip=["seed"]).results] == ["spaces"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("off_turn", "one"),
        ("ending", "never"),
        ("payoff", "late"),
        ("episodes", 0),
        ("seed", -1),
        ("max_decisions", 0),
        ("deals", -1),
        ("probes", -1),
        ("only", ["no_such_check"]),
    ],
)
def test_bad_settings_are_refused_in_one_line(name, value):
    with pytest.raises(ValueError, match=re.escape(value[0] if name == "only" else str(value))) as refusal:
        check(Toy, **{name: value})
    assert "\n" not in str(refusal.value)


# --- hooks that are wrong themselves


@pytest.mark.parametrize(
    ("hook", "function", "message"),
    [
        ("legal", lambda game: 1 / 0, "the hook `legal` raised ZeroDivisionError"),
        ("legal", lambda game: toy_cards.legal(game)[:1], "which the hook `legal` does not"),
        ("legal", lambda game: range(toy_cards.CARDS), "which the hook `legal` allows"),
        ("returns", lambda game: {"player_0": 0}, "left this seat out|was handed"),
        ("hidden", lambda game, agent, rng: game, "returned the environment itself"),
        ("hidden", lambda game, agent, rng: toy_cards.copy.deepcopy(game), "never changed"),
        ("hidden", lambda game, agent, rng: game.table.clear() or toy_cards.hidden(game, agent, rng), "changed|tell apart"),
    ],
)
def test_a_wrong_hook_is_a_failure(hook, function, message):
    report = check(Toy, **QUICK, **{hook: function}, only=[hook])
    assert report.failed() == {hook}
    assert re.search(message, str(report)), report


# --- the report


def test_report_is_a_readable_table():
    report = check(toy_cards.MaskOffTurn, **QUICK)
    lines = str(report).splitlines()
    assert lines[0] == f"toy_v0: 1 of {len(CHECKS) - 3} checks failed"
    assert [line.split()[0] for line in lines if " mask_off_turn " in line] == ["FAILED"]
    assert all(any(name in line for line in lines) for name in CHECKS)
    assert any(line.startswith("  mask_off_turn: ") and line.endswith("(seed 0, decision 0, player_0)") for line in lines), report
    assert any(line.startswith("  hidden: without the hook") for line in lines)
    assert str(check(Toy, **QUICK)).startswith("toy_v0: all ")


def test_failure_names_the_first_place():
    (failure,) = check(toy_cards.OutOfSpace, episodes=1, deals=0, probes=0, only=["observation_space"]).failures
    assert failure.check == "observation_space"
    assert failure.place == (0, 0, 2, "player_0")  # two cards lie on the table for the first time
    assert str(failure).endswith("(seed 0, decision 2, player_0)")


def test_check_is_reproducible_and_leaves_the_global_generators_alone():
    before = random.getstate(), np.random.get_state()[1].tolist()  # noqa: NPY002
    first, second = (str(check(toy_cards.GlobalGenerator, **QUICK, skip=["seed_matters"])) for _ in range(2))
    assert first == second
    assert before == (random.getstate(), np.random.get_state()[1].tolist())  # noqa: NPY002


# --- foreign environments


class Misbehaves(Toy):
    """Raises in one method; which one is chosen by the test."""

    broken = ""

    def __getattribute__(self, name):
        if name == type(self).broken:
            raise RuntimeError(f"no {name} today")
        return super().__getattribute__(name)


@pytest.mark.parametrize(
    "broken",
    [
        "reset",
        "step",
        "observe",
        "last",
        "agents",
        "possible_agents",
        "agent_selection",
        "terminations",
        "rewards",
        "infos",
        "action_space",
        "observation_space",
        "state",
        "close",
        "unwrapped",
        "metadata",
    ],
)
def test_an_environment_that_raises_is_reported(broken):
    env_fn = type("Misbehaves", (Misbehaves,), {"broken": broken})
    report = check(env_fn, **QUICK)
    assert not report.ok or broken in ("close", "metadata", "unwrapped")
    assert f"no {broken} today" in str(report) or report.ok
    assert len(report.failures) < 10, report


def no_environment():
    raise OSError("no cards in the house")


@pytest.mark.parametrize(
    ("env_fn", "message"),
    [
        (no_environment, "env_fn raised OSError: no cards in the house"),
        (lambda: None, "env_fn must return a PettingZoo AECEnv, not NoneType"),
        (lambda: Toy(players=9), "raised"),
    ],
)
def test_what_is_no_environment_is_reported_once(env_fn, message):
    report = check(env_fn, **QUICK)
    assert report.failed() == {"play"}
    assert message in str(report)


def test_an_action_space_without_actions_to_mask_is_reported():
    class Continuous(Toy):
        def action_space(self, agent):
            return self.observation_spaces[agent]

    report = check(Continuous, **QUICK)
    assert "action masks need a Discrete one" in str(report)


def test_copies_that_raise_are_a_note_and_not_a_failure():
    class Uncopyable(Toy):
        def __reduce_ex__(self, protocol):
            raise TypeError("holds a socket")

    report = check(Uncopyable, **QUICK)
    assert report.ok, report
    assert "cannot be duplicated in the middle of an episode (TypeError: holds a socket)" in str(report)
    assert {result.check for result in report.results if result.status == "not applicable"} == {"copy", "pickle", *HOOKS}
    # Single actions are tried all the same, on replays.
    both = type("Both", (Uncopyable, toy_cards.MaskTooWide), {})
    assert check(both, **QUICK).failed() == {"mask_distinct", "mask_refused"}


def test_a_standard_environment_of_pettingzoo(monkeypatch):
    """Tic-tac-toe: no cards, but a mask. Its copies start anew, as those of all `EzPickle` environments do; the kit says so."""
    try:
        import pygame  # noqa: F401
    except ImportError:
        # It imports pygame to draw, and we draw nothing.
        monkeypatch.setitem(sys.modules, "pygame", types.ModuleType("pygame"))
    tictactoe = pytest.importorskip("pettingzoo.classic.tictactoe.tictactoe")
    report = check(tictactoe.env, **QUICK, chance=False)
    assert report.failed() == {"copy", "pickle"}, report
    assert isinstance(tictactoe.env().action_space("player_1"), spaces.Discrete)
