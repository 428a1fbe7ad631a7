"""Mustamaija for PettingZoo: the Finnish beating game of the black Maija, for two to eight players, with one loser.

    from tromf.envs import mustamaija_v0
    env = mustamaija_v0.env(variant="three-card-declared", players=8, render_mode="ansi")

Options, variants, observations and actions are those of `docs/mustamaija.md`. `raw_env` raises `IllegalAction`; in `env` an illegal
action ends the episode with -1 for the seat that took it and 0 for the others.
"""

from typing import Any

from pettingzoo import AECEnv

from tromf.envs import aec

__all__ = ["env", "raw_env"]


class raw_env(aec.raw_env):
    """Mustamaija without wrappers; arguments as for `tromf.envs.aec.raw_env`, without the game."""

    def __init__(self, *, variant: str | None = None, render_mode: str | None = None, **options: Any) -> None:
        super().__init__("mustamaija", variant=variant, render_mode=render_mode, **options)


def env(*, variant: str | None = None, render_mode: str | None = None, **options: Any) -> AECEnv:
    """Mustamaija in PettingZoo's usual wrappers."""
    return aec.wrapped(raw_env(variant=variant, render_mode=render_mode, **options))
