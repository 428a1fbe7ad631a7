"""`expert` weighs every card that it may play: what becomes of the trick, and what the card would have been worth later.

A card's worth is a sum of terms, each with a weight that depends on scoring, players, whether the card is led, and the stage of the
deal (`knobs.py` says what each term and each habit means). With two players the last three tricks are solved instead.
"""

import numpy as np

from tromf.agents.mitza.ending import ending
from tromf.agents.mitza.yardsticks import holds_highest_trump
from tromf.envs.jit import EMPTY, ONE, bit, compiled, lowest, popcount
from tromf.envs.mitza.rules import CRY, EXCHANGE, EXCHANGE_SEVEN, KEEP, POINTS, QUIET, SUIT, TROMF, points_of

STAGES = ("lead early", "lead late", "lead end", "follow early", "follow late", "follow end")
NEVER, WITH_HIGHEST, ALWAYS = range(3)  # when to cry

TERMS = (
    "won", "won_points", "lost_points", "won_early", "own", "over_partner", "fed", "topped", "topped_points", "trumped",
    "trumped_points", "overtrumped", "overtrumped_points", "helped", "helped_points", "rescued", "rescued_points", "turned",
    "lead_points", "lead_low", "lead_trumps", "catch", "catch_points", "master", "pair", "bare", "more_trumps", "trumps_out",
    "higher_trumps", *(f"plain_{rank}" for rank in "89JQTKA"), *(f"trump_{rank}" for rank in "789JQTKA"),
)  # fmt: skip
(
    WON, WON_POINTS, LOST_POINTS, WON_EARLY, OWN, OVER_PARTNER, FED, TOPPED, TOPPED_POINTS, TRUMPED,
    TRUMPED_POINTS, OVERTRUMPED, OVERTRUMPED_POINTS, HELPED, HELPED_POINTS, RESCUED, RESCUED_POINTS, TURNED,
    LEAD_POINTS, LEAD_LOW, LEAD_TRUMPS, CATCH, CATCH_POINTS, MASTER, PAIR, BARE, MORE_TRUMPS, TRUMPS_OUT,
    HIGHER_TRUMPS, PLAIN,
) = range(30)  # fmt: skip
TRUMP = PLAIN + 7  # the plain seven has no term: the others are measured from it

LOW_CARDS = np.uint64(0x07070707)  # seven, eight, nine
CHOICES = np.zeros((33, 10))  # CHOICES[n, k]: ways to choose k of n
CHOICES[:, 0] = 1.0
for n in range(1, 33):
    for k in range(1, 10):
        CHOICES[n, k] = CHOICES[n - 1, k] + CHOICES[n - 1, k - 1]


@compiled
def expert(s, actions, knobs):
    if s.phase == EXCHANGE:
        return np.int64(EXCHANGE_SEVEN if s.stock[s.stock_size - 1] % 8 >= knobs.exchange_from else KEEP)
    if knobs.solve and s.options.players == 2 and s.top == s.stock_size:
        other = 1 - np.int64(s.turn)
        return ending(s, actions, s.hand[other] | unseen_cards(s, True))
    if s.phase == CRY:
        return np.int64(TROMF if knobs.cry == ALWAYS or (knobs.cry == WITH_HIGHEST and holds_highest_trump(s)) else QUIET)
    chosen, unseen = weight_set(s, knobs.late_draws), unseen_cards(s, knobs.count)
    w, dear = knobs.weights[chosen], placebo_suit(s)
    best, most = np.int64(-1), -1e18
    while actions:
        card = np.int64(lowest(actions))
        actions &= actions - ONE
        worth = taking(s, card, unseen, w, knobs.feed) + spending(s, card, unseen, w)
        if card // 8 == dear:
            worth += knobs.placebo[chosen, card % 8]
        if worth > most:
            best, most = card, worth
    return best


