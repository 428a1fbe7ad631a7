"""Sola nulla and grand dix: the solver beside minimax, and cases a player can follow."""

import numpy as np
import pytest

from benchmarks.solver_low import random_deal
from tests.agents.solver.minimax import minimax, minimax_cards, random_endings
from tromf.agents import solver
from tromf.agents.solver import Position, splits
from tromf.envs.cards import FRENCH


@pytest.mark.parametrize("contract", ["sola", "dix"])
@pytest.mark.parametrize(("most", "n"), [(4, 150), (5, 50)])
def test_a_solo_is_made_after_the_cards_that_minimax_names(contract, most, n):
    for position in random_endings(n, contract, seed=most, most=most):
        found = solver.cards(position)
        assert found == minimax_cards(position), position
        assert solver.tricks(position) == minimax(position), position


def sets(*hands: str) -> tuple[int, ...]:
    return tuple(FRENCH.collect(hand.split()) for hand in hands)


def test_MW_4_a_soloist_with_the_lowest_cards_makes_sola_and_one_with_a_bare_ace_does_not():
    made = Position(sets("2C 3C 2D", "4C 5C 6C", "", "7C 8C 3D"), 3, contract="sola", soloist=0)
    assert solver.cards(made) == dict.fromkeys(FRENCH.members(made.hands[3]), 1)
    failed = Position(sets("2C AD KD", "4C 5C 6D", "", "7C 8C 3D"), 3, contract="sola", soloist=0)
    assert solver.tricks(failed) == 0


def test_MW_5_the_partner_must_lead_what_the_soloist_wins():
    position = Position(sets("AC AD 2H", "KC QC JC", "2C 3D AH", "KD QD JD"), 2, contract="dix", soloist=0)
    assert solver.cards(position) == {FRENCH.number("2C"): 1, FRENCH.number("3D"): 1, FRENCH.number("AH"): 0}


@pytest.mark.parametrize("contract", ["sola", "dix"])
def test_what_is_remembered_of_one_soloist_is_not_taken_for_another(contract):
    memory, rng = splits.new_memory(1 << 12), np.random.default_rng(3)
    for _ in range(100):
        position = random_deal(contract, 6, rng)
        assert solver.cards(position, memory) == solver.cards(position, splits.new_memory(1 << 10))
