"""The expert of Minnesota Whist: stronger than the yardsticks, at home in every kind of hand, every knob turning something."""

from functools import cache

import numpy as np
import pytest

from tests.agents.minnesota_whist.playing import DIX, GAME, SOLA, VARIANTS, decisions, mean_return, position, says
from tromf.agents.minnesota_whist import KINDS, knobs
from tromf.agents.minnesota_whist.auction import DIX_TERMS, HAND_TERMS, SOLA_TERMS, TRUMP_TERMS
from tromf.agents.minnesota_whist.expert import CONTEXTS, PLACES, SETS, STAGES, TERMS, context
from tromf.agents.minnesota_whist.knobs import _MEANINGS, FAMILIES, HABITS, KNOB_OPTIONS, TERM_TABLE
from tromf.agents.minnesota_whist.weights import PLAY
from tromf.agents.registry import make
from tromf.agents.rule import decide, decide_rows
from tromf.envs.batch import concealed, worlds
from tromf.envs.minnesota_whist.rules import BID, GIVE, SOLO, TRUMP

EVERYWHERE = [
    *((variant, {}) for variant in VARIANTS),
    ("askov", {"failed_solo_star": True}),
    ("askov", {"episode": "game", "target": 5}),
    ("minnesota", {"trumps": True}),
]


@pytest.mark.parametrize(("variant", "least"), [("minnesota", 0.9), ("penalty", 1.4), ("askov", 2.5), ("south-dakota", 1.2)])
def test_expert_is_better_than_the_yardsticks(variant, least):
    assert mean_return("expert", "journeyman", 4_000, 10**9, variant) > least
    assert mean_return("expert", "beginner", 4_000, 10**9, variant) > least


@pytest.mark.parametrize(("variant", "options"), [("minnesota", {}), ("askov", {}), ("south-dakota", {})])
def test_expert_wins_games(variant, options):
    assert mean_return("expert", "journeyman", 300, 10**9, variant, episode="game", **options) > 0.3


@pytest.mark.parametrize(("variant", "options"), EVERYWHERE)
def test_every_kind_decides_legally(variant, options):
    """`step` raises at an illegal action."""
    for _ in decisions(["expert", *KINDS], 40, 7, variant, **options):
        pass


def test_every_kind_decides_legally_with_odd_options():
    for seed, options in enumerate(
        [
            {"pack": "J", "solos": True},
            {"pack": ["AC", "AD", "AH", "AS"], "trumps": True},
            {"pack": ["2C", "3C", "4C", "5C", "2S", "3S", "4S", "5S"], "solos": True, "star_value": 0},
            {"grand_points": 0, "defence_points": 9},
        ]
    ):
        for _ in decisions(["expert", *KINDS], 60, seed, "minnesota", **options):
            pass


ACES = "AC KC QC AD KD QD AH KH QH AS KS QS 2D"
TWOS = "2C 3C 4C 2D 3D 4D 2H 3H 4H 2S 3S 4S 5S"


@pytest.mark.parametrize(("hand", "black"), [(ACES, True), (TWOS, False)])
def test_it_shows_black_with_a_good_hand(hand, black):
    """In fourth place, after three red cards, it says what is played."""
    for variant in ("minnesota", "penalty"):
        assert (says("expert", position(hand, phase=BID, variant=variant, dealer=0))[-1] in "CS") == black
        assert says("expert,boldness=100", position(TWOS, phase=BID, variant=variant)) == "2C"
        assert says("expert,boldness=-100,show_high=1", position(ACES, phase=BID, variant=variant)) == "AD"


def test_it_bids_the_solos_that_its_hand_is_made_for():
    dix = "AC KC QC JC TC 9C 8C 7C AD AH AS KS QS"
    assert says("expert", position(TWOS, low=True, phase=SOLO, variant="askov")) == "sola"
    assert says("expert", position(dix, low=True, phase=SOLO, variant="askov")) == "dix"
    assert says("expert", position(dix, phase=SOLO, variant="askov")) == "pass"  # thirteen tricks are worth more
    assert says("expert,solos=0", position(TWOS, low=True, phase=SOLO, variant="askov")) == "pass"
    assert says("expert,solos=1", position(TWOS, low=True, phase=SOLO, variant="askov")) == "sola"


def test_it_escapes_from_a_bad_hand_where_a_failed_solo_costs_nothing():
    """A hand good for nothing, and an opponent granded."""
    bad = position("5C 6C 7C 8C 6D 7D 8D 9D 7H 8H 9H 7S 8S", phase=SOLO, variant="askov", granded=1)
    assert says("expert", bad) in ("sola", "dix")
    assert says("expert,solos=1", bad) == "pass"
    bad["options"]["failed_solo_star"] = 1
    assert says("expert", bad) == "pass"


def test_it_gives_its_most_dangerous_card_and_its_partner_a_low_one():
    hand = "AC 2D 3D 4D 5D 2H 3H 4H 5H 2S 3S 4S 5S"
    assert says("expert", position(hand, phase=GIVE, solo=SOLA, soloist=0, variant="askov")) == "AC"
    assert says("expert", position("9C 8D 7D 6H", phase=GIVE, solo=SOLA, soloist=2, variant="askov")) == "6H"
    assert says("expert,gift=1", position("9C 8D 7D 6H", phase=GIVE, solo=SOLA, soloist=2, variant="askov")) == "7D"


