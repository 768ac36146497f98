"""What an edit does to the ids of requirements, before or after it is merged.

It comes from the registration itself, so that a pull shows what the run on main would do. A spec
that is not in the register has no changes.
"""

from bot.core.spec.identity.register import Register, Registration, of_spec, renamed_in_archive
from bot.core.values.ids import Frozen, RequirementId
from bot.core.values.spec_model import Spec


class NamedId(Frozen):
    rid: RequirementId
    title: str


class CloseCall(Frozen):
    """A requirement with a new id that may be an old one; `percent` of the text is the same."""

    new: NamedId
    maybe: NamedId
    percent: int


class Rename(Frozen):
    """A rename that the author stated, so that the id was kept."""

    rid: RequirementId
    old: str
    new: str


class Rematched(Frozen):
    """Uncertain matches, and the renames that were stated."""

    close: tuple[CloseCall, ...] = ()
    renamed: tuple[Rename, ...] = ()


class IdChanges(Frozen):
    """What a merge would do to ids. `known` maps the ids that the text alone gives to kept ones.

    `fresh` and `gone` leave out the pairs that are close calls.
    """

    known: dict[RequirementId, RequirementId] = {}
    fresh: tuple[NamedId, ...] = ()
    gone: tuple[NamedId, ...] = ()
    close: tuple[CloseCall, ...] = ()


def follow_renames(register: Register, spec: Spec) -> tuple[Register, tuple[Rename, ...]]:
    """The register after the renames that a delta states, and those of them that changed it."""
    told: list[Rename] = []
    for requirement in spec.requirements:
        old, new = requirement.renamed_from, requirement.title
        if not old or old == new:
            continue
        after = renamed_in_archive(register, spec.key, old, new)
        pairs = zip(register.entries, after.entries, strict=True)
        told += [Rename(rid=a.rid, old=old, new=new) for b, a in pairs if a != b]
        register = after
    return register, tuple(told)


def close_calls(before: Register, registration: Registration) -> tuple[CloseCall, ...]:
    """The uncertain matches of a registration, with both titles."""
    old = {e.rid: e.title for e in before.entries}
    new = {r.id: r.title for r in registration.spec.requirements}
    return tuple(
        CloseCall(
            new=NamedId(rid=doubt.rid, title=new[doubt.rid]),
            maybe=NamedId(rid=doubt.maybe, title=old[doubt.maybe]),
            percent=round(100 * doubt.likeness),
        )
        for doubt in registration.doubts
    )


def id_changes(before: Register, text: Spec, registration: Registration) -> IdChanges:
    minted = set(registration.minted)
    pairs = zip(text.requirements, registration.spec.requirements, strict=True)
    known = {old.id: new.id for old, new in pairs if new.id not in minted}
    if not known and not of_spec(before, text.key):
        return IdChanges()
    close = close_calls(before, registration)
    told = {one.rid for call in close for one in (call.new, call.maybe)}
    titles = {e.rid: e.title for e in before.entries}
    return IdChanges(
        known=known,
        fresh=tuple(
            NamedId(rid=r.id, title=r.title)
            for r in registration.spec.requirements
            if r.id in minted - told
        ),
        gone=tuple(
            NamedId(rid=rid, title=titles[rid]) for rid in registration.removed if rid not in told
        ),
        close=close,
    )
