"""Requirements of one document that cannot both hold: other numbers, must against must not.

Only what two texts say of the same thing in the same words is held against each other; likeness of
meaning is not this file's business, so that what is reported is nearly always right.
"""

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from bot.core.spec.drafts import normal
from bot.core.spec.triage.quantities import other_numbers
from bot.core.values.ids import RequirementId
from bot.core.values.spec_model import (
    Finding,
    Modality,
    Operation,
    Requirement,
    Severity,
    SpecDocument,
)

_MEASURE = re.compile(
    r"(?<![^\W_])(?P<subject>[^\W\d_]{3,30}(?: [^\W\d_]{3,30}){1,2}) (?:is|are|of|to|=|:|after|within|lasts|expires? (?:after|in)|"
    r"must be|shall be|(?:must|shall) expire (?:after|in)|limited to|at most|up to|at least)? ?"
    r"(?P<number>\d+(?:[.,]\d+)?) ?(?P<unit>ms|milliseconds?|s|sec|seconds?|min|minutes?|h|hours?|days?|kb|mb|gb|%|characters?|px)\b"
)
_UNITS = {"sec": "s", "second": "s", "min": "m", "minute": "m", "hour": "h", "millisecond": "ms"}
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "day": 86400.0}
_MODAL = re.compile(r"\b(?:must|shall)(?: not| never)?\b")
_STOP = frozenset(
    [
        "the",
        "a",
        "an",
        "of",
        "to",
        "in",
        "on",
        "for",
        "with",
        "and",
        "or",
        "by",
        "at",
        "be",
        "is",
        "are",
        "it",
        "its",
        "that",
        "this",
        "system",
    ]
)
# Two predicates are the same when this share of their words is; fewer than three words say little.
_SAME_WORDS = 0.8
_WORDS_MIN = 3


def contradictions(document: SpecDocument) -> tuple[Finding, ...]:
    """Pairs of requirements that contradict one another, told at the later one."""
    live = [
        r
        for r in document.requirements
        if r.operation not in (Operation.REMOVED, Operation.RENAMED)
    ]
    return (*_numbers(live), *_forbidden(live))


def _numbers(requirements: Sequence[Requirement]) -> Iterable[Finding]:
    """Each requirement once, by its subject's number or by what it says around one."""
    told: set[RequirementId] = set()
    for requirement, question in (*_of_subjects(requirements), *other_numbers(requirements)):
        if requirement.id not in told:
            told.add(requirement.id)
            yield _finding(requirement, question)


def _of_subjects(requirements: Sequence[Requirement]) -> Iterable[tuple[Requirement, str]]:
    first: dict[tuple[str, bool], tuple[float, str, Requirement]] = {}
    for requirement in requirements:
        text = normal(requirement.statement)
        for found in _MEASURE.finditer(text):
            subject = " ".join(w for w in found.group("subject").split() if w not in _STOP)
            if " " not in subject:
                continue
            value, is_time = _value(found.group("number"), found.group("unit"))
            words = f"{found.group('number')} {found.group('unit')}"
            key = (subject, is_time)
            before = first.setdefault(key, (value, words, requirement))
            if before[0] != value and before[2] is not requirement:
                yield (
                    requirement,
                    f"'{subject}' is {words} here and {before[1]} in '{before[2].title[:60]}' "
                    f"(line {before[2].line_start}). Which one holds?",
                )


def _value(number: str, unit: str) -> tuple[float, bool]:
    name = unit.rstrip("s") if len(unit) > 2 else unit
    name = _UNITS.get(name, name)
    amount = float(number.replace(",", "."))
    return (amount * _SECONDS[name], True) if name in _SECONDS else (amount, False)


def _forbidden(requirements: Sequence[Requirement]) -> Iterable[Finding]:
    if not any(r.modality is Modality.MUST_NOT for r in requirements):
        return
    bidden = [(r, _predicate(r)) for r in requirements if r.modality is Modality.MUST]
    holders: dict[str, list[int]] = defaultdict(list)
    for position, (_, wanted) in enumerate(bidden):
        for word in wanted:
            holders[word].append(position)
    for requirement in requirements:
        if requirement.modality is not Modality.MUST_NOT:
            continue
        words = _predicate(requirement)
        if len(words) < _WORDS_MIN:
            continue
        # What shares so many words shares one of the rarest: the others need not be looked at.
        spared = len(words) - math.ceil(_SAME_WORDS * len(words)) + 1
        rarest = sorted(words, key=lambda word: (len(holders.get(word, ())), word))[:spared]
        near = sorted({n for word in rarest for n in holders.get(word, ())})
        other = next((bidden[n][0] for n in near if _is_same(words, bidden[n][1])), None)
        if other is not None:
            yield _finding(
                requirement,
                f"This must not be, and '{other.title[:60]}' (line {other.line_start}) says that "
                "it must. Which one holds?",
            )


def _is_same(words: frozenset[str], others: frozenset[str]) -> bool:
    if len(others) < _WORDS_MIN:
        return False
    return len(words & others) >= _SAME_WORDS * max(len(words), len(others))


def _predicate(requirement: Requirement) -> frozenset[str]:
    """The words of the first sentence behind its modal verb."""
    parts = _MODAL.split(normal(requirement.statement), maxsplit=1)
    sentence = re.split(r"[.;\n]", parts[-1], maxsplit=1)[0] if len(parts) > 1 else ""
    return frozenset(w for w in re.findall(r"[^\W_]+", sentence) if w not in _STOP)


def _finding(requirement: Requirement, question: str) -> Finding:
    return Finding(
        code="contradiction",
        severity=Severity.ASK,
        line=requirement.line_start,
        quote=requirement.statement.split("\n")[0][:200],
        question=question,
        path=requirement.path,
    )
