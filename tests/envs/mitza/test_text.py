"""Mîța in words: actions, what is told to whom, and the table of a whole record and of a concealed one."""

import numpy as np
import pytest

from tests.envs.positions import random_states, settings
from tromf.envs import batch, registry, render
from tromf.envs.mitza import text
from tromf.envs.mitza.options import PACK
from tromf.envs.mitza.rules import CRY, EXCHANGE_SEVEN, KEEP, QUIET, TROMF
from tromf.envs.mitza.rules import EXCHANGE as ASKED

GAME, _ = registry.find("mitza")
SETTINGS = [*((variant, players, "deal") for variant, players in settings(GAME)), ("101", 2, "match"), ("101", 4, "match")]


def dealt(first, dealer=0, **options):
    """An environment with a deal whose first cards are given, the others in order."""
    cards = first.split()
    env = batch.BatchEnv(GAME, 1, **options)
    env.reset(seeds=0, decks=[cards + [card for card in PACK.texts if card not in cards]], dealers=dealer)
    return env


def step(env, *actions):
    """Take actions given as texts; the records before the last one and after it."""
    for action in actions:
        before = env.states[0].copy()
        legal = [a for a in range(GAME.actions) if int(env.masks[0]) >> a & 1]
        env.step(np.array([GAME.parse_action(before, action, legal)]))
    return before, env.states[0].copy()


def concealed(state, seat):
    return batch.concealed(np.array([state], GAME.state), np.array([seat]))[0]


def test_actions_have_the_texts_of_the_rules_page():
    state = dealt("7C").states[0]
    assert [text.action_text(state, action) for action in (0, 21, 31)] == ["play 7C", "play TH", "play AS"]
    assert [text.action_text(state, action) for action in (TROMF, QUIET, EXCHANGE_SEVEN, KEEP)] == ["tromf", "quiet", "exchange", "keep"]


@pytest.mark.parametrize(("variant", "players", "episode"), SETTINGS)
def test_what_a_seat_is_told_follows_from_what_it_knows(variant, players, episode):
    states, actions = random_states(11, variant, GAME, players=players, episode=episode)
    for k, action in enumerate(actions):
        for seat in range(players):
            known = batch.concealed(states[k : k + 2], np.array([seat, seat]))
            assert text.events(known[0], known[1], seat) == text.events(states[k], states[k + 1], seat)
            assert text.told(known[0], action) == text.told(states[k], action)


