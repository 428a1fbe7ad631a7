"""The rules page of Minnesota Whist, named by its ids. Every table plays on the compiled rules and on the plain reference."""

import copy

import numpy as np
import pytest

from tests.envs.minnesota_whist.table import ACES, QUADS, Table, a_deck, cards, play_quads, quad_hands, tricks_of_side
from tromf.envs import BatchEnv, aec, registry
from tromf.envs.minnesota_whist.options import PACK
from tromf.envs.minnesota_whist.outcome import outcome
from tromf.envs.minnesota_whist.rules import BID_DIX, BID_SOLA, NAME, PASS

GAME, _ = registry.find("minnesota-whist")
FOUR_OF_EACH = ("2C 2D 2H 2S", "3C 3D 3H 3S", "4C 4D 4H 4S", "5C 5D 5H 5S")
LOW = "2D 3D 4D 5D"
WHOLE = [variant for variant in GAME.variants if GAME.values(variant)["pack"] is None]
FACES = [{"variant": variant} for variant in WHOLE] + [{"variant": "south-dakota", "trumps": False, "solos": True}]


def set_of(texts):
    return set(texts.split())


def highest(env):
    return np.array([mask.bit_length() - 1 if mask else 0 for mask in env.masks.tolist()])


# ------------------------------------------------------------------ bids


@pytest.mark.parametrize("dealer", range(4))
def test_MW_1_seats_bid_clockwise_from_left_of_the_dealer_any_card_of_the_hand(dealer):
    table = Table(*FOUR_OF_EACH, dealer=dealer)
    for k, card in enumerate("CDHS"):
        seat = (dealer + 1 + k) % 4
        assert (table.phase, table.actor, table.kind) == ("bid", seat, "undecided")
        assert table.legal == table.hand(seat) == set_of(FOUR_OF_EACH[seat])
        table.play(f"{2 + seat}{card}")
    assert table.phase == "play"
    assert [table.hand(seat) for seat in range(4)] == [set_of(hand) for hand in FOUR_OF_EACH]  # the cards return


def test_MW_1_bids_are_simultaneous():
    one, two = Table(*FOUR_OF_EACH).play("2C 3C 4C"), Table(*FOUR_OF_EACH).play("2D 3H 4S")
    assert one.seen(3) == two.seen(3)
    assert one.seen(0) != two.seen(0)
    assert one.seen(0) == Table(*FOUR_OF_EACH).play("2C 3D 4D").seen(0)


def test_MW_1_masks_of_the_others_are_empty_while_one_bids():
    env = aec.raw_env("minnesota-whist", pack=a_deck(*FOUR_OF_EACH))
    env.reset(seed=0, options={"deck": a_deck(*FOUR_OF_EACH, dealer=2), "dealer": 2})
    masks = {agent: np.flatnonzero(env.observe(agent)["action_mask"]).tolist() for agent in env.agents}
    assert masks == {"player_0": [], "player_1": [], "player_2": [], "player_3": [PACK.number(card) for card in FOUR_OF_EACH[3].split()]}


@pytest.mark.parametrize(
    ("bids", "granded", "shown"),
    [
        ("2C 3C 4D 5S", 0, "2C"),
        ("2S 3D 4D 5D", 0, "2S"),
        ("2H 3C 4S 5D", 1, "2H 3C"),
        ("2D 3H 4S 5C", 2, "2D 3H 4S"),
        ("2D 3H 4D 5C", 3, "2D 3H 4D 5C"),
        ("2D 3H 4D 5H", -1, "2D 3H 4D 5H"),
    ],
)
@pytest.mark.parametrize("options", FACES)
def test_MW_2_cards_are_turned_until_the_first_black_one(bids, granded, shown, options):
    table = Table(*FOUR_OF_EACH, **options).play(bids)
    assert (table.kind, table.granded) == ("low" if granded < 0 else "high", granded)
    assert table.known == [{card} for card in shown.split()] + [set()] * (4 - len(shown.split()))


def test_MW_2_the_showing_begins_left_of_the_dealer():
    assert Table(*FOUR_OF_EACH, dealer=1).play("4D 5S 2C 3C").granded == 3


def test_MW_2_cards_that_return_stay_secret_and_shown_ones_are_known_until_played():
    one, two = (Table(*FOUR_OF_EACH).play(bids) for bids in ("2H 3C 4S 5D", "2H 3C 4D 5C"))
    for _ in range(16):
        assert (one.seen(0), one.seen(1)) == (two.seen(0), two.seen(1))
        card = max(one.legal)
        one.play(card)
        two.play(card)
    table = Table(*FOUR_OF_EACH).play("2H 3C 4S 5D", "2H")
    assert table.known == [set(), {"3C"}, set(), set()]


# ------------------------------------------------------------------ solo bidding


def solo_bidding(*actions, bids=LOW, **options):
    return Table(*FOUR_OF_EACH, solos=True, **options).play(bids, *actions)


@pytest.mark.parametrize("dealer", range(4))
@pytest.mark.parametrize("granded", [None, 0, 3])
def test_MW_3_it_begins_left_of_the_dealer_whatever_was_shown(dealer, granded):
    table = Table(*FOUR_OF_EACH, solos=True, dealer=dealer).bid(granded)
    assert (table.phase, table.actor, table.legal) == ("solo", (dealer + 1) % 4, {"pass", "sola", "dix"})


def test_MW_3_after_four_passes_the_hand_is_played_as_it_was_shown():
    table = solo_bidding("pass pass pass")
    assert (table.phase, table.actor) == ("solo", 3)
    assert (table.play("pass").phase, table.actor, table.kind, table.numbers("passes")) == ("play", 0, "low", 0)
    table = solo_bidding("pass pass pass pass", bids="2D 3S 4D 5D")
    assert (table.phase, table.actor, table.kind, table.granded) == ("play", 0, "high", 1)


def test_MW_3_sola_is_bid_once_and_ends_with_three_passes_in_a_row():
    table = solo_bidding("pass sola")
    assert (table.actor, table.legal) == (2, {"pass", "dix"})
    table.play("pass pass")
    assert (table.phase, table.actor, table.legal) == ("solo", 0, {"pass", "dix"})
    table.play("pass")
    assert (table.phase, table.actor) == ("give", 1)


