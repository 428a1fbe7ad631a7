"""Minnesota Whist, Askov and South Dakota Whist for PettingZoo: partnership whist in which bid cards ask for high or low hands.

    from tromf.envs import minnesota_whist_v0
    env = minnesota_whist_v0.env(variant="askov", episode="game", render_mode="ansi")

Options, variants, observations and actions are those of `docs/minnesota-whist.md`. `raw_env` raises `IllegalAction`; in `env` an illegal
action ends the episode with -1 for the seat that took it and 0 for the others, its partners too.
"""

from typing import Any

from pettingzoo import AECEnv

from tromf.envs import aec

__all__ = ["env", "raw_env"]


class raw_env(aec.raw_env):
    """Minnesota Whist without wrappers; arguments as for `tromf.envs.aec.raw_env`, without the game."""

    def __init__(self, *, variant: str | None = None, render_mode: str | None = None, **options: Any) -> None:
        super().__init__("minnesota-whist", variant=variant, render_mode=render_mode, **options)


def env(*, variant: str | None = None, render_mode: str | None = None, **options: Any) -> AECEnv:
    """Minnesota Whist in PettingZoo's usual wrappers."""
    return aec.wrapped(raw_env(variant=variant, render_mode=render_mode, **options))
