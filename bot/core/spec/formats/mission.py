"""Missions: `## Acceptance Criteria` are the requirements, `## Constraints` bind all of them."""

import re
from collections.abc import Sequence

from bot.core.spec.drafts import Draft, Reading, first_words
from bot.core.spec.formats.openspec import context_of, last_line, title_of
from bot.core.spec.outline import Block, BlockKind, Section, outline
from bot.core.spec.reading import Source
from bot.core.spec.scenario_steps import grouped
from bot.core.spec.triage.words import HeadingKind, heading_kind
from bot.core.values.spec_model import Constraint

_CONSTRAINTS = re.compile(
    r"^(?:constraints|restricciones|contraintes|约束|ограничения)\b", re.IGNORECASE
)
_KNOWN = re.compile(
    r"^(?:goal|intent|mission|scope|in scope|out of scope|interface contracts)\b", re.IGNORECASE
)
_BOX = re.compile(r"^\[[^\]]?\]\s*")


def read(source: Source) -> Reading:
    sections = outline(source)
    drafts = [
        _draft(source, section, block)
        for section in sections
        if heading_kind(section.title) is HeadingKind.CRITERIA
        for block in _outer_items(section)
    ]
    constraints = [
        Constraint(text=block.text, line=block.line_start)
        for section in sections
        if _CONSTRAINTS.match(section.title)
        for block in _outer_items(section)
    ]
    known = [(s.line, s.end) for s in sections if s.level and _KNOWN.match(s.title)]
    return Reading(
        title=title_of(sections),
        drafts=tuple(drafts),
        constraints=tuple(constraints),
        context=(*context_of(source, sections), *known),
    )


def _outer_items(section: Section) -> Sequence[Block]:
    return [b for b in section.blocks if b.kind is BlockKind.ITEM and b.indent <= 1]


def _draft(source: Source, section: Section, block: Block) -> Draft:
    nested = section.between(block.line_end, block.extent_end)
    told = grouped(nested)
    text = _BOX.sub("", block.text)
    return Draft(
        title=first_words(text),
        statement="\n".join([text, *(f"- {b.text}" for b in nested if not told)]),
        scenarios=told,
        line_start=block.line_start,
        line_end=last_line(source, block.line_start, block.extent_end),
    )