@pytest.mark.parametrize(("variant", "players", "episode"), SETTINGS)
def test_tables_of_others_worlds_look_the_same(variant, players, episode):
    states, _ = random_states(5, variant, GAME, players=players, episode=episode)
    for state in states[:: max(1, len(states) // 6)]:
        one, other = batch.worlds(GAME, state, 0, 2, seed=9)
        assert render.ansi(GAME, state, 0) == render.ansi(GAME, one, 0) == render.ansi(GAME, other, 0)
        for line in text.moment(concealed(state, int(state["turn"]))):
            assert len(line) <= 140


@pytest.mark.parametrize(("variant", "players", "episode"), SETTINGS)
def test_points_and_tricks_told_are_those_of_the_record(variant, players, episode):
    states, actions = random_states(3, variant, GAME, players=players, episode=episode)
    won = 0
    for k in range(len(actions)):
        lines = [line for line in text.events(states[k], states[k + 1]) if "wins the trick" in line]
        won += len(lines)
        if lines and states[k + 1]["number"] == states[k]["number"]:
            after = states[k + 1]
            winner = int(after["leader"])
            assert lines[0].startswith(f"seat {winner} wins the trick with ")
            key = GAME.values(variant)["scoring"]
            gained = int(after["points"][winner % 2]) - int(states[k]["points"][winner % 2])
            assert f" {int(after[key][winner % 2])} {key[:-1]}" in lines[0]
            assert variant == "mitza" or f": +{gained}, " in lines[0]
    deals = int(states[-1]["number"]) + 1
    assert won == deals * int(states[0]["options"]["pack"]).bit_count() // players


def test_the_story_of_a_trick_with_two_players():
    env = dealt("KS 8D 9S 9D AS JD AH", variant="101", exchange=False)  # AH is turned, and 7C 8C lie on top of the stock
    before, after = step(env, "play KS", "play JD")
    assert text.told(before, PACK.number("JD")) == ("plays", "JD")
    assert text.events(before, after, 0) == ["seat 1 wins the trick with KS: +6, 6 points in all", "you draw 8C"]
    assert text.events(before, after, 1) == ["you win the trick with KS: +6, 6 points in all", "you draw 7C"]
    assert text.events(before, after) == ["seat 1 wins the trick with KS: +6, 6 points in all"]


def test_MZ_3_an_exchange_is_told_and_shown():
    env = dealt("7H 8D 9S 9D AS JD JH", variant="101")
    assert int(env.states[0]["phase"]) == ASKED
    before, after = step(env, "exchange")
    assert text.told(before, EXCHANGE_SEVEN) == ("exchanges", "7H for JH")
    table = render.ansi(GAME, after, 0)
    assert "7♥ face up under it" in table
    assert "▒▒ 2  J♥" in table


@pytest.mark.parametrize("seat", [0, 2, 3])
def test_MZ_3_nobody_is_told_that_a_seat_was_asked_and_kept(seat):
    env = dealt("7H 8D 9S 9D AS JD QD TD 9H 8H 7S KS JH", variant="101", players=4)
    asked = env.states[0].copy()
    assert (int(asked["phase"]), int(asked["turn"])) == (ASKED, 1)
    before, after = step(env, "keep")
    assert text.told(before, KEEP) == ("", "")
    assert text.events(before, after, seat) == []
    assert render.ansi(GAME, asked, seat) == render.ansi(GAME, after, seat)
    assert "exchange 7H" not in render.ansi(GAME, asked, seat)
    assert "seat 1 may exchange 7H for JH" in render.ansi(GAME, asked, 1)


def test_MZ_6_tromf_is_told_and_shown():
    found = set()
    for seed in range(8):
        states, actions = random_states(seed, "101", GAME, players=4)
        for k, action in enumerate(actions):
            if int(states[k]["phase"]) == CRY:
                assert text.told(states[k], action) == (("cries", "tromf") if action == TROMF else ("keeps", "quiet"))
                assert ("tromf!" in render.ansi(GAME, states[k + 1])) == (action == TROMF)
                found.add(int(action))
            new = int(states[k + 1]["lacks"]) & ~int(states[k]["lacks"])
            if new and not states[k + 1]["over"]:
                seat = new.bit_length() - 1
                assert f"seat {seat} has no trumps" in text.events(states[k], states[k + 1])
                assert "no trumps" in text.view(states[k + 1]).seats[seat].note
                found.add("lacks")
    assert found == {TROMF, QUIET, "lacks"}


def test_MZ_5_the_turned_card_is_drawn_before_all_eyes():
    states, actions = random_states(2, "101", GAME, players=4)
    k = next(k for k in range(len(actions)) if states[k]["top"] < states[k + 1]["top"] == states[k]["stock_size"])
    last = (int(states[k + 1]["leader"]) - 1) % 4
    card = text.view(states[k]).under
    assert text.events(states[k], states[k + 1])[1:] == [f"seat {last} draws {card}, which lay face up", "the stock is empty"]
    assert text.events(states[k], states[k + 1], last)[1] == f"you draw {card}, which lay face up"


def test_MZ_9_the_end_of_a_deal_within_a_match():
    states, actions = next(game for seed in range(20) if (game := random_states(seed, "101", GAME, episode="match"))[0][-1]["number"])
    k = next(k for k in range(len(actions)) if states[k]["number"] < states[k + 1]["number"])
    lines, score = text.events(states[k], states[k + 1], 0), states[k + 1]["score"].tolist()
    turned = text.view(states[k + 1]).under
    assert " the trick with " in lines[0]
    assert lines[1] == f"deal 1 is over: {score[0]} points for you, {score[1]} for seat 1"
    assert lines[2] == f"you have {score[0]} and seat 1 {score[1]} in the match to 101"
    assert lines[3].endswith(f"; {turned} is turned up: {text.SUIT_NAMES[turned[1]]} are trumps")
    assert lines[3].startswith("you deal; " if states[k + 1]["dealer"] == 0 else "seat 1 deals; ")
    end = text.events(states[-2], states[-1], 0)[-1]
    last = states[-1]["score"].tolist()
    assert end == f"{'you win' if last[0] > last[1] else 'seat 1 wins'} the match, {max(last)} points to {min(last)}"


def test_the_end_of_a_deal_also_when_it_is_equal():
    states, _ = random_states(0, "mitza", GAME, players=4)
    state = states[-1]
    endings = [
        ([4, 4], "the deal is equal, 4 tricks each", ["", ""]),
        ([3, 5], "side 1 wins the deal, 5 tricks to 3", ["", "wins"]),
    ]
    for tricks, line, notes in endings:
        state["tricks"] = tricks
        assert text.events(states[-2], state)[-1] == line
        assert text.view(state).status == line
        assert [seat.note for seat in text.view(state).seats] == notes * 2


def test_a_table_as_text():
    env = dealt("7D 8D 9S 9D AS JD QD TD KH 8H 7S KS JH", variant="101", players=4, dealer=3)
    step(env, "play AS")
    assert render.ansi(GAME, env.states[0], 1).splitlines() == [
        "101  4 players in two sides · points, exchange, tromf",
        "  seat 0  side 0 leader          ▒▒ 2",
        "> seat 1  side 1                 8♦ J♦  8♥  3 cards",
        "  seat 2  side 0                 ▒▒▒ 3",
        "  seat 3  side 1 partner dealer  ▒▒▒ 3",
        "  table   0:A♠ holds",
        "  stock   20 cards, J♥ face up under it",
        "  trumps  ♥ hearts",
        "          tricks  points",
        "  side 0       0       0",
        "  side 1       0       0",
        "  seat 1 is to play to AS",
    ]


@pytest.mark.parametrize(("variant", "players", "episode"), SETTINGS)
def test_pictures_are_drawn_at_every_stage(variant, players, episode):
    states, _ = random_states(1, variant, GAME, players=players, episode=episode)
    for state in (states[0], states[players // 2 + 1], states[-2], states[-1]):
        for seat, cards in ((None, "two"), (players - 1, "hungarian")):
            assert render.rgb_array(GAME, state, seat, cards).shape == (880, 1280, 3)
