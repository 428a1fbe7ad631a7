"""Mustamaija in words: actions as text and back (rules page: Action numbering), the table, and what happens at it."""

from typing import Any

import numpy as np

from tromf.envs.cards import SUITS
from tromf.envs.mustamaija.options import PACK, TRUMP
from tromf.envs.mustamaija.rules import (
    ATTACK,
    DECLARE,
    DECLARED,
    DEFEND,
    DIAMONDS,
    DONE,
    FOLLOW_UP,
    KEEP,
    KEEP_SUIT,
    NO_LIMIT,
    RETURN,
    TURNED,
)
from tromf.envs.view import SUIT_NAMES, Laid, SeatView, TableView, counted, in_order

_CARD_VERBS = {ATTACK: "lay", FOLLOW_UP: "lay", DEFEND: "beat", RETURN: "return"}
_ORDINALS = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
_MAIJA = "QS"


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


def view(state: Any) -> TableView:
    """The table; of a concealed record, as its seat knows it."""
    trump = _trump(state)
    stock = int(state["size"]) - int(state["top"])
    bottom = int(state["size"]) - 1
    turned = stock > 0 and trump and int(state["options"]["trump"]) == TURNED and int(state["seen_at"]) >> bottom & 1
    return TableView(
        title="Mustamaija",
        subtitle=_subtitle(state["options"]),
        seats=tuple(_seat(state, seat, trump) for seat in range(int(state["options"]["players"]))),
        rows=_rows(state, trump),
        stock=stock,
        under=PACK.texts[int(state["deck"][bottom])] if turned else "",
        discarded=int(state["gone"]).bit_count(),
        trump=trump,
        trump_note=_trump_note(state, trump),
        status=_status(state),
        captions=tuple(_seen_in_stock(state)),
        special=frozenset((_MAIJA,)),
        loser=int(state["loser"]) if state["over"] and state["loser"] >= 0 else None,
    )


def told(state: Any, action: int) -> tuple[str, str]:
    """What others see the seat do, as verb and object: `lays`, `7H`. Being done is not told."""
    if action >= KEEP_SUIT:
        return "keeps", SUIT_NAMES[SUITS[action - KEEP_SUIT]]
    if action >= DECLARE:
        return "declares", SUIT_NAMES[SUITS[action - DECLARE]]
    phase = int(state["phase"])
    if phase == DEFEND:
        if action == DONE:
            return "takes", _next_card(state)
        return "beats", f"{_next_card(state)} with {PACK.texts[action]}"
    if action == DONE:
        return "", ""
    return ("returns" if phase == RETURN else "lays"), PACK.texts[action]


def events(before: Any, after: Any, seat: int | None = None) -> list[str]:
    """What has happened between two records besides the action told: trumps, own draws, seats going out, the end."""
    lines = []
    trump = _trump(after)
    if trump and not _trump(before) and int(after["options"]["trump"]) == TURNED:
        turned = sorted(_turned_spades(after).items(), key=lambda pair: pair[1])
        through = f" after {' '.join(card for card, _ in turned)}" if turned else ""
        lines.append(f"{_trump_card(after)} is turned up{through}: {SUIT_NAMES[trump]} are trumps")
    attacker = int(before["attacker"])
    if int(before["phase"]) == KEEP and (back := int(before["attack"]) & int(after["hand"][attacker])):
        lines.append(f"{' '.join(in_order(PACK.text(back).split()))} go back to {'you' if attacker == seat else f'seat {attacker}'}")
    if seat is not None:
        new = int(after["hand"][seat]) & ~int(before["hand"][seat]) & ~int(before["attack"])
        if new:
            lines.append(f"you draw {' '.join(in_order(PACK.text(new).split(), trump))}")
    for p in sorted(range(int(after["options"]["players"])), key=lambda p: int(after["place"][p])):
        if after["place"][p] and not before["place"][p]:
            lines.append(f"{'you are' if p == seat else f'seat {p} is'} out, {_ORDINALS[int(after['place'][p])]}")
    if int(before["top"]) < int(before["size"]) == int(after["top"]):
        lines.append("the stock is empty")
    if after["over"]:
        lines.append(_ending(after, seat))
    return lines


