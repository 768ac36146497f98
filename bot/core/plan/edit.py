"""A person's edits of a plan: split, merge, move, drop, size. Each gives a whole new plan.

Dependencies that the spec states are computed again after each edit; a planner's quoted ones stay
with their change. An edit that cannot be made has a sentence why and changes nothing. `check`
judges the result.
"""

from bot.core.plan.cutting import free_slug, halves_of, joined, split_in
from bot.core.plan.deterministic import founded, plan
from bot.core.plan.operations import delta_needs
from bot.core.plan.stated_dependencies import explicit_needs
from bot.core.plan.vocabulary import only
from bot.core.values.ids import Frozen, RequirementId, Slug
from bot.core.values.plan_model import ChangeSize, DependencyKind, Plan, PlannedChange, Planner
from bot.core.values.spec_model import Spec


class EditRefusal(Frozen):
    """`unknown` names what does not exist, `usage` what was missing in the command."""

    unknown: str = ""
    usage: str = ""


class Edited(Frozen):
    """The plan after an edit, and the requirements that are no longer in it."""

    plan: Plan
    dropped: tuple[RequirementId, ...] = ()


USAGES = (
    "split CHANGE",
    "split CHANGE REQUIREMENT …",
    "merge CHANGE CHANGE …",
    "move REQUIREMENT … to CHANGE",
    "drop CHANGE or REQUIREMENT …",
    "include REQUIREMENT …",
    "size CHANGE S|M|L",
)


def edited(plan: Plan, spec: Spec, words: tuple[str, ...]) -> Edited | EditRefusal:
    """`words` is a verb with its arguments."""
    verb, arguments = (words[0].lower() if words else ""), words[1:]
    edit = _Edit(plan, spec)
    match verb:
        case "split" if arguments:
            return edit.split(arguments[0], arguments[1:])
        case "merge" if len(arguments) > 1:
            return edit.merge(arguments)
        case "move" if len(arguments) > 2 and arguments[-2].lower() == "to":
            return edit.move(arguments[:-2], arguments[-1])
        case "drop" if arguments:
            return edit.drop(arguments)
        case "include" if arguments:
            return edit.include(arguments)
        case "size" if len(arguments) == 2 and arguments[1].upper() in set(ChangeSize):
            return edit.resize(arguments[0], ChangeSize(arguments[1].upper()))
        case _:
            return EditRefusal(usage=" ".join(words) or "plan")


