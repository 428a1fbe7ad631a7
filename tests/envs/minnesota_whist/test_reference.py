"""The plain reference of Minnesota Whist and its variants on the points of the rules page, without the compiled rules."""

from random import Random

import pytest

from tromf.envs.minnesota_whist.reference import (
    BID_DIX,
    BID_SOLA,
    BIDDING,
    DIX,
    GIVING,
    NAMING,
    PASS,
    PLAYING,
    SOLA,
    SOLOS,
    TRUMP,
    VARIANTS,
    Reference,
    cards_in_play,
    number,
    side_of,
    suit,
    text,
)

WORDS = {"pass": PASS, "sola": BID_SOLA, "dix": BID_DIX}
SUITS = "CDHS"
LEFT = 0  # of the dealer in `table`, unless another dealer is named

# Everybody black, or red: the seat left of the dealer grands, or the hand is low.
FOUR_OF_EACH = ["2C 2D 2H 2S", "3C 3D 3H 3S", "4C 4D 4H 4S", "5C 5D 5H 5S"]


def cards(texts):
    return [number(card) for card in texts.split()]


def names(numbers):
    return " ".join(text(card) for card in sorted(numbers))


def a_deck(*hands, dealer=3):
    """The hands of the seats 0 to 3."""
    clockwise = [(dealer + 1 + k) % 4 for k in range(4)]
    return [cards(hands[seat])[k] for k in range(len(hands[0].split())) for seat in clockwise]


def table(*hands, dealer=3, **options):
    """A deal with these hands; their cards are the pack."""
    deck = a_deck(*hands, dealer=dealer)
    return Reference([deck], dealer, pack=deck, **options)


def play(game, *actions):
    """Actions as on the page, but cards without their verb, and `trump H` in one word: `2S`, `pass`, `trumpH`."""
    for action in " ".join(actions).split():
        if action.startswith("trump"):
            game.apply(TRUMP + SUITS.index(action[-1]))
        else:
            game.apply(WORDS[action] if action in WORDS else number(action))
    return game


def play_randomly(game, seed, likes=()):
    random = Random(seed)
    while not game.over:
        liked = sorted(game.legal() & set(likes))
        game.apply(random.choice(liked if liked and random.random() < 0.5 else sorted(game.legal())))
    return game


# ------------------------------------------------------------------ whole deals in which every trick is chosen
#
# A quad is four neighbouring cards of a suit, one a seat, whose highest is where the test wants the trick to go. Twelve of them and
# the four aces, one a seat too, make a deal in which everybody always follows; the winner of the twelfth trick wins the last with its ace.

QUADS = [cards(" ".join(rank + suit for rank in ranks)) for suit in SUITS for ranks in ("2345", "6789", "TJQK")]
ACES = cards("AC AD AH AS")


def quad_hands(winners):
    """The hands of the seats 0 to 3, card k to be played to trick k; `winners`: of the first twelve tricks."""
    hands = [[], [], [], []]
    for quad, winner in zip(QUADS, winners, strict=True):
        others = [seat for seat in range(4) if seat != winner]
        for seat, card in zip([*others, winner], quad):
            hands[seat].append(text(card))
    return [" ".join([*hand, text(ace)]) for hand, ace in zip(hands, ACES)]


def quad_deck(winners, dealer=3):
    return a_deck(*quad_hands(winners), dealer=dealer)


def to_the_side(tricks):
    """Winners of twelve quads such that side 0 has so many tricks of thirteen, all by seat 0, the others by seat 1."""
    if tricks >= 7:
        return [1] * (13 - tricks) + [0] * (tricks - 1)
    return [0] * tricks + [1] * (12 - tricks)


def bid_high(game, granded=0, dealer=3):
    """The seat bids black, all others red: high."""
    hands = [sorted(hand, key=lambda card: card % 13) for hand in game.hands]
    for k in range(4):
        seat = (dealer + 1 + k) % 4
        wanted = (0, 3) if seat == granded else (1, 2)
        game.apply(next(card for card in hands[seat] if suit(card) in wanted))
    return game


def bid_low(game, dealer=None):
    return bid_high(game, granded=None, dealer=game.dealer if dealer is None else dealer)


def play_quads(game, until=13):
    """Play until so many tricks of the deal are over, or the deal is: everybody its card of the quad, at last the aces."""
    deal = game.number
    while not game.over and game.number == deal and sum(game.tricks) < until:
        quad = [*QUADS, ACES][sum(game.tricks)]
        game.apply(next(card for card in quad if card in game.hands[game.actor]))
    return game


