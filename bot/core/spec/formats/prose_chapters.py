"""The numbered parts of a page's chapters, each a requirement where the page says nothing firmer."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from bot.core.spec.drafts import Draft, first_words
from bot.core.spec.formats.criteria import criteria_of, label_of
from bot.core.spec.formats.facets import with_facets
from bot.core.spec.formats.groups_by_chapter import is_aspect
from bot.core.spec.formats.openspec import last_line
from bot.core.spec.formats.prose_items import is_no_feature, is_within_chapter
from bot.core.spec.formats.prose_rows import of_functions
from bot.core.spec.formats.prose_words import (
    BOLD_PART,
    EPIC,
    NOT_A_FEATURE,
    ONE_FUNCTION,
    PART,
    PART_NUMBER,
)
from bot.core.spec.line_owners import first_owners
from bot.core.spec.outline import BlockKind, Section
from bot.core.spec.reading import Source
from bot.core.spec.triage.words import HeadingKind, heading_kind, is_future, says_only_requirements

_OF_PARTS = (HeadingKind.OTHER, HeadingKind.FEATURES, HeadingKind.REQUIREMENTS)
_LONG_LISTS = 6
_MANY_PARTS = 12
_BOXES = re.compile(r"^[ \t]*[-*+] \[([ xX])\]", re.MULTILINE)
# A picture of the whole beside its parts.
_DIAGRAM = re.compile(
    r"(?:```|~~~)[ \t]*(?:mermaid|plantuml|puml|dot|graphviz|d2|ascii)\b[^`~]*(?:```|~~~)",
    re.IGNORECASE,
)


def numbered_chapters(source: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    """Numbered parts of a chapter of requirements or functions: headings, or bold `**3.1 …**`."""
    drafts: list[Draft] = []
    chosen = of_functions(sections)
    titles = {PART.sub("", section.title) for section in sections}
    faceted, parents = with_facets(sections), _parents(chosen)
    for position, section in enumerate(chosen):
        if section.level < 2 or is_no_feature(section):
            continue
        if not is_within_chapter(section):
            continue
        # `2.1 Functional requirements` below `2. Requirements` has the parts, and is none.
        is_part = PART.match(section.title) and not says_only_requirements(section.title)
        if is_part and _is_in_chapter(section):
            end = last_line(source, section.line, section.end)
            statement = source.shown_text(section.line + 1, end).strip()
            is_told = bool(statement) and not _DIAGRAM.fullmatch(statement)
            if is_told and (inner := _inner_parts(position, chosen, parents, faceted)):
                drafts += [_whole_part(source, chosen, at) for at in inner]
            elif is_told and not _names_parts(section, titles):
                title = PART.sub("", section.title)
                part = _part(section.trail[-1], title, statement, section.line, end)
                scenarios = criteria_of(chosen, position, end)
                drafts.append(replace(part, scenarios=scenarios))
        elif _is_chapter(section.title):
            drafts += _bold_parts(source, section)
    # `2.1` is a chapter of its own where `2.1.1` is read.
    return tuple(
        draft
        for at, draft in enumerate(drafts)
        if at + 1 == len(drafts) or drafts[at + 1].line_start > draft.line_end
    )


def _parents(sections: Sequence[Section]) -> dict[int, list[int]]:
    """The places of the sections directly below each, by its place."""
    found: dict[int, list[int]] = {}
    above: list[int] = []
    for position, section in enumerate(sections):
        while above and sections[above[-1]].level >= section.level:
            above.pop()
        if above:
            found.setdefault(above[-1], []).append(position)
        above.append(position)
    return found


def _inner_parts(
    position: int,
    sections: Sequence[Section],
    parents: Mapping[int, Sequence[int]],
    faceted: Collection[int],
) -> Sequence[int]:
    """The places of the headings below a part that says nothing itself, and that each name a thing."""
    if sections[position].blocks or sections[position].line in faceted:
        return ()
    inner = parents.get(position, ())
    is_named = all(
        heading_kind(sections[at].title) in (HeadingKind.OTHER, HeadingKind.FEATURES)
        and not is_aspect(sections[at].title)
        and not PART_NUMBER.match(sections[at].title)
        for at in inner
    )
    return inner if is_named else ()


def _whole_part(source: Source, sections: Sequence[Section], at: int) -> Draft:
    section = sections[at]
    end = last_line(source, section.line, section.end)
    statement = source.shown_text(section.line + 1, end).strip()
    title = PART_NUMBER.sub("", section.title) or section.title
    part = _part(section.trail[-1], title, statement or title, section.line, end)
    return replace(part, scenarios=criteria_of(sections, at, end))


def judged_parts(source: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    """The parts of chapters of requirements or functions that have acceptance criteria of their own.

    What is judged by itself is one thing, however its text is laid out.
    """
    below: dict[tuple[str, ...], list[int]] = {}
    for position, section in enumerate(sections):
        below.setdefault(section.trail, []).append(position)
    drafts: list[Draft] = []
    for trail, positions in below.items():
        if not any(_is_chapter(title) for title in trail[1:]):
            continue
        parts = [
            at
            for at in positions
            if sections[at].level > 2
            and heading_kind(sections[at].title) in _OF_PARTS
            and not NOT_A_FEATURE.search(sections[at].title)
            and not is_future(sections[at].title)
        ]
        judged = [
            at
            for at in parts
            if label_of(sections[at])
            or any(
                heading_kind(sections[inner].title) is HeadingKind.CRITERIA
                for inner in below.get(sections[at].titles, ())
            )
        ]
        if len(judged) < 2 or 2 * len(judged) < len(parts):
            continue
        for at in judged:
            section = sections[at]
            end = last_line(source, section.line, section.end)
            statement = source.shown_text(section.line + 1, end).strip()
            part = _part(
                trail[-1], PART_NUMBER.sub("", section.title), statement, section.line, end
            )
            drafts.append(replace(part, scenarios=criteria_of(sections, at, end)))
    return tuple(sorted(drafts, key=lambda draft: draft.line_start))


def whole_parts(
    stated: tuple[Draft, ...], parts: tuple[Draft, ...], *, asides: bool = True
) -> tuple[Draft, ...]:
    """The numbered parts, where what is stated is an aside of few of them."""
    inside = first_owners((part.line_start, part.line_end) for part in parts)
    is_aside = all(draft.line_start in inside for draft in stated)
    homes = {inside[draft.line_start] for draft in stated if draft.line_start in inside}
    few = (asides and len(stated) == 1) or (is_aside and 3 * len(parts) >= 5 * len(homes))
    return parts if stated and parts and few else stated


def parts_told_at_length(found: tuple[Draft, ...], parts: tuple[Draft, ...]) -> tuple[Draft, ...]:
    """The numbered parts, where many have long lists: these say what each part is."""
    if len(parts) < _MANY_PARTS or len(found) <= _LONG_LISTS * len(parts):
        return found
    inside = first_owners((part.line_start, part.line_end) for part in parts)
    return parts if 2 * sum(d.line_start in inside for d in found) > len(found) else found


def named_parts(source: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    """Headings that each name an epic or a function, on a page that says nothing firmer."""
    for pattern in (EPIC, ONE_FUNCTION):
        drafts: list[Draft] = []
        for position, section in enumerate(sections):
            inside = drafts and section.line <= drafts[-1].line_end
            title = PART_NUMBER.sub("", section.title)
            if inside or section.level < 2 or not pattern.search(title):
                continue
            if says_only_requirements(title) or any(
                NOT_A_FEATURE.search(t) or is_future(t) for t in section.titles[1:]
            ):
                continue
            end = last_line(source, section.line, section.end)
            statement = source.shown_text(section.line + 1, end).strip()
            if not statement:
                continue
            boxes = _BOXES.findall(statement)
            part = _part(
                "",
                pattern.sub("", title) if pattern is EPIC else title,
                statement,
                section.line,
                end,
            )
            scenarios = criteria_of(sections, position, end)
            is_done = bool(boxes) and all(box in "xX" for box in boxes)
            drafts.append(replace(part, scenarios=scenarios, is_done=is_done))
        if len(drafts) > 1:
            return tuple(drafts)
    return ()


def _names_parts(section: Section, titles: Collection[str]) -> bool:
    """Whether it is a table that names, in each of its rows, a part that has a heading of its own."""
    rows = [block for block in section.blocks if block.kind is BlockKind.ROW]
    return len(rows) == len(section.blocks) > 1 and all(
        any(cell.strip(" *`") in titles for cell in row.cells) for row in rows
    )


def _is_in_chapter(section: Section) -> bool:
    """Whether only numbered parts stand between it and a chapter of requirements or functions."""
    outer = section.trail[1:]
    above = next((t for t in reversed(outer) if not PART.match(t)), "")
    # `2. Loans` below `Core features` counts its parts as 2.1 and 2.2.
    group = next((t for t in reversed(outer) if not PART_NUMBER.match(t)), "")
    counted = (
        group if PART.match(section.title) and _counts(section.trail[-1], section.title) else ""
    )
    return (
        any(_is_chapter(t) for t in (section.trail[-1], above, counted)) and len(section.trail) > 1
    )


def _counts(group: str, part: str) -> bool:
    """Whether a part has the number of its group before its own."""
    numbers = PART_NUMBER.match(group), PART_NUMBER.match(part)
    if not all(numbers):
        return False
    outer, inner = (found[0].strip(" .)(（）") for found in numbers if found)
    return inner.startswith(f"{outer}.")


def _is_chapter(title: str) -> bool:
    return heading_kind(title) in (HeadingKind.REQUIREMENTS, HeadingKind.FEATURES)


def _bold_parts(source: Source, section: Section) -> list[Draft]:
    starts = [b for b in section.blocks if BOLD_PART.match(b.text)]
    ends = [*(b.line_start - 1 for b in starts), section.body_end][1:]
    drafts = []
    for block, until in zip(starts, ends, strict=True):
        found = BOLD_PART.match(block.text)
        end = last_line(source, block.line_start, until)
        rest = source.shown_text(block.line_end + 1, end).strip()
        title = (found["title"] or "").strip(" :：.") if found else ""
        first = block.text[found.end() :].strip(" :：–—-") if found else block.text
        statement = "\n\n".join(part for part in (first, rest) if part)
        said = title or first_words(statement)
        drafts.append(_part(section.title, said, statement or title, block.line_start, end))
    return drafts


def _part(domain: str, title: str, statement: str, line_start: int, line_end: int) -> Draft:
    return Draft(
        title=title,
        statement=statement,
        domain=domain,
        line_start=line_start,
        line_end=line_end,
    )
