"""Whether a main spec may be deleted with its last requirement: only if it has nothing else.

OpenSpec does not search for what is worth keeping. It accounts for what it knows (title, purpose,
statements, scenarios with their steps, code), and any other line forbids the deletion. So an
unknown form of Markdown is never lost.
"""

import re
from dataclasses import dataclass

from bot.core.spec.archive.delta_text import MainSpec, SpecBlock, fence_mask, unix
from bot.core.spec.archive.ecma import ecma, trimmed

_TAB = 4
_H1 = ecma(r"^ {0,3}#\s+.+$")
_H2 = ecma(r"^ {0,3}##(?=\s+.+)\s++(.*+)\s*+$")
_UNDERLINE = ecma(r"^ {0,3}(?:=+|-+)\s*$")
_HTML_HEADING = re.compile(r"^ {0,3}<h[1-6]\b", re.IGNORECASE | re.ASCII)
_ANY_HTML_HEADING = ecma(r"^\s*<h[1-6]\b", re.IGNORECASE)
_ANY_HEADING = re.compile(r"^ {0,3}#{1,6}(?:[ \t]|$)")
_FOREIGN_HEADING = re.compile(r"^ {0,3}#{1,3}(?:[ \t]|$)")
_SCENARIO = ecma(r"^ {0,3}####\s+Scenario:", re.IGNORECASE)
_ITEM = ecma(r"^(\s*(?:[-*+]|[0-9]{1,9}[.)])\s+)")
_TABLE_OR_HTML = ecma(r"^\s*[|<]")
# Lines that start something new even where a paragraph could continue.
_INTERRUPTS = re.compile(
    r"^ {0,3}(?:>|(?:[-*_][ \t]*){3,}$|(?:[-*+]|[0-9]{1,9}[.)])(?:[ \t]|$)|[<|])"
)


def unaccounted(spec: MainSpec) -> list[str]:
    """Lines that deleting a spec would lose, without repetitions, in file order."""
    lost = _beside_the_purpose(spec.before)
    for part in (spec.preamble, spec.after):
        lost += [trimmed(line) for line in part.split("\n") if trimmed(line)]
    for block in spec.blocks:
        lost += _beside_the_scenarios(block)
    return list(dict.fromkeys(lost))


def _beside_the_purpose(before: str) -> list[str]:
    """Lines above the requirements that are neither the title nor the purpose."""
    lines = unix(before.removeprefix("\ufeff")).split("\n")
    lost: list[str] = []
    in_purpose, has_title, above = False, False, ""
    for line, code in zip(lines, fence_mask(lines), strict=True):
        previous, above = above, line if trimmed(line) else ""
        if not above:
            continue
        section = None if code else _H2.match(line)
        if section:
            in_purpose = trimmed(section.group(1)).lower() == "purpose"
            lost += [] if in_purpose else [trimmed(line)]
            continue
        is_underline = in_purpose and previous and _UNDERLINE.match(line)
        if not code and (is_underline or _HTML_HEADING.match(line)):
            lost.append(trimmed(previous if is_underline else line))
            in_purpose = False
            continue
        if not code and _H1.match(line):
            lost += [trimmed(line)] if has_title or in_purpose else []
            has_title = has_title or not in_purpose
            in_purpose = False
            continue
        lost += [] if in_purpose else [trimmed(line)]
    return lost


def _beside_the_scenarios(block: SpecBlock) -> list[str]:
    """Lines of a requirement that are neither its statement nor a scenario with its steps."""
    lines = block.text.split("\n")
    code = fence_mask(lines)
    foreign = next(
        (n for n in range(1, len(lines)) if not code[n] and _FOREIGN_HEADING.match(lines[n])), 0
    )
    walk = _Walk([trimmed(lines[foreign])] if foreign else [])
    for n in range(1, len(lines)):
        walk.take(lines[n], lines[n - 1] if n > 1 else "", code[n])
    return walk.lost


@dataclass(slots=True)
class _Walk:
    """Reads one requirement. `item` is the column where the text of an open list item begins."""

    lost: list[str]
    has_scenario: bool = False
    takes_steps: bool = False
    has_steps: bool = False
    item: int | None = None
    has_paragraph: bool = False

    def take(self, line: str, above: str, is_code: bool) -> None:
        if not trimmed(line):
            self.takes_steps = self.takes_steps and not self.has_steps
            self.item, self.has_paragraph = None, False
            return
        is_inside = self.item is not None and _column(line) >= self.item
        inner = _outdented(line, self.item) if is_inside and self.item is not None else line
        if is_code:
            self.item, self.has_paragraph = self.item if is_inside else None, False
            return
        if _UNDERLINE.match(inner) and trimmed(above):
            self.lost.append(trimmed(above))
            self.item, self.has_paragraph = None, False
            return
        is_heading = _ANY_HEADING.match(inner) or _ANY_HTML_HEADING.match(inner)
        goes_on = self.has_paragraph and self.takes_steps and not _INTERRUPTS.match(inner)
        if (is_inside or goes_on) and not is_heading:
            self.has_paragraph = not _INTERRUPTS.match(inner)
            return
        self._begin(line)

    def _begin(self, line: str) -> None:
        """A line that starts something new."""
        bullet = _ITEM.match(line)
        self.item = _width(bullet.group(1)) if bullet else None
        self.has_paragraph = bullet is not None
        if _SCENARIO.match(line):
            self.has_scenario, self.takes_steps, self.has_steps = True, True, False
        elif bullet and self.takes_steps:
            self.has_steps = True
        elif self.has_scenario or (not bullet and _TABLE_OR_HTML.match(line)):
            self.lost.append(trimmed(line))


def _column(line: str) -> int:
    """The column of the first letter; a tab moves to the next multiple of four."""
    return _width(line[: len(line) - len(line.lstrip(" \t"))])


def _width(text: str) -> int:
    column = 0
    for letter in text:
        column += _TAB - column % _TAB if letter == "\t" else 1
    return column


def _outdented(line: str, columns: int) -> str:
    """Without the white space up to a column."""
    column = 0
    for index, letter in enumerate(line):
        if column >= columns or letter not in " \t":
            return line[index:]
        column += _TAB - column % _TAB if letter == "\t" else 1
    return ""
