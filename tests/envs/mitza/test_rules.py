"""The rules page of Mîța and 101, named by its ids. Every table plays on the compiled rules and on the plain reference."""

import copy

import numpy as np
import pytest

from tests.envs.mitza.table import Table, a_deck, cards
from tromf.envs import BatchEnv, aec, registry
from tromf.envs.mitza.observation import ROLE_BITS
from tromf.envs.mitza.options import PACK
from tromf.envs.mitza.outcome import outcome

GAME, _ = registry.find("mitza")
ROLES = [row.name for row in GAME.rows].index("roles")


def set_of(texts):
    return set(texts.split())


# ------------------------------------------------------------------ the deal


@pytest.mark.parametrize("dealer", range(4))
def test_MZ_1_three_cards_each_and_the_next_card_makes_trumps(dealer):
    hands = ("7C 8C 9C", "7D 8D 9D", "7H 8H 9H", "7S 8S 9S")
    table = Table(*hands, turned="JD", stock="AS KS", dealer=dealer)
    assert [table.hand(seat) for seat in range(4)] == [set_of(hand) for hand in hands]
    assert table.trump == "D"
    assert table.stock.startswith("AS KS ")
    assert table.stock.endswith(" JD")
    assert len(table.stock.split()) == 20


def test_MZ_1_the_turned_card_is_drawn_last():
    table = Table("7C 9S TS", "8C 9C TC", turned="JD", stock="AS 7S KS", whole=False).play("7C 8C")
    assert (table.hand(1), table.hand(0)) == (set_of("9C TC AS"), set_of("9S TS 7S"))
    table.play("9C 7S")
    assert table.stock == ""
    assert (table.hand(0), table.known(0), table.known(1)) == (set_of("9S TS JD"), {"JD"}, set())


@pytest.mark.parametrize(("players", "size", "stock"), [(2, 32, 26), (4, 32, 20), (6, 30, 12)])
def test_MZ_1_cards_and_stock_of_a_whole_pack(players, size, stock):
    env = BatchEnv("101", 1, players=players)
    env.reset(0)
    assert (env.states["size"][0], env.states["stock_size"][0]) == (size, stock)


@pytest.mark.parametrize(
    ("stock", "checked"),
    [
        ("7S 8H 9S JS TS", "7S 8H 9S JS TS"),
        ("7H 8S 9S JS TS", "8S 9S 7H JS TS"),
        ("7S 8S 9S JS TH", "7S 8S TH 9S JS"),
        ("7H 8S 9S JS TH", "8S 9S TH 7H JS"),
        ("7H 8H 9S JS TS", "8H 9S 7H JS TS"),  # once each: the trump that lies on top now stays
        ("7S 8S 9S JH TH", "7S 8S TH 9S JH"),
        ("7H 8S TH", "8S TH 7H"),
        ("7H", "7H"),
    ],
)
def test_MZ_2_a_trump_at_an_end_of_the_stock_goes_into_the_middle_of_the_rest(stock, checked):
    hands = ("7C 8C 9C", "7D 8D 9D")
    assert Table(*hands, turned="AH", stock=stock, whole=False, check_stock=True).stock == f"{checked} AH"
    assert Table(*hands, turned="AH", stock=stock, whole=False).stock == f"{stock} AH"


def test_MZ_2_nobody_learns_whether_a_card_was_moved():
    hands = ("7C 8C 9C", "7D 8D 9D")
    moved, plain = (
        Table(*hands, turned="AH", stock=stock, whole=False, check_stock=True) for stock in ("7H 8S 9S JS TH", "8S 9S 7H JS TH")
    )
    for seat in range(2):
        assert moved.seen(seat) == plain.seen(seat)


# ------------------------------------------------------------------ the exchange


def test_MZ_3_worked_example_the_jack_of_hearts_for_the_seven():
    table = Table("8S 9S TS", "7H 8C 9C", turned="JH", exchange=True)
    assert (table.actor, table.legal) == (1, {"exchange", "keep"})
    table.play("exchange")
    assert (table.hand(1), table.known(1)) == (set_of("8C 9C JH"), {"JH"})
    assert table.stock.split()[-1] == "7H"
    assert (table.actor, table.legal, table.trump) == (0, set_of("8S 9S TS"), "H")


@pytest.mark.parametrize("holder", range(4))
@pytest.mark.parametrize("answer", ["exchange", "keep"])
def test_MZ_3_whoever_holds_the_seven_is_asked_once_before_the_first_trick(holder, answer):
    hands = ["7C 8C 9C", "7D 8D 9D", "8H 9H TH", "7S 8S 9S"]
    hands[holder] = "7H " + hands[holder][3:]
    table = Table(*hands, turned="JH", exchange=True, dealer=1)
    assert (table.actor, table.leader) == (holder, 2)
    table.play(answer)
    assert table.actor == 2
    assert table.legal == table.hand(2)
    assert ("7H" in table.hand(holder)) == (answer == "keep")