def moment(state: Any) -> list[str]:
    """The rules that matter for the decision to be made."""
    phase, options, trump = int(state["phase"]), state["options"], _trump(state)
    lines = []
    if phase in (ATTACK, FOLLOW_UP):
        suit = "the attack's suit" if phase == FOLLOW_UP else "one suit (Mustamaija, QS, counts as a spade)"
        draws = int(state["top"]) < int(state["size"])
        refill = f"; you then draw until you hold {int(options['hand_size'])}" if draws else ""
        lines.append(f"Lay cards of {suit}, lowest first, then say done{refill}.")
        if options["misplay_penalty"] and phase == ATTACK:
            lines.append("You may lay a second suit too, which is wrong: the defender then says which of the two stays.")
        limit = int(state["limit"])
        if int(state["top"]) == int(state["size"]):
            lines.append(f"The stock is empty: at most {counted(limit, 'card')}, as many as the defender held when the attack began.")
        elif limit != NO_LIMIT:
            lines.append(f"An attack has at most {counted(limit, 'card')} while the stock lasts.")
    elif phase == KEEP:
        lines.append("Two suits were laid: say which suit stays; the other goes back to the attacker's hand.")
    elif phase == RETURN:
        lines.append(f"Too many cards were laid: return {int(state['attack']).bit_count() - int(state['limit'])} of them, lowest first.")
    else:
        card = _next_card(state)
        if card == _MAIJA:
            lines.append("Nothing beats Mustamaija: take her.")
        else:
            lines.append(f"Beat {card} with a higher card of its suit{_or_trump(card, trump)}, or take it; you never have to beat.")
            lines.append("Mustamaija (QS) beats nothing. If you take any card you do not attack next; if you beat all of them you do.")
    if int(options["trump"]) == DECLARED and not trump:
        shown = "king or queen" if options["either"] else "king and queen"
        lines.append(f"With the {shown} of a suit other than spades you may declare it trumps, now or later.")
    lines.append("Whoever is left with cards when all others are out, Mustamaija among them, loses.")
    return lines


def _or_trump(card: str, trump: str) -> str:
    return f" or any card of {SUIT_NAMES[trump]}, which are trumps" if trump and card[1] != trump else ""


def _trump(state: Any) -> str:
    return SUITS[int(state["trump"])] if int(state["trump"]) >= 0 else ""


def _acting(state: Any) -> int:
    return int(state["attacker" if int(state["phase"]) in (ATTACK, FOLLOW_UP) else "defender"])


def _next_card(state: Any) -> str:
    """The card to be answered now, or ''."""
    open_cards = int(state["attack"]) & ~int(state["beaten"]) & ~int(state["taken"])
    return PACK.texts[(open_cards & -open_cards).bit_length() - 1] if open_cards else ""


def _subtitle(options: Any) -> str:
    parts = [
        counted(int(options["players"]), "player"),
        counted(int(options["hand_size"]), "card"),
        f"trumps: {TRUMP[int(options['trump'])]}",
    ]
    if options["attack_limit"]:
        parts.append(f"attacks of at most {int(options['attack_limit'])}")
    if options["follow_up"]:
        parts.append("follow-up")
    if options["misplay_penalty"]:
        parts.append("kostosääntö")
    return " · ".join(parts)


def _seat(state: Any, seat: int, trump: str) -> SeatView:
    over, place = bool(state["over"]), int(state["place"][seat])
    roles = []
    if not over:
        roles += [role for role in ("attacker", "defender") if int(state[role]) == seat]
    if int(state["dealer"]) == seat:
        roles.append("dealer")
    if int(state["declarer"]) == seat:
        roles.append("declarer")
    note = f"out {_ORDINALS[place]}" if place else ""
    if over and int(state["loser"]) == seat:
        note = "loses"
    return SeatView(
        seat=seat,
        cards=in_order(PACK.text(int(state["hand"][seat])).split(), trump),
        hidden=int(state["hidden"][seat]),
        known=frozenset(PACK.text(int(state["known"][seat])).split()),
        roles=tuple(roles),
        note=note,
        acting=not over and _acting(state) == seat,
        out=place > 0,
    )


