"""Duplicate matches, ablations and parties: who is stronger, by how much, why, and how sure one can be of it."""

from tromf.evaluate.ablation import Ablation, ablate
from tromf.evaluate.matches import loss_share, pairs, table
from tromf.evaluate.party import Party, hold
from tromf.evaluate.reports import report
from tromf.evaluate.result import Difference, Result, Row
from tromf.evaluate.setting import Setting

__all__ = [
    "Ablation",
    "Difference",
    "Party",
    "Result",
    "Row",
    "Setting",
    "ablate",
    "hold",
    "loss_share",
    "pairs",
    "report",
    "table",
]
