"""OpenSpec's own reading of its files: sections, blocks, names and operations.

Follows OpenSpec CLI 1.13.2 exactly, so it is stricter than our readers: code is masked, comments
are not, headings count only in their exact form.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from bot.core.spec.archive.ecma import ecma, right_trimmed, trimmed

_FENCE = ecma(r"^\s*(`{3,}|~{3,})")
_CLOSED = ecma(r"^\s*(`{3,}|~{3,})\s*$")
_H2 = ecma(r"^##\s+")
_TITLED_H2 = ecma(r"^##\s+(.+)$")
_REQUIREMENTS = ecma(r"^##\s+Requirements\s*$", re.IGNORECASE)
_PURPOSE = ecma(r"^##\s+Purpose\s*$", re.IGNORECASE)
# To the end of the line, which takes one step however many blanks there are: nothing is given back.
_NAME = r"Requirement:(?=\s*.+)\s*+(.*+)\s*+$"
_HEADER = ecma(rf"^###\s*{_NAME}", re.IGNORECASE)
_CLOSING_HASHES = re.compile(r"(?<![ \t])[ \t]++#++[ \t]*+$")
_REMOVED = ecma(rf"^\s*[-*+]\s*`?###\s*{_NAME}")
_RENAMED = ecma(rf"^\s*+(?:[-*+]\s*+)?(FROM|TO):\s*`?###\s*{_NAME}")
_SCENARIO = ecma(r"^####\s+")
_SCENARIO_LABEL = ecma(r"^Scenario:\s*", re.IGNORECASE)
_COMMENT_END = re.compile(r"--!?>")
_BLANK_RUN = ecma(r"\s+")
DELTA_HEADER = ecma(r"^##\s+(?:ADDED|MODIFIED|REMOVED|RENAMED)\s+Requirements\s*$", re.IGNORECASE)
_SECTION_NAMES = {
    "added requirements": "added",
    "modified requirements": "modified",
    "removed requirements": "removed",
    "renamed requirements": "renamed",
}


@dataclass(frozen=True, slots=True)
class SpecBlock:
    """A requirement's text, from its header to the last line that is not blank."""

    name: str
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class MainSpec:
    """A main spec in parts, so that blocks can be replaced and the text put together again."""

    before: str
    header: str
    preamble: str
    blocks: tuple[SpecBlock, ...]
    after: str


@dataclass(frozen=True, slots=True)
class Rename:
    """One pair of FROM and TO; a missing side is None."""

    source: str | None
    target: str | None
    line: int


@dataclass(slots=True)
class DeltaFile:
    """`strays` are requirements outside the four sections; OpenSpec does not apply them."""

    path: str
    capability: str
    sections: list[str] = field(default_factory=list)
    added: list[SpecBlock] = field(default_factory=list)
    modified: list[SpecBlock] = field(default_factory=list)
    removed: list[SpecBlock] = field(default_factory=list)
    renamed: list[Rename] = field(default_factory=list)
    unpaired: list[Rename] = field(default_factory=list)
    strays: list[tuple[SpecBlock, str | None]] = field(default_factory=list)
    purpose: str = ""

    @property
    def has_operations(self) -> bool:
        return bool(self.added or self.modified or self.removed or self.renamed or self.unpaired)


def lines_of(text: str) -> list[str]:
    """Without the byte order mark and the line ends."""
    return unix(text.removeprefix("\ufeff")).split("\n")


