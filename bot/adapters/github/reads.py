"""The reads of the port `Forge`: None or an empty result for what does not exist.

What is ours is recognised by the id of the author or the App, never by a name or a text. Lists are
read in an order that does not change while pages are read.
"""

import base64
import re
import threading
from datetime import datetime
from urllib.parse import quote

from bot.adapters.github.api import Api, stamp
from bot.adapters.github.app_tokens import AppTokens, NotInstalled, Purpose, missing_permissions
from bot.adapters.github.classify import Refused
from bot.adapters.github.conversation import Conversation
from bot.adapters.github.graphql import QUEUE_STANDING, GraphQLUnavailable, complaint_of
from bot.adapters.github.shapes import (
    ActivityAnswer,
    AnnotationAnswer,
    AppAnswer,
    CheckRunsPage,
    CommentAnswer,
    ContentAnswer,
    DeliveryAnswer,
    GitCommitAnswer,
    InstallationAnswer,
    InstallationRepositoriesPage,
    IssueAnswer,
    JobsPage,
    LabelEventAnswer,
    PermissionAnswer,
    PullAnswer,
    PullCommitAnswer,
    QueueStandingAnswer,
    RepositoryAnswer,
    UserAnswer,
    WorkflowRunAnswer,
    WorkflowRunsPage,
    WorkflowsPage,
    person,
    read,
)
from bot.core.state.webhook import Installation
from bot.core.values.candidate import QueueStanding, SignedCommit
from bot.core.values.check_run import PublishedCheckRun
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
    AwayReason,
    Comment,
    Issue,
    IssueState,
    Labelling,
    MainMove,
    Pull,
    RepositoryFacts,
    Role,
    Standing,
    WorkflowRun,
)
from bot.ports import UserError

# Headgate's workflows have one job; others' may have a matrix.
_JOBS_READ = 3
# The runner's own last word about any step that failed.
_SAYS_NOTHING = re.compile(r"Process completed with exit code \d+\.")

# As many as one page has.
_MAIN_MOVES_MAX = 100

# 500 deliveries; after a longer outage the full look finds the rest.
_DELIVERY_PAGES_MAX = 5


