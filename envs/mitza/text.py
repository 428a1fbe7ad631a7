"""Mîța and 101 in words: actions as text, the table, and what happens at it."""

from typing import Any

from tromf.envs.cards import SUITS
from tromf.envs.mitza.options import CARD_POINTS, PACK
from tromf.envs.mitza.rules import CRY, EXCHANGE, EXCHANGE_SEVEN, KEEP, PLAY, POINTS, QUIET, TROMF
from tromf.envs.view import SUIT_NAMES, Laid, SeatView, TableView, counted, in_order

_WORDS = {TROMF: "tromf", QUIET: "quiet", EXCHANGE_SEVEN: "exchange", KEEP: "keep"}
_RANK_NAMES = dict(zip(PACK.ranks, ("seven", "eight", "nine", "jack", "queen", "ten", "king", "ace"), strict=True))


def action_text(state: Any, action: int) -> str:
    """The text of an action: `play TH`, `tromf`, `quiet`, `exchange`, `keep`."""
    return _WORDS[action] if action in _WORDS else f"play {PACK.texts[action]}"


def phase_text(state: Any) -> str:
    """What is being decided, in a word or two."""
    if int(state["phase"]) == PLAY:
        return "follow" if state["laid"] else "lead"
    return "call for trumps" if int(state["phase"]) == CRY else "exchange the seven"


def view(state: Any) -> TableView:
    """The table; of a concealed record, as its seat knows it."""
    trump, stock = _trump(state), _stock(state)
    return TableView(
        title="101" if _in_points(state) else "Mîța",
        subtitle=_subtitle(state),
        seats=tuple(_seat(state, seat) for seat in range(_players(state))),
        rows=(_trick(state),) if state["laid"] else (),
        stock=stock,
        under=_turned(state) if stock else "",
        trump=trump,
        trump_note="tromf!" if state["called"] else "",
        status=_status(state),
        score=_score(state),
    )


def told(state: Any, action: int) -> tuple[str, str]:
    """What others see the seat do, as verb and object: `plays`, `TH`. That a seat was asked and kept the seven is a secret (MZ-3)."""
    if action == TROMF:
        return "cries", "tromf"
    if action == QUIET:
        return "keeps", "quiet"
    if action == EXCHANGE_SEVEN:
        return "exchanges", f"{_seven(state)} for {_turned(state)}"
    return ("", "") if action == KEEP else ("plays", PACK.texts[action])


def events(before: Any, after: Any, seat: int | None = None) -> list[str]:
    """What has happened between two records besides the action told: tricks won, cards drawn, the end of a deal and of the episode."""
    if int(before["phase"]) != PLAY or int(before["laid"]) < _players(before) - 1:
        return _short_of_trumps(before, after, seat)
    card, winner, gain = _last_trick(before, after)
    tricks, points = before["tricks"].tolist(), before["points"].tolist()
    tricks[winner % 2] += 1
    points[winner % 2] += gain
    total = counted(points[winner % 2], "point") if _in_points(before) else counted(tricks[winner % 2], "trick")
    sums = f"{total} in all" if _players(before) == 2 else f"{_side(before, winner % 2, seat)} has {total}"
    lines = [f"{_who(winner, seat)} {_verb('win', winner == seat)} the trick with {card}: {f'+{gain}, ' * _in_points(before)}{sums}"]
    ended = after["over"] or after["number"] != before["number"]
    if ended and before["options"]["match"]:
        first, second = (_side(before, side, seat) for side in range(2))
        lines.append(f"deal {int(before['number']) + 1} is over: {counted(points[0], 'point')} for {first}, {points[1]} for {second}")
    if ended:
        return [*lines, *([_ending(after, seat)] if after["over"] else _next_deal(after, seat))]
    return [*lines, *_short_of_trumps(before, after, seat), *_draws(before, after, winner, seat)]


def moment(state: Any) -> list[str]:
    """The rules that matter for the decision to be made."""
    phase, options, trump = int(state["phase"]), state["options"], SUIT_NAMES[_trump(state)]
    if phase == EXCHANGE:
        lines = [
            f"You hold the seven of trumps. Exchange it for {_turned(state)}, which lies face up under the stock, and everybody sees that;",
            "keep it, and nobody learns that you were asked.",
        ]
    elif phase == CRY:
        lines = [
            "You have led a trump with the stock empty. After tromf every other seat that holds a trump, a partner too, must play one;"
        ]
        lines.append("after quiet all play what they like.")
    elif state["called"]:
        lines = ["tromf was cried: play a trump if you hold one, else any card; everybody then knows that you have none."]
    elif state["laid"]:
        best = PACK.texts[int(state["best"])]
        lines = [f"Play any card: there is no duty to follow. {best}, of {_who(int(state['holder']))}, holds the trick so far."]
    else:
        lines = ["Lead any card; the others, clockwise, may play what they like."]
        if options["tromf"] and not _stock(state):
            lines.append("The stock is empty: if you lead a trump you may then cry tromf, and who holds a trump must play one.")
    if phase == PLAY:
        lines.append(f"The highest trump wins ({trump} are trumps), else the highest card of the suit led.")
        lines.append(f"Ranks, low to high: {', '.join(_RANK_NAMES[rank] for rank in PACK.ranks)}.")
        if left := _stock(state):
            lines.append(_draw_rule(state, left))
    return [*lines, *_aim(state)]


