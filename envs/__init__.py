"""Traditional card games as environments: Mustamaija, with faces for PettingZoo, Gymnasium and Stable-Baselines3."""
from tromf.envs.batch import BatchEnv, IllegalAction

__all__ = ["BatchEnv", "IllegalAction"]
