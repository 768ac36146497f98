"""What a spec leaves to people: requirements and tasks marked `[manual]`, and who waits for them.

A requirement is waited for by the changes that refer to it, else by the one whose requirements come
next. A task belongs to the change of the requirement that it names, else of the next task's; that
change waits for it too where no task before it is work on the change.
"""

import hashlib
import re
from collections import defaultdict
from collections.abc import Mapping

from bot.core.plan.authored import tasks_of
from bot.core.values.ids import RequirementId, Slug
from bot.core.values.manual_step import ManualStep
from bot.core.values.plan_model import Plan
from bot.core.values.spec_model import Requirement, Spec

_MARK = re.compile(r"\[manual\]\s*:?\s*", re.IGNORECASE)
_TEXT_CHARACTERS_MAX = 300
_STEPS_MAX = 20


def is_manual(text: str) -> bool:
    return _MARK.search(text) is not None


def manual_steps(spec: Spec, plan: Plan) -> Mapping[Slug, tuple[ManualStep, ...]]:
    found: defaultdict[Slug, dict[str, ManualStep]] = defaultdict(dict)
    change_of = {id_: c.slug for c in plan.changes for id_ in c.requirements}
    for requirement in spec.requirements:
        if requirement.id in change_of or not is_manual(
            f"{requirement.title} {requirement.statement}"
        ):
            continue
        for slug, is_before in _waiting_for(requirement, spec, change_of):
            _add(found[slug], requirement.statement or requirement.title, is_before=is_before)
    _of_tasks(found, spec, change_of)
    return {slug: tuple(steps.values())[:_STEPS_MAX] for slug, steps in found.items()}


def _add(steps: dict[str, ManualStep], text: str, *, is_before: bool) -> None:
    said = " ".join(_MARK.sub("", text).split())[:_TEXT_CHARACTERS_MAX]
    key = hashlib.sha256(said.encode()).hexdigest()[:8]
    steps.setdefault(key, ManualStep(key=key, text=said, is_before=is_before))


def _waiting_for(
    manual: Requirement, spec: Spec, change_of: Mapping[RequirementId, Slug]
) -> list[tuple[Slug, bool]]:
    names = {manual.id, manual.source_id, manual.title}
    referring = (
        change_of[r.id]
        for r in spec.requirements
        if r.id in change_of and any(reference.target in names for reference in r.references)
    )
    if slugs := tuple(dict.fromkeys(referring)):
        return [(slug, True) for slug in slugs]
    order = [r.id for r in spec.requirements]
    after = order[order.index(manual.id) :]
    if (following := next((change_of[id_] for id_ in after if id_ in change_of), None)) is not None:
        return [(following, True)]
    return [(change_of[id_], False) for id_ in reversed(order) if id_ in change_of][:1]


def _of_tasks(
    found: defaultdict[Slug, dict[str, ManualStep]],
    spec: Spec,
    change_of: Mapping[RequirementId, Slug],
) -> None:
    tasks = [
        (task, [change_of[id_] for id_ in ids if id_ in change_of]) for task, ids in tasks_of(spec)
    ]
    begun: set[Slug] = set()
    for at, (task, slugs) in enumerate(tasks):
        if not is_manual(task.text):
            begun.update(slugs)
            continue
        later = (slug for _, of in tasks[at + 1 :] for slug in of)
        earlier = (slug for _, of in reversed(tasks[:at]) for slug in of)
        slug = next(iter((*slugs, *later, *earlier)), None) if not task.is_done else None
        if slug is not None:
            _add(found[slug], task.text, is_before=slug not in begun)