def quad_game(winners, dealer=3, **options):
    return Reference([quad_deck(winners, dealer)], dealer, **options)


# ------------------------------------------------------------------ MW-1, MW-2: bids


def test_MW_1_seats_bid_clockwise_from_left_of_the_dealer_any_card_of_the_hand():
    game = table(*FOUR_OF_EACH, dealer=1)
    for seat, card in ((2, "4S"), (3, "5C"), (0, "2D"), (1, "3H")):
        assert (game.phase, game.actor, game.high) == (BIDDING, seat, None)
        assert names(game.legal()) == FOUR_OF_EACH[seat]
        play(game, card)
    assert game.phase == PLAYING
    assert [names(hand) for hand in game.hands] == FOUR_OF_EACH  # bid cards return to the hands


def test_MW_1_no_bid_of_another_seat_is_known_before_the_showing():
    one, two = table(*FOUR_OF_EACH), table(*FOUR_OF_EACH)
    play(one, "2C 3C 4C")
    play(two, "2D 3H 4S")
    assert one.knows(3) == two.knows(3)
    assert text(one.knows(0)["bid"]) == "2C"
    assert one.knows(3)["bid"] is None
    assert one.knows(0) == play(table(*FOUR_OF_EACH), "2C 3D 4D").knows(0)


@pytest.mark.parametrize(
    ("bids", "granded", "shown"),
    [
        ("2C 3C 4D 5S", 0, "2C"),
        ("2S 3D 4D 5D", 0, "2S"),
        ("2H 3C 4S 5D", 1, "2H 3C"),
        ("2D 3H 4S 5C", 2, "2D 3H 4S"),
        ("2D 3H 4D 5C", 3, "2D 3H 4D 5C"),
        ("2D 3H 4D 5H", None, "2D 3H 4D 5H"),
    ],
)
@pytest.mark.parametrize("solos", [False, True])
def test_MW_2_cards_are_turned_until_the_first_black_one(bids, granded, shown, solos):
    game = play(table(*FOUR_OF_EACH, solos=solos), bids)
    assert (game.high, game.granded) == (granded is not None, granded)
    turned = dict(enumerate(cards(shown)))
    for seat in range(4):
        knows = game.knows(seat)
        assert knows["shown"] == turned
        assert knows["known"] == [{turned[other]} if other in turned else set() for other in range(4)]
        assert knows["bid"] == cards(bids)[seat]
        assert knows["kind"] == (None if solos else "low" if granded is None else "high")


def test_MW_2_unshown_bids_stay_secret_and_shown_ones_known_until_played():
    one, two = play(table(*FOUR_OF_EACH), "2H 3C 4S 5D"), play(table(*FOUR_OF_EACH), "2H 3C 4D 5C")
    for _ in range(16):
        assert one.knows(0) == two.knows(0)
        assert one.knows(1) == two.knows(1)
        action = max(one.legal())
        one.apply(action)
        two.apply(action)
    game = play(table(*FOUR_OF_EACH), "2H 3C 4S 5D", "2H")
    assert (game.knows(3)["shown"], game.knows(3)["known"][0], game.knows(0)["bid"]) == ({1: number("3C")}, set(), None)
    assert [game.knows(seat)["bid"] for seat in (1, 2, 3)] == cards("3C 4S 5D")


# ------------------------------------------------------------------ MW-8: leads and tricks


@pytest.mark.parametrize("dealer", range(4))
@pytest.mark.parametrize("granded", range(4))
@pytest.mark.parametrize("variant", list(VARIANTS))
@pytest.mark.parametrize("trumps", [False, True])
def test_MW_8_who_leads_to_a_high_hand(dealer, granded, variant, trumps):
    game = table(*FOUR_OF_EACH, dealer=dealer, variant=variant, trumps=trumps, solos=False)
    bid_high(game, granded, dealer)
    if trumps:
        assert (game.phase, game.actor) == (NAMING, granded)
        play(game, "trumpH")
    leader = granded if variant == "south-dakota" else (granded + 3) % 4
    assert (game.phase, game.actor, game.leader, game.knows(0)["kind"]) == (PLAYING, leader, leader, "high")


@pytest.mark.parametrize("dealer", range(4))
@pytest.mark.parametrize("variant", list(VARIANTS))
def test_MW_8_left_of_the_dealer_leads_to_a_low_hand(dealer, variant):
    game = bid_low(table(*FOUR_OF_EACH, dealer=dealer, variant=variant, solos=False))
    assert (game.phase, game.actor, game.trump, game.knows(0)["kind"]) == (PLAYING, (dealer + 1) % 4, None, "low")


