"""What the author has grouped and ordered: the first evidence of a plan.

Groups are headings, bold lines and epics, which readers keep as domains. Where there are none, a
requirement belongs to the user story that it names, or else to the one whose words it uses. The
order is that of the file, of stories' priorities, and of a list of tasks that names requirements.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from bot.core.plan.likeness import Texts, aligned
from bot.core.plan.phrases import phrase, plain_heading
from bot.core.plan.referenced_steps import named_by, referenced_places
from bot.core.plan.task_steps import Step, homes, is_test, steps_of
from bot.core.plan.vocabulary import distinct, subjects
from bot.core.spec.story_names import STORY_NAME
from bot.core.spec.triage.words import HeadingKind, heading_kind, says_only_requirements
from bot.core.values.ids import RequirementId
from bot.core.values.plan_model import REQUIREMENTS_PER_CHANGE_MAX
from bot.core.values.spec_model import Requirement, Spec, SpecDocument, SpecFormat, Story, Task

# A shorter story is read together with its neighbours.
_STORY_LINES = 14
# Tenths of the requirements that must have a step by its words, for steps to order anything.
_HOMES, _HOMES_OF_STORIES = 9, 5
_IN_TITLE = 2
_IN_EPIC = 12
_MAPPED_TITLE = 4
_VERB, _VERB_AT = 400, 2
_STORY_NUMBER = re.compile(
    rf"^\W*(?:{STORY_NAME}|US|HU)"
    r"\s*+#?-?\s*+(?:0(?=\d))*+(\d++(?:\.\d++)*+)\b",
    re.IGNORECASE,
)
_NAMED_STORY = re.compile(
    r"\b(?:US|user story|story)[ -]?0*(\d+(?:\.\d+)*)\b(?!\.\d)", re.IGNORECASE
)
# `Task deletion` and ``expose the `delete_task` tool`` are one deed.
_DEEDS = tuple(
    (re.compile(rf"(?<![A-Za-z])(?:{words})(?![A-Za-z])", re.IGNORECASE), word)
    for words, word in (
        (r"creat(?:e|es|ed|ing|ion)|add(?=_)", "creating"),
        (r"retriev(?:e|es|ed|ing|al)|list(?:s|ed|ing)?|view(?:s|ed|ing)?|browse|see", "viewing"),
        (r"modif(?:y|ies|ied|ying|ication)|updat(?:e|es|ed|ing)|edit(?:s|ed|ing)?", "editing"),
        (r"delet(?:e|es|ed|ing|ion)|remov(?:e|es|ed|ing|al)", "removing"),
    )
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
_ID = re.compile(r"\b[A-Z]{1,6}-?\d{1,4}\b")
# `Epic 2: Gestures`, `Epic 6a: Companions`
EPIC = re.compile(
    r"^\W{0,8}+(?:epic|[ée]pi(?:ca|que|k)|эпик|史诗|エピック|에픽)\s*#?(\d{1,2})[a-z]?\b",
    re.IGNORECASE,
)
EPIC_STORY = re.compile(r"^(\d{1,6})\.(\d{1,6})$")
# Comparing thousands of items with hundreds of stories takes long and tells nothing.
_COMPARED_MAX = 20_000
_BESIDE_MAX = REQUIREMENTS_PER_CHANGE_MAX - 1


def grouped(spec: Spec) -> Spec:
    """The spec with the groups and priorities that stories give to requirements without a group.

    A group of the author's own is as urgent as the story whose title speaks of it.
    """
    return spec.with_documents(_urgent(_grouped(_by_stories_of_epics(d))) for d in spec.documents)


def task_places(spec: Spec) -> dict[RequirementId, int]:
    """The place of each requirement's step, or of the first task that names it."""
    places: dict[RequirementId, int] = {}
    for at, (_, ids) in enumerate(steps_with(spec)):
        places |= dict.fromkeys(ids, at)
    if places:
        return places
    for at, (_, ids) in enumerate(tasks_of(spec)):
        for id_ in ids:
            places.setdefault(id_, at)
    return places


def _grouped(document: SpecDocument) -> SpecDocument:
    stories = [s for s in document.stories if _is_named(s.title)]
    plain = _to_be_told_apart(document)
    too_many = len(stories) * len(plain) > _COMPARED_MAX
    if len(stories) < 2 or len(plain) < 2 or too_many:
        return document
    chosen = _stories_of(plain, stories)
    # Words that fit a few items by chance make no groups.
    if 2 * len(chosen) < len(plain) or len({id(s) for s in chosen.values()}) < 2:
        return document
    told: dict[RequirementId, Requirement] = {}
    for at, requirement in enumerate(plain):
        story = chosen.get(requirement.id)
        # One that fits no story stands with its neighbour; several are work of their own.
        if story is None and not any(n.id not in chosen for n in _beside(plain, at)):
            story = next(chosen[n.id] for n in _beside(plain, at))
        if story is not None:
            urgency = requirement.priority or story.priority
            told[requirement.id] = requirement.replace(domain=story.title, priority=urgency)
    return document.with_requirements(told.get(r.id, r) for r in document.requirements)


