"""Configurations: what YAML reads as a number and is a name."""

import pytest
import yaml

from tromf.envs.schema import parse
from tromf.train import config, maskable_ppo

BUDGET = {"decisions": 1000}


@pytest.mark.parametrize("model", [config.Config, maskable_ppo.Config])
def test_names_in_digits_are_texts(model):
    read = yaml.safe_load("{game: 101, variant: 101, options: {pack: 9, target: 51}}")
    found = parse(read | BUDGET, "a configuration", model)
    assert (found.game, found.variant, found.options) == ("101", "101", {"pack": "9", "target": 51})
    assert parse(yaml.safe_load(yaml.safe_dump(found.model_dump())), "the same", model) == found


@pytest.mark.parametrize("setting", ["variant=101", "variant='101'", 'variant="101"', "variant= 101"])
def test_a_setting_may_name_a_variant_in_digits(setting):
    data = config.override({"game": "euchre"} | BUDGET, [setting])
    assert parse(data, "a configuration", config.Config).variant == "101"


@pytest.mark.parametrize("value", ["true", "1.5", "[101]"])
def test_other_values_are_no_names(value):
    with pytest.raises(ValueError, match=r"^a configuration: variant: input should "):
        parse(config.override({"game": "euchre"} | BUDGET, [f"variant={value}"]), "a configuration", config.Config)


def test_numbers_in_settings():
    data = config.override({}, ["a=1e-3", "b=0.5", "c=12", "d='1e-3'", "e=None"])
    assert data == {"a": 0.001, "b": 0.5, "c": 12, "d": "1e-3", "e": None}
