"""The structure of Markdown: headings with their lists, tables, quotes and paragraphs.

For reading requirements, not for rendering: every block has its first and last line, lists keep
their indentation, tables their header. Setext headings count only if the caller asks for them.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum

from bot.core.spec.columns import names_columns
from bot.core.spec.heading_numbers import (
    NUMBERED_LINE,
    Head,
    by_number,
    depth_of,
    heading_title,
    with_parts,
)
from bot.core.spec.html_tables import html_rows, opens_table
from bot.core.spec.reading import Source
from bot.core.spec.triage.words import HeadingKind, heading_kind

_HEADING = re.compile(
    r"^ {0,3}(#{1,6})(?:[ \t]+|(?=(?:requirement|scenario)\b))(.*)",
    re.IGNORECASE,
)
_ITEM = re.compile(
    r"^(\s*)([-*+•]|\d{1,9}(?:\.\d{1,4})*[.)、]|\d{1,4}(?:\.\d{1,4})+|\(\d{1,4}\))(\s+)(\S.*)$"
)
_RULE = re.compile(r"^\s*(?:-\s*){3,}$|^\s*(?:\*\s*){3,}$|^\s*(?:_\s*){3,}$")
_DELIMITER = re.compile(r"^\s*+\|?\s*+:?-++:?\s*+(?:\|\s*+:?-++:?\s*+)*+\|?\s*+$")
_BOLD_LINE = re.compile(r"^\*\*([^*\n]{2,80})\*\*\s*+[:：]?\s*+$")
_BOLD_ID = re.compile(r"\[?[A-Z][A-Z0-9]{0,15}(?:-[A-Z0-9]{1,16}){0,4}?-?\d")
# `GDD-002：Loops` at the margin begins something new, also directly below a list.
_ID_LINE = re.compile(r"[A-Z]{2,8}-\d{1,4}\s?[:：]\s?\S")
_SETEXT = re.compile(r"^ {0,3}(=+|-{2,})[ \t]*$")


class BlockKind(StrEnum):
    ITEM = "item"
    ROW = "row"
    QUOTE = "quote"
    PARAGRAPH = "paragraph"


_ASKING = (HeadingKind.REQUIREMENTS, HeadingKind.FEATURES)
# Two headings of the first level may be a title and an appendix.
_CHAPTERS_MIN = 4


@dataclass(frozen=True, slots=True)
class Block:
    """A list item (without its nested items), a table row, a quote or a paragraph.

    `extent_end` is the last line of the block with everything nested in it.
    """

    kind: BlockKind
    text: str
    line_start: int
    line_end: int
    extent_end: int
    indent: int = 0
    marker: str = ""
    cells: tuple[str, ...] = ()
    header: tuple[str, ...] = ()

    @property
    def is_numbered(self) -> bool:
        return self.marker[:1] in "(0123456789" and bool(self.marker)


def _first_line(block: Block) -> int:
    return block.line_start


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and its blocks, up to the next heading of any level.

    Level 0 is the text above the first heading. `end` is the last line of the section with its
    subsections; `body_end` the last line before the next heading. `trail` holds the titles of the
    headings around it, outermost first.
    """

    level: int
    title: str
    line: int
    body_end: int
    end: int
    trail: tuple[str, ...]
    blocks: tuple[Block, ...] = ()

    @property
    def titles(self) -> tuple[str, ...]:
        """The outer titles, then its own."""
        return (*self.trail, self.title)

    def between(self, after: int, until: int) -> tuple[Block, ...]:
        """The blocks that begin after line `after`, up to line `until`."""
        first = bisect_right(self.blocks, after, key=_first_line)
        return self.blocks[first : bisect_right(self.blocks, until, key=_first_line)]


def outline(source: Source) -> tuple[Section, ...]:
    """In line order; ATX headings only, and in a text without any its numbered lines (`4.1 Users`)."""
    atx = by_number(with_parts(source.visible, list(_atx_headings(source))))
    heads = atx or _numbered_lines(source)
    return _sections(source, heads or _bold_lines(source))


def below_one_title(sections: tuple[Section, ...]) -> tuple[Section, ...]:
    """Where chapters have the level of the title, the title stands above them all.

    Many have it, or one that says that requirements or functions follow.
    """
    tops = [section for section in sections if section.level == 1]
    if not tops:
        return _below_no_title(sections)
    is_said = any(heading_kind(section.title) in _ASKING for section in tops[1:])
    if len(tops) < _CHAPTERS_MIN and not is_said:
        return sections
    title = tops[0]
    return tuple(
        section
        if section.line <= title.line
        else replace(
            section,
            level=section.level + 1,
            trail=section.trail
            if section.trail[:1] == (title.title,)
            else (title.title, *section.trail),
        )
        for section in sections
    )


