"""What the search of low hands and solos remembers: its answers for classes of positions between two tricks.

A class is given by the suit lengths of all hands, the leader, what is played and what is asked (together the *key*), and by *splits*. A
split cuts a suit in two below one of its cards that are still out. All positions belong to the class that have, between any two
neighbouring splits, as many cards of each hand: who holds which of them makes no difference. This is the partition search of Ginsberg
(1996), which cuts each suit once, at the lowest rank that mattered; here any number of places may matter, as low cards do where tricks
are avoided.

Cards count by their rank among those still out, so a class has members in many deals, and what is remembered is true for ever.

A key is that of one question (so many tricks), though a yes to more tricks would answer it too: few answers are lost by that, the lists
of entries are half as long, and more of them are looked at to their end. Whole deals take half the time.

The memory is one array of uint64: `HEAD` words of head (the number of the next block, slots, blocks; then, for those who measure, cards
tried by the search), then the slots, then the blocks. An entry is `splits, one, two`: bit k of each belongs to the k-th lowest card that
is out; seats 1 and 3 have `one`, 2 and 3 `two`; bit `YES` of the splits is the answer. A slot, 128 bytes, is `key, link`, four entries and
the lead that did it last time; a block, 512 bytes, `link` and 21 entries. A link is how many entries there are and the number of the next
block. Blocks are numbered from 1 and used in turn: a number too far behind has been overwritten.
"""

import numpy as np

from tromf.agents.solver.bits import SUIT
from tromf.envs.jit import EMPTY, ONE, compiled, lowest, mixed, popcount

HEAD = 8
SLOT, IN_SLOT = 16, 4
HINT = 14  # where in a slot the lead stands
BLOCK, IN_BLOCK = 64, 21
PROBES = 4  # slots in which a key may be
LOOKS = 200  # entries that are looked at: more cost more time than they save
YES = np.uint64(52)
SPLITS = np.uint64((1 << 52) - 1)
BYTE = np.uint64(255)
TWO, FOUR, EIGHT = np.uint64(2), np.uint64(4), np.uint64(8)
ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


def new_memory(entries: int = 1 << 21) -> np.ndarray:
    """An empty memory for about so many entries, rounded down to a power of two; each costs 40 bytes."""
    slots = 1 << max(3, (entries // 16).bit_length() - 1)
    words = HEAD + (SLOT + BLOCK) * slots
    space = np.zeros(words + SLOT, np.uint64)
    begin = -(space.ctypes.data // 8) % SLOT  # slots and blocks fill whole lines of the processor's cache
    memory = space[begin : begin + words]
    memory[:3] = 1, slots, slots
    return memory


@compiled
def forget(memory):
    """Empty a memory."""
    memory[0] = ONE
    memory[HEAD : HEAD + SLOT * np.int64(memory[1])] = EMPTY


@compiled
def key_of(hands, seat, number, contract):
    """The key of a position: `contract` (four bits, with the soloist), suit lengths, leader, and a number of four bits."""
    key, everybody = contract, ONE
    for i in range(4):
        for suit in range(3):
            key = key << FOUR | popcount(hands[i] & SUIT[suit])
        if not hands[i]:
            everybody = EMPTY
    return ((key << ONE | everybody) << FOUR | popcount(hands[seat])) << FOUR << TWO | np.uint64(number) << TWO | np.uint64(seat)


@compiled
def slot_of(memory, key):
    """Where the slot of a key begins, and whether it is there; if not, the slot is that which it may have."""
    last = np.int64(memory[1]) - 1
    first = np.int64(mixed(key)) & last
    for i in range(PROBES):
        place = HEAD + SLOT * (first + i & last)
        if memory[place] == key:
            return place, True
        if memory[place] == EMPTY:
            return place, False
    return HEAD + SLOT * first, False


@compiled
def same_class(one, two, other_one, other_two, splits):
    """Whether every hand has as many cards above each split in two positions of the same key."""
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
def exchange(memory, place, other):
    """Exchange two entries: what has been useful is found sooner next time."""
    for i in range(3):
        memory[place + i], memory[other + i] = memory[other + i], memory[place + i]


@compiled
def known(memory, key, one, two):
    """What is known: 1 yes, 0 no, -1 nothing; its splits, by rank among the cards out; and the lead to try first, -1 if there is none."""
    slot, found = slot_of(memory, key)
    if not found:
        return np.int64(-1), EMPTY, np.int64(-1)
    oldest = memory[0] - min(memory[0], memory[2])
    link, place = memory[slot + 1], slot + 2
    looks = 0
    while True:
        for _ in range(np.int64(link & BYTE)):
            splits = memory[place]
            if same_class(one, two, memory[place + 1], memory[place + 2], splits & SPLITS):
                if looks >= IN_SLOT:
                    exchange(memory, place, slot + 2 + 3 * (looks % IN_SLOT))
                return np.int64(splits >> YES), splits & SPLITS, np.int64(-1)
            looks += 1
            place += 3
        number = link >> EIGHT
        if number <= oldest or looks >= LOOKS:
            return np.int64(-1), EMPTY, np.int64(memory[slot + HINT]) - 1
        place = block_of(memory, number)
        link = memory[place]
        place += 1


@compiled
def block_of(memory, number):
    """Where a block begins."""
    return HEAD + SLOT * np.int64(memory[1]) + BLOCK * np.int64(number % memory[2])


@compiled
def remember(memory, key, one, two, splits, answer, lead):
    """Note the answer for a class: 1 yes, 0 no; and the lead that did it, -1 if all were in vain."""
    slot, found = slot_of(memory, key)
    if not found:
        memory[slot], memory[slot + 1], memory[slot + HINT] = key, EMPTY, EMPTY
    if lead >= 0:
        memory[slot + HINT] = np.uint64(lead + 1)
    link = memory[slot + 1]
    number = link >> EIGHT
    if link & BYTE < np.uint64(IN_SLOT):
        place = slot + 2 + 3 * np.int64(link & BYTE)
        memory[slot + 1] = link + ONE
    else:
        oldest = memory[0] - min(memory[0], memory[2])
        block = block_of(memory, number)
        if number <= oldest or memory[block] & BYTE == np.uint64(IN_BLOCK):
            block = block_of(memory, memory[0])
            memory[block] = number << EIGHT
            memory[slot + 1] = memory[0] << EIGHT | np.uint64(IN_SLOT)
            memory[0] += ONE
        place = block + 1 + 3 * np.int64(memory[block] & BYTE)
        memory[block] += ONE
    memory[place] = splits | np.uint64(answer) << YES
    memory[place + 1], memory[place + 2] = one, two
