"""High hands: the solver beside bridge players' double-dummy solver, and beside itself with another memory."""

import numpy as np
import pytest

from tests.agents.solver.dds import as_bridge, dds_cards, dds_tricks, random_positions
from tromf.agents import solver
from tromf.agents.solver import Position


@pytest.mark.parametrize("size", range(1, 9))
def test_each_card_takes_as_many_tricks_as_the_double_dummy_solver_says(size):
    for position in random_positions(60, size, seed=size):
        found = solver.cards(position)
        assert found == dds_cards(position), position
        assert solver.tricks(position) == max(found.values()), position


@pytest.mark.parametrize("trumps", [(-1,), (0, 1, 2, 3)])
def test_whole_deals_take_as_many_tricks_as_the_double_dummy_solver_says(trumps):
    for position in random_positions(4, 13, seed=13, trumps=trumps, laid=0):
        assert solver.tricks(position) == dds_tricks(as_bridge(position)), position


def test_a_memory_stays_true_from_deal_to_deal_and_when_it_is_full():
    shared, small = solver.new_memory(1 << 16), solver.new_memory(64)
    for position in random_positions(100, 6, seed=6):
        alone = solver.cards(position, solver.new_memory(1 << 12))
        assert solver.cards(position, shared) == alone
        assert solver.cards(position, small) == alone


def test_trumps_and_leaders_do_not_mix_in_a_memory():
    memory = solver.new_memory(1 << 16)
    for position in random_positions(30, 5, seed=5, laid=0):
        for trump in range(-1, 4):
            for turn in range(4):
                other = Position(position.hands, turn, trump=trump)
                assert solver.tricks(other, memory) == dds_tricks(as_bridge(other)), other


def test_seats_may_be_turned():
    for position in random_positions(50, 6, seed=7, laid=0):
        turned = Position(tuple(np.roll(position.hands, 1).tolist()), (position.turn + 1) % 4, trump=position.trump)
        assert solver.cards(turned) == solver.cards(position)