def _to_be_told_apart(document: SpecDocument) -> Sequence[Requirement]:
    """What stands in no group, where all do; or below one heading that holds most, and more than a change can."""
    requirements = document.requirements
    if all(map(_is_ungrouped, requirements)):
        return requirements
    ((heading, count),) = Counter(r.domain for r in requirements).most_common(1)
    is_most = count > REQUIREMENTS_PER_CHANGE_MAX and 2 * count > len(requirements)
    return [r for r in requirements if is_most and r.domain == heading and r.operation is None]


def _is_named(title: str) -> bool:
    """Whether a story is called what it does: `Acceptance criteria` names none."""
    is_criteria = heading_kind(title) is HeadingKind.CRITERIA and not story_number(title)
    return bool(title) and not is_criteria and not is_test(title)


def _urgent(document: SpecDocument) -> SpecDocument:
    stories = [story for story in document.stories if story.priority]
    groups = {r.domain for r in document.requirements if r.domain and not _is_ungrouped(r)}
    if len(stories) < 2 or len(stories) * len(groups) > _COMPARED_MAX:
        return document
    titles = Texts([story.title for story in stories], [story.title for story in stories])
    of = {}
    for group in groups:
        said = subjects(group)
        at = titles.nearest(said)
        # `CLI authentication` is not all that `Authentication core` is about.
        if at is not None and 2 * len(said & subjects(stories[at].title)) > len(said):
            of[group] = stories[at].priority
    return document.with_requirements(
        r.replace(priority=r.priority or of.get(r.domain)) for r in document.requirements
    )


def _is_ungrouped(requirement: Requirement) -> bool:
    """Whether it stands below no heading, or below one that says only `Functional requirements`."""
    # `Functional requirements (mandatory)` in any language.
    heading = re.sub(
        r"[*_]{0,3}[(（][^()（）]{1,20}[)）][*_]{0,3}$", "", plain_heading(requirement.domain)
    ).rstrip()
    says_nothing = not requirement.domain or says_only_requirements(heading)
    return says_nothing and requirement.operation is None


def _by_stories_of_epics(document: SpecDocument) -> SpecDocument:
    """Stories of epics (`2.1`) are the author's own pieces of work; few short ones stand with their epic.

    What the page lists apart from them stands with the story that does it: one of its epic, where the
    author maps it to one.
    """
    asked = {
        r.line_start: r
        for r in document.requirements
        if EPIC_STORY.match(r.source_id or "") and r.operation is None
    }
    told = [_as_story(r) for r in asked.values()]
    told += [s for s in document.stories if EPIC_STORY.match(story_number(s.title) or "")]
    told.sort(key=lambda story: story.line_start)
    mapped = {bare_id(one.id): one for one in document.epics}
    first = told[0].line_start if told else 0
    listed = [
        (r, mapped.get(bare_id(r.source_id or "")))
        for r in document.requirements
        if r.line_start not in asked
        and (
            bare_id(r.source_id or "") in mapped
            or (asked and (_is_ungrouped(r) or r.line_start < first))
        )
    ]
    long = [story for story in told if story.line_end - story.line_start >= _STORY_LINES]
    is_each = listed or 2 * len(long) > len(told)
    if len(told) < 2 or not is_each or len(listed) * len(told) > _COMPARED_MAX:
        return document
    of_epic: defaultdict[str, list[Story]] = defaultdict(list)
    for story in told:
        of_epic[_epic_of(story)].append(story)
    home = _named_in(asked, told, [r for r, _ in listed])
    # What a criterion cites in passing may be of another epic.
    of = {r.id: one.epic for r, one in listed if one and one.epic in of_epic}
    home = {id_: one for id_, one in home.items() if of.get(id_, _epic_of(one)) == _epic_of(one)}
    home |= _called_alike([r for r, _ in listed], told, of)
    of_any = [r for r, of in listed if r.id not in home and (not of or of.epic not in of_epic)]
    home |= _stories_of(of_any, told)
    for epic, own in of_epic.items():
        of_it = [(r, of.words) for r, of in listed if r.id not in home and of and of.epic == epic]
        found = _nearest(of_it, own)
        # One that speaks of none stands with the one before it.
        last = own[0]
        for r, _ in of_it:
            last = found.setdefault(r.id, last)
        home |= found
    home = _with_room(told, home)
    named = {id_: story.title for id_, story in home.items()}
    named |= {one.id: s.title for s in told if (one := asked.get(s.line_start))}
    return document.with_requirements(
        r.replace(domain=named[r.id]) if r.id in named else r for r in document.requirements
    )


