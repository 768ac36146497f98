"""A long journal: one change that was played for once, and copies of it with ids of their own.

The copies stand between the installation and the change that was played, so that the state's end is
that of the repository. They are edits of so many specs, over and over, and what ended long ago is
retired as `retire_spec_runs` would. Every event is of a real class and goes through its parser once.
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

import sqlalchemy as sa

from bot.adapters.store.engine import as_text, note_repositories
from bot.adapters.store.tables import events, metadata
from bot.core.decide.specs.retire_spec_runs import ENDED_CHANGES_KEPT
from bot.core.journal.events import EVENTS, Event, SpecRunRetired
from bot.core.journal.upcast import version_of
from bot.core.values.ids import RepositoryId

_ROWS_AT_ONCE = 20_000
# The repository's specs; each has one requirement.
SPECS = 100
# How long one change takes in the life of a repository.
_A_CHANGE = timedelta(minutes=7)

# What a change has of each kind: a copy's numbers follow those of the copy before.
_ISSUES, _COMMENTS, _ORDERS, _LINES = 3, 20, 2, 2

_NUMBERS = (
    (r'(?<="issue":)\d+|(?<="pull":)\d+|(?<="parent":)\d+|(?<=issue:)\d+|(?<=close:)\d+', _ISSUES),
    (r'(?<="comment":)\d+|(?<=_id":)\d+|(?<=react:)\d+', _COMMENTS),
    (r'(?<="workflow_run":)\d+|(?<=\bo)\d+\b', _ORDERS),
    (r'(?<="lines":)\d+|(?<="first":)\d+|(?<=ledger:)\d+', _LINES),
)
_OPENED = re.compile(r'(?<="number":)\d+')
_OPENED_TYPES = ("IssueOpened", "IssueClosed", "PullOpened")
_HEX = r"\b(?:[0-9a-f]{64}|[0-9a-f]{40}|[0-9a-f]{12}|[0-9a-f]{10}|[0-9a-f]{8})\b"
_TIME = r"\d{4}-\d\d-\d\dT[\d:.]+Z"
_NAMES = r"specs[./]shop|TILL|Till|till"
_TOKEN = re.compile("|".join((_HEX, _TIME, _NAMES, *(pattern for pattern, _ in _NUMBERS))))
_KINDS = tuple((re.compile(pattern), step) for pattern, step in _NUMBERS)


class Grown(Protocol):
    """A journal of any length."""

    def rows(self, copies: int) -> Iterator[tuple[str, str]]:
        """Type and body of each event."""
        ...


@dataclass(frozen=True)
class Recorded:
    """The events of a change, and those before it; `retired`: as it would leave the state."""

    before: tuple[Event, ...]
    change: tuple[Event, ...]
    retired: SpecRunRetired

    def rows(self, copies: int) -> Iterator[tuple[str, str]]:
        """Type and body of each event of a journal with so many ended changes before the last."""
        for event in self.before:
            yield event.type, event.model_dump_json()
        templates = [(e.type, _template(e)) for e in self.change]
        retired = _template(self.retired)
        of_copy: dict[int, dict[str, str]] = {}
        for copy in range(1, copies + 1):
            known = of_copy[copy] = {}
            for name, template in templates:
                yield name, "".join(_said(part, copy, copies, known) for part in template)
            old = copy - ENDED_CHANGES_KEPT
            if old > 0:
                said = (_said(part, old, copies, of_copy[old]) for part in retired)
                yield self.retired.type, "".join(said)
                del of_copy[old]
        for event in self.change:
            body = event.model_dump_json()
            if event.type == "LedgerPublished":
                body = re.sub(r'(?<="lines":)\d+', lambda m: f"{int(m[0]) + _LINES * copies}", body)
            yield event.type, body


def write(
    engine: sa.Engine, repository: RepositoryId, recorded: Grown, copies: int, now: datetime
) -> int:
    """Put a journal in the place of what the database holds; how many events it has."""
    at, number, batch = as_text(now), 0, []
    seen: set[str] = set()
    with engine.begin() as connection:
        for table in metadata.tables.values():
            connection.execute(table.delete())
        for name, body in recorded.rows(copies):
            if name not in seen:
                EVENTS.validate_json(body)
            seen.add(name)
            number += 1
            batch.append(
                {
                    "repository_id": repository,
                    "number": number,
                    "at": at,
                    "type": name,
                    "body": body,
                    "version": version_of(name),
                }
            )
            if len(batch) == _ROWS_AT_ONCE:
                connection.execute(events.insert(), batch)
                batch = []
        if batch:
            connection.execute(events.insert(), batch)
        note_repositories(connection)
    return number


def _template(event: Event) -> Sequence[tuple[str, bool | int]]:
    """Texts, each with whether and how it differs in a copy: a step of numbers, or True."""
    body = event.model_dump_json()
    parts: list[tuple[str, bool | int]] = []
    place = 0
    found = list(_TOKEN.finditer(body))
    if event.type in _OPENED_TYPES:
        found = sorted([*found, *_OPENED.finditer(body)], key=lambda m: m.start())
    for match in found:
        parts.append((body[place : match.start()], False))
        parts.append((match[0], _step(body, match)))
        place = match.end()
    parts.append((body[place:], False))
    return [(text, kind) for text, kind in parts if text]


def _step(body: str, match: "re.Match[str]") -> bool | int:
    if not match[0].isdigit() or len(match[0]) in {40, 64}:
        return True
    steps = [step for kind, step in _KINDS if kind.match(body, match.start())]
    return steps[0] if steps else _ISSUES


def _said(part: tuple[str, bool | int], copy: int, copies: int, known: dict[str, str]) -> str:
    text, kind = part
    if kind is False:
        return text
    if kind is not True:
        # The ledger goes on where it was; the numbers of the change itself stay its own.
        return str(int(text) + kind * (copy - 1 if kind == _LINES else copy))
    if text not in known:
        known[text] = _fresh(text, copy, copies)
    return known[text]


def _fresh(text: str, copy: int, copies: int) -> str:
    if text[-1] == "Z":
        ago = _A_CHANGE * (copies + 1 - copy)
        return (datetime.fromisoformat(text) - ago).isoformat().replace("+00:00", "Z")
    if not re.fullmatch(_HEX, text):
        return f"{text}{copy % SPECS}"
    # What is the beginning of another stays it.
    return (hashlib.sha256(f"{copy} {text[:8]}".encode()).hexdigest())[: len(text)]
