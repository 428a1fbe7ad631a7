"""What a seat has seen and done from the start, in 128 bits: observations forget, information states must not."""

import numpy as np

from tromf.envs import verbs
from tromf.envs.jit import EMPTY, GOLDEN, compiled, mixed

_ACTION = np.uint64(0x7C0F1A5E93D2B684)  # plus a small number, for an own action: no observation word looks like it


@compiled
def _add(memory, word):
    """One more word, in both halves of a memory, (2,) uint64, differently."""
    memory[0] = mixed(memory[0] ^ word) + GOLDEN
    memory[1] = mixed(memory[1] + mixed(word ^ GOLDEN))


@compiled
def remember_action(memories, seat, action):
    """A seat remembers its own action."""
    _add(memories[seat], np.uint64(action) + _ACTION)


@compiled
def remember(states, observations, memories):
    """Every seat of the only game of a batch looks at it, and remembers what it sees if anything has changed.

    observations: (players, W) uint64, what each saw last, updated. memories: (players, 2) uint64. Counting changes only keeps secret
    that somebody has decided something of which others must not know.
    """
    words = np.empty(observations.shape[1], np.uint64)
    for seat in range(observations.shape[0]):
        verbs.observe(states[0], seat, words)
        if not np.array_equal(words, observations[seat]):
            observations[seat] = words
            for word in words:
                _add(memories[seat], word)


@compiled
def take(states, action):
    """The only game of a batch takes a legal action."""
    verbs.apply(states[0], action)


@compiled
def to_decide(states):
    """The seat to act in the only game of a batch, -1 at the end, and the set of its legal actions."""
    if verbs.over(states[0]):
        return np.int64(-1), EMPTY
    return np.int64(verbs.actor(states[0])), verbs.legal(states[0])
