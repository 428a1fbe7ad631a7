"""An evening at the table: deals between a human (or nobody) and agents, told in the terminal, with scores and golden helmets."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from tromf.agents import registry as agent_registry
from tromf.agents.base import Agent
from tromf.agents.human import Human, Quit, Terminal, Undo
from tromf.commands.story import Story
from tromf.envs import record as records
from tromf.envs.batch import BatchEnv
from tromf.envs.registry import Game
from tromf.envs.render import card_style
from tromf.evaluate.helmets import golden_helmets

_ROW = np.zeros(1, np.int64)  # the only row of the batch


def opponents_by_seat(game: Game, players: int, own: int | None, specs: Sequence[str]) -> list[Agent | None]:
    """An agent for each seat, None for the human's; one spec is for all others, or there is one for each. `ValueError` otherwise."""
    others = [seat for seat in range(players) if seat != own]
    if len(specs) not in (1, len(others)):
        seats = ", ".join(map(str, others))
        raise ValueError(f"--opponents is given {len(specs)} times: accepted are once, for all, or {len(others)} times, for seats {seats}")
    agents = {spec: agent_registry.make(spec, game) for spec in dict.fromkeys(specs)}
    by_seat: list[Agent | None] = [None] * players
    for k, seat in enumerate(others):
        by_seat[seat] = agents[specs[k if len(specs) > 1 else 0]]
    return by_seat


def adviser(game: Game) -> Agent:
    """Who is asked for hints: the best rule-based player there is."""
    kinds = agent_registry.kinds(game)
    return agent_registry.make(next(kind for kind in ("expert", "journeyman", "random") if kind in kinds), game)


