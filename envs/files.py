"""Files written as a whole: beside their place, then renamed into it, so that nobody ever sees half of one."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def is_special(path: Path) -> bool:
    """Whether this is a device or a pipe, such as /dev/stdout: something to be written into, never to be replaced."""
    return path.exists() and not path.is_file() and not path.is_dir()


def check_free(folder: Path, overwrite: bool = False) -> None:
    """`ValueError` if there is something in a folder for a report, unless it may be overwritten."""
    if folder.is_dir() and not overwrite and any(folder.iterdir()):
        raise ValueError(f"{folder} exists and is not empty: choose another folder, or write over the report in it with --overwrite")


@contextmanager
def written_whole(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A name beside `path` to write to; it becomes `path` if all goes well, and disappears otherwise.

    Missing folders are made. An `OSError` on the way is raised as one that names `path`.
    """
    path = Path(path)
    beside = path if is_special(path) else path.with_name(f".{os.getpid()}.{path.name}")  # the ending stays: some writers go by it
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield beside
        if beside != path:
            with beside.open("rb") as file:
                os.fsync(file.fileno())
            os.replace(beside, path)
    except OSError as error:
        raise OSError(f"cannot write {path}: {error.strerror or error}") from error
    finally:
        if beside != path:
            beside.unlink(missing_ok=True)


def write_whole(path: str | os.PathLike[str], data: bytes | str) -> None:
    """Write a file as a whole; text as UTF-8."""
    with written_whole(path) as beside:
        beside.write_bytes(data.encode() if isinstance(data, str) else data)
