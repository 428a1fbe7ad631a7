"""Files written as a whole: beside their place, then renamed into it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def written_whole(path: str | Path) -> Iterator[Path]:
    """A name beside `path` to write to; it becomes `path` if all goes well, and disappears otherwise. Missing folders are made."""
    path = Path(path)
    if path.exists() and not path.is_file() and not path.is_dir():  # a device or a pipe, never to be replaced
        yield path
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{os.getpid()}.{path.name}")  # the ending stays, since some writers go by it
    try:
        yield beside
        os.replace(beside, path)
    except OSError as error:
        error.filename, error.filename2 = str(path), None  # the name the user knows
        raise
    finally:
        beside.unlink(missing_ok=True)
