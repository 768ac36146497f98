"""Specs whose requirements carry ids: headings, bullets, paragraphs or table rows.

`### REQ-CART-01: title` with a statement and scenarios, `- REQ-NAV-01: text`, and
`**REQ-ADD-001:AC-1** — text`, where the criteria of one id are its scenarios. Other readers use
`drafts_of` for the same shapes with their own kinds of ids.
"""

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from bot.core.spec.drafts import Draft, Reading, first_words
from bot.core.spec.formats.criteria import (
    criteria_below,
    criteria_below_label,
    criteria_in_lines,
    fenced_criteria,
    fenced_lists,
    fenced_scenarios,
    fenced_steps,
    is_criteria_label,
    scenario_headings,
)
from bot.core.spec.formats.group_lines import without_group_lines
from bot.core.spec.formats.id_families import in_families, is_of_work, requirement_kinds
from bot.core.spec.formats.id_filters import (
    in_features,
    in_requirements,
    in_stories,
    without_codes,
    without_groups,
    without_parts,
    without_rules_inside,
    without_summary,
)
from bot.core.spec.formats.openspec import context_of, last_line, title_of
from bot.core.spec.formats.prose_words import ATTRIBUTE, KIND_OF_ITEM, TESTING
from bot.core.spec.formats.qualities import qualities
from bot.core.spec.item_kinds import ItemKind, is_known_kind
from bot.core.spec.items import Definition, definitions, first_of_each, is_definition
from bot.core.spec.outline import Block, BlockKind, Section, outline
from bot.core.spec.reading import Source
from bot.core.spec.scenario_steps import criterion, grouped, opens_step
from bot.core.spec.stories import attached, stories_of
from bot.core.spec.triage.words import (
    HeadingKind,
    heading_kind,
    is_future,
    modality,
    says_only_requirements,
)
from bot.core.values.spec_model import Constraint, Finding, Modality, Scenario, Severity

_EXCLUDED = {HeadingKind.OUT_OF_SCOPE, HeadingKind.TRACE, HeadingKind.CHECKLIST}
_GROUP_LINE = re.compile(r"^(?:\*\*|__)([^*_\n][^*\n]{1,78}?)(?:\*\*|__)\s*[:：]?$")
# Tasks, tests, risks and epics have criteria, too.
_OF_WORK = re.compile(
    r"(?:T|TASK|TC|TEST|RISK|RSK|ADR|BUG|ISSUE|PR|EP|EPIC|E|PHASE|STEP|SM|KPI|SC|M|WP|S)(?=-|\d)"
)
# What others provide has codes, too.
_OTHERS = re.compile(
    r"^\W*(?:\d+(?:\.\d+)*[.)]?\s+)?(?:(?:external )?dependenc(?:y|ies)\b|(?:externe )?abhängigkeiten\b|dependencias\b|dépendances\b|"
    r"dependências\b|зависимости|依赖|外部依存|의존성)",
    re.IGNORECASE,
)
# What the architecture and the drafts of screens add to the list of functions.
_ADDITIONAL = re.compile(
    r"^\W*(?:additional|further|architectur(?:e|al)) requirements\b|^\W*(?:weitere|zusätzliche) anforderungen\W*$|"
    r"^\W*exigences (?:supplémentaires|additionnelles)\W*$|^\W*requisit[oi]s? (?:adicionales|adicionais|aggiuntivi)\W*$|"
    r"^\W*(?:附加|额外|額外|其他)需求\W*$|^\W*追加要件\W*$|^\W*추가 ?요구 ?사항\W*$",
    re.IGNORECASE,
)
_DOMAIN_OF_ID = re.compile(r"^REQ-([A-Z][A-Z0-9]*)-")


@dataclass(frozen=True, slots=True)
class Items:
    """The definitions of a file, sorted by what becomes of them."""

    requirements: tuple[Definition, ...]
    criteria: tuple[Definition, ...]
    constraints: tuple[Definition, ...]
    findings: tuple[Finding, ...]
    context: tuple[tuple[int, int], ...]
    # Chapters of acceptance criteria, in line order.
    judged_by: tuple[Section, ...] = ()

    @property
    def without_criteria(self) -> "Items":
        """Nothing where only criteria have ids: what they are criteria of may have none."""
        only = all(d.kind is ItemKind.CRITERION for d in self.requirements)
        return replace(self, requirements=(), criteria=()) if only else self


class _Groups:
    """The bold line above each block of a section: `**Loans**` names the items below it together.

    Each section is walked once, however many items it has.
    """

    def __init__(self) -> None:
        self._of: dict[tuple[int, int], tuple[str, ...]] = {}

    def of(self, section: Section, position: int) -> str:
        key = (section.line, section.level)
        if key not in self._of:
            self._of[key] = tuple(_group_lines(section.blocks))
        return self._of[key][position]