def test_it_names_a_long_strong_suit():
    assert says("expert", position("2C 3C 4C AD KD QD JD 5D 2H 3H 4H 2S 3S", phase=TRUMP, variant="south-dakota")) == "D"


@pytest.mark.parametrize(
    ("hand", "table", "options", "cards"),
    [
        ("AS 4S 3S", "2S KS 5S", {}, ("3S", "4S")),  # its partner's king has won
        ("AS JS 3S", "2S TS 5S", {}, ("3S",)),
        ("AS QS 3S", "JS 2S 5S", {}, ("QS",)),  # as cheaply as it can
        ("9C 5H 3D 4D", "KS 2S 5S", {"trump": "H"}, ("5H",)),  # ruffs
        ("KD AD 2D", "3D 4D", {"solo": DIX, "soloist": 0}, ("KD", "AD")),
        ("TD 2D 5D", "JD 9D", {"solo": SOLA, "soloist": 0, "out": 2}, ("TD",)),  # gets rid of it below the knave
        ("TD 2D 5D", "3D 4D", {"solo": SOLA, "soloist": 0, "out": 2}, ("2D",)),
    ],
)
def test_plain_habits(hand, table, options, cards):
    assert says("expert", position(hand, table, **options)) in cards


@cache
def sample():
    """Decisions of experts among others, over many settings: concealed records and the draws for them."""
    found = []
    for k, (variant, options) in enumerate(EVERYWHERE):
        for states, seats, _, _ in decisions(["expert", "journeyman", "random"], 150, 100 + k, variant, **options):
            found.append(concealed(states, seats))
    records = np.concatenate(found)
    return records, np.random.default_rng(0).integers(0, 2**64, len(records), np.uint64)


def answers(spec):
    records, draws = sample()
    actions = np.zeros(len(records), np.int64)
    decide_rows(records.copy(), make(spec, GAME).compiled, draws, actions)
    return actions


TURNED = {"boldness": 1, "show_high": 1, "caution": 1, "gift": 1, "placebo": 1, "trumps_length": -2, "trumps_length_squared": -2}


@pytest.mark.parametrize("knob", [option.name for option in KNOB_OPTIONS])
def test_every_knob_changes_decisions(knob):
    assert (answers(f"expert,{knob}={TURNED.get(knob, 0)}") != answers("expert")).any()


def test_the_tables_of_knobs_agree():
    assert tuple(term.name for term in TERM_TABLE) == TERMS == tuple(_MEANINGS)
    terms = {"bid": HAND_TERMS, "sola": SOLA_TERMS, "dix": DIX_TERMS, "trumps": TRUMP_TERMS}
    assert {family: tuple(names) for family, (names, _) in FAMILIES.items()} == terms
    assert tuple(PLAY) == CONTEXTS
    assert all(table.shape == (len(TERMS), len(PLACES) * len(STAGES)) for table in PLAY.values())
    plain = make("expert", GAME).compiled
    assert plain["weights"].shape == (SETS, len(TERMS))
    for what, place, stage, term in [(0, 0, 0, 3), (1, 2, 1, 0), (9, 0, 0, 8)]:
        shown = PLAY[CONTEXTS[what]][term, place * 2 + stage]
        assert plain["weights"][(what * 4 + place) * 2 + stage, term] == shown
    assert all(plain.tobytes() == knobs("expert", **{option.name: option.default}).tobytes() for option in KNOB_OPTIONS)
    assert {option.name for option in KNOB_OPTIONS} >= set(TURNED) | {habit.name for habit in HABITS}


def test_expert_meets_every_kind_of_decision():
    records, _ = sample()
    assert set(records["phase"].tolist()) == set(range(5))
    assert {int(context(record)) for record in records[records["phase"] == 4]} >= set(range(9))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_decisions_do_not_depend_on_what_is_hidden(kind, variant):
    agent = make(kind, GAME)
    for states, seats, _, _ in decisions([kind, "random"], 12, 31, variant):
        for state, seat in list(zip(states, seats))[:2]:
            possible = worlds(GAME, state, seat, 4, seed=int(state["decisions"]))
            seen = concealed(np.append(possible, state), np.full(5, seat))
            draw = np.uint64(int(state["decisions"]) * 0x9E3779B97F4A7C15 % 2**64)
            assert len({decide(record, agent.compiled, draw) for record in seen}) == 1


def test_wrong_knobs_are_refused_in_one_line():
    for spec, says_so in [
        ("expert,solo=1", "no knob 'solo' (did you mean 'solos'?)"),
        ("expert,gift=3", "knob 'gift' is 3: accepted are 0, 1 or 2"),
        ("expert,late_cards=14", "knob 'late_cards' is 14: accepted are 0 … 13"),
        ("journeyman,count=1", "agent 'journeyman' has no knob 'count': only expert has knobs"),
    ]:
        with pytest.raises(ValueError) as raised:  # noqa: PT011 - the text is looked at below
            make(spec, GAME)
        assert says_so in str(raised.value)