def test_MZ_3_the_seven_lies_in_the_place_of_the_turned_card_and_is_drawn_last():
    table = Table("8S 9S TS", "7H 8C 9C", turned="JH", stock="7D", whole=False, exchange=True).play("exchange", "8S", "8C")
    assert table.hand(0) == set_of("9S TS 7D")
    assert (table.hand(1), table.known(1), table.stock) == (set_of("9C JH 7H"), set_of("JH 7H"), "")


def test_MZ_3_the_card_taken_is_known_until_it_is_played():
    table = Table("8S 9S TS", "7H 8C 9C", turned="JH", exchange=True).play("exchange 8S")
    assert table.known(1) == {"JH"}
    assert table.play("JH").known(1) == set()


def test_MZ_3_keep_is_as_if_nobody_had_been_asked():
    nobody = Table("8S 9S TS", "AD 8C 9C", turned="JH", exchange=True)
    asked = Table("8S 9S TS", "7H 8C 9C", turned="JH", exchange=True)
    assert asked.actor == 1
    assert asked.seen(0) == nobody.seen(0)
    assert asked.play("keep").seen(0) == nobody.seen(0)
    assert asked.play("8S").seen(0) == nobody.play("8S").seen(0)


def test_MZ_3_masks_of_the_others_are_empty_while_one_is_asked():
    env = aec.raw_env("101", players=4)
    deck = a_deck("7C 8C 9C", "7D 8D 9D", "7H 8H 9H", "7S 8S 9S", turned="JH")
    env.reset(seed=0, options={"deck": deck, "dealer": 3})
    assert env.agent_selection == "player_2"
    masks = {agent: np.flatnonzero(env.observe(agent)["action_mask"]).tolist() for agent in env.agents}
    assert masks == {"player_0": [], "player_1": [], "player_2": [34, 35], "player_3": []}


def test_MZ_3_the_seat_knows_that_it_kept_as_long_as_it_holds_the_seven():
    kept = [part == "kept" for part, width in ROLE_BITS.items() for _ in range(width)].index(True)

    def knows(table):
        return [table.seen(seat)[ROLES] >> kept & 1 for seat in range(2)]

    table = Table("8S 9S TS", "7H 8C 9C", turned="JH", exchange=True)
    assert knows(table) == [0, 0]
    assert knows(table.play("keep 8S 8C 9S")) == [0, 1]
    assert knows(table.play("7H")) == [0, 0]
    drawn = Table("8S 9S TS", "TD 8C 9C", turned="JH", stock="AD 7H", exchange=True).play("8S 8C")
    assert "7H" in drawn.hand(1)
    assert knows(drawn) == [0, 0]


@pytest.mark.parametrize(
    "table",
    [
        lambda: Table("8S 9S TS", "8C 9C TC", turned="7H", exchange=True),  # turned
        lambda: Table("8S 9S TS", "8C 9C TC", turned="JH", stock="7H", exchange=True),  # in the stock
        lambda: Table("7H 9S TS", "8C 9C TC", turned="JH", exchange=False),  # the option is off
        lambda: Table("8H 9S TS", "8C 9C TC", turned="JH", stock="TH", whole=False, exchange=True),  # not in the pack
        lambda: Table("7S 9S TS", "7D 9C TC", turned="JH", exchange=True),  # other sevens are none
    ],
)
def test_MZ_3_otherwise_nobody_is_asked(table):
    table = table()
    assert (table.actor, table.legal) == (0, table.hand(0))


def test_MZ_3_who_draws_the_seven_is_not_asked():
    table = Table("8S 9S TS", "8C 9C TC", turned="JH", stock="7H", exchange=True).play("8S 8C")
    assert "7H" in table.hand(0)
    assert table.legal == table.hand(0)


# ------------------------------------------------------------------ tricks


@pytest.mark.parametrize(
    ("trick", "winner"),
    [("8S AC QS TD", 2), ("QC TC QD 7H", 3), ("KS 8H AS TH", 3)],
)
@pytest.mark.parametrize("variant", ["mitza", "101"])
@pytest.mark.parametrize("dealer", range(4))
def test_MZ_4_worked_examples(trick, winner, dealer, variant):
    seats = [(dealer + 1 + k) % 4 for k in range(4)]
    spare = iter(["7C", "8C", "9C", "JC", "7S", "9S", "JS", "TS"])
    hands = {seat: f"{card} {next(spare)} {next(spare)}" for seat, card in zip(seats, trick.split())}
    table = Table(*(hands[seat] for seat in range(4)), turned="JH", dealer=dealer, variant=variant)
    if "keep" in table.legal:
        table.play("keep")
    for seat, card in zip(seats, trick.split()):
        assert (table.actor, table.legal) == (seat, table.hand(seat))
        table.play(card)
    assert table.leader == table.actor == seats[winner]
    assert table.won(seats[winner] % 2) == set_of(trick)
    assert table.tricks[seats[winner] % 2] == 1


