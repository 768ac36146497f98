"""The steps of a list of tasks, and whose work they are where they name no requirements.

Steps are the numbered tasks with what stands below them, or the headings over the tasks. A list of
layers or of phases speaks of no requirement in particular: then few requirements have a step, and none
is used.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from bot.core.plan.likeness import Texts
from bot.core.plan.vocabulary import subjects
from bot.core.values.ids import RequirementId
from bot.core.values.spec_model import Requirement, Task

_NUMBER = re.compile(r"^\W*\d+(?:\.\d+)*[.)]?\s+")
# What shows or hands out the work is not the work on a requirement.
_CHECKS = re.compile(
    r"\b(?:tests?|testing|checks?|verification|validation|documentation|docs|guide|release|deploy(?:ment)?|polish|"
    r"clean-?up|pruebas|testes|validação|documentación|documentação|dokumentation|abnahme|recette|тестирование)\b|"
    r"测试|验证|文档|发布|部署|テスト|検証|테스트|배포",
    re.IGNORECASE,
)
_TESTS = re.compile(
    r"\b(?:tests?|testing|checkpoint|pruebas|testes|recette|тест\w*)\b|测试|检查点|テスト|チェックポイント|테스트",
    re.IGNORECASE,
)
# Comparing thousands of items with hundreds of steps takes long and tells nothing.
_COMPARED_MAX = 20_000


@dataclass(frozen=True)
class Step:
    """The tasks that the author put together, in the words of the first or of their heading."""

    title: str
    tasks: tuple[Task, ...]

    @property
    def is_parallel(self) -> bool:
        is_whole = self.tasks[0].text == self.title
        return self.tasks[0].is_parallel if is_whole else all(t.is_parallel for t in self.tasks)

    @property
    def text(self) -> str:
        return "\n".join((self.title, *(task.text for task in self.tasks)))


def steps_of(tasks: Sequence[Task]) -> tuple[Step, ...]:
    """In the list's order; none for lists of phases (`T001`), whose stories may run side by side."""
    found: defaultdict[str, list[Task]] = defaultdict(list)
    for task in tasks:
        if key := step_of(task):
            found[key].append(task)
    return tuple(Step(_title(of[0]), tuple(of)) for of in found.values())


def step_of(task: Task) -> str:
    """The number of its step, or the heading over a task without a number."""
    top = (task.id or "").partition(".")[0]
    return top if top.isdecimal() else "" if task.id else task.group


def _title(first: Task) -> str:
    is_whole = first.id is not None and "." not in first.id
    return first.text if is_whole else _NUMBER.sub("", first.group)


def is_check(title: str) -> bool:
    """Whether a step shows or hands out work that is done elsewhere."""
    return bool(_CHECKS.search(title))


def is_test(title: str) -> bool:
    """Whether a step or a task only tries what others do: `Implement the validation` is work."""
    return bool(_TESTS.search(title))


def homes(
    requirements: Sequence[Requirement], steps: Sequence[Step], tenths: int
) -> dict[RequirementId, Step]:
    """The step of each requirement that speaks of one.

    None at all unless so many tenths of the requirements have a step, and half of these are called as it is.
    """
    works = [step for step in steps if not is_check(step.title)]
    if len(works) < 2 or len(requirements) * len(works) > _COMPARED_MAX:
        return {}
    titles = Texts([step.title for step in works], [step.title for step in works])
    texts = Texts([step.title for step in works], [step.text for step in works])
    chosen: dict[RequirementId, Step] = {}
    called = 0
    for one in requirements:
        name = subjects(f"{one.title}\n{one.domain}")
        called_so = titles.nearest(subjects(one.title))
        at = texts.nearest(name | subjects(one.statement)) if called_so is None else called_so
        if at is not None and name & subjects(works[at].text):
            chosen[one.id] = works[at]
            called += called_so is not None or texts.is_titled(at, name)
    apart = len({step.title for step in chosen.values()}) > 1
    enough = 10 * len(chosen) >= tenths * len(requirements) and 2 * called >= len(chosen)
    return chosen if apart and enough else {}
