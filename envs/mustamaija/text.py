"""Actions of Mustamaija as text and back (rules page: Action numbering)."""
from typing import Any

from tromf.envs.cards import SUITS
from tromf.envs.mustamaija.options import PACK
from tromf.envs.mustamaija.rules import ATTACK, DECLARE, DEFEND, DONE, FOLLOW_UP, KEEP_SUIT, RETURN

_CARD_VERBS = {ATTACK: "lay", FOLLOW_UP: "lay", DEFEND: "beat", RETURN: "return"}


def action_text(state: Any, action: int) -> str:
    """The text of an action, given the record in which it is taken: `lay 7H`, `done`, `beat QD`, `take`, `keep S`."""
    phase = int(state["phase"])
    if action < DONE:
        return f"{_CARD_VERBS.get(phase, 'lay')} {PACK.texts[action]}"
    if action == DONE:
        return "take" if phase == DEFEND else "done"
    if action < KEEP_SUIT:
        return f"declare {SUITS[action - DECLARE]}"
    return f"keep {SUITS[action - KEEP_SUIT]}"


def phase_text(state: Any) -> str:
    """What is being decided, in a word or two."""
    return ("attack", "keep a suit", "return a card", "follow up", "defend")[int(state["phase"])]
