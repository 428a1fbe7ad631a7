"""The OpenSpiel face: OpenSpiel's own simulations of every setting, the same game as everywhere else, worlds with histories, algorithms."""

import random
import subprocess
import sys

import numpy as np
import pytest

from tests.envs.faces import FEWEST_AND_MOST, SETTINGS
from tromf.envs import BatchEnv, jit, registry

pyspiel = pytest.importorskip("pyspiel", reason="needs the extra [openspiel]")

from tromf.envs import openspiel  # noqa: E402  needs pyspiel

NAMES = openspiel.register()
TINY = {
    "mustamaija": "tromf_mustamaija(players=2,hand_size=2,trump=diamonds,pack=QS 3C 4D 5D 5C KS,max_decisions=12,dealer=0)",
    "mitza": "tromf_mitza(dealer=0,pack=7C 8C 9C TC 7D 8D 9D JD)",
    "minnesota-whist": "tromf_minnesota_whist(dealer=0,pack=2C 3D 4H 5S 6C 7D 8H 9S)",
}
# Options beside the defaults that change what is chance or secret.
SPECIAL = [
    ("mustamaija", "house", {"slap_probability": 0.25, "players": 3}),
    ("mustamaija", "house", {"slap_probability": 0.0}),
    ("mustamaija", None, {"trump": "declared", "declare_with": "either", "hand_size": 6}),
    ("mitza", "101", {"check_stock": True, "players": 4}),
    ("mitza", "mitza", {"check_stock": True}),
    ("mitza", "101", {"episode": "match", "target": 80}),
    ("minnesota-whist", "askov", {"episode": "game", "max_deals": 2}),
    ("minnesota-whist", "south-dakota", {"episode": "game", "max_deals": 2}),
]
ALL = [(game, variant, {"players": players}) for game, variant, players in SETTINGS] + SPECIAL
SOME = [(game, variant, {"players": players}) for game, variant, players in FEWEST_AND_MOST] + SPECIAL


def load(game, variant, options):
    return pyspiel.load_game(f"tromf_{(variant or game).replace('-', '_')}", options)


def settings(cases):
    return pytest.mark.parametrize(
        ("game", "variant", "options"), cases, ids=["-".join([v or g, *(f"{k}={x}" for k, x in o.items())]) for g, v, o in cases]
    )


def step(state, rng):
    """A random move, of chance too."""
    if state.is_chance_node():
        moves, weights = zip(*state.chance_outcomes())
        state.apply_action(rng.choices(moves, weights)[0])
    else:
        state.apply_action(rng.choice(state.legal_actions()))


def states(game, seed):
    """A random episode: the state after every move, the same object each time."""
    state, rng = game.new_initial_state(), random.Random(seed)
    while not state.is_terminal():
        yield state
        step(state, rng)
    yield state


def test_every_game_and_variant_is_registered_once():
    assert openspiel.register() == NAMES
    expected = {*registry.names(), *(variant for name in registry.names() for variant in registry.find(name)[0].variants)}
    assert set(NAMES) == {f"tromf_{name.replace('-', '_')}" for name in expected}
    assert set(NAMES) <= set(pyspiel.registered_names())


@settings(ALL)
def test_openspiels_own_simulations(game, variant, options, capfd):
    pyspiel.random_sim_test(load(game, variant, options), num_sims=1, serialize=True, verbose=False)
    capfd.readouterr()


@settings(ALL)
def test_the_same_game_as_in_batches(game, variant, options):
    """Same dealer, decks, lots and actions: same seats, legal actions, observations and returns."""
    env, rng = BatchEnv(game, 1, variant=variant, **options), random.Random(0)
    size = int(env.states["options"]["pack"][0]).bit_count()
    for seed in range(2):
        env.reset(seeds=seed)
        state = load(game, variant, options).new_initial_state()
        state.follow([int(env.states["dealer"][0]), *deck(env, size)])
        while not env.done[0]:
            assert state.current_player() == env.seats[0]
            assert state.legal_actions() == [a for a in range(64) if int(env.masks[0]) >> a & 1]
            assert np.array_equal(state.observation_tensor(), env.dense()[0])
            action, before = rng.choice(state.legal_actions()), env.states.copy()
            state.apply_action(action)
            env.step(np.array([action]))
            if env.states["rng"][0] != before["rng"][0]:
                number = jit.draw_unit(before[0])
                state.apply_action(next(k for k, (low, high) in enumerate(state.get_game().lots) if low <= number < high))
            elif state.is_chance_node():
                state.follow(deck(env, size))
        assert state.is_terminal()
        assert state.returns() == pytest.approx(env.returns[0].tolist())


