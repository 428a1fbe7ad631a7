"""Reports as a browser reads them."""

from html.parser import HTMLParser
from pathlib import Path


class Page(HTMLParser):
    """What a page of HTML holds: its tags are closed in order; what it loads, what it leads to and its cells by table are listed."""

    def __init__(self, text):
        super().__init__()
        self.open, self.loads, self.links, self.texts, self.tables = [], [], [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        if tag not in ("meta", "img", "link", "br"):
            self.open.append(tag)
        self.loads += [value for name, value in attributes if name == "src" or (tag, name) == ("link", "href")]
        self.links += [value for name, value in attributes if (tag, name) == ("a", "href")]
        if tag == "table":
            self.tables.append([])
        if tag in ("th", "td"):
            self.tables[-1].append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)
        if {"th", "td"} & set(self.open):
            self.tables[-1][-1] += data


def whole_page(folder, *tables):
    """The `report.html` of a folder, which must parse, load nothing, lead to files only that lie there, and hold these tables."""
    page = Page((Path(folder) / "report.html").read_text(encoding="utf-8"))
    assert page.open == []
    assert all(address.startswith("data:image/png;base64,") for address in page.loads)
    assert all((Path(folder) / link).is_file() for link in page.links)
    assert not [text for text in page.texts if "url(" in text or "@import" in text]
    for table in tables:
        cells = [heading.removesuffix(":") for heading in table.headings] + [cell for row in table.rows for cell in row]
        assert [cell.replace("`", "") for cell in cells] in page.tables
    return page