class Session:
    """Deals played one after the other.

    Args:
        agents: by seat, None for the human's. own: the human's seat, None to watch. delay: seconds after each line told.
        ask_forced: ask the human for decisions with one legal action too. record: file to which finished deals are appended.
    """

    def __init__(
        self,
        game: Game,
        variant: str,
        options: dict[str, Any],
        agents: Sequence[Agent | None],
        own: int | None,
        *,
        cards: str = "two",
        delay: float = 0.0,
        ask_forced: bool = False,
        record: Path | None = None,
        console: Console | None = None,
    ) -> None:
        self.game, self.variant, self.options, self.own = game, variant, options, own
        self.terminal = Terminal(console or Console(highlight=False), lambda: adviser(game), cards=card_style(cards, game))
        self.agents = [agent or Human(self.terminal) for agent in agents]
        self.delay, self.ask_forced, self.record = delay, ask_forced, record
        self.env = BatchEnv(game, 1, variant=variant, **options)
        self.returns: list[np.ndarray] = []  # of each deal, by seat
        self.losers: list[int | None] = []

    def play(self, deals: int, seed: int | None) -> None:
        """Play so many deals, deal k from seed + k, the dealer moving left; ends early if the human leaves."""
        if self.record is not None:
            records.write(self.record, [])  # says at once if the file cannot be written
        first = int(np.random.SeedSequence().generate_state(1)[0]) if seed is None else seed
        players = self.env.players
        names = ", ".join(f"seat {seat} {'you' if seat == self.own else agent.spec}" for seat, agent in enumerate(self.agents))
        self.terminal.say(f"{self.game.title}, {self.variant}, seed {first}: {names}", "bold")
        dealer: int | None = None
        try:
            for k in range(deals):
                if deals > 1:
                    self.terminal.say(f"\ndeal {k + 1} of {deals}", "bold")
                dealer = self._play_deal(first + k, dealer)
                dealer = (dealer + 1) % players
                if deals > 1:
                    self._print_scores()
        except Quit:
            self.terminal.say("goodbye")

    def _play_deal(self, seed: int, dealer: int | None) -> int:
        """Play one deal; the dealer's seat, drawn from the seed if None."""
        env = self.env
        env.reset(seeds=np.array([seed % 2**64], np.uint64), dealers=None if dealer is None else [dealer])
        start = env.states[0].copy()
        dealer = int(start["dealer"])
        for agent in {id(agent): agent for agent in self.agents}.values():
            agent.reset(_ROW)
        story = Story(self.game, self._tell, self.own)
        history: list[int] = []
        asked: list[int] = []  # how many decisions had been made when the human was asked
        clear = False
        while not env.done[0]:
            if self.own is None:
                clear = self._show_when_clear(story, clear)
            seat = int(env.seats[0])
            try:
                action, silent = self._decide(story, seat, asked, len(history))
            except Undo:
                self._take_back(start, history, asked)
                continue
            before = env.states[0].copy()
            env.step(np.array([action]))
            history.append(action)
            story.decision(before, seat, action, env.states[0], silent=silent)
        story.flush()
        self.returns.append(env.returns[0].copy())
        self.losers.append(self.game.text.view(env.states[0]).loser)
        if self.record is not None:
            specs = [agent.spec for agent in self.agents]
            records.write(self.record, [records.of(self.game, self.variant, self.options, start, history, specs)])
        return dealer

    def _decide(self, story: Story, seat: int, asked: list[int], made: int) -> tuple[int, bool]:
        """The action of the seat to decide, and whether it is not to be told, since the human took it."""
        mask, own = int(self.env.masks[0]), seat == self.own
        if mask & (mask - 1) == 0 and not (own and self.ask_forced):
            action = mask.bit_length() - 1
            if own:
                story.flush()
                self._tell(f"you have one choice: {self._in_full(action)}")
            return action, own
        if own:
            story.flush()
            asked.append(made)
        return int(self.agents[seat].act(self.env.decisions(_ROW))[0]), own

    def _in_full(self, action: int) -> str:
        """An action's text, with what it is about: `take 9H`."""
        text, (_, thing) = self.game.action_text(self.env.states[0], action), self.game.text.told(self.env.states[0], action)
        return text if " " in text else f"{text} {thing}".rstrip()

    def _take_back(self, start: Any, history: list[int], asked: list[int]) -> None:
        """Go back to the human's last decision but the one just asked for, by playing the deal again up to it."""
        asked.pop()
        if not asked:
            self.terminal.say("there is nothing to take back")
            return
        del history[asked.pop() :]
        self.env.reset(seeds=np.array([start["seed"]], np.uint64), dealers=[int(start["dealer"])])
        for action in history:
            self.env.step(np.array([action]))
        self.terminal.say("taken back")

    def _show_when_clear(self, story: Story, clear: bool) -> bool:
        """Show onlookers the table whenever it has been cleared; whether it is clear now."""
        now = not self.game.text.view(self.env.states[0]).rows
        if now and not clear:
            story.flush()
            self.terminal.show(self.game, self.env.states[0], None)
        return now

    def _tell(self, line: str) -> None:
        self.terminal.say(f"  {line}")
        time.sleep(self.delay)

    def _print_scores(self) -> None:
        """Sums of returns, deals lost, losses in a row and golden helmets of all seats."""
        table = Table(title=f"after {len(self.returns)} deal{'s' * (len(self.returns) > 1)}", title_style="bold", title_justify="left")
        for name in ("seat", "agent", "score"):
            table.add_column(name, justify="right" if name == "score" else "left")
        with_losers = any(loser is not None for loser in self.losers)
        lost = np.array([[loser == seat for seat in range(self.env.players)] for loser in self.losers])
        if with_losers:
            for name in ("lost", "in a row", "golden helmets"):
                table.add_column(name, justify="right")
        totals, helmets = np.sum(self.returns, axis=0), golden_helmets(lost)
        for seat, agent in enumerate(self.agents):
            cells = [f"seat {seat}", "you" if seat == self.own else agent.spec, f"{totals[seat]:+.2f}"]
            if with_losers:
                in_a_row = next((k for k, was in enumerate(lost[::-1, seat]) if not was), len(lost))
                cells += [str(int(lost[:, seat].sum())), str(in_a_row), str(int(helmets[seat])) if helmets[seat] else ""]
            table.add_row(*cells, style="bold" if seat == self.own else "")
        self.terminal.console.print(table)
