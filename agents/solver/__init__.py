"""Exact play of trick-taking endings and deals with open cards (double dummy)."""

from tromf.agents.solver.position import Position
from tromf.agents.solver.solve import cards, tricks
from tromf.agents.solver.table import new_memory

__all__ = ["Position", "cards", "new_memory", "tricks"]
