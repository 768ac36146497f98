"""What of a diff lies beyond what its change declared, and which paths differ in case only."""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from pathspec import GitIgnoreSpec

from gates.declared import DeclaredScope
from gates.test_guard.languages import is_test_path
from gates.tree import ChangedFile

# Where tests keep what they read.
_TEST_FOLDERS = {"test", "tests", "testdata", "__tests__", "spec", "fixtures"}


@dataclass(frozen=True)
class UndeclaredPath:
    """A path that is not declared, and why it does not count as declared."""

    path: str
    why: str


def beyond(declared: DeclaredScope, diff: Sequence[ChangedFile]) -> tuple[UndeclaredPath, ...]:
    """The files that the change touches and did not declare, in the diff's order.

    Tests are never beyond, nor is a new file beside a declared one. A generated file is not, as long as
    something is touched that it can be made from. Raises ValueError for modules and generated files that are no
    patterns.
    """
    if not (declared.files or declared.modules):
        return ()
    places = _Places(declared)
    generated = GitIgnoreSpec.from_lines(declared.generated)
    written = [file for file in diff if not generated.match_file(file.path)]
    found = [UndeclaredPath(file.path, why) for file in written if (why := places.why_beyond(file))]
    if written:
        return tuple(found)
    alone = "Only generated files change, but not their sources."
    return tuple(UndeclaredPath(file.path, alone) for file in diff)


def folded(path: str) -> str:
    """The path as file systems see it that know no case, and only one form of each letter."""
    return unicodedata.normalize("NFC", path).casefold()


def differing_in_case(
    diff: Sequence[ChangedFile], paths: Iterable[str] = ()
) -> Iterator[tuple[str, str]]:
    """Pairs of paths after the change that are one file where case does not count, the second one of
    the diff. `paths` are all of the candidate's."""
    seen: dict[str, str] = {}
    changed = {file.path for file in diff}
    added = {folded(file.path) for file in diff if file.before is None}
    if added:
        others = ((folded(path), path) for path in paths if path not in changed)
        seen.update((key, path) for key, path in others if key in added)
    for file in diff:
        if file.after is not None:
            other = seen.setdefault(folded(file.path), file.path)
            if other != file.path:
                yield other, file.path


class _Places:
    def __init__(self, declared: DeclaredScope) -> None:
        listed = [path.strip().removeprefix("./").strip("/") for path in declared.files]
        self._listed = {path for path in listed if path}
        self._folded = {folded(path): path for path in self._listed}
        self._beside = {
            str(parent)
            for path in self._listed
            if (parent := PurePosixPath(path).parent) != PurePosixPath()
        }
        self._modules = GitIgnoreSpec.from_lines(anchored(declared.modules))

    def why_beyond(self, file: ChangedFile) -> str:
        """A sentence; empty for a file that is declared."""
        path = PurePosixPath(file.path)
        above = [str(path), *(str(parent) for parent in path.parents)]
        if self._listed.intersection(above) or self._modules.match_file(file.path):
            return ""
        same = next((self._folded[f] for one in above if (f := folded(one)) in self._folded), None)
        if same is not None:
            return f"The plan names {same}, which differs only in upper and lower case."
        if _is_of_tests(path) or (file.before is None and str(path.parent) in self._beside):
            return ""
        done = "adds" if file.before is None else "deletes" if file.after is None else "edits"
        return f"The change {done} this file, but its plan names neither the file nor its module."


def _is_of_tests(path: PurePosixPath) -> bool:
    # In Rust every source file may hold tests.
    is_file = path.suffix != ".rs" and is_test_path(str(path))
    return is_file or not _TEST_FOLDERS.isdisjoint(path.parts[:-1])


def anchored(patterns: Iterable[str]) -> Iterator[str]:
    """From the top: a folder's name alone would otherwise be a pattern that matches at every depth."""
    return (f"/{pattern.lstrip('/')}" for pattern in patterns if pattern.strip("/"))
