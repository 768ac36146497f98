"""The gate `scope_check`: a diff stays inside what a change may touch, and what it declared.

It reads the diff alone, because its result is used again for the same diff on another tree. What
the archive writes is exempt from the list of protected paths and from what is declared, and from no other rule.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from pathspec import GitIgnoreSpec

from gates.beyond import UndeclaredPath, anchored, beyond, differing_in_case, folded
from gates.builtin import Judgement, annotations
from gates.declared import NOT_DECLARED
from gates.result import Annotation, AnnotationLevel, Ending
from gates.settings import JudgeSettings
from gates.tree import ChangedFile, EntryKind, TreeDiff
from gates.wording import counted, cut_end, shown_path


@dataclass(frozen=True)
class _Fault:
    path: str
    title: str
    message: str


def check_scope(diff: TreeDiff, settings: JudgeSettings, paths: Iterable[str] = ()) -> Judgement:
    try:
        protected = GitIgnoreSpec.from_lines(settings.protected)
        in_any_case = GitIgnoreSpec.from_lines(folded(line) for line in settings.protected)
        archived = GitIgnoreSpec.from_lines(anchored(settings.archive_paths))
        worked_on = [file for file in diff.files if not _matches(archived, file.path)]
        undeclared = beyond(settings.declared, worked_on)
    except ValueError as error:
        sentence = f"The policy's paths are not gitignore patterns: {error}"
        return Judgement(Ending.COULD_NOT_RUN, sentence)
    if not worked_on:
        besides = " besides what the archive writes" if diff.files else ""
        return Judgement(Ending.FAILED, f"The diff changes nothing{besides}.")
    faults = [
        _Fault(
            file.path,
            "Protected path",
            "The policy protects this path; a change may not add, edit, move or delete it.",
        )
        for file in worked_on
        if _touches(protected, file.path, file) or _touches(in_any_case, folded(file.path), file)
    ]
    for file in diff.files:
        faults.extend(_faults_of_content(file, settings.file_bytes_max))
    faults += [
        _Fault(
            path,
            "Differs only in upper and lower case",
            f"On systems that ignore case, it is the same file as {shown_path(other)}.",
        )
        for other, path in differing_in_case(diff.files, paths)
    ]
    if settings.declared.is_binding:
        faults += _not_declared(undeclared)
    size = f"{counted(len(diff.files), 'file')}, +{diff.lines_added} −{diff.lines_removed}"
    if not faults:
        told = _annotations(_not_declared(undeclared), AnnotationLevel.WARNING)
        return Judgement(Ending.PASSED, f"The diff ({size}) {_inside(undeclared)}.", told)
    return Judgement(Ending.FAILED, _sentence(faults, size), _annotations(faults))


def _matches(patterns: GitIgnoreSpec, path: str) -> bool:
    return patterns.match_file(path)


def _touches(patterns: GitIgnoreSpec, path: str, file: ChangedFile) -> bool:
    # `specs/` protects a folder; a link in its place would put another folder there.
    stands_for_a_folder = file.after is EntryKind.SYMLINK or file.after is EntryKind.GITLINK
    return _matches(patterns, path) or (stands_for_a_folder and _matches(patterns, f"{path}/"))


def _faults_of_content(file: ChangedFile, file_bytes_max: int) -> Iterator[_Fault]:
    match file.after:
        case EntryKind.GITLINK:
            yield _Fault(file.path, "Submodule", "A change may not add or move a submodule.")
        case EntryKind.SYMLINK:
            reason = _why_link_leaves(file)
            if reason:
                yield _Fault(file.path, "Symlink leaves the tree", f"Its target {reason}.")
        case EntryKind.FILE | EntryKind.EXECUTABLE:
            if (file.size_bytes or 0) > file_bytes_max:
                message = f"It is {file.size_bytes:,} bytes; the limit is {file_bytes_max:,}."
                yield _Fault(file.path, "File too large", message)
        case None:
            return


def _why_link_leaves(file: ChangedFile) -> str:
    """Half a sentence, empty for a link that stays.

    A target may climb only at its start: there each `..` is a folder of the tree. Behind a name,
    which may itself be a link, a climb leads nobody knows where.
    """
    if file.link_target is None:
        return "is too long to be one"
    parts = [part for part in file.link_target.split("/") if part not in ("", ".")]
    climbs = 0
    while climbs < len(parts) and parts[climbs] == "..":
        climbs += 1
    if file.link_target.startswith("/"):
        return "is an absolute path"
    if climbs > len(PurePosixPath(file.path).parent.parts):
        return "is above the top of the tree"
    if ".." in parts[climbs:]:
        return "has `..` after a name, so its target cannot be known"
    if any(part.lower() == ".git" for part in parts):
        return "is git's own folder"
    return ""


def _not_declared(undeclared: Sequence[UndeclaredPath]) -> list[_Fault]:
    return [_Fault(one.path, NOT_DECLARED, one.why) for one in undeclared]


def _inside(undeclared: Sequence[UndeclaredPath]) -> str:
    if not undeclared:
        return "stays in its scope"
    return (
        f"stays in its scope, but touches files that the plan does not name: {_listed(undeclared)}"
    )


def _listed(those: Sequence[_Fault] | Sequence[UndeclaredPath]) -> str:
    paths = list(dict.fromkeys(one.path for one in those))
    listed = ", ".join(cut_end(shown_path(path), 200) for path in paths[:3])
    return listed + (f" and {len(paths) - 3} more" if len(paths) > 3 else "")


def _sentence(faults: list[_Fault], size: str) -> str:
    kinds = " · ".join(dict.fromkeys(fault.title.lower() for fault in faults))
    return f"The diff ({size}) leaves its scope: {kinds} ({_listed(faults)})."


def _annotations(
    faults: list[_Fault], level: AnnotationLevel = AnnotationLevel.FAILURE
) -> tuple[Annotation, ...]:
    return annotations(((one.path, 1, one.title, one.message) for one in faults), level)
