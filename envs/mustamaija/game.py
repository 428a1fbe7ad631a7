"""Mustamaija as the registry knows it: the rules' verbs, the tables, the texts."""

from tromf.envs import verbs
from tromf.envs.mustamaija import habits, observation, options, rules, text, tree
from tromf.envs.mustamaija.outcome import outcome
from tromf.envs.registry import Game, version

verbs.register(
    rules.STATE,
    shuffle=rules.shuffle,
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
    name="mustamaija",
    title="Mustamaija",
    version=version("mustamaija"),
    state=rules.STATE,
    plan=rules.PLAN,
    actions=rules.ACTIONS,
    max_players=8,
    pack=options.PACK,
    rows=observation.ROWS,
    options=options.OPTIONS,
    variants=options.VARIANTS,
    measured=("mustamaija-2p", "mustamaija-4p", "mustamaija-6p"),
    record=options.record,
    text=text,
    outcome=outcome,
    habits=habits.HABITS,
    tree=tree,
)
