"""The archive: fold the operations of a delta folder into the main specs, all files or none.

A pure function with OpenSpec's rules (CLI 1.13.2): RENAMED, REMOVED, MODIFIED, ADDED, in this order.
What is applied already is a no-op, so folding twice gives what folding once gives. Beyond the CLI a
caller may fold only the operations on the requirements that one change owns.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from enum import StrEnum

from bot.core.ids import Frozen
from bot.core.spec.delta_merge import Merge, Totals, merged
from bot.core.spec.delta_rules import (
    delta_refusals,
    misplaced_refusals,
)
from bot.core.spec.delta_text import (
    DeltaFile,
    MainSpec,
    fence_mask,
    folded,
    read_delta,
    read_main,
)
from bot.core.spec.main_rules import (
    Refusal,
    rebuilt_refusals,
    unaccounted,
)

_MAIN_FOLDER = "openspec/specs/"


class Checks(StrEnum):
    """Whether delta and result are validated, as by `archive` or by `archive --no-validate`."""

    ALL = "all"
    NONE = "none"


class Folded(Frozen):
    """The files that change: the new text with the old line ends, or None where the file goes."""

    files: Mapping[str, str | None]
    totals: Totals
    warnings: tuple[str, ...] = ()


class Refused(Frozen):
    """Nothing is changed, and why."""

    reasons: tuple[Refusal, ...]


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
        refusals = _refusals_before(main, delta, deltas, targets, owned)
        if settings.get("skip_specs") == "true" and deltas:
            refusals.append(_skip_with_specs(deltas[0]))
        if refusals:
            return Refused(reasons=tuple(refusals))
    merges = [
        merged(main.get(targets[d.path]), targets[d.path], _owned_part(d, owned)) for d in deltas
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
    owned: frozenset[str] | None,
) -> list[Refusal]:
    """What is wrong with the delta; against the main specs only what is folded now is held."""
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


def _written(
    main: Mapping[str, str],
    merges: list[Merge],
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
        is_new = old is None and bool(merge.delta.sections)
        if not merge.delta.has_operations:
            continue
        text = _assembled(merge, old, change_name)
        wrong = rebuilt_refusals(merge.path, text) if checks is Checks.ALL else []
        if merge.totals == Totals() and not is_new:
            refusals += wrong
            continue
        empty = not merge.blocks and settings.get("retire_capabilities") == "true"
        if wrong and empty and [r.code for r in wrong] == ["no_requirement_left"]:
            lost = unaccounted(old or "")
            if not lost:
                files |= {merge.path: None} if old is not None else {}
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


def _assembled(merge: Merge, old: str | None, change_name: str) -> str:
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
    """Whether a skeleton no longer reads as a purpose and an empty list of requirements."""
    codes = {r.code for r in rebuilt_refusals("", skeleton)}
    return codes != {"no_requirement_left"} or not read_main(skeleton).before.strip()
