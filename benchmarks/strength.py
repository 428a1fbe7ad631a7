"""How strong the rule players are, and trained agents: one among others of another kind, on every side once.

    python -m benchmarks.strength                                  # the rule players of the first game, mustamaija-4p
    python -m benchmarks.strength --setting 101-2p                 # of another setting
    python -m benchmarks.strength runs/x/best.safetensors          # and trained agents, by their specs
    python -m benchmarks.strength --minutes 30                     # and one trained now, for so long

Figures are shares of deals lost, where every deal has one loser, and mean returns elsewhere. A trained agent plays greedily, and a second
row shows it sampling from its policy. With a report in a folder.
"""

import argparse
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tromf import agents, evaluate
from tromf.commands import speed
from tromf.commands.terminal import progress_bar
from tromf.envs import registry
from tromf.evaluate import dealsets
from tromf.evaluate.reports import report
from tromf.evaluate.reports.page import Code, Piece, Table
from tromf.evaluate.result import Result

RULES = ("expert", "journeyman", "beginner", "random")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.strength", description=__doc__.split("\n")[0])
    parser.add_argument("agents", nargs="*", metavar="AGENT", help="trained agents: files of weights, or other specs")
    parser.add_argument("--setting", default=speed.main_setting(speed.settings()), help="game or variant and players (%(default)s)")
    parser.add_argument("--minutes", type=float, help="train an agent for so long (configuration GAME/strength) and add it")
    parser.add_argument("--config", help="train by another configuration")
    parser.add_argument("--deals", type=int, default=5000, help="deal blocks, each played in all seatings (%(default)s)")
    parser.add_argument("--seed", type=int, help="seed of training (0) and, in place of the game's deal set, of the deals")
    parser.add_argument("--out", type=Path, default=Path("runs/strength"), help="folder of the report and the run (%(default)s)")
    given = parser.parse_args(arguments)

    game, variant, players = speed.find_setting(given.setting)
    rules = [spec for spec in RULES if exists(spec, game)]
    trained = [spec for each in given.agents for spec in (both_ways(each) if each.endswith(".safetensors") else [each])]
    for spec in trained:
        agents.make(spec, game)
    notes: list[Piece] = []
    metrics = None
    if given.minutes is not None:
        if (given.out / "run").exists():
            parser.error(f"{given.out / 'run'} exists: remove it, or choose another folder with --out")
        config = given.config or f"{game.name.replace('-', '_')}/strength"
        command = train(config, variant, players, given.minutes, given.seed or 0, given.out / "run")
        notes += [f"Trained for {given.minutes:g} minutes:", Code(shlex.join(command))]
        trained += both_ways(str(given.out / "run" / "best.safetensors"))
        metrics = given.out / "run" / "metrics.jsonl"
    deal_set = dealsets.of(game, game.states(1, variant, players=players)) if given.seed is None else None
    with progress_bar() as progress:
        result = evaluate.pairs(
            game,
            [*trained, *rules],
            against=rules,
            blocks=given.deals,
            seed=given.seed,
            deal_set=deal_set,
            variant=variant,
            progress=progress,
            out=given.out,
            overwrite=True,
            players=players,
        )
    command_line = shlex.join(["python", "-m", "benchmarks.strength", *(sys.argv[1:] if arguments is None else arguments)])
    table = strength_table(result)
    figures = "share of deals lost" if result.helmets is not None else "mean return for a deal"
    print(f"{command_line}\n\n{result.setting_text()}; {figures}, with 95 % intervals:\n\n{table.markdown()}\n")
    title = f"Strength in {registry.setting(game, variant, players)}"
    path = report.write(result, given.out, title, command=command_line, metrics=metrics, notes=[*notes, table])
    print(f"report: {path}")


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


def train(config: str, variant: str | None, players: int, minutes: float, seed: int, folder: Path) -> list[str]:
    """Train an agent into a folder, and return the command that did. `CalledProcessError` if it fails."""
    settings = {"variant": variant, "players": players, "minutes": f"{minutes:g}", "seed": seed}
    command = ["tromf", "train", config]
    for key, value in settings.items():
        command += ["--set", f"{key}={value}"] if value is not None else []
    command += ["--out", str(folder)]
    subprocess.run([sys.executable, "-m", *command], check=True)
    return command


def strength_table(result: Result) -> Table:
    """An agent a row, its opponents in columns; shares of deals lost, or mean returns in games without a loser."""
    others = [agent for agent in result.agents if any(row.against == agent for row in result.rows)]
    ones = list(dict.fromkeys(row.agent for row in result.rows))
    figures = {(row.agent, row.against): row.loss.percent() if result.helmets is not None else row.mean.text() for row in result.rows}
    rows = [[f"`{one}`", *(figures.get((one, other), "–") for other in others)] for one in ones]
    among = f"against {'' if result.players == 2 else 'sides of '}" if result.helmets is None else f"among {result.players - 1} "
    return Table(["one", *(f"{among}`{other}`:" for other in others)], rows)


if __name__ == "__main__":
    main()
