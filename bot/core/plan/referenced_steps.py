"""The step of a list of tasks that does most of a requirement, where tasks name requirements.

A list names criteria (`2.1, 2.3`) or whole requirements, and one requirement below several steps. The
step with most of its criteria is where it is done; what only tests does not count. A list of layers does
a part of every requirement in every step: then one step has nearly all of them, and none is used.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from bot.core.plan.task_steps import Step, is_check
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
    done: defaultdict[RequirementId, Counter[int]] = defaultdict(Counter)
    # A document about a program has the words of documents in every step.
    checks = [step for step in steps if is_check(step.title)]
    skipped = checks if 2 * len(checks) < len(steps) else []
    for at, step in enumerate(steps):
        if step in skipped:
            continue
        works = [t for t in step.tasks if not skipped or not is_check(t.text)] or step.tasks
        for name in dict.fromkeys(name for task in works for name in task.requirements):
            for id_ in named.get(name) or named.get(name.partition(".")[0]) or ():
                done[id_][at] += 1
    home = {id_: steps[max(of, key=lambda at: (of[at], -at))] for id_, of in done.items()}
    total = Counter(step.title for step in home.values())
    apart = len(total) > 1 and _OF * max(total.values()) <= _MOST * len(home)
    if not apart or 2 * len(home) < len(requirements):
        return {}
    return _with_neighbours(requirements, home)


def _with_neighbours(
    requirements: Sequence[Requirement], home: Mapping[RequirementId, Step]
) -> dict[RequirementId, Step]:
    """One that no step names stands with the one before it; several in a row are work of their own."""
    filled = dict(home)
    for at, one in enumerate(requirements):
        beside = (*requirements[max(at - 1, 0) : at], *requirements[at + 1 : at + 2])
        if one.id not in home and all(r.id in home for r in beside):
            filled[one.id] = home[beside[0].id]
    return filled
