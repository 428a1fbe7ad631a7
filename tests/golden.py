"""Golden games: whole deals told in plain words, tests/golden/<game>/<name>.txt, replayed by the tests.

    python -m tests.golden            # compare every file with the game replayed from it
    python -m tests.golden --write    # play all golden games anew and write the files

What is told of a game stands in tests/envs/<game>/narrator.py: `GOLDEN` lists the golden games (variant, options, seed, way of
playing), `choose` plays them, and `opening`, `heading`, `events`, `ending` tell them.
"""

import argparse
import re
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from tromf.envs import BatchEnv, registry

FOLDER = Path(__file__).parent / "golden"
ACTION_LINE = re.compile(r"  seat (\d+): ([^|\n]+?)(?: \| .*)?")


def narrator(game: registry.Game) -> Any:
    """The module that tells a game."""
    return import_module(f"tests.envs.{game.name.replace('-', '_')}.narrator")


def tell(game: registry.Game, variant: str, options: dict[str, Any], seed: int, choose: Callable[[BatchEnv], int]) -> str:
    """Play a game, with actions from `choose`, and tell it."""
    env = BatchEnv(game, 1, variant=variant, **options)
    env.reset(seed)
    words = narrator(game)
    lines = [
        f"game: {game.name}",
        f"variant: {variant}",
        f"options: {yaml.safe_dump(options, default_flow_style=True, width=1000, sort_keys=False).strip()}",
    ]
    lines += [f"seed: {seed}", f"dealer: seat {env.states['dealer'][0]}", "", *words.opening(env.states[0])]
    said: list[str] = []  # actions of one seat not yet written down
    speaker = -1

    def write_down(happened: Sequence[str] = ()) -> None:
        if said:
            lines.append(" | ".join([f"  seat {speaker}: {', '.join(said)}", *happened]))
            said.clear()

    while not env.done[0]:
        seat, before = int(env.seats[0]), env.states.copy()[0]
        heading = words.heading(before)
        if seat != speaker or heading:
            write_down()
        if heading:
            lines += ["", heading]
        speaker, action = seat, choose(env)
        said.append(game.action_text(before, action))
        env.step(np.array([action]))
        happened = words.events(before, env.states[0], said[-1])
        if happened:
            write_down(happened)
    write_down()
    lines += ["", *words.ending(env.states[0], env.returns[0])]
    return "\n".join(lines) + "\n"


def head_of(text: str) -> dict[str, Any]:
    """The settings at the head of a golden game; a variant such as `101` is a text, though YAML reads a number."""
    head: dict[str, Any] = yaml.safe_load(text.split("\n\n")[0])
    return head | {"variant": str(head["variant"])}


def retell(text: str) -> str:
    """Replay a golden game from its text: settings from its head, actions from its lines."""
    head = head_of(text)
    game, _ = registry.find(head["game"])
    lines = filter(None, map(ACTION_LINE.fullmatch, text.splitlines()))
    actions = [(int(line[1]), action) for line in lines for action in line[2].split(", ")]
    coming = iter(actions)

    def choose(env: BatchEnv) -> int:
        seat, action = next(coming, (-1, "nothing more"))
        assert seat == env.seats[0], f"seat {env.seats[0]} is to act, and the text goes on with seat {seat}: {action}"
        return game.parse_action(env.states[0], action, ())

    told = tell(game, head["variant"], head["options"], head["seed"], choose)
    left = list(coming)
    assert not left, f"the game has ended, and the text goes on with {left}"
    return told


def play(game: registry.Game, name: str) -> str:
    """Play a golden game anew and tell it."""
    words = narrator(game)
    variant, options, seed, way = words.GOLDEN[name]
    rng = np.array([(seed,)], [("rng", np.uint64)])
    return tell(game, variant, options, seed, lambda env: words.choose(env.states, way, rng))


def files() -> list[Path]:
    """All golden games."""
    return sorted(FOLDER.rglob("*.txt"))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.golden", description="Replay, or with --write play anew, all golden games.")
    parser.add_argument("--write", action="store_true", help="play them anew and write the files")
    if parser.parse_args().write:
        for game in (registry.find(name)[0] for name in registry.names()):
            for name in narrator(game).GOLDEN:
                path = FOLDER / game.name / f"{name}.txt"
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(play(game, name), encoding="utf-8")
        print(f"wrote {len(files())} golden games")
        return 0
    wrong = [path for path in files() if retell(path.read_text(encoding="utf-8")) != path.read_text(encoding="utf-8")]
    print("\n".join(f"{path} is told differently now" for path in wrong) or f"{len(files())} golden games agree")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
