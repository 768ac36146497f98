"""spec-kit: `FR-001` items under Functional Requirements, user stories with the scenarios.

Success criteria, entities and edge cases are not requirements; non-functional items are
constraints. A constitution has only principles: its MUST sentences are constraints. Items may be
bullets, rows or paragraphs.
"""

import re
from collections.abc import Sequence

from bot.core.spec.drafts import Draft, Reading
from bot.core.spec.formats.openspec import context_of, title_of
from bot.core.spec.formats.prose_lists import promised
from bot.core.spec.formats.qualities import qualities
from bot.core.spec.formats.req_id import constraints_of, drafts_of, sorted_items
from bot.core.spec.outline import Section, outline
from bot.core.spec.reading import Source
from bot.core.spec.stories import attached, stories_of, story_drafts
from bot.core.spec.triage.words import modality
from bot.core.values.spec_model import Constraint, Modality

_CONSTITUTION = re.compile(
    r"\b(?:constitution|宪法|конституция|konstytucja|constitución)\b", re.IGNORECASE
)
_KNOWN = re.compile(
    r"^(?:user scenarios|edge cases|key entities|success criteria|measurable outcomes|assumptions|clarifications|session \d|"
    r"overview|dependencies|notes|边界|关键实体|成功标准|假设|边缘)",
    re.IGNORECASE,
)
_GOVERNANCE = re.compile(r"^(?:governance|amendment|version|sync impact)", re.IGNORECASE)


def read(source: Source) -> Reading:
    sections = outline(source)
    title = title_of(sections)
    if _CONSTITUTION.search(title) or source.path.endswith("constitution.md"):
        constraints = _principles(sections)
        context = ((1, len(source.lines)),)
        return Reading(title=title, constraints=constraints, context=context)
    items = sorted_items(source, sections)
    drafts = drafts_of(source, items) or _binding_items(promised(source, sections))
    drafts = drafts or story_drafts(source, sections)
    drafts, stories = attached(drafts, stories_of(source, sections, drafts), source.visible)
    known = [(s.line, s.end) for s in sections if s.level and _KNOWN.match(s.title)]
    return Reading(
        title=re.sub(r"^Feature Spec(?:ification)?\s*+\d*+\s*+[:：]\s*", "", title),
        drafts=drafts,
        findings=items.findings,
        stories=stories,
        constraints=(*constraints_of(items), *qualities(sections, drafts)),
        context=(*context_of(source, sections), *items.context, *known),
    )


def _binding_items(drafts: tuple[Draft, ...]) -> tuple[Draft, ...]:
    """Items without ids, if most of them are binding; otherwise they are notes."""
    binding = [d for d in drafts if modality(d.statement) is not Modality.UNSTATED]
    return drafts if 2 * len(binding) > len(drafts) else ()


def _principles(sections: Sequence[Section]) -> tuple[Constraint, ...]:
    found = []
    for section in sections:
        if any(_GOVERNANCE.match(title) for title in section.titles):
            continue
        for block in section.blocks:
            for sentence in re.split(r"(?<=[.!?。])\s+", " ".join(block.text.split())):
                if modality(sentence) in (Modality.MUST, Modality.MUST_NOT):
                    found.append(Constraint(source_id=None, text=sentence, line=block.line_start))
    return tuple(found)
