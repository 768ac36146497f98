"""User stories and acceptance tables: scenarios that belong to no single requirement.

A story and a requirement are joined if exactly one of either side names the other: the requirement
gets the story's scenarios and priority. All others stay stories. Similarity does not count.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace

from bot.core.spec.columns import ACCEPTANCE
from bot.core.spec.done_marks import is_done_line
from bot.core.spec.drafts import Draft, first_words
from bot.core.spec.formats.criteria import (
    criteria_after,
    criteria_below_label,
    fenced_scenarios,
    is_criteria_label,
)
from bot.core.spec.formats.openspec import last_line
from bot.core.spec.formats.prose_words import NOT_A_FEATURE, STORY
from bot.core.spec.id_cells import ID
from bot.core.spec.outline import Block, BlockKind, Section
from bot.core.spec.priorities import normal_priority, priority_in
from bot.core.spec.reading import Source
from bot.core.spec.scenario_steps import criterion, grouped, opens_step, scenario_of_text
from bot.core.spec.step_words import StepKind
from bot.core.spec.story_names import STORY_NAME
from bot.core.spec.triage.words import HeadingKind, halfwidth, heading_kind
from bot.core.values.spec_model import Scenario, Story

_STORY = re.compile(
    rf"^(?:[^\w\s]{{1,3}}\s++)?(?:{STORY_NAME}|US|HU|S(?=\d+\.\d))"
    r"\s*+-?+\s*+#?+\s*+((?:[A-Z][A-Z0-9]{0,9}-[A-Z]{0,2})?\d+(?:\.\d+)*)\b",
    re.IGNORECASE,
)

# What groups stories: `## Epic 2: Reservations`, `## Phase 1`.
_BOX = re.compile(r"^\[[ xX~-]?\]\s+")
_EPIC = re.compile(
    r"^\W*+(?:epic|épica|épico|épopée|epos|эпик|史诗|エピック|에픽|phase|fase|фаза|阶段|milestone|sprint|feature)\b\s*+#?+\s*+"
    r"(?:\d|[IVX]|[:：–—-])",
    re.IGNORECASE,
)
# What stands beside criteria in their chapter.
_NO_CRITERIA = (HeadingKind.OUT_OF_SCOPE, HeadingKind.CHECKLIST, HeadingKind.TRACE)
_TEST_DATA = re.compile(
    r"^\W*(?:(?:test|sample|example|input) data|données (?:d['’](?:essai|entrée)|de test)|(?:test|eingabe|beispiel)daten|datos de (?:prueba|entrada)|"
    r"dados de (?:teste|entrada)|dati di (?:prova|ingresso)|(?:тестовые|входные) данные|dane (?:testowe|wejściowe)|测试数据|テストデータ|테스트 ?데이터)\W*$",
    re.IGNORECASE,
)
_WITH_ID = re.compile(rf"^[*_`\[]{{0,3}}({ID})(?![\w-])[*_`\]]{{0,3}}\s*[:：.)–—-]?\s*(.*)$")
_LABEL = re.compile(
    r"^.*?\d+(?:\.\d+)*\s*[:：.)–—-]*\s*|(?:(?<!\s)\s++)?[(（](?:priority|priorité|prioridad|优先级|優先級|優先度|優先順[序位])[^)）]{0,200}+[)）]",
    re.IGNORECASE,
)


def story_id(title: str) -> str | None:
    """`2.1` or `BK-3`, without leading zeros, of a title such as *Story 2.1: …*."""
    found = _STORY.match(halfwidth(title))
    return re.sub(r"^0+(?=\d)", "", found.group(1)) if found else None


def stories_of(
    source: Source, sections: Sequence[Section], drafts: Sequence[Draft]
) -> tuple[Story, ...]:
    """Stories and acceptance tables outside the lines of the requirements."""
    owned = {n for d in drafts for n in range(d.line_start, d.line_end + 1)}
    starts = sorted(d.line_start for d in drafts)
    listed = _trails_of_lists(sections, starts)
    found: list[Story] = []
    position = 0
    while position < len(sections):
        section = sections[position]
        below = [section]
        if story_id(section.title) and section.level:
            while position + len(below) < len(sections):
                other = sections[position + len(below)]
                if other.level <= section.level:
                    break
                below.append(other)
        position += len(below)
        scenarios = [
            s
            for part in below
            for s in _scenarios_of(part, starts)
            or _fenced(source, part)
            or _of_lists_beside(part, listed)
            if s.line_start not in owned
        ]
        if scenarios:
            found.append(
                Story(
                    title=section.title,
                    priority=priority_of(section.title),
                    scenarios=tuple(scenarios),
                    line_start=max(section.line, 1),
                    line_end=max(below[-1].body_end, section.line, 1),
                )
            )
    return tuple(found)


def story_drafts(source: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    """Each story as a requirement, for documents without other requirements."""
    drafts = []
    epics = {s.line: _epic_above(s.trail) for s in sections if s.trail}
    for story in stories_of(source, sections, ()):
        number = story_id(story.title)
        if number is None:
            continue
        first = min(s.line_start for s in story.scenarios)
        statement = source.shown_text(story.line_start + 1, first - 1).strip()
        drafts.append(
            Draft(
                title=_LABEL.sub("", story.title).strip() or story.title,
                statement=statement or story.title,
                source_id=number,
                scenarios=story.scenarios,
                domain=epics.get(story.line_start, ""),
                priority=story.priority,
                line_start=story.line_start,
                line_end=last_line(source, story.line_start, story.line_end),
            )
        )
    return tuple(drafts)


def stories_in_lists(source: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    """`- **Story 1.1: Search**` with its text below it, where epics list their stories."""
    drafts = []
    for section in sections:
        epic = _epic_above(section.titles)
        if not epic:
            continue
        done = any(is_done_line(b.text) for b in section.blocks if b.kind is BlockKind.PARAGRAPH)
        for block in section.blocks:
            text = block.text.replace("**", "")
            number = story_id(text) if block.kind is BlockKind.ITEM and not block.indent else None
            if number is None or "." not in number:
                continue
            end = last_line(source, block.line_start, block.extent_end)
            inner = section.between(block.line_start, end)
            said = _LABEL.sub("", text.split("\n")[0]).strip() or text
            drafts.append(
                Draft(
                    title=first_words(re.split(r"\s[–—-]\s", said)[0]),
                    statement="\n".join([said, *(f"- {b.text}" for b in inner)]),
                    source_id=number,
                    scenarios=_below_label(inner) or grouped(inner),
                    domain=epic,
                    line_start=block.line_start,
                    line_end=end,
                    is_done=done,
                )
            )
    return tuple(drafts) if len({draft.source_id for draft in drafts}) == len(drafts) > 1 else ()


def _below_label(inner: Sequence[Block]) -> tuple[Scenario, ...]:
    """The items below the point `Acceptance Criteria:` of a story in a list; none if they are steps."""
    at = next((n for n, b in enumerate(inner) if is_criteria_label(b.text.split("\n")[0])), None)
    if at is None:
        return ()
    items = [b for b in inner[at + 1 :] if b.kind is BlockKind.ITEM]
    items = [b for b in items if b.indent > inner[at].indent]
    if any(opens_step(b.text) for b in items):
        return ()
    return tuple(criterion("", _BOX.sub("", b.text), b.line_start, b.extent_end) for b in items)


def _epic_above(titles: Sequence[str]) -> str:
    """The nearest heading that groups stories; a heading that only says `Stories` stands between."""
    return next((title for title in reversed(titles[-2:]) if _EPIC.match(title)), "")


def attached(
    drafts: tuple[Draft, ...], stories: tuple[Story, ...], source_lines: Sequence[str]
) -> tuple[tuple[Draft, ...], tuple[Story, ...]]:
    """Requirements with the scenarios of the stories that name them, and the other stories."""
    by_id: dict[str | None, int] = {d.source_id: n for n, d in enumerate(drafts)}
    result = list(drafts)
    kept = []
    for story in stories:
        owner = _owner(story, drafts, by_id, source_lines)
        if owner is None:
            kept.append(story)
            continue
        draft = result[owner]
        result[owner] = replace(
            draft,
            scenarios=(*draft.scenarios, *story.scenarios),
            priority=draft.priority or story.priority,
        )
    return tuple(result), tuple(kept)


def with_unmapped(
    drafts: tuple[Draft, ...],
    stories: tuple[Story, ...],
    source: Source,
    sections: Sequence[Section],
    *,
    is_mapped: bool,
) -> tuple[tuple[Draft, ...], tuple[Story, ...]]:
    """Stories of epics (`2.1`) with criteria are asked for, too: what is listed above them is not all.

    A page that has far more requirements than stories, and no map of epics, tells in its requirements what
    is to be built.
    """
    starts = {story.line_start for story in stories if "." in (story_id(story.title) or "")}
    own = tuple(d for d in story_drafts(source, sections) if d.line_start in starts)
    own = own or stories_in_lists(source, sections)
    if len(own) < 2 or len({d.domain for d in own}) < 2:
        return drafts, stories
    if 2 * len(own) < len(drafts) and not is_mapped:
        return drafts, stories
    taken = {draft.line_start for draft in own}
    told = sorted((*drafts, *own), key=lambda draft: draft.line_start)
    return tuple(told), tuple(s for s in stories if s.line_start not in taken)


def _owner(
    story: Story,
    drafts: Sequence[Draft],
    by_id: dict[str | None, int],
    source_lines: Sequence[str],
) -> int | None:
    text = "\n".join(source_lines[story.line_start - 1 : story.line_end])
    named = {
        by_id[i]
        for i in re.findall(r"[A-Z][A-Z0-9]{0,30}(?:-[A-Z0-9]{1,30}){0,5}(?<=\d)[a-z]?", text)
        if i in by_id
    }
    number = story_id(story.title)
    if number and not named:
        mention = re.compile(
            rf"\b(?:US|User Story)[ -]?0*{re.escape(number)}\b(?!\.\d)", re.IGNORECASE
        )
        named = {n for n, d in enumerate(drafts) if mention.search(d.statement)}
    return next(iter(named)) if len(named) == 1 else None


def _scenarios_of(section: Section, starts: Sequence[int]) -> tuple[Scenario, ...]:
    """`starts` are the first lines of requirements, in order: a list of them may have common criteria."""
    label = next((b for b in section.blocks if is_criteria_label(b.text.split("\n")[0])), None)
    first = bisect_right(starts, section.line)
    if label and first < len(starts) and starts[first] < label.line_start:
        return criteria_below_label(section, label, section.body_end)
    titles = (*section.trail, section.title)
    is_judged = heading_kind(section.title) is HeadingKind.CRITERIA
    is_whole = bool(starts) and _is_of_the_page(section)
    if is_whole and (named := _criterion_of_heading(section)):
        return (named,)
    # Where each line is a whole example, one may have no WHEN.
    if is_judged and _are_whole(section) and (whole := _of_the_whole(section)):
        return whole
    told = grouped(section.blocks)
    if told:
        return told
    if label and story_id(section.title):
        return criteria_below_label(section, label, section.body_end)
    in_story = any(story_id(t) for t in section.trail)
    if heading_kind(section.title) is HeadingKind.CRITERIA and in_story and section.blocks:
        head = section.blocks[0]
        return criteria_after(
            section, replace(head, line_end=head.line_start - 1), section.body_end
        )
    is_beside = heading_kind(section.title) in _NO_CRITERIA
    if not is_beside and any(heading_kind(t) is HeadingKind.CRITERIA for t in titles):
        rows = tuple(_row_scenario(b) for b in section.blocks if _is_case(b))
        return rows or (_of_the_whole(section) if is_whole else ())
    return tuple(filter(None, map(_accepted, section.blocks)))


def _trails_of_lists(
    sections: Sequence[Section], starts: Sequence[int]
) -> frozenset[tuple[str, ...]]:
    """The headings above sections with a requirement in their text; not those of the page itself."""
    return frozenset(
        section.trail
        for section in sections
        if len(section.trail) > 1
        and bisect_right(starts, section.line) < bisect_right(starts, section.body_end)
    )


def _of_lists_beside(section: Section, listed: frozenset[tuple[str, ...]]) -> tuple[Scenario, ...]:
    """`### Acceptance criteria` beside a list of requirements below one heading is that of the list."""
    is_judged = heading_kind(section.title) is HeadingKind.CRITERIA
    if not is_judged or section.trail not in listed or not section.blocks:
        return ()
    return criteria_after(
        section, replace(section.blocks[0], line_end=section.line), section.body_end
    )


def _accepted(block: Block) -> Scenario | None:
    """What a row with a wish has in its column of acceptance."""
    if len(block.header) != len(block.cells) or not any(map(STORY.match, block.cells)):
        return None
    told = zip(block.header, block.cells, strict=True)
    said = next((cell for name, cell in told if ACCEPTANCE.search(name) and cell), "")
    named = block.cells[0] if re.fullmatch(ID, block.cells[0]) else ""
    return criterion(named, said, block.line_start, block.line_end) if said else None


def _fenced(source: Source, section: Section) -> tuple[Scenario, ...]:
    """What stands in fences of a chapter of criteria."""
    if heading_kind(section.title) is not HeadingKind.CRITERIA:
        return ()
    return fenced_scenarios(source, section.line, section.body_end)


def _are_whole(section: Section) -> bool:
    items = [b for b in section.blocks if b.kind is BlockKind.ITEM and b.indent <= 1]
    return len(items) > 1 and all(opens_step(b.text) is StepKind.GIVEN for b in items)


def _of_the_whole(section: Section) -> tuple[Scenario, ...]:
    """The items of a chapter `Acceptance criteria` of the page, or of its parts: examples of all that it asks for."""
    if not _is_of_the_page(section) or not section.blocks:
        return ()
    head = section.blocks[0]
    if any(b.kind is BlockKind.PARAGRAPH and _TEST_DATA.match(b.text) for b in section.blocks):
        # What goes in and what comes out is one example.
        said = "\n".join(block.text for block in section.blocks)
        return (criterion("", said, head.line_start, section.blocks[-1].line_end),)
    return criteria_after(section, replace(head, line_end=head.line_start - 1), section.body_end)


def _is_of_the_page(section: Section) -> bool:
    """Whether it is a chapter of criteria of the whole page, or a part of one."""
    kinds = [heading_kind(title) for title in section.titles]
    return HeadingKind.CRITERIA in kinds[:2] and not any(
        kind in _NO_CRITERIA or NOT_A_FEATURE.search(title)
        for kind, title in zip(kinds, section.titles, strict=True)
    )


def _criterion_of_heading(section: Section) -> Scenario | None:
    """`### AC-001 Sign in` with its text."""
    found = _WITH_ID.match(section.title)
    if found is None:
        return None
    if steps := grouped(section.blocks):
        return steps[0].replace(name=found[1])
    text = "\n".join(part for part in (found[2], *(b.text for b in section.blocks)) if part)
    return criterion(found[1], text, section.line, section.body_end)


def _is_case(block: Block) -> bool:
    return block.kind is BlockKind.ROW and len(block.cells) >= 2 and all(block.cells[:2])


def _row_scenario(block: Block) -> Scenario:
    """A row of a table of test cases: the action and the expected result."""
    found = scenario_of_text(
        block.cells[0], " | ".join(block.cells), block.line_start, block.line_end
    )
    return found.replace(when=(block.cells[-2],), then=(block.cells[-1],))


def priority_of(title: str) -> str | None:
    """What a heading says of how urgent a story is."""
    found = re.search(r"\b(P[0-9])\b", halfwidth(title))
    return found.group(1) if found else priority_in(title) or normal_priority(title)
