"""Hungarian playing cards, the pack of 32 with hearts, bells, leaves and acorns, by the names that Romanian players have for them.

Ranks are named after what is printed or drawn on the card: `șeptar`, `optar`, `nouar`, `zecar` for VII to X, `doiar`, `treiar`, `pătrar`
for II, III and IV, the two knaves and the king (`cal`, a horse, since he rides), `as` for the ace. Suits: `roșu` for hearts, `dubă`
for bells, `verde` for leaves, `ghindă` for acorns. A card is called by both: `as verde`, in letters AS.
"""

import re
import unicodedata

RANKS = {"7": "șeptar", "8": "optar", "9": "nouar", "J": "doiar", "Q": "treiar", "T": "zecar", "K": "pătrar", "A": "as"}
NUMERALS = {"7": "VII", "8": "VIII", "9": "IX", "J": "II", "Q": "III", "T": "X", "K": "IV", "A": "A"}
SUITS = {"H": "roșu", "D": "dubă", "S": "verde", "C": "ghindă"}

_FRENCH = {"hearts": "H", "diamonds": "D", "spades": "S", "clubs": "C"}
_FRENCH_RANKS = {"seven": "7", "eight": "8", "nine": "9", "jack": "J", "queen": "Q", "ten": "T", "king": "K", "ace": "A"}
_NAMES = {french: SUITS[suit] for french, suit in _FRENCH.items()} | {word: RANKS[rank] for word, rank in _FRENCH_RANKS.items()}
_WORD = re.compile(rf"\b([{''.join(RANKS)}][{''.join(SUITS)}]|{'|'.join(_NAMES)})\b")


def fit(ranks: str) -> bool:
    """Whether these are the cards of a pack with such ranks, in any order."""
    return sorted(ranks) == sorted(RANKS)


def name(card: str) -> str:
    """The name of a card given in letters: `as verde` for AS."""
    return f"{RANKS[card[0]]} {SUITS[card[1]]}"


def in_words(line: str) -> str:
    """A line in which cards (`AS`), suits (`hearts`) and ranks (`ace`) have their names: `as verde`, `roșu`, `as`."""
    return _WORD.sub(lambda found: _NAMES.get(found.group()) or name(found.group()), line)


def in_letters(line: str) -> str:
    """A line, as a person types it, in which cards called by name stand in letters: `play AS` for `play as verde`.

    Capitals and diacritics do not matter, `cal` is as good as `pătrar`, and what is printed on the card as good as its name (`X rosu`).
    """
    words = re.split(r"(\W+)", line)  # words, and what separates them
    for k in range(0, len(words) - 2):
        rank, between, suit = words[k : k + 3]
        if _plain(rank) in _RANKS and between.isspace() and _plain(suit) in _SUITS:
            words[k : k + 3] = _RANKS[_plain(rank)] + _SUITS[_plain(suit)], "", ""
    return "".join(words)


def _plain(word: str) -> str:
    """A word in small letters without diacritics."""
    return "".join(letter for letter in unicodedata.normalize("NFD", word.lower()) if not unicodedata.combining(letter))


_RANKS = {_plain(word): rank for names in (RANKS, NUMERALS) for rank, word in names.items()} | {"cal": "K"}
_SUITS = {_plain(word): suit for suit, word in SUITS.items()}