def test_MZ_4_highest_trump_wins():
    assert Table("AS 7C 8C", "9H 7D 8D", "JH 7S 8S", "8H 9S JS", turned="KH").play("AS 9H JH 8H").leader == 2


def test_MZ_4_without_trumps_the_highest_card_of_the_suit_led_wins():
    assert Table("8S 7C 8C", "AC 7D 8D", "9S 7S TC", "AD 9C JS", turned="KH").play("8S AC 9S AD").leader == 2


@pytest.mark.parametrize(("low", "high"), list(zip("789JQTK", "89JQTKA")))
def test_MZ_4_the_ten_ranks_between_queen_and_king(low, high):
    assert Table(f"{low}S 7C 8C", f"{high}S 7D 8D", turned="JH").play(f"{low}S {high}S").leader == 1
    assert Table(f"{high}S 7C 8C", f"{low}S 7D 8D", turned="JH").play(f"{high}S {low}S").leader == 0
    assert Table(f"{low}H 7C 8C", f"{high}H 7D 8D", turned="7H" if low != "7" else "AH").play(f"{low}H {high}H").leader == 1


def test_MZ_4_there_is_no_duty_to_follow():
    table = Table("8S 7C 8C", "9S AH 7D", turned="JH").play("8S")
    assert table.legal == set_of("9S AH 7D")
    assert table.play("7D").leader == 0


def test_MZ_4_left_of_the_dealer_leads_and_then_the_winner():
    table = Table("7S 8S 9S", "7C 8C 9C", "7D 8D 9D", "TS JS QS", turned="JH", dealer=1)
    assert (table.actor, table.leader) == (2, 2)
    assert table.play("7D TS 7S 9C").actor == 2


# ------------------------------------------------------------------ drawing


def test_MZ_5_all_draw_one_card_clockwise_from_the_winner():
    table = Table("8S 7S 9S", "AC 7C 8C", "QS JS KS", "TD 7D 8D", turned="JH", stock="7H 8H 9H", whole=False)
    table.play("8S AC QS TD")
    assert [table.hand(seat) for seat in range(4)] == [set_of(hand) for hand in ("9H 7S 9S", "7C 8C JH", "7H JS KS", "7D 8D 8H")]
    assert [table.known(seat) for seat in range(4)] == [set(), {"JH"}, set(), set()]


@pytest.mark.parametrize("players", [2, 4, 6])
def test_MZ_5_the_stock_goes_out_evenly(players):
    env = BatchEnv("101", 20, players=players)
    env.reset(0)
    while env.masks.any():
        left = env.states["stock_size"] - env.states["top"]
        assert (left % players == 0).all()
        sizes = np.bitwise_count(env.states["hand"][:, :players])
        assert (sizes.max(axis=1) - sizes.min(axis=1) <= 1).all()
        assert (sizes.max(axis=1)[left > 0] == 3).all()
        env.step(np.array([mask.bit_length() - 1 if mask else 0 for mask in env.masks.tolist()]))


# ------------------------------------------------------------------ tromf


def last_three(*hands, turned, stock, **options):
    """A deal in which everybody draws once, and the stock is empty then."""
    return Table(*hands, turned=turned, stock=stock, whole=False, **options)


def test_MZ_6_after_tromf_all_must_play_trumps_the_partner_too_and_one_without_is_known():
    table = last_three("AH KH AC", "JS 8S 9S", "QH 7S KS", "8C 9C TC", turned="TH", stock="7D 8D 9D")
    table.play("AH")
    assert table.actor == 1  # the stock is not empty yet
    table.play("8S 7S 8C KH")
    assert (table.actor, table.legal) == (0, {"tromf", "quiet"})
    assert table.play("tromf").legal == set_of("8D 9S JS")
    table.play("9S")
    assert table.lacks == {1}
    assert (table.actor, table.legal) == (2, {"QH"})
    table.play("QH")
    assert (table.actor, table.legal) == (3, {"TH"})
    table.play("TH")
    assert (table.lacks, table.leader, table.state["called"]) == ({1}, 0, 0)


def test_MZ_6_quiet_binds_nobody():
    table = last_three("AH KH AC", "7H 8S 9S", turned="TH", stock="7D").play("AH 8S KH quiet")
    assert table.legal == set_of("7H 9S TH")
    assert table.play("9S").lacks == set()


