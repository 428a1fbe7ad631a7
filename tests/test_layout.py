"""The shape of the house: which room may import which, what an import may load, what is packaged, and what no file may contain."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PYPROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
SETUPTOOLS = tomllib.loads(PYPROJECT)["tool"]["setuptools"]

# Each room and what it may know of ours besides itself. `configs` is data; the folder `tromf` is the front door.
MAY_IMPORT = {
    "configs": set(),
    "envs": set(),
    "agents": {"envs"},
    "train": {"envs", "agents", "configs"},
    "evaluate": {"envs", "agents", "configs"},
    "study": {"envs", "agents", "train", "evaluate", "configs"},
    "tromf": {"envs", "agents", "train", "evaluate", "study", "configs"},
}
ROOMS = [room for room in MAY_IMPORT if (ROOT / room).is_dir()]


def folder_of(package: str) -> Path:
    """Where a package lies according to pyproject.toml."""
    return ROOT / SETUPTOOLS["package-dir"].get(package, package.replace(".", "/"))


def package_of(path: Path) -> str:
    """The package that a source file of a room belongs to: envs/mustamaija/rules.py → tromf.envs.mustamaija."""
    parts = path.relative_to(ROOT).parent.parts
    return ".".join(parts if parts[0] == "tromf" else ("tromf", *parts))


def imported_names(tree: ast.AST, package: str) -> Iterator[str]:
    """Full dotted names of everything a module imports, inside functions and by `import_module("…")` too."""
    for node in ast.walk(tree):
        match node:
            case ast.Import():
                yield from (alias.name for alias in node.names)
            case ast.ImportFrom():
                above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
                origin = ".".join([*above, *([node.module] if node.module else [])])
                yield from (f"{origin}.{alias.name}" for alias in node.names)
            case ast.Call(
                func=ast.Name("import_module" | "__import__") | ast.Attribute(attr="import_module"), args=[ast.Constant(str(name)), *_]
            ):
                yield name


def room_of(name: str) -> str | None:
    """The room that an import enters, or None: other people's packages, and the version, which every room may know."""
    first, _, rest = name.partition(".")
    if first != "tromf":
        return None
    second = rest.split(".")[0]
    if second in ("", "__version__"):
        return None
    return second if second in MAY_IMPORT else "tromf"


def repository_files() -> list[Path]:
    """All files that are in the repository or would be after `git add`."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listing.returncode:
        pytest.skip("not a git repository")
    return [path for name in listing.stdout.split("\0") if name and (path := ROOT / name).is_file() and not path.is_symlink()]


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_knows_only_the_rooms_above_it(room):
    wrong = []
    for path in sorted((ROOT / room).rglob("*.py")):
        for name in imported_names(ast.parse(path.read_text(encoding="utf-8")), package_of(path)):
            place = f"{path.relative_to(ROOT)} imports {name}"
            if name.split(".")[0] in MAY_IMPORT and not name.startswith("tromf"):
                wrong.append(f"{place}: write tromf.{name}")
            elif (entered := room_of(name)) not in {None, room, *MAY_IMPORT[room]}:
                wrong.append(f"{place}: {room} must not know {entered}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    ("code", "room"),
    [
        ("import tromf.agents.rules", "agents"),
        ("from tromf import train", "train"),
        ("from tromf import __version__", None),
        ("import tromf", None),
        ("from .. import evaluate", "evaluate"),
        ("from ..train.ppo import run", "train"),
        ("from .jit import compiled", "envs"),
        ("def f():\n    from tromf.commands import play", "tromf"),
        ("importlib.import_module('tromf.agents')", "agents"),
        ("import numpy.random", None),
    ],
)
def test_the_import_scan_sees(code, room):
    assert [room_of(name) for name in imported_names(ast.parse(code), "tromf.envs")] == [room]


@pytest.mark.parametrize(
    ("module", "unwanted"),
    [
        ("tromf", ["numpy"]),
        ("tromf.__main__", ["torch", "stable_baselines3", "matplotlib", "numba"]),
        ("tromf.envs", ["torch", "stable_baselines3", "matplotlib", "tensorboard"]),
    ],
)
def test_importing_loads_nothing_heavy(module, unwanted):
    code = f"import sys, {module}; print([name for name in {unwanted} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[]", f"import {module} also loads {done.stdout.strip()}"


def test_the_rooms_stand_at_the_top_level():
    missing = [
        name for name in ("envs", "agents", "train", "evaluate", "configs", "notebooks", "tests", "tromf") if not (ROOT / name).is_dir()
    ]
    assert not missing


def test_every_package_listed_is_a_folder_with_python():
    assert [name for name in SETUPTOOLS["packages"] if not (folder_of(name) / "__init__.py").is_file()] == []
    assert set(SETUPTOOLS["package-dir"]) <= set(SETUPTOOLS["packages"])


def test_every_folder_with_python_is_a_package_listed():
    found = {path.parent for room in ROOMS for path in (ROOT / room).rglob("*.py")}
    missing = found - {folder_of(name) for name in SETUPTOOLS["packages"]}
    assert not missing, f"not among the packages of pyproject.toml: {sorted(str(path.relative_to(ROOT)) for path in missing)}"


def test_every_configuration_is_package_data():
    packaged = {path for pattern in SETUPTOOLS["package-data"]["tromf.configs"] for path in (ROOT / "configs").glob(pattern)}
    assert {path for path in (ROOT / "configs").rglob("*") if path.suffix in (".yaml", ".yml", ".safetensors")} == packaged


def test_the_type_checker_sees_every_room():
    links = {path.name: path.resolve() for path in (ROOT / ".types" / "tromf").iterdir()}
    assert links == {room: ROOT / room for room in ROOMS if room != "tromf"}
    checked = tomllib.loads(PYPROJECT)["tool"]["mypy"]["packages"]
    assert set(checked) == {"tromf", *(f"tromf.{room}" for room in links)}


def test_only_the_registry_knows_the_games_by_name():
    """A game is its own folder, its `_v0` module, its deal sets and value functions; nothing else that every game uses names one."""
    games = "|".join(path.parent.name for path in (ROOT / "envs").glob("*/game.py"))
    apart = re.compile(
        rf"envs/registry\.py|(?:envs|agents|configs)/(?:{games})/.*|envs/\w+_v\d+\.py|configs/(?:deals|values)/[\w-]+\.(?:yaml|safetensors)"
    )
    spoken = re.compile(games, re.IGNORECASE)
    assert games
    found = [
        f"{name}:{number}: {line.strip()[:100]}"
        for path in repository_files()
        if (name := str(path.relative_to(ROOT))).split("/")[0] in ROOMS and not apart.fullmatch(name)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if spoken.search(line)
    ]
    assert not found, "\n".join(found)


def test_every_dependency_says_why_it_is_carried():
    project = tomllib.loads(PYPROJECT)["project"]
    requirements = [*project["dependencies"], *(each for extra in project["optional-dependencies"].values() for each in extra)]
    bare = [each for each in requirements if not re.search(rf'^ +"{re.escape(each)}", *# \S', PYPROJECT, re.MULTILINE)]
    assert requirements
    assert not bare, f"no reason given for {bare}"


def test_no_file_names_a_path_of_one_machine():
    machine_path = re.compile(r"(?<![\w.~}])/(?:home|mnt|opt|root|srv|work|Users)/\w|\b[A-Z]:\\Users\b")
    assert machine_path.search("cd " + "/".join(["", "home", "somebody"]))
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}"
        for path in repository_files()
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="ignore").splitlines(), 1)
        if machine_path.search(line)
    ]
    assert not found, "\n".join(found)
