"""OpenSpec's checks of a main spec: before it is changed, after, and when it is retired.

Follows the errors of OpenSpec CLI 1.13.2; what it only warns about is not refused here. Each
refusal has a sentence and, where a repair is known, a proposal.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import takewhile

from bot.core.spec.archive.delta_text import (
    DELTA_HEADER,
    fence_mask,
    lines_of,
    read_main,
    requirement_name,
    unix,
)
from bot.core.spec.archive.ecma import ecma, trimmed
from bot.core.values.ids import Frozen

_HEADING = ecma(r"^(#{1,6})\s+(.+)$")
_ENDS_CONTENT = ecma(r"^(#{1,6})\s+")
_H2 = ecma(r"^##\s+")
_REQUIREMENTS = ecma(r"^##\s+Requirements\s*$", re.IGNORECASE)
_SPACED_HEADER = ecma(r"^###\s+Requirement:", re.IGNORECASE)
_LABEL = ecma(r"^Requirement:\s*", re.IGNORECASE)


class Refusal(Frozen):
    """`proposal` is text that repairs it, or empty."""

    code: str
    path: str
    requirement: str
    line: int
    sentence: str
    proposal: str = ""


def structure_refusals(path: str, text: str) -> list[Refusal]:
    """Structure with which OpenSpec would change the wrong lines.

    A byte order mark hides a heading on the first line, but only here.
    """
    lines = unix(text).split("\n")
    code = fence_mask(lines)
    begin, end = _requirements_bounds(lines, code)
    refusals = []
    seen: set[str] = set()
    for n, line in enumerate(lines):
        if code[n]:
            continue
        if DELTA_HEADER.match(line):
            refusals.append(_delta_in_main(path, n))
            continue
        name = requirement_name(line)
        if name is None:
            continue
        if begin < n < end:
            if name in seen:
                refusals.append(_twice(path, name, n))
            seen.add(name)
        elif _SPACED_HEADER.match(line):
            refusals.append(_outside(path, name, n))
    return refusals


def _requirements_bounds(lines: list[str], code: list[bool]) -> tuple[int, int]:
    """The index of the first Requirements heading, and of the end of its section."""
    heads = [n for n, line in enumerate(lines) if not code[n] and _H2.match(line)]
    begin = next((n for n in heads if _REQUIREMENTS.match(lines[n])), len(lines))
    return begin, next((n for n in heads if n > begin), len(lines))


def _delta_in_main(path: str, index: int) -> Refusal:
    way_out = "Move its requirements under '## Requirements' and drop the heading."
    return _main_refusal(path, "delta_in_main", "", index, "has a delta section", way_out)


def _outside(path: str, name: str, index: int) -> Refusal:
    words = f"has '{name}' outside '## Requirements'"
    way_out = f"Move '### Requirement: {name}' under '## Requirements'."
    return _main_refusal(path, "outside_requirements", name, index, words, way_out)


def _twice(path: str, name: str, index: int) -> Refusal:
    words, way_out = f"has '{name}' twice", "Rename one of them."
    return _main_refusal(path, "duplicate_in_main", name, index, words, way_out)


@dataclass(slots=True)
class _Node:
    """A heading with everything up to the next heading of its level, subsections included."""

    level: int
    title: str
    line: int
    children: list["_Node"]
    has_content: bool = False
    is_closed: bool = False


def rebuilt_refusals(path: str, text: str) -> list[Refusal]:
    """The errors of OpenSpec's validation of a whole main spec."""
    every = list(_walk(_tree(text)))
    purpose = next((n for n in every if n.title.lower() == "purpose"), None)
    if purpose is None or not purpose.has_content:
        way_out = "## Purpose\n\nTBD - say what this capability is for.\n"
        return [
            _main_refusal(path, "no_purpose", "", 0, "has no '## Purpose' with a text", way_out)
        ]
    holder = next((n for n in every if n.title.lower() == "requirements"), None)
    if holder is None:
        words, way_out = "has no '## Requirements'", "## Requirements\n"
        return [_main_refusal(path, "no_requirements_section", "", 0, words, way_out)]
    refusals = structure_refusals(path, text)
    if not holder.children:
        words = "would be left without a requirement"
        way_out = "Set 'retire_capabilities: true' in .openspec.yaml if the whole capability goes."
        refusals.append(_main_refusal(path, "no_requirement_left", "", 0, words, way_out))
    for node in holder.children:
        if not any(child.has_content for child in node.children):
            refusals.append(_no_scenario(path, node))
    return [*refusals, *_without_text(path, text)]


def _no_scenario(path: str, node: _Node) -> Refusal:
    name = _LABEL.sub("", node.title)
    way_out = "#### Scenario: name\n- **WHEN** …\n- **THEN** …"
    words = f"has no scenario for '{name}'"
    return _main_refusal(path, "no_scenario", name, node.line, words, way_out)


def _without_text(path: str, text: str) -> Iterable[Refusal]:
    """Requirements without a statement; other headings in that place may have no text."""
    for block in read_main(text).blocks:
        body = block.text.split("\n")[1:]
        told = takewhile(
            lambda pair: pair[1] or not _ENDS_CONTENT.match(pair[0]),
            zip(body, fence_mask(body), strict=True),
        )
        if not any(trimmed(line) and not code for line, code in told):
            yield _no_text(path, block.name, block.line - 1)


def _tree(text: str) -> list[_Node]:
    lines = lines_of(text)
    code = fence_mask(lines)
    roots: list[_Node] = []
    open_nodes: list[_Node] = []
    for n, line in enumerate(lines):
        heading = None if code[n] else _ENDS_CONTENT.match(line)
        level = len(heading.group(1)) if heading else 7
        for node in open_nodes:
            node.is_closed = node.is_closed or node.level >= level
            node.has_content = node.has_content or (not node.is_closed and bool(trimmed(line)))
        # A heading without a title ends the section above it and starts none.
        titled = _HEADING.match(line) if heading else None
        if titled:
            while open_nodes and open_nodes[-1].level >= level:
                open_nodes.pop()
            opened = _Node(level, trimmed(titled.group(2)), n, [])
            (open_nodes[-1].children if open_nodes else roots).append(opened)
            open_nodes.append(opened)
    return roots


def _walk(nodes: Iterable[_Node]) -> Iterable[_Node]:
    for node in nodes:
        yield node
        yield from _walk(node.children)


def _no_text(path: str, name: str, index: int) -> Refusal:
    words = f"has no text for '{name}' before its first scenario"
    return _main_refusal(path, "no_text_in_main", name, index, words, "The system SHALL …")


def _main_refusal(
    path: str, code: str, name: str, index: int, words: str, proposal: str
) -> Refusal:
    return Refusal(
        code=code,
        path=path,
        requirement=name,
        line=index + 1,
        sentence=f"{path} {words}.",
        proposal=proposal,
    )
