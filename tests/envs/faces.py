"""What the tests of the faces share: all settings of all games, and the hooks of the conformance kit."""

import copy

import numpy as np

from tromf.envs import batch, registry, verbs


def deals(game, variant, players):
    """Whether a variant can be played by so many."""
    try:
        game.values(variant, players=players)
    except ValueError:
        return False
    return True


SETTINGS = [
    (name, variant, players)
    for name in registry.names()
    for game in [registry.find(name)[0]]
    for variant in game.variants
    for players in range(2, game.max_players + 1)
    if deals(game, variant, players)
]
FEWEST_AND_MOST = [each for each in SETTINGS if each[2] in {f([n for g, v, n in SETTINGS if (g, v) == each[:2]]) for f in (min, max)}]


def legal(env):
    """Hook: the legal actions."""
    mask = int(verbs.legal(env._states[0]))
    return [action for action in range(env.game.actions) if mask >> action & 1]


def returns(env):
    """Hook: every seat's return by the rules."""
    result = np.zeros((1, len(env.possible_agents)))
    batch.returns_rows(env._states, result)
    return dict(zip(env.possible_agents, result[0].tolist()))


def hidden(env, agent, rng):
    """Hook: a copy of the environment in another world that the seat cannot tell from its own."""
    other = copy.deepcopy(env)
    other._states[:] = batch.worlds(env.game, env._states[0], int(agent.split("_")[1]), 1, int(rng.integers(2**62)))
    return other
