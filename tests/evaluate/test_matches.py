"""Pairs and tables: known strengths, what a result holds, and what is refused."""

import io
import json

import numpy as np
import pytest

from tromf import agents, evaluate
from tromf.agents import Agent
from tromf.envs import record, registry

GAME, _ = registry.find("mustamaija")
RULES = ["journeyman", "beginner", "random"]


@pytest.fixture(scope="module")
def three():
    return evaluate.pairs("mustamaija", RULES, blocks=1500, seed=11)


def test_known_shares_of_deals_lost(three):
    known = {("journeyman", "beginner"): 0.011, ("beginner", "journeyman"): 0.82}
    for (agent, against), share in known.items():
        row = three.row(agent, against)
        assert row.loss.low < row.loss.value < row.loss.high
        assert row.loss.low - 0.005 < share < row.loss.high + 0.005
        assert row.loss.high - row.loss.low < 0.03


def test_a_share_of_deals_lost_alone_is_the_same_figure(three):
    assert evaluate.loss_share("mustamaija", "beginner", "journeyman", 1500, 11) == three.row("beginner", "journeyman").loss


def test_an_agent_among_its_equals_loses_its_share():
    share, low, high = evaluate.loss_share("mustamaija", "journeyman", "journeyman", 300, players=5)
    assert (share, low, high) == pytest.approx((0.2, 0.2, 0.2), abs=0.01)  # cut-off games without Mustamaija in hand have no loser


def test_agents_that_play_alike_differ_by_exactly_nothing():
    result = evaluate.pairs("mustamaija", ["expert", "expert,take=1"], blocks=50, seed=1)
    for row in result.rows:
        assert (tuple(row.mean), row.needed) == ((0, 0, 0), None)
        assert "+0.000 [+0.000, +0.000]" in row.mean.text()


def test_rows_are_all_ordered_pairs_and_the_mean_follows_from_the_losses(three):
    assert [(row.agent, row.against) for row in three.rows] == [(a, b) for a in RULES for b in RULES if a != b]
    for row in three.rows:
        assert row.mean.value == pytest.approx(-row.loss.value + (1 - row.loss.value) / 3, abs=1e-3)
        assert row.mean.low <= row.mean.value <= row.mean.high
        assert (row.blocks, row.deals) == (1500, 6000)


def test_json_has_the_agreed_keys_and_is_the_same_again(three):
    value = json.loads(json.dumps(three.to_json()))
    assert {"game", "variant", "players", "seed", "blocks", "rows"} <= value.keys()
    assert {"agent", "against", "mean", "low", "high", "loss_rate", "blocks"} <= value["rows"][0].keys()
    assert (value["game"], value["variant"], value["players"], value["seed"], value["blocks"]) == ("mustamaija", "standard", 4, 11, 1500)
    again = evaluate.pairs("mustamaija", RULES, blocks=1500, seed=11, threads=1, batch=333)
    assert json.dumps(again.to_json()) == json.dumps(three.to_json())
    assert evaluate.pairs("mustamaija", RULES, blocks=100, seed=12).to_json() != evaluate.pairs("mustamaija", RULES, blocks=100).to_json()


def test_a_row_does_not_depend_on_who_else_plays(three):
    assert evaluate.pairs("mustamaija", RULES[:2], blocks=1500, seed=11).rows[0] == three.row("journeyman", "beginner")


def test_differences_are_paired_by_block(three):
    difference = next(each for each in three.differences if each.against == "random")
    assert (difference.better, difference.worse) == ("journeyman", "beginner")
    means = [three.row(agent, "random").mean.value for agent in ("journeyman", "beginner")]
    assert difference.mean.value == pytest.approx(means[0] - means[1])
    assert len(three.differences) == 3


def test_pairs_against_chosen_others_only():
    result = evaluate.pairs("mustamaija", ["journeyman"], against=["beginner", "random", "journeyman"], blocks=50)
    assert [(row.agent, row.against) for row in result.rows] == [("journeyman", "beginner"), ("journeyman", "random")]
    assert result.differences == ()


def test_golden_helmets_of_an_agent_are_those_of_all_its_seats(three):
    assert three.helmets is not None
    helmets, deals = three.helmets["beginner"]
    assert deals == 1500 * 4 * (2 + 2 * 3)
    assert helmets >= sum(row.helmets for row in three.rows if row.agent == "beginner") > 0


@pytest.mark.parametrize(("seatings", "orders"), [("given", 1), (2, 2), (None, 3), ("all", 3)])
def test_a_table_is_played_in_all_rotations_of_its_orders(seatings, orders):
    result = evaluate.table("mustamaija", ["journeyman", "beginner", "beginner", "random"], seatings=seatings, blocks=200, seed=1)
    assert [(row.agent, row.against) for row in result.rows] == [
        ("journeyman", "beginner beginner random"),
        ("beginner", "journeyman beginner random"),
        ("random", "journeyman beginner beginner"),
    ]
    assert result.orders == (orders, 3)
    assert ("of 3 orders round the table" in result.setting_text()) == (orders < 3)
    assert [row.deals for row in result.rows] == [800 * orders, 1600 * orders, 800 * orders]
    weights = [1, 2, 1]
    assert sum(w * row.mean.value for w, row in zip(weights, result.rows)) == pytest.approx(0, abs=1e-12)
    assert sum(w * row.loss.value for w, row in zip(weights, result.rows)) == pytest.approx(1, abs=0.01)


