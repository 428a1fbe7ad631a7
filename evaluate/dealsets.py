"""Deal sets: named, versioned deals, so that two people who compare agents compare them on the same ones.

A set is a seed with a name, in a file `configs/deals/NAME.yaml`; its blocks are those that the seed gives (see `blocks`). Beside the seed
stands a digest of its first decks: should a version of the package ever deal otherwise, the set is refused, not silently another one.
"""

import hashlib
from importlib import resources
from pathlib import Path
from typing import Annotated

import numpy as np
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from tromf.envs import registry, schema
from tromf.evaluate.blocks import start

DIGESTED = 100  # blocks whose decks the digest is made of


class DealSet(BaseModel):
    """A set of deals. `pack` is what the option `pack` accepts: null for all cards, a rank, or a list of cards."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    game: str
    version: Annotated[int, Field(ge=1)]
    seed: Annotated[int, Field(ge=0, lt=2**63)]
    blocks: Annotated[int, Field(ge=1)]
    pack: Annotated[str | list[str] | None, BeforeValidator(lambda pack: str(pack) if type(pack) is int else pack)] = None
    digest: Annotated[str | None, Field(pattern="^[0-9a-f]{16}$")] = None
    name: str

    def check(self, game: registry.Game, blank: np.ndarray, blocks: int) -> None:
        """`ValueError` if these deals are for another game or pack than `blank`'s, are too few, or are no longer what they were."""
        if game.name != self.game:
            raise ValueError(f"deal set {self.name} is for {self.game}, not for {game.name}")
        pack = int(blank["options"]["pack"][0])
        try:
            named = game.pack.reduced(self.pack)
        except ValueError as error:
            raise ValueError(f"deal set {self.name}: {error}") from None
        if named != pack:
            counts = [len(game.pack.members(cards)) for cards in (named, pack)]
            raise ValueError(f"deal set {self.name} is for another pack ({counts[0]} cards; the one played has {counts[1]}): give a seed")
        if blocks > self.blocks:
            raise ValueError(f"deal set {self.name} has {self.blocks:,} deal blocks, fewer than the {blocks:,} wanted: give a seed")
        if self.digest is not None and digest(blank, self.seed) != self.digest:
            raise ValueError(f"deal set {self.name} was made by a version of tromf that deals otherwise: give a seed, or use that version")


def digest(blank: np.ndarray, seed: int) -> str:
    """Names the decks of the first blocks that a seed gives: 16 hexadecimal digits."""
    states = start(blank, 1, seed, 0, DIGESTED)
    return hashlib.sha256(states["deck"][:, : int(states["size"][0])].tobytes()).hexdigest()[:16]


def find(name: str) -> DealSet:
    """A deal set by its name, or in a YAML file of one's own. `OSError` or `ValueError` says in one line what is wrong or what exists."""
    path = Path(name)
    if path.suffix in (".yaml", ".yml"):
        return _read(path)
    shipped = {file.stem: file for file in _folder().glob("*.yaml")}
    if name not in shipped:
        raise ValueError(f"no deal set {name!r}: there are {', '.join(sorted(shipped))}, or give the path of a YAML file")
    return _read(shipped[name])


def of(game: registry.Game, blank: np.ndarray) -> DealSet | None:
    """The newest deal set that comes with the package for a game and the pack of `blank`; None if there is none."""
    pack = int(blank["options"]["pack"][0])
    sets = [found for file in _folder().glob("*.yaml") if (found := _read(file)).game == game.name]
    fitting = [each for each in sets if game.pack.reduced(each.pack) == pack]
    return max(fitting, key=lambda each: each.version, default=None)


def _folder() -> Path:
    return Path(str(resources.files("tromf.configs"))) / "deals"


def _read(path: Path) -> DealSet:
    name = f"deal set {path}"
    try:
        data = schema.read_mapping(path, name)
    except FileNotFoundError:
        raise FileNotFoundError(f"no deal set file {path}") from None
    return schema.parse({"name": path.stem} | data, name, DealSet)
