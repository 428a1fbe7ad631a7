"""Agents that search: blind to what is hidden, the same whatever the batch, honest about their settings, better the longer they think."""

import copy

import numpy as np
import pytest

from tests.agents.search.blind import SPECS, differing
from tests.envs.positions import settings
from tromf import agents, evaluate
from tromf.agents import make
from tromf.agents.registry import rules_of
from tromf.agents.rule import RANDOM
from tromf.agents.search import KINDS
from tromf.agents.search.tree import DEPTH, NODE, TREE, node_of
from tromf.envs import BatchEnv, batch, registry, verbs

GAMES = [registry.find(name)[0] for name in registry.names()]
SETTINGS = [(game, *setting) for game in GAMES for setting in settings(game)]


def decisions(game, n, seed, moves=0, **options):
    """A batch of so many games just begun, or after some random moves."""
    env = BatchEnv(game, n, **options)
    env.reset(seeds=seed)
    actions = np.zeros(n, np.int64)
    for _ in range(moves):
        batch.choose_randomly(env.states, env.masks, actions)
        env.step(actions)
    return env.decisions()


@pytest.mark.parametrize(("game", "variant", "players"), SETTINGS, ids=lambda value: getattr(value, "name", value))
def test_decisions_do_not_depend_on_what_is_hidden(game, variant, players):
    assert differing(game, variant, players, 8, 1) == 0


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize("spec", [*SPECS, "cheat,iterations=50"])
def test_decisions_do_not_depend_on_the_batch(game, spec):
    given = decisions(game, 12, 3, moves=9)
    together = make(spec, game).act(given)
    agent = make(spec, game)
    alone = np.zeros_like(together)
    for k in range(len(given)):
        part = slice(k, k + 1)
        seen, all_of_it = given.concealed()[part], given.revealed()[part]
        one = batch.Batch(
            game, given.observations[part], given.masks[part], given.seats[part], given.rows[part], given.draws[part],
            lambda seen=seen: seen, lambda all_of_it=all_of_it: all_of_it,
        )  # fmt: skip
        alone[k] = agent.act(one)[0]
    assert (together == alone).all()
    assert (copy.deepcopy(agent).act(given) == together).all()


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_results_do_not_depend_on_threads(game):
    outcomes = [evaluate.pairs(game, ["ismcts,iterations=30", "beginner"], blocks=6, seed=2, threads=n).to_json() for n in (1, 2)]
    assert outcomes[0] == outcomes[1]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
@pytest.mark.parametrize("spec", ["pimc,ms=2", "ismcts,ms=2", "cheat,ms=2"])
def test_the_clock_can_be_the_budget(game, spec):
    given = decisions(game, 3, 5)
    agent = make(spec, game)
    actions = agent.act(given)
    assert all(int(mask) >> int(action) & 1 for mask, action in zip(given.masks, actions))
    assert agent.played > 0


def test_only_the_cheat_looks_at_what_is_hidden():
    assert [kind for kind in KINDS if make(kind, GAMES[0]).cheats] == ["cheat"]
    given = decisions(GAMES[0], 4, 7)

    def refuse():
        raise AssertionError("looked at hidden cards")

    fair = copy.copy(given)
    fair.reveal = refuse
    for spec in SPECS:
        make(spec, GAMES[0]).act(fair)
    with pytest.raises(AssertionError):
        make("cheat,iterations=5", GAMES[0]).act(fair)


def test_search_changes_nothing_in_the_game():
    env = BatchEnv(GAMES[0], 4)
    env.reset(seeds=8)
    before = env.states.copy()
    for spec in (*SPECS, "cheat,iterations=50"):
        make(spec, GAMES[0]).act(env.decisions())
    assert (before == env.states).all()


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_thinking_longer_is_better(game):
    """Every game's tree search beats `random` soundly, and itself with a tenth of the thought."""
    for spec, other, least in (("ismcts,iterations=100", "random", 0.25), ("cheat,iterations=300", "ismcts,iterations=30", 0.0)):
        row = evaluate.pairs(game, [spec], against=[other], blocks=80, seed=4).rows[0]
        assert row.mean.low > least * (row.mean.value > 0), (spec, row)


