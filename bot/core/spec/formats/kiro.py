"""Kiro: `### Requirement 1: title` with a user story and numbered EARS criteria; bugfix documents.

A criterion is a scenario of its requirement, named `N.M`. In a bugfix document the expected and the
unchanged behaviour are the requirements, each with the defect that it replaces; the defects are not.
"""

import re
from collections.abc import Callable, Sequence, Set as AbstractSet
from dataclasses import dataclass, replace

from bot.core.spec.drafts import Draft, Reading, first_words
from bot.core.spec.formats.criteria import is_criteria_label, scenario_headings
from bot.core.spec.formats.openspec import context_of, last_line, title_of
from bot.core.spec.formats.req_id import drafts_of, sorted_items
from bot.core.spec.outline import Block, BlockKind, Section, outline
from bot.core.spec.reading import Source
from bot.core.spec.scenario_steps import criterion
from bot.core.spec.story_names import REQUIREMENT_NAME, STORY_NAME
from bot.core.spec.triage.words import HeadingKind, halfwidth, heading_kind
from bot.core.values.spec_model import Finding, Scenario, Severity, Story

_HEADING = re.compile(
    rf"^(?:{REQUIREMENT_NAME}|(?:User )?Story|US)\s*+[-#№]?+\s*+(\d+(?:\.\d+)*[a-z]?)(?:\s*+[:.)\-–—]+\s*|\s+|$)(.*)",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"^(\d+)[.)]\s+(.+)$")
_BEHAVIOUR = re.compile(
    r"^(Current|Expected|Unchanged)\b|^(?:现有|当前)(行为)|^(?:期望|预期)(行为)|^不变(行为)",
    re.IGNORECASE,
)
_BINDS = re.compile(r"\b(?:SHALL|MUST|WHEN|IF|WHILE)\b|必须|应")
_OWN_NUMBER = re.compile(r"^\*{0,2}(\d+(?:\.\d+)+)[.):]?\*{0,2}[.):]?\s+")
_KNOWN = re.compile(
    r"^(?:introduction|glossary|overview|background|scope|goals?|non[ -]goals|risks?|assumptions|constraints|dependencies|"
    r"out of scope|open questions|appendix|references?|bug analysis|概要|用語集|前提|리스크|개요|용어|风险|范围|背景|"
    r"einleitung|überblick|risiken|glossar|引言|介绍|简介|术语|введение|глоссарий|introducción|glosario)",
    re.IGNORECASE,
)


