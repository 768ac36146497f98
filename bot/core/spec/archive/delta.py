"""The archive: fold the operations of a delta folder into the main specs, all files or none.

A pure function with OpenSpec's rules (CLI 1.13.2): RENAMED, REMOVED, MODIFIED, ADDED, in this order.
What is applied already is a no-op, so folding twice gives what folding once gives. Beyond the CLI a
caller may fold only the operations on the requirements that one change owns.
"""

import re
from collections.abc import Mapping, Set as AbstractSet
from dataclasses import replace
from datetime import date
from enum import StrEnum

from bot.core.spec.archive.delta_merge import Merge, Totals, merged
from bot.core.spec.archive.delta_rules import delta_refusals, misplaced_refusals
from bot.core.spec.archive.delta_text import (
    DeltaFile,
    MainSpec,
    fence_mask,
    folded,
    read_delta,
    read_main,
)
from bot.core.spec.archive.ecma import right_trimmed, trimmed
from bot.core.spec.archive.main_rules import Refusal, rebuilt_refusals, structure_refusals
from bot.core.spec.archive.retirement import unaccounted
from bot.core.spec.markers import OPENSPEC_SCHEMAS, Marker, Markers, read_markers
from bot.core.spec.reading import dominant_eol
from bot.core.values.ids import Frozen

_MAIN_FOLDER = "openspec/specs/"


class Checks(StrEnum):
    """Whether delta and result are validated: as `archive` does, or as `archive --no-validate`
    does.
    """

    ALL = "all"
    NONE = "none"


class Folded(Frozen):
    """The files that change: the new text with the old line ends, or None where the file goes."""

    files: Mapping[str, str | None]
    totals: Totals
    warnings: tuple[str, ...] = ()


class Refused(Frozen):
    reasons: tuple[Refusal, ...]


def fold(
    main: Mapping[str, str],
    delta: Mapping[str, str],
    change_name: str,
    owned: frozenset[str] | None = None,
    checks: Checks = Checks.ALL,
    schemas: AbstractSet[str] = OPENSPEC_SCHEMAS,
) -> Folded | Refused:
    """Fold a delta folder into the main specs.

    `main` maps repository paths of `…/openspec/specs/**/spec.md` to their decoded texts, line ends
    and byte order mark kept; `delta` maps paths below the delta folder (`specs/<cap>/spec.md`,
    `.openspec.yaml`). `owned` holds requirement names (of a rename either one); None folds all.
    """
    folder = _main_folder(main)
    seen = {path: text for path, text in delta.items() if not _is_hidden(path)}
    deltas = delta_files(seen)
    markers = read_markers(delta.get(".openspec.yaml", ""), schemas)
    targets = {d.path: f"{folder}{d.capability}/spec.md" for d in deltas}
    if checks is Checks.ALL:
        refusals = _refusals_before(main, seen, deltas, targets, owned)
        refusals += _marker_refusals(markers, seen)
        if refusals:
            return Refused(reasons=tuple(refusals))
    merges = [
        merged(
            main.get(targets[d.path]),
            targets[d.path],
            _owned_part(d, owned),
            () if owned is None else tuple(b.name for b in d.added),
        )
        for d in deltas
    ]
    refusals = [r for merge in merges for r in merge.refusals]
    if refusals:
        return Refused(reasons=tuple(refusals))
    return _written(main, merges, change_name, checks, markers)


def archive_folder(change_name: str, archived_on: date) -> str:
    return f"openspec/changes/archive/{archived_name(change_name, archived_on)}"


def archived_name(change_name: str, archived_on: date) -> str:
    """A name that begins with a date keeps that date."""
    if re.match(r"^\d{4}-\d{2}-\d{2}-", change_name):
        return change_name
    return f"{archived_on.isoformat()}-{change_name}"


def _main_folder(main: Mapping[str, str]) -> str:
    for path in sorted(main):
        at = path.find(_MAIN_FOLDER)
        if at == 0 or (at > 0 and path[at - 1] == "/"):
            return path[: at + len(_MAIN_FOLDER)]
    return _MAIN_FOLDER


def delta_files(delta: Mapping[str, str]) -> list[DeltaFile]:
    """The deltas in capability order."""
    found = []
    for path in sorted(delta):
        inside = re.fullmatch(r"specs/(.+)/spec\.md", path)
        if inside:
            found.append(read_delta(path, inside.group(1), delta[path]))
    return found


def operation_names(delta: Mapping[str, str]) -> set[str]:
    """The names that the operations of a delta folder are about; of a rename both."""
    found: set[str] = set()
    for one in delta_files({path: text for path, text in delta.items() if not _is_hidden(path)}):
        found |= {b.name for b in (*one.added, *one.modified, *one.removed)}
        found |= {name for r in one.renamed for name in (r.source, r.target) if name}
    return found


def _is_hidden(path: str) -> bool:
    """OpenSpec does not look at names that begin with a dot, below specs/."""
    return path.startswith("specs/") and "/." in path