def test_MW_3_dix_over_everything_ends_at_once():
    for actions, soloist in (("dix", 0), ("pass pass pass dix", 3), ("sola dix", 1), ("sola pass dix", 2), ("sola pass pass dix", 3)):
        table = solo_bidding(actions)
        assert (table.phase, table.numbers("soloist"), table.actor) == ("play", soloist, (soloist + 2) % 4)


def test_MW_3_a_seat_that_passed_may_bid_later_also_over_its_partner():
    table = solo_bidding("pass pass sola pass")
    assert (table.actor, table.legal) == (0, {"pass", "dix"})
    assert table.play("dix").numbers("soloist") == 0


def test_MW_3_a_seat_that_showed_black_may_bid_sola_and_one_that_showed_red_dix():
    assert solo_bidding("sola pass pass pass", bids="2C 3D 4D 5D").phase == "give"
    assert solo_bidding("dix", bids="2D 3S 4D 5D").phase == "play"


@pytest.mark.parametrize("variant", ["minnesota", "penalty", "south-dakota"])
def test_MW_3_without_solos_nobody_is_asked(variant):
    assert Table(*FOUR_OF_EACH, variant=variant).play(LOW).phase == "play"
    assert GAME.values(variant)["solos"] is False


# ------------------------------------------------------------------ sola nulla


def test_MW_4_soloist_and_partner_exchange_a_card_each():
    table = solo_bidding("pass sola pass pass pass")
    assert (table.phase, table.actor, table.legal) == ("give", 1, set_of(FOUR_OF_EACH[1]))
    table.play("3H")
    assert (table.phase, table.actor, table.legal) == ("give", 3, set_of(FOUR_OF_EACH[3]))
    assert table.hand(1) == set_of(FOUR_OF_EACH[1])  # it lies there until both have chosen
    table.play("5S")
    assert [table.hand(seat) for seat in (1, 3)] == [set_of("3C 3D 5S 3S"), set_of("5C 5D 5H 3H")]
    assert table.numbers("gave") == [-1, PACK.number("3H"), -1, PACK.number("5S")]
    assert table.numbers("received") == [-1, PACK.number("5S"), -1, PACK.number("3H")]


def test_MW_4_the_exchange_is_simultaneous_and_unseen():
    one, two = (solo_bidding("sola pass pass pass", gift) for gift in ("2C", "2H"))
    assert [one.seen(seat) for seat in (1, 2, 3)] == [two.seen(seat) for seat in (1, 2, 3)]
    one.play("4C")
    two.play("4S")
    assert [one.seen(seat) for seat in (1, 3)] == [two.seen(seat) for seat in (1, 3)]


@pytest.mark.parametrize("soloist", range(4))
@pytest.mark.parametrize("bids", [LOW, "2C 3D 4D 5D", "2D 3D 4D 5S"])
@pytest.mark.parametrize("variant", ["askov", "south-dakota"])
def test_MW_4_the_opponent_on_the_right_leads_the_partner_sits_out_and_tricks_have_three_cards(soloist, bids, variant):
    options = {"trumps": False} if variant == "south-dakota" else {}
    table = solo_bidding(*["pass"] * soloist, "sola pass pass pass", bids=bids, variant=variant, **options)
    table.play(*(f"{2 + seat}C" for seat in (soloist, (soloist + 2) % 4)))
    leader, partner = (soloist + 3) % 4, (soloist + 2) % 4
    assert table.numbers("out") == partner
    for seat in (leader, soloist, (soloist + 1) % 4):
        assert (table.leader, table.actor) == (leader, seat)
        table.play(max(table.legal))
    assert (sum(table.tricks), table.numbers("laid"), len(table.hand(partner))) == (1, 0, 4)


def test_MW_4_the_next_in_turn_after_the_one_before_the_partner_is_the_one_behind():
    table = solo_bidding("sola pass pass pass", "2H 4H", "5C 2C 3C")  # seat 2 sits out, seat 3 wins
    assert table.actor == 3
    table.play("5D 2D 3D")
    assert table.tricks == [0, 2]
    table = Table("2C 2D 2H 2S", "5C 5D 5H 5S", "4C 4D 4H 4S", "3C 3D 3H 3S", solos=True).play("2D 5D 4D 3D", "sola pass pass pass 2H 4H")
    table.play("3C 2C 5C")
    assert table.actor == 1
    table.play("5D")
    assert table.actor == 3  # seat 2 sits out


def test_MW_4_a_shown_card_of_the_two_is_known_to_be_with_one_of_them_until_it_is_played():
    table = solo_bidding("pass sola pass pass pass", "3D")
    assert (table.known, table.pair) == ([{"2D"}, {"3D"}, {"4D"}, {"5D"}], set())
    table.play("5H")
    assert (table.known, table.pair) == ([{"2D"}, set(), {"4D"}, set()], {"3D", "5D"})
    table.play("2D 5H")
    assert table.pair == {"3D", "5D"}
    table = solo_bidding("pass sola pass pass pass", "3C 5H", "2D 3D 4D")
    assert (table.known, table.pair) == ([set()] * 4, {"5D"})


def test_MW_4_an_unshown_bid_of_the_two_tells_nothing():
    table = solo_bidding("pass sola pass pass pass", "3C 5H", bids="2C 3D 4D 5D")
    assert (table.known, table.pair) == ([{"2C"}, set(), set(), set()], set())


@pytest.mark.parametrize("seed", range(4))
def test_MW_4_no_observation_of_the_others_depends_on_the_cards_exchanged(seed):
    hands = ("2C 6C 7C", "AD 3C KH", "4C 8C 9C", "5C TC JC")
    one, two = (Table(*hands, solos=True).play("2C 3C 4C 5C", "pass sola pass pass pass", gift, "5C") for gift in ("AD", "KH"))
    rng = np.random.default_rng(seed)
    while not one.over:
        for seat in (0, 2):
            assert one.seen(seat) == two.seen(seat)
        common = sorted(one.legal & two.legal - {"AD", "KH"})
        if not common:
            break
        card = str(rng.choice(common))
        one.play(card)
        two.play(card)
    assert sum(one.tricks) == 2


NO_TRICK = [0, 2, 2, 0, 0, 2, 0, 2, 0, 0, 2, 2]  # winners, with a soloist of the other side


