"""Slugs: the ASCII words of a name, for branches.

Kana, hangul, Greek and Cyrillic are spelled in Latin letters where that keeps most of the name.
"""

import re
import unicodedata

from bot.core.plan.loose_ends import LOOSE
from bot.core.plan.romanised import romanised

# Room for `headgate/<spec>/` before it in a branch name that people can still read in a list.
SLUG_MAX = 60
SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")

_ASCII_NAMES_MAX = 2
# Chinese characters have no one spelling: a name with a larger share of them is not spelled, still less
# where single Latin words stand among them.
_UNSPELLED_MAX, _UNSPELLED_AMONG_LATIN_MAX = 0.5, 0.25
IDEOGRAPH = re.compile("[\u3400-\u9fff]")
_KANA = re.compile("[\u3040-\u30ff]")
_TECHNICAL_WORDS = "api json crud http https get post put patch delete utc datetime"
_TECHNICAL = frozenset(_TECHNICAL_WORDS.split())
# `查看订单 (View Order Details)`
_TRANSLATED = re.compile(r"[(（]\s?([A-Za-z][a-z]+(?: [A-Za-z][A-Za-z]*){1,5})\s?[)）]$")
TO_SPELL = re.compile("[\u0370-\u04ff\u3040-\u30ff\uac00-\ud7af]")
# Letters that Unicode does not decompose into an ASCII letter and a mark.
_ASCII = str.maketrans(
    {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"}
    | {"ə": "e", "ŋ": "ng", "ħ": "h", "ŧ": "t"}
)
# `перед` at the end is `pered`.
_LOOSE = LOOSE | {romanised(word).casefold() for word in LOOSE}
# A branch is called without these where its name is long.
_SMALL = frozenset({"a", "an", "the", "my", "our", "your", "their", "its", "his", "her"})
# With these a phrase begins; `i` is a word of more languages than one.
_BEGINS = (_LOOSE | {"across", "between", "throughout", "about"}) - {"i"}
_JOINS = frozenset({"and", "or", "und", "oder", "et", "ou", "y"})
# So many words say enough to lose a phrase behind them.
_WORDS_KEPT = 4


def slugify(text: str) -> str:
    """Empty if the text has no ASCII words; one that is too long loses its small words, then its last phrase."""
    plain = unicodedata.normalize("NFKD", romanised(text).casefold().translate(_ASCII))
    words = re.findall(r"[a-z0-9]+", re.sub(r"[\u0300-\u036f'’]", "", plain))
    if len("-".join(words)) <= SLUG_MAX:
        return "-".join(words)
    words = [word for word in words if word not in _SMALL] or words
    slug = "-".join(words)
    if len(slug) <= SLUG_MAX:
        return slug
    cut = slug[: SLUG_MAX + 1].rpartition("-")[0]
    return "-".join(_whole_phrases(cut.split("-"))) if cut else slug[:SLUG_MAX]


def _whole_phrases(words: list[str]) -> list[str]:
    """Without the beginning of a phrase whose end is cut off: `… documents [and what they]`."""
    places = range(len(words) - 1, _WORDS_KEPT - 1, -1)
    joins = [at for at in places if words[at] in _JOINS]
    end = next((at for at in (*joins, *places) if words[at] in _BEGINS), len(words))
    kept = words[:end]
    while len(kept) > 1 and kept[-1] in _LOOSE:
        kept.pop()
    return kept


def ascii_names(said: str) -> str:
    """The names in Latin letters in a name that is not: `OAuth`, `XiangqiRules`."""
    if translated := _TRANSLATED.search(said):
        return slugify(translated[1])
    words = re.findall(r"(?<![A-Za-z0-9_-])[A-Za-z][A-Za-z]{2,20}(?![A-Za-z0-9_-])", said)
    known = {"must", "shall", "should", "may", "when", "then", "given", "the", "system", "and"}
    known |= {"mvp", "poc", "new", "create", "list", "page", "url", "sns"}
    known |= _TECHNICAL
    names = dict.fromkeys(
        w.casefold() for w in words if w.casefold() not in known and not w.islower()
    )
    return "-".join(list(names)[:_ASCII_NAMES_MAX])


def readable(text: str) -> str:
    """The slug, if it keeps at least half of the text's letters; else empty."""
    letters = sum(character.isalnum() for character in text)
    # Kana among other signs are half of a name, and nobody spells that.
    if IDEOGRAPH.search(text) and _KANA.search(text):
        return ""
    most = _UNSPELLED_AMONG_LATIN_MAX if re.search("[A-Za-z]", text) else _UNSPELLED_MAX
    if len(IDEOGRAPH.findall(text)) > most * letters:
        return ""
    slug = slugify(text)
    said = sum(character.isalnum() for character in slug)
    whole = min(sum(character.isalnum() for character in romanised(text)), SLUG_MAX)
    return slug if 2 * said >= whole and re.search("[a-z]", slug) else ""
