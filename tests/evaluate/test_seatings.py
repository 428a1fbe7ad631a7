from tromf.evaluate.seatings import one_among, rotations


def test_one_among_others_sits_in_every_seat_once():
    assert one_among(5, 2, 3).tolist() == [[5, 2, 2], [2, 5, 2], [2, 2, 5]]


def test_a_table_is_turned_seat_by_seat():
    assert rotations([0, 1, 1, 2]).tolist() == [[0, 1, 1, 2], [2, 0, 1, 1], [1, 2, 0, 1], [1, 1, 2, 0]]


def test_equal_rotations_are_played_once():
    assert rotations([0, 1, 0, 1]).tolist() == [[0, 1, 0, 1], [1, 0, 1, 0]]
    assert rotations([0, 0]).tolist() == [[0, 0]]
