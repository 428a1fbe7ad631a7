"""Mustamaija as a tree (`tromf.envs.tree`)."""

from typing import Any

from tromf.envs.tree import Bounds, origin

__all__ = ["bounds", "origin", "recall"]


def bounds(options: Any) -> Bounds:
    """MM-P: nobody wins or loses more than 1. With `follow_up` the race is decided by lot (MM-H1)."""
    lots = (float(options["slap_probability"]),) if options["follow_up"] else ()
    return Bounds(returns=1.0, decisions=int(options["max_decisions"]), lots=lots)


def recall(world: Any, state: Any) -> int:
    """Everything is done in the open."""
    return -1
