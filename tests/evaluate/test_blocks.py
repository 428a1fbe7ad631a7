"""Deal blocks: what they depend on, and what not."""

import numpy as np
import pytest

from tromf import agents
from tromf.agents import Agent, Batch
from tromf.envs import registry
from tromf.evaluate import blocks
from tromf.evaluate.seatings import one_among, rotations

GAME, _ = registry.find("mustamaija")


class Forgetful(Agent):
    """Plays the lowest action, or, every third time it is asked in a game, the highest: it must remember each game."""

    spec = "forgetful"

    def __init__(self) -> None:
        self.asked = np.zeros(0, np.int64)

    def reset(self, rows: np.ndarray) -> None:
        self.asked = np.zeros(rows.max() + 1, np.int64)

    def act(self, batch: Batch) -> np.ndarray:
        self.asked[batch.rows] += 1
        lowest = np.bitwise_count(~batch.masks & (batch.masks - np.uint64(1)))
        highest = np.array([int(mask).bit_length() - 1 for mask in batch.masks])
        return np.where(self.asked[batch.rows] % 3 == 0, highest, lowest).astype(np.int64)


def test_seatings_of_a_block_share_deck_dealer_and_chance():
    states = blocks.start(GAME.states(1), 4, 7, 0, 6).reshape(6, 4)
    for field in ("seed", "deck", "dealer", "rng", "hand"):
        assert (states[field] == states[field][:, :1]).all()
    assert len({deck.tobytes() for deck in states["deck"][:, 0]}) == 6


def test_the_dealer_moves_left_from_block_to_block():
    states = blocks.start(GAME.states(1, players=5), 1, 7, 3, 8)
    assert states["dealer"].tolist() == [3, 4, 0, 1, 2, 3, 4, 0]


def test_a_block_depends_on_seed_and_number_only():
    whole = blocks.start(GAME.states(1), 2, 3, 0, 10)
    part = blocks.start(GAME.states(1), 2, 3, 6, 4)
    assert (whole[12:] == part).all()
    assert not (blocks.start(GAME.states(1), 2, 4, 0, 10)["deck"] == whole["deck"]).all(axis=1).any()


@pytest.mark.parametrize("players", [2, 4, 6])
@pytest.mark.parametrize("scoring", ["loser", "placing"])
def test_an_agent_among_itself_has_a_mean_of_exactly_nothing_in_every_block(players, scoring):
    blank = GAME.states(1, players=players, scoring=scoring)
    agent = agents.make("random", GAME)
    (outcome,) = blocks.play_matches(GAME, blank, [rotations([0] * players)], [agent], 200, 1)
    assert outcome.returns.shape == (200, 1, players)
    assert np.abs(outcome.returns).max() == 1
    assert outcome.returns.sum(axis=2) == pytest.approx(0, abs=1e-12)
    assert outcome.of_agent(0, outcome.returns) == pytest.approx(0, abs=1e-12)
    assert (outcome.lost.sum(axis=2) <= 1).all()


def test_over_all_seatings_the_returns_of_both_agents_sum_to_nothing():
    crew = [agents.make(spec, GAME) for spec in ("journeyman", "random")]
    (outcome,) = blocks.play_matches(GAME, GAME.states(1), [one_among(0, 1, 4)], crew, 100, 1)
    mine, theirs = (outcome.of_agent(agent, outcome.returns) for agent in (0, 1))
    assert mine + 3 * theirs == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("kind", ["rules", "memory", "net"])
def test_outcomes_depend_neither_on_threads_nor_on_the_batch(kind):
    crew = [agents.make("journeyman", GAME), agents.make("random", GAME)]
    if kind == "memory":
        crew[0] = Forgetful()
    if kind == "net":
        crew[0] = small_network()
    matches = [one_among(0, 1, 4), one_among(1, 0, 4), rotations([0, 1, 1, 0])]

    def play(threads, batch):
        return blocks.play_matches(GAME, GAME.states(1, max_decisions=200), matches, crew, 16, 5, threads=threads, batch=batch)

    wanted = play(1, 4096)
    for threads, batch in ((2, 4096), (3, 15), (1, 40)):
        for one, other in zip(wanted, play(threads, batch)):
            assert (one.returns == other.returns).all()
            assert (one.lost == other.lost).all()
            assert (one.truncated == other.truncated).all()


def small_network() -> Agent:
    """A network that has learned nothing, yet plays far from uniformly."""
    net = pytest.importorskip("tromf.agents.net")
    torch = pytest.importorskip("torch")
    network = net.Network(GAME, np.arange(GAME.bits), [32])
    network.initialise(torch.Generator().manual_seed(0))
    with torch.no_grad():
        network.policy.weight.mul_(300)
    return net.NetAgent("small", network)


def test_torch_has_its_threads_again_afterwards():
    torch = pytest.importorskip("torch")
    before = torch.get_num_threads()
    with blocks.one_torch_thread():
        assert torch.get_num_threads() == 1
    assert torch.get_num_threads() == before


def test_cut_off_games_are_counted():
    blank = GAME.states(1, max_decisions=20)
    (outcome,) = blocks.play_matches(GAME, blank, [rotations([0] * 4)], [agents.make("random", GAME)], 50, 1)
    assert outcome.truncated.mean() > 0.9


def test_progress_is_told_of_every_game():
    told = []
    blocks.play_matches(
        GAME,
        GAME.states(1),
        [one_among(0, 0, 4)],
        [agents.make("random", GAME)],
        10,
        1,
        batch=12,
        progress=lambda ended, total: told.append((ended, total)),
    )
    assert told[-1] == (40, 40)
    assert [ended for ended, _ in told] == sorted({ended for ended, _ in told})
    assert len(told) >= 4


def test_an_error_in_an_agent_reaches_the_caller():
    class Broken(Agent):
        def act(self, batch):
            raise RuntimeError("broken")

    with pytest.raises(RuntimeError, match="broken"):
        blocks.play_matches(GAME, GAME.states(1), [one_among(0, 0, 4)], [Broken()], 100, 1, batch=4)
