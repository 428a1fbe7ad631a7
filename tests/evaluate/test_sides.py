"""Matches of games in which seats play together: who sits where, what is counted, and how it is told."""

import dataclasses
import io
import json

import numpy as np
import pytest

from tests.partners import GAME, facing
from tromf import agents, evaluate
from tromf.agents import Agent
from tromf.envs import record
from tromf.evaluate import blocks
from tromf.evaluate.reports import learning, plots, report
from tromf.evaluate.seatings import one_among, rotations


@pytest.fixture(scope="module")
def three():
    return evaluate.pairs(GAME, ["journeyman", "beginner", "random"], blocks=60, seed=1)


@pytest.fixture(scope="module")
def without_losers(three):
    return dataclasses.replace(three, helmets=None)


def test_partners_are_one_agent():
    assert one_among(5, 2, 2)[:, facing(4)].tolist() == [[5, 2, 5, 2], [2, 5, 2, 5]]
    assert rotations([0, 1, 2])[:, facing(6)].tolist() == [[0, 1, 2, 0, 1, 2], [2, 0, 1, 2, 0, 1], [1, 2, 0, 1, 2, 0]]


def test_a_side_against_the_other_is_played_once_on_each(three):
    outcome = played([0, 1])
    for agent, row in enumerate(three.row(*names) for names in (("journeyman", "beginner"), ("beginner", "journeyman"))):
        mine = outcome.seatings == agent
        assert mine.tolist() == [[(seat + seating + agent) % 2 == 0 for seat in range(4)] for seating in range(2)]
        assert row.mean.value == pytest.approx(outcome.returns[:, mine].mean())
        assert row.loss.value == pytest.approx(outcome.lost[:, mine].mean())
        assert (row.deals, row.blocks) == (120, 60)
    one, other = three.row("journeyman", "beginner"), three.row("beginner", "journeyman")
    assert one.mean.value == pytest.approx(-other.mean.value)


def played(match):
    """The match of the first two agents above, played plainly."""
    crew = [agents.make(spec, GAME) for spec in ("journeyman", "beginner")]
    return blocks.play_matches(GAME, GAME.states(1), [rotations(match)[:, facing(4)]], crew, 60, 1)[0]


def test_the_share_of_deals_lost_alone_is_that_of_the_row(three):
    assert evaluate.loss_share(GAME, "beginner", "random", 60, 1) == three.row("beginner", "random").loss


def test_a_table_has_an_agent_a_side():
    result = evaluate.table(GAME, ["journeyman", "random", "random"], blocks=20, players=6)
    assert [(row.agent, row.against, row.deals) for row in result.rows] == [
        ("journeyman", "random random", 60),
        ("random", "journeyman random", 120),
    ]
    for wrong in (["journeyman", "random"], ["journeyman", "random"] * 3):
        with pytest.raises(ValueError, match=f"a table of {len(wrong)} agents does not fit mustamaija-6p: it has 3 sides$"):
            evaluate.table(GAME, wrong, players=6)


def test_records_name_the_agent_of_every_seat(tmp_path):
    evaluate.pairs(GAME, ["journeyman", "random"], blocks=2, keep=tmp_path / "games.jsonl")
    seated = [each.agents for each in record.read(tmp_path / "games.jsonl")]
    assert seated[:2] == [["journeyman", "random"] * 2, ["random", "journeyman"] * 2]
    assert len(seated) == 4


def test_reports_speak_of_sides(three, tmp_path):
    text = report.write(three, tmp_path, "Partners").read_text()
    for wanted in (
        "One agent in all seats of a side against another in all other seats, on every side once",
        "| agent | against | deals lost (fair: 25.0 %) |",
        "| agent | minus | against |",
        "## Everyone against everyone",
    ):
        assert wanted in text
    assert plots.cross(three).axes[0].get_ylabel() == "in all seats of one side"
    labels = [label.get_text() for label in plots.means(three).axes[0].get_yticklabels()]
    assert labels[0] == "journeyman\nagainst beginner"


def test_without_a_loser_in_every_deal_no_share_of_losses_is_called_fair(without_losers, tmp_path):
    from rich.console import Console

    metrics = tmp_path / "metrics.jsonl"
    metrics.write_text(json.dumps({"decisions": 10, "lost": 0.4, "evaluation": 0.2, "return/random": 0.1, "lost_sampling/random": 0.3}))
    text = report.write(without_losers, tmp_path / "report", "No loser", metrics=metrics).read_text()
    assert "| deals lost | mean return (fair: 0) |" in text
    assert "A deal is lost by those whose return is negative." in text
    assert "means.png" in text
    assert "helmet" not in text
    console = Console(width=100, record=True, file=io.StringIO())
    console.print(report.terminal(without_losers))
    shown = console.export_text()
    assert "fair is a mean return of 0" in shown
    assert "% lost" not in shown
    (axes,) = learning.training_curve(metrics, 4, losers=False).axes
    assert axes.get_ylabel() == "mean return for a deal"
    drawn = {line.get_label(): np.asarray(line.get_ydata()).tolist() for line in axes.lines}
    assert drawn["evaluation, choosing greedily"] == [0.2]
    assert drawn["in training among random, sampling"] == [0.1]
    assert "fair: 0" in drawn


@pytest.mark.parametrize("players", [4, 6])
def test_a_side_of_101_is_paid_what_the_other_pays(players):
    class Lowest(Agent):
        spec = "lowest"

        def act(self, batch):
            return np.array([int(mask & -mask).bit_length() - 1 for mask in batch.masks.tolist()])

    class Highest(Agent):
        spec = "highest"

        def act(self, batch):
            return np.array([int(mask).bit_length() - 1 for mask in batch.masks.tolist()])

    result = evaluate.pairs("101", [Lowest(), Highest()], blocks=40, players=players)
    one, other = result.row("lowest", "highest"), result.row("highest", "lowest")
    assert one.mean.value == pytest.approx(-other.mean.value) != 0
    assert 0.5 < one.loss.value + other.loss.value <= 1  # the rest are draws
    assert (one.deals, one.helmets, result.helmets, result.sides) == (80, None, None, 2)
    assert "A deal is lost by those whose return is negative." in str(report.strength(report.Context(result, None, None, "")))
