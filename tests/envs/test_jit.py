"""The cache of compiled code: named after the sources, kept three deep, and only missed where it cannot be written."""

import os
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

from tromf.envs import jit


@pytest.fixture
def house(tmp_path, monkeypatch):
    """A house of a few sources, with a cache of its own."""
    sources = {
        "envs/jit.py": "here",
        "envs/rules.py": "from tromf.envs.jit import compiled",
        "envs/text.py": "nothing compiled",
        "agents/rule.py": "from tromf.envs.jit import compiled",
    }
    for name, text in sources.items():
        (tmp_path / "house" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "house" / name).write_text(text)
    monkeypatch.setattr(jit, "__file__", str(tmp_path / "house" / "envs" / "jit.py"))
    monkeypatch.setenv("TROMF_CACHE", str(tmp_path / "cache"))
    return tmp_path / "house"


def test_the_cache_follows_compiled_sources_and_no_others(house):
    before = jit._cache_dir()
    (house / "envs" / "text.py").write_text("still nothing compiled")
    assert jit._cache_dir() == before
    (house / "envs" / "rules.py").write_text("from tromf.envs.jit import compiled, bit")
    after = jit._cache_dir()
    assert after != before
    (house / "agents" / "rule.py").write_text("from tromf.envs.jit import compiled, bit")
    assert jit._cache_dir() not in (before, after)


def test_checking_bounds_has_a_cache_of_its_own(house, monkeypatch):
    before = jit._cache_dir()
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    assert jit._cache_dir() != before


def test_three_folders_are_kept(house, tmp_path):
    folders = []
    for number in range(5):
        (house / "envs" / "rules.py").write_text(f"from tromf.envs.jit import compiled  # {number}")
        folders.append(jit._cache_dir())
        os.utime(folders[-1], (number, number + 1_000_000))
    (house / "envs" / "rules.py").write_text("from tromf.envs.jit import compiled  # 3")
    assert jit._cache_dir() == folders[3]
    assert {path for path in (tmp_path / "cache").iterdir() if path.name.startswith("numba-")} <= set(folders[2:])


def test_a_cache_that_cannot_be_written_only_warns(house, tmp_path, monkeypatch):
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    monkeypatch.setenv("TROMF_CACHE", str(blocked / "cache"))
    with pytest.warns(UserWarning, match="no cache in .*; set TROMF_CACHE to a writable folder"):
        assert jit._cache_dir() is None


def test_without_a_cache_everything_still_works(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("no folder")
    code = "from tromf.envs import jit; print(jit.CACHE_DIR, jit.popcount.__name__, jit.compiled(lambda x: x + 1)(2))"
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | {"TROMF_CACHE": str(blocked)}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["None", "popcount", "3"]
    assert "no cache in" in done.stderr


def test_numbas_own_setting_is_put_back():
    import numba

    before = numba.config.CACHE_DIR
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        jit.compiled(lambda x: x)
    assert before == numba.config.CACHE_DIR
    assert jit.CACHE_DIR is None or Path(jit.CACHE_DIR).is_dir()


@jit.compiled
def instructions(members, k, out):
    out[0], out[1], out[2] = jit.popcount(members), jit.lowest(members), jit.highest(members)
    out[3], out[4], out[5] = jit.nth(members, k), jit.bit(k), jit.thermometer(k)


@pytest.mark.parametrize("members", [[0], [63], [3, 17, 40], [0, 1, 62, 63]])
def test_sets(members):
    out = np.zeros(6, np.uint64)
    for k in range(len(members)):
        instructions(np.uint64(sum(1 << member for member in members)), k, out)
        assert out.tolist() == [len(members), members[0], members[-1], members[k], 1 << k, (1 << k) - 1]


@jit.compiled
def draws(generators, n, out):
    for k in range(out.shape[0]):
        out[k] = jit.draw_below(generators[0], n)


def test_draws_are_uniform_and_follow_from_the_seed():
    out = np.zeros((2, 30_000), np.int64)
    for row in out:
        draws(np.array([(7,)], [("rng", np.uint64)]), 6, row)
    assert (out[0] == out[1]).all()
    counts = np.bincount(out[0], minlength=6)
    assert ((counts - 5000) ** 2 / 5000).sum() < 25.7  # 5 degrees of freedom, p = 1e-4


@jit.compiled
def units(generators, out):
    for k in range(out.shape[0]):
        out[k] = jit.draw_unit(generators[0])


def test_unit_draws_lie_between_zero_and_one():
    out = np.zeros(20_000)
    units(np.array([(1,)], [("rng", np.uint64)]), out)
    assert out.min() >= 0
    assert out.max() < 1
    assert abs(out.mean() - 0.5) < 0.01
