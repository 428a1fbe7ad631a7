"""A best-response learner: the network that trains against frozen copies of one agent, and nobody else."""

from tromf.envs.registry import Game
from tromf.envs.schema import parse, read_mapping
from tromf.train.config import Config, find, override

CHECKPOINTS = 1_000_003  # added to the seed: the deals on which the best checkpoint is chosen
POINTS = 20  # evaluations in a budget of decisions, at least


def configuration(
    game: Game,
    variant: str,
    options: dict[str, object],
    agent: str,
    *,
    decisions: int | None = None,
    minutes: float | None = None,
    seed: int = 0,
    base: str | None = None,
) -> Config:
    """What a learner against an agent, given by its spec, is trained with.

    In every game one seat learns, each in turn, or one side where seats play together; the agent plays all others. From the base
    configuration (a path or name, by default the game's own `ppo`) come algorithm, network and teacher; setting, budget, seed and
    opponents are replaced. `ValueError` or `OSError`, in one line, for what cannot be.
    """
    name = base or f"{game.name.replace('-', '_')}/ppo"
    data = override(read_mapping(find(name)), ())
    every = data.get("evaluation", {}).get("every", Config.model_fields["evaluation"].default.every)
    if decisions is not None:
        every = min(every, max(1, decisions // POINTS))
    setting = {
        "game": game.name,
        "variant": variant,
        "players": options.get("players"),
        "options": {key: value for key, value in options.items() if key != "players"},
    }
    checked = {"opponent": agent, "seed": seed + CHECKPOINTS, "every": every}
    budget = {"decisions": decisions, "minutes": minutes, "horizon": None, "seed": seed}
    return parse(data | setting | budget | {"opponents": {agent: 1.0}, "evaluation": data.get("evaluation", {}) | checked}, name, Config)
