"""What a gate of Headgate's own is given, and what it says."""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from gates.contents import Contents
from gates.proof import RequirementProof
from gates.result import Annotation, Ending
from gates.settings import JudgeSettings
from gates.test_guard.languages import OWN_READERS, Readers
from gates.tree import TreeDiff


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