def sola(winners, soloist=1, **options):
    """Sola nulla with a whole pack; the two exchange their aces, so that no quad changes."""
    table = Table(*quad_hands(winners), **{"variant": "askov", **options}).bid(None)
    return table.play(*["pass"] * soloist, "sola pass pass pass", ACES[soloist], ACES[(soloist + 2) % 4])


@pytest.mark.parametrize("soloist", [1, 3])
def test_MW_4_and_MW_6_and_MW_12_sola_is_made_after_thirteen_tricks_without_one(soloist):
    table = play_quads(sola(NO_TRICK, soloist), 12)
    assert (table.over, table.stars, table.tricks) == (False, [0, 0], [12, 0])
    play_quads(table)
    assert (table.over, table.stars, table.score, table.tricks, table.returns) == (True, [0, 1], [0, 0], [13, 0], [-7.5, 7.5, -7.5, 7.5])
    assert len(table.hand((soloist + 2) % 4)) == 13


@pytest.mark.parametrize("star", [False, True])
@pytest.mark.parametrize("tricks", [1, 3, 12])
def test_MW_6_and_MW_12_sola_fails_with_the_first_trick_of_the_soloist(tricks, star):
    table = sola([*NO_TRICK[: tricks - 1], *[1] * (13 - tricks)], failed_solo_star=star, star_value=2.5)
    assert not play_quads(table, tricks - 1).over
    play_quads(table, tricks)
    assert (table.over, table.tricks, table.score, table.stars) == (True, [tricks - 1, 1], [0, 0], [int(star), 0])
    assert table.returns == [2.5 * star, -2.5 * star] * 2


def test_MW_6_sola_may_fail_with_the_last_trick():
    table = Table("2C 5D", "3C 4D", "6C 7C", "4C 3D", solos=True).play("5D 4D 6C 3D", "sola pass pass pass", "2C 6C")
    assert table.play("4C 6C 3C").over
    table = Table("2C 5D", "3C 4D", "6C 7D", "4C 3D", solos=True).play("5D 4D 7D 3D", "sola pass pass pass", "5D 7D")
    table.play("4C 2C 3C")
    assert (table.over, table.tricks) == (False, [0, 1])
    table.play("3D 7D 4D")
    assert (table.over, table.tricks, table.stars) == (True, [1, 1], [0, 0])


# ------------------------------------------------------------------ grand dix


def dix(winners, soloist=1, **options):
    table = Table(*quad_hands(winners), **{"variant": "askov", **options}).bid(None)
    return table.play(*["pass"] * soloist, "dix")


@pytest.mark.parametrize("soloist", range(4))
@pytest.mark.parametrize("options", [{"variant": "askov"}, {"variant": "south-dakota", "trumps": False, "solos": True}])
def test_MW_5_the_partner_leads_to_a_trick_of_four_and_then_sits_out(soloist, options):
    table = dix([soloist] * 12, soloist, **options)
    partner = (soloist + 2) % 4
    assert (table.phase, table.actor, table.numbers("out")) == ("play", partner, -1)
    order = []
    while sum(table.tricks) < 2:
        order.append(table.actor)
        table.play(next(card for card in QUADS[sum(table.tricks)] if card in table.hand(table.actor)))
    assert order == [(partner + k) % 4 for k in range(4)] + [soloist, (soloist + 1) % 4, (soloist + 3) % 4]
    assert (table.numbers("out"), len(table.hand(partner))) == (partner, 12)


def test_MW_5_nothing_is_exchanged_and_shown_cards_stay_known_also_of_the_partner():
    table = dix([1] * 12)
    shown = table.known
    play_quads(table, 1)
    assert table.known[3] == shown[3] - set(QUADS[0])
    assert (table.pair, table.numbers("gave")) == (set(), [-1] * 4)


def test_MW_6_and_MW_12_dix_is_made_with_the_seventh_trick():
    table = play_quads(dix([1] * 12), 6)
    assert not table.over
    play_quads(table, 7)
    assert (table.over, table.tricks, table.score, table.stars, table.returns) == (True, [0, 7], [0, 0], [0, 1], [-7.5, 7.5, -7.5, 7.5])


@pytest.mark.parametrize("star", [False, True])
@pytest.mark.parametrize(("winners", "tricks"), [([0], [1, 0]), ([3], [0, 1]), ([1, 1, 0], [1, 2]), ([1] * 6 + [2], [1, 6])])
def test_MW_5_and_MW_6_dix_fails_with_the_first_trick_lost_also_to_the_partner(winners, tricks, star):
    table = dix((winners + [1] * 12)[:12], failed_solo_star=star)
    play_quads(table, len(winners) - 1)
    assert not table.over
    play_quads(table, len(winners))
    assert (table.over, table.tricks, table.score, table.stars) == (True, tricks, [0, 0], [int(star), 0])
    assert table.returns == [7.5 * star, -7.5 * star] * 2


def test_MW_12_solos_score_no_points_whatever_was_shown():
    table = Table(*quad_hands([1] * 12), variant="askov", episode="game", target=1).bid(1).play("dix")
    play_quads(table, 1)
    assert (table.over, table.score, table.stars, table.state["number"]) == (False, [0, 0], [0, 0], 1)


# ------------------------------------------------------------------ trumps


@pytest.mark.parametrize(
    "options", [{"variant": "south-dakota"}, {"variant": "minnesota", "trumps": True}, {"variant": "penalty", "trumps": True}]
)
def test_MW_7_the_seat_that_granded_names_trumps(options):
    table = Table(*FOUR_OF_EACH, **options).play("2D 3S 4H 5H")
    assert (table.phase, table.actor, table.trump) == ("trump", 1, "")
    assert table.legal == {"trump=C", "trump=D", "trump=H", "trump=S"}
    for suit in "CDHS":
        assert Table(*FOUR_OF_EACH, **options).play("2D 3S 4H 5H", f"trump={suit}").trump == suit


def test_MW_7_low_hands_have_no_trumps_and_without_the_option_high_ones_neither():
    assert Table(*FOUR_OF_EACH, variant="south-dakota").play(LOW).phase == "play"
    assert Table(*FOUR_OF_EACH).play("2D 3S 4H 5H").phase == "play"
    assert Table(*FOUR_OF_EACH, variant="south-dakota", trumps=False).play("2D 3S 4H 5H").phase == "play"


