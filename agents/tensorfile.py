"""Safetensors files, read without trusting them."""

from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open


def read(path: Path, framework: str) -> tuple[dict[str, Any], dict[str, str]]:
    """The tensors and the header of a file; `framework` is "pt" or "numpy". `ValueError` or `OSError`, in one line, if it is none."""
    try:
        with safe_open(path, framework=framework) as file:
            return {name: file.get_tensor(name) for name in file.keys()}, dict(file.metadata() or {})  # noqa: SIM118 (it is no mapping)
    except SafetensorError as error:
        raise ValueError(f"{path} is no safetensors file, or a truncated one ({error})") from None
    except TypeError as error:  # numbers that NumPy does not know, such as bfloat16
        raise ValueError(f"{path} holds tensors that cannot be read ({error})") from None
    except OSError as error:
        raise OSError(f"cannot read {path}: {error.strerror or error}") from error
