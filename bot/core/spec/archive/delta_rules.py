"""OpenSpec's checks of a delta before it is applied.

Follows the errors of OpenSpec CLI 1.13.2; what the CLI only warns about is not refused here. Each
refusal has a sentence and, where a repair is known, a proposal.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

from bot.core.spec.archive.delta_text import (
    DeltaFile,
    SpecBlock,
    fence_mask,
    folded,
    has_sections,
    scenario_names,
)
from bot.core.spec.archive.ecma import ecma, trimmed
from bot.core.spec.archive.main_rules import Refusal

_HEADING = ecma(r"^#{1,6}\s")
_SCENARIO = ecma(r"^####\s+")
_ENDS_SCENARIO = ecma(r"^#{1,4}\s")
_NORMATIVE = re.compile(r"\b(?:SHALL|MUST)\b", re.ASCII)


def delta_refusals(delta: DeltaFile, main: Mapping[str, SpecBlock]) -> list[Refusal]:
    """`main` maps the names of the target's requirements to their blocks."""
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
        old = main.get(block.name)
        if old is not None:
            refusals += dropped_scenarios(delta, old, block)
    return refusals


def dropped_scenarios(delta: DeltaFile, old: SpecBlock, new: SpecBlock) -> list[Refusal]:
    """A modification must repeat every scenario that the main spec has, by name."""
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
    """Deltas at a path where OpenSpec does not look for them."""
    if path != "specs/spec.md" and not has_sections(text):
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
    return [*refusals, *_wrong_renames(delta)]


def _wrong_renames(delta: DeltaFile) -> list[Refusal]:
    refusals = []
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
        side, other = ("FROM", "TO") if lonely.source is not None else ("TO", "FROM")
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
        if name in sources:
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
        if not code[n] and _HEADING.match(lines[n]):
            break
        if not code[n] and trimmed(lines[n]):
            body.append(lines[n])
    if not body:
        hint = (
            " Its heading says SHALL or MUST, its text says nothing."
            if _NORMATIVE.search(block.name)
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
        if code[n] or not _SCENARIO.match(line):
            continue
        for at in range(n + 1, len(lines)):
            if not code[at] and _ENDS_SCENARIO.match(lines[at]):
                break
            if trimmed(lines[at]):
                return True
    return False


def _scenario_texts(block: SpecBlock, wanted: Counter[str]) -> str:
    left = Counter(wanted)
    kept = []
    lines = block.text.split("\n")
    code = fence_mask(lines)
    heads = [n for n, line in enumerate(lines) if not code[n] and _SCENARIO.match(line)]
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
