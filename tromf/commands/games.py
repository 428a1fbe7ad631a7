"""`tromf games`: what there is to play, and with whom."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tromf.commands.common import Json, check_writable, write_json

if TYPE_CHECKING:
    from tromf.envs.options import Option
    from tromf.envs.registry import Game


def games(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="Only this game (or the game of this variant).", show_default=False)
    ] = None,
    words: Annotated[bool, typer.Option("--words", help="Also list the words of an observation.")] = False,
    json: Json = None,
) -> None:
    """List games, their variants, players, options, agents and, with --words, what an agent sees."""
    if json:
        check_writable(json)

    from rich.console import Console

    from tromf.envs import registry

    chosen = [registry.find(game)[0]] if game is not None else [registry.find(name)[0] for name in registry.names()]
    described = [describe(each) for each in chosen]
    if json:
        write_json(json, described)
    console = Console(highlight=False)
    for each in described:
        _print(console, each, words)


def describe(game: "Game") -> dict[str, Any]:
    """All that the listing shows of a game, as plain data."""
    from tromf.agents import registry as agents
    from tromf.agents.search import SETTINGS

    rules = agents.rules_of(game)
    return {
        "game": game.name,
        "title": game.title,
        "players": _player_counts(game),
        "actions": game.actions,
        "words": [{"word": row.name, "bits": row.width, "meaning": row.meaning} for row in game.rows],
        "variants": {name: dict(values) for name, values in game.variants.items()},
        "options": [_row("option", each) for each in game.options],
        "agents": list(agents.kinds(game)),
        "knobs": _knobs(rules),
        "searches": {kind: [_row("setting", each) for each in settings] for kind, settings in SETTINGS.items()},
        "habits": [each.name for each in getattr(rules, "HABITS", getattr(rules, "KNOB_OPTIONS", ()))],
    }


def _player_counts(game: "Game") -> dict[str, list[int]]:
    """The numbers of players that each variant can be dealt for."""
    counts: dict[str, list[int]] = {}
    for variant in game.variants:
        counts[variant] = []
        for players in range(1, game.max_players + 1):
            try:
                game.values(variant, players=players)
            except ValueError:
                continue
            counts[variant].append(players)
    return counts


def _knobs(rules: Any) -> list[dict[str, Any]]:
    """The knobs of a game's rule agents, from their table of options, if they have one."""
    table = getattr(rules, "KNOB_OPTIONS", ())
    return [_row("knob", each) for each in table]


def _row(what: str, option: "Option") -> dict[str, Any]:
    """An option, a knob or a setting as plain data, its name under `what`."""
    return {what: option.name, "default": option.default, "accepts": option.accepts, "meaning": option.meaning}


def _print(console: Any, game: dict[str, Any], words: bool) -> None:
    from rich.markup import escape

    console.print(f"[bold]{escape(game['title'])}[/bold] ([green]{game['game']}[/green])\n")
    variants = [
        (name, _span(game["players"][name]), ", ".join(f"{key}={_text(value)}" for key, value in values.items()) or "the defaults")
        for name, values in game["variants"].items()
    ]
    _table(console, ("variant", "players", "its options"), variants)
    _table(
        console,
        ("option", "default", "accepts", "meaning"),
        [(each["option"], _text(each["default"]), each["accepts"], each["meaning"]) for each in game["options"]],
    )
    if game["knobs"]:
        _table(
            console,
            ("knob of expert", "default", "accepts", "meaning"),
            [
                (each["knob"], _text(each["default"]), each["accepts"], each["meaning"])
                for each in game["knobs"]
                if each["knob"] in game["habits"]
            ],
        )
        weights = [each["knob"] for each in game["knobs"] if each["knob"] not in game["habits"]]
        if weights:
            console.print(f"factors on the weights of expert's terms (docs/agents.md): [green]{escape(', '.join(weights))}[/green]\n")
    for kind, settings in game["searches"].items():
        names = ", ".join(f"{each['setting']}={_text(each['default'])}" for each in settings)
        console.print(f"settings of {kind} (docs/search.md): [green]{escape(names)}[/green]\n")
    if words:
        _table(console, ("word", "bits", "meaning"), [(each["word"], str(each["bits"]), each["meaning"]) for each in game["words"]])
    agents = ", ".join(f"{kind}:PATH" if kind in ("net", "sb3") else kind for kind in game["agents"])
    console.print(f"agents: [green]{escape(agents)}[/green]; knobs and settings follow as [green],key=value[/green]\n")


def _table(console: Any, heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(*heads, box=box.SIMPLE_HEAD, pad_edge=False)
    for first, *others in rows:
        table.add_row(Text(first, style="green"), *map(Text, others))
    console.print(table)


def _text(value: Any) -> str:
    """A value as it is written in YAML after `--option key=`."""
    return {None: "null", True: "true", False: "false"}[value] if value is None or isinstance(value, bool) else str(value)


def _span(numbers: list[int]) -> str:
    """Numbers as people write them: `2–6`, or a list where some are missing."""
    if numbers and numbers == list(range(numbers[0], numbers[-1] + 1)):
        return f"{numbers[0]}–{numbers[-1]}" if len(numbers) > 1 else str(numbers[0])
    return ", ".join(map(str, numbers))
