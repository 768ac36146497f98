"""Rules of linters and type checkers that a change turns off, and findings that it silences in the code."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from gates.asked_less.weaker import Edited, Less, Weaker

_FILE = re.compile(
    r"(?:^|/)(?:\.?eslintrc[\w.]*|eslint\.config\.\w+|\.flake8|setup\.cfg|tox\.ini|pyproject\.toml|\.?ruff\.toml|\.?pylintrc"
    r"|\.?mypy\.ini|pyrightconfig\.json|\.golangci\.\w+|biome\.jsonc?|tsconfig[\w.-]*\.json|Cargo\.toml|package\.json"
    r"|\.rubocop\.yml|\.stylelintrc[\w.]*)$"
)
_OFF = r"(?:\[\s*)?(?:[\"']?off[\"']?|[\"']?allow[\"']?|0|[\"']?none[\"']?)(?![\w.])"
_ON = r"(?:\[\s*|\{\s*level\s*=\s*)?[\"']?(?:error|warn|warning|deny|forbid|[12])(?![\w.])"
_RULE = r"^\s*[\"']?(?P<name>[@\w/-]{2,80})[\"']?\s*[:=]\s*"
_RULE_ON = re.compile(_RULE + _ON)
_RULE_OFF = re.compile(_RULE + _OFF)
_STRICT = re.compile(
    r"^\s*[\"']?(?P<name>strict\w*|no[A-Z]\w+|disallow_\w+|warn_\w+|check_untyped_defs|xfail_strict|no_implicit_\w+"
    r"|deny_warnings|exactOptional\w+)[\"']?\s*[:=]\s*(?P<value>[Tt]rue|[Ff]alse)\b"
)
_LENIENT = re.compile(
    r"^\s*[\"']?(?P<name>ignore_errors|ignoreErrors|ignoreDuringBuilds|ignoreBuildErrors|allowUnreachableCode"
    r"|allowUnusedLabels)[\"']?\s*[:=]\s*[Tt]rue\b"
)
_LISTS = re.compile(
    r"^[ \t]*[\"']?(?:lint\.)?(?P<name>(?:extend[-_])?(?:ignore|select)|disable|disable[-_]error[-_]code)[\"']?[ \t]*"
    r"(?:=[ \t]*(?P<said>\[[^\]]{0,8000}\]|[^\[\n]{0,1000}(?:\n[ \t]+[^\n=\[]{1,200}){0,200})"
    r"|:[ \t]*(?P<items>(?:\n[ \t]*-[^\n]{1,200}){1,200}))",
    re.MULTILINE,
)
_CODE = re.compile(r"(?<![\w-])(?:[A-Z]{1,8}\d{0,5}|[a-z][a-z0-9]*(?:[-/][a-z0-9]+)*)(?![\w-])")
# What linters of Python look for where nothing is selected.
_BY_DEFAULT = ("E", "F", "W", "C90")
# What silences a whole file, or all rules at once.
_WHOLE = re.compile(
    r"#\s*(?:flake8|ruff):\s*noqa\s*$|#\s*mypy:\s*ignore-errors|#\s*type:\s*ignore\s*$|#\s*pylint:\s*(?:skip-file|disable=all)"
    r"|#\s*pyright:\s*(?:ignore\s*$|basic|strict=false)|/[/*]\s*@ts-nocheck|/\*\s*eslint-disable\s*\*/|//\s*nolint:all"
    r"|#!\[allow\((?:warnings|clippy::all|unused)\)\]|/\*\s*biome-ignore-all|@SuppressWarnings\(\"all\"\)"
)
_ONE = re.compile(
    r"#\s*noqa\b|#\s*type:\s*ignore|#\s*pylint:\s*disable|#\s*pyright:\s*ignore|#\s*nosec\b|#\s*pragma:\s*no cover"
    r"|eslint-disable|@ts-(?:ignore|expect-error|nocheck)|//\s*nolint\b|#!?\[allow\(|biome-ignore"
    r"|(?:istanbul|c8|v8) ignore|@SuppressWarnings"
)
# So many findings, silenced at once, are no exception to a rule any more.
SILENCED_MAX = 9


def is_lint_path(path: str) -> bool:
    return _FILE.search(path) is not None


def turned_off(file: Edited) -> Iterator[Weaker]:
    """The rules that one configuration holds no more; never raises."""
    on = {found["name"] for _, line in file.removed() if (found := _RULE_ON.match(line))}
    strict = {
        found["name"]
        for _, line in file.removed()
        if (found := _STRICT.match(line)) and found["value"].lower() == "true"
    }
    for number, line in file.added():
        if (rule := _RULE_OFF.match(line)) and rule["name"] in on:
            yield _rule(file, number, rule["name"])
        elif (switch := _STRICT.match(line)) and switch["value"].lower() == "false":
            if switch["name"] in strict:
                yield _rule(file, number, switch["name"])
        elif lenient := _LENIENT.match(line):
            yield _rule(file, number, lenient["name"])
    yield from _longer_lists(file)


def _longer_lists(file: Edited) -> Iterator[Weaker]:
    known = Counter(name for _, name in _listed(file.before, "ignore", "disable"))
    selected = tuple(name for _, name in _listed(file.before, "select")) or _BY_DEFAULT
    for key, name in _listed(file.after, "ignore", "disable") if file.before else ():
        if known[name]:
            known[name] -= 1
        # A rule that was not looked for is no less.
        elif "disable" in key or "ALL" in selected or name.startswith(selected):
            yield Weaker(Less.RULE, file.path, 1, f"`{name}` is ignored from now on.")


def _listed(text: str, *keys: str) -> Iterator[tuple[str, str]]:
    """The codes in lists under such keys."""
    for said in _LISTS.finditer(re.sub(r"#[^\n]*", "", text)):
        if any(key in said["name"] for key in keys):
            for code in _CODE.findall(said["said"] or said["items"]):
                yield said["name"], code


def _rule(file: Edited, number: int, name: str) -> Weaker:
    return Weaker(Less.RULE, file.path, number, f"`{name}` is no longer checked.")


def silenced(files: Iterable[Edited]) -> Iterator[Weaker]:
    """Files that are silenced as a whole, and findings that are silenced by the dozen; never raises."""
    each: list[Weaker] = []
    fewer = 0
    for file in files:
        whole = Counter(found[0] for _, line in file.removed() if (found := _WHOLE.search(line)))
        fewer += sum(_ONE.search(line) is not None for _, line in file.removed())
        for number, line in file.added():
            found = _WHOLE.search(line) if _stands_alone(line) else None
            if found is not None and not whole[found[0]]:
                said = f"Findings are suppressed for a whole file: `{found[0]}`."
                yield Weaker(Less.SILENCED, file.path, number, said)
            elif _ONE.search(line):
                each.append(
                    Weaker(Less.SILENCED, file.path, number, "A finding is suppressed here.")
                )
    if len(each) - fewer > SILENCED_MAX:
        yield from each


def _stands_alone(line: str) -> bool:
    return line.lstrip().startswith(("#", "/", "@"))