def test_MZ_6_binds_this_trick_only():
    table = last_three("AH KH AC", "7H 8S 9S", turned="TH", stock="7D").play("AH 8S KH tromf")
    assert table.legal == set_of("7H TH")
    table.play("7H AC")
    assert table.legal == set_of("TH 9S")


def test_MZ_6_a_plain_lead_is_not_asked_about():
    table = last_three("AH KH AC", "7H 8S 9S", turned="TH", stock="7D").play("AH 8S AC")
    assert (table.actor, table.legal) == (1, set_of("7H 9S TH"))


def test_MZ_6_not_asked_before_the_stock_is_empty():
    table = last_three("AH KH AC", "7H 8S 9S", turned="TH", stock="7D 8D 9D").play("AH 8S")
    assert len(table.stock.split()) == 2
    assert table.play("KH").actor == 1


def test_MZ_6_asked_on_the_last_trick_and_when_nobody_else_has_a_trump():
    table = last_three("AH KH QH", "7C 8S 9S", turned="TH", stock="7D").play("AH 7C 7D 8S KH quiet TH QH")
    assert (table.actor, table.legal) == (0, {"tromf", "quiet"})
    table.play("tromf")
    assert table.legal == {"9S"}
    table.play("9S")
    assert (table.lacks, table.over, table.tricks) == ({1}, True, [4, 0])


def test_MZ_6_all_of_the_last_three_tricks_count():
    table = last_three("AH KH QH", "7H 8H TH", turned="9H", stock="JH").play("AH 7H")
    for lead, answer in (("KH", "8H"), ("QH", "9H"), ("JH", "TH")):
        assert table.play(lead).legal == {"tromf", "quiet"}
        table.play("tromf", answer)
    assert table.tricks == [3, 1]


def test_MZ_6_off_nobody_is_asked():
    table = last_three("AH KH AC", "7H 8S 9S", turned="TH", stock="7D", tromf=False).play("AH 8S KH")
    assert (table.actor, table.legal) == (1, set_of("7H 9S TH"))


@pytest.mark.parametrize("variant", ["mitza", "101"])
def test_MZ_6_is_the_default_in_both_accounts(variant):
    assert GAME.values(variant)["tromf"] is True


def test_MZ_6_what_is_known_ends_with_the_deal():
    cards_dealt = {"turned": "7D", "stock": "8D", "whole": False}
    hands = ("AH KH 9D", "7C 8S 9S")
    table = Table(*hands, **cards_dealt, episode="match", scoring="points", target=400, later=[a_deck(*hands, **cards_dealt)])
    table.play("AH 7C 9D tromf 7D 8D tromf 8S")
    assert table.lacks == {1}
    assert table.play("KH 9S").lacks == set()
    assert table.state["number"] == 1


# ------------------------------------------------------------------ the end of a deal


def test_MZ_7_the_deal_ends_when_all_cards_are_played():
    table = last_three("AH KH QH", "7D 8S 9S", turned="TC", stock="8D", tromf=False)
    for action in ["AH", "7D", "KH", "8S", "QH", "9S", "8D"]:
        assert not table.play(action).over
    table.play("TC")
    assert table.over
    assert (table.won(0) | table.won(1), table.legal) == (set_of("AH KH QH 7D 8S 9S TC 8D"), set())


@pytest.mark.parametrize(("rank", "points"), list(zip("789JQTKA", (0, 0, 0, 2, 3, 10, 4, 11))))
def test_MZ_8_points_of_cards(rank, points):
    lead = "8S" if rank == "7" else "7S"
    table = Table(f"{lead} 9C 8C", f"{rank}S 7D 8D", turned="JH", variant="101").play(lead, f"{rank}S")
    assert sum(table.points) == points


