"""Rule agents for Mustamaija: `random`; the yardsticks `beginner` and `journeyman`; `expert`, our best, with its knobs."""

from typing import Any

from tromf.agents import exact
from tromf.agents.knobs import plain
from tromf.agents.mustamaija import ending
from tromf.agents.mustamaija.expert import STAGES, expert
from tromf.agents.mustamaija.knobs import HABITS, KNOB_OPTIONS, KNOBS, TERM_TABLE, expert_knobs
from tromf.agents.mustamaija.yardsticks import yardstick
from tromf.agents.rule import random_action, register
from tromf.envs.jit import compiled
from tromf.envs.mustamaija.rules import STATE
from tromf.envs.verbs import legal

__all__ = [
    "BEGINNER",
    "EXPERT",
    "HABITS",
    "JOURNEYMAN",
    "KINDS",
    "KNOBS",
    "KNOB_OPTIONS",
    "RANDOM",
    "STAGES",
    "TERM_TABLE",
    "decide",
    "knobs",
]

KINDS = ("random", "beginner", "journeyman", "expert")
RANDOM, BEGINNER, JOURNEYMAN, EXPERT = range(4)


@compiled
def decide(s, knobs, draw):
    """The action of an agent of any kind; `draw` matters to `random` alone."""
    if knobs.kind == RANDOM:
        return random_action(s, draw)
    if knobs.kind == EXPERT:
        return expert(s, legal(s), knobs, draw)
    return yardstick(s, legal(s), knobs.kind == JOURNEYMAN)


register(STATE, KNOBS, decide)
exact.register(STATE, ending.memory, ending.exact)


def knobs(kind: str, /, **values: Any) -> Any:
    """The record of an agent of some kind, with its knobs turned; `ValueError` for a knob or value that it does not have."""
    result = expert_knobs(values) if kind == "expert" else plain(kind, KNOBS, values)
    result["kind"] = KINDS.index(kind)
    return result[()]
