"""Minnesota Whist for `tests.fuzz`: settings from the whole option grid, ways to play, facts of both implementations, checks.

The compiled side works on whole batches and hands out rows of integers, the reference side makes the same integers. All
compiled code of the tests that calls other compiled code of the tests stands here: Numba's cache looks at one file only.
"""

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

from tromf.envs import batch, verbs
from tromf.envs.batch import begin, next_seed
from tromf.envs.jit import EMPTY, assign, bit, compiled, draw_below, nth, popcount
from tromf.envs.minnesota_whist.game import GAME
from tromf.envs.minnesota_whist.observation import COUNT_BITS, MISSING, MORE_BITS, OPTION_BITS, ROLE_BITS, SCORE_BITS, STAR_BITS
from tromf.envs.minnesota_whist.reference import BIDDING, GIVING, NAMING, PLAYING, SOLOS, VARIANTS, Reference, black
from tromf.envs.minnesota_whist.reference import DIX as DIX_WORD
from tromf.envs.minnesota_whist.reference import SOLA as SOLA_WORD
from tromf.envs.minnesota_whist.rules import (
    ACTIONS,
    BID,
    BID_DIX,
    BID_SOLA,
    CLUBS,
    DIAMONDS,
    DIX,
    GIVE,
    HEARTS,
    HIGH,
    LOW,
    NAME,
    NONE,
    PASS,
    PLAY,
    SOLA,
    SOLO,
    SPADES,
    SUIT,
    TRUMP,
    UNDECIDED,
)

KINDS = {"deals": (200_000, {"episode": "deal"}), "games": (10_000, {"episode": "game"})}
SHARES = {"deals": {f"deal: {what}": 0.1 for what in ("high", "low", "sola", "dix")}}  # of the episodes of a kind, at least
WIDE = ("pack", "target", "star_value", "max_deals", "grand_points", "defence_points")  # options of many values
PHASES = (BIDDING, SOLOS, GIVING, NAMING, PLAYING)
WAYS = ("randomly", "black", "red", "sola is made", "sola over and over", "dix is made", "sensibly")
RANDOMLY, BLACK, RED, MAKE_SOLA, SOLAS, MAKE_DIX, SENSIBLY = range(len(WAYS))
OFTEN = (3, 2, 5, 3, 3, 2, 2)  # how often each is chosen
COLOUR = np.array([SUIT[CLUBS] | SUIT[SPADES], SUIT[DIAMONDS] | SUIT[HEARTS]])

# Facts compared, one integer each; those from `actor` on only while the episode lasts.
FACTS = (
    *("over", "truncated", "decisions", "number", "dealer", "kind", "granded", "solo", "soloist", "passes", "sits out", "trump"),
    *("leader", "shown", "either", "tricks 0", "tricks 1", "score 0", "score 1", "stars 0", "stars 1"),
    *(f"{what} {p}" for what in ("hand", "known", "played", "lacks", "led", "bid", "gave", "received") for p in range(4)),
    *("actor", "legal", "phase", "table", "lead", "best", "holder"),
)
OVER, PHASE = FACTS.index("over"), FACTS.index("phase")
TRICKS, SCORE, STARS = (slice(FACTS.index(f"{what} 0"), FACTS.index(f"{what} 1") + 1) for what in ("tricks", "score", "stars"))
# What is worth having met: not compared, but counted where it is not zero.
MET = (
    "a bid returned unseen",
    "granded left of the dealer",
    "granded second",
    "granded third",
    "the dealer granded",
    "bids sola after a pass",
    "bids dix over sola",
    "bids dix over its partner's sola",
    "gives a card that it has shown",
    "one card publicly with the pair",
    "two cards publicly with the pair",
    "holds the card that it received",
    "holds its partner's bid card",
    "must follow",
    "cannot follow",
    "known to lack a suit",
    "known to lack two suits",
    "a trump holds a trick of another suit",
    "plays over a trump",
    "trumps though no card of the suit is left",
    "a trick of three cards",
    "the first trick of grand dix",
    "a score below zero",
    "a side with stars",
    "a later deal",
    "the last card of a hand",
)
COLUMNS = len(FACTS) + len(MET)


def record(values: dict[str, Any]) -> np.ndarray:
    """The options' record; `values` names the variant too, which says more than its options."""
    return GAME.record(values, values["variant"])


