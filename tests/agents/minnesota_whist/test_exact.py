"""Whist endings as searches see them: the returns that the solver writes are those of best play, found by trying everything."""

import numpy as np
import pytest

from tests.envs.positions import random_states
from tromf.agents.exact import exact, memory_for
from tromf.agents.minnesota_whist import position
from tromf.agents.solver import cards
from tromf.envs import batch, registry, verbs
from tromf.envs.minnesota_whist.rules import PLAY

GAME, _ = registry.find("minnesota-whist")
LEFT = 4  # cards of the seat to play, when everything is tried


def best(state, found):
    """Returns under best play: every legal action tried, each seat for its own side."""
    if state["over"]:
        out = np.zeros(4)
        verbs.returns(state, out)
        return out
    key = (state["hand"].tobytes(), int(state["turn"]), int(state["table"]), int(state["holder"]), state["tricks"].tobytes())
    if key not in found:
        seat, legal, values = int(state["turn"]), int(verbs.legal(state)), []
        for action in range(52):
            if legal >> action & 1:
                after = np.array([state])
                batch.apply_chosen(after, np.arange(1), np.array([action]))
                values.append(best(after[0], found))
        found[key] = max(values, key=lambda value: value[seat])
    return found[key]


SETTINGS = [
    ("minnesota", {}),
    ("penalty", {}),
    ("south-dakota", {}),
    ("askov", {}),
    ("askov", {"pack": "T"}),
    ("askov", {"pack": "9", "failed_solo_star": True}),
]


@pytest.mark.parametrize(("variant", "options"), SETTINGS)
def test_endings_are_worth_what_best_play_brings(variant, options):
    memory, out, solos = memory_for(GAME), np.zeros(4), 0
    for seed in range(40):
        states, _ = random_states(seed, variant, GAME, **options)
        endings = [s for s in states if s["phase"] == PLAY and not s["over"] and int(s["hand"][s["turn"]]).bit_count() <= LEFT]
        if not endings:
            continue
        state = endings[seed % min(8, len(endings))]
        before = np.array([state])
        assert exact(state, memory, out)
        assert np.array([state]) == before
        assert out.tolist() == best(state, {}).tolist(), (variant, seed)
        solos += int(state["solo"] != 0)
    assert solos > 0 or "pack" not in options  # with all cards a random solo is lost long before


def test_what_is_not_an_ending_is_not_solved():
    memory, out = memory_for(GAME), np.zeros(4)
    states, _ = random_states(3, "minnesota", GAME)
    for state in states:
        many = state["phase"] != PLAY or int(state["hand"][state["turn"]]).bit_count() > 8
        if many or not state["over"]:
            assert exact(state, memory, out) != many
    games, _ = random_states(3, "minnesota", GAME, episode="game", target=1)
    assert not any(exact(state, memory, out) for state in games)


def test_a_record_becomes_a_position_of_the_solver():
    for variant in GAME.variants:
        for seed in range(6):
            for state in random_states(seed, variant, GAME)[0][::3]:
                if state["phase"] == PLAY and not state["over"]:
                    if int(state["hand"][state["turn"]]).bit_count() <= LEFT:
                        assert set(cards(position(state))) == {a for a in range(52) if int(verbs.legal(state)) >> a & 1}
                    else:
                        position(state)


def test_the_bidding_has_no_answer():
    states, _ = random_states(1, "askov", GAME)
    with pytest.raises(ValueError, match="the cards are not yet being played"):
        position(states[0])
    with pytest.raises(ValueError, match="the deal is over"):
        position(states[-1])
    playing = np.array([next(state for state in states if state["phase"] == PLAY)])
    seen = batch.concealed(playing, playing["turn"])[0]
    with pytest.raises(ValueError, match="cards of the record are hidden"):
        position(seen)
