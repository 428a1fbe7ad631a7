"""What the solver remembers: classes of positions between two tricks, with bounds of the tricks that side 0 still wins.

A class (partition search, Ginsberg 1996) is given by the suit lengths of all hands, the leader, trumps and contract, and in each suit by
the owners of the highest cards, down to the lowest that mattered in the proof; who holds which of the lower ones makes no difference.
Cards count by their rank among those still out, so a class has members in many deals, and what is remembered is true for ever.

The memory is one array of uint64. First `HEAD` words: classes in it, slots in use, classes and slots it can hold, slots taken; then,
counted for those who measure, cards and tricks begun by the search, and classes looked at. Then slots: one for each combination of suit
lengths, leader, trumps and contract, with `shape, kind, first class`. Then classes, `one, two, mask, info`: bit k of `one` and `two`
belongs to the k-th card out and gives its owner, seats 1 and 3 having the first set, 2 and 3 the second; the members of `mask` matter;
`info` holds the bounds and the next class of the slot. Classes count from 1; 0 means none. A full memory forgets everything.
"""

import numpy as np

from tromf.agents.solver.bits import SUIT
from tromf.envs.jit import EMPTY, ONE, compiled, deposit, extract, mixed

HEAD = 8
SLOT = 3
CLASS = 4
FEW = np.uint64(1 << 10)  # slots of an empty memory
NIBBLE = np.uint64(15)
C4, C8 = np.uint64(4), np.uint64(8)


def new_memory(classes: int = 1 << 20) -> np.ndarray:
    """An empty memory for so many classes, uint64; each costs 32 bytes and half a slot of 24 or more."""
    most = 1 << max(4, (classes // 2).bit_length())
    memory = np.zeros(HEAD + SLOT * most + CLASS * (classes + 1), np.uint64)
    memory[:4] = [0, min(int(FEW), most), classes, most]
    return memory


@compiled
def forget(memory):
    """Empty a memory."""
    memory[HEAD : HEAD + SLOT * np.int64(memory[1])] = EMPTY
    memory[0], memory[1], memory[4] = 0, min(FEW, memory[3]), 0


@compiled
def slot_of(memory, shape, kind):
    """Where the slot of a shape begins; it may be a free one."""
    last = np.int64(memory[1]) - 1
    slot = np.int64(mixed(shape ^ mixed(kind))) & last
    while True:
        place = HEAD + SLOT * slot
        if memory[place + 2] == EMPTY or (memory[place] == shape and memory[place + 1] == kind):
            return place
        slot = (slot + 1) & last


@compiled
def grow(memory):
    """Twice as many slots: few at first, since those in use should lie close together."""
    old = memory[HEAD : HEAD + SLOT * np.int64(memory[1])].copy()
    memory[HEAD : HEAD + len(old)] = EMPTY
    memory[1] *= np.uint64(2)
    for k in range(0, len(old), SLOT):
        if old[k + 2]:
            place = slot_of(memory, old[k], old[k + 1])
            memory[place : place + SLOT] = old[k : k + SLOT]


@compiled
def place_of(memory, number):
    """Where a class begins."""
    return HEAD + SLOT * np.int64(memory[3]) + CLASS * number


@compiled
def known(memory, slot, one, two, out, goal):
    """What a slot says of "side 0 wins `goal` tricks": 1 yes, 0 no, -1 nothing; and the cards that matter, a set."""
    number = np.int64(memory[slot + 2])
    while number:
        memory[7] += ONE
        place = place_of(memory, number)
        info = memory[place + 3]
        mask = memory[place + 2]
        if ((one ^ memory[place]) | (two ^ memory[place + 1])) & mask == EMPTY:
            low, high = np.int64(info & NIBBLE), np.int64(info >> C4 & NIBBLE)
            if low >= goal or high < goal:
                return np.int64(low >= goal), deposit(mask, out)
        number = np.int64(info >> C8)
    return np.int64(-1), EMPTY


@compiled
def upwards(cards, out):
    """In each suit, all cards that are out from the lowest of `cards` upwards: a set."""
    result = EMPTY
    for suit in range(4):
        members = cards & SUIT[suit]
        if members:
            result |= out & SUIT[suit] & ~((members & (~members + ONE)) - ONE)
    return result


@compiled
def remember(memory, shape, kind, one, two, out, cards, low, high):
    """Note bounds for the class in which just the ranks from `cards` upwards matter."""
    mask = extract(upwards(cards, out), out)
    slot = slot_of(memory, shape, kind)
    before, number = np.int64(0), np.int64(memory[slot + 2])
    while number:
        place = place_of(memory, number)
        info = memory[place + 3]
        following = info >> C8
        if mask & ~memory[place + 2] == EMPTY and ((one ^ memory[place]) | (two ^ memory[place + 1])) & mask == EMPTY:
            # The new class contains this one.
            lower, upper = np.int64(info & NIBBLE), np.int64(info >> C4 & NIBBLE)
            if memory[place + 2] == mask:
                low, high = max(low, lower), min(high, upper)
                memory[place + 3] = info & ~np.uint64(255) | np.uint64(low) | np.uint64(high) << C4
                return
            if lower <= low and upper >= high:
                if before:
                    memory[before] = memory[before] & (ONE << C8) - ONE | following << C8
                else:
                    memory[slot + 2] = following
                number = np.int64(following)
                continue
        before, number = place + 3, np.int64(following)
    if memory[0] == memory[2]:
        forget(memory)
        slot = slot_of(memory, shape, kind)
    elif memory[4] * np.uint64(2) > memory[1] and memory[1] < memory[3]:
        grow(memory)
        slot = slot_of(memory, shape, kind)
    elif memory[4] * np.uint64(4) > memory[3] * np.uint64(3):
        forget(memory)
        slot = slot_of(memory, shape, kind)
    if memory[slot] != shape or memory[slot + 1] != kind:
        memory[slot], memory[slot + 1] = shape, kind
        memory[4] += ONE
    memory[0] += ONE
    place = place_of(memory, np.int64(memory[0]))
    memory[place], memory[place + 1], memory[place + 2] = one, two, mask
    memory[place + 3] = np.uint64(low) | np.uint64(high) << C4 | memory[slot + 2] << C8
    memory[slot + 2] = memory[0]
