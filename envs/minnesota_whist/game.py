"""Minnesota Whist as the registry knows it: the rules' verbs, the tables, the texts."""

from tromf.envs import verbs
from tromf.envs.decks import next_deck
from tromf.envs.minnesota_whist import habits, observation, options, rules, text, tree, worlds
from tromf.envs.minnesota_whist.outcome import outcome
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
    prepare=worlds.prepare,
)
verbs.register(rules.PLAN, resample=worlds.resample)

GAME = Game(
    name="minnesota-whist",
    title="Minnesota Whist",
    version=version("minnesota-whist"),
    state=rules.STATE,
    plan=rules.PLAN,
    actions=rules.ACTIONS,
    max_players=4,
    pack=options.PACK,
    rows=observation.ROWS,
    options=options.OPTIONS,
    variants=options.VARIANTS,
    measured=("minnesota-whist-4p", "askov-4p", "south-dakota-4p"),
    record=options.record,
    text=text,
    outcome=outcome,
    tree=tree,
    sides=opposite,
    habits=habits.HABITS,
)
