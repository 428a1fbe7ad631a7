"""The plain reference of Mîța on the worked examples of its rules page, without the compiled rules."""

from random import Random

import pytest

from tromf.envs.mitza.reference import (
    CRYING,
    EXCHANGE_SEVEN,
    EXCHANGING,
    KEEP,
    PLAYING,
    QUIET,
    TROMF,
    Reference,
    cards_in_play,
    number,
    points_of,
    text,
)

WORDS = {"tromf": TROMF, "quiet": QUIET, "exchange": EXCHANGE_SEVEN, "keep": KEEP}


def cards(texts):
    return [number(card) for card in texts.split()]


def names(numbers):
    return " ".join(text(card) for card in sorted(numbers))


def a_deck(*hands, turned, stock="", dealer=None):
    """The hands of all seats, seat 0 first, the turned card, and the face-down stock, top first; the rest of 32 lies under it."""
    players = len(hands)
    clockwise = [((players - 1 if dealer is None else dealer) + 1 + k) % players for k in range(players)]
    dealt = [cards(hands[seat])[k] for k in range(3) for seat in clockwise] + cards(turned) + cards(stock)
    return dealt + [card for card in range(32) if card not in dealt]


def table(*hands, turned, stock="", dealer=None, whole=True, **options):
    """A deal in which seat 0 leads, unless another dealer is named; with `whole=False` the cards named are the pack."""
    players = len(hands)
    deck = a_deck(*hands, turned=turned, stock=stock, dealer=dealer)
    if not whole:
        deck = deck[: 3 * players + 1 + len(stock.split())]
        options["pack"] = deck
    return Reference([deck], players - 1 if dealer is None else dealer, players=players, **options)


def play(game, *actions):
    for action in " ".join(actions).split():
        game.apply(WORDS[action] if action in WORDS else number(action))
    return game


def play_randomly(game, seed):
    random = Random(seed)
    while not game.over:
        game.apply(random.choice(sorted(game.legal())))
    return game


# ------------------------------------------------------------------ the page's examples


@pytest.mark.parametrize(
    ("trick", "winner"),
    [("8S AC QS TD", 2), ("QC TC QD 7H", 3), ("KS 8H AS TH", 3)],
)
@pytest.mark.parametrize("dealer", range(4))
def test_MZ_4_winners_of_the_worked_examples(trick, winner, dealer):
    seats = [(dealer + 1 + k) % 4 for k in range(4)]
    spare = iter(["7C", "8C", "9C", "JC", "7S", "9S", "JS", "TS"])
    hands = {seat: f"{card} {next(spare)} {next(spare)}" for seat, card in zip(seats, trick.split())}
    game = table(*(hands[seat] for seat in range(4)), turned="JH", dealer=dealer)
    for seat, card in zip(seats, trick.split()):
        assert game.actor == seat
        assert game.legal() == game.hands[seat]
        play(game, card)
    assert game.leader == game.actor == seats[winner]
    assert game.won[game.side(seats[winner])] == set(cards(trick))
    assert game.tricks[game.side(seats[winner])] == 1


def test_MZ_3_the_jack_of_hearts_is_exchanged_for_the_seven():
    game = table("8S 9S TS", "7H 8C 9C", turned="JH", exchange=True)
    assert (game.phase, game.actor, game.legal()) == (EXCHANGING, 1, {EXCHANGE_SEVEN, KEEP})
    play(game, "exchange")
    assert names(game.hands[1]) == "8C 9C JH"
    assert names(game.known[1]) == "JH"
    assert text(game.turned) == "7H"
    assert (game.phase, game.actor, game.trump) == (PLAYING, 0, 2)


def test_MZ_3_keep_changes_nothing_that_others_see():
    nobody = table("8S 9S TS", "AD 8C 9C", turned="JH", exchange=True)
    game = table("8S 9S TS", "7H 8C 9C", turned="JH", exchange=True)
    assert nobody.phase == PLAYING
    assert game.knows(0) == nobody.knows(0)
    assert game.legal_for(0) == set()
    assert game.knows(1)["phase"] == EXCHANGING
    play(game, "keep")
    assert game.knows(0) == nobody.knows(0)
    assert game.knows(1)["kept"]
    play(game, "8S")
    play(nobody, "8S")
    assert game.knows(0) == nobody.knows(0)
    play(game, "7H")
    assert not game.knows(1)["kept"]


def test_MZ_3_nobody_is_asked_when_the_seven_is_turned_or_in_the_stock_or_not_in_the_pack():
    assert table("8S 9S TS", "8C 9C TC", turned="7H", exchange=True).phase == PLAYING
    assert table("8S 9S TS", "8C 9C TC", turned="JH", exchange=True).phase == PLAYING
    assert table("7H 9S TS", "8C 9C TC", turned="JH", exchange=False).phase == PLAYING
    assert table("8H 9S TS", "8C 9C TC", turned="JH", stock="TH", whole=False, exchange=True).phase == PLAYING


