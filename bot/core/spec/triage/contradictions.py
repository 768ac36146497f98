"""Pairs of requirements that contradict each other.

A requirement makes *claims*: the words around a number, or the words after a must or a must not.
Two claims in nearly the same words contradict each other if their numbers differ, or if one is a
must and the other a must not. Words are compared, not meanings, so that there are few false
reports: where either sentence has a word that the other lacks, they speak of two things (the access
token and the refresh token); a lower limit never contradicts an upper one; and what holds only on a
condition does not contradict what holds without it.
"""

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from bot.core.spec.drafts import normal
from bot.core.spec.reading import without_code_spans
from bot.core.values.spec_model import (
    Finding,
    Modality,
    Operation,
    Requirement,
    Severity,
    SpecDocument,
)

_QUANTITY = re.compile(
    r"(?<![\w.,:/-])(?<!\d )(\d{1,9}(?:\.\d{1,4}|,\d{1,2})?)[ -]?(%|[^\W\d_]{1,20})(?: ([^\W\d_]{3,20}))?"
)
_SENTENCE = re.compile(r"(?<=[.!?;。；])\s+|\n")
_SENTENCE_END = re.compile(r"[.;\n]")
_MODAL = re.compile(r"\b(?:must|shall)(?: not| never)?\b")
_WORD = re.compile(r"[^\W_]{1,30}")
_SECONDS = {"ms": 0.001, "millisecond": 0.001, "s": 1.0, "sec": 1.0, "second": 1.0, "min": 60.0, "minute": 60.0,
    "h": 3600.0, "hour": 3600.0, "day": 86400.0, "week": 604800.0, "month": 2592000.0, "year": 31536000.0}  # fmt: skip
_BYTES = {"kb": 1e3, "mb": 1e6, "gb": 1e9, "kib": 1024.0, "mib": 1024.0**2, "gib": 1024.0**3}
_STOP = frozenset(
    (
        *("a", "an", "the", "of", "to", "in", "on", "for", "with", "and", "or", "by", "at", "as"),
        *("be", "is", "are", "it", "its", "that", "this", "system"),
    )
)
# Words that do not change what a number counts.
_STOP_AROUND_NUMBERS = _STOP | frozenset(
    (
        *("shall", "must", "should", "may", "can", "will", "not", "than", "then", "when", "from"),
        *("any", "all", "each", "every", "after", "before", "within", "until", "per", "up", "most"),
        *("least", "more", "less", "exactly", "only", "also", "into", "same", "user", "users"),
    )
)
_NO_UNIT = _STOP | {"must", "shall", "x"}
_LOWER = r"at least|min(?:imum)?|more than|over|no(?:t)? (?:fewer|less) than|or more|≥|>"
_UPPER = r"at most|max(?:imum)?|up to|within|less than|under|below|no(?:t)? more than|or less|≤|<"
_BOUND = re.compile(
    rf"(?P<lower>(?<!\w)(?:{_LOWER})(?!\w))|(?P<upper>(?<!\w)(?:{_UPPER})(?!\w))", re.I
)
# A limit stands directly before its number or after its unit.
_BOUND_BEFORE, _BOUND_AFTER = 24, 16
_CONDITION = re.compile(
    r"\b(?:if|when|where|while|unless|during|except|wenn|falls|si|quand|cuando|se|quando|gdy|jeśli|если|когда)\b|"
    r"如果|当|場合|とき|경우",
    re.IGNORECASE,
)
_SAME_VERB = {"kept": "keep", "sent": "send", "shown": "show", "held": "hold", "built": "build",
    "made": "make", "taken": "take", "given": "give", "written": "write"}  # fmt: skip
# A list of limits ("5 apples, 7 pears") is not a sentence about one number.
_QUANTITIES_MAX = 2
# Later claims are compared with so many earlier ones.
_COMPARED_MAX = 200


