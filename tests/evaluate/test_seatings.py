import pytest

from tromf.evaluate.seatings import ORDERS, chosen_orders, one_among, orders, rotations


def test_one_among_others_sits_in_every_seat_once():
    assert one_among(5, 2, 3).tolist() == [[5, 2, 2], [2, 5, 2], [2, 2, 5]]


def test_a_table_is_turned_seat_by_seat():
    assert rotations([0, 1, 1, 2]).tolist() == [[0, 1, 1, 2], [2, 0, 1, 1], [1, 2, 0, 1], [1, 1, 2, 0]]


def test_equal_rotations_are_played_once():
    assert rotations([0, 1, 0, 1]).tolist() == [[0, 1, 0, 1], [1, 0, 1, 0]]
    assert rotations([0, 0]).tolist() == [[0, 0]]


@pytest.mark.parametrize(
    ("table", "count"), [([0, 1], 1), ([0, 1, 1], 1), ([2, 0, 1], 2), ([0, 1, 1, 0], 2), ([0, 1, 2, 3], 6), ([0, 1, 2, 3, 4], 24)]
)
def test_orders_are_what_rotation_leaves_different(table, count):
    found = orders(table)
    assert found[0] == tuple(table)
    assert len(found) == count
    turned = [tuple(seating) for order in found for seating in rotations(order).tolist()]
    assert len(turned) == len(set(turned))
    assert all(sorted(seating) == sorted(table) for seating in turned)


def test_some_orders_are_drawn_with_the_seed():
    table = range(6)
    drawn, every = chosen_orders(table, None, 1)
    assert (len(drawn), len(set(drawn)), every) == (ORDERS, ORDERS, 120)
    assert drawn == chosen_orders(table, None, 1)[0] != chosen_orders(table, None, 2)[0]
    assert set(drawn) <= set(chosen_orders(table, "all", 1)[0])
    assert chosen_orders(table, 1000, 1)[0] == chosen_orders(table, "all", 1)[0]


def test_too_many_orders_are_refused():
    with pytest.raises(ValueError, match="5,040 orders round the table are too many"):
        chosen_orders(range(8), "all", 1)