# ------------------------------------------------------------------ the deal


def test_MZ_1_the_turned_card_makes_trumps_and_is_drawn_last():
    game = table("7C 9S TS", "8C 9C TC", turned="JD", stock="AS 7S KS", whole=False)
    assert (text(game.turned), game.trump) == ("JD", 1)
    play(game, "7C 8C")
    assert (names(game.hands[1]), names(game.hands[0])) == ("9C TC AS", "7S 9S TS")
    play(game, "9C 7S")  # seat 1 draws KS, seat 0 the turned card
    assert (game.turned, names(game.known[0]), game.known[1]) == (None, "JD", set())


@pytest.mark.parametrize(
    ("stock", "checked"),
    [
        ("7S 8H 9S JS TS", "7S 8H 9S JS TS"),
        ("7H 8S 9S JS TS", "8S 9S 7H JS TS"),
        ("7S 8S 9S JS TH", "7S 8S TH 9S JS"),
        ("7H 8S 9S JS TH", "8S 9S TH 7H JS"),
        ("7H 8H 9S JS TS", "8H 9S 7H JS TS"),
        ("7S 8S 9S JH TH", "7S 8S TH 9S JH"),
        ("7H 8S TH", "8S TH 7H"),
        ("7H", "7H"),
    ],
)
def test_MZ_2_trumps_at_the_ends_of_the_stock_go_into_its_middle(stock, checked):
    game = table("7C 8C 9C", "7D 8D 9D", turned="AH", stock=stock, whole=False, check_stock=True)
    assert " ".join(text(card) for card in game.stock) == f"{checked} AH"
    assert " ".join(text(card) for card in table("7C 8C 9C", "7D 8D 9D", turned="AH", stock=stock, whole=False).stock) == f"{stock} AH"


def test_MZ_5_all_draw_one_card_clockwise_from_the_winner():
    game = table("8S 7S 9S", "AC 7C 8C", "QS JS KS", "TD 7D 8D", turned="JH", stock="7H 8H 9H", whole=False)
    play(game, "8S", "AC", "QS", "TD")
    assert [set(hand) for hand in game.hands] == [set(cards(hand)) for hand in ("9H 7S 9S", "7C 8C JH", "7H JS KS", "7D 8D 8H")]
    assert [names(known) for known in game.known] == ["", "JH", "", ""]


def test_MZ_7_the_deal_ends_when_all_cards_are_played():
    game = table("AH KH QH", "7C 8S 9S", turned="TC", stock="7D", whole=False, tromf=False)
    for cards_left in range(8, 0, -1):
        assert not game.over
        assert sum(map(len, game.hands)) + len(game.stock) == cards_left
        game.apply(max(game.legal()))
    assert game.over


def test_MZ_6_after_tromf_all_must_play_trumps_the_partner_too_and_one_without_is_known():
    game = table("AH KH AC", "JS 8S 9S", "QH 7S KS", "8C 9C TC", turned="TH", stock="7D 8D 9D", whole=False)
    play(game, "AH")
    assert game.phase == PLAYING  # the stock is not empty yet
    play(game, "8S 7S 8C")
    assert game.stock == []
    play(game, "KH")
    assert (game.phase, game.actor, game.legal()) == (CRYING, 0, {TROMF, QUIET})
    assert game.knows(3)["phase"] == CRYING
    play(game, "tromf")
    assert names(game.legal()) == "8D 9S JS"
    play(game, "9S")
    assert game.knows(3)["lacks"] == {1}
    assert names(game.legal()) == "QH"
    play(game, "QH")
    assert names(game.legal()) == "TH"
    play(game, "TH")
    assert (game.lacks, game.called, game.leader) == ({1}, False, 0)


def test_MZ_6_quiet_binds_nobody():
    game = table("AH KH AC", "7H 8S 9S", turned="TH", stock="7D", whole=False)
    play(game, "AH 8S KH quiet")
    assert game.legal() == set(cards("7H 9S TH"))
    assert play(game, "9S").lacks == set()


def test_MZ_6_asked_on_the_last_trick_and_when_nobody_else_has_a_trump():
    game = table("AH KH QH", "7C 8S 9S", turned="TH", stock="7D", whole=False)
    play(game, "AH 7C 7D 8S KH quiet TH QH")
    assert (game.phase, game.legal()) == (CRYING, {TROMF, QUIET})
    play(game, "tromf")
    assert names(game.legal()) == "9S"
    assert play(game, "9S").lacks == {1}
    assert (game.over, game.tricks, game.actor, game.legal()) == (True, [4, 0], -1, set())


def test_MZ_6_off_nobody_is_asked():
    game = table("AH KH AC", "7H 8S 9S", turned="TH", stock="7D", whole=False, tromf=False)
    assert play(game, "AH 8S KH").phase == PLAYING


# ------------------------------------------------------------------ ends, matches, returns


