"""What several commands share: their common arguments and options, the setting they name, and files written whole."""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from tromf.envs.registry import Game

GameName = Annotated[
    str, typer.Argument(metavar="GAME", help="A game, or one of its variants (`tromf games` lists them).", show_default=False)
]
Players = Annotated[
    int | None, typer.Option("--players", "-p", metavar="N", help="Number of seats (default: the game's).", show_default=False)
]
Variant = Annotated[
    str | None, typer.Option("--variant", metavar="V", help="A named variant (default: the game's first).", show_default=False)
]
Options = Annotated[
    list[str] | None,
    typer.Option(
        "--option", "-o", metavar="KEY=VALUE", help="An option of the game, the value in YAML; may be repeated.", show_default=False
    ),
]
Cards = Annotated[
    str, typer.Option("--cards", metavar="STYLE", help="How cards are drawn: two (colours), four (colours), letters or hungarian.")
]
Seed = Annotated[int, typer.Option("--seed", min=0, metavar="S", help="Seed of all chance.")]
DealSet = Annotated[
    str | None,
    typer.Option(
        "--deal-set", metavar="NAME", help="Which deals (default: the game's newest set for its pack, if any).", show_default=False
    ),
]
DealSeed = Annotated[
    int | None, typer.Option("--seed", min=0, metavar="S", help="Play the deals of a seed, in place of a deal set.", show_default=False)
]
Threads = Annotated[
    int | None,
    typer.Option(
        "--threads",
        min=1,
        max=1024,
        metavar="N",
        help="Threads (default: one a core); the figures do not depend on it.",
        show_default=False,
    ),
]
Json = Annotated[
    Path | None, typer.Option("--json", metavar="PATH", help="Also write the figures to this file, as JSON.", show_default=False)
]


def find_setting(
    game: str, variant: str | None = None, players: int | None = None, option: Sequence[str] | None = None
) -> tuple["Game", str, dict[str, Any]]:
    """The game, the variant's name and the options given (players among them, if given) that a command line names.

    `game` may be a variant's name. `ValueError` for anything that does not exist or cannot be played, naming it.
    """
    from tromf.envs import registry
    from tromf.envs.options import unknown

    found, named = registry.choose(game, variant)
    chosen = named or next(iter(found.variants))
    options = parse_options(option or ())
    for name in options:
        if name not in {known.name for known in found.options}:
            raise unknown("option", name, [known.name for known in found.options])
    if players is not None:
        if options.setdefault("players", players) != players:
            raise ValueError(f"--players is {players}, and --option says players={options['players']}: give one of them")
    if isinstance(options.get("pack"), int) and not isinstance(options["pack"], bool):
        options["pack"] = str(options["pack"])  # the rank 9 of `pack=9` is a text, but YAML reads a number
    found.values(chosen, **options)
    return found, chosen, options


def which_deals(game: "Game", variant: str, options: dict[str, Any], deal_set: str | None, seed: int | None) -> str | None:
    """The name of the deal set to be played: the one given or, where no seed is, the game's newest for its pack, if any."""
    from tromf.evaluate import dealsets

    if deal_set is not None or seed is not None:
        return deal_set
    newest = dealsets.of(game, game.states(1, variant, **options))
    return newest.name if newest else None


def parse_options(pairs: Sequence[str]) -> dict[str, Any]:
    """`key=VALUE` texts as a dictionary, values read as YAML. `ValueError` for another form or a key given twice."""
    from tromf.envs.schema import yaml_value

    options: dict[str, Any] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        key = key.strip()
        if not equals or not key:
            raise ValueError(f"option {pair!r} is not of the form key=VALUE")
        if key == "variant":
            raise ValueError("the variant is no option: give it by its name in place of the game's, or with --variant")
        if key in options:
            raise ValueError(f"option {key!r} is given twice")
        try:
            options[key] = None if value == "None" else yaml_value(value)  # None is null to those who write Python
        except ValueError as error:
            raise ValueError(f"option {key!r}: {value!r} is not YAML ({error})") from None
    return options


def check_writable(path: Path, folder: bool = False) -> None:
    """`OSError` if a file, or a folder with files, cannot be written there; to be asked before long work, writes nothing."""
    from tromf.envs.files import is_special

    if path.exists() and path.is_dir() != folder:
        raise (
            NotADirectoryError(None, "is a file, not a folder", str(path)) if folder else IsADirectoryError(None, "is a folder", str(path))
        )
    if path.exists() and not path.is_dir() and not os.access(path, os.W_OK):
        raise PermissionError(None, "this file cannot be written to", str(path))
    above = path if path.exists() and folder else path.absolute().parent
    while not above.exists():
        above = above.parent
    if not above.is_dir():
        raise NotADirectoryError(None, "is a file, not a folder", str(above))
    if not os.access(above, os.W_OK) and not is_special(path):
        raise PermissionError(None, "this folder cannot be written to", str(above))


def check_out(folder: Path | None, overwrite: bool) -> None:
    """`ValueError` or `OSError` if a report cannot be written to this folder, whatever is in it; writes nothing."""
    if folder is not None:
        check_writable(folder, folder=True)
    elif overwrite:
        raise ValueError("--overwrite is for the folder of --out: give both")


def check_report(folder: Path | None, overwrite: bool) -> None:
    """The same, or if it would be written over something."""
    from tromf.envs.files import check_free

    check_out(folder, overwrite)
    if folder is not None:
        check_free(folder, overwrite)


def write_json(path: str | Path, value: Any) -> None:
    """Write a value as JSON, readable, as a whole. NumPy numbers and paths are fine."""

    def plain(thing: Any) -> Any:
        if hasattr(thing, "tolist"):
            return thing.tolist()
        if isinstance(thing, Path):
            return str(thing)
        raise TypeError(f"{type(thing).__name__} cannot be written as JSON")

    from tromf.envs.files import write_whole

    write_whole(path, json.dumps(value, indent=2, ensure_ascii=False, default=plain) + "\n")
