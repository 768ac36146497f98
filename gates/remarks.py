"""Remarks of linters, compilers and test runners in a log, as annotations at their lines.

Only files of the judged tree count. Read are `path:line:col: text` (gcc, go vet, ruff, mypy, flake8 and many
more), tsc, ESLint's list below a file's name, rustc and ruff with an arrow, TAP, and the workflow commands
of GitHub Actions.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from gates.failure_locations import FailureLocations
from gates.result import Annotation, AnnotationLevel
from gates.wording import MESSAGE_CHARS_MAX, TITLE_CHARS_MAX, cut_end, plain_text, shown_path

REMARKS_MAX = 200
_LINE_CHARS_MAX = 2_000
# How far below `not ok` TAP's own words say where.
_TAP_LINES = 12

_PLAIN = re.compile(
    r"\s*(?:vet: )?(?P<path>[^\s:()'\"][^:()'\"]{0,300}):(?P<line>\d{1,7})(?::\d{1,5})?"
    r"(?:: | - |:\s+)(?P<text>\S.*)"
)
_TSC = re.compile(r"(?P<path>[^\s:()][^:()]{0,300})\((?P<line>\d{1,7}),\d{1,5}\): (?P<text>\S.*)")
_ARROW = re.compile(r"\s*--> (?P<path>[^:]{1,300}):(?P<line>\d{1,7})(?::\d{1,5})?\s*")
_ABOVE_ARROW = re.compile(r"(?:error|warning|note)\b.*|[A-Z]{1,5}\d{2,5} \S.*")
_ESLINT = re.compile(r"\s+(?P<line>\d{1,7}):\d{1,5}\s+(?P<text>(?:error|warning)\s+\S.*)")
_NOT_OK = re.compile(r"\s*not ok\b\s*\d*\s*(?:- )?(?P<text>.*)")
_TAP_PLACE = re.compile(
    r"\s*(?:location|at): ['\"]?(?:file://)?(?P<path>[^:'\"]{1,300}):(?P<line>\d{1,7})\b"
)
_COMMAND = re.compile(
    r"::(?P<level>error|warning|notice) (?P<fields>[^:]*(?::[^:]+)*?)::(?P<text>.*)"
)
_CODE = re.compile(
    r"\b(?:TS\d+|[A-Z]{1,5}\d{2,5}|(?<![a-z]-)[a-z]++(?:-[a-z]++)++(?=$|\]))|\[(?P<named>[\w-]+)\]"
)
_LEVELS = {
    "warning": AnnotationLevel.WARNING,
    "note": AnnotationLevel.NOTICE,
    "notice": AnnotationLevel.NOTICE,
    "info": AnnotationLevel.NOTICE,
}
_SAYS_LEVEL = re.compile(r"(?:\w+: )?(?P<level>error|warning|note|notice|info)\b", re.IGNORECASE)


@dataclass(frozen=True)
class _Remark:
    path: str
    line: int
    text: str
    level: AnnotationLevel | None = None


def remarks(log: str, locations: FailureLocations, folder: str = "") -> tuple[Annotation, ...]:
    """The remarks of a log, each once; paths in it may start at `folder`."""
    found: dict[Annotation, None] = {}
    for remark in _remarks(plain_text(log).split("\n"), locations, folder):
        place = locations.in_tree(remark.path.strip(), folder)
        if place is not None:
            found[_annotation(place, remark)] = None
        if len(found) == REMARKS_MAX:
            break
    return tuple(found)


def _remarks(lines: list[str], locations: FailureLocations, folder: str) -> Iterator[_Remark]:
    below = above = ""
    for number, line in enumerate(lines):
        if len(line) > _LINE_CHARS_MAX:
            continue
        if not line.strip():
            continue
        if command := _COMMAND.match(line):
            yield from _of_command(command)
        elif arrow := _ARROW.fullmatch(line):
            yield _Remark(arrow["path"], int(arrow["line"]), above or "A remark.")
        elif below and (listed := _ESLINT.fullmatch(line)):
            yield _Remark(below, int(listed["line"]), listed["text"])
        elif not_ok := _NOT_OK.match(line):
            yield from _of_tap(not_ok["text"], lines[number + 1 : number + 1 + _TAP_LINES])
        elif plain := _TSC.fullmatch(line) or _PLAIN.fullmatch(line):
            yield _Remark(plain["path"], int(plain["line"]), plain["text"])
        elif not line[:1].isspace():
            below = line if locations.in_tree(line.strip(), folder) else ""
        if _ABOVE_ARROW.fullmatch(line):
            above = line


def _of_command(command: re.Match[str]) -> Iterator[_Remark]:
    fields = dict(part.partition("=")[::2] for part in command["fields"].split(","))
    line = fields.get("line", "1")
    if fields.get("file") and line.isascii() and line.isdigit() and len(line) < 8:
        level = _LEVELS.get(command["level"], AnnotationLevel.FAILURE)
        yield _Remark(fields["file"], int(line), command["text"], level)


def _of_tap(text: str, after: list[str]) -> Iterator[_Remark]:
    for line in after:
        if _NOT_OK.match(line):
            return
        if place := _TAP_PLACE.match(line[:_LINE_CHARS_MAX]):
            yield _Remark(place["path"], int(place["line"]), f"not ok: {text}")
            return


def _annotation(path: str, remark: _Remark) -> Annotation:
    said = _SAYS_LEVEL.match(remark.text)
    word = said["level"].lower() if said else ""
    level = remark.level or _LEVELS.get(word, AnnotationLevel.FAILURE)
    code = _CODE.search(remark.text)
    title = (code["named"] or code[0]) if code else level.value.capitalize()
    return Annotation(
        path=shown_path(path),
        line_start=max(remark.line, 1),
        line_end=max(remark.line, 1),
        level=level,
        title=cut_end(title, TITLE_CHARS_MAX),
        message=cut_end(remark.text.strip() or "A remark.", MESSAGE_CHARS_MAX),
    )
