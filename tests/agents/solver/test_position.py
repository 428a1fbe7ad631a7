"""Positions: what is refused, in one line, and who plays to a trick."""

import pytest

from tromf.agents.solver import Position
from tromf.envs.cards import FRENCH


def hands(*texts):
    return tuple(FRENCH.collect(text.split()) for text in texts)


FOUR = hands("2C 3C", "4C 5C", "6C 7C", "8C 9C")
ALL = (1 << 52) - 1


@pytest.mark.parametrize(
    ("position", "message"),
    [
        (lambda: Position(FOUR[:3]), "four hands, not 3"),
        (lambda: Position(FOUR, 4), "no seat 4: turn is 0 … 3"),
        (lambda: Position(FOUR, trump=4), "no trump 4: accepted are 0 … 3"),
        (lambda: Position(FOUR, contract="nulla"), "no contract 'nulla': accepted are high, low, sola, dix"),
        (lambda: Position(FOUR, trump=1, contract="low"), "trumps in contract low"),
        (lambda: Position(FOUR, contract="sola"), "contract sola has soloist -1: accepted are seats 0 … 3"),
        (lambda: Position(FOUR, soloist=1), "contract high has soloist 1"),
        (lambda: Position(FOUR, won=1), "won is 1 in contract high"),
        (lambda: Position((ALL, 1, 0, 0)), "53 cards: a pack has 52"),
        (lambda: Position((FOUR[0] | 4, *FOUR[1:])), "4C in the hand of seat 1: in another place too"),
        (lambda: Position(FOUR, laid=(0,)), "2C in the trick: in another place too"),
        (lambda: Position((1 << 52, *FOUR[1:])), "the hand of seat 0 is no set of the cards 0 … 51"),
        (lambda: Position(FOUR, laid=(52,)), "no card 52"),
        (lambda: Position((0, 0, 0, 0)), "seat 0 is to play and has no card"),
        (lambda: Position(hands("2C", "4C 5C", "6C 7C", "8C 9C")), "hands of 1, 2, 2, 2 cards"),
        (lambda: Position(FOUR, laid=(50,)), "hands of 2, 2, 2, 2 cards: with seat 0 to play and 1 laid they must be 2, 2, 2, 1"),
        (lambda: Position(FOUR, laid=(48, 49, 50, 51)), "4 cards on the table: at most 3"),
        (lambda: Position(hands("2C 3C", "4C 5C", "", "8C"), 0, (49,), contract="sola", soloist=2), "seat 0 is to play and sits out"),
        (lambda: Position(hands("2C 3C", "4C 5C", "6C 7C", "8C 9C"), contract="sola", soloist=0), "they must be 2, 2, 0, 2"),
        (lambda: Position(hands("2C", "4C", "", "8C"), contract="dix", soloist=0, won=2), "the soloist has won 2 tricks: it needs 2"),
        (lambda: Position(hands("2C", "4C", "6C", ""), 0, (50, 51, 49)), "hands of 1, 1, 1, 0 cards"),
        (lambda: Position(hands("2C 2D", "4C 4D", "6C", "8C"), 0, (5, 16)), "seat 3 laid 5D and holds 8C"),
    ],
)
def test_bad_positions_are_refused(position, message):
    with pytest.raises(ValueError, match=message.replace("(", r"\(")) as caught:
        position()
    assert "\n" not in str(caught.value)


def test_who_plays_to_a_trick():
    assert Position(FOUR, 2).order == (2, 3, 0, 1)
    assert Position(hands("2C 3C", "4C 5C", "6C", "8C"), 0, (5, 7)).order == (2, 3, 0, 1)
    assert Position(hands("2C 3C", "4C 5C", "", "8C 9C"), 3, contract="sola", soloist=0).order == (3, 0, 1)
    assert Position(hands("2C 3C", "4C 5C", "", "8C"), 0, (7,), contract="sola", soloist=0).order == (3, 0, 1)


def test_MW_5_the_partner_leads_to_the_first_trick_of_grand_dix():
    before = Position(FOUR, 2, contract="dix", soloist=0)
    assert before.order == (2, 3, 0, 1)
    assert before.needed == 2
    after = Position(hands("2C 3C", "4C 5C", "", "8C 9C"), 3, (4,), contract="dix", soloist=0)
    assert after.order == (2, 3, 0, 1)
    later = Position(hands("2C 3C", "4C 5C", "", "9C"), 0, (4, 6), contract="dix", soloist=0)
    assert later.order == (2, 3, 0, 1)
    three = Position(hands("2C 3C", "4C 5C", "", "8C"), 0, (7,), contract="dix", soloist=0)
    assert three.order == (3, 0, 1)


def test_legal_cards_follow_suit():
    position = Position(hands("2C 3D", "4C 5C", "6C", "8C"), 0, (5, 7))
    assert position.legal == FRENCH.collect(["2C"])
    assert Position(hands("2D 3D", "4C 5C", "6C", "8C"), 0, (5, 7)).legal == FRENCH.collect(["2D", "3D"])
