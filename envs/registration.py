"""Tells PettingZoo and Gymnasium about our games, by name; the games themselves are imported when somebody makes one.

pettingzoo.make("aec", "tromf/euchre_v0", players=4)
gymnasium.make("tromf.envs:tromf/Euchre-v0", players=4)
"""

import gymnasium
import pettingzoo

from tromf.envs import registry


def gymnasium_id(name: str) -> str:
    """The id of a game's single-agent environment: `tromf/Euchre-v0` for `euchre`."""
    return f"tromf/{''.join(word.capitalize() for word in name.split('-'))}-v{registry.version(name)}"


def register_all() -> None:
    """Register every game, unless it is already."""
    for name in registry.names():
        face = registry.face(name)
        if _pettingzoo_key(face) not in pettingzoo.aec_registry:
            pettingzoo.register("aec", f"tromf/{face}", entry_point=f"tromf.envs.{face}:env")
        if gymnasium_id(name) not in gymnasium.registry:
            gymnasium.register(
                gymnasium_id(name),
                entry_point="tromf.envs.gym:SeatEnv",
                vector_entry_point="tromf.envs.gym:SeatVectorEnv",
                kwargs={"game": name},
            )


def _pettingzoo_key(face: str) -> str:
    """Where PettingZoo keeps an environment: `tromf/euchre_v0` becomes `tromf/euchre-v0`."""
    return "-v".join(f"tromf/{face}".rsplit("_v", 1))