def _below_no_title(sections: tuple[Section, ...]) -> tuple[Section, ...]:
    """A page that begins with its chapters has a title without words above them."""
    headed = [section for section in sections if section.level]
    outer = min((section.level for section in headed), default=0)
    chapters = [section for section in headed if section.level == outer]
    is_said = any(heading_kind(section.title) in _ASKING for section in chapters[1:])
    if len(chapters) < _CHAPTERS_MIN and not is_said:
        return sections
    return tuple(
        replace(section, trail=("", *section.trail)) if section.level else section
        for section in sections
    )


def outline_with_setext(source: Source) -> tuple[Section, ...]:
    """Like `outline`, with Setext headings too."""
    heads = [*_atx_headings(source), *_setext_headings(source)]
    return _sections(source, sorted(heads, key=lambda h: h.line))


def headings(source: Source) -> Iterator[tuple[int, str]]:
    """Level and title of every ATX heading, in line order; faster than `outline`."""
    return ((head.level, head.title) for head in _atx_headings(source))


def split_cells(row: str) -> tuple[str, ...]:
    r"""`\|` is a pipe inside a cell."""
    text = row.strip()
    text = text.removeprefix("|")
    if text.endswith("|") and not text.endswith("\\|"):
        text = text[:-1]
    cells = re.split(r"(?<!\\)\|", text)
    return tuple(cell.replace("\\|", "|").strip() for cell in cells)


def _atx_headings(source: Source) -> Iterator[Head]:
    for line, text in enumerate(source.visible, 1):
        if "#" not in text[:4]:
            continue
        found = _HEADING.match(text)
        title = heading_title(found.group(2)) if found else ""
        if found and title:
            yield Head(len(found.group(1)), title, line, line + 1)


def _setext_headings(source: Source) -> Iterator[Head]:
    lines = source.visible
    for index in range(1, len(lines)):
        found = _SETEXT.match(lines[index])
        if not found:
            continue
        above = lines[index - 1]
        is_text = (
            above.strip() and not above.startswith(("    ", "\t")) and not _starts_block(above)
        )
        if is_text and not _HEADING.match(above):
            level = 1 if found.group(1)[0] == "=" else 2
            yield Head(level, heading_title(above), index, index + 2)


def _numbered_lines(source: Source) -> list[Head]:
    """Lines of their own that number chapters and their parts, as programs write them that know no marks."""
    lines = ["", *source.visible, ""]
    heads: list[Head] = []
    for line in range(1, len(lines) - 1):
        found = NUMBERED_LINE.match(lines[line]) if lines[line][:1].isdigit() else None
        if found and not lines[line - 1].strip() and not lines[line + 1].strip():
            heads.append(Head(found[1].count(".") + 2, heading_title(found[0]), line, line + 1))
    return heads if sum(head.level > 2 for head in heads) >= _CHAPTERS_MIN else []


def _bold_lines(source: Source) -> list[Head]:
    """Lines of their own in bold, as people write chapters who use no marks for them.

    A page on which ids stand in bold has items there, and no chapters.
    """
    lines = ["", *source.visible]
    heads: list[Head] = []
    is_numbered = False
    for line in range(1, len(lines)):
        found = None if lines[line - 1].strip() else _BOLD_LINE.match(lines[line])
        if not found:
            continue
        if _BOLD_ID.match(found[1]):
            return []
        depth = depth_of(found[1])
        is_numbered = is_numbered or depth > 0
        heads.append(
            Head(depth + 1 if depth else 2 + is_numbered, found[1].strip(" :："), line, line + 1)
        )
    return heads if len(heads) >= _CHAPTERS_MIN else []


def _sections(source: Source, heads: list[Head]) -> tuple[Section, ...]:
    total = len(source.visible)
    first = heads[0].line if heads else total + 1
    sections = [Section(0, "", source.front_end + 1, first - 1, total, ())]
    sections[0] = replace(
        sections[0], blocks=_blocks(source, source.front_end + 1, sections[0].body_end)
    )
    ends = _ends(heads, total)
    trail: list[Head] = []
    for position, head in enumerate(heads):
        while trail and trail[-1].level >= head.level:
            trail.pop()
        following = heads[position + 1].line if position + 1 < len(heads) else total + 1
        sections.append(
            Section(
                head.level,
                head.title,
                head.line,
                following - 1,
                ends[position],
                tuple(h.title for h in trail),
                _blocks(source, head.body_line, following - 1),
            )
        )
        trail.append(head)
    return tuple(sections)


def _ends(heads: list[Head], total: int) -> list[int]:
    """For each heading the last line before the next heading of the same or a higher level."""
    ends = [total] * len(heads)
    waiting: list[int] = []
    for position, head in enumerate(heads):
        while waiting and heads[waiting[-1]].level >= head.level:
            ends[waiting.pop()] = head.line - 1
        waiting.append(position)
    return ends


