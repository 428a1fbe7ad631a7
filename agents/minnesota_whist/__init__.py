"""Rule agents for Minnesota Whist: `random`; the yardsticks `beginner` and `journeyman`."""

from typing import Any

import numpy as np

from tromf.agents.minnesota_whist.yardsticks import yardstick
from tromf.agents.rule import random_action, register
from tromf.envs.jit import compiled
from tromf.envs.minnesota_whist.rules import STATE
from tromf.envs.verbs import legal

__all__ = ["KINDS", "KNOBS", "KNOB_OPTIONS", "decide", "knobs"]

KINDS = ("random", "beginner", "journeyman")
RANDOM, BEGINNER, JOURNEYMAN = range(3)
KNOBS = np.dtype([("kind", np.int64)])
KNOB_OPTIONS: tuple = ()


@compiled
def decide(s, knobs, draw):
    """The action of an agent of any kind; `draw` matters to `random` alone."""
    if knobs.kind == RANDOM:
        return random_action(s, draw)
    return yardstick(s, legal(s), knobs.kind == JOURNEYMAN)


register(STATE, KNOBS, decide)


def knobs(kind: str, /, **values: Any) -> Any:
    """The record of an agent of some kind; `ValueError` for any knob."""
    for name in values:
        raise ValueError(f"agent '{kind}' has no knob {name!r}: only expert has knobs")
    result = np.zeros((), KNOBS)
    result["kind"] = KINDS.index(kind)
    return result[()]
