"""Minnesota Whist and its relatives in words: actions as text, the table, and what happens at it."""

from typing import Any

from tromf.envs.cards import SUITS
from tromf.envs.minnesota_whist.options import PACK
from tromf.envs.minnesota_whist.outcome import outcome
from tromf.envs.minnesota_whist.rules import BID, BID_DIX, BID_SOLA, DIX, GIVE, HIGH, NAME, NONE, PASS, PLAY, SOLA, SOLO, TRUMP, UNDECIDED
from tromf.envs.view import SUIT_NAMES, Laid, SeatView, TableView, counted, in_order

_WORDS = {PASS: "pass", BID_SOLA: "sola", BID_DIX: "dix"}
_PHASES = {BID: "set a bid aside", SOLO: "play alone or pass", GIVE: "give your partner a card", TRUMP: "name trumps"}
_CENTS = 15  # for a game, and for each star (MW-13)
_SOLOS = {SOLA: "sola nulla", DIX: "grand dix"}


def action_text(state: Any, action: int) -> str:
    """The text of an action: `bid 2S`, `give KH`, `play AD`, `pass`, `sola`, `dix`, `trump H`."""
    if action >= NAME:
        return f"trump {SUITS[action - NAME]}"
    verb = {BID: "bid", GIVE: "give"}.get(int(state["phase"]), "play")
    return _WORDS[action] if action in _WORDS else f"{verb} {PACK.texts[action]}"


def phase_text(state: Any) -> str:
    """What is being decided, in a few words."""
    return _PHASES.get(int(state["phase"]), "follow" if state["laid"] else "lead")


def view(state: Any) -> TableView:
    """The table; of a concealed record, as its seat knows it."""
    return TableView(
        title="South Dakota Whist" if state["options"]["south_dakota"] else "Minnesota Whist",
        subtitle=_subtitle(state),
        seats=tuple(_seat(state, seat) for seat in range(4)),
        rows=(_trick(state),) if state["laid"] else (),
        stock=None,
        trump=_trump(state),
        status=_ending(state, None) if state["over"] else _status(state),
        captions=_captions(state),
        score=_score(state),
    )


def told(state: Any, action: int) -> tuple[str, str]:
    """What others see the seat do, as verb and object: `plays`, `TH`. Which card is bid or given is not seen (MW-1, MW-4)."""
    if action >= NAME:
        return "names", f"{SUIT_NAMES[SUITS[action - NAME]]} as trumps"
    if action in _WORDS:
        return "says" if action == PASS else "bids", _WORDS[action]
    unseen = {BID: ("sets", "a card aside"), GIVE: ("gives", "a card")}
    return unseen.get(int(state["phase"]), ("plays", PACK.texts[action]))


def events(before: Any, after: Any, seat: int | None = None) -> list[str]:
    """What has happened between two records besides the action told: bids shown, solos, tricks, the end of a deal and of the episode."""
    phase = int(before["phase"])
    if phase == PLAY:
        return _trick_won(before, after, seat) if before["laid"] + 1 == before["seats"] else []
    if int(after["phase"]) == phase:
        return []
    return {BID: _showing, SOLO: _solo_decided, GIVE: _exchange, TRUMP: _nothing}[phase](after, seat)


