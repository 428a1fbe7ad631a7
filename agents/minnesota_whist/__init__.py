"""Rule agents for Minnesota Whist: `random`; the yardsticks `beginner` and `journeyman`; `expert`, our best, with its knobs."""

from typing import Any

from tromf.agents.knobs import plain
from tromf.agents.minnesota_whist import exact
from tromf.agents.minnesota_whist.expert import expert
from tromf.agents.minnesota_whist.knobs import HABITS, KNOB_OPTIONS, KNOBS, SHOWN, TERM_TABLE, expert_knobs
from tromf.agents.minnesota_whist.position import position
from tromf.agents.minnesota_whist.yardsticks import yardstick
from tromf.agents.rule import random_action, register
from tromf.envs.jit import compiled
from tromf.envs.minnesota_whist.rules import STATE
from tromf.envs.verbs import legal

__all__ = ["HABITS", "KINDS", "KNOBS", "KNOB_OPTIONS", "STAGES", "TERM_TABLE", "decide", "exact", "knobs", "position"]

KINDS = ("random", "beginner", "journeyman", "expert")
RANDOM, BEGINNER, JOURNEYMAN, EXPERT = range(4)
STAGES = SHOWN  # the columns of `TERM_TABLE`


@compiled
def decide(s, knobs, draw):
    """The action of an agent of any kind; `draw` matters to `random` alone."""
    if knobs.kind == RANDOM:
        return random_action(s, draw)
    if knobs.kind == EXPERT:
        return expert(s, legal(s), knobs)
    return yardstick(s, legal(s), knobs.kind == JOURNEYMAN)


register(STATE, KNOBS, decide)


def knobs(kind: str, /, **values: Any) -> Any:
    """The record of an agent of some kind, with its knobs turned; `ValueError` for a knob or value that it does not have."""
    result = expert_knobs(values) if kind == "expert" else plain(kind, KNOBS, values)
    result["kind"] = KINDS.index(kind)
    return result[()]