def unix(text: str) -> str:
    """With every line end as LF."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def fence_mask(lines: Sequence[str]) -> list[bool]:
    """True for fenced code, fences included; an unclosed fence goes on to the end."""
    marks, opener = [False] * len(lines), ""
    for index, line in enumerate(lines):
        if opener:
            marks[index] = True
            closed = _CLOSED.match(line)
            if closed and closed.group(1).startswith(opener):
                opener = ""
            continue
        found = _FENCE.match(line)
        if found:
            opener, marks[index] = found.group(1), True
    return marks


def requirement_name(line: str) -> str | None:
    """Without closing hashes; None if the line is no header. A blank name is ""."""
    found = _HEADER.match(line)
    return _clean(found.group(1)) if found else None


def folded(name: str) -> str:
    """For comparing similar names: no case, single spaces."""
    return _BLANK_RUN.sub(" ", trimmed(name).lower())


def scenario_names(block: str) -> list[str]:
    """Repeated names included."""
    names = []
    lines = block.split("\n")
    for line, code in zip(lines, fence_mask(lines), strict=True):
        found = None if code else _SCENARIO.match(line)
        if found:
            title = _CLOSING_HASHES.sub("", line[found.end() :])
            names.append(trimmed(_SCENARIO_LABEL.sub("", title)))
    return names


def read_main(text: str) -> MainSpec:
    """Without a Requirements section, `before` is the whole text."""
    lines = lines_of(text)
    code = fence_mask(lines)
    at = _first(lines, code, _REQUIREMENTS, 0)
    if at == len(lines):
        return MainSpec(right_trimmed(text), "## Requirements", "", (), "")
    stop = _first(lines, code, _H2, at + 1)
    blocks = _blocks(lines, code, at + 1, stop)
    first = blocks[0].line - 1 if blocks else stop
    return MainSpec(
        before="\n".join(lines[:at]),
        header=lines[at],
        preamble=right_trimmed("\n".join(lines[at + 1 : first])),
        blocks=tuple(blocks),
        after="\n".join(lines[stop:]),
    )


def read_delta(path: str, capability: str, text: str) -> DeltaFile:
    """Sections with the same name add up in file order."""
    lines = lines_of(text)
    code = fence_mask(lines)
    delta = DeltaFile(path, capability, purpose=purpose_of(text))
    heads = [n for n, line in enumerate(lines) if not code[n] and _TITLED_H2.match(line)]
    bounds = [(-1, heads[0] if heads else len(lines))]
    bounds += pairwise([*heads, len(lines)])
    for head, end in bounds:
        title = trimmed(lines[head][2:]) if head >= 0 else None
        kind = _SECTION_NAMES.get(title.lower()) if title is not None else None
        if kind is None:
            delta.strays += [(b, title) for b in _blocks(lines, code, head + 1, end)]
            continue
        delta.sections.append(title or "")
        _read_section(delta, kind, lines, code, (head + 1, end))
    return delta


def has_sections(text: str) -> bool:
    return bool(read_delta("", "", text).sections)


def purpose_of(text: str) -> str:
    """The `## Purpose` section; empty if it has no prose.

    Comments are hidden only here: a heading in a comment neither starts nor ends the section.
    """
    whole = unix(text)
    lines, seen = whole.split("\n"), _without_comments(whole).split("\n")
    code = fence_mask(seen)
    at = _first(seen, code, _PURPOSE, 0)
    if at == len(seen):
        return ""
    end = _first(seen, code, _H2, at + 1)
    prose = "".join(
        line
        for line, hidden in zip(seen[at + 1 : end], code[at + 1 : end], strict=True)
        if not hidden
    )
    return trimmed("\n".join(lines[at + 1 : end])) if trimmed(prose) else ""


def _without_comments(text: str) -> str:
    """Comments become spaces; an unclosed comment goes on to the end."""
    kept, position = [], 0
    while (begin := text.find("<!--", position)) >= 0:
        closed = _COMMENT_END.search(text, begin + 4)
        end = closed.end() if closed else len(text)
        kept += [text[position:begin], re.sub(r"[^\n]", " ", text[begin:end])]
        position = end
    return "".join([*kept, text[position:]])


def _first(lines: Sequence[str], code: Sequence[bool], what: re.Pattern[str], start: int) -> int:
    """The index of the first such line outside code, or the number of lines."""
    found = (n for n in range(start, len(lines)) if not code[n] and what.match(lines[n]))
    return next(found, len(lines))


def _clean(name: str) -> str:
    return trimmed(_CLOSING_HASHES.sub("", name))


def _without_tick(name: str) -> str:
    """Without the one backtick that closes code."""
    found = right_trimmed(name)
    return found[:-1] if len(found) > 1 and found.endswith("`") else found


def _read_section(
    delta: DeltaFile, kind: str, lines: list[str], code: list[bool], bounds: tuple[int, int]
) -> None:
    start, end = bounds
    if kind == "added":
        delta.added += _blocks(lines, code, start, end)
    elif kind == "modified":
        delta.modified += _blocks(lines, code, start, end)
    elif kind == "removed":
        delta.removed += _removed(lines, code, start, end)
    else:
        _read_renames(delta, lines, code, bounds)


def _blocks(lines: list[str], code: list[bool], start: int, end: int) -> list[SpecBlock]:
    """The requirements of a section. A bare `## ` ends a requirement, although it starts no
    section.
    """
    found: list[SpecBlock] = []
    heads = [n for n in range(start, end) if not code[n] and requirement_name(lines[n]) is not None]
    for n, following in pairwise([*heads, end]):
        inner = range(n + 1, following)
        stop = next((i for i in inner if not code[i] and _H2.match(lines[i])), following)
        text = right_trimmed("\n".join(lines[n:stop]))
        found.append(SpecBlock(requirement_name(lines[n]) or "", text, n + 1))
    return found


def _removed(lines: list[str], code: list[bool], start: int, end: int) -> list[SpecBlock]:
    found = []
    for n in range(start, end):
        if code[n]:
            continue
        name = requirement_name(lines[n])
        bullet = _REMOVED.match(lines[n])
        if name is None and bullet:
            name = _clean(_without_tick(bullet.group(1)))
        if name is not None:
            found.append(SpecBlock(name, lines[n], n + 1))
    return found


def _read_renames(
    delta: DeltaFile, lines: list[str], code: list[bool], bounds: tuple[int, int]
) -> None:
    waiting: Rename | None = None
    for n in range(*bounds):
        found = None if code[n] else _RENAMED.match(lines[n])
        if not found:
            continue
        name = _clean(_without_tick(found.group(2)))
        if found.group(1) == "FROM":
            if waiting:
                delta.unpaired.append(waiting)
            waiting = Rename(name, None, n + 1)
        elif waiting:
            delta.renamed.append(Rename(waiting.source, name, waiting.line))
            waiting = None
        else:
            delta.unpaired.append(Rename(None, name, n + 1))
    if waiting:
        delta.unpaired.append(waiting)
