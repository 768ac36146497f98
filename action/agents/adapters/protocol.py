"""One small protocol for agent programs: what to start, and a line of output to events.

An adapter is pure: it starts nothing and reads no file. What is the same for all of them (the sandbox, the
way to the model, the limits, how a run ended) is in `action.agents.command`.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol


@dataclass(frozen=True)
class Told:
    """What a program is started with.

    `program` is its path, or the policy's shell line. `text` is what to do now; `whole` is the same for a
    program that knows nothing yet. `session` is the conversation to go on with. `given` is the folder where
    the adapter's files will be. `mcp` are shell lines of servers of tools, by name.
    """

    program: str
    text: str
    whole: str
    model: str
    helper: str
    given: Path
    session: str = ""
    mcp: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Start:
    """`files` are written to the folder `given`, which the program can read and not change."""

    argv: tuple[str, ...]
    stdin: str
    env: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Began:
    """The program's name for this conversation; with it another start goes on."""

    session: str


@dataclass(frozen=True)
class Said:
    text: str


@dataclass(frozen=True)
class Called:
    tool: str
    given: str


@dataclass(frozen=True)
class Answered:
    tool: str
    text: str


@dataclass(frozen=True)
class Failed:
    """What the program says went wrong; it may go on all the same."""

    sentence: str


Event = Began | Said | Called | Answered | Failed


class Adapter(Protocol):
    """`program` is the name that people type; empty where the policy's line is the program.

    `is_spoken_to`: between two turns it may be ended and started again, with what people said meanwhile.
    """

    @property
    def program(self) -> str: ...

    @property
    def is_spoken_to(self) -> bool: ...

    def start(self, told: Told) -> Start: ...

    def read(self, line: str) -> Iterable[Event]:
        """What a line of its output says; nothing for a line that is not in its format."""


class Piece:
    """A JSON value of somebody else's format, looked into without trusting its form."""

    def __init__(self, value: object) -> None:
        self._value = value

    @classmethod
    def of_line(cls, line: str) -> "Piece":
        try:
            return cls(json.loads(line))
        except (ValueError, RecursionError):
            return cls(None)

    def __getitem__(self, key: str) -> "Piece":
        return Piece(self._value.get(key) if isinstance(self._value, dict) else None)

    def __iter__(self) -> "Iterator[Piece]":
        return iter([Piece(one) for one in self._value] if isinstance(self._value, list) else [])

    @property
    def text(self) -> str:
        """A string as it is, nothing as nothing, and anything else as JSON."""
        if isinstance(self._value, str):
            return self._value
        return "" if self._value is None else json.dumps(self._value, ensure_ascii=False)

    @property
    def is_true(self) -> bool:
        return self._value is True