def _draw_rule(state: Any, left: int) -> str:
    players = _players(state)
    rounds = "" if left == players else f" {left // players} times"
    return f"After the trick everybody draws a card, the winner first{', the last time' if not rounds else f'; that goes{rounds}'}."


def _aim(state: Any) -> list[str]:
    """What the deal, or the match, is about."""
    options = state["options"]
    who = "seat" if _players(state) == 2 else "side"
    if not _in_points(state):
        return [f"The {who} with more of the {int(options['total'])} tricks wins."]
    values = ", ".join(f"{_RANK_NAMES[rank]} {value}" for rank, value in sorted(CARD_POINTS.items(), key=lambda pair: -pair[1]) if value)
    lines = [f"Points of cards won: {values}, others nothing."]
    if options["match"]:
        return [*lines, f"The match is won by the {who} with more points once one of them has {int(options['target'])} after a deal."]
    return [*lines, f"The {who} with more of the {int(options['total'])} points wins."]


def _players(state: Any) -> int:
    return int(state["options"]["players"])


def _in_points(state: Any) -> bool:
    """Whether points are counted, not tricks."""
    return int(state["options"]["scoring"]) == POINTS


def _trump(state: Any) -> str:
    return SUITS[int(state["trump"])]


def _stock(state: Any) -> int:
    return int(state["stock_size"]) - int(state["top"])


def _turned(state: Any) -> str:
    """The card that lies, or lay, face up under the stock."""
    return PACK.texts[int(state["stock"][int(state["stock_size"]) - 1])]


def _seven(state: Any) -> str:
    return f"7{_trump(state)}"


def _who(one: int, seat: int | None = None) -> str:
    return "you" if one == seat else f"seat {one}"


def _verb(verb: str, second: bool) -> str:
    return verb if second else f"{verb}s"


def _side(state: Any, side: int, seat: int | None = None) -> str:
    """A side as somebody at the table calls it; with two players it is a seat."""
    if _players(state) == 2:
        return _who(side, seat)
    return "your side" if seat is not None and seat % 2 == side else f"side {side}"


def _subtitle(state: Any) -> str:
    options, players = state["options"], _players(state)
    rules = ["points" if _in_points(state) else "tricks", *(word for word in ("exchange", "tromf") if options[word])]
    parts = [f"{players} players" if players == 2 else f"{players} players in two sides", ", ".join(rules)]
    if options["check_stock"]:
        parts.append("checked stock")
    if options["match"]:
        parts.append(f"match to {int(options['target'])}, deal {int(state['number']) + 1}")
    return " · ".join(parts)


def _asked(state: Any) -> int:
    """The seat to decide, as far as whoever looks may know it (MZ-3)."""
    seat = int(state["turn"])
    return int(state["leader"]) if int(state["phase"]) == EXCHANGE and state["hidden"][seat] else seat


def _seat(state: Any, seat: int) -> SeatView:
    over = bool(state["over"])
    roles = [role for role in ("leader", "dealer") if int(state[role]) == seat and not (over and role == "leader")]
    note = "no trumps" if int(state["lacks"]) >> seat & 1 else ""
    if over:
        mine, theirs = (_counted_by_side(state)[side] for side in (seat % 2, 1 - seat % 2))
        note = "wins" if mine > theirs else ""
    return SeatView(
        seat=seat,
        cards=in_order(PACK.text(int(state["hand"][seat])).split(), _trump(state), PACK.ranks),
        hidden=int(state["hidden"][seat]),
        known=frozenset(PACK.text(int(state["known"][seat])).split()),
        roles=tuple(roles),
        note=note,
        acting=not over and _asked(state) == seat,
        side="" if _players(state) == 2 else f"side {seat % 2}",
    )


