"""Traditional card games as environments, with faces for PettingZoo, Gymnasium and Stable-Baselines3.

Importing this registers every game with PettingZoo and Gymnasium: one called `euchre` as `tromf/euchre_v0` and `tromf/Euchre-v0`.
"""

from tromf.envs.batch import BatchEnv, IllegalAction
from tromf.envs.registration import register_all

__all__ = ["BatchEnv", "IllegalAction"]

register_all()