# Two claims are about one thing when they share so many words, and such a part of all their words.
# A number narrows a claim already; a must not has to be nearly the same sentence.
_NUMBER_LIKENESS = (2, 0.5)
_ORDER_LIKENESS = (3, 0.7)


@dataclass(frozen=True, slots=True)
class _Claim:
    """The words around a number (in seconds or bytes), or after a must."""

    owner: Requirement
    words: frozenset[str]
    number: float = 0.0
    quote: str = ""
    bound: str = ""
    is_conditional: bool = False
    subject: frozenset[str] = frozenset()


@dataclass(slots=True)
class _Earlier:
    """The first claims about one unit, found by their words.

    Of two claims that are alike one has all words of the other, so its rarest word, too.
    """

    claims: list[_Claim] = field(default_factory=list)
    holders: dict[str, list[int]] = field(default_factory=dict)
    by_rarest: dict[str, list[int]] = field(default_factory=dict)

    def near(self, claim: _Claim) -> list[_Claim]:
        """In the order in which they were kept."""
        found = set(self.holders.get(self._rarest(claim), ()))
        for word in claim.words:
            found.update(self.by_rarest.get(word, ()))
        return [self.claims[n] for n in sorted(found)]

    def keep(self, claim: _Claim) -> None:
        if len(self.claims) >= _COMPARED_MAX:
            return
        number = len(self.claims)
        self.claims.append(claim)
        self.by_rarest.setdefault(self._rarest(claim), []).append(number)
        for word in claim.words:
            self.holders.setdefault(word, []).append(number)

    def _rarest(self, claim: _Claim) -> str:
        return min(claim.words, key=lambda w: (len(self.holders.get(w, ())), w), default="")


# A number in an example says how something looks.
_SHOWN = re.compile(
    r"(?:^|[\s(（])(?:ex|예|例|por ejemplo|par exemple|zum beispiel|for example)[).:：,\s]",
    re.IGNORECASE,
)


def contradictions(document: SpecDocument) -> tuple[Finding, ...]:
    """Each pair is reported at the later requirement."""
    live = [
        r
        for r in document.requirements
        if r.operation not in (Operation.REMOVED, Operation.RENAMED)
    ]
    return (*_other_numbers(live), *_forbidden(live))


def _other_numbers(requirements: Sequence[Requirement]) -> Iterable[Finding]:
    """At most one finding a requirement, even if it has many numbers."""
    known: dict[str, _Earlier] = defaultdict(_Earlier)
    for requirement in requirements:
        is_reported = False
        for unit, claim in _numbers(requirement):
            earlier = known[unit]
            other = next((c for c in earlier.near(claim) if _is_another_number(c, claim)), None)
            if other is not None and not is_reported:
                is_reported = True
                yield _finding(
                    requirement,
                    f"Here it is {claim.quote}, and {other.quote} in '{other.owner.title[:60]}' "
                    f"(line {other.owner.line_start}). Which one holds?",
                )
            earlier.keep(claim)


def _is_another_number(first: _Claim, second: _Claim) -> bool:
    return (
        first.owner is not second.owner
        and first.number != second.number
        and not (first.bound and second.bound and first.bound != second.bound)
        and _are_alike(first, second, _NUMBER_LIKENESS)
    )


def _numbers(requirement: Requirement) -> Iterable[tuple[str, _Claim]]:
    for sentence in _SENTENCE.split(without_code_spans(requirement.statement)):
        found = list(_QUANTITY.finditer(sentence))
        is_shown = "|" in sentence or _SHOWN.search(sentence) is not None
        if not found or len(found) > _QUANTITIES_MAX or is_shown:
            continue
        for match in found:
            if match.group(2).casefold() in _NO_UNIT:
                continue
            rest = sentence[: match.start()] + " " + sentence[match.end() :]
            unit, number = _measured(match)
            words = _words(rest.casefold(), _STOP_AROUND_NUMBERS)
            yield (
                unit,
                _Claim(
                    requirement,
                    words,
                    number,
                    match.group().strip(),
                    _bound(sentence, match),
                    bool(_CONDITION.search(sentence)),
                ),
            )


