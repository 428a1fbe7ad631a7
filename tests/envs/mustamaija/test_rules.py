"""The rules page of Mustamaija, one test a rule, named by its id."""

import numpy as np
import pytest

from tests.envs.mustamaija.table import Table, cards
from tromf.envs import BatchEnv
from tromf.envs.cards import FRENCH
from tromf.evaluate.helmets import golden_helmets

THIRD = 1 / 3


# ------------------------------------------------------------------ a combat


@pytest.mark.parametrize("dealer", range(4))
def test_MM_1_first_attacker_is_left_of_the_dealer(dealer):
    table = Table("2C 2H", "3C 3H", "4C 4H", "5C QS", dealer=dealer)
    assert (table.actor, table.attacker, table.defender) == ((dealer + 1) % 4, (dealer + 1) % 4, (dealer + 2) % 4)


def test_MM_A_attack_is_one_suit_and_then_done():
    table = Table("5H 9H 7C", "2C 3C QS")
    assert table.legal == {"lay 5H", "lay 9H", "lay 7C"}
    table.play("lay 5H")
    assert table.legal == {"lay 9H", "done"}
    assert table.hand(0) == {"9H", "7C"}
    table.play("lay 9H", "done")
    assert table.attack == {"5H", "9H"}
    assert table.actor == 1


def test_MM_A_mustamaija_counts_as_a_spade():
    table = Table("5S QS 7C", "2C 3C 4C").play("lay 5S")
    assert table.legal == {"lay QS", "done"}


def test_MM_A1_no_more_cards_than_the_defender_holds_when_the_stock_is_empty():
    table = Table("2C 9C TC", "3C 4C 5C", "6H 7H QS", trump="diamonds").play("lay 2C", "done", "take")
    assert (table.attacker, table.defender, len(table.hand(0))) == (2, 0, 2)
    table = Table("2C 9C", "3C 4C", "6H 7H", "8H QS").play("lay 2C", "done", "take")
    assert (table.attacker, table.defender) == (2, 3)
    table.play("lay 6H", "done", "take")
    assert (table.attacker, table.defender, len(table.hand(1))) == (0, 1, 3)
    # seat 2 attacks seat 0, who holds one card less: three hearts, but only two may be laid
    table = Table("2C 9C TC", "3C 4C QS", "6H 7H 8H").play("lay 2C", "done", "take", "lay 6H", "lay 7H")
    assert table.legal == {"done"}


def test_MM_A1_no_limit_while_the_stock_lasts():
    table = Table("6H 7H 8H", "3C 4C 5C", stock="QS").play("lay 6H", "lay 7H")
    assert "lay 8H" in table.legal


def test_MM_A1_attack_limit_binds_attacks_begun_while_the_stock_lasts():
    table = Table("6H 7H 8H", "3C 4C 5C", stock="QS", attack_limit=2).play("lay 6H", "lay 7H")
    assert table.legal == {"done"}
    table = Table("6H 7H 8H", "3C 4C QS", attack_limit=2).play("lay 6H", "lay 7H")
    assert table.legal == {"lay 8H", "done"}


def test_MM_A2_ascending_and_done_is_asked_for_even_alone():
    table = Table("5H 9H KH", "2C 3C QS").play("lay 9H")
    assert table.legal == {"lay KH", "done"}
    table.play("lay KH")
    assert table.legal == {"done"}


# ------------------------------------------------------------------ trumps


def turned(stock, **options):
    """Two players with two cards each, trumps turned from a given stock."""
    return Table("5H 6H", "7C 8C", stock=stock, trump="turned", **options)


def test_MM_T_trump_is_turned_after_the_first_attack_and_before_the_attacker_draws():
    table = turned("9D TC JC QS").play("lay 5H")
    assert table.trump is None
    table.play("done")
    assert table.trump == "D"
    assert table.hand(0) == {"6H", "TC"}
    assert table.stock == "JC QS 9D"
    table.play("take", "lay 6H", "done")  # only in the first attack: JC is drawn, not turned
    assert table.trump == "D"
    assert table.hand(0) == {"TC", "JC"}


