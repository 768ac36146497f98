"""What a gate of Headgate's own is given, and what it says."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from itertools import islice

from gates.contents import Contents
from gates.proof import RequirementProof
from gates.result import Annotation, AnnotationLevel, Ending
from gates.settings import JudgeSettings
from gates.test_guard.languages import OWN_READERS, Readers
from gates.tree import TreeDiff
from gates.wording import MESSAGE_CHARS_MAX, TITLE_CHARS_MAX, cut_end, shown_path

ANNOTATIONS_MAX = 200


@dataclass(frozen=True)
class BuiltinSubject:
    """A diff, and the contents of files: `before` those of the diff on base, `after` all of the
    candidate's `paths`. `readers` find the tests in files."""

    diff: TreeDiff
    settings: JudgeSettings
    paths: Collection[str]
    before: Contents
    after: Contents
    readers: Readers = OWN_READERS


@dataclass(frozen=True)
class Judgement:
    """What a builtin gate says, before it has a name and a time."""

    ending: Ending
    sentence: str
    annotations: tuple[Annotation, ...] = ()
    failed_tests: tuple[str, ...] = ()
    proof: tuple[RequirementProof, ...] = ()


JudgeBuiltin = Callable[[BuiltinSubject], Judgement]


def annotations(
    found: Iterable[tuple[str, int, str, str]], level: AnnotationLevel = AnnotationLevel.FAILURE
) -> tuple[Annotation, ...]:
    """The first `ANNOTATIONS_MAX` places, each a path, a line, a title and a message."""
    return tuple(
        Annotation(
            path=shown_path(path),
            line_start=line,
            line_end=line,
            level=level,
            title=cut_end(title, TITLE_CHARS_MAX),
            message=cut_end(message, MESSAGE_CHARS_MAX),
        )
        for path, line, title, message in islice(found, ANNOTATIONS_MAX)
    )
