"""What OpenSpec refuses: in a delta before it is applied, in a main spec before and after.

Each rule gives a refusal with a sentence and, where one is known, a proposal that repairs it.
Follows OpenSpec CLI 1.13.2 for what is an error; what it only warns of is no refusal here.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from bot.core.ids import Frozen
from bot.core.spec.delta_text import (
    DeltaFile,
    SpecBlock,
    fence_mask,
    folded,
    lines_of,
    read_main,
    requirement_name,
    scenario_names,
)

_HEADING = re.compile(r"^(#{1,6})\s+(.+)$")
_METADATA = re.compile(r"^\*\*[^*]+\*\*\s*:|^\*\*[^*]+:\*\*")
_DELTA_HEADER = re.compile(
    r"^##\s+(?:ADDED|MODIFIED|REMOVED|RENAMED) Requirements\s*$", re.IGNORECASE
)


class Refusal(Frozen):
    """Why a delta is not applied. `proposal` is text that repairs it, or empty."""

    code: str
    path: str
    requirement: str
    line: int
    sentence: str
    proposal: str = ""


def delta_refusals(delta: DeltaFile, main: Mapping[str, SpecBlock] | None) -> list[Refusal]:
    """What is wrong with a delta file itself. `main` is its target's blocks, None when absent."""
    refusals: list[Refusal] = []
    if not delta.sections:
        refusals.append(
            _refusal(
                delta,
                "no_delta_section",
                "",
                1,
                f"{delta.path} has no '## ADDED Requirements' or other delta section.",
                _stray_proposal(delta),
            )
        )
    elif not delta.has_operations:
        names = ", ".join(f"'## {name}'" for name in delta.sections)
        refusals.append(
            _refusal(
                delta,
                "no_entries",
                "",
                1,
                f"{names} of {delta.path} hold no '### Requirement: name'.",
            )
        )
    refusals += _duplicates(delta)
    refusals += _conflicts(delta)
    for block in (*delta.added, *delta.modified):
        refusals += _block_refusals(delta, block)
    for block in delta.modified:
        old = (main or {}).get(block.name)
        if old is not None:
            refusals += dropped_scenarios(delta, old, block)
    return refusals


def dropped_scenarios(delta: DeltaFile, old: SpecBlock, new: SpecBlock) -> list[Refusal]:
    """A modification must carry every scenario that the main spec has, by name."""
    missing = Counter(scenario_names(old.text)) - Counter(scenario_names(new.text))
    if not missing:
        return []
    names = ", ".join(f"'{name}'" for name in missing.elements())
    return [
        _refusal(
            delta,
            "drops_scenarios",
            new.name,
            new.line,
            f"The modification of '{new.name}' leaves out the scenario(s) {names} of the main spec.",
            f"{new.text}\n\n{_scenario_texts(old, missing)}",
        )
    ]


def misplaced_refusals(path: str, text: str) -> list[Refusal]:
    """A delta that stands where OpenSpec does not look for one."""
    lines = lines_of(text)
    code = fence_mask(lines)
    has_header = any(
        not hidden and (_DELTA_HEADER.match(line) or requirement_name(line))
        for line, hidden in zip(lines, code, strict=True)
    )
    if not has_header and path != "specs/spec.md":
        return []
    stem = path.removeprefix("specs/").rsplit(".", 1)[0]
    where = f"specs/{stem.split('/')[0] if '/' in stem else stem}/spec.md"
    return [
        Refusal(
            code="misplaced_delta",
            path=path,
            requirement="",
            line=1,
            sentence=f"A delta is read only from specs/<capability>/spec.md, not from {path}.",
            proposal=f"Move it to {where if stem != 'spec' else 'specs/<capability>/spec.md'}.",
        )
    ]


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
        if _DELTA_HEADER.match(line):
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
    for node in holder.children:
        name = re.sub(r"^Requirement:\s*", "", node.title, flags=re.IGNORECASE)
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
    return refusals


def near_miss(name: str, names: Iterable[str]) -> str | None:
    """The name that differs only in case or blanks."""
    wanted = folded(name)
    return next((other for other in names if other != name and folded(other) == wanted), None)


def _duplicates(delta: DeltaFile) -> list[Refusal]:
    refusals = []
    for kind, blocks in (
        ("ADDED", delta.added),
        ("MODIFIED", delta.modified),
        ("REMOVED", delta.removed),
    ):
        seen: set[str] = set()
        for block in blocks:
            if block.name in seen:
                refusals.append(
                    _refusal(
                        delta,
                        "duplicate_in_delta",
                        block.name,
                        block.line,
                        f"'{block.name}' stands twice under {kind}.",
                        "Keep one of them.",
                    )
                )
            seen.add(block.name)
    sources: set[str] = set()
    targets: set[str] = set()
    for rename in delta.renamed:
        source, target = rename.source or "", rename.target or ""
        if source in sources or target in targets:
            refusals.append(
                _refusal(
                    delta,
                    "duplicate_in_delta",
                    target,
                    rename.line,
                    f"The rename from '{source}' to '{target}' repeats a name.",
                    "Keep one rename for each name.",
                )
            )
        sources.add(source)
        targets.add(target)
    for lonely in delta.unpaired:
        side, other = ("FROM", "TO") if lonely.source else ("TO", "FROM")
        name = lonely.source or lonely.target or ""
        refusals.append(
            _refusal(
                delta,
                "unpaired_rename",
                name,
                lonely.line,
                f"{side} '{name}' has no {other} line next to it.",
                "Write each rename as a FROM line and its TO line right below.",
            )
        )
    return refusals