def _group_lines(blocks: Sequence[Block]) -> Iterator[str]:
    last = ""
    for block, following in zip(blocks, (*blocks[1:], None), strict=True):
        yield last
        if block.kind is BlockKind.PARAGRAPH:
            found = _GROUP_LINE.match(block.text.strip())
            is_name = found is not None and modality(found[1]) is Modality.UNSTATED
            is_name = is_name and not is_criteria_label(block.text)
            is_name = is_name and not ATTRIBUTE.fullmatch(found[1].strip(" :：") if found else "")
            is_name = is_name and not says_only_requirements(found[1] if found else "")
            # Above anything else it is a label within a requirement.
            is_name = is_name and following is not None and is_definition(following)
            last = found[1].strip(" :：") if found is not None and is_name else ""


def read(source: Source) -> Reading:
    """User stories count only if nothing else has an id."""
    sections = outline(source)
    items = sorted_items(source, sections)
    drafts = drafts_of(source, items)
    drafts, stories = attached(drafts, stories_of(source, sections, drafts), source.visible)
    return Reading(
        title=title_of(sections),
        drafts=drafts,
        findings=items.findings,
        stories=stories,
        constraints=(*constraints_of(items), *qualities(sections, drafts)),
        context=(*context_of(source, sections), *items.context),
    )


def sorted_items(source: Source, sections: Sequence[Section]) -> Items:
    """Choose the requirements: functional items and rules, else stories, else criteria."""
    defined = without_summary(definitions(sections), source.visible)
    found, again = first_of_each(in_families(in_requirements(in_stories(in_features(defined)))))
    found = without_parts(found)
    found = without_rules_inside(without_codes(without_group_lines(without_groups(found))))
    findings: list[Finding] = []
    live: list[Definition] = []
    context = [(d.line_start, d.line_end) for d in again]
    for definition in found:
        reason = _exclusion(definition)
        if reason is None:
            live.append(definition)
            continue
        context.append((definition.line_start, definition.line_end))
        is_told = reason[0] and definition.kind is not ItemKind.OTHER
        if is_told and definition.place is not HeadingKind.TRACE:
            findings.append(_excluded(source, definition, *reason))
    live = _promoted(_placed(live), sections)
    kinds = requirement_kinds(live)
    owners = {d.id for d in live if d.kind in kinds and not d.sub}
    return Items(
        tuple(d for d in live if d.kind in kinds and not d.sub),
        tuple(
            d
            for d in live
            if d.sub or (d.kind is ItemKind.CRITERION and ItemKind.CRITERION not in kinds)
        ),
        tuple(
            d for d in live if d.kind is ItemKind.NONFUNCTIONAL and d.id not in owners and not d.sub
        ),
        tuple(findings),
        (*context, *((d.line_start, d.line_end) for d in live if d.kind is ItemKind.OTHER)),
        tuple(s for s in sections if heading_kind(s.title) is HeadingKind.CRITERIA),
    )


def _placed(live: Sequence[Definition]) -> list[Definition]:
    """Items with unknown letters in a chapter about qualities, or of what else binds, become non-functional.

    `R-01` is unknown where only such chapters have it. Only if there are requirements elsewhere too;
    otherwise that chapter may be the main part.
    """
    beside = {d.line_start for d in live if _binds_besides(d)}
    asked = (ItemKind.FUNCTIONAL, ItemKind.STORY)
    elsewhere = [d for d in live if d.kind in asked and d.line_start not in beside]
    families = {_family(d.id) for d in elsewhere}
    return [
        replace(d, kind=ItemKind.NONFUNCTIONAL)
        if elsewhere and d.line_start in beside and _may_be_quality(d, families)
        else d
        for d in live
    ]


def _may_be_quality(definition: Definition, families: Collection[str]) -> bool:
    """`families` are those of what the product does."""
    # What stands there is one, if its letters are not those of tasks or risks.
    if definition.kind is ItemKind.OTHER:
        return not is_of_work(definition.id)
    # `REQ-PERF-1` where what the product does is `REQ-APP-1`.
    family = _family(definition.id)
    is_other = "-" in family and family not in families
    is_unknown = not is_known_kind(definition.id) or _first_letters(definition.id) in {"R", "C"}
    return definition.kind is ItemKind.FUNCTIONAL and (is_unknown or is_other)


def _family(identifier: str) -> str:
    return identifier.rstrip("0123456789.abcdefg").rstrip("-")


def _binds_besides(definition: Definition) -> bool:
    return definition.place is HeadingKind.NONFUNCTIONAL or any(
        _ADDITIONAL.match(title) for title in definition.section.titles[1:]
    )