def _rows(state: Any, trump: str) -> tuple[tuple[Laid, ...], ...]:
    """The attack, a row for each suit, with what lies on it."""
    attack, taken = int(state["attack"]), int(state["taken"])
    over = _pairs(int(state["beaten"]), int(state["beating"]))
    answered = _next_card(state) if int(state["phase"]) == DEFEND and not state["over"] else ""
    rows = []
    for suit in range(4):
        row = []
        for card in PACK.members(attack & 0x1FFF << 13 * suit):
            text = PACK.texts[card]
            mark = "taken" if taken >> card & 1 else "next" if text == answered else ""
            row.append(Laid(text, PACK.texts[over[card]] if card in over else "", mark))
        if row:
            rows.append(tuple(row))
    return tuple(rows)


def _pairs(beaten: int, beating: int) -> dict[int, int]:
    """Which card lies on which. The record keeps sets, not pairs: this is one way in which the cards can have been played."""
    free = PACK.members(beaten)
    cover = PACK.members(beating)
    pairs = {}
    for card in cover:
        lower = [other for other in free if other // 13 == card // 13 and other < card]
        if lower:
            pairs[lower[-1]] = card
            free.remove(lower[-1])
    trumps = [card for card in cover if card not in pairs.values()]
    return pairs | dict(zip(free, trumps, strict=False))


def _trump_note(state: Any, trump: str) -> str:
    kind = int(state["options"]["trump"])
    if not trump:
        return "nothing declared yet" if kind == DECLARED else "turned after the first attack"
    if kind == DECLARED:
        return f"declared by seat {int(state['declarer'])}"
    return "" if kind == DIAMONDS else "turned"


def _status(state: Any) -> str:
    if state["over"]:
        return _ending(state, None)
    phase, seat = int(state["phase"]), _acting(state)
    if phase == ATTACK:
        victim = int(state["defender"])
        doing = f"is to lay more of its attack on seat {victim}, or be done" if state["attack"] else f"is to attack seat {victim}"
    elif phase == FOLLOW_UP:
        doing = "was quicker and may add cards"
    elif phase == KEEP:
        doing = "is to choose which suit stays"
    elif phase == RETURN:
        doing = "is to return a card of an attack too long"
    else:
        doing = f"is to beat {_next_card(state)} or take it"
    return f"seat {seat} {doing}"


def _ending(state: Any, seat: int | None) -> str:
    loser = int(state["loser"])
    if loser < 0:
        return "cut off with Mustamaija in the stock: nobody loses"
    who = "you lose" if loser == seat else f"seat {loser} loses"
    return f"cut off: {who}, Mustamaija being with {'you' if loser == seat else 'it'}" if state["truncated"] else who


def _turned_spades(state: Any) -> dict[str, int]:
    """The spades that were turned up, each with its number."""
    word = int(np.uint64(state["turned"]))
    return {PACK.texts[39 + rank]: word >> 4 * rank & 15 for rank in range(13) if word >> 4 * rank & 15}


def _trump_card(state: Any) -> str:
    return PACK.texts[int(state["deck"][int(state["size"]) - 1])]


def _seen_in_stock(state: Any) -> list[str]:
    """Cards known to lie in the stock, the trump card apart."""
    lines = []
    top, size = int(state["top"]), int(state["size"])
    for index in range(top, size):
        above = "on top of the stock" if index == top else f"in the stock under {counted(index - top, 'card')}"
        if int(state["passed_at"]) >> index & 1:
            lines.append(f"a spade lies {above}")
        elif int(state["seen_at"]) >> index & 1 and int(state["deck"][index]) // 13 == 3:
            lines.append(f"{PACK.texts[int(state['deck'][index])]} lies {above}")
    return lines
