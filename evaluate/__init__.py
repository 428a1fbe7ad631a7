"""Duplicate matches and parties: who is stronger, by how much, and how sure one can be of it."""

from tromf.evaluate import report
from tromf.evaluate.matches import loss_share, pairs, table
from tromf.evaluate.party import Party, hold
from tromf.evaluate.result import Difference, Result, Row
from tromf.evaluate.setting import Setting

__all__ = ["Difference", "Party", "Result", "Row", "Setting", "hold", "loss_share", "pairs", "report", "table"]
