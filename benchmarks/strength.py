"""How strong the rule players are, and trained agents: one among others of another kind, on every side once.

    python -m benchmarks.strength                                  # the rule players of the first game, mustamaija-4p
    python -m benchmarks.strength --setting 101-2p                 # of another setting
    python -m benchmarks.strength runs/x/best.safetensors          # and trained agents, by their specs
    python -m benchmarks.strength --minutes 30                     # and one trained now, for so long
    python -m benchmarks.strength --readme                         # all tables of the README, half an hour
    python -m benchmarks.strength --readme 101-2p 101-4p           # some of them

Figures are shares of deals lost, where every deal has one loser, and mean returns elsewhere. A trained agent plays greedily, and a second
row shows it sampling from its policy. With a report in a folder.
"""

import argparse
import json
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tromf import agents, evaluate
from tromf.commands import speed
from tromf.commands.measured import fill
from tromf.commands.terminal import progress_bar
from tromf.envs import registry
from tromf.evaluate import dealsets
from tromf.evaluate.blocks import cores
from tromf.evaluate.reports import report
from tromf.evaluate.reports.page import Code, Piece, Table
from tromf.evaluate.result import Result

RULES = ("expert", "journeyman", "beginner", "random")


class Plan(NamedTuple):
    """How a table is measured: on how many deal blocks, and how long an agent is trained first, by which configuration (GAME/strength)."""

    deals: int
    minutes: float | None
    config: str | None


README = Path(__file__).parents[1] / "README.md"
PLANS = {
    "mustamaija-4p": Plan(5000, 4, "mustamaija/demo"),
    "101-2p": Plan(10_000, 4, "mitza/ppo"),
    "101-4p": Plan(10_000, 4, "mitza/ppo"),
    "101-6p": Plan(10_000, 4, "mitza/ppo"),
    "minnesota-whist-4p": Plan(5000, 4, "minnesota_whist/ppo"),
}


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.strength", description=__doc__.split("\n")[0])
    parser.add_argument("agents", nargs="*", metavar="AGENT", help="trained agents: files of weights, or other specs")
    parser.add_argument("--setting", default=speed.main_setting(speed.settings()), help="game or variant and players (%(default)s)")
    parser.add_argument("--minutes", type=float, help="train an agent for so long and add it")
    parser.add_argument("--config", help="train by another configuration than GAME/strength")
    parser.add_argument("--deals", type=int, default=5000, help="deal blocks, each played in all seatings (%(default)s)")
    parser.add_argument("--seed", type=int, help="seed of training (0) and, in place of the game's deal set, of the deals")
    parser.add_argument("--out", type=Path, default=Path("runs/strength"), help="folder of the report and the run (%(default)s)")
    parser.add_argument("--readme", nargs="*", metavar="SETTING", choices=PLANS, help="write these tables of the README anew (all of them)")
    given = parser.parse_args(arguments)
    try:
        if given.readme is None:
            plan = Plan(given.deals, given.minutes, given.config)
            measure(given.setting, plan, given.agents, given.seed, given.out, command(sys.argv[1:] if arguments is None else arguments))
        else:
            write_readme(given.readme or list(PLANS), given.seed, given.out)
    except (ValueError, OSError) as error:
        parser.error(str(error))


def write_readme(settings: Sequence[str], seed: int | None, out: Path) -> None:
    """Measure tables of the README and write each there once it is done."""
    for setting in settings:
        check_untrained(out / setting)
    for setting in settings:
        again = command(["--readme", setting])
        table, what = measure(setting, PLANS[setting], [], seed, out / setting, again)
        fill(README, f"strength {setting}", f"{table}\n\n{what}: `{again}`.")


def check_untrained(out: Path) -> None:
    """`ValueError` if an agent has been trained in this folder."""
    if (out / "run").exists():
        raise ValueError(f"{out / 'run'} exists: remove it, or choose another folder with --out")


def command(arguments: Sequence[str]) -> str:
    """The command line that measures the same again."""
    return shlex.join(["python", "-m", "benchmarks.strength", *arguments])


