"""Low hands and solos by trying everything, from the rules page: slow and obvious. And random endings of them."""

from collections.abc import Iterator
from functools import cache

import numpy as np

from tromf.agents.solver import Position
from tromf.envs.cards import FRENCH

Hands = tuple[frozenset[int], ...]


def minimax_cards(position: Position) -> dict[int, int]:
    """By card, what `tromf.agents.solver.cards` says."""
    contract, soloist = position.contract, position.soloist
    partner = (soloist + 2) % 4 if soloist >= 0 else -1
    side = {position.turn, (position.turn + 2) % 4} if soloist < 0 else {soloist}

    def legal(hand: frozenset[int], laid: tuple[int, ...]) -> list[int]:
        follow = [card for card in hand if laid and card // 13 == laid[0] // 13]
        return sorted(follow or hand)

    def after(hands: Hands, order: tuple[int, ...], laid: tuple[int, ...], won: int, card: int) -> int:
        """The value once the next seat of `order` has played `card`; `won` counts the soloist's tricks."""
        seat = order[len(laid)]
        hands = tuple(hand - {card} if i == seat else hand for i, hand in enumerate(hands))
        laid += (card,)
        if len(laid) < len(order):
            return value(hands, order, laid, won)
        winner = order[laid.index(max(card for card in laid if card // 13 == laid[0] // 13))]
        if contract == "sola" and winner == soloist:
            return 0
        if contract == "dix":
            if winner != soloist:
                return 0
            won += 1
            if won == position.needed:
                return 1
        gained = int(soloist < 0 and winner in side)
        if not hands[winner]:
            return int(contract == "sola") + gained
        seats = [seat for seat in range(4) if seat != partner]
        first = seats.index(winner)
        return gained + value(hands, tuple(seats[first:] + seats[:first]), (), won)

    @cache
    def value(hands: Hands, order: tuple[int, ...], laid: tuple[int, ...], won: int) -> int:
        seat = order[len(laid)]
        values = [after(hands, order, laid, won, card) for card in legal(hands[seat], laid)]
        if soloist < 0:
            return min(values) if seat in side else max(values)
        return max(values) if seat in (soloist, partner) else min(values)

    hands = tuple(frozenset(FRENCH.members(hand)) for hand in position.hands)
    return {card: after(hands, position.order, position.laid, position.won, card) for card in legal(hands[position.turn], position.laid)}


def minimax(position: Position) -> int:
    """What `tromf.agents.solver.tricks` says."""
    values = minimax_cards(position).values()
    if position.soloist < 0:
        return min(values)
    return max(values) if (position.turn - position.soloist) % 2 == 0 else min(values)


def random_endings(n: int, contract: str, seed: int, most: int = 5) -> Iterator[Position]:
    """Endings of one to `most` cards each, any number of cards on the table; half of them in two suits, where more is fought over."""
    rng = np.random.default_rng(seed)
    while n:
        size = int(rng.integers(1, most + 1))
        deck = rng.permutation(52 if rng.random() < 0.5 else 26).tolist()
        hands = [FRENCH.collect(deck[seat * size : (seat + 1) * size]) for seat in range(4)]
        soloist = -1 if contract == "low" else int(rng.integers(4))
        won, turn = 0, int(rng.integers(4))
        if contract == "dix":
            won = int(rng.integers(size))
            turn = soloist if won else (soloist + 2) % 4
        if contract == "sola" or won:
            hands[(soloist + 2) % 4] = 0
            if not hands[turn]:
                turn = soloist
        if contract == "dix" and won >= (size + won) // 2 + 1:
            continue
        position = Position(tuple(hands), turn, contract=contract, soloist=soloist, won=won)
        for _ in range(rng.integers(len(position.order))):
            card = int(rng.choice(FRENCH.members(position.legal)))
            order, laid = position.order, (*position.laid, card)
            rest = tuple(hand & ~(1 << card) for hand in position.hands)
            if soloist >= 0 and position.turn == (soloist + 2) % 4:
                rest = tuple(0 if seat == position.turn else hand for seat, hand in enumerate(rest))
            position = Position(rest, order[len(laid)], laid, contract=contract, soloist=soloist, won=won)
        yield position
        n -= 1