@pytest.mark.parametrize("players", [2, 4, 6])
@pytest.mark.parametrize("scoring", ["tricks", "points"])
def test_MZ_P_and_MZ_8_of_whole_deals(players, scoring):
    for seed in range(20):
        deck = sorted(cards_in_play(players, None, ("8C", "8S")))
        Random(seed).shuffle(deck)
        game = play_randomly(Reference([deck], seed % players, players=players, scoring=scoring, exchange=True, check_stock=True), seed)
        assert (sum(game.points), sum(game.tricks)) == (120, len(deck) // players)
        mine, theirs = game.tricks if scoring == "tricks" else game.points
        value = (mine - theirs) / (mine + theirs)
        assert game.returns() == [value, -value] * (players // 2)
        assert game.winner == (None if mine == theirs else int(theirs > mine))


def test_MZ_8_points_of_cards():
    assert [points_of([number(rank + "D")]) for rank in "789JQTKA"] == [0, 0, 0, 2, 3, 10, 4, 11]
    assert points_of(range(32)) == 120


# Eight cards, spades are trumps, and aces the only points. The eldest hand holds AC 7C 8C and draws 8S, the dealer AD 7D 8D and 7S.
TWO_ACES = cards("AC AD 7C 7D 8C 8D 7S 8S")
SHARED = "AC 8D 7C 7S AD 8C 7D 8S"  # each side wins its ace
SWEPT = "AC 8D 7C 7D 8C AD 8S quiet 7S"  # the eldest hand wins both


def a_match(target, players=2):
    return Reference([TWO_ACES] * 9, players - 1, players=players, scoring="points", episode="match", target=target, pack=TWO_ACES)


def test_MZ_9_equal_totals_at_the_target_play_on_until_one_side_is_ahead():
    game = a_match(target=11)
    play(game, SHARED)
    assert (game.over, game.score, game.number, game.dealer, game.actor) == (False, [11, 11], 1, 0, 1)
    assert (game.tricks, game.points, game.returns()) == ([0, 0], [0, 0], [0.0, 0.0])
    play(game, SHARED)
    assert (game.over, game.score, game.number, game.dealer, game.actor) == (False, [22, 22], 2, 1, 0)
    play(game, SWEPT)
    assert (game.over, game.score, game.number, game.winner, game.points) == (True, [44, 22], 2, 0, [22, 0])
    assert game.returns() == [1.0, -1.0]


def test_MZ_9_a_match_ends_after_the_deal_in_which_a_side_reaches_the_target():
    assert play(a_match(target=22), SWEPT).over
    game = play(a_match(target=23), SWEPT)
    assert (game.over, game.knows(1)["score"], game.actor) == (False, [22, 0], 1)
    play(game, SWEPT)
    assert not game.over  # 22 each: seat 1 was the eldest hand
    play(game, SHARED)
    play(game, SWEPT)
    assert (game.over, game.score, game.returns()) == (True, [33, 55], [-1.0, 1.0])


@pytest.mark.parametrize("players", [2, 4, 6])
def test_MZ_P_matches_of_random_play(players):
    def deck_for(k):
        deck = sorted(cards_in_play(players, None, ("8H", "8S")))
        Random(k).shuffle(deck)
        return deck

    for seed in range(5):
        game = play_randomly(
            Reference(deck_for, 0, players=players, scoring="points", exchange=True, removed=("8H", "8S"), episode="match"), seed
        )
        assert game.dealer == game.number % players
        assert sum(game.score) == 120 * (game.number + 1)
        assert max(game.score) >= 101
        ahead = int(game.score[1] > game.score[0])
        assert game.returns() == [1.0 if seat % 2 == ahead else -1.0 for seat in range(players)]


def test_C_3_a_deck_is_a_permutation_of_the_cards_in_play():
    with pytest.raises(ValueError, match="deck 0 is no permutation of the 30 cards in play"):
        Reference([list(range(32))], 0, players=6)
    assert len(Reference([sorted(cards_in_play(6, "9", ("8C", "8S")))], 0, players=6, pack="9").cards) == 24


@pytest.mark.parametrize("players", [2, 4, 6])
def test_C_7_what_a_seat_knows_is_true_and_shows_no_hidden_card(players):
    for seed in range(10):
        random = Random(seed)
        deck = sorted(cards_in_play(players, None, ("8C", "8S")))
        random.shuffle(deck)
        game = Reference([deck], 0, players=players, exchange=True)
        while not game.over:
            for seat in range(players):
                knows = game.knows(seat)
                seen = knows["hand"].union(*knows["known"], *knows["won"], knows["table"].values())
                hidden = [hand - known for other, (hand, known) in enumerate(zip(game.hands, game.known)) if other != seat]
                assert not seen & set(game.stock).union(*hidden)
                assert all(known <= hand for known, hand in zip(knows["known"], game.hands))
                assert sum(knows["sizes"]) + knows["stock"] + len(knows["table"]) + sum(map(len, knows["won"])) == len(deck)
                assert set().union(*knows["won"], knows["table"].values()) == set().union(*knows["played"])
            game.apply(random.choice(sorted(game.legal())))