def _bound(sentence: str, match: re.Match[str]) -> str:
    """Whether the number is a lower or an upper limit, empty if it is neither."""
    before = sentence[max(0, match.start() - _BOUND_BEFORE) : match.start()]
    after = sentence[match.end(2) : match.end(2) + _BOUND_AFTER]
    found = next((f for part in (before, after) for f in _BOUND.finditer(part)), None)
    return (found.lastgroup or "") if found else ""


def _measured(match: re.Match[str]) -> tuple[str, float]:
    """What is counted, and how much; times and sizes in one unit each."""
    value, unit = float(match.group(1).replace(",", ".")), match.group(2).casefold()
    single = unit if unit in _SECONDS or unit in _BYTES else unit.removesuffix("s")
    if single in _SECONDS:
        return "time", value * _SECONDS[single]
    if single in _BYTES:
        return "size", value * _BYTES[single]
    return f"{_stem(unit)} {_stem((match.group(3) or '').casefold())}", value


def _forbidden(requirements: Sequence[Requirement]) -> Iterable[Finding]:
    forbidden = [_order(r) for r in requirements if r.modality is Modality.MUST_NOT]
    required = [_order(r) for r in requirements if forbidden and r.modality is Modality.MUST]
    holders: dict[str, list[int]] = defaultdict(list)
    for position, claim in enumerate(required):
        for word in claim.words:
            holders[word].append(position)
    for claim in forbidden:
        # Similar claims share one of their rarest words; others need not be compared.
        words = sorted(claim.words, key=lambda word: (len(holders.get(word, ())), word))
        rarest = words[: len(words) - math.ceil(_ORDER_LIKENESS[1] * len(words)) + 1]
        near = sorted({n for word in rarest for n in holders.get(word, ())})
        other = next(
            (required[n].owner for n in near if _are_alike(claim, required[n], _ORDER_LIKENESS)),
            None,
        )
        if other is not None:
            yield _finding(
                claim.owner,
                f"This must not be, and '{other.title[:60]}' (line {other.line_start}) says that "
                "it must. Which one holds?",
            )


def _order(requirement: Requirement) -> _Claim:
    """The words after the must in the first sentence."""
    parts = _MODAL.split(normal(requirement.statement), maxsplit=1)
    if len(parts) < 2:
        return _Claim(requirement, frozenset())
    subject = _SENTENCE_END.split(parts[0])[-1]
    sentence = _SENTENCE_END.split(parts[1], maxsplit=1)[0]
    return _Claim(
        requirement,
        _words(sentence, _STOP),
        is_conditional=bool(_CONDITION.search(f"{subject} {sentence}")),
        subject=_words(subject, _STOP),
    )


def _are_alike(first: _Claim, second: _Claim, likeness: tuple[int, float]) -> bool:
    """Whether one of them says nothing that the other does not say, and most of it."""
    if first.is_conditional is not second.is_conditional:
        return False
    small, large = first.words, second.words
    if len(small) > len(large):
        small, large = large, small
    words_min, share = likeness
    if len(small) < words_min or len(small) < share * len(large) or not small <= large:
        return False
    return first.subject <= second.subject or second.subject <= first.subject


def _words(text: str, stop: frozenset[str]) -> frozenset[str]:
    return frozenset(_stem(word) for word in _WORD.findall(text) if word not in stop)


def _stem(word: str) -> str:
    """Without the endings of number and tense; approximate, but the same for both sides."""
    word = _SAME_VERB.get(word, word)
    for ending in ("ing", "ed", "es", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def _finding(requirement: Requirement, question: str) -> Finding:
    return Finding(
        code="contradiction",
        severity=Severity.ASK,
        line=requirement.line_start,
        quote=requirement.statement.split("\n")[0][:200],
        question=question,
        path=requirement.path,
    )
