"""Mîța and 101 for `tests.fuzz`: settings from the whole option grid, ways to play, facts of both implementations, checks.

The compiled side works on whole batches and hands out rows of integers, the reference side makes the same integers. All
compiled code of the tests that calls other compiled code of the tests stands here: Numba's cache looks at one file only.
"""

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

from tromf.envs import batch, verbs
from tromf.envs.batch import begin, next_seed
from tromf.envs.jit import EMPTY, ONE, assign, bit, compiled, draw_below, nth, popcount
from tromf.envs.mitza.game import GAME
from tromf.envs.mitza.observation import COUNT_BITS, OPTION_BITS, ROLE_BITS, SCORE_BITS, STEP, STEPS
from tromf.envs.mitza.options import CARD_POINTS, PACK
from tromf.envs.mitza.reference import CRYING, EXCHANGING, PLAYING, Reference, cards_in_play
from tromf.envs.mitza.rules import ACTIONS, CRY, EXCHANGE, EXCHANGE_SEVEN, PLAY, QUIET, SUIT, TROMF, points_of, seven_of_trumps

KINDS = {"deals": (200_000, {"episode": "deal"}), "matches": (20_000, {"episode": "match", "scoring": "points"})}
WIDE = ("pack", "target", "removed")  # options of many values
PHASES = (PLAYING, CRYING, EXCHANGING)
WAYS = ("randomly", "hoard trumps", "spend trumps", "one side hoards, one spends", "sensibly")
RANDOMLY, HOARD, SPEND, APART, SENSIBLY = range(len(WAYS))
OFTEN = (3, 2, 1, 2, 2)  # how often each is chosen

# Facts compared, one integer each; those from `actor` on only while the episode lasts.
FACTS = (
    *("over", "decisions", "number", "dealer", "trump", "lacks", "exchanged", "keeper", "leader"),
    *("tricks 0", "tricks 1", "points 0", "points 1", "score 0", "score 1", "won 0", "won 1"),
    *(f"hand {p}" for p in range(6)),
    *(f"known {p}" for p in range(6)),
    *(f"played {p}" for p in range(6)),
    *("actor", "legal", "phase", "called", "table", "lead", "best", "holder"),
)
OVER, PHASE = FACTS.index("over"), FACTS.index("phase")
POINTS = slice(FACTS.index("points 0"), FACTS.index("points 1") + 1)
SCORE = slice(FACTS.index("score 0"), FACTS.index("score 1") + 1)
# What is worth having met: not compared, but counted where it is not zero.
MET = (
    "must play a trump",
    "must play a trump on the partner's",
    "has no trump to play",
    "asked on the last trick",
    "asked though nobody else can have a trump",
    "holds the seven that it kept",
    "has played the seven that it kept",
    "holds the card that it exchanged",
    "holds the exchanged seven, drawn last",
    "a trump from the top of the stock was moved",
    "a trump from its bottom was moved",
    "both ends were moved",
    "equal totals at the target",
    "asked for the exchange in a later deal",
)
COLUMNS = len(FACTS) + len(MET)


def record(values: dict[str, Any]) -> np.ndarray:
    """The options' record; 101 is the variant that accepts all of them."""
    return GAME.record(values, "101")


def draw_setting(random: Random, **fixed: Any) -> tuple[dict[str, Any], np.ndarray]:
    """Values of all options that can be dealt, any of them but for those that are fixed, and their record."""
    while True:
        values = {
            "players": random.choice((2, 4, 6)),
            "scoring": random.choice(("tricks", "points")),
            "exchange": random.random() < 0.7,
            "tromf": random.random() < 0.8,
            "check_stock": random.random() < 0.5,
            "removed": random.sample([PACK.texts[1 + 8 * suit] for suit in range(4)], 2),
            "episode": random.choice(("deal", "match")),
            "target": random.choice((101, 1, 60, random.randint(1, 400), random.randint(1, 120))),
            "pack": None,
        } | fixed
        if "pack" not in fixed and random.random() < 0.5:
            values["pack"] = random.choice("789JQTK") if random.random() < 0.3 else draw_pack(random, values["players"])
        if values["episode"] == "match" and "target" not in fixed:  # matches of few points a deal would never end
            points = sum(CARD_POINTS[PACK.texts[card][0]] for card in PACK.members(PACK.reduced(values["pack"])))
            values["target"] = min(values["target"], max(4 * points, 1))
        try:
            return values, record(values)
        except ValueError:
            continue


