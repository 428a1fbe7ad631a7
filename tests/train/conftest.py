"""Small training runs for tests."""

from collections.abc import Callable
from typing import Any

import pytest

from tromf.train.config import Config, EvaluationConfig, NetworkConfig, PPOConfig


@pytest.fixture
def tiny() -> Callable[..., Config]:
    """Makes configurations that train for a second."""

    def make(**changes: Any) -> Config:
        values: dict[str, Any] = {
            "game": "mustamaija",
            "decisions": 3000,
            "games": 16,
            "opponents": {"journeyman": 0.3, "past": 0.2},
            "past_every": 700,
            "checkpoint": 0.0,
            "network": NetworkConfig(hidden=[16], precision="float32"),
            "ppo": PPOConfig(segment=32, epochs=2, minibatch=128),
            "evaluation": EvaluationConfig(every=1000, deals=2),
        }
        return Config(**values | changes)

    return make