@pytest.mark.parametrize("players", [2, 4, 6])
def test_MZ_8_a_deal_has_120_points(players):
    env = BatchEnv("101", 50, players=players)
    env.reset(1)
    while env.masks.any():
        env.step(np.array([mask.bit_length() - 1 if mask else 0 for mask in env.masks.tolist()]))
    assert (env.states["points"].sum(axis=1) == 120).all()
    assert (env.states["tricks"].sum(axis=1) == (30 if players == 6 else 32) // players).all()


# ------------------------------------------------------------------ matches

# Eight cards, spades are trumps, and aces the only points. The eldest hand holds AC 7C 8C and draws 8S, the dealer AD 7D 8D and 7S.
TWO_ACES = ["AC", "AD", "7C", "7D", "8C", "8D", "7S", "8S"]
SHARED = "AC 8D 7C 7S AD 8C 7D 8S"  # each side wins its ace
SWEPT = "AC 8D 7C 7D 8C AD 8S quiet 7S"  # the eldest hand wins both


def a_match(target, deals=6):
    """Matches in which every deal has the same deck."""
    return Table(
        *("AC 7C 8C", "AD 7D 8D"), turned="7S", stock="8S", whole=False, scoring="points", episode="match", target=target,
        later=[TWO_ACES] * (deals - 1),
    )  # fmt: skip


def test_MZ_9_the_dealer_moves_left_and_points_add_up():
    table = a_match(target=100)
    for deal, eldest in enumerate((0, 1, 0)):
        assert (table.state["number"], table.state["dealer"], table.actor) == (deal, 1 - eldest, eldest)
        table.play(SWEPT)
    assert table.score == [44, 22]
    assert (table.tricks, table.points) == ([0, 0], [0, 0])


def test_MZ_9_a_match_ends_after_the_deal_in_which_a_side_reaches_the_target():
    assert a_match(target=22).play(SWEPT).over
    table = a_match(target=23).play(SWEPT)
    assert (table.over, table.score, table.actor) == (False, [22, 0], 1)
    assert not table.play(SWEPT).over  # 22 each
    table.play(SHARED, SWEPT)
    assert (table.over, table.score, table.returns) == (True, [33, 55], [-1, 1])


def test_MZ_9_totals_within_a_deal_do_not_count():
    table = a_match(target=11).play("AC 8D")
    assert (table.points, table.over) == ([11, 0], False)
    table = a_match(target=1).play(SWEPT[:-3])
    assert not table.over


def test_MZ_9_equal_totals_at_the_target_play_on_until_one_side_is_ahead():
    table = a_match(target=11).play(SHARED)
    assert (table.over, table.score, table.state["number"], table.actor) == (False, [11, 11], 1, 1)
    table.play(SHARED)
    assert (table.over, table.score, table.state["number"], table.actor) == (False, [22, 22], 2, 0)
    table.play(SWEPT)
    assert (table.over, table.score, table.points, table.returns) == (True, [44, 22], [22, 0], [1, -1])


def test_MZ_9_after_equal_totals_the_side_ahead_wins_whatever_the_deal_brought():
    table = a_match(target=22).play(SHARED, SHARED, SHARED)
    assert (table.over, table.score) == (False, [33, 33])
    assert table.play(SWEPT).returns == [-1, 1]


def test_MZ_9_points_are_the_sides():
    """Six players: what two partners win is one total."""
    env = BatchEnv("101", 10, players=6, episode="match", target=300)
    env.reset(2)
    while env.masks.any():
        env.step(np.array([mask.bit_length() - 1 if mask else 0 for mask in env.masks.tolist()]))
    for state, returns in zip(env.states, env.returns):
        score = state["score"].tolist()
        assert max(score) >= 300
        assert sum(score) == 120 * (int(state["number"]) + 1)
        assert returns.tolist() == ([1, -1] if score[0] > score[1] else [-1, 1]) * 3
        assert outcome(state)["winner"] == int(score[1] > score[0])
        assert outcome(state)["score"] == score


# ------------------------------------------------------------------ returns


def test_MZ_P_difference_of_tricks_over_all_tricks():
    table = last_three("AH KH QH", "7C 8S 9S", turned="TH", stock="7D").play("AH 7C 7D 8S KH quiet TH QH quiet 9S")
    assert (table.tricks, table.returns) == ([4, 0], [1, -1])
    table = last_three("AH KH QH", "7C 8S 9S", turned="TH", stock="7D").play("AH 7C 7D TH 8S KH QH quiet 9S")
    assert (table.tricks, table.returns) == ([3, 1], [0.5, -0.5])


def test_MZ_P_difference_of_points_over_all_points():
    table = last_three("AH KH QH", "7C 8S 9S", turned="TH", stock="7D", scoring="points").play("AH 7C 7D TH 8S KH QH quiet 9S")
    assert (table.points, table.returns) == ([18, 10], [8 / 28, -8 / 28])


@pytest.mark.parametrize(("variant", "players"), [("mitza", 2), ("mitza", 4), ("101", 2), ("101", 4), ("101", 6)])
def test_MZ_P_every_seat_gets_its_sides_return(variant, players):
    env = BatchEnv("mitza", 40, variant=variant, players=players)
    env.reset(3)
    while env.masks.any():
        env.step(np.array([mask.bit_length() - 1 if mask else 0 for mask in env.masks.tolist()]))
    for state, returns in zip(env.states, env.returns):
        own, other = (state["tricks"] if variant == "mitza" else state["points"]).tolist()
        total = 120 if variant == "101" else 32 // players
        assert own + other == total
        assert returns.tolist() == [(own - other) / total, (other - own) / total] * (players // 2)


def test_MZ_P_equal_sides_get_nothing():
    table = Table("AC 7C 8C", "AD 7D 8D", turned="7S", stock="8S", whole=False, scoring="points").play(SHARED)
    assert (table.over, table.points, table.returns) == (True, [11, 11], [0, 0])
    assert outcome(table.state)["winner"] is None


def test_MZ_P_a_reduced_pack_without_points_pays_nothing():
    table = Table("9C 7C 8C", "9D 7D 8D", turned="7S", stock="8S", whole=False, scoring="points")
    table.play("9C 8D 7C 7S 9D 8C 7D 8S")
    assert (table.over, table.returns) == (True, [0, 0])


def test_MZ_P_a_match_is_won_or_lost():
    assert a_match(target=22).play(SWEPT).returns == [1, -1]


# ------------------------------------------------------------------ common to all games


def test_C_1_sides_are_seats_mod_two():
    table = Table("AH KH QH", "7C 8S 9S", "7S 8C 9C", "JS TS QS", turned="TH").play("AH 7C 7S JS")
    assert table.won(0) == set_of("AH 7C 7S JS")
    assert table.won(1) == set()


def test_C_2_cards_are_numbered_by_suit_with_ranks_in_the_games_order():
    assert [PACK.number(text) for text in ("7C", "AC", "7D", "TD", "KD", "QS", "AS")] == [0, 7, 8, 13, 14, 28, 31]
    table = Table("8S 9S TS", "7H 8C 9C", turned="JH", exchange=True)
    assert [GAME.action_text(table.state, action) for action in (0, 21, 32, 33, 34, 35)] == [
        *("play 7C", "play TH", "tromf", "quiet", "exchange", "keep")
    ]


def test_C_3_deck_and_dealer_determine_the_deal():
    deck = PACK.texts[::-1]
    for seed in (1, 2):
        env = BatchEnv("mitza", 1, players=4)
        env.reset(seed, [deck], 2)
        assert cards(env.states["hand"][0][3]) == {deck[k] for k in (0, 4, 8)}
        assert int(env.seats[0]) == 3
        assert env.states["deck"][0].tolist() == [PACK.number(card) for card in deck]
        assert int(env.states["trump"][0]) == PACK.number(deck[12]) // 8


def highest(env):
    return np.array([mask.bit_length() - 1 if mask else 0 for mask in env.masks.tolist()])


def decks_played(env, deals):
    """The decks of the next deals of a match, and their dealers."""
    found = []
    while len(found) < deals:
        if int(env.states["number"][0]) == len(found):
            found.append(([PACK.texts[card] for card in env.states["deck"][0]], int(env.states["dealer"][0])))
        env.step(highest(env))
    return found


def test_C_3_the_decks_of_later_deals_are_given_or_come_from_the_seed():
    match = {"episode": "match", "target": 1000}
    env = BatchEnv("101", 1, **match)
    env.reset(5, dealers=0)
    drawn = decks_played(env, 5)
    assert len({tuple(deck) for deck, _ in drawn}) == 5
    assert [dealer for _, dealer in drawn] == [0, 1, 0, 1, 0]
    given = [list(PACK.texts), list(PACK.texts[::-1])]
    env.reset(5, [given], 0)
    assert [deck for deck, _ in decks_played(env, 5)] == [*given, *(deck for deck, _ in drawn[2:])]
    env.reset(5, [given[0]], 0)
    assert [deck for deck, _ in decks_played(env, 3)] == [given[0], *(deck for deck, _ in drawn[1:3])]
    env.reset(5, dealers=0)  # nothing given holds over resets but the options
    assert decks_played(env, 5) == drawn


def test_C_3_every_deck_given_must_be_a_permutation_of_the_pack_and_there_are_not_too_many():
    env = BatchEnv("101", 1, episode="match")
    most = GAME.later_decks + 1
    env.reset(1, [[PACK.texts] * most])
    before = env.states.tobytes()
    with pytest.raises(ValueError, match=f"{most + 1} decks given: accepted are at most {most}; those of later deals come from the seed"):
        env.reset(0, [[PACK.texts] * (most + 1)])
    with pytest.raises(ValueError, match=r"no permutation of the pack \(missing: AS\)"):
        env.reset(0, [[PACK.texts, PACK.texts[:-1]]])
    assert env.states.tobytes() == before


def test_C_3_decks_reach_the_pettingzoo_face():
    env = aec.raw_env("101", episode="match", target=1000)
    given = [list(PACK.texts), list(PACK.texts[::-1])]
    env.reset(seed=3, options={"deck": given, "dealer": 0})
    while env._states["number"][0] == 0:
        env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))
    assert env._states["deck"][0].tolist() == list(range(32))[::-1]
    twin = copy.deepcopy(env)
    assert (twin._states == env._states).all()


