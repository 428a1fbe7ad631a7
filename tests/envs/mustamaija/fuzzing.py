"""Mustamaija for `tests.fuzz`: settings from the whole option grid, ways to play, facts of both implementations, checks.

The compiled side works on whole batches and hands out rows of integers, the reference side makes the same integers. All
compiled code of the tests that calls other compiled code of the tests stands here: Numba's cache looks at one file only.
"""

from random import Random
from typing import Any

import numpy as np

from tromf.agents.mustamaija.yardsticks import yardstick
from tromf.envs import batch, verbs
from tromf.envs.batch import begin, next_seed
from tromf.envs.jit import EMPTY, ONE, assign, bit, compiled, draw_below, nth, popcount
from tromf.envs.mustamaija.game import GAME
from tromf.envs.mustamaija.reference import ADDING, DEFENDING, KEEPING, LAYING, RETURNING, Reference
from tromf.envs.mustamaija.rules import ACTIONS, ATTACK, DECLARE, DEFEND, DONE, KEEP, KEEP_SUIT, RETURN, SUIT

KINDS: dict[str, tuple[int, dict[str, Any]]] = {"deals": (200_000, {})}
WIDE = ("pack", "max_decisions", "slap_probability")  # options of many values
PHASES = (LAYING, KEEPING, RETURNING, ADDING, DEFENDING)
WAYS = ("randomly", "lay all", "lay all, beat", "lay all, take", "two suits", "journeyman")
RANDOMLY, LAY, LAY_BEAT, LAY_TAKE, TWO_SUITS, LIKE_JOURNEYMAN = range(len(WAYS))

OFTEN = (2, 0.6, 3, 0.2, 0.6, 4)  # how often each is chosen; taking everything makes long games

# Facts compared, one integer each; those from `attack` on only while the deal lasts.
FACTS = (
    *("over", "truncated", "decisions", "loser", "trump", "gone", "seen", "depths", "places"),
    *(f"hand {p}" for p in range(8)),
    *(f"known {p}" for p in range(8)),
    *("actor", "legal", "phase", "attacker", "defender", "attack", "taken", "beaten", "beating"),
)
OVER, TRUNCATED, LOSER, PHASE = (FACTS.index(name) for name in ("over", "truncated", "loser", "phase"))
# What is worth having met: not compared, since the reference does not keep it, but counted where it is not zero.
MET = ("a spade passed over",)
COLUMNS = len(FACTS) + len(MET)


def record(values: dict[str, Any]) -> np.ndarray:
    """The options' record."""
    return GAME.record(values, None)


def draw_setting(random: Random, **fixed: Any) -> tuple[dict[str, Any], np.ndarray]:
    """Values of all options that can be dealt, any of them but for those that are fixed, and their record."""
    while True:
        values = {
            "players": random.randint(2, 8),
            "hand_size": random.choice((5, 3, 6)),
            "trump": random.choice(("turned", "diamonds", "declared")),
            "declare_with": random.choice(("marriage", "either")),
            "attack_limit": random.choice((None, None, random.randint(1, 13))),
            "follow_up": random.random() < 0.4,
            "slap_probability": random.choice((0, 0.1, 0.5, 1, round(random.random(), 3))),
            "misplay_penalty": random.random() < 0.4,
            "scoring": random.choice(("loser", "placing", "winner")),
            "max_decisions": random.choice((2000, 100, 80, random.randint(1, 60), random.randint(1, 30), 5000)),  # some games never end
            "pack": None,
        }
        if random.random() < 0.8:
            values["hand_size"] = random.randint(1, 8)
            values["pack"] = random.choice("3456789TJQ789T") if random.random() < 0.3 else draw_pack(random, values)
        if random.random() < 0.1:  # so few cards that wrong attacks are returned early, before anybody has declared
            values |= {"hand_size": random.randint(2, 8), "trump": "declared", "declare_with": "either", "misplay_penalty": True}
            cards = min(values["players"] * values["hand_size"] + random.randint(0, 2), 51)
            values["pack"] = [49, *random.sample([card for card in range(52) if card != 49], cards - 1)]
        values |= fixed
        try:
            return values, record(values)
        except ValueError:
            continue


def draw_pack(random: Random, values: dict[str, Any]) -> list[int]:
    """A list of cards with Mustamaija in it; often so many spades that turned ones come up again (MM-T3)."""
    spades, others = [card for card in range(39, 52) if card != 49], list(range(39))
    if random.random() < 0.5:
        return [
            49,
            *random.sample(spades, random.randint(0, 12)),
            *random.sample(others, random.choice((random.randint(1, 39), random.randint(1, 20)))),
        ]
    dealt = values["players"] * values["hand_size"]
    return [49, *random.sample(spades, random.randint(2, 12)), *random.sample(others, min(dealt + random.randint(0, 2), 39))]


