"""What a position found in a search is worth: solved where the game has a solver for it, otherwise played to the end."""

import numpy as np

from tromf.agents.exact import exact
from tromf.agents.rule import RANDOM, decide
from tromf.envs import verbs
from tromf.envs.jit import compiled, draw_below, draw_uint, nth, popcount


@compiled
def leaf(world, solve, memory, knobs, scratch, rng, out):
    """Write the returns of a world, (players,), played to its end unless it is solved; the number of decisions played.

    Args:
        knobs: of the rule agent that plays for all seats. scratch: (1,) record. rng: a record with a field `rng`.
    """
    if solve and not verbs.over(world) and exact(world, memory, out):
        return np.int64(0)
    played = random_end(world, rng) if knobs.kind == RANDOM else ruled_end(world, knobs, scratch, rng)
    verbs.returns(world, out)
    return played


@compiled
def random_end(world, rng):
    """Play a world to its end at random."""
    played = np.int64(0)
    while not verbs.over(world):
        actions = verbs.legal(world)
        verbs.apply(world, nth(actions, draw_below(rng, popcount(actions))))
        played += 1
    return played


@compiled
def ruled_end(world, knobs, scratch, rng):
    """Let a rule agent play a world to its end, in every seat with what that seat knows."""
    played = np.int64(0)
    while not verbs.over(world):
        actions = verbs.legal(world)
        if popcount(actions) == 1:
            verbs.apply(world, nth(actions, 0))
        else:
            seat = verbs.actor(world)
            scratch[0] = world
            verbs.conceal(scratch[0], seat)
            verbs.apply(world, decide(scratch[0], knobs, draw_uint(rng)))
        played += 1
    return played
