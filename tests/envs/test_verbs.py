"""Verbs: registered once, chosen by the record, the same from Python and compiled; decks follow from seed and number alone."""

import numpy as np
import pytest

from tromf.envs import BatchEnv, registry, verbs
from tromf.envs.batch import play_randomly

GAME, _ = registry.find("mustamaija")


def test_a_verb_is_registered_once():
    with pytest.raises(ValueError, match="verb 'legal' is already registered"):
        verbs.register(GAME.state, legal=verbs.implementation("legal", GAME.state))


def test_an_unknown_record_has_no_verbs():
    with pytest.raises(LookupError, match="no verb 'legal'"):
        verbs.legal(np.zeros(1, [("x", np.int64)])[0])


def test_verbs_work_on_a_single_record_from_python():
    env = BatchEnv(GAME, 1)
    env.reset(3)
    state = env.states[0]
    assert verbs.actor(state) == env.seats[0]
    assert verbs.legal(state) == env.masks[0]
    assert not verbs.over(state)
    verbs.apply(state, int(env.masks[0]).bit_length() - 1)
    assert env.states["decisions"][0] == 1


def test_deck_k_is_a_function_of_seed_and_k_alone():
    env = BatchEnv(GAME, 2)
    env.reset([5, 5])
    play_randomly(env.states[1:], 30)
    env.states["seed"] = 5
    decks = []
    for k in (0, 1, 1, 0):
        for state in env.states:
            verbs.shuffle(state, k)
        assert (env.states["deck"][0] == env.states["deck"][1]).all()
        decks.append(env.states["deck"][0].tolist())
    assert decks[0] == decks[3] != decks[1] == decks[2]
    assert sorted(decks[1]) == list(range(52))


def test_shuffling_is_uniform():
    """Each card is equally often in each place: chi-square over places and cards of a small pack."""
    env = BatchEnv(GAME, 20_000, pack=["QS", "2H", "3H", "4H", "5H", "6H"], players=2, hand_size=1, trump="diamonds")
    env.reset(1)
    decks = env.states["deck"][:, :6]
    counts = np.array([[(decks[:, place] == card).sum() for place in range(6)] for card in (49, 26, 27, 28, 29, 30)])
    assert ((counts - 20_000 / 6) ** 2 / (20_000 / 6)).sum() < 60  # 25 degrees of freedom: p = 1e-4 at 61