def _conflicts(delta: DeltaFile) -> list[Refusal]:
    added = {b.name: b for b in delta.added}
    modified = {b.name: b for b in delta.modified}
    removed = {b.name: b for b in delta.removed}
    sources = {r.source or "": r for r in delta.renamed}
    targets = {r.target or "": r for r in delta.renamed}
    clashes = [
        *((n, b.line, "MODIFIED and REMOVED") for n, b in modified.items() if n in removed),
        *((n, b.line, "MODIFIED and ADDED") for n, b in modified.items() if n in added),
        *((n, b.line, "ADDED and REMOVED") for n, b in added.items() if n in removed),
        *((n, r.line, "RENAMED and ADDED") for n, r in targets.items() if n in added),
    ]
    gone = {folded(n) for n in removed}
    clashes += [(n, r.line, "RENAMED and REMOVED") for n, r in sources.items() if folded(n) in gone]
    refusals = [
        _refusal(
            delta,
            "conflicting_operations",
            name,
            line,
            f"'{name}' stands under {kinds} at once.",
            "Keep one of the two.",
        )
        for name, line, kinds in clashes
    ]
    for name, block in modified.items():
        if name in sources and name not in targets:
            new = sources[name].target or ""
            refusals.append(
                _refusal(
                    delta,
                    "modifies_old_name",
                    name,
                    block.line,
                    f"'{name}' is renamed to '{new}' and modified under its old name.",
                    f"### Requirement: {new}",
                )
            )
    return refusals


def _block_refusals(delta: DeltaFile, block: SpecBlock) -> list[Refusal]:
    lines = block.text.split("\n")
    code = fence_mask(lines)
    refusals = []
    body = []
    for n in range(1, len(lines)):
        if not code[n] and re.match(r"^#{1,6}\s", lines[n]):
            break
        if not code[n] and lines[n].strip():
            body.append(lines[n].strip())
    if not body:
        hint = (
            " Its heading says SHALL or MUST, its text says nothing."
            if re.search(r"\b(?:SHALL|MUST)\b", block.name)
            else ""
        )
        refusals.append(
            _refusal(
                delta,
                "no_text",
                block.name,
                block.line,
                f"'{block.name}' has no text between its heading and its first scenario.{hint}",
                f"### Requirement: {block.name}\nThe system SHALL …",
            )
        )
    if not _has_scenario(lines, code):
        refusals.append(
            _refusal(
                delta,
                "no_scenario",
                block.name,
                block.line,
                f"'{block.name}' has no '#### Scenario:' with a body.",
                "#### Scenario: name\n- **WHEN** …\n- **THEN** …",
            )
        )
    return refusals


def _has_scenario(lines: Sequence[str], code: Sequence[bool]) -> bool:
    for n, line in enumerate(lines):
        if code[n] or not re.match(r"^####\s", line):
            continue
        for at in range(n + 1, len(lines)):
            if not code[at] and re.match(r"^#{1,4}\s", lines[at]):
                break
            if lines[at].strip():
                return True
    return False


def _scenario_texts(block: SpecBlock, wanted: Counter[str]) -> str:
    left = Counter(wanted)
    kept = []
    lines = block.text.split("\n")
    code = fence_mask(lines)
    heads = [n for n, line in enumerate(lines) if not code[n] and re.match(r"^####\s", line)]
    for at, end in pairwise([*heads, len(lines)]):
        name = next(iter(scenario_names(lines[at])), "")
        if left[name] > 0:
            left[name] -= 1
            kept.append("\n".join(lines[at:end]).rstrip())
    return "\n\n".join(kept)


def _stray_proposal(delta: DeltaFile) -> str:
    if not delta.strays:
        return "Write '## ADDED Requirements' above the requirements that are new."
    names = ", ".join(f"'{block.name}'" for block, _ in delta.strays[:5])
    return f"Put {names} under '## ADDED Requirements' or '## MODIFIED Requirements'."


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


def _refusal(
    delta: DeltaFile, code: str, name: str, line: int, sentence: str, proposal: str = ""
) -> Refusal:
    return Refusal(
        code=code,
        path=delta.path,
        requirement=name,
        line=line,
        sentence=sentence,
        proposal=proposal,
    )
