"""What the author has grouped and ordered: the first evidence of a plan.

Groups are headings, bold lines and epics, which readers keep as domains. Where there are none, a
requirement belongs to the user story that it names, or else to the one whose words it uses. The
order is that of the file, of stories' priorities, and of a list of tasks that names requirements.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from bot.core.plan.likeness import Texts, aligned
from bot.core.plan.phrases import phrase, plain_heading
from bot.core.plan.referenced_steps import named_by, referenced_homes
from bot.core.plan.stated_dependencies import Need
from bot.core.plan.task_steps import Step, homes, is_test, steps_of
from bot.core.plan.vocabulary import distinct, evidence, names_the_whole, stem, subjects
from bot.core.spec.triage.words import says_only_requirements
from bot.core.values.ids import RequirementId
from bot.core.values.plan_model import ChangeType, DependencyKind, PlannedChange
from bot.core.values.spec_model import Operation, Requirement, Spec, SpecDocument, Story, Task

# So many words of a capability's name must be spoken of.
_NAME_WORDS = 2
_NO_NAME_WORDS = """
the and for of to in on with by or is are be management system service api data user support
"""
_NO_NAME = frozenset(stem(word) for word in _NO_NAME_WORDS.split())
# What the author says of two stories in words.
STATED_CONFIDENCE = 95
# Weaker than anything that the text says of two changes themselves.
ORDER_CONFIDENCE = 35
PIECE_CONFIDENCE = 30

# A shorter story is read together with its neighbours.
_STORY_LINES = 14
_IN_TITLE = 2
_IN_EPIC = 12
_MAPPED_TITLE = 4
_VERB, _VERB_AT = 400, 2
_STORY_NUMBER = re.compile(
    r"^\W*(?:(?:user )?story|US|HU|用户故事|使用者故事|hist[oó]ria(?: d[eo] usu[aá]rio)?|récit utilisateur|anwendergeschichte|historyjka|ユーザーストーリー|사용자 스토리)"
    r"\s*+#?-?\s*+(?:0(?=\d))*+(\d++(?:\.\d++)*+)\b",
    re.IGNORECASE,
)
_NAMED_STORY = re.compile(
    r"\b(?:US|user story|story)[ -]?0*(\d+(?:\.\d+)*)\b(?!\.\d)", re.IGNORECASE
)
_DOORS = (
    (
        re.compile(r"\b(?:sign|log)(?:s|ged|ging|ing)?[- ]?in\b|\blogins?\b", re.IGNORECASE),
        "entering",
    ),
    (
        re.compile(r"\b(?:sign|log)(?:s|ged|ging|ing)?[- ]?out\b|\blogouts?\b", re.IGNORECASE),
        "leaving",
    ),
)
_SAYS_NO_DEED = re.compile(r"(?:support|provide|allow|enable|implement|offer)s?$", re.IGNORECASE)
_EPIC_STORY = re.compile(r"^(\d+)\.(\d+)$")
# Comparing thousands of items with hundreds of stories takes long and tells nothing.
_COMPARED_MAX = 20_000


def grouped(spec: Spec) -> Spec:
    """The spec with the groups and priorities that stories give to requirements without a group.

    Where there are no stories, the steps of a list of tasks are groups. A group of the author's own is as
    urgent as the story whose title speaks of it.
    """
    return spec.with_documents(
        _urgent(_by_steps(_grouped(_each_story(_by_stories_of_epics(d))))) for d in spec.documents
    )


def order_needs(spec: Spec) -> tuple[Need, ...]:
    """Soft dependencies from what is said of stories, and from the order of tasks and of an epic's stories."""
    return (
        *_by_stated_order(spec),
        *_by_tasks(spec),
        *_by_epics(spec),
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


def task_places(spec: Spec) -> dict[RequirementId, int]:
    """The place of each requirement's step, or of the first task that names it."""
    places: dict[RequirementId, int] = {}
    for at, (_, ids) in enumerate(_steps_with(spec)):
        places |= dict.fromkeys(ids, at)
    if places:
        return places
    for at, (_, ids) in enumerate(tasks_of(spec)):
        for id_ in ids:
            places.setdefault(id_, at)
    return places


def _grouped(document: SpecDocument) -> SpecDocument:
    stories = [s for s in document.stories if s.title and not is_test(s.title)]
    plain = [r for r in document.requirements if _is_ungrouped(r)]
    too_many = len(stories) * len(plain) > _COMPARED_MAX
    if len(stories) < 2 or len(plain) < 2 or len(plain) < len(document.requirements) or too_many:
        return document
    chosen = _stories_of(plain, stories)
    # Words that fit a few items by chance make no groups.
    if 2 * len(chosen) < len(plain) or len({id(s) for s in chosen.values()}) < 2:
        return document
    told: list[Requirement] = []
    for at, requirement in enumerate(plain):
        story = chosen.get(requirement.id)
        # One that fits no story stands with its neighbour; several are work of their own.
        if story is None and not any(n.id not in chosen for n in _beside(plain, at)):
            story = next(chosen[n.id] for n in _beside(plain, at))
        told.append(
            requirement
            if story is None
            else requirement.replace(
                domain=story.title, priority=requirement.priority or story.priority
            )
        )
    return document.with_requirements(told)


def _urgent(document: SpecDocument) -> SpecDocument:
    stories = [story for story in document.stories if story.priority]
    groups = {r.domain for r in document.requirements if r.domain and not _is_ungrouped(r)}
    if len(stories) < 2 or len(stories) * len(groups) > _COMPARED_MAX:
        return document
    titles = Texts([story.title for story in stories], [story.title for story in stories])
    of = {
        group: stories[at].priority
        for group in groups
        if (at := titles.nearest(subjects(group))) is not None
    }
    return document.with_requirements(
        r.replace(priority=r.priority or of.get(r.domain)) for r in document.requirements
    )


def _is_ungrouped(requirement: Requirement) -> bool:
    """Whether it stands below no heading, or below one that says only `Functional requirements`."""
    # `Functional requirements (mandatory)` in any language.
    heading = re.sub(
        r"\s*[*_]*[(（][^()（）]{1,20}[)）][*_]*$", "", plain_heading(requirement.domain)
    )
    says_nothing = not requirement.domain or says_only_requirements(heading)
    return says_nothing and requirement.operation is None


def _by_steps(document: SpecDocument) -> SpecDocument:
    plain = [r for r in document.requirements if _is_ungrouped(r)]
    if len(plain) < len(document.requirements):
        return document
    found = _homes(plain, document.tasks)
    return document.with_requirements(
        r.replace(domain=found[r.id].title) if r.id in found else r for r in plain
    )


def _homes(requirements: Sequence[Requirement], tasks: Sequence[Task]) -> dict[RequirementId, Step]:
    """By the ids that tasks name; else, where requirements do not say their order, by words."""
    steps = steps_of(tasks)
    if any(task.requirements for task in tasks):
        return referenced_homes(requirements, steps)
    return {} if _says_its_order(requirements) else homes(requirements, steps)


def _by_stories_of_epics(document: SpecDocument) -> SpecDocument:
    """Where the author maps requirements to epics, each stands with the story of its epic that speaks
    of it; with the epic, where none does.
    """
    epics = {one.id: one for one in document.epics}
    stories: defaultdict[str, list[Story]] = defaultdict(list)
    for story in document.stories:
        if found := _EPIC_STORY.match(story_number(story.title) or ""):
            stories[found[1]].append(story)
    mapped = [
        (r, epics[r.source_id])
        for r in document.requirements
        if r.source_id in epics and epics[r.source_id].epic in stories
    ]
    if not stories or 2 * len(mapped) < len(document.requirements):
        return document
    chosen: dict[RequirementId, Story] = {}
    for epic, own in stories.items():
        chosen |= _nearest([(r, of.words) for r, of in mapped if of.epic == epic], own)
    return document.with_requirements(
        r.replace(domain=chosen[r.id].title) if r.id in chosen else r for r in document.requirements
    )


def _each_story(document: SpecDocument) -> SpecDocument:
    """Stories of epics (`2.1`) of some length are the author's own pieces of work."""
    stories = [
        r
        for r in document.requirements
        if _EPIC_STORY.match(r.source_id or "") and r.operation is None
    ]
    long = [r for r in stories if r.line_end - r.line_start >= _STORY_LINES]
    if len(stories) < 2 or 2 * len(long) <= len(document.requirements):
        return document
    named = {r.id: f"Story {r.source_id}: {r.title}" for r in stories}
    # What the page asks for as a whole stands with the story that does it.
    others = [(r, "") for r in document.requirements if r.id not in named and _is_ungrouped(r)]
    if len(others) * len(stories) <= _COMPARED_MAX:
        told = [
            Story(
                title=named[r.id],
                priority=r.priority,
                scenarios=r.scenarios,
                line_start=r.line_start,
                line_end=r.line_end,
            )
            for r in stories
        ]
        named |= {id_: story.title for id_, story in _nearest(others, told).items()}
    return document.with_requirements(
        r.replace(domain=named[r.id]) if r.id in named else r for r in document.requirements
    )


def _nearest(
    requirements: Sequence[tuple[Requirement, str]], stories: Sequence[Story]
) -> dict[RequirementId, Story]:
    """The story that shares most words with each; the rarer a word, and in a title, the more it tells."""
    titles = [subjects(story.title) for story in stories]
    texts = [subjects(" ".join((s.title, *(c.text for c in s.scenarios)))) for s in stories]
    named, bearers = Counter(w for t in titles for w in t), Counter(w for t in texts for w in t)
    chosen: dict[RequirementId, Story] = {}
    for requirement, map_words in requirements:
        words = subjects(f"{requirement.title}\n{requirement.statement}")
        mapped = subjects(map_words)
        # `Sort by label` is told from `Filter by label` by its first word.
        verb = subjects(" ".join(map_words.split()[:_VERB_AT]))
        scores = [
            sum(_IN_EPIC // bearers[w] for w in (words | mapped) & text)
            + _VERB * len(verb & title)
            + _MAPPED_TITLE * sum(_IN_EPIC // named[w] for w in mapped & title)
            + _IN_TITLE * sum(_IN_EPIC // named[w] for w in words & title)
            for text, title in zip(texts, titles, strict=True)
        ]
        if max(scores):
            chosen[requirement.id] = stories[scores.index(max(scores))]
    return chosen


def _beside(requirements: Sequence[Requirement], at: int) -> Sequence[Requirement]:
    return (*requirements[max(at - 1, 0) : at], *requirements[at + 1 : at + 2])


def _stories_of(
    requirements: Sequence[Requirement], stories: Sequence[Story]
) -> dict[RequirementId, Story]:
    """The story that each requirement names, or else the one that it speaks of.

    Requirements are listed in the order of the stories, more or less: what says little of its own stands
    with its neighbours.
    """
    numbers = [story_number(story.title) for story in stories]
    named = [_named_story(requirement, numbers) for requirement in requirements]
    path = aligned(
        [subjects(_one_word(f"{r.title}\n{r.statement}")) for r in requirements],
        [subjects(_one_word(story.title)) for story in stories],
        [subjects(_one_word(" ".join((s.title, *(c.text for c in s.scenarios))))) for s in stories],
        named,
        [_deed(phrase(r)) for r in requirements],
    )
    return {
        requirement.id: stories[at]
        for requirement, at in zip(requirements, path, strict=True)
        if at is not None
    }


def _one_word(text: str) -> str:
    """`Sign in`, `log in` and `login` are one deed, and no part of `sign out`."""
    for pattern, word in _DOORS:
        text = pattern.sub(word, text)
    return text


def _deed(name: str) -> frozenset[str]:
    """The first word; behind `Support`, which says nothing, the next one."""
    first, *others = _one_word(name).split() or [""]
    return subjects(others[0] if others and _SAYS_NO_DEED.match(first) else first)


def _named_story(requirement: Requirement, numbers: Sequence[str | None]) -> int | None:
    found = {n.lstrip("0") for n in _NAMED_STORY.findall(requirement.statement)} & set(numbers)
    return numbers.index(found.pop()) if len(found) == 1 else None


def story_number(title: str) -> str | None:
    found = _STORY_NUMBER.match(title)
    return found[1] if found else None


def tasks_of(spec: Spec) -> list[tuple[Task, tuple[RequirementId, ...]]]:
    """The tasks in order, with the requirements of the spec that each names.

    Where neither tasks nor requirements name any, with those of which its step speaks.
    """
    named: defaultdict[str, list[RequirementId]] = defaultdict(list)
    for name, of in named_by(spec.requirements).items():
        named[name].extend(of)
    for requirement in spec.requirements:
        if story := story_number(requirement.domain):
            named[f"US{story}"].append(requirement.id)
    found = []
    for task in (t for d in spec.documents for t in d.tasks):
        ids = dict.fromkeys(
            id_
            for name in task.requirements
            for id_ in named.get(name) or named.get(name.partition(".")[0]) or ()
        )
        found.append((task, tuple(ids)))
    if any(ids for _, ids in found):
        return found
    return [(task, ids) for step, ids in _steps_with(spec) for task in step.tasks]


def _says_its_order(requirements: Iterable[Requirement]) -> bool:
    """Whether requirements name what they depend on: then all else may run side by side."""
    return any(requirement.references for requirement in requirements)


def _steps_with(spec: Spec) -> list[tuple[Step, tuple[RequirementId, ...]]]:
    """The steps in order, with the requirements that each does."""
    tasks = [task for document in spec.documents for task in document.tasks]
    home = _homes(distinct(spec), tasks)
    return [
        (step, tuple(id_ for id_, of in home.items() if of == step)) for step in steps_of(tasks)
    ]


def _by_tasks(spec: Spec) -> list[Need]:
    """A step comes after the one before it, unless it is marked as parallel.

    Lists of phases (`T001`) say themselves that stories may run side by side.
    """
    needs = []
    full = [step for step in _steps_with(spec) if step[1]]
    for (before, earlier), (step, later) in pairwise(full):
        if step.is_parallel:
            continue
        first, task = before.tasks[0], step.tasks[0]
        words = f"{first.id}. {first.text} → {task.id}. {task.text}"
        needs += _chain(earlier, later, evidence(task.path, task.line, words))
    return needs


def _by_epics(spec: Spec) -> list[Need]:
    """The stories of one epic (`2.1`, `2.2`) are written to be built one after another."""
    epics: defaultdict[tuple[str, str, str], list[Requirement]] = defaultdict(list)
    for requirement in distinct(spec):
        found = _EPIC_STORY.match(requirement.source_id or "")
        if found and requirement.domain:
            epics[requirement.path, requirement.domain, found[1]].append(requirement)
    return [
        need
        for stories in epics.values()
        for one, other in pairwise(stories)
        for need in _chain(
            [one.id],
            [other.id],
            evidence(other.path, other.line_start, f"{other.source_id} after {one.source_id}"),
        )
    ]


def _by_stories(spec: Spec) -> list[Need]:
    """Requirements that stand with stories `2.1` and `2.2` come in the order of these."""
    stories: defaultdict[tuple[str, str], dict[int, list[Requirement]]] = defaultdict(dict)
    # Where stories say themselves what they need, all else may run side by side.
    told = {
        d.path
        for d in spec.documents
        if 2 * sum(bool(r.references) for r in d.requirements) > len(d.requirements)
    }
    for requirement in distinct(spec):
        found = _EPIC_STORY.match(story_number(requirement.domain) or "")
        if found and requirement.path not in told:
            of_epic = stories[requirement.path, found[1]]
            of_epic.setdefault(int(found[2]), []).append(requirement)
    needs = []
    # An author builds on the first epic in all others.
    for (path, epic), of_epic in stories.items():
        first_epic = min((e for p, e in stories if p == path), key=int)
        if epic != first_epic:
            ground, later = stories[path, first_epic], of_epic[min(of_epic)]
            words = f"{later[0].domain} after {ground[max(ground)][-1].domain}"
            quoted = evidence(later[0].path, later[0].line_start, words)
            needs += _chain([r.id for r in ground[max(ground)]], [r.id for r in later], quoted)
    for of_epic in stories.values():
        for (_, earlier), (_, later) in pairwise(sorted(of_epic.items())):
            first = later[0]
            words = f"{first.domain} after {earlier[0].domain}"
            quoted = evidence(first.path, first.line_start, words)
            needs += _chain([r.id for r in earlier], [r.id for r in later], quoted)
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


def first_places(places: Mapping[RequirementId, int], members: Iterable[RequirementId]) -> int:
    """The first place of any of the members; after all others if a list of tasks names none."""
    return min((places[m] for m in members if m in places), default=len(places))
