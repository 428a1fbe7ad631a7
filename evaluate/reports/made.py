"""How a report was made: the section at the end of every one."""

import importlib.metadata
import platform
import shlex
import sys
from pathlib import Path

from tromf.evaluate.reports.page import Code, Section

PACKAGES = ("tromf", "numpy", "numba", "torch")


def section(command: str | None, *more: str) -> Section:
    """The command, by default this process's, and versions; paragraphs may follow."""
    return Section("How this was made", [Code(command or this_command()), f"{versions()}.", *more])


def this_command() -> str:
    """The command line of this process, without the folder of the program."""
    return shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]])


def versions() -> str:
    """One line: the versions of what computed, and the machine."""
    found = [f"Python {platform.python_version()}"]
    for package in PACKAGES:
        try:
            found.append(f"{package} {importlib.metadata.version(package)}")
        except importlib.metadata.PackageNotFoundError:
            continue
    return f"{', '.join(found)}; {platform.system()} {platform.machine()}"
