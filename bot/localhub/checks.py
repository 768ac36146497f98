"""Operations on check runs, check suites and commit statuses.

A check run belongs to the App that made it and to one commit; only that App may change it. Every
App with `checks: write` gets a suite of its own for every pushed head, and an event without
subscribing. GitHub's limits on output hold: what exceeds them is refused, not cut.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from bot.localhub.access import grants
from bot.localhub.errors import ApiError, not_found, unprocessable
from bot.localhub.github_json import Json, iso
from bot.localhub.issues import author
from bot.localhub.model import (
    Account,
    Actor,
    Annotation,
    App,
    CheckAction,
    CheckRun,
    CheckSuite,
    CommitStatus,
    Repository,
)
from bot.localhub.rules import RefMove
from bot.localhub.shapes.checks import check_run_event_shape, suite_event_shape, suite_status
from bot.localhub.shapes.commits import commit_shape
from bot.localhub.state import State
from bot.localhub.webhooks import Announcement, Webhooks

STATUSES_MAX = 1000


@dataclass(frozen=True)
class CheckEdit:
    """What a create or an update sets; None leaves a field as it is."""

    name: str | None = None
    status: str | None = None
    conclusion: str | None = None
    started_at: datetime | None = None
    completed_at: datetime | None = None
    external_id: str | None = None
    details_url: str | None = None
    title: str | None = None
    summary: str | None = None
    text: str | None = None
    annotations: Sequence[Annotation] = field(default_factory=tuple)
    buttons: Sequence[CheckAction] | None = None


# GitHub, "About status checks": incomplete for more than 14 days, and the conclusion becomes `stale`.
STALE_AFTER = timedelta(days=14)


# Called after a check run or a status was reported.
ReportListener = Callable[[Repository], None]


class Checks:
    def __init__(self, state: State, webhooks: Webhooks) -> None:
        self._state = state
        self._webhooks = webhooks
        self.listeners: list[ReportListener] = []

    def find(self, repository: Repository, run_id: int) -> CheckRun:
        run = repository.check_runs.get(run_id)
        if run is None:
            raise not_found()
        return run

    def find_suite(self, repository: Repository, suite_id: int) -> CheckSuite:
        suite = self._state.suites.get(suite_id)
        if suite is None or suite.repository is not repository:
            raise not_found()
        return suite

    def mark_stale(self) -> None:
        """Mark check runs that were not completed in time as stale; GitHub sends no event."""
        with self._state.lock:
            now = self._state.now()
            for run in self._state.check_runs.values():
                if run.status != "completed" and run.started_at < now - STALE_AFTER:
                    run.status, run.conclusion = "completed", "stale"
                    run.completed_at = run.started_at + STALE_AFTER

    def open_suites(self, repository: Repository, move: RefMove, sender: Account) -> None:
        """A branch has a new head: every App that writes checks gets a suite and an event."""
        with self._state.lock:
            for installation in self._state.installations_on(repository):
                if not grants(installation.permissions, "checks", "write"):
                    continue
                if self._suite(repository, installation.app, move.after) is not None:
                    continue
                suite = self._new_suite(repository, installation.app, move.after, move)
                body: Json = {"check_suite": suite_event_shape(self._state, suite)}
                announcement = Announcement(repository, "check_suite", "requested", body, sender)
                self._webhooks.send_to(installation, announcement)

    def create(
        self, repository: Repository, app: App, head_sha: str, edit: CheckEdit, sender: Account
    ) -> CheckRun:
        if repository.git.commit_sha(head_sha) != head_sha:
            raise unprocessable(f"No commit found for SHA: {head_sha}")
        with self._state.lock:
            suite = self._suite(repository, app, head_sha) or self._new_suite(
                repository, app, head_sha, None
            )
            run = CheckRun(
                id=self._state.next_id(),
                suite=suite,
                name=edit.name or "",
                status="queued",
                conclusion=None,
                started_at=edit.started_at or self._state.now(),
                completed_at=None,
            )
            self._apply(run, edit)
            repository.check_runs[run.id] = run
            self._state.check_runs[run.id] = run
            self._announce(run, "created", sender)
            if run.status == "completed":
                self._completed(run, sender)
        self._listen(repository)
        return run

    def update(self, run: CheckRun, app: App, edit: CheckEdit, sender: Account) -> None:
        """Change a check run; 403 for any App but its own."""
        if run.suite.app is not app:
            raise ApiError(
                403,
                f"Invalid app_id `{app.id}` - check run can only be modified by the GitHub App "
                "that created it.",
            )
        with self._state.lock:
            was_completed = run.status == "completed"
            self._apply(run, edit)
            if run.status == "completed" and not was_completed:
                self._completed(run, sender)
        self._listen(run.suite.repository)

    def _listen(self, repository: Repository) -> None:
        """Without the state's lock: who listens may move refs."""
        for listener in self.listeners:
            listener(repository)

    def _apply(self, run: CheckRun, edit: CheckEdit) -> None:
        # Once it is completed, GitHub changes neither of the two, and says nothing of that.
        is_open = run.status != "completed"
        if is_open and edit.status not in (None, "completed") and edit.conclusion is None:
            run.status = edit.status or run.status
        if is_open and edit.conclusion is not None:
            run.status, run.conclusion = "completed", edit.conclusion
            run.completed_at = edit.completed_at or self._state.now()
        elif edit.status == "completed" and run.conclusion is None:
            raise unprocessable("Invalid request.\n\nFor 'conclusion', nil is not a string.")
        run.name = edit.name or run.name
        run.started_at = edit.started_at or run.started_at
        run.external_id = run.external_id if edit.external_id is None else edit.external_id
        run.details_url = run.details_url if edit.details_url is None else edit.details_url
        run.title = run.title if edit.title is None else edit.title
        run.summary = run.summary if edit.summary is None else edit.summary
        run.text = run.text if edit.text is None else edit.text
        run.annotations.extend(edit.annotations)
        if edit.buttons is not None:
            run.buttons = tuple(edit.buttons)
        run.suite.updated_at = self._state.now()

    def rerequest(self, run: CheckRun, sender: Account) -> None:
        with self._state.lock:
            run.suite.updated_at = self._state.now()
            self._notify_owner(run.suite, "check_run", "rerequested", self._run_body(run), sender)

    def rerequest_suite(self, suite: CheckSuite, sender: Account) -> None:
        with self._state.lock:
            suite.updated_at = self._state.now()
            body: Json = {"check_suite": suite_event_shape(self._state, suite)}
            self._notify_owner(suite, "check_suite", "rerequested", body, sender)

    def request_action(self, run: CheckRun, identifier: str, sender: Account) -> None:
        """A person presses one of the check run's buttons (`requested_action`)."""
        with self._state.lock:
            if identifier not in {button.identifier for button in run.buttons}:
                raise not_found()
            body: Json = {**self._run_body(run), "requested_action": {"identifier": identifier}}
            self._notify_owner(run.suite, "check_run", "requested_action", body, sender)

    def _notify_owner(
        self, suite: CheckSuite, event: str, action: str, body: Json, sender: Account
    ) -> None:
        announcement = Announcement(suite.repository, event, action, body, sender)
        for installation in self._state.installations_on(suite.repository):
            if installation.app is suite.app:
                self._webhooks.send_to(installation, announcement)

    def _run_body(self, run: CheckRun) -> Json:
        return {"check_run": check_run_event_shape(self._state, run)}

    def _announce(self, run: CheckRun, action: str, sender: Account) -> None:
        announcement = Announcement(
            run.suite.repository, "check_run", action, self._run_body(run), sender
        )
        self._webhooks.announce(announcement)

    def _completed(self, run: CheckRun, sender: Account) -> None:
        self._announce(run, "completed", sender)
        suite = run.suite
        if suite_status(suite)[0] == "completed":
            body: Json = {"check_suite": suite_event_shape(self._state, suite)}
            self._webhooks.announce(
                Announcement(suite.repository, "check_suite", "completed", body, sender)
            )

    def ensure_suite(self, repository: Repository, app: App, head_sha: str) -> CheckSuite:
        """The App's suite at a commit, created if there is none."""
        if repository.git.commit_sha(head_sha) != head_sha:
            raise unprocessable(f"No commit found for SHA: {head_sha}")
        with self._state.lock:
            found = self._suite(repository, app, head_sha)
            return found or self._new_suite(repository, app, head_sha, None)

    def _suite(self, repository: Repository, app: App, head_sha: str) -> CheckSuite | None:
        for suite in repository.suites:
            if suite.app is app and suite.head_sha == head_sha:
                return suite
        return None

    def _new_suite(
        self, repository: Repository, app: App, head_sha: str, move: RefMove | None
    ) -> CheckSuite:
        now = self._state.now()
        branches = [
            ref.removeprefix("refs/heads/")
            for ref, sha in repository.refs.items()
            if sha == head_sha and ref.startswith("refs/heads/")
        ]
        suite = CheckSuite(
            id=self._state.next_id(),
            app=app,
            repository=repository,
            head_sha=head_sha,
            head_branch=move.branch if move is not None else next(iter(branches), None),
            before=None if move is None else move.before,
            after=None if move is None else move.after,
            created_at=now,
            updated_at=now,
        )
        repository.suites.append(suite)
        self._state.suites[suite.id] = suite
        return suite


