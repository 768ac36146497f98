"""When a change may begin: the waves of a plan, what is ready now, and the longest way through.

All answers are in plan order. A change in a cycle, or behind one, or behind a dependency that the
plan does not hold, never becomes ready and stands in no wave.
"""

from collections.abc import Collection

from bot.core.ids import Slug
from bot.core.plan.model import Plan


def ready(plan: Plan, ended: Collection[Slug]) -> tuple[Slug, ...]:
    """The changes that have not ended and wait for nothing, `ended` being those that landed.

    Those already at work are among them; whoever asks knows which. A failed change is not in
    `ended`: it holds back its dependents.
    """
    return tuple(
        change.slug
        for change in plan.changes
        if change.slug not in ended and all(d.on in ended for d in change.depends_on)
    )


def waves(plan: Plan) -> tuple[tuple[Slug, ...], ...]:
    """What could run side by side: each wave waits only for the waves before it."""
    ended: set[Slug] = set()
    result: list[tuple[Slug, ...]] = []
    while wave := ready(plan, ended):
        result.append(wave)
        ended.update(wave)
    return tuple(result)


def critical_path(plan: Plan) -> tuple[Slug, ...]:
    """The longest chain, first change first: by number of changes, then by requirements.

    Among equals the one that stands first in the plan. Empty for a plan without waves.
    """
    changes = {change.slug: change for change in plan.changes}
    longest: dict[Slug, tuple[int, int]] = {}
    before: dict[Slug, Slug] = {}
    for wave in waves(plan):
        for slug in wave:
            behind = [d.on for d in changes[slug].depends_on]
            length, work = 0, 0
            if behind:
                before[slug] = max(behind, key=longest.__getitem__)
                length, work = longest[before[slug]]
            longest[slug] = (length + 1, work + len(changes[slug].requirements))
    if not longest:
        return ()
    way = [max((s for s in changes if s in longest), key=longest.__getitem__)]
    while way[-1] in before:
        way.append(before[way[-1]])
    return tuple(reversed(way))
