"""Numbers that two requirements give to the same thing: after 5 failed attempts, after 3.

Held against each other are only sentences that say nearly the same around the number, of the same
unit or noun; so two limits of two things are two limits. Each requirement is told once.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.core.spec.reading import without_code_spans
from bot.core.values.spec_model import Requirement

_QUANTITY = re.compile(
    r"(?<![\w.,:/-])(?<!\d )(\d{1,9}(?:\.\d{1,4})?)[ -]?(%|[^\W\d_]{1,20})(?: ([^\W\d_]{3,20}))?"
)
_SENTENCE = re.compile(r"(?<=[.!?;。；])\s+|\n")
_WORD = re.compile(r"[^\W\d_]{3,30}")
_SECONDS = {"ms": 0.001, "millisecond": 0.001, "s": 1.0, "sec": 1.0, "second": 1.0, "min": 60.0, "minute": 60.0,
    "h": 3600.0, "hour": 3600.0, "day": 86400.0, "week": 604800.0, "month": 2592000.0, "year": 31536000.0}  # fmt: skip
_BYTES = {"kb": 1e3, "mb": 1e6, "gb": 1e9, "kib": 1024.0, "mib": 1024.0**2, "gib": 1024.0**3}
_STOP = frozenset(
    [
        "the",
        "and",
        "for",
        "with",
        "shall",
        "must",
        "should",
        "may",
        "can",
        "will",
        "are",
        "that",
        "this",
        "its",
        "not",
        "than",
        "then",
        "when",
        "from",
        "any",
        "all",
        "each",
        "every",
        "after",
        "before",
        "within",
        "until",
        "per",
        "most",
        "least",
        "more",
        "less",
        "exactly",
        "only",
        "also",
        "into",
        "same",
        "system",
        "user",
        "users",
    ]
)
_NO_UNIT = frozenset(
    [
        "of",
        "and",
        "or",
        "to",
        "in",
        "is",
        "are",
        "the",
        "as",
        "at",
        "on",
        "for",
        "by",
        "a",
        "an",
        "must",
        "shall",
        "x",
    ]
)
# Of the words of both sentences, so many are the same where both speak of one thing.
_SAME_WORDS = 0.5
_WORDS_MIN = 2
# A list of limits ("5 apples, 7 pears") is no sentence about one number.
_QUANTITIES_MAX = 2


@dataclass(frozen=True, slots=True)
class _Quantity:
    value: float
    said: str
    words: frozenset[str]
    owner: Requirement


def other_numbers(requirements: Sequence[Requirement]) -> Iterable[tuple[Requirement, str]]:
    """Requirements whose number is another one than an earlier requirement's, with the question."""
    known: dict[str, list[_Quantity]] = defaultdict(list)
    for requirement in requirements:
        told = False
        for noun, quantity in _quantities(requirement):
            earlier = known[noun]
            other = next((q for q in earlier if _contradicts(q, quantity)), None)
            if other is not None and not told:
                told = True
                yield (
                    requirement,
                    f"Here it is {quantity.said}, and {other.said} in '{other.owner.title[:60]}' "
                    f"(line {other.owner.line_start}). Which one holds?",
                )
            # What is compared with every later one has to stay few.
            if len(earlier) < 200:
                earlier.append(quantity)


def _quantities(requirement: Requirement) -> Iterable[tuple[str, _Quantity]]:
    for sentence in _SENTENCE.split(without_code_spans(requirement.statement)):
        found = list(_QUANTITY.finditer(sentence))
        if not found or len(found) > _QUANTITIES_MAX or "|" in sentence:
            continue
        for match in found:
            if match.group(2).casefold() in _NO_UNIT:
                continue
            rest = sentence[: match.start()] + " " + sentence[match.end() :]
            words = frozenset(_stem(w) for w in _WORD.findall(rest.casefold()) if w not in _STOP)
            noun, value = _measured(match)
            if len(words) >= _WORDS_MIN:
                yield noun, _Quantity(value, match.group().strip(), words, requirement)


def _measured(match: re.Match[str]) -> tuple[str, float]:
    """What is counted, and how much of it; times and sizes in one unit each."""
    value, unit = float(match.group(1)), match.group(2).casefold()
    single = unit if unit in _SECONDS or unit in _BYTES else unit.removesuffix("s")
    if single in _SECONDS:
        return "time", value * _SECONDS[single]
    if single in _BYTES:
        return "size", value * _BYTES[single]
    return f"{_stem(unit)} {_stem((match.group(3) or '').casefold())}", value


def _stem(word: str) -> str:
    """The word without the endings of number and tense; rough, and the same on both sides."""
    for ending in ("ing", "ed", "es", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def _contradicts(first: _Quantity, second: _Quantity) -> bool:
    if first.owner is second.owner or first.value == second.value:
        return False
    shared = len(first.words & second.words)
    return shared >= _WORDS_MIN and shared >= _SAME_WORDS * len(first.words | second.words)
