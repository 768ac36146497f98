"""Operations on issues (and on the issue part of pulls): open, edit, close, label, assign, lock.

Each changes the model under the lock and sends the events that GitHub sends.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.localhub.errors import ApiError, invalid, not_found
from bot.localhub.github_json import Json
from bot.localhub.model import Account, Actor, Issue, Label, LabelEvent, Repository
from bot.localhub.pull_stats import pull_payload
from bot.localhub.shapes.accounts import account_shape
from bot.localhub.shapes.issues import announced_issue_shape, label_shape
from bot.localhub.state import State
from bot.localhub.webhooks import Announcement, Webhooks

# GitHub's colour for a label that is created by its use.
DEFAULT_LABEL_COLOR = "ededed"
LABEL_NAME_MAX = 50

_CLOSING = re.compile(
    r"\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+(?:(?P<repo>[\w.-]+/[\w.-]+))?#(?P<number>\d+)",
    re.IGNORECASE,
)


# Called with the pull, the action of its event and the actor, under the state's lock.
PullListener = Callable[[Issue, str, Actor], None]


@dataclass(frozen=True)
class IssueDraft:
    title: str
    body: str | None = None
    labels: Sequence[str] = ()
    assignees: Sequence[str] = ()


@dataclass(frozen=True)
class IssueEdit:
    """What an edit changes; None leaves a field as it is, an empty body clears it."""

    title: str | None = None
    body: str | None = None
    state: str | None = None
    state_reason: str | None = None
    labels: Sequence[str] | None = None
    assignees: Sequence[str] | None = None


def _closing_references(text: str, repository: Repository) -> list[int]:
    """Numbers of this repository's issues that a text closes, in order."""
    found = []
    for match in _CLOSING.finditer(text):
        named = match["repo"]
        if named is None or named.lower() == repository.full_name.lower():
            found.append(int(match["number"]))
    return list(dict.fromkeys(found))


def author(actor: Actor) -> Account:
    if actor.account is None:
        raise ApiError(401, "Requires authentication")
    return actor.account


