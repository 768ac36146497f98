"""The operations of one delta file, applied to the blocks of one main spec.

RENAMED, REMOVED, MODIFIED, ADDED, in this order, each with OpenSpec's own conditions. What is
already applied is a no-op; what cannot be applied is a refusal that names the most similar
requirement.
"""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from bot.core.spec.archive.delta_rules import dropped_scenarios
from bot.core.spec.archive.delta_text import DeltaFile, SpecBlock, fence_mask, read_main
from bot.core.spec.archive.main_rules import Refusal, structure_refusals
from bot.core.spec.archive.names import Names
from bot.core.values.ids import Frozen

# A name may be as long as a line.
_NAME_SHOWN = 300


class Totals(Frozen):
    added: int = 0
    modified: int = 0
    removed: int = 0
    renamed: int = 0

    def __add__(self, other: "Totals") -> "Totals":
        return Totals(
            added=self.added + other.added,
            modified=self.modified + other.modified,
            removed=self.removed + other.removed,
            renamed=self.renamed + other.renamed,
        )


@dataclass(slots=True)
class Merge:
    """One main spec while operations are applied to it; order is the order of the file.

    `together` are all additions of the delta in its order, also those that other changes land; empty where
    the whole delta is folded at once.
    """

    delta: DeltaFile
    path: str
    blocks: dict[str, SpecBlock]
    together: tuple[str, ...] = ()
    totals: Totals = field(default_factory=Totals)
    warnings: list[str] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    names: Names = field(default_factory=Names)
    targets: frozenset[str] = frozenset()
    additions: dict[str, list[SpecBlock]] = field(default_factory=dict)

    def is_own(self, name: str) -> bool:
        """Whether this delta gave it, so that folding it again reports no similar name."""
        return name in self.targets or any(self.holds(b) for b in self.additions.get(name, ()))

    def holds(self, block: SpecBlock) -> bool:
        """Whether the spec has this requirement with exactly this text."""
        present = self.blocks.get(block.name)
        return present is not None and present.text.strip() == block.text.strip()

    def refuse(self, code: str, name: str, line: int, sentence: str, proposal: str = "") -> None:
        self.refusals.append(
            Refusal(
                code=code,
                path=self.delta.path,
                requirement=name,
                line=line,
                sentence=sentence,
                proposal=proposal,
            )
        )


def merged(text: str | None, path: str, delta: DeltaFile, together: tuple[str, ...] = ()) -> Merge:
    """The blocks of a main spec (None: it does not exist yet) after the operations."""
    merge = Merge(delta, path, {}, together)
    merge.targets = frozenset(r.target or "" for r in delta.renamed)
    for block in delta.added:
        merge.additions.setdefault(block.name, []).append(block)
    merge.warnings += _stray_warnings(delta)
    if text is None:
        _open_new(merge)
    else:
        merge.refusals += structure_refusals(path, text) if delta.has_operations else []
        merge.blocks = {b.name: b for b in read_main(text).blocks}
        merge.names = Names(merge.blocks)
    if merge.refusals:
        return merge
    _rename(merge)
    if text is not None:
        _remove(merge)
    _modify(merge)
    _add(merge)
    return merge


def _open_new(merge: Merge) -> None:
    delta = merge.delta
    if delta.removed:
        merge.warnings.append(
            f"{delta.capability}: {len(delta.removed)} removal(s) ignored, the spec does not exist yet."
        )
    for name, line in [
        *((b.name, b.line) for b in delta.modified),
        *((r.target or "", r.line) for r in delta.renamed),
    ]:
        merge.refuse(
            "target_missing",
            name,
            line,
            f"'{name}' cannot be modified or renamed: {merge.path} does not exist.",
            "Move it under '## ADDED Requirements' if it is new.",
        )


def _stray_warnings(delta: DeltaFile) -> Iterable[str]:
    for block, title in delta.strays:
        where = f"under '## {title}'" if title else "above the first section"
        yield (
            f"{delta.capability}: requirement '{block.name}' (line {block.line}) stands {where}, "
            "which is no delta section, and was not applied."
        )


def _rename(merge: Merge) -> None:
    places = {name: place for place, name in enumerate(merge.blocks)}
    for rename in merge.delta.renamed:
        source, target = rename.source or "", rename.target or ""
        has_source, has_target = source in merge.blocks, target in merge.blocks
        if not has_source and has_target:
            other = merge.names.near_miss(source, merge.is_own)
            if other:
                _refuse_near(merge, "renamed", source, rename.line, other)
            continue
        if not has_source:
            other = merge.names.nearest(source)
            merge.refuse(
                "rename_source_missing",
                source,
                rename.line,
                f"'{source}' cannot be renamed: the main spec has no such requirement.",
                f"- FROM: `### Requirement: {other}`" if other else "",
            )
            continue
        twin = merge.names.near_miss(target, source.__eq__)
        if has_target and _added_again(merge, source):
            continue
        if has_target or twin:
            merge.refuse(
                "rename_target_exists",
                target,
                rename.line,
                f"'{source}' cannot be renamed to '{target}': '{(twin or target)[:_NAME_SHOWN]}' exists.",
            )
            continue
        _put_renamed(merge, source, target)
        places[target] = places.pop(source)
    if merge.totals.renamed:
        merge.blocks = {
            name: merge.blocks[name] for name in sorted(merge.blocks, key=places.__getitem__)
        }


