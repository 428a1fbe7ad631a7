"""Folders of reports while they are being made: an evaluation that was interrupted goes on where it was."""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tromf.envs.files import check_free, write_whole
from tromf.evaluate.storage.spans import Spans

FOLDER, SETTINGS = "unfinished", "settings.json"  # within a folder for a report


def check(folder: Path, overwrite: bool = False) -> None:
    """`ValueError` if a folder holds anything but an evaluation that was interrupted, unless it may be overwritten."""
    if not (folder / FOLDER / SETTINGS).is_file():
        check_free(folder, overwrite)


def begin(folder: Path, settings: Mapping[str, Any], overwrite: bool = False) -> Spans:
    """Begin an evaluation with these settings in a folder, or go on with it; what has been played is kept there.

    `ValueError`, in one line, if the folder holds anything else and must not be overwritten.
    """
    check(folder, overwrite)
    place = folder / FOLDER
    text = json.dumps(settings, indent=2, ensure_ascii=False, default=str) + "\n"
    if overwrite and (place / SETTINGS).is_file() and _read(place / SETTINGS) != json.loads(text):
        shutil.rmtree(place)
    if (place / SETTINGS).is_file():
        found, wanted = _read(place / SETTINGS), json.loads(text)
        different = [key for key in wanted if found.get(key) != wanted[key]]
        if different:
            raise ValueError(
                f"{folder} holds an unfinished evaluation with other settings ({', '.join(different)}): "
                "give those, choose another folder, or drop it with --overwrite"
            )
    else:
        write_whole(place / SETTINGS, text)
    return Spans(place)


def end(folder: Path) -> None:
    """The report is written; what was kept for going on is not needed any more, nor what a killed process left half written."""
    if (folder / FOLDER / SETTINGS).is_file():
        shutil.rmtree(folder / FOLDER)
        for beside in folder.glob(".*.*"):  # `.PID.name`, see `envs.files`
            _, number, name = beside.name.split(".", 2)
            if number.isdecimal() and (folder / name).is_file():
                beside.unlink()


def _read(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
