"""OpenSpec deltas: requirements under ADDED, MODIFIED, REMOVED and RENAMED sections.

One draft per requirement and operation; a rename with a modification of the new name is one draft,
because it is one task. Requirements outside these sections are reported and not read: OpenSpec
would not apply them. `delta` applies the operations.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from bot.core.spec.drafts import Draft, Reading, normal
from bot.core.spec.formats.openspec import (
    RequirementBlock,
    block_findings,
    capability_of,
    context_of,
    draft_of,
    requirement_blocks,
)
from bot.core.spec.outline import Section, headings, outline
from bot.core.spec.reading import Source
from bot.core.values.spec_model import Finding, Operation, Severity

_CANONICAL = re.compile(r"^##\s+(ADDED|MODIFIED|REMOVED|RENAMED) Requirements\s*$", re.IGNORECASE)
_LOOSE: list[tuple[Operation, re.Pattern[str]]] = [
    (operation, re.compile(pattern, re.IGNORECASE))
    for operation, pattern in (
        (
            Operation.ADDED,
            r"^(?:ADDED|NEW)\s+Requirements?\s*:?$|^(?:新增|添加)(?:的)?需求|^추가된?\s?요구|^Требования:? добавлены|^Requisitos (?:añadidos|adicionados)|^Exigences ajoutées|^EKLENEN",
        ),
        (
            Operation.MODIFIED,
            r"^(?:MODIFIED|CHANGED|UPDATED)\s+Requirements?\s*:?$|^(?:修改|变更|更新)(?:的)?需求|^수정된?\s?요구|^Requisitos modificados|^Exigences modifiées|^DEĞİŞTİRİLEN",
        ),
        (
            Operation.REMOVED,
            r"^(?:REMOVED|DELETED)\s+Requirements?\s*:?$|^(?:移除|删除)(?:的)?需求|^삭제된?\s?요구|^Requisitos (?:eliminados|removidos)|^Exigences supprimées",
        ),
        (Operation.RENAMED, r"^RENAMED\s+Requirements?\s*:?$|^重命名(?:的)?需求"),
    )
]
_REMOVED_BULLET = re.compile(
    r"^\s*+[-*+]\s*+`?###\s*+Requirement:\s*+(.+?)`?(?:(?<!\s)\s++)?$", re.IGNORECASE
)
_RENAME = re.compile(
    r"^\s*+[-*+]?+\s*+(FROM|TO):\s*+`?###\s*+Requirement:\s*+(.+?)`?(?:(?<!\s)\s++)?$",
    re.IGNORECASE,
)


def operation_of(title: str) -> Operation | None:
    return next((op for op, pattern in _LOOSE if pattern.match(title.strip())), None)


def has_delta_section(source: Source) -> bool:
    return any(level == 2 and operation_of(title) for level, title in headings(source))


def read(source: Source) -> Reading:
    sections = outline(source)
    domain = capability_of(source.path)
    blocks = requirement_blocks(source, sections)
    drafts: list[Draft] = []
    findings: list[Finding] = []
    ranges = _operation_ranges(source, sections, findings)
    for operation, start, end in ranges:
        inside = [b for b in blocks if start < b.head.line <= end]
        if operation is Operation.RENAMED:
            drafts += _renames(source, domain, start, end)
            continue
        if operation is Operation.REMOVED:
            drafts += _removed_bullets(source, domain, start, end)
        for block in inside:
            drafts.append(draft_of(source, block, domain, operation))
            if operation is not Operation.REMOVED:
                findings += block_findings(source, block)
    if ranges:
        findings += _orphans(source, blocks, ranges)
    context = [*context_of(source, sections), *((start, start) for _, start, _ in ranges)]
    return Reading(
        title=next((s.title for s in sections if s.level == 1), domain),
        drafts=_joined(drafts),
        findings=tuple(findings),
        context=tuple(context),
    )


def _operation_ranges(
    source: Source, sections: Sequence[Section], findings: list[Finding]
) -> list[tuple[Operation, int, int]]:
    ranges = []
    for section in sections:
        operation = operation_of(section.title) if section.level == 2 else None
        if operation is None:
            continue
        line = source.visible[section.line - 1]
        if not _CANONICAL.match(line):
            findings.append(
                Finding(
                    code="noncanonical_header",
                    severity=Severity.WARN,
                    line=section.line,
                    quote=line.strip()[:200],
                    question=f"OpenSpec does not read this section. "
                    f"Should it be '## {operation.value.upper()} Requirements'?",
                    path=source.path,
                )
            )
        ranges.append((operation, section.line, section.end))
    return ranges


def _removed_bullets(source: Source, domain: str, start: int, end: int) -> list[Draft]:
    return [
        _named(found.group(1).strip(), domain, line, Operation.REMOVED)
        for line in range(start + 1, end + 1)
        if (found := _REMOVED_BULLET.match(source.visible[line - 1]))
    ]


def _renames(source: Source, domain: str, start: int, end: int) -> list[Draft]:
    drafts = []
    waiting: tuple[str, int] | None = None
    for line in range(start + 1, end + 1):
        found = _RENAME.match(source.visible[line - 1])
        if not found:
            continue
        name = found.group(2).strip()
        if found.group(1).upper() == "FROM":
            waiting = (name, line)
        elif waiting:
            draft = _named(name, domain, waiting[1], Operation.RENAMED)
            drafts.append(replace(draft, renamed_from=waiting[0], line_end=line))
            waiting = None
    return drafts


def _named(name: str, domain: str, line: int, operation: Operation) -> Draft:
    return Draft(
        title=name,
        statement="",
        domain=domain,
        operation=operation,
        line_start=line,
        line_end=line,
        identity=f"{domain}\n{normal(name)}",
    )


def _joined(drafts: list[Draft]) -> tuple[Draft, ...]:
    """Join a rename and the modification of its new name, at the modification's place."""
    renamed = {d.title: d for d in drafts if d.operation is Operation.RENAMED}
    modified = {d.title for d in drafts if d.operation is Operation.MODIFIED}
    kept = []
    for draft in drafts:
        if draft.operation is Operation.RENAMED and draft.title in modified:
            continue
        rename = renamed.get(draft.title)
        if draft.operation is Operation.MODIFIED and rename:
            draft = replace(draft, renamed_from=rename.renamed_from)
        kept.append(draft)
    return tuple(kept)


def _orphans(
    source: Source,
    blocks: Sequence[RequirementBlock],
    ranges: Sequence[tuple[Operation, int, int]],
) -> list[Finding]:
    findings = []
    for block in blocks:
        line = block.head.line
        if any(start < line <= end for _, start, end in ranges):
            continue
        before = [r for r in ranges if r[2] < line]
        ended = f" The last delta section ends at line {before[-1][2]}." if before else ""
        question = (
            "This requirement stands in no ADDED, MODIFIED, REMOVED or RENAMED section "
            f"and is not applied.{ended} Where does it belong?"
        )
        findings.append(source.finding("orphan_requirement", Severity.ASK, line, question))
    return findings