def deck(env, size):
    return env.states["deck"][0, :size].tolist()


@settings(SOME)
def test_a_resampled_state_shows_the_seat_the_same(game, variant, options):
    """At any point and for any seat: same information state and observation; what others hold differs; the history leads there."""
    rng, draw = random.Random(1), random.Random(2).random
    spiel, differ, compared = load(game, variant, options), 0, 0
    for state in (each for seed in range(30) if seed < 3 or compared < 3 for each in states(spiel, seed)):  # some games are short
        if rng.random() < (0.01 if state.is_chance_node() else 0.1):
            seat = rng.randrange(spiel.num_players())
            other = state.resample_from_infostate(seat, draw)
            assert other.information_state_string(seat) == state.information_state_string(seat)
            assert np.array_equal(other.observation_tensor(seat), state.observation_tensor(seat))
            assert other.is_terminal() == state.is_terminal()
            assert str(spiel.new_initial_state().follow(other.history())) == str(other)
            compared += not state.is_chance_node()
            differ += str(other) != str(state)
    assert compared >= 3
    assert differ > compared / 4  # late in a deal there may be nothing left to draw


@settings([("mitza", "101", {"players": 4}), ("mitza", "101", {"check_stock": True}), ("minnesota-whist", "askov", {})])
def test_resampled_states_play_on(game, variant, options):
    draw = random.Random(4).random
    for k, state in enumerate(states(load(game, variant, options), 5)):
        if k % 7 == 0 and not state.is_chance_node() and not state.is_terminal():
            other, rng = state.resample_from_infostate(state.current_player(), draw), random.Random(k)
            assert other.legal_actions() == state.legal_actions()
            while not other.is_terminal():
                step(other, rng)
            assert sum(other.returns()) == pytest.approx(0)


def test_a_resampled_checked_stock_is_as_likely_as_its_decks():
    """MZ-2: the face-down stock that a seat cannot see, among all decks, and among resampled ones, has as often a trump on top."""
    spiel = pyspiel.load_game("tromf_mitza(check_stock=True,dealer=0,pack=7C 8C 9C 7D 8D 9D JD QD KD AD)")
    rng, found = random.Random(0), [[], []]
    while len(found[0]) < 600:
        state = spiel.new_initial_state().follow(rng.sample(spiel.pack, 10))
        if int(state._record["trump"][0]) == 0 and int(state._record["hand"][0, 0]) & 7 == 0:
            other = state.resample_from_infostate(0, rng.random)
            for k, each in enumerate((state, other)):
                found[k].append(int(each._record["stock"][0, 0]) // 8 == 0)
    assert np.mean(found[0]) == pytest.approx(np.mean(found[1]), abs=0.09)  # three standard deviations of the difference


@pytest.mark.parametrize("text", TINY.values(), ids=TINY)
def test_perfect_recall(text):
    """Equal information states of a seat have equal pasts of it: what it saw when it decided before, and what it did."""
    spiel, pasts, met = pyspiel.load_game(text), {}, 0
    for seed in range(300):
        past = [()] * spiel.num_players()
        state, rng = spiel.new_initial_state(), random.Random(seed)
        state.follow(random.Random(seed % 3).sample(spiel.pack, len(spiel.pack)))
        while not state.is_terminal():
            seat, told = state.current_player(), state.information_state_string()
            met += told in pasts
            assert pasts.setdefault(told, (seat, past[seat], state.legal_actions())) == (seat, past[seat], state.legal_actions())
            action = rng.choice(state.legal_actions())
            past[seat] += ((told, action),)
            state.apply_action(action)
    assert met > 100


def test_the_bounds_hold_and_are_reached():
    """The returns of random play; in whist a side can win every trick of a high hand."""
    for game, variant, options in ALL:
        spiel = load(game, variant, options)
        assert spiel.min_utility() == -spiel.max_utility()
        assert spiel.max_history_length() < 2**31
    bounds = registry.find("minnesota-whist")[0].tree.bounds
    record = registry.find("askov")[0].states(1, "askov")["options"][0]
    assert bounds(record).returns == 14  # seven tricks over six, two points each
    record = registry.find("askov")[0].states(1, "askov", star_value=20)["options"][0]
    assert bounds(record).returns == 20
    record = registry.find("askov")[0].states(1, "askov", episode="game", max_deals=9)["options"][0]
    assert bounds(record).returns == 10


def test_lots_have_the_probabilities_of_the_options():
    spiel = pyspiel.load_game("tromf_house(slap_probability=0.25)")
    lots = [state.chance_outcomes() for state in states(spiel, 0) if state._next == openspiel.LOT]
    assert lots
    assert all(lot == [(0, 0.25), (1, 0.75)] for lot in lots)
    sure = pyspiel.load_game("tromf_house(slap_probability=1.0)")
    assert all(state.chance_outcomes() == [(0, 1.0)] for state in states(sure, 0) if state._next == openspiel.LOT)


@pytest.mark.parametrize("number", [0.0, 0.1, 0.5, 0.999])
def test_a_generator_can_be_set_before_a_number(number):
    state = np.zeros(1, [("rng", np.uint64)])
    state["rng"] = jit.generator_before(number)
    assert jit.draw_unit(state[0]) == pytest.approx(number, abs=2**-52)


def test_states_are_copied_and_written_down_whole():
    spiel = pyspiel.load_game("tromf_101(players=4)")
    for k, state in enumerate(states(spiel, 1)):
        if k % 5 == 0:
            copy = state.clone()
            _, read = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(spiel, state))
            for other in (copy, read):
                assert other.history() == state.history()
                assert [other.information_state_string(p) for p in range(4)] == [state.information_state_string(p) for p in range(4)]
            if not copy.is_terminal():
                told = str(state)
                step(copy, random.Random(0))
                assert str(state) == told


