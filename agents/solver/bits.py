"""Instructions on sets of cards that the solver stands on: a suit's cards, and pulling the members of one set together.

`extract` numbers the members of a mask from 0 and gives the set of those numbers that are in a word: so cards become relative ranks.
`deposit` is the way back.
"""

from typing import Any

import llvmlite.binding
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from tromf.envs.jit import EMPTY, ONE, compiled, highest

SUIT = np.array([0x1FFF << 13 * suit for suit in range(4)], np.uint64)

if llvmlite.binding.get_host_cpu_features().get("bmi2"):

    def _instruction(name: str) -> Any:
        def generate(ctx: Any, builder: Any, sig: Any, args: Any) -> Any:
            word = ir.IntType(64)
            function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(word, [word, word]), name)
            return builder.call(function, args)

        return generate

    @intrinsic
    def extract(typing: Any, word: Any, mask: Any) -> Any:
        """Bit k of the result is the bit of `word` at the k-th lowest member of `mask` (one instruction)."""
        return types.uint64(types.uint64, types.uint64), _instruction("llvm.x86.bmi.pext.64")

    @intrinsic
    def deposit(typing: Any, word: Any, mask: Any) -> Any:
        """Bit k of `word` is put to the k-th lowest member of `mask` (one instruction)."""
        return types.uint64(types.uint64, types.uint64), _instruction("llvm.x86.bmi.pdep.64")

else:

    @compiled
    def extract(word, mask):
        """Bit k of the result is the bit of `word` at the k-th lowest member of `mask`."""
        result, place = EMPTY, ONE
        while mask:
            low = mask & (~mask + ONE)
            if word & low:
                result |= place
            place <<= ONE
            mask ^= low
        return result

    @compiled
    def deposit(word, mask):
        """Bit k of `word` is put to the k-th lowest member of `mask`."""
        result = EMPTY
        while mask:
            low = mask & (~mask + ONE)
            if word & ONE:
                result |= low
            word >>= ONE
            mask ^= low
        return result


@compiled
def tops(out):
    """The highest card of each suit: a set."""
    result = EMPTY
    for suit in range(4):
        cards = out & SUIT[suit]
        if cards:
            result |= ONE << highest(cards)
    return result


@compiled
def leaders_of_sequences(hand, out, top):
    """The highest card of each sequence in a hand; cards are in sequence if no other card that is out stands between them."""
    mine = extract(hand, out)
    return deposit(mine & ~(mine >> ONE & ~extract(top, out)), out)


@compiled
def sequence_end(card, hand, out):
    """The lowest card, as a set, of the sequence in a hand that a card leads."""
    below = out & SUIT[card // 13] & ((ONE << np.uint64(card)) - ONE)
    end = ONE << np.uint64(card)
    while below:
        low = ONE << highest(below)
        if not hand & low:
            break
        end = low
        below ^= low
    return end
