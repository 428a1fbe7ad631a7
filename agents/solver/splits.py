"""What the search of low hands and solos remembers: bounds for classes of positions between two tricks.

A class is given by the suit lengths of all hands, the leader, what is played and how many tricks are looked at, and by *splits*. A split
cuts a suit in two below one of its cards that are still out. All positions belong to the class that have, between any two neighbouring
splits, as many cards of each hand: who holds which of them makes no difference. This is the partition search of Ginsberg (1996), which
cuts each suit once, at the lowest rank that mattered; here any number of places may matter, as low cards do where tricks are avoided.

Cards count by their rank among those still out, so a class has members in many deals, and what is remembered is true for ever.

The memory is one array of uint64: `HEAD` words of head (the number of the next entry, entries it can hold), then the slots, as many as
entries, then the entries. A slot holds the number of the newest entry with its hash; numbers begin at 1 and always rise, an entry lies at
its number modulo their count, and so the oldest are overwritten when the memory is full. An entry is `shape, info, splits, one, two`: bit
k of the last three belongs to the k-th lowest card that is out; seats 1 and 3 have `one`, 2 and 3 `two`. `info` holds the key, the bound
and the number of the next older entry of the slot.
"""

import numpy as np

from tromf.envs.jit import EMPTY, ONE, compiled, lowest, mixed, popcount

HEAD = 8
ENTRY = 5
LOOKS = 100  # entries of one shape that are looked at: more cost more time than they save
NIBBLE = np.uint64(15)
KEY = np.uint64(0x3FF)
BOUND, LOWER, OLDER = np.uint64(10), np.uint64(14), np.uint64(16)  # where in `info` these begin
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


def new_memory(entries: int = 1 << 20) -> np.ndarray:
    """An empty memory for so many entries, rounded down to a power of two; each costs 48 bytes."""
    entries = 1 << max(4, entries.bit_length() - 1)
    memory = np.zeros(HEAD + (1 + ENTRY) * entries, np.uint64)
    memory[:2] = 1, entries
    return memory


@compiled
def forget(memory):
    """Empty a memory."""
    memory[0] = ONE
    memory[HEAD : HEAD + np.int64(memory[1])] = EMPTY


@compiled
def slot_of(memory, shape, key):
    """Where the slot lies."""
    return HEAD + np.int64(mixed(shape ^ mixed(key)) & (memory[1] - ONE))


@compiled
def place_of(memory, number):
    """Where an entry begins."""
    return HEAD + np.int64(memory[1]) + ENTRY * np.int64(number & (memory[1] - ONE))


@compiled
def same_class(one, two, other_one, other_two, splits):
    """Whether every hand has as many cards above each split in two positions of the same shape."""
    both, other_both = one & two, other_one & other_two
    while splits:
        above = ALL << lowest(splits)
        if (
            popcount(one & above) != popcount(other_one & above)
            or popcount(two & above) != popcount(other_two & above)
            or popcount(both & above) != popcount(other_both & above)
        ):
            return False
        splits &= splits - ONE
    return True


@compiled
def known(memory, shape, key, one, two, goal):
    """What is known of "the number is at least `goal`": 1 yes, 0 no, -1 nothing; and its splits, by rank among the cards out."""
    oldest = memory[0] - min(memory[0], memory[1])
    number = memory[slot_of(memory, shape, key)]
    looks = 0
    while number > oldest and looks < LOOKS:
        place = place_of(memory, number)
        info = memory[place + 1]
        if memory[place] == shape and info & KEY == key:
            looks += 1
            bound, lower = np.int64(info >> BOUND & NIBBLE), np.int64(info >> LOWER & ONE)
            if (bound >= goal) == (lower == 1) and same_class(one, two, memory[place + 3], memory[place + 4], memory[place + 2]):
                return lower, memory[place + 2]
        number = info >> OLDER
    return np.int64(-1), EMPTY


@compiled
def remember(memory, shape, key, one, two, splits, lower, bound):
    """Note that the number is at least (`lower` 1) or at most (0) `bound` in a class."""
    number = memory[0]
    slot = slot_of(memory, shape, key)
    place = place_of(memory, number)
    memory[place] = shape
    memory[place + 1] = key | np.uint64(bound) << BOUND | np.uint64(lower) << LOWER | memory[slot] << OLDER
    memory[place + 2], memory[place + 3], memory[place + 4] = splits, one, two
    memory[slot] = number
    memory[0] = number + ONE
