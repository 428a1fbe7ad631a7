"""OpenSpiel's spades and hearts beside ours, interleaved in one process, one core, uniformly random decisions.

    pip install 'tromf[openspiel]'
    python -m benchmarks.peers

Two comparisons, each with the fastest way that OpenSpiel offers: whole games in C++ (its `RandomRolloutEvaluator`) beside our bare
loop, and games driven from Python with each observation written into a NumPy buffer beside our batch with observation words.
"""

import argparse
import sys
from pathlib import Path
from random import Random
from typing import Any

from tromf.commands import speed
from tromf.commands.common import write_json

PEERS = ("spades", "hearts")
OURS = "mustamaija-4p"


def rollouts(name: str, seed: int = 1) -> speed.Chunk:
    """Random games in C++. The evaluator has no door of its own to Python, but a tree search of one simulation calls it.

    It does not say how many decisions its games had: counted are the roll-outs times their mean length, taken from games
    driven from Python. They start after the deal, so OpenSpiel's dealing is not counted against it, while ours is.
    """
    import pyspiel

    game, random = pyspiel.load_game(name), Random(seed)
    start = dealt(game, random)
    length = sum(finish(start.clone(), random) for _ in range(200)) / 200
    count = 200
    bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(count, seed), 1.0, 1, 100, False, seed, False)

    def chunk() -> int:
        bot.step(start)
        return round(count * length)

    return chunk


def driven(name: str, seed: int = 1) -> speed.Chunk:
    """Random games driven from Python; before each decision the seat's observation is written into a NumPy buffer."""
    import pyspiel
    from open_spiel.python.observation import make_observation

    game, random = pyspiel.load_game(name), Random(seed)
    kind = pyspiel.IIGObservationType(
        public_info=True,
        perfect_recall=game.get_type().provides_information_state_tensor,
        private_info=pyspiel.PrivateInfoType.SINGLE_PLAYER,
    )
    observation = make_observation(game, kind)
    return lambda: finish(game.new_initial_state(), random, observation)


def dealt(game: Any, random: Random) -> Any:
    """A state just after the deal."""
    import pyspiel

    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(pyspiel.sample_action(state.chance_outcomes(), random.random())[0])
    return state


def finish(state: Any, random: Random, observation: Any = None) -> int:
    """Play a state to its end, looking before each decision if there is something to look with; the number of decisions."""
    import pyspiel

    made = 0
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(pyspiel.sample_action(state.chance_outcomes(), random.random())[0])
            continue
        if observation is not None:
            observation.set_from(state, state.current_player())
        legal = state.legal_actions()
        state.apply_action(legal[int(random.random() * len(legal))])
        made += 1
    return made


def measure(rounds: int, seconds: float) -> dict[str, Any]:
    """All rates, and for each peer the medians over rounds of ours to theirs."""
    setting = speed.find_setting(OURS)
    chunks: dict[str, speed.Chunk] = {"bare": speed.bare(*setting), "observed": speed.stepped(*setting)}
    for name in PEERS:
        chunks[f"{name} rollouts"], chunks[f"{name} driven"] = rollouts(name), driven(name)
    before = speed.load()
    rates = speed.interleaved(chunks, rounds, seconds)
    ratios = {
        name: {
            "bare_to_rollouts": speed.ratio(rates, "bare", f"{name} rollouts"),
            "observed_to_driven": speed.ratio(rates, "observed", f"{name} driven"),
        }
        for name in PEERS
    }
    return {
        "setting": OURS,
        "rates": speed.medians(rates),
        "ratios": ratios,
        "rounds": rounds,
        "load": [before, speed.load()],
        "machine": speed.machine(),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    try:
        import pyspiel  # noqa: F401
    except ImportError:
        sys.exit("OpenSpiel is not installed: pip install 'tromf[openspiel]'")
    found = measure(arguments.rounds, arguments.seconds)
    for name, rate in found["rates"].items():
        print(f"{name:<18} {rate:>14,.0f} decisions per second")
    for name, ratios in found["ratios"].items():
        bare, observed = ratios["bare_to_rollouts"], ratios["observed_to_driven"]
        print(f"ours to {name}: bare {bare:.1f} times its roll-outs in C++, observed {observed:.0f} times its games driven from Python")
    print(f"{OURS}; medians of {arguments.rounds} rounds; load average {found['load'][0]:.2f} before, {found['load'][1]:.2f} after")
    if arguments.json:
        write_json(arguments.json, found)


if __name__ == "__main__":
    main()