def moment(state: Any) -> list[str]:
    """The rules that matter for the decision to be made."""
    phase = int(state["phase"])
    if phase == BID:
        return [
            "Set a card aside, unseen: a black one asks for a high hand, a red one for a low hand. You get it back.",
            "They are turned from left of the dealer to the first black one; the others return unseen. A black card makes the hand high.",
            *_aim(state, high=True),
            *_aim(state, high=False),
            *_solo_rules(state),
        ]
    if phase == SOLO:
        return [
            *_solo_rules(state),
            f"A bid may be made over anybody's, a partner's too. If nobody plays alone, the hand is {_kind(state)}.",
        ]
    if phase == GIVE:
        mine = int(state["turn"]) == int(state["soloist"])
        whose, out = ("your", "your partner sits") if mine else (f"seat {int(state['soloist'])}'s", "you sit")
        return [
            "Choose a card for your partner, who chooses one for you; neither knows the other's, and nobody else sees them.",
            f"Then {whose} sola nulla begins: {'you' if mine else 'your partner'} must win no trick, and {out} out.",
        ]
    if phase == TRUMP:
        first = "You lead" if state["options"]["south_dakota"] else "The seat on your right leads"
        return ["You granded: name the suit that beats all others in this hand.", f"{first} to the first trick.", *_aim(state, high=True)]
    return [*_play_rules(state), *(_solo_aim(state) if state["solo"] else _aim(state, high=int(state["kind"]) == HIGH))]


def _tricks(state: Any) -> int:
    """Tricks of a deal."""
    return int(state["options"]["tricks"])


def _six(state: Any) -> int:
    """MW-R: points are for tricks over so many."""
    return _tricks(state) // 2


def _trump(state: Any) -> str:
    """The suit of trumps as a letter, '' without."""
    return SUITS[int(state["trump"])] if state["trump"] >= 0 else ""


def _partner(seat: int) -> int:
    return (seat + 2) % 4


def _who(one: int, seat: int | None = None) -> str:
    return "you" if one == seat else f"seat {one}"


def _does(one: int, verb: str, seat: int | None) -> str:
    """Who does what: `seat 1 shows`, `you show`."""
    return f"{_who(one, seat)} {verb if one == seat else verb + 's'}"


def _side(side: int, seat: int | None = None) -> str:
    return f"side {side}" if seat is None else "your side" if seat % 2 == side else "the other side"


def _first(seat: int | None) -> int:
    """The side that is named first: one's own."""
    return 0 if seat is None else seat % 2


def _kind(state: Any) -> str:
    return "high" if int(state["kind"]) == HIGH else "low"


def _cards(cards: int) -> list[str]:
    return PACK.text(cards).split()


def _subtitle(state: Any) -> str:
    options = state["options"]
    parts = ["4 players in two sides"]
    if not options["south_dakota"]:
        parts.append(f"high: {int(options['grand_points'])} a trick, defence {int(options['defence_points'])}")
    parts += ["solos"] * bool(options["solos"]) + ["trumps"] * bool(options["trumps"])
    if options["game"]:
        parts.append(f"game to {int(options['target'])}, deal {int(state['number']) + 1}")
    return " · ".join(parts)


def _seat(state: Any, seat: int) -> SeatView:
    over, playing = bool(state["over"]), int(state["phase"]) == PLAY
    roles = {
        "leader": playing and not over and int(state["leader"]) == seat,
        "dealer": int(state["dealer"]) == seat,
        "granded": int(state["granded"]) == seat,
        "alone": int(state["soloist"]) == seat and int(state["phase"]) in (GIVE, PLAY),
        "sits out": int(state["out"]) == seat,
    }
    return SeatView(
        seat=seat,
        cards=in_order(_cards(int(state["hand"][seat])), _trump(state)),
        hidden=int(state["hidden"][seat]),
        known=frozenset(_cards(int(state["known"][seat]))),
        roles=tuple(role for role, has in roles.items() if has),
        note=("wins" if outcome(state)["winner"] == seat % 2 else "") if over else _note(state, seat),
        acting=not over and int(state["turn"]) == seat,
        side=f"side {seat % 2}",
    )


