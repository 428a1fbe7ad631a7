"""BatchEnv: batches and threads change nothing, resets and their refusals, illegal actions, autoreset."""

import pickle

import numpy as np
import pytest

from tromf.envs import BatchEnv, IllegalAction, registry
from tromf.envs.batch import choose_randomly, next_seed, seeds_for, worlds
from tromf.envs.cards import FRENCH

SMALL = {"players": 2, "hand_size": 2, "pack": "9"}


def play(env: BatchEnv, decisions: int, seed: int = 0) -> np.ndarray:
    """So many random decisions in every row, each a function of the row's seed alone; everything seen on the way."""
    env.reset(seed)
    seen = []
    actions = np.zeros(env.n, np.int64)
    for _ in range(decisions):
        choose_randomly(env.states, env.masks, actions)
        env.step(actions)
        seen.append(np.concatenate([env.observations, env.masks[:, None], env.seats[:, None].astype(np.uint64)], axis=1))
    return np.stack(seen, axis=1)


def lowest(env: BatchEnv) -> np.ndarray:
    """The legal action with the lowest number in every row, 0 for finished games."""
    return np.array([(mask & -mask).bit_length() - 1 if mask else 0 for mask in env.masks.tolist()])


def test_games_do_not_depend_on_their_batch():
    whole = play(BatchEnv("mustamaija", 8), 60)
    for row in (0, 3, 7):
        assert (play(BatchEnv("mustamaija", 1), 60, seed=row)[0] == whole[row]).all()


@pytest.mark.parametrize("options", [{}, {"skip_forced": True}, {"autoreset": True}, {"skip_forced": True, "autoreset": True}])
def test_threads_change_nothing(options):
    one, three = BatchEnv("house", 37, **options), BatchEnv("house", 37, threads=3, **options)
    assert (play(one, 150) == play(three, 150)).all()
    assert (one.returns == three.returns).all()


def test_a_batch_may_mix_variants():
    env = BatchEnv("mustamaija", 3, players=6)
    game = env.game
    for row, variant in enumerate(("standard", "house", "three-card-declared")):
        env.states["options"][row] = game.record(game.values(variant, players=row + 2))
    mixed = play(env, 80)
    for row, variant in enumerate(("standard", "house", "three-card-declared")):
        assert (play(BatchEnv(variant, 1, players=row + 2), 80, seed=row)[0] == mixed[row]).all()


def test_skip_forced_asks_for_choices_only_and_changes_no_outcome():
    every, choices = BatchEnv("mustamaija", 60), BatchEnv("mustamaija", 60, skip_forced=True)
    every.reset(3)
    choices.reset(3)
    while choices.masks.any():
        assert (np.bitwise_count(choices.masks[choices.masks > 0]) > 1).all()
        choices.step(lowest(choices))
    while every.masks.any():
        every.step(lowest(every))
    assert (every.returns == choices.returns).all()
    assert (every.states["decisions"] == choices.states["decisions"]).all()


def test_returns_come_at_the_end_and_sum_to_zero():
    env = BatchEnv("mustamaija", 50, players=5, scoring="placing")
    env.reset(1)
    actions = np.zeros(50, np.int64)
    while env.masks.any():
        assert (env.returns[~env.done] == 0).all()
        choose_randomly(env.states, env.masks, actions)
        env.step(actions)
    assert env.done.all()
    assert np.abs(env.returns.sum(axis=1)).max() < 1e-12
    assert (np.abs(env.returns).sum(axis=1)[~env.truncated] > 0).all()


def test_a_finished_game_stays_finished_until_it_is_reset():
    env = BatchEnv("mustamaija", 2, max_decisions=1)
    env.reset(0)
    env.step(lowest(env))
    returns = env.returns.copy()
    assert env.done.all()
    assert env.truncated.all()
    assert (env.masks == 0).all()
    assert (env.observations == 0).all()
    env.step(np.array([63, -5]))  # ignored
    assert env.done.all()
    assert (env.returns == returns).all()
    env.reset(0, rows=[1])
    assert env.done.tolist() == [True, False]
    assert env.truncated.tolist() == [True, False]
    assert (env.returns[1] == 0).all()