class Generator:
    """The numbers in [0, 1) that a record with this generator draws (splitmix64), in plain Python."""

    def __init__(self, state: int) -> None:
        self.state = state

    def __call__(self) -> float:
        low = 2**64 - 1
        self.state = (self.state + 0x9E3779B97F4A7C15) & low
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & low
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & low
        return ((z ^ (z >> 31)) >> 11) * 2.0**-53


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
    """The reference at the beginning of the deal that a record has just been dealt, with the same races to come."""
    deck = [int(card) for card in state["deck"][: state["size"]]]
    options = {name: value for name, value in values.items() if name != "pack"}
    return Asked(deck, int(state["dealer"]), Generator(int(state["rng"])), **options)


_bit = [1 << card for card in range(64)].__getitem__
_PHASE = {phase: number for number, phase in enumerate(PHASES)}


def _set(cards: Any) -> int:
    return sum(map(_bit, cards)) if cards else 0


def reference_facts(game: Reference) -> list[int]:
    """The facts in the order of `FACTS`; -1 for nobody and for no trumps."""
    nobody = [0] * (8 - game.players)
    loser, trump = (-1 if value is None else value for value in (game.loser, game.trump))
    seen = game.seen
    places = sum([place << 4 * seat for place, seat in enumerate(game.placed, 1)])
    facts = [int(game.over), int(game.truncated), game.decisions, loser, trump, _set(game.discard), _set(seen), _set(seen.values()), places]
    facts += [_set(hand) for hand in game.hands] + nobody + [_set(known) for known in game.known] + nobody
    if not game.over:
        facts += [game.actor, _set(game.legal()), _PHASE[game.phase], game.attacker, game.defender]
        facts += [_set(game.attack), _set(game.taken), _set(game.beaten), _set(game.beating)]
    return facts


def reference_stock(game: Reference) -> bytes:
    return bytes(game.stock)


def stocks(states: np.ndarray, rows: np.ndarray) -> list[bytes]:
    """The stock of some records, top first."""
    tops, sizes = states["top"][rows].tolist(), states["size"][rows].tolist()
    return [deck[top:size] for deck, top, size in zip(map(bytes, states["deck"][rows]), tops, sizes)]


def ending(values: dict[str, Any], facts: list[int], phase: int) -> list[Any]:
    """What to count of a deal that has ended; `phase`: in which its last decision was made."""
    if not facts[TRUNCATED]:
        return ["ended"]
    return [("cut off", phase), *(["cut off without loser"] if facts[LOSER] < 0 else [])]


def wrong_at_the_end(values: dict[str, Any], facts: list[int]) -> str | None:
    """What both implementations could have wrong together: nothing is looked at."""
    return None


def knowledge_differs(state: Any, game: Reference, seat: int) -> str | None:
    """What a seat is shown, against what the reference says it knows: not looked at here but in the tests of the observation."""
    return None


def expected() -> set[Any]:
    """Everything that a fuzz of any length worth the name must have met."""
    phases = range(len(PHASES))
    result: set[Any] = {("cut off", phase) for phase in phases} | {(phase, DECLARE + suit) for phase in phases for suit in range(3)}
    result |= {(0, "card"), (0, DONE), (2, "card"), (3, "card"), (3, DONE), (4, "card"), (4, DONE)} | {
        (1, KEEP_SUIT + suit) for suit in range(4)
    }
    result |= {*MET, "cut off without loser", "ended"}
    result |= {f"players={n}" for n in range(2, 9)} | {f"hand_size={n}" for n in range(1, 9)}
    result |= {f"attack_limit={n}" for n in (None, *range(1, 14))}
    result |= {f"{name}={value}" for name in ("follow_up", "misplay_penalty") for value in (False, True)}
    result |= {f"trump={value}" for value in ("turned", "diamonds", "declared")}
    result |= {f"declare_with={value}" for value in ("marriage", "either")}
    result |= {f"scoring={value}" for value in ("loser", "placing", "winner")}
    return result | {f"pack={kind}" for kind in ("None", "str", "list")}


@compiled
def facts_rows(states, rows, out):
    """The facts of some records and what they meet, (k, COLUMNS) int64."""
    for k in range(rows.shape[0]):
        s = states[rows[k]]
        out[k, 0], out[k, 1], out[k, 2], out[k, 3], out[k, 4] = s.over, s.truncated, s.decisions, s.loser, s.trump
        out[k, 5], out[k, 6], out[k, 7], out[k, 8] = s.gone, s.seen, s.seen_at >> np.uint64(s.top), 0
        for p in range(8):
            out[k, 8] |= np.int64(s.place[p]) << (4 * p)
            out[k, 9 + p], out[k, 17 + p] = s.hand[p], s.known[p]
        out[k, 25], out[k, 26] = verbs.actor(s), verbs.legal(s) if not s.over else EMPTY
        out[k, 27], out[k, 28], out[k, 29] = s.phase, s.attacker, s.defender
        out[k, 30], out[k, 31], out[k, 32], out[k, 33] = s.attack, s.taken, s.beaten, s.beating
        out[k, 34] = s.passed_at