class Statuses:
    def __init__(self, state: State, webhooks: Webhooks) -> None:
        self._state = state
        self._webhooks = webhooks
        self.listeners: list[ReportListener] = []

    def create(
        self, repository: Repository, actor: Actor, sha: str, status: CommitStatus
    ) -> CommitStatus:
        """Record a status and send its event; 422 above GitHub's number per commit and context."""
        with self._state.lock:
            same = [
                held
                for held in repository.statuses
                if held.sha == sha and held.context == status.context
            ]
            if len(same) >= STATUSES_MAX:
                raise unprocessable(
                    "This SHA and context has reached the maximum number of statuses."
                )
            repository.statuses.append(status)
            commit = repository.git.commit(sha)
            body: Json = {
                "id": status.id,
                "sha": sha,
                "name": repository.full_name,
                "target_url": status.target_url,
                "avatar_url": f"{self._state.base_url}/avatars/u/{status.creator.id}?v=4",
                "context": status.context,
                "description": status.description,
                "state": status.state,
                "commit": commit_shape(self._state, repository, commit),
                "branches": [],
                "created_at": iso(status.created_at),
                "updated_at": iso(status.created_at),
            }
            self._webhooks.announce(Announcement(repository, "status", None, body, author(actor)))
        for listener in self.listeners:
            listener(repository)
        return status
