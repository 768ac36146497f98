"""The operations of one delta file, applied to the blocks of one main spec.

RENAMED, REMOVED, MODIFIED, ADDED, in this order, each with OpenSpec's own conditions. What is
already applied is a no-op; what cannot be applied is a refusal that names the most similar
requirement.
"""

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from bot.core.spec.archive.delta_rules import dropped_scenarios, near_miss, nearest
from bot.core.spec.archive.delta_text import DeltaFile, SpecBlock, fence_mask, read_main
from bot.core.spec.archive.main_rules import Refusal, structure_refusals
from bot.core.values.ids import Frozen


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

    def names_from_elsewhere(self) -> list[str]:
        """Without names from this delta, so that folding it again reports no similar name."""
        own = {r.target for r in self.delta.renamed}
        own |= {b.name for b in self.delta.added if self.holds(b)}
        return [name for name in self.blocks if name not in own]

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
    merge.warnings += _stray_warnings(delta)
    if text is None:
        _open_new(merge)
    else:
        merge.refusals += structure_refusals(path, text) if delta.has_operations else []
        merge.blocks = {b.name: b for b in read_main(text).blocks}
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
    for rename in merge.delta.renamed:
        source, target = rename.source or "", rename.target or ""
        has_source, has_target = source in merge.blocks, target in merge.blocks
        if not has_source and has_target:
            other = near_miss(source, merge.names_from_elsewhere())
            if other:
                _refuse_near(merge, "renamed", source, rename.line, other)
            continue
        if not has_source:
            other = nearest(source, merge.blocks)
            merge.refuse(
                "rename_source_missing",
                source,
                rename.line,
                f"'{source}' cannot be renamed: the main spec has no such requirement.",
                f"- FROM: `### Requirement: {other}`" if other else "",
            )
            continue
        twin = near_miss(target, (n for n in merge.blocks if n != source))
        if has_target and _added_again(merge, source):
            continue
        if has_target or twin:
            merge.refuse(
                "rename_target_exists",
                target,
                rename.line,
                f"'{source}' cannot be renamed to '{target}': '{twin or target}' exists.",
            )
            continue
        _put_renamed(merge, source, target)


def _added_again(merge: Merge, source: str) -> bool:
    """The name was renamed away and added again; it exists because both are already applied."""
    return any(b.name == source and merge.holds(b) for b in merge.delta.added)


def _put_renamed(merge: Merge, source: str, target: str) -> None:
    renamed: dict[str, SpecBlock] = {}
    for name, block in merge.blocks.items():
        if name != source:
            renamed[name] = block
            continue
        body = block.text.split("\n", 1)
        text = "\n".join([f"### Requirement: {target}", *body[1:]])
        renamed[target] = SpecBlock(target, text, block.line)
    merge.blocks = renamed
    merge.totals += Totals(renamed=1)


def _remove(merge: Merge) -> None:
    for block in merge.delta.removed:
        gone = merge.blocks.pop(block.name, None)
        if gone is None:
            other = near_miss(block.name, merge.names_from_elsewhere())
            if other:
                _refuse_near(merge, "removed", block.name, block.line, other)
            else:
                merge.warnings.append(
                    f"{merge.delta.capability}: '{block.name}' is not in the main spec; "
                    "it counts as removed already."
                )
            continue
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
            other = nearest(block.name, merge.blocks)
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
        other = near_miss(block.name, merge.blocks)
        if other:
            _refuse_near(merge, "added", block.name, block.line, other)
            continue
        merge.blocks[block.name] = block
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
        f"'{name}' cannot be {verb}: the main spec has '{other}', which differs only in case or blanks.",
        f"### Requirement: {other}",
    )