def test_MW_8_follow_suit_if_able_else_any_card_and_the_winner_leads():
    game = play(table("2C 3D KH", "5C 7D 2H", "4D 5D 3H", "9C AS 8D"), "3D 7D 4D 8D")  # low, seat 0 leads
    assert names(game.legal()) == "2C 3D KH"
    play(game, "2C")
    assert names(game.legal()) == "5C"
    play(game, "5C")
    assert names(game.legal()) == "4D 5D 3H"  # no club
    play(game, "5D")
    assert names(game.legal()) == "9C"
    assert game.knows(0)["table"] == {0: number("2C"), 1: number("5C"), 2: number("5D")}
    play(game, "9C")
    assert (game.leader, game.actor, game.tricks, game.table) == (3, 3, [0, 1], {})
    with pytest.raises(ValueError, match="illegal action"):
        play(game, "9C")


def test_MW_8_C_7_a_suit_that_was_not_followed_is_known_to_be_missing():
    game = play(table("2C 3D KH", "5C 7D 2H", "4D 5D 3H", "9C AS 8D"), "3D 7D 4D 8D", "2C 5C 5D 9C", "AS 3D 2H")
    assert game.knows(1)["lacks"] == [{3}, {3}, {0}, set()]
    assert game.knows(1)["sizes"] == [1, 1, 2, 1]
    assert [names(played) for played in game.knows(1)["played"]] == ["2C 3D", "5C 2H", "5D", "9C AS"]


@pytest.mark.parametrize(
    ("trick", "trump", "winner"),
    [("2C AD KC QS", None, 2), ("2C AD KC QS", "D", 1), ("2C AD 3D QS", "D", 1), ("2C 3D 4D KC", "D", 2), ("2C AD KC QS", "H", 2)],
)
def test_MW_8_highest_trump_wins_else_highest_of_the_suit_led(trick, trump, winner):
    first = trick.split()
    hands = [f"{card} {other}" for card, other in zip(first, ("2S", "2H", "3H", "4H"))]
    game = table(*hands, trumps=trump is not None, variant="south-dakota")
    play(game, "2S", "2H 3H 4H", f"trump{trump}" if trump else "")
    assert play(game, trick).leader == winner


def test_MW_7_the_grander_names_trumps_in_a_high_hand_only():
    game = play(table(*FOUR_OF_EACH, trumps=True), "2D 3S 4H 5H")
    assert (game.phase, game.actor, game.legal()) == (NAMING, 1, {55, 56, 57, 58})
    assert game.knows(2)["trump"] is None
    play(game, "trumpS")
    assert (game.phase, game.knows(2)["trump"], game.actor) == (PLAYING, 3, 0)  # minnesota: G's right leads
    assert play(table(*FOUR_OF_EACH, trumps=True), "2D 3H 4H 5H").phase == PLAYING
    assert play(table(*FOUR_OF_EACH), "2D 3S 4H 5H").phase == PLAYING


# ------------------------------------------------------------------ MW-9, MW-10, MW-11: scores


@pytest.mark.parametrize("tricks", range(14))
@pytest.mark.parametrize(
    ("variant", "options", "grand", "defence"),
    [
        ("minnesota", {}, 1, 1),
        ("penalty", {}, 1, 2),
        ("askov", {"solos": False}, 2, 1),
        ("askov", {"solos": False, "grand_points": 0, "defence_points": 5}, 0, 5),
        ("south-dakota", {"trumps": False}, None, None),
    ],
)
def test_MW_9_and_MW_10_high_hands(tricks, variant, options, grand, defence):
    for granded in (0, 1):
        game = quad_game(to_the_side(tricks), variant=variant, **options)
        play_quads(bid_high(game, granded))
        assert (game.over, game.tricks) == (True, [tricks, 13 - tricks])
        granders = tricks if granded == 0 else 13 - tricks
        score = [0, 0]
        if variant == "south-dakota":  # MW-10
            score[granded] = granders - 6 if granders >= 7 else granders - 7
        elif granders >= 7:
            score[granded] = grand * (granders - 6)
        else:
            score[1 - granded] = defence * (7 - granders)
        assert (game.score, game.stars) == (score, [0, 0])
        assert game.returns() == [score[0] - score[1], score[1] - score[0]] * 2


@pytest.mark.parametrize("variant", list(VARIANTS))
@pytest.mark.parametrize(("tricks", "score"), [(0, [0, -7]), (6, [0, -1]), (7, [-1, 0]), (10, [-4, 0]), (13, [-7, 0])])
def test_MW_11_low_hands(tricks, score, variant):
    game = play_quads(bid_low(quad_game(to_the_side(tricks), variant=variant, solos=False)))
    assert (game.over, game.tricks, game.score) == (True, [tricks, 13 - tricks], score)
    assert game.returns() == [score[0] - score[1], score[1] - score[0]] * 2