def test_MM_T1_turned_spade_goes_into_the_middle_of_the_rest():
    table = turned("3S 9D TC JC QS KC").play("lay 5H", "done")  # five cards remain: two above the spade
    assert table.trump == "D"
    assert table.hand(0) == {"6H", "TC"}
    assert table.stock == "3S JC QS KC 9D"
    assert table.seen == {"3S": 0, "9D": 4}


def test_MM_T1_turned_spade_is_known_in_the_hand_that_draws_it():
    table = turned("3S 9D TC JC QS KC").play("lay 5H", "done", "take", "lay 6H", "done")
    assert "3S" in table.hand(0)
    assert table.known(0) == {"3S"}
    assert table.seen == {"9D": 3}


def test_MM_T2_trump_card_lies_face_up_under_the_stock_and_is_drawn_last():
    table = turned("9D QS").play("lay 5H", "done")
    assert table.stock == "9D"
    assert table.seen == {"9D": 0}
    assert table.hand(0) == {"6H", "QS"}
    table.play("take", "lay 6H", "done")
    assert table.stock == ""
    assert table.known(0) == {"9D"}


def test_MM_T3_spade_that_comes_up_again_stays_and_the_topmost_other_card_is_turned():
    # 3S, 4S and 5S are turned and put into the middle; then 3S comes up again
    table = Table("5H 6H", "7C QS", stock="3S 4S 5S 6S 9D TD", trump="turned").play("lay 5H", "done")
    assert table.trump == "D"
    assert table.known(0) == {"3S"}
    assert table.stock == "4S 5S 6S TD 9D"
    assert table.seen == {"4S": 0, "5S": 1, "9D": 4}  # 6S was passed over unseen


# ------------------------------------------------------------------ drawing


def test_MM_R_attacker_draws_up_to_the_hand_size():
    table = Table("5H 6H 9C", "7C 8C 2D", stock="3C 4C QS").play("lay 5H", "lay 6H", "done")
    assert table.hand(0) == {"9C", "3C", "4C"}
    assert table.stock == "QS"
    table.play("take", "take")
    assert table.hand(1) == {"7C", "8C", "2D", "5H", "6H"}  # who holds more keeps them, and does not draw
    assert table.stock == "QS"


def test_MM_R_draws_what_there_is():
    table = Table("5H 6H 9C", "7C 8C 2D", stock="QS").play("lay 5H", "lay 6H", "done")
    assert table.hand(0) == {"9C", "QS"}


def test_MM_R_seat_without_cards_after_drawing_is_out():
    table = Table("5H", "6H", "QS").play("lay 5H", "done")
    assert table.state["place"].tolist()[:3] == [1, 0, 0]
    assert not table.over


# ------------------------------------------------------------------ defence


def test_MM_D_every_card_of_the_attack_is_answered_by_one_action():
    table = Table("5H 9H 2C", "6H TH QS").play("lay 5H", "lay 9H", "done")
    assert (table.actor, table.legal) == (1, {"beat 6H", "beat TH", "take"})
    table.play("beat 6H")
    assert (table.actor, table.legal) == (1, {"beat TH", "take"})
    table.play("beat TH")
    assert table.attack == set()


def test_MM_D1_a_card_taken_is_not_in_the_hand_before_the_resolution():
    table = Table("5D 9H 2C", "6H TC QS", trump="diamonds")
    table.play("lay 9H", "done", "take")
    assert table.hand(1) == {"6H", "TC", "QS", "9H"}
    table = Table("5H 9H 2C", "6D TC QS").play("lay 5H", "lay 9H", "done", "take")
    assert table.hand(1) == {"6D", "TC", "QS"}
    assert table.legal == {"beat 6D", "take"}


def test_MM_D2_higher_card_of_the_suit_beats():
    table = Table("9H 2C 3C", "8H TH TC", stock="QS").play("lay 9H", "done")
    assert table.legal == {"beat TH", "take"}


def test_MM_D2_trump_beats_plain_suit():
    table = Table("9H 2C 3C", "2D TC QS").play("lay 9H", "done")
    assert table.legal == {"beat 2D", "take"}


