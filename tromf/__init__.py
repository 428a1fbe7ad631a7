"""Self-play on traditional card games that no reinforcement-learning library offers.

The rooms are `tromf.envs`, `tromf.agents`, `tromf.train` and `tromf.evaluate`; importing this name alone loads none of them.
"""

__version__ = "0.1.0"