def draw_pack(random: Random, players: int) -> list[int]:
    """A list of cards that can be dealt, but for the removed eights: often few cards, and often many trumps."""
    rounds = random.choice((4, 5, random.randint(4, 32 // players)))
    if rounds * players > 32:
        rounds = 32 // players
    favoured = random.sample(range(4), random.randint(1, 4))
    cards = sorted(range(32), key=lambda card: (card // 8 not in favoured, random.random()))
    return random.sample(cards[: rounds * players], rounds * players)


class Asked(Reference):
    """The reference, which is asked for the legal actions of a decision before it checks one: it works them out once."""

    legal_now: set[int] | None = None

    def legal(self) -> set[int]:
        if self.legal_now is None:
            self.legal_now = super().legal()
        return self.legal_now

    def apply(self, action: int) -> None:
        super().apply(action)
        self.legal_now = None


def reference(values: dict[str, Any], state: Any) -> Asked:
    """The reference at the beginning of the episode that a record has just been dealt; it is given the decks that the record will have."""
    return Asked(decks_of(state), int(state["dealer"]), **values)


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
_NOBODY = {2: [0] * 4, 4: [0] * 2, 6: []}


def as_set(cards: Any) -> int:
    return sum(map(_bit, cards)) if cards else 0


def reference_facts(game: Reference) -> list[int]:
    """The facts in the order of `FACTS`; -1 for nobody and for no card."""
    nobody = _NOBODY[game.players]
    facts = [int(game.over), game.decisions, game.number, game.dealer, game.trump, as_set(game.lacks)]
    facts += [-1 if game.exchanged is None else game.exchanged, -1 if game.keeper is None else game.keeper, game.leader]
    facts += [*game.tricks, *game.points, *game.score, *map(as_set, game.won)]
    for cards in (game.hands, game.known, game.played):
        facts += [as_set(each) for each in cards] + nobody
    if not game.over:
        facts += [game.actor, as_set(game.legal()), _PHASE[game.phase], int(game.called), as_set(game.table.values())]
        if game.table:
            holder = game.trick_winner()
            facts += [game.table[game.leader], game.table[holder], holder]
        else:
            facts += [-1, -1, game.leader]
    return facts


def reference_stock(game: Reference) -> bytes:
    return bytes(game.stock)


def stocks(states: np.ndarray, rows: np.ndarray) -> list[bytes]:
    """The stock of some records, top first."""
    tops, sizes = states["top"][rows].tolist(), states["stock_size"][rows].tolist()
    return [stock[top:size] for stock, top, size in zip(map(bytes, states["stock"][rows]), tops, sizes)]


def ending(values: dict[str, Any], facts: list[int], phase: int) -> list[str]:
    """What to count of an episode that has ended."""
    ahead = facts[SCORE] if values["episode"] == "match" else facts[POINTS]
    return ["ended", "equal" if ahead[0] == ahead[1] else "won", f"{values['episode']} of {values['players']}"]


def wrong_at_the_end(values: dict[str, Any], facts: list[int]) -> str | None:
    """What both implementations could have wrong together: MZ-8, in whole packs 120 points a deal."""
    total = sum(CARD_POINTS[PACK.texts[card][0]] for card in cards_in_play(values["players"], values["pack"], values["removed"]))
    deals = facts[FACTS.index("number")] + 1 if values["episode"] == "match" else 0
    right = sum(facts[POINTS]) == total and sum(facts[SCORE]) == deals * total and (total == 120 or values["pack"] is not None)
    return None if right else "sum of points"


def expected() -> set[Any]:
    """Everything that a fuzz of any length worth the name must have met."""
    result: set[Any] = {(PLAY, "card"), (CRY, TROMF), (CRY, QUIET), (EXCHANGE, EXCHANGE_SEVEN), (EXCHANGE, EXCHANGE_SEVEN + 1)}
    result |= {"ended", "equal", "won", *MET} | {f"{kind} of {n}" for kind in ("deal", "match") for n in (2, 4, 6)}
    result |= {f"{name}={value}" for name in ("exchange", "tromf", "check_stock") for value in (False, True)}
    result |= {f"scoring={value}" for value in ("tricks", "points")} | {f"players={n}" for n in (2, 4, 6)}
    return result | {f"pack={kind}" for kind in ("None", "str", "list")} | {f"episode={value}" for value in ("deal", "match")}


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


def expected_words(game: Reference, seat: int) -> dict[str, int]:
    """The observation words by row name, made of what the reference says that the seat knows (C-7) and of the options."""
    knows, players, own = game.knows(seat), game.players, seat % 2
    clockwise = [(seat + k) % players for k in range(players)]

    def relative(seats: Any) -> int:
        return as_set((p - seat) % players for p in seats)

    def thermometer(n: int) -> int:
        return (1 << n) - 1

    table, trump = knows["table"], knows["trump"]
    holder = game.trick_winner() if table else None
    rows = {"own cards": as_set(knows["hand"]) | as_set(knows["played"][seat]) << 32}
    for k in range(1, 6):
        rows[f"{k} to the left"] = 0
    for k, p in enumerate(clockwise[1:], 1):
        rows[f"{k} to the left"] = as_set(knows["known"][p]) | as_set(knows["played"][p]) << 32
    rows["won"] = as_set(knows["won"][own]) | as_set(knows["won"][1 - own]) << 32
    rows["trick"] = as_set(table.values()) | (0 if holder is None else 1 << 32 + table[holder])
    rows["face up"] = (0 if knows["turned"] is None else 1 << knows["turned"]) | as_set(knows["known"][seat]) << 32
    roles = {
        "leader": relative([knows["leader"]]),
        "holder": 0 if holder is None else relative([holder]),
        "dealer": relative([knows["dealer"]]),
        "phase": 1 << PHASES.index(knows["phase"]),
        "trumps": 1 << trump,
        "suit led": 1 << table[knows["leader"]] // 8 if table else 0,
        "tromf cried": int(knows["called"]),
        "no trumps": relative(knows["lacks"]),
        "kept": int(knows["kept"]),
        "cards laid": thermometer(len(table)),
        "sizes of hands": sum(thermometer(knows["sizes"][p]) << 3 * k for k, p in enumerate(clockwise)),
    }
    rows["roles"] = word(roles, ROLE_BITS)
    counts = {"stock": thermometer(knows["stock"])}
    for name in ("tricks", "points"):
        counts |= {f"{name}, own side": knows[name][own], f"{name}, other side": knows[name][1 - own]}
    rows["stock, tricks and points"] = word(counts, COUNT_BITS)
    scores = {"score, own side": knows["score"][own], "score, other side": knows["score"][1 - own]}
    rows["scores"] = word(scores, SCORE_BITS)
    for whose, side in (("own", own), ("other", 1 - own)):
        lacking = game.target - knows["score"][side] - (0 if knows["over"] else knows["points"][side])
        full = game.episode == "match"
        rows[f"missing, {whose} side"] = thermometer(min(-(-max(lacking, 0) // STEP), STEPS)) if full else 0
    options = {
        "out of the pack": as_set(set(range(32)) - game.cards),
        "players": 1 << players // 2 - 1,
        "scoring": int(game.scoring == "points"),
        "exchange": int(game.exchange),
        "tromf": int(game.tromf),
        "check stock": int(game.check_stock),
        "match": int(game.episode == "match"),
        "target": game.target if game.episode == "match" else 0,
    }
    return rows | {"options": word(options, OPTION_BITS)}


def expected_record(game: Reference, seat: int, options: Any, keeps: int) -> dict[str, Any]:
    """Every field of a concealed record, as the reference says that the seat knows it; `keeps` decisions so far were secret ones."""
    knows, players = game.knows(seat), game.players
    table, leader = knows["table"], knows["leader"]
    nobody = [0] * (6 - players)
    stock_size = len(game.cards) - 3 * players
    holder = game.trick_winner() if table else leader
    # The card that lies, or lay, face up under the stock: as everybody has seen it, the seven after an exchange.
    turned = 8 * knows["trump"] if game.exchanged is not None else game.deck_for(game.number)[3 * players]
    shown = [as_set(knows["hand"] if p == seat else knows["known"][p]) for p in range(players)]
    return {
        "options": options,
        "decisions": game.decisions - keeps,
        "phase": PHASES.index(knows["phase"]),
        "turn": knows["leader"] if knows["over"] else knows["actor"],
        "leader": leader,
        "dealer": knows["dealer"],
        "trump": knows["trump"],
        "called": int(knows["called"]),
        "laid": len(table),
        "lead": table[leader] if table else -1,
        "best": table[holder] if table else -1,
        "holder": holder,
        "lacks": as_set(knows["lacks"]),
        "top": stock_size - knows["stock"],
        "stock_size": stock_size,
        "size": len(game.cards),
        "over": int(knows["over"]),
        "exchanged": -1 if game.exchanged is None else game.exchanged,
        "keeper": seat if knows["kept"] else -1,
        "tricks": knows["tricks"],
        "points": knows["points"],
        "number": knows["number"],
        "kept": 0,
        "table": as_set(table.values()),
        "hand": shown + nobody,
        "known": [as_set(cards) for cards in knows["known"]] + nobody,
        "played": [as_set(cards) for cards in knows["played"]] + nobody,
        "won": [as_set(cards) for cards in knows["won"]],
        "rng": 0,
        "score": knows["score"],
        "stock": [turned if k == stock_size - 1 else 255 for k in range(32)],
        "hidden": [0 if p == seat else knows["sizes"][p] - len(knows["known"][p]) for p in range(players)] + nobody,
        "deck": [255] * 32,
        "seed": 0,
        "given": 0,
    }


def knowledge_differs(state: Any, game: Reference, seat: int) -> str | None:
    """What a seat is shown by a record, against what the reference says it knows: names of rows or fields that differ, or None."""
    states, seats = np.array([state], GAME.state), np.array([seat])
    words = np.zeros((1, GAME.words), np.uint64)
    observe_rows(states, seats, words)
    rows = expected_words(game, seat)
    names = [f"row {row.name!r}" for row, seen in zip(GAME.rows, words[0].tolist(), strict=True) if seen != rows[row.name]]
    copy = batch.concealed(states, seats)[0]
    record = expected_record(game, seat, state["options"], int(state["kept"]))
    assert {*record, "decks"} == set(GAME.state.names)  # decks of an earlier episode may stand there, and tell nothing
    names += [f"concealed {name!r}" for name, value in record.items() if (copy[name] != np.asarray(value, copy[name].dtype)).any()]
    return f"what seat {seat} knows: {', '.join(names)}" if names else None


@compiled
def facts_rows(states, rows, out):
    """The facts of some records and what they meet, (k, COLUMNS) int64."""
    for k in range(rows.shape[0]):
        s = states[rows[k]]
        out[k, 0], out[k, 1], out[k, 2], out[k, 3], out[k, 4], out[k, 5] = s.over, s.decisions, s.number, s.dealer, s.trump, s.lacks
        out[k, 6], out[k, 7], out[k, 8] = s.exchanged, s.keeper, s.leader
        for side in range(2):
            out[k, 9 + side], out[k, 11 + side], out[k, 13 + side] = s.tricks[side], s.points[side], s.score[side]
            out[k, 15 + side] = s.won[side]
        for p in range(6):
            out[k, 17 + p], out[k, 23 + p], out[k, 29 + p] = s.hand[p], s.known[p], s.played[p]
        out[k, 35], out[k, 36], out[k, 37] = verbs.actor(s), verbs.legal(s) if not s.over else EMPTY, s.phase
        out[k, 38], out[k, 39], out[k, 40], out[k, 41], out[k, 42] = s.called, s.table, s.lead, s.best, s.holder
        out[k, 43:] = 0
        if not s.over:
            meet(s, out[k, 43:])


@compiled
def meet(s, out):
    """Say which of `MET` a record is an example of."""
    hand, trumps = s.hand[s.turn], SUIT[s.trump]
    if s.called:
        forced = hand & trumps and hand & ~trumps
        out[0], out[1] = forced != EMPTY, forced != EMPTY and s.turn != s.leader and s.turn % 2 == s.leader % 2 and s.options.players > 2
        out[2] = hand & trumps == EMPTY
    if s.phase == CRY:
        out[3] = hand == EMPTY
        others = EMPTY
        for p in range(s.options.players):
            if p != s.turn:
                others |= s.hand[p]
        out[4] = others & trumps == EMPTY
    if s.keeper >= 0:
        holds = s.hand[s.keeper] & seven_of_trumps(s) != EMPTY
        out[5], out[6] = holds, not holds
    if s.exchanged >= 0:
        out[7] = s.known[s.exchanged] != EMPTY and s.top < s.stock_size
        for p in range(s.options.players):
            out[8] |= s.hand[p] & seven_of_trumps(s) != EMPTY
    first = np.int64(3) * s.options.players + 1
    if s.options.check_stock and s.stock_size > 2 and s.top == 0:
        out[9], out[10] = s.deck[first] // 8 == s.trump, s.deck[s.size - 1] // 8 == s.trump
        out[11] = out[9] and out[10]
    out[12] = s.options.match and s.score[0] == s.score[1] and s.score[0] >= s.options.target
    out[13] = s.phase == EXCHANGE and s.number > 0


@compiled
def choose(s, way, rng):
    """An action by one of the `WAYS` to play; one time in eight, and where a way says nothing, any legal one."""
    actions = verbs.legal(s)
    if way == SENSIBLY:
        return choose_sensibly(s, actions)
    if way != RANDOMLY and draw_below(rng, 8):
        plain, trumps = actions & ~SUIT[s.trump], actions & SUIT[s.trump]
        hoards = way == HOARD or (way == APART and s.turn % 2 == 0)
        if s.phase == CRY:
            actions = bit(TROMF)
        elif s.phase == PLAY and hoards:
            if s.laid == 0 and s.top == s.stock_size:
                actions = trumps if trumps else actions
            else:
                actions = plain if plain else actions
        elif s.phase == PLAY:
            actions = trumps if trumps else actions
    return np.int64(nth(actions, draw_below(rng, popcount(actions))))


@compiled
def choose_sensibly(s, actions):
    """As a careful player might, for games that are told: leads low, wins cheaply, throws off, exchanges, cries with the best trump."""
    if s.phase == EXCHANGE:
        return EXCHANGE_SEVEN
    if s.phase == CRY:
        out = EMPTY
        for p in range(s.options.players):
            out |= s.played[p]
        higher = SUIT[s.trump] & s.options.pack & ~out & ~(bit(s.lead + 1) - ONE)
        return TROMF if higher == EMPTY else QUIET
    lowest, cheapest = -1, -1
    for card in range(32):
        if actions & bit(card):
            if lowest < 0 or weight(s, card) < weight(s, lowest):
                lowest = card
            wins = s.laid > 0 and (card > s.best if card // 8 == s.best // 8 else card // 8 == s.trump)
            if wins and (cheapest < 0 or weight(s, card) < weight(s, cheapest)):
                cheapest = card
    if s.laid == 0 and s.top == s.stock_size:  # the last three: the strongest trump first
        trumps = actions & SUIT[s.trump]
        return np.int64(nth(trumps, popcount(trumps) - 1)) if trumps else np.int64(lowest)
    last = s.laid == s.options.players - 1
    partners = s.laid > 0 and s.holder % 2 == s.turn % 2
    return np.int64(lowest if cheapest < 0 or (partners and last) else cheapest)


@compiled
def weight(s, card):
    """How dear a card is: plain before trumps, then rank."""
    return card % 8 + (8 if card // 8 == s.trump else 0)


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
        play_on(more, ways, rngs, np.array([random.choice((0, 1, random.randint(0, 33), random.randint(0, 80))) for _ in range(n)]))
        states = np.concatenate([states, more[more["over"] == 0]])
    return states[:n]


# What can be wrong with a record, by number.
FAULTS = (
    "none",
    "a card is in two places, or in none",
    "a known card is not in its hand",
    "the cards played are not those won and on the table",
    "the trick does not agree with its cards",
    "the hands are not refilled evenly",
    "a seat known to have no trump has one",
    "tricks or points are not those of the cards won",
    "the scores are not the points of the deals before",
    "no legal action, or an action outside the numbering",
    "the returns do not sum to zero",
    "a world drawn is no state of this game",
    "a world drawn shows its seat something else",
)


@compiled
def fault(s):
    """The number of the first fault of a record, 0 for none."""
    players = np.int64(s.options.players)
    everywhere, cards, played, laid = s.table, popcount(s.table), EMPTY, np.uint64(0)
    for p in range(6):
        if p >= players and (s.hand[p] or s.known[p] or s.played[p] or s.hidden[p]):
            return 1
        if s.known[p] & ~s.hand[p]:
            return 2
        if (s.lacks >> p) & 1 and s.hand[p] & SUIT[s.trump]:
            return 6
        everywhere |= s.hand[p] | s.played[p]
        cards += popcount(s.hand[p])
        played |= s.played[p]
        laid += popcount(s.played[p])
    for i in range(s.top, s.stock_size):
        everywhere |= bit(s.stock[i])
        cards += ONE
    for side in range(2):
        cards += popcount(s.won[side])
    if everywhere != s.options.pack or cards != popcount(s.options.pack):
        return 1
    if played != s.won[0] | s.won[1] | s.table or laid != popcount(played):
        return 3
    if s.laid != popcount(s.table):
        return 4
    if s.laid and not (
        s.played[s.leader] & bit(s.lead) and s.played[s.holder] & bit(s.best) and s.table & bit(s.lead) and s.table & bit(s.best)
    ):
        return 4
    rounds = np.int64(s.tricks[0]) + np.int64(s.tricks[1])
    full = min(3, np.int64(popcount(s.options.pack)) // players - rounds)
    for k in range(players):
        p = (np.int64(s.leader) + k) % players
        if np.int64(popcount(s.hand[p])) != full - (1 if k < s.laid else 0):
            return 5
    for side in range(2):
        if s.tricks[side] * players != np.int64(popcount(s.won[side])) or s.points[side] != points_of(s.won[side]):
            return 7
    if s.options.match:
        finished = np.uint64(s.number) + np.uint64(s.over)
        if np.uint64(s.score[0]) + np.uint64(s.score[1]) != finished * points_of(s.options.pack):
            return 8
    elif s.score[0] or s.score[1] or s.number:
        return 8
    if not s.over and (verbs.legal(s) == EMPTY or verbs.legal(s) >> np.uint64(ACTIONS)):
        return 9
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
    if fault(scratch[1]) or (seat == verbs.actor(s) and (verbs.actor(scratch[1]) != seat or verbs.legal(scratch[1]) != verbs.legal(s))):
        return 11
    verbs.observe(s, seat, words)
    verbs.observe(scratch[1], seat, other_words)
    for k in range(words.shape[0]):
        if words[k] != other_words[k]:
            return 12
    return 0


@compiled
def walk(states, ways, rngs, decisions, scratch, plan, words, counts):
    """Every game plays so many decisions, dealing anew at the end, with everything checked after each.

    `scratch` two records, `plan` one, `words` (2, W). Counts episodes ended, and matches among them, in `counts` (2,).
    Returns row and number of the first fault, (-1, 0) if there is none.
    """
    out = np.zeros(6)
    for i in range(states.shape[0]):
        s, rng = states[i], rngs[i]
        for k in range(decisions):
            seat = verbs.actor(s)
            if k % 16 == 0:
                if k % 32:
                    seat = np.uint8(draw_below(rng, s.options.players))
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
                counts[1] += s.options.match
                verbs.returns(s, out)
                total = 0.0
                for p in range(s.options.players):
                    total += out[p]
                if abs(total) > 1e-9:
                    return i, 10
                begin(s, next_seed(s.seed), -1, False)
    return -1, 0
