"""Product requirement documents: functional ids in any language, else user stories, else lists.

Goals, personas, metrics, timelines and open questions are not requirements; non-functional ids are
constraints on every change. Stories with acceptance criteria have scenarios.
"""

from dataclasses import replace

from bot.core.spec.drafts import Reading
from bot.core.spec.formats.epics import epics_of, put_off_in_map
from bot.core.spec.formats.openspec import context_of, title_of
from bot.core.spec.formats.prose import drafts_in
from bot.core.spec.formats.qualities import qualities
from bot.core.spec.formats.req_id import constraints_of, sorted_items
from bot.core.spec.outline import below_one_title, outline
from bot.core.spec.priorities import LATER
from bot.core.spec.reading import Source
from bot.core.spec.stories import attached, stories_of, with_unmapped


def read(source: Source) -> Reading:
    sections = below_one_title(outline(source))
    items = sorted_items(source, sections)
    drafts = drafts_in(source, sections, items)
    epics = epics_of(source)
    later = put_off_in_map(source)
    drafts = tuple(replace(d, priority=LATER) if d.source_id in later else d for d in drafts)
    found = stories_of(source, sections, drafts)
    drafts, left = with_unmapped(drafts, found, source, sections, is_mapped=bool(epics))
    drafts, stories = attached(drafts, left, source.visible)
    if epics:
        # A story that gave its scenarios away is still a part of its epic.
        stories = tuple(s if s in stories else s.replace(scenarios=()) for s in left)
    return Reading(
        title=title_of(sections),
        drafts=drafts,
        findings=items.findings,
        stories=stories,
        constraints=(*constraints_of(items), *qualities(sections, drafts)),
        context=(*context_of(source, sections), *items.context),
        epics=epics,
    )
