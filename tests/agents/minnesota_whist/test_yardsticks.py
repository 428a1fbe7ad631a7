"""The yardsticks of Minnesota Whist: what the issue says that they do, settled ties, and that they never change."""

import zlib

import numpy as np
import pytest

from tests.agents.minnesota_whist.playing import DIX, SOLA, decisions, mean_return, position, says
from tromf.envs.minnesota_whist.rules import BID, GIVE, SOLO, TRUMP

STRONG, WEAK = "AC KC 2C 3S KD QD 2D 3D 4H 5H 6H 7H 8H", "2C 3C 4C 3S QD JD TD 2D 3H 4H 5H 6H KH"
RED = "AD KD QD JD TD AH KH QH JH TH 9H 8H 2D"
BLACK = "2C 3C 4C 5C 6C 7C 8C 2S 3S 4S 5S 6S 7S"


@pytest.mark.parametrize("kind", ["beginner", "journeyman"])
@pytest.mark.parametrize(("hand", "card"), [(STRONG, "2C"), (WEAK, "2D"), (RED, "2D"), (BLACK, "2C")])
def test_both_bid_the_lowest_card_of_the_colour(kind, hand, card):
    assert says(kind, position(hand, phase=BID)) == card


def test_beginner_counts_aces_and_kings_and_journeyman_points():
    three_kings = "KC KS KD 2C 3C 4C 5C 2D 3D 4D 5D 2H 3H"  # 9 points
    queens = "AC QC QD QH QS 3C 4C 2D 3D 4D 2H 3H 4H"  # 12 points
    assert says("beginner", position(three_kings, phase=BID)) == "2C"
    assert says("journeyman", position(three_kings, phase=BID)) == "2D"
    assert says("beginner", position(queens, phase=BID)) == "2D"
    assert says("journeyman", position(queens, phase=BID)) == "3C"
    assert says("journeyman", position(queens.replace("QS", "JS"), phase=BID)) == "2D"  # 11


@pytest.mark.parametrize("kind", ["beginner", "journeyman"])
def test_both_pass_and_give(kind):
    assert says(kind, position(STRONG, phase=SOLO, variant="askov")) == "pass"
    assert says(kind, position("AC KD 2D 2C", phase=GIVE, solo=SOLA, soloist=0, variant="askov")) == "AC"
    assert says(kind, position("AC KD 2D 2C", phase=GIVE, solo=SOLA, soloist=2, variant="askov")) == "2C"


def test_naming_trumps():
    state = position("2C 3C 4C 5C AD KD QD JD 2H 3H 4H 2S 3S", phase=TRUMP, variant="south-dakota")
    assert says("beginner", state) == "C"  # the first of the longest
    assert says("journeyman", state) == "D"  # ... the one with more points


@pytest.mark.parametrize(
    ("hand", "table", "options", "card"),
    [
        ("4D AD KC 2C 5D", "", {}, "AD"),  # the highest of its longest suit
        ("4D AD KC 2C", "", {}, "KC"),  # the first of the longest
        ("4D AD 2H 3H 5H", "", {"trump": "H"}, "5H"),
        ("9S KS AS 2C", "JS", {}, "KS"),  # the cheapest card that wins
        ("9S KS AS 2C", "2S KS", {}, "AS"),  # also over its partner
        ("9S 3S 2C", "JS", {}, "3S"),
        ("9C 3D 3C", "JS", {}, "3C"),  # of equal ranks the first suit
        ("9C 5H 3H", "AS", {"trump": "H"}, "3H"),
        ("9C 5H 3H", "AS 8H", {"trump": "H"}, "9C"),  # plain before trumps
        ("5H 3H", "AS 8H", {"trump": "H"}, "3H"),
        ("4D 2S AD", "", {"low": True}, "2S"),
        ("4D TD AD", "JD", {"low": True}, "TD"),
        ("QD KD AD", "JD", {"low": True}, "QD"),
        ("QD KD AC", "2S", {"low": True}, "AC"),  # a discard never wins
        ("4D TD AD", "JD", {"solo": SOLA, "soloist": 1}, "TD"),
        ("4D KD AD", "JD", {"low": True, "solo": DIX, "soloist": 1}, "KD"),
    ],
)
def test_beginner(hand, table, options, card):
    assert says("beginner", position(hand, table, **options)) == card


@pytest.mark.parametrize(
    ("hand", "options", "card"),
    [
        ("AC JC 8C 5C 3C KH", {}, "5C"),  # the fourth highest of the longest suit
        ("KC QC 8C 5C 3C KH", {}, "KC"),  # the top of touching honours
        ("JC TC 8C 5C 3C KH", {}, "JC"),
        ("TC 9C 8C 5C 3C KH", {}, "5C"),
        ("AC JC 8C KH", {}, "8C"),  # of fewer the lowest
        ("8C 5C KH 2H", {}, "2H"),  # of equal lengths that with more points
        ("8C 5C 7H 2H", {}, "5C"),  # ... the first
        ("AC JC 8C 5C QH 3H", {"led": "H"}, "QH"),  # its partner's suit
        ("AC JC 8C 5C QH 3H 4D", {"led": "HD"}, "4D"),  # ... the first of them
        ("AC JC 8C 5C QH 3H", {"led": "S"}, "5C"),
        ("2C 9C 4D 5D KH", {"low": True}, "4D"),  # the lowest mean rank
        ("2C 8C 4D 6D KH", {"low": True}, "2C"),
    ],
)
def test_journeyman_leads(hand, options, card):
    assert says("journeyman", position(hand, **options)) == card


