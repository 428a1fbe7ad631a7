"""Files people write or edit, read with pydantic: one line says which key is wrong and what is accepted."""

from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError

Model = TypeVar("Model", bound=BaseModel)


def parse(data: dict[str, Any], name: str, model: type[Model]) -> Model:
    """A mapping as a model; `ValueError` in one line begins with `name` and the key, and says what is accepted."""
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
