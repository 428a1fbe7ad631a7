"""Exact figures of small games: the game as a tree, its equilibria, and what could be won against an agent."""
