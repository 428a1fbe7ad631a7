"""Deals as text: ours and bridge's, and what is wrong with others."""

import pytest

from tromf.agents.solver import notation
from tromf.envs.cards import FRENCH

PBN = "N:AK2.QJ.T9.8765 Q43.K2.A876.KQJT J65.A9876.2.A943 T987.T543.KQJ543.-"


def test_the_same_deal_in_two_notations():
    plain = " / ".join(FRENCH.text(hand) for hand in notation.parse("N:AK.2.. 43.K.. 65.A.. ..T9.8"))
    assert plain == "2H KS AS / KH 3S 4S / AH 5S 6S / 8C 9D TD"
    assert notation.parse(plain) == notation.parse("n:ak.2.. 43.k.. 65.a.. ..t9.8")
    assert notation.parse("E:43.K.. 65.A.. ..T9.8 AK.2..") == notation.parse(plain)
    assert notation.parse('[Deal "N:AK.2.. 43.K.. 65.A.. ..T9.8"]') == notation.parse(plain)
    assert notation.pbn(notation.parse(plain)) == "N:AK.2.. 43.K.. 65.A.. ..T9.8"


def test_a_hand_without_cards():
    assert notation.parse("W:A... - - K...") == notation.parse("/ / KS / AS")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "the deal has 1 hands: accepted are four"),
        ("/ / /", "the deal has no cards"),
        ("AS/KS/QS", "the deal has 3 hands: accepted are four"),
        ("AS KS/2S/3S/4S AS", "the deal has 6 cards, and AS in more than one hand"),
        ("AS AS/2S/3S/4S", "hand 0 has AS twice"),
        ("AS 1S/2S/3S/4S", "no card '1S'"),
        ("X:A... K... Q... J...", "no seat 'X': accepted are 0 … 3, or N, E, S, W"),
        ("N:A... K... Q...", "the PBN deal has 3 hands"),
        ("N:A.. K... Q... J...", "hand 'A..' has 3 suits: PBN has four"),
        ("N:A1... K... Q... J...", "no rank '1' in hand 'A1...'"),
        ("N:AA... K... Q... J...", "hand 'AA...' has AS twice"),
        ("N:A... A... Q... J...", "the deal has 4 cards, and AS in more than one hand"),
        (PBN.replace("-", "2.."), "hand 'T987.T543.KQJ543.2..' has 6 suits"),
    ],
)
def test_what_is_no_deal_says_so_in_one_line(text, says):
    with pytest.raises(ValueError) as raised:  # noqa: PT011 - the text is looked at below
        notation.parse(text)
    assert says in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("text", ["N", "e", "2", "w"])
def test_seats_have_numbers_and_letters(text):
    assert notation.seat(text) == {"N": 0, "e": 1, "2": 2, "w": 3}[text]
