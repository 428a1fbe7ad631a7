"""Configurations of training: pydantic models read from YAML, with single values overridden by `key=value`."""

from collections.abc import Sequence
from copy import deepcopy
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, field_validator, model_validator

from tromf.envs import registry
from tromf.envs.schema import parse, read_mapping, yaml_value


def _text(value: Any) -> Any:
    """A name or rank in digits is a text, though YAML reads a number: the variant `101`."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _options(options: dict[str, Any]) -> dict[str, Any]:
    return options | {"pack": _text(options["pack"])} if "pack" in options else options


Name = Annotated[str, BeforeValidator(_text)]
Options = Annotated[dict[str, Any], AfterValidator(_options)]


Positive = Annotated[int, Field(ge=1)]
Seed = Annotated[int, Field(ge=0, lt=2**63)]
Share = Annotated[float, Field(ge=0, le=1)]
NotNegative = Annotated[float, Field(ge=0)]
DEAL_SETS = "deals"  # a folder beside the configurations: YAML too, but not for training


class Part(BaseModel):
    """A piece of a configuration: unknown keys are refused, values cannot be changed."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    @field_validator("*", mode="before")
    @classmethod
    def _no_truth_values(cls, value: Any) -> Any:
        if isinstance(value, bool):  # which Python takes for 0 and 1
            raise ValueError(f"input should not be {str(value).lower()}")
        return value


class Schedule(Part):
    """A number that moves evenly from `start` to `end` while `until` of the horizon's decisions are made, and stays there."""

    start: NotNegative
    end: NotNegative
    until: Annotated[float, Field(gt=0)] = 1.0

    def at(self, done: float) -> float:
        """The number when that share of the horizon is done."""
        return self.start + (self.end - self.start) * min(done / self.until, 1.0)


class LearningRate(Schedule):
    """Adam's step size."""

    start: NotNegative = 1e-3
    end: NotNegative = 5e-5


class Entropy(Schedule):
    """The weight of the entropy bonus."""

    start: NotNegative = 0.02
    end: NotNegative = 0.003


class Teaching(Schedule):
    """The weight of the teacher's advice; counts only if there is a teacher."""

    start: NotNegative = 1.0
    end: NotNegative = 0.0
    until: Annotated[float, Field(gt=0)] = 0.5


class NetworkConfig(Part):
    """The network: see `tromf.agents.net.Network`."""

    hidden: Annotated[list[Positive], Field(min_length=1)] = [256, 256]
    inputs: Literal["varying", "all"] = "varying"
    precision: Literal["auto", "float32", "bfloat16"] = "auto"


class PPOConfig(Part):
    """The algorithm's own numbers."""

    segment: Positive = 64
    epochs: Positive = 3
    minibatch: Positive = 4096
    discount: Share = 1.0
    lam: Share = 0.98
    clip: Annotated[float, Field(gt=0)] = 0.2
    learning_rate: LearningRate = LearningRate()
    entropy: Entropy = Entropy()
    teaching: Teaching = Teaching()
    kl: NotNegative = 0.0
    value: NotNegative = 0.5
    gradient: Annotated[float, Field(gt=0)] = 0.5


class EvaluationConfig(Part):
    """Periodic matches that choose the best agent: one greedy learner (seat or side) among equal opponents, the same deals every time."""

    every: Positive = 1_000_000
    deals: Positive = 500
    opponent: str = "journeyman"
    seed: Seed = 1_000_003


class Config(Part):
    """Everything a training run depends on. Exactly one of `decisions` and `minutes` is its budget."""

    algorithm: Literal["ppo"] = "ppo"
    game: Name
    variant: Name | None = None
    players: Positive | None = None
    options: Options = {}
    decisions: Positive | None = None
    minutes: Annotated[float, Field(gt=0)] | None = None
    horizon: Positive | None = None
    seed: Seed = 0
    workers: Positive = 2
    games: Positive = 1024
    opponents: dict[str, Share] = {}
    teacher: str | None = None
    past_every: Positive = 1_000_000
    average: Share = 0.6
    checkpoint: NotNegative = 30.0
    network: NetworkConfig = NetworkConfig()
    ppo: PPOConfig = PPOConfig()
    evaluation: EvaluationConfig = EvaluationConfig()

    @model_validator(mode="after")
    def _consistent(self) -> "Config":
        if (self.decisions is None) == (self.minutes is None):
            raise ValueError("give exactly one budget, decisions or minutes")
        if sum(self.opponents.values()) > 1 + 1e-9:
            raise ValueError(f"the shares of opponents sum to {sum(self.opponents.values()):g}, more than 1")
        if self.games % self.workers:
            raise ValueError(f"{self.games} games cannot be divided among {self.workers} workers")
        return self


def variant_of(game: str, variant: str | None) -> tuple[registry.Game, str]:
    """The game and the variant's name that a configuration means. `ValueError` if it names two variants."""
    found, chosen = registry.choose(game, variant)
    return found, chosen or next(iter(found.variants))


def find(name: str) -> Path:
    """The file of a configuration: a path, or a name of the form `GAME/ppo` of one that comes with the package."""
    path = Path(name)
    if path.suffix in (".yaml", ".yml"):
        if not path.is_file():
            raise FileNotFoundError(f"no configuration file {name}")
        return path
    root = Path(str(resources.files("tromf.configs")))
    shipped = root / f"{name}.yaml"
    if not shipped.is_file():
        found = (file.relative_to(root).with_suffix("") for file in root.glob("*/*.yaml") if file.parent.name != DEAL_SETS)
        existing = sorted(map(str, found))
        raise FileNotFoundError(f"no configuration {name!r}: there are {', '.join(existing)}, or give the path of a YAML file")
    return shipped


def override(data: dict[str, Any], settings: Sequence[str]) -> dict[str, Any]:
    """Put `key=value` settings (dotted keys, YAML values) over a mapping; a new budget replaces the old one."""
    data = deepcopy(data)
    for setting in settings:
        key, equals, text = setting.partition("=")
        if not equals or not key:
            raise ValueError(f"setting {setting!r} is not of the form key=value")
        try:
            value = None if text == "None" else yaml_value(text)  # None is null to those who write Python
        except ValueError:
            raise ValueError(f"setting {setting!r}: the value is not YAML") from None
        if value == text:  # not a text in quotation marks
            value = _number(text)
        *path, last = key.split(".")
        place = data
        for part in path:
            place = place.setdefault(part, {})
            if not isinstance(place, dict):
                raise ValueError(f"setting {setting!r}: '{part}' holds no keys")
        place[last] = value
        if key in ("decisions", "minutes") and value is not None:
            data.pop("minutes" if key == "decisions" else "decisions", None)
    return data


def _number(text: str) -> Any:
    """YAML takes 1e-3 for a text; a person means a number."""
    try:
        return float(text)
    except ValueError:
        return text


def load(name: str, settings: Sequence[str] = ()) -> Config:
    """A configuration by path or name, with settings put over it."""
    path = find(name)
    return parse(override(read_mapping(path), settings), name, Config)
