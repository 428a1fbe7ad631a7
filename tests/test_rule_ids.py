"""Every rule of a rules page is tested by name."""

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent


def ids() -> set[str]:
    """All rule ids of the pages: `MM-D2`, `MW-10`, `C-3`."""
    text = "".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs" / "rules").glob("*.md"))
    return set(re.findall(r"\b(?:[A-Z]{2}-(?:[A-Z][0-9]?|[0-9]{1,2})|C-[0-9])\b", text))


def test_every_rule_id_has_a_test_by_its_name():
    """A test of several rules names all of them: `test_MW_9_and_MW_10_high_hands`."""
    source = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    missing = [rule for rule in sorted(ids()) if not re.search(rf"def test_(?:\w+_and_)?{rule.replace('-', '_')}_[a-z]", source)]
    assert not missing


def test_the_pages_are_read():
    assert {"MM-1", "MM-A", "MM-T3", "MM-V2", "MM-X", "MM-G", "MZ-9", "MW-10", "MW-R", "C-1", "C-9"} <= ids()
    assert len(ids()) > 35