def test_MZ_3_a_secret_choice_shares_no_node_with_that_of_another_seat():
    """To others the leader is to play while the seven's holder is asked, so what a seat sees does not tell whose choice it is."""
    nodes, slots, tree = np.zeros(4, NODE), np.full(8, -1, np.int32), np.zeros(1, TREE)
    words = np.arange(3, dtype=np.uint64)
    assert [node_of(words, mover, tree, nodes, slots) for mover in (1, 2, 1, 2)] == [0, 1, 0, 1]


def test_a_tree_out_of_room_plays_on(monkeypatch):
    """With the clock as the budget the tree may fill up; the search goes on without growing it."""
    monkeypatch.setattr("tromf.agents.search.tree.GROWS", 3)
    given = decisions(GAMES[0], 2, 9)
    actions = make("ismcts,ms=3", GAMES[0]).act(given)
    assert all(int(mask) >> int(action) & 1 for mask, action in zip(given.masks, actions))


def test_iterations_deeper_than_is_learned_from_are_played():
    game = GAMES[0]
    assert int(game.states(1)["options"]["max_decisions"][0]) > DEPTH
    agent = make("ismcts,iterations=3000", game)
    given = decisions(game, 1, 10, players=2)
    assert agent.act(given).shape == (1,)


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("ismcts,iterations=0", "setting of ismcts 'iterations' is 0: accepted are an integer from 1 to 10,000,000"),
        ("ismcts,iterations=1.5", "'iterations' is 1.5"),
        ("pimc,worlds=0", "setting of pimc 'worlds' is 0"),
        ("pimc,worlds=-1", "'worlds' is -1"),
        ("cheat,ms=0", "setting of cheat 'ms' is 0: accepted are a number of milliseconds"),
        ("ismcts,ms=10,iterations=5", "agent 'ismcts' has two budgets: give iterations or ms"),
        ("pimc,iterations=5", "no setting of pimc 'iterations': there are worlds, ms, rollout, exact"),
        ("ismcts,rollout=expart", "no rule agent 'expart' (did you mean 'expert'?): there are random, beginner"),
        ("ismcts,rollout=ismcts", "no rule agent 'ismcts'"),
        ("ismcts,explore=-1", "'explore' is -1"),
        ("pimc,exact=maybe", "'exact' is 'maybe': accepted are 0 or 1"),
        ("pimc:file", "pimc takes no path"),
    ],
)
def test_a_wrong_setting_says_what_is_wrong_in_one_line(spec, says):
    with pytest.raises(ValueError) as raised:  # noqa: PT011 - the text is looked at below
        make(spec, GAMES[0])
    assert says in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_game_without_resample_cannot_be_searched(monkeypatch):
    monkeypatch.delitem(verbs._IMPLEMENTATIONS, ("resample", GAMES[0].plan))
    with pytest.raises(ValueError, match="agent 'ismcts' cannot play mustamaija: it has no verb 'resample'"):
        make("ismcts", GAMES[0])


def test_one_decision_left_is_not_searched():
    given = decisions(GAMES[1], 1, 11)
    given.masks[:] = 1 << 5
    for kind in KINDS:
        agent = make(kind, GAMES[1])
        assert agent.act(given)[0] == 5
        assert agent.played == 0


def test_all_kinds_are_listed():
    assert set(KINDS) <= set(agents.registry.kinds(GAMES[0]))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_the_first_kind_of_rule_agent_plays_at_random(game):
    """Roll-outs at random are played without asking the agent, whose kind they know by its number."""
    assert rules_of(game).KINDS[RANDOM] == "random"
