"""A record of a hand that is being played, as the solver of open cards takes it."""

from typing import Any

import numpy as np

from tromf.agents.solver import Position
from tromf.envs.jit import compiled, highest
from tromf.envs.minnesota_whist.rules import DIX, LOW, NONE, PLAY, SOLA


def position(state: Any) -> Position:
    """The position of a full record. `ValueError` if its cards are not being played, or not all of them are known."""
    if state["over"]:
        raise ValueError("the deal is over: nothing is left to be solved")
    if state["phase"] != PLAY:
        raise ValueError("the cards are not yet being played: the solver has no answer to bidding, exchanging and naming trumps")
    if state["hidden"].any():
        raise ValueError("cards of the record are hidden: the solver needs them all open")
    laid = np.empty(4, np.int64)
    solo, soloist = int(state["solo"]), int(state["soloist"])
    hands = [int(hand) for hand in state["hand"]]
    if solo != NONE and (state["out"] >= 0 or state["laid"]):  # the partner sits out, in grand dix once it has led
        hands[(soloist + 2) % 4] = 0
    return Position(
        hands=(hands[0], hands[1], hands[2], hands[3]),
        turn=int(state["turn"]),
        laid=tuple(laid[: cards_laid(state, laid)].tolist()),
        trump=int(state["trump"]),
        contract={SOLA: "sola", DIX: "dix"}.get(solo, "low" if state["kind"] == LOW else "high"),
        soloist=-1 if solo == NONE else soloist,
        won=int(state["tricks"][soloist % 2]) if solo == DIX else 0,
    )


@compiled
def cards_laid(s, laid):
    """The cards of the trick in hand, in the order in which they were laid, into `laid` (4,) int64; their number."""
    seat = np.int64(s.leader)
    for i in range(s.laid):
        if seat == s.out:
            seat = (seat + 1) & 3
        laid[i] = np.int64(highest(s.table & s.played[seat]))
        seat = (seat + 1) & 3
    return np.int64(s.laid)
