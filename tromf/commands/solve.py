"""`tromf solve`: the best play of open cards (double dummy)."""

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tromf.commands.common import GameName, Json, check_writable, write_json

if TYPE_CHECKING:
    from tromf.agents.solver import Position
    from tromf.envs.registry import Game


def solve(
    game: GameName,
    deal: Annotated[
        str | None,
        typer.Argument(
            metavar="DEAL",
            help="Four hands with seat 0's first: 'AS KH / 2C 3C / …', or bridge's PBN, 'N:AK2.QJ.T9.87 …' (North is seat 0).",
            show_default=False,
        ),
    ] = None,
    contract: Annotated[
        str | None,
        typer.Option(
            "--contract",
            metavar="C",
            help="high, low, sola (no trick, alone) or dix (the first tricks, alone) (default: high).",
            show_default=False,
        ),
    ] = None,
    trump: Annotated[str | None, typer.Option("--trump", metavar="SUIT", help="C, D, H or S (default: none).", show_default=False)] = None,
    turn: Annotated[
        str | None,
        typer.Option("--turn", metavar="SEAT", help="The seat to play or lead: 0 … 3, or N, E, S, W (default: 0).", show_default=False),
    ] = None,
    laid: Annotated[
        str | None,
        typer.Option("--laid", metavar="CARDS", help="Cards of the trick in hand, in order: '9S 8S'; in no hand.", show_default=False),
    ] = None,
    soloist: Annotated[
        str | None,
        typer.Option(
            "--soloist",
            metavar="SEAT",
            help="Who plays alone, in sola and dix. The partner's hand is empty; only to dix's first trick it leads.",
            show_default=False,
        ),
    ] = None,
    won: Annotated[
        int | None,
        typer.Option("--won", min=0, metavar="N", help="Tricks that the soloist has won already, in dix (default: 0).", show_default=False),
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option("--record", metavar="FILE", help="In place of a deal: a position of a recorded game.", show_default=False),
    ] = None,
    number: Annotated[
        int | None,
        typer.Option("--game", min=1, metavar="K", help="The K-th game of that file (default: 1).", show_default=False),
    ] = None,
    after: Annotated[
        int | None, typer.Option("--after", min=0, metavar="N", help="... after N decisions (default: 0).", show_default=False)
    ] = None,
    json: Json = None,
) -> None:
    """Solve a deal, or an ending, with open cards: the tricks of every card, if all play as well as can be.

    Counted are the tricks of the side of the seat to play, from the trick in hand on; for sola and dix whether the soloist makes it.
    """
    if json:
        check_writable(json)
    if (deal is None) == (record is None):
        raise ValueError("give one of them: a DEAL, or a position of a recorded game with --record")
    found = _with_solver(game)
    told = {"--contract": contract, "--trump": trump, "--turn": turn, "--laid": laid, "--soloist": soloist, "--won": won}
    if record is not None:
        _refuse(told, "--record, which gives the whole position")
        position = _recorded(found, record, 1 if number is None else number, after or 0)
    else:
        _refuse({"--game": number, "--after": after}, "a DEAL, only with --record")
        position = _given(str(deal), contract or "high", trump, "0" if turn is None else turn, laid or "", soloist, won or 0)

    from tromf.agents import solver

    tricks = solver.cards(position)
    _print(position, tricks)
    if json:
        write_json(json, _plain(position, tricks))


def _refuse(given: dict[str, str | int | None], beside: str) -> None:
    """`ValueError` if one of these options is given."""
    for option, value in given.items():
        if value is not None:
            raise ValueError(f"{option} does not go with {beside}")


def _with_solver(name: str) -> "Game":
    """The game of this name. `ValueError` if nothing solves its deals."""
    from tromf.agents.registry import rules_of
    from tromf.envs import registry

    game, _ = registry.find(name)
    able = [each for each in registry.names() if hasattr(rules_of(registry.find(each)[0]), "position")]
    if game.name not in able:
        raise ValueError(
            f"deals of {game.name} are not solved by this command (docs/endings.md has what is): accepted is {', '.join(able)}"
        )
    return game


