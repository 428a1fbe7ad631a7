"""Exact play of trick-taking endings and deals with open cards (double dummy)."""

from tromf.agents.solver.position import Position

__all__ = ["Position"]
