"""Tables to look at: as text (`ansi`), in colour in the terminal (`human`), as a picture (`rgb_array`).

All three draw what a game says of itself (`view` in its text module, see `tromf.envs.view`); nothing here knows a game.
With `seat` given they show what that seat knows, and depend on nothing else; without it, everything in the record.
"""

import re
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from tromf.envs.batch import concealed
from tromf.envs.cards import SYMBOLS
from tromf.envs.registry import Game
from tromf.envs.view import SUIT_NAMES, Laid, SeatView, TableView, counted

if TYPE_CHECKING:
    from rich.text import Text

Cards = Literal["two", "four", "letters"]
CARD_STYLES: dict[Cards, str] = {
    "two": "suit symbols, red and black",
    "four": "suit symbols, a colour for each suit",
    "letters": "letters for the suits, as moves are typed",
}

Segment = tuple[str, str]  # a piece of text and its style, as rich writes styles

_INK: dict[str, dict[str, str]] = {
    "two": {"C": "black", "D": "rgb(196,20,30)", "H": "rgb(196,20,30)", "S": "black"},
    "four": {"C": "rgb(0,110,40)", "D": "rgb(20,80,200)", "H": "rgb(196,20,30)", "S": "black"},
}
_INK["letters"] = _INK["two"]
_CARD = re.compile(r"\b[2-9TJQKA][CDHS]\b")
_PAPER = "on rgb(244,241,232)"
_HONOUR = "on rgb(255,216,110)"
_ROLES = {"attacker": "bold rgb(235,100,80)", "defender": "bold rgb(90,160,240)"}


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
    return "".join(text for text, _ in table(seen(game, state, seat), seat, cards))


def coloured(game: Game, state: Any, seat: int | None = None, cards: Cards = "two") -> "Text":
    """The table as rich's text, for printing to any console."""
    from rich.text import Text

    return Text.assemble(*table(seen(game, state, seat), seat, cards))


def human(game: Game, state: Any, seat: int | None = None, cards: Cards = "two") -> None:
    """Print the table in colour in the terminal."""
    from rich.console import Console

    Console(highlight=False).print(coloured(game, state, seat, cards), soft_wrap=True)


def rgb_array(game: Game, state: Any, seat: int | None = None) -> np.ndarray:
    """The table as a picture, (H, W, 3) uint8, 1280 wide and 880 high."""
    from tromf.envs.picture import draw

    return draw(seen(game, state, seat), seat)


def sentence(line: str, cards: Cards = "two", special: frozenset[str] = frozenset()) -> "Text":
    """A line of text in which cards (`7H`) are coloured."""
    from rich.text import Text

    text = Text(line)
    for found in _CARD.finditer(line):
        text.stylize(card_segment(found.group(), cards, special)[1], *found.span())
    return text


def card_segment(card: str, cards: Cards = "two", special: frozenset[str] = frozenset()) -> Segment:
    """A card and its style."""
    text = card if cards == "letters" else card[0] + SYMBOLS[card[1]]
    return text, f"bold {_INK[cards][card[1]]} {_HONOUR if card in special else _PAPER}"


def table(view: TableView, viewer: int | None, cards: Cards) -> list[Segment]:
    """The table as pieces of text with styles."""
    segments: list[Segment] = [(f"{view.title}", "bold"), (f"  {view.subtitle}\n", "dim")]
    widest = max(sum(len(role) + 1 for role in seat.roles) for seat in view.seats)
    for seat in view.seats:
        segments += _seat(view, seat, seat.seat == viewer, widest, cards)
    segments += [("  table   ", "dim"), *_rows(view, cards), ("\n", "")]
    segments += [("  stock   ", "dim"), *_stock(view, cards), ("\n", "")]
    if view.trump or view.trump_note:
        symbol = f"{view.trump if cards == 'letters' else SYMBOLS[view.trump]} {SUIT_NAMES[view.trump]}" if view.trump else "none"
        segments += [("  trumps  ", "dim"), (symbol, "bold"), (f"  {view.trump_note}" if view.trump_note else "", "dim"), ("\n", "")]
    segments += [(f"  {line}\n", "dim") for line in view.captions]
    return [*segments, (f"  {view.status}", "bold")]


def _seat(view: TableView, seat: SeatView, own: bool, widest: int, cards: Cards) -> list[Segment]:
    segments: list[Segment] = [("> " if seat.acting else "  ", "bold yellow"), (f"seat {seat.seat} ", "bold" if own or seat.acting else "")]
    for role in seat.roles:
        segments.append((f" {role}", _ROLES.get(role, "cyan")))
    segments.append((" " * (widest - sum(len(role) + 1 for role in seat.roles) + 2), ""))
    if seat.out or not (seat.cards or seat.hidden):
        return [*segments, (f"{seat.note or 'no cards'}\n", "dim" if seat.out else "bold")]
    if seat.hidden:
        segments += [("▒" * min(seat.hidden, 12), "rgb(90,120,200)"), (f" {seat.hidden}", "")]
    if seat.hidden and seat.cards:
        segments.append(("  ", ""))
    suit = ""
    for card in seat.cards:
        if suit:
            segments.append((" " if card[1] == suit else "  ", ""))
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
        segments.append((f" {laid.mark}", "rgb(235,100,80)"))
    return segments


def _stock(view: TableView, cards: Cards) -> list[Segment]:
    segments: list[Segment] = [(counted(view.stock, "card") if view.stock else "empty", "" if view.stock else "dim")]
    if view.under:
        segments += [(", ", ""), card_segment(view.under, cards, view.special), (" face up under it", "")]
    if view.discarded:
        segments.append((f"   {counted(view.discarded, 'card')} out of the game", "dim"))
    return segments