class Reads(Conversation):
    def __init__(self, api: Api, tokens: AppTokens) -> None:
        super().__init__(api, tokens)
        self._app: tuple[AppAnswer, UserAnswer] | None = None
        self._app_lock = threading.Lock()

    def installations(self) -> tuple[Installation, ...]:
        """The repositories of all installations that are not suspended."""
        found = []
        for page in self.find_pages(self.tokens.app_token, "/app/installations"):
            for installation in read(list[InstallationAnswer], page):
                if installation.suspended_at is None:
                    found.extend(self._repositories_of(installation))
        return tuple(found)

    def delivery_attempts(self, since: datetime) -> tuple[Attempt, ...]:
        """Newest first; at most 500 deliveries."""
        found: list[Attempt] = []
        for page in self.follow(self.tokens.app_token, "/app/hook/deliveries", _DELIVERY_PAGES_MAX):
            attempts = [one.to_value() for one in read(list[DeliveryAnswer], page)]
            found += [one for one in attempts if one.at >= since]
            if not attempts or attempts[-1].at < since:
                break
        return tuple(found)

    def _repositories_of(self, found: InstallationAnswer) -> list[Installation]:
        installation = InstallationId(found.id)

        def token() -> str:
            return self.tokens.token_to_list(installation)

        return [
            Installation(
                repository=RepositoryId(repository.id),
                full_name=repository.full_name,
                installation=installation,
                lacks=missing_permissions(found.permissions),
            )
            for page in self.find_pages(token, "/installation/repositories")
            for repository in read(InstallationRepositoriesPage, page).repositories
        ]

    def repository(
        self, installation: InstallationId, repository: RepositoryId
    ) -> RepositoryFacts | None:
        """Through an installation that covers it."""
        answer = self._listed(installation, repository)
        return None if answer is None else self._facts(installation, answer)

    def _listed(self, installation: InstallationId, repository: RepositoryId) -> object:
        def token() -> str:
            return self.tokens.token_to_list(installation)

        return self.find(token, f"/repositories/{repository}")

    def _facts(self, installation: InstallationId, answer: object) -> RepositoryFacts:
        found = read(RepositoryAnswer, answer)
        app, bot = self._app_and_bot(installation)
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

    def standing(self, repository: RepositoryFacts, is_doubted: bool) -> Standing:
        """Read by id; if that fails or is doubted, the App asks for the installation.

        A public repository can be read where the App is installed no more.
        """
        if not is_doubted:
            try:
                answer = self.get(repository, "")
            except (NotInstalled, Refused):
                answer = None
            if answer is not None:
                return self._standing(repository.installation_id, answer)
        found = self.find(self.tokens.app_token, f"/repositories/{repository.id}/installation")
        if found is None:
            return Standing(away=self._why_gone(repository.installation_id))
        installation = read(InstallationAnswer, found)
        if installation.suspended_at is not None:
            return Standing(away=AwayReason.SUSPENDED)
        lacks = missing_permissions(installation.permissions)
        if lacks:
            return Standing(away=AwayReason.PERMISSIONS, lacks=lacks)
        answer = self._listed(InstallationId(installation.id), repository.id)
        if answer is None:
            return Standing(away=AwayReason.REMOVED)
        return self._standing(InstallationId(installation.id), answer)

    def _standing(self, installation: InstallationId, answer: object) -> Standing:
        """What GitHub says of a repository: one that can be read may still forbid work, as an archived one."""
        found = read(RepositoryAnswer, answer)
        if found.archived:
            return Standing(away=AwayReason.ARCHIVED)
        if not found.has_issues:
            return Standing(away=AwayReason.NO_ISSUES)
        return Standing(facts=self._facts(installation, answer))

    def _why_gone(self, installation: InstallationId) -> AwayReason:
        answer = self.find(self.tokens.app_token, f"/app/installations/{installation}")
        if answer is None or read(InstallationAnswer, answer).suspended_at is None:
            return AwayReason.REMOVED
        return AwayReason.SUSPENDED

    def comment(self, repository: RepositoryFacts, comment: CommentId) -> Comment | None:
        answer = self.get(repository, f"/issues/comments/{comment}")
        return None if answer is None else read(CommentAnswer, answer).to_value()

    def comments_since(self, repository: RepositoryFacts, since: datetime) -> tuple[Comment, ...]:
        """Comments written or edited since, the longest unedited first."""
        query = {"since": stamp(since), "sort": "updated", "direction": "asc"}
        return self._comments(repository, "/issues/comments", query)

    def issue_comments(
        self, repository: RepositoryFacts, number: IssueNumber
    ) -> tuple[Comment, ...]:
        """Oldest first; `number` may be a pull, too."""
        return self._comments(repository, f"/issues/{number}/comments", {})

    def commit_comments(self, repository: RepositoryFacts, sha: Sha) -> tuple[Comment, ...]:
        """The `issue` of these comments is 0."""
        return self._comments(repository, f"/commits/{sha}/comments", {})

    def role(self, repository: RepositoryFacts, login: str) -> Role:
        """`Role.NONE` for a person whom GitHub does not know here."""
        path = f"/collaborators/{quote(login, safe='')}/permission"
        answer = self.get(repository, path, purpose=Purpose.HISTORY)
        return Role.NONE if answer is None else read(PermissionAnswer, answer).to_value()

    def issue(self, repository: RepositoryFacts, number: IssueNumber) -> Issue | None:
        """None, too, where the issue was moved to another repository."""
        answer = self.get(repository, f"/issues/{number}")
        found = None if answer is None else read(IssueAnswer, answer)
        return found.to_value() if found and found.number == number else None

    def issues_by_us(self, repository: RepositoryFacts, since: datetime) -> tuple[Issue, ...]:
        """Issues that our App has opened since, open and closed, oldest first; no pulls."""
        query = {"state": "all", "since": stamp(since), "sort": "created", "direction": "asc"}
        return tuple(
            issue.to_value()
            for page in self.get_pages(repository, "/issues", query)
            for issue in read(list[IssueAnswer], page)
            if issue.user
            and issue.user.id == repository.bot_id
            and issue.pull_request is None
            and issue.created_at >= since.replace(microsecond=0)
        )

    def labelled_issues(self, repository: RepositoryFacts, label: str) -> tuple[Issue, ...]:
        """Open issues with the label, oldest first; no pulls."""
        query = {"state": "open", "labels": label, "sort": "created", "direction": "asc"}
        return tuple(
            issue.to_value()
            for page in self.get_pages(repository, "/issues", query)
            for issue in read(list[IssueAnswer], page)
            if issue.pull_request is None
        )

    def labelling(
        self, repository: RepositoryFacts, number: IssueNumber, label: str
    ) -> Labelling | None:
        """Who last added the label; None if it was not a person."""
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
        answer = self.get(repository, f"/pulls/{number}")
        return None if answer is None else read(PullAnswer, answer).to_value()

    def open_pulls(self, repository: RepositoryFacts) -> tuple[Pull, ...]:
        """Oldest first, with those from forks."""
        query = {"state": "open", "sort": "created", "direction": "asc"}
        found = {
            pull.number: pull.to_value()
            for page in self.get_pages(repository, "/pulls", query)
            for pull in read(list[PullAnswer], page)
        }
        return tuple(found.values())

    def queue_standing(
        self, repository: RepositoryFacts, number: PullNumber
    ) -> QueueStanding | None:
        """Where a pull is in GitHub's merge queue; None where we may not see it, or there is none."""
        owner, _, name = repository.full_name.partition("/")
        asked = {"owner": owner, "name": name, "number": number}
        try:
            answer = self.query(repository, Purpose.MERGE_QUEUE, QUEUE_STANDING, asked)
            if complaint_of(answer):
                return None
        except (GraphQLUnavailable, NotInstalled):
            return None
        return read(QueueStandingAnswer, answer.data).to_value()

    def main_moves(self, repository: RepositoryFacts) -> tuple[MainMove, ...]:
        return self._moves(repository, repository.main_ref)

    def branch_moves(self, repository: RepositoryFacts, branch: str) -> tuple[MainMove, ...]:
        return self._moves(repository, f"refs/heads/{branch}")

    def _moves(self, repository: RepositoryFacts, ref: str) -> tuple[MainMove, ...]:
        """The newest hundred, newest first; none where this GitHub does not list them."""
        query: dict[str, str | int] = {"ref": ref, "per_page": _MAIN_MOVES_MAX}
        try:
            answer = self.get(repository, "/activity", query, Purpose.HISTORY)
        except Refused:
            return ()
        return tuple(one.to_value() for one in read(list[ActivityAnswer], answer or []))

    def author_of_merge(self, repository: RepositoryFacts, merged_as: Sha) -> str:
        """Who opened the pull that was merged as this commit; empty if it was not a person."""
        answer = self.get(repository, f"/commits/{merged_as}/pulls")
        found = [
            pull
            for pull in read(list[PullAnswer], answer or [])
            if pull.merged_at and pull.merge_commit_sha == merged_as
        ]
        return person(found[0].user) if found else ""

    def blob(self, repository: RepositoryFacts, commit: Sha, path: str) -> Sha | None:
        where = f"/contents/{quote(path)}"
        answer = self.get(repository, where, {"ref": commit}, Purpose.CONTENTS)
        return None if answer is None else read(ContentAnswer, answer).sha

    def text(self, repository: RepositoryFacts, path: str) -> str | None:
        """A file of the default branch; None if there is none, or one of more than 1 MB."""
        at = {"ref": repository.default_branch}
        answer = self.get(repository, f"/contents/{quote(path)}", at, Purpose.CONTENTS)
        if answer is None or (found := read(ContentAnswer, answer)).encoding != "base64":
            return None
        return base64.b64decode(found.content).decode(errors="replace")

    def came_by_pull(self, repository: RepositoryFacts, commit: Sha) -> bool:
        """Whether GitHub names a pull that was merged as this commit of main."""
        answer = self.get(repository, f"/commits/{commit}/pulls", purpose=Purpose.HISTORY)
        return any(
            pull.merged_at and pull.base.ref == repository.default_branch
            for pull in read(list[PullAnswer], answer or [])
        )

    def signed_commit(self, repository: RepositoryFacts, sha: Sha) -> SignedCommit | None:
        answer = self.get(repository, f"/git/commits/{sha}")
        return None if answer is None else read(GitCommitAnswer, answer).to_value()

    def unsigned_commits(self, repository: RepositoryFacts, pull: PullNumber) -> tuple[Sha, ...]:
        """Those of a pull's first 250 commits that GitHub does not call verified.

        REST, "List commits on a pull request": it lists no more.
        """
        return tuple(
            commit.sha
            for page in self.get_pages(repository, f"/pulls/{pull}/commits", {})
            for commit in read(list[PullCommitAnswer], page)
            if not commit.commit.verification.verified
        )

    def pull_of_branch(self, repository: RepositoryFacts, branch: str) -> Pull | None:
        """The open pull of a branch of this repository, else its newest one."""
        owner = repository.full_name.partition("/")[0]
        query = {"head": f"{owner}:{branch}", "state": "all"}
        newest_first = {**query, "sort": "created", "direction": "desc"}
        pulls = [
            pull
            for page in self.get_pages(repository, "/pulls", newest_first)
            for pull in read(list[PullAnswer], page)
            # GitHub ignores a filter that it does not understand.
            if pull.head.ref == branch
        ]
        opened = [pull for pull in pulls if pull.state is IssueState.OPEN]
        return next((pull.to_value() for pull in [*opened, *pulls]), None)

    def workflow_states(self, repository: RepositoryFacts) -> dict[str, str]:
        """What GitHub says of each workflow file of the default branch, in its words: `active`, or why not."""
        pages = self.get_pages(repository, "/actions/workflows", {})
        known = [one for page in pages for one in read(WorkflowsPage, page).workflows]
        return {one.path: one.state for one in known}

    def workflow_run(self, repository: RepositoryFacts, run: WorkflowRunId) -> WorkflowRun | None:
        answer = self.get(repository, f"/actions/runs/{run}")
        return None if answer is None else read(WorkflowRunAnswer, answer).to_value()

    def job_errors(self, repository: RepositoryFacts, run: WorkflowRunId) -> tuple[str, ...]:
        """The `::error::` lines of a run's jobs that did not succeed; none where we may not read."""
        found: list[str] = []
        try:
            pages = self.get_pages(repository, f"/actions/runs/{run}/jobs", {})
            jobs = [job for page in pages for job in read(JobsPage, page).jobs]
            bad = [job for job in jobs if job.conclusion not in {"success", "skipped", None}]
            for job in bad[:_JOBS_READ]:
                # A job's check run has the job's annotations.
                check = job.check_run_url.rpartition("/")[2]
                answer = self.get(repository, f"/check-runs/{check}/annotations")
                found += [
                    one.message or ""
                    for one in read(list[AnnotationAnswer], answer or [])
                    if one.annotation_level == "failure"
                ]
        except Refused:
            return ()
        told = [one for one in found if one and not _SAYS_NOTHING.fullmatch(one.strip())]
        return tuple(dict.fromkeys(told))

    def workflow_run_of_order(
        self, repository: RepositoryFacts, order: OrderId, since: datetime
    ) -> WorkflowRun | None:
        """The run that we dispatched whose title has the order's id as a whole word.

        The first of several, because only a repeated dispatch makes a second.
        """
        query = {"event": "workflow_dispatch", "created": f">={stamp(since)}"}
        word = re.compile(rf"(?<![\w-]){re.escape(order)}(?![\w-])")
        runs = [
            run.to_value()
            for page in self.get_pages(repository, "/actions/runs", query)
            for run in read(WorkflowRunsPage, page).workflow_runs
            if word.search(run.display_title)
            and run.actor is not None
            and run.actor.id == repository.bot_id
        ]
        return min(runs, key=lambda run: run.id, default=None)

    def check_run_by_us(
        self, repository: RepositoryFacts, sha: Sha, external_id: str
    ) -> PublishedCheckRun | None:
        """Our App's newest check run with this external id."""
        query: dict[str, str | int] = {"app_id": repository.app_id, "filter": "all"}
        try:
            found = [
                PublishedCheckRun(id=run.id, conclusion=run.conclusion)
                for page in self.get_pages(repository, f"/commits/{sha}/check-runs", query)
                for run in read(CheckRunsPage, page).check_runs
                if run.external_id == external_id and run.app and run.app.id == repository.app_id
            ]
        except Refused as refused:
            # GitHub answers 422 here, not 404, for a commit that it does not know.
            if refused.status == 422 and "No commit found" in refused.message:
                return None
            raise
        return max(found, key=lambda run: run.id, default=None)

    def _comments(
        self, repository: RepositoryFacts, path: str, parameters: dict[str, str]
    ) -> tuple[Comment, ...]:
        """Each comment once, because pages shift when one is added while they are read."""
        found = {
            comment.id: comment.to_value()
            for page in self.get_pages(repository, path, parameters)
            for comment in read(list[CommentAnswer], page)
        }
        return tuple(found.values())

    def _app_and_bot(self, installation: InstallationId) -> tuple[AppAnswer, UserAnswer]:
        """Our App and its bot account, read once."""
        with self._app_lock:
            if self._app is None:
                app = read(AppAnswer, self.find(self.tokens.app_token, "/app"))
                login = quote(f"{app.slug}[bot]", safe="")
                answer = self.find(
                    lambda: self.tokens.token_to_list(installation), f"/users/{login}"
                )
                if answer is None:
                    raise UserError(f"GitHub has no account {app.slug}[bot] for the App.")
                self._app = app, read(UserAnswer, answer)
            return self._app
