"""Agents that search: they imagine worlds that agree with what their seat knows, and look ahead in them."""

from typing import Any

from tromf.agents.base import Agent
from tromf.agents.search.flat import FlatSearch
from tromf.agents.search.settings import KINDS, SETTINGS, settings_of
from tromf.agents.search.tree import TreeSearch
from tromf.envs.registry import Game

__all__ = ["KINDS", "SETTINGS", "FlatSearch", "TreeSearch", "make"]


def make(spec: str, game: Game, kind: str, values: dict[str, Any], rules: Any) -> Agent:
    """The search of some kind for a game; `rules` is the module with the game's rule agents.

    `ValueError` for a setting or a value that it does not have, or for a game that cannot be searched.
    """
    settings = settings_of(game, kind, values, rules.KINDS)
    knobs = rules.knobs(settings.pop("rollout"))
    if kind == "pimc":
        return FlatSearch(spec, game, knobs, **settings)
    return TreeSearch(spec, game, knobs, cheats=kind == "cheat", **settings)