# ------------------------------------------------------------------ MW-3: solo bidding


def bidding(*actions, bids="2D 3S 4H 5H"):
    return play(table(*FOUR_OF_EACH, solos=True), bids, *actions)


@pytest.mark.parametrize("bids", ["2C 3S 4H 5H", "2D 3S 4H 5H", "2D 3D 4D 5D"])
def test_MW_3_bidding_begins_left_of_the_dealer_after_any_showing(bids):
    game = bidding(bids=bids)
    assert (game.phase, game.actor, game.legal()) == (SOLOS, LEFT, {PASS, BID_SOLA, BID_DIX})


def test_MW_3_four_passes_end_it_and_the_hand_is_as_it_was_shown():
    game = bidding("pass pass pass")
    assert (game.phase, game.actor, game.knows(0)["passes"]) == (SOLOS, 3, 3)
    play(game, "pass")
    assert (game.phase, game.actor, game.knows(0)["kind"], game.soloist) == (PLAYING, 0, "high", None)
    assert bidding("pass pass pass pass", bids="2D 3D 4D 5D").knows(1)["kind"] == "low"


def test_MW_3_three_passes_after_sola_end_it_and_sola_is_bid_once():
    game = bidding("pass sola")
    assert (game.actor, game.legal()) == (2, {PASS, BID_DIX})
    knows = game.knows(0)
    assert (knows["solo"], knows["soloist"], knows["passes"], knows["kind"]) == (SOLA, 1, 0, None)
    play(game, "pass pass")
    assert (game.phase, game.actor, game.knows(0)["passes"]) == (SOLOS, 0, 2)
    play(game, "pass")
    assert (game.phase, game.actor, game.knows(0)["kind"], game.soloist) == (GIVING, 1, SOLA, 1)


def test_MW_3_a_seat_that_passed_may_bid_later_also_over_its_partner_and_dix_ends_at_once():
    game = bidding("pass pass sola pass dix")
    assert (game.phase, game.solo, game.soloist, game.actor) == (PLAYING, DIX, 0, 2)
    game = bidding("pass dix")
    assert (game.phase, game.soloist, game.knows(3)["kind"]) == (PLAYING, 1, DIX)
    assert bidding("dix").soloist == 0


def test_MW_3_without_solos_nobody_is_asked():
    assert play(table(*FOUR_OF_EACH), "2D 3S 4H 5H").phase == PLAYING


# ------------------------------------------------------------------ MW-4: sola nulla


def test_MW_4_the_exchange():
    game = bidding("pass sola pass pass pass")
    assert (game.phase, game.actor, names(game.legal())) == (GIVING, 1, "3C 3D 3H 3S")
    play(game, "3H")
    assert (game.phase, game.actor, names(game.legal())) == (GIVING, 3, "5C 5D 5H 5S")
    assert (game.knows(1)["gave"], game.knows(1)["received"]) == (number("3H"), None)
    assert names(game.hands[1]) == "3C 3D 3H 3S"
    play(game, "5S")
    assert [names(hand) for hand in game.hands] == ["2C 2D 2H 2S", "3C 3D 3S 5S", "4C 4D 4H 4S", "5C 5D 3H 5H"]
    knows = [game.knows(seat) for seat in range(4)]
    assert [(knows[seat]["gave"], knows[seat]["received"]) for seat in range(4)] == [
        (None, None),
        tuple(cards("3H 5S")),
        (None, None),
        tuple(cards("5S 3H")),
    ]


def test_MW_4_it_is_simultaneous():
    one, two = (bidding("sola pass pass pass", gift) for gift in ("2C", "2H"))
    for seat in (1, 2, 3):
        assert one.knows(seat) == two.knows(seat)


def test_MW_4_the_opponent_on_the_right_leads_and_the_partner_sits_out():
    for soloist, bids in enumerate(("sola pass pass pass", "pass sola pass pass pass", "pass pass sola pass pass pass")):
        game = bidding(bids)
        game.apply(min(game.legal()))
        game.apply(min(game.legal()))
        leader, partner = (soloist + 3) % 4, (soloist + 2) % 4
        assert (game.phase, game.actor, game.knows(leader)["sits_out"]) == (PLAYING, leader, partner)
        for seat in (leader, soloist, (soloist + 1) % 4):  # tricks of three cards
            assert game.actor == seat
            game.apply(min(game.legal()))
        assert (game.table, sum(game.tricks)) == ({}, 1)
        assert not game.played[partner]


