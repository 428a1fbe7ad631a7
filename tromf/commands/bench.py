"""`tromf bench`: decisions per second of everything, in a table."""

from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tromf.commands.common import Json, Seed, check_writable, write_json

if TYPE_CHECKING:
    from rich.console import Console

FIGURES = {
    "bare": "random decisions in a compiled loop",
    "observed": "the same through BatchEnv, with observation words and masks",
    "dense": "... and both as 0/1 vectors (int8)",
    "aec_raw": "through PettingZoo's raw_env: observe and step",
    "aec_wrapped": "through PettingZoo's env: last and step",
}
RATIOS = {
    "bare_to_main": "bare, times that of {main} in the same rounds",
    "observed_to_bare": "observed, times bare",
    "dense_to_bare": "dense, times bare",
}
RULE_AGENTS = ("random", "journeyman", "expert")
README = Path("README.md")


def bench(
    quick: Annotated[bool, typer.Option("--quick", help="Shorter measurements and no cold start: within 40 s from a warm cache.")] = False,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--settings",
            metavar="SETTING",
            help="Only this setting: a game or variant and a number of players, NAME-4p; may be repeated.",
            show_default=False,
        ),
    ] = None,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds of which each figure is the median.")] = 5,
    seconds: Annotated[
        float | None,
        typer.Option(min=0.0, max=3600.0, help="Seconds a measurement and round (default: 0.5, with --quick 0.1).", show_default=False),
    ] = None,
    readme: Annotated[bool, typer.Option("--readme", help="Rewrite the table in README.md.")] = False,
    seed: Seed = 0,
    json: Json = None,
) -> None:
    """Measure decisions per second: bare, observed, through every face, by agents, in training; and starting times.

    All on one core and warm unless said; measurements that are compared run interleaved; each figure is the median of all rounds.
    """
    from rich.console import Console

    from tromf.commands import measured, speed

    found = {name: speed.find_setting(name) for name in settings or speed.settings()}
    if json:
        check_writable(json)
    if readme:
        check_writable(README)
        measured.filled(README.read_text(encoding="utf-8"), "speed", "")
    seconds = seconds if seconds is not None else 0.1 if quick else 0.5
    console = Console(highlight=False)
    before = speed.load()
    figures: dict[str, dict[str, Any]] = {}
    with console.status("measuring") as status:
        for name, setting in found.items():
            status.update(f"measuring {name}")
            figures[name] = measure_faces(*setting, rounds, seconds, seed)
        main = speed.main_setting(list(found))
        status.update("measuring all settings side by side")
        for name, value in measure_beside(found, main, rounds, seconds, seed).items():
            figures[name]["bare_to_main"] = value
        for title, part in (("agents", measure_agents), ("threads", measure_threads)):
            status.update(f"measuring {title} ({main})")
            figures[main][title] = part(*found[main], rounds, seconds, seed)
        status.update(f"measuring training ({main})")
        figures[main]["training"] = measure_training(*found[main], rounds, seconds, seed, games=128 if quick else 1024)
        status.update("measuring starts")
        figures[main]["start"] = measure_starts(found[main][0], min(rounds, 3) if quick else rounds, cold=not quick)
    loads = [round(before, 2), round(speed.load(), 2)]
    for each in figures.values():
        each.update(rounds=rounds, seconds=seconds, load=loads, machine=speed.machine())
    _print(console, figures, main)
    if json:
        write_json(json, figures)
    if readme:
        measured.fill(README, "speed", markdown(figures))


def measure_faces(game: Any, variant: str | None, players: int, rounds: int, seconds: float, seed: int) -> dict[str, Any]:
    """Decisions per second of one setting, and the ratios to the bare figure."""
    from tromf.commands import speed

    setting = (game, variant, players)
    rates = speed.interleaved(
        {
            "bare": speed.bare(*setting, seed=seed),
            "observed": speed.stepped(*setting, seed=seed),
            "dense": speed.stepped(*setting, dense=True, seed=seed),
            "aec_raw": speed.aec(*setting, wrapped=False, seed=seed),
            "aec_wrapped": speed.aec(*setting, wrapped=True, seed=seed),
        },
        rounds,
        seconds,
    )
    return {
        **speed.medians(rates),
        "observed_to_bare": speed.ratio(rates, "observed", "bare"),
        "dense_to_bare": speed.ratio(rates, "dense", "bare"),
    }


def measure_beside(found: dict[str, Any], main: str, rounds: int, seconds: float, seed: int) -> dict[str, float]:
    """The ratio of each setting's bare figure to the main one's, all measured interleaved."""
    from tromf.commands import speed

    chunks = {name: speed.bare(game, variant, players, seed) for name, (game, variant, players) in found.items()}
    rates = speed.interleaved(chunks, rounds, seconds)
    return {name: speed.ratio(rates, name, main) for name in found}


