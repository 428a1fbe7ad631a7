"""Whist parties: a tournament of many tables, at which the winners move up, the losers move down, and partners change (MW-W).

Tables are numbered from the top, 0. After each round, a set number of deals, the winning pair of a table moves up one and the losing
pair down one, but no further than the first and the last. Everywhere but at the top the four who meet change partners: each plays
with one of the two who come from elsewhere. Any game for two sides of two can be played.

Since partners change, a party rates single players in a game of partners. What a player's result owes to itself, its partners, its
opponents and to luck is told apart by fitting a strength to every agent, by least squares: the points of a pair in a round are
the sum of its two strengths, less those of the opponents, and luck.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tromf.agents import Agent, make
from tromf.agents.play import play, returns
from tromf.envs import batch, registry
from tromf.envs.jit import stream
from tromf.envs.view import counted
from tromf.evaluate.blocks import one_torch_thread
from tromf.evaluate.result import options_text
from tromf.evaluate.setting import whole
from tromf.evaluate.statistics.intervals import ENDS, Estimate

_REPLICATES = 1000
_SIDES = (0, 1, 0, 1)


@dataclass(frozen=True)
class Party:
    """What happened at a party of P players, four to a table.

    Attributes:
        game, variant, options, seed, deals: what was played, deals for each round.
        agents: the specs. who: (P,) int, which agent each player is.
        tables: (rounds + 1, P) int, where each player sat, from 0 for the top; the last row is where it ended.
        points: (rounds, P) float64, points of the player's side less those of the other, in all deals of a round.
        won: (rounds, P) bool. drawn: (rounds, P) bool, rounds that ended level, whose winner was drawn.
        partners: (rounds, P) int. opponents: (rounds, P, 2) int, players.
    """

    game: str
    variant: str
    options: dict[str, Any]
    seed: int
    deals: int
    agents: tuple[str, ...]
    who: np.ndarray
    tables: np.ndarray
    points: np.ndarray
    won: np.ndarray
    drawn: np.ndarray
    partners: np.ndarray
    opponents: np.ndarray

    @property
    def rounds(self) -> int:
        """Rounds played."""
        return len(self.points)

    def ranks(self) -> np.ndarray:
        """The place of every player, (P,) int from 1: by rounds won, then points, then the table where it ended; equals share a place."""
        keys = list(zip((-self.won.sum(0)).tolist(), (-np.round(self.points.sum(0), 6)).tolist(), self.tables[-1].tolist()))
        ordered = sorted(keys)
        return np.array([ordered.index(key) + 1 for key in keys])

    def strengths(self) -> dict[str, Estimate]:
        """For each agent the points that it adds to its side in a round, beyond the mean agent's, with 95 % intervals.

        The intervals are from a bootstrap over the meetings of four players (a table in a round).
        """
        design, points = self._meetings()
        rng = np.random.default_rng(self.seed)
        drawn = rng.integers(0, len(points), (_REPLICATES, len(points)))
        fits = np.array([_fit(design[rows], points[rows]) for rows in drawn])
        low, high = np.quantile(fits, ENDS, axis=0)
        return {
            name: Estimate(float(value), float(a), float(b))
            for name, value, a, b in zip(self.agents, _fit(design, points), low, high, strict=True)
        }

    def parts(self) -> dict[str, np.ndarray]:
        """What every player's points come from, each (P,) float64, points in a round: `own`, `partners`, `opponents` and `luck`."""
        strength = _fit(*self._meetings())[self.who]
        own = np.broadcast_to(strength, self.points.shape)
        partners, opponents = strength[self.partners], -strength[self.opponents].sum(axis=2)
        found = {"own": own, "partners": partners, "opponents": opponents, "luck": self.points - own - partners - opponents}
        return {name: part.mean(axis=0) for name, part in found.items()}

    def shares(self) -> dict[str, float]:
        """Which share of the differences between the players' results each part makes; together 1 (covariances with the result)."""
        total = self.points.mean(axis=0)
        spread = float(total.var())
        return {
            name: float(np.mean((part - part.mean()) * (total - total.mean()))) / spread if spread else 0.0
            for name, part in self.parts().items()
        }

    def standing(self) -> list[dict[str, Any]]:
        """One row a player, the best first: place, agent, rounds won, points, the table where it ended and at which it sat on average."""
        parts, ranks = self.parts(), self.ranks()
        rows = [
            {
                "place": int(ranks[player]),
                "player": player,
                "agent": self.agents[self.who[player]],
                "won": int(self.won[:, player].sum()),
                "points": float(self.points[:, player].sum()),
                "table": int(self.tables[-1, player]) + 1,
                "mean_table": float(self.tables[1:, player].mean()) + 1,
            }
            | {name: float(part[player]) for name, part in parts.items()}
            for player in range(len(self.who))
        ]
        return sorted(rows, key=lambda row: (row["place"], row["player"]))

    def by_agent(self) -> list[dict[str, Any]]:
        """One row an agent, the best first: means over its players."""
        strengths, parts, ranks = self.strengths(), self.parts(), self.ranks()
        rows = []
        for k, name in enumerate(self.agents):
            mine = self.who == k
            rows.append(
                {
                    "agent": name,
                    "players": int(mine.sum()),
                    "won": float(self.won[:, mine].mean()),
                    "points": float(self.points[:, mine].mean()),
                    "mean_place": float(ranks[mine].mean()),
                    "mean_table": float(self.tables[1:, mine].mean()) + 1,
                    "strength": strengths[name]._asdict(),
                }
                | {part: float(values[mine].mean()) for part, values in parts.items()}
            )
        return sorted(rows, key=lambda row: -row["won"])

    def to_json(self) -> dict[str, Any]:
        """All figures, as plain Python values; the same party gives the same dictionary."""
        return {
            "game": self.game,
            "variant": self.variant,
            "options": self.options,
            "seed": self.seed,
            "rounds": self.rounds,
            "deals_per_round": self.deals,
            "players": self.standing(),
            "agents": self.by_agent(),
            "shares": self.shares(),
            "tables": (self.tables + 1).tolist(),
        }

    def setting_text(self) -> str:
        """One line that says what was played."""
        played = f"{counted(self.rounds, 'round')} of {counted(self.deals, 'deal')}"
        return (
            f"{self.game}, {self.variant}{options_text(self.options)}: {len(self.who) // 4} tables, {played}, "
            f"{len(self.who)} players, seed {self.seed}"
        )

    def _meetings(self) -> tuple[np.ndarray, np.ndarray]:
        """For every table and round, seen from one side, how often each agent sat on it, less on the other, (m, agents), and its points."""
        design, points = [], []
        for k in range(self.rounds):
            for player in range(len(self.who)):
                pair, others = (player, self.partners[k, player]), self.opponents[k, player]
                if player == min(*pair, *others):
                    row = np.zeros(len(self.agents))
                    np.add.at(row, self.who[list(pair)], 1)
                    np.add.at(row, self.who[list(others)], -1)
                    design.append(row)
                    points.append(self.points[k, player])
        return np.array(design), np.array(points)


