"""Endpoints (`POST /orders`) as headings or items: on a page of them, each is a requirement."""

import re
from collections.abc import Sequence

from bot.core.spec.drafts import Draft
from bot.core.spec.formats.criteria import criteria_of
from bot.core.spec.formats.openspec import last_line
from bot.core.spec.formats.prose_items import item_draft, outer_items
from bot.core.spec.formats.prose_words import NOT_A_FEATURE, RULES
from bot.core.spec.outline import Section
from bot.core.spec.reading import Source

_ENDPOINT = re.compile(
    r"^(?:\d{1,3}(?:\.\d{1,3}){0,4}[.)]?\s+)?[`*\[]{0,4}(?:GET|POST|PUT|PATCH|DELETE)[`*\]]{0,4}\s+[`*]{0,4}/"
)
_ENDPOINTS_MIN = 3


def endpoints(source: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    """With the items of its chapters of rules. Few among other lists are a part of a design."""
    drafts: list[Draft] = []
    others = 0
    for at, section in enumerate(sections):
        is_inside = drafts and section.line <= drafts[-1].line_end
        if is_inside or any(NOT_A_FEATURE.search(title) for title in section.titles[1:]):
            continue
        if _ENDPOINT.match(section.title):
            drafts.append(_headed(source, sections, at))
            continue
        items = [(s, block) for s, block in outer_items([section])]
        told = [item_draft(source, s, b) for s, b in items if _ENDPOINT.match(b.text)]
        is_rules = section.level > 1 and RULES.search(section.title) is not None
        drafts += [item_draft(source, s, b) for s, b in items] if is_rules else told
        others += bool(items) and not (told or is_rules)
    found = [draft for draft in drafts if _ENDPOINT.match(draft.title)]
    is_page = len(found) >= _ENDPOINTS_MIN and others <= len({draft.domain for draft in found})
    return tuple(drafts) if is_page else ()


def _headed(source: Source, sections: Sequence[Section], at: int) -> Draft:
    section = sections[at]
    end = last_line(source, section.line, section.end)
    return Draft(
        title=section.title,
        statement=source.shown_text(section.line + 1, end).strip() or section.title,
        scenarios=criteria_of(sections, at, end),
        domain=section.trail[-1] if section.trail else "",
        line_start=section.line,
        line_end=end,
    )
