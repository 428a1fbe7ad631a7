"""Traditional card games as environments: Mustamaija, with faces for PettingZoo, Gymnasium and Stable-Baselines3.

Importing this registers every game with PettingZoo (`tromf/mustamaija_v0`) and Gymnasium (`tromf/Mustamaija-v0`).
"""

from tromf.envs.batch import BatchEnv, IllegalAction
from tromf.envs.registration import register_all

__all__ = ["BatchEnv", "IllegalAction"]

register_all()
