"""`tromf games` shows what there is."""

import json

import pytest

from tests.commands.test_main import run
from tromf.agents import registry as agents
from tromf.agents.search import SETTINGS
from tromf.envs import registry


@pytest.mark.parametrize("name", registry.names())
def test_the_listing_shows_everything(name, capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "400")
    game = registry.find(name)[0]
    code, out, _ = run(capsys, "games", name, "--words", "--json", str(tmp_path / "games.json"))
    assert code == 0
    for each in (*game.variants, *(row.name for row in game.rows), *agents.rules_of(game).KINDS):
        assert each in out
    for option in game.options:
        assert all(text in out for text in (option.name, option.accepts, option.meaning))
    for kind, settings in SETTINGS.items():
        assert all(f"{each.name}=" in out.partition(f"settings of {kind} ")[2].partition("\n")[0] for each in settings)
    (described,) = json.loads((tmp_path / "games.json").read_text(encoding="utf-8"))
    assert described["game"] == name
    assert [each["option"] for each in described["options"]] == [option.name for option in game.options]


def test_a_variant_may_stand_for_its_game(capsys):
    assert run(capsys, "games", "six-card")[:2] == run(capsys, "games", "mustamaija")[:2]


def test_player_counts_can_be_played(capsys, tmp_path):
    run(capsys, "games", "--json", str(tmp_path / "games.json"))
    for described in json.loads((tmp_path / "games.json").read_text(encoding="utf-8")):
        game = registry.find(described["game"])[0]
        for variant, counts in described["players"].items():
            assert counts
            for players in counts:
                game.states(1, variant, players=players)


def test_players_of_mustamaija(capsys):
    _, out, _ = run(capsys, "games", "mustamaija")
    assert "2–6" in out
    assert "2–8" in out