def test_MM_D2_only_higher_trump_beats_trump():
    table = Table("9D 2C 3C", "8D TD AH", stock="QS").play("lay 9D", "done")
    assert table.legal == {"beat TD", "take"}


def test_MM_D3_a_card_beats_one_card_only():
    table = Table("5H 6H 2C", "AH TC QS").play("lay 5H", "lay 6H", "done", "beat AH")
    assert table.legal == {"take"}


def test_MM_D4_mustamaija_beats_nothing():
    table = Table("5S 2C 3C", "QS KS TC").play("lay 5S", "done")
    assert table.legal == {"beat KS", "take"}


def test_MM_D4_nothing_beats_mustamaija():
    table = Table("QS 2C 3C", "KS AS AD").play("lay QS", "done")
    assert table.legal == {"take"}


def test_MM_D5_there_is_no_obligation_to_beat():
    table = Table("5H 2C 3C", "6H 7H QS").play("lay 5H", "done")
    assert "take" in table.legal
    table.play("take")
    assert table.hand(1) == {"5H", "6H", "7H", "QS"}


# ------------------------------------------------------------------ resolution, next attacker, end


def test_MM_S_beaten_cards_leave_and_cards_taken_are_known():
    table = Table("5H 9H 2C", "6H TC QS", stock="3D 4D 7D 8D").play("lay 5H", "lay 9H", "done", "beat 6H")
    assert table.gone == set()
    table.play("take")
    assert table.gone == {"5H", "6H"}
    assert table.known(1) == {"9H"}
    assert table.hand(1) == {"TC", "QS", "9H"}
    assert table.hand(0) == {"2C", "3D", "4D"}


def test_MM_S_the_defender_draws_after_taking():
    table = Table("5H 9H 2C", "6H TH QS", stock="3D 4D 7D 8D 9D").play("lay 5H", "lay 9H", "done", "beat 6H", "beat TH")
    assert table.hand(1) == {"QS", "7D", "8D"}
    assert table.stock == "9D"


def test_MM_S_defender_without_cards_is_out():
    table = Table("5H 2C", "6H 3C", "QS 4C").play("lay 5H", "done", "beat 6H", "lay 3C", "done", "beat 4C")
    table.play("lay QS", "done")
    assert table.over
    table = Table("5H 9H", "6H TH", "QS 4C").play("lay 5H", "lay 9H", "done", "beat 6H", "beat TH")
    assert table.state["place"].tolist()[:3] == [1, 2, 0]


def test_MM_N_combats_follow_one_another_clockwise():
    table = Table("5H 2C", "6H 3C", "7H QS", stock="8C 9C TC JC").play("lay 5H", "done", "beat 6H", "lay 3C", "done", "take")
    assert (table.actor, table.attacker, table.defender) == (0, 0, 1)
    assert table.attack == set()


def test_MM_N1_who_took_nothing_attacks_next():
    table = Table("5H 2C", "6H 3C", "7H QS").play("lay 5H", "done", "beat 6H")
    assert (table.attacker, table.defender) == (1, 2)


def test_MM_N2_who_took_any_card_loses_the_turn():
    table = Table("5H 9H", "6H 3C", "7H QS", stock="2C 3D 4D").play("lay 5H", "lay 9H", "done", "beat 6H", "take")
    assert (table.attacker, table.defender) == (2, 0)


def test_MM_N3_seats_without_cards_are_passed_over():
    table = Table("5H", "6H", "7H", "QS").play("lay 5H", "done")  # seat 0 is out
    table.play("take", "lay 7H", "done", "take")  # seat 1 took: seat 2 attacks and is out; seat 3 took: seat 1, not 0, attacks
    assert (table.attacker, table.defender) == (1, 3)


def test_MM_E_deal_ends_before_a_defence_that_cannot_change_who_loses():
    table = Table("5H", "QS").play("lay 5H", "done")
    assert table.over
    assert not table.truncated
    assert table.returns == [1, -1]


