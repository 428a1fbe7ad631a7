"""Deal sets: they are what they were, and only for what they are made for."""

from pathlib import Path

import pytest

from tromf.envs import registry
from tromf.evaluate import dealsets

SETS = sorted(path.stem for path in (Path(__file__).parents[2] / "configs" / "deals").glob("*.yaml"))


@pytest.mark.parametrize("name", registry.names())
def test_every_game_has_a_set_for_its_whole_pack(name):
    game, _ = registry.find(name)
    found = dealsets.of(game, game.states(1))
    assert found is not None
    assert found.name == f"{name}-{found.version}"
    found.check(game, game.states(1), found.blocks)


@pytest.mark.parametrize("name", SETS)
def test_a_set_has_a_digest_and_a_name_with_its_version(name):
    found = dealsets.find(name)
    assert found.digest is not None
    assert name.endswith(f"-{found.version}")
    assert len({dealsets.find(other).seed for other in SETS}) == len(SETS)


def test_a_set_does_not_depend_on_variant_or_players():
    game, _ = registry.find("mustamaija")
    found = dealsets.find("mustamaija-1")
    for variant, players in (("standard", 2), ("three-card-declared", 8), ("house", 5)):
        found.check(game, game.states(1, variant, players=players), 10)


def test_six_players_of_101_have_their_own():
    game, _ = registry.find("101")
    found = dealsets.of(game, game.states(1, "101", players=6))
    assert found is not None
    assert found.name == "mitza-6p-1"
    assert dealsets.of(game, game.states(1, "101", players=6, removed=["8D", "8H"])) is None


def test_a_reduced_pack_has_none():
    game, _ = registry.find("mustamaija")
    assert dealsets.of(game, game.states(1, pack="7", players=2)) is None


def test_a_set_that_would_be_dealt_otherwise_is_refused():
    game, _ = registry.find("mustamaija")
    other = dealsets.find("mustamaija-1").model_copy(update={"seed": 5})
    with pytest.raises(ValueError, match="deals otherwise"):
        other.check(game, game.states(1), 10)


def test_a_set_of_ones_own(tmp_path):
    path = tmp_path / "club.yaml"
    path.write_text("{game: mustamaija, version: 2, seed: 7, blocks: 50, pack: 7}")
    own = dealsets.find(str(path))
    assert (own.name, own.seed, own.pack, own.digest) == ("club", 7, "7", None)
    game, _ = registry.find("mustamaija")
    own.check(game, game.states(1, pack="7", players=2), 50)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{game: mustamaija, version: 1, seed: 7, blocks: 50, deals: 3}", "deals: unknown key; there are blocks, digest, game"),
        ("{game: mustamaija, version: 1, seed: -7, blocks: 50}", "seed: input should be greater than or equal to 0"),
        ("{game: mustamaija, version: true, seed: 7, blocks: 50}", "version: input should be a valid integer"),
        ("{game: mustamaija, seed: 7, blocks: 50}", "version: field required"),
        ("- 7", "is not a mapping"),
        ("{game", "is not YAML"),
        ("{game: mustamaija, version: 2026-13-45, seed: 7, blocks: 50}", "is not YAML: month must be in"),
    ],
)
def test_a_wrong_file_is_refused_in_one_line(text, message, tmp_path):
    path = tmp_path / "wrong.yaml"
    path.write_text(text)
    with pytest.raises(ValueError, match=message) as caught:
        dealsets.find(str(path))
    assert "\n" not in str(caught.value)
    with pytest.raises(FileNotFoundError, match="no deal set file"):
        dealsets.find(str(tmp_path / "nowhere.yaml"))


def test_a_wrong_pack_names_the_set(tmp_path):
    path = tmp_path / "wrong.yaml"
    path.write_text("{game: mustamaija, version: 1, seed: 7, blocks: 50, pack: [QS, QX]}")
    game, _ = registry.find("mustamaija")
    with pytest.raises(ValueError, match="deal set wrong: no card 'QX'"):
        dealsets.find(str(path)).check(game, game.states(1), 10)