def _note(state: Any, seat: int) -> str:
    """What everybody knows of a seat: its bid, its solo bid, suits that it does not hold. Its own bid card it knows before it is shown."""
    phase, bid = int(state["phase"]), int(state["bid"][seat])
    made = (seat - int(state["dealer"]) - 1) % 4 < (int(state["turn"]) - int(state["dealer"]) - 1) % 4
    if phase == BID:
        return f"{PACK.texts[bid] if bid >= 0 else 'a card'} set aside" if made else ""
    notes = []
    if phase == SOLO and int(state["soloist"]) == seat:
        notes.append("bids sola")
    if int(state["shown"]) >> seat & 1 and not _played(state) >> bid & 1:
        notes.append(f"showed {PACK.texts[bid]}")
    if void := [SUIT_NAMES[suit] for k, suit in enumerate(SUITS) if int(state["void"][seat]) >> k & 1]:
        notes.append(f"no {', '.join(void)}")
    return "; ".join(notes)


def _played(state: Any) -> int:
    """All cards played in this deal."""
    cards = 0
    for each in state["played"].tolist():
        cards |= each
    return cards


def _trick(state: Any) -> tuple[Laid, ...]:
    """The cards on the table in the order in which they were played."""
    laid, table, leader = [], int(state["table"]), int(state["leader"])
    for seat in ((leader + k) % 4 for k in range(4)):
        if card_set := int(state["played"][seat]) & table:
            card = card_set.bit_length() - 1
            laid.append(Laid(PACK.texts[card], mark="holds" if card == int(state["best"]) else "", by=seat))
    return tuple(laid)


def _captions(state: Any) -> tuple[str, ...]:
    """Who may hold the bid cards that were shown and then perhaps exchanged (MW-4)."""
    soloist = int(state["soloist"])
    cards = " and ".join(_cards(int(state["pair"])))
    return (f"{cards}, shown before: with seat {soloist} or seat {_partner(soloist)}",) if cards else ()


def _score(state: Any) -> tuple[tuple[str, ...], ...]:
    names = ["tricks", "score", *["stars"] * bool(state["options"]["solos"])]
    columns = [state[name].tolist() for name in names]
    return ("", *names), *((_side(side), *(str(column[side]) for column in columns)) for side in range(2))


def _status(state: Any) -> str:
    """What is played, and who is to do what."""
    doing = {BID: "is to set a bid aside", SOLO: "may play alone", GIVE: "is to give its partner a card", TRUMP: "is to name trumps"}
    follow = f"is to play to {PACK.texts[int(state['lead'])]}" if state["laid"] else "is to lead"
    line = f"seat {int(state['turn'])} {doing.get(int(state['phase']), follow)}"
    if int(state["kind"]) == UNDECIDED:
        return line
    solo = int(state["phase"]) in (GIVE, PLAY) and int(state["solo"])
    return f"{_SOLOS[solo] if solo else _kind(state) + ' hand'}: {line}"


def _nothing(after: Any, seat: int | None) -> list[str]:
    return []


def _showing(after: Any, seat: int | None) -> list[str]:
    """MW-2. A seat, and an onlooker who may see everything, are also told which cards return unseen."""
    order = [(int(after["dealer"]) + 1 + k) % 4 for k in range(4)]
    card = {p: PACK.texts[int(after["bid"][p])] for p in order}
    shown = [p for p in order if int(after["shown"]) >> p & 1]
    lines = [", ".join(f"{_does(p, 'show', seat)} {card[p]}" for p in shown)]
    if int(after["kind"]) == HIGH:
        lines.append(f"the hand is high: {_does(int(after['granded']), 'grand', seat)}")
    else:
        lines.append("the hand is low: nobody has bid black")
    return [*lines, *(f"{_does(p, 'take', seat)} {card[p]} back unseen" for p in order if p not in shown and seat in (None, p))]


def _solo_decided(after: Any, seat: int | None) -> list[str]:
    """MW-3."""
    solo, soloist = int(after["solo"]), int(after["soloist"])
    if solo == NONE:
        return [f"nobody plays alone: the hand is {_kind(after)}"]
    partner = _who(_partner(soloist), seat)
    then = f"first a card is exchanged with {partner}" if solo == SOLA else f"{_does(_partner(soloist), 'lead', seat)} to the first trick"
    return [f"{_does(soloist, 'play', seat)} {_SOLOS[solo]} alone: {then}"]


