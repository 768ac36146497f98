"""The gate `tests`: no change takes tests away, skips or weakens them, or empties them.

A test may go only with a requirement that the change removes or modifies, and that the test names
on base. It is read by syntax alone, so that nothing that runs can talk it away. What a person
changes on main is told, and stops nothing.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from gates.builtin import ANNOTATIONS_MAX, BuiltinSubject, Judgement, annotations
from gates.pairs_of_tests import pairs_of_tests
from gates.result import FAILED_TESTS_MAX, Annotation, AnnotationLevel, Ending
from gates.settings import JudgeSettings
from gates.test_guard.allowance import names_requirement
from gates.test_guard.answers import answers
from gates.test_guard.aware import asks, is_product_code, newly_aware
from gates.test_guard.compare import Loss, Pair, TestLoss, losses
from gates.test_guard.python_shadows import shadows
from gates.test_guard.rust_sources import rust_sources
from gates.test_guard.sources import other_sources
from gates.test_guard.thresholds import is_threshold_path, lowered
from gates.wording import counted, cut_end, shown_path

# So many files of the product are held in memory.
_AT_ONCE = 50


def check_tests(subject: BuiltinSubject) -> Judgement:
    readers = subject.readers
    paths = [file.path for file in subject.diff.files if readers.is_test_path(file.path)]
    configured = [file.path for file in subject.diff.files if is_threshold_path(file.path)]
    pairs = pairs_of_tests(subject, paths)
    before, after = subject.before(configured), subject.after(configured)
    found = list(losses(pairs))
    for path in configured:
        found += lowered(path, _text(before, path), _text(after, path))
    found += _other_sources(subject, paths)
    found += _shadows(subject)
    found += _aware(subject)
    found += _answers(subject, pairs)
    unseen = [loss for loss in found if loss.loss is Loss.NOT_COMPARED]
    allowed, refused = _split((loss for loss in found if loss not in unseen), subject.settings)
    seen = f"{counted(sum(len(pair.after.tests) for pair in pairs), 'test')} in {counted(len(paths), 'changed file')}"
    if not refused:
        gone = f" {_sum(allowed)} with requirements that the change changes." if allowed else ""
        return Judgement(
            Ending.PASSED,
            f"No test was removed or weakened ({seen}).{gone}{_unseen(unseen)}",
            _notes([*unseen, *allowed]),
        )
    said = f"{_sum(refused)}: {_listed(refused)}."
    if subject.settings.is_of_person:
        sentence = f"A person changed tests on main. {said}{_unseen(unseen)}"
        return Judgement(Ending.PASSED, sentence, _notes(refused))
    names = tuple(dict.fromkeys(loss.test for loss in refused))
    return Judgement(
        Ending.FAILED,
        f"{said} {_why(refused)}",
        (*_annotations(refused, AnnotationLevel.FAILURE), *_notes([*unseen, *allowed]))[
            :ANNOTATIONS_MAX
        ],
        failed_tests=names[:FAILED_TESTS_MAX],
    )


def _other_sources(subject: BuiltinSubject, paths: list[str]) -> Iterator[TestLoss]:
    """What tests are about comes from a file that the change has made for it."""
    changed = {file.path for file in subject.diff.files}

    def base(asked: list[str]) -> Mapping[str, str]:
        was = subject.before([one for one in asked if one in changed])
        same = subject.after([one for one in asked if one in subject.paths and one not in changed])
        return {one: raw.decode("utf-8", "replace") for one, raw in (*was.items(), *same.items())}

    def candidate(asked: list[str]) -> Mapping[str, str]:
        now = subject.after([one for one in asked if one in subject.paths])
        return {one: raw.decode("utf-8", "replace") for one, raw in now.items()}

    before, after = subject.before(paths), subject.after(paths)
    for path in paths:
        find = rust_sources if path.endswith(".rs") else other_sources
        for one in find(path, _text(before, path), _text(after, path), base, candidate):
            said = (
                f"`{one.name}` now comes from {one.now}, which this change added, but {one.was} "
                "still has one with the same name."
            )
            name = f"{path}::{one.name}"
            yield TestLoss(Loss.PUT_IN_PLACE, name, path, 1, said, _text(before, path))


def _shadows(subject: BuiltinSubject) -> Iterator[TestLoss]:
    """Another module of the product's name that tests would import."""
    changed = [file.path for file in subject.diff.files if file.path.endswith(".py")]
    before = subject.before(changed)
    added = subject.after([path for path in changed if path not in before])
    for_tests = [path for path in changed if not is_product_code(path)]
    after = subject.after(for_tests)
    edited = {path: (_text(before, path), _text(after, path)) for path in for_tests}
    texts = {path: _text(added, path) for path in added}
    for one in shadows(subject.paths, texts, edited):
        yield TestLoss(
            Loss.PUT_IN_PLACE, f"{one.path}::{one.module}", one.path, 1, f"{one.said}.", one.module
        )


