"""Weights in files: safetensors with a header that says for which game and observation layout they were made.

Nothing is unpickled, so a file of a stranger can be wrong but not dangerous. The header is a flat dictionary of strings:
`format` (`tromf-1`), `kind` (`net` or `sb3`, who can read it), `game`, `layout` (see `layout_hash`), `tromf` (the version that
wrote it), `config` (JSON, what is needed to build the network again), and whatever else the writer adds, such as the `variant` for which
a network was trained.
"""

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save as to_bytes
from torch import Tensor, nn

from tromf import __version__
from tromf.agents import tensorfile
from tromf.envs.files import write_whole
from tromf.envs.registry import Game

FORMAT = "tromf-1"
_REQUIRED = ("kind", "game", "layout", "config")


def layout_hash(game: Game) -> str:
    """Names the observation layout and action numbering of a game: 16 hexadecimal digits.

    It covers the names and widths of the rows, their order, the number of actions and the game's version, which goes up when
    the meaning of a bit or an action changes.
    """
    text = json.dumps([game.name, game.version, game.actions, [[row.name, row.width] for row in game.rows]])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def header_for(game: Game, kind: str, config: Any) -> dict[str, str]:
    """The header of weights for a game; `config` is anything that JSON can hold."""
    return {
        "format": FORMAT,
        "kind": kind,
        "game": game.name,
        "layout": layout_hash(game),
        "tromf": __version__,
        "config": json.dumps(config, sort_keys=True),
    }


def save(path: str | os.PathLike[str], tensors: Mapping[str, Tensor], header: Mapping[str, str]) -> None:
    """Write weights beside the file and rename them into place, so that nobody ever sees half of them. `OSError` names the file."""
    data = to_bytes({name: tensor.detach().cpu().contiguous().clone() for name, tensor in tensors.items()}, dict(header))
    write_whole(path, data)


def read(path: str | os.PathLike[str], game: Game, kind: str | None = None) -> tuple[dict[str, Tensor], dict[str, str]]:
    """Read weights and their header, and check that they are whole, finite, and made for this game (and of this kind).

    `ValueError` or `OSError` in one line that names the file and says what is wrong.
    """
    path = Path(path)
    if not path.is_file():
        raise FileNotFoundError(f"no file {path}" if not path.is_dir() else f"{path} is a folder, not a file of weights")
    tensors, header = tensorfile.read(path, "pt")
    if header.get("format") != FORMAT or any(key not in header for key in _REQUIRED):
        raise ValueError(f"{path} was not written by tromf: its header is not of the form {FORMAT}")
    if kind is not None and header["kind"] != kind:
        raise ValueError(f"{path} holds weights of kind '{header['kind']}', and '{kind}' is wanted: write {header['kind']}:{path}")
    if header["game"] != game.name:
        raise ValueError(f"{path} was made for {header['game']}, not for {game.name}")
    if header["layout"] != layout_hash(game):
        raise ValueError(f"{path} was made for another observation layout of {game.name} ({header['layout']}, now {layout_hash(game)})")
    try:
        json.loads(header["config"])
    except ValueError:
        raise ValueError(f"{path} was not written by tromf: its configuration is no JSON") from None
    for name, tensor in tensors.items():
        if tensor.is_floating_point() and not bool(torch.isfinite(tensor).all()):
            raise ValueError(f"{path} holds numbers that are not finite in '{name}': the training that wrote it had failed")
    return tensors, header


def load_into(module: nn.Module, tensors: Mapping[str, Tensor], path: str | os.PathLike[str]) -> None:
    """Copy weights into a module; `ValueError`, in one line, if names, shapes or types do not fit."""
    wanted = module.state_dict()
    missing, foreign = sorted(wanted.keys() - tensors.keys()), sorted(tensors.keys() - wanted.keys())
    if missing or foreign:
        faults = [f"{word}: {', '.join(names[:3])}" for word, names in (("missing", missing), ("unknown", foreign)) if names]
        raise ValueError(f"{path} does not fit the network its header describes ({'; '.join(faults)})")
    for name, tensor in tensors.items():
        found, due = (f"{tuple(each.shape)} {each.dtype}".replace("torch.", "") for each in (tensor, wanted[name]))
        if found != due:
            raise ValueError(f"{path}: '{name}' is {found}, and in the network its header describes {due}")
    module.load_state_dict(dict(tensors))
