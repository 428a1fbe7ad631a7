"""Golden helmets: three losses in a row."""

import numpy as np


def golden_helmets(lost: np.ndarray) -> np.ndarray:
    """How many golden helmets each column of a series of deals, (deals, ...) bool, wins: three losses in a row make one (MM-G).

    A run of three counts once and the count begins anew, so six in a row make two.
    """
    if not len(lost):
        return np.zeros(lost.shape[1:], np.int64)
    deal = np.arange(len(lost)).reshape(-1, *[1] * (lost.ndim - 1))
    last_not_lost = np.maximum.accumulate(np.where(lost, -1, deal), axis=0)
    return (lost & ((deal - last_not_lost) % 3 == 0)).sum(axis=0)