def test_MW_4_shown_cards_of_the_two_are_known_to_be_with_one_of_them_until_played():
    game = bidding("pass sola pass pass pass", bids="2D 3D 4D 5D")
    assert [names(known) for known in game.knows(2)["known"]] == ["2D", "3D", "4D", "5D"]
    play(game, "3D")
    assert [names(known) for known in game.knows(2)["known"]] == ["2D", "3D", "4D", "5D"]
    play(game, "5H")
    for seat in range(4):
        knows = game.knows(seat)
        assert [names(known) for known in knows["known"]] == ["2D", "", "4D", ""]
        assert (names(knows["either"]), {seat: text(card) for seat, card in knows["shown"].items()}) == (
            "3D 5D",
            {0: "2D", 1: "3D", 2: "4D", 3: "5D"},
        )
    assert (game.knows(1)["bid"], game.knows(1)["gave"]) == (number("3D"), number("3D"))  # it lies with the partner


def test_MW_4_a_shown_card_that_was_kept_is_played():
    game = bidding("pass sola pass pass pass", "3C 5H", bids="2D 3D 4D 5D")
    play(game, "2D 3D 4D")
    knows = game.knows(0)
    assert (names(knows["either"]), set(knows["shown"])) == ("5D", {3})
    assert [names(known) for known in knows["known"]] == ["", "", "", ""]
    assert game.knows(1)["bid"] is None


@pytest.mark.parametrize("seed", range(5))
def test_MW_4_no_observation_of_the_others_depends_on_the_gifts(seed):
    """B gives one of two cards and plays neither; nobody but the two sees a difference."""
    hands = ["2C 6C 7C", "AD 3C KH", "4C 8C 9C", "5C TC JC"]
    games = [play(table(*hands, solos=True), "2C 3C 4C 5C", "pass sola pass pass pass", gift, "5C") for gift in ("AD", "KH")]
    random = Random(seed)
    while not games[0].over:
        assert games[0].knows(0) == games[1].knows(0)
        assert games[0].knows(2) == games[1].knows(2)
        assert games[0].over == games[1].over
        common = sorted(games[0].legal() & games[1].legal() - {number("AD"), number("KH")})
        if not common:
            break  # the last trick: B must play the card that it kept
        action = random.choice(common)
        for game in games:
            game.apply(action)


NO_TRICK = [0, 2, 2, 0, 0, 2, 0, 2, 0, 0, 2, 2]  # winners, the soloist is 1 or 3


def sola_game(winners, soloist=1, **options):
    """Sola nulla of the seat; the two exchange their aces."""
    game = bid_low(quad_game(winners, variant="askov", **options))
    play(game, *["pass"] * soloist, "sola pass pass pass")
    return play(game, f"A{SUITS[soloist]}", f"A{SUITS[(soloist + 2) % 4]}")


@pytest.mark.parametrize("soloist", [1, 3])
def test_MW_4_and_MW_6_and_MW_12_sola_is_made_after_thirteen_tricks(soloist):
    game = play_quads(sola_game(NO_TRICK, soloist), 12)
    assert (game.over, game.stars) == (False, [0, 0])
    play_quads(game)
    assert (game.over, game.score, game.stars, game.tricks) == (True, [0, 0], [0, 1], [13, 0])
    assert (game.returns(), game.cents()) == ([-7.5, 7.5] * 2, [0.0] * 4)  # money is paid for games alone (MW-13)
    assert len(game.hands[(soloist + 2) % 4]) == 13


@pytest.mark.parametrize(("star", "value"), [(False, 0), (True, 2.5)])
def test_MW_6_and_MW_12_sola_fails_with_the_first_trick(star, value):
    game = play_quads(sola_game([0, 2, 1, *NO_TRICK[3:]], failed_solo_star=star, star_value=2.5), 2)
    assert not game.over
    play_quads(game, 3)
    assert (game.over, game.tricks, game.score, game.stars) == (True, [2, 1], [0, 0], [int(star), 0])
    assert game.returns() == [value, -value] * 2


# ------------------------------------------------------------------ MW-5: grand dix


def dix_game(winners, soloist=1, **options):
    game = bid_low(quad_game(winners, variant="askov", **options))
    return play(game, *["pass"] * soloist, "dix")