@compiled
def weight_set(s, late_draws):
    """Which weights count: by scoring, players, whether the card is led, and stage."""
    players, left = np.int64(s.options.players), np.int64(s.stock_size) - np.int64(s.top)
    stage = 2 if left == 0 else 1 if left <= late_draws * players else 0
    return ((np.int64(s.options.scoring) * 3 + players // 2 - 1) * 2 + (1 if s.laid else 0)) * 3 + stage


@compiled
def placebo_suit(s):
    """One of the plain suits, by seat and dealer, whatever the cards."""
    return (np.int64(s.trump) + 1 + (np.int64(s.turn) + np.int64(s.dealer)) % 3) % 4


@compiled
def unseen_cards(s, count):
    """The cards that may be among the hidden ones; without counting, all that are not in sight."""
    seen = s.table
    for p in range(s.options.players):
        seen |= s.hand[p]
        if count:
            seen |= s.played[p]
    if s.top < s.stock_size:
        seen |= bit(s.stock[s.stock_size - 1])
    return s.options.pack & ~seen


@compiled
def taking(s, card, unseen, w, feed):
    """What a card does to the trick: who holds it then, and who may still take it."""
    players, seat, trumps = np.int64(s.options.players), np.int64(s.turn), SUIT[s.trump]
    best, holds = np.int64(s.best), True
    if s.laid:
        holds = card > best if card // 8 == best // 8 else card // 8 == s.trump
    if holds:
        best = card
    partner_held = s.laid and (np.int64(s.holder) & 1) == seat & 1
    ours, follow = holds or partner_held, players - 1 - np.int64(s.laid)
    kept = s.hand[seat] & ~bit(card)
    stake = 1.0
    if s.options.scoring == POINTS:
        stake = (points_of(s.table) + points_of(bit(card)) * (feed if ours and not holds else 1.0)) / 10.0
    higher, ruff = takers(s, best, unseen, follow, 1 if ours else 2)
    value, taken = 0.0, 1.0 - (1.0 - higher) * (1.0 - ruff)
    if s.top + players == s.stock_size:  # the last to draw gets the turned card, and that is an opponent of the winner
        rank = (s.stock[s.stock_size - 1] % 8) / 7.0
        value += w[TURNED] * rank * (1.0 - taken if ours else taken)
    if not ours:
        value += w[LOST_POINTS] * stake
        if best // 8 == s.trump:
            return value + (w[RESCUED] + w[RESCUED_POINTS] * stake) * higher
        return value + (w[HELPED] + w[HELPED_POINTS] * stake) * higher + (w[RESCUED] + w[RESCUED_POINTS] * stake) * ruff
    value += w[WON] + w[WON_POINTS] * stake + w[WON_EARLY] * follow
    value += w[FED] * points_of(bit(card)) / 10.0 if not holds else w[OWN] + (w[OVER_PARTNER] if partner_held else 0.0)
    value += w[LEAD_POINTS] * points_of(kept & ~trumps) / 10.0 + w[LEAD_TRUMPS] * popcount(kept & trumps)
    if kept & ~trumps & LOW_CARDS:
        value += w[LEAD_LOW]
    if best // 8 == s.trump:
        return value + (w[OVERTRUMPED] + w[OVERTRUMPED_POINTS] * stake) * higher
    return value + (w[TOPPED] + w[TOPPED_POINTS] * stake) * higher + (w[TRUMPED] + w[TRUMPED_POINTS] * stake) * ruff


@compiled
def takers(s, best, unseen, follow, first):
    """The chances that one side's seats still to play, every second one from the next or the one after it, hold a higher card of the
    suit of the card that holds the trick, and that they hold a trump if it is plain."""
    players, seat = np.int64(s.options.players), np.int64(s.turn)
    known, hidden, may_trump = EMPTY, np.int64(0), np.int64(0)
    for step in range(first, follow + 1, 2):
        p = seat + step if seat + step < players else seat + step - players
        known |= s.hand[p]
        hidden += np.int64(s.hidden[p])
        if not (s.lacks >> p) & 1:
            may_trump += np.int64(s.hidden[p])
    if best // 8 == s.trump:
        return chance(known, unseen, above(best), may_trump), 0.0
    return chance(known, unseen, above(best), hidden), chance(known, unseen, SUIT[s.trump], may_trump)


@compiled
def spending(s, card, unseen, w):
    """What it costs to part with a card."""
    trumps, suit, rank = SUIT[s.trump], SUIT[card // 8], card % 8
    kept = s.hand[s.turn] & ~bit(card)
    if card // 8 == s.trump:
        value = w[TRUMP + rank] + (w[MORE_TRUMPS] if kept & trumps else 0.0)
        return value + w[TRUMPS_OUT] * popcount(unseen & trumps) / 8.0 + w[HIGHER_TRUMPS] * popcount(unseen & above(card)) / 8.0
    points = points_of(bit(card)) / 10.0
    value = w[PLAIN + rank - 1] if rank else 0.0
    value += (w[CATCH] + w[CATCH_POINTS] * points) * popcount(unseen & suit & (bit(card) - ONE)) / 8.0
    if not unseen & above(card):
        value += w[MASTER]
    if kept & suit:
        value += w[PAIR]
    if not kept & trumps:
        value += w[BARE] * points
    return value


@compiled
def above(card):
    """The higher cards of a card's suit."""
    return SUIT[card // 8] & ~((np.uint64(2) << np.uint64(card)) - ONE)


@compiled
def chance(known, unseen, wanted, hidden):
    """The chance that a card of a set is among some known cards or among so many hidden ones of the unseen."""
    total = np.int64(popcount(unseen))
    hidden = min(hidden, total)
    if known & wanted:
        return 1.0
    return 1.0 - CHOICES[total - np.int64(popcount(unseen & wanted)), hidden] / CHOICES[total, hidden] if hidden > 0 else 0.0
