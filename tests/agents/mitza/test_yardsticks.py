"""The yardsticks of Mîța and 101: what the issue says that they do, settled ties, and that they never change."""

import zlib

import numpy as np
import pytest

from tests.agents.mitza.playing import decisions, mean_return, position, says
from tromf.envs.mitza.rules import CRY, EXCHANGE


@pytest.mark.parametrize(
    ("hand", "table", "card"),
    [
        ("KS 7H 9C", "", "9C"),  # plain before trumps, then the lowest rank
        ("9S 9C 9D", "", "9C"),  # of equal ranks the first suit
        ("TH 7H KH", "", "7H"),  # nothing else than trumps
        ("KS AS 7H", "QS", "KS"),  # the cheapest winning card is plain ...
        ("7S TH 8H", "QS", "8H"),  # ... or else the lowest trump, for any trick
        ("7S KC 9C", "QS", "7S"),  # no winning card: the weakest
        ("7H AC KC", "8H", "KC"),
    ],
)
def test_beginner(hand, table, card):
    assert says("beginner", position(hand, table)) == card


def test_beginner_wins_over_its_partner():
    assert says("beginner", position("AS 7C 8C", "7S KS 9C", players=4, holder=2)) == "AS"


@pytest.mark.parametrize(
    ("hand", "table", "options", "card"),
    [
        ("AC TS KS", "", {}, "KS"),  # fewest points, not lowest rank
        ("9C 8S 8D", "", {}, "8D"),  # equal points: lowest rank, then the first suit
        ("AH TH KH", "", {}, "KH"),  # trumps only if there is nothing else
        ("TS KS 7C", "QS", {}, "KS"),  # the cheapest winning plain card
        ("AS AH 7C", "TS", {}, "AS"),  # ... before any trump
        ("8H KH QC", "TS", {}, "8H"),  # 10 points are worth the lowest trump
        ("8H KH QC", "KS", {}, "QC"),  # 4 are not
        ("8H KH QC", "KS", {"stock": False}, "8H"),  # with the stock empty every trick is
        ("8H KH QC", "7S", {"variant": "mitza"}, "8H"),  # and so with tricks
        ("9H 8H 7H", "KS", {}, "7H"),  # trumps last
        ("7H TC KC", "8H", {}, "KC"),
    ],
)
def test_journeyman(hand, table, options, card):
    assert says("journeyman", position(hand, table, **options)) == card


@pytest.mark.parametrize(
    ("hand", "table", "holder", "card"),
    [
        ("TC 7S AH", "7D AD 8D", 2, "TC"),  # the partner holds it and nobody follows: the most points
        ("8C 7S 8S", "7D AD 8D", 2, "7S"),
        ("8H AH TH", "7D AD 8D", 2, "8H"),  # no plain card
        ("TC 7S AH", "7D AD TD", 2, "TC"),
        ("TC 7S AH", "AD TD", 2, "AH"),  # an opponent is still to play: wins
        ("TC 7S 8H", "7D 8D AD", 3, "8H"),
    ],
)
def test_journeyman_with_a_partner(hand, table, holder, card):
    assert says("journeyman", position(hand, table, players=4, holder=holder)) == card


def test_journeyman_cries_with_the_highest_trump_not_yet_played():
    """The card that it has led is played."""
    after = {"stock": False, "phase": CRY}
    assert says("journeyman", position("KH 7C", played="AH TH", **after)) == "tromf"
    assert says("journeyman", position("TH 7C", played="AH KH", **after)) == "tromf"
    assert says("journeyman", position("TH 7C", played="KH", **after)) == "quiet"
    assert says("journeyman", position("7C 7D", played="AH KH", **after)) == "quiet"
    everything = " ".join(rank + "H" for rank in "789JQTKA")
    assert says("journeyman", position("7C 7D", played=everything, **after)) == "quiet"
    assert says("beginner", position("KH 7C", played="AH TH", **after)) == "quiet"


def test_both_play_a_trump_after_tromf():
    for kind in ("beginner", "journeyman"):
        assert says(kind, position("7C KH QH", "JH", called=1, stock=False)) == "QH"
        assert says(kind, position("7C 8H QH", "AH", called=1, stock=False)) == "8H"


@pytest.mark.parametrize("kind", ["beginner", "journeyman"])
def test_both_exchange(kind):
    assert says(kind, position("7H KC TC", phase=EXCHANGE)) == "exchange"


@pytest.mark.parametrize(
    ("variant", "players", "options", "expected"),
    [
        ("mitza", 2, {}, 1479709746),
        ("mitza", 4, {}, 1314064575),
        ("101", 2, {}, 3241380270),
        ("101", 4, {}, 3883853388),
        ("101", 6, {}, 1219192203),
        ("101", 2, {"episode": "match"}, 1439796082),
        ("101", 4, {"tromf": False, "exchange": False}, 136693554),
        ("mitza", 2, {"exchange": True, "check_stock": True, "pack": "9"}, 1174541967),
    ],
)
def test_the_yardsticks_decide_as_they_always_did(variant, players, options, expected):
    check = 0
    for _, _, actions, _ in decisions(["journeyman", "beginner", "random"], 100, 20260, variant, players, **options):
        check = zlib.crc32(np.ascontiguousarray(actions, "<i8").tobytes(), check)
    assert check == expected


@pytest.mark.parametrize(
    ("variant", "players", "over_random", "over_beginner"),
    [("mitza", 2, 0.334, 0.000), ("mitza", 4, 0.213, 0.030), ("101", 2, 0.338, 0.000), ("101", 4, 0.213, 0.166), ("101", 6, 0.147, 0.164)],
)
def test_the_yardsticks_are_as_strong_as_they_always_were(variant, players, over_random, over_beginner):
    assert mean_return("beginner", "random", 20_000, 1, variant, players) == pytest.approx(over_random, abs=0.01)
    assert mean_return("journeyman", "beginner", 20_000, 1, variant, players) == pytest.approx(over_beginner, abs=0.01)
