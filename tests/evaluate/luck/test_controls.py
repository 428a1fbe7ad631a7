"""Control variates: the games stay the same, the corrections have mean zero, and the estimates are more precise."""

import json
from collections import Counter

import numpy as np
import pytest
import torch
from safetensors.numpy import save_file

from tromf import agents, evaluate
from tromf.agents import Agent, weights
from tromf.agents import play as plain
from tromf.envs import batch, registry, verbs
from tromf.envs.jit import EMPTY
from tromf.envs.words import spread_masks
from tromf.evaluate.blocks import start
from tromf.evaluate.luck import controls, loops, values
from tromf.evaluate.luck.controls import Controls
from tromf.evaluate.seatings import one_among

SETTINGS = [
    ("standard", {"players": 3}),
    ("house", {"players": 4, "max_decisions": 300}),
    ("mitza", {"players": 4, "check_stock": True}),
    ("101", {"players": 2, "episode": "match", "target": 150}),
    ("minnesota", {"episode": "game", "target": 3}),
]


class Uniform(Agent):
    """Any legal action, each with the same probability, which it says."""

    spec = "uniform"

    def act(self, batch):
        chances = self.probabilities(batch)
        units = (batch.draws >> np.uint64(11)) * 2.0**-53
        return (chances.cumsum(axis=1) > units[:, None]).argmax(axis=1)

    def probabilities(self, batch):
        legal = np.empty((len(batch), batch.game.actions), np.bool_)
        spread_masks(batch.masks, legal)
        return legal / legal.sum(axis=1, keepdims=True)


def any_controls(game, redraws=2, seed=0):
    """Controls with a value function that knows nothing: corrections must have mean zero all the same."""
    rng = np.random.default_rng(seed)
    bits = sum(row.width for row in game.scene)
    sizes = [(bits, 8), (8,), (8, 4), (4,), (4,), (1,)]
    tensors = {name: rng.normal(size=size).astype(np.float32) / 2 for name, size in zip(controls.TENSORS, sizes, strict=True)}
    return Controls("any", "0" * 16, tensors, game.name, 99, "", redraws)


def played(variant, options, crew, blocks, found, seed=7):
    """Returns and corrections, (blocks, seatings, players), of one among others in all seatings, and the records in the end."""
    game, variant = registry.choose(variant, None)
    blank = game.states(1, variant, **options)
    players = int(blank["options"]["players"][0])
    sides = np.array(game.sides(players))
    seatings = one_among(0, 1, sides.max() + 1)[:, sides]
    states = start(blank, len(seatings), seed, 0, blocks)
    corrections = controls.play(game, states, crew, np.tile(seatings, (blocks, 1)), found)
    shape = (blocks, *seatings.shape)
    return plain.returns(states, players).reshape(shape), corrections.reshape(shape), states, seatings


def crew_for(variant, *specs):
    game, _ = registry.choose(variant, None)
    return game, [Uniform() if spec == "uniform" else agents.make(spec, game) for spec in specs]


@pytest.mark.parametrize(("variant", "options"), SETTINGS)
@pytest.mark.parametrize("specs", [("expert", "random"), ("uniform", "beginner")])
def test_games_are_played_as_without_controls(variant, options, specs):
    game, crew = crew_for(variant, *specs)
    returns, corrections, states, seatings = played(variant, options, crew, 6, any_controls(game))
    again = start(game.states(1, registry.choose(variant, None)[1], **options), len(seatings), 7, 0, 6)
    plain.play(game, again, crew, np.tile(seatings, (6, 1)))
    assert (states["deck"] == again["deck"]).all()
    assert (states["decisions"] == again["decisions"]).all()
    assert (returns.reshape(-1, returns.shape[2]) == plain.returns(again, returns.shape[2])).all()
    assert np.abs(corrections).max() > 0
    assert corrections.sum(axis=2) == pytest.approx(0, abs=1e-9)  # as the returns
    sides = np.array(game.sides(returns.shape[2]))
    for side in range(sides.max() + 1):
        assert np.ptp(corrections[:, :, sides == side], axis=2) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(("variant", "options"), SETTINGS)