def measure_agents(game: Any, variant: str | None, players: int, rounds: int, seconds: float, seed: int) -> dict[str, float]:
    """Decisions per second of agents of each kind, playing among themselves."""
    from tromf.agents import registry
    from tromf.commands import speed

    kinds = [kind for kind in RULE_AGENTS if kind in registry.kinds(game)]
    chunks = {kind: speed.rule_agent(game, variant, players, kind, seed) for kind in kinds}
    chunks["net"] = speed.network_agent(game, variant, players, seed)
    return speed.medians(speed.interleaved(chunks, rounds, seconds))


def measure_threads(game: Any, variant: str | None, players: int, rounds: int, seconds: float, seed: int) -> dict[str, float]:
    """Bare decisions and `BatchEnv.step` in one thread and in two; the best rounds, since a second core is not always free."""
    from tromf.commands import speed

    chunks = {f"{kind} {n}": make(game, variant, players, n, seed) for kind, make in speed.THREADED.items() for n in (1, 2)}
    best = {name: max(rates) for name, rates in speed.interleaved(chunks, rounds, seconds).items()}
    return best | {f"{kind} two_to_one": best[f"{kind} 2"] / best[f"{kind} 1"] for kind in speed.THREADED}


def measure_training(game: Any, variant: str | None, players: int, rounds: int, seconds: float, seed: int, games: int) -> dict[str, float]:
    """Training decisions per second, and what the bare network arithmetic of the same configuration would allow.

    An iteration is the least that can be measured, and as long as the `games` are many.
    """
    from tromf.train import ppo

    return ppo.benchmark(game, variant, players, rounds=rounds, seconds=seconds, seed=seed, games=games)


def measure_starts(game: Any, rounds: int, *, cold: bool) -> dict[str, float]:
    """Seconds from starting Python: to `import tromf.envs`, and to the first step, from a warm and from a cold cache."""
    from tromf.commands import speed

    module = f"{game.name.replace('-', '_')}_v{game.version}"
    speed.start_seconds(module)
    result = {
        "import": median(speed.start_seconds(module, only_import=True) for _ in range(rounds)),
        "first_step_warm": median(speed.start_seconds(module) for _ in range(rounds)),
    }
    if cold:
        result["first_step_cold"] = speed.start_seconds(module, cold=True)
    return result


def _print(console: "Console", figures: dict[str, dict[str, Any]], main: str) -> None:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("decisions per second", no_wrap=True)
    for key in (*FIGURES, *RATIOS):
        table.add_column(key.replace("_", " "), justify="right")
    for name, each in figures.items():
        table.add_row(name, *(_count(each[key]) for key in FIGURES), *(f"{each[key]:.2f}" for key in RATIOS))
    console.print(table)
    for key, meaning in (FIGURES | RATIOS).items():
        console.print(f"[green]{key.replace('_', ' ')}[/green]: {meaning.format(main=main)}")
    for line in _sentences(figures, main):
        console.print(line)


def _sentences(figures: dict[str, dict[str, Any]], main: str) -> list[str]:
    """What was measured for one setting only, in words."""
    each = figures[main]
    agents, threads, training, start = (each[part] for part in ("agents", "threads", "training", "start"))
    machine = each["machine"]
    cold = f", {start['first_step_cold']:.1f} s from a cold one" if "first_step_cold" in start else ""
    per_agent = ", ".join(f"{name} {_count(rate)}" for name, rate in agents.items())
    shares = f"{training['training_to_arithmetic']:.2f} of what the network's arithmetic alone allows ({_count(training['arithmetic'])})"
    return [
        f"agents, {main}, decisions per second: {per_agent}",
        f"two threads, {main}, best rounds: bare {threads['bare two_to_one']:.2f} times one, BatchEnv {threads['step two_to_one']:.2f}",
        f"training, {main}: {_count(training['training'])} decisions per second, {shares}",
        f"start: import tromf.envs {start['import']:.2f} s, first step {start['first_step_warm']:.2f} s from a warm cache{cold}",
        f"{machine['processor']}, Python {machine['python']}, Numba {machine['numba']}",
        f"medians of {each['rounds']} rounds of {each['seconds']:g} s; load average {each['load'][0]} before, {each['load'][1]} after",
    ]


def markdown(figures: dict[str, dict[str, Any]]) -> str:
    """The table as Markdown, for the README."""
    main = next(name for name, each in figures.items() if "start" in each)
    columns = FIGURES | RATIOS
    lines = [f"| decisions per second, one core | {' | '.join(f'`{key}`' for key in columns)} |", f"| --- |{' ---: |' * len(columns)}"]
    for name, each in figures.items():
        cells = [*(_count(each[key]) for key in FIGURES), *(f"{each[key]:.2f}" for key in RATIOS)]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    meanings = [f"- `{key}`: {meaning.format(main=main)}" for key, meaning in columns.items()]
    return "\n".join([*lines, "", *meanings, *(f"- {line}" for line in _sentences(figures, main))])


def _count(rate: float) -> str:
    """A rate as people read it: 21.5 M, 64 k."""
    if rate >= 1e6:
        return f"{rate / 1e6:.1f} M"
    return f"{rate / 1e3:.0f} k" if rate >= 1e4 else f"{rate / 1e3:.1f} k"
