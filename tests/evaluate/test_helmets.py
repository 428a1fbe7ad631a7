"""Golden helmets, counted on series that one can count by hand."""

import numpy as np
import pytest

from tromf.evaluate.helmets import golden_helmets


@pytest.mark.parametrize(
    ("series", "helmets"),
    [
        ("", 0),
        ("xx", 0),
        ("xxx", 1),
        (".xx.xx.", 0),
        ("x.xxx.x", 1),
        ("xxxx", 1),  # the count begins anew after three
        ("xxxxxx", 2),
        ("xxxxx.xxx", 2),
        ("xx.xxxxxxxxx", 3),
    ],
)
def test_MM_G_three_losses_in_a_row_make_a_golden_helmet(series, helmets):
    lost = np.array([letter == "x" for letter in series], bool)
    assert golden_helmets(lost) == helmets


def test_MM_G_every_seat_of_every_seating_has_a_series_of_its_own():
    loser = np.array([[0, 1], [0, 1], [1, 1], [0, 0], [0, 1], [0, 1], [1, 1]])  # deals × seatings
    lost = loser[:, :, None] == np.arange(2)
    assert golden_helmets(lost).tolist() == [[1, 0], [0, 2]]
