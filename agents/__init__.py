"""Anything that can decide: random and rule agents, networks, Stable-Baselines3 models, a human."""

from tromf.agents.base import Agent
from tromf.agents.registry import make
from tromf.envs.batch import Batch

__all__ = ["Agent", "Batch", "make"]