def test_autoreset_begins_anew_with_the_next_seed_of_the_row():
    env = BatchEnv("mustamaija", 3, autoreset=True, max_decisions=2)
    env.reset(10)
    seeds = env.states["seed"].tolist()
    for number in range(1, 6):
        env.step(lowest(env))
        ended = number % 2 == 0
        assert (env.done == ended).all()
        assert (env.truncated == ended).all()
        assert (env.masks != 0).all()
        if ended:
            seeds = [int(next_seed(np.uint64(seed))) for seed in seeds]
            assert env.states["seed"].tolist() == seeds
            assert (env.states["decisions"] == 0).all()
            fresh = BatchEnv("mustamaija", 3, max_decisions=2)
            fresh.reset(np.array(seeds, np.uint64))
            assert (fresh.observations == env.observations).all()


def test_autoreset_and_reset_go_through_the_same_seeds():
    env, other = BatchEnv("mustamaija", 1, autoreset=True, max_decisions=1), BatchEnv("mustamaija", 1, max_decisions=1)
    env.reset(4)
    other.reset(4)
    for _ in range(3):
        for each in (env, other):
            each.step(lowest(each))
        other.reset()
        assert (env.observations == other.observations).all()


def test_an_illegal_action_is_named_and_changes_nothing():
    env = BatchEnv("mustamaija", 2)
    env.reset(0)
    before = env.states.copy(), env.masks.copy(), env.observations.copy()
    legal = lowest(env)[0]
    for action, named in ((52, r"action 52 \(done\)"), (99, "action 99"), (-1, "action -1")):
        with pytest.raises(IllegalAction, match=rf"row 1: {named} is not legal for seat \d; legal are \d+ \(lay") as raised:
            env.step(np.array([legal, action]))
        assert "\n" not in str(raised.value)
        assert (env.states == before[0]).all()
        assert (env.masks == before[1]).all()
        assert (env.observations == before[2]).all()
    assert issubclass(IllegalAction, ValueError)


@pytest.mark.parametrize("actions", [[1], [1.0, 2.0], [[1, 2]], ["a", "b"]])
def test_actions_of_the_wrong_shape_or_type_are_refused(actions):
    env = BatchEnv("mustamaija", 2)
    env.reset(0)
    with pytest.raises(ValueError, match="accepted are 2 integers"):
        env.step(actions)


def test_decks_and_dealers_are_honoured():
    env = BatchEnv("mustamaija", 3, **SMALL)
    pack = [text for text in FRENCH.texts if text[0] in "9TJQKA"]
    env.reset(1, decks=[pack, None, pack[::-1]], dealers=[0, 1, 0])
    assert env.states["dealer"].tolist() == [0, 1, 0]
    assert env.states["deck"][0, :24].tolist() == [FRENCH.number(card) for card in pack]
    assert env.states["deck"][2, :24].tolist() == [FRENCH.number(card) for card in pack[::-1]]
    drawn = BatchEnv("mustamaija", 1, **SMALL)
    drawn.reset(2, dealers=1)
    assert (env.states["deck"][1] == drawn.states["deck"][0]).all()


def test_bad_decks_dealers_and_seeds_change_nothing():
    env = BatchEnv("mustamaija", 2, **SMALL)
    env.reset(0)
    before = env.states.copy()
    pack = [text for text in FRENCH.texts if text[0] in "9TJQKA"]
    for arguments, message in (
        ({"decks": [pack, pack[:-1]]}, "missing: AS"),
        ({"decks": [pack, [*pack[:-1], "XX"]]}, "no card 'XX'"),
        ({"decks": [pack]}, "1 decks given for 2 rows"),
        ({"dealers": 2}, "dealer 2 is no seat"),
        ({"dealers": [0, -1]}, "is no seat"),
        ({"seeds": [1, 2, 3]}, "seeds are"),
        ({"seeds": "x"}, "seeds are"),
        ({"seeds": [1.5, 2.5]}, "seeds are"),
    ):
        with pytest.raises(ValueError, match=message):
            env.reset(**arguments)
        assert (env.states == before).all()


@pytest.mark.parametrize("n", [0, -1, 1.5, True, "3"])
def test_bad_sizes_are_refused(n):
    with pytest.raises(ValueError, match="accepted is an integer from 1"):
        BatchEnv("mustamaija", n)


def test_seeds():
    assert seeds_for(7, 3).tolist() == [7, 8, 9]
    assert seeds_for(-1, 2).tolist() == [2**64 - 1, 0]
    assert seeds_for([3, 1], 2).tolist() == [3, 1]
    assert len(set(seeds_for(None, 50).tolist())) == 50


