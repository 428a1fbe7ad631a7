"""Observation words: what a row of a game's table is, and their expansion into 0/1 vectors."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from tromf.envs.jit import EMPTY, GOLDEN, ONE, compiled, mixed


class Row(NamedTuple):
    """One `uint64` word of an observation: its name, how many of its lowest bits are used, and what they mean."""

    name: str
    width: int
    meaning: str


def pack(layout: Mapping[str, int], parts: Mapping[str, int]) -> int:
    """A word of several parts, the first lowest: `layout` gives the width of each, `parts` its value."""
    word, shift = 0, 0
    for name, width in layout.items():
        word |= int(parts[name]) << shift
        shift += width
    return word


@compiled(forceinline=True)
def to_the_left(seat, of, players):
    """How many seats clockwise after another a seat is."""
    distance = np.int64(seat) - np.int64(of)
    return distance + players if distance < 0 else distance


@compiled
def digest(words, start):
    """A hash of words, (W,) uint64, and of a number to begin with."""
    result = np.uint64(start)
    for w in range(words.shape[0]):
        result = (result ^ words[w]) * GOLDEN
        result ^= result >> np.uint64(29)
    return mixed(result)


@intrinsic
def _store_bits(typing: Any, out: Any, index: Any, word: Any) -> Any:
    """Write the 64 bits of a word as 64 bytes 0/1 from `out[index]` on, lowest bit first: two instructions on AVX-512."""

    def generate(ctx: Any, builder: Any, sig: Any, args: Any) -> Any:
        array = ctx.make_array(sig.args[0])(ctx, builder, args[0])
        place = builder.gep(array.data, [args[1]])
        bits = builder.bitcast(args[2], ir.VectorType(ir.IntType(1), 64))
        as_bytes = ir.VectorType(ir.IntType(8), 64)
        builder.store(builder.zext(bits, as_bytes), builder.bitcast(place, as_bytes.as_pointer()), align=1)
        return ctx.get_dummy_value()

    return types.void(out, types.int64, types.uint64), generate


@compiled
def expand(words, widths, out):
    """Write the used bits of each row's words, (N, W) uint64, as 0/1, (N, sum of widths) int8, lowest bit first.

    The rows' bits are put one after the other into chunks of 64, and chunks are written; the last one reaches back as far as needed.
    """
    bits = np.int64(0)
    for w in range(widths.shape[0]):
        bits += widths[w]
    if words.shape[0] and out.shape[1] != bits:
        raise ValueError("expand: the vectors are not as long as the rows' widths together")
    for i in range(words.shape[0]):
        vector, place, filled, chunk, before = out[i], np.int64(0), np.int64(0), EMPTY, EMPTY
        for w in range(widths.shape[0]):
            word, width = words[i, w], widths[w]
            chunk |= word << np.uint64(filled)
            filled += width
            if filled >= 64:
                _store_bits(vector, place, chunk)
                place += 64
                filled -= 64
                before = chunk
                chunk = word >> np.uint64(width - filled) if filled else EMPTY
        if bits < 64:
            for k in range(bits):
                vector[k] = (chunk >> np.uint64(k)) & ONE
        elif filled:
            _store_bits(vector, bits - 64, (chunk << np.uint64(64 - filled)) | (before >> np.uint64(filled)))


@compiled
def spread_masks(masks, out):
    """Write legal sets, (k,) uint64, as booleans or 0/1 bytes, (k, actions)."""
    for i in range(masks.shape[0]):
        for a in range(out.shape[1]):
            out[i, a] = (masks[i] >> np.uint64(a)) & ONE != EMPTY
