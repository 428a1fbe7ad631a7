"""Self-play on three traditional card games: Mustamaija, Mîța/101 and Minnesota Whist.

The rooms are `tromf.envs`, `tromf.agents`, `tromf.train` and `tromf.evaluate`; importing this name alone loads none of them.
"""

__version__ = "0.1.0"