def draw_setting(random: Random, **fixed: Any) -> tuple[dict[str, Any], np.ndarray]:
    """Values of all options that can be dealt, any of them but for those that are fixed, and their record."""
    while True:
        variant = random.choice(list(VARIANTS))
        solos = random.random() < 0.8
        values = {
            "variant": variant,
            "grand_points": random.choice((0, 1, 1, 2, 2, random.randint(0, 1000))),
            "defence_points": random.choice((0, 1, 1, 2, 2, random.randint(0, 1000))),
            "target": random.choice((1, 11, 13, 15, random.randint(1, 60), random.randint(1, 10_000))),
            "solos": solos,
            "trumps": not solos and random.random() < 0.7,
            "failed_solo_star": random.random() < 0.4,
            "star_value": random.choice((7.5, 0.0, 1.0, random.uniform(0, 1000))),
            "episode": random.choice(("deal", "game")),
            "max_deals": random.choice((1, 2, 6, random.randint(1, 20))),
            "pack": None,
        } | fixed
        if values["episode"] == "game" and "target" not in fixed and random.random() < 0.7:  # one that can be reached
            values["target"] = random.randint(1, 13)
        if values["variant"] == "south-dakota":
            values |= {"grand_points": None, "defence_points": None}
        if "pack" not in fixed and random.random() < 0.5:
            values["pack"] = random.choice("3456789TJQKA") if random.random() < 0.3 else draw_pack(random)
        try:
            return values, record(values)
        except ValueError:
            continue


