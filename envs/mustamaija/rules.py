"""The rules of Mustamaija, compiled. Ids such as MM-D2 are those of the rules page, `docs/rules/mustamaija.md`.

A combat runs: attack (lay, `done`) - with `misplay_penalty` the victim's choice (`keep`, `return`) - the first time trumps are
turned - the attacker draws - with `follow_up` the race and more cards - defence (`beat`, `take`) - resolution, the defender
draws - next attacker. `state.phase` says which decision is asked for.
"""

import numpy as np

from tromf.envs.jit import EMPTY, ONE, bit, compiled, draw_below, draw_unit, highest, lowest, popcount, stream

OPTIONS = np.dtype(
    [
        ("word", np.uint64),                # the options as an observation word
        ("pack", np.uint64),                # set of all cards that take part
        ("slap_probability", np.float64),
        ("max_decisions", np.uint32),
        ("players", np.uint8), ("hand_size", np.uint8),
        ("trump", np.uint8),                # TURNED, DIAMONDS or DECLARED
        ("either", np.uint8),               # king or queen is enough to declare
        ("attack_limit", np.uint8),         # 0: none
        ("follow_up", np.uint8), ("misplay_penalty", np.uint8),
        ("scoring", np.uint8),              # LOSER, PLACING or WINNER
    ],
    align=True,
)  # fmt: skip

STATE = np.dtype(
    [  # what every decision touches stands together at the front
        ("options", OPTIONS),
        ("decisions", np.uint32),
        ("phase", np.uint8), ("attacker", np.uint8), ("defender", np.uint8), ("dealer", np.uint8),
        ("last", np.int8),                  # the card laid or returned last in this phase; -1
        ("limit", np.uint8),                # most cards in this attack (MM-A1); NO_LIMIT
        ("trump", np.int8), ("declarer", np.int8), ("lacks_king", np.uint8),
        ("size", np.uint8), ("top", np.uint8),
        ("out", np.uint8),                  # seats that have gone out
        ("over", np.uint8), ("truncated", np.uint8), ("loser", np.int8),
        ("hand", np.uint64, (8,)),          # by seat
        ("known", np.uint64, (8,)),         # by seat: the publicly known part of the hand
        ("attack", np.uint64),              # laid in this combat and not returned, beaten or taken included
        ("beaten", np.uint64), ("beating", np.uint64), ("taken", np.uint64),
        ("gone", np.uint64),                # left the game
        ("seen", np.uint64),                # cards publicly known to lie in the stock
        ("seen_at", np.uint64),             # their indices in the deck
        ("passed_at", np.uint64),           # indices in the deck of unseen cards known to be spades (MM-T3)
        ("rng", np.uint64),
        ("hidden", np.uint8, (8,)),         # by seat: cards of the hand that a concealed record does not show
        ("deck", np.uint8, (52,)),
        ("place", np.uint8, (8,)),          # by seat: 1 for the first to go out, 0 while in
        ("turned", np.uint64),              # four bits a spade: its number among the spades turned up, from 1
        ("seed", np.uint64),
        ("old", np.float64, (9,)),          # see `note_lack_of_king`
    ],
    align=True,
)  # fmt: skip

PLAN = np.dtype([("state", STATE), ("unseen", np.uint8, (52,)), ("count", np.uint8), ("spades", np.uint8)], align=True)

SUIT = np.array([0x1FFF << (13 * s) for s in range(4)], dtype=np.uint64)
SPADES, QUEEN, KING = 3, 10, 11
MAIJA = np.uint64(1) << np.uint64(49)
TURNED, DIAMONDS, DECLARED = 0, 1, 2
LOSER, PLACING, WINNER = 0, 1, 2
ATTACK, KEEP, RETURN, FOLLOW_UP, DEFEND = 0, 1, 2, 3, 4
DONE, TAKE, DECLARE, KEEP_SUIT, ACTIONS = 52, 52, 53, 56, 60
NO_LIMIT = 63


@compiled
def shuffle(s, k):
    """Deck k of the episode, a function of (seed, k) alone (C-3)."""
    size = 0
    rest = s.options.pack
    while rest:
        s.deck[size] = lowest(rest)
        rest &= rest - ONE
        size += 1
    s.size = size
    game = s.rng
    s.rng = stream(s.seed, k + 2)
    for i in range(size - 1, 0, -1):
        j = draw_below(s, i + 1)
        s.deck[i], s.deck[j] = s.deck[j], s.deck[i]
    s.rng = game


