"""Golden games: every one is replayed, and every variant has one."""

import pytest

from tests import golden
from tromf.envs import registry


@pytest.mark.parametrize("path", golden.files(), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_the_text_tells_the_game(path):
    text = path.read_text(encoding="utf-8")
    assert golden.retell(text) == text


def test_every_variant_has_a_golden_game():
    heads = [golden.head_of(path.read_text(encoding="utf-8")) for path in golden.files()]
    told = {(head["game"], head["variant"]) for head in heads}
    games = [registry.find(name)[0] for name in registry.names()]
    assert {(game.name, variant) for game in games for variant in game.variants} - told == set()


def test_a_game_told_wrongly_is_noticed():
    text = golden.files()[0].read_text(encoding="utf-8")
    line = next(line for line in text.splitlines() if golden.ACTION_LINE.fullmatch(line))
    with pytest.raises((AssertionError, ValueError)):
        golden.retell(text.replace(line, line.replace("seat ", "seat 9"), 1))
    assert golden.retell(text.replace("draws", "finds")) == text