# ------------------------------------------------------------------ play


@pytest.mark.parametrize("dealer", range(4))
@pytest.mark.parametrize("granded", range(4))
@pytest.mark.parametrize("variant", WHOLE)
@pytest.mark.parametrize("trumps", [False, True])
def test_MW_8_right_of_the_granding_seat_leads_to_high_hands_in_south_dakota_the_seat_itself(dealer, granded, variant, trumps):
    table = Table(*FOUR_OF_EACH, dealer=dealer, variant=variant, trumps=trumps, solos=False).bid(granded)
    if trumps:
        table.play("trump=H")
    leader = granded if variant == "south-dakota" else (granded + 3) % 4
    assert (table.phase, table.actor, table.leader, table.kind) == ("play", leader, leader, "high")


@pytest.mark.parametrize("dealer", range(4))
@pytest.mark.parametrize("variant", WHOLE)
def test_MW_8_left_of_the_dealer_leads_to_low_hands(dealer, variant):
    table = Table(*FOUR_OF_EACH, dealer=dealer, variant=variant, solos=False).bid(None)
    assert (table.phase, table.actor, table.leader, table.kind) == ("play", (dealer + 1) % 4, (dealer + 1) % 4, "low")


def test_MW_8_follow_suit_if_able_otherwise_any_card_and_the_winner_leads():
    table = Table("2C 3D KH", "5C 7D 2H", "4D 5D 3H", "9C AS 8D").play("3D 7D 4D 8D")
    assert table.legal == set_of("2C 3D KH")
    assert table.play("2C").legal == {"5C"}
    assert table.play("5C").legal == set_of("4D 5D 3H")
    assert table.play("5D").legal == {"9C"}
    table.play("9C")
    assert (table.leader, table.actor, table.tricks) == (3, 3, [0, 1])
    assert table.lacks == ["", "", "C", ""]
    table.play("AS 3D 2H")
    assert table.lacks == ["S", "S", "C", ""]
    assert table.legal == set_of("4D 3H")


@pytest.mark.parametrize(
    ("trick", "trump", "winner"),
    [
        ("2C AD KC QS", "", 2),
        ("2C AD KC QS", "D", 1),
        ("2C AD 3D QS", "D", 1),
        ("2C 3D 4D KC", "D", 2),
        ("2C AD KC QS", "H", 2),
        ("KC 2C AD QS", "", 0),
        ("2C 3C 4C 5C", "C", 3),
    ],
)
@pytest.mark.parametrize("leader", range(4))
def test_MW_8_highest_trump_wins_else_the_highest_card_of_the_suit_led(trick, trump, winner, leader):
    hands = ["", "", "", ""]
    for k, (card, other) in enumerate(zip(trick.split(), ("2S", "2H", "3H", "4H"))):
        hands[(leader + k) % 4] = f"{card} {other}"
    table = Table(*hands, dealer=(leader + 3) % 4, variant="south-dakota", trumps=bool(trump)).play("2S 2H 3H 4H")
    if trump:
        table.play(f"trump={trump}")
    assert table.actor == leader
    table.play(trick)
    assert table.leader == table.actor == (leader + winner) % 4
    assert table.tricks[(leader + winner) % 2] == 1


@pytest.mark.parametrize(("lower", "higher"), list(zip("23456789TJQK", "3456789TJQKA")))
def test_MW_8_ace_is_high(lower, higher):
    table = Table(f"{lower}C", f"{higher}C", "2D" if lower != "2" else "7D", "9D").play(
        f"{lower}C {higher}C", "7D" if lower == "2" else "2D", "9D"
    )
    assert table.actor == 3
    table.play("9D", f"{lower}C {higher}C", "7D" if lower == "2" else "2D")
    assert table.tricks == [0, 1]  # the diamond led
    table = Table("9D", f"{lower}C", "8D", f"{higher}C").play("9D", f"{lower}C", "8D", f"{higher}C")
    assert (table.granded, table.actor) == (1, 0)


def test_MW_8_all_thirteen_tricks_are_played():
    table = play_quads(Table(*quad_hands([0] * 12)).bid(0), 12)
    assert not table.over
    play_quads(table)
    assert (table.over, table.tricks, table.legal) == (True, [13, 0], set())


# ------------------------------------------------------------------ scores


@pytest.mark.parametrize("tricks", [0, 5, 6, 7, 8, 13])
@pytest.mark.parametrize("granded", range(2))
@pytest.mark.parametrize(
    ("variant", "options", "grand", "defence"),
    [
        ("minnesota", {}, 1, 1),
        ("penalty", {}, 1, 2),
        ("askov", {"solos": False}, 2, 1),
        ("minnesota", {"grand_points": 0, "defence_points": 5}, 0, 5),
        ("penalty", {"defence_points": 0}, 1, 0),
        ("south-dakota", {"trumps": False}, None, None),
    ],
)
def test_MW_9_and_MW_10_high_hands(tricks, granded, variant, options, grand, defence):
    table = play_quads(Table(*quad_hands(tricks_of_side(tricks)), variant=variant, **options).bid(granded))
    assert (table.over, table.tricks) == (True, [tricks, 13 - tricks])
    own, score = table.tricks[granded], [0, 0]
    if variant == "south-dakota":  # MW-10
        score[granded] = own - 6 if own >= 7 else own - 7
    elif own >= 7:
        score[granded] = grand * (own - 6)
    else:
        score[1 - granded] = defence * (7 - own)
    assert (table.score, table.stars) == (score, [0, 0])
    assert table.returns == [score[0] - score[1], score[1] - score[0]] * 2


def test_MW_9_the_granding_seat_and_its_partner_are_one_side():
    for granded in (0, 2):
        table = play_quads(Table(*quad_hands(tricks_of_side(9, (2, 1))), variant="askov", solos=False).bid(granded))
        assert table.score == [6, 0]


def test_MW_10_with_trumps_too():
    table = Table(*FOUR_OF_EACH, variant="south-dakota").play("2C 3D 4D 5D", "trump=C")
    table.play("2C 3C 4C 5C", "5D 2D 3D 4D", "5H 2H 3H 4H", "5S 2S 3S 4S")
    assert (table.tricks, table.score, table.returns) == ([0, 4], [-3, 0], [-3, 3, -3, 3])


