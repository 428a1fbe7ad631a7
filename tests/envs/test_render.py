"""The table as text and as a picture: complete, the same every time, and silent about what a seat does not know."""

import numpy as np
import pytest

from tests.envs import faces
from tests.envs.positions import GAME, after, one_of_each_kind, random_states
from tromf.envs import batch, registry, render
from tromf.envs.mustamaija import text
from tromf.envs.mustamaija.options import PACK
from tromf.envs.view import in_order

DECK = "7C 2D 9H 3S 4C 8D TH 5S QS KD AH 6S JC 2H 3D 9S"


def dealt(players=4, dealer=0, deck=DECK, **options):
    """A deal whose first cards are given, the others in order."""
    first = deck.split()
    env = batch.BatchEnv(GAME, 1, players=players, **options)
    env.reset(seeds=0, decks=[first + [card for card in PACK.texts if card not in first]], dealers=dealer)
    return env


@pytest.mark.parametrize(("name", "variant", "players"), faces.SETTINGS)
def test_every_kind_of_position_is_drawn_for_every_setting(name, variant, players):
    game, _ = registry.find(name)
    for state in one_of_each_kind(5, variant, players, game):
        whole = render.ansi(game, state)
        assert all(f"seat {seat}" in whole for seat in range(players))
        assert whole.count("\n") >= players + 3
        for seat in range(players):
            render.ansi(game, state, seat, "letters")
    picture = render.rgb_array(game, state)
    assert picture.dtype == np.uint8
    assert picture.ndim == 3
    assert picture.shape[2] == 3
    assert picture.shape[0] >= 480
    assert picture.shape[1] >= 640


def test_every_phase_is_drawn():
    drawn = set()
    for state in one_of_each_kind(1, "house", 3) + one_of_each_kind(1, "three-card-declared", 3):
        drawn.add((int(state["phase"]), bool(state["over"])))
        assert render.rgb_array(GAME, state, 1).shape == (880, 1280, 3)
    assert {phase for phase, over in drawn if not over} == {0, 1, 2, 3, 4}
    assert any(over for _, over in drawn)


