"""Packs: numbers and texts, sets, reduced packs, decks."""

import numpy as np
import pytest

from tromf.envs.cards import FRENCH, Pack


def test_numbers_and_texts_are_each_others_inverse():
    assert len(FRENCH) == 52
    assert [FRENCH.number(text) for text in FRENCH.texts] == list(range(52))
    assert FRENCH.number("qs") == FRENCH.number(49) == FRENCH.number(np.uint8(49)) == 49


@pytest.mark.parametrize("card", ["1H", "10H", "QX", "", 52, -1, 1.0, True, None])
def test_a_foreign_card_is_refused(card):
    with pytest.raises(ValueError, match=r"no card .*: cards are a rank of 23456789TJQKA and a suit of CDHS, such as AS"):
        FRENCH.number(card)


def test_sets():
    cards = FRENCH.collect(["QS", "2C", 51])
    assert FRENCH.members(cards) == [0, 49, 51]
    assert FRENCH.text(np.uint64(cards)) == "2C QS AS"
    assert FRENCH.text(0) == ""


def test_reduced_packs():
    assert FRENCH.reduced(None) == FRENCH.reduced("2") == FRENCH.reduced(list(FRENCH.texts)) == 2**52 - 1
    assert FRENCH.text(FRENCH.reduced("k")) == "KC AC KD AD KH AH KS AS"
    assert FRENCH.text(FRENCH.reduced(("QS", 0))) == "2C QS"
    assert FRENCH.text(FRENCH.reduced(np.array([3, 1]))) == "3C 5C"
    short = Pack("789TJQKA")
    assert len(short) == 32
    assert short.text(short.reduced("A")) == "AC AD AH AS"


@pytest.mark.parametrize(
    ("pack", "message"),
    [
        ("1", "option 'pack' is '1'"),
        (5, "option 'pack' is 5"),
        ("QS", "option 'pack'"),
        (["QS", "qs"], "names QS more than once"),
        (["XX"], "no card 'XX'"),
    ],
)
def test_bad_packs_are_refused(pack, message):
    with pytest.raises(ValueError, match=message):
        FRENCH.reduced(pack)


def test_decks():
    pack = FRENCH.reduced(["QS", "KS", "2H"])
    assert FRENCH.deck("2H QS KS", pack) == [26, 49, 50]
    assert FRENCH.deck(["KS", 26, "qs"], pack) == [50, 26, 49]
    with pytest.raises(ValueError, match=r"no permutation of the pack \(doubled: QS; foreign: 3H; missing: 2H\)"):
        FRENCH.deck("QS QS KS 3H", pack)