def _given(deal: str, contract: str, trump: str | None, turn: str, laid: str, soloist: str | None, won: int) -> "Position":
    from tromf.agents.solver import Position, notation
    from tromf.agents.solver.position import SOLOS
    from tromf.envs.cards import FRENCH, SUITS

    if trump is not None and trump.upper() not in (*SUITS, "NONE"):
        raise ValueError(f"no trump {trump!r}: accepted are {', '.join(SUITS)} and none")
    if contract in SOLOS and soloist is None:
        raise ValueError(f"contract {contract} needs --soloist, the seat that plays alone: 0 … 3, or N, E, S, W")
    return Position(
        hands=notation.parse(deal),
        turn=notation.seat(turn),
        laid=tuple(FRENCH.number(card) for card in laid.split()),
        trump=-1 if trump is None else SUITS.find(trump.upper()),  # -1 for none
        contract=contract,
        soloist=-1 if soloist is None else notation.seat(soloist),
        won=won,
    )


def _recorded(game: "Game", file: Path, number: int, after: int) -> "Position":
    from tromf.agents.registry import rules_of
    from tromf.envs.record import read, replay

    with closing(read(file)) as records:
        record = next((each for place, each in enumerate(records, 1) if place == number), None)
    if record is None:
        raise ValueError(f"{file} has no game {number}")
    if record.game != game.name:
        raise ValueError(f"{file}, game {number} is one of {record.game}, not of {game.name}")
    states = replay(record)
    if after >= len(states):
        raise ValueError(f"--after is {after}, and game {number} of {file} has {len(states) - 1} decisions")
    position: Position = rules_of(game).position(states[after])
    return position


def _words(position: "Position") -> str:
    """What is played, in one line."""
    from tromf.envs.cards import SYMBOLS

    if position.contract == "high":
        what = "high, no trumps" if position.trump < 0 else f"high, trumps {list(SYMBOLS.values())[position.trump]}"
    else:
        what = position.contract + (f", seat {position.soloist} alone" if position.soloist >= 0 else "")
    return f"{what}; seat {position.turn} to {'play' if position.laid else 'lead'}"


def _print(position: "Position", tricks: dict[int, int]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    from tromf.envs.cards import FRENCH, SUITS, SYMBOLS

    def cards(members: int, suit: int) -> str:
        return " ".join(FRENCH.ranks[rank] for rank in range(12, -1, -1) if members >> 13 * suit + rank & 1) or "–"

    console = Console(highlight=False)
    hands = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for heading in ("seat", *reversed(SYMBOLS.values())):
        hands.add_column(heading)
    for seat, hand in enumerate(position.hands):
        hands.add_row(str(seat), *(cards(hand, suit) for suit in reversed(range(len(SUITS)))))
    console.print(hands)
    if position.laid:
        console.print(f"on the table: {' '.join(FRENCH.texts[card] for card in position.laid)}")
    alone = position.soloist >= 0
    console.print(f"\n{_words(position)}\n")
    best = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    best.add_column("the solo is" if alone else f"tricks of side {position.turn % 2}", justify="left" if alone else "right")
    best.add_column("with")
    for value in sorted(set(tricks.values()), reverse=True):
        chosen = sum(1 << card for card, each in tricks.items() if each == value)
        with_cards = "  ".join(
            f"{list(SYMBOLS.values())[suit]} {cards(chosen, suit)}" for suit in reversed(range(len(SUITS))) if chosen >> 13 * suit & 0x1FFF
        )
        best.add_row(("made" if value else "lost") if alone else str(value), with_cards)
    console.print(best)


def _plain(position: "Position", tricks: dict[int, int]) -> dict[str, Any]:
    """Position and answer as JSON."""
    from tromf.agents.solver import notation
    from tromf.envs.cards import FRENCH, SUITS

    return {
        "deal": notation.pbn(position.hands),
        "turn": position.turn,
        "laid": [FRENCH.texts[card] for card in position.laid],
        "trump": None if position.trump < 0 else SUITS[position.trump],
        "contract": position.contract,
        "soloist": None if position.soloist < 0 else position.soloist,
        "won": position.won,
        "cards": {FRENCH.texts[card]: each for card, each in sorted(tricks.items())},
    }
