"""The archive: fold the operations of a delta folder into the main specs, all files or none.

A pure function with OpenSpec's rules (CLI 1.13.2): RENAMED, REMOVED, MODIFIED, ADDED, in this order.
What is applied already is a no-op, so folding twice gives what folding once gives. Beyond the CLI a
caller may fold only the operations on the requirements that one change owns.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum

from bot.core.ids import Frozen
from bot.core.spec.delta_rules import (
    delta_refusals,
    dropped_scenarios,
    misplaced_refusals,
    near_miss,
)
from bot.core.spec.delta_text import (
    DeltaFile,
    MainSpec,
    SpecBlock,
    fence_mask,
    folded,
    read_delta,
    read_main,
)
from bot.core.spec.main_rules import (
    Refusal,
    rebuilt_refusals,
    structure_refusals,
    unaccounted,
)

_MAIN_FOLDER = "openspec/specs/"


class Checks(StrEnum):
    """Whether delta and result are validated, as by `archive` or by `archive --no-validate`."""

    ALL = "all"
    NONE = "none"


class Totals(Frozen):
    """How many operations changed something."""

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


class Folded(Frozen):
    """The files that change: the new text with the old line ends, or None where the file goes."""

    files: Mapping[str, str | None]
    totals: Totals
    warnings: tuple[str, ...] = ()


class Refused(Frozen):
    """Nothing is changed, and why."""

    reasons: tuple[Refusal, ...]


@dataclass(slots=True)
class _Merge:
    """One main spec while operations are applied to it; order is the order of the file."""

    delta: DeltaFile
    path: str
    blocks: dict[str, SpecBlock]
    totals: Totals = field(default_factory=Totals)
    warnings: list[str] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)

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


def fold(
    main: Mapping[str, str],
    delta: Mapping[str, str],
    change_name: str,
    owned: frozenset[str] | None = None,
    checks: Checks = Checks.ALL,
) -> Folded | Refused:
    """Fold a delta folder into the main specs.

    `main` maps repository paths of `…/openspec/specs/**/spec.md` to their decoded texts, line ends
    and byte order mark kept; `delta` maps paths below the delta folder (`specs/<cap>/spec.md`,
    `.openspec.yaml`). `owned` holds requirement names (of a rename either one); None folds all.
    """
    folder = _main_folder(main)
    deltas = _delta_files(delta)
    settings = _settings(delta.get(".openspec.yaml", ""))
    targets = {d.path: f"{folder}{d.capability}/spec.md" for d in deltas}
    if checks is Checks.ALL:
        refusals = _refusals_before(main, delta, deltas, targets)
        if settings.get("skip_specs") == "true" and deltas:
            refusals.append(_skip_with_specs(deltas[0]))
        if refusals:
            return Refused(reasons=tuple(refusals))
    merges = [
        _merged(main.get(targets[d.path]), targets[d.path], _owned_part(d, owned)) for d in deltas
    ]
    refusals = [r for merge in merges for r in merge.refusals]
    if refusals:
        return Refused(reasons=tuple(refusals))
    return _written(main, merges, change_name, checks, settings)


def archived_name(change_name: str, archived_on: date) -> str:
    """The folder name in the archive; a name that begins with a date keeps it."""
    if re.match(r"^\d{4}-\d{2}-\d{2}-", change_name):
        return change_name
    return f"{archived_on.isoformat()}-{change_name}"


def _main_folder(main: Mapping[str, str]) -> str:
    for path in sorted(main):
        at = path.find(_MAIN_FOLDER)
        if at == 0 or (at > 0 and path[at - 1] == "/"):
            return path[: at + len(_MAIN_FOLDER)]
    return _MAIN_FOLDER


def _delta_files(delta: Mapping[str, str]) -> list[DeltaFile]:
    """The deltas in capability order."""
    found = []
    for path in sorted(delta):
        inside = re.fullmatch(r"specs/(.+)/spec\.md", path)
        if inside:
            found.append(read_delta(path, inside.group(1), delta[path]))
    return found


def _settings(yaml: str) -> dict[str, str]:
    """The flat keys of .openspec.yaml; without `schema` the file counts for nothing."""
    pairs = re.findall(
        r"^([A-Za-z_]+)\s*:[ \t]*([^#\n\r]*)", yaml.removeprefix("\ufeff"), re.MULTILINE
    )
    settings = {key: value.strip().strip("'\"") for key, value in pairs}
    return settings if settings.get("schema") else {}


def _refusals_before(
    main: Mapping[str, str],
    delta: Mapping[str, str],
    deltas: list[DeltaFile],
    targets: Mapping[str, str],
) -> list[Refusal]:
    refusals: list[Refusal] = []
    for path in sorted(delta):
        is_markdown = path.startswith("specs/") and path.lower().endswith(".md")
        if is_markdown and path not in targets:
            refusals += misplaced_refusals(path, delta[path])
    for one in deltas:
        text = main.get(targets[one.path])
        blocks = {b.name: b for b in read_main(text).blocks} if text is not None else None
        refusals += delta_refusals(one, blocks)
    return refusals


def _skip_with_specs(delta: DeltaFile) -> Refusal:
    return Refusal(
        code="skip_specs_with_specs",
        path=delta.path,
        requirement="",
        line=1,
        sentence="'.openspec.yaml' says skip_specs, but the folder has delta specs.",
        proposal="Drop 'skip_specs: true' or the files below specs/.",
    )


def _owned_part(delta: DeltaFile, owned: frozenset[str] | None) -> DeltaFile:
    if owned is None:
        return delta
    return replace(
        delta,
        added=[b for b in delta.added if b.name in owned],
        modified=[b for b in delta.modified if b.name in owned],
        removed=[b for b in delta.removed if b.name in owned],
        renamed=[r for r in delta.renamed if r.source in owned or r.target in owned],
        strays=[],
    )


def _merged(text: str | None, path: str, delta: DeltaFile) -> _Merge:
    merge = _Merge(delta, path, {})
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


def _open_new(merge: _Merge) -> None:
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


def _rename(merge: _Merge) -> None:
    for rename in merge.delta.renamed:
        source, target = rename.source or "", rename.target or ""
        has_source, has_target = source in merge.blocks, target in merge.blocks
        if not has_source and has_target:
            other = near_miss(source, (n for n in merge.blocks if n != target))
            if other:
                _refuse_near(merge, "renamed", source, rename.line, other)
            continue
        if not has_source:
            other = near_miss(source, merge.blocks)
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


def _added_again(merge: _Merge, source: str) -> bool:
    """A name renamed away and added anew stands in the spec because both were applied already."""
    present = merge.blocks[source].text.strip()
    return any(b.name == source and b.text.strip() == present for b in merge.delta.added)


def _put_renamed(merge: _Merge, source: str, target: str) -> None:
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


def _remove(merge: _Merge) -> None:
    for block in merge.delta.removed:
        gone = merge.blocks.pop(block.name, None)
        if gone is None:
            other = near_miss(block.name, merge.blocks)
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


def _absorbed(merge: _Merge, block: SpecBlock) -> Iterable[str]:
    """Other headings that a block took along, because OpenSpec ends it only at the next one."""
    lines = block.text.split("\n")
    for n, (line, code) in enumerate(zip(lines, fence_mask(lines), strict=True)):
        if n and not code and re.match(r"^###\s", line):
            yield f"{merge.delta.capability}: '{line.strip()}' goes with '{block.name}'."


def _modify(merge: _Merge) -> None:
    for block in merge.delta.modified:
        old = merge.blocks.get(block.name)
        if old is None:
            other = near_miss(block.name, merge.blocks)
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


def _add(merge: _Merge) -> None:
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


def _refuse_near(merge: _Merge, verb: str, name: str, line: int, other: str) -> None:
    merge.refuse(
        "near_miss",
        name,
        line,
        f"'{name}' cannot be {verb}: the main spec has '{other}', which differs only in case or blanks.",
        f"### Requirement: {other}",
    )


def _written(
    main: Mapping[str, str],
    merges: list[_Merge],
    change_name: str,
    checks: Checks,
    settings: Mapping[str, str],
) -> Folded | Refused:
    files: dict[str, str | None] = {}
    refusals: list[Refusal] = []
    totals = Totals()
    warnings: list[str] = []
    for merge in merges:
        totals += merge.totals
        warnings += merge.warnings
        old = main.get(merge.path)
        is_new = old is None and bool(merge.delta.sections) and merge.delta.has_operations
        if merge.totals == Totals() and not is_new:
            continue
        text = _assembled(merge, old, change_name)
        wrong = rebuilt_refusals(merge.path, text) if checks is Checks.ALL else []
        empty = bool(old) and not merge.blocks and settings.get("retire_capabilities") == "true"
        if wrong and empty and [r.code for r in wrong] == ["no_requirement_left"]:
            lost = unaccounted(old or "")
            if not lost:
                files[merge.path] = None
                continue
            wrong = [_unretirable(wrong[0], lost)]
        refusals += wrong
        files[merge.path] = text.replace("\n", read_main(old).eol) if old else text
    if refusals:
        return Refused(reasons=tuple(refusals))
    return Folded(files=files, totals=totals, warnings=tuple(warnings))


def _unretirable(refusal: Refusal, lost: list[str]) -> Refusal:
    words = ", ".join(f"'{line.strip()[:60]}'" for line in lost[:5])
    return refusal.model_copy(
        update={
            "code": "retire_loses_text",
            "sentence": f"{refusal.path} cannot be retired: it would lose {words}.",
            "proposal": "Move these lines into '## Purpose' or a requirement, or delete them.",
        }
    )


def _assembled(merge: _Merge, old: str | None, change_name: str) -> str:
    spec = read_main(old if old is not None else _skeleton(merge, change_name))
    body = "\n\n".join(
        [
            *([spec.preamble] if spec.preamble.strip() else []),
            *(b.text for b in merge.blocks.values()),
        ]
    )
    return _joined(spec, body)


def _joined(spec: MainSpec, body: str) -> str:
    parts = [spec.before.rstrip(), spec.header, body.strip("\n"), spec.after.strip()]
    text = "\n\n".join(part for part in parts if part.strip())
    lines = text.split("\n")
    code = fence_mask(lines)
    kept: list[str] = []
    for n, line in enumerate(lines):
        if line == "" and kept and kept[-1] == "" and not code[n]:
            continue
        kept.append(line)
    return "\n".join(kept).rstrip("\n") + "\n"


def _skeleton(merge: _Merge, change_name: str) -> str:
    delta = merge.delta
    placeholder = f"TBD - created by archiving change {change_name}. Update Purpose after archive."
    text = _skeleton_text(delta.capability, delta.purpose or placeholder)
    if delta.purpose and ("<!--" in text or rebuilt_problem(text)):
        merge.warnings.append(f"{delta.capability}: the delta's Purpose cannot be carried over.")
        text = _skeleton_text(delta.capability, placeholder)
    elif delta.purpose and len(folded(delta.purpose)) < 50:
        merge.warnings.append(f"{delta.capability}: the Purpose is shorter than 50 letters.")
    return text


def _skeleton_text(capability: str, purpose: str) -> str:
    return f"# {capability} Specification\n\n## Purpose\n{purpose}\n\n## Requirements\n"


def rebuilt_problem(skeleton: str) -> bool:
    """Whether a skeleton no longer reads as a purpose and an empty list of requirements."""
    codes = {r.code for r in rebuilt_refusals("", skeleton)}
    return codes != {"no_requirement_left"} or not read_main(skeleton).before.strip()