def _exchange(after: Any, seat: int | None) -> list[str]:
    """MW-4: the two know both cards, and so does an onlooker who may see everything."""
    soloist = int(after["soloist"])
    pair = soloist, _partner(soloist)
    out = f"{_does(pair[1], 'sit', seat)} out"
    if seat is None:
        gifts = ", ".join(f"seat {p} gives {PACK.texts[int(after['gave'][p])]}" for p in pair)
        return [f"the cards change hands: {gifts}", out]
    if seat not in pair:
        return ["the cards change hands", out]
    gave, received = (PACK.texts[int(after[name][seat])] for name in ("gave", "received"))
    return [f"you give {gave} and receive {received}", out]


def _trick_won(before: Any, after: Any, seat: int | None) -> list[str]:
    """A complete trick and what follows from it."""
    solo, played = int(before["solo"]), int(before["tricks"].sum()) + 1
    card = _last_card(before, after)
    winner, best = _winner(before, card)
    count = f"trick {played} of {_tricks(before) if solo == SOLA else _six(before) + 1}"
    if not solo:
        count = f"{_side(winner % 2, seat)} has {counted(int(before['tricks'][winner % 2]) + 1, 'trick')}"
    lines = [f"{_does(winner, 'win', seat)} the trick with {best}: {count}"] if card >= 0 else []
    if after["over"] or after["number"] != before["number"]:
        lines.append(_solo_result(before, after, seat) if solo else _hand_result(before, after, seat, winner))
        return [*lines, *([_ending(after, seat)] if after["over"] else _next_deal(after, seat))]
    if solo == DIX and played == 1:  # MW-5
        lines.append(f"{_does(_partner(int(before['soloist'])), 'sit', seat)} out from now on")
    return lines


def _last_card(before: Any, after: Any) -> int:
    """The card that has just completed a trick; -1 where two records do not tell.

    Once the next deal has begun, `after` knows nothing of that card. In a hand played to its end it is the only one of the pack that has
    not been played; in a solo just decided it may be any, and then only `told` names it.
    """
    if after["number"] == before["number"]:
        card_set = _played(after) & ~_played(before)
    else:
        card_set = 0 if before["solo"] else int(before["options"]["pack"]) & ~_played(before)
    return card_set.bit_length() - 1


def _winner(before: Any, card: int) -> tuple[int, str]:
    """MW-8: the seat that wins a trick with this as its last card, and the card with which it wins."""
    best = int(before["best"])
    beats = card > best if card // 13 == best // 13 else card // 13 == int(before["trump"])
    return (int(before["turn"]), PACK.texts[card]) if beats else (int(before["holder"]), PACK.texts[best])


def _solo_result(before: Any, after: Any, seat: int | None) -> str:
    """MW-12."""
    soloist = int(before["soloist"])
    stars = (after["stars"] > before["stars"]).tolist()  # by side, whether it got one
    star = f"a star for {_side(stars.index(True), seat)}" if any(stars) else "no star"
    return f"{_who(soloist, seat)} {'made' if stars[soloist % 2] else 'failed in'} {_SOLOS[int(before['solo'])]}: {star}"


def _hand_result(before: Any, after: Any, seat: int | None, winner: int) -> str:
    """How a high or low hand ended, given who won its last trick; one side's score changes at most (MW-9, MW-10, MW-11)."""
    tricks, gains = before["tricks"].tolist(), (after["score"] - before["score"]).tolist()
    tricks[winner % 2] += 1
    first = _first(seat)
    line = f"the {_kind(before)} hand is over: {counted(tricks[first], 'trick')} for {_side(first, seat)}, "
    line += f"{tricks[1 - first]} for {_side(1 - first, seat)}"
    changes = [f"{_side(side, seat)} {'scores' if gains[side] > 0 else 'loses'} {abs(gains[side])}" for side in range(2) if gains[side]]
    return "; ".join([line, *changes])


