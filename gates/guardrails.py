"""The gate `guardrails`: no change asks less of itself than base does.

Requirements keep their force, thresholds and limits their numbers; checks, hooks and rules of linters stay. It
compares the texts of the diff alone. What a person changes on main is told, and stops nothing.
"""

from collections import Counter
from collections.abc import Iterator

from pathspec import GitIgnoreSpec

from gates.asked_less.checks import gone, is_checks_path
from gates.asked_less.limits import is_limits_path, raised
from gates.asked_less.lint_rules import is_lint_path, silenced, turned_off
from gates.asked_less.requirement_text import is_prose, weakened
from gates.asked_less.weaker import Edited, Less, Weaker
from gates.asked_less.whole_files import deleted, is_shared, tool_of
from gates.beyond import anchored
from gates.builtin import BuiltinSubject, Judgement, annotations
from gates.result import AnnotationLevel, Ending
from gates.test_guard.aware import is_product_code
from gates.test_guard.thresholds import is_threshold_path, lowered
from gates.wording import counted, cut_end, shown_path

# So many files of code are held in memory.
_AT_ONCE = 50


def check_guardrails(subject: BuiltinSubject) -> Judgement:
    found = list(_found(subject))
    if not found:
        files = counted(len(subject.diff.files), "changed file")
        return Judgement(Ending.PASSED, f"No requirement or check is weaker than before ({files}).")
    is_red = not subject.settings.is_of_person
    counts = Counter(one.less for one in found)
    kinds = ", ".join(f"{counts[less]} {less}" for less in Less if counts[less])
    listed = "; ".join(
        cut_end(f"{shown_path(one.path)}:{one.line} {one.message.rstrip('.')}", 300)
        for one in found[:3]
    )
    more = f" and {len(found) - 3} more" if len(found) > 3 else ""
    who = "" if is_red else "A person weakened this on main. "
    return Judgement(
        Ending.FAILED if is_red else Ending.PASSED,
        f"{who}{kinds}: {listed}{more}.",
        annotations(
            ((one.path, one.line, one.less.capitalize(), one.message) for one in found),
            AnnotationLevel.FAILURE if is_red else AnnotationLevel.WARNING,
        ),
    )


def _found(subject: BuiltinSubject) -> Iterator[Weaker]:
    settings = subject.settings
    # What the archive writes is the approved delta, and what is generated asks for nothing.
    free = GitIgnoreSpec.from_lines(
        (*anchored(settings.archive_paths), *settings.declared.generated)
    )
    paths = [file.path for file in subject.diff.files if not free.match_file(file.path)]
    texts = _edited(subject, [path for path in paths if _is_read_whole(path)])
    for file in texts:
        if is_prose(file.path):
            yield from weakened(file)
        if is_threshold_path(file.path):
            for loss in lowered(file.path, file.before, file.after):
                yield Weaker(Less.THRESHOLD, file.path, loss.line, loss.message)
        if is_lint_path(file.path):
            yield from turned_off(file)
    yield from raised(file for file in texts if is_limits_path(file.path))
    checks = [file for file in texts if is_checks_path(file.path)]
    if checks:
        changed = {file.path for file in checks}
        same = [path for path in subject.paths if is_checks_path(path) and path not in changed]
        others = {p: raw.decode("utf-8", "replace") for p, raw in subject.after(same).items()}
        yield from gone(checks, others)
    yield from _deleted(subject, [file for file in texts if tool_of(file.path)])
    yield from silenced(_code(subject, [path for path in paths if is_product_code(path)]))


def _deleted(subject: BuiltinSubject, files: list[Edited]) -> Iterator[Weaker]:
    if any(file.before and not file.after.strip() for file in files):
        shared = subject.after([path for path in subject.paths if is_shared(path)][:_AT_ONCE])
        texts = {path: raw.decode("utf-8", "replace") for path, raw in shared.items()}
        yield from deleted(files, subject.paths, texts)


def _is_read_whole(path: str) -> bool:
    return any(
        asks(path)
        for asks in (
            is_prose,
            is_threshold_path,
            is_lint_path,
            is_limits_path,
            is_checks_path,
            tool_of,
        )
    )


def _code(subject: BuiltinSubject, paths: list[str]) -> Iterator[Edited]:
    for start in range(0, len(paths), _AT_ONCE):
        yield from _edited(subject, paths[start : start + _AT_ONCE])


def _edited(subject: BuiltinSubject, paths: list[str]) -> list[Edited]:
    before, after = subject.before(paths), subject.after(paths)
    return [
        Edited(
            path,
            before.get(path, b"").decode("utf-8", "replace"),
            after.get(path, b"").decode("utf-8", "replace"),
        )
        for path in paths
    ]
