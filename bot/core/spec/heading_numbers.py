"""The levels of headings that bear numbers: `5.1` stands below `5`, however it is written."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

_CLOSING_HASHES = re.compile(r"(?<![ \t])[ \t]++#++[ \t]*+$")
_MANDATORY = re.compile(
    r"\s*[*_(（]+\s*(?:mandatory|optional|include if [^)*_]*)\s*[)）*_]+\s*$", re.I
)
NUMBERED_LINE = re.compile(r"(\d{1,2}(?:\.\d{1,2}){0,3})\s+[^\W\d_].{0,80}(?<![.:;,!?])$")
# At the margin: what is further in belongs to the line.
_BULLET = re.compile(r"[-*+] \S")
# `2. Users`, `2.1 Sign in`; a number alone, or a date, is none.
_CHAPTER = re.compile(r"^(\d{1,2}(?:\.\d{1,2}){0,4})[.)]?\s+[^\W\d_]")
_NUMBERED_MIN = 4


@dataclass(slots=True)
class Head:
    level: int
    title: str
    line: int
    body_line: int


def heading_title(text: str) -> str:
    """Without closing hashes, emphasis around all of it, and `*(mandatory)*`."""
    title = _CLOSING_HASHES.sub("", text.rstrip()).strip()
    # The mark stands at the end, so only the end is searched: headings may be very long.
    title = (
        title[:-80] + _MANDATORY.sub("", title[-80:])
        if title.endswith((")", "）", "*", "_"))
        else title
    )
    for mark in ("**", "__", "*", "_"):
        inner = title[len(mark) : -len(mark)]
        if title.startswith(mark) and title.endswith(mark) and inner and mark not in inner:
            title = inner.strip()
    return title.strip()


def by_number(heads: list[Head]) -> list[Head]:
    """Levels as the numbers of the headings say, where those of one depth have several levels.

    A heading without a number keeps its distance to the numbered one that it stands below.
    """
    depths = [depth_of(head.title) for head in heads]
    levels: dict[int, set[int]] = {}
    for head, depth in zip(heads, depths, strict=True):
        if depth:
            levels.setdefault(depth, set()).add(head.level)
    if sum(map(bool, depths)) < _NUMBERED_MIN or max(levels, default=0) < 2:
        return heads
    # Below chapters without numbers each may count its own parts from 1.
    is_anew = sum(_number(head.title) == "1" for head in heads) > 1
    if is_anew or all(len(own) == 1 for own in levels.values()):
        return _below_their_numbers(heads)
    found: list[Head] = []
    last = shift = 0
    for head, depth in zip(heads, depths, strict=True):
        if depth:
            last, shift = head.level, depth + 1 - head.level
        level = head.level + shift if depth or head.level > last else head.level
        found.append(Head(max(level, 1), head.title, head.line, head.body_line))
    return found


def _below_their_numbers(heads: list[Head]) -> list[Head]:
    """`## 5.1` stands below `## 5`, though both are written alike.

    What stands below such a part moves with it.
    """
    found: list[Head] = []
    chapter, chapter_level, shift, moved = "", 0, 0, 0
    for head in heads:
        number = _number(head.title)
        is_part = bool(chapter) and number.startswith(f"{chapter}.")
        if number and "." not in number:
            chapter, chapter_level, shift = number, head.level, 0
        elif head.level < chapter_level or (head.level == chapter_level and not is_part):
            chapter, shift = "", 0
        elif is_part and head.level == chapter_level:
            shift = number.count(".")
            moved += 1
        elif is_part and not shift:
            chapter = ""
        found.append(Head(head.level + shift, head.title, head.line, head.body_line))
    return found if moved > 1 else heads


def _number(title: str) -> str:
    found = _CHAPTER.match(title)
    return found[1] if found else ""


def depth_of(title: str) -> int:
    number = _number(title)
    return number.count(".") + 1 if number else 0


def with_parts(lines: Sequence[str], heads: list[Head]) -> list[Head]:
    """With lines like `4.1 Guests` directly above a list, below a heading with the number 4: its parts."""
    ends = [*(head.line for head in heads[1:]), len(lines) + 1]
    parts: list[Head] = []
    for head, until in zip(heads, ends, strict=False):
        number = _number(head.title)
        for line in range(head.line + 1, until if number else 0):
            text = lines[line - 1]
            found = NUMBERED_LINE.match(text) if text.startswith(f"{number}.") else None
            above, below = lines[line - 2], "".join(lines[line : line + 1])
            is_part = found is not None and found[1].count(".") == number.count(".") + 1
            if is_part and _BULLET.match(below) and (not above.strip() or line == head.line + 1):
                parts.append(Head(head.level + 1, heading_title(text), line, line + 1))
    return sorted([*heads, *parts], key=lambda h: h.line) if len(parts) > 1 else heads
