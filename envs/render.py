"""Tables to look at: as text (`ansi`), in colour in the terminal (`human`), as a picture (`rgb_array`).

All three draw what a game says of itself (`view` in its text module, see `tromf.envs.view`); nothing here knows a game.
With `seat` given they show what that seat knows, and depend on nothing else; without it, everything in the record.
"""

import re
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from tromf.envs import hungarian
from tromf.envs.batch import concealed
from tromf.envs.cards import SYMBOLS
from tromf.envs.options import unknown
from tromf.envs.registry import Game
from tromf.envs.view import SUIT_NAMES, Laid, SeatView, TableView, counted

if TYPE_CHECKING:
    from rich.text import Text

Cards = Literal["two", "four", "letters", "hungarian"]
CARD_STYLES: dict[Cards, str] = {
    "two": "suit symbols, red and black",
    "four": "suit symbols, a colour for each suit",
    "letters": "letters for the suits, as moves are typed",
    "hungarian": "Hungarian cards and their names, for packs of 7 8 9 J Q K T A",
}

Segment = tuple[str, str]  # a piece of text and its style, as rich writes styles

_INK: dict[str, dict[str, str]] = {
    "two": {"C": "black", "D": "rgb(196,20,30)", "H": "rgb(196,20,30)", "S": "black"},
    "four": {"C": "rgb(0,110,40)", "D": "rgb(20,80,200)", "H": "rgb(196,20,30)", "S": "black"},
}
_INK["letters"] = _INK["two"]
_INK["hungarian"] = {"C": "rgb(112,62,20)", "D": "rgb(158,98,0)", "H": "rgb(196,20,30)", "S": "rgb(0,110,40)"}
_CARD = re.compile(r"\b[2-9TJQKA][CDHS]\b")
_PAPER = "on rgb(244,241,232)"
_HONOUR = "on rgb(255,216,110)"
_ROLES = {"attacker": "bold rgb(235,100,80)", "defender": "bold rgb(90,160,240)"}


def card_style(cards: str, game: Game | None = None) -> Cards:
    """The way of drawing cards of this name; `ValueError` if there is none, or the game's pack cannot be drawn so."""
    if cards not in CARD_STYLES:
        raise unknown("card style", cards, CARD_STYLES)
    if cards == "hungarian" and game and not hungarian.fit(game.pack.ranks):
        others = ", ".join(style for style in CARD_STYLES if style != cards)
        raise ValueError(
            f"card style 'hungarian' is for packs of {' '.join(hungarian.RANKS)}, and {game.title} is played with "
            f"{' '.join(game.pack.ranks)}: accepted are {others}"
        )
    return cards


def seen(game: Game, state: Any, seat: int | None = None) -> TableView:
    """The table as a seat sees it, or as it is. `ValueError` for a seat that is none."""
    if seat is not None:
        players = int(state["options"]["players"])
        if isinstance(seat, bool) or not isinstance(seat, (int, np.integer)) or not 0 <= seat < players:
            raise ValueError(f"seat {seat!r} does not exist: seats are 0 … {players - 1}")
        state = concealed(np.array([state], game.state), np.array([seat], np.int64))[0]
    view: TableView = game.text.view(state)
    return view


def ansi(game: Game, state: Any, seat: int | None = None, cards: Cards = "two") -> str:
    """The table as lines of plain text."""
    card_style(cards, game)
    return "".join(text for text, _ in table(seen(game, state, seat), seat, cards))


def coloured(game: Game, state: Any, seat: int | None = None, cards: Cards = "two") -> "Text":
    """The table as rich's text, for printing to any console."""
    from rich.text import Text

    card_style(cards, game)
    return Text.assemble(*table(seen(game, state, seat), seat, cards))


def human(game: Game, state: Any, seat: int | None = None, cards: Cards = "two") -> None:
    """Print the table in colour in the terminal."""
    from rich.console import Console

    Console(highlight=False).print(coloured(game, state, seat, cards), soft_wrap=True)


def rgb_array(game: Game, state: Any, seat: int | None = None, cards: Cards = "two") -> np.ndarray:
    """The table as a picture, (H, W, 3) uint8, 1280 wide and 880 high. French cards have symbols in two colours or four."""
    from tromf.envs.picture import draw

    card_style(cards, game)
    return draw(seen(game, state, seat), seat, cards)


def sentence(line: str, cards: Cards = "two", special: frozenset[str] = frozenset()) -> "Text":
    """A line of text in which cards (`7H`) are coloured, and called by name if they are Hungarian."""
    from rich.text import Text

    return Text.assemble(*_pieces(line, cards, special))


def _pieces(line: str, cards: Cards, special: frozenset[str]) -> list[Segment]:
    pieces, at = [], 0
    for found in _CARD.finditer(line):
        text, style = card_segment(found.group(), cards, special)
        pieces += [(_words(line[at : found.start()], cards), ""), (text if cards == "hungarian" else found.group(), style)]
        at = found.end()
    return [*pieces, (_words(line[at:], cards), "")]


def _words(line: str, cards: Cards) -> str:
    return hungarian.in_words(line) if cards == "hungarian" else line


