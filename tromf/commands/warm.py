"""`tromf warm`: compile everything now, so that later commands start at once."""

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from tromf.envs.registry import Game


def warm(quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing.")] = False) -> None:
    """Compile everything into the cache, so that later commands start at once.

    Runs a tiny version of each use of each game. The machine code is stored in $TROMF_CACHE, or in the user's cache folder.
    """
    from rich.console import Console

    from tromf.envs import jit, registry

    console = Console(highlight=False, quiet=quiet)
    begun = time.perf_counter()
    for name in registry.names():
        for title, use in uses(registry.find(name)[0]):
            started = time.perf_counter()
            use()
            console.print(f"{f'{name}: {title}':<40} {time.perf_counter() - started:6.1f} s")
    place = f"in {jit.CACHE_DIR}" if jit.CACHE_DIR else "but not stored, since the cache folder cannot be written"
    console.print(f"everything is compiled, {place} ({time.perf_counter() - begun:.1f} s)", soft_wrap=True)


def uses(game: "Game") -> Iterator[tuple[str, Callable[[], object]]]:
    """Tiny versions of each use of a game, which together call everything that is compiled."""
    yield "batches", lambda: _batches(game)
    yield "rule agents", lambda: _rule_agents(game)
    yield "worlds", lambda: _worlds(game)
    yield "searches", lambda: _searches(game)
    yield "PettingZoo, Gymnasium", lambda: _faces(game)
    yield "networks", lambda: _networks(game)
    yield "evaluation", lambda: _evaluation(game)
    yield "training", lambda: _training(game)
    yield "exact methods", lambda: _exact(game)


def _batches(game: "Game") -> None:
    from tromf.commands import speed
    from tromf.envs import BatchEnv

    env = BatchEnv(game, 4, skip_forced=True)
    env.reset(seeds=0, decks=[None, None, None, None], dealers=0)
    env.decisions().concealed()
    players = env.players
    for chunk in (speed.bare(game, None, players), speed.stepped(game, None, players, dense=True)):
        chunk()


def _rule_agents(game: "Game") -> None:
    from tromf import agents
    from tromf.agents import play, registry
    from tromf.commands import speed
    from tromf.envs import BatchEnv

    env = BatchEnv(game, 4)
    env.reset(seeds=0)
    for kind in registry.rules_of(game).KINDS:
        agents.make(kind, game).act(env.decisions())
        speed.rule_agent(game, None, env.players, kind)()
    play.returns(env.states, env.players)


def _worlds(game: "Game") -> None:
    from tromf.envs import BatchEnv, batch

    env = BatchEnv(game, 1)
    env.reset(seeds=0)
    batch.worlds(game, env.states[0], int(env.seats[0]), 2, seed=0)


def _searches(game: "Game") -> None:
    from tromf import agents
    from tromf.envs import BatchEnv

    env = BatchEnv(game, 1)
    env.reset(seeds=0)
    for spec in ("pimc,worlds=1", "ismcts,iterations=2"):
        agents.make(spec, game).act(env.decisions())


def _faces(game: "Game") -> None:
    from tromf.commands import speed
    from tromf.envs import gym

    for wrapped in (False, True):
        speed.aec(game, None, _players(game), wrapped=wrapped)()
    for env in (gym.SeatEnv(game.name), gym.SeatVectorEnv(game.name, 2)):
        env.reset(seed=0)
        masks = env.action_masks()
        env.step(masks.argmax(-1))
        env.close()


def _networks(game: "Game") -> None:
    from tromf.agents.net import PRECISIONS, NetAgent, Network
    from tromf.envs import BatchEnv

    env = BatchEnv(game, 2)
    env.reset(seeds=0)
    for precision in PRECISIONS:
        network = Network(game, range(game.bits), (8,), precision)
        for greedy in (False, True):
            NetAgent("net", network, greedy).act(env.decisions())


def _evaluation(game: "Game") -> None:
    from tromf.evaluate import matches

    matches.pairs(game, ["random", "journeyman"], blocks=2)


def _training(game: "Game") -> None:
    from tromf.train import ppo
    from tromf.train.config import Config, PPOConfig

    tiny = PPOConfig(segment=8, epochs=1)
    ppo.Trainer(Config(game=game.name, decisions=1, games=8, workers=1, opponents={"journeyman": 0.5}, ppo=tiny)).iterate(0.0)


def _exact(game: "Game") -> None:
    from tromf.evaluate.exact import endings
    from tromf.evaluate.exact.exploitability import study

    for variant in [variant for variant, values in game.variants.items() if values.get("pack") is not None][:1]:
        tree, _ = study(game, ["random"], variant)
        if tree.players == 2:
            endings.solve(tree)


def _players(game: "Game") -> int:
    """The default number of players."""
    return int(game.states(1)["options"]["players"][0])
