"""Task lists of spec-kit, Kiro and OpenSpec: checkboxes, no requirements.

A checked box is a claim, never a fact about the code. Ids, parallel marks, optional marks and the
requirements that a task names are read. Beside a spec the list says in which order its author wants
the work done.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from bot.core.spec.drafts import Reading
from bot.core.spec.formats.openspec import title_of
from bot.core.spec.formats.story_order import story_order
from bot.core.spec.outline import outline
from bot.core.spec.reading import Source, read_source
from bot.core.spec.ticked_tasks import NOTHING_TICKED, Ticked, ticked, told
from bot.core.spec.triage.silenced import not_silenced
from bot.core.values.spec_model import Finding, StoryOrder, Task

_BOX = re.compile(r"^\s*(?:[-*+]|\d{1,9}[.)])\s*\[([^\]A-WYZa-wyz]?)\](\*)?\s+(.*)$")
_HEADING = re.compile(r"^ {0,3}#{2,6}\s+(.*)$")
_ID = re.compile(r"^\**(T\d{3,}|\d+(?:\.\d+)*[A-Za-z]?)\**[.)]?\s+(.*)$")
_REQUIREMENTS = re.compile(
    r"(?:Requirements?|需求|要求|要件|요구 ?사항|Требования|Requisitos?|Requerimientos?|Exigences?|Anforderungen|"
    r"Wymagania|Requisiti|Gereksinim(?:ler)?|Kebutuhan|Persyaratan|Yêu cầu|Вимоги)\**\s*[:：]\**\s*\[?((?-i:[\dA-Z.,，、 \-–~x]{2,}|\d)|All)",
    re.IGNORECASE,
)
# What a test of a property is for: `**Validates: Requirements 3.1, 3.2**`.
_VALIDATES = re.compile(
    r"(?:Validates|検証対象|验证|驗證|검증 ?대상)\**\s*[:：]\**\s*(?:Requirements?|需求|要求|要件|요구 ?사항)\s*([\d., ]{1,200})",
    re.IGNORECASE,
)
# What must be done before, by the numbers of tasks.
_DEPENDS = re.compile(
    r"^[\W_]*(?:depends(?: on)?|dependencies)\**\s*[:：]\**\s*([\dT., ]{1,200})", re.IGNORECASE
)
_TASK = re.compile(r"T?\d+(?:\.\d+)*")
_RANGE = re.compile(r"(?<!\d)(\d{1,9})\.(\d{1,9})\s*[-–~]\s*(?:\1\.)?(\d{1,9})(?![.\d])")
_WHOLE_RANGE = re.compile(r"(?<![\d.])(\d{1,9})\.x\s*[-–~]\s*(\d{1,9})\.x")
_NAMED = re.compile(r"(?:\b[A-Z]{1,6}-?)?\d+(?:\.\d+)*|All")
# A longer range is a slip of the pen.
_RANGE_MAX = 60


def read(source: Source) -> Reading:
    tasks: list[Task] = []
    group = ""
    for line, text in enumerate(source.visible, 1):
        found = _BOX.match(text)
        if found:
            tasks.append(_task(found, line, group))
        elif heading := _HEADING.match(text):
            group = heading.group(1).strip()
        elif tasks and (named := _REQUIREMENTS.search(text) or _VALIDATES.search(text)):
            tasks[-1] = tasks[-1].replace(requirements=_ids(named.group(1)))
        elif tasks and (before := _DEPENDS.search(text)):
            tasks[-1] = tasks[-1].replace(depends=tuple(_TASK.findall(before[1])))
    return Reading(
        title=title_of(outline(source)), tasks=tuple(tasks), context=((1, len(source.lines)),)
    )


@dataclass(frozen=True)
class TaskList:
    """What the list beside a spec says: the work in order, which story needs which, and what is built."""

    tasks: tuple[Task, ...] = ()
    story_order: tuple[StoryOrder, ...] = ()
    ticked: Ticked = NOTHING_TICKED
    findings: tuple[Finding, ...] = ()


def beside(path: str, files: Mapping[str, bytes], ids: Iterable[str]) -> TaskList:
    """The list of tasks that stands in a spec's folder; empty for a spec of one file.

    `ids` are those that the author gave to requirements, and `US1` for a story, in order.
    """
    name = f"{path.rstrip('/')}/tasks.md"
    if name not in files:
        return TaskList()
    source = read_source(name, files[name])
    tasks = tuple(task.replace(path=name) for task in read(source).tasks)
    said = ticked(tasks, ids)
    findings = tuple(not_silenced(told(said, tasks, path), source))
    return TaskList(tasks, tuple(story_order(source)), said, findings)


def open_tasks(raw: bytes) -> int:
    """The number of unchecked boxes in a tasks.md."""
    return sum(not task.is_done for task in read(read_source("tasks.md", raw)).tasks)


def _ids(said: str) -> tuple[str, ...]:
    """`2.1-2.3` stands for each of its criteria, `2.x-4.x` for each of these requirements."""

    def spelled(found: re.Match[str]) -> str:
        number, first, last = found.group(1), int(found.group(2)), int(found.group(3))
        several = range(first, min(last, first + _RANGE_MAX) + 1)
        return " ".join(f"{number}.{criterion}" for criterion in several) or found.group()

    def whole(found: re.Match[str]) -> str:
        first, last = int(found.group(1)), int(found.group(2))
        return " ".join(map(str, range(first, min(last, first + _RANGE_MAX) + 1)))

    return tuple(_NAMED.findall(_RANGE.sub(spelled, _WHOLE_RANGE.sub(whole, said))))


def _task(found: re.Match[str], line: int, group: str) -> Task:
    mark, star, rest = found.groups()
    numbered = _ID.match(rest)
    identifier, words = (numbered.group(1), numbered.group(2)) if numbered else (None, rest)
    stories = re.findall(r"\[(US\d+)\]", words)
    parallel = re.search(r"\[P\]|\(P\)", words)
    return Task(
        id=identifier,
        text=re.sub(r"\[(?:P|US\d+)\]\s*|\(P\)\s*", "", words).strip(),
        line=line,
        is_done=mark in ("x", "X"),
        is_optional=bool(star) or bool(re.match(r"\*\s", words)),
        is_parallel=bool(parallel),
        requirements=tuple(stories),
        group=group,
    )
