"""What a list of tasks says is built: all of a spec, or what it names and has ticked.

A tick is a claim, and never a fact about the code; what it speaks of is not planned unless a person asks.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from bot.core.values.spec_model import Finding, Requirement, Severity, Task

_SHOWN_MAX = 12
_TASKS_MIN = 3
_STORY = re.compile(r"US\d")
_EACH = "All"
# What is looked at when all is done asks for nothing new.
_CHECKS = re.compile(
    r"^\W*(?:(?:(?:final )?checkpoint|run|verify|validate|check|test|ensure|review)\b|确认|验证|检查|確認|検証|検査|確認|검증|확인)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Ticked:
    """`count` of the tasks that must be done are ticked; so many others are `optional` and open. `names` are numbers of requirements and stories (`US1`);
    `left` are open tasks that ask for more, if nothing else is open.
    """

    count: int = 0
    of: int = 0
    optional: int = 0
    is_whole: bool = False
    names: tuple[str, ...] = ()
    left: tuple[Task, ...] = ()

    def is_built(self, requirement: Requirement) -> bool:
        """Whether the list says so of it by its number; what it says of stories is not asked here."""
        return self.is_whole or requirement.source_id in self.names

    def marked(self, requirements: Iterable[Requirement]) -> tuple[Requirement, ...]:
        return tuple(
            r.replace(is_done=True) if not r.is_done and self.is_built(r) else r
            for r in requirements
        )


NOTHING_TICKED = Ticked()


def ticked(tasks: Sequence[Task], numbers: Iterable[str]) -> Ticked:
    """What of a spec is built by its list; `numbers` are all that a task may name, in order.

    A list that is all ticked and names most requirements says nothing of the others: they came later.
    """
    known = dict.fromkeys(numbers)
    # An open box above optional parts alone stands for work of its own.
    parts_of = {above for task in tasks if not task.is_optional and (above := _above(task))}
    asked = [t for t in tasks if t.is_done or not (t.is_optional or t.id in parts_of)]
    done = {name for task in asked if task.is_done for name in _named(task, known)}
    open_ = tuple(task for task in asked if not task.is_done)
    # A part that names nothing is of what the task above it names.
    of_id = {task.id: task for task in tasks}
    wholes = [of_id.get(_above(task), task) for task in open_ if not task.requirements]
    # What names its own is open with one of its parts.
    parents = {_above(task) for task in open_}
    wholes += [task for task in tasks if task.id in parents and not task.is_done]
    done -= {name for task in (*open_, *wholes) for name in _named(task, known)}
    names = tuple(name for name in known if name in done)
    is_story = not any(map(_is_number, names))
    others = [n for n in known if _is_number(n) is not is_story and n not in done]
    if open_:
        work = tuple(t for t in open_ if t.id and not _CHECKS.search(t.text))
        count = sum(task.is_done for task in asked)
        return Ticked(count=count, of=len(asked), names=names, left=() if others else work)
    came_later = not is_story and len(others) < len(names) and bool(others)
    return Ticked(
        count=len(asked),
        of=len(asked),
        optional=sum(task.is_optional and not task.is_done for task in tasks),
        is_whole=bool(asked) and len(tasks) >= _TASKS_MIN and not came_later,
        names=names,
    )


def told(said: Ticked, tasks: Sequence[Task], spec: str) -> tuple[Finding, ...]:
    """One line about what is not planned for its ticks, and what would plan it."""
    if said.is_whole:
        sentence = (
            f"All {_tasks(said)} in this list are ticked, so nothing of this spec is planned. "
            f"To plan it all the same, comment `/headgate run {spec}`."
        )
        return (_finding(tasks[0], sentence),)
    if not said.names:
        sentence = (
            f"{said.count} of {said.of} tasks in this list are ticked. No requirement has all its tasks ticked, so "
            "all are planned."
        )
        return (_finding(tasks[0], sentence),) if said.count else ()
    shown = ", ".join(said.names[:_SHOWN_MAX]) + (", …" if len(said.names) > _SHOWN_MAX else "")
    them = "it is" if len(said.names) == 1 else "they are"
    sentence = f"All tasks for {shown} are ticked, so {them} not planned."
    if said.left:
        sentence += (
            f" Tasks that are open name no other requirement ({len(said.left)}, the first in line "
            f"{said.left[0].line}): write down what they must make true, and it is planned."
        )
    named = next((t for t in tasks if t.is_done and t.requirements), tasks[0])
    return (_finding(named, sentence),)


def _tasks(said: Ticked) -> str:
    return f"{said.count} tasks that are not optional" if said.optional else f"{said.count} tasks"


def _above(task: Task) -> str:
    """The task that it is a part of, `2` for `2.1`: an open box there says no more than its parts do."""
    return (task.id or "").rpartition(".")[0]


def _is_number(name: str) -> bool:
    return not _STORY.match(name)


def _named(task: Task, known: Collection[str]) -> list[str]:
    if _EACH in task.requirements:
        return [name for name in known if _is_number(name)]
    names = (n if n in known else n.partition(".")[0] for n in task.requirements)
    return [name for name in names if name in known]


def _finding(task: Task, sentence: str) -> Finding:
    return Finding(
        code="tasks_done",
        severity=Severity.INFO,
        line=task.line,
        quote=task.text[:200],
        question=sentence,
        path=task.path,
    )