@pytest.mark.parametrize("variant", WHOLE)
@pytest.mark.parametrize(("tricks", "score"), [(0, [0, -7]), (6, [0, -1]), (7, [-1, 0]), (10, [-4, 0]), (13, [-7, 0])])
def test_MW_11_low_hands(tricks, score, variant):
    table = play_quads(Table(*quad_hands(tricks_of_side(tricks)), variant=variant, solos=False).bid(None))
    assert (table.over, table.tricks, table.score) == (True, [tricks, 13 - tricks], score)
    assert table.returns == [score[0] - score[1], score[1] - score[0]] * 2


# ------------------------------------------------------------------ games


def a_game(winners, deals=6, **options):
    """A game whose deals all have these winners."""
    hands = quad_hands(winners)
    return Table(*hands, episode="game", later=[a_deck(*hands, dealer=k % 4) for k in range(deals - 1)], **options)


def play_high(table, granded=0):
    table.bid(granded)
    if table.phase == "solo":
        table.play("pass pass pass pass")
    if table.phase == "trump":
        table.play("trump=C")
    return play_quads(table)


def play_solo(table, soloist):
    """Grand dix of the seat."""
    table.bid(None)
    while table.actor != soloist:
        table.play("pass")
    return play_quads(table.play("dix"))


@pytest.mark.parametrize(("variant", "score"), [("minnesota", 7), ("penalty", 7), ("askov", 14), ("south-dakota", 7)])
def test_MW_13_the_dealer_moves_left_until_a_side_has_the_target(variant, score):
    table = a_game([0] * 12, variant=variant)
    for deal in range(2):
        assert (table.over, table.state["number"], table.numbers("dealer"), table.actor) == (False, deal, (3 + deal) % 4, deal)
        assert table.score == [score * deal, 0]
        play_high(table)
    assert (table.over, table.truncated, table.score, table.returns) == (True, False, [2 * score, 0], [1, -1, 1, -1])
    assert outcome(table.state)["winner"] == 0
    assert outcome(table.state)["deals"] == 2


def test_MW_13_the_target_itself_is_enough_and_a_game_may_end_after_one_deal():
    assert play_high(a_game([0] * 12, target=7)).over
    assert not play_high(a_game([0] * 12, target=8)).over
    table = play_high(a_game([1] * 12, variant="penalty"), granded=0)
    assert (table.over, table.score, table.returns) == (True, [0, 14], [-1, 1, -1, 1])


def test_MW_13_a_side_that_loses_points_does_not_make_the_other_win():
    table = play_quads(a_game([0] * 12, target=7).bid(None))
    assert (table.over, table.score) == (False, [-7, 0])


def test_MW_13_nothing_of_a_deal_is_left_in_the_next():
    table = play_quads(a_game([0] * 12).bid(None))
    assert (table.phase, table.state["number"], table.score, table.tricks, table.kind) == ("bid", 1, [-7, 0], [0, 0], "undecided")
    assert (table.known, table.lacks, table.returns) == ([set()] * 4, [""] * 4, [0] * 4)
    table = sola(NO_TRICK, episode="game", later=[a_deck(*quad_hands(NO_TRICK), dealer=0)])
    play_quads(table)
    assert (table.phase, table.stars, table.pair, table.numbers("out"), table.numbers("seats")) == ("bid", [0, 1], set(), -1, 4)
    assert table.numbers("gave") == table.numbers("received") == table.numbers("bid") == [-1] * 4


def test_MW_13_and_MW_10_in_south_dakota_scores_go_below_zero():
    table = play_high(a_game([0] * 12, variant="south-dakota", trumps=False), granded=1)
    assert table.score == [0, -7]
    play_high(play_high(table))
    assert (table.over, table.score) == (True, [14, -7])


@pytest.mark.parametrize("stars", range(3))
def test_MW_13_and_MW_P_with_solos_the_losers_pay_for_the_stars_of_the_winners(stars):
    """15 cents, and 15 more for each star: returns are in units of 15 cents."""
    table = a_game([0] * 12, variant="askov", target=14)
    for _ in range(stars):
        play_solo(table, 0)
    assert (table.stars, table.score, table.over) == ([stars, 0], [0, 0], False)
    play_high(table)
    assert (table.over, table.score, table.returns) == (True, [14, 0], [1 + stars, -1 - stars] * 2)
    assert table.reference.cents() == [15 * value for value in table.returns]
    last = GAME.text.view(table.state).status
    assert last.endswith(f": the losers pay {15 * (1 + stars)} cents each")


def test_MW_13_and_MW_P_stars_of_the_losers_do_not_count():
    table = a_game([0] * 12, variant="askov", target=14, failed_solo_star=True)
    play_solo(table, 1)  # fails, so side 0 gets the star
    play_solo(table, 2)  # the partner wins the first trick: the other side gets one
    assert (table.stars, table.over) == ([1, 1], False)
    assert play_high(table).returns == [2, -2, 2, -2]


def test_MW_13_and_MW_P_without_solos_a_game_is_won_or_lost():
    assert play_high(a_game([1] * 12, target=7)).returns == [-1, 1, -1, 1]


def test_MW_13_a_star_is_no_point():
    table = a_game([0] * 12, variant="askov", target=1)
    assert not play_solo(table, 0).over


@pytest.mark.parametrize("deals", [1, 3])
def test_MW_13_after_max_deals_a_game_is_truncated_and_pays_nothing(deals):
    table = a_game([0] * 12, max_deals=deals)
    for k in range(deals):
        assert (table.over, table.state["number"]) == (False, k)
        play_quads(table.bid(None))
    assert (table.over, table.truncated, table.score, table.returns) == (True, True, [-7 * deals, 0], [0] * 4)
    assert (outcome(table.state)["winner"], outcome(table.state)["deals"]) == (None, deals)


def test_MW_13_a_solo_may_be_the_deal_with_which_a_game_is_truncated():
    table = play_solo(a_game([0] * 12, variant="askov", max_deals=1), 0)
    assert (table.over, table.truncated, table.stars, table.returns) == (True, True, [1, 0], [0] * 4)


def test_C_6_a_game_won_in_the_last_deal_is_terminated():
    table = play_high(a_game([0] * 12, target=7, max_deals=1))
    assert (table.over, table.truncated, table.returns) == (True, False, [1, -1, 1, -1])


