"""The games of an evaluation as a table, `blocks.parquet`, for anybody's own statistics.

One row a (match, block, seating, seat), in this order:

    match     int32    number of the match, as in the metadata
    block     int64    number of the deal block; its dealer is seat `block` modulo the number of seats
    seating   int16    number of the seating within the match
    seat      int8
    agent     text     who sits there
    return    float64  of the seat
    lost      bool     whether the seat lost its deal: as its loser, or in games without one by a negative return
    cut_off   bool     whether the game was ended by a limit
    decisions int32    of the game, forced ones too

The metadata of the file has a key `tromf`: JSON with all that the games depend on (`Setting.described`). The same evaluation gives the
same bytes, from the same version of pyarrow.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from tromf.evaluate.outcome import Outcome

ROWS = 1 << 20  # of a row group, at most

_FIELDS = {
    "match": pa.int32(),
    "block": pa.int64(),
    "seating": pa.int16(),
    "seat": pa.int8(),
    "agent": pa.dictionary(pa.int32(), pa.string()),
    "return": pa.float64(),
    "lost": pa.bool_(),
    "cut_off": pa.bool_(),
    "decisions": pa.int32(),
}


class Writer:
    """Writes the outcomes of matches, one after the other, as they come; a context."""

    def __init__(self, path: Path, names: Sequence[str], settings: Mapping[str, Any]) -> None:
        metadata = {"tromf": json.dumps(settings, ensure_ascii=False, default=str)}
        self._schema = pa.schema([pa.field(name, kind, nullable=False) for name, kind in _FIELDS.items()], metadata)
        self._names, self._match = pa.array(names, pa.string()), 0
        self._file = parquet.ParquetWriter(path, self._schema, compression="zstd")

    def __enter__(self) -> "Writer":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._file.close()

    def write(self, outcome: Outcome) -> None:
        """Write the next match."""
        blocks, seatings, players = outcome.returns.shape
        step = max(1, ROWS // (seatings * players))
        for first in range(0, blocks, step):
            part = slice(first, min(blocks, first + step))
            count = part.stop - first
            by_game = [np.repeat(values[part].reshape(-1), players) for values in (outcome.truncated, outcome.decisions)]
            columns = [
                np.full(count * seatings * players, self._match, np.int32),
                np.repeat(np.arange(first, part.stop), seatings * players),
                np.tile(np.repeat(np.arange(seatings, dtype=np.int16), players), count),
                np.tile(np.arange(players, dtype=np.int8), count * seatings),
                pa.DictionaryArray.from_arrays(np.tile(outcome.seatings.reshape(-1).astype(np.int32), count), self._names),
                outcome.returns[part].reshape(-1),
                outcome.lost[part].reshape(-1),
                *by_game,
            ]
            self._file.write_table(pa.table(columns, schema=self._schema))
        self._match += 1