@pytest.mark.parametrize("specs", [("expert", "beginner"), ("uniform", "random")])
def test_corrections_have_mean_zero(variant, options, specs):
    game, crew = crew_for(variant, *specs)
    _, corrections, _, seatings = played(variant, options, crew, 1500, any_controls(game), seed=11)
    mine = corrections[:, seatings == 0]
    for column in [*mine.T, mine.mean(axis=1)]:  # in every seating, too: without the deal's part nothing has to cancel
        assert column.std() > 0
        assert abs(column.mean()) < 4 * column.std() / len(column) ** 0.5


def test_moves_with_known_probabilities_are_corrected_exactly():
    game, _ = registry.choose("minnesota", None)
    found = any_controls(game)
    state = start(game.states(1, "minnesota"), 1, 3, 0, 1)
    weights, scratch, source = found.weights(game, 4), np.zeros(2, game.state), np.zeros(1, controls.SOURCE)
    legal = [a for a in range(game.actions) if int(verbs.legal(state[0])) >> a & 1]
    chances = np.zeros((1, game.actions))
    chances[0, legal] = np.random.default_rng(0).dirichlet(np.ones(len(legal)))
    total, most = np.zeros(4), 0.0
    for action in legal:
        result = np.zeros((1, 4))
        loops.choose(state.copy(), np.array([0]), np.array([action]), chances, weights, 2, scratch, source, result)
        total += chances[0, action] * result[0]
        most = max(most, np.abs(result).max())
    assert most > 0.01
    assert total == pytest.approx(0, abs=1e-9)


def stock_of(state, game):
    first = int(state["top"])
    if "stock" in game.state.names:
        return tuple(int(card) for card in state["stock"][first : int(state["stock_size"])])
    return tuple(int(card) for card in state["deck"][first : int(state["size"])])


@pytest.mark.parametrize(
    ("variant", "options", "possible"),
    [
        ("three-card-diamonds", {"players": 2, "pack": ["JC", "QC", "KC", "JD", "QD", "KD", "AD", "QH", "QS", "KS"]}, 24),
        ("tiny-101", {}, 1),
        ("mitza", {"players": 2, "pack": ["7C", "8C", "9C", "7D", "8D", "9D", "7H", "8H", "9H", "7S", "8S", "9S"]}, 120),
    ],
)
def test_redraws_are_all_orders_of_the_stock_and_nothing_else(variant, options, possible):
    game, variant = registry.choose(variant, None)
    state = start(game.states(1, variant, **options), 1, 5, 0, 1)
    source = np.zeros(1, controls.SOURCE)
    seen = Counter()
    rounds = 200 * possible
    for _ in range(rounds):
        copy = state.copy()
        verbs.redraw(copy[0], source[0])
        seen[stock_of(copy[0], game)] += 1
        for field in ("hand", "top", "trump", "decisions"):
            assert (copy[field] == state[field]).all()
    assert len(seen) == possible
    assert sum((count - 200) ** 2 / 200 for count in seen.values()) < possible + 5 * (2 * possible) ** 0.5


def test_redraws_keep_what_is_known_of_the_stock():
    """Turned spades and the trump card stay where they are, and spades that were passed over are spades."""
    game, _ = registry.choose("standard", None)
    states = start(game.states(1, "standard", players=3), 1, 1, 0, 3000)
    batch.play_randomly(states, 12)
    source = np.zeros(1, controls.SOURCE)
    source["rng"] = 1
    for k in range(len(states)):
        copy = states[k : k + 1].copy()
        verbs.redraw(copy[0], source[0])
        before, after = states["deck"][k], copy["deck"][0]
        top, size = int(copy["top"][0]), int(copy["size"][0])
        assert sorted(before[top:size]) == sorted(after[top:size])
        for i in range(top, size):
            if int(copy["seen_at"][0]) >> i & 1:
                assert before[i] == after[i]
            if int(copy["passed_at"][0]) >> i & 1:
                assert after[i] // 13 == 3
    assert (states["seen_at"] != EMPTY).any()


