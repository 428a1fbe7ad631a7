"""Minnesota Whist in words: actions, what is told to whom, and the table of a whole record and of a concealed one."""

import numpy as np
import pytest

from tests.envs.positions import random_states
from tromf.envs import batch, render
from tromf.envs.minnesota_whist import text
from tromf.envs.minnesota_whist.game import GAME
from tromf.envs.minnesota_whist.options import PACK
from tromf.envs.minnesota_whist.rules import BID, GIVE, PLAY

GAMES = {"episode": "game", "max_deals": 4}
SETTINGS = [
    ("minnesota", {}),
    ("penalty", {**GAMES, "target": 2}),
    ("askov", {**GAMES, "failed_solo_star": True}),
    ("askov", {}),
    ("south-dakota", GAMES),
    ("askov", {**GAMES, "pack": "J", "max_deals": 12}),
]
HANDS = "2C 2D 2H", "3C 3D 3H", "4C 4D 4H", "5C 5D 5H"


def table(*hands, dealer=3, **options):
    """An environment with a deal of these hands, of the seats 0 to 3; their cards are the pack."""
    held = [hand.split() for hand in hands]
    deck = [held[(dealer + 1 + k) % 4][j] for j in range(len(held[0])) for k in range(4)]
    env = batch.BatchEnv(GAME, 1, pack=deck, **options)
    env.reset(seeds=0, decks=[deck], dealers=dealer)
    return env


def step(env, *actions):
    """Take actions given as texts, of which a bare card is enough; the records before the last one and after it."""
    for action in " ".join(actions).split():
        before = env.states[0].copy()
        legal = [a for a in range(GAME.actions) if int(env.masks[0]) >> a & 1]
        env.step(np.array([GAME.parse_action(before, action, legal)]))
    return before, env.states[0].copy()


def concealed(state, seat):
    return batch.concealed(np.array([state], GAME.state), np.array([seat]))[0]


def notes(state, seat=None):
    return [each.note for each in text.view(state if seat is None else concealed(state, seat)).seats]


def roles(state):
    return [each.roles for each in text.view(state).seats]


def test_actions_have_the_texts_of_the_rules_page():
    env = table(*HANDS, variant="askov")
    number = PACK.number("KH")
    assert text.action_text(env.states[0], number) == "bid KH"
    assert [text.action_text(env.states[0], action) for action in (52, 53, 54, 57)] == ["pass", "sola", "dix", "trump H"]
    _, after = step(env, "2C 3D 4D 5D sola pass pass pass")
    assert text.action_text(after, number) == "give KH"
    _, after = step(env, "2C 4H")
    assert text.action_text(after, number) == "play KH"


@pytest.mark.parametrize(("variant", "options"), SETTINGS)
def test_what_a_seat_is_told_follows_from_what_it_knows(variant, options):
    for seed in range(3):
        states, actions = random_states(seed, variant, GAME, **options)
        for k, action in enumerate(actions):
            for seat in range(4):
                known = batch.concealed(states[k : k + 2], np.array([seat, seat]))
                assert text.events(known[0], known[1], seat) == text.events(states[k], states[k + 1], seat)
                assert text.told(known[0], action) == text.told(states[k], action)


