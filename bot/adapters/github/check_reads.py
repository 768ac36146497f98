"""Reads what Apps report of a commit: check runs, and commit statuses where the App may see them."""

from collections.abc import Collection

from bot.adapters.github.api import Json
from bot.adapters.github.app_tokens import NotInstalled, Purpose
from bot.adapters.github.classify import Refused
from bot.adapters.github.conversation import Conversation
from bot.adapters.github.shapes import AnswerPart, read
from bot.core.values.ids import Sha
from bot.core.values.repository import RepositoryFacts
from bot.core.values.seen_check import CheckEnding, SeenCheck

# REST, "Create a check run": the conclusions. What is not here did not run, or is not known to us.
_CONCLUSIONS = {
    "success": CheckEnding.GREEN,
    "failure": CheckEnding.RED,
    "timed_out": CheckEnding.RED,
    "action_required": CheckEnding.RED,
}
# REST, "Create a commit status".
_STATES = {
    "success": CheckEnding.GREEN,
    "failure": CheckEnding.RED,
    "error": CheckEnding.RED,
    "pending": CheckEnding.PENDING,
}


class _App(AnswerPart):
    id: int
    slug: str = ""


class _Run(AnswerPart):
    name: str
    status: str
    conclusion: str | None = None
    html_url: str | None = None
    app: _App | None = None

    def to_value(self) -> SeenCheck:
        is_over = self.status == "completed"
        ended = _CONCLUSIONS.get(self.conclusion or "", CheckEnding.NOT_RUN)
        return SeenCheck(
            name=self.name,
            app_id=self.app.id if self.app else 0,
            app_slug=self.app.slug if self.app else "",
            ending=ended if is_over else CheckEnding.PENDING,
            said=self.conclusion or self.status,
            url=self.html_url or "",
        )


class _RunsPage(AnswerPart):
    check_runs: list[_Run]


class _Status(AnswerPart):
    context: str
    state: str
    target_url: str | None = None

    def to_value(self) -> SeenCheck:
        return SeenCheck(
            name=self.context,
            ending=_STATES.get(self.state, CheckEnding.NOT_RUN),
            said=self.state,
            url=self.target_url or "",
        )


class _Combined(AnswerPart):
    statuses: list[_Status]


class CheckReads(Conversation):
    def checks(
        self, repository: RepositoryFacts, sha: Sha, names: Collection[str]
    ) -> tuple[SeenCheck, ...]:
        """The newest check of each of these names: a check run, or else a commit status."""
        pages = self._runs(repository, sha)
        runs = [run.to_value() for page in pages for run in read(_RunsPage, page).check_runs]
        found = [run for run in runs if run.name in names]
        missing = set(names) - {run.name for run in found}
        if missing:
            found += [one for one in self._statuses(repository, sha) if one.name in missing]
        return tuple(found)

    def _runs(self, repository: RepositoryFacts, sha: Sha) -> list[Json]:
        try:
            return self.get_pages(repository, f"/commits/{sha}/check-runs", {"filter": "latest"})
        except Refused as refused:
            # GitHub answers 422 for a commit that it does not know (yet).
            if refused.status != 422:
                raise
            return []

    def _statuses(self, repository: RepositoryFacts, sha: Sha) -> list[SeenCheck]:
        """None if the App may not read statuses: they are then not seen."""
        path = f"/commits/{sha}/status"
        try:
            answer = self.get(repository, path, {"per_page": 100}, Purpose.STATUSES)
        except NotInstalled:
            return []
        except Refused as refused:
            if refused.status != 403:
                raise
            return []
        return [] if answer is None else [s.to_value() for s in read(_Combined, answer).statuses]
