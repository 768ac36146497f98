"""Specs in no known format: features and rules in lists under matching headings.

Requirements are read, in this order, from items under a heading about requirements or rules; from
normative items anywhere below a heading about features; from the sections of a document whose title
is a feature; and from rules in the opening paragraph. Nothing else is read: a requirement is never
invented.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from bot.core.spec.drafts import Draft, Reading, first_words
from bot.core.spec.formats.openspec import context_of, last_line, title_of
from bot.core.spec.formats.req_id import constraints_of, drafts_of, sorted_items
from bot.core.spec.items import is_template
from bot.core.spec.outline import Block, BlockKind, Section, outline
from bot.core.spec.reading import Source
from bot.core.spec.scenario_steps import criterion, grouped
from bot.core.spec.triage.words import (
    OUT_OF_SCOPE_WORDS,
    HeadingKind,
    heading_kind,
    modality,
    trail_kind,
)
from bot.core.values.spec_model import Modality, Scenario

_RULE_SENTENCE = re.compile(
    r"\b(?:must|shall|equals?|is always|are always|is never|are never|may not|cannot|is computed|is calculated)\b"
)
_NOT_A_FEATURE = re.compile(
    r"design (?:reference|source)|dependencies|changelog|references?|open questions|glossary|tech(?:nical)? stack|environment|"
    r"overview|introduction|background|summary|appendix|seed data|risks?",
    re.I,
)
_STORY = re.compile(
    r"\bAs (?:an?|the) [^,.]{2,80},? I (?:want|need|can|would)\b|\bEn tant que? [^,.]{2,80},? je (?:veux|souhaite)\b|"
    r"\bComo (?:un |una |um |uma )?[^,.]{2,80},? (?:quiero|quero)\b|\bAls [^,.]{2,80},? (?:möchte|will) ich\b|"
    r"\bJako [^,.]{2,80},? chcę\b|\bКак [^,.]{2,80},? я хочу\b|作为.{1,40}我(?:想|希望)",
    re.IGNORECASE,
)
_BEHAVIOUR = re.compile(
    r"\bbehaviou?rs?\b|\bverhalten\b|\bcomportement|\bcomporta|поведени|行为|動作|동작",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"^\d{1,3}(?:\.\d{1,3}){0,4}[.)]?\s+")
_BOX = re.compile(r"^\[[ xX~-]?\]\s+")
_LABEL = re.compile(r"^\*\*(.+?)\*\*\s*[:：—–-]\s*(.+)$", re.DOTALL)


def read(source: Source) -> Reading:
    sections = outline(source)
    items = sorted_items(source, sections)
    drafts = drafts_of(source, items)
    # A deeper heading of rules is a part of a feature; one of level 2 is the spec itself.
    if not drafts and not _has_requirements_chapter(sections):
        drafts = _feature_sections(source, sections)
    if not drafts:
        drafts = promised(source, sections) or _normative(source, sections)
    if not drafts:
        drafts = _stated_sections(source, sections)
    if not drafts:
        drafts = _criteria(source, sections) or _opening_rules(sections)
    return Reading(
        title=title_of(sections),
        drafts=drafts,
        findings=items.findings,
        constraints=constraints_of(items),
        context=(*context_of(source, sections), *items.context),
    )


def read_rules(source: Source) -> Reading:
    """Only items under a heading about requirements or rules, or with an id.

    For files whose path says another format: there, a list of features is a description.
    """
    sections = outline(source)
    items = sorted_items(source, sections)
    return Reading(
        title=title_of(sections),
        drafts=drafts_of(source, items)
        or promised(source, sections)
        or _stated_sections(source, sections),
        findings=items.findings,
        constraints=constraints_of(items),
        context=(*context_of(source, sections), *items.context),
    )


def promised(source: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    """All list items directly under a heading about requirements or rules; deeper, only normative
    ones.
    """
    return tuple(
        _item_draft(source, section, block)
        for section, block in _outer_items(sections)
        if heading_kind(section.title) is HeadingKind.REQUIREMENTS
        or (trail_kind(section.titles) is HeadingKind.REQUIREMENTS and _is_normative(block))
    )


def _normative(source: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    """Normative list items below a heading about features, functions or behaviour."""
    return tuple(
        _item_draft(source, section, block)
        for section, block in _outer_items(sections)
        if (trail_kind(section.titles) is HeadingKind.FEATURES or _BEHAVIOUR.search(section.title))
        and _is_normative(block)
    )


def _stated_sections(source: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    """Normative headings below a chapter of requirements: each is a requirement.

    The acceptance criteria below such a heading are its scenarios.
    """
    drafts: list[Draft] = []
    for position, section in enumerate(sections):
        if drafts and section.line <= drafts[-1].line_end:
            continue
        is_below = trail_kind(section.trail or ("",)) is HeadingKind.REQUIREMENTS
        if not is_below or heading_kind(section.title) is not HeadingKind.OTHER:
            continue
        if _NOT_A_FEATURE.search(section.title):
            continue
        if not any(_is_normative(block) for block in section.blocks):
            continue
        end = last_line(source, section.line, section.end)
        drafts.append(
            Draft(
                title=_NUMBER.sub("", section.title) or section.title,
                statement=source.shown_text(section.line + 1, section.body_end).strip(),
                scenarios=grouped(section.blocks) or _criteria_below(sections, position, end),
                domain=section.trail[-1],
                line_start=section.line,
                line_end=end,
            )
        )
    return tuple(drafts)


def _criteria_below(sections: Sequence[Section], position: int, end: int) -> tuple[Scenario, ...]:
    found: list[Scenario] = []
    for at in range(position + 1, len(sections)):
        section = sections[at]
        if section.line > end:
            break
        if heading_kind(section.title) is HeadingKind.CRITERIA:
            items = [b for b in section.blocks if b.kind is BlockKind.ITEM and b.indent <= 1]
            found += grouped(section.blocks) or [
                criterion("", _BOX.sub("", b.text), b.line_start, b.extent_end) for b in items
            ]
    return tuple(found)


def _criteria(source: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    """The criteria of a document that is one user story; elsewhere they only describe completion."""
    if not any(_STORY.search(" ".join(b.text.split())) for s in sections for b in s.blocks):
        return ()
    return tuple(
        _item_draft(source, section, block)
        for section, block in _outer_items(sections)
        if section.level and trail_kind(section.titles) is HeadingKind.CRITERIA
    )


def _has_requirements_chapter(sections: Sequence[Section]) -> bool:
    return any(s.level == 2 and heading_kind(s.title) is HeadingKind.REQUIREMENTS for s in sections)


def _outer_items(sections: Sequence[Section]) -> Iterator[tuple[Section, Block]]:
    for section in sections:
        for block in section.blocks:
            if block.kind is not BlockKind.ITEM or block.indent > 1:
                continue
            if not (OUT_OF_SCOPE_WORDS.search(block.text) or is_template(block.text)):
                yield section, block


def _is_normative(block: Block) -> bool:
    return modality(block.text) is not Modality.UNSTATED


def _item_draft(source: Source, section: Section, block: Block) -> Draft:
    text, start = _BOX.sub("", block.text), block.line_start
    labelled = _LABEL.match(text)
    end = last_line(source, start, block.extent_end)
    # Blocks are in line order, so that not every pair has to be compared.
    first_after = bisect_right(section.blocks, start, key=_line_start)
    nested = section.blocks[first_after : bisect_right(section.blocks, end, key=_line_start)]
    told = grouped(nested)
    first = told[0].line_start if told else end + 1
    extra = [f"- {b.text}" for b in nested if b.line_start < first]
    return Draft(
        title=labelled.group(1).strip(" :：") if labelled else first_words(text),
        statement="\n".join([text, *extra]),
        scenarios=told,
        domain=section.title,
        line_start=start,
        line_end=end,
    )


def _line_start(block: Block) -> int:
    return block.line_start


def _feature_sections(source: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    """One requirement per section of a document whose title says that it is a feature."""
    titled = [s for s in sections if s.level == 1]
    if len(titled) != 1 or heading_kind(titled[0].title) is not HeadingKind.FEATURES:
        return ()
    drafts = []
    for section in sections:
        if section.level < 2 or not section.blocks:
            continue
        if any(_NOT_A_FEATURE.search(t) for t in section.titles[1:]):
            continue
        if trail_kind(section.titles) in (
            HeadingKind.OUT_OF_SCOPE,
            HeadingKind.CHECKLIST,
            HeadingKind.TRACE,
        ):
            continue
        end = last_line(source, section.line, section.body_end)
        drafts.append(
            Draft(
                title=section.title,
                statement=source.shown_text(section.line + 1, end).strip(),
                scenarios=grouped(section.blocks),
                domain=section.trail[1] if len(section.trail) > 1 else section.title,
                line_start=section.line,
                line_end=end,
            )
        )
    return tuple(drafts)


def _opening_rules(sections: Sequence[Section]) -> tuple[Draft, ...]:
    """Sentences of the opening paragraphs that state what always holds."""
    opening = [s for s in sections if s.level <= 1][:2]
    drafts = []
    for section in opening:
        for block in section.blocks:
            if block.kind is not BlockKind.PARAGRAPH:
                continue
            for sentence in re.split(r"(?<=[.!?])\s+", " ".join(block.text.split())):
                if _RULE_SENTENCE.search(sentence):
                    drafts.append(
                        Draft(
                            title=first_words(sentence),
                            statement=sentence,
                            line_start=block.line_start,
                            line_end=block.line_end,
                        )
                    )
    return tuple(drafts)