# ------------------------------------------------------------------ returns of a deal


def test_MW_P_a_deal_knows_no_target_and_no_limit():
    table = play_quads(Table(*quad_hands([0] * 12), target=1, max_deals=1).bid(0))
    assert (table.over, table.truncated, table.returns) == (True, False, [7, -7, 7, -7])


@pytest.mark.parametrize("value", [0, 1, 7.5, 1000])
def test_MW_P_a_star_counts_its_value_in_the_returns_of_a_deal(value):
    table = play_quads(dix([2] * 12, 2, star_value=value))
    assert table.returns == [value, -value, value, -value]
    assert outcome(table.state)["winner"] == (0 if value else None)


@pytest.mark.parametrize("options", FACES)
@pytest.mark.parametrize("episode", ["deal", "game"])
def test_MW_P_partners_have_the_same_and_sides_opposite_returns(options, episode):
    env = BatchEnv("minnesota-whist", 40, episode=episode, target=1, **options)
    env.reset(3)
    rng = np.random.default_rng(0)
    while env.masks.any():
        env.step(np.array([int(rng.choice([a for a in range(59) if mask >> a & 1])) if mask else 0 for mask in env.masks.tolist()]))
    assert (env.returns[:, :2] == env.returns[:, 2:]).all()
    assert (env.returns[:, 0] == -env.returns[:, 1]).all()
    assert env.returns.any()


# ------------------------------------------------------------------ tiny packs


@pytest.mark.parametrize(("pack", "tricks"), [("T", 5), ("J", 4), ("A", 1), ("2", 13)])
def test_MW_R_tricks_are_as_many_as_the_pack_gives(pack, tricks):
    env = BatchEnv("minnesota-whist", 1, pack=pack)
    env.reset(0)
    assert int(env.states["options"]["tricks"][0]) == tricks
    assert (np.bitwise_count(env.states["hand"][0]) == tricks).all()
    while env.masks.any():
        env.step(highest(env))
    assert env.states["tricks"].sum() == tricks


# Clubs 2 to 5, and so on: seats 0 and 1 win two tricks each.
TWO_EACH = ("5C 5D 2H 2S", "2C 2D 5H 5S", "3C 3D 3H 3S", "4C 4D 4H 4S")
TWO_TRICKS_EACH = "5C 2C 3C 4C 5D 2D 3D 4D 2H 5H 3H 4H 5S 3S 4S 2S"


def test_MW_R_a_level_hand_scores_for_nobody_but_costs_the_granders_a_point_in_south_dakota():
    low = Table(*TWO_EACH).play("5D 2D 3D 4D", TWO_TRICKS_EACH)
    assert (low.over, low.tricks, low.score, low.returns) == (True, [2, 2], [0, 0], [0] * 4)
    assert outcome(low.state)["winner"] is None
    high = Table(*TWO_EACH).play("2S 2D 3D 4D", "4C 5C 2C 3C 5D 2D 3D 4D 2H 5H 3H 4H 5S 3S 4S 2S")
    assert (high.over, high.tricks, high.score) == (True, [2, 2], [0, 0])
    high = Table(*TWO_EACH, variant="south-dakota", trumps=False).play("5C 2D 3D 4D", TWO_TRICKS_EACH)
    assert (high.over, high.tricks, high.score) == (True, [2, 2], [-1, 0])


def test_MW_R_over_half_of_five_tricks():
    hands = ("2C 2D 2H 2S 6C", "5C 5D 5H 5S 9C", "3C 3D 3H 3S 7C", "4C 4D 4H 4S 8C")
    table = Table(*hands).play("2D 5D 3D 4D", "2C 5C 3C 4C 5D 3D 4D 2D 5H 3H 4H 2H 5S 3S 4S 2S 9C 7C 8C 6C")
    assert (table.tricks, table.score) == ([0, 5], [0, -3])


def test_MW_R_dix_takes_one_more_than_half_of_the_tricks():
    hands = ("2C 2D 2H", "5C 5D 5H", "3C 3D 3H", "4C 4D 4H")
    table = Table(*hands, solos=True).play("2D 5D 3D 4D", "pass dix", "4C 2C 5C 3C")
    assert (table.over, table.tricks) == (False, [0, 1])
    table.play("5D 3D 2D")
    assert (table.over, table.tricks, table.stars) == (True, [0, 2], [0, 1])


def test_MW_R_sola_goes_over_all_tricks():
    hands = ("2C 2D 2H", "5C 5D 5H", "3C 3D 3H", "4C 4D 4H")
    table = Table(*hands, solos=True).play("2D 5D 3D 4D", "sola pass pass pass", "2C 3C", "4C 3C 5C", "5D 4D 2D", "5H 4H")
    assert not table.over
    table.play("2H")
    assert (table.over, table.tricks, table.stars) == (True, [0, 3], [1, 0])


def test_MW_R_one_trick():
    table = Table("AC", "AD", "AH", "AS").play("AC AD AH AS")
    assert (table.granded, table.actor) == (0, 3)
    table.play("AS AC AD AH")
    assert (table.over, table.tricks, table.score) == (True, [0, 1], [0, 1])
    table = Table("AC", "AD", "AH", "AS", solos=True).play("AC AD AH AS", "sola pass pass pass", "AC AH", "AS AH AD")
    assert (table.over, table.stars, table.hand(2)) == (True, [1, 0], {"AC"})
    table = Table("AC", "AD", "AH", "AS", solos=True).play("AC AD AH AS", "dix", "AH AS AC AD")
    assert (table.over, table.tricks, table.stars) == (True, [1, 0], [0, 0])


# ------------------------------------------------------------------ common to all games


def test_C_1_sides_are_seats_mod_two():
    assert GAME.sides(4) == (0, 1, 0, 1)
    assert aec.raw_env("minnesota-whist").possible_agents == [f"player_{p}" for p in range(4)]


