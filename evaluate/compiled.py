"""The compiled loops of evaluation: begin deal blocks, read how their games ended."""

import numpy as np

from tromf.envs import verbs
from tromf.envs.batch import begin
from tromf.envs.jit import compiled, stream


@compiled
def begin_blocks(states, seatings, seed, first):
    """Start the blocks from number `first` on, each in so many successive rows."""
    for i in range(states.shape[0]):
        block = first + i // seatings
        begin(states[i], stream(seed, block), block % np.int64(states[i].options.players), False)


@compiled
def read_outcomes(states, returns, truncated):
    """Write the returns, (N, players), of finished games, and whether they were cut off, (N,)."""
    for i in range(states.shape[0]):
        verbs.returns(states[i], returns[i])
        truncated[i] = verbs.truncated(states[i])
