"""Mîța and 101 for PettingZoo: the Romanian game of tricks and drawing with three cards in the hand, for two, four or six players.

    from tromf.envs import mitza_v0
    env = mitza_v0.env(variant="101", players=4, episode="match", render_mode="ansi")

Options, variants, observations and actions are those of `docs/mitza.md`. `raw_env` raises `IllegalAction`; in `env` an illegal
action ends the episode with -1 for the seat that took it and 0 for the others, its partners too.
"""

from typing import Any

from pettingzoo import AECEnv

from tromf.envs import aec

__all__ = ["env", "raw_env"]


class raw_env(aec.raw_env):
    """Mîța and 101 without wrappers; arguments as for `tromf.envs.aec.raw_env`, without the game."""

    def __init__(self, *, variant: str | None = None, render_mode: str | None = None, **options: Any) -> None:
        super().__init__("mitza", variant=variant, render_mode=render_mode, **options)


def env(*, variant: str | None = None, render_mode: str | None = None, **options: Any) -> AECEnv:
    """Mîța and 101 in PettingZoo's usual wrappers."""
    return aec.wrapped(raw_env(variant=variant, render_mode=render_mode, **options))