def test_C_2_cards_and_actions_have_their_numbers():
    assert [PACK.number(text) for text in ("2C", "AC", "2D", "TH", "QS", "AS")] == [0, 12, 13, 34, 49, 51]
    assert (PASS, BID_SOLA, BID_DIX, NAME, GAME.actions) == (52, 53, 54, 55, 59)
    state = Table(*FOUR_OF_EACH).state
    assert [GAME.action_text(state, a) for a in (0, *range(52, 59))] == [
        *("bid 2C", "pass", "sola", "dix", "trump C", "trump D", "trump H", "trump S")
    ]
    table = solo_bidding("sola pass pass pass")
    assert GAME.action_text(table.state, 25) == "give AD"
    assert GAME.action_text(table.play("2C 4C").state, 25) == "play AD"


@pytest.mark.parametrize("dealer", range(4))
def test_C_3_and_C_4_deck_and_dealer_determine_the_deal(dealer):
    deck = PACK.texts[::-1]
    for seed in (1, 2):
        env = BatchEnv("minnesota-whist", 1)
        env.reset(seed, [deck], dealer)
        for k in range(4):
            assert cards(env.states["hand"][0][(dealer + 1 + k) % 4]) == set(deck[k::4])
        assert int(env.seats[0]) == (dealer + 1) % 4
        assert env.states["deck"][0].tolist() == [PACK.number(card) for card in deck]


def decks_played(env, deals):
    """The decks of the next deals of a game, and their dealers."""
    found = []
    while len(found) < deals:
        if int(env.states["number"][0]) == len(found):
            found.append(([PACK.texts[card] for card in env.states["deck"][0]], int(env.states["dealer"][0])))
        env.step(highest(env))
    return found


def test_C_3_the_decks_of_later_deals_are_given_or_come_from_the_seed():
    env = BatchEnv("minnesota-whist", 1, episode="game", target=1000)
    env.reset(5, dealers=0)
    drawn = decks_played(env, 5)
    assert len({tuple(deck) for deck, _ in drawn}) == 5
    assert [dealer for _, dealer in drawn] == [0, 1, 2, 3, 0]
    given = [list(PACK.texts), list(PACK.texts[::-1])]
    env.reset(5, [given], 0)
    assert [deck for deck, _ in decks_played(env, 5)] == [*given, *(deck for deck, _ in drawn[2:])]
    env.reset(5, [given[0]], 0)
    assert [deck for deck, _ in decks_played(env, 3)] == [given[0], *(deck for deck, _ in drawn[1:3])]
    env.reset(5, dealers=0)  # nothing given holds over resets but the options
    assert decks_played(env, 5) == drawn


def test_C_3_every_deck_given_must_be_a_permutation_of_the_pack_and_there_are_not_too_many():
    env = BatchEnv("minnesota-whist", 1, episode="game")
    most = GAME.later_decks + 1
    env.reset(1, [[PACK.texts] * most])
    before = env.states.tobytes()
    with pytest.raises(ValueError, match=f"{most + 1} decks given: accepted are at most {most}"):
        env.reset(0, [[PACK.texts] * (most + 1)])
    with pytest.raises(ValueError, match=r"no permutation of the pack \(missing: AS\)"):
        env.reset(0, [[PACK.texts, PACK.texts[:-1]]])
    assert env.states.tobytes() == before


def test_C_3_decks_reach_the_pettingzoo_face():
    env = aec.raw_env("minnesota-whist", episode="game", target=1000)
    given = [list(PACK.texts), list(PACK.texts[::-1])]
    env.reset(seed=3, options={"deck": given, "dealer": 0})
    while env._states["number"][0] == 0:
        env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))
    assert env._states["deck"][0].tolist() == list(range(52))[::-1]
    assert env._states["dealer"][0] == 1
    twin = copy.deepcopy(env)
    assert (twin._states == env._states).all()


@pytest.mark.parametrize(
    ("options", "deck", "message"),
    [
        ({}, ["2C", *PACK.texts], r"the deck is no permutation of the pack \(doubled: 2C\)"),
        ({}, PACK.texts[1:], r"\(missing: 2C\)"),
        ({"pack": "K"}, PACK.texts, r"\(foreign: 2C 3C .*QS\)"),
        ({"pack": "K"}, ["KC", "AC", "KD", "AD", "KH", "AH", "KS", "QS"], r"\(foreign: QS; missing: AS\)"),
        (
            {},
            ["1C", *PACK.texts[1:]],
            r"no card '1C': cards are a rank of 23456789TJQKA and a suit of CDHS, such as AS, or a number 0 … 51",
        ),
    ],
)
@pytest.mark.parametrize("variant", WHOLE)
def test_C_3_a_deck_of_another_pack_is_refused(options, deck, message, variant):
    env = BatchEnv("minnesota-whist", 1, variant=variant, **options)
    with pytest.raises(ValueError, match=message) as raised:
        env.reset(0, [deck])
    assert "\n" not in str(raised.value)
    face = aec.raw_env("minnesota-whist", variant=variant, **options)
    with pytest.raises(ValueError, match=message):
        face.reset(seed=0, options={"deck": list(deck)})


def test_C_3_a_dealer_is_a_seat():
    env = BatchEnv("minnesota-whist", 1)
    with pytest.raises(ValueError, match="dealer 4 is no seat: seats are 0 … 3"):
        env.reset(0, dealers=4)


def test_C_5_a_single_legal_action_is_asked_for_unless_skipped():
    env = BatchEnv("minnesota-whist", 1, pack="A")
    env.reset(0)
    count = 0
    while env.masks.any():
        env.step(highest(env))
        count += 1
    assert count == 8
    env = BatchEnv("minnesota-whist", 1, pack="A", skip_forced=True)
    env.reset(0)
    assert env.done[0]


def test_C_5_an_illegal_action_is_named():
    table = Table("2C 3D KH", "5C 7D 2H", "4D 5D 3H", "9C AS 8D").play("3D 7D 4D 8D 2C")
    with pytest.raises(ValueError, match="7D") as raised:
        table.env.step([PACK.number("7D")])
    assert "\n" not in str(raised.value)


def test_C_6_returns_are_zero_before_the_end():
    table = Table(*quad_hands([0] * 12)).bid(0)
    for tricks in range(1, 13):
        assert play_quads(table, tricks).returns == [0] * 4


