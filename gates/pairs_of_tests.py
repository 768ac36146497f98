"""The test files of a diff before and after it, with the rows that they take from other files."""

import posixpath
from collections.abc import Iterator, Mapping, Sequence

from gates.builtin import BuiltinSubject
from gates.test_guard.asserted_elsewhere import (
    by_folder,
    helper_paths,
    language_of,
    may_hold_helpers,
    other_helpers,
    with_helpers_of,
)
from gates.test_guard.aware import is_product_code
from gates.test_guard.compare import Pair
from gates.test_guard.found_test import TestFile
from gates.test_guard.python_selection import CONFIGURATIONS, Selection, selection_of
from gates.test_guard.python_tests import read_python
from gates.test_guard.rows_elsewhere import importing, lists_of, may_hold_rows, uses, written_out
from gates.test_guard.taken_elsewhere import has_other_helpers

# Of so many test files it is asked whether they take rows from a file whose rows are others now.
_ASKED_MAX = 2000
# So many of them are held in memory.
_AT_ONCE = 50


def pairs_of_tests(subject: BuiltinSubject, paths: Sequence[str]) -> list[Pair]:
    """Those at the paths, and those that are as they were while a file that holds their rows is not."""
    changed = {file.path for file in subject.diff.files}
    before, after = subject.before(paths), subject.after(paths)
    selection = _selection(subject)
    folders = by_folder(subject.paths)
    old_folders = by_folder({*subject.paths, *changed})
    also = sorted(
        {*_with_other_rows(subject, changed), *_with_other_helpers(subject, changed, folders)}
    )
    unchanged = subject.after(also)

    def pair(path: str, before: bytes, after: bytes) -> Pair:
        was = _with_helpers(path, before, old_folders, subject, changed, is_before=True)
        now = _with_helpers(path, after, folders, subject, changed, is_before=False)
        return _pair(subject, path, was, now, changed)

    pairs = [
        *(pair(path, before.get(path, b""), after.get(path, b"")) for path in paths),
        *(pair(path, unchanged[path], unchanged[path]) for path in also),
    ]
    pairs += _helpers(subject)
    return [Pair(selection.marked(pair.before), selection.marked(pair.after)) for pair in pairs]


def _helpers(subject: BuiltinSubject) -> Iterator[Pair]:
    """What changed helpers in Python make something else for every test; a `conftest.py` is for a person to allow."""
    paths = [
        file.path
        for file in subject.diff.files
        if file.path.endswith(".py")
        and posixpath.basename(file.path) != "conftest.py"
        and not is_product_code(file.path)
        and not subject.readers.is_test_path(file.path)
    ]
    for start in range(0, len(paths), _AT_ONCE):
        some = paths[start : start + _AT_ONCE]
        before, after = subject.before(some), subject.after(some)
        yield from (Pair(_put_in(path, before), _put_in(path, after)) for path in some)


def _put_in(path: str, texts: Mapping[str, bytes]) -> TestFile:
    return TestFile(path, put_in_place=read_python(path, _text(texts.get(path, b""))).put_in_place)


def _selection(subject: BuiltinSubject) -> Selection:
    """What the candidate's configuration leaves out: a change of that is for a person to allow."""
    texts = subject.after([path for path in CONFIGURATIONS if path in subject.paths])
    return selection_of({path: _text(raw) for path, raw in texts.items()})


def _pair(
    subject: BuiltinSubject, path: str, before: bytes, after: bytes, changed: set[str]
) -> Pair:
    wanted = sorted(
        {one for raw in (before, after) for use in uses(path, _text(raw)) for one in use.paths}
    )
    now = subject.after([one for one in wanted if one in subject.paths])
    was = {one: raw for one, raw in now.items() if one not in changed}
    was |= subject.before([one for one in wanted if one in changed])
    read = subject.readers.read
    return Pair(
        read(path, _written_out(path, before, was)), read(path, _written_out(path, after, now))
    )


def _with_helpers(
    path: str,
    raw: bytes,
    folders: Mapping[str, Sequence[str]],
    subject: BuiltinSubject,
    changed: set[str],
    *,
    is_before: bool,
) -> bytes:
    """A test file in JavaScript, Go or Rust with the helpers at its end that it takes from other files."""
    text = _text(raw)
    wanted = helper_paths(path, text, folders) if text else []
    if not wanted:
        return raw
    texts = subject.after([one for one in wanted if not (is_before and one in changed)])
    if is_before:
        texts = {**texts, **subject.before([one for one in wanted if one in changed])}
    others = {one: _text(texts[one]) for one in wanted if one in texts}
    written = with_helpers_of(path, text, others)
    return raw if written == text else written.encode()


def _with_other_helpers(
    subject: BuiltinSubject, changed: set[str], folders: Mapping[str, Sequence[str]]
) -> list[str]:
    """The test files that are as they were, and call helpers that are not."""
    others: dict[str, frozenset[str]] = {}
    helpers = sorted(path for path in changed if may_hold_helpers(path))
    for start in range(0, len(helpers), _AT_ONCE):
        some = helpers[start : start + _AT_ONCE]
        before, after = subject.before(some), subject.after(some)
        for path, raw in before.items():
            if names := other_helpers(path, _text(raw), _text(after.get(path, b""))):
                others[path] = names
    languages = {language_of(path) for path in others}
    tests = [
        path
        for path in (subject.paths if others else ())
        if path not in changed
        and language_of(path) in languages
        and subject.readers.is_test_path(path)
    ]
    found: list[str] = []
    for start in range(0, min(len(tests), _ASKED_MAX), _AT_ONCE):
        asked = subject.after(tests[start : start + _AT_ONCE])
        for path, raw in asked.items():
            text = _text(raw)
            said = frozenset(name for names in others.values() for name in names if name in text)
            if said and not set(others).isdisjoint(helper_paths(path, text, folders)):
                found.append(path)
    return found


def _written_out(path: str, raw: bytes, others: Mapping[str, bytes]) -> bytes:
    texts = {one: _text(text) for one, text in others.items()}
    return written_out(path, _text(raw), texts).encode() if texts else raw


def _with_other_rows(subject: BuiltinSubject, changed: set[str]) -> list[str]:
    others = list(
        _with_other_lists(subject, sorted(path for path in changed if may_hold_rows(path)))
    )
    if not others:
        return []
    tests = [
        path
        for path in subject.paths
        if path not in changed and may_hold_rows(path) and subject.readers.is_test_path(path)
    ]
    found: list[str] = []
    for start in range(0, min(len(tests), _ASKED_MAX), _AT_ONCE):
        asked = subject.after(tests[start : start + _AT_ONCE])
        found += importing({path: _text(raw) for path, raw in asked.items()}, others)
    return found


def _with_other_lists(subject: BuiltinSubject, paths: Sequence[str]) -> Iterator[str]:
    for start in range(0, len(paths), _AT_ONCE):
        some = paths[start : start + _AT_ONCE]
        before, after = subject.before(some), subject.after(some)
        for path, raw in before.items():
            old, new = _text(raw), _text(after.get(path, b""))
            was, now = lists_of(path, old), lists_of(path, new)
            if any(now.get(name) != rows for name, rows in was.items()) or (
                path.endswith(".py") and has_other_helpers(path, old, new)
            ):
                yield path


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")