def _aware(subject: BuiltinSubject) -> Iterator[TestLoss]:
    product = [file.path for file in subject.diff.files if is_product_code(file.path)]
    before: list[TestLoss] = []
    after: list[TestLoss] = []
    for start in range(0, len(product), _AT_ONCE):
        paths = product[start : start + _AT_ONCE]
        for read, found in ((subject.before, before), (subject.after, after)):
            texts = read(paths)
            found += [one for path in paths for one in asks(path, _text(texts, path))]
    return newly_aware(before, after)


def _answers(subject: BuiltinSubject, pairs: Iterable[Pair]) -> Iterator[TestLoss]:
    """What a person may allow: a table may be what was asked for."""
    product = [file.path for file in subject.diff.files if is_product_code(file.path)]
    if len(product) > _AT_ONCE:
        return
    before, after = subject.before(product), subject.after(product)
    texts = {path: (_text(before, path), _text(after, path)) for path in product}
    for one in answers(texts, pairs):
        said = (
            f"For {one.asked} it returns {one.given}, as {one.test} expects, but the change "
            "computes nothing. It may be correct only for the values in its tests."
        )
        name = cut_end(f"{one.path}::{one.asked} gives {one.given}", 200)
        yield TestLoss(Loss.ANSWER, name, one.path, one.line, cut_end(said, 500))


def _text(contents: Mapping[str, bytes], path: str) -> str:
    return contents.get(path, b"").decode("utf-8", "replace")


def _split(
    found: Iterable[TestLoss], settings: JudgeSettings
) -> tuple[list[TestLoss], list[TestLoss]]:
    """What goes with a requirement that changes, and what may not go."""
    free = [name for one in settings.requirements if one.frees_tests for name in one.names]
    allowed: list[TestLoss] = []
    refused: list[TestLoss] = []
    for loss in found:
        is_free = loss.loss not in {Loss.THRESHOLD, Loss.AWARE, Loss.ANSWER} and names_requirement(
            loss.said, free
        )
        (allowed if is_free else refused).append(loss)
    return allowed, refused


def _unseen(found: list[TestLoss]) -> str:
    """Never silent about what is judged by nobody."""
    if not found:
        return ""
    files = f"{counted(len(found), 'test file')} could not be read and compared"
    return f" {files}: {_listed(found)}."


def _why(refused: Iterable[TestLoss]) -> str:
    if all(loss.loss is Loss.ANSWER for loss in refused):
        return (
            "Code must work for any value. If these are all possible values, a person can "
            "allow this (`/headgate allow`)."
        )
    return (
        "A test may be removed only if it names a requirement that this change removes or modifies."
    )


def _sum(found: Iterable[TestLoss]) -> str:
    counts = Counter(loss.loss for loss in found)
    return ", ".join(f"{counts[loss]} {loss}" for loss in Loss if counts[loss])


def _listed(found: list[TestLoss]) -> str:
    shown = "; ".join(
        cut_end(f"{shown_path(loss.test)} ({loss.message.rstrip('.')})", 300) for loss in found[:3]
    )
    return f"{shown} and {len(found) - 3} more" if len(found) > 3 else shown


def _notes(found: list[TestLoss]) -> tuple[Annotation, ...]:
    return _annotations(found, AnnotationLevel.WARNING)


def _annotations(found: list[TestLoss], level: AnnotationLevel) -> tuple[Annotation, ...]:
    rows = ((loss.path, loss.line, f"Test {loss.loss}", loss.message) for loss in found)
    return annotations(rows, level)
