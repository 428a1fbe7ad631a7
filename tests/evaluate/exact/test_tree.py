"""Trees of small games, beside a plain recursion that remembers everything in full."""

from itertools import permutations

import numpy as np
import pytest

from tromf.envs import batch, registry, verbs
from tromf.evaluate.exact import tree
from tromf.evaluate.exact.exploitability import expected

SMALL = {
    "declared": (
        "mustamaija",
        {"players": 2, "hand_size": 1, "pack": ["QS", "KS", "KH", "QH"], "trump": "declared", "declare_with": "either"},
    ),
    "turned": ("mustamaija", {"players": 2, "hand_size": 1, "pack": ["QS", "KH", "AH", "KD"]}),
    "drawn together": ("mustamaija", {"players": 2, "hand_size": 2, "pack": ["QS", "KH", "AH", "KD", "AD"], "trump": "diamonds"}),
    "partners": ("minnesota-whist", {"pack": ["AC", "AD", "AH", "AS"]}),
}


class Plain:
    """The same tree by recursion over whole decks: the number of histories, what seats remember, and the value of random play."""

    def __init__(self, name, options):
        self.game, _ = registry.find(name)
        self.sets, self.sights, self.histories = {}, set(), 0
        state = self.game.states(1, **options)
        pack = self.game.pack.members(int(state["options"]["pack"][0]))
        self.players, self.begun = int(state["options"]["players"][0]), {}
        total, decks = np.zeros(self.players), list(permutations(pack))
        for deck in decks:
            env = state.copy()
            env["size"][0], env["deck"][0, : len(pack)] = len(pack), deck
            batch.begin(env[0], np.uint64(0), self.players - 1, True)
            total += self.visit(env, [() for _ in range(self.players)], ())
        self.values = total / len(decks)
        self.deals = len(self.begun)

    def visit(self, env, memory, path):
        words = np.zeros(self.game.words, np.uint64)
        for seat in range(self.players):
            verbs.observe(env[0], seat, words)
            if not memory[seat] or memory[seat][-1] != words.tobytes():
                memory = [*memory[:seat], (*memory[seat], words.tobytes()), *memory[seat + 1 :]]
        if not path:
            stock = env["deck"][0][env["top"][0] : env["size"][0]] if "top" in self.game.state.names else ()
            self.begun[bytes(env["hand"][0]) + bytes(stock)] = True
        if verbs.over(env[0]):
            self.histories += 1
            out = np.zeros((1, self.players))
            batch.returns_rows(env, out)
            return out[0]
        seat, mask = int(verbs.actor(env[0])), int(verbs.legal(env[0]))
        legal = [action for action in range(64) if mask >> action & 1]
        if len(legal) > 1:
            self.histories += 1
            verbs.observe(env[0], seat, words)
            self.sights.add((seat, words.tobytes()))
            hidden = batch.concealed(env, np.array([seat]))
            known = [hidden[name].tobytes() for name in self.game.state.names if name != "options"]
            self.sets.setdefault((seat, memory[seat]), set()).add((mask, *known))
        values = []
        for action in legal:
            after = env.copy()
            verbs.apply(after[0], action)
            values.append(self.visit(after, [*memory[:seat], (*memory[seat], action), *memory[seat + 1 :]], (*path, action)))
        return np.mean(values, axis=0)


@pytest.mark.parametrize("case", SMALL)
def test_a_tree_is_that_of_a_plain_recursion(case):
    name, options = SMALL[case]
    plain, grown = Plain(name, options), tree.grow(registry.find(name)[0], **options)
    assert grown.deals == plain.deals
    assert len(grown.seats) == len(plain.sets)
    assert grown.sights == len(plain.sights)
    uniform = np.repeat(1 / np.diff(grown.starts), np.diff(grown.starts))
    assert expected(grown, uniform) == pytest.approx(plain.values, abs=1e-12)
    per_deal = plain.histories / len(list(permutations(range(len(options["pack"])))))
    assert len(grown) / grown.deals == pytest.approx(per_deal)


@pytest.mark.parametrize("case", SMALL)
def test_a_seat_knows_the_same_in_all_histories_of_an_information_set(case):
    plain = Plain(*SMALL[case])
    assert all(len(records) == 1 for records in plain.sets.values())


def test_slots_are_the_legal_actions_in_ascending_order():
    name, options = SMALL["declared"]
    grown = tree.grow(registry.find(name)[0], **options)
    for number, state in enumerate(grown.states):
        legal = int(verbs.legal(state))
        assert grown.actions[grown.starts[number] : grown.starts[number + 1]].tolist() == [a for a in range(64) if legal >> a & 1]
        assert verbs.actor(state) == grown.seats[number]


def test_the_estimate_is_near_and_counts_no_cards():
    game, variant = registry.find("tiny-whist")
    root = game.states(1, variant)
    about = tree.deal_count(game, root) * tree.probe(root[0], 4000, np.zeros(1, [("rng", np.uint64)])[0])
    assert tree.deal_count(game, root) == 2520
    assert about == pytest.approx(len(tree.grow(game, variant)), rel=0.1)


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("mustamaija", {}, r"has about \de\+\d+ histories, and exact methods accept at most 2,000,000: options .* hand_size, pack"),
        ("101", {"episode": "match"}, "option 'episode' is 'match': exact methods accept single deals"),
        ("tiny-mustamaija", {"follow_up": True}, "without chance after the deal"),
        ("tiny-whist", {"limit": 400_000}, "exact methods accept at most 400,000"),
    ],
)
def test_games_that_are_too_large_or_draw_lots_later_are_refused(name, options, message):
    game, variant = registry.find(name)
    with pytest.raises(ValueError, match=message) as raised:
        tree.grow(game, variant, **options)
    assert "\n" not in str(raised.value)


def test_a_limit_that_the_estimate_missed_is_kept(monkeypatch):
    monkeypatch.setattr(tree, "probe", lambda *arguments: 1.0)
    game, variant = registry.find("tiny-mustamaija")
    with pytest.raises(ValueError, match="has more than 5,000 histories"):
        tree.grow(game, variant, limit=5000)
    assert len(tree.grow(game, variant, limit=1_000_000)) > 5000
