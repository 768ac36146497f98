"""Paragraphs that count what is to be built in bold: `**A. Trail markers.** Each has a number.`"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from bot.core.spec.drafts import Draft
from bot.core.spec.formats.asides import is_aside
from bot.core.spec.formats.openspec import last_line
from bot.core.spec.formats.prose_words import ATTRIBUTE
from bot.core.spec.line_owners import first_owners
from bot.core.spec.outline import Block, BlockKind, Section
from bot.core.spec.reading import Source
from bot.core.spec.scenario_steps import grouped
from bot.core.spec.triage.words import HeadingKind, trail_kind

_UNIT = re.compile(
    r"^\*\*[(（]?(?P<mark>[A-Za-z]|\d{1,2})(?:[.)）:：、]|\s?[–—-])\s?(?=[^\W\d_]|[\"'“`(])"
    r"(?P<title>[^*\n]{2,120}?)[.:：]?\*\*"
)
# Where nothing is called required, the answer to the problem says what is built.
_SOLUTION = re.compile(
    r"^\W*(?:\d+(?:\.\d+)*[.)]?\s+)?(?:(?:the )?(?:proposed |our )?solution|what (?:we|i)(?:['’]re| are)? (?:going to )?build(?:ing)?|"
    r"what to build|(?:product )?components|lösung(?:sansatz)?|(?:la )?solution(?: proposée)?|(?:la )?solución(?: propuesta)?|"
    r"(?:a )?solução(?: proposta)?|(?:la )?soluzione(?: proposta)?|решение|предлагаемое решение|rozwiązanie|"
    r"解决方案|方案|解決策|ソリューション|해결 ?방안|솔루션)\W*$",
    re.IGNORECASE,
)
_ASKED = (HeadingKind.REQUIREMENTS, HeadingKind.FEATURES)
_LEAST = 2


def bold_units(source: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    """One requirement each, with all that follows it, below a heading that asks for something.

    Titles that come again, or say what kind of text follows, tell of the thing that the heading names.
    """
    found = [list(_units(source, section)) for section in sections if _asks(section)]
    seen = Counter(unit.title for own in found for unit in own)
    return tuple(
        unit
        for own in found
        if not any(seen[one.title] > 1 or ATTRIBUTE.fullmatch(one.title) for one in own)
        for unit in own
    )


def beside_units(
    drafts: tuple[Draft, ...], units: Sequence[Draft], sections: Sequence[Section]
) -> tuple[Draft, ...]:
    """With the units of each chapter of which anything is read, but of sections with other things that are."""
    homes = first_owners((s.line, s.body_end) for s in sections)
    counting = {sections[homes[unit.line_start]].line for unit in units}
    others = [d for d in drafts if d.line_start not in counting]
    read = {homes[d.line_start] for d in others if d.line_start in homes}
    chapters = {sections[homes[d.line_start]].titles[:2] for d in drafts if d.line_start in homes}
    found = [
        unit
        for unit in units
        if (at := homes[unit.line_start]) not in read
        if sections[at].titles[:2] in chapters
    ]
    return tuple(sorted((*others, *found), key=lambda draft: draft.line_start))


def _asks(section: Section) -> bool:
    kind = trail_kind(section.titles)
    is_solution = kind is HeadingKind.OTHER and any(_SOLUTION.match(t) for t in section.titles[1:])
    return (kind in _ASKED or is_solution) and not is_aside(section)


def _units(source: Source, section: Section) -> Iterator[Draft]:
    counted = list(_counted(section.blocks))
    if len(counted) < _LEAST:
        return
    ends = [*(block.line_start - 1 for block, _ in counted), section.body_end][1:]
    for (block, title), until in zip(counted, ends, strict=True):
        end = last_line(source, block.line_start, until)
        rest = source.shown_text(block.line_end + 1, end).strip()
        first = _UNIT.sub("", block.text, count=1).strip(" :：–—-\n")
        yield Draft(
            title=title,
            statement="\n\n".join(part for part in (first, rest) if part) or title,
            scenarios=grouped(section.between(block.line_start, end)),
            domain=section.title,
            line_start=block.line_start,
            line_end=end,
        )


def _counted(blocks: Sequence[Block]) -> Iterator[tuple[Block, str]]:
    """Those that count from A, a or 1 on without a gap."""
    expected = ""
    for block in blocks:
        found = _UNIT.match(block.text) if block.kind is BlockKind.PARAGRAPH else None
        if found is None:
            continue
        mark = found["mark"]
        if mark != expected and mark not in ("A", "a", "1"):
            return
        yield block, found["title"].strip()
        expected = str(int(mark) + 1) if mark.isdigit() else chr(ord(mark) + 1)