@dataclass(slots=True)
class _Draft:
    kind: BlockKind
    texts: list[str]
    line_start: int
    line_end: int
    indent: int = 0
    marker: str = ""
    text_column: int = 0


@dataclass(slots=True)
class _Walk:
    """State while the lines of one section are divided into blocks."""

    drafts: list[_Draft] = field(default_factory=list)
    headers: dict[int, tuple[str, ...]] = field(default_factory=dict)
    header: tuple[str, ...] = ()
    open_block: bool = False


def _blocks(source: Source, line_start: int, line_end: int) -> tuple[Block, ...]:
    walk = _Walk()
    line = line_start
    while line <= line_end:
        if opens_table(source.visible[line - 1]):
            line = _take_html(walk, source, line, line_end)
        else:
            _take(walk, source, line, line_end)
        line += 1
    return _finished(walk)


def _take_html(walk: _Walk, source: Source, line: int, line_end: int) -> int:
    """Takes a table in HTML, and gives its last line."""
    rows, last = html_rows(source.visible, line, line_end)
    walk.open_block = False
    for row in rows:
        walk.headers[len(walk.drafts)] = row.header
        walk.drafts.append(_Draft(BlockKind.ROW, [row.text], row.line_start, row.line_end))
    return last


def _take(walk: _Walk, source: Source, line: int, line_end: int) -> None:
    text = source.visible[line - 1]
    if text.endswith("\\"):
        # It breaks the line, and says nothing.
        text = text[:-1].rstrip()
    if not text.strip() or _RULE.match(text):
        walk.open_block = False
        walk.header = () if not text.strip() else walk.header
        return
    stripped = text.strip()
    if stripped.startswith("|"):
        _take_row(walk, source, line, line_end)
        return
    walk.header = ()
    item = _ITEM.match(text)
    if item:
        indent = len(item.group(1).expandtabs(4))
        column = indent + len(item.group(2)) + min(len(item.group(3)), 4)
        walk.drafts.append(
            _Draft(BlockKind.ITEM, [item.group(4)], line, line, indent, item.group(2), column)
        )
        walk.open_block = True
        return
    kind = BlockKind.QUOTE if stripped.startswith(">") else BlockKind.PARAGRAPH
    words = re.sub(r"^>+\s?", "", stripped) if kind is BlockKind.QUOTE else stripped
    last = walk.drafts[-1] if walk.drafts else None
    indent = len(text) - len(text.lstrip())
    begins = last is not None and last.kind is BlockKind.ITEM and _ID_LINE.match(text)
    if (
        last is not None
        and not begins
        and (
            (walk.open_block and (last.kind is kind or last.kind is BlockKind.ITEM))
            or (last.kind is BlockKind.ITEM and indent >= max(2, last.text_column - 1))
        )
    ):
        last.texts.append(words)
        last.line_end = line
    else:
        walk.drafts.append(_Draft(kind, [words], line, line, indent))
    walk.open_block = True


def _take_row(walk: _Walk, source: Source, line: int, line_end: int) -> None:
    text = source.visible[line - 1]
    walk.open_block = False
    if _DELIMITER.match(text):
        return
    following = source.visible[line] if line < line_end else ""
    if _DELIMITER.match(following) and "|" in following:
        walk.header = split_cells(text)
        return
    is_first = not source.visible[line - 2].lstrip().startswith("|") if line > 1 else True
    if is_first and following.lstrip().startswith("|"):
        cells = split_cells(text)
        if len(split_cells(following)) == len(cells) and names_columns(cells):
            walk.header = cells
            return
    draft = _Draft(BlockKind.ROW, [text.strip()], line, line)
    walk.headers[len(walk.drafts)] = walk.header
    walk.drafts.append(draft)


def _finished(walk: _Walk) -> tuple[Block, ...]:
    drafts = walk.drafts
    extents = [d.line_end for d in drafts]
    waiting: list[int] = []
    for position, draft in enumerate(drafts):
        while waiting and (
            draft.indent <= drafts[waiting[-1]].indent or draft.kind is BlockKind.ROW
        ):
            waiting.pop()
        for owner in waiting:
            extents[owner] = draft.line_end
        if draft.kind is BlockKind.ITEM:
            waiting.append(position)
    return tuple(
        Block(
            d.kind,
            "\n".join(d.texts),
            d.line_start,
            d.line_end,
            extents[position],
            d.indent,
            d.marker,
            split_cells(d.texts[0]) if d.kind is BlockKind.ROW else (),
            walk.headers.get(position, ()),
        )
        for position, d in enumerate(drafts)
    )


def _starts_block(text: str) -> bool:
    return bool(_ITEM.match(text)) or text.lstrip().startswith(("|", ">"))