def test_MM_E_last_seat_must_take_mustamaija_from_the_table():
    table = Table("QS", "AD").play("lay QS", "done")
    assert table.over
    assert table.returns == [1, -1]


def test_MM_E_deal_ends_after_the_resolution():
    table = Table("5H QS", "6H 7D").play("lay 5H", "done", "beat 6H", "lay 7D", "done")
    assert table.over
    assert table.returns == [-1, 1]


def test_MM_E_attacker_goes_out_before_the_defender():
    table = Table("5H", "6H", "QS", scoring="placing").play("lay 5H", "done", "beat 6H")
    assert table.over
    assert table.returns == [1, 0, -1]


# ------------------------------------------------------------------ truncation


def test_MM_X_holder_of_mustamaija_loses():
    table = Table("5H 9H", "6H QS", stock="2C 3C 4C", max_decisions=2).play("lay 5H", "done")
    assert table.truncated
    assert table.returns == [1, -1]


def test_MM_X_defender_loses_while_she_lies_on_the_table():
    laying = Table("QS 9H", "6H 7H", stock="2C 3C 4C", max_decisions=1).play("lay QS")
    assert laying.truncated
    assert laying.returns == [1, -1]
    choosing = Table("QS 9H", "6H 7H", stock="2C 3C 4C", max_decisions=3, misplay_penalty=True).play("lay QS", "lay 9H", "done")
    assert choosing.truncated
    assert choosing.returns == [1, -1]
    taken = Table("QS KS", "6H 7H", stock="2C 3C 4C", max_decisions=4).play("lay QS", "lay KS", "done", "take")
    assert taken.returns == [1, -1]


def test_MM_X_returns_are_zero_while_she_lies_in_the_stock():
    table = Table("5H 9H", "6H 7H", stock="2C 3C 4C QS", max_decisions=1).play("lay 5H")
    assert table.truncated
    assert table.returns == [0, 0]


# ------------------------------------------------------------------ other trumps


def test_MM_V1_diamonds_are_trumps_from_the_start_and_nothing_is_turned():
    table = Table("5H 6H", "2D 8C", stock="9C QS", trump="diamonds")
    assert table.trump == "D"
    table.play("lay 5H", "done")
    assert table.seen == {}
    assert table.legal == {"beat 2D", "take"}


def test_MM_V2_king_and_queen_declare_trumps():
    table = Table("QH KH 5C", "KC QD QS", trump="declared", stock="2C 3C")
    assert table.trump is None
    assert table.legal == {"lay QH", "lay KH", "lay 5C", "declare H"}
    table.play("declare H")
    assert table.trump == "H"
    assert (table.actor, table.legal) == (0, {"lay QH", "lay KH", "lay 5C"})
    assert table.known(0) == {"QH", "KH"}


def test_MM_V2_at_every_decision_of_ones_own():
    table = Table("5C 6C QH", "KD QD QS", trump="declared", stock="2C 3C").play("lay 5C", "done")
    assert table.legal == {"take", "declare D"}
    table.play("declare D")
    assert table.legal == {"beat QD", "beat KD", "take"}


def test_MM_V2_either_card_declares_and_with_both_the_king_is_shown():
    table = Table("QH KH 5C", "KC 2D QS", trump="declared", declare_with="either", stock="2C 3C 4C").play("declare H")
    assert table.known(0) == {"KH"}
    table = Table("QH 6H 5C", "KC 2D QS", trump="declared", declare_with="either", stock="2C 3C 4C")
    table.play("lay 5C", "done")
    assert table.legal == {"beat KC", "take", "declare C"}
    table.play("declare C")
    assert table.known(1) == {"KC"}


def test_MM_V2_spades_cannot_be_declared_and_the_first_declaration_holds():
    table = Table("KH QH 5C", "KC QC 3D", "KS QS 2D", trump="declared", stock="2C 3C").play("declare H", "lay 5C", "done")
    assert table.legal == {"beat QC", "beat KC", "take"}
    table = Table("KS QS 5C", "KC QC 3D", trump="declared", stock="2C 3C")
    assert table.legal == {"lay KS", "lay QS", "lay 5C"}


