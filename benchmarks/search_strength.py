"""Does search play better the longer it thinks? Ratings of `ismcts` by its iterations, beside the rule players, in each game.

    python -m benchmarks.search_strength [--setting 101-2p] [--blocks 60] [--rival-blocks 200] [--write]

Every level meets the next two, on both sides of the same deals; `random` meets the lowest, `expert` and `journeyman` some of them. Ratings
are fitted to all games at once (`evaluate.statistics.ratings`). A second table says what `ismcts` and the two that should beat it, search
with the expert's roll-outs and the cheat, win against `expert`. With --write tables and plot go into docs/search.md.
"""

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tromf import agents, evaluate
from tromf.commands import speed
from tromf.commands.measured import fill
from tromf.commands.terminal import progress_bar
from tromf.envs.files import written_whole
from tromf.evaluate.blocks import play_matches
from tromf.evaluate.reports import plots
from tromf.evaluate.reports.page import Table
from tromf.evaluate.seatings import one_among
from tromf.evaluate.statistics import ratings
from tromf.evaluate.statistics.intervals import Estimate
from tromf.evaluate.statistics.ratings import Ratings

# deals of each meeting, and of each with `expert`: fewer where a deal takes long (two searches play 150 decisions at Mustamaija)
SETTINGS = {"mustamaija-2p": (10, 20), "101-2p": (60, 200), "minnesota-whist-4p": (30, 100)}
OTHERS = (30, 100)
LEVELS = (10, 30, 100, 300, 1000, 3000, 10000)
RULES = {"random": (10,), "journeyman": (30, 100, 300), "expert": (300, 1000, 3000)}  # whom the rule players meet
RIVALS = ("ismcts,iterations=1000", "pimc,worlds=100,rollout=expert", "cheat,iterations=1000")
DOCS = Path(__file__).parent.parent / "docs"


def search(iterations: int) -> str:
    return f"ismcts,iterations={iterations}"


def meetings(levels: Sequence[int]) -> list[tuple[str, str]]:
    """Who meets whom."""
    chain = [(search(a), search(b)) for step in (1, 2) for a, b in zip(levels, levels[step:])]
    return chain + [(search(level), rule) for rule, met in RULES.items() for level in met if level in levels]


def rate(setting: str, levels: Sequence[int], blocks: int, seed: int) -> Ratings:
    """Ratings in a setting of two sides; `random` has 1000."""
    game, variant, players = speed.find_setting(setting)
    pairs = meetings(levels)
    names = list(dict.fromkeys(name for pair in pairs for name in pair))
    sides = np.array(game.sides(players))
    by_side = [one_among(names.index(a), names.index(b), 2) for a, b in pairs]
    blank = game.states(1, variant, players=players)
    crew = [agents.make(name, game) for name in names]
    with progress_bar() as progress:
        outcomes = play_matches(game, blank, [each[:, sides] for each in by_side], crew, blocks, seed, progress=progress)
    choices = ratings.Choices(len(names), losers=False)
    for outcome in outcomes:
        choices.add(outcome.seatings, outcome.returns, sides)
    return ratings.fit(choices, names, anchor="random", seed=seed)


def against_expert(setting: str, blocks: int, seed: int) -> list[str]:
    """Mean returns of the rivals against `expert`."""
    game, variant, players = speed.find_setting(setting)
    with progress_bar() as progress:
        result = evaluate.pairs(
            game, RIVALS, against=["expert"], blocks=blocks, seed=seed, variant=variant, players=players, progress=progress
        )
    return [result.row(rival, "expert").mean.text() for rival in RIVALS]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.search_strength", description=__doc__.split("\n")[0])
    parser.add_argument("--setting", action="append", help=f"two sides only; may be repeated ({', '.join(SETTINGS)})")
    few, rivals_of = (", ".join(f"{name}: {blocks[k]}" for name, blocks in SETTINGS.items()) for k in (0, 1))
    parser.add_argument("--blocks", type=int, help=f"deals of each meeting, each played by both sides ({few}; others: {OTHERS[0]})")
    parser.add_argument("--rival-blocks", type=int, help=f"deals of each rival with expert ({rivals_of}; others: {OTHERS[1]})")
    parser.add_argument("--most", type=int, default=LEVELS[-1], help="most iterations (%(default)s)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--write", action="store_true", help="write tables and plot into docs/search.md")
    given = parser.parse_args(arguments)
    levels = [level for level in LEVELS if level <= given.most]
    settings = given.setting or list(SETTINGS)
    if given.write and given.setting:
        parser.error("--write writes the page, which tells of all settings: leave --setting out")
    played, found, rivals, begun = {}, {}, {}, time.monotonic()
    for setting in settings:
        game, _, players = speed.find_setting(setting)
        if max(game.sides(players)) != 1:
            parser.error(f"{setting} has more than two sides")
        usual = SETTINGS.get(setting, OTHERS)
        played[setting] = given.blocks or usual[0], given.rival_blocks or usual[1]
        found[setting] = rate(setting, levels, played[setting][0], given.seed)
        rivals[setting] = against_expert(setting, played[setting][1], given.seed)
        print(f"{setting}: {time.monotonic() - begun:.0f} s", flush=True)
    names = [*RULES, *map(search, levels)]
    rows = [[f"`{name}`", *(text(found[setting], name) for setting in settings)] for name in names]
    columns = [f"{setting}:" for setting in settings]
    against = [[f"`{rival}`", *(rivals[setting][k] for setting in settings)] for k, rival in enumerate(RIVALS)]
    tables = [Table(["rating", *columns], rows).markdown(), Table(["mean return against `expert`", *columns], against).markdown()]
    deals = "; ".join(f"{setting}: {meeting} deals a meeting, {rival} of each rival" for setting, (meeting, rival) in played.items())
    what = f"{found[settings[0]].text()}. {deals}; each played by both sides."
    print("\n\n".join([*tables, what]))
    if given.write:
        lines = {setting: points(found[setting], levels) for setting in settings}
        figure = plots.rising(lines, "iterations a decision", "rating (random: 1000)")
        with written_whole(DOCS / "search-strength.png") as beside:
            figure.savefig(beside, dpi=110)
        content = "\n\n".join([tables[0], what, "![rating by iterations](search-strength.png)", tables[1]])
        fill(DOCS / "search.md", "search strength", content)


def text(rated: Ratings, name: str) -> str:
    """A rating and its interval."""
    each = rated.ratings.get(name)
    return "–" if each is None else f"{each.value:.0f} [{each.low:.0f}, {each.high:.0f}]"


def points(rated: Ratings, levels: Sequence[int]) -> tuple[list[int], list[Estimate]]:
    """Iterations and ratings."""
    return list(levels), [rated.ratings[search(level)] for level in levels]


if __name__ == "__main__":
    main()
