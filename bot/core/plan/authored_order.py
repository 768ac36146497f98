"""In which order the author wants changes: stories, tasks, capabilities, pieces of one group.

Groups are found first (`authored`); what is said here makes one wait for another and moves nothing.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from bot.core.plan.authored import (
    EPIC,
    EPIC_STORY,
    epic_number,
    parallel_runs,
    steps_with,
    story_number,
)
from bot.core.plan.phrases import plain_heading
from bot.core.plan.referenced_steps import named_by
from bot.core.plan.stated_dependencies import Need
from bot.core.plan.task_steps import Step, is_check
from bot.core.plan.vocabulary import distinct, evidence, names_the_whole, stem
from bot.core.values.ids import RequirementId
from bot.core.values.plan_model import (
    REQUIREMENTS_USUAL_MAX,
    ChangeType,
    DependencyKind,
    PlannedChange,
)
from bot.core.values.spec_model import Operation, Requirement, Spec, Task

# So many words of a capability's name must be spoken of.
_NAME_WORDS = 2
_NO_NAME_WORDS = """
the and for of to in on with by or is are be management system service api data user support
"""
_NO_NAME = frozenset(stem(word) for word in _NO_NAME_WORDS.split())
_HANDS_OUT = re.compile(
    r"\b(?:tests?|testing|qa|quality assurance|deployment|release|launch|hardening|polish)\b",
    re.IGNORECASE,
)
# What stands further back is waited for by way of these.
_LOOKED_BACK = 30
# What the author says of two stories in words.
STATED_CONFIDENCE = 95
# Weaker than anything that the text says of two changes themselves.
ORDER_CONFIDENCE = 35
PIECE_CONFIDENCE = 30


def order_needs(spec: Spec) -> tuple[Need, ...]:
    """Soft dependencies from what is said of stories, and from the order of tasks and of an epic's stories."""
    return (
        *_by_stated_order(spec),
        *_by_tasks(spec),
        *_by_depends(spec),
        *_by_numbered_epics(spec),
        *_by_stories(spec),
        *_by_capabilities(spec),
    )


def _by_capabilities(spec: Spec) -> list[Need]:
    """In a delta what speaks of a new capability by its name comes after it: `pii-masking`."""
    needs = []
    for at, new in enumerate(spec.documents):
        operations = {r.operation for r in new.requirements}
        name = _words_of(new.requirements[0].domain) if new.requirements else frozenset()
        if operations != {Operation.ADDED} or len(name) < _NAME_WORDS:
            continue
        for other in spec.documents[at + 1 :]:
            own = _words_of(other.requirements[0].domain) if other.requirements else frozenset()
            user = next((r for r in other.requirements if _speaks_of(r, name - own)), None)
            if user is not None and len(name - own) >= _NAME_WORDS:
                on = new.requirements[-1]
                quoted = evidence(user.path, user.line_start, user.title)
                needs.append(Need(user.id, on.id, DependencyKind.ORDERED, quoted, ORDER_CONFIDENCE))
    return needs


def _speaks_of(requirement: Requirement, name: frozenset[str]) -> bool:
    said = _words_of(f"{requirement.title} {requirement.statement}")
    return len(name & said) >= _NAME_WORDS


def _words_of(text: str) -> frozenset[str]:
    """Stems, short words too: `PII` says more than `masking`."""
    return frozenset(stem(word) for word in re.findall(r"[^\W_]{2,}", text)) - _NO_NAME


def _by_stated_order(spec: Spec) -> list[Need]:
    """`User Story 3 depends on US1`, where requirements stand with these stories."""
    of: defaultdict[str, list[RequirementId]] = defaultdict(list)
    for requirement in distinct(spec):
        if number := story_number(requirement.domain):
            of[number].append(requirement.id)
    return [
        Need(user, of[on][-1], DependencyKind.EXPLICIT, quoted, STATED_CONFIDENCE)
        for document in spec.documents
        for said in document.story_order
        for quoted in [evidence(said.path, said.line, said.quote)]
        for on in said.after
        if of.get(on)
        for user in of.get(said.story, ())
    ]


