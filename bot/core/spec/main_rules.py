"""What OpenSpec refuses of a main spec: before it is changed, after, and when it is retired.

Follows the errors of OpenSpec CLI 1.13.2; what it only warns of is no refusal here. A refusal says
what is wrong in a sentence and, where one is known, holds a proposal that repairs it.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import takewhile

from bot.core.ids import Frozen
from bot.core.spec.delta_text import DELTA_HEADER, fence_mask, lines_of, read_main, requirement_name

_HEADING = re.compile(r"^(#{1,6})\s+(.+)$")


class Refusal(Frozen):
    """Why a delta is not applied. `proposal` is text that repairs it, or empty."""

    code: str
    path: str
    requirement: str
    line: int
    sentence: str
    proposal: str = ""


def structure_refusals(path: str, text: str) -> list[Refusal]:
    """What makes a main spec impossible to change: it would be changed wrongly."""
    lines = lines_of(text)
    code = fence_mask(lines)
    refusals = []
    seen: set[str] = set()
    inside = False
    for n, line in enumerate(lines):
        if code[n]:
            continue
        if re.match(r"^##\s", line):
            inside = bool(re.match(r"^##\s+Requirements\s*$", line, re.IGNORECASE))
        if DELTA_HEADER.match(line):
            refusals.append(
                _main_refusal(
                    path,
                    "delta_in_main",
                    "",
                    n,
                    "has a delta section",
                    "Move its requirements under '## Requirements' and drop the heading.",
                )
            )
        name = requirement_name(line)
        if name is None:
            continue
        if not inside and re.match(r"^###\s+", line):
            refusals.append(
                _main_refusal(
                    path,
                    "outside_requirements",
                    name,
                    n,
                    f"has '{name}' outside '## Requirements'",
                    f"Move '### Requirement: {name}' under '## Requirements'.",
                )
            )
        if inside and name in seen:
            refusals.append(
                _main_refusal(
                    path, "duplicate_in_main", name, n, f"has '{name}' twice", "Rename one of them."
                )
            )
        if inside:
            seen.add(name)
    return refusals


@dataclass(slots=True)
class _Node:
    level: int
    title: str
    line: int
    own: list[str]
    children: list["_Node"]

    @property
    def has_content(self) -> bool:
        return any(line.strip() for line in self.own) or bool(self.children)


def rebuilt_refusals(path: str, text: str) -> list[Refusal]:
    """What OpenSpec's validation of a whole main spec calls an error."""
    roots = _tree(text)
    every = list(_walk(roots))
    refusals = []
    purpose = next((n for n in every if n.title.lower() == "purpose"), None)
    if purpose is None or not any(line.strip() for line in purpose.own):
        refusals.append(
            _main_refusal(
                path,
                "no_purpose",
                "",
                0,
                "has no '## Purpose' with a text",
                "## Purpose\n\nTBD - say what this capability is for.\n",
            )
        )
    holder = next((n for n in every if n.title.lower() == "requirements"), None)
    if holder is None or not holder.children:
        refusals.append(
            _main_refusal(
                path,
                "no_requirement_left",
                "",
                0,
                "would be left without a requirement",
                "Set 'retire_capabilities: true' in .openspec.yaml if the whole capability goes.",
            )
        )
        return refusals
    return [*refusals, *_requirement_refusals(path, text, holder)]


def _requirement_refusals(path: str, text: str, holder: _Node) -> list[Refusal]:
    refusals = []
    for node in holder.children:
        name = re.sub(r"^Requirement:\s*", "", node.title, flags=re.IGNORECASE)
        if not _says_something(node.own):
            refusals.append(_no_text(path, name, node.line))
        if not any(child.has_content for child in node.children):
            refusals.append(
                _main_refusal(
                    path,
                    "no_scenario",
                    name,
                    node.line,
                    f"has no scenario for '{name}'",
                    "#### Scenario: name\n- **WHEN** …\n- **THEN** …",
                )
            )
    told = {r.requirement for r in refusals}
    for block in read_main(text).blocks:
        # A header without a blank after its hashes is no heading here, and is held to this all the same.
        body = list(takewhile(lambda line: not _HEADING.match(line), block.text.split("\n")[1:]))
        if block.name not in told and not _says_something(body):
            refusals.append(_no_text(path, block.name, block.line - 1))
    return refusals


def _tree(text: str) -> list[_Node]:
    lines = lines_of(text)
    code = fence_mask(lines)
    roots: list[_Node] = []
    open_nodes: list[_Node] = []
    for n, line in enumerate(lines):
        found = None if code[n] else _HEADING.match(line)
        if not found:
            if open_nodes:
                open_nodes[-1].own.append(line)
            continue
        level = len(found.group(1))
        while open_nodes and open_nodes[-1].level >= level:
            open_nodes.pop()
        node = _Node(level, re.sub(r"[ \t]+#+[ \t]*$", "", found.group(2)).strip(), n, [], [])
        (open_nodes[-1].children if open_nodes else roots).append(node)
        open_nodes.append(node)
    return roots


def _walk(nodes: Iterable[_Node]) -> Iterable[_Node]:
    for node in nodes:
        yield node
        yield from _walk(node.children)


def _no_text(path: str, name: str, index: int) -> Refusal:
    words = f"has no text for '{name}' before its first scenario"
    return _main_refusal(path, "no_text_in_main", name, index, words, "The system SHALL …")


def _says_something(lines: list[str]) -> bool:
    """Whether any line outside code has words."""
    marks = fence_mask(lines)
    return any(line.strip() and not code for line, code in zip(lines, marks, strict=True))


def unaccounted(text: str) -> list[str]:
    """Lines that retiring a spec would lose: not title, purpose, statement, scenario or code."""
    main = read_main(text)
    lost = [line for line in main.after.split("\n") if line.strip()]
    lines = main.before.split("\n")
    in_purpose = False
    for line, hidden in zip(lines, fence_mask(lines), strict=True):
        heading = None if hidden else _HEADING.match(line)
        if heading:
            title = heading.group(2).strip().lower()
            in_purpose = title == "purpose"
            if not in_purpose and len(heading.group(1)) > 1:
                lost.append(line)
        elif line.strip() and not in_purpose and not hidden:
            lost.append(line)
    lost += [line for line in main.preamble.split("\n") if line.strip()]
    for block in main.blocks:
        inner = block.text.split("\n")
        lost += [
            line
            for n, (line, hidden) in enumerate(zip(inner, fence_mask(inner), strict=True))
            if n and not hidden and (found := _HEADING.match(line)) and len(found.group(1)) != 4
        ]
    return lost


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
