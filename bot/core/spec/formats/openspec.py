"""OpenSpec main specs: `### Requirement: name` with `#### Scenario:` under `## Requirements`.

Accepts what OpenSpec's own tool reads, and small deviations (a full-width colon, a translated
keyword, another heading level), which are reported. A heading that names no requirement never
becomes one.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bot.core.spec.drafts import Draft, Reading, normal
from bot.core.spec.outline import Section, outline
from bot.core.spec.reading import Source
from bot.core.spec.scenario_steps import grouped, opens_step, scenario
from bot.core.spec.step_words import StepKind
from bot.core.values.spec_model import Finding, Operation, Scenario, Severity

_WORD = (
    r"Requirement|需求|要求|要件|Требование|Exigence|Requisito|Requerimiento|Wymaganie|Anforderung|"
    r"요구\s?사항|Gereksinim|Követelmény"
)
_HEADER = re.compile(rf"^(?:{_WORD})\s*[:：]\s*(\S.*)$", re.IGNORECASE)
_HEADER_BARE = re.compile(r"^Requirement\s+(?!\d+\b)(\S.*)$")
_CANONICAL = re.compile(r"^###\s*Requirement:\s*\S", re.IGNORECASE)
_SCENARIO = re.compile(
    r"^(?:Scenario|场景|場景|シナリオ|시나리오|Scénario|Escenario|Cenário|Scenariusz|Сценарий|Szenario|Senaryo)\s*[:：]?\s*",
    re.IGNORECASE,
)
_BOLD_SCENARIO = re.compile(
    r"^\s*+(?:[-*+]\s++)?\*\*\s*+Scenario\s*+[:：]\s*+(.+?)(?:(?<!\s)\s++)?\*\*\s*+[:：]?+\s*+$",
    re.I,
)
_METADATA = re.compile(r"^\s*+(?:[-*+]\s++)?\*\*([^*:：]++)[:：]?\*\*\s*+[:：]\s*(.*)")
_KNOWN_METADATA = {"id", "priority", "status", "owner", "type", "source"}
_PURPOSE = re.compile(
    r"^(?:Purpose|目的|Overview|概述|Objetivo|Propósito|But|Cel|Цель|목적|개요|Amaç)$", re.I
)
_REQUIREMENTS = re.compile(
    r"^(?:Requirements|需求|要求|Requisitos|Exigences|Wymagania|Требования|요구사항|Gereksinimler)$",
    re.I,
)
_DELTA_SECTION = re.compile(r"^(?:ADDED|MODIFIED|REMOVED|RENAMED)\s+Requirements$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class RequirementBlock:
    """A requirement heading, its own section and the sections below it."""

    name: str
    head: Section
    below: tuple[Section, ...]
    line_end: int
    is_canonical: bool


def read(source: Source) -> Reading:
    sections = outline(source)
    blocks = requirement_blocks(source, sections)
    domain = capability_of(source.path)
    findings: list[Finding] = []
    for block in blocks:
        findings += block_findings(source, block)
        parents = block.head.trail
        if any(_DELTA_SECTION.match(title) for title in parents):
            findings.append(_found(source, block, "delta_in_main", _DELTA_IN_MAIN, Severity.ASK))
        elif not any(_REQUIREMENTS.match(title) for title in parents):
            findings.append(_found(source, block, "outside_requirements", _OUTSIDE, Severity.WARN))
    return Reading(
        title=title_of(sections),
        drafts=tuple(draft_of(source, block, domain, None) for block in blocks),
        findings=tuple(findings),
        context=context_of(source, sections),
    )


_DELTA_IN_MAIN = (
    "A main spec has no ADDED, MODIFIED, REMOVED or RENAMED sections: OpenSpec refuses to archive "
    "into it. Should these requirements stand under '## Requirements'?"
)
_OUTSIDE = "OpenSpec ignores a requirement outside '## Requirements'. Should it be moved there?"


def capability_of(path: str) -> str:
    """The capability path of a spec file: the folders between `specs/` and the file."""
    parts = path.split("/")
    folders = parts[:-1]
    if "specs" in folders:
        inside = folders[len(folders) - folders[::-1].index("specs") :]
        if inside:
            return "/".join(inside)
    stem = parts[-1].rsplit(".", 1)[0]
    return stem if stem.lower() != "spec" else (folders[-1] if folders else stem)


def title_of(sections: Sequence[Section]) -> str:
    titled = [s for s in sections if s.level]
    return next((s.title for s in titled if s.level == 1), titled[0].title if titled else "")


def context_of(source: Source, sections: Sequence[Section]) -> tuple[tuple[int, int], ...]:
    """Understood lines that are not requirements: headings, purpose, metadata."""
    ranges = [(s.line, s.line) for s in sections if s.level]
    for section in sections:
        if _PURPOSE.match(section.title) or (section.level == 1 and section.trail == ()):
            ranges.append((section.line, section.body_end))
    if source.front_end:
        ranges.append((1, source.front_end))
    return tuple(ranges)


def requirement_blocks(source: Source, sections: Sequence[Section]) -> tuple[RequirementBlock, ...]:
    blocks = []
    for position, section in enumerate(sections):
        found = _HEADER.match(section.title) or (
            _HEADER_BARE.match(section.title) if section.level == 3 else None
        )
        if not section.level or not found:
            continue
        below = []
        for after in range(position + 1, len(sections)):
            other = sections[after]
            if other.level <= section.level or _HEADER.match(other.title):
                break
            below.append(other)
        last = below[-1].body_end if below else section.body_end
        blocks.append(
            RequirementBlock(
                found.group(1).strip(),
                section,
                tuple(below),
                last_line(source, section.line, last),
                bool(_CANONICAL.match(source.visible[section.line - 1])),
            )
        )
    return tuple(blocks)


def last_line(source: Source, line_start: int, line_end: int) -> int:
    """The end of a range without trailing blank lines and rules."""
    end = line_end
    while end > line_start and (
        not source.shown[end - 1].strip() or re.match(r"^\s*-{3,}\s*$", source.shown[end - 1])
    ):
        end -= 1
    return end


def draft_of(
    source: Source, block: RequirementBlock, domain: str, operation: Operation | None
) -> Draft:
    """Name and capability are the identity, as in OpenSpec."""
    metadata, statement = _body(source, block)
    return Draft(
        title=block.name,
        statement=statement,
        scenarios=scenarios_of(source, block),
        domain=domain,
        priority=metadata.get("priority"),
        source_id=metadata.get("id"),
        operation=operation,
        line_start=block.head.line,
        line_end=block.line_end,
        identity=f"{domain}\n{normal(block.name)}",
    )


def scenarios_of(source: Source, block: RequirementBlock) -> tuple[Scenario, ...]:
    """Scenarios under headings one level deeper; if there are none, scenarios without a heading."""
    found = []
    for section in block.below:
        if section.level != block.head.level + 1:
            continue
        end = last_line(source, section.line, min(section.end, block.line_end))
        if any(line.strip() for line in source.shown[section.line : end]):
            name = _SCENARIO.sub("", section.title) or section.title
            found.append(scenario(name, source, section.line, end))
    return tuple(found) or _unnamed_scenarios(source, block)


def block_findings(source: Source, block: RequirementBlock) -> list[Finding]:
    """What OpenSpec would read in another way than the author meant."""
    findings = []
    if not block.is_canonical:
        findings.append(
            _found(
                source,
                block,
                "noncanonical_header",
                f"OpenSpec reads only '### Requirement: {block.name[:80]}'. Should the heading be that?",
                Severity.WARN,
            )
        )
    elif source.visible[block.head.line - 1][3:4] not in (" ", "\t"):
        findings.append(
            _found(
                source,
                block,
                "tight_header",
                "Without a blank after '###' OpenSpec's validation does not see this requirement. "
                "Add one?",
                Severity.WARN,
            )
        )
    named = any(s.level == block.head.level + 1 for s in block.below)
    if not named and _unnamed_scenarios(source, block):
        findings.append(
            _found(
                source,
                block,
                "noncanonical_scenario",
                "OpenSpec reads scenarios only under '#### Scenario:' headings. Should these get one?",
                Severity.WARN,
            )
        )
    return findings


def _unnamed_scenarios(source: Source, block: RequirementBlock) -> tuple[Scenario, ...]:
    sections = (block.head, *block.below)
    labelled = _labelled_scenarios(source, block)
    if labelled:
        return labelled
    return tuple(s for section in sections for s in grouped(section.blocks))


def _labelled_scenarios(source: Source, block: RequirementBlock) -> tuple[Scenario, ...]:
    """Scenarios under a bold `**Scenario: name**` line."""
    starts = [
        (n, found.group(1))
        for n in range(block.head.line + 1, block.line_end + 1)
        if (found := _BOLD_SCENARIO.match(source.visible[n - 1]))
    ]
    ends = [*(n - 1 for n, _ in starts[1:]), block.line_end] if starts else []
    return tuple(
        scenario(name, source, start + 1, last_line(source, start + 1, end))
        for (start, name), end in zip(starts, ends, strict=True)
        if end > start and any(line.strip() for line in source.visible[start:end])
    )


def _body(source: Source, block: RequirementBlock) -> tuple[dict[str, str], str]:
    """Metadata lines and the statement: the lines up to the first heading or the first step."""
    metadata: dict[str, str] = {}
    kept = []
    end = min(block.head.body_end, block.line_end)
    has_headings = any(s.level == block.head.level + 1 for s in block.below)
    for line in range(block.head.line + 1, end + 1):
        text = source.visible[line - 1]
        if not has_headings and (
            _BOLD_SCENARIO.match(text) or opens_step(text) in (StepKind.GIVEN, StepKind.WHEN)
        ):
            break
        found = _METADATA.match(text)
        if found and found.group(1).strip().lower() in _KNOWN_METADATA:
            metadata[found.group(1).strip().lower()] = found.group(2).strip(" `*")
            continue
        kept.append(source.shown[line - 1])
    return {k: v for k, v in metadata.items() if v}, "\n".join(kept).strip("\n").strip()


def _found(
    source: Source, block: RequirementBlock, code: str, question: str, severity: Severity
) -> Finding:
    return source.finding(code, severity, block.head.line, question)