def _by_tasks(spec: Spec) -> list[Need]:
    """What a step does comes after what the steps before it do: the author has put them in this order.

    Steps in a row that are marked as parallel come after what stands before the first of them. Lists of phases
    (`T001`) say themselves that stories may run side by side.
    """
    runs = parallel_runs(spec)
    # By words alone what one step does is in no order.
    cites = any(task.requirements for d in spec.documents for task in d.tasks)
    before: list[tuple[Step, RequirementId]] = []
    needs: list[Need] = []
    for step, later in steps_with(spec):
        for id_ in later:
            on = [
                (first, one)
                for first, one in before[-_LOOKED_BACK:]
                if not _is_beside(runs, one, id_) and (cites or first is not step)
            ]
            for first, earlier in on:
                needs += _chain([earlier], [id_], _words_between(first, step))
            before.append((step, id_))
    return needs


def _is_beside(runs: Mapping[RequirementId, int], one: RequirementId, other: RequirementId) -> bool:
    return one in runs and runs[one] == runs.get(other)


def _by_depends(spec: Spec) -> list[Need]:
    """`_Depends: 1.2_` below a task: what is done there most needs what is done most by that task."""
    tasks = {task.id: task for d in spec.documents for task in d.tasks if task.id}
    if not any(task.depends for task in tasks.values()):
        return []
    named = named_by(distinct(spec))
    times: dict[RequirementId, Counter[str]] = defaultdict(Counter)
    for number, task in tasks.items():
        for id_ in _ids_named(task, named):
            times[id_][number] += 1
    done: defaultdict[str, list[RequirementId]] = defaultdict(list)
    for id_, of in times.items():
        done[of.most_common(1)[0][0]].append(id_)
    needs: list[Need] = []
    for number, task in tasks.items():
        for before in (tasks[name] for name in task.depends if name in tasks):
            words = f"{before.id}. {before.text} → {task.id}. {task.text}"
            quoted = evidence(task.path, task.line, words)
            needs += (
                Need(user, on, DependencyKind.EXPLICIT, quoted, STATED_CONFIDENCE)
                for on in done[before.id or ""][:REQUIREMENTS_USUAL_MAX]
                for user in done[number]
            )
    return needs


def _ids_named(
    task: Task, named: Mapping[str, tuple[RequirementId, ...]]
) -> Iterator[RequirementId]:
    for name in task.requirements:
        yield from named.get(name) or named.get(name.partition(".")[0], ())


def _words_between(before: Step, step: Step) -> str:
    first, task = before.tasks[0], step.tasks[0]
    return evidence(task.path, task.line, f"{first.id}. {first.text} → {task.id}. {task.text}")


def _by_numbered_epics(spec: Spec) -> list[Need]:
    """`Epic 2: Gestures`, that is read as one requirement or stands above some, comes after `Epic 1: Camera`."""
    needs = []
    for document in spec.documents:
        epics: dict[str, list[Requirement]] = {}
        for requirement in document.requirements:
            name = next((t for t in (requirement.title, requirement.domain) if EPIC.match(t)), "")
            # Stories with numbers of their own say more.
            if name and not EPIC_STORY.match(requirement.source_id or ""):
                epics.setdefault(name, []).append(requirement)
        for (one, earlier), (other, later) in pairwise(epics.items()):
            if 0 <= epic_number(other) - epic_number(one) <= 1:
                quoted = evidence(later[0].path, later[0].line_start, plain_heading(other) or other)
                needs += [n for r in earlier for n in _chain([r.id], [x.id for x in later], quoted)]
    return needs


