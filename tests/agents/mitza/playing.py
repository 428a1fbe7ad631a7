"""What the tests of Mîța's agents share: games in which kinds of agents sit in turn, and positions set up by hand."""

import numpy as np

from tromf.agents.play import play, returns
from tromf.agents.registry import make
from tromf.agents.rule import decide
from tromf.envs import BatchEnv, registry
from tromf.envs.batch import begin_rows, seeds_for
from tromf.envs.mitza.options import PACK
from tromf.envs.mitza.text import action_text

GAME, _ = registry.find("mitza")
SETTINGS = [("mitza", 2), ("mitza", 4), ("101", 2), ("101", 4), ("101", 6)]


def started(n, seed, variant="101", **options):
    states = GAME.states(n, variant, **options)
    begin_rows(states, np.arange(n), seeds_for(seed, n), np.full(n, -1), np.zeros(n, np.bool_))
    return states


def mean_return(one, other, n, seed, variant="101", players=2, **options):
    """Mean return over n deals of a side played by one agent against another, each deal played with the sides both ways round."""
    agents, total = [make(one, GAME), make(other, GAME)], 0.0
    for side in range(2):
        states = started(n, seed, variant, players=players, **options)
        play(GAME, states, agents, np.tile((np.arange(players) % 2 != side).astype(np.int64), (n, 1)))
        total += returns(states, players)[:, side].mean() / 2
    return total


def decisions(kinds, n, seed, variant, players, **options):
    """The decisions of games in which the kinds sit in turn: (records, seats, actions, index of the agent), one entry a round."""
    agents = [make(kind, GAME) for kind in kinds]
    env = BatchEnv(GAME, n, variant=variant, players=players, **options)
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


def position(hand, table="", *, trump="H", holder=None, variant="101", players=2, stock=True, played="", **fields):
    """A record in which seat 0 is to decide: its hand, the cards that the seats before it have laid, what has been played before."""
    s = started(1, 0, variant, players=players)[0]
    for name in ("hand", "known", "played"):
        s[name] = 0
    s["phase"], s["turn"], s["trump"] = 0, 0, "CDHS".index(trump)
    s["top"] = 0 if stock else s["stock_size"]
    s["hand"][0] = PACK.collect(hand.split())
    s["played"][players - 1] = PACK.collect(played.split())
    laid = [PACK.number(card) for card in table.split()]
    s["laid"], s["leader"] = len(laid), -len(laid) % players
    for place, card in enumerate(laid):
        seat = (int(s["leader"]) + place) % players
        s["played"][seat] |= np.uint64(1 << card)
        s["table"] |= np.uint64(1 << card)
        best = int(s["best"])
        if not place or (card > best if card // 8 == best // 8 else card // 8 == s["trump"]):
            s["best"], s["holder"] = card, seat
        if not place:
            s["lead"] = card
    assert holder is None or holder == s["holder"]
    for name, value in fields.items():
        s[name] = value
    return s


def says(kind, state):
    """What an agent does there, as text."""
    return action_text(state, int(decide(state, make(kind, GAME).compiled, np.uint64(0)))).removeprefix("play ")
