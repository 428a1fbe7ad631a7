"""Spans: successive blocks of a match that have been played. They are kept, in a folder if wanted, so that an evaluation can go on later.

A span knows nothing of how the work was divided; whatever was played is used again, whatever number of threads, or size of the batch,
plays the rest.
"""

import time
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from tromf.envs.files import written_whole
from tromf.evaluate.outcome import FIELDS, Outcome

SECONDS = 5.0  # of work that may be lost when the process is killed

Range = tuple[int, int]  # the first block and the one after the last


class Spans:
    """What has been played of every match; in memory only, or also in files of a folder.

    Args:
        folder: where finished spans are written, some seconds' worth a file; those found there count as played.

    Raises `OSError` or `ValueError`, in one line, for files that cannot be read.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        self._waiting: dict[str, np.ndarray] = {}
        self._written = time.monotonic()
        self._found: dict[int, list[tuple[Range, Path]]] = {}
        for path in sorted(folder.glob("spans-*.npz")) if folder is not None else []:
            with _opened(path) as file:
                for key in file.files:
                    match, first, end, field = key.split(" ")
                    if field == FIELDS[0]:
                        self._found.setdefault(int(match), []).append(((int(first), int(end)), path))
        self._next = 1 + max((int(path.stem.split("-")[1]) for path in folder.glob("spans-*.npz")), default=-1) if folder else 0

    def played(self, match: int) -> list[Range]:
        """The spans of a match that were found in the folder, in order."""
        return sorted(span for span, _ in self._found.get(match, []))

    def fill(self, match: int, outcome: Outcome, first: int) -> None:
        """Write what was found of a match into its outcome, whose blocks begin with number `first`."""
        for (begin, end), path in self._found.get(match, []):
            with _opened(path) as file:
                for field in FIELDS:
                    getattr(outcome, field)[begin - first : end - first] = file[f"{match} {begin} {end} {field}"]

    def add(self, match: int, span: Range, part: Outcome) -> None:
        """A span has been played."""
        if self.folder is None:
            return
        begin, end = span
        self._waiting |= {f"{match} {begin} {end} {field}": getattr(part, field) for field in FIELDS}
        if time.monotonic() - self._written > SECONDS:
            self.flush()

    def flush(self) -> None:
        """Write what waits to be written."""
        if self.folder is not None and self._waiting:
            with written_whole(self.folder / f"spans-{self._next:06}.npz") as beside:
                np.savez_compressed(beside, **self._waiting)  # type: ignore[arg-type]
            self._next += 1
            self._waiting = {}
        self._written = time.monotonic()


def missing(played: list[Range], first: int, end: int) -> list[Range]:
    """The parts of the blocks from `first` to `end` that are in none of the spans, in order."""
    gaps, reached = [], first
    for begin, after in sorted(played):
        if begin > reached:
            gaps.append((reached, min(begin, end)))
        reached = max(reached, after)
    if reached < end:
        gaps.append((reached, end))
    return gaps


@contextmanager
def _opened(path: Path) -> Iterator[np.lib.npyio.NpzFile]:
    """The arrays in a file; `ValueError`, in one line, if they cannot be read, now or in the `with` block."""
    try:
        with path.open("rb") as data, np.load(data) as file:
            yield file
    except (OSError, ValueError, TypeError, AttributeError, KeyError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        told = " ".join(str(error).split())
        raise ValueError(f"{path} cannot be read ({told}): remove it, and its blocks will be played again") from None
