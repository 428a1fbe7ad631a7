"""Writes the tables of docs/tiny.md from the games: `python docs/tiny.py` (about a minute; needs the `openspiel` extra)."""

from pathlib import Path

from tromf.commands.measured import fill
from tromf.envs import registry
from tromf.evaluate.exact.exploitability import Exploitability, study
from tromf.evaluate.exact.tree import Tree

PAGE = Path(__file__).parent / "tiny.md"
AGENTS = ("random", "beginner", "journeyman", "expert")
ITERATIONS = 1000
HEADS = {
    "two players": (
        "variant",
        "deals",
        "histories",
        "ends of play",
        "information sets",
        "without memory",
        "value for seat 0",
        *(f"`{agent}`" for agent in AGENTS),
        f"CFR+, {ITERATIONS}",
    ),
    "sides": (
        "variant",
        "deals",
        "histories",
        "ends of play",
        "information sets",
        "without memory",
        "agent",
        "return of seat 0",
        "gain of seat 0, 1, 2, 3",
        "gain of side 0, 1",
    ),
}


def tiny() -> list[str]:
    """The named variants with a reduced pack."""
    games = [registry.find(name)[0] for name in registry.names()]
    return [variant for game in games for variant, values in game.variants.items() if values.get("pack") is not None]


def measured(variant: str, iterations: int = ITERATIONS) -> tuple[Tree, list[Exploitability]]:
    """The tree of a variant, and the figures of all agents, the equilibrium last where two play."""
    game, _ = registry.find(variant)
    two = len(set(game.sides(int(game.values(variant)["players"])))) == int(game.values(variant)["players"])
    return study(variant, (*AGENTS, *([f"equilibrium,iterations={iterations}"] if two else [])))


def rows(variant: str, tree: Tree, figures: list[Exploitability]) -> tuple[str, list[tuple[str, ...]]]:
    """The kind of table in which a variant stands, and its rows."""
    counts = tuple(f"{count:,}" for count in (tree.deals, len(tree), tree.ends, len(tree.seats), tree.sights))
    if tree.players == 2:
        return "two players", [(f"`{variant}`", *counts, f"{figures[-1].values[0]:+.4f}", *map(nash_conv, figures))]
    return "sides", [
        (
            *((f"`{variant}`", *counts) if k == 0 else ("",) * 6),
            f"`{row.name}`",
            f"{row.values[0]:+.4f}",
            ", ".join(f"{gain:.4f}" for gain in row.gains),
            ", ".join(f"{gain:.4f}" for gain in row.side_gains),
        )
        for k, row in enumerate(figures)
    ]


def nash_conv(row: Exploitability) -> str:
    """NashConv, and its share of the payoff range."""
    share = row.nash_conv / row.span
    return f"{row.nash_conv:.4f} ({share:.2%})" if share >= 1e-4 else f"{row.nash_conv:.0e} ({share * 100:.0e}%)"


def main() -> None:
    lines: dict[str, list[tuple[str, ...]]] = {kind: [HEADS[kind], ("---",) * len(HEADS[kind])] for kind in HEADS}
    for variant in tiny():
        kind, more = rows(variant, *measured(variant))
        lines[kind] += more
    for kind, table in lines.items():
        fill(PAGE, kind, "\n".join("| " + " | ".join(row) + " |" for row in table))


if __name__ == "__main__":
    main()