def draw_pack(random: Random) -> list[int]:
    """A list of cards that can be dealt: often few of them, and often of few suits."""
    tricks = random.choice((1, 2, 3, 4, random.randint(1, 13)))
    favoured = random.sample(range(4), random.randint(1, 4))
    cards = sorted(range(52), key=lambda card: (card // 13 not in favoured, random.random()))
    return random.sample(cards[: 4 * tricks], 4 * tricks)


class Asked(Reference):
    """The reference, which is asked for the legal actions of a decision before it checks one: it works them out once.

    It also remembers the suits that each seat has led in this deal.
    """

    players = 4
    legal_now: set[int] | None = None

    def begin_deal(self) -> None:
        self.led: list[set[int]] = [set() for _ in range(4)]
        super().begin_deal()

    def legal(self) -> set[int]:
        if self.legal_now is None:
            self.legal_now = super().legal()
        return self.legal_now

    def apply(self, action: int) -> None:
        if self.phase == PLAYING and not self.table:
            self.led[self.turn].add(action // 13)
        super().apply(action)
        self.legal_now = None


def reference(values: dict[str, Any], state: Any) -> Asked:
    """The reference at the beginning of the episode that a record has just been dealt; it is given the decks that the record will have."""
    return Asked(decks_of(state), int(state["dealer"]), **{name: value for name, value in values.items() if name != "players"})


def decks_of(state: Any) -> Callable[[int], list[int]]:
    """The decks of an episode (C-3), by the number of the deal."""
    copy = np.array([state], GAME.state)
    first = [int(card) for card in copy["deck"][0, : copy["size"][0]]]

    def deck(k: int) -> list[int]:
        if k:
            verbs.shuffle(copy[0], k)
        return [int(card) for card in copy["deck"][0, : copy["size"][0]]] if k else first

    return deck


_bit = [1 << card for card in range(64)].__getitem__
_PHASE = {phase: number for number, phase in enumerate(PHASES)}
_SOLO = {None: NONE, SOLA_WORD: SOLA, DIX_WORD: DIX}


def as_set(cards: Any) -> int:
    return sum(map(_bit, cards)) if cards else 0


def or_none(number: int | None) -> int:
    return -1 if number is None else number


def reference_facts(game: Asked) -> list[int]:
    """The facts in the order of `FACTS`; -1 for nobody, no card and no suit."""
    kind = UNDECIDED if game.high is None else HIGH if game.high else LOW
    facts = [int(game.over), int(game.truncated), game.decisions, game.number, game.dealer, kind, or_none(game.granded)]
    facts += [_SOLO[game.solo], or_none(game.soloist), game.passes, or_none(game.sits_out), or_none(game.trump), or_none(game.leader)]
    facts += [as_set(game.shown), as_set(game.either), *game.tricks, *game.score, *game.stars]
    for cards in (game.hands, game.known, game.played, game.lacks, game.led):
        facts += map(as_set, cards)
    facts += [game.bids.get(p, -1) for p in range(4)]
    facts += [game.gifts.get(p, -1) for p in range(4)]
    facts += [or_none(game.received_by(p)) for p in range(4)]
    if not game.over:
        facts += [game.actor, as_set(game.legal()), _PHASE[game.phase], as_set(game.table.values())]
        if game.table and game.leader is not None:
            holder = game.trick_winner()
            facts += [game.table[game.leader], game.table[holder], holder]
        else:
            facts += [-1, -1, -1]
    return facts


def reference_stock(game: Reference) -> bytes:
    """There is no stock: all cards are dealt."""
    return b""


def stocks(states: np.ndarray, rows: np.ndarray) -> list[bytes]:
    return [b""] * len(rows)


def ending(values: dict[str, Any], facts: list[int], phase: int) -> list[str]:
    """What to count of an episode that has ended."""
    fact = dict(zip(FACTS, facts))
    solo, soloist, granded = fact["solo"], fact["soloist"], fact["granded"]
    tricks, score = facts[TRICKS], facts[SCORE]
    if solo:
        what = "sola" if solo == SOLA else "dix"
        made = fact[f"tricks {soloist % 2}"] == 0 if solo == SOLA else fact[f"tricks {1 - soloist % 2}"] == 0 and phase == PLAY
        how = f"{what} {'made' if made and facts[STARS][soloist % 2] else 'failed'}"
    else:
        what = "low" if fact["kind"] == LOW else "high"
        ahead = "nobody" if tricks[0] == tricks[1] else f"side {int(tricks[1] > tricks[0])}"
        how = f"low, {ahead}" if what == "low" else f"high, {'nobody' if ahead == 'nobody' else _whose(tricks, granded)}"
    end = "cut off" if fact["truncated"] else "equal" if score[0] == score[1] else "won"
    return ["ended", f"{values['episode']}: {what}", f"{values['episode']}: {end}", how]


def _whose(tricks: list[int], granded: int) -> str:
    return "granders" if tricks[granded % 2] > tricks[1 - granded % 2] else "defence"


def wrong_at_the_end(values: dict[str, Any], facts: list[int]) -> str | None:
    """What both implementations could have wrong together: sums of tricks, and the score of a single deal."""
    fact = dict(zip(FACTS, facts))
    deal, all_tricks = values["episode"] == "deal", int(record(values)["tricks"])
    if fact["solo"]:
        return None if not deal or (facts[SCORE] == [0, 0] and sum(facts[STARS]) <= 1) else "score of a solo"
    if sum(facts[TRICKS]) != all_tricks:
        return "sum of tricks"
    if not deal:
        return None
    over_half = [max(tricks - all_tricks // 2, 0) for tricks in facts[TRICKS]]
    if fact["kind"] == LOW:
        right = [-points for points in over_half]
    elif values["variant"] == "south-dakota":
        own = fact[f"tricks {fact['granded'] % 2}"] - all_tricks // 2
        right = [(own if own > 0 else own - 1) * (side == fact["granded"] % 2) for side in range(2)]
    else:
        right = [
            points * values["grand_points" if side == fact["granded"] % 2 else "defence_points"] for side, points in enumerate(over_half)
        ]
    return None if facts[SCORE] == right and facts[STARS] == [0, 0] else "score of a hand"


def expected() -> set[Any]:
    """Everything that a fuzz of any length worth the name must have met."""
    result: set[Any] = {(phase, "card") for phase in (BID, GIVE, PLAY)}
    result |= {(SOLO, action) for action in (PASS, BID_SOLA, BID_DIX)} | {(TRUMP, NAME + suit) for suit in range(4)}
    ends = ("high", "low", "sola", "dix", "won")
    result |= {"ended", *MET} | {f"{episode}: {end}" for episode in ("deal", "game") for end in ends} | {"deal: equal"}
    result |= {"game: cut off", "low, side 0", "low, side 1", "low, nobody"} | {f"high, {who}" for who in ("granders", "defence", "nobody")}
    result |= {f"{solo} {end}" for solo in ("sola", "dix") for end in ("made", "failed")}
    result |= {f"{name}={value}" for name in ("solos", "trumps", "failed_solo_star") for value in (False, True)}
    result |= {f"variant={variant}" for variant in VARIANTS} | {f"pack={kind}" for kind in ("None", "str", "list")}
    return result | {f"episode={value}" for value in ("deal", "game")}


# ------------------------------------------------------------------ what a seat knows, beside the reference


def word(parts: dict[str, int], widths: dict[str, int]) -> int:
    """A word from its parts by name, lowest bits first."""
    assert parts.keys() == widths.keys()
    result, shift = 0, 0
    for name, width in widths.items():
        assert 0 <= parts[name] < 1 << width, name
        result |= parts[name] << shift
        shift += width
    return result


def thermometer(n: int) -> int:
    return (1 << n) - 1


def known_to(knows: dict[str, Any], seat: int, other: int) -> set[int]:
    """The cards that a seat knows to be in another's hand: public ones, and in sola nulla what it can tell from its own hand (MW-4)."""
    cards = set(knows["known"][other])
    if other == (seat + 2) % 4 and knows["solo"] == SOLA_WORD and knows["phase"] == PLAYING and knows["soloist"] in (seat, other):
        cards |= knows["either"] - knows["hand"]
        if knows["gave"] is not None:
            cards.add(knows["gave"])
    return cards


def expected_words(game: Asked, seat: int) -> dict[str, int]:
    """The observation words by row name, made of what the reference says that the seat knows (C-7) and of the options."""
    knows, own = game.knows(seat), seat % 2
    clockwise = [(seat + k) % 4 for k in range(4)]

    def relative(seats: Any) -> int:
        return as_set((p - seat) % 4 for p in seats if p is not None)

    def one(card: int | None) -> int:
        return 0 if card is None else 1 << card

    table, playing = knows["table"], knows["phase"] == PLAYING
    holder = game.trick_winner() if table else None
    rows = {"hand": as_set(knows["hand"]), "known, own hand": as_set(knows["known"][seat])}
    rows |= {f"known, {k} to the left": as_set(known_to(knows, seat, clockwise[k])) for k in (1, 2, 3)}
    rows |= {f"played, {k} to the left": as_set(knows["played"][clockwise[k]]) for k in range(4)}
    rows["pair"] = as_set(knows["either"])
    rows["pair, own bid"] = as_set({knows["shown"].get(knows["soloist"])} & knows["either"])
    rows["trick"] = as_set(table.values())
    rows["holds the trick"] = one(None if holder is None else table[holder])
    rows |= {"own bid": one(knows["bid"]), "given": one(knows["gave"]), "received": one(knows["received"])}
    bidders = [(knows["dealer"] + 1 + k) % 4 for k in range(4)]
    roles = {
        "leader": relative([knows["leader"]]) if playing else 0,
        "holder": relative([holder]),
        "dealer": relative([knows["dealer"]]),
        "phase": 1 << PHASES.index(knows["phase"]),
        "bids made": relative(bidders[: bidders.index(knows["actor"])]) if knows["phase"] == BIDDING else 15,
        "low or high": 0 if knows["high"] is None else 1 << knows["high"],
        "granded": relative([knows["granded"]]),
        "solo": one({None: None, SOLA_WORD: 0, DIX_WORD: 1}[knows["solo"]]),
        "soloist": relative([knows["soloist"]]),
        "passes": thermometer(knows["passes"]),
        "sits out": relative([knows["sits_out"]]),
        "trumps": one(knows["trump"]),
        "suit led": 1 << table[knows["leader"]] // 13 if table else 0,
        "cards laid": thermometer(len(table)),
    }
    rows["roles"] = word(roles, ROLE_BITS)
    counts = {
        "no cards of a suit": sum(as_set(knows["lacks"][p]) << 4 * k for k, p in enumerate(clockwise)),
        "sizes of hands": sum(knows["sizes"][p] << 4 * k for k, p in enumerate(clockwise)),
        "tricks, own side": thermometer(knows["tricks"][own]),
        "tricks, other side": thermometer(knows["tricks"][1 - own]),
    }
    rows["voids and counts"] = word(counts, COUNT_BITS)
    scores = {"score, own side": knows["score"][own] % (1 << 24), "score, other side": knows["score"][1 - own] % (1 << 24)}
    rows["scores"] = word(scores, SCORE_BITS)
    stars = {"stars, own side": knows["stars"][own], "stars, other side": knows["stars"][1 - own], "deals left": knows["deals_left"]}
    rows["stars and deals"] = word(stars, STAR_BITS)
    lacking = [min(max(game.target - knows["score"][side], 0), MISSING) for side in (own, 1 - own)]
    in_game = game.episode == "game"
    rows["missing"] = thermometer(lacking[0]) | thermometer(lacking[1]) << MISSING if in_game else 0
    south_dakota = game.variant == "south-dakota"
    options = {
        "grand points": 0 if south_dakota else game.grand_points,
        "defence points": 0 if south_dakota else game.defence_points,
        "target": game.target if in_game else 0,
        "max deals": game.max_deals if in_game else 0,
        "solos": int(game.solos),
        "failed solo star": int(game.failed_solo_star),
        "trumps": int(game.trumps),
        "south dakota": int(south_dakota),
        "game": int(in_game),
    }
    more = {"out of the pack": as_set(set(range(52)) - game.cards), "star value": min(round(4 * game.star_value), 4095)}
    return rows | {"options": word(options, OPTION_BITS), "more options": word(more, MORE_BITS)}


def expected_record(game: Asked, seat: int, options: Any) -> dict[str, Any]:
    """Every field of a concealed record, as the reference says that the seat knows it."""
    knows = game.knows(seat)
    table, first = knows["table"], (knows["dealer"] + 1) % 4
    leader = first if knows["leader"] is None else knows["leader"]
    holder = game.trick_winner() if table else leader
    seen = [set(knows["hand"]) if p == seat else known_to(knows, seat, p) for p in range(4)]
    turned = []  # the seats that showed their bid: up to the first black one (MW-2)
    for p in [] if knows["high"] is None else [(first + k) % 4 for k in range(4)]:
        turned.append(p)
        if black(game.bids[p]):
            break
    return {
        "options": options,
        "decisions": game.decisions,
        "phase": PHASES.index(knows["phase"]),
        "turn": leader if knows["over"] else knows["actor"],
        "leader": leader,
        "dealer": knows["dealer"],
        "trump": or_none(knows["trump"]),
        "laid": len(table),
        "seats": 4 if knows["sits_out"] is None else 3,
        "lead": table[leader] if table else -1,
        "best": table[holder] if table else -1,
        "holder": holder,
        "kind": UNDECIDED if knows["high"] is None else HIGH if knows["high"] else LOW,
        "granded": or_none(knows["granded"]),
        "solo": _SOLO[knows["solo"]],
        "soloist": or_none(knows["soloist"]),
        "passes": knows["passes"],
        "out": or_none(knows["sits_out"]),
        "shown": as_set(turned),
        "over": int(knows["over"]),
        "truncated": int(knows["truncated"]),
        "size": len(game.cards),
        "tricks": knows["tricks"],
        "number": game.number,
        "table": as_set(table.values()),
        "hand": [as_set(cards) for cards in seen],
        "known": [as_set(cards) for cards in knows["known"]],
        "played": [as_set(cards) for cards in knows["played"]],
        "pair": as_set(knows["either"]),
        "void": [as_set(suits) for suits in knows["lacks"]],
        "led": [as_set(suits) for suits in game.led],
        "bid": [game.bids.get(p, -1) if p in turned or p == seat else -1 for p in range(4)],
        "gave": [game.gifts.get(p, -1) if p == seat else -1 for p in range(4)],
        "received": [or_none(game.received_by(p)) if p == seat else -1 for p in range(4)],
        "rng": 0,
        "score": knows["score"],
        "stars": knows["stars"],
        "hidden": [knows["sizes"][p] - len(seen[p]) for p in range(4)],
        "deck": [255] * 52,
        "seed": 0,
        "given": 0,
    }


def knowledge_differs(state: Any, game: Asked, seat: int) -> str | None:
    """What a seat is shown by a record, against what the reference says it knows: names of rows or fields that differ, or None."""
    states, seats = np.array([state], GAME.state), np.array([seat])
    words = np.zeros((1, GAME.words), np.uint64)
    observe_rows(states, seats, words)
    rows = expected_words(game, seat)
    names = [f"row {row.name!r}" for row, seen in zip(GAME.rows, words[0].tolist(), strict=True) if seen != rows[row.name]]
    copy = batch.concealed(states, seats)[0]
    fields = expected_record(game, seat, state["options"])
    assert {*fields, "decks"} == set(GAME.state.names or ())  # decks of an earlier episode may stand there, and tell nothing
    names += [f"concealed {name!r}" for name, value in fields.items() if (copy[name] != np.asarray(value, copy[name].dtype)).any()]
    return f"what seat {seat} knows: {', '.join(names)}" if names else None


@compiled
def facts_rows(states, rows, out):
    """The facts of some records and what they meet, (k, COLUMNS) int64."""
    for k in range(rows.shape[0]):
        s, f = states[rows[k]], out[k]
        f[0], f[1], f[2], f[3], f[4], f[5], f[6] = s.over, s.truncated, s.decisions, s.number, s.dealer, s.kind, s.granded
        f[7], f[8], f[9], f[10], f[11] = s.solo, s.soloist, s.passes, s.out, s.trump
        f[12] = s.leader if s.phase == PLAY else -1
        f[13], f[14] = shown_still(s), s.pair
        for side in range(2):
            f[15 + side], f[17 + side], f[19 + side] = s.tricks[side], s.score[side], s.stars[side]
        for p in range(4):
            f[21 + p], f[25 + p], f[29 + p], f[33 + p], f[37 + p] = s.hand[p], s.known[p], s.played[p], s.void[p], s.led[p]
            f[41 + p], f[45 + p], f[49 + p] = s.bid[p], s.gave[p], s.received[p]
        f[53], f[54], f[55], f[56] = verbs.actor(s), verbs.legal(s) if not s.over else EMPTY, s.phase, s.table
        f[57], f[58], f[59] = s.lead, s.best, s.holder if s.laid else -1
        f[60:] = 0
        if not s.over:
            meet(s, f[60:])


@compiled
def all_played(s):
    return s.played[0] | s.played[1] | s.played[2] | s.played[3]


@compiled
def shown_still(s):
    """The seats whose bid card everybody has seen, as long as it is not played."""
    seats = 0
    for p in range(4):
        if (s.shown >> p) & 1 and not all_played(s) & bit(s.bid[p]):
            seats |= 1 << p
    return seats


@compiled
def meet(s, out):
    """Say which of `MET` a record is an example of."""
    seat = np.int64(s.turn)
    partner = (seat + 2) & 3
    hand = s.hand[seat]
    if s.phase != BID:
        out[0] = s.shown != 15
        if s.granded >= 0:
            out[1 + ((np.int64(s.granded) - np.int64(s.dealer) - 1) & 3)] = 1
    if s.phase == SOLO:
        out[5] = s.solo == NONE and s.passes > 0
        out[6] = s.solo == SOLA
        out[7] = s.solo == SOLA and s.soloist == partner
    if s.phase == GIVE:
        out[8] = s.turn == partner_of_soloist(s) and s.known[s.soloist] & bit(s.gave[s.soloist]) != EMPTY
    out[9], out[10] = popcount(s.pair) == 1, popcount(s.pair) == 2
    if s.phase == PLAY:
        if s.received[seat] >= 0:
            out[11] = hand & bit(s.received[seat]) != EMPTY
            out[12] = (s.shown >> partner) & 1 and hand & bit(s.bid[partner]) != EMPTY
        if s.laid:
            following = hand & SUIT[s.lead // 13]
            out[13], out[14] = following != EMPTY and following != hand, following == EMPTY
            if s.trump >= 0:
                over = s.best // 13 == s.trump and s.lead // 13 != s.trump
                out[17], out[18] = over, over and verbs.legal(s) & SUIT[s.trump] & ~(bit(s.best + 1) - bit(0)) != EMPTY
                out[19] = following == EMPTY and hand & SUIT[s.trump] != EMPTY and s.lead // 13 != s.trump
        voids = 0
        for suit in range(4):
            voids += (s.void[seat] >> suit) & 1
        out[15], out[16] = voids == 1, voids == 2
        out[20] = s.seats == 3
        out[21] = s.solo == DIX and s.seats == 4
        out[25] = popcount(hand) == 1
    out[22] = s.score[0] < 0 or s.score[1] < 0
    out[23] = s.stars[0] > 0 or s.stars[1] > 0
    out[24] = s.number > 0


@compiled
def partner_of_soloist(s):
    return (np.int64(s.soloist) + 2) & 3


# ------------------------------------------------------------------ ways to play


@compiled
def choose(s, way, rng):
    """An action by one of the `WAYS` to play; one time in ten, and where a way says nothing, any legal one."""
    actions = verbs.legal(s)
    if way == SENSIBLY:
        return choose_sensibly(s, actions)
    if way != RANDOMLY and draw_below(rng, 10):
        if s.phase == BID and way in (BLACK, RED):
            wanted = actions & COLOUR[0 if way == BLACK else 1]
            actions = wanted if wanted else actions
        elif s.phase == SOLO:
            bid = bit(BID_SOLA) if way in (MAKE_SOLA, SOLAS) else bit(BID_DIX) if way == MAKE_DIX else EMPTY
            actions = actions & bid if actions & bid and draw_below(rng, 2) else bit(PASS)
        elif s.phase == GIVE and way == MAKE_SOLA:
            return of_rank(actions, s.turn == s.soloist)
        elif s.phase == PLAY and s.solo == SOLA and way == MAKE_SOLA:
            return of_rank(actions, s.turn != s.soloist)
        elif s.phase == PLAY and s.solo == DIX and way == MAKE_DIX:
            return of_rank(actions, s.turn == s.soloist)
    return np.int64(nth(actions, draw_below(rng, popcount(actions))))


@compiled
def of_rank(cards, high):
    """The highest or lowest card of a set by rank, of equal ones that of the first suit."""
    found = -1
    for card in range(52):
        if cards & bit(card) and (found < 0 or (card % 13 > found % 13 if high else card % 13 < found % 13)):
            found = card
    return found


@compiled
def high_cards(hand):
    """Points of a hand: ace 4, king 3, queen 2, jack 1."""
    points = 0
    for card in range(52):
        if hand & bit(card):
            points += max(card % 13 - 8, 0)
    return points


@compiled
def longest(cards):
    """The suit of which a set has the most cards, of equal ones the last."""
    found = 0
    for suit in range(4):
        if popcount(cards & SUIT[suit]) >= popcount(cards & SUIT[found]):
            found = suit
    return found


@compiled
def choose_sensibly(s, actions):
    """As a careful beginner might, for games that are told: black with 12 points, a solo with a hand for it, tricks if they are wanted."""
    hand = s.hand[s.turn]
    points = high_cards(hand)
    if s.phase == BID:
        wanted = actions & COLOUR[0 if points >= 12 else 1]
        return of_rank(wanted if wanted else actions, False)
    if s.phase == SOLO:
        if points <= 3 and s.solo == NONE:
            return BID_SOLA
        return BID_DIX if points >= 19 else PASS
    if s.phase == GIVE:
        return of_rank(actions, s.turn == s.soloist)
    if s.phase == TRUMP:
        return NAME + longest(hand)
    alone = s.turn == s.soloist
    if s.solo == SOLA:
        return shed(s, actions, alone)
    if s.solo == DIX:
        if s.laid == 0:
            return of_rank(actions, alone)
        return of_rank(actions, True) if alone else of_rank(actions, False) if s.turn == partner_of_soloist(s) else win(s, actions)
    if s.kind == LOW:
        return shed(s, actions, True)
    return of_rank(actions & SUIT[longest(actions)], True) if s.laid == 0 else win(s, actions)


@compiled
def winning(s, cards):
    """The cards that would hold the trick."""
    found = EMPTY
    for card in range(52):
        if cards & bit(card) and (card > s.best if card // 13 == s.best // 13 else card // 13 == s.trump):
            found |= bit(card)
    return found


@compiled
def win(s, actions):
    """The cheapest card that wins, but nothing over a partner who holds the trick as the last but oneself; else the lowest."""
    winners = winning(s, actions)
    partners = s.holder & 1 == s.turn & 1 and s.laid == s.seats - 1
    if winners == EMPTY or partners:
        plain = actions & ~SUIT[s.trump] if s.trump >= 0 else actions
        return of_rank(plain if plain else actions, False)
    return of_rank(winners, False)


@compiled
def shed(s, actions, avoid):
    """Low play: leads low, then the highest card that does not win if one is to avoid tricks; else the lowest."""
    if s.laid == 0 or not avoid:
        return of_rank(actions, False)
    losers = actions & ~winning(s, actions)
    if losers:
        return of_rank(losers, True)
    return of_rank(actions, s.laid == s.seats - 1)


@compiled
def choose_rows(states, rows, ways, rngs, actions):
    for i in rows:
        actions[i] = choose(states[i], ways[i], rngs[i])


@compiled
def observe_rows(states, seats, words):
    """What a seat of each game sees, (k, W) uint64."""
    for k in range(states.shape[0]):
        verbs.observe(states[k], seats[k], words[k])


@compiled
def play_on(states, ways, rngs, decisions):
    """Every game plays so many decisions, or to its end."""
    for i in range(states.shape[0]):
        for _ in range(decisions[i]):
            if not states[i].over:
                verbs.apply(states[i], choose(states[i], ways[i], rngs[i]))


def positions(n: int, seed: int, **fixed: Any) -> np.ndarray:
    """n games of random settings, (n,) records, each stopped somewhere before its end."""
    random = Random(seed)
    states = np.zeros(0, GAME.state)
    while len(states) < n:
        more = np.zeros(n, GAME.state)
        more["options"] = [draw_setting(random, **fixed)[1] for _ in range(n)]
        seeds = np.array([random.getrandbits(63) for _ in range(n)], np.uint64)
        batch.begin_rows(more, np.arange(n), seeds, np.full(n, -1), np.zeros(n, np.bool_))
        ways = np.array(random.choices(range(len(WAYS)), OFTEN, k=n))
        rngs = np.array([(random.getrandbits(63),) for _ in range(n)], [("rng", np.uint64)])
        play_on(more, ways, rngs, np.array([random.choice((0, 1, random.randint(0, 12), random.randint(0, 70))) for _ in range(n)]))
        states = np.concatenate([states, more[more["over"] == 0]])
    return states[:n]


# ------------------------------------------------------------------ faults

# What can be wrong with a record, by number.
FAULTS = (
    "none",
    "a card is in two places, or in none",
    "a known card is not where it is known to be",
    "the trick does not agree with its cards",
    "the card that holds the trick is not its best",
    "hands of wrong sizes",
    "a seat known to lack a suit has it",
    "a bid card that was shown is not known, or one was not in its hand",
    "the tricks are not those of the cards played",
    "the phase, the solo and those who sit out do not agree",
    "the score is none of such a deal",
    "no legal action, or an action outside the numbering",
    "the returns do not sum to zero, or partners differ",
    "a world drawn is no state of this game",
    "a world drawn shows its seat something else",
)


@compiled
def fault(s):
    """The number of the first fault of a record, 0 for none."""
    everywhere, cards, laid = EMPTY, np.uint64(0), np.uint64(0)
    for p in range(4):
        everywhere |= s.hand[p] | s.played[p]
        cards += popcount(s.hand[p]) + popcount(s.played[p])
        laid += popcount(s.played[p])
        if s.known[p] & ~s.hand[p] or s.hidden[p]:
            return 2
        for suit in range(4):
            if (s.void[p] >> suit) & 1 and s.hand[p] & SUIT[suit]:
                return 6
    if everywhere != s.options.pack or cards != popcount(s.options.pack):
        return 1
    if s.pair and (s.solo != SOLA or s.pair & ~(s.hand[s.soloist] | s.hand[partner_of_soloist(s)])):
        return 2
    if s.laid != popcount(s.table) or s.table & ~all_played(s) or s.laid >= s.seats:
        return 3
    if s.laid and not (s.played[s.leader] & bit(s.lead) and s.played[s.holder] & bit(s.best) and s.table & bit(s.best)):
        return 3
    if s.laid:
        strongest = s.table & SUIT[s.lead // 13]
        if s.trump >= 0 and s.table & SUIT[s.trump]:
            strongest = s.table & SUIT[s.trump]
        if s.best != np.int64(nth(strongest, popcount(strongest) - np.uint64(1))):
            return 4
    tricks, full = np.int64(s.tricks[0]) + np.int64(s.tricks[1]), np.int64(s.options.tricks)
    p, on_table = np.int64(s.leader), np.int64(s.laid)
    for _ in range(4):
        size = np.int64(popcount(s.hand[p]))
        if p == s.out:
            if size != full - (1 if s.solo == DIX else 0):
                return 5
        else:
            if size != full - tricks - (1 if on_table > 0 else 0):
                return 5
            on_table -= 1
        p = (p + 1) & 3
    known = s.known[0] | s.known[1] | s.known[2] | s.known[3] | s.pair
    for p in range(4):
        if (s.shown >> p) & 1 and bit(s.bid[p]) & ~known & ~all_played(s):
            return 7
        if s.phase != BID and s.bid[p] < 0:
            return 7
        if s.bid[p] >= 0 and s.gave[p] < 0 and not (s.hand[p] | s.played[p]) & bit(s.bid[p]):
            return 7
    in_tricks = np.int64(laid) - np.int64(s.laid)
    first_of_dix = 1 if s.solo == DIX and tricks > 0 else 0
    if in_tricks != tricks * (3 if s.solo != NONE and s.phase == PLAY else 4) + first_of_dix:
        return 8
    if (s.out >= 0) != (s.seats == 3) or (s.out >= 0 and s.solo == NONE) or (s.solo != NONE) != (s.soloist >= 0):
        return 9
    if (s.kind == HIGH) != (s.granded >= 0) or (s.trump >= 0 and not (s.options.trumps and s.kind == HIGH and s.solo == NONE)):
        return 9
    if not s.options.game and (s.number or s.truncated or (s.score[0] and s.score[1]) or s.stars[0] + s.stars[1] > 1):
        return 10
    if s.options.game and not s.over and (s.score[0] >= s.options.target or s.score[1] >= s.options.target):
        return 10
    if not s.over and (verbs.legal(s) == EMPTY or verbs.legal(s) >> np.uint64(ACTIONS)):
        return 11
    return 0


@compiled
def faults_of(states):
    """The sum of the numbers of all faults: 0 for none."""
    total = 0
    for i in range(states.shape[0]):
        total += fault(states[i])
    return total


@compiled
def fault_of_world(s, seat, scratch, plan, rng, words, other_words):
    """Draw a world for a seat: is it a state of the same game, and does it look the same to the seat?"""
    assign(scratch[0], s)
    verbs.conceal(scratch[0], seat)
    verbs.prepare(scratch[0], seat, plan[0])
    verbs.resample(plan[0], scratch[1], rng)
    if fault(scratch[1]) or verbs.actor(scratch[1]) != verbs.actor(s):
        return 13
    if seat == verbs.actor(s) and verbs.legal(scratch[1]) != verbs.legal(s):
        return 13
    verbs.observe(s, seat, words)
    verbs.observe(scratch[1], seat, other_words)
    for k in range(words.shape[0]):
        if words[k] != other_words[k]:
            return 14
    return 0


@compiled
def walk(states, ways, rngs, decisions, scratch, plan, words, counts):
    """Every game plays so many decisions, dealing anew at the end, with everything checked after each.

    `scratch` two records, `plan` one, `words` (2, W). Counts episodes ended, and games among them, in `counts` (2,).
    Returns row and number of the first fault, (-1, 0) if there is none.
    """
    out = np.zeros(4)
    for i in range(states.shape[0]):
        s, rng = states[i], rngs[i]
        for k in range(decisions):
            seat = verbs.actor(s)
            if k % 16 == 0:
                if k % 32:
                    seat = np.uint8(draw_below(rng, 4))
                found = fault_of_world(s, seat, scratch, plan, rng, words[0], words[1])
                if found:
                    return i, found
            else:
                verbs.observe(s, seat, words[0])
            verbs.apply(s, choose(s, ways[i], rng))
            found = fault(s)
            if found:
                return i, found
            if s.over:
                counts[0] += 1
                counts[1] += s.options.game
                verbs.returns(s, out)
                if out[0] + out[1] != 0.0 or out[0] != out[2] or out[1] != out[3]:
                    return i, 12
                begin(s, next_seed(s.seed), -1, False)
    return -1, 0
