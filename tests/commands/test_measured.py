"""`commands/measured.py`: measured tables have a place on their pages, and are written there."""

from pathlib import Path

import pytest

from tromf.commands import measured

ROOT = Path(__file__).parents[2]
TABLES = {
    "README.md": ("speed", "hoarding", "strength mustamaija-4p"),
    "docs/calibration.md": ("calibration",),
    "docs/search.md": ("search strength",),
    "docs/tiny.md": ("two players", "sides"),
}


@pytest.mark.parametrize("page", TABLES)
def test_pages_have_a_place_for_what_is_measured(page):
    for name in TABLES[page]:
        assert f"<!-- measured: {name} -->\nnew\n<!-- end -->" in measured.filled((ROOT / page).read_text(encoding="utf-8"), name, "new")


def test_one_table_is_written_and_all_else_stays(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("a\n<!-- measured: b -->\nold\n\nold\n<!-- end -->\nc\n<!-- measured: d -->\nold\n<!-- end -->\n", encoding="utf-8")
    measured.fill(page, "b", "new \\1\n\n")
    assert page.read_text(encoding="utf-8").startswith("a\n<!-- measured: b -->\nnew \\1\n<!-- end -->\nc\n<!-- measured: d -->\nold\n")
    with pytest.raises(ValueError, match="no place for e: it needs the lines <!-- measured: e --> and <!-- end -->"):
        measured.fill(page, "e", "new")