@compiled
def choose(s, way, rng):
    """An action by one of the `WAYS` to play; one time in eight, and where a way says nothing, any legal one."""
    actions = verbs.legal(s)
    declarations = actions & (np.uint64(7) << np.uint64(DECLARE))
    if declarations and s.phase != RETURN and (draw_below(rng, 12) or (way == TWO_SUITS and s.phase != KEEP)):
        actions &= ~declarations  # mostly later than one could, so that it happens in every phase
    if way != RANDOMLY and draw_below(rng, 8):
        cards = actions & (bit(DONE) - ONE)
        if way == LIKE_JOURNEYMAN:
            return yardstick(s, actions, True)
        if s.phase == DEFEND:
            if way == LAY_BEAT and cards:
                actions = cards
            elif way == LAY_TAKE:
                actions = bit(DONE)
        elif s.phase == ATTACK and cards:
            second = cards & ~SUIT[s.last // 13] if s.last >= 0 else EMPTY
            if second:  # a wrong attack
                actions = second if way == TWO_SUITS else cards & ~second if cards & ~second else bit(DONE)
            else:
                actions = cards
        elif cards:
            actions = cards
    return np.int64(nth(actions, draw_below(rng, popcount(actions))))


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
        play_on(more, ways, rngs, np.array([random.choice((random.randint(0, 12), random.randint(0, 80))) for _ in range(n)]))
        states = np.concatenate([states, more[more["over"] == 0]])
    return states[:n]


# What can be wrong with a record, by number.
FAULTS = (
    "none",
    "a card is in two places, or in none",
    "a known card is not in its hand",
    "cards seen in the stock do not lie where they were seen",
    "a spade passed over is none, or is no more in the stock",
    "no legal action, or an action outside the numbering",
    "the returns do not sum to zero",
    "a world drawn is no state of this game",
    "a world drawn shows its seat something else",
)


@compiled
def fault(s):
    """The number of the first fault of a record, 0 for none."""
    everywhere, cards = s.gone, popcount(s.gone)
    table = s.attack | s.beating
    if s.over and not s.truncated:  # it is not cleared at the end, and what was answered has gone its way
        table = s.attack & ~(s.taken | s.beaten)
    everywhere |= table
    cards += popcount(table)
    for p in range(8):
        if p >= s.options.players and s.hand[p]:
            return 1
        if s.known[p] & ~s.hand[p]:
            return 2
        everywhere |= s.hand[p]
        cards += popcount(s.hand[p])
    seen, seen_at, passed_at = EMPTY, s.seen_at, s.passed_at
    for i in range(s.top, s.size):
        card = bit(s.deck[i])
        everywhere |= card
        cards += ONE
        if s.seen_at & bit(i):
            seen |= card
            seen_at &= ~bit(i)
        if s.passed_at & bit(i):
            if s.deck[i] // 13 != 3 or s.seen & card:
                return 4
            passed_at &= ~bit(i)
    if everywhere != s.options.pack or cards != popcount(s.options.pack):
        return 1
    if seen != s.seen or seen_at:
        return 3
    if passed_at:
        return 4
    if not s.over and (verbs.legal(s) == EMPTY or verbs.legal(s) >> np.uint64(ACTIONS)):
        return 5
    return 0


@compiled
def faults_of(states):
    """The sum of the numbers of all faults: 0 for none."""
    total = 0
    for i in range(states.shape[0]):
        total += fault(states[i])
    return total


@compiled
def fault_of_world(s, scratch, plan, rng, words, other_words):
    """Draw a world for the seat to act: is it a state of the same game, and does it look the same to the seat?"""
    seat = verbs.actor(s)
    assign(scratch[0], s)
    verbs.conceal(scratch[0], seat)
    verbs.prepare(scratch[0], seat, plan[0])
    verbs.resample(plan[0], scratch[1], rng)
    if fault(scratch[1]) or verbs.legal(scratch[1]) != verbs.legal(s):
        return 7
    verbs.observe(s, seat, words)
    verbs.observe(scratch[1], seat, other_words)
    for k in range(words.shape[0]):
        if words[k] != other_words[k]:
            return 8
    return 0


@compiled
def walk(states, ways, rngs, decisions, scratch, plan, words, counts):
    """Every game plays so many decisions, dealing anew at the end, with everything checked after each.

    `scratch` two records, `plan` one, `words` (2, W). Counts games ended, and truncated ones, in `counts` (2,).
    Returns row and number of the first fault, (-1, 0) if there is none.
    """
    out = np.zeros(8)
    for i in range(states.shape[0]):
        s, rng = states[i], rngs[i]
        for k in range(decisions):
            if k % 16 == 0:
                found = fault_of_world(s, scratch, plan, rng, words[0], words[1])
                if found:
                    return i, found
            else:
                verbs.observe(s, verbs.actor(s), words[0])
            verbs.apply(s, choose(s, ways[i], rng))
            found = fault(s)
            if found:
                return i, found
            if s.over:
                counts[0] += 1
                counts[1] += s.truncated
                verbs.returns(s, out)
                total = 0.0
                for p in range(s.options.players):
                    total += out[p]
                if abs(total) > 1e-9:
                    return i, 6
                begin(s, next_seed(s.seed), -1, False)
    return -1, 0
