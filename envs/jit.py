"""Numba with a machine-code cache that can be trusted, and the few instructions on which everything compiled stands.

Numba's own cache looks only at the file of the function it compiles: a loop in one file that calls rules in another
would go on running yesterday's rules. So the cache folder is named after a hash of every source file that takes part in
compilation, that is, of every file that imports this module. Constants that compiled code uses must stand in such a
file. Editing a text or a renderer leaves the cache alone. The folder lies in `$TROMF_CACHE`, or the user's cache folder.
"""

import hashlib
import os
import shutil
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import llvmlite.binding
import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

_KEEP = 3  # cache folders kept: the current one and two older ones, for going back and forth between two branches
_ROOMS = ("envs", "agents", "train", "evaluate", "study")


def _sources() -> list[Path]:
    """Every file of ours that takes part in compilation: those that import this module, and this one."""
    house = Path(__file__).parent.parent
    files = (path for room in _ROOMS for path in sorted((house / room).rglob("*.py")))
    return [path for path in files if path.name == "jit.py" or b"tromf.envs.jit import" in path.read_bytes()]


def _cache_root() -> Path:
    if "TROMF_CACHE" in os.environ:
        return Path(os.environ["TROMF_CACHE"])
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "tromf"


def _cache_dir() -> Path | None:
    """The folder for this state of the sources; None, with a warning, if it cannot be written."""
    digest = hashlib.sha256(b"bounds checked" if os.environ.get("NUMBA_BOUNDSCHECK") == "1" else b"")
    for source in _sources():
        digest.update(source.read_bytes())
    folder = _cache_root() / f"numba-{numba.__version__}-py{sys.version_info[0]}{sys.version_info[1]}-{digest.hexdigest()[:16]}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        warnings.warn(
            f"no cache in {folder} ({error.strerror}): compiling anew in every process; set TROMF_CACHE to a writable folder",
            stacklevel=2,
        )
        return None
    folders = sorted(folder.parent.glob("numba-*"), key=lambda path: path.stat().st_mtime, reverse=True)
    for old in folders[_KEEP:]:
        shutil.rmtree(old, ignore_errors=True)
    return folder


CACHE_DIR = _cache_dir()


def compiled(function: Callable | None = None, **options: Any) -> Any:
    """`numba.njit`, cached in our own folder, without the interpreter's lock.

    The global setting of the cache folder is put back, since other libraries use Numba too.
    """
    if function is None:
        return lambda f: compiled(f, **options)
    options = {"nogil": True, "error_model": "numpy", **options}
    if CACHE_DIR is None:
        return numba.njit(**options)(function)
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(CACHE_DIR)
    try:
        return numba.njit(cache=True, **options)(function)
    finally:
        numba.config.CACHE_DIR = before


@intrinsic
def popcount(typing: Any, x: Any) -> Any:
    """Number of members of a set (one instruction)."""
    return types.uint64(types.uint64), lambda ctx, builder, sig, args: builder.ctpop(args[0])


@intrinsic
def lowest(typing: Any, x: Any) -> Any:
    """Index of the lowest member of a set that is not empty (one instruction)."""
    undefined_for_zero = ir.Constant(ir.IntType(1), 1)
    return types.uint64(types.uint64), lambda ctx, builder, sig, args: builder.cttz(args[0], undefined_for_zero)


@intrinsic
def highest(typing: Any, x: Any) -> Any:
    """Index of the highest member of a set that is not empty (one instruction)."""

    def generate(ctx: Any, builder: Any, sig: Any, args: Any) -> Any:
        zeros = builder.ctlz(args[0], ir.Constant(ir.IntType(1), 1))
        return builder.sub(ir.Constant(ir.IntType(64), 63), zeros)

    return types.uint64(types.uint64), generate


@intrinsic
def assign(typing: Any, target: Any, source: Any) -> Any:
    """Copy a record onto another of the same dtype."""
    if not isinstance(target, types.Record) or target != source:
        return None

    def generate(ctx: Any, builder: Any, sig: Any, args: Any) -> Any:
        cgutils.raw_memcpy(builder, args[0], args[1], ir.Constant(ir.IntType(64), target.size), 1)
        return ctx.get_dummy_value()

    return types.void(target, source), generate