def _by_stories(spec: Spec) -> list[Need]:
    """Stories `2.1` and `2.2`, and what stands with them, are written to be built one after another.

    So are epics: the first story of one comes after the last of the one before it.
    """
    stories: defaultdict[str, dict[tuple[int, int], list[Requirement]]] = defaultdict(dict)
    # Where stories say themselves what they need, all else may run side by side.
    told = {
        d.path
        for d in spec.documents
        if 2 * sum(bool(r.references) for r in d.requirements) > len(d.requirements)
    }
    for requirement in distinct(spec):
        found = EPIC_STORY.match(requirement.source_id or "")
        found = found or EPIC_STORY.match(story_number(requirement.domain) or "")
        if found and requirement.path not in told:
            place = int(found[1]), int(found[2])
            stories[requirement.path].setdefault(place, []).append(requirement)
    needs = []
    for path, of_page in stories.items():
        for (before, earlier), (place, later) in pairwise(sorted(of_page.items())):
            numbers = (".".join(map(str, at)) for at in (place, before))
            quoted = evidence(path, later[0].line_start, " after ".join(numbers))
            needs += _chain([r.id for r in earlier], [r.id for r in later], quoted)
    return needs


def check_needs(spec: Spec) -> list[Need]:
    """An epic that only tries or hands out what the others build comes after all of them."""
    epics: defaultdict[tuple[str, str], list[Requirement]] = defaultdict(list)
    for requirement in distinct(spec):
        if found := EPIC_STORY.match(requirement.source_id or ""):
            epics[requirement.path, found[1]].append(requirement)
    needs = []
    for (path, number), stories in epics.items():
        group = _HANDS_OUT.search(plain_heading(stories[0].domain))
        if not group and not all(is_check(story.title) for story in stories):
            continue
        for (of, earlier), on in epics.items():
            if of == path and int(earlier) < int(number):
                words = f"{stories[0].source_id} {stories[0].title} after {on[-1].source_id}"
                quoted = evidence(stories[0].path, stories[0].line_start, words)
                needs += _chain([one.id for one in on], [stories[0].id], quoted)
    return needs


def piece_needs(spec: Spec, drafts: Sequence[PlannedChange]) -> tuple[Need, ...]:
    """The rest of a group waits for the contract that was taken out of it.

    Of what is cut only for its size the first piece comes first, where the author has an order.
    """
    requirements = {r.id: r for r in distinct(spec)}
    return (*_by_contracts(drafts, requirements), *_by_pieces(spec, drafts, requirements))


def _by_contracts(
    drafts: Sequence[PlannedChange], requirements: Mapping[RequirementId, Requirement]
) -> list[Need]:
    contracts = {d.domain: d for d in drafts if d.type is ChangeType.CONTRACT and d.requirements}
    needs = []
    for draft in drafts:
        first = contracts.get(draft.domain, draft)
        if first is not draft and draft.type is not ChangeType.CONTRACT and draft.requirements:
            on = requirements.get(first.requirements[0])
            if on is None:
                continue
            quoted = evidence(on.path, on.line_start, on.title or on.statement)
            kind = DependencyKind.FOUNDATION
            needs.append(Need(draft.requirements[0], on.id, kind, quoted, PIECE_CONFIDENCE))
    return needs


def _by_pieces(
    spec: Spec,
    drafts: Sequence[PlannedChange],
    requirements: Mapping[RequirementId, Requirement],
) -> list[Need]:
    if not any(document.tasks for document in spec.documents):
        return []
    pieces: defaultdict[str, list[PlannedChange]] = defaultdict(list)
    for draft in drafts:
        is_whole = names_the_whole(plain_heading(draft.domain), spec)
        is_group = draft.domain != spec.key and not is_whole
        if is_group and draft.type is ChangeType.FEATURE and draft.requirements:
            pieces[draft.domain].append(draft)
    needs: list[Need] = []
    for of in pieces.values():
        for before, after in pairwise(of):
            first = requirements[after.requirements[0]]
            words = f"{first.title} after {requirements[before.requirements[-1]].title}"
            quoted = evidence(first.path, first.line_start, words)
            on = before.requirements[-1]
            needs.append(Need(first.id, on, DependencyKind.ORDERED, quoted, PIECE_CONFIDENCE))
    return needs


def _chain(
    earlier: Iterable[RequirementId], later: Iterable[RequirementId], words: str
) -> list[Need]:
    last = list(earlier)[-1]
    return [Need(id_, last, DependencyKind.ORDERED, words, ORDER_CONFIDENCE) for id_ in later]
