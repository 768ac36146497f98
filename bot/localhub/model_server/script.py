"""The script: what the scripted model answers to whom, and what goes wrong on the way.

A script is YAML: named `texts` and a list of scenes. The first scene whose `match` fits a
conversation is played; the conversation itself shows which turn is next. All mistakes of a script
are reported at once, with their lines. `{{name}}` in a turn is replaced by one of the scene's
captures, by `order_id`, `change` or `attempt`, or by one of the script's texts.
"""

import re
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    ValidationError,
    model_validator,
)
from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError
from ruamel.yaml.nodes import MappingNode, Node, SequenceNode

# Taken from the first line of an order's prompt, for every scene.
ORDER_NAMES = frozenset({"order_id", "change", "attempt"})

_PLACEHOLDER = re.compile(r"\{\{(\w+)\}\}")


class ScriptError(ValueError):
    """An invalid script; the message has a line `name:line: what` per mistake."""


class Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


def _compiles(pattern: str) -> str:
    try:
        re.compile(pattern)
    except re.error as wrong:
        raise ValueError(f"is not a regular expression: {wrong}") from wrong
    return pattern


Pattern = Annotated[str, AfterValidator(_compiles)]


class Match(Frozen):
    """What a conversation must look like; every given pattern must be found.

    `task` is all user text before the first answer, `latest` the newest user text or tool result.
    `attempt` is the number in the order's first line; without that line it is 1.
    """

    task: tuple[Pattern, ...] = ()
    latest: tuple[Pattern, ...] = ()
    system: tuple[Pattern, ...] = ()
    model: Pattern | None = None
    attempt: Annotated[int, Field(ge=1)] | None = None
    attempt_at_least: Annotated[int, Field(ge=1)] | None = None


class Capture(Frozen):
    """A piece of the task to be used in turns: the first pattern that is found decides.

    The captured text is the pattern's first group, or all of it. Without `otherwise`, the scene does not
    match if a capture finds nothing.
    """

    patterns: Annotated[tuple[Pattern, ...], Field(min_length=1)]
    otherwise: str | None = None


class Bash(Frozen):
    command: str


class View(Frozen):
    command: Literal["view"]
    path: str
    view_range: tuple[int, int] | None = None


class Create(Frozen):
    command: Literal["create"]
    path: str
    file_text: str


class StrReplace(Frozen):
    command: Literal["str_replace"]
    path: str
    old_str: str
    new_str: str = ""


class Insert(Frozen):
    command: Literal["insert"]
    path: str
    insert_line: Annotated[int, Field(ge=0)]
    insert_text: str


Edit = Annotated[View | Create | StrReplace | Insert, Field(discriminator="command")]


