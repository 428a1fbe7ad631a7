"""Low hands: the solver beside minimax, and beside itself."""

import numpy as np
import pytest

from benchmarks.solver_low import random_deal
from tests.agents.solver.minimax import minimax, minimax_cards, random_endings
from tromf.agents import solver
from tromf.agents.solver import Position, low, splits
from tromf.envs.cards import FRENCH


@pytest.mark.parametrize(("most", "n"), [(3, 200), (4, 40)])
def test_each_card_takes_as_many_tricks_as_minimax_says(most, n):
    for position in random_endings(n, "low", seed=most, most=most):
        found = solver.cards(position)
        assert found == minimax_cards(position), position
        assert solver.tricks(position) == min(found.values()) == minimax(position), position


def test_a_memory_that_is_full_and_shared_by_many_deals_changes_nothing():
    small, rng = splits.new_memory(64), np.random.default_rng(5)
    for _ in range(20):
        position = random_deal("low", 7, rng)
        assert solver.cards(position, small) == solver.cards(position) == solver.cards(position, splits.new_memory(1 << 14))


def test_the_value_is_that_of_the_best_card_and_both_sides_agree_on_it():
    rng = np.random.default_rng(6)
    for _ in range(10):
        position = random_deal("low", 8, rng)
        found = solver.cards(position)
        assert min(found.values()) == solver.tricks(position)
        card = min(found, key=lambda card: found[card])
        hands = tuple(hand & ~(1 << card) for hand in position.hands)
        after = Position(hands, (position.turn + 1) % 4, (card,), contract="low")
        assert solver.tricks(after) == 8 - found[card]


def test_who_holds_the_top_of_everything_wins_everything():
    top = FRENCH.collect(rank + suit for suit in "CDHS" for rank in "AK")
    low_cards = [FRENCH.collect(f"{rank}{suit}" for suit in "CDHS" for rank in ranks) for ranks in ("23", "45", "67")]
    position = Position((top, *low_cards), 0, contract="low")
    assert solver.tricks(position) == 8


def test_two_calls_of_the_compiled_entry_agree():
    hands = np.array([FRENCH.collect(cards.split()) for cards in ("2C 9D", "3C 8D", "4C 7D", "5C 6D")], np.uint64)
    memory = splits.new_memory(1 << 10)
    nothing = np.zeros(0, np.int64)
    assert (
        low.solve(hands, 0, nothing, memory)
        == low.solve(hands, 0, nothing, memory)
        == solver.tricks(Position(tuple(hands.tolist()), 0, contract="low"))
    )