@compiled
def deal(s):
    s.attack = s.beaten = s.beating = s.taken = s.gone = s.seen = s.seen_at = s.passed_at = s.turned = EMPTY
    s.top, s.decisions, s.out, s.over, s.truncated = 0, 0, 0, 0, 0
    s.loser = s.declarer = s.trump = -1
    s.lacks_king = 0
    if s.options.trump == DIAMONDS:  # MM-V1
        s.trump = 1
    players = s.options.players
    for p in range(8):
        s.hand[p] = s.known[p] = EMPTY
        s.hidden[p] = s.place[p] = 0
    p = s.dealer
    for _ in range(s.options.hand_size * players):  # C-4
        p = p + 1 if p + 1 < players else 0
        s.hand[p] |= bit(s.deck[s.top])
        s.top += 1
    begin_combat(s, p + 1)  # the last card went to the dealer: MM-1


@compiled
def actor(s):
    return s.attacker if s.phase == ATTACK or s.phase == FOLLOW_UP else s.defender


@compiled
def legal(s):
    if s.phase == DEFEND:
        actions = defences(s)
    elif s.phase == ATTACK:
        actions = attacks(s)
    else:
        actions = house_actions(s)
    if s.trump < 0 and s.options.trump == DECLARED:
        actions |= declarations(s)
    return actions


