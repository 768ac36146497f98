"""The step of a list of tasks that does most of a requirement, where tasks name requirements.

A list names criteria (`2.1, 2.3`) or whole requirements, and one requirement below several steps. The
step with most of its criteria is where it is done; what only tests does not count. A list of layers does
a part of every requirement in every step: then one step has nearly all of them, and none is used.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from bot.core.plan.task_steps import Step, is_test
from bot.core.plan.vocabulary import subjects
from bot.core.values.ids import RequirementId
from bot.core.values.spec_model import Requirement

# More of the requirements in one step are no grouping.
_MOST, _OF = 3, 5


def named_by(
    requirements: Iterable[Requirement],
) -> Mapping[str, tuple[RequirementId, ...]]:
    """What the author calls each: its id, and its number where the id is `Requirement 3`."""
    named: defaultdict[str, list[RequirementId]] = defaultdict(list)
    for requirement in requirements:
        if source := requirement.source_id:
            named[source].append(requirement.id)
            number = source.removeprefix("Requirement ")
            if number != source and number.isdecimal():
                named[number].append(requirement.id)
    return {name: tuple(ids) for name, ids in named.items()}


def referenced_homes(
    requirements: Sequence[Requirement], steps: Sequence[Step]
) -> dict[RequirementId, Step]:
    """The step of each requirement that a step names, or that stands behind one that is named."""
    named = named_by(requirements)
    words = {r.id: subjects(f"{r.title}\n{r.statement}") for r in requirements}
    home = _most_done(named, steps, is_test, words)
    if 2 * len(home) < len(requirements):
        # What is built may be tests.
        home = _most_done(named, steps, lambda _: False, words)
    total = Counter(step.title for step in home.values())
    apart = len(total) > 1 and _OF * max(total.values()) <= _MOST * len(home)
    if not apart or 2 * len(home) < len(requirements):
        return {}
    return _with_neighbours(requirements, home)


def _most_done(
    named: Mapping[str, tuple[RequirementId, ...]],
    steps: Sequence[Step],
    is_skipped: Callable[[str], bool],
    words: Mapping[RequirementId, frozenset[str]],
) -> dict[RequirementId, Step]:
    done: defaultdict[RequirementId, Counter[int]] = defaultdict(Counter)
    for at, step in enumerate(steps):
        works = [t for t in step.tasks if not is_skipped(step.title) and not is_skipped(t.text)]
        for name in dict.fromkeys(name for task in works for name in task.requirements):
            for id_ in named.get(name) or named.get(name.partition(".")[0]) or ():
                done[id_][at] += 1
    titles = [subjects(step.title) for step in steps]

    def rank(id_: RequirementId, at: int) -> tuple[int, int, int]:
        return done[id_][at], len(titles[at] & words[id_]), -at

    return {id_: steps[max(of, key=lambda at: rank(id_, at))] for id_, of in done.items()}


def _with_neighbours(
    requirements: Sequence[Requirement], home: Mapping[RequirementId, Step]
) -> dict[RequirementId, Step]:
    """One that no step names stands with the one before it; several in a row, and the last, are work of
    their own.
    """
    filled = dict(home)
    for before, one, after in zip(requirements, requirements[1:], requirements[2:], strict=False):
        if one.id not in home and before.id in home and after.id in home:
            filled[one.id] = home[before.id]
    return filled
