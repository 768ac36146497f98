"""Kana, hangul, Greek and Cyrillic in Latin letters, by the names that Unicode gives them.

Chinese characters have no such names; they stay as they are.
"""

import re
import unicodedata
from functools import cache

_NAMED = re.compile(
    r"^(?:HANGUL SYLLABLE|(?:HIRAGANA|KATAKANA|GREEK|CYRILLIC)(?: CAPITAL| SMALL)* LETTER"
    r"(?: SMALL| FINAL)?) ([A-Z]+)"
)
# Where Unicode's name of a letter is not how it is spelled.
_SPELLED = {
    "SHORT": "i", "HARD": "", "SOFT": "", "YERU": "y", "HA": "kh", "BE": "b", "VE": "v", "GHE": "g",
    "DE": "d", "IE": "e", "ZE": "z", "KA": "k", "EL": "l", "EM": "m", "EN": "n", "PE": "p",
    "ER": "r", "ES": "s", "TE": "t", "EF": "f", "TSE": "ts", "CHE": "ch", "SHA": "sh",
    "SHCHA": "shch", "ZHE": "zh",
}  # fmt: skip
_GREEK = {"OMEGA": "o", "OMICRON": "o", "EPSILON": "e", "UPSILON": "y", "THETA": "th", "CHI": "ch",
          "PSI": "ps", "PHI": "ph", "XI": "x"}  # fmt: skip


_KANA = {"si": "shi", "ti": "chi", "tu": "tsu", "hu": "fu", "zi": "ji"}
_PARTICLES = re.compile("[\u3041-\u309f]+")
_OTHER_SIGNS = re.compile("[\u30a1-\u30fa\u4e00-\u9fff]")
_SMALL_Y = "ゃゅょャュョ"
_DOUBLES = "っッ"
_LONG = "ー"


def romanised(text: str) -> str:
    """Beside other signs hiragana is grammar, and only parts words."""
    if text.isascii():
        return text
    text = unicodedata.normalize("NFC", text)
    if _OTHER_SIGNS.search(text):
        text = _PARTICLES.sub(" ", text)
    spelled: list[str] = []
    for letter in text:
        before = spelled[-1] if spelled else ""
        if letter in _SMALL_Y and len(before) > 1 and before.endswith("i"):
            spelled[-1] = before[:-1]
            sound = _latin(letter)
            spelled.append(sound[1:] if before in ("shi", "chi", "ji") else sound)
        elif letter not in _DOUBLES + _LONG:
            sound = letter if letter.isascii() else _latin(letter)
            if before and before in _DOUBLES:
                spelled[-1] = sound[:1]
            spelled.append(sound)
        elif letter in _DOUBLES:
            spelled.append(letter)
    return "".join(s for s in spelled if s not in _DOUBLES)


@cache
def _latin(letter: str) -> str:
    name = unicodedata.name(letter, "")
    found = _NAMED.match(name)
    if found is None:
        return letter
    word = found[1]
    if name.startswith("CYRILLIC"):
        return _SPELLED.get(word, word.lower())
    if name.startswith("GREEK"):
        return _GREEK.get(word, word[0].lower())
    is_kana = name.startswith(("HIRAGANA", "KATAKANA"))
    return _KANA.get(word.lower(), word.lower()) if is_kana else word.lower()
