"""Writes the pictures of tables in the documentation: `python docs/picture.py`.

`table.png`: Mustamaija lies in a half-beaten attack. `table-mitza.png`: a deal of 101 in the middle of a trick, with Hungarian cards.
`table-minnesota-whist.png`: a high hand, in which some of the cards that were shown as bids are still held.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from tromf import agents
from tromf.envs import BatchEnv, render


def write(file: str, game: str, agent: str, wanted: Callable[[Any], bool], cards: render.Cards = "two") -> None:
    """Let four agents play until somebody is to decide in a position that is wanted, and write what that seat sees."""
    env = BatchEnv(game, 1, players=4)
    player = agents.make(agent, env.game)
    for seed in range(1000):
        env.reset(seeds=seed)
        while not env.done[0]:
            if wanted(env.states[0]):
                picture = Image.fromarray(render.rgb_array(env.game, env.states[0], int(env.seats[0]), cards))
                picture.quantize(256).save(Path(__file__).parent / file, optimize=True)  # a third of the size
                return
            env.step(np.asarray(player.act(env.decisions())))
    raise SystemExit(f"no position for {file} in 1000 games")


def maija_attacks(state: Any) -> bool:
    """QS lies in an attack of three cards, of which some are beaten."""
    return bool(int(state["attack"]) >> 49 & 1 and state["beating"] and int(state["attack"]).bit_count() == 3)


def trick_at_stake(state: Any) -> bool:
    """Three cards lie, the best not the one led, the seven has been exchanged, and two tens or aces are at stake."""
    tens_and_aces = sum(int(state["table"]) >> 8 * suit + rank & 1 for suit in range(4) for rank in (5, 7))
    taken_over = state["laid"] == 3 and state["best"] != state["lead"]
    return bool(taken_over and state["exchanged"] >= 0 and tens_and_aces == 2 and state["tricks"].all() and state["top"] < 16)


def bids_remembered(state: Any) -> bool:
    """The third card of a trick in a high hand is to be played, two bids that were shown are still held, somebody has not followed suit."""
    held = sum(int(cards).bit_count() for cards in state["known"])
    return bool(state["kind"] == 2 and state["laid"] == 2 and held == 2 and state["void"].any() and state["tricks"].all())


write("table.png", "mustamaija", "journeyman", maija_attacks)
write("table-mitza.png", "101", "random", trick_at_stake, "hungarian")
write("table-minnesota-whist.png", "minnesota-whist", "random", bids_remembered)