def card_segment(card: str, cards: Cards = "two", special: frozenset[str] = frozenset()) -> Segment:
    """A card and its style."""
    text = hungarian.name(card) if cards == "hungarian" else card if cards == "letters" else card[0] + SYMBOLS[card[1]]
    return text, f"bold {_INK[cards][card[1]]} {_HONOUR if card in special else _PAPER}"


def table(view: TableView, viewer: int | None, cards: Cards) -> list[Segment]:
    """The table as pieces of text with styles."""
    segments: list[Segment] = [(f"{view.title}", "bold"), (f"  {view.subtitle}\n", "dim")]
    labels = [_labels(view, seat, viewer) for seat in view.seats]
    widest = max(sum(len(text) for text, _ in pieces) for pieces in labels)
    for seat, pieces in zip(view.seats, labels, strict=True):
        pieces = [*pieces, (" " * (widest - sum(len(text) for text, _ in pieces) + 2), "")]
        segments += _seat(view, seat, seat.seat == viewer, pieces, cards)
    segments += [("  table   ", "dim"), *_rows(view, cards), ("\n", "")]
    if view.stock is not None:
        segments += [("  stock   ", "dim"), *_stock(view, cards), ("\n", "")]
    if view.trump or view.trump_note:
        symbol = _suit(view.trump, cards) if view.trump else "none"
        segments += [("  trumps  ", "dim"), (symbol, "bold"), (f"  {view.trump_note}" if view.trump_note else "", "dim"), ("\n", "")]
    segments += _score(view)
    segments += [(f"  {_words(line, cards)}\n", "dim") for line in view.captions]
    return [*segments, (f"  {_words(view.status, cards)}", "bold")]


def _suit(suit: str, cards: Cards) -> str:
    """A suit by its symbol, or letter, and name."""
    if cards == "hungarian":
        return hungarian.SUITS[suit]
    return f"{suit if cards == 'letters' else SYMBOLS[suit]} {SUIT_NAMES[suit]}"


def _score(view: TableView) -> list[Segment]:
    """The score as a table, a column under each of its headings."""
    widths = [max(map(len, column)) for column in zip(*view.score, strict=True)]
    segments: list[Segment] = []
    for k, (name, *cells) in enumerate(view.score):
        line = "".join(f"  {cell:>{width}}" for cell, width in zip(cells, widths[1:], strict=True))
        segments += [(f"  {name:<{widths[0]}}", "dim"), (f"{line}\n", "bold" if k else "dim")]
    return segments


def _labels(view: TableView, seat: SeatView, viewer: int | None) -> list[Segment]:
    """The side of a seat, whether it is the viewer's partner, and its roles."""
    side = [f" {seat.side}"] if seat.side else []
    if seat.side and viewer is not None and viewer != seat.seat and view.seats[viewer].side == seat.side:
        side.append(" partner")
    return [*((text, "dim") for text in side), *((f" {role}", _ROLES.get(role, "cyan")) for role in seat.roles)]


def _seat(view: TableView, seat: SeatView, own: bool, labels: list[Segment], cards: Cards) -> list[Segment]:
    segments: list[Segment] = [("> " if seat.acting else "  ", "bold yellow"), (f"seat {seat.seat} ", "bold" if own or seat.acting else "")]
    segments += labels
    if seat.out or not (seat.cards or seat.hidden):
        return [*segments, (f"{seat.note or 'no cards'}\n", "dim" if seat.out else "bold")]
    if seat.hidden:
        segments += [("▒" * min(seat.hidden, 12), "rgb(90,120,200)"), (f" {seat.hidden}", "")]
    if seat.hidden and seat.cards:
        segments.append(("  ", ""))
    suit = ""
    for card in seat.cards:
        if suit:
            segments.append((" " if card[1] == suit and cards != "hungarian" else "  ", ""))
        text, style = card_segment(card, cards, view.special)
        segments.append((text, f"{style} underline" if own and card in seat.known else style))
        suit = card[1]
    if not seat.hidden:
        segments.append((f"  {counted(len(seat.cards), 'card')}", "dim"))
    return [*segments, (f"  {seat.note}" if seat.note else "", "bold"), ("\n", "")]


def _rows(view: TableView, cards: Cards) -> list[Segment]:
    if not view.rows:
        return [("empty", "dim")]
    segments: list[Segment] = []
    for laid in (laid for row in view.rows for laid in row):
        segments += [("  ", "")] if segments else []
        segments += _laid(view, laid, cards)
    return segments


def _laid(view: TableView, laid: Laid, cards: Cards) -> list[Segment]:
    segments = [card_segment(laid.card, cards, view.special)]
    if laid.by is not None:
        segments.insert(0, (f"{laid.by}:", "dim"))
    if laid.over:
        segments += [("/", "dim"), card_segment(laid.over, cards, view.special)]
    if laid.mark == "next":
        segments.append(("?", "bold yellow"))
    elif laid.mark:
        segments.append((f" {laid.mark}", "bold yellow" if laid.mark == "holds" else "rgb(235,100,80)"))
    return segments


def _stock(view: TableView, cards: Cards) -> list[Segment]:
    segments: list[Segment] = [(counted(view.stock, "card") if view.stock else "empty", "" if view.stock else "dim")]
    if view.under:
        segments += [(", ", ""), card_segment(view.under, cards, view.special), (" face up under it", "")]
    if view.discarded:
        segments.append((f"   {counted(view.discarded, 'card')} out of the game", "dim"))
    return segments