def _called_alike(
    requirements: Sequence[Requirement],
    stories: Sequence[Story],
    epic_of: Mapping[RequirementId, str],
) -> dict[RequirementId, Story]:
    """The one story whose title is a requirement's name, or has all words of it within the same epic."""
    titles = [(subjects(plain_heading(story.title)), story) for story in stories]
    found = {}
    for one in requirements:
        said = subjects(phrase(one))
        alike = [story for title, story in titles if said == title] or [
            story
            for title, story in titles
            if len(said) > 1
            and said < title
            and epic_of.get(one.id, _epic_of(story)) == _epic_of(story)
        ]
        if len(alike) == 1:
            found[one.id] = alike[0]
    return found


def bare_id(id_: str) -> str:
    """`FR1` in the map of epics is `FR-1` in the list."""
    return id_.replace("-", "")


def _with_room(
    stories: Sequence[Story], home: Mapping[RequirementId, Story]
) -> dict[RequirementId, Story]:
    """What is more than fits beside a story stands with the next one."""
    of: list[list[RequirementId]] = [
        [id_ for id_, one in home.items() if one is story] for story in stories
    ]
    for at in range(len(of) - 1):
        of[at + 1] = of[at][_BESIDE_MAX:] + of[at + 1]
    return {id_: story for story, ids in zip(stories, of, strict=True) for id_ in ids}


def _named_in(
    asked: Mapping[int, Requirement], stories: Sequence[Story], others: Sequence[Requirement]
) -> dict[RequirementId, Story]:
    """The one story whose text names each by its id."""
    naming: defaultdict[str, list[Story]] = defaultdict(list)
    for story in stories:
        one = asked.get(story.line_start)
        texts = (one.statement if one else "", *(s.text for s in story.scenarios))
        for name in {name for text in texts for name in _ID.findall(text)}:
            naming[name].append(story)
    return {
        r.id: of[0] for r in others if r.source_id and len(of := naming.get(r.source_id, [])) == 1
    }


def _as_story(requirement: Requirement) -> Story:
    return Story(
        title=f"Story {requirement.source_id}: {requirement.title}",
        priority=requirement.priority,
        scenarios=requirement.scenarios,
        line_start=requirement.line_start,
        line_end=requirement.line_end,
    )


def _epic_of(story: Story) -> str:
    found = EPIC_STORY.match(story_number(story.title) or "")
    return found[1] if found else ""


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
    for pattern, word in (*_DOORS, *_DEEDS):
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
    """The id of a story that has no letters, as `2.1`."""
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
    return [(task, ids) for step, ids in steps_with(spec) for task in step.tasks]


def _says_its_order(requirements: Iterable[Requirement]) -> bool:
    """Whether requirements name what they depend on: then all else may run side by side."""
    return any(requirement.references for requirement in requirements)


def steps_with(spec: Spec) -> list[tuple[Step, tuple[RequirementId, ...]]]:
    """The steps in order, with the requirements that each does, or has done the half of."""
    tasks = [task for document in spec.documents for task in document.tasks]
    steps = steps_of(tasks)
    requirements = distinct(spec)
    if any(task.requirements for task in tasks):
        place = referenced_places(requirements, steps)
    elif _says_its_order(requirements):
        place = {}
    else:
        places = {step: at for at, step in enumerate(steps)}
        # The pages of other formats are in a better order than half of a list's words.
        is_kiro = all(d.format is SpecFormat.KIRO for d in spec.documents)
        homes_of = homes(requirements, steps, _HOMES_OF_STORIES if is_kiro else _HOMES)
        place = {r.id: places[homes_of[r.id]] for r in requirements if r.id in homes_of}
    return [
        (step, tuple(id_ for id_, of in place.items() if of == at)) for at, step in enumerate(steps)
    ]


def epic_number(name: str) -> int:
    """The number in a name that `EPIC` matches."""
    found = EPIC.match(name)
    return int(found[1]) if found else 0


def parallel_runs(spec: Spec) -> dict[RequirementId, int]:
    """Which requirements are done by steps in a row that are all marked as parallel: the number of the row."""
    runs: dict[RequirementId, int] = {}
    run = 0
    for step, ids in steps_with(spec):
        run += not step.is_parallel
        if step.is_parallel:
            runs |= dict.fromkeys(ids, run)
    return runs


def first_places(places: Mapping[RequirementId, int], members: Iterable[RequirementId]) -> int:
    """The first place of any of the members; after all others if a list of tasks names none."""
    return min(
        (places[m] for m in members if m in places), default=max(places.values(), default=0) + 1
    )
