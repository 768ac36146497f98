"""A team's rules: `.headgate/rules/*.md`, patterns that files of a change may not or must hold.

They are read from base, so that no change is judged by rules of its own. The head between two lines of
`---` has lists under `globs`, `forbid` and `require`; the text below is for agents and people.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pathspec import GitIgnoreSpec

from gates.builtin import BuiltinSubject, Judgement, annotations
from gates.contents import FILES
from gates.result import Annotation, AnnotationLevel, Ending
from gates.tree import ChangedFile
from gates.wording import counted, cut_end, shown_path

_PLACE = re.compile(r"\.headgate/rules/[^/]+\.md")
_KEYS = ("globs", "forbid", "require")
# A longer line is data.
_LINE_CHARS_MAX = 2_000


class UnreadableRuleError(Exception):
    """A rule that cannot be obeyed; the sentence says where and why."""


@dataclass(frozen=True)
class Rule:
    path: str
    title: str
    files: GitIgnoreSpec
    forbidden: tuple[re.Pattern[str], ...]
    required: tuple[re.Pattern[str], ...]


@dataclass(frozen=True)
class _Broken:
    rule: Rule
    path: str
    line: int
    message: str


def check_rules(subject: BuiltinSubject) -> Judgement:
    try:
        rules = [_rule(path, text) for path, text in sorted(_texts_of_base(subject).items())]
    except UnreadableRuleError as fault:
        return Judgement(Ending.COULD_NOT_RUN, str(fault))
    if not rules:
        return Judgement(Ending.PASSED, "There are no rules in .headgate/rules on main.")
    files = [file for file in subject.diff.files if file.after in FILES]
    found = [one for rule in rules for one in _broken_by(rule, files, subject)]
    seen = f"{counted(len(rules), 'rule')}, {counted(len(files), 'changed file')}"
    if not found:
        return Judgement(Ending.PASSED, f"No rule is violated ({seen}).")
    listed = "; ".join(f"{shown_path(b.path)}:{b.line} {b.rule.title}" for b in found[:3])
    more = f" and {len(found) - 3} more" if len(found) > 3 else ""
    sentence = (
        f"{counted(len(found), 'place')} violating a rule ({seen}): {cut_end(listed, 600)}{more}."
    )
    ending = Ending.PASSED if subject.settings.is_of_person else Ending.FAILED
    return Judgement(ending, sentence, _annotations(found, ending))


def _texts_of_base(subject: BuiltinSubject) -> Mapping[str, str]:
    changed = {file.path for file in subject.diff.files if _PLACE.fullmatch(file.path)}
    same = [p for p in subject.paths if _PLACE.fullmatch(p) and p not in changed]
    found = {**subject.after(same), **subject.before(sorted(changed))}
    return {path: raw.decode("utf-8", "replace") for path, raw in found.items()}


def _rule(path: str, text: str) -> Rule:
    lists: dict[str, list[str]] = {key: [] for key in _KEYS}
    key = ""
    for number, line in _head(text):
        if line.strip().startswith("- ") and key:
            value = line.strip()[2:].strip()
            quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "'\""
            lists[key].append(value[1:-1] if quoted else value)
        elif line.strip() and not line.strip().startswith("#"):
            key = line.strip().removesuffix(":")
            if key not in lists or not line.strip().endswith(":"):
                known = ", ".join(f"`{one}:`" for one in _KEYS)
                raise UnreadableRuleError(f"{path}:{number} must be one of {known}, or `- value`.")
    try:
        return Rule(
            path,
            _title(path, text),
            GitIgnoreSpec.from_lines(lists["globs"] or ["*"]),
            tuple(re.compile(one) for one in lists["forbid"]),
            tuple(re.compile(one, re.MULTILINE) for one in lists["require"]),
        )
    except (re.error, ValueError) as error:
        raise UnreadableRuleError(f"{path} has an invalid pattern: {error}.") from error


def _head(text: str) -> Iterator[tuple[int, str]]:
    lines = text.splitlines()
    if not lines or lines[0].strip() != "---":
        return
    for number, line in enumerate(lines[1:], start=2):
        if line.strip() == "---":
            return
        yield number, line


def _title(path: str, text: str) -> str:
    heading = re.search(r"^# (.+)$", text, re.MULTILINE)
    return heading[1].strip() if heading else path.rpartition("/")[2].removesuffix(".md")


def _broken_by(rule: Rule, files: list[ChangedFile], subject: BuiltinSubject) -> Iterator[_Broken]:
    paths = [file.path for file in files if rule.files.match_file(file.path)]
    before, after = subject.before(paths), subject.after(paths)
    for path in paths:
        old = before.get(path, b"").decode("utf-8", "replace")
        new = after.get(path, b"").decode("utf-8", "replace")
        known = set(old.splitlines())
        for number, line in enumerate(new.splitlines(), start=1):
            if line in known or len(line) > _LINE_CHARS_MAX:
                continue
            for pattern in rule.forbidden:
                if pattern.search(line):
                    message = f"`{pattern.pattern}` is forbidden by {rule.path}."
                    yield _Broken(rule, path, number, message)
        for pattern in rule.required:
            # A file that never had it is the team's.
            if (path not in before or pattern.search(old)) and not pattern.search(new):
                yield _Broken(rule, path, 1, f"`{pattern.pattern}` is required by {rule.path}.")


def _annotations(found: list[_Broken], ending: Ending) -> tuple[Annotation, ...]:
    is_red = ending is Ending.FAILED
    return annotations(
        ((one.path, one.line, one.rule.title, one.message) for one in found),
        AnnotationLevel.FAILURE if is_red else AnnotationLevel.WARNING,
    )
