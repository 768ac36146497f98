"""Lines that say themselves that they are requirements, and their number: `Requirement 7: …`."""

import re
from collections.abc import Iterator, Sequence

from bot.core.spec.drafts import Draft, first_words
from bot.core.spec.formats.openspec import last_line
from bot.core.spec.formats.prose_words import NOT_A_FEATURE, TESTING
from bot.core.spec.outline import Block, BlockKind, Section
from bot.core.spec.reading import Source
from bot.core.spec.scenario_steps import grouped
from bot.core.spec.triage.words import HeadingKind, halfwidth, says_only_requirements, trail_kind

_CALLED = re.compile(
    r"^[*_]{0,2}(?:(?:functional |system |user )?requirement|(?:funktionale )?anforderung|exigence(?: fonctionnelle)?|"
    r"(?:requisito|requerimiento)(?: funcional)?|requisito(?: funzionale)?|wymaganie|требование|vaatimus|krav|eis|"
    r"(?:功能)?(?:需求|要求)|(?:機能)?要件|(?:기능 ?)?요구 ?사항)\s?+(?:no\.? ?|nr\.? ?|#)?(\d{1,3})[*_]{0,2}\s?+[:).–—-]\s?+[*_]{0,2}\s?+(?=\S)",
    re.IGNORECASE,
)
_LEFT_OUT = (HeadingKind.OUT_OF_SCOPE, HeadingKind.TRACE, HeadingKind.CHECKLIST)


def called_requirements(source: Source, sections: Sequence[Section]) -> tuple[Draft, ...]:
    """Two such lines or more; without an id where a number comes again."""
    found = [
        (section, line, number, text, end)
        for section in sections
        if trail_kind(section.titles) not in _LEFT_OUT
        and not any(NOT_A_FEATURE.search(t) or TESTING.match(t) for t in section.titles[1:])
        for block in section.blocks
        for line, number, text, end in _lines(source, block)
    ]
    numbers = [number for _, _, number, _, _ in found]
    if len(found) < 2:
        return ()
    is_own = len(set(numbers)) == len(numbers)
    return tuple(
        Draft(
            title=first_words(text),
            statement=text,
            source_id=number if is_own else None,
            scenarios=grouped(section.between(line, end)),
            domain=_domain(section),
            line_start=line,
            line_end=end,
        )
        for section, line, number, text, end in found
    )


def _lines(source: Source, block: Block) -> Iterator[tuple[int, str, str, int]]:
    """Line, number, text and last line of each; what follows within a paragraph belongs to it."""
    if block.kind is BlockKind.ITEM:
        if found := _CALLED.match(halfwidth(block.text)):
            end = last_line(source, block.line_start, block.extent_end)
            yield block.line_start, found[1], block.text[found.end() :], end
        return
    if block.kind is not BlockKind.PARAGRAPH:
        return
    lines = block.text.split("\n")
    starts = [
        (at, found) for at, text in enumerate(lines) if (found := _CALLED.match(halfwidth(text)))
    ]
    ends = [*(at for at, _ in starts), len(lines)][1:]
    for (at, found), until in zip(starts, ends, strict=True):
        text = "\n".join((lines[at][found.end() :], *lines[at + 1 : until]))
        yield block.line_start + at, found[1], text, block.line_start + until - 1


def _domain(section: Section) -> str:
    """The innermost heading that says more than that requirements follow."""
    return next((t for t in reversed(section.titles[1:]) if not says_only_requirements(t)), "")
