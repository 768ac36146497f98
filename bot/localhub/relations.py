"""Operations on relations between issues: sub-issues and dependencies.

GitHub's limits hold: one parent, 100 sub-issues, eight levels, 50 dependencies of a kind, and no
circles. Each change sends events for both issues' repositories.
"""

from bot.localhub.errors import ApiError, not_found, unprocessable
from bot.localhub.github_json import Json
from bot.localhub.issues import author
from bot.localhub.model import Actor, Issue
from bot.localhub.shapes.issues import issue_shape
from bot.localhub.shapes.repositories import repository_shape
from bot.localhub.state import State
from bot.localhub.webhooks import Announcement, Webhooks

# GitHub, "Adding sub-issues": up to 100 sub-issues per parent, up to eight levels.
SUB_ISSUES_MAX = 100
LEVELS_MAX = 8

# GitHub, "Creating issue dependencies": up to 50 of each relationship.
DEPENDENCIES_MAX = 50

# What webhooks call an issue, and the issue.
_Side = tuple[str, Issue]


class Relations:
    def __init__(self, state: State, webhooks: Webhooks) -> None:
        self._state = state
        self._webhooks = webhooks

    def issue_by_id(self, issue_id: int) -> Issue:
        """The issue of this id (not number), or 404."""
        issue = self._state.issues.get(issue_id)
        if issue is None:
            raise not_found()
        return issue

    def add_sub_issue(self, parent: Issue, child: Issue, actor: Actor) -> None:
        """Make one issue the sub-issue of another; 422 where GitHub's rules forbid it."""
        with self._state.lock:
            if child.pull is not None or parent.pull is not None:
                raise unprocessable("Pull requests cannot be part of a sub-issue hierarchy")
            if child in parent.sub_issues:
                raise unprocessable("Issue may not contain duplicate sub-issues")
            if child.parent is not None:
                raise unprocessable("Sub issue may only have one parent")
            if child is parent or child in _ancestors(parent):
                raise unprocessable("Sub issue may not be an ancestor of its parent")
            if len(parent.sub_issues) >= SUB_ISSUES_MAX:
                raise unprocessable(f"Parent cannot have more than {SUB_ISSUES_MAX} sub-issues")
            if len(_ancestors(parent)) + 1 + _depth(child) > LEVELS_MAX:
                raise unprocessable(f"Sub issues may not be more than {LEVELS_MAX} levels deep")
            parent.sub_issues.append(child)
            child.parent = parent
            self._announce_sub_issue(parent, child, "added", actor)

    def replace_parent(self, parent: Issue, child: Issue, actor: Actor) -> None:
        """`add_sub_issue`, after removing the child from its present parent."""
        with self._state.lock:
            if child.parent is not None and child.parent is not parent:
                self.remove_sub_issue(child.parent, child, actor)
            self.add_sub_issue(parent, child, actor)

    def remove_sub_issue(self, parent: Issue, child: Issue, actor: Actor) -> None:
        with self._state.lock:
            if child not in parent.sub_issues:
                raise ApiError(404, "The provided sub-issue does not exist")
            parent.sub_issues.remove(child)
            child.parent = None
            self._announce_sub_issue(parent, child, "removed", actor)

    def add_blocked_by(self, blocked: Issue, blocker: Issue, actor: Actor) -> None:
        with self._state.lock:
            if blocker is blocked:
                raise unprocessable("An issue cannot be blocked by itself")
            if blocker in blocked.blocked_by:
                raise unprocessable("Target issue has already been taken")
            if blocked in _blockers(blocker):
                raise unprocessable("This dependency would create a circular dependency")
            if len(blocked.blocked_by) >= DEPENDENCIES_MAX:
                raise unprocessable(f"An issue may have {DEPENDENCIES_MAX} dependencies at most")
            blocked.blocked_by.append(blocker)
            blocker.blocking.append(blocked)
            self._announce_dependency(blocked, blocker, "added", actor)

    def remove_blocked_by(self, blocked: Issue, blocker: Issue, actor: Actor) -> None:
        with self._state.lock:
            if blocker not in blocked.blocked_by:
                raise not_found()
            blocked.blocked_by.remove(blocker)
            blocker.blocking.remove(blocked)
            self._announce_dependency(blocked, blocker, "removed", actor)

    def _announce_sub_issue(self, parent: Issue, child: Issue, what: str, actor: Actor) -> None:
        sides = (("parent_issue", parent), ("sub_issue", child))
        self._announce("sub_issues", sides, (f"sub_issue_{what}", f"parent_issue_{what}"), actor)

    def _announce_dependency(self, blocked: Issue, blocker: Issue, what: str, actor: Actor) -> None:
        sides = (("blocked_issue", blocked), ("blocking_issue", blocker))
        actions = (f"blocked_by_{what}", f"blocking_{what}")
        self._announce("issue_dependencies", sides, actions, actor)

    def _announce(
        self, event: str, sides: tuple[_Side, _Side], actions: tuple[str, str], actor: Actor
    ) -> None:
        """Each issue's repository gets its action, with both issues and the other's repository."""
        now = self._state.now()
        for _, issue in sides:
            issue.updated_at = now
        both: Json = {}
        for name, issue in sides:
            both |= {f"{name}_id": issue.id, name: issue_shape(self._state, issue)}
        for (_, here), (name, there), action in zip(sides, sides[::-1], actions, strict=True):
            home = {f"{name}_repo": repository_shape(self._state, there.repository)}
            announcement = Announcement(
                here.repository, event, action, {**both, **home}, author(actor)
            )
            self._webhooks.announce(announcement)


def _ancestors(issue: Issue) -> list[Issue]:
    found = []
    above = issue.parent
    while above is not None:
        found.append(above)
        above = above.parent
    return found


def _depth(issue: Issue) -> int:
    return 1 + max((_depth(child) for child in issue.sub_issues), default=0)


def _blockers(issue: Issue) -> set[Issue]:
    """All issues that an issue waits for, directly or indirectly."""
    found: set[Issue] = set()
    open_ends = list(issue.blocked_by)
    while open_ends:
        one = open_ends.pop()
        if one not in found:
            found.add(one)
            open_ends.extend(one.blocked_by)
    return found
