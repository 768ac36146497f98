"""Why a file has no requirement, and which of its lines may mean one."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from textwrap import shorten

from bot.core.spec.formats.prose_items import outer_items
from bot.core.spec.formats.prose_words import INTRODUCES, NOT_A_FEATURE, TEST_PLAN
from bot.core.spec.outline import BlockKind, Section, outline
from bot.core.spec.reading import Source, without_code_spans
from bot.core.spec.triage.words import HeadingKind, heading_kind, is_future
from bot.core.values.spec_model import Finding, Severity, SpecDocument, SpecFormat

_PROPOSED_MAX = 20
_LINE_MIN, _LINE_MAX = 20, 400
_CERTAIN = (
    "An id before it ('REQ-1: …'), MUST or SHALL in it, or a heading 'Requirements' above its list "
    "would make it certain."
)
_LIST_CERTAIN = "The word 'Requirements' in its heading would make each of them certain."
_TITLE_CERTAIN = "A heading 'Requirements' above them would make each of them certain."
# When it is built, by what means, and what is not decided yet.
_NOT_ASKED = re.compile(
    r"\b(?:milestones?|roadmap|timeline|schedule|sequence|(?:build|implementation|development) (?:order|plan)|phases?|sprints?|open|future|"
    r"project|metadata|architecture|stack|tooling|configuration|schemas?|data models?|entities|tables|assets|deployment|"
    r"decisions?|metrics|kpis?|risks?|coverage|structure|team|meilensteine|zeitplan|architektur|technik|datenmodell|offen\w*|"
    r"calendrier|jalons|planning|cronogramas?|etapas|hitos|arquitectura|arquitetura|этапы|архитектура|сроки)\b|"
    r"里程碑|计划|架构|技术|数据(?:模型|库)|マイルストーン|スケジュール|構成|技術|データ|일정|아키텍처|기술|데이터",
    re.IGNORECASE,
)
_ROW_CERTAIN = "A first column 'ID' ('REQ-1') would make each of them certain."
_QUOTE_MAX = 80
_NAMED_MAX = 3
_ITEMS_MIN = 3
_MAY_BE_ASKED = {HeadingKind.OTHER, HeadingKind.FEATURES, HeadingKind.REQUIREMENTS}
_SAID = (HeadingKind.REQUIREMENTS, HeadingKind.FEATURES)
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
    yield source.finding(code, severity, line, question)
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
    titles = (section.title for section in outline(source) if section.level > 1)
    named = next((t for t in titles if heading_kind(t) is HeadingKind.REQUIREMENTS), "")
    headed = "no heading says requirements"
    if named:
        name = shorten(named, _QUOTE_MAX, placeholder=" …")
        headed = f"below '{name}' no list says what must be built"
    question = (
        "No requirement was recognised: no item has an id, no sentence binds by MUST or SHALL below "
        f"a heading, and {headed}. Which lines are they?"
    )
    return "no_requirements", Severity.ASK, question


def _proposals(source: Source) -> Iterator[Finding]:
    """Lines and lists that may mean requirements, in the order of the file, each with what would make it so."""
    sections = outline(source)
    if any(TEST_PLAN.match(section.title) for section in sections if section.level == 1):
        return
    questions = dict(_sentences(source)) | dict(_lists(sections)) | dict(_tables(sections))
    for line in sorted(questions)[:_PROPOSED_MAX]:
        yield source.finding("maybe_requirement", Severity.INFO, line, questions[line])


def _sentences(source: Source) -> Iterator[tuple[int, str]]:
    for line, text in enumerate(source.visible, 1):
        said = text.strip().lstrip("-*+>0123456789.) ").strip()
        if text.lstrip().startswith(("#", "|")) or not _LINE_MIN <= len(said) <= _LINE_MAX:
            continue
        if _MAY_BIND.search(without_code_spans(said)):
            quoted = shorten(said, _QUOTE_MAX, placeholder=" …")
            yield line, f"'{quoted}' may mean a requirement. {_CERTAIN}"


def _lists(sections: Sequence[Section]) -> Iterator[tuple[int, str]]:
    """Chapters whose lists may say what is to be built: one heading would make each item certain."""
    for section in sections:
        items = sum(1 for _ in outer_items([section]))
        if items < _ITEMS_MIN or not may_be_asked(section):
            continue
        name = f"'{shorten(section.title, _QUOTE_MAX, placeholder=' …')}'"
        line, certain = section.line, _LIST_CERTAIN
        if section.level < 2:
            # The page's own name, or none, stands above it.
            name, certain = "The page", _TITLE_CERTAIN
            line = next(block.line_start for _, block in outer_items([section]))
        yield line, f"{name} lists {items} things that may be requirements. {certain}"


def _tables(sections: Sequence[Section]) -> Iterator[tuple[int, str]]:
    """One question for all tables of a page whose title says requirements, with the names of the first."""
    if not any(s.level == 1 and heading_kind(s.title) in _SAID for s in sections):
        return
    found = [
        (section.title, rows)
        for section in sections
        if section.level > 1 and may_be_asked(section)
        if (rows := [block for block in section.blocks if block.kind is BlockKind.ROW])
    ]
    count = sum(len(rows) for _, rows in found)
    if count < _ITEMS_MIN:
        return
    titles = [title for title, _ in found]
    named = ", ".join(f"'{shorten(t, _QUOTE_MAX, placeholder=' …')}'" for t in titles[:_NAMED_MAX])
    more = f" and {len(titles) - _NAMED_MAX} more" if len(titles) > _NAMED_MAX else ""
    line = found[0][1][0].line_start
    yield line, f"{count} rows of tables below {named}{more} may be requirements. {_ROW_CERTAIN}"


def may_be_asked(section: Section) -> bool:
    """Whether its headings leave open that what stands below them is to be built."""
    inner = section.titles[1:]
    is_told = any(
        INTRODUCES.match(title)
        or NOT_A_FEATURE.search(title)
        or _NOT_ASKED.search(title)
        or is_future(title)
        for title in inner
    )
    return not is_told and not {heading_kind(title) for title in inner} - _MAY_BE_ASKED