def _added_again(merge: Merge, source: str) -> bool:
    """The name was renamed away and added again; it exists because both are already applied."""
    return any(merge.holds(block) for block in merge.additions.get(source, ()))


def _put_renamed(merge: Merge, source: str, target: str) -> None:
    block = merge.blocks.pop(source)
    body = block.text.split("\n", 1)
    text = "\n".join([f"### Requirement: {target}", *body[1:]])
    merge.blocks[target] = SpecBlock(target, text, block.line)
    merge.names.remove(source)
    merge.names.add(target)
    merge.totals += Totals(renamed=1)


def _remove(merge: Merge) -> None:
    for block in merge.delta.removed:
        gone = merge.blocks.pop(block.name, None)
        if gone is None:
            other = merge.names.near_miss(block.name, merge.is_own)
            if other:
                _refuse_near(merge, "removed", block.name, block.line, other)
            else:
                merge.warnings.append(
                    f"{merge.delta.capability}: '{block.name}' is not in the main spec; "
                    "it counts as removed already."
                )
            continue
        merge.names.remove(block.name)
        merge.totals += Totals(removed=1)
        merge.warnings += _absorbed(merge, gone)


def _absorbed(merge: Merge, block: SpecBlock) -> Iterable[str]:
    """Other headings that became part of a block: OpenSpec ends it only at the next requirement."""
    lines = block.text.split("\n")
    for n, (line, code) in enumerate(zip(lines, fence_mask(lines), strict=True)):
        if n and not code and re.match(r"^###\s", line):
            yield f"{merge.delta.capability}: '{line.strip()}' goes with '{block.name}'."


def _modify(merge: Merge) -> None:
    for block in merge.delta.modified:
        old = merge.blocks.get(block.name)
        if old is None:
            other = merge.names.nearest(block.name)
            merge.refuse(
                "modified_missing",
                block.name,
                block.line,
                f"'{block.name}' cannot be modified: the main spec has no such requirement.",
                f"### Requirement: {other}"
                if other
                else "Move it under '## ADDED Requirements' if it is new.",
            )
            continue
        dropped = dropped_scenarios(merge.delta, old, block)
        if dropped:
            merge.refusals += dropped
            continue
        if old.text.strip() != block.text.strip():
            merge.blocks[block.name] = block
            merge.totals += Totals(modified=1)
            merge.warnings += _absorbed(merge, old)


def _add(merge: Merge) -> None:
    there = frozenset(merge.blocks)
    for block in merge.delta.added:
        old = merge.blocks.get(block.name)
        if old is not None:
            if old.text.strip() != block.text.strip():
                merge.refuse(
                    "added_exists",
                    block.name,
                    block.line,
                    f"'{block.name}' cannot be added: the main spec has it with another text.",
                    "Move it under '## MODIFIED Requirements'.",
                )
            continue
        other = merge.names.near_miss(block.name)
        if other:
            _refuse_near(merge, "added", block.name, block.line, other)
            continue
        merge.blocks[block.name] = block
        merge.names.add(block.name)
        merge.totals += Totals(added=1)
    _gather(merge, there)


def _gather(merge: Merge, there: frozenset[str]) -> None:
    """Puts what was added beside the additions of its delta that were there, so that the order in
    which changes land leaves no trace.
    """
    behind: dict[str, list[str]] = defaultdict(list)
    ahead: dict[str, list[str]] = {}
    waiting: list[str] = []
    last = ""
    for name in merge.together:
        if name in there:
            ahead[name], waiting, last = waiting, [], name
        elif name in merge.blocks:
            (behind[last] if last else waiting).append(name)
    moved = {name for names in (*behind.values(), *ahead.values()) for name in names}
    order = [
        placed
        for name in merge.blocks
        if name not in moved
        for placed in (*ahead.get(name, ()), name, *behind.get(name, ()))
    ]
    merge.blocks = {name: merge.blocks[name] for name in order}


def _refuse_near(merge: Merge, verb: str, name: str, line: int, other: str) -> None:
    merge.refuse(
        "near_miss",
        name,
        line,
        f"'{name}' cannot be {verb}: the main spec has '{other[:_NAME_SHOWN]}', which differs only in "
        "case or blanks.",
        f"### Requirement: {other}" if len(other) <= _NAME_SHOWN else "",
    )