@pytest.mark.parametrize(
    ("options", "deck", "message"),
    [
        ({}, ["7C", *PACK.texts], r"the deck is no permutation of the pack \(doubled: 7C\)"),
        ({}, PACK.texts[1:], r"\(missing: 7C\)"),
        ({"players": 6}, PACK.texts, r"\(foreign: 8C 8S\)"),
        ({"players": 6, "removed": ["8D", "8H"]}, PACK.texts, r"\(foreign: 8D 8H\)"),
        ({"pack": "J"}, PACK.texts, r"\(foreign: 7C 8C 9C 7D 8D 9D 7H 8H 9H 7S 8S 9S\)"),
        ({}, ["2C", *PACK.texts[1:]], r"no card '2C': cards are a rank of 789JQTKA and a suit of CDHS, such as AS, or a number 0 … 31"),
    ],
)
def test_C_3_a_deck_that_is_no_permutation_of_the_pack_is_refused(options, deck, message):
    env = BatchEnv("101", 1, **options)
    with pytest.raises(ValueError, match=message) as raised:
        env.reset(0, [deck])
    assert "\n" not in str(raised.value)


def test_C_3_a_dealer_is_a_seat():
    env = BatchEnv("mitza", 1, players=4)
    with pytest.raises(ValueError, match="dealer 4 is no seat: seats are 0 … 3"):
        env.reset(0, dealers=4)