@compiled
def attacks(s):
    """What the attacker may do while laying (MM-A)."""
    hand = s.hand[s.attacker]
    if s.attack == EMPTY:
        return hand
    if s.options.misplay_penalty:
        return attacks_with_misplay(s)
    if popcount(s.attack) < s.limit:
        return (hand & SUIT[s.last // 13] & above(s.last)) | bit(DONE)
    return bit(DONE)


@compiled
def attacks_with_misplay(s):
    """A second suit is possible, and more cards than the defender holds (MM-H2)."""
    if s.top < s.size and popcount(s.attack) >= s.limit:  # binds while the stock lasts
        return bit(DONE)
    hand, suit = s.hand[s.attacker], SUIT[s.last // 13]
    actions = hand & suit & above(s.last)
    if s.attack & ~suit == EMPTY:
        actions |= hand & ~suit
    return actions | bit(DONE)


@compiled
def defences(s):
    """What the defender may do about the lowest card not yet answered (MM-D)."""
    card = lowest(s.attack & ~s.beaten & ~s.taken)
    actions = bit(TAKE)  # MM-D5
    if bit(card) != MAIJA:  # MM-D4
        hand, suit = s.hand[s.defender] & ~MAIJA, card // 13
        actions |= hand & SUIT[suit] & above(card)
        if s.trump >= 0 and suit != s.trump:
            actions |= hand & SUIT[s.trump]  # MM-D2
    return actions


@compiled
def house_actions(s):
    """What may be done in the phases that only house rules have."""
    if s.phase == FOLLOW_UP:  # MM-H1
        actions = bit(DONE)
        if popcount(s.attack) < s.limit:
            actions |= s.hand[s.attacker] & SUIT[lowest(s.attack) // 13] & above(s.last)
        return actions
    if s.phase == KEEP:  # MM-H2
        actions = EMPTY
        for suit in range(4):
            if s.attack & SUIT[suit]:
                actions |= bit(KEEP_SUIT + suit)
        return actions
    cards = s.attack & above(s.last)  # RETURN: ascending, and enough must be left for the returns still due
    for _ in range(popcount(s.attack) - s.limit - 1):
        cards &= ~bit(highest(cards))
    return cards


@compiled
def declarations(s):
    """The suits that the seat to decide may declare trumps (MM-V2)."""
    hand, actions = s.hand[actor(s)], EMPTY
    for suit in range(3):
        court = (hand >> np.uint64(13 * suit + QUEEN)) & np.uint64(3)
        if court == np.uint64(3) or (s.options.either and court):
            actions |= bit(DECLARE + suit)
    return actions


@compiled
def apply(s, action):
    s.decisions += 1
    if s.phase == DEFEND and action <= TAKE:
        card = bit(lowest(s.attack & ~s.beaten & ~s.taken))
        if action == TAKE:
            s.taken |= card
        else:
            lose_card(s, s.defender, action)
            s.beating |= bit(action)
            s.beaten |= card
        if s.attack & ~s.beaten & ~s.taken == EMPTY:
            resolve(s)
    elif s.phase == ATTACK and action < DONE:
        lose_card(s, s.attacker, action)
        s.attack |= bit(action)
        s.last = action
    elif s.phase == ATTACK and action == DONE and not s.options.misplay_penalty:
        attack_is_laid(s)
    else:
        apply_rare(s, action)
    if s.decisions >= s.options.max_decisions and not s.over:
        cut_off(s)


@compiled
def apply_rare(s, action):
    """Declarations, and the decisions that only house rules have."""
    if DECLARE <= action < KEEP_SUIT:
        declare(s, actor(s), action - DECLARE)
    elif s.phase == ATTACK:  # done, with misplay_penalty
        if s.attack & ~SUIT[s.last // 13]:
            s.phase = KEEP
        else:
            enforce_limit(s)
    elif s.phase == KEEP:
        give_back(s, s.attack & ~SUIT[action - KEEP_SUIT])
        enforce_limit(s)
    elif s.phase == RETURN:
        give_back(s, bit(action))
        s.last = action
        if popcount(s.attack) <= s.limit:
            attack_is_laid(s)
    elif action < DONE:  # FOLLOW_UP
        lose_card(s, s.attacker, action)
        s.attack |= bit(action)
        s.last = action
    elif s.last >= 0:
        attacker_draws(s)
    else:
        s.phase = DEFEND


@compiled
def give_back(s, cards):
    """Cards not kept go back to the attacker's hand, publicly known (MM-H2)."""
    s.attack &= ~cards
    s.hand[s.attacker] |= cards
    s.known[s.attacker] |= cards


@compiled
def enforce_limit(s):
    if popcount(s.attack) > s.limit:
        s.phase, s.last = RETURN, -1
    else:
        attack_is_laid(s)


@compiled
def attack_is_laid(s):
    if s.trump < 0 and s.options.trump == TURNED:
        turn_trump(s)
    attacker_draws(s)


@compiled
def attacker_draws(s):
    """MM-R for the attacker, MM-E, and with `follow_up` the race (MM-H1)."""
    before = s.top
    refill(s, s.attacker)
    s.phase = DEFEND
    finish_if_decided(s)
    if s.options.follow_up and s.top > before and draw_unit(s) >= s.options.slap_probability:
        s.phase, s.last = FOLLOW_UP, -1


@compiled
def turn_trump(s):
    """MM-T: turn cards up until one is no spade; spades go into the middle, that card under the stock."""
    bottom = s.size - 1
    number = 0
    while True:
        card = s.deck[s.top]
        if card // 13 != SPADES:
            put_under_stock(s, s.top)
            return
        if bit(card) & s.seen:  # MM-T3: it has been turned before
            i = s.top
            while s.deck[i] // 13 == SPADES:
                if not bit(s.deck[i]) & s.seen:
                    s.passed_at |= bit(i)
                i += 1
            put_under_stock(s, i)
            return
        middle = s.top + (bottom - s.top) // 2  # MM-T1, C-4
        for i in range(s.top, middle):
            s.deck[i] = s.deck[i + 1]
        s.deck[middle] = card
        s.seen |= bit(card)
        s.seen_at = (s.seen_at >> ONE) | bit(middle)  # those turned before lie above it
        number += 1
        s.turned |= np.uint64(number) << np.uint64(4 * (card % 13))


@compiled
def put_under_stock(s, index):
    """The card at an index of the deck makes trumps and is drawn last (MM-T2)."""
    card, bottom = s.deck[index], s.size - 1
    for i in range(index, bottom):
        s.deck[i] = s.deck[i + 1]
    s.deck[bottom] = card
    stays = bit(index) - ONE
    s.seen_at = (s.seen_at & stays) | ((s.seen_at & ~stays) >> ONE) | bit(bottom)
    s.seen |= bit(card)
    s.trump = card // 13


@compiled
def declare(s, seat, suit):
    """MM-V2: the cards shown are public knowledge; with `either` a seat that holds both shows the king."""
    s.trump, s.declarer = suit, seat
    queen, king = bit(13 * suit + QUEEN), bit(13 * suit + KING)
    if not s.options.either:
        s.known[seat] |= queen | king
    elif s.hand[seat] & king:
        s.known[seat] |= king
    else:
        s.known[seat] |= queen
        s.lacks_king = 1
        for j in range(9):
            s.old[j] = 0.0
        s.old[hidden_cards(s, seat)] = 1.0


@compiled
def hidden_cards(s, seat):
    """How many cards of a hand are not publicly known."""
    return np.int64(popcount(s.hand[seat] & ~s.known[seat])) + s.hidden[seat]


@compiled
def note_lack_of_king(s, card):
    """What showing the queen alone says about the king of trumps, kept up while the declarer plays.

    None of the unknown cards that the declarer held then, the old ones, is the king; the cards it drew later may be. Of an
    unknown card that it plays nobody knows whether it was old. `old[j]` is the weight of the possibility that j old ones
    are left: the number of ways, up to a factor, in which the cards played so far can have been old or new.
    """
    if card == 13 * s.trump + KING:
        s.lacks_king = 0
        return
    unknown = hidden_cards(s, s.declarer)
    total = 0.0
    for j in range(9):
        more = s.old[j + 1] * (j + 1) if j < 8 else 0.0
        s.old[j] = more + s.old[j] * max(unknown - j, 0)
        total += s.old[j]
    for j in range(9):
        s.old[j] /= total


@compiled
def lose_card(s, seat, card):
    if s.lacks_king and seat == s.declarer and not s.known[seat] & bit(card):
        note_lack_of_king(s, card)
    s.hand[seat] &= ~bit(card)
    s.known[seat] &= ~bit(card)


@compiled
def refill(s, seat):
    """MM-R: draw up to the hand size; a seat without cards is out."""
    hand = s.hand[seat]
    while s.top < s.size and popcount(hand) < s.options.hand_size:
        card = bit(s.deck[s.top])
        hand |= card
        if card & s.seen:
            s.known[seat] |= card
            s.seen &= ~card
            s.seen_at &= ~bit(s.top)
        s.passed_at &= ~bit(s.top)
        s.top += 1
    s.hand[seat] = hand
    if hand == EMPTY:
        s.out += 1
        s.place[seat] = s.out


@compiled
def resolve(s):
    """MM-S, MM-E, MM-N."""
    d = s.defender
    s.hand[d] |= s.taken
    s.known[d] |= s.taken
    s.gone |= s.beaten | s.beating
    refill(s, d)
    finish_if_decided(s)
    if not s.over:
        begin_combat(s, d if s.taken == EMPTY else d + 1)


@compiled
def begin_combat(s, seat):
    """MM-N: the first seat from `seat` on that holds cards attacks the next; MM-A1: the limit is fixed now."""
    s.attacker = holder_from(s, seat)
    s.defender = holder_from(s, s.attacker + 1)
    s.attack = s.beaten = s.beating = s.taken = EMPTY
    s.last, s.phase = -1, ATTACK
    if s.top == s.size:
        s.limit = popcount(s.hand[s.defender])
    elif s.options.attack_limit:
        s.limit = s.options.attack_limit
    else:
        s.limit = NO_LIMIT


@compiled
def holder_from(s, seat):
    """The first seat clockwise from `seat` (at most one round ahead) that holds cards (MM-N3)."""
    players = np.int64(s.options.players)
    p = np.int64(seat)
    for _ in range(players):
        if p >= players:
            p -= players
        if s.hand[p] != EMPTY:
            return p
        p += 1
    return np.int64(0)


@compiled
def finish_if_decided(s):
    """MM-E: the deal ends when at most one seat holds cards."""
    if s.out + 1 >= s.options.players:
        s.over = 1
        for p in range(s.options.players):
            if s.hand[p] != EMPTY:
                s.loser = p


@compiled
def cut_off(s):
    """MM-X: who holds Mustamaija loses, or who is to take her from the table."""
    s.over = s.truncated = 1
    if s.attack & MAIJA:
        s.loser = s.defender
    for p in range(s.options.players):
        if s.hand[p] & MAIJA:
            s.loser = p


@compiled
def over(s):
    return s.over != 0


@compiled
def truncated(s):
    return s.truncated != 0


@compiled
def returns(s, out):
    """MM-P, and MM-X after truncation."""
    players, scoring = np.int64(s.options.players), s.options.scoring
    for p in range(players):
        out[p] = 0.0
    if not s.over or s.loser < 0 or (scoring == WINNER and s.out == 0):
        return
    for p in range(players):
        if scoring == LOSER:
            out[p] = -1.0 if p == s.loser else 1.0 / (players - 1)
        elif scoring == WINNER:
            out[p] = 1.0 if s.place[p] == 1 else -1.0 / (players - 1)
        elif p == s.loser:
            out[p] = -1.0
        else:  # those still in share the places left above the last, whose mean is that of the best and the worst of them
            k = s.place[p] - 1.0 if s.place[p] else (s.out + players - 2) / 2
            out[p] = 1.0 - 2.0 * k / (players - 1)


@compiled
def above(card):
    """All cards with a higher number."""
    return ~((ONE << np.uint64(card + 1)) - ONE)
