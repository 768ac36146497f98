"""Characters that nobody sees and every program reads: where they are honest, and what to do about the others.

An agent reads tag characters as letters, and people approve a text without them. Letters of many scripts and
emoji are honestly made with some of them, so each is judged by what stands around it (Unicode, "Default
Ignorable Code Point"; UAX #9 for direction, UTS #51 for emoji, UTS #37 for ideographs).
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

# Also what no text has a use for: annotations of lines, halves of characters, and those that are none.
# Tabs and the ends of lines are seen.
_CONTROLS = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufff9-\ufffb\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff"
IGNORABLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff"
)
_RUN = re.compile(f"[{_CONTROLS}{IGNORABLE}]+")
# A flag of a part of a country: its letters, and the end.
_FLAG = "\U0001f3f4"
_FLAG_TAGS = re.compile("[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f")
_EMOJI_STYLE = "\ufe0e\ufe0f"
_OTHER_STYLES = re.compile("[\ufe00-\ufe0d]")
_IDEOGRAPH = re.compile("[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd]")
# The highest that is registered for an ideograph is below it.
_IDEOGRAPH_STYLES = re.compile("[\U000e0100-\U000e012f]")
_MONGOLIAN = re.compile("[\u1800-\u18af]")
_MONGOLIAN_STYLES = re.compile("[\u180b-\u180f]")
_JOINERS = "\u200c\u200d"
# Scripts whose letters are joined: from Arabic to those of India, in all their blocks.
_JOINED = re.compile(
    "[\u0600-\u109f\u1780-\u1cff\ua800-\uabff\ufb50-\ufdcf\ufdf0-\ufdff\ufe70-\ufefc"
    "\U00010a00-\U00011fff\U0001e900-\U0001e95f]"
)
_JAMO = re.compile("[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]")
# Scripts without blanks between words, where a line may break at a mark.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]"
)
_OPENS, _CLOSES = "\u202a\u202b\u2066\u2067\u2068", "\u202c\u2069"
_TURNS = f"\u061c\u200e\u200f{_OPENS}{_CLOSES}"
_OVERRIDES = "\u202d\u202e"
# Nobody writes so many in one place by accident.
_MANY = 4


class Unseen(StrEnum):
    """What an unseen character does: it says something, or it is left over."""

    HIDES = "hides"
    STRAY = "stray"


@dataclass(frozen=True, slots=True)
class UnseenRun:
    """Unseen characters in one place that make no letter; `end` is not of it."""

    start: int
    end: int
    kind: Unseen


def unseen_runs(text: str) -> Iterator[UnseenRun]:
    """Where characters stand that are not seen, in their order."""
    lines = _Lines(text)
    for found in _RUN.finditer(text):
        start, end = _letters_end(text, *found.span()), found.end()
        if start < end and not (end - start < _MANY and lines.turn_at(start, end)):
            yield UnseenRun(start, end, _kind(text[start:end]))


def without_unseen_characters(text: str) -> str:
    """The text as it is seen: its letters and emoji are whole."""
    return _replaced(text, lambda _: "")


def spelled_out(text: str) -> str:
    """The text with what is not seen as `\\u200b`; controls stay, because programs print them on purpose."""
    return _replaced(text, _spelled)


def names_of(unseen: str) -> tuple[str, ...]:
    """`U+200B` of each character, once."""
    return tuple(dict.fromkeys(f"U+{ord(one):04X}" for one in unseen))


def said_by_tags(unseen: str) -> str:
    """The letters that tag characters stand for; empty if there are none."""
    return "".join(chr(ord(one) - 0xE0000) for one in unseen if 0xE0020 <= ord(one) <= 0xE007E)


def _replaced(text: str, shown: Callable[[str], str]) -> str:
    kept, last = [], 0
    for run in unseen_runs(text):
        kept += [text[last : run.start], shown(text[run.start : run.end])]
        last = run.end
    return "".join([*kept, text[last:]]) if kept else text


def _spelled(unseen: str) -> str:
    return "".join(
        one if unicodedata.category(one) == "Cc" else one.encode("unicode_escape").decode("ascii")
        for one in unseen
    )


def _kind(run: str) -> Unseen:
    hides = any(
        0xE0000 <= ord(one) <= 0xE0FFF or one in _OVERRIDES or _OTHER_STYLES.match(one)
        for one in run
    )
    return Unseen.HIDES if hides or len(run) >= _MANY else Unseen.STRAY


def _letters_end(text: str, start: int, end: int) -> int:
    """Where what belongs to the letter before a run, or joins it to the next, ends."""
    before = text[start - 1] if start else ""
    if not before:
        return start
    if before == _FLAG and (tags := _FLAG_TAGS.match(text, start, end)):
        return tags.end()
    at = start + _is_style(before, text[start])
    after = text[end : end + 1]
    if at < end:
        at += _is_joining(before, text[at], after if at + 1 == end else "")
    return at


def _is_style(before: str, one: str) -> bool:
    if one in _EMOJI_STYLE:
        return before in "0123456789#*" or not (before.isascii() or before.isspace())
    if _OTHER_STYLES.match(one):
        return bool(_IDEOGRAPH.match(before)) or unicodedata.category(before) == "Sm"
    if _IDEOGRAPH_STYLES.match(one):
        return bool(_IDEOGRAPH.match(before))
    return bool(_MONGOLIAN_STYLES.match(one) and _MONGOLIAN.match(before))


def _is_joining(before: str, one: str, after: str) -> bool:
    if one in _JOINERS:
        is_of_script = any(_JOINED.match(c) for c in (before, after) if c)
        return is_of_script or (one == "\u200d" and _is_emoji(before) and _is_emoji(after))
    if one in "\u115f\u1160":
        return bool(_JAMO.match(before) or (after and _JAMO.match(after)))
    if one in "\u200b\u2060":
        return bool(_UNSPACED.match(before))
    if one == "\u00ad":
        return before.isalpha() and after.isalpha()
    return one == "\u034f" and unicodedata.category(before)[0] in "LM" and not before.isascii()


def _is_emoji(one: str) -> bool:
    """Also one that is newer than this program's table of characters."""
    return bool(one) and (
        unicodedata.category(one) in ("So", "Sk", "Sm", "Me") or "\U0001f000" <= one <= "\U0001faff"
    )


class _Lines:
    def __init__(self, text: str) -> None:
        self._text = text
        self._end = 0
        self._may_turn = False

    def turn_at(self, start: int, end: int) -> bool:
        """Whether these are marks of direction of a line that has words from right to left."""
        if any(one not in _TURNS for one in self._text[start:end]):
            return False
        if start >= self._end:
            begin = self._text.rfind("\n", self._end, start) + 1 or self._end
            stop = self._text.find("\n", start)
            self._end = stop if stop >= 0 else len(self._text)
            self._may_turn = _is_balanced(self._text[begin : self._end])
        return self._may_turn


def _is_balanced(line: str) -> bool:
    opened = 0
    for one in line:
        if one in _OPENS:
            opened += 1
        elif one in _CLOSES:
            opened -= 1
        if opened < 0:
            return False
    return opened == 0 and any(unicodedata.bidirectional(one) in ("R", "AL") for one in line)
