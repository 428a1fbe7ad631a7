"""Pages of reports: sections made of paragraphs, tables, pictures and commands, written as Markdown and as one file of HTML."""

import base64
import html
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tromf.envs.files import write_whole, written_whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from rich.table import Table as RichTable

STYLE = """
body { max-width: 72rem; margin: 2rem auto; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif; color: #111; background: #fff; }
h1, h2 { line-height: 1.2; } h2 { margin-top: 2.2em; border-bottom: 1px solid #bbb; }
table { border-collapse: collapse; margin: 1em 0; font-variant-numeric: tabular-nums; display: block; overflow-x: auto; }
th, td { padding: .25em .8em; border-bottom: 1px solid #ddd; text-align: left; vertical-align: top; }
th { border-bottom: 2px solid #888; } .number { text-align: right; white-space: nowrap; }
code, pre { font: .9em ui-monospace, monospace; background: #f2f2f2; }
code { padding: 0 .2em; } pre { padding: .8em; white-space: pre-wrap; }
img { max-width: 100%; height: auto; }
@media print { body { max-width: none; } h2 { break-after: avoid; } table, img { break-inside: avoid; } }
"""


@dataclass(frozen=True)
class Table:
    """A table of texts; headings that end in a colon stand over columns of numbers, aligned to the right."""

    headings: Sequence[str]
    rows: Sequence[Sequence[str]]

    def markdown(self) -> str:
        bars = ["---:" if heading.endswith(":") else "---" for heading in self.headings]
        lines = [[heading.removesuffix(":") for heading in self.headings], bars, *self.rows]
        return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)

    def html(self) -> str:
        kinds = [' class="number"' if heading.endswith(":") else "" for heading in self.headings]
        head = "".join(f"<th{kind}>{_inline(heading.removesuffix(':'))}</th>" for heading, kind in zip(self.headings, kinds))
        rows = ("".join(f"<td{kind}>{_inline(cell)}</td>" for cell, kind in zip(row, kinds)) for row in self.rows)
        return f"<table>\n<tr>{head}</tr>\n" + "\n".join(f"<tr>{row}</tr>" for row in rows) + "\n</table>"

    def rich(self, title: str = "", styles: Sequence[str] = ()) -> "RichTable":
        """For the terminal: where it is narrow, texts and headings fold, numbers do not. `styles`: of every row's numbers, as "green"."""
        from rich import box
        from rich.table import Table as RichTable
        from rich.text import Text

        result = RichTable(title=title or None, box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
        numbers = [heading.endswith(":") for heading in self.headings]
        for k, (number, heading) in enumerate(zip(numbers, map(plain, self.headings))):
            widest = max((len(row[k]) for row in self.rows), default=0)
            how: dict[str, Any] = {"min_width": 10}
            if number:
                how = {"min_width": widest, "no_wrap": widest >= len(heading), "justify": "right"}
            result.add_column(heading.removesuffix(":"), overflow="fold", **how)
        for row, style in zip_longest(self.rows, styles, fillvalue=""):
            result.add_row(*(Text(plain(cell), style if number else "") for cell, number in zip(row, numbers)))
        return result


@dataclass(frozen=True)
class Picture:
    """A plot, in a file `name` beside the Markdown page and within the HTML; `text` says what it shows."""

    name: str
    text: str
    figure: "Figure"


@dataclass(frozen=True)
class Code:
    """Something typed: a command, or a file in some `language`."""

    text: str
    language: str = ""


Piece = str | Table | Picture | Code  # a text is a paragraph, in which `code`, **weight** and links to other pages may stand


@dataclass(frozen=True)
class Section:
    """A part of a page, with a heading unless the title is empty."""

    title: str
    pieces: Sequence[Piece]


def write(folder: str | Path, title: str, sections: Sequence[Section], figures: Mapping[str, Any]) -> Path:
    """Write a report and return the path of its `report.md`. Beside it lie the pictures, `report.html`, which holds them, and the figures
    as `result.json`. Files of an earlier report in the folder are replaced."""
    folder, images = Path(folder), {}
    for piece in (piece for section in sections for piece in section.pieces):
        if isinstance(piece, Picture):
            with written_whole(folder / piece.name) as beside:
                piece.figure.savefig(beside)
            images[piece.name] = (folder / piece.name).read_bytes()
    write_whole(folder / "result.json", json.dumps(figures, indent=2, ensure_ascii=False) + "\n")
    write_whole(folder / "report.html", as_html(title, sections, images))
    write_whole(folder / "report.md", as_markdown(title, sections))
    return folder / "report.md"


def as_markdown(title: str, sections: Sequence[Section]) -> str:
    """A page as Markdown."""
    parts = [f"# {title}"]
    for section in sections:
        parts += [f"## {section.title}"] if section.title else []
        for piece in section.pieces:
            match piece:
                case Table():
                    parts.append(piece.markdown())
                case Picture():
                    parts.append(f"![{piece.text}]({piece.name})")
                case Code():
                    parts.append(f"```{piece.language}\n{piece.text}\n```")
                case _:
                    parts.append(piece)
    return "\n\n".join(parts) + "\n"


def as_html(title: str, sections: Sequence[Section], images: Mapping[str, bytes]) -> str:
    """A page as one file of HTML that loads nothing; `images` are the pictures' PNG files, by name."""
    parts = [f"<h1>{_inline(title)}</h1>"]
    for section in sections:
        parts += [f"<h2>{_inline(section.title)}</h2>"] if section.title else []
        for piece in section.pieces:
            match piece:
                case Table():
                    parts.append(piece.html())
                case Picture():
                    data = base64.b64encode(images[piece.name]).decode()
                    parts.append(f'<p><img alt="{html.escape(piece.text)}" src="data:image/png;base64,{data}"></p>')
                case Code():
                    parts.append(f"<pre>{html.escape(piece.text)}</pre>")
                case _:
                    parts.append(f"<p>{_inline(piece)}</p>")
    head = f'<meta charset="utf-8">\n<meta name="viewport" content="width=device-width">\n<title>{html.escape(plain(title))}</title>'
    body = "\n".join(parts)
    return f'<!DOCTYPE html>\n<html lang="en">\n<head>\n{head}\n<style>{STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n'


def plain(text: str) -> str:
    """A text without the marks of `code`."""
    return text.replace("`", "")


def _inline(text: str) -> str:
    """A text as HTML, with links leading to the HTML of other reports."""

    def marked(found: re.Match[str]) -> str:
        code, weight, link, page = found.groups()
        if page is not None:
            return f'<a href="{page}.html">{link}</a>'
        return f"<strong>{weight}</strong>" if code is None else f"<code>{code}</code>"

    return re.sub(r"`([^`]*)`|\*\*(.+?)\*\*|\[([^]]+)\]\(([^)]+)\.md\)", marked, html.escape(text))