def _next_deal(after: Any, seat: int | None) -> list[str]:
    """How a game goes on after a deal (MW-13)."""
    first = _first(seat)
    score, stars = after["score"].tolist(), after["stars"].tolist()
    line = f"{_side(first, seat)} has {score[first]} and {_side(1 - first, seat)} {score[1 - first]} in the game to "
    line += str(int(after["options"]["target"]))
    if any(stars):
        line += f", stars {stars[first]} and {stars[1 - first]}"
    return [line, f"{_does(int(after['dealer']), 'deal', seat)} the next hand"]


def _ending(state: Any, seat: int | None) -> str:
    """How the episode ended."""
    options, winner = state["options"], outcome(state)["winner"]
    if state["truncated"]:
        return f"the game is cut off after {counted(int(state['number']) + 1, 'deal')}: nobody wins"
    if winner is None:
        return "the deal is equal"
    score, stars = state["score"].tolist(), state["stars"].tolist()
    if not options["game"]:
        by = "by a star" if any(stars) else f"{score[winner]} to {score[1 - winner]}"
        return f"{_side(winner, seat)} wins the deal, {by}"
    line = f"{_side(winner, seat)} wins the game, {score[winner]} to {score[1 - winner]}"
    if not options["solos"]:
        return line
    return f"{line}, with {counted(stars[winner], 'star')}: the losers pay {_CENTS * (1 + stars[winner])} cents each"


def _aim(state: Any, high: bool) -> list[str]:
    """MW-9, MW-10, MW-11: how a hand scores."""
    options, six, granded = state["options"], _six(state), int(state["granded"])
    whose = f" (side {granded % 2})" if granded >= 0 else ""
    if not high:
        return [f"Low hand: the side with {six + 1} tricks or more loses a point for each trick over {six}."]
    if options["south_dakota"]:
        return [
            f"High hand: the side that granded{whose} scores its tricks over {six}, or loses a point for each that it lacks of {six + 1}."
        ]
    grand, defence = int(options["grand_points"]), int(options["defence_points"])
    points = counted(grand, "point") if grand == defence else f"{counted(grand, 'point')} if it granded{whose}, else {defence},"
    return [f"High hand: the side with {six + 1} tricks or more scores {points} for each trick over {six}."]


def _solo_rules(state: Any) -> list[str]:
    """MW-3, MW-12."""
    if not state["options"]["solos"]:
        return []
    failed = "a failed one gives the other side a star" if state["options"]["failed_solo_star"] else "a failed one costs nothing"
    return [
        "Alone: sola (sola nulla) is to win no trick, after exchanging a card with the partner, who then sits out; dix may be bid over it.",
        f"Dix (grand dix) is to win the first {_six(state) + 1} tricks; the partner plays to the first, which it leads, and then sits out.",
        f"No points are scored in a solo. One that is made gives a star; {failed}.",
    ]


def _solo_aim(state: Any) -> list[str]:
    """MW-6."""
    soloist = int(state["soloist"])
    if int(state["solo"]) == SOLA:
        return [f"Sola nulla: seat {soloist} must win no trick, and fails with the first one that it wins."]
    return [f"Grand dix: seat {soloist} must win the first {_six(state) + 1} tricks in person, and fails with the first that it does not."]


def _play_rules(state: Any) -> list[str]:
    """MW-8."""
    wins = "The highest card of the suit led wins; there are no trumps."
    if trump := _trump(state):
        wins = f"The highest trump wins ({SUIT_NAMES[trump]} are trumps), else the highest card of the suit led."
    wins += " Aces are high, and the winner leads next."
    if not state["laid"]:
        return ["Lead any card; the others must follow its suit if they can.", wins]
    suit, best = SUIT_NAMES[SUITS[int(state["lead"]) // 13]], PACK.texts[int(state["best"])]
    return [f"Play {suit} if you hold any, else any card. {best}, of seat {int(state['holder'])}, holds the trick so far.", wins]