class Call(Frozen):
    """One tool call: `bash`, `edit` (str_replace_based_edit_tool), or any `tool` by its name."""

    bash: Bash | None = None
    edit: Edit | None = None
    tool: str | None = None
    input: dict[str, JsonValue] | None = None

    @model_validator(mode="after")
    def _is_one_call(self) -> Self:
        given = [name for name in ("bash", "edit", "tool") if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError("a call is exactly one of bash, edit and tool")
        if (self.input is not None) != (self.tool is not None):
            raise ValueError("input belongs to tool, and tool needs an input")
        return self


class FaultKind(StrEnum):
    """What goes wrong instead of an answer, or in the middle of one.

    With `no_usage` the answer is whole, but does not say what it used, as behind some gateways.
    """

    KEY_REFUSED = "key_refused"
    RATE_LIMITED = "rate_limited"
    OVERLOADED = "overloaded"
    SERVER_ERROR = "server_error"
    OVERLOADED_MIDWAY = "overloaded_midway"
    CUT_STREAM = "cut_stream"
    TRUNCATED_JSON = "truncated_json"
    NO_USAGE = "no_usage"


class Fault(Frozen):
    """A fault that a conversation meets `times` times before its turn is played.

    Who is rate limited is always told when to ask again; an overloaded server says it if it is given.
    """

    kind: FaultKind
    times: Annotated[int, Field(ge=1)] = 1
    retry_after_seconds: Annotated[float, Field(ge=0)] | None = None


class StopReason(StrEnum):
    END_TURN = "end_turn"
    TOOL_USE = "tool_use"
    MAX_TOKENS = "max_tokens"
    REFUSAL = "refusal"


class Turn(Frozen):
    after_seconds: Annotated[float, Field(ge=0, le=600)] = 0.0
    text: str | None = None
    as_json: JsonValue = Field(default=None, alias="json")
    calls: tuple[Call, ...] = ()
    stop_reason: StopReason | None = None
    fault: Fault | None = None

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if self.text is not None and self.as_json is not None:
            raise ValueError("a turn says text or json, not both")
        if self.text is None and self.as_json is None and not self.calls:
            if self.stop_reason is StopReason.REFUSAL:
                return self
            raise ValueError("a turn needs text, json or calls")
        return self


class Scene(Frozen):
    name: str
    match: Match = Match()
    captures: dict[str, Capture] = {}
    turns: Annotated[tuple[Turn, ...], Field(min_length=1)]


class Script(Frozen):
    version: Literal[1]
    texts: dict[str, str] = {}
    scenes: Annotated[tuple[Scene, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _names_are_known_and_unique(self) -> Self:
        names = [scene.name for scene in self.scenes]
        doubled = sorted({name for name in names if names.count(name) > 1})
        if doubled:
            raise ValueError(f"two scenes have the name {doubled[0]!r}")
        for scene in self.scenes:
            known = ORDER_NAMES | set(self.texts) | set(scene.captures)
            for name in _placeholders(scene, self.texts):
                if name not in known:
                    raise ValueError(
                        f"scene {scene.name!r} uses {{{{{name}}}}}, which nothing sets"
                    )
        return self


def filled(text: str, values: dict[str, str]) -> str:
    """`text` with every known `{{name}}` replaced, in one pass: values are not read again."""
    return _PLACEHOLDER.sub(lambda found: values.get(found[1], found[0]), text)


def filled_json(value: JsonValue, values: dict[str, str]) -> JsonValue:
    """`value` with the placeholders in its strings replaced; keys stay as they are."""
    match value:
        case str():
            return filled(value, values)
        case list():
            return [filled_json(item, values) for item in value]
        case dict():
            return {key: filled_json(item, values) for key, item in value.items()}
        case _:
            return value


def load_script(path: Path) -> Script:
    return parse_script(path.read_text(encoding="utf-8"), path.name)


def parse_script(text: str, name: str = "script.yaml") -> Script:
    """Check a script's text; `name` is what errors call it. Raises ScriptError."""
    try:
        root = YAML(typ="safe", pure=True).compose(text)
        content = YAML(typ="safe", pure=True).load(text)
    except MarkedYAMLError as wrong:
        line = wrong.problem_mark.line + 1 if wrong.problem_mark else 1
        raise ScriptError(f"{name}:{line}: {wrong.problem}") from wrong
    try:
        return Script.model_validate(content)
    except ValidationError as wrong:
        lines = [
            f"{name}:{_line_of(root, error['loc'])}: {_where(error['loc'])}{error['msg']}"
            for error in wrong.errors(include_url=False, include_context=False)
        ]
        raise ScriptError("\n".join(lines)) from wrong


def _where(location: tuple[int | str, ...]) -> str:
    return "".join(f"{part}: " if part == location[-1] else f"{part}." for part in location)


def _line_of(root: Node | None, location: tuple[int | str, ...]) -> int:
    """The line of the deepest part of `location` that exists in the document."""
    node, line = root, 1
    for part in location:
        if isinstance(node, MappingNode):
            for key, value in node.value:
                if key.value == part:
                    node, line = value, key.start_mark.line + 1
                    break
        elif isinstance(node, SequenceNode) and isinstance(part, int) and part < len(node.value):
            node = node.value[part]
            line = node.start_mark.line + 1
    return line


def _placeholders(scene: Scene, texts: dict[str, str]) -> Iterator[str]:
    for turn in scene.turns:
        for name in _PLACEHOLDER.findall(turn.model_dump_json()):
            yield name
            yield from _PLACEHOLDER.findall(texts.get(name, ""))