@pytest.mark.parametrize(
    ("name", "variant", "players"), [*faces.FEWEST_AND_MOST, ("mustamaija", "standard", 4), ("mustamaija", "house", 5)]
)
def test_hidden_cards_do_not_show(name, variant, players):
    game, _ = registry.find(name)
    states, _ = random_states(3, variant, game, players=players)
    for state in states[:: max(1, len(states) // 8)]:
        for seat in (0, players - 1):
            one, other = batch.worlds(game, state, seat, 2, seed=9)
            assert render.ansi(game, state, seat) == render.ansi(game, one, seat) == render.ansi(game, other, seat)
    pictures = [render.rgb_array(game, each, seat) for each in (state, one, other)]
    assert (pictures[0] == pictures[1]).all()
    assert (pictures[0] == pictures[2]).all()


def test_other_hands_do_show_without_a_seat():
    state = after(6, 3)
    one, other = batch.worlds(GAME, state, 0, 2, seed=9)
    assert render.ansi(GAME, one) != render.ansi(GAME, other)
    assert (render.rgb_array(GAME, one) != render.rgb_array(GAME, other)).any()


def test_a_concealed_record_shows_what_its_seat_knows():
    state = after(20, 4)
    hidden = batch.concealed(np.array([state], GAME.state), np.array([2]))[0]
    assert render.ansi(GAME, hidden, 2) == render.ansi(GAME, state, 2)


def test_a_picture_is_the_same_every_time():
    state = after(12, 7, players=6)
    assert (render.rgb_array(GAME, state) == render.rgb_array(GAME, state)).all()


def test_drawing_changes_nothing():
    state = after(12, 7)
    before = state.copy()
    render.rgb_array(GAME, state, 1)
    render.ansi(GAME, state, 1)
    assert state == before


def test_a_table_as_text():
    env = dealt(hand_size=3, trump="diamonds", players=3)
    env.step(np.array([PACK.number("7C")]))
    env.step(np.array([52]))
    assert render.ansi(GAME, env.states[0], 2).splitlines() == [
        "Mustamaija  3 players · 3 cards · trumps: diamonds",
        "  seat 0  dealer    ▒▒▒ 3",
        "  seat 1  attacker  ▒▒▒ 3",
        "> seat 2  defender  4♣  5♠  2♦  3 cards",
        "  table   7♣?",
        "  stock   42 cards",
        "  trumps  ♦ diamonds",
        "  seat 2 is to beat 7C or take it",
    ]
    assert "4C  5S  2D" in render.ansi(GAME, env.states[0], 2, "letters")


def test_taken_and_beaten_cards_are_marked():
    env = dealt(deck="7C 2D 9H 3S 9C TD 5H 4S AC 2C 3H 5S", hand_size=3, trump="diamonds", dealer=3)
    for action in ("7C", "9C", "AC"):
        env.step(np.array([PACK.number(action)]))
    for action in (52, PACK.number("TD"), 52):
        env.step(np.array([action]))
    assert "7♣/T♦  9♣ taken  A♣?" in render.ansi(GAME, env.states[0])


def test_beating_cards_lie_on_cards_they_beat():
    for seed in range(40):
        states, _ = random_states(seed)
        for state in states[:: len(states) // 10]:
            view = text.view(state)
            pairs = [(laid.card, laid.over) for row in view.rows for laid in row if laid.over]
            for card, over in pairs:
                assert (card[1] == over[1] and PACK.number(card) < PACK.number(over)) or (over[1] == view.trump != card[1])
            assert sorted(over for _, over in pairs) == sorted(PACK.text(int(state["beating"])).split())


@pytest.mark.parametrize("trump", ["", "C", "D", "H", "S"])
def test_hands_are_held_by_suit_with_trumps_last(trump):
    suits = "".join(dict.fromkeys(card[1] for card in in_order(PACK.texts, trump)))
    assert sorted(suits) == sorted("CDHS")
    assert suits.endswith(trump)
    assert all((a in "CS") != (b in "CS") for a, b in zip(suits, suits[1:]))
    assert in_order(["TD", "AD", "2D", "KD"]) == ("2D", "TD", "KD", "AD")


def test_many_cards_stay_inside_the_picture():
    state = after(0, 1, players=2)
    state["hand"][0], state["hand"][1] = (1 << 36) - 1, ((1 << 52) - 1) ^ ((1 << 36) - 1)
    state["top"] = state["size"]
    assert render.rgb_array(GAME, state).shape == (880, 1280, 3)
    assert render.rgb_array(GAME, state, 1).shape == (880, 1280, 3)


def test_a_table_of_another_game_needs_nothing_new():
    from tromf.envs.picture import draw
    from tromf.envs.view import Laid, SeatView, TableView

    seats = tuple(SeatView(seat, ("2C", "TD"), roles=("declarer",) if seat == 1 else (), note=f"{seat} tricks") for seat in range(4))
    view = TableView("Mîța", "4 players", seats, rows=(tuple(Laid(card, by=seat) for seat, card in enumerate(("2H", "AH", "QS"))),))
    assert draw(view, None).shape == (880, 1280, 3)
    text = "".join(piece for piece, _ in render.table(view, None, "letters"))
    assert "0:2H  1:AH  2:QS" in text
    assert "trumps" not in text


def test_letters_beyond_the_plain_ones_have_a_shape():
    from PIL import Image, ImageDraw

    from tromf.envs.cardface import font

    def shape(text):
        image = Image.new("L", (40, 40))
        ImageDraw.Draw(image).text((5, 5), text, fill=255, font=font(20, text))
        return image.tobytes()

    assert len({shape(letter) for letter in "äöîțé"}) == 5


def test_human_prints_the_table(capsys):
    state = after(9, 2)
    assert render.human(GAME, state, 1) is None
    assert capsys.readouterr().out == render.ansi(GAME, state, 1) + "\n"


@pytest.mark.parametrize("seat", [-1, 4, "0", True])
def test_a_seat_that_does_not_exist_is_refused(seat):
    with pytest.raises(ValueError, match=r"seats are 0 … 3$"):
        render.ansi(GAME, after(0, 0), seat)


def test_cards_in_sentences_are_coloured():
    line = render.sentence("seat 2 lays 7H 9H")
    assert line.plain == "seat 2 lays 7H 9H"
    assert [line.plain[span.start : span.end] for span in line.spans] == ["7H", "9H"]


@pytest.mark.parametrize(("name", "variant", "players"), faces.FEWEST_AND_MOST)
def test_what_happens_is_told_without_hidden_cards(name, variant, players):
    game, _ = registry.find(name)
    states, actions = random_states(11, variant, game, players=players)
    for k, action in enumerate(actions):
        for seat in range(players):
            known = batch.concealed(states[k : k + 2], np.array([seat, seat]))
            assert game.text.events(known[0], known[1], seat) == game.text.events(states[k], states[k + 1], seat)
            assert game.text.told(known[0], action) == game.text.told(states[k], action)


def test_what_happens_in_words():
    env = dealt(hand_size=3, players=2, deck="7C 2D 9C KC 4H TH 5S 6D")
    before = env.states[0].copy()
    assert text.told(before, PACK.number("7C")) == ("lays", "7C")
    env.step(np.array([PACK.number("7C")]))
    before = env.states[0].copy()
    env.step(np.array([52]))
    assert text.told(before, 52) == ("", "")
    lines = text.events(before, env.states[0], 1)
    assert lines[0] == "6D is turned up after 5S: diamonds are trumps"
    assert lines[1].startswith("you draw ")
    assert text.told(env.states[0], 52) == ("takes", "7C")
    assert text.told(env.states[0], PACK.number("KC")) == ("beats", "7C with KC")
    assert "5S lies in the stock under" in render.ansi(GAME, env.states[0])
