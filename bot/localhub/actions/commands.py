"""Workflow commands: lines such as `::error file=a.py::text`, and the files a step may write to.

`set-output`, `save-state`, `set-env` and `add-path` as lines are disabled by GitHub; they are
recognised and refused.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bot.localhub.actions.runner_messages import Annotation

_LINE = re.compile(r"^\s*::([^\s:]+)(?: (.*?))?::(.*)$")
_LEVELS = {"error": "failure", "warning": "warning", "notice": "notice"}
SWITCHED_OFF = frozenset({"set-output", "save-state", "set-env", "add-path"})


class FileCommandError(ValueError):
    """A file command that the runner cannot read; the step fails."""


@dataclass(frozen=True)
class LineCommand:
    name: str
    properties: dict[str, str]
    value: str


def line_command(line: str) -> LineCommand | None:
    match = _LINE.match(line)
    if match is None:
        return None
    properties: dict[str, str] = {}
    for pair in (match.group(2) or "").split(","):
        key, sign, value = pair.strip().partition("=")
        if sign and value:
            properties[key.lower()] = _unescaped(value, in_property=True)
    return LineCommand(match.group(1).lower(), properties, _unescaped(match.group(3)))


def annotation(command: LineCommand) -> Annotation | None:
    level = _LEVELS.get(command.name)
    if level is None:
        return None
    line = _whole(command.properties.get("line"))
    return Annotation(
        level=level,
        message=command.value,
        title=command.properties.get("title", ""),
        path=command.properties.get("file", ".github"),
        line=line,
        end_line=_whole(command.properties.get("endline")) or line,
    )


def key_values(text: str) -> Iterator[tuple[str, str]]:
    """The pairs of GITHUB_OUTPUT, GITHUB_ENV or GITHUB_STATE. Raises FileCommandError."""
    lines = iter(text.splitlines())
    for line in lines:
        if not line:
            continue
        equals, heredoc = line.find("="), line.find("<<")
        if equals >= 0 and (heredoc < 0 or equals < heredoc):
            name, _, value = line.partition("=")
            if not name:
                raise FileCommandError(f"Invalid format '{line}'. Name must not be empty")
            yield name, value
        elif heredoc > 0:
            name, _, delimiter = line.partition("<<")
            if not delimiter:
                raise FileCommandError(
                    f"Invalid format '{line}'. Name must not be empty and delimiter must not be "
                    "empty"
                )
            yield name, "\n".join(_until(lines, delimiter))
        else:
            raise FileCommandError(f"Invalid format '{line}'")


def _until(lines: Iterator[str], delimiter: str) -> Iterator[str]:
    for line in lines:
        if line == delimiter:
            return
        yield line
    raise FileCommandError(f"Invalid value. Matching delimiter not found '{delimiter}'")


def _unescaped(text: str, *, in_property: bool = False) -> str:
    text = text.replace("%0D", "\r").replace("%0A", "\n")
    if in_property:
        text = text.replace("%3A", ":").replace("%2C", ",")
    return text.replace("%25", "%")


def _whole(text: str | None) -> int:
    return int(text) if text and text.isdecimal() else 0