class Issues:
    def __init__(self, state: State, webhooks: Webhooks) -> None:
        self._state = state
        self._webhooks = webhooks
        self.pull_listeners: list[PullListener] = []

    def find(self, repository: Repository, number: int) -> Issue:
        """The issue or pull of this number, or 404."""
        issue = repository.issues.get(number)
        if issue is None:
            raise not_found()
        return issue

    def new_number(self, repository: Repository) -> int:
        return len(repository.issues) + 1

    def open(self, repository: Repository, actor: Actor, draft: IssueDraft) -> Issue:
        with self._state.lock:
            assignees = [self._assignee(repository, login) for login in draft.assignees]
            now = self._state.now()
            issue = Issue(
                id=self._state.next_id(),
                number=self.new_number(repository),
                repository=repository,
                title=draft.title,
                body=draft.body,
                user=author(actor),
                created_at=now,
                updated_at=now,
                app=actor.app,
                assignees=assignees,
            )
            self.register(issue)
            issue.labels = [self._label_made(repository, name, actor) for name in draft.labels]
            self.announce(issue, "opened", actor)
            self._announce_labels(issue, issue.labels, "labeled", actor)
            for account in issue.assignees:
                extra: Json = {"assignee": account_shape(self._state, account)}
                self.announce(issue, "assigned", actor, extra)
            return issue

    def register(self, issue: Issue) -> None:
        issue.repository.issues[issue.number] = issue
        self._state.issues[issue.id] = issue

    def edit(self, issue: Issue, actor: Actor, edit: IssueEdit) -> None:
        """Change what the edit names, with one event per kind of change."""
        with self._state.lock:
            self._edit_text(issue, actor, edit)
            if edit.labels is not None:
                self.replace_labels(issue, actor, edit.labels)
            if edit.assignees is not None:
                self._replace_assignees(issue, actor, edit.assignees)
            if edit.state == "closed" and issue.state == "open":
                self.close(issue, actor, edit.state_reason or "completed")
            elif edit.state == "open" and issue.state == "closed":
                self.reopen(issue, actor)
            self.touch(issue)

    def _edit_text(self, issue: Issue, actor: Actor, edit: IssueEdit) -> None:
        changes: Json = {}
        if edit.title is not None and edit.title != issue.title:
            changes["title"] = {"from": issue.title}
            issue.title = edit.title
        if edit.body is not None and edit.body != (issue.body or ""):
            changes["body"] = {"from": issue.body or ""}
            issue.body = edit.body
        if changes:
            self.touch(issue)
            self.announce(issue, "edited", actor, {"changes": changes})

    def close(self, issue: Issue, actor: Actor, reason: str | None) -> None:
        """Close an open issue; nothing happens to a closed one."""
        with self._state.lock:
            if issue.state == "closed":
                return
            issue.state = "closed"
            issue.state_reason = reason if issue.pull is None else None
            issue.closed_at = self._state.now()
            issue.closed_by = author(actor)
            self.touch(issue)
            self.announce(issue, "closed", actor)

    def reopen(self, issue: Issue, actor: Actor) -> None:
        with self._state.lock:
            issue.state = "open"
            issue.state_reason = "reopened" if issue.pull is None else None
            issue.closed_at = None
            issue.closed_by = None
            self.touch(issue)
            self.announce(issue, "reopened", actor)

    def close_referenced(self, text: str, repository: Repository, actor: Actor) -> None:
        """Close the issues that a merged pull or a pushed commit names."""
        for number in _closing_references(text, repository):
            issue = repository.issues.get(number)
            if issue is not None and issue.pull is None:
                self.close(issue, actor, "completed")

    def lock(self, issue: Issue, actor: Actor, reason: str | None) -> None:
        with self._state.lock:
            issue.locked, issue.active_lock_reason = True, reason
            self.touch(issue)
            self.announce(issue, "locked", actor)

    def unlock(self, issue: Issue, actor: Actor) -> None:
        with self._state.lock:
            issue.locked, issue.active_lock_reason = False, None
            self.touch(issue)
            self.announce(issue, "unlocked", actor)

    def label(self, repository: Repository, name: str) -> Label | None:
        wanted = name.lower()
        return next((held for held in repository.labels if held.name.lower() == wanted), None)

    def make_label(
        self, repository: Repository, actor: Actor, name: str, color: str, description: str | None
    ) -> Label:
        with self._state.lock:
            if self.label(repository, name) is not None:
                raise invalid("Label", "name", "already_exists")
            label = Label(self._state.next_id(), name, color.lstrip("#").lower(), description)
            repository.labels.append(label)
            self._announce_label(repository, label, "created", actor)
            return label

    def edit_label(
        self, repository: Repository, actor: Actor, label: Label, changed: Label
    ) -> None:
        """Set name, colour and description of a label to those of `changed`."""
        with self._state.lock:
            label.name, label.color = changed.name, changed.color
            label.description = changed.description
            self._announce_label(repository, label, "edited", actor)

    def delete_label(self, repository: Repository, actor: Actor, label: Label) -> None:
        with self._state.lock:
            repository.labels.remove(label)
            for issue in repository.issues.values():
                if label in issue.labels:
                    issue.labels.remove(label)
            self._announce_label(repository, label, "deleted", actor)

    def _label_made(self, repository: Repository, name: str, actor: Actor) -> Label:
        if len(name) > LABEL_NAME_MAX:
            message = f"name is too long (maximum is {LABEL_NAME_MAX} characters)"
            raise invalid("Label", "name", "custom", message)
        found = self.label(repository, name)
        if found is not None:
            return found
        return self.make_label(repository, actor, name, DEFAULT_LABEL_COLOR, None)

    def add_labels(self, issue: Issue, actor: Actor, names: Sequence[str]) -> None:
        with self._state.lock:
            wanted = [self._label_made(issue.repository, name, actor) for name in names]
            added = [label for label in dict.fromkeys(wanted) if label not in issue.labels]
            issue.labels.extend(added)
            if added:
                self.touch(issue)
            self._announce_labels(issue, added, "labeled", actor)

    def remove_label(self, issue: Issue, actor: Actor, name: str) -> None:
        with self._state.lock:
            label = self.label(issue.repository, name)
            if label is None or label not in issue.labels:
                raise ApiError(404, "Label does not exist")
            issue.labels.remove(label)
            self.touch(issue)
            self._announce_labels(issue, [label], "unlabeled", actor)

    def replace_labels(self, issue: Issue, actor: Actor, names: Sequence[str]) -> None:
        with self._state.lock:
            wanted = [self._label_made(issue.repository, name, actor) for name in names]
            for label in [label for label in issue.labels if label not in wanted]:
                self.remove_label(issue, actor, label.name)
            self.add_labels(issue, actor, names)

    def _announce_labels(
        self, issue: Issue, labels: Sequence[Label], action: str, actor: Actor
    ) -> None:
        for label in labels:
            event = LabelEvent(
                id=self._state.next_id(),
                event=action,
                label=label,
                actor=author(actor),
                app=actor.app,
                created_at=self._state.now(),
            )
            issue.label_events.append(event)
            extra: Json = {"label": label_shape(self._state, issue.repository, label)}
            self.announce(issue, action, actor, extra)

    def _announce_label(
        self, repository: Repository, label: Label, action: str, actor: Actor
    ) -> None:
        body: Json = {"label": label_shape(self._state, repository, label)}
        self._webhooks.announce(Announcement(repository, "label", action, body, author(actor)))

    def _assignee(self, repository: Repository, login: str) -> Account:
        account = self._state.accounts.get(login.lower())
        invited = account is not None and (
            account is repository.owner or login.lower() in repository.collaborators
        )
        if account is None or not invited:
            raise invalid("Issue", "assignees", "invalid")
        return account

    def _replace_assignees(self, issue: Issue, actor: Actor, logins: Sequence[str]) -> None:
        wanted = [self._assignee(issue.repository, login) for login in logins]
        gone = [account for account in issue.assignees if account not in wanted]
        new = [account for account in wanted if account not in issue.assignees]
        issue.assignees = wanted
        for action, accounts in (("unassigned", gone), ("assigned", new)):
            for account in accounts:
                extra: Json = {"assignee": account_shape(self._state, account)}
                self.announce(issue, action, actor, extra)

    def touch(self, issue: Issue) -> None:
        issue.updated_at = self._state.now()

    def announce(self, issue: Issue, action: str, actor: Actor, extra: Json | None = None) -> None:
        """Send the event of a change of an issue, or of a pull."""
        body: Json
        if issue.pull is None:
            event = "issues"
            body = {"issue": announced_issue_shape(self._state, issue), **(extra or {})}
        else:
            event = "pull_request"
            payload = pull_payload(self._state, issue)
            body = {"number": issue.number, "pull_request": payload, **(extra or {})}
        self._webhooks.announce(Announcement(issue.repository, event, action, body, author(actor)))
        if issue.pull is not None:
            for listener in self.pull_listeners:
                listener(issue, action, actor)
