"""What we look at on GitHub.

The rule: None or an empty answer for what is not there; what counts as ours is told by the author's
or the App's id, never by a name or a text alone. Lists are asked in an order that does not shift
while pages are read.
"""

import re
import threading
from datetime import UTC, datetime
from urllib.parse import quote

from bot.adapters.github.api import Api
from bot.adapters.github.app_tokens import AppTokens
from bot.adapters.github.classify import Refused
from bot.adapters.github.conversation import Conversation
from bot.adapters.github.shapes import (
    AppAnswer,
    CheckRunsPage,
    CommentAnswer,
    DeliveryAnswer,
    InstallationAnswer,
    InstallationRepositoriesPage,
    IssueAnswer,
    LabelEventAnswer,
    PermissionAnswer,
    PullAnswer,
    RepositoryAnswer,
    UserAnswer,
    WorkflowRunAnswer,
    WorkflowRunsPage,
    read,
)
from bot.core.state.webhook import Installation
from bot.core.values.ids import (
    CommentId,
    InstallationId,
    IssueNumber,
    OrderId,
    PullNumber,
    RepositoryId,
    Sha,
    WorkflowRunId,
)
from bot.core.values.redelivery import Attempt
from bot.core.values.repository import (
    Comment,
    Issue,
    IssueState,
    Labelling,
    Pull,
    RepositoryFacts,
    Role,
    WorkflowRun,
)
from bot.ports import UserError

# 500 deliveries; what an outage leaves beyond them is heard by the full look.
_DELIVERY_PAGES_MAX = 5


