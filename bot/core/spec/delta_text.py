"""How OpenSpec reads its own files, letter for letter: sections, blocks, names and operations.

Follows OpenSpec CLI 1.13.2, so it is stricter than our readers: code is masked, comments are not,
headings count only in their exact form. Deliberately absent: what may be applied (delta_rules) and
what applying means (delta).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from bot.core.spec.reading import closes_fence, dominant_eol, split_lines

_FENCE = re.compile(r"^\s*(`{3,}|~{3,})")
_H2 = re.compile(r"^##\s+(.+)$")
_REQUIREMENTS = re.compile(r"^##\s+Requirements\s*$", re.IGNORECASE)
_HEADER = re.compile(r"^###\s*Requirement:\s*(.+)\s*$", re.IGNORECASE)
_CLOSING_HASHES = re.compile(r"[ \t]+#+[ \t]*$")
_REMOVED = re.compile(r"^\s*[-*+]\s*`?###\s*Requirement:\s*(.+?)`?\s*$", re.IGNORECASE)
_RENAMED = re.compile(r"^\s*[-*+]?\s*(FROM|TO):\s*`?###\s*Requirement:\s*(.+?)`?\s*$")
_SCENARIO = re.compile(r"^####\s+(.+)$")
DELTA_HEADER = re.compile(
    r"^##\s+(?:ADDED|MODIFIED|REMOVED|RENAMED) Requirements\s*$", re.IGNORECASE
)
_SECTION_NAMES = {
    "added requirements": "added",
    "modified requirements": "modified",
    "removed requirements": "removed",
    "renamed requirements": "renamed",
}


@dataclass(frozen=True, slots=True)
class SpecBlock:
    """A requirement with its text, from its header to the last line that is not blank."""

    name: str
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class MainSpec:
    """A main spec taken apart, so that its blocks can be replaced and it can be put together."""

    before: str
    header: str
    preamble: str
    blocks: tuple[SpecBlock, ...]
    after: str
    eol: str


@dataclass(frozen=True, slots=True)
class Rename:
    """One pair of FROM and TO; a side that is missing is None."""

    source: str | None
    target: str | None
    line: int


@dataclass(slots=True)
class DeltaFile:
    """The operations of one delta file. `strays` are requirements that no section applies."""

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
        """Whether any operation was read."""
        return bool(self.added or self.modified or self.removed or self.renamed or self.unpaired)


def lines_of(text: str) -> list[str]:
    """The lines of a file without its byte order mark."""
    return list(split_lines(text.removeprefix("\ufeff")))


def fence_mask(lines: Sequence[str]) -> list[bool]:
    """Which lines are fenced code, their fences included; an unclosed fence runs to the end."""
    marks, opener = [False] * len(lines), ""
    for index, line in enumerate(lines):
        if opener:
            marks[index] = True
            if closes_fence(line, opener):
                opener = ""
            continue
        found = _FENCE.match(line)
        if found:
            opener, marks[index] = found.group(1), True
    return marks


def requirement_name(line: str) -> str | None:
    """The name in a requirement header, without closing hashes; None when it is no header."""
    found = _HEADER.match(line)
    name = _CLOSING_HASHES.sub("", found.group(1)).strip() if found else ""
    return name or None


def folded(name: str) -> str:
    """A name as near misses compare it: no case, single blanks."""
    return " ".join(name.lower().split())


def scenario_names(block: str) -> list[str]:
    """The names of a block's scenarios, with repetitions."""
    names = []
    lines = block.split("\n")
    for line, code in zip(lines, fence_mask(lines), strict=True):
        found = None if code else _SCENARIO.match(line)
        if found:
            title = _CLOSING_HASHES.sub("", found.group(1)).strip()
            names.append(re.sub(r"^Scenario:\s*", "", title, flags=re.IGNORECASE))
    return names


def read_main(text: str) -> MainSpec:
    """A main spec taken apart. Without a Requirements section the whole text is `before`."""
    eol = dominant_eol(text)
    lines = lines_of(text)
    code = fence_mask(lines)
    at = next(
        (n for n, line in enumerate(lines) if not code[n] and _REQUIREMENTS.match(line)), None
    )
    if at is None:
        return MainSpec("\n".join(lines), "## Requirements", "", (), "", eol)
    end = next((n for n in range(at + 1, len(lines)) if not code[n] and _H2.match(lines[n])), None)
    stop = len(lines) if end is None else end
    blocks = _blocks(lines, code, at + 1, stop)
    first = blocks[0].line - 1 if blocks else stop
    return MainSpec(
        before="\n".join(lines[:at]),
        header=lines[at],
        preamble="\n".join(lines[at + 1 : first]).rstrip(),
        blocks=tuple(blocks),
        after="\n".join(lines[stop:]),
        eol=eol,
    )


def read_delta(path: str, capability: str, text: str) -> DeltaFile:
    """The operations of a delta file; sections of one name add up in file order."""
    lines = lines_of(text)
    code = fence_mask(lines)
    delta = DeltaFile(path, capability, purpose=_purpose(lines, code))
    heads = [n for n, line in enumerate(lines) if not code[n] and _H2.match(line)]
    bounds = [(-1, heads[0] if heads else len(lines))]
    bounds += pairwise([*heads, len(lines)])
    for head, end in bounds:
        title = lines[head][2:].strip() if head >= 0 else None
        kind = _SECTION_NAMES.get(title.lower()) if title is not None else None
        if kind is None:
            delta.strays += [(b, title) for b in _blocks(lines, code, head + 1, end)]
            continue
        delta.sections.append(title or "")
        _read_section(delta, kind, lines, code, (head + 1, end))
    return delta


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
    heads = [
        (n, name) for n in range(start, end) if not code[n] and (name := requirement_name(lines[n]))
    ]
    stops = [*(n for n, _ in heads), end][1:]
    return [
        SpecBlock(name, "\n".join(lines[n:stop]).rstrip(), n + 1)
        for (n, name), stop in zip(heads, stops, strict=True)
    ]


def _removed(lines: list[str], code: list[bool], start: int, end: int) -> list[SpecBlock]:
    found = []
    for n in range(start, end):
        if code[n]:
            continue
        name = requirement_name(lines[n])
        bullet = _REMOVED.match(lines[n])
        if name is None and bullet:
            name = _CLOSING_HASHES.sub("", bullet.group(1)).strip()
        if name:
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
        name = _CLOSING_HASHES.sub("", found.group(2)).strip()
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


def _purpose(lines: list[str], code: list[bool]) -> str:
    """The text of a `## Purpose` section, or nothing when it holds no prose."""
    at = next(
        (n for n, line in enumerate(lines) if not code[n] and re.match(r"^##\s+Purpose\s*$", line)),
        None,
    )
    if at is None:
        return ""
    end = next((n for n in range(at + 1, len(lines)) if not code[n] and _H2.match(lines[n])), None)
    text = "\n".join(lines[at + 1 : end]).strip()
    prose = re.sub(r"<!--.*?(?:-->|\Z)", "", text, flags=re.DOTALL).strip()
    return text if prose else ""
