"""The same task with sb3-contrib's MaskablePPO: one side of every game learns against frozen opponents. Needs the extra `tromf[sb3]`.

    tromf train GAME/maskable_ppo --set players=3 --set minutes=10

It is here to compare with, and as a start for those who know Stable-Baselines3; `ppo.py` learns for all seats and is faster. Partners'
decisions are one sequence here, in the order in which they are made, while `ppo.py` follows each seat for itself. In the folder
of a run: `agent.safetensors`, which plays as `sb3:PATH`, `config.yaml`, and Stable-Baselines3's own logs (`progress.json`,
TensorBoard). A run cannot be resumed.
"""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Literal

import yaml
from pydantic import Field, model_validator

from tromf.agents import make
from tromf.agents.sb3 import ACTIVATIONS, save
from tromf.envs.schema import parse, read_mapping
from tromf.train.config import Name, NotNegative, Options, Part, Positive, Share, find, override, variant_of
from tromf.train.run import interrupts

Report = Callable[[dict[str, float]], None]


class Network(Part):
    """Layers of the policy, and of the value beside it."""

    hidden: Annotated[list[Positive], Field(min_length=1)] = [256, 256]
    activation: Literal["relu", "tanh"] = "relu"


class Algorithm(Part):
    """MaskablePPO's own numbers, under the names of `ppo.py`."""

    segment: Annotated[int, Field(ge=2)] = 128
    epochs: Positive = 3
    minibatch: Annotated[int, Field(ge=2)] = 1024
    discount: Share = 1.0
    lam: Share = 0.98
    clip: Annotated[float, Field(gt=0)] = 0.2
    learning_rate: Annotated[float, Field(gt=0)] = 5e-4
    entropy: NotNegative = 0.02
    value: NotNegative = 0.5
    gradient: Annotated[float, Field(gt=0)] = 0.5


class Config(Part):
    """Everything a run depends on. Exactly one of `decisions` (of the learners) and `minutes` is its budget."""

    algorithm: Literal["maskable_ppo"] = "maskable_ppo"
    game: Name
    variant: Name | None = None
    players: Positive | None = None
    options: Options = {}
    decisions: Positive | None = None
    minutes: Annotated[float, Field(gt=0)] | None = None
    seed: Annotated[int, Field(ge=0, lt=2**32)] = 0
    games: Positive = 64
    threads: Positive = 1
    opponents: Annotated[list[str], Field(min_length=1)] = ["journeyman"]
    save_every: Positive = 250_000
    network: Network = Network()
    ppo: Algorithm = Algorithm()

    @model_validator(mode="after")
    def _consistent(self) -> "Config":
        if (self.decisions is None) == (self.minutes is None):
            raise ValueError("give exactly one budget, decisions or minutes")
        if (self.games * self.ppo.segment) % self.ppo.minibatch:
            raise ValueError(f"{self.games} games × {self.ppo.segment} decisions are no multiple of the minibatch, {self.ppo.minibatch}")
        return self


def load(name: str, settings: Sequence[str] = ()) -> Config:
    """A configuration by path or name (`GAME/maskable_ppo`), with `key=value` settings put over it."""
    return parse(override(read_mapping(find(name)), settings), name, Config)


def train(config: Config, folder: str | Path, report: Report = lambda metrics: None) -> Path:
    """Train until the budget is spent; the path of the agent. It is also written every `save_every` decisions and on Ctrl-C.

    `report(metrics)` is called after every segment, with decisions, seconds, progress (share of the budget), entropy, and the learner's
    mean return over the last episodes. `ValueError` for what the configuration names and does not exist, and for a folder that holds a run.
    """
    try:
        from sb3_contrib import MaskablePPO
        from stable_baselines3.common.callbacks import BaseCallback
        from stable_baselines3.common.logger import configure
    except ImportError as error:
        raise ValueError(f"maskable_ppo needs Stable-Baselines3: pip install 'tromf[sb3]' ({error})") from None
    import torch

    from tromf.envs.sb3 import SeatVecEnv

    game, variant = variant_of(config.game, config.variant)
    options = config.options | ({} if config.players is None else {"players": config.players})
    others = [make(spec, game) for spec in config.opponents]
    env = SeatVecEnv(
        game.name,
        config.games,
        seed=config.seed,
        variant=variant,
        opponents=others[0] if len(others) == 1 else others,
        skip_forced=True,
        **options,
    )
    torch.set_num_threads(config.threads)
    ppo = config.ppo
    model = MaskablePPO(
        "MlpPolicy",
        env,
        learning_rate=ppo.learning_rate,
        n_steps=ppo.segment,
        batch_size=ppo.minibatch,
        n_epochs=ppo.epochs,
        gamma=ppo.discount,
        gae_lambda=ppo.lam,
        clip_range=ppo.clip,
        ent_coef=ppo.entropy,
        vf_coef=ppo.value,
        max_grad_norm=ppo.gradient,
        policy_kwargs={"net_arch": list(config.network.hidden), "activation_fn": ACTIVATIONS[config.network.activation]},
        seed=config.seed,
        device="cpu",
    )
    folder = Path(folder)
    path = folder / "agent.safetensors"
    if path.exists() or (Path(folder) / "config.yaml").exists():  # of either algorithm
        raise ValueError(f"{folder} already holds a run: give another folder")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.yaml").write_text(yaml.safe_dump(config.model_dump(), sort_keys=False), encoding="utf-8")
    model.set_logger(configure(str(folder), ["json", "tensorboard"]))
    start, seconds = time.monotonic(), 60 * (config.minutes or float("inf"))

    class Watch(BaseCallback):
        """Ends the run when its time is up, reports, and saves now and then."""

        saved = 0

        def _on_step(self) -> bool:
            return time.monotonic() - start < seconds and not interrupted()

        def _on_rollout_end(self) -> None:
            spent, decisions = time.monotonic() - start, model.num_timesteps
            progress = min(decisions / config.decisions if config.decisions else spent / seconds, 1.0)
            entropy = -float(self.logger.name_to_value.get("train/entropy_loss", float("nan")))  # known once something was learned
            metrics = {"decisions": decisions, "seconds": spent, "progress": progress, "entropy": entropy}
            ended = [info["r"] for info in model.ep_info_buffer or ()]
            report(metrics | ({f"return/{','.join(config.opponents)}": sum(ended) / len(ended)} if ended else {}))
            if model.num_timesteps - self.saved >= config.save_every:
                self.saved = model.num_timesteps
                write()

    def write() -> None:
        save(path, game, model, variant=variant, decisions=str(model.num_timesteps), opponents=",".join(config.opponents))

    with interrupts() as interrupted:
        try:
            model.learn(config.decisions or 2**62, callback=Watch())
        finally:
            write()
            model.logger.close()
        if interrupted():
            raise KeyboardInterrupt
    return path