def _first_letters(identifier: str) -> str:
    return identifier.partition("-")[0].rstrip("0123456789.")


def _promoted(live: list[Definition], sections: Sequence[Section]) -> list[Definition]:
    """Headings with criteria below them are requirements, whatever their letters (`PRD-001`, `SPEC-2`),
    in a document that has no other ones.
    """
    if {d.kind for d in live} & {ItemKind.FUNCTIONAL, ItemKind.RULE, ItemKind.STORY}:
        return live
    judged = {
        section.trail[-1]
        for section in sections
        if section.trail and heading_kind(section.title) is HeadingKind.CRITERIA
    }
    return [
        replace(d, kind=ItemKind.FUNCTIONAL)
        if d.position is None
        and d.kind is ItemKind.OTHER
        and not _OF_WORK.match(d.id)
        and (d.section.title in judged or _has_criteria_label(d.section))
        else d
        for d in live
    ]


def _has_criteria_label(section: Section) -> bool:
    return any(is_criteria_label(block.text.split("\n")[0]) for block in section.blocks)


def drafts_of(source: Source, items: Items) -> tuple[Draft, ...]:
    by_id: dict[str, list[Definition]] = {}
    for item in items.criteria:
        if item.sub:
            by_id.setdefault(item.id, []).append(item)
    starts = sorted(d.line_start for d in items.requirements)
    drafts = []
    groups = _Groups()
    seen: set[str] = set()
    for definition in items.requirements:
        own = by_id.pop(definition.id, []) if definition.id not in seen else []
        seen.add(definition.id)
        drafts.append(_draft(source, definition, own, starts, groups, items.judged_by))
    drafts = _with_criteria_inside(drafts, [c for c in items.criteria if not c.sub])
    drafts += [
        _draft_of_criteria(source, identifier, own, groups) for identifier, own in by_id.items()
    ]
    return tuple(sorted(drafts, key=lambda d: d.line_start))


def _with_criteria_inside(drafts: Sequence[Draft], criteria: Sequence[Definition]) -> list[Draft]:
    """Criteria with ids of their own (`AC-7-01`) within the lines of a requirement are its scenarios."""
    ordered = sorted(criteria, key=lambda c: c.line_start)
    starts = [c.line_start for c in ordered]
    return [
        replace(
            draft,
            scenarios=tuple(
                _criterion_of(c)
                for c in ordered[
                    bisect_right(starts, draft.line_start) : bisect_right(starts, draft.line_end)
                ]
            ),
        )
        if not draft.scenarios
        else draft
        for draft in drafts
    ]


def constraints_of(items: Items) -> tuple[Constraint, ...]:
    """The non-functional items, which apply to every change."""
    return tuple(
        Constraint(source_id=d.id, text=d.text or d.title, line=d.line_start)
        for d in items.constraints
    )


def _exclusion(definition: Definition) -> tuple[str, Severity, str] | None:
    is_later = definition.is_later and not definition.is_wont
    if (definition.place is HeadingKind.OUT_OF_SCOPE and not is_later) or definition.is_wont:
        return (
            "out_of_scope",
            Severity.INFO,
            "This stands out of scope and is not planned. Right?",
        )
    if definition.is_withdrawn:
        return ("withdrawn", Severity.INFO, "This is struck out and is not planned. Right?")
    # The machines and cases of a test plan have ids, too.
    is_of_tests = any(TESTING.match(title) for title in definition.section.titles[1:])
    is_of_others = any(_OTHERS.match(title) for title in definition.section.titles[1:])
    if (is_of_tests or is_of_others) and not is_known_kind(definition.id):
        return ("", Severity.INFO, "")
    if definition.place is HeadingKind.CHECKLIST:
        return ("restated", Severity.INFO, "This repeats a requirement and is not planned again.")
    if definition.is_template:
        return ("template", Severity.BLOCK, "This is the template's own text. What should it say?")
    is_left_out = definition.place in _EXCLUDED and not is_later
    return ("", Severity.INFO, "") if is_left_out else None


def _draft(
    source: Source,
    definition: Definition,
    own: Sequence[Definition],
    starts: Sequence[int],
    groups: _Groups,
    judged_by: Sequence[Section],
) -> Draft:
    end = last_line(source, definition.line_start, _end_of(definition, starts))
    if definition.position is None:
        statement, scenarios = _under_heading(source, definition, end)
        scenarios = scenarios or criteria_below(definition.section, judged_by, end)
        scenarios = scenarios or fenced_scenarios(source, definition.line_start, end)
        scenarios = scenarios or fenced_criteria(source, definition.line_start, end)
        scenarios = scenarios or fenced_steps(source, definition.line_start, end)
        scenarios = scenarios or fenced_lists(source, definition.section, end)
    else:
        statement, scenarios = _under_block(definition, end)
    criteria = tuple(_criterion_of(item) for item in own)
    if definition.criterion:
        at = definition.line_start
        criteria = (*criteria, criterion("", definition.criterion, at, at))
    title = definition.title or first_words(definition.text or statement) or definition.id
    return Draft(
        title=title,
        statement=statement or definition.text or definition.title,
        source_id=definition.id,
        scenarios=(
            *scenarios,
            *(c for c in criteria if c.line_start not in {s.line_start for s in scenarios}),
        ),
        domain=_domain(definition, groups),
        priority=definition.priority,
        line_start=definition.line_start,
        line_end=end,
        is_done=definition.is_ticked,
    )