def test_C_7_own_bid_gift_and_what_was_received_are_known_until_played():
    table = solo_bidding("pass sola pass pass pass", "3H 5S")
    rows = {row.name: k for k, row in enumerate(GAME.rows)}

    def seen(seat):
        return [cards(table.seen(seat)[rows[name]]) for name in ("own bid", "given", "received", "known, 2 to the left")]

    assert seen(1) == [{"3D"}, {"3H"}, {"5S"}, {"3H", "5D"}]
    assert seen(3) == [{"5D"}, {"5S"}, {"3H"}, {"3D", "5S"}]
    assert seen(0) == [{"2D"}, set(), set(), {"4D"}]
    table.play("2S 5S")
    assert seen(1) == [{"3D"}, {"3H"}, set(), {"3H", "5D"}]
    assert seen(3) == [{"5D"}, set(), {"3H"}, {"3D"}]


def test_C_8_options_beside_a_variant_override_it():
    values = GAME.values("askov", grand_points=5)
    assert (values["grand_points"], values["solos"], values["target"]) == (5, True, 15)
    assert GAME.values("minnesota") == GAME.values()
    defaults = {
        variant: [GAME.values(variant)[name] for name in ("grand_points", "defence_points", "target", "solos", "trumps")]
        for variant in WHOLE
    }
    assert defaults == {
        "minnesota": [1, 1, 13, False, False],
        "penalty": [1, 2, 13, False, False],
        "askov": [2, 1, 15, True, False],
        "south-dakota": [None, None, 11, False, True],
    }
    rest = {"failed_solo_star": False, "star_value": 7.5, "episode": "deal", "max_deals": 100, "pack": None, "players": 4}
    assert GAME.values().items() >= rest.items()
    with pytest.raises(ValueError, match="no option 'solo' \\(did you mean 'solos'\\?\\)"):
        GAME.values(solo=True)
    with pytest.raises(ValueError, match="star_value"):  # validated, though without solos it is not used
        GAME.values(star_value=-1)


def test_C_8_the_names_of_variants_are_names_of_the_game():
    assert {registry.find(name)[0] for name in ("minnesota-whist", "minnesota_whist", *GAME.variants)} == {GAME}


def test_C_9_a_reduced_pack_is_a_rank_a_list_or_everything():
    assert int(GAME.record(GAME.values(pack=list(PACK.texts)))["pack"]) == int(GAME.record(GAME.values())["pack"])
    assert int(GAME.record(GAME.values(pack="J"))["pack"]) == PACK.collect(card for card in PACK.texts if card[0] in "JQKA")
    assert int(GAME.record(GAME.values(pack=["2C", "5D", "9H", "AS"]))["tricks"]) == 1


# ------------------------------------------------------------------ bad input, a line each

POINTS = "accepted are an integer from 0 to 1000 (south-dakota has none)"
BAD = [
    ("minnesota", {"players": 3}, "option 'players' is 3: accepted are 4"),
    ("askov", {"players": 6}, "option 'players' is 6: accepted are 4"),
    ("askov", {"players": 2}, "option 'players' is 2: accepted are 4"),
    ("askov", {"players": "4"}, "option 'players' is '4': accepted are 4"),
    ("minnesota", {"trumps": True, "solos": True}, "trumps=True and solos=True contradict each other: with solos nobody names trumps"),
    ("askov", {"trumps": True}, "trumps=True and solos=True contradict each other"),
    ("south-dakota", {"solos": True}, "trumps=True and solos=True contradict each other"),
    ("south-dakota", {"grand_points": 1}, "option 'grand_points' is 1: south-dakota has a scoring of its own and does not use it"),
    ("south-dakota", {"defence_points": 0}, "option 'defence_points' is 0: south-dakota has a scoring of its own and does not use it"),
    ("minnesota", {"grand_points": None}, "option 'grand_points' is None: accepted are an integer from 0 to 1000"),
    ("minnesota", {"grand_points": -1}, f"option 'grand_points' is -1: {POINTS}"),
    ("minnesota", {"grand_points": 1.0}, f"option 'grand_points' is 1.0: {POINTS}"),
    ("south-dakota", {"grand_points": -1}, f"option 'grand_points' is -1: {POINTS}"),
    ("penalty", {"defence_points": True}, f"option 'defence_points' is True: {POINTS}"),
    ("penalty", {"defence_points": 1001}, f"option 'defence_points' is 1001: {POINTS}"),
    ("minnesota", {"target": 0}, "option 'target' is 0: accepted are an integer from 1 to 10000"),
    ("minnesota", {"target": "13"}, "option 'target' is '13': accepted are an integer from 1 to 10000"),
    ("minnesota", {"max_deals": 0}, "option 'max_deals' is 0: accepted are an integer from 1 to 10000"),
    ("minnesota", {"star_value": -0.5}, "option 'star_value' is -0.5: accepted are a number from 0 to 1000"),
    ("minnesota", {"star_value": float("nan")}, "option 'star_value' is nan: accepted are a number from 0 to 1000"),
    ("minnesota", {"star_value": None}, "option 'star_value' is None: accepted are a number from 0 to 1000"),
    ("minnesota", {"solos": 1}, "option 'solos' is 1: accepted are true or false"),
    ("minnesota", {"trumps": "no"}, "option 'trumps' is 'no': accepted are true or false"),
    ("minnesota", {"failed_solo_star": None}, "option 'failed_solo_star' is None: accepted are true or false"),
    ("minnesota", {"episode": "match"}, "option 'episode' is 'match': accepted are deal or game"),
    ("minnesota", {"pack": []}, "a pack of 0 cards cannot be dealt: accepted are a multiple of 4"),
    ("minnesota", {"pack": list(PACK.texts[:10])}, "a pack of 10 cards cannot be dealt: accepted are a multiple of 4"),
    ("minnesota", {"pack": ["2C", "2C", "3C", "4C"]}, "option 'pack' names 2C more than once"),
    ("minnesota", {"pack": "1"}, "option 'pack' is '1': accepted are None, a rank of 23456789TJQKA, or a list of cards"),
]  # fmt: skip


@pytest.mark.parametrize(("variant", "options", "message"), BAD)
def test_C_8_bad_input_is_one_clear_line(variant, options, message):
    with pytest.raises(ValueError) as raised:  # noqa: PT011
        GAME.values(variant, **options)
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)
    with pytest.raises(ValueError):  # noqa: PT011
        BatchEnv("minnesota-whist", 1, variant=variant, **options)
    with pytest.raises(ValueError):  # noqa: PT011
        aec.raw_env("minnesota-whist", variant=variant, **options)
