"""What a game shows of itself: a table with seats, cards and captions, drawn by `tromf.envs.render` alike for all games.

A game's `text.py` offers

- `action_text(state, action)` and `phase_text(state)`, the names of actions and decisions,
- `view(state) -> TableView`, the table, of a whole record (every hand open) or of a concealed one (only what a seat knows),
- `told(state, action) -> (verb, object)`, what others see somebody do: `("lays", "7H")`; `("", "")` where there is nothing to tell,
- `events(before, after, seat) -> list of lines`, what else has happened between two records, `seat` being told as 'you',
- `moment(state) -> list of lines`, the rules that matter for the decision to be made.

Cards are texts here (`7H`, `QS`), and hands stand in the order in which they are to be shown.
"""

from collections.abc import Iterable
from dataclasses import dataclass

SUIT_NAMES = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
_RANKS = "23456789TJQKA"
_SUITS = {"": "CDSH", "C": "DSHC", "D": "CHSD", "H": "CDSH", "S": "DCHS"}  # by trumps: they stand last, black and red by turns


@dataclass(frozen=True)
class Laid:
    """A card on the table: what lies on it, a mark, who played it. Marks: `next` (to be answered now), `taken`, `holds` (the trick)."""

    card: str
    over: str = ""
    mark: str = ""
    by: int | None = None


@dataclass(frozen=True)
class SeatView:
    """A seat: the cards of its hand that are seen, how many more it holds, and what may be said about it.

    Attributes:
        cards: seen by whoever looks. hidden: number of cards that are not. known: those of `cards` that everybody knows.
        roles: one word each (`attacker`, `dealer`). note: a few words (`out first`, `3 tricks`).
        acting: whether it is to decide. out: whether it has gone out. side: the name of the side it plays for, '' without sides.
    """

    seat: int
    cards: tuple[str, ...] = ()
    hidden: int = 0
    known: frozenset[str] = frozenset()
    roles: tuple[str, ...] = ()
    note: str = ""
    acting: bool = False
    out: bool = False
    side: str = ""


@dataclass(frozen=True)
class TableView:
    """A table as it is seen.

    Attributes:
        title: the game. subtitle: what is played, in a few words. seats: clockwise, all of them.
        rows: cards on the table, in rows. stock: number of its cards, None in games without one. under: the card face up under it, or ''.
        discarded: number of cards out of the game. trump: `C`, `D`, `H`, `S`, or ''. trump_note: a few words on trumps.
        status: what is going on, one line without a full stop. captions: more lines. special: cards to be drawn with a mark of honour.
        loser: the seat that has lost a finished deal, in games that know one loser.
        score: a small table: headings, the first one empty, then a line for each side or seat, its name first.
    """

    title: str
    subtitle: str
    seats: tuple[SeatView, ...]
    rows: tuple[tuple[Laid, ...], ...] = ()
    stock: int | None = 0
    under: str = ""
    discarded: int = 0
    trump: str = ""
    trump_note: str = ""
    status: str = ""
    captions: tuple[str, ...] = ()
    special: frozenset[str] = frozenset()
    loser: int | None = None
    score: tuple[tuple[str, ...], ...] = ()


def in_order(cards: Iterable[str], trump: str = "", ranks: str = _RANKS) -> tuple[str, ...]:
    """Cards as a hand is held: by suit, the colours by turns, trumps on the right; low to high."""
    return tuple(sorted(cards, key=lambda card: (_SUITS[trump].index(card[1]), ranks.index(card[0]))))


def counted(number: int, thing: str, things: str = "") -> str:
    """A number and what is counted: `1 card`, `2 cards`."""
    return f"{number} {thing if number == 1 else things or thing + 's'}"
