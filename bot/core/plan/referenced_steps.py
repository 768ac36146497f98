"""The step of a list of tasks that does a requirement, where tasks name requirements.

A list names criteria (`2.1, 2.3`) or whole requirements, and one requirement below several steps. The
home of a requirement is the step that does most of it, if half of it is not done before; what only tests does
not count. A step that does more of what is at home elsewhere, or nowhere, is a layer (`Service layer`), and
home of none. Where most requirements are spread over many steps, all are layers: such a list makes no groups,
and keeps the page's own order but for what has a step to itself.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from itertools import accumulate

from bot.core.plan.task_steps import Step, is_test
from bot.core.plan.vocabulary import subjects
from bot.core.values.ids import RequirementId
from bot.core.values.spec_model import Requirement

# More of the requirements in one step are no grouping.
_MOST, _OF = 3, 5
# A requirement of which no step does more is spread.
_SPREAD = 3

_Done = Mapping[RequirementId, Counter[int]]


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
    """The step of each requirement that has one, and of what stands behind it and is named by none."""
    done = _done(requirements, steps)
    most = _most_done(requirements, steps, done)
    every = Counter[int]()
    own = Counter[int]()
    for id_, of in done.items():
        every.update(of)
        if id_ in most:
            own[most[id_]] += of[most[id_]]
    home = {id_: at for id_, at in most.items() if 2 * own[at] >= every[at]}
    total = Counter(steps[at].title for at in home.values())
    spread = sum(_SPREAD * max(of.values()) < of.total() for of in done.values())
    # Of more than two steps that share nothing much, the largest is cut.
    many = len(total) > 2 and not spread
    apart = many or (len(total) > 1 and _OF * max(total.values()) <= _MOST * len(home))
    if not apart or 2 * len(home) < len(requirements) or 2 * spread > len(done):
        return {}
    return {id_: steps[at] for id_, at in _with_neighbours(requirements, home, done).items()}


def _most_done(
    requirements: Sequence[Requirement], steps: Sequence[Step], done: _Done
) -> dict[RequirementId, int]:
    """The step that does most of each requirement, where half of it is not done before."""
    titles = [subjects(step.title) for step in steps]
    words = {r.id: subjects(f"{r.title}\n{r.statement}") for r in requirements}

    def rank(id_: RequirementId, at: int) -> tuple[int, int, int]:
        return done[id_][at], len(titles[at] & words[id_]), -at

    most = {id_: max(of, key=lambda at: rank(id_, at)) for id_, of in done.items()}
    half = _half_done(done)
    return {id_: at for id_, at in most.items() if done[id_][at] == done[id_][half[id_]]}


def referenced_places(
    requirements: Sequence[Requirement], steps: Sequence[Step]
) -> dict[RequirementId, int]:
    """The place of the step by which half of each requirement is done."""
    # What only a step of tests names may be tests; it is done there.
    done = {**_counted(requirements, steps, lambda _: False), **_done(requirements, steps)}
    places = _half_done(done)
    if not referenced_homes(requirements, steps):
        doing = Counter(at for of in done.values() for at in of)
        apart = {id_ for id_, of in done.items() if [doing[at] for at in of] == [1]}
        shared = [r.id for r in requirements if r.id in done and r.id not in apart]
        places |= zip(shared, accumulate((places[id_] for id_ in shared), max), strict=True)
    # What the first step alone is for is its ground, however much else is done for it later.
    first = min((min(of) for of in done.values()), default=0)
    begun = [id_ for id_, of in done.items() if first in of]
    if len(begun) == 1:
        places[begun[0]] = first
    return _with_neighbours(requirements, places, places)


def _half_done(done: _Done) -> dict[RequirementId, int]:
    places = {}
    for id_, of in done.items():
        so_far = accumulate(of[at] for at in sorted(of))
        places[id_] = next(
            at for at, sum_ in zip(sorted(of), so_far, strict=True) if 2 * sum_ >= of.total()
        )
    return places


def _done(requirements: Sequence[Requirement], steps: Sequence[Step]) -> _Done:
    """How much of each requirement each step does."""
    found = _counted(requirements, steps, is_test)
    # What is built may be tests.
    is_enough = 2 * len(found) >= len(requirements)
    return found if is_enough else _counted(requirements, steps, lambda _: False)


def _counted(
    requirements: Sequence[Requirement], steps: Sequence[Step], is_skipped: Callable[[str], bool]
) -> _Done:
    named = named_by(requirements)
    criteria = {r.id: len(r.scenarios) for r in requirements}
    done: defaultdict[RequirementId, Counter[int]] = defaultdict(Counter)
    for at, step in enumerate(steps):
        works = [t for t in step.tasks if not is_skipped(step.title) and not is_skipped(t.text)]
        for name in dict.fromkeys(name for task in works for name in task.requirements):
            for id_ in named.get(name, ()):
                done[id_][at] += max(criteria[id_], 1)
            for id_ in () if name in named else named.get(name.partition(".")[0], ()):
                done[id_][at] += 1
    return done


def _with_neighbours(
    requirements: Sequence[Requirement],
    found: Mapping[RequirementId, int],
    named: Container[RequirementId],
) -> dict[RequirementId, int]:
    """One that no step names stands with the one before it; several in a row, and the last, are work of
    their own.
    """
    filled = dict(found)
    for before, one, after in zip(requirements, requirements[1:], requirements[2:], strict=False):
        if one.id not in named and before.id in found and after.id in found:
            filled[one.id] = found[before.id]
    return filled