def test_a_checked_stock_keeps_its_trumps_where_they_are():
    game, _ = registry.choose("mitza", None)
    states = start(game.states(1, "mitza", check_stock=True), 1, 1, 0, 200)
    source = np.zeros(1, controls.SOURCE)
    for k in range(len(states)):
        copy = states[k : k + 1].copy()
        verbs.redraw(copy[0], source[0])
        ours, theirs = (np.array(stock_of(each[0], game)) // 8 == each["trump"][0] for each in (states[k : k + 1], copy))
        assert (ours == theirs).all()


def test_pairs_with_controls(tmp_path):
    game, _ = registry.choose("101", None)
    blank = game.states(1, "101")
    words, targets = values.positions(game, blank, ["journeyman"], 1500, 50, 0.5, 0.05)
    tensors = values.fit(game, words, targets, seed=1, passes=4, rows=256, told=lambda text: None)
    path = tmp_path / "v.safetensors"
    values.save(path, game, tensors, 50, {"games": 1500})
    how = {"blocks": 600, "seed": 3, "controls": str(path)}
    result = evaluate.pairs("101", ["journeyman", "beginner"], **how)
    again = evaluate.pairs("101", ["journeyman", "beginner"], **how, threads=1, batch=64)
    without = evaluate.pairs("101", ["journeyman", "beginner"], blocks=600, seed=3)
    assert json.dumps(result.to_json()) == json.dumps(again.to_json())
    found = controls.find(str(path))
    saved = result.to_json()["controls"]
    assert saved["digest"] == found.digest
    assert saved["rows"][0]["variance_ratio"] > 1.05
    assert without.to_json()["controls"] is None
    assert found.digest in result.controls.text()
    row, plain_row = result.row("journeyman", "beginner"), without.row("journeyman", "beginner")
    assert row.loss == plain_row.loss
    assert row.decisions == plain_row.decisions
    assert row.mean.high - row.mean.low < plain_row.mean.high - plain_row.mean.low
    assert abs(row.mean.value - plain_row.mean.value) < 0.05


def test_what_cannot_be_done(tmp_path):
    game, _ = registry.choose("101", None)
    found = any_controls(game)
    crew = [agents.make(spec, game) for spec in ("journeyman", "beginner")]
    found.check(game, crew, 1)
    with pytest.raises(ValueError, match="fitted on the deals of seed 99: give another seed"):
        found.check(game, crew, 99)
    with pytest.raises(ValueError, match="controls any are for mitza, not for mustamaija"):
        found.check(registry.choose("mustamaija", None)[0], [], 1)
    crew[0].cheats = True
    with pytest.raises(ValueError, match="journeyman sees cards that chance still holds"):
        found.check(game, crew, 1)
    with pytest.raises(ValueError, match="no controls 'nothing': there are "):
        controls.find("nothing")
    (tmp_path / "v.safetensors").write_bytes(b"short")
    with pytest.raises(ValueError, match="is no safetensors file"):
        controls.find(str(tmp_path / "v.safetensors"))


@pytest.mark.parametrize(
    ("name", "change", "expected"),
    [
        ("first", lambda tensor: tensor[1:], r"'first' is \(.*, 8\) float32, and \(.*, 8\) float32 is wanted"),
        ("second", np.transpose, r"'second' is \(4, 8\) float32, and \(8, 4\)"),
        ("last", np.float64, "'last' is .* float64"),
        ("last_bias", lambda tensor: tensor * np.nan, "not finite in 'last_bias'"),
    ],
)
def test_tensors_that_do_not_fit_are_refused_in_one_line(name, change, expected):
    game, _ = registry.choose("101", None)
    found = any_controls(game)
    found.tensors[name] = change(found.tensors[name])
    with pytest.raises(ValueError, match=expected) as caught:
        found.check(game, [], 1)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("header", [{"kind": "value"}, {"kind": "value", "game": "mitza", "seed": "one", "settings": "{}"}])
def test_a_file_without_game_or_seed_is_refused_in_one_line(header, tmp_path):
    game, _ = registry.choose("101", None)
    path = tmp_path / "v.safetensors"
    save_file(any_controls(game).tensors, path, header)
    with pytest.raises(ValueError, match=r"v.safetensors does not say for which game and on which seed"):
        controls.find(str(path))


def test_tensors_that_numpy_does_not_know_are_refused_in_one_line(tmp_path):
    path = tmp_path / "v.safetensors"
    weights.save(path, {"first": torch.zeros(3, dtype=torch.bfloat16)}, {"kind": "value"})
    with pytest.raises(ValueError, match=r"v.safetensors holds tensors that cannot be read \(.*bfloat16"):
        controls.find(str(path))


def test_shipped_value_functions_fit_their_games():
    folder = controls._folder()
    for file in sorted(folder.glob("*.safetensors")):
        found = controls.find(file.stem)
        game, _ = registry.choose(found.game, None)
        assert found.tensors["first"].shape[0] == sum(row.width for row in game.scene)