def test_a_copy_goes_on_identically():
    env = BatchEnv("house", 5, threads=2)
    play(env, 20)
    copy = pickle.loads(pickle.dumps(env))
    actions = np.zeros(5, np.int64)
    for _ in range(30):
        for each in (env, copy):
            choose_randomly(each.states, each.masks, actions)
            each.step(actions)
        assert (env.observations == copy.observations).all()


def test_dense_observations_are_the_bits_of_the_words():
    env = BatchEnv("mustamaija", 4)
    play(env, 10)
    dense = env.dense()
    place = 0
    for number, row in enumerate(env.game.rows):
        bits = (env.observations[:, number, None] >> np.arange(row.width, dtype=np.uint64)) & np.uint64(1)
        assert (dense[:, place : place + row.width] == bits).all()
        place += row.width
    assert dense.shape == (4, place)
    assert dense.dtype == np.int8


def test_decisions_show_what_agents_may_see():
    env = BatchEnv("mustamaija", 6)
    play(env, 5)
    decisions = env.decisions()
    assert len(decisions) == int((env.masks != 0).sum())
    for record, seat in zip(decisions.concealed(), decisions.seats):
        others = [p for p in range(4) if p != seat]
        assert (record["hand"][others] == record["known"][others]).all()
        assert record["rng"] == 0


def test_draws_depend_on_the_game_and_its_decision_only():
    many, one = BatchEnv("mustamaija", 5), BatchEnv("mustamaija", 1)
    many.reset(20)
    one.reset(23)
    assert many.decisions().draws[3] == one.decisions().draws[0]
    assert len(set(many.decisions().draws.tolist())) == 5


def test_games_by_object_and_by_variant():
    game, _ = registry.find("mustamaija")
    assert BatchEnv(game, 1).game is game
    assert BatchEnv("house", 1).states["options"]["follow_up"][0] == 1
    assert BatchEnv("mustamaija", 1, variant="house").states["options"]["follow_up"][0] == 1


def test_more_players_than_the_batch_was_made_for_are_refused() -> None:
    env = BatchEnv("mustamaija", 3)
    env.states["options"] = env.game.states(1, players=6)["options"][0]
    with pytest.raises(ValueError, match="6 players written to a batch made for 4"):
        env.reset(0)


@pytest.mark.parametrize("dealer", [1.5, True, 4, -1, [0, 1]])
def test_a_dealer_that_is_no_seat_is_refused(dealer: object) -> None:
    with pytest.raises(ValueError, match="is no seat: seats are 0 … 3"):
        BatchEnv("mustamaija", 3).reset(0, dealers=dealer)


def test_rows_started_first_without_seeds_differ() -> None:
    env = BatchEnv("mustamaija", 3)
    env.reset(rows=[0], seeds=5)
    env.reset(rows=[1, 2])
    assert len(set(env.states["seed"].tolist())) == 3


def test_episodes_without_any_choice_give_way_to_the_next() -> None:
    tiny = {"pack": ["QS", "2C", "3C", "2H"], "hand_size": 1, "players": 2, "trump": "diamonds"}
    env = BatchEnv("mustamaija", 50, skip_forced=True, autoreset=True, **tiny)
    env.reset(0)
    for _ in range(20):
        assert env.masks.all()
        env.step(np.array([int(mask).bit_length() - 1 for mask in env.masks]))


def test_stepping_before_any_reset_is_refused() -> None:
    with pytest.raises(ValueError, match="step before reset"):
        BatchEnv("mustamaija", 2).step(np.zeros(2, np.int64))


@pytest.mark.parametrize("rows", [[7], [1.5], "x", [-1], [0, 0], [True], 1])
def test_rows_that_are_none_are_refused(rows: object) -> None:
    with pytest.raises(ValueError, match=r"rows are .*: accepted are different indices 0 … 2, or a mask of 3"):
        BatchEnv("mustamaija", 3).reset(0, rows=rows)


def test_no_rows_at_all_are_nothing_to_do() -> None:
    env = BatchEnv("mustamaija", 3)
    env.reset(0)
    before = env.states.copy()
    env.reset(1, rows=[])
    env.reset(rows=np.zeros(3, bool))
    assert np.array_equal(env.states, before)


@pytest.mark.parametrize(("seat", "n"), [(4, 1), (-1, 1), (0, -1), (0, True)])
def test_worlds_of_nobody_or_of_no_number_are_refused(seat: int, n: int) -> None:
    env = BatchEnv("mustamaija", 1)
    env.reset(0)
    with pytest.raises(ValueError, match=r"no seat|worlds: accepted is an integer from 0"):
        worlds(env.game, env.states[0], seat, n, 0)