def test_C_4_dealt_one_at_a_time_clockwise_and_the_rest_is_the_stock():
    env = BatchEnv("101", 1, players=6)
    deck = [card for card in PACK.texts if card not in ("8C", "8S")]
    env.reset(0, [deck], 1)
    for k in range(6):
        assert cards(env.states["hand"][0][(2 + k) % 6]) == {deck[k], deck[k + 6], deck[k + 12]}
    assert [PACK.texts[card] for card in env.states["stock"][0][:12]] == [*deck[19:], deck[18]]


def test_C_5_a_single_legal_action_is_asked_for_unless_skipped():
    table = last_three("AH KH QH", "7D 8S 9S", turned="TC", stock="8D", tromf=False).play("AH 7D KH 8S QH 9S")
    assert table.legal == {"8D"}
    deck = a_deck("AH KH QH", "7D 8S 9S", turned="TC", stock="8D", whole=False)
    env = BatchEnv("mitza", 1, skip_forced=True, pack=deck, tromf=False)
    env.reset(0, [deck], 1)
    for card in ["AH", "7D", "KH", "8S", "QH"]:
        env.step([PACK.number(card)])
    assert not env.done[0]
    env.step([PACK.number("9S")])
    assert env.done[0]


def test_C_6_returns_are_zero_before_the_end_and_sum_to_zero():
    table = a_match(target=23).play(SWEPT)
    assert table.returns == [0, 0]
    table.play(SHARED)
    assert table.over
    assert sum(table.returns) == 0


def test_C_7_scores_and_what_was_played_are_known():
    table = a_match(target=100).play(SWEPT, "AC 8D")
    knows = table.reference.knows(0)  # the table compares it with the observation at every step
    assert (knows["score"], knows["points"], knows["number"]) == ([22, 0], [0, 11], 1)


def test_C_8_options_beside_a_variant_override_it():
    values = GAME.values("101", scoring="tricks", players=6)
    assert (values["scoring"], values["exchange"], values["players"]) == ("tricks", True, 6)
    assert GAME.values("mitza") == GAME.values()
    assert (GAME.values()["scoring"], GAME.values()["exchange"]) == ("tricks", False)
    assert (GAME.values("101")["scoring"], GAME.values("101")["exchange"]) == ("points", True)
    with pytest.raises(ValueError, match="no option 'exchanges'"):
        GAME.values(exchanges=True)
    with pytest.raises(ValueError, match="removed"):  # validated, though with two players it is not used
        GAME.values(removed=["8C", "9C"])
    with pytest.raises(ValueError, match="target"):
        GAME.values(target=0)


def test_C_9_a_reduced_pack_is_a_rank_a_list_or_everything():
    assert int(GAME.record(GAME.values(pack=list(PACK.texts)))["pack"]) == int(GAME.record(GAME.values())["pack"])
    assert int(GAME.record(GAME.values("101", players=4, pack="J"))["pack"]) == PACK.collect(
        card for card in PACK.texts if card[0] in "JQTKA"
    )
    assert GAME.record(GAME.values("101", pack="K"))["total"] == 60