# ------------------------------------------------------------------ house rules


def test_MM_H1_defender_is_quicker_and_the_defence_begins():
    table = Table("5H 9C 8C", "7C 8D QS", stock="6H 3C", follow_up=True, slap_probability=1).play("lay 5H", "done")
    assert (table.actor, table.legal) == (1, {"beat 8D", "take"})


def test_MM_H1_attacker_is_quicker_and_may_add_cards_of_the_suit():
    table = Table("5H 9C 9H", "7C 8D QS", stock="2H 6H 3C", follow_up=True, slap_probability=0).play("lay 5H", "done")
    assert (table.actor, table.legal) == (0, {"lay 2H", "lay 9H", "done"})
    table.play("lay 9H")  # ascending among those added
    assert table.legal == {"done"}
    table.play("done")  # draws 6H, and there is another race
    assert (table.actor, table.legal) == (0, {"lay 2H", "lay 6H", "done"})
    table.play("done")  # added nothing: the defence begins
    assert table.attack == {"5H", "9H"}
    assert table.actor == 1


def test_MM_H1_no_race_without_a_drawn_card():
    table = Table("5H 9H", "7C QS", follow_up=True, slap_probability=0).play("lay 5H", "done")
    assert table.actor == 1


def test_MM_H1_the_limit_counts_the_whole_attack():
    table = Table("5H 9H", "7C QS", stock="6H 7H", follow_up=True, slap_probability=0, attack_limit=2).play("lay 5H", "done", "lay 6H")
    assert table.legal == {"done"}


def test_MM_H1_chance_decides_as_often_as_the_option_says():
    env = BatchEnv("mustamaija", 4000, follow_up=True, slap_probability=0.25)
    env.reset(5)
    env.step(np.array([int(mask).bit_length() - 1 for mask in env.masks]))
    env.step(np.full(4000, 52))
    quicker = (env.seats == env.states["defender"]).mean()
    assert abs(quicker - 0.25) < 0.03


def test_MM_H2_two_suits_may_be_laid_and_the_victim_keeps_one():
    table = Table("5H 9H 2C 3D", "7C 8D QS 4C", stock="2H", misplay_penalty=True).play("lay 5H")
    assert table.legal == {"lay 9H", "lay 2C", "lay 3D", "done"}
    table.play("lay 2C")  # the second suit after the first, and no third
    assert table.legal == {"done"}
    table.play("done")
    assert (table.actor, table.legal) == (1, {"keep C", "keep H"})
    table.play("keep C")
    assert table.attack == {"2C"}
    assert table.hand(0) == {"5H", "9H", "3D", "2H"}  # returned before the attacker draws
    assert table.known(0) == {"5H"}
    assert table.legal == {"beat 7C", "beat 4C", "beat 8D", "take"}


def test_MM_H2_more_cards_than_the_defender_holds_are_returned_in_ascending_order():
    table = Table("2C 9C TC", "3C 4C QS", "6H 7H 8H", misplay_penalty=True)
    table.play("lay 2C", "done", "take", "lay 6H", "lay 7H", "lay 8H", "done")  # seat 0 holds two cards
    assert (table.actor, table.legal) == (0, {"return 6H", "return 7H", "return 8H"})
    table.play("return 7H")
    assert table.attack == {"6H", "8H"}
    assert table.hand(2) == {"7H"}
    assert table.known(2) == {"7H"}
    assert table.legal == {"take"}


def test_MM_H2_enough_higher_cards_are_left_for_the_returns_still_due():
    table = Table("2C 3C 9C", "4C 5C QS", "6H 7H 8H", misplay_penalty=True)
    table.play("lay 2C", "lay 3C", "done", "take", "take", "lay 6H", "lay 7H", "lay 8H", "done")  # seat 0 holds one card
    assert table.legal == {"return 6H", "return 7H"}
    table.play("return 7H")
    assert table.legal == {"return 8H"}


def test_MM_H2_attack_limit_binds_while_the_stock_lasts():
    table = Table("5H 9H 2C", "7C 8D QS", stock="2H", misplay_penalty=True, attack_limit=2).play("lay 5H", "lay 2C")
    assert table.legal == {"done"}