@pytest.mark.parametrize(
    ("hand", "table", "options", "card"),
    [
        ("AS 9S 3S", "JS", {}, "3S"),  # second hand low
        ("AS QS 3S", "2S JS", {}, "AS"),  # third hand beats everything out
        ("AS KS 3S", "2S JS", {}, "KS"),
        ("AS KS 3S", "4S JS", {"played": "QS KD"}, "KS"),
        ("AS QS 3S", "4S JS", {"played": "KS"}, "QS"),
        ("KS 9S 3S", "2S JS", {}, "KS"),  # ... or its highest over an opponent's card
        ("9S 3S", "2S JS", {}, "3S"),
        ("QS 9S 3S", "TS 2S", {}, "3S"),  # over its partner's only what nobody beats
        ("AS 9S 3S", "TS 2S", {}, "AS"),
        ("AS 9S 3S", "KS 2S", {}, "3S"),  # its partner's king is good
        ("AS KS JS", "2S 3S TS", {}, "JS"),  # fourth hand wins cheaply
        ("AS KS JS", "2S TS 3S", {}, "JS"),  # never over its partner
        ("AS KS 4S", "2S TS 3S", {}, "4S"),
        ("4S 3S", "2S KS TS", {}, "3S"),
        ("AC 4C 9D 2H 3H", "2S", {"trump": "C"}, "9D"),  # second hand does not ruff
        ("AC 4C 9D 2H 3H", "2S 5S", {"trump": "C"}, "4C"),
        ("AC 4C 9D 2H 3H", "2S 5C", {"trump": "C"}, "AC"),
        ("AC 4C 9D 2H 3H", "TS 5S", {"trump": "C"}, "9D"),  # not over its partner; the shorter of two suits without points
        ("AC 4C 9D 2H 3H", "TS 5S 6S", {"trump": "C"}, "4C"),
        ("AC 4C 9D JH 3H", "2S KS 6S", {"trump": "C"}, "9D"),
        ("AC 4C JD 9D 3H 8H", "2S KS 6S", {}, "3H"),
        ("4C 3C", "TS AS 6S", {"trump": "C"}, "3C"),  # nothing else than trumps
        ("4D TD AD", "JD", {"low": True}, "TD"),
        ("QD KD AD", "JD", {"low": True}, "QD"),
        ("QD KD AD", "2D JD 5D", {"low": True}, "AD"),  # all win, and it is the last
        ("QD KD AC", "2S", {"low": True}, "AC"),
        ("AS 9S 3S", "JS 4S", {"solo": DIX, "soloist": 1, "out": 3}, "AS"),  # the last of three players
        ("QS KS 3S", "JS 4S", {"solo": DIX, "soloist": 1, "out": 3}, "QS"),
        ("QS KS 3S", "4S JS", {"solo": DIX, "soloist": 1, "out": 3}, "3S"),
        ("QD KD AD", "4D JD", {"solo": SOLA, "soloist": 1, "out": 3}, "AD"),
    ],
)
def test_journeyman_follows(hand, table, options, card):
    """Of two cards on the table the first is the partner's, of three the second."""
    assert says("journeyman", position(hand, table, **options)) == card


@pytest.mark.parametrize(
    ("variant", "options", "expected"),
    [
        ("minnesota", {}, 2286634345),
        ("penalty", {}, 2286634345),
        ("askov", {}, 833477037),
        ("south-dakota", {}, 1308582758),
        ("askov", {"episode": "game", "target": 5}, 224086640),
        ("south-dakota", {"episode": "game", "target": 3}, 1534202433),
        ("minnesota", {"trumps": True, "pack": "8"}, 3704059496),
        ("south-dakota", {"trumps": False, "solos": True, "pack": "6"}, 2921638390),
    ],
)
def test_the_yardsticks_decide_as_they_always_did(variant, options, expected):
    check = 0
    for _, _, actions, _ in decisions(["journeyman", "beginner", "random"], 100, 20260, variant, **options):
        check = zlib.crc32(np.ascontiguousarray(actions, "<i8").tobytes(), check)
    assert check == expected


@pytest.mark.parametrize(
    ("variant", "over_random", "over_beginner"),
    [
        ("minnesota", 2.15, 0.37),
        ("penalty", 3.23, 0.43),
        ("askov", 0.31, 0.62),
        ("south-dakota", 2.33, -0.04),
    ],
)
def test_the_yardsticks_are_as_strong_as_they_always_were(variant, over_random, over_beginner):
    assert mean_return("beginner", "random", 20_000, 1, variant) == pytest.approx(over_random, abs=0.05)
    assert mean_return("journeyman", "beginner", 20_000, 1, variant) == pytest.approx(over_beginner, abs=0.05)