def _trick(state: Any) -> tuple[Laid, ...]:
    """The cards on the table in the order in which they were played."""
    laid, table = [], int(state["table"])
    for k in range(int(state["laid"])):
        seat = (int(state["leader"]) + k) % _players(state)
        card = (int(state["played"][seat]) & table).bit_length() - 1
        laid.append(Laid(PACK.texts[card], mark="holds" if card == int(state["best"]) else "", by=seat))
    return tuple(laid)


def _counted_by_side(state: Any) -> list[int]:
    """What decides the episode so far, by side."""
    options = state["options"]
    counts: list[int] = state["score" if options["match"] else "points" if _in_points(state) else "tricks"].tolist()
    return counts


def _score(state: Any) -> tuple[tuple[str, ...], ...]:
    names = ["tricks", *["points"] * _in_points(state), *["match"] * bool(state["options"]["match"])]
    columns = [state["score" if name == "match" else name].tolist() for name in names]
    return ("", *names), *((_side(state, side), *(str(column[side]) for column in columns)) for side in range(2))


def _status(state: Any) -> str:
    if state["over"]:
        return _ending(state, None)
    seat = _asked(state)
    if seat != int(state["turn"]) or int(state["phase"]) == PLAY:
        if not state["laid"]:
            return f"seat {seat} is to lead"
        led = PACK.texts[int(state["lead"])]
        return f"tromf: seat {seat} is to play a trump to {led}, if it has one" if state["called"] else f"seat {seat} is to play to {led}"
    if int(state["phase"]) == CRY:
        return f"seat {seat} has led a trump and may cry tromf"
    return f"seat {seat} may exchange {_seven(state)} for {_turned(state)}"


def _last_trick(before: Any, after: Any) -> tuple[str, int, int]:
    """The winning card, the winner and the points of a trick that has just got its last card.

    What both records show of the deal must do: in a match `after` can be the next deal, and then the card was the last in anybody's
    hand; the record of a seat that did not see that hand lacks it, but it is the only card of the pack not yet played.
    """
    seat, trump = int(before["turn"]), int(before["trump"])
    seen = 0
    for p in range(_players(before)):
        seen |= int(before["played"][p])
    same_deal = after["number"] == before["number"]
    card_set = (int(after["played"][seat]) if same_deal else int(before["options"]["pack"])) & ~seen
    card, best, holder = card_set.bit_length() - 1, int(before["best"]), int(before["holder"])
    if card > best if card // 8 == best // 8 else card // 8 == trump:
        best, holder = card, seat
    points = sum(CARD_POINTS[PACK.texts[each][0]] for each in PACK.members(int(before["table"]) | card_set))
    return PACK.texts[best], holder, points


def _short_of_trumps(before: Any, after: Any, seat: int | None) -> list[str]:
    """Who has shown that it holds no trump (MZ-6)."""
    new = int(after["lacks"]) & ~int(before["lacks"])
    return [f"{_who(p, seat)} {'have' if p == seat else 'has'} no trumps" for p in range(_players(after)) if new >> p & 1]


def _draws(before: Any, after: Any, winner: int, seat: int | None) -> list[str]:
    """MZ-5: one's own card, and the one that everybody has seen."""
    if after["top"] == before["top"]:
        return []
    lines = []
    last = (winner - 1) % _players(after)
    if seat is not None and (seat != last or _stock(after)):
        lines.append(f"you draw {PACK.text(int(after['hand'][seat]) & ~int(before['hand'][seat]))}")
    if not _stock(after):
        lines.append(f"{_who(last, seat)} {_verb('draw', last == seat)} {_turned(before)}, which lay face up")
        lines.append("the stock is empty")
    return lines


def _next_deal(after: Any, seat: int | None) -> list[str]:
    """How a match goes on after a deal (MZ-9)."""
    first, second = (_side(after, side, seat) for side in range(2))
    score, dealer, target = after["score"].tolist(), int(after["dealer"]), int(after["options"]["target"])
    return [
        f"{first} {'have' if first == 'you' else 'has'} {score[0]} and {second} {score[1]} in the match to {target}",
        f"{_who(dealer, seat)} {_verb('deal', dealer == seat)}; {_turned(after)} is turned up: {SUIT_NAMES[_trump(after)]} are trumps",
    ]


def _ending(state: Any, seat: int | None) -> str:
    """How the episode ended."""
    mine, theirs = _counted_by_side(state)
    what = "point" if _in_points(state) else "trick"
    if mine == theirs:
        return f"the deal is equal, {counted(mine, what)} each"
    winner = _side(state, int(theirs > mine), seat)
    of = "match" if state["options"]["match"] else "deal"
    return f"{winner} {_verb('win', winner == 'you')} the {of}, {counted(max(mine, theirs), what)} to {min(mine, theirs)}"