# ------------------------------------------------------------------ returns


def end_of(scoring, **options):
    """Seat 0 is out first, then seat 1; seat 3 loses."""
    return Table("5H", "6H", "7H", "QS", scoring=scoring, **options).play("lay 5H", "done", "beat 6H", "lay 7H", "done")


def test_MM_P_loser_pays_everybody():
    assert end_of("loser").returns == [THIRD, THIRD, THIRD, -1]


def test_MM_P_winner_is_paid_by_everybody():
    assert end_of("winner").returns == [1, -THIRD, -THIRD, -THIRD]


def test_MM_P_placing_pays_by_the_order_of_going_out():
    assert end_of("placing").returns == pytest.approx([1, THIRD, -THIRD, -1])


@pytest.mark.parametrize(
    ("scoring", "expected"),
    [
        ("loser", [THIRD, THIRD, THIRD, -1]),
        ("winner", [1, -THIRD, -THIRD, -THIRD]),
        ("placing", [1, 0, 0, -1]),  # seats 1 and 2 share the mean of the second and the third place
    ],
)
def test_MM_P_after_truncation(scoring, expected):
    table = Table("5H", "6H", "7H", "QS", scoring=scoring, max_decisions=2).play("lay 5H", "done")
    assert table.truncated
    assert table.returns == pytest.approx(expected)


def test_MM_P_winner_scores_nothing_when_nobody_is_out_at_truncation():
    assert Table("5H 2C", "6H QS", scoring="winner", max_decisions=1).play("lay 5H").returns == [0, 0]


def test_MM_G_three_losses_in_a_row_make_a_golden_helmet():
    series = [[True, False], [True, False], [True, False], [False, True], [True, False], [True, False]]
    assert golden_helmets(np.array(series)).tolist() == [1, 0]


# ------------------------------------------------------------------ common to all games


def test_C_1_seats_are_clockwise():
    table = Table("2C 2H", "3C 3H", "4C QS", dealer=1)
    assert (table.attacker, table.defender) == (2, 0)


def test_C_2_cards_are_rank_then_suit_and_numbered_by_suit():
    assert [FRENCH.number(text) for text in ("2C", "AC", "2D", "TD", "QS", "AS")] == [0, 12, 13, 21, 49, 51]
    assert FRENCH.texts[49] == "QS"


def test_C_3_deck_and_dealer_determine_the_deal():
    deck = FRENCH.texts[::-1]
    for seed in (1, 2):
        table = BatchEnv("mustamaija", 1)
        table.reset(seed, [deck], 2)
        assert cards(table.states["hand"][0][3]) == {deck[k] for k in (0, 4, 8, 12, 16)}
        assert int(table.seats[0]) == 3
        assert table.states["deck"][0].tolist() == [FRENCH.number(card) for card in deck]


def test_C_3_the_seed_draws_deck_and_dealer():
    env = BatchEnv("mustamaija", 3)
    env.reset([7, 7, 8])
    assert (env.states["deck"][0] == env.states["deck"][1]).all()
    assert (env.states["deck"][0] != env.states["deck"][2]).any()
    env = BatchEnv("mustamaija", 200)
    env.reset(1)
    assert set(env.states["dealer"].tolist()) == {0, 1, 2, 3}


@pytest.mark.parametrize(
    ("deck", "message"),
    [
        (["QS", *FRENCH.texts[1:]], r"doubled: QS; missing: 2C"),
        (FRENCH.texts[:-1], r"missing: AS"),
    ],
)
def test_C_3_a_deck_that_is_no_permutation_is_refused(deck, message):
    env = BatchEnv("mustamaija", 1)
    with pytest.raises(ValueError, match=message):
        env.reset(0, [deck])


def test_C_3_foreign_cards_and_dealers_are_refused():
    env = BatchEnv("mustamaija", 1, hand_size=2, pack="9")
    with pytest.raises(ValueError, match=r"foreign: 2C"):
        env.reset(0, [["2C", *(text for text in FRENCH.texts if text[0] in "9TJQKA")]])
    with pytest.raises(ValueError, match=r"dealer 4 is no seat"):
        env.reset(0, dealers=4)


