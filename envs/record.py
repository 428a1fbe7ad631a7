"""Game records: one JSON object a line, written by `tromf play` and evaluations, read by `tromf replay`.

A record says all that is needed to play the episode again, and what came of it:

    {"game": "euchre", "version": 0, "variant": "standard", "options": {"players": 4, …}, "seed": 7, "deck": ["9H", …], "dealer": 2,
     "agents": ["human", "expert", …], "actions": [24, 3, …], "texts": ["pass", "lay QC", …], "returns": [-1.0, 1.0, …]}

`version` is that of the game's rules (the 0 of `euchre_v0`); `options` holds every option, the variant's among them.
"""

import json
import os
from collections.abc import Generator, Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from tromf.envs import registry
from tromf.envs.batch import BatchEnv, IllegalAction
from tromf.envs.files import write_whole
from tromf.envs.options import unknown
from tromf.envs.registry import Game

_TOLERANCE = 1e-9


@dataclass(frozen=True)
class Record:
    """An episode played to its end. `options`: all of them. `agents`: what played each seat. `returns`: by seat.

    `deck`: a list of cards; a list of decks where others than those of the seed were given for later deals of the episode.
    """

    game: str
    version: int
    variant: str
    options: dict[str, Any]
    seed: int
    deck: list[str] | list[list[str]]
    dealer: int
    agents: list[str]
    actions: list[int]
    texts: list[str]
    returns: list[float]


def of(game: Game, variant: str | None, options: dict[str, Any], start: Any, actions: Sequence[int], agents: Sequence[str]) -> Record:
    """The record of an episode.

    Args:
        variant, options: as given to `game.states`. start: the state right after the deal (its seed, deck and dealer are kept).
        actions: all decisions, forced ones too. agents: a spec for each seat.
    Raises `ValueError` for actions that are not legal or do not end the episode.
    """
    values = game.values(variant, **options)
    size = int(start["size"])
    given = int(start["given"]) if game.later_decks else 0
    decks = [[game.pack.texts[int(card)] for card in deck[:size]] for deck in (start["deck"], *(start["decks"][:given] if given else ()))]
    actions = [int(action) for action in actions]
    record = Record(
        game=game.name,
        version=game.version,
        variant=variant or next(iter(game.variants)),
        options={name: _plain(value) for name, value in values.items()},
        seed=int(start["seed"]),
        deck=decks if given else decks[0],
        dealer=int(start["dealer"]),
        agents=list(agents),
        actions=actions,
        texts=[],
        returns=[],
    )
    texts: list[str] = []
    env = _begin(record, game)
    for k, action in enumerate(actions):
        texts.append(game.action_text(env.states[0], action))
        _step(env, k, action)
    if not env.done[0]:
        raise ValueError(f"the episode has not ended after {len(actions)} decisions")
    return Record(**(asdict(record) | {"texts": texts, "returns": env.returns[0].tolist()}))


def write(path: str | Path, records: Iterable[Record], *, append: bool = True) -> None:
    """Write records to a file, missing folders are made.

    Appending writes all of them at once, behind a line of their own if the last one is torn; should the disk be full, the
    file is left as it was. Without `append` the file is written beside its place and renamed into it.
    """
    path = Path(path)
    data = "".join(json.dumps(asdict(record), ensure_ascii=False) + "\n" for record in records).encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    if append:
        _append(path, data)
        return
    write_whole(path, data)


def read(path: str | Path) -> Generator[Record, None, None]:
    """The records of a file, one after the other; `ValueError` names file and line of one that is none."""
    with open(path, "rb") as lines:
        for number, line in enumerate(lines, 1):
            try:
                yield parse(line)
            except ValueError as error:
                raise ValueError(f"{path}, line {number}: {error}") from None