@pytest.mark.parametrize("text", TINY.values(), ids=TINY)
def test_information_set_search_plays(text):
    from open_spiel.python.algorithms import ismcts, mcts

    spiel = pyspiel.load_game(text)
    rollouts = mcts.RandomRolloutEvaluator(1, np.random.RandomState(0))
    bot = ismcts.ISMCTSBot(spiel, uct_c=1.0, max_simulations=30, random_state=np.random.RandomState(0), evaluator=rollouts)
    state, rng, moves = spiel.new_initial_state(), random.Random(0), 0
    while not state.is_terminal() and moves < 5:
        if state.is_chance_node():
            step(state, rng)
        else:
            state.apply_action(bot.step(state))
            moves += 1
    assert moves == 5


def test_sampled_regret_minimisation_learns():
    """External-sampling MCCFR on Mustamaija with two players and six cards, one deck position after the other drawn by chance."""
    from open_spiel.python.algorithms import external_sampling_mccfr

    spiel = pyspiel.load_game(TINY["mustamaija"])
    solver = external_sampling_mccfr.ExternalSamplingSolver(spiel)
    for _ in range(3):
        solver.iteration()
    policy = solver.average_policy()
    state = spiel.new_initial_state().follow(spiel.pack)
    assert sum(policy.action_probabilities(state).values()) == pytest.approx(1)


def test_importing_the_games_does_not_load_openspiel():
    script = "import sys, tromf.envs, tromf.envs.mustamaija_v0; print('pyspiel' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout == "False\n"


def test_without_openspiel_one_line_names_the_extra():
    script = "import sys; sys.modules['pyspiel'] = None; import tromf.envs.openspiel"
    error = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False).stderr
    assert (
        error.splitlines()[-1] == "ImportError: tromf.envs.openspiel needs OpenSpiel: install the extra with pip install 'tromf[openspiel]'"
    )


def test_bad_parameters_are_one_clear_line():
    for text, words in {
        "tromf_mustamaija(players=9)": "'players' is 9",
        "tromf_mustamaija(dealer=4)": "'dealer' is 4: accepted are the seats 0 … 3, and -1",
        "tromf_mustamaija(dealer=-2)": "'dealer' is -2",
        "tromf_mustamaija(attack_limit=14)": "'attack_limit' is 14",
        "tromf_mustamaija(pack=2C 3C)": "lacks QS",
        "tromf_mustamaija(pack=2C XX)": "no card 'XX'",
        "tromf_101(players=6,removed=8C)": "two different eights",
        "tromf_mitza(episode=match)": "needs scoring='points'",
        "tromf_penalty(grand_points=-1)": "'grand_points' is None",
    }.items():
        with pytest.raises(ValueError, match=words) as raised:
            pyspiel.load_game(text)
        assert "\n" not in str(raised.value)
    with pytest.raises(pyspiel.SpielError, match="Unknown parameter 'cards'"):
        pyspiel.load_game("tromf_mustamaija(cards=3)")
