"""The tables of docs/tiny.md are what the named small games give: counts exactly, figures as they are printed."""

import importlib.util
import re
from pathlib import Path

import pytest

pytest.importorskip("pyspiel")

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "tiny.md").read_text(encoding="utf-8")


def script():
    spec = importlib.util.spec_from_file_location("tiny", ROOT / "docs" / "tiny.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


TINY = script()


def table(kind):
    """The rows of a table of the page, the head first."""
    lines = PAGE.split(f"<!-- measured: {kind} -->\n")[1].split("<!-- end -->")[0].splitlines()
    rows = [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in lines]
    return [rows[0], *rows[2:]]


def numbers(cell):
    return [float(text.replace(",", "")) for text in re.findall(r"[+-]?\d[\d,]*(?:\.\d+)?(?:e-\d+)?", cell)]


@pytest.mark.slow
@pytest.mark.parametrize("variant", TINY.tiny())
def test_the_tables_are_what_the_games_give(variant):
    tree, figures = TINY.measured(variant, iterations=30)
    kind, rows = TINY.rows(variant, tree, figures)
    head, *page = table(kind)
    assert head == TINY.HEADS[kind]
    first = [row[0] for row in page].index(f"`{variant}`")
    for given, shown in zip(rows, page[first : first + len(rows)], strict=True):
        assert given[:6] == shown[:6]
        exact = slice(7, -1) if kind == "two players" else slice(6, None)
        for mine, theirs in zip(given[exact], shown[exact], strict=True):
            assert numbers(mine) == pytest.approx(numbers(theirs), abs=0.015 if "%" in mine else 1.5e-4)
    if kind == "two players":
        (value, _), (nash_conv, share) = (numbers(page[first][place] + " 0")[:2] for place in (6, -1))
        assert share < 0.1, "percent of the payoff range"
        assert figures[-1].nash_conv < 0.02 * tree.span
        assert abs(figures[-1].values[0] - value) <= figures[-1].nash_conv + nash_conv + 1e-4


def test_every_small_game_stands_on_the_page():
    assert [row[0].strip("`") for kind in TINY.HEADS for row in table(kind)[1:] if row[0]] == TINY.tiny()