@pytest.mark.parametrize("soloist", range(4))
def test_MW_5_the_partner_leads_then_sits_out(soloist):
    game = dix_game([soloist] * 12, soloist)
    partner = (soloist + 2) % 4
    assert (game.phase, game.actor, game.sits_out) == (PLAYING, partner, None)
    order = []
    while sum(game.tricks) < 2:
        order.append(game.actor)
        quad = QUADS[sum(game.tricks)]
        game.apply(next(card for card in quad if card in game.hands[game.actor]))
    assert order == [(partner + k) % 4 for k in range(4)] + [soloist, (soloist + 1) % 4, (soloist + 3) % 4]
    assert (game.knows(0)["sits_out"], game.knows(0)["sizes"][partner]) == (partner, 12)


def test_MW_5_shown_cards_stay_known_also_of_the_partner_who_sits_out():
    game = dix_game([1] * 12)
    shown = [set(known) for known in game.known]
    play_quads(game, 1)
    assert game.knows(0)["known"][3] == shown[3] - game.played[3]
    assert game.knows(0)["either"] == set()


def test_MW_6_and_MW_12_dix_is_made_with_the_seventh_trick():
    game = play_quads(dix_game([1] * 12), 6)
    assert not game.over
    play_quads(game, 7)
    assert (game.over, game.score, game.stars, game.tricks) == (True, [0, 0], [0, 1], [0, 7])
    assert game.returns() == [-7.5, 7.5] * 2


@pytest.mark.parametrize("star", [False, True])
@pytest.mark.parametrize(
    ("winners", "tricks"),
    [([1, 1, 0], [1, 2]), ([2], [1, 0]), ([3], [0, 1]), ([1] * 6 + [0], [1, 6])],
)
def test_MW_5_and_MW_6_dix_fails_with_the_first_trick_lost_also_to_the_partner(winners, tricks, star):
    game = dix_game((winners + [1] * 12)[:12], failed_solo_star=star)
    play_quads(game, len(winners))
    assert (game.over, game.tricks, game.score, game.stars) == (True, tricks, [0, 0], [int(star), 0])
    assert game.returns() == [7.5 * star, -7.5 * star] * 2


# ------------------------------------------------------------------ MW-13, MW-P: games


def games(winners, *, dealer=3, **options):
    """A game whose deals all have these winners."""
    return Reference(lambda k: quad_deck(winners, (dealer + k) % 4), dealer, episode="game", **options)


@pytest.mark.parametrize(("variant", "deals"), [("minnesota", 2), ("penalty", 2), ("askov", 2)])
def test_MW_13_deals_until_a_side_has_the_target(variant, deals):
    game = games([0] * 12, variant=variant, solos=False)
    for k in range(deals):
        assert (game.over, game.number, game.dealer, game.actor) == (False, k, (3 + k) % 4, k % 4)
        assert game.knows(0)["deals_left"] == 99 - k
        bid_high(game, 0, game.dealer)
        play_quads(game)
    assert (game.over, game.truncated, game.winner, game.returns()) == (True, False, 0, [1.0, -1.0] * 2)
    assert game.score == [7 * deals * game.grand_points, 0]


def test_MW_13_nothing_of_a_deal_is_left_in_the_next():
    game = play_quads(bid_low(games([0] * 12)))
    assert (game.phase, game.number, game.score, game.tricks) == (BIDDING, 1, [-7, 0], [0, 0])
    knows = game.knows(2)
    assert (knows["bid"], knows["shown"], knows["high"], knows["granded"], knows["leader"]) == (None, {}, None, None, None)
    assert (knows["sizes"], knows["score"], game.returns()) == ([13] * 4, [-7, 0], [0.0] * 4)


def test_MW_13_a_game_may_end_after_one_deal():
    game = play_quads(bid_high(games([1] * 12, variant="penalty"), 0))
    assert (game.over, game.score, game.returns()) == (True, [0, 14], [-1.0, 1.0] * 2)
    assert play_quads(bid_high(games([0] * 12, target=7), 0)).over
    assert not play_quads(bid_high(games([0] * 12, target=8), 0)).over


def test_MW_13_and_MW_10_south_dakota_plays_to_eleven_and_scores_go_below_zero():
    game = games([0] * 12, variant="south-dakota", trumps=False)
    play_quads(bid_high(game, 1))
    assert game.score == [0, -7]
    play_quads(bid_high(game, 0, game.dealer))
    assert (game.over, game.score) == (False, [7, -7])
    play_quads(bid_high(game, 0, game.dealer))
    assert (game.over, game.score, game.winner) == (True, [14, -7], 0)


def solo_deal(game, soloist):
    """Grand dix of the seat, which leaves with a star if it wins all tricks."""
    bid_low(game)
    while game.actor != soloist:
        play(game, "pass")
    return play_quads(play(game, "dix"), 7)


