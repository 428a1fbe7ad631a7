"""Mîța and 101 as the registry knows them: the rules' verbs, the tables, the texts."""

from tromf.envs import verbs
from tromf.envs.decks import next_deck
from tromf.envs.mitza import habits, observation, options, rules, text, tree
from tromf.envs.mitza.outcome import outcome
from tromf.envs.registry import Game, opposite, version

verbs.register(
    rules.STATE,
    shuffle=next_deck,
    deal=rules.deal,
    actor=rules.actor,
    legal=rules.legal,
    apply=rules.apply,
    over=rules.over,
    truncated=rules.truncated,
    returns=rules.returns,
    observe=observation.observe,
    conceal=observation.conceal,
    prepare=observation.prepare,
)
verbs.register(rules.PLAN, resample=observation.resample)

GAME = Game(
    name="mitza",
    title="Mîța and 101",
    version=version("mitza"),
    state=rules.STATE,
    plan=rules.PLAN,
    actions=rules.ACTIONS,
    max_players=6,
    pack=options.PACK,
    rows=observation.ROWS,
    options=options.OPTIONS,
    variants=options.VARIANTS,
    measured=("101-2p", "101-4p", "101-6p"),
    record=options.record,
    text=text,
    outcome=outcome,
    tree=tree,
    symmetry=observation.symmetry(),
    sides=opposite,
    habits=habits.HABITS,
)
