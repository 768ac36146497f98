"""Joins and splits changes of a plan, for a person's edit or to limit the size of a model's plan."""

from collections.abc import Sequence

from bot.core.plan import affinity
from bot.core.plan.operations import delta_needs, operation_groups
from bot.core.plan.slugs import SLUG_MAX, slugify
from bot.core.plan.stated_dependencies import Need, explicit_needs
from bot.core.plan.vocabulary import distinct
from bot.core.values.ids import RequirementId, Slug
from bot.core.values.plan_model import (
    REQUIREMENTS_USUAL_MAX,
    PlannedChange,
)
from bot.core.values.spec_model import Spec


def free_slug(wanted: str, taken: set[str]) -> Slug:
    plain = slugify(wanted) or "part"
    slug, times = plain, 1
    while slug in taken:
        times += 1
        slug = f"{plain[: SLUG_MAX - len(str(times)) - 1].rstrip('-')}-{times}"
    taken.add(slug)
    return Slug(slug)


def joined(drafts: list[PlannedChange], together: tuple[Slug, ...]) -> list[PlannedChange]:
    """Joined drafts take the place and the name of the first one."""
    members = [d for d in drafts if d.slug in together]
    if len(members) < 2:
        return drafts
    first = next((d for d in members if d.slug == together[0]), members[0])
    gone = {d.slug for d in members} - {first.slug}
    one = first.replace(
        requirements=tuple(dict.fromkeys(r for d in members for r in d.requirements)),
        depends_on=tuple(
            e for d in members for e in d.depends_on if e.on not in gone | {first.slug}
        ),
        files=tuple(dict.fromkeys(f for d in members for f in d.files)),
        done=tuple(dict.fromkeys(x for d in members for x in d.done)),
        gates=tuple(dict.fromkeys(g for d in members for g in d.gates)),
        scope=" ".join(dict.fromkeys(d.scope for d in members if d.scope)),
    )
    kept = [one if d.slug == first.slug else d for d in drafts if d.slug not in gone]
    return [_pointing(d, dict.fromkeys(gone, (first.slug,))) for d in kept]


def split_to_size(
    spec: Spec, drafts: Sequence[PlannedChange], needs: Sequence[Need]
) -> list[PlannedChange]:
    """Drafts above the limit are split by affinity; operations on one requirement stay together."""
    taken = {str(d.slug) for d in drafts}
    result: list[PlannedChange] = []
    pieces_of: dict[Slug, tuple[Slug, ...]] = {}
    for draft in drafts:
        pieces = [draft]
        if len(draft.requirements) > REQUIREMENTS_USUAL_MAX:
            pieces = split_in(spec, draft, _cut(spec, draft, needs), taken)
            pieces_of[draft.slug] = tuple(p.slug for p in pieces)
        result += pieces
    return [_pointing(d, pieces_of) for d in result]


def halves_of(spec: Spec, change: PlannedChange) -> list[tuple[RequirementId, ...]]:
    """The requirements of a change in two parts, split by affinity."""
    needs = (*explicit_needs(spec), *delta_needs(spec))
    members, bound = _bonds(spec, change, needs)
    if len(members) < 2:
        return []
    half = [members[0]]
    rest = list(range(1, len(members)))
    in_half = [0]
    while sum(map(len, half)) < len(change.requirements) // 2 and len(rest) > 1:
        nearest = max(rest, key=lambda at: (sum(bound[at].get(i, 0) for i in in_half), -at))
        rest.remove(nearest)
        in_half.append(nearest)
        half.append(members[nearest])
    return [tuple(r for g in half for r in g), tuple(r for at in rest for r in members[at])]


def split_in(
    spec: Spec, draft: PlannedChange, cuts: Sequence[Sequence[RequirementId]], taken: set[str]
) -> list[PlannedChange]:
    """A change in parts, the first with its slug; each part keeps the dependencies of the whole."""
    titles = {r.id: r.title for r in spec.requirements}
    pieces = []
    for at, cut in enumerate(cuts):
        about = titles.get(cut[0], cut[0])
        name = draft.slug if not at else free_slug(f"{draft.slug} {about}", taken)
        title = draft.title if not at else f"{draft.title}: {about}"
        pieces.append(draft.replace(slug=name, title=title[:160], requirements=tuple(cut)))
    return pieces


def _cut(
    spec: Spec, draft: PlannedChange, needs: Sequence[Need]
) -> list[tuple[RequirementId, ...]]:
    members, bound = _bonds(spec, draft, needs)
    cuts = affinity.split([len(group) for group in members], bound)
    return [tuple(r for at in cut for r in members[at]) for cut in cuts]


def _bonds(
    spec: Spec, draft: PlannedChange, needs: Sequence[Need]
) -> tuple[list[list[RequirementId]], affinity.Bonds]:
    """Groups of a change that are never split, and how strongly they are connected."""
    requirements = {r.id: r for r in distinct(spec)}
    wanted = set(draft.requirements)
    head = {r: r for r in draft.requirements}
    head |= {r: g[0] for g in operation_groups(spec) for r in g if r in wanted and g[0] in wanted}
    groups: dict[RequirementId, list[RequirementId]] = {}
    for requirement, its_head in head.items():
        groups.setdefault(its_head, []).append(requirement)
    members = list(groups.values())
    place = {r: at for at, group in enumerate(members) for r in group}
    bound = affinity.bonds(
        [[requirements[r] for r in group if r in requirements] for group in members],
        [(place[n.user], place[n.on]) for n in needs if n.user in place and n.on in place],
    )
    return members, bound


def _pointing(draft: PlannedChange, becomes: dict[Slug, tuple[Slug, ...]]) -> PlannedChange:
    """The draft with its dependencies on the changes that their targets have become."""
    edges = [
        edge.with_target(on)
        for edge in draft.depends_on
        for on in becomes.get(edge.on, (edge.on,))
        if on != draft.slug or edge.on == draft.slug
    ]
    unique = {e.on: e for e in reversed(edges)}
    return draft.with_dependencies(reversed(unique.values()))
