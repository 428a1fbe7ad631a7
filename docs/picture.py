"""Writes the picture of the README: `python docs/picture.py`. Four journeymen play until Mustamaija lies in a half-beaten attack."""

from pathlib import Path

import numpy as np
from PIL import Image

from tromf import agents
from tromf.envs import BatchEnv, render

env = BatchEnv("mustamaija", 1, players=4)
player = agents.make("journeyman", env.game)
for seed in range(1000):
    env.reset(seeds=seed)
    while not env.done[0]:
        state = env.states[0]
        if int(state["attack"]) >> 49 & 1 and state["beating"] and int(state["attack"]).bit_count() == 3:
            picture = Image.fromarray(render.rgb_array(env.game, state, int(env.seats[0]))).quantize(256)  # a third of the size
            picture.save(Path(__file__).parent / "table.png", optimize=True)
            raise SystemExit
        env.step(np.asarray(player.act(env.decisions())))