def _draft_of_criteria(
    source: Source, identifier: str, own: Sequence[Definition], groups: _Groups
) -> Draft:
    """A requirement that exists only through its criteria: `**REQ-ADD-001:AC-1** — …`."""
    section = own[0].section
    title = section.title or identifier
    end = last_line(source, own[0].line_start, max(d.line_end for d in own))
    return Draft(
        title=title,
        statement="\n".join(d.text for d in own),
        source_id=identifier,
        scenarios=tuple(_criterion_of(item) for item in own),
        domain=_domain(own[0], groups),
        line_start=own[0].line_start,
        line_end=end,
    )


def _criterion_of(item: Definition) -> Scenario:
    name = f"{item.sub or item.id}"
    return criterion(name, item.text or item.title, item.line_start, item.line_end)


def _end_of(definition: Definition, starts: Sequence[int]) -> int:
    if definition.position is not None:
        return definition.line_end
    following = bisect_right(starts, definition.line_start)
    inner = starts[following] if following < len(starts) else definition.line_end + 1
    return min(inner - 1, definition.line_end)


def _under_heading(
    source: Source, definition: Definition, end: int
) -> tuple[str, tuple[Scenario, ...]]:
    section = definition.section
    body_end = min(section.body_end, end)
    label = next((b for b in section.blocks if is_criteria_label(b.text.split("\n")[0])), None)
    told = grouped(section.between(0, end))
    stop = min(
        [
            body_end,
            *([label.line_start - 1] if label else []),
            *([told[0].line_start - 1] if told else []),
        ]
    )
    statement = source.shown_text(section.line + 1, stop).strip()
    scenarios = scenario_headings(source, section, end)
    if not scenarios and label:
        scenarios = criteria_below_label(section, label, end)
    return statement, scenarios or told or criteria_in_lines(section.between(0, end))


def _under_block(definition: Definition, end: int) -> tuple[str, tuple[Scenario, ...]]:
    """Statement and scenarios of a bullet, a row or a paragraph with its nested blocks."""
    blocks = definition.section.blocks
    at = definition.position or 0
    nested = definition.section.between(blocks[at].line_start, end) if not blocks[at].cells else ()
    told = grouped(nested)
    label = next((b for b in nested if is_criteria_label(b.text.split("\n")[0])), None)
    criteria = told
    if label and not told:
        criteria = criteria_below_label(definition.section, label, end)
    criteria = criteria or criteria_in_lines(nested)
    first = min(
        [s.line_start for s in criteria] + ([label.line_start] if label else []), default=end + 1
    )
    statement = [definition.text]
    statement += [f"- {b.text}" for b in nested if b.line_start < first]
    if not criteria and not blocks[at].cells and opens_step(definition.text):
        criteria = grouped([replace(blocks[at], text=definition.text)])
    return "\n".join(s for s in statement if s).strip(), criteria


def _domain(definition: Definition, groups: _Groups) -> str:
    if definition.is_later:
        return next(title for title in reversed(definition.section.titles) if is_future(title))
    titles = (
        definition.section.titles if definition.position is not None else definition.section.trail
    )
    if definition.position is not None:
        bold = groups.of(definition.section, definition.position)
        if bold:
            return bold
    # Below `2. Users`, a heading that says only `Functional requirements` names no group.
    named = [title for title in titles[1:] if _names_a_group(title)]
    inner = titles[1:][-2:]
    if named and named[-1] in inner:
        return named[-1]
    found = _DOMAIN_OF_ID.match(definition.id)
    return found.group(1) if found else ""


def _names_a_group(title: str) -> bool:
    if KIND_OF_ITEM.match(title):
        return False
    kind = heading_kind(title)
    is_said = kind in (HeadingKind.FEATURES, HeadingKind.REQUIREMENTS)
    return kind is HeadingKind.OTHER or (is_said and not says_only_requirements(title))


def _excluded(
    source: Source, definition: Definition, code: str, severity: Severity, question: str
) -> Finding:
    return source.finding(code, severity, definition.line_start, question)
