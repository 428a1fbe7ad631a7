"""The last three tricks, solved: once the stock is empty, and all cards are known, play to the end of the deal is searched.

Alpha-beta over the verbs, so that every option counts, for two sides of any number of seats. The value of a deal is the margin of side 0:
its tricks or points less the other side's, in a match those of the deals before too; to win a match is worth `VICTORY` beside that.
"""

import numpy as np

from tromf.envs.jit import EMPTY, ONE, bit, compiled, highest, lowest
from tromf.envs.mitza.rules import CRY, POINTS, QUIET, STATE, SUIT, apply, legal, points_of, returns

VICTORY = 1 << 24  # above any margin
DEEPEST = 22  # three tricks of six cards and three cries, and the position itself


def memory() -> np.ndarray:
    """Nothing is kept between calls of `exact`."""
    return np.zeros(1, np.uint64)


@compiled
def exact(world, memory, out):
    """Write the returns under best play; False while cards are in the stock, or if this deal cannot be made to decide a match."""
    if world.over:
        returns(world, out)
        return True
    if world.top < world.stock_size or (world.options.match and not may_decide(world)):
        return False
    ahead = margin(world, world.options.match, -2 * VICTORY, 2 * VICTORY)
    if world.options.match:
        if abs(ahead) < VICTORY // 2:  # neither side can win it now, so that later deals count
            return False
        value = 1.0 if ahead > 0 else -1.0
    else:
        value = ahead / world.options.total if world.options.total else 0.0
    for p in range(world.options.players):
        out[p] = -value if p & 1 else value
    return True


@compiled
def may_decide(s):
    """Whether a side may reach the target of a match with what is left of this deal."""
    cards = s.table
    for p in range(s.options.players):
        cards |= s.hand[p]
    return max(counted(s, 0), counted(s, 1)) + np.int64(points_of(cards)) >= np.int64(s.options.target)


@compiled
def ending(s, actions, theirs):
    """The best action for the seat to decide of two, given the other's hand; of equally good ones the first, but `quiet` before `tromf`."""
    side = np.int64(s.turn) & 1
    worlds = np.empty(2, STATE)
    worlds[0] = s
    worlds[0].hand[1 - side] = theirs
    worlds[0].options.match = 0
    best, most = np.int64(-1), np.int64(-2 * VICTORY)
    while actions:
        action = np.int64(highest(actions) if s.phase == CRY else lowest(actions))
        actions &= ~bit(action)
        worlds[1] = worlds[0]
        apply(worlds[1], action)
        if side:
            value = -margin(worlds[1], s.options.match, -2 * VICTORY, -most)
        else:
            value = margin(worlds[1], s.options.match, most, 2 * VICTORY)
        if value > most:
            best, most = action, value
    return best


@compiled
def margin(world, match, low, high):
    """The margin of side 0 at the end of the deal, of a match or not, if both play perfectly; beyond two bounds, that bound perhaps."""
    stack, left = np.empty(DEEPEST, STATE), np.empty(DEEPEST, np.uint64)
    values, bounds = np.empty(DEEPEST, np.int64), np.empty((DEEPEST, 2), np.int64)  # bounds: what each side is sure of elsewhere
    stack[0] = world
    stack[0].options.match = 0  # so that no other deal begins
    bounds[0, 0], bounds[0, 1], depth = low, high, 0
    left[0] = choice(stack[0])
    if stack[0].over:
        return final(stack[0], match)
    values[0] = bounds[0, stack[0].turn & 1]
    while True:
        if left[depth] and bounds[depth, 0] < bounds[depth, 1]:
            stack[depth + 1] = stack[depth]
            apply(stack[depth + 1], lowest(left[depth]))
            left[depth] &= left[depth] - ONE
            left[depth + 1] = choice(stack[depth + 1])
            if not stack[depth + 1].over:
                depth += 1
                bounds[depth, 0], bounds[depth, 1] = bounds[depth - 1, 0], bounds[depth - 1, 1]
                values[depth] = bounds[depth, stack[depth].turn & 1]
                continue
            value = final(stack[depth + 1], match)
        else:  # found, or of no importance
            value = values[depth]
            if depth == 0:
                return value
            depth -= 1
        if stack[depth].turn & 1:
            values[depth] = bounds[depth, 1] = min(values[depth], value)
        else:
            values[depth] = bounds[depth, 0] = max(values[depth], value)


@compiled
def choice(s):
    """The actions to choose from, after all decisions have been played in which there is but one; none at the end."""
    while not s.over:
        actions = legal(s)
        if s.phase == CRY and not may_matter(s):
            actions = bit(QUIET)
        if actions & (actions - ONE):
            return actions
        apply(s, lowest(actions))
    return EMPTY


@compiled
def may_matter(s):
    """Whether `tromf` would take away a choice."""
    trumps = SUIT[s.trump]
    for p in range(s.options.players):
        if p != s.turn and s.hand[p] & trumps and s.hand[p] & ~trumps:
            return True
    return False


@compiled
def final(s, match):
    """The margin of side 0 when a deal is over."""
    ahead = counted(s, 0) - counted(s, 1)
    if match and ahead != 0 and max(counted(s, 0), counted(s, 1)) >= np.int64(s.options.target):
        return ahead + (VICTORY if ahead > 0 else -VICTORY)
    return ahead


@compiled
def counted(s, side):
    """What a side has so far: tricks, or points, in a match those of the deals before too."""
    return np.int64(s.score[side]) + np.int64(s.points[side]) if s.options.scoring == POINTS else np.int64(s.tricks[side])
