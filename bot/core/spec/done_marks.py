"""What an author has marked as done: a ticked box, a sign after its text, a line with its status.

A mark is a claim, and never a fact about the code; what bears one is not planned unless a person asks.
"""

import re
from collections.abc import Sequence
from typing import Protocol

from bot.core.values.spec_model import Finding, Requirement, Severity

_TICKED = re.compile(r"^(?:\*\*)?\[[xX]\]\s")
# Before the text a sign may say that something is in scope, or say how a list looks.
_SIGN_AFTER = re.compile(
    "(?<=\\S)\\s*[\u2705\u2611\u2714\u2713]\ufe0f?(?:[\\s*_]*[(（]?(?:done|completed?|implemented|shipped|已?完成|完了|완료)[)）]?)?[\\s*_~.]*$|"
    "(?<=\\S)\\s*[(（\\[]\\s*[\u2705\u2611\u2714\u2713]\ufe0f?\\s*[)）\\]]\\s*$",
    re.IGNORECASE,
)
_WORDS = (
    r"done|completed?|finished|implemented|shipped|released|terminée?|réalisée?|fait|hecho|completad[oa]|implementad[oa]|"
    r"concluíd[oa]|erledigt|fertig|umgesetzt|zrobione|zakończone|ukończone|готово|выполнено|реализовано|сделано|tehty|toteutettu|"
    r"已?完成|已实现|已實現|完了|済み?|実装済み?|완료|구현됨"
)
_STATUS = re.compile(
    r"^[^\w\n]{0,12}(?:status|statut|estado|stato|статус|状态|状態|狀態|상태|ステータス)[^\w\n:：]{0,6}[:：][^\w\n]{0,8}"
    rf"(?:{_WORDS})(?![\w-])(?!\s*(?:by|in|when|if|%))",
    re.IGNORECASE | re.MULTILINE,
)
# `Search — complete`, as a list of work tells how far it is.
_WORD_AFTER = re.compile(rf"(?<=\S)\s+[–—-]+\s+(?:{_WORDS})\W{{0,12}}$", re.IGNORECASE)
_HEADING = re.compile(
    rf"^\W{{0,12}}(?:\d+(?:\.\d+)*[.)]?\s+)?(?:{_WORDS})(?: (?:core |main )?(?:features?|functions?|stories|items?|work|requirements?))?\W{{0,12}}$|[(（\[]\s?(?:{_WORDS})\s?[)）\]]\W{{0,12}}$",
    re.IGNORECASE,
)


_CELL = re.compile(
    rf"^\W{{0,8}}(?:{_WORDS})\W{{0,4}}$|^\W{{0,2}}[\u2705\u2611\u2714\u2713]\ufe0f?\W{{0,2}}$",
    re.IGNORECASE,
)


class Marked(Protocol):
    """What the marks are read from."""

    @property
    def title(self) -> str: ...
    @property
    def statement(self) -> str: ...
    @property
    def domain(self) -> str: ...
    @property
    def is_done(self) -> bool: ...


def is_done_word(cell: str) -> bool:
    """Whether the cell of a column of statuses says no more than that."""
    return _CELL.match(cell.strip()) is not None


def is_done_line(text: str) -> bool:
    """Whether a line of it is `Status: done`."""
    return _STATUS.search(text) is not None


def is_ticked(item: str) -> bool:
    return _TICKED.match(item) is not None


def finished(marked: Sequence[Marked]) -> frozenset[int]:
    """The places of what is marked as done. One sign alone may be what the product shows."""
    signed = {n for n, one in enumerate(marked) if _is_signed(one)}
    certain = {n for n, one in enumerate(marked) if one.is_done or _is_told(one)}
    return frozenset(certain | (signed if len(signed) > 1 else set()))


def told(path: str, requirements: Sequence[Requirement]) -> tuple[Finding, ...]:
    """One finding about all that is marked as done."""
    lines = tuple(r.line_start for r in requirements if r.is_done)
    if not lines:
        return ()
    question = f"{len(lines)} of {len(requirements)} requirements are marked as done, and are not planned again. Right?"
    return (
        Finding(
            code="marked_done",
            severity=Severity.INFO,
            line=lines[0],
            quote=next(r.title for r in requirements if r.is_done)[:200],
            question=question,
            path=path,
            lines=lines if len(lines) > 1 else (),
        ),
    )


def _is_signed(one: Marked) -> bool:
    first = one.statement.split("\n", 1)[0]
    return any(
        _SIGN_AFTER.search(text.rstrip()) or _WORD_AFTER.search(text.rstrip())
        for text in (one.title, first, one.domain)
    )


def _is_told(one: Marked) -> bool:
    return bool(_STATUS.search(one.statement) or _HEADING.search(one.domain))