def test_between_two_sides_a_pair_is_played_once_and_told_twice():
    told = []
    result = evaluate.pairs("mustamaija", RULES, blocks=30, players=2, progress=lambda *games: told.append(games))
    assert told[-1] == (3 * 30 * 2, 3 * 30 * 2)
    assert len(result.rows) == 6
    for row in result.rows:
        other = result.row(row.against, row.agent)
        assert row.mean.value == pytest.approx(-other.mean.value)
        assert (row.deals, row.decisions) == (60, other.decisions)
    assert result.helmets is not None
    assert [deals for _, deals in result.helmets.values()] == [2 * 60] * 3
    assert evaluate.pairs("mustamaija", RULES[1:], against=RULES[:1], blocks=30, players=2).rows == (
        result.row("beginner", "journeyman"), result.row("random", "journeyman"),
    )  # fmt: skip


def test_places_are_counted_from_the_dealer(three):
    assert [position.place for position in three.positions] == [1, 2, 3, 4]
    assert sum(position.mean.value for position in three.positions) == pytest.approx(0, abs=1e-9)


def test_lengths_are_those_of_all_games(three):
    assert sum(three.lengths.values()) == 6 * 1500 * 4
    mean = sum(length * count for length, count in three.lengths.items()) / sum(three.lengths.values())
    assert mean == pytest.approx(np.mean([row.decisions for row in three.rows]))


def test_variants_options_and_agents_as_objects():
    class Lowest(Agent):
        spec = "lowest"

        def act(self, batch):
            return np.bitwise_count(~batch.masks & (batch.masks - np.uint64(1))).astype(np.int64)

    result = evaluate.pairs("three-card-declared", [Lowest(), agents.make("random", GAME)], blocks=30, players=7, scoring="winner")
    assert (result.variant, result.players, result.options) == ("three-card-declared", 7, {"players": 7, "scoring": "winner"})
    assert [row.agent for row in result.rows] == ["lowest", "random"]
    assert "scoring = winner" in result.setting_text()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: evaluate.pairs("chess", RULES), "no game 'chess'"),
        (lambda: evaluate.pairs("mustamaija", ["journeyman"]), "at least two different agents"),
        (lambda: evaluate.pairs("mustamaija", ["random", "random"]), "given twice"),
        (lambda: evaluate.pairs("mustamaija", ["random", "grandmaster"]), "no agent 'grandmaster'"),
        (lambda: evaluate.pairs("mustamaija", RULES, players=9), "players"),
        (lambda: evaluate.pairs("mustamaija", RULES, variant="two-card"), "no variant"),
        (lambda: evaluate.pairs("mustamaija", RULES, blocks=0), "blocks is 0"),
        (lambda: evaluate.pairs("mustamaija", RULES, threads=True), "threads is True"),
        (lambda: evaluate.pairs("mustamaija", RULES, batch=1.5), "batch is 1.5"),
        (lambda: evaluate.pairs("mustamaija", RULES, seed=-1), "seed is -1"),
        (lambda: evaluate.pairs("mustamaija", [Agent(), Agent()]), "two agents are called 'agent'"),
        (lambda: evaluate.pairs("mustamaija", ["random", None]), "None is no agent"),
        (lambda: evaluate.table("mustamaija", RULES), "3 agents does not fit mustamaija-4p"),
        (lambda: evaluate.table("mustamaija", ["random"] * 4), "at least two different agents"),
        (lambda: evaluate.table("mustamaija", ["random", "beginner"] * 2, seatings=0), "seatings are 0: accepted are"),
        (lambda: evaluate.table("mustamaija", ["random", "beginner"] * 2, seatings="every"), "seatings are 'every'"),
        (lambda: evaluate.pairs("mustamaija", RULES, sample=-1), "sample is -1"),
        (lambda: evaluate.pairs("mustamaija", RULES, seed=1, deal_set="mustamaija-1"), "give one of them"),
        (lambda: evaluate.pairs("mustamaija", RULES, deal_set="mustamaija-99"), "no deal set 'mustamaija-99': there are"),
        (lambda: evaluate.pairs("mustamaija", RULES, deal_set="mitza-1"), "mitza-1 is for mitza, not for mustamaija"),
        (lambda: evaluate.pairs("mustamaija", RULES, deal_set="mustamaija-1", pack="5"), "another pack"),
        (lambda: evaluate.pairs("mustamaija", RULES, deal_set="mustamaija-1", blocks=1_000_001), "has 1,000,000 deal blocks"),
        (lambda: evaluate.pairs("mustamaija", ["random", "net:nowhere.safetensors"]), "nowhere"),
    ],
)
def test_what_cannot_be_is_refused_before_a_game_is_played(call, message):
    with pytest.raises((ValueError, OSError), match=message) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_a_match_not_played_has_no_row(three):
    with pytest.raises(LookupError):
        three.row("journeyman", "expert")


def test_records_replay_to_the_same_returns(tmp_path):
    path = tmp_path / "games.jsonl"
    specs = ["journeyman", "random"]
    result = evaluate.pairs("house", specs, blocks=6, players=3, keep=path)
    records = list(record.read(path))
    assert len(records) == 2 * 6 * 3
    assert all(record.replay(each)[-1]["over"] for each in records)
    mine = [each.returns[each.agents.index("journeyman")] for each in records if each.agents.count("journeyman") == 1]
    assert np.mean(mine) == pytest.approx(result.row("journeyman", "random").mean.value)


def test_the_table_for_the_terminal(three):
    from rich.console import Console

    console = Console(width=80, record=True, file=io.StringIO())
    console.print(evaluate.report.terminal(three))
    text = console.export_text()
    assert "journeyman" in text
    assert three.row("beginner", "journeyman").loss.percent() in text
    assert max(map(len, text.splitlines())) <= 80
