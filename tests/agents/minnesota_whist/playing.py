"""What the tests of the whist agents share: deals in which kinds of agents sit in turn, and positions set up by hand."""

import numpy as np

from tromf.agents.play import play, returns
from tromf.agents.registry import make
from tromf.agents.rule import decide
from tromf.envs import BatchEnv, registry
from tromf.envs.batch import begin_rows, seeds_for
from tromf.envs.minnesota_whist.options import PACK
from tromf.envs.minnesota_whist.rules import DIX, HIGH, LOW, NONE, PLAY, SOLA
from tromf.envs.minnesota_whist.text import action_text

GAME, _ = registry.find("minnesota-whist")
VARIANTS = list(GAME.variants)
SUITS = "CDHS"


def started(n, seed, variant="minnesota", **options):
    states = GAME.states(n, variant, **options)
    begin_rows(states, np.arange(n), seeds_for(seed, n), np.full(n, -1), np.zeros(n, np.bool_))
    return states


def mean_return(one, other, n, seed, variant="minnesota", **options):
    """Mean return over n deals of a side played by one agent against another, each deal played with the sides both ways round."""
    agents, total = [make(one, GAME), make(other, GAME)], 0.0
    for side in range(2):
        states = started(n, seed, variant, **options)
        play(GAME, states, agents, np.tile((np.arange(4) % 2 != side).astype(np.int64), (n, 1)))
        total += returns(states, 4)[:, side].mean() / 2
    return total


def decisions(kinds, n, seed, variant, **options):
    """The decisions of deals in which the kinds sit in turn: (records, seats, actions, index of the agent), one entry a round."""
    agents = [make(kind, GAME) for kind in kinds]
    env = BatchEnv(GAME, n, variant=variant, **options)
    env.reset(seed)
    while len(rows := np.flatnonzero(env.masks)):
        who = (env.seats[rows] + rows) % len(agents)
        actions = np.zeros(n, np.int64)
        for index, agent in enumerate(agents):
            mine = rows[who == index]
            if len(mine):
                actions[mine] = agent.act(env.decisions(mine))
        yield env.states[rows].copy(), env.seats[rows].copy(), actions[rows], who
        env.step(actions)


def position(hand, table="", *, low=False, trump="", solo=NONE, soloist=0, out=None, led="", played="", variant="minnesota", **fields):
    """A record in which seat 0 is to decide: its hand, the cards that the seats before it have laid, what has been played before.

    `led`: suits that the partner has led; `played`: cards played in earlier tricks; `out`: the seat that sits out.
    """
    s = started(1, 0, variant)[0]
    for name in ("hand", "known", "played"):
        s[name] = 0
    s["phase"], s["turn"], s["kind"], s["solo"] = PLAY, 0, LOW if low else HIGH, solo
    s["granded"], s["soloist"] = -1 if low else 0, soloist if solo else -1
    s["trump"] = SUITS.index(trump) if trump else -1
    s["out"], s["seats"] = (-1, 4) if out is None else (out, 3)
    s["led"][2] = sum(1 << SUITS.index(suit) for suit in led)
    s["hand"][0] = PACK.collect(hand.split())
    s["played"][0] = PACK.collect(played.split())
    laid = [PACK.number(card) for card in table.split()]
    before = [seat for seat in (1, 2, 3) if seat != out][-len(laid) :] if laid else []
    s["laid"], s["leader"] = len(laid), before[0] if laid else 0
    s["hidden"] = [0] + [len(hand.split()) - (seat in before) for seat in (1, 2, 3)]
    for seat, card in zip(before, laid, strict=True):
        s["played"][seat] |= np.uint64(1 << card)
        s["table"] |= np.uint64(1 << card)
        best = int(s["best"])
        if s["lead"] < 0:
            s["lead"] = card
        if best < 0 or (card > best if card // 13 == best // 13 else card // 13 == s["trump"]):
            s["best"], s["holder"] = card, seat
    for name, value in fields.items():
        s[name] = value
    return s


def says(kind, state):
    """What an agent does there, as text, without the verb before a card."""
    return action_text(state, int(decide(state, make(kind, GAME).compiled, np.uint64(0)))).split()[-1]


__all__ = ["DIX", "GAME", "PACK", "SOLA", "SUITS", "VARIANTS", "decisions", "mean_return", "position", "says", "started"]
