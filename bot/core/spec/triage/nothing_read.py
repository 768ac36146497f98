"""Why a file has no requirement, and which of its lines may mean one."""

import re
from collections import Counter
from collections.abc import Iterator

from bot.core.spec.reading import Source, without_code_spans
from bot.core.values.spec_model import Finding, Severity, SpecDocument, SpecFormat

_PROPOSED_MAX = 20
_LINE_MIN, _LINE_MAX = 20, 400
_CERTAIN = (
    "An id before it ('REQ-1: …'), MUST or SHALL in it, or a heading 'Requirements' above its list "
    "would make it certain."
)
_LEFT_OUT = {
    "out_of_scope": "out of scope",
    "withdrawn": "struck out",
    "restated": "in a checklist",
    "template": "the template's own text",
}
_MAY_BIND = re.compile(
    r"\b(?:should|needs? to|ha(?:s|ve) to|must|shall|there (?:is|are) an?|"
    r"(?-i:soll(?:te|ten|en)?)|muss|müssen|doit|doivent|devrait|il faut|"
    r"debe(?:n|ría)?|deve(?:m|ria)?|musi|powin(?:ien|na|no)|долж(?:ен|на|но|ны))\b|"
    r"应该|應該|需要|必须|すべき|必要がある|해야",
    re.IGNORECASE,
)


def why_nothing(document: SpecDocument, source: Source) -> Iterator[Finding]:
    """Findings for a document without requirements; the first one says why."""
    line = next((n for n, text in enumerate(source.lines, 1) if text.strip()), 1)
    code, severity, question = _reason(document, source)
    yield _finding(source, code, severity, line, question)
    if code == "no_requirements":
        yield from _proposals(source)


def _reason(document: SpecDocument, source: Source) -> tuple[str, Severity, str]:
    if document.tasks:
        count = len(document.tasks)
        is_placed = document.confidence >= 1.0
        question = (
            f"Only tasks were read here ({count} tick boxes), and a task is no requirement. "
            "Where is the spec that they carry out?"
        )
        return "only_tasks", Severity.INFO if is_placed else Severity.ASK, question
    if document.constraints:
        question = (
            f"{len(document.constraints)} rules for every change were read here, and no requirement "
            "of its own."
        )
        return "only_constraints", Severity.INFO, question
    if not any(line.strip() for line in source.shown):
        return "empty", Severity.ASK, "The file is empty. What should be built?"
    if document.format is SpecFormat.UNKNOWN:
        question = "This is data rather than a text. Where is the spec?"
        return "not_a_spec", Severity.ASK, question
    left_out = Counter(_LEFT_OUT[f.code] for f in document.findings if f.code in _LEFT_OUT)
    if left_out:
        told = ", ".join(f"{count} {what}" for what, count in left_out.items())
        question = f"No requirement is left: of the items with an id {told}. Which are to be built?"
        return "no_requirements", Severity.ASK, question
    question = (
        "No requirement was recognised: no item has an id, no sentence binds by MUST or SHALL below "
        "a heading, and no heading says requirements. Which lines are they?"
    )
    return "no_requirements", Severity.ASK, question


def _proposals(source: Source) -> Iterator[Finding]:
    """Lines that may mean a requirement, each with what would make it one."""
    told = 0
    for line, text in enumerate(source.visible, 1):
        said = text.strip().lstrip("-*+>0123456789.) ").strip()
        if text.lstrip().startswith(("#", "|")) or not _LINE_MIN <= len(said) <= _LINE_MAX:
            continue
        if not _MAY_BIND.search(without_code_spans(said)):
            continue
        told += 1
        if told > _PROPOSED_MAX:
            return
        question = f"'{said[:80]}' may mean a requirement. {_CERTAIN}"
        yield _finding(source, "maybe_requirement", Severity.INFO, line, question)


def _finding(source: Source, code: str, severity: Severity, line: int, question: str) -> Finding:
    quote = source.lines[line - 1].strip()[:200] if line <= len(source.lines) else ""
    return Finding(
        code=code, severity=severity, line=line, quote=quote, question=question, path=source.path
    )