class _Edit:
    def __init__(self, plan: Plan, spec: Spec) -> None:
        self._plan = plan
        self._spec = spec
        self._drafts = [_with_quoted_edges(change) for change in plan.changes]

    def split(self, name: str, chosen: tuple[str, ...]) -> Edited | EditRefusal:
        """Into two parts by affinity, or the chosen requirements into a change of their own."""
        change = self._change(name)
        if change is None or len(change.requirements) < 2:
            return EditRefusal(unknown=name)
        out = tuple(self._requirement(word) for word in chosen)
        missing = [w for w, r in zip(chosen, out, strict=True) if r not in change.requirements]
        if missing:
            return EditRefusal(unknown=missing[0])
        stays = tuple(r for r in change.requirements if r not in out)
        cuts = [stays, tuple(r for r in out if r)] if out else halves_of(self._spec, change)
        if not all(cuts):
            return EditRefusal(unknown=name)
        taken = {str(d.slug) for d in self._drafts}
        pieces = split_in(self._spec, change, cuts, taken)
        at = self._drafts.index(change)
        return self._whole([*self._drafts[:at], *pieces, *self._drafts[at + 1 :]])

    def merge(self, names: tuple[str, ...]) -> Edited | EditRefusal:
        """Join several changes under the first one's name."""
        for name in names:
            if self._change(name) is None:
                return EditRefusal(unknown=name)
        return self._whole(joined(self._drafts, tuple(Slug(_bare(n)) for n in names)))

    def move(self, chosen: tuple[str, ...], to: str) -> Edited | EditRefusal:
        """Move requirements to another change; an empty change is removed."""
        target = self._change(to)
        if target is None:
            return EditRefusal(unknown=to)
        moved = tuple(self._requirement(word) for word in chosen)
        for word, requirement in zip(chosen, moved, strict=True):
            if requirement is None:
                return EditRefusal(unknown=word)
        taken = tuple(r for r in moved if r is not None and r not in target.requirements)
        kept = _without(self._drafts, frozenset(taken))
        return self._whole(
            [
                d.with_requirements((*d.requirements, *taken)) if d.slug == target.slug else d
                for d in kept
            ]
        )

    def drop(self, names: tuple[str, ...]) -> Edited | EditRefusal:
        """Remove changes or requirements from the plan; the spec keeps them."""
        gone: list[RequirementId] = []
        for name in names:
            change, requirement = self._change(name), self._requirement(name)
            if change is None and requirement is None:
                return EditRefusal(unknown=name)
            gone += change.requirements if change else (requirement,) if requirement else ()
        kept = _without(self._drafts, frozenset(gone))
        if not kept:
            return EditRefusal(unknown=names[-1])
        done = self._whole(kept)
        return done.replace(dropped=tuple(dict.fromkeys(gone)))

    def include(self, names: tuple[str, ...]) -> Edited | EditRefusal:
        """Plan what the spec holds and the plan does not: work that was put off, or dropped."""
        planned = {r for d in self._drafts for r in d.requirements}
        known = {r.id for r in self._spec.requirements}
        chosen = []
        for name in names:
            found = next((r for r in known if _bare(name) in (r, r.partition("#")[2])), None)
            if found is None or found in planned:
                return EditRefusal(unknown=name)
            chosen.append(found)
        taken = {str(d.slug) for d in self._drafts}
        fresh = plan(only(self._spec, chosen)).changes
        added = [c.replace(slug=free_slug(c.slug, taken), depends_on=(), owns=()) for c in fresh]
        return self._whole([*self._drafts, *added])

    def resize(self, name: str, size: ChangeSize) -> Edited | EditRefusal:
        change = self._change(name)
        if change is None:
            return EditRefusal(unknown=name)
        changes = tuple(
            c.with_size(size) if c.slug == change.slug else c for c in self._plan.changes
        )
        return Edited(plan=self._next(self._plan.with_changes(changes)))

    def _change(self, name: str) -> PlannedChange | None:
        return next((d for d in self._drafts if d.slug == _bare(name)), None)

    def _requirement(self, word: str) -> RequirementId | None:
        wanted = _bare(word)
        known = (r for d in self._drafts for r in d.requirements)
        return next((r for r in known if wanted in (r, r.partition("#")[2])), None)

    def _whole(self, drafts: list[PlannedChange]) -> Edited:
        needs = (*explicit_needs(self._spec), *delta_needs(self._spec))
        names = {d.slug for d in drafts}
        drafts = [
            d.with_dependencies(e for e in d.depends_on if e.on in names - {d.slug}) for d in drafts
        ]
        whole = founded(self._spec, drafts, needs, self._plan.revision)
        # An unchanged change keeps its size, which a person may have set.
        sizes = {(c.slug, c.requirements): c.size for c in self._plan.changes}
        changes = tuple(
            c.with_size(sizes.get((c.slug, c.requirements), c.size)) for c in whole.changes
        )
        return Edited(plan=self._next(whole.with_changes(changes)))

    def _next(self, plan: Plan) -> Plan:
        return plan.replace(
            revision=self._plan.revision + 1,
            planner=Planner.PERSON,
            risks=self._plan.risks,
            left_out=self._plan.left_out,
        )


def _bare(word: str) -> str:
    return word.strip("`,;")


def _with_quoted_edges(change: PlannedChange) -> PlannedChange:
    """Only the dependencies that a planner quoted; all others are computed again."""
    quoted = tuple(e for e in change.depends_on if e.kind == DependencyKind.QUOTED)
    return change.replace(depends_on=quoted, owns=())


def _without(drafts: list[PlannedChange], gone: frozenset[RequirementId]) -> list[PlannedChange]:
    left = [d.with_requirements(r for r in d.requirements if r not in gone) for d in drafts]
    return [d for d in left if d.requirements]