_STORY_LABEL = re.compile(
    rf"^\W*(?:{STORY_NAME})(?!\w)\W*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Head:
    number: str
    title: str
    position: int


def read(source: Source) -> Reading:
    sections = outline(source)
    behaviour = _behaviour_drafts(source, sections)
    if behaviour:
        drafts, stories = _with_criteria(source, sections, behaviour)
        findings: tuple[Finding, ...] = ()
    else:
        heads = _heads(sections)
        stops = {head.position for head in heads}
        drafts = tuple(_draft(source, sections, head, stops) for head in heads)
        drafts = drafts or _headed_by_ids(source, sections) or _flat(source, sections)
        stories, findings = (), _order_findings(source, drafts)
    known = [(s.line, s.body_end) for s in sections if s.level and _KNOWN.match(s.title)]
    return Reading(
        title=title_of(sections),
        drafts=drafts,
        stories=stories,
        findings=findings,
        context=(*context_of(source, sections), *known),
    )


def _heads(sections: Sequence[Section]) -> list[_Head]:
    """Headings with the word; only where there are none, numbered ones in a chapter of requirements."""
    named = _heads_like(_HEADING, sections, lambda _: True)
    return named or _heads_like(_NUMBERED, sections, _is_in_chapter)


def _heads_like(
    pattern: re.Pattern[str], sections: Sequence[Section], belongs: Callable[[Section], bool]
) -> list[_Head]:
    heads = []
    for position, section in enumerate(sections):
        found = pattern.match(halfwidth(section.title)) if section.level >= 2 else None
        if found and belongs(section):
            title = section.title[found.start(2) :].strip() if found.group(2) else ""
            heads.append(_Head(found.group(1), title, position))
    return heads


def _is_in_chapter(section: Section) -> bool:
    """Below a title "Requirements Document" stand chapters, of which most are no requirement."""
    outer = section.trail[-1] if section.trail else ""
    is_known = _KNOWN.match(_NUMBERED.sub(r"\2", section.title))
    return heading_kind(outer) is HeadingKind.REQUIREMENTS and not is_known


def _draft(
    source: Source, sections: Sequence[Section], head: _Head, stops: AbstractSet[int]
) -> Draft:
    section = sections[head.position]
    parts = [section]
    for position in range(head.position + 1, len(sections)):
        if position in stops or sections[position].level <= section.level:
            break
        parts.append(sections[position])
    criteria: list[Scenario] = []
    statement_end = section.body_end
    for part in parts:
        found, first = _criteria(part, head.number, len(criteria))
        criteria += found
        if part is section and first:
            statement_end = first - 1
    end = last_line(source, section.line, parts[-1].body_end)
    criteria = criteria or list(scenario_headings(source, section, end))
    statement = source.shown_text(section.line + 1, statement_end).strip()
    return Draft(
        title=head.title or first_words(_STORY_LABEL.sub("", statement)) or section.title,
        statement=statement or head.title,
        source_id=head.number,
        scenarios=tuple(criteria),
        line_start=section.line,
        line_end=end,
        identity=None,
    )


def _criteria(part: Section, number: str, before: int) -> tuple[list[Scenario], int]:
    """The criteria of one section and the line where they (or their label) begin, 0 if none."""
    is_own = heading_kind(part.title) is HeadingKind.CRITERIA
    label = next((b for b in part.blocks if is_criteria_label(b.text.split("\n")[0])), None)
    after = label.line_end if label else part.line if is_own else 0
    items = [b for b in part.blocks if b.kind is BlockKind.ITEM and b.line_start > after]
    if not (is_own or label):
        items = [b for b in items if _is_numbered_criterion(b)]
    if not items:
        return [], label.line_start if label else 0
    items = _below_names(part, items)
    outer = min(b.indent for b in items)
    found: list[Scenario] = []
    for block in items:
        if block.indent > outer + 1:
            continue
        found.append(_criterion(part, block, number, before + len(found) + 1))
    return found, label.line_start if label else items[0].line_start


def _below_names(part: Section, items: list[Block]) -> list[Block]:
    """The criteria that stand below names of groups (`1. Paying`), where each of the outer items has some."""
    outer = min(b.indent for b in items)
    names = [b for b in items if b.indent <= outer + 1]
    for name in names:
        below = part.between(name.line_end, name.extent_end)
        is_name = _BINDS.search(name.text) is None
        if not (is_name and below and all(_BINDS.search(b.text) for b in below)):
            return items
    lines = {name.line_start for name in names}
    # Each group counts from one.
    return [
        b if "." in b.marker.strip(".)") else replace(b, marker="-")
        for b in items
        if b.line_start not in lines
    ]


def _is_numbered_criterion(block: Block) -> bool:
    """`1. WHEN … SHALL …`, or `- **1.1** When … shall …`."""
    if _OWN_NUMBER.match(block.text):
        return re.search(r"\bshall\b|应", block.text, re.IGNORECASE) is not None
    return block.is_numbered and re.search(r"\bSHALL\b|应", block.text) is not None


def _criterion(part: Section, block: Block, number: str, count: int) -> Scenario:
    own = _OWN_NUMBER.match(block.text)
    marker = block.marker.strip("().、")
    if own:
        name = own.group(1)
    elif "." in marker:
        name = marker
    else:
        name = f"{number}.{marker if marker.isdigit() else count}"
    nested = [f"- {b.text}" for b in part.between(block.line_end, block.extent_end)]
    text = "\n".join([_OWN_NUMBER.sub("", block.text, count=1), *nested])
    return criterion(name, text, block.line_start, block.extent_end)


def _order_findings(source: Source, drafts: Sequence[Draft]) -> tuple[Finding, ...]:
    numbers = [d.source_id or "" for d in drafts]
    order = [
        tuple(int(p) for p in n.split("."))
        for n in numbers
        if re.fullmatch(r"\d{1,9}(?:\.\d{1,9})*", n)
    ]
    if order == sorted(order):
        return ()
    at = next(n for n in range(1, len(order)) if order[n] < order[n - 1])
    question = "The numbers of the requirements are not in order. They are kept as written."
    return (source.finding("ids_out_of_order", Severity.INFO, drafts[at].line_start, question),)


def _headed_by_ids(source: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    """`### MVP-1: Contacts` above its story and criteria."""
    drafts = drafts_of(source, sorted_items(source, sections))
    heads = {section.line for section in sections if section.level > 1}
    return drafts if len(drafts) > 1 and all(d.line_start in heads for d in drafts) else ()


def _flat(source: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    """A numbered list of criteria without headings: each is a requirement."""
    drafts = []
    for section in sections:
        for block in section.blocks:
            is_ears = bool(re.search(r"\bSHALL\b", block.text)) and block.is_numbered
            if block.kind is BlockKind.ITEM and block.indent <= 1 and is_ears:
                drafts.append(_statement_draft(source, block, None))
    return tuple(drafts)


def _behaviour_drafts(source: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    defects: dict[str, str] = {}
    drafts = []
    for section in sections:
        found = _BEHAVIOUR.match(section.title)
        if not found or section.level < 2:
            continue
        kind = section.title[:2].lower()
        for block in section.blocks:
            if block.kind is not BlockKind.ITEM or block.indent > 1:
                continue
            number = block.marker.strip("().、")
            if kind == "cu" or section.title.startswith(("现有", "当前")):
                defects[number.split(".")[-1]] = f"{number} {block.text}"
                continue
            is_expected = kind == "ex" or section.title.startswith(("期望", "预期"))
            defect = defects.get(number.split(".")[-1]) if is_expected else None
            drafts.append(_statement_draft(source, block, defect))
    return tuple(drafts)


def _statement_draft(source: Source, block: Block, defect: str | None) -> Draft:
    number = block.marker.strip("().、")
    end = last_line(source, block.line_start, block.extent_end)
    told = criterion(number, block.text, block.line_start, end)
    statement = f"{block.text}\n\nToday: {defect}" if defect else block.text
    return Draft(
        title=first_words(told.then[0] if told.then else block.text),
        statement=statement,
        source_id=number or None,
        scenarios=(told,),
        line_start=block.line_start,
        line_end=end,
    )


def _with_criteria(
    source: Source, sections: Sequence[Section], drafts: tuple[Draft, ...]
) -> tuple[tuple[Draft, ...], tuple[Story, ...]]:
    """Acceptance criteria of the whole document replace the statements' own."""
    for section in sections:
        if section.level != 2 or heading_kind(section.title) is not HeadingKind.CRITERIA:
            continue
        criteria, _ = _criteria(section, "", 0)
        if criteria:
            named = tuple(c.replace(name=c.name.strip(".")) for c in criteria)
            story = Story(
                title=section.title,
                scenarios=named,
                line_start=section.line,
                line_end=last_line(source, section.line, section.body_end),
            )
            bare = (
                Draft(
                    title=d.title,
                    statement=d.statement,
                    source_id=d.source_id,
                    line_start=d.line_start,
                    line_end=d.line_end,
                )
                for d in drafts
            )
            return tuple(bare), (story,)
    return drafts, ()
