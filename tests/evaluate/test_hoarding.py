"""benchmarks/hoarding.py: the tables of docs/hoarding.md, on a few deals."""

import pytest

from benchmarks import hoarding
from tromf.commands import measured


def test_a_table_is_written_into_the_page(tmp_path, capsys):
    page = tmp_path / "page.md"
    page.write_text("Before\n<!-- measured: 101-2p -->\nold\n<!-- end -->\nafter\n", encoding="utf-8")
    hoarding.main(["--only", "101-2p", "--deals", "20", "--page", str(page)])
    text = page.read_text(encoding="utf-8")
    assert text.startswith("Before\n<!-- measured: 101-2p -->\n| effect | others: `expert` |")
    assert text.endswith("<!-- end -->\nafter\n")
    assert "old" not in text
    assert "| `hoard_end` | 0, in every block | 0, in every block | 0, in every block |" in text
    assert "    tromf ablate 101 expert --knobs placebo --players 2 --deals 20\n" in text
    assert "101-2p" in capsys.readouterr().out


def test_the_page_has_a_place_for_every_table():
    text = hoarding.PAGE.read_text(encoding="utf-8")
    for name in hoarding.TABLES:
        assert "new" in measured.filled(text, name, "new")


def test_the_readme_says_what_the_page_says():
    assert hoarding.readme_table(hoarding.PAGE.read_text(encoding="utf-8")) in hoarding.README.read_text(encoding="utf-8")
    with pytest.raises(ValueError, match="nothing of luck"):
        hoarding.effect_of("", "101-2p", "luck")
