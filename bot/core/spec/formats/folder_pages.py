"""The page of a Kiro or spec-kit folder that is not in their form: its scope, or its boxes by phase.

Only where nothing else was read: the place alone says that it asks for something.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from bot.core.spec.drafts import Draft, Reading
from bot.core.spec.formats.openspec import context_of, title_of
from bot.core.spec.formats.phases import by_phase
from bot.core.spec.formats.prose_items import BOX, item_draft, outer_items, plain_functions
from bot.core.spec.formats.prose_words import INTRODUCES, NOT_A_FEATURE
from bot.core.spec.outline import Section, below_one_title, outline
from bot.core.spec.reading import Source
from bot.core.spec.scenario_steps import opens_step
from bot.core.spec.stories import attached, stories_of
from bot.core.spec.triage.words import HeadingKind, heading_kind, is_future, trail_kind

_BOXES_MIN = 3
_SCOPE = re.compile(
    r"^\W*(?:(?:what(?:['’]s| is) )?in[- ]scope|scope|im umfang|umfang|alcance|dentro del alcance|périmètre|escopo|范围|範圍|スコープ)\W*$",
    re.IGNORECASE,
)
_ASKED = (HeadingKind.OTHER, HeadingKind.FEATURES, HeadingKind.REQUIREMENTS)


def read(source: Source) -> Reading:
    sections = below_one_title(outline(source))
    found = _in_scope(source, sections) or plain_functions(source, sections)
    found = found or _boxes(source, sections)
    drafts = by_phase(found, sections)
    drafts, stories = attached(drafts, stories_of(source, sections, drafts), source.visible)
    return Reading(
        title=title_of(sections),
        drafts=drafts,
        stories=stories,
        context=context_of(source, sections),
    )


def _in_scope(source: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    """What a page without ids and stories lists as its scope; else as its criteria, if these are no examples."""
    items = tuple(outer_items(sections))
    scope = [(s, block) for s, block in items if _SCOPE.match(s.title)]
    criteria = [(s, b) for s, b in items if heading_kind(s.title) is HeadingKind.CRITERIA]
    if any(opens_step(block.text) for _, block in criteria):
        criteria = []
    return tuple(replace(item_draft(source, *of), domain="") for of in scope or criteria)


def _boxes(source: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    found: list[Draft] = []
    for section in sections:
        is_beside = any(
            NOT_A_FEATURE.search(title) or INTRODUCES.match(title) or is_future(title)
            for title in section.titles[1:]
        )
        if is_beside or trail_kind(section.titles) not in _ASKED:
            continue
        items = [block for _, block in outer_items([section])]
        if all(BOX.match(block.text) for block in items):
            found += [item_draft(source, section, block) for block in items]
    return tuple(found) if len(found) >= _BOXES_MIN else ()