ONE = np.uint64(1)
EMPTY = np.uint64(0)
GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # the step of splitmix64


@compiled
def bit(i):
    """The set of which `i` is the only member."""
    return ONE << np.uint64(i)


@compiled
def thermometer(n):
    """The n lowest bits set, n in 0 … 63: how numbers stand in observation words."""
    return (ONE << np.uint64(n)) - ONE


if llvmlite.binding.get_host_cpu_features().get("bmi2"):

    def _of_two_words(name: str) -> Any:
        """Code that calls an instruction on two words."""

        def generate(ctx: Any, builder: Any, sig: Any, args: Any) -> Any:
            word = ir.IntType(64)
            function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(word, [word, word]), name)
            return builder.call(function, args)

        return generate

    @intrinsic
    def deposit(typing: Any, word: Any, mask: Any) -> Any:
        """Bit k of `word` is put to the k-th lowest member of `mask` (one instruction)."""
        return types.uint64(types.uint64, types.uint64), _of_two_words("llvm.x86.bmi.pdep.64")

    @intrinsic
    def extract(typing: Any, word: Any, mask: Any) -> Any:
        """Bit k of the result is the bit of `word` at the k-th lowest member of `mask` (one instruction)."""
        return types.uint64(types.uint64, types.uint64), _of_two_words("llvm.x86.bmi.pext.64")

else:

    @compiled
    def deposit(word, mask):
        """Bit k of `word` is put to the k-th lowest member of `mask`."""
        result = EMPTY
        while word and mask:
            low = mask & ~(mask - ONE)
            if word & ONE:
                result |= low
            word >>= ONE
            mask ^= low
        return result

    @compiled
    def extract(word, mask):
        """Bit k of the result is the bit of `word` at the k-th lowest member of `mask`."""
        result, place = EMPTY, ONE
        while mask:
            low = mask & ~(mask - ONE)
            if word & low:
                result |= place
            place <<= ONE
            mask ^= low
        return result


@compiled
def nth_bit(members, k):
    """The set whose only member is the k-th lowest of a set, k from 0."""
    return deposit(ONE << np.uint64(k), members)


@compiled
def nth(members, k):
    """Index of the k-th lowest member of a set, k from 0."""
    return lowest(nth_bit(members, k))


@compiled
def mixed(z):
    """A bijection of 64 bits that leaves no visible relation (the finaliser of splitmix64, Steele, Lea & Flood 2014)."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@compiled
def stream(seed, k):
    """The start of the k-th independent random stream of a seed."""
    return mixed(mixed(np.uint64(seed) + GOLDEN) ^ (np.uint64(k) * np.uint64(0xD1342543DE82EF95) + np.uint64(0x632BE59BD9B4E019)))


@compiled
def draw_uint(state):
    """Next 64 random bits of a record's own generator `state.rng` (splitmix64): a game depends on its seed alone."""
    state.rng += GOLDEN
    return mixed(state.rng)


@compiled
def draw_below(state, n):
    """Uniform integer in 0 … n-1 (n far below 2**32, so the bias is below 2**-26)."""
    return ((draw_uint(state) >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32)


@compiled
def draw_unit(state):
    """Uniform number in [0, 1), a multiple of 2**-53."""
    return np.float64(draw_uint(state) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


def generator_before(number: float) -> int:
    """The generator `state.rng` of which `draw_unit` draws a number in [0, 1), up to 2**-53: the way back through `draw_uint`."""
    z = int(number * 2**53) << 11
    z ^= z >> 31 ^ z >> 62
    z = z * pow(0x94D049BB133111EB, -1, 2**64) % 2**64
    z ^= z >> 27 ^ z >> 54
    z = z * pow(0xBF58476D1CE4E5B9, -1, 2**64) % 2**64
    z ^= z >> 30 ^ z >> 60
    return (z - int(GOLDEN)) % 2**64