@pytest.mark.parametrize("stars", range(3))
def test_MW_13_and_MW_P_with_solos_the_stars_of_the_winners_are_paid(stars):
    game = games([0] * 12, variant="askov", target=14)
    for _ in range(stars):
        solo_deal(game, 0)
    assert (game.stars, game.score, game.over) == ([stars, 0], [0, 0], False)
    bid_high(game, 0, game.dealer)
    play_quads(play(game, "pass pass pass pass"))
    assert (game.over, game.score) == (True, [14, 0])
    assert game.returns() == [1.0 + stars, -1.0 - stars] * 2
    assert game.cents() == [15 * (1 + stars), -15 * (1 + stars)] * 2


def test_MW_13_stars_of_the_losers_do_not_count_and_without_solos_nothing_is_paid():
    game = games([0] * 12, variant="askov", target=14, failed_solo_star=True)
    solo_deal(game, 1)  # fails, so side 0 gets the star
    solo_deal(game, 2)  # its partner wins the first trick: the other side gets one
    assert game.stars == [1, 1]
    bid_high(game, 0, game.dealer)
    play_quads(play(game, "pass pass pass pass"))
    assert game.returns() == [2.0, -2.0] * 2
    game = play_quads(bid_high(games([0] * 12, target=7), 0))
    assert (game.returns(), game.cents()) == ([1.0, -1.0] * 2, [0.0] * 4)


def test_MW_13_after_max_deals_the_game_is_truncated():
    game = games([0] * 12, max_deals=3)
    for k in range(3):
        assert (game.over, game.number, game.knows(1)["deals_left"]) == (False, k, 2 - k)
        play_quads(bid_low(game))
    assert (game.over, game.truncated, game.score, game.winner) == (True, True, [-21, 0], None)
    assert (game.returns(), game.cents(), game.actor, game.legal()) == ([0.0] * 4, [0.0] * 4, -1, set())


def test_C_6_a_game_that_is_won_in_the_last_deal_is_terminated():
    game = play_quads(bid_high(games([0] * 12, max_deals=1, target=7), 0))
    assert (game.over, game.truncated, game.returns()) == (True, False, [1.0, -1.0] * 2)


def test_MW_P_single_deals_know_no_target_and_no_limit():
    game = play_quads(bid_high(quad_game([0] * 12, target=1, max_deals=1), 0))
    assert (game.over, game.truncated, game.returns(), game.knows(0)["deals_left"]) == (True, False, [7.0, -7.0] * 2, 0)
    assert game.winner == 0


def test_C_3_decks_are_given_in_a_list_and_are_permutations_of_the_pack():
    decks = [quad_deck([0] * 12, 3), quad_deck([1] * 12, 0), quad_deck([2] * 12, 1)]
    game = Reference(decks, 3, episode="game", target=14)
    play_quads(bid_high(game, 0))
    play_quads(bid_high(game, 0, game.dealer))
    assert (game.tricks, game.score, game.number, game.dealer) == ([0, 0], [7, 7], 2, 1)
    with pytest.raises(ValueError, match="deck 0 is no permutation of the 52 cards in play"):
        Reference([[*range(51), 0]], 0)


# ------------------------------------------------------------------ MW-R: tiny packs


@pytest.mark.parametrize(("pack", "tricks", "six", "seven"), [(None, 13, 6, 7), ("T", 5, 2, 3), ("J", 4, 2, 3), ("A", 1, 0, 1)])
def test_MW_R_six_and_seven_of_a_reduced_pack(pack, tricks, six, seven):
    game = Reference([sorted(cards_in_play(pack))], 0, pack=pack)
    assert (game.tricks_in_deal, game.six, game.seven) == (tricks, six, seven)
    assert sum(map(len, game.hands)) == 4 * tricks


def test_MW_R_a_level_hand_of_four_tricks_scores_for_nobody_but_costs_the_granders_in_south_dakota():
    # Clubs 2 to 5, and so on: seats 0 and 1 win two tricks each.
    hands = ["5C 5D 2H 2S", "2C 2D 5H 5S", "3C 3D 3H 3S", "4C 4D 4H 4S"]
    order = "5C 2C 3C 4C 5D 2D 3D 4D 2H 5H 3H 4H 5S 3S 4S 2S"
    low = play(table(*hands), "5D 2D 3D 4D", order)
    assert (low.over, low.tricks, low.score, low.returns()) == (True, [2, 2], [0, 0], [0.0] * 4)
    high = play(table(*hands, variant="south-dakota", trumps=False), "5C 2D 3D 4D", order)
    assert (high.over, high.tricks, high.score) == (True, [2, 2], [-1, 0])
    high = play(table(*hands, variant="minnesota"), "2S 2D 3D 4D", "4C 5C 2C 3C 5D 2D 3D 4D 2H 5H 3H 4H 5S 3S 4S 2S")
    assert (high.over, high.tricks, high.score) == (True, [2, 2], [0, 0])