def measure(setting: str, plan: Plan, others: Sequence[str], seed: int | None, out: Path, again: str) -> tuple[str, str]:
    """Play the rule players and others of a setting, and an agent trained first if there are minutes for it; with a report in the folder
    `out`, which names the command `again`. The strength table in Markdown, and what was played in words."""
    game, variant, players = speed.find_setting(setting)
    rules = [spec for spec in RULES if exists(spec, game)]
    trained = [spec for each in others for spec in (both_ways(each) if each.endswith(".safetensors") else [each])]
    for spec in trained:
        agents.make(spec, game)
    notes: list[Piece] = []
    names: dict[str, str] = {}
    decisions, metrics = "", None
    if plan.minutes is not None:
        check_untrained(out)
        config = plan.config or f"{game.name.replace('-', '_')}/strength"
        notes += [f"Trained for {plan.minutes:g} minutes:", Code(train(config, variant, players, plan.minutes, seed or 0, out / "run"))]
        greedy, drawing = both_ways(str(out / "run" / "best.safetensors"))
        trained += [greedy, drawing]
        names = {greedy: f"trained for {plan.minutes:g} minutes on {cores()} cores, greedy", drawing: "the same, drawing from its policy"}
        metrics = out / "run" / "metrics.jsonl"
        decisions = f", {json.loads(metrics.read_text().splitlines()[-1])['decisions'] / 1e6:.1f} million decisions of training"
    with progress_bar() as progress:
        result = evaluate.pairs(
            game,
            [*trained, *rules],
            against=rules,
            blocks=plan.deals,
            seed=seed,
            deal_set=dealsets.of(game, game.states(1, variant, players=players)) if seed is None else None,
            variant=variant,
            progress=progress,
            out=out,
            overwrite=True,
            players=players,
        )
    table = strength_table(result, names)
    what = f"{result.setting_text()}{decisions}"
    figures = "share of deals lost" if result.helmets is not None else "mean return for a deal"
    print(f"{again}\n\n{what}; {figures}, with 95 % intervals:\n\n{table.markdown()}\n")
    title = f"Strength in {registry.setting(game, variant, players)}"
    path = report.write(result, out, title, command=again, metrics=metrics, notes=[*notes, table])
    print(f"report: {path}")
    return table.markdown(), what


def exists(spec: str, game: registry.Game) -> bool:
    """Whether there is such an agent."""
    try:
        agents.make(spec, game)
    except ValueError:
        return False
    return True


def both_ways(path: str) -> list[str]:
    """The specs of a network: choosing greedily, and sampling."""
    return [f"{path},greedy=true", path]


def train(config: str, variant: str | None, players: int, minutes: float, seed: int, folder: Path) -> str:
    """Train an agent into a folder, and return the command line that did. `CalledProcessError` if it fails."""
    settings = {"variant": variant, "players": players, "minutes": f"{minutes:g}", "seed": seed}
    words = ["tromf", "train", config]
    for key, value in settings.items():
        words += ["--set", f"{key}={value}"] if value is not None else []
    words += ["--out", str(folder)]
    subprocess.run([sys.executable, "-m", *words], check=True)
    return shlex.join(words)


def strength_table(result: Result, names: dict[str, str]) -> Table:
    """An agent a row, under its name or, where it has none, its spec, its opponents in columns; shares of deals lost, or mean returns in
    games without a loser."""
    others = [agent for agent in result.agents if any(row.against == agent for row in result.rows)]
    ones = list(dict.fromkeys(row.agent for row in result.rows))
    figures = {(row.agent, row.against): row.loss.percent() if result.helmets is not None else row.mean.text() for row in result.rows}
    rows = [[names.get(one, f"`{one}`"), *(figures.get((one, other), "–") for other in others)] for one in ones]
    among = f"against {'' if result.players == 2 else 'sides of '}" if result.helmets is None else f"among {result.players - 1} "
    return Table(["one", *(f"{among}`{other}`:" for other in others)], rows)


if __name__ == "__main__":
    main()
