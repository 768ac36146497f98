"""What reviews still ask for before an entry of the queue lands."""

from typing import Protocol

from bot.core.talk.text import code, counted, cut, login

_THREADS_NAMED = 5
_OWNERS_NAMED = 5


class _Reviews(Protocol):
    """What reviews keep a pull from landing, as the pull and its place in the queue say it."""

    @property
    def approvals_lacking(self) -> int: ...
    @property
    def outdated(self) -> tuple[str, ...]: ...
    @property
    def pushers(self) -> tuple[str, ...]: ...
    @property
    def against(self) -> tuple[str, ...]: ...
    @property
    def unresolved(self) -> tuple[str, ...]: ...
    @property
    def owners_lacking(self) -> tuple[tuple[str, ...], ...]: ...


def for_reviews(reviews: _Reviews) -> str:
    """What reviews still ask for, as a clause."""
    lacking = reviews.approvals_lacking
    waits = [f"for {counted(lacking, 'more approving review')}"] if lacking else []
    if reviews.against:
        verb = "asks" if len(reviews.against) == 1 else "ask"
        waits.append(f"until {_people(reviews.against)} no longer {verb} for changes")
    if reviews.owners_lacking:
        waits.append(f"until {_of_owners(reviews.owners_lacking)}")
    if reviews.unresolved:
        many = len(reviews.unresolved)
        named = ", ".join(code(cut(one, 200)) for one in reviews.unresolved[:_THREADS_NAMED])
        more = f" and {many - _THREADS_NAMED} more" if many > _THREADS_NAMED else ""
        verb = "is" if many == 1 else "are"
        threads = counted(many, "open thread")
        waits.append(
            f"until {threads} of reviews {verb} resolved, as a rule requires ({named}{more})"
        )
    old = ""
    if lacking and reviews.outdated:
        old = f" (the approval of {_people(reviews.outdated)} is for an older state)"
    if lacking and reviews.pushers:
        old += (
            " (a rule requires another person than the last pusher, who may be "
            f"{_people(reviews.pushers)})"
        )
    return f"it waits {' and '.join(waits)}{old}"


def _of_owners(groups: tuple[tuple[str, ...], ...]) -> str:
    named = (" or ".join(_owner(one) for one in group) for group in groups[:_OWNERS_NAMED])
    more = len(groups) - _OWNERS_NAMED
    said = f"{', and '.join(named)} as code owner approves{f' ({more} more)' if more > 0 else ''}"
    if any(not _is_person(one) for group in groups for one in group):
        said += (
            " (Headgate cannot see the members of a team or the owner of an email address; "
            "people count by their login)"
        )
    return said


def _owner(named: str) -> str:
    return login(named) if _is_person(named) else code(cut(named.removeprefix("@"), 100))


def _is_person(owner: str) -> bool:
    return owner.startswith("@") and "/" not in owner


def _people(logins: tuple[str, ...]) -> str:
    return ", ".join(login(one) for one in logins)