def test_MW_R_dix_of_a_pack_of_twelve_cards_takes_two_tricks_and_sola_three():
    hands = ["2C 2D 2H", "5C 5D 5H", "3C 3D 3H", "4C 4D 4H"]
    game = play(table(*hands, solos=True), "2D 5D 3D 4D", "pass dix", "4C 2C 5C 3C")
    assert (game.over, game.tricks) == (False, [0, 1])
    play(game, "5D 3D 2D")
    assert (game.over, game.tricks, game.stars) == (True, [0, 2], [0, 1])
    game = play(table(*hands, solos=True), "2D 5D 3D 4D", "sola pass pass pass", "2C 3C", "4C 3C 5C", "5D 4D 2D", "5H 4H")
    assert not game.over
    play(game, "2H")
    assert (game.over, game.tricks, game.stars) == (True, [0, 3], [1, 0])


def test_MW_R_one_trick():
    game = play(table("AC", "AD", "AH", "AS"), "AC AD AH AS")
    assert (game.granded, game.actor) == (0, 3)
    play(game, "AS AC AD AH")
    assert (game.over, game.tricks, game.score) == (True, [0, 1], [0, 1])
    game = play(table("AC", "AD", "AH", "AS", solos=True), "AC AD AH AS", "sola pass pass pass", "AC AH", "AS AH AD")
    assert (game.over, game.stars, names(game.hands[2])) == (True, [1, 0], "AC")
    assert play(table("AC", "AD", "AH", "AS", solos=True), "AC AD AH AS", "dix", "AH AS AC AD").stars == [0, 0]


# ------------------------------------------------------------------ whole deals at random


EVERYTHING = [
    {"variant": "minnesota"},
    {"variant": "penalty", "pack": "9"},
    {"variant": "askov"},
    {"variant": "askov", "pack": "T", "failed_solo_star": True},
    {"variant": "south-dakota"},
    {"variant": "south-dakota", "trumps": False, "solos": True, "pack": "J"},
]


def shuffled(pack, seed):
    deck = sorted(cards_in_play(pack))
    Random(seed).shuffle(deck)
    return deck


@pytest.mark.parametrize("options", EVERYTHING)
def test_C_7_what_a_seat_knows_is_true_and_shows_no_hidden_card(options):
    for seed in range(6):
        random = Random(seed)
        deck = shuffled(options.get("pack"), seed)
        game = Reference([deck], seed % 4, **options)
        while not game.over:
            for seat in range(4):
                knows = game.knows(seat)
                played = set().union(*knows["played"])
                assert set(knows["table"].values()) <= played
                assert all(known <= hand for known, hand in zip(knows["known"], game.hands))
                if knows["either"]:
                    assert knows["either"] <= game.hands[knows["soloist"]] | game.hands[knows["sits_out"]]
                assert all(not {suit(card) for card in hand} & lacks for hand, lacks in zip(game.hands, knows["lacks"]))
                assert sum(knows["sizes"]) + len(played) == len(deck)
                private = {knows["bid"], knows["gave"], knows["received"]} - {None}
                assert not private & played
                assert private <= game.hands[seat] | game.hands[(seat + 2) % 4]
                assert set(knows["shown"].values()) == knows["either"].union(*knows["known"])
                assert game.legal_for(seat) == (game.legal() if seat == game.actor else set())
            assert game.legal()
            game.apply(random.choice(sorted(game.legal())))


@pytest.mark.parametrize("options", EVERYTHING)
def test_C_6_returns_of_games_sum_to_zero(options):
    pack = options.get("pack")
    for seed in range(4):
        game = Reference(lambda k, seed=seed, pack=pack: shuffled(pack, 100 * seed + k), seed % 4, episode="game", max_deals=12, **options)
        assert game.returns() == [0.0] * 4
        play_randomly(game, seed, likes=[PASS])
        assert sum(game.returns()) == 0
        assert game.dealer == (seed + game.number) % 4
        if game.truncated:
            assert (max(game.score) < game.target, game.number, game.returns()) == (True, 11, [0.0] * 4)
        else:
            ahead = next(side for side in (0, 1) if game.score[side] >= game.target)
            value = 1 + game.stars[ahead] if game.solos else 1
            assert game.returns() == [value if side_of(seat) == ahead else -value for seat in range(4)]