@pytest.mark.parametrize(("variant", "options"), SETTINGS)
def test_tables_of_others_worlds_look_the_same(variant, options):
    states, _ = random_states(5, variant, GAME, **options)
    for state in [*states[:12], *states[12 :: max(1, len(states) // 6)]]:
        for seat in range(4):
            one, other = batch.worlds(GAME, state, seat, 2, seed=9)
            assert render.ansi(GAME, state, seat) == render.ansi(GAME, one, seat) == render.ansi(GAME, other, seat)
        for line in text.moment(concealed(state, int(state["turn"]))):
            assert len(line) <= 140


@pytest.mark.parametrize(("variant", "options"), SETTINGS)
def test_tricks_and_scores_told_are_those_of_the_record(variant, options):
    for seed in range(4):
        states, actions = random_states(seed, variant, GAME, **options)
        for k in range(len(actions)):
            before, after = states[k], states[k + 1]
            lines = text.events(before, after)
            same_deal = after["number"] == before["number"]
            if same_deal and after["tricks"].sum() > before["tricks"].sum():
                side = int(np.argmax(after["tricks"] - before["tricks"]))
                assert lines[0].startswith(f"seat {int(after['leader'])} wins the trick with ")
                assert before["solo"] or f": side {side} has {int(after['tricks'][side])} trick" in lines[0]
            for side in range(2):
                gain = int(after["score"][side]) - int(before["score"][side])
                assert any(f"side {side} {'scores' if gain > 0 else 'loses'} {abs(gain)}" in line for line in lines) == (gain != 0)
                star = int(after["stars"][side]) > int(before["stars"][side])
                assert any(f"a star for side {side}" in line for line in lines) == star
            assert bool(not same_deal or after["over"]) == any(" hand is over: " in line or "star" in line for line in lines[:2])


def test_MW_1_bids_are_secret_until_they_are_shown():
    env = table(*HANDS)
    before, after = step(env, "2D")
    assert text.told(before, PACK.number("2D")) == ("sets", "a card aside")
    assert notes(after, 0) == ["2D set aside", "", "", ""]
    for seat in (1, 2, 3):
        assert text.events(before, after, seat) == []
        assert notes(after, seat) == ["a card set aside", "", "", ""]
        assert "2D" not in render.ansi(GAME, after, seat, "letters")
    assert text.phase_text(after) == "set a bid aside"


def test_MW_2_bids_are_turned_up_to_the_first_black_one():
    env = table(*HANDS)
    before, after = step(env, "2D 3C 4C 5H")
    shown, high = "seat 0 shows 2D, seat 1 shows 3C", "the hand is high: seat 1 grands"
    assert text.events(before, after, 2) == [shown, high, "you take 4C back unseen"]
    assert text.events(before, after, 1) == ["seat 0 shows 2D, you show 3C", "the hand is high: you grand"]
    assert text.events(before, after) == [shown, high, "seat 2 takes 4C back unseen", "seat 3 takes 5H back unseen"]
    assert notes(after, 3) == ["showed 2D", "showed 3C", "", ""]
    assert roles(after) == [("leader",), ("granded",), (), ("dealer",)]
    assert text.view(after).status == "high hand: seat 0 is to lead"
    before, after = step(table(*HANDS), "2D 3D 4D 5D")
    assert text.events(before, after, 1)[-1] == "the hand is low: nobody has bid black"
    assert text.view(after).status == "low hand: seat 0 is to lead"


def test_a_card_that_was_shown_is_named_until_it_is_played():
    _, after = step(table(*HANDS), "2D 3D 4D 5D 2D")
    assert notes(after) == ["", "showed 3D", "showed 4D", "showed 5D"]


def test_suits_that_a_seat_does_not_hold_are_named():
    env = table("2C 2D", "3C 3D", "4C 4H", "5C 5D")
    _, after = step(env, "2D 3D 4H 5D 2D 3D 4C")
    assert notes(after) == ["", "", "showed 4H; no diamonds", "showed 5D"]


def test_MW_3_solo_bids_are_told():
    env = table(*HANDS, variant="askov")
    before, after = step(env, "2D 3D 4D 5D pass")
    assert text.told(before, 52) == ("says", "pass")
    assert (text.phase_text(after), text.view(after).status) == ("play alone or pass", "low hand: seat 1 may play alone")
    before, after = step(env, "sola")
    assert text.told(before, 53) == ("bids", "sola")
    assert notes(after)[1] == "bids sola; showed 3D"
    before, after = step(env, "pass pass pass")
    assert text.events(before, after, 3) == ["seat 1 plays sola nulla alone: first a card is exchanged with you"]
    before, after = step(table(*HANDS, variant="askov"), "2D 3D 4D 5D pass pass pass pass")
    assert text.events(before, after) == ["nobody plays alone: the hand is low"]


def test_MW_4_gifts_are_told_to_those_who_know_them():
    env = table(*HANDS, variant="askov")
    before, after = step(env, "2D 3D 4D 5D sola pass pass pass 2D")
    assert text.told(before, PACK.number("2D")) == ("gives", "a card")
    assert [text.events(before, after, seat) for seat in range(4)] == [[]] * 4
    before, after = step(env, "4H")
    assert text.events(before, after, 0) == ["you give 2D and receive 4H", "seat 2 sits out"]
    assert text.events(before, after, 2) == ["you give 4H and receive 2D", "you sit out"]
    assert text.events(before, after, 1) == ["the cards change hands", "seat 2 sits out"]
    assert text.events(before, after) == ["the cards change hands: seat 0 gives 2D, seat 2 gives 4H", "seat 2 sits out"]
    assert roles(after) == [("alone",), (), ("sits out",), ("leader", "dealer")]
    assert text.view(after).status == "sola nulla: seat 3 is to lead"
    assert text.view(concealed(after, 1)).captions == ("2D and 4D, shown before: with seat 0 or seat 2",)
    assert [seat.cards for seat in text.view(concealed(after, 1)).seats][::2] == [(), ()]
    assert text.view(concealed(after, 0)).seats[2].cards == ("2D", "4D")  # what it gave, and what it does not hold itself


def test_MW_4_a_trick_of_three_cards():
    _, after = step(table(*HANDS, variant="askov"), "2D 3D 4D 5D sola pass pass pass 2D 4H 5C 2C")
    assert [(laid.card, laid.by, laid.mark) for laid in text.view(after).rows[0]] == [("5C", 3, "holds"), ("2C", 0, "")]


def test_MW_5_the_partner_leads_to_grand_dix_and_then_sits_out():
    env = table("2C 2D 2H 2S", "9C 9D 9H 9S", "3C 3D 3H 3S", "4C 4D 4H 4S", variant="askov")
    before, after = step(env, "2D 9D 3D 4D pass dix")
    assert text.events(before, after, 1) == ["you play grand dix alone: seat 3 leads to the first trick"]
    assert text.events(before, after, 3) == ["seat 1 plays grand dix alone: you lead to the first trick"]
    before, after = step(env, "4C 2C 9C 3C")
    assert text.events(before, after, 0) == ["seat 1 wins the trick with 9C: trick 1 of 3", "seat 3 sits out from now on"]
    assert roles(after) == [(), ("leader", "alone"), (), ("dealer", "sits out")]
    before, after = step(env, "9D 3D 2D 9H 3H 2H")
    lines = ["you win the trick with 9H: trick 3 of 3", "you made grand dix: a star for your side", "your side wins the deal, by a star"]
    assert text.events(before, after, 1) == lines
    assert text.events(before, after, 0)[1:] == [
        "seat 1 made grand dix: a star for the other side",
        "the other side wins the deal, by a star",
    ]


def test_MW_6_the_end_of_sola_nulla():
    before, after = step(table(*HANDS, variant="askov"), "2D 3D 4D 5D sola pass pass pass 2D 4H 5C 2C 3C 5D 4H 3D 5H 2H 3H")
    assert text.events(before, after) == ["seat 3 wins the trick with 5H: trick 3 of 3", "seat 0 made sola nulla: a star for side 0",
                                          "side 0 wins the deal, by a star"]  # fmt: skip
    env = table(*HANDS, variant="askov", failed_solo_star=False)
    before, after = step(env, "2D 3D 4D 5D pass sola pass pass pass 3D 5C 2C 5C 4C")
    assert text.events(before, after, 3)[1:] == ["seat 1 failed in sola nulla: no star", "the deal is equal"]
    env = table(*HANDS, variant="askov", failed_solo_star=True)
    before, after = step(env, "2D 3D 4D 5D pass sola pass pass pass 3D 5C 2C 5C 4C")
    assert text.events(before, after, 3)[1:] == [
        "seat 1 failed in sola nulla: a star for the other side",
        "the other side wins the deal, by a star",
    ]


def test_MW_7_trumps_are_told_and_shown():
    env = table(*HANDS, variant="south-dakota")
    before, after = step(env, "2D 3D 4D 5C")
    assert text.phase_text(after) == "name trumps"
    before, after = step(env, "H")
    assert text.told(before, 57) == ("names", "hearts as trumps")
    assert text.events(before, after) == []
    assert text.view(after).trump == "H"
    before, after = step(env, "5C 2C 3C 4C 5D 2D 3D 4D 5H 2H 3H 4H")
    assert text.events(before, after, 0) == ["seat 3 wins the trick with 5H: the other side has 3 tricks",
                                             "the high hand is over: 0 tricks for your side, 3 for the other side; the other side scores 2",
                                             "the other side wins the deal, 2 to 0"]  # fmt: skip


def test_MW_8_a_trump_wins_the_last_trick_of_a_deal_in_a_game():
    env = table("2C 3C", "4C 2H", "5C 6C", "7C 8C", variant="south-dakota", episode="game")
    before, after = step(env, "2C 4C 5C 7C H 2C 4C 5C 7C 8C 3C 2H 6C")
    assert after["number"] == 1
    lines = ["seat 1 wins the trick with 2H: side 1 has 2 tricks"]
    lines += ["the high hand is over: 0 tricks for side 0, 2 for side 1; side 0 loses 2"]
    assert text.events(before, after)[:2] == lines
    assert text.events(concealed(before, 0), concealed(after, 0)) == text.events(before, after)


def test_MW_13_the_next_deal_of_a_game():
    env = table(*HANDS, episode="game", target=20)
    before, after = step(env, "2C 3C 4C 5C 5C 2C 3C 4C 5D 2D 3D 4D 5H 2H 3H 4H")
    assert text.events(before, after, 1) == [
        "seat 3 wins the trick with 5H: your side has 3 tricks",
        "the high hand is over: 3 tricks for your side, 0 for the other side; your side scores 2",
        "your side has 2 and the other side 0 in the game to 20",
        "seat 0 deals the next hand",
    ]
    assert "game to 20, deal 2" in text.view(after).subtitle


def test_MW_13_a_solo_that_ends_a_deal_of_a_game():
    env = table(*HANDS, variant="askov", episode="game", failed_solo_star=True)
    before, after = step(env, "2D 3D 4D 5D pass sola pass pass pass 3D 5C 2C 5C 4C")
    assert text.events(before, after, 0) == [
        "seat 1 failed in sola nulla: a star for your side",
        "your side has 0 and the other side 0 in the game to 15, stars 1 and 0",
        "you deal the next hand",
    ]


def test_MW_13_the_end_of_a_game():
    env = table(*HANDS, episode="game", target=2)
    before, after = step(env, "2C 3C 4C 5C 5C 2C 3C 4C 5D 2D 3D 4D 5H 2H 3H 4H")
    assert text.events(before, after, 1)[-1] == "your side wins the game, 2 to 0"
    assert text.view(after).status == "side 1 wins the game, 2 to 0"
    assert notes(after) == ["", "wins", "", "wins"]
    after["options"]["solos"], after["stars"] = 1, [0, 2]
    assert text.events(before, after)[-1] == "side 1 wins the game, 2 to 0, with 2 stars: the losers pay 45 cents each"


def test_MW_13_a_game_that_is_cut_off():
    states, _ = random_states(1, "minnesota", GAME, episode="game", max_deals=1)
    assert text.events(states[-2], states[-1])[-1] == "the game is cut off after 1 deal: nobody wins"
    assert text.view(states[-1]).status == "the game is cut off after 1 deal: nobody wins"
    assert notes(states[-1]) == [""] * 4


def test_MW_R_a_hand_in_which_nobody_scores():
    env = table("2C 9D", "3C 3D", "4C 4D", "5C 5D")
    before, after = step(env, "9D 3D 4D 5D 2C 3C 4C 5C 5D 9D 3D 4D")
    assert text.events(before, after, 3)[1:] == ["the low hand is over: 1 trick for your side, 1 for the other side", "the deal is equal"]


def test_the_rules_that_matter_name_the_options_in_force():
    env = table(*HANDS, variant="penalty")
    assert "scores 1 point if it granded, else 2, for each trick over 1." in " ".join(text.moment(env.states[0]))
    _, after = step(env, "2C 3C 4C 5C")
    assert "scores 1 point if it granded (side 0), else 2, for each trick over 1." in " ".join(text.moment(after))
    env = table(*HANDS, variant="askov")
    assert "win the first 2 tricks" in " ".join(text.moment(env.states[0]))


def test_every_phase_has_rules_and_a_name():
    names = {}
    for variant, options in SETTINGS:
        states, _ = random_states(2, variant, GAME, **options)
        for state in states[:-1]:
            names.setdefault(int(state["phase"]), set()).add(text.phase_text(state))
            assert text.moment(state)
    assert {phase: len(found) for phase, found in names.items()} == {BID: 1, 1: 1, GIVE: 1, 3: 1, PLAY: 2}


def test_a_table_as_text():
    env = table(*HANDS, episode="game", variant="askov")
    step(env, "2D 3D 4C 5D pass pass pass pass 3C")
    assert render.ansi(GAME, env.states[0], 2).splitlines()[:5] == [
        "Minnesota Whist  4 players in two sides · high: 2 a trick, defence 1 · solos · game to 15, deal 1",
        "  seat 0  side 0 partner  ▒▒ 2  2♦  showed 2D",
        "  seat 1  side 1 leader   ▒ 1  3♦  showed 3D",
        "> seat 2  side 0 granded  4♣  4♦  4♥  3 cards  showed 4C",
        "  seat 3  side 1 dealer   ▒▒▒ 3",
    ]
    assert render.ansi(GAME, env.states[0], 2).splitlines()[5:] == [
        "  table   1:3♣ holds",
        "          tricks  score  stars",
        "  side 0       0      0      0",
        "  side 1       0      0      0",
        "  high hand: seat 2 is to play to 3C",
    ]


@pytest.mark.parametrize(("variant", "options"), SETTINGS[1:5])
def test_pictures_are_drawn_at_every_stage(variant, options):
    states, _ = random_states(1, variant, GAME, **options)
    for state in (states[2], states[7], states[-2], states[-1]):
        for seat in (None, 3):
            assert render.rgb_array(GAME, state, seat).shape == (880, 1280, 3)