def test_C_9_removed_eights_that_are_not_in_the_pack_are_ignored():
    assert len(PACK.members(GAME.record(GAME.values("101", players=6, pack="9"), "101")["pack"])) == 24
    hands = ("AC AD AH", "KC KD KH", "TC TD TH", "QC QD QH", "JC JD JH", "9C 9D 9H")
    table = Table(*hands, turned="AS", stock="8S KS TS QS JS", whole=False, removed=["8C", "8D"])
    assert table.stock == "8S KS TS QS JS AS"


def test_C_9_without_the_seven_of_trumps_nothing_is_exchanged():
    env = BatchEnv("101", 200, pack="8", players=4)
    env.reset(0)
    assert (env.states["phase"] == 0).all()


# ------------------------------------------------------------------ bad input, a line each

BAD = [
    ("mitza", {"players": 3}, "option 'players' is 3: accepted are 2 or 4, with 101 also 6"),
    ("101", {"players": 3}, "option 'players' is 3: accepted are 2 or 4, with 101 also 6"),
    ("101", {"players": 8}, "option 'players' is 8: accepted are 2 or 4, with 101 also 6"),
    ("mitza", {"players": 6}, "option 'players' is 6: accepted are 2 or 4, with variant '101' also 6"),
    ("101", {"removed": ["8C", "9S"]}, "option 'removed' is ['8C', '9S']: accepted are two different eights of 8C, 8D, 8H, 8S"),
    ("101", {"removed": ["8C"]}, "option 'removed' is ['8C']: accepted are two different eights of 8C, 8D, 8H, 8S"),
    ("101", {"removed": ["8C", "8C"]}, "option 'removed' is ['8C', '8C']: accepted are two different eights of 8C, 8D, 8H, 8S"),
    ("101", {"removed": ["8C", "8D", "8H"]}, "accepted are two different eights"),
    ("101", {"removed": "8C"}, "option 'removed' is '8C': accepted are two different eights of 8C, 8D, 8H, 8S"),
    ("101", {"removed": None}, "option 'removed' is None: accepted are two different eights of 8C, 8D, 8H, 8S"),
    ("101", {"target": 0}, "option 'target' is 0: accepted are an integer from 1 to 1000000"),
    ("101", {"target": 101.0}, "option 'target' is 101.0: accepted are an integer from 1 to 1000000"),
    ("101", {"target": 1_000_001}, "option 'target' is 1000001: accepted are an integer from 1 to 1000000"),
    ("mitza", {"episode": "match"}, "episode='match' needs scoring='points': tricks are not added up over deals"),
    ("101", {"episode": "match", "scoring": "tricks"}, "episode='match' needs scoring='points': tricks are not added up over deals"),
    ("101", {"episode": "match", "pack": [c + s for c in "789" for s in "CDHS"]}, "needs points in the pack, and this one has none"),
    ("101", {"episode": "game"}, "option 'episode' is 'game': accepted are deal or match"),
    ("101", {"scoring": "cards"}, "option 'scoring' is 'cards': accepted are tricks or points"),
    ("101", {"exchange": 1}, "option 'exchange' is 1: accepted are true or false"),
    ("101", {"tromf": "yes"}, "option 'tromf' is 'yes': accepted are true or false"),
    ("101", {"check_stock": None}, "option 'check_stock' is None: accepted are true or false"),
    (
        "mitza",
        {"players": 4, "pack": list(PACK.texts[:18])},
        "a pack of 18 cards does not leave 4 players a stock that goes out evenly: accepted are more than 12 cards, a multiple of 4",
    ),
    (
        "mitza",
        {"players": 4, "pack": list(PACK.texts[:12])},
        "a pack of 12 cards does not leave 4 players a card to turn: accepted are more than 12 cards, a multiple of 4",
    ),
    (
        "101",
        {"players": 6, "pack": "8"},
        "a pack of 26 cards does not leave 6 players a stock that goes out evenly: accepted are more than 18 cards, a multiple of 6",
    ),
    ("mitza", {"pack": "A"}, "a pack of 4 cards does not leave 2 players a card to turn: accepted are more than 6 cards, a multiple of 2"),
    ("mitza", {"pack": ["7C", "7C"]}, "option 'pack' names 7C more than once"),
    ("mitza", {"pack": "6"}, "option 'pack' is '6': accepted are None, a rank of 789JQTKA, or a list of cards"),
]  # fmt: skip


@pytest.mark.parametrize(("variant", "options", "message"), BAD)
def test_C_8_bad_input_is_one_clear_line(variant, options, message):
    with pytest.raises(ValueError) as raised:  # noqa: PT011
        GAME.values(variant, **options)
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)
    with pytest.raises(ValueError):  # noqa: PT011
        BatchEnv("mitza", 1, variant=variant, **options)