def test_C_4_dealt_one_at_a_time_clockwise_and_the_rest_is_the_stock():
    deck = [text for text in FRENCH.texts if text[0] in "9TJQKA"]
    env = BatchEnv("mustamaija", 1, players=3, hand_size=2, pack="9")
    env.reset(0, [deck], 0)
    assert [set(FRENCH.text(env.states["hand"][0][seat]).split()) for seat in (1, 2, 0)] == [{deck[k], deck[k + 3]} for k in range(3)]
    state = env.states[0]
    assert [FRENCH.texts[card] for card in state["deck"][state["top"] : state["size"]]] == deck[6:]


def test_C_4_the_middle_of_an_even_and_an_odd_pile():
    odd = Table("5H 6H", "7C 8C", stock="3S 9D TC JC QS KC", trump="turned").play("lay 5H", "done")  # five cards: two above
    assert odd.seen["3S"] == 0  # 9D, one of the two, went under the stock, and TC was drawn
    even = Table("5H 6H", "7C 8C", stock="3S 9D TC JC QS", trump="turned").play("lay 5H", "done")  # four cards: two above
    assert even.seen["3S"] == 0
    assert even.stock == "3S JC QS 9D"


def test_C_5_a_single_legal_action_is_asked_for_unless_skipped():
    table = Table("5H 9C", "6H QS").play("lay 5H")
    assert table.legal == {"done"}
    env = BatchEnv("mustamaija", 1, skip_forced=True, players=2, hand_size=2, trump="diamonds", pack=["5H", "9C", "6H", "QS"])
    env.reset(0, [["5H", "6H", "9C", "QS"]], 1)
    env.step([FRENCH.number("5H")])
    assert int(env.seats[0]) == 1


def test_C_6_returns_are_zero_before_the_end_and_an_end_by_the_rules_goes_before_the_limit():
    table = Table("5H", "QS", max_decisions=2).play("lay 5H")
    assert table.returns == [0, 0]
    table.play("done")
    assert table.over
    assert not table.truncated
    assert sum(table.returns) == 0


def test_C_7_a_card_picked_up_is_known_until_it_is_played():
    table = Table("5H 2C 3C", "7C 8C QS", "2H 3H 4H", stock="9C TC JC").play("lay 5H", "done", "take")
    assert table.known(1) == {"5H"}
    table.play("lay 2H", "done", "take", "lay 5H")
    assert table.actor == 1
    assert table.known(1) == set()


def test_C_8_options_beside_a_variant_override_it():
    game = BatchEnv("mustamaija", 1).game
    values = game.values("house", attack_limit=3)
    assert (values["attack_limit"], values["follow_up"], values["misplay_penalty"]) == (3, True, True)
    with pytest.raises(ValueError, match="no option 'attak_limit'"):
        game.values(attak_limit=3)
    with pytest.raises(ValueError, match="slap_probability"):  # validated, though without follow_up it is not used
        game.values(slap_probability=2)


def test_C_9_a_reduced_pack_is_a_rank_a_list_or_everything():
    game = BatchEnv("mustamaija", 1).game
    assert int(game.record(game.values(pack=list(FRENCH.texts)))["pack"]) == int(game.record(game.values())["pack"])
    assert len(FRENCH.members(game.record(game.values(players=2, hand_size=2, pack="9"))["pack"])) == 24
    with pytest.raises(ValueError, match="lacks QS"):
        game.values(pack="K", hand_size=1, players=2, trump="diamonds")
    with pytest.raises(ValueError, match="more cards in the stock"):
        game.values(pack="9", players=6, hand_size=3)
    with pytest.raises(ValueError, match="need 30 cards, and the pack has 24"):
        game.values(pack="9", players=6, hand_size=5, trump="diamonds")
    with pytest.raises(ValueError, match="hand_size"):
        game.values(hand_size=4, pack=list(FRENCH.texts))  # all cards named: the whole pack
