"""Sets of cards as the solver looks at them: a suit's cards, the highest of each suit, and sequences.

`extract` pulls the members of one set together, by which cards become relative ranks; `deposit` is the way back.
"""

import numpy as np

from tromf.envs.jit import EMPTY, ONE, compiled, deposit, extract, highest

SUIT = np.array([0x1FFF << 13 * suit for suit in range(4)], np.uint64)


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
