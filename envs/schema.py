"""What people write or edit, read with YAML and pydantic: one line says which key is wrong and what is accepted."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, get_args

import yaml

if TYPE_CHECKING:
    from pydantic import BaseModel

Model = TypeVar("Model", bound="BaseModel")


def yaml_value(text: str) -> Any:
    """A value as YAML reads it; `ValueError`, which may take several lines, if it is none, be it a date that there is not."""
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ValueError(getattr(error, "problem", None) or str(error)) from error


def read_mapping(path: Path, name: str | None = None) -> dict[str, Any]:
    """A YAML file that is a mapping; `ValueError` says in one line, which begins with `name` or the path, what is wrong with it."""
    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (yaml.YAMLError, ValueError) as error:  # the latter for wrong letters, or a date that there is not
        raise ValueError(f"{name or path} is not YAML: {' '.join(str(error).split())}") from None
    if not isinstance(data, dict):
        raise ValueError(f"{name or path} is not a mapping of keys to values")
    return data


def parse(data: dict[str, Any], name: str, model: type[Model]) -> Model:
    """A mapping as a model; `ValueError` in one line begins with `name` and the key, and says what is accepted."""
    from pydantic import ValidationError  # not for those who only read values

    try:
        return model.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        message = first["msg"].removeprefix("Value error, ")
        if first["type"] == "extra_forbidden":
            message = f"unknown key; there are {', '.join(_keys_beside(model, first['loc']))}"
        raise ValueError(f"{name}: {key + ': ' if key else ''}{message[0].lower()}{message[1:]}") from None


def _keys_beside(model: Any, location: tuple[int | str, ...]) -> list[str]:
    """The keys accepted where an unknown one stands."""
    for part in location[:-1]:
        model = model.model_fields[part].annotation if hasattr(model, "model_fields") else get_args(model)[-1]
    return sorted(model.model_fields)
