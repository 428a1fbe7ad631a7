"""Whist parties: who moves where, who plays with whom, ranking, and what the report says (MW-W)."""

import json
from dataclasses import replace

import numpy as np
import pytest

from tests.pages import whole_page
from tromf import agents
from tromf.__main__ import main
from tromf.envs import registry
from tromf.evaluate import party
from tromf.evaluate.reports import party_report

AGENTS = ["journeyman", "beginner", "random"]


@pytest.fixture(scope="module")
def held() -> party.Party:
    return party.hold("101", AGENTS, players=4, tables=3, rounds=8, deals=3, seed=5)


def test_MW_W_four_meet_at_every_table_in_two_pairs(held):
    for k in range(held.rounds):
        for player in range(12):
            met = {player, int(held.partners[k, player]), *held.opponents[k, player].tolist()}
            assert len(met) == 4
            assert len({int(held.tables[k, each]) for each in met}) == 1
            assert held.partners[k, held.partners[k, player]] == player
            assert held.points[k, player] == held.points[k, held.partners[k, player]] == -held.points[k, held.opponents[k, player][0]]


def test_MW_W_winners_move_up_and_losers_down_one_table(held):
    for k in range(held.rounds):
        for player in range(12):
            before, after = int(held.tables[k, player]), int(held.tables[k + 1, player])
            assert after == (max(before - 1, 0) if held.won[k, player] else min(before + 1, 2))


def test_MW_W_partners_change_but_for_the_top(held):
    for k in range(1, held.rounds):
        for player in range(12):
            stays = held.partners[k, player] == held.partners[k - 1, player]
            assert stays == (held.tables[k, player] == 0)


def test_MW_W_the_side_ahead_wins_and_level_rounds_are_drawn_by_lot(held):
    ahead = held.points > 0
    assert (held.won[~held.drawn] == ahead[~held.drawn]).all()
    assert (held.won.sum(axis=1) == 6).all()
    level = party.hold("mitza", ["random"], players=4, tables=2, rounds=30, deals=1)
    assert level.drawn.any()
    assert (level.points[level.drawn] == 0).all()


def test_MW_W_ranked_by_rounds_won_then_points_then_the_last_table(held):
    won = np.zeros((2, 4), np.bool_)
    won[0] = [True, True, False, True]
    points = np.array([[2.0, 1.0, 5.0, 1.0], [0, 0, 0, 0]])
    some = replace(held, won=won, points=points, tables=np.array([[0] * 4, [0] * 4, [0, 1, 0, 0]]))
    assert some.ranks().tolist() == [1, 3, 4, 2]
    assert replace(some, tables=np.zeros((3, 4), np.int64)).ranks().tolist() == [1, 2, 4, 2]


def test_the_same_seed_gives_the_same_party(held):
    again = party.hold("101", AGENTS, players=4, tables=3, rounds=8, deals=3, seed=5)
    assert again.to_json() == held.to_json()
    assert party.hold("101", AGENTS, players=4, tables=3, rounds=8, deals=3, seed=6).to_json() != held.to_json()


def test_seeds_may_have_any_size():
    few = {"players": 4, "tables": 2, "rounds": 1, "deals": 1}
    assert party.hold("101", ["random"], seed=2**64, **few).seed == 2**64
    assert party.hold("101", ["random"], seed=2**63, **few).seed == 2**63


def test_agents_are_repeated_evenly_and_equal_specs_are_one_agent():
    held = party.hold("101", ["journeyman", "random", "journeyman"], players=4, tables=3, rounds=1, deals=1)
    assert held.agents == ("journeyman", "random")
    assert np.bincount(held.who).tolist() == [8, 4]


def test_results_are_divided_into_parts_that_add_up(held):
    parts = held.parts()
    assert np.allclose(sum(parts.values()), held.points.mean(axis=0))
    assert sum(held.shares().values()) == pytest.approx(1)
    strengths = held.strengths()
    assert strengths["journeyman"].value > strengths["random"].value
    for estimate in strengths.values():
        assert estimate.low <= estimate.value <= estimate.high


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"agents": ["journeyman"] * 5}, r"5 agents cannot be repeated evenly over 16 seats \(4 tables\)"),
        ({"agents": []}, "0 agents cannot be repeated"),
        ({"rounds": 0}, "rounds is 0: accepted is an integer from 1"),
        ({"deals": 0}, "deals is 0"),
        ({"tables": 1}, "tables is 1: accepted is an integer from 2"),
        ({"tables": True}, "tables is True"),
        ({"seed": -1}, "seed is -1"),
        ({"players": 2}, "101-2p is no game for two sides of two players"),
        ({"agents": ["nobody"]}, "no agent 'nobody'"),
    ],
)
def test_bad_parties_are_refused_in_one_line(given, error):
    with pytest.raises(ValueError, match=error) as caught:
        party.hold("101", **({"agents": ["random"], "players": 4} | given))
    assert "\n" not in str(caught.value)


def test_agents_trained_for_another_variant_are_refused():
    game, _ = registry.find("101")
    guest = agents.make("random", game)
    guest.variant = "mitza"
    with pytest.raises(ValueError, match="agent random was trained for mitza, and this is a party of 101"):
        party.hold("101", [guest], players=4)


def test_the_report_is_complete(held, tmp_path):
    path = party_report.write(held, tmp_path, "A party", command="tromf party")
    text = path.read_text(encoding="utf-8")
    for part in ("## Standing", "## Agents", "## Tables", "tables.png", "due to themselves", "tromf party"):
        assert part in text
    assert (tmp_path / "tables.png").stat().st_size > 1000
    assert json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))["rounds"] == 8
    makers = (party_report.players_table, party_report.agents_table, party_report.rounds_table)
    page = whole_page(tmp_path, *(table(held) for table in makers))
    assert len(page.loads) == 1


def test_the_command_ranks_beside_fixed_partnerships(tmp_path, capsys):
    files = ["--out", str(tmp_path / "out"), "--json", str(tmp_path / "party.json")]
    with pytest.raises(SystemExit) as ended:
        main(["party", "101", "journeyman", "random", "-o", "players=4", "--tables", "2", "--rounds", "3", "--duplicate", "20", *files])
    assert not ended.value.code
    out = capsys.readouterr().out
    assert "Beside fixed partnerships" in out
    assert "by rounds won" in (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert whole_page(tmp_path / "out").tables[-1][0:2] == ["agent", "by rounds won"]
    assert json.loads((tmp_path / "party.json").read_text(encoding="utf-8"))["duplicate"]["blocks"] == 20


def test_a_report_is_not_written_over(tmp_path, capsys):
    line = ["party", "101", "random", "-o", "players=4", "--tables", "2", "--rounds", "1", "--deals-per-round", "1", "--out", str(tmp_path)]
    (tmp_path / "report.md").write_text("of something else")
    for more, code in (([], 2), (["--overwrite"], None)):
        with pytest.raises(SystemExit) as ended:
            main([*line, *more])
        assert ended.value.code == code
        err = capsys.readouterr().err
        assert err.count("exists and is not empty") == err.count("\n") == (code == 2)
        assert (tmp_path / "report.md").read_text(encoding="utf-8").startswith("of something else" if code else "# A party")


def test_the_command_refuses_what_cannot_be_seated(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["party", "101", "random", "journeyman", "beginner", "-o", "players=4"])
    assert ended.value.code == 2
    assert capsys.readouterr().err == (
        "tromf: 3 agents cannot be repeated evenly over 16 seats (4 tables): give a number that divides 16\n"
    )
