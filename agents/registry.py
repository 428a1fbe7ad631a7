"""Agents by name: one spec string names an agent everywhere, `kind[:path][,key=value…]`."""

from importlib import import_module
from typing import Any

from tromf.agents import search
from tromf.agents.base import Agent
from tromf.agents.rule import RuleAgent
from tromf.envs.options import unknown
from tromf.envs.registry import Game
from tromf.envs.schema import yaml_value

FILE_KINDS = ("net", "sb3")
FILE_SETTINGS = ("greedy",)


def rules_of(game: Game) -> Any:
    """The module with a game's rule agents: `KINDS`, `KNOBS`, and `knobs(kind, **values)`."""
    return import_module(f"tromf.agents.{game.name.replace('-', '_')}")


def kinds(game: Game) -> tuple[str, ...]:
    """Kinds of agents there are for a game."""
    return (*rules_of(game).KINDS, *search.KINDS, *FILE_KINDS)


def parse(spec: str) -> tuple[str, str | None, dict[str, Any]]:
    """The kind, path and settings in a spec; `ValueError` if it is none. A bare path to a safetensors file means `net:`."""
    head, *settings = spec.split(",")
    kind, _, path = head.partition(":")
    if not path and head.endswith(".safetensors"):
        kind, path = "net", head
    values = {}
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals or not key:
            raise ValueError(f"agent {spec!r}: {setting!r} is not of the form key=value")
        if key in values:
            raise ValueError(f"agent {spec!r}: {key!r} is given twice")
        try:
            values[key] = yaml_value(value)
        except ValueError:
            raise ValueError(f"agent {spec!r}: {value!r} is no YAML value") from None
    return kind, path or None, values


def make(spec: str, game: Game) -> Agent:
    """The agent that a spec names, for a game. `ValueError` says what is wrong with the spec and what exists."""
    if not isinstance(spec, str):
        raise ValueError(f"agent {spec!r} is no spec: accepted is a text such as 'expert' or 'net:PATH'")
    kind, path, values = parse(spec)
    if kind not in kinds(game):
        raise unknown("agent", kind, kinds(game))
    if kind in FILE_KINDS:
        if path is None:
            raise ValueError(f"agent {spec!r} names no file: write {kind}:PATH")
        for key in values:
            if key not in FILE_SETTINGS:
                raise ValueError(f"agent {spec!r} has no setting {key!r}: there is {', '.join(FILE_SETTINGS)}")
        module = import_module(f"tromf.agents.{kind}")
        agent: Agent = module.load(path, game, spec=spec, **values)
        agent.game = game.name
        return agent
    if path is not None:
        raise ValueError(f"agent {spec!r}: {kind} takes no path")
    if kind in search.KINDS:
        searching = search.make(spec, game, kind, values, rules_of(game))
        searching.game = game.name
        return searching
    rule = RuleAgent(spec, rules_of(game).knobs(kind, **values))
    rule.game = game.name
    return rule
