"""Games by name, their settings, and their actions as text."""

import pytest

from tromf.envs import BatchEnv, registry


def test_a_game_is_found_by_its_name_and_by_its_variants():
    game, variant = registry.find("mustamaija")
    assert variant is None
    assert registry.find("Mustamaija")[0] is game
    assert registry.find("six_card_declared") == (game, "six-card-declared")
    assert "mustamaija" in registry.names()


def test_an_unknown_name_says_what_exists():
    with pytest.raises(ValueError, match=r"no game 'mustamaja' \(did you mean 'mustamaija'\?\): there are mustamaija"):
        registry.find("mustamaja")


def test_an_unknown_variant_or_option_says_what_exists():
    game, _ = registry.find("mustamaija")
    with pytest.raises(ValueError, match=r"no variant 'hose' \(did you mean 'house'\?\)"):
        game.values("hose")
    with pytest.raises(ValueError, match=r"no option 'player' \(did you mean 'players'\?\)"):
        game.values(player=3)


def test_settings_have_one_name():
    game, _ = registry.find("mustamaija")
    assert registry.setting(game, None, 4) == registry.setting(game, "standard", 4) == "mustamaija-4p"
    assert registry.setting(game, "house", 3) == "house-3p"


@pytest.mark.parametrize("name", registry.names())
def test_tables_of_a_game_agree(name):
    game, _ = registry.find(name)
    assert game.name == name
    assert game.actions <= 64
    assert all(0 < row.width <= 64 for row in game.rows)
    assert game.bits == sum(row.width for row in game.rows)
    assert len({row.name for row in game.rows}) == game.words
    assert len({option.name for option in game.options}) == len(game.options)
    for variant in game.variants:
        assert game.values(variant).keys() == {option.name for option in game.options}
        assert game.states(2, variant).dtype == game.state
    assert {"options", "rng", "seed", "deck", "size", "dealer", "decisions"} <= set(game.state.names)


@pytest.mark.parametrize("name", registry.names())
def test_every_action_has_a_text_of_its_own_and_back(name):
    game, _ = registry.find(name)
    env = BatchEnv(game, 40)
    env.reset(0)
    for _ in range(40):
        for state, mask in zip(env.states, env.masks.tolist()):
            legal = [action for action in range(game.actions) if mask >> action & 1]
            texts = [game.action_text(state, action) for action in legal]
            assert len(set(texts)) == len(texts)
            assert [game.parse_action(state, text.upper(), legal) for text in texts] == legal
        env.step([int(mask).bit_length() - 1 if mask else 0 for mask in env.masks.tolist()])


def test_a_bare_card_and_nonsense():
    env = BatchEnv("mustamaija", 1)
    env.reset(0)
    game, state = env.game, env.states[0]
    legal = [action for action in range(60) if int(env.masks[0]) >> action & 1]
    assert game.parse_action(state, game.pack.texts[legal[0]].lower(), legal) == legal[0]
    with pytest.raises(ValueError, match="no action 'fold': legal are lay"):
        game.parse_action(state, "fold", legal)
    with pytest.raises(ValueError, match="no action 60"):
        game.action_text(state, 60)