def _refusals_before(
    main: Mapping[str, str],
    delta: Mapping[str, str],
    deltas: list[DeltaFile],
    targets: Mapping[str, str],
    owned: frozenset[str] | None,
) -> list[Refusal]:
    """Refusals of the whole delta; the main specs are checked only for what is folded now."""
    refusals: list[Refusal] = []
    for path in sorted(delta):
        is_markdown = path.startswith("specs/") and path.lower().endswith(".md")
        if is_markdown and path not in targets:
            refusals += misplaced_refusals(path, delta[path])
    for one in deltas:
        text = main.get(targets[one.path])
        blocks = read_main(text).blocks if text is not None else ()
        now = {b.name: b for b in blocks if owned is None or b.name in owned}
        refusals += delta_refusals(one, now)
    return refusals


def _marker_refusals(markers: Markers, delta: Mapping[str, str]) -> list[Refusal]:
    """A marker that says "no specs" in a folder with specs, or in a file that is not metadata."""
    first = next((path for path in sorted(delta) if path.startswith("specs/")), "")
    if markers.skip_specs is Marker.UNREADABLE:
        words = "'.openspec.yaml' says skip_specs, but is not metadata as OpenSpec knows it."
        way_out = "schema: spec-driven\nskip_specs: true\n"
        return [_marker_refusal("skip_specs_unreadable", ".openspec.yaml", words, way_out)]
    if markers.skip_specs is Marker.DECLARED and first:
        words = "'.openspec.yaml' says skip_specs, but the folder has delta specs."
        way_out = "Drop 'skip_specs: true' or the files below specs/."
        return [_marker_refusal("skip_specs_with_specs", first, words, way_out)]
    return []


def _marker_refusal(code: str, path: str, sentence: str, proposal: str) -> Refusal:
    return Refusal(
        code=code, path=path, requirement="", line=1, sentence=sentence, proposal=proposal
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


def _written(
    main: Mapping[str, str],
    merges: list[Merge],
    change_name: str,
    checks: Checks,
    markers: Markers,
) -> Folded | Refused:
    files: dict[str, str | None] = {}
    refusals: list[Refusal] = []
    totals = Totals()
    warnings: list[str] = []
    for merge in merges:
        totals += merge.totals
        warnings += merge.warnings
        old = main.get(merge.path)
        if not merge.delta.has_operations:
            continue
        before = read_main(old if old is not None else _skeleton(merge, change_name))
        text = _assembled(merge, before)
        wrong = rebuilt_refusals(merge.path, text) if checks is Checks.ALL else []
        if _may_retire(merge, wrong, markers):
            lost = unaccounted(before)
            if lost:
                wrong = [_unretirable(wrong[0], lost)]
            elif old is None:
                continue
            elif merge.totals.removed:
                files[merge.path] = None
                continue
        refusals += wrong
        if merge.totals != Totals():
            files[merge.path] = _with_old_ends(text, old)
    if refusals:
        return Refused(reasons=tuple(refusals))
    return Folded(files=files, totals=totals, warnings=tuple(warnings))


def _unretirable(refusal: Refusal, lost: list[str]) -> Refusal:
    words = ", ".join(f"'{line.strip()[:60]}'" for line in lost[:5])
    return refusal.replace(
        code="retire_loses_text",
        sentence=f"{refusal.path} cannot be retired: it would lose {words}.",
        proposal="Move these lines into '## Purpose' or a requirement, or delete them.",
    )


def _may_retire(merge: Merge, wrong: list[Refusal], markers: Markers) -> bool:
    """Whether the only error is that no requirement is left, and a marker permits this."""
    means_it = markers.retire_capabilities is Marker.DECLARED and not merge.blocks
    return means_it and [r.code for r in wrong] == ["no_requirement_left"]


def _with_old_ends(text: str, old: str | None) -> str:
    """The text with the line end that most of the old lines have."""
    if old is None:
        return text
    return text.replace("\r\n", "\n").replace("\n", dominant_eol(old))


def _assembled(merge: Merge, spec: MainSpec) -> str:
    body = "\n\n".join(
        [
            *([spec.preamble] if trimmed(spec.preamble) else []),
            *(b.text for b in merge.blocks.values()),
        ]
    )
    return _joined(spec, right_trimmed(body))


def _joined(spec: MainSpec, body: str) -> str:
    parts = [right_trimmed(spec.before), spec.header, body, trimmed(spec.after)]
    text = "\n\n".join(part for part in parts if part)
    lines = text.split("\n")
    code = fence_mask(lines)
    kept: list[str] = []
    for n, line in enumerate(lines):
        if line == "" and n and lines[n - 1] == "" and not code[n] and not code[n - 1]:
            continue
        kept.append(line)
    return right_trimmed("\n".join(kept)) + "\n"


def _skeleton(merge: Merge, change_name: str) -> str:
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
    """Whether a skeleton no longer reads as a purpose and a list of requirements."""
    unread = {"no_purpose", "no_requirements_section"}
    wrong = structure_refusals("", skeleton)
    return bool(wrong) or any(r.code in unread for r in rebuilt_refusals("", skeleton))
