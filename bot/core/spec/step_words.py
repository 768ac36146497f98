"""The words that begin a step of a scenario, in the languages that Gherkin knows.

Gherkin's own table has some eighty languages; EARS and everyday specs add a few words. In bold a
word counts in any spelling; without bold, only at the start of a line and with a capital letter, so
a "when" inside a sentence is never a step.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import cast


class StepKind(StrEnum):
    GIVEN = "given"
    WHEN = "when"
    THEN = "then"
    MORE = "more"


# Gherkin's names of the keywords. If a word has two kinds in two languages, the first one counts.
_KEYWORDS = (
    (StepKind.WHEN, "when"),
    (StepKind.GIVEN, "given"),
    (StepKind.THEN, "then"),
    (StepKind.MORE, "and"),
    (StepKind.MORE, "but"),
)
# Words of EARS and of ordinary specs that Gherkin does not have.
_MORE_WORDS = {
    StepKind.GIVEN: ("while", "where", "gegeben", "给定", "前提条件", "情境", "주어진"),
    StepKind.WHEN: ("if", "falls", "如果", "場合", "언제", "하면"),
    StepKind.THEN: ("则", "則", "그때"),
    StepKind.MORE: ("且", "但"),
}
# "Dado que", "dato che", "zakładając że": the conjunction belongs to the word.
_CONJUNCTION = r"(?:,? (?:que|che|że))?"
# Not these in bold: they are usually labels in another language (Italian "Data").
_LABELS = frozenset(
    (
        *("a", "an", "bet", "cal", "data", "date", "dati", "do", "in", "ir", "ja", "lan", "le"),
        *("logo", "men", "nato", "no", "peru", "se", "si", "ter", "un", "ya"),
    )
)
# Without bold a short word is often a word of another language; these are not.
_SHORT_BARE = frozenset(
    (
        *("Given", "When", "Then", "And", "But", "Dado", "Dada", "Gdy", "Oraz", "Wenn", "Dann"),
        *("조건", "만약"),
    )
)
_BARE_ASCII_MIN = 5
_BARE_LETTERS_MIN = 3
# As in English, where only a capital IF opens a step: "if" begins too many ordinary sentences.
_NEVER_BARE = frozenset(["Jeżeli", "Jeśli", "Якщо", "Хэрэв"])
_CAPITALS = "GIVEN|WHEN|THEN|AND|BUT|IF|WHILE|WHERE"
# Chinese and Japanese have no space after a step word.
_UNSPACED = ("zh", "ja")
_UNSPACED_BARE = ("给定", "前提条件", "如果", "则", "則")

_BOLD = re.compile(
    r"(?=((?:\*\*|__)\s*+(?P<word>[^\W_][^*_\n]{0,40}?)\s*+[:：,，]?+\s*+(?:\*\*|__)\s*[:：,，]?))"
)
_UPPER = re.compile(rf"(?<![\w*])({_CAPITALS})(?![\w*])[:,]?")


@dataclass(frozen=True, slots=True)
class Step:
    """`start` is where the word begins, `end` where the step's text begins."""

    start: int
    end: int
    kind: StepKind


@dataclass(frozen=True, slots=True)
class _Words:
    kinds: dict[str, StepKind]
    bare: re.Pattern[str]


@lru_cache(maxsize=1_024)
def step_kind(word: str) -> StepKind | None:
    plain = " ".join(word.replace("’", "'").casefold().split())
    kinds = _words().kinds
    return kinds.get(plain) or kinds.get(re.sub(_CONJUNCTION + r"\Z", "", plain))


def bare_step(text: str) -> Step | None:
    """The step word without bold that the text begins with."""
    found = _words().bare.match(text)
    kind = step_kind(found.group(1)) if found else None
    return Step(0, found.end(), kind) if found and kind else None


def bold_step(text: str) -> Step | None:
    return next(iter(_bold_steps([found] if (found := _BOLD.match(text)) else [])), None)


def bold_steps(text: str) -> list[Step]:
    return list(_bold_steps(_BOLD.finditer(text)))


def upper_steps(text: str) -> list[Step]:
    """The English step words in capitals, wherever they stand in the text."""
    return [
        Step(found.start(), found.end(), kind)
        for found in _UPPER.finditer(text)
        if (kind := step_kind(found.group(1)))
    ]


def _bold_steps(marks: Iterable[re.Match[str]]) -> Iterator[Step]:
    for found in marks:
        kind = step_kind(found["word"])
        if kind:
            yield Step(found.start(1), found.end(1), kind)


@lru_cache(maxsize=1)
def _words() -> _Words:
    # Gherkin loads its parser with its table: too slow to do before a spec is read.
    from gherkin.dialect import DIALECTS

    kinds: dict[str, StepKind] = {}
    spaced: set[str] = set()
    unspaced = set(_UNSPACED_BARE)
    dialects = cast(Mapping[str, Mapping[str, Sequence[str]]], DIALECTS)
    for kind, keyword in _KEYWORDS:
        for word in _MORE_WORDS[kind]:
            kinds.setdefault(word, kind)
        for language, dialect in dialects.items():
            if language.startswith("en-"):
                # Scouse, pirates and the like.
                continue
            for spelt in dialect[keyword]:
                word = spelt.strip()
                if word == "*" or word.casefold() in _LABELS:
                    continue
                kinds.setdefault(word.casefold(), kind)
                if language.startswith(_UNSPACED):
                    unspaced.add(word)
                elif _may_be_bare(word):
                    spaced.add(word)
    return _Words(kinds, _bare_pattern(spaced, unspaced))


def _may_be_bare(word: str) -> bool:
    letters_min = _BARE_ASCII_MIN if word.isascii() else _BARE_LETTERS_MIN
    return word in _SHORT_BARE or (len(word) >= letters_min and word not in _NEVER_BARE)


def _bare_pattern(spaced: set[str], unspaced: set[str]) -> re.Pattern[str]:
    return re.compile(
        rf"((?:{_alternatives(spaced)}|{_CAPITALS}){_CONJUNCTION}(?=[\s:：,，])|"
        rf"{_alternatives(unspaced)})\s*[:：,，]?"
    )


def _alternatives(words: set[str]) -> str:
    """The longest first, because a word may begin with another one."""
    ordered = sorted(words, key=lambda word: (-len(word), word))
    return "|".join(re.escape(word).replace("'", "['’]") for word in ordered)
