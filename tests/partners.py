"""A toy for tests: Mustamaija with partners who face each other. Only who sits where means something in it: seats are paid as ever."""

import dataclasses

from tromf.envs import registry


def facing(players: int) -> tuple[int, ...]:
    """Pairs of partners who face each other; with an odd number of players everybody is alone."""
    return tuple(seat % (players // 2 if players % 2 == 0 else players) for seat in range(players))


GAME = dataclasses.replace(registry.find("mustamaija")[0], sides=facing)