class Reads(Conversation):
    """The reads of the port `Forge`."""

    def __init__(self, api: Api, tokens: AppTokens) -> None:
        super().__init__(api, tokens)
        self._us: tuple[AppAnswer, UserAnswer] | None = None
        self._us_lock = threading.Lock()

    def installations(self) -> tuple[Installation, ...]:
        """Every repository of every installation of our App that is not suspended."""
        found = []
        for page in self.find_pages(self.tokens.app_token, "/app/installations"):
            for installation in read(list[InstallationAnswer], page):
                if installation.suspended_at is None:
                    found.extend(self._repositories_of(InstallationId(installation.id)))
        return tuple(found)

    def delivery_attempts(self, since: datetime) -> tuple[Attempt, ...]:
        """What GitHub tried to deliver to our App since, newest first; a few pages at most."""
        found: list[Attempt] = []
        for page in self.follow(self.tokens.app_token, "/app/hook/deliveries", _DELIVERY_PAGES_MAX):
            attempts = [one.to_value() for one in read(list[DeliveryAnswer], page)]
            found += [one for one in attempts if one.at >= since]
            if not attempts or attempts[-1].at < since:
                break
        return tuple(found)

    def _repositories_of(self, installation: InstallationId) -> list[Installation]:
        def token() -> str:
            return self.tokens.token_to_find(installation)

        return [
            Installation(
                repository=RepositoryId(repository.id),
                full_name=repository.full_name,
                installation=installation,
            )
            for page in self.find_pages(token, "/installation/repositories")
            for repository in read(InstallationRepositoriesPage, page).repositories
        ]

    def repository(self, installation: InstallationId, full_name: str) -> RepositoryFacts | None:
        """The repository as the installation sees it; a former name leads to it, too."""

        def token() -> str:
            return self.tokens.token_to_find(installation)

        answer = self.find(token, f"/repos/{quote(full_name)}")
        if answer is None:
            return None
        found = read(RepositoryAnswer, answer)
        app, bot = self._who_we_are(installation)
        return RepositoryFacts(
            id=RepositoryId(found.id),
            full_name=found.full_name,
            default_branch=found.default_branch,
            installation_id=installation,
            clone_url=found.clone_url,
            html_url=found.html_url,
            bot_login=bot.login,
            bot_id=bot.id,
            app_id=app.id,
        )

    def comment(self, repository: RepositoryFacts, comment: CommentId) -> Comment | None:
        """A comment on an issue or a pull."""
        answer = self.get(repository, f"/issues/comments/{comment}")
        return None if answer is None else read(CommentAnswer, answer).to_value()

    def comments_since(self, repository: RepositoryFacts, since: datetime) -> tuple[Comment, ...]:
        """All comments written or edited since, the longest untouched first."""
        asked = {"since": _stamp(since), "sort": "updated", "direction": "asc"}
        return self._comments(repository, "/issues/comments", asked)

    def issue_comments(
        self, repository: RepositoryFacts, number: IssueNumber
    ) -> tuple[Comment, ...]:
        """The comments of one issue or pull, oldest first."""
        return self._comments(repository, f"/issues/{number}/comments", {})

    def commit_comments(self, repository: RepositoryFacts, sha: Sha) -> tuple[Comment, ...]:
        """The comments on a commit; their issue is 0."""
        return self._comments(repository, f"/commits/{sha}/comments", {})

    def role(self, repository: RepositoryFacts, login: str) -> Role:
        """What a person may do here; nothing, for somebody whom GitHub does not know here."""
        answer = self.get(repository, f"/collaborators/{quote(login, safe='')}/permission")
        return Role.NONE if answer is None else read(PermissionAnswer, answer).to_value()

    def issue(self, repository: RepositoryFacts, number: IssueNumber) -> Issue | None:
        """An issue; None, too, where it was moved to another repository."""
        answer = self.get(repository, f"/issues/{number}")
        found = None if answer is None else read(IssueAnswer, answer)
        return found.to_value() if found and found.number == number else None

    def issues_by_us(self, repository: RepositoryFacts, since: datetime) -> tuple[Issue, ...]:
        """Issues that our App has opened since, oldest first, open or not; no pulls."""
        asked = {"state": "all", "since": _stamp(since), "sort": "created", "direction": "asc"}
        return tuple(
            issue.to_value()
            for page in self.get_pages(repository, "/issues", asked)
            for issue in read(list[IssueAnswer], page)
            if issue.user
            and issue.user.id == repository.bot_id
            and issue.pull_request is None
            and issue.created_at >= since.replace(microsecond=0)
        )

    def labelled_issues(self, repository: RepositoryFacts, label: str) -> tuple[Issue, ...]:
        """The open issues that wear a label, oldest first; no pulls."""
        asked = {"state": "open", "labels": label, "sort": "created", "direction": "asc"}
        return tuple(
            issue.to_value()
            for page in self.get_pages(repository, "/issues", asked)
            for issue in read(list[IssueAnswer], page)
            if issue.pull_request is None
        )

    def labelling(
        self, repository: RepositoryFacts, number: IssueNumber, label: str
    ) -> Labelling | None:
        """When a label was last put on an issue, and by whom; None where no person did."""
        events = [
            event
            for page in self.get_pages(repository, f"/issues/{number}/events", {})
            for event in read(list[LabelEventAnswer], page)
            if event.event == "labeled" and event.label is not None and event.label.name == label
        ]
        last = events[-1] if events else None
        if last is None or last.actor is None or last.actor.type != "User":
            return None
        if last.performed_via_github_app is not None:
            return None
        return Labelling(id=last.id, by=last.actor.login)

    def pull(self, repository: RepositoryFacts, number: PullNumber) -> Pull | None:
        """A pull request."""
        answer = self.get(repository, f"/pulls/{number}")
        return None if answer is None else read(PullAnswer, answer).to_value()

    def open_pulls(self, repository: RepositoryFacts) -> tuple[Pull, ...]:
        """Every open pull, oldest first, from forks too."""
        asked = {"state": "open", "sort": "created", "direction": "asc"}
        found = {
            pull.number: pull.to_value()
            for page in self.get_pages(repository, "/pulls", asked)
            for pull in read(list[PullAnswer], page)
        }
        return tuple(found.values())

    def pull_of_branch(self, repository: RepositoryFacts, branch: str) -> Pull | None:
        """The open pull of a branch of this repository, else its newest one."""
        owner = repository.full_name.partition("/")[0]
        asked = {"head": f"{owner}:{branch}", "state": "all"}
        newest_first = {**asked, "sort": "created", "direction": "desc"}
        pulls = [
            pull
            for page in self.get_pages(repository, "/pulls", newest_first)
            for pull in read(list[PullAnswer], page)
            # GitHub leaves a filter out that it does not understand.
            if pull.head.ref == branch
        ]
        opened = [pull for pull in pulls if pull.state is IssueState.OPEN]
        return next((pull.to_value() for pull in [*opened, *pulls]), None)

    def workflow_run(self, repository: RepositoryFacts, run: WorkflowRunId) -> WorkflowRun | None:
        """A workflow run."""
        answer = self.get(repository, f"/actions/runs/{run}")
        return None if answer is None else read(WorkflowRunAnswer, answer).to_value()

    def workflow_run_of_order(
        self, repository: RepositoryFacts, order: OrderId, since: datetime
    ) -> WorkflowRun | None:
        """The run that we dispatched for an order: its title names the order as a whole word.

        Where there are several, the first: a second one is the accident.
        """
        asked = {"event": "workflow_dispatch", "created": f">={_stamp(since)}"}
        word = re.compile(rf"(?<![\w-]){re.escape(order)}(?![\w-])")
        runs = [
            run.to_value()
            for page in self.get_pages(repository, "/actions/runs", asked)
            for run in read(WorkflowRunsPage, page).workflow_runs
            if word.search(run.display_title)
            and run.actor is not None
            and run.actor.id == repository.bot_id
        ]
        return min(runs, key=lambda run: run.id, default=None)

    def check_run_by_us(
        self, repository: RepositoryFacts, sha: Sha, external_id: str
    ) -> int | None:
        """The newest check run of our App with this external id at a commit."""
        asked: dict[str, str | int] = {"app_id": repository.app_id, "filter": "all"}
        try:
            ids = [
                run.id
                for page in self.get_pages(repository, f"/commits/{sha}/check-runs", asked)
                for run in read(CheckRunsPage, page).check_runs
                if run.external_id == external_id and run.app and run.app.id == repository.app_id
            ]
        except Refused as refused:
            # A commit that GitHub does not know is 422 here, not 404.
            if refused.status == 422 and "No commit found" in refused.words:
                return None
            raise
        return max(ids, default=None)

    def _comments(
        self, repository: RepositoryFacts, path: str, parameters: dict[str, str]
    ) -> tuple[Comment, ...]:
        """Each once: pages shift when somebody writes meanwhile."""
        found = {
            comment.id: comment.to_value()
            for page in self.get_pages(repository, path, parameters)
            for comment in read(list[CommentAnswer], page)
        }
        return tuple(found.values())

    def _who_we_are(self, installation: InstallationId) -> tuple[AppAnswer, UserAnswer]:
        """Our App and its bot account, asked once."""
        with self._us_lock:
            if self._us is None:
                app = read(AppAnswer, self.find(self.tokens.app_token, "/app"))
                login = quote(f"{app.slug}[bot]", safe="")
                answer = self.find(
                    lambda: self.tokens.token_to_find(installation), f"/users/{login}"
                )
                if answer is None:
                    raise UserError(f"GitHub knows no account {app.slug}[bot] of our App.")
                self._us = app, read(UserAnswer, answer)
            return self._us


def _stamp(when: datetime) -> str:
    return when.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
