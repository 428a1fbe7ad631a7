"""`expert` weighs every card that it may play: what becomes of the trick, and what is kept.

A card's worth is a sum of terms, each with a weight that depends on what is played (`CONTEXTS`), the place in the trick (`PLACES`) and
the stage of the deal (`STAGES`); `knobs.py` says what each term and each habit means. Decisions before the play: `auction.py`.

Chances are reckoned from the cards not seen yet: those of a suit lie with the seats that are not known to be void in it, in
proportion to the cards that these hold.
"""

import numpy as np

from tromf.agents.minnesota_whist.auction import before_play
from tromf.agents.minnesota_whist.cards import above, risk, stoppers
from tromf.envs.jit import EMPTY, ONE, bit, compiled, highest, lowest, popcount
from tromf.envs.minnesota_whist.rules import DIX, HIGH, PLAY, SOLA, SUIT

CONTEXTS = ("low", "grand", "defence", "trumps", "against trumps", "sola", "against sola", "dix", "against dix", "dix partner")
LOW, GRAND, DEFENCE, TRUMPS, AGAINST_TRUMPS, ALONE_LOW, AGAINST_SOLA, ALONE_HIGH, AGAINST_DIX, DIX_PARTNER = range(10)
PLACES = ("lead", "second", "third", "last")
STAGES = ("early", "late")
SETS = len(CONTEXTS) * len(PLACES) * len(STAGES)

TERMS = (
    "master", "one_above", "two_above", "height", "high", "height_lost", "high_lost", "height_thrown", "bare", "one_kept", "two_kept",
    "sequence", "stoppers", "masters_kept", "established", "relief", "exit", "unseen", "holds", "over_partner", "partner_holds", "take",
    "take_myself", "left_with_it", "partner_left", "foe_left", "next_beats", "partner_beats", "last_beats", "returned", "continued",
    "next_led", "last_led", "next_void", "partner_void", "last_void", "trump", "trumps_out", "to_ruff",
)  # fmt: skip
(
    MASTER, ONE_ABOVE, TWO_ABOVE, HEIGHT, HIGH_CARD, HEIGHT_LOST, HIGH_LOST, HEIGHT_THROWN, BARE, ONE_KEPT, TWO_KEPT,
    SEQUENCE, STOPPERS, MASTERS_KEPT, ESTABLISHED, RELIEF, EXIT, UNSEEN, HOLDS, OVER_PARTNER, PARTNER_HOLDS, TAKE,
    TAKE_MYSELF, LEFT_WITH_IT, PARTNER_LEFT, FOE_LEFT, NEXT_BEATS, PARTNER_BEATS, LAST_BEATS, RETURNED, CONTINUED,
    NEXT_LED, LAST_LED, NEXT_VOID, PARTNER_VOID, LAST_VOID, TRUMP_CARD, TRUMPS_OUT, TO_RUFF,
) = range(39)  # fmt: skip


