"""The step of a list of tasks by which a requirement is done, where tasks name requirements.

A list names criteria (`2.1, 2.3`) or whole requirements, and one requirement below several steps; it is done
where half of it is. What only tests does not count. Where most requirements are spread over many steps, these
are layers (`Service layer`): such a list keeps the page's own order but for what has a step to itself.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from itertools import accumulate

from bot.core.plan.likeness import Texts
from bot.core.plan.phrases import phrase
from bot.core.plan.task_steps import Step, is_test
from bot.core.plan.vocabulary import subjects
from bot.core.values.ids import RequirementId
from bot.core.values.spec_model import Requirement

# Has many divisors.
_CRITERION = 5040
# A requirement of which no step does more than a third is spread.
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


def referenced_places(
    requirements: Sequence[Requirement], steps: Sequence[Step]
) -> dict[RequirementId, int]:
    """The place of the step by which half of each requirement is done.

    By criteria as they are named, or with those that several steps name parted between these: what comes first.
    """
    # What only a step of tests names may be tests; it is done there.
    named = _named(requirements, steps, lambda _: False) | _named(requirements, steps, is_test)
    done = _counted(named, lambda _: _CRITERION)
    halves = _half_done(done), _half_done(_counted(named, lambda steps: _CRITERION // steps))
    places = {id_: min(half[id_] for half in halves) for id_ in done}
    places |= _called(requirements, steps, done)
    begun_at = {id_: min(of) for id_, of in done.items()}
    spread = sum(_SPREAD * max(of.values()) <= of.total() for of in done.values())
    if 2 * spread > len(done):
        doing = Counter(at for of in done.values() for at in of)
        apart = {id_ for id_, of in done.items() if [doing[at] for at in of] == [1]}
        shared = [r.id for r in requirements if r.id in done and r.id not in apart]
        places |= zip(shared, accumulate((places[id_] for id_ in shared), max), strict=True)
        begun_at |= {id_: places[id_] for id_ in shared}
    # What the first step alone is for is its ground, however much is done for it later.
    first = min((min(of) for of in done.values()), default=0)
    begun = [id_ for id_, of in done.items() if first in of]
    if len(begun) == 1:
        places[begun[0]] = first
    places = _with_neighbours(requirements, places, places)
    in_page_order = ((r.id, places[r.id]) for r in requirements if r.id in places)
    # Of what one step does, what was begun first comes first.
    return dict(sorted(in_page_order, key=lambda one: (one[1], begun_at.get(one[0], one[1]))))


def _called(
    requirements: Sequence[Requirement], steps: Sequence[Step], done: _Done
) -> dict[RequirementId, int]:
    """The step that names a requirement, and whose title says what this is called: it is its home."""
    titles = [subjects(step.title) for step in steps]
    texts = Texts([step.title for step in steps], [step.title for step in steps])
    found = {}
    for one in requirements:
        own = subjects(phrase(one))
        at = texts.nearest(own) if one.id in done else None
        if at is not None and at in done[one.id] and 2 * len(own & titles[at]) > len(own):
            found[one.id] = at
    return found


def _half_done(done: _Done) -> dict[RequirementId, int]:
    places = {}
    for id_, of in done.items():
        so_far = accumulate(of[at] for at in sorted(of))
        places[id_] = next(
            at for at, sum_ in zip(sorted(of), so_far, strict=True) if 2 * sum_ >= of.total()
        )
    return places


def _named(
    requirements: Sequence[Requirement], steps: Sequence[Step], is_skipped: Callable[[str], bool]
) -> dict[RequirementId, Mapping[str, set[int]]]:
    """The steps that name each criterion; those that name a requirement as a whole name all of its criteria."""
    by_name = named_by(requirements)
    criteria = {r.id: max(len(r.scenarios), 1) for r in requirements}
    found: dict[RequirementId, defaultdict[str, set[int]]] = {}
    for at, step in enumerate(steps):
        works = [t for t in step.tasks if not is_skipped(step.title) and not is_skipped(t.text)]
        for name in dict.fromkeys(name for task in works for name in task.requirements):
            whole, _, criterion = name.partition(".")
            for id_ in by_name.get(name) or by_name.get(whole, ()):
                of = found.setdefault(id_, defaultdict(set))
                each = map(str, range(1, criteria[id_] + 1)) if name in by_name else (criterion,)
                for one in each:
                    of[one].add(at)
    return dict(found)


def _counted(
    named: Mapping[RequirementId, Mapping[str, set[int]]], worth: Callable[[int], int]
) -> _Done:
    """How much of each requirement each step does; `worth` is for a criterion that so many steps name."""
    done: defaultdict[RequirementId, Counter[int]] = defaultdict(Counter)
    for id_, criteria in named.items():
        for steps in criteria.values():
            for at in steps:
                done[id_][at] += worth(len(steps))
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
