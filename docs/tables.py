"""Writes the tables of these pages from the code: `python docs/tables.py`, or with `--check` only says whether they are right.

A table stands between two comments, `<!-- table: KIND NAME -->` and `<!-- end -->`; KIND is one of the functions below, NAME a game
or, for `settings`, a search.
"""

import re
import sys
from pathlib import Path

from tromf.agents import registry as agents
from tromf.agents import search
from tromf.envs import registry

HERE = Path(__file__).parent
MARK = re.compile(r"(<!-- table: (\w+) ([\w-]+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in [head, *rows]]
    return "\n".join([lines[0], "| " + " | ".join("---" for _ in head) + " |", *lines[1:]]) + "\n"


def options(name: str) -> str:
    game, _ = registry.find(name)
    rows = [(f"`{option.name}`", f"`{option.default}`", option.accepts, option.meaning) for option in game.options]
    return _table(("option", "default", "accepted", "meaning"), rows)


def variants(name: str) -> str:
    game, _ = registry.find(name)
    rows = [
        (f"`{variant}`", ", ".join(f"`{key}={value}`" for key, value in values.items()) or "the defaults")
        for variant, values in game.variants.items()
    ]
    return _table(("variant", "options"), rows)


def observation(name: str) -> str:
    game, _ = registry.find(name)
    rows, first = [], 0
    for word, row in enumerate(game.rows):
        rows.append((str(word), f"{first} … {first + row.width - 1}", row.name, row.meaning))
        first += row.width
    return _table(("word", "dense", "name", "meaning of the bits, lowest first"), rows)


def habits(name: str) -> str:
    game, _ = registry.find(name)
    rows = [(f"`{each.name}`", f"`{each.default}`", each.accepts, each.meaning) for each in agents.rules_of(game).HABITS]
    return _table(("knob", "default", "accepted", "meaning"), rows)


def weights(name: str) -> str:
    game, _ = registry.find(name)
    rules = agents.rules_of(game)
    rows = [
        (f"`{each.name}`", f"{each.where}: {each.meaning}", *(f"{weight:.3f}" if weight else "" for weight in each.weights))
        for each in rules.TERM_TABLE
    ]
    return _table(("term", "counts", *rules.STAGES), rows)


def settings(name: str) -> str:
    rows = [(f"`{each.name}`", f"`{each.default}`", each.accepts, each.meaning) for each in search.SETTINGS[name]]
    return _table(("setting", "default", "accepted", "meaning"), rows)


def rewritten(text: str) -> str:
    """A page with its tables written anew."""

    def table(match: re.Match[str]) -> str:
        return match[1] + globals()[match[2]](match[3]) + match[5]

    return MARK.sub(table, text)


def stale() -> list[Path]:
    """Pages whose tables are not what the code says."""
    return [page for page in pages() if page.read_text() != rewritten(page.read_text())]


def pages() -> list[Path]:
    return [HERE.parent / "README.md", *sorted(HERE.rglob("*.md"))]


if __name__ == "__main__":
    if "--check" in sys.argv:
        found = stale()
        print("\n".join(f"{page.relative_to(HERE.parent)}: tables are not what the code says; run python docs/tables.py" for page in found))
        sys.exit(bool(found))
    for page in pages():
        text = page.read_text()
        page.write_text(rewritten(text))