def parse(line: str | bytes) -> Record:
    """The record in a line; `ValueError` says in one line why there is none."""
    try:
        value = json.loads(line)
    except (json.JSONDecodeError, UnicodeDecodeError):
        raise ValueError("no JSON object (is the line torn?)") from None
    if not isinstance(value, dict):
        raise ValueError("no JSON object")
    names = [field.name for field in fields(Record)]
    missing, foreign = [name for name in names if name not in value], [name for name in value if name not in names]
    if missing or foreign:
        raise ValueError("; ".join(f"{what}: {', '.join(found)}" for what, found in (("missing", missing), ("unknown", foreign)) if found))
    for name, accepts in _ACCEPTS.items():
        if not accepts[1](value[name]):
            raise ValueError(f"'{name}' is no {accepts[0]}")
    record = Record(**value)
    game, _ = registry.find(record.game)
    if record.version != game.version:
        raise ValueError(f"record of {record.game} by rules of version {record.version}, and these are version {game.version}")
    for name in record.options:
        if name not in {option.name for option in game.options}:
            raise unknown("option", name, [option.name for option in game.options])
    players = game.values(record.variant, **record.options)["players"] if "players" in record.options else None
    for name in ("agents", "returns"):
        if players is not None and len(value[name]) != players:
            raise ValueError(f"'{name}' has {len(value[name])} entries for {players} players")
    if len(record.texts) != len(record.actions):
        raise ValueError(f"{len(record.texts)} texts for {len(record.actions)} actions")
    return record


def replay(record: Record) -> np.ndarray:
    """The states of a recorded episode, (decisions + 1,) records: after the deal, and after each decision.

    `ValueError` if the deck, an action or its text does not fit the rules, or the returns are not those recorded.
    """
    game, _ = registry.find(record.game)
    env = _begin(record, game)
    states = [env.states[0].copy()]
    for k, (action, text) in enumerate(zip(record.actions, record.texts, strict=True)):
        if 0 <= action < game.actions and not env.done[0] and game.action_text(env.states[0], action) != text:
            raise ValueError(
                f"decision {k + 1}: action {action} is '{game.action_text(env.states[0], action)}', and the record says {text!r}"
            )
        _step(env, k, action)
        states.append(env.states[0].copy())
    if not env.done[0]:
        raise ValueError(f"the record stops after {len(record.actions)} decisions, before the episode ends")
    if not np.allclose(env.returns[0], record.returns, rtol=0, atol=_TOLERANCE):
        raise ValueError(f"returns are {env.returns[0].tolist()}, and the record says {record.returns}")
    return np.array(states, game.state)


def _begin(record: Record, game: Game) -> BatchEnv:
    env = BatchEnv(game, 1, variant=record.variant, **record.options)
    env.reset(seeds=np.array([record.seed], np.uint64), decks=[record.deck], dealers=[record.dealer])
    return env


def _step(env: BatchEnv, k: int, action: int) -> None:
    if env.done[0]:
        raise ValueError(f"decision {k + 1}: the episode has ended before it")
    try:
        env.step(np.array([action]))
    except IllegalAction as error:
        raise ValueError(f"decision {k + 1}: {str(error).removeprefix('row 0: ')}") from None


def _append(path: Path, data: bytes) -> None:
    with open(path, "ab+", buffering=0) as file:
        end = file.seek(0, os.SEEK_END)
        if end:
            file.seek(end - 1)
            if file.read(1) != b"\n":
                data = b"\n" + data
        try:
            written = file.write(data)
            if written != len(data):
                raise OSError(28, "only a part could be written", str(path))
        except OSError as error:
            with suppress(OSError):  # of a device
                file.truncate(end)
            error.filename = str(path)
            raise


def _plain(value: Any) -> Any:
    """An option's value as JSON has it."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, (list, tuple, np.ndarray)):
        return [_plain(each) for each in value]
    return value


def _integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _list_of(accepted: Any) -> Any:
    return lambda value: isinstance(value, list) and all(map(accepted, value))


def _text(value: Any) -> bool:
    return isinstance(value, str)


_ACCEPTS: dict[str, tuple[str, Any]] = {
    "game": ("text", _text),
    "version": ("integer", _integer),
    "variant": ("text", _text),
    "options": ("object", lambda value: isinstance(value, dict)),
    "seed": ("integer 0 … 2**64 - 1", lambda value: _integer(value) and 0 <= value < 2**64),
    "deck": ("list of cards, or of such lists", lambda value: _list_of(_text)(value) or _list_of(_list_of(_text))(value)),
    "dealer": ("integer", _integer),
    "agents": ("list of texts", _list_of(_text)),
    "actions": ("list of integers below 2**63", _list_of(lambda value: _integer(value) and abs(value) < 2**63)),
    "texts": ("list of texts", _list_of(_text)),
    "returns": ("list of numbers", _list_of(lambda value: isinstance(value, (int, float)) and not isinstance(value, bool))),
}
