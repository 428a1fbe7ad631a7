"""Hungarian cards: names of every card, typed back as they are shown, drawn unlike each other, and only for packs that have them."""

import numpy as np
import pytest

from tests.envs.positions import after, random_states
from tromf.agents.human import understood
from tromf.envs import hungarian, registry, render
from tromf.envs.cardface import card
from tromf.envs.cards import SUITS, Pack

PACK = Pack("789JQTKA")
GAMES = [game for name in registry.names() if hungarian.fit((game := registry.find(name)[0]).pack.ranks)]


def test_every_card_has_a_name_of_its_own():
    assert hungarian.name("AS") == "as verde"
    assert hungarian.name("KH") == "pătrar roșu"
    assert hungarian.name("JD") == "doiar dubă"
    assert hungarian.name("7C") == "șeptar ghindă"
    assert len({hungarian.name(text) for text in PACK.texts}) == 32


@pytest.mark.parametrize("text", PACK.texts)
def test_names_are_understood_as_they_are_shown(text):
    shown = hungarian.name(text)
    plain = shown.translate(str.maketrans("șăîț", "sait")).upper()
    printed = f"{hungarian.NUMERALS[text[0]]} {hungarian.SUITS[text[1]]}"
    for typed in (shown, plain, shown.replace("pătrar", "cal"), printed):
        assert hungarian.in_letters(f"play {typed}, play  7H") == f"play {text}, play  7H"


@pytest.mark.parametrize("line", ["as", "play AS", "verde as", "as, verde", "tromf", "1", "", "play as verdele"])
def test_what_names_no_card_stays_as_it_is(line):
    assert hungarian.in_letters(line) == line


def test_sentences_call_cards_by_name():
    line = render.sentence("seat 2 wins with 7H: hearts are trumps, the seven of trumps and an ace", "hungarian")
    assert line.plain == "seat 2 wins with șeptar roșu: roșu are trumps, the șeptar of trumps and an as"
    assert [line.plain[span.start : span.end] for span in line.spans] == ["șeptar roșu"]
    assert render.sentence("7H and hearts").plain == "7H and hearts"


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_tables_call_cards_by_name_and_the_names_may_be_typed(game):
    states, _ = random_states(1, None, game)
    state = states[0]
    shown = render.ansi(game, state, cards="hungarian")
    seats = game.text.view(state).seats
    assert all(hungarian.name(text) in shown for seat in seats for text in seat.cards)
    assert not any(symbol in shown for symbol in "♣♦♥♠")
    state = next(state for state in states if not state["phase"])
    hand = next(seat for seat in game.text.view(state).seats if seat.acting).cards
    for text in hand:
        number = game.pack.number(text)
        legal = [game.pack.number(each) for each in hand]
        for typed in (hungarian.name(text), f"play {hungarian.name(text)}", text):
            assert understood(game, state, typed, legal) == number


def test_other_packs_are_refused_in_one_line():
    game, state = registry.find("mustamaija")[0], after(3, 1)
    refused = r"^card style 'hungarian' is for packs of 7 8 9 J Q T K A, .*: accepted are two, four, letters$"
    for draw in (render.ansi, render.rgb_array, render.coloured):
        with pytest.raises(ValueError, match=refused):
            draw(game, state, 0, "hungarian")
        with pytest.raises(ValueError, match="no card style 'tarot'"):
            draw(game, state, 0, "tarot")


@pytest.mark.parametrize("width", [50, 88])
def test_no_two_cards_look_alike(width):
    pictures = {card(text, width, style="hungarian").tobytes() for text in PACK.texts}
    assert len(pictures | {card(text, width).tobytes() for text in PACK.texts}) == 64


def test_suits_differ_by_shape_as_well_as_colour():
    grey = [np.asarray(card(f"A{suit}", 88, style="hungarian").convert("L"), np.int64) for suit in SUITS]
    assert all(np.abs(one - other).mean() > 3 for k, one in enumerate(grey) for other in grey[:k])


def test_pictures_have_french_cards_unless_told_otherwise():
    for game in GAMES:
        state = random_states(1, None, game)[0][0]
        french = render.rgb_array(game, state)
        assert (french == render.rgb_array(game, state, None, "two")).all()
        assert (french != render.rgb_array(game, state, None, "hungarian")).any()
        assert (french != render.rgb_array(game, state, None, "four")).any()
