"""Random positions of trick-taking play, and what bridge players' double-dummy solver (DDS, through endplay) says of them."""

from collections.abc import Iterator

import numpy as np
from endplay.dds import solve_board
from endplay.dds.solve import SolveMode
from endplay.types import Deal, Denom, Player

from tromf.agents.solver import Position
from tromf.envs.cards import FRENCH, SUITS

SEATS = (Player.north, Player.east, Player.south, Player.west)
DENOMS = (Denom.clubs, Denom.diamonds, Denom.hearts, Denom.spades, Denom.nt)  # the last, at -1, without trumps


def random_positions(n: int, cards: int, seed: int, trumps: tuple[int, ...] = (-1, 0, 1, 2, 3), laid: int = 3) -> Iterator[Position]:
    """High hands of so many cards a seat, dealt at random, with a trump drawn from `trumps` and 0 … `laid` random cards on the table."""
    rng = np.random.default_rng(seed)
    for _ in range(n):
        deck = rng.permutation(len(FRENCH)).tolist()
        hands = tuple(FRENCH.collect(deck[seat * cards : (seat + 1) * cards]) for seat in range(4))
        position = Position(hands, int(rng.integers(4)), trump=int(rng.choice(trumps)))
        for _ in range(rng.integers(laid + 1)):
            position = laid_too(position, int(rng.choice(FRENCH.members(position.legal))))
        yield position


def laid_too(position: Position, card: int) -> Position:
    """The position after a card that does not end the trick."""
    hands = tuple(hand & ~(1 << card) for hand in position.hands)
    return Position(hands, (position.turn + 1) % 4, (*position.laid, card), position.trump)


def as_bridge(position: Position) -> Deal:
    """The same at a bridge table, seat 0 being North."""
    hands = list(position.hands)
    for seat, card in zip(position.order, position.laid):
        hands[seat] |= 1 << card
    suits = [[[FRENCH.texts[card][0] for card in FRENCH.members(hand) if card // 13 == suit] for suit in (3, 2, 1, 0)] for hand in hands]
    text = " ".join(".".join("".join(reversed(suit)) for suit in hand) for hand in suits)
    deal = Deal("N:" + text, first=SEATS[position.order[0]], trump=DENOMS[position.trump])
    for card in position.laid:
        deal.play(SUITS[card // 13] + FRENCH.texts[card][0])
    return deal


def dds_cards(position: Position) -> dict[int, int]:
    """Tricks by card, as `tromf.agents.solver.cards`."""
    return {FRENCH.number(card.rank.name[1:] + card.suit.name[0]): tricks for card, tricks in solve_board(as_bridge(position))}


def dds_tricks(deal: Deal) -> int:
    """Tricks of the best play: one result, which DDS finds sooner than those of all cards."""
    [(_, tricks), *_] = solve_board(deal, SolveMode.OptimalOne)
    return tricks