@compiled
def expert(s, actions, knobs):
    if s.phase != PLAY:
        return before_play(s, knobs)
    w, unseen, x = knobs.weights[weight_set(s, knobs.late_cards)], unseen_cards(s, knobs.count), np.zeros(len(TERMS))
    if s.laid == 0 and s.trump >= 0:
        actions = leads(s, actions, knobs)
    best, most = np.int64(-1), -1e18
    while actions:
        card = np.int64(lowest(actions))
        actions &= actions - ONE
        describe(s, card, unseen, x)
        hoarding(s, card // 13, knobs, x)
        worth = 0.0
        for k in range(len(TERMS)):
            worth += w[k] * x[k]
        if worth > most:
            best, most = card, worth
    return best


@compiled
def leads(s, actions, knobs):
    """What may be led: without `draw_trumps` no trump, if there is another card; without `draw_placebo` nothing of the placebo's suit."""
    if not knobs.draw_trumps and actions & ~SUIT[s.trump]:
        actions &= ~SUIT[s.trump]
    if not knobs.draw_placebo and actions & ~SUIT[placebo_suit(s)]:
        actions &= ~SUIT[placebo_suit(s)]
    return actions


@compiled
def hoarding(s, suit, knobs, x):
    """Scale what a trump costs by `hoard_trumps`, and let a card of the placebo's suit cost as much, times `placebo`."""
    if s.trump < 0:
        return
    if suit == s.trump:
        x[TRUMP_CARD] *= knobs.hoard_trumps
        x[TRUMPS_OUT] *= knobs.hoard_trumps
    elif suit == placebo_suit(s):
        x[TRUMP_CARD], x[TRUMPS_OUT] = knobs.placebo, knobs.placebo * x[UNSEEN]


@compiled
def placebo_suit(s):
    """One of the plain suits, by seat and dealer, whatever the cards."""
    return (np.int64(s.trump) + 1 + (np.int64(s.turn) + np.int64(s.dealer)) % 3) % 4


@compiled
def weight_set(s, late_cards):
    """Which weights count."""
    place = 0 if s.laid == 0 else 3 if s.laid + 1 == s.seats else np.int64(s.laid)
    stage = 1 if np.int64(popcount(s.hand[s.turn])) <= late_cards else 0
    return (context(s) * 4 + place) * 2 + stage


@compiled
def context(s):
    """What is played, for the seat to decide."""
    if s.solo == SOLA:
        return ALONE_LOW if s.turn == s.soloist else AGAINST_SOLA
    if s.solo == DIX:
        if s.turn == s.soloist:
            return ALONE_HIGH
        return DIX_PARTNER if (s.turn ^ s.soloist) & 1 == 0 else AGAINST_DIX
    if s.kind != HIGH:
        return LOW
    ours = (s.turn ^ s.granded) & 1 == 0
    if s.trump >= 0:
        return TRUMPS if ours else AGAINST_TRUMPS
    return GRAND if ours else DEFENCE


@compiled
def unseen_cards(s, count):
    """The cards whose place is not known; without counting, all that are neither in the own hand nor on the table."""
    seen = s.table
    for p in range(4):
        seen |= s.hand[p]
        if count:
            seen |= s.played[p]
    return s.options.pack & ~seen


@compiled
def describe(s, card, unseen, x):
    """Write the terms of a card that may be played."""
    x[:] = 0.0
    spending(s, card, unseen, x)
    taking(s, card, unseen, x)
    if s.laid == 0:
        leading(s, card // 13, x)


@compiled
def spending(s, card, unseen, x):
    """What it means to part with a card."""
    seat, suit = np.int64(s.turn), card // 13
    mine, out = s.hand[seat] & SUIT[suit], unseen & SUIT[suit]
    kept, over = mine & ~bit(card), np.int64(popcount(out & above(card)))
    number, left = np.int64(popcount(kept)), np.int64(popcount(out))
    height = (left - over) / left if left else 1.0
    x[MASTER], x[ONE_ABOVE], x[TWO_ABOVE] = over == 0, over == 1, over == 2
    x[HEIGHT], x[HIGH_CARD] = height, height * height
    x[BARE], x[ONE_KEPT], x[TWO_KEPT] = number == 0, number == 1, number == 2
    lower = kept & (bit(card) - ONE)
    x[SEQUENCE] = lower != EMPTY and not out & above(np.int64(highest(lower))) & (bit(card) - ONE)
    x[STOPPERS] = stoppers(mine, out) - stoppers(kept, out)
    x[MASTERS_KEPT] = popcount(kept & above(np.int64(highest(out)))) if out else number
    x[ESTABLISHED] = max(0.0, number - left / 2.5)
    x[RELIEF] = (risk(mine, out) - risk(kept, out)) / 4.0
    if kept and left:
        x[EXIT] = popcount(out & above(np.int64(lowest(kept)))) / left
    x[UNSEEN] = left / 13.0
    if s.laid and suit != s.lead // 13:
        x[HEIGHT_THROWN] = height
    if s.trump >= 0:
        trumps = SUIT[s.trump]
        if suit == s.trump:
            x[TRUMP_CARD], x[TRUMPS_OUT] = 1.0, left / 13.0
        elif number == 0 and s.hand[seat] & trumps:
            x[TO_RUFF] = 1.0


@compiled
def taking(s, card, unseen, x):
    """What a card does to the trick: who holds it then, and who may still beat it."""
    seat, suit, best, holder = np.int64(s.turn), card // 13, np.int64(s.best), np.int64(s.holder)
    holds = True
    if s.laid:
        holds = card > best if suit == best // 13 else suit == s.trump
    ours_before = s.laid > 0 and (holder ^ seat) & 1 == 0
    if holds:
        best, holder = card, seat
    led = suit if s.laid == 0 else s.lead // 13
    foes, friends, clear, foe_ducks, friend_ducks = 1.0, 1.0, 0, 1.0, 1.0  # chances that they cannot beat it; that they can stay below
    p = seat
    for _ in range(np.int64(s.laid) + 1, np.int64(s.seats)):
        p = (p + 1) & 3
        if p == s.out:
            p = (p + 1) & 3
        beats, ducks = answers(s, p, led, best, unseen)
        if (p ^ seat) & 1:
            x[NEXT_BEATS if clear == 0 else LAST_BEATS] = beats
            foes *= 1.0 - beats
            foe_ducks *= ducks
            clear += 1
        else:
            x[PARTNER_BEATS] = beats
            friends, friend_ducks = 1.0 - beats, ducks
    if holds:
        x[HOLDS], x[OVER_PARTNER] = 1.0, ours_before
        x[TAKE_MYSELF], x[LEFT_WITH_IT] = foes * friends, foe_ducks * friend_ducks
    else:
        x[HEIGHT_LOST], x[HIGH_LOST] = x[HEIGHT], x[HIGH_CARD]
    if (holder ^ seat) & 1 == 0:
        x[TAKE] = foes + (1.0 - foes) * (1.0 - friends) * 0.5
        if not holds:
            x[PARTNER_HOLDS], x[PARTNER_LEFT] = 1.0, foe_ducks
    else:
        x[TAKE] = (1.0 - friends) * (0.5 + 0.5 * foes)
        x[FOE_LEFT] = friend_ducks * foe_ducks


@compiled
def answers(s, p, led, best, unseen):
    """The chances that a seat can beat the card that holds the trick, and that it can stay below."""
    suit = unseen & SUIT[led]
    known = s.hand[p] & SUIT[led]
    r = 1.0 - share(s, p, led)
    void = r ** np.int64(popcount(suit)) if not known else 0.0
    trump = s.trump >= 0 and led != s.trump
    if best // 13 != led:  # trumped
        higher = above(best)
        beats = void * has(s, p, s.trump, unseen & higher, s.hand[p] & higher)
        return beats, 1.0
    beats = 1.0 if known & above(best) else 1.0 - r ** np.int64(popcount(suit & above(best)))
    ducks = 1.0 if known & ~above(best) else 1.0 - r ** np.int64(popcount(suit & (bit(best) - ONE))) + void
    if trump:
        beats += void * has(s, p, s.trump, unseen & SUIT[s.trump], s.hand[p] & SUIT[s.trump])
    return beats, min(ducks, 1.0)


@compiled
def has(s, p, suit, wanted, known):
    """The chance that a seat holds one of some cards of a suit, some of which it is known to hold."""
    return 1.0 if known else 1.0 - (1.0 - share(s, p, suit)) ** np.int64(popcount(wanted))


@compiled
def share(s, p, suit):
    """The part of a suit's unseen cards that lies with a seat, on average."""
    if (s.void[p] >> suit) & 1:
        return 0.0
    total = 0
    for other in range(4):
        if not (s.void[other] >> suit) & 1:
            total += s.hidden[other]
    return s.hidden[p] / total if total else 0.0


@compiled
def leading(s, suit, x):
    """Who has led the suit before, and who is void in it."""
    seat, clear = np.int64(s.turn), 0
    x[CONTINUED] = (s.led[seat] >> suit) & 1
    for k in range(1, 4):
        p = (seat + k) & 3
        if p == s.out:
            continue
        led, void = (s.led[p] >> suit) & 1, (s.void[p] >> suit) & 1
        if k == 2:
            x[RETURNED], x[PARTNER_VOID] = led, void
        elif clear == 0:
            x[NEXT_LED], x[NEXT_VOID] = led, void
            clear = 1
        else:
            x[LAST_LED], x[LAST_VOID] = led, void
