"""Measured tables of pages: each stands between `<!-- measured: NAME -->` and `<!-- end -->`, for the command that measures it."""

import re
from pathlib import Path

from tromf.envs.files import write_whole


def filled(text: str, name: str, content: str) -> str:
    """The text of a page with one of its tables written anew; `ValueError` if it has no place for it."""
    before, after = f"<!-- measured: {name} -->", "<!-- end -->"
    pattern = rf"({re.escape(before)}\n).*?({after})"
    changed, count = re.subn(pattern, lambda found: f"{found[1]}{content.strip()}\n{found[2]}", text, count=1, flags=re.DOTALL)
    if not count:
        raise ValueError(f"the page has no place for {name}: it needs the lines {before} and {after}")
    return changed


def fill(page: Path, name: str, content: str) -> None:
    """Write one of the tables of a page anew; `ValueError` if it has no place for it."""
    write_whole(page, filled(page.read_text(encoding="utf-8"), name, content))