def _fit(design: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Strengths by least squares, their mean 0: what a meeting shows are differences only."""
    strengths = np.linalg.lstsq(design, points, rcond=None)[0]
    return strengths - strengths.mean()


def hold(
    game: str | registry.Game,
    agents: Sequence[str | Agent],
    *,
    tables: int = 4,
    rounds: int = 24,
    deals: int = 8,
    seed: int = 0,
    variant: str | None = None,
    progress: Callable[[int, int], None] | None = None,
    **options: Any,
) -> Party:
    """Hold a party of agents, repeated evenly over the seats of so many tables; `deals` in each of the rounds.

    Raises `ValueError` for anything that does not exist or cannot be played, before any game is.
    """
    if not isinstance(game, registry.Game):
        game, variant = registry.choose(game, variant)
    variant = variant or next(iter(game.variants))
    blank = game.states(1, variant, **options)
    if game.sides(int(blank["options"]["players"][0])) != _SIDES:
        setting = registry.setting(game, variant, int(blank["options"]["players"][0]))
        raise ValueError(f"{setting} is no game for two sides of two players (the option players may make it one)")
    tables, rounds, deals, seed = whole("tables", tables, 2), whole("rounds", rounds, 1), whole("deals", deals, 1), whole("seed", seed, 0)
    seats = 4 * tables
    if not agents or seats % len(agents):
        raise ValueError(
            f"{len(agents)} agents cannot be repeated evenly over {seats} seats ({tables} tables): give a number that divides {seats}"
        )
    specs = [agent if isinstance(agent, str) else agent.spec for agent in agents]
    guests = [make(agent, game) if isinstance(agent, str) else agent for agent in dict(zip(specs, agents)).values()]
    who = np.array([list(dict.fromkeys(specs)).index(specs[seat % len(specs)]) for seat in range(seats)])
    for guest in guests:
        guest.check(game)
        if guest.variant not in (None, variant):
            raise ValueError(f"agent {guest.spec} was trained for {guest.variant}, and this is a party of {variant}")
    with one_torch_thread():
        return _play(game, variant, dict(options), blank, guests, who, tables, rounds, deals, seed, progress)


def _play(
    game: registry.Game,
    variant: str,
    options: dict[str, Any],
    blank: np.ndarray,
    guests: Sequence[Agent],
    who: np.ndarray,
    tables: int,
    rounds: int,
    deals: int,
    seed: int,
    progress: Callable[[int, int], None] | None,
) -> Party:
    rng = np.random.default_rng(seed)
    seats = 4 * tables
    pairs = rng.permutation(seats).reshape(tables, 2, 2)  # by table: two pairs
    places, points, won = np.zeros((rounds + 1, seats), np.int64), np.zeros((rounds, seats)), np.zeros((rounds, seats), np.bool_)
    drawn, partners, opponents = np.zeros_like(won), np.zeros((rounds, seats), np.int64), np.zeros((rounds, seats, 2), np.int64)
    places[0, pairs] = np.arange(tables)[:, None, None]
    for k in range(rounds):
        pairs = np.array([[rng.permutation(pair) for pair in rng.permutation(table)] for table in pairs])  # who sits where
        ahead = _round(game, blank, guests, who, pairs, rng.integers(0, 4, tables), deals, seed, k)
        level = np.abs(ahead) < 1e-9
        winner = np.where(level, rng.integers(0, 2, tables), (ahead < 0).astype(np.int64))
        for table in range(tables):
            for side in range(2):
                pair = pairs[table, side]
                points[k, pair] = ahead[table] if side == 0 else -ahead[table]
                won[k, pair], drawn[k, pair] = winner[table] == side, level[table]
                partners[k, pair], opponents[k, pair] = pair[::-1], pairs[table, 1 - side]
        pairs = _move(pairs, winner, rng)
        places[k + 1, pairs] = np.arange(tables)[:, None, None]
        if progress is not None:
            progress((k + 1) * tables * deals, rounds * tables * deals)
    names = tuple(guest.spec for guest in guests)
    return Party(game.name, variant, options, seed, deals, names, who, places, points, won, drawn, partners, opponents)


def _round(
    game: registry.Game,
    blank: np.ndarray,
    guests: Sequence[Agent],
    who: np.ndarray,
    pairs: np.ndarray,
    dealers: np.ndarray,
    deals: int,
    seed: int,
    number: int,
) -> np.ndarray:
    """Play a round at all tables at once; by how many points the first pair of each is ahead, (tables,). The dealer moves left."""
    tables = len(pairs)
    states = np.repeat(blank, tables * deals)
    rows = np.arange(len(states))
    seeds = np.array([stream(np.uint64(seed % 2**64), number * len(states) + row) for row in rows], np.uint64)
    first = (np.repeat(dealers, deals) + np.tile(np.arange(deals), tables)) % 4
    batch.begin_rows(states, rows, seeds, first, np.zeros(len(rows), np.bool_))
    seated = np.repeat(who[pairs.transpose(0, 2, 1).reshape(tables, 4)], deals, axis=0)  # seats 0 and 2 are the first pair
    play(game, states, guests, seated)
    return returns(states, 4)[:, 0].reshape(tables, deals).sum(axis=1)


def _move(pairs: np.ndarray, winner: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The pairs of every table in the next round."""
    last = len(pairs) - 1
    arriving: list[list[np.ndarray]] = [[] for _ in pairs]
    for table, (both, best) in enumerate(zip(pairs, winner)):
        arriving[max(table - 1, 0)].append(both[best])
        arriving[min(table + 1, last)].append(both[1 - best])
    after = [np.array(arriving[0])]
    for one, other in arriving[1:]:
        mixed = rng.permutation(other)
        after.append(np.array([[one[0], mixed[0]], [one[1], mixed[1]]]))
    return np.array(after)
