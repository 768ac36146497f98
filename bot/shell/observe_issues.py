"""Looks at issues that are specs: their text, who labelled them, and what that person may do.

The rule: the role is asked for whenever an issue is new to us or has changed since, so what counts
is what the person may do when something is to be done. Deliberately absent: any decision.
"""

from datetime import timedelta

from bot.core.ids import IssueNumber
from bot.core.journal.state import RepositoryState
from bot.core.observed import Looks, SpecIssueSight
from bot.core.repository import Issue, IssueState, RepositoryFacts, Role
from bot.core.talk.spec_issue import LABEL
from bot.shell.bench import Bench

# GitHub's times are whole seconds: an issue that changed just now may change again unseen.
_SETTLED = timedelta(seconds=5)


class IssueObserver:
    """Looks for one process; an issue that nobody has touched since is not asked about again."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._seen: dict[tuple[int, IssueNumber], tuple[Issue, SpecIssueSight]] = {}

    def look(
        self, facts: RepositoryFacts, state: RepositoryState, looks: Looks
    ) -> dict[IssueNumber, SpecIssueSight | None]:
        """The issues that are asked about; all that wear the label where all are."""
        forge = self._bench.forge
        wanted = set(looks.spec_issues)
        found: dict[IssueNumber, Issue | None] = {}
        if looks.all_spec_issues:
            found = {issue.number: issue for issue in forge.labelled_issues(facts, LABEL)}
            wanted |= {n for n, s in state.spec_issues.items() if not s.is_withdrawn}
        for number in wanted - set(found):
            found[number] = forge.issue(facts, number)
        own = {run.issue for run in state.spec_runs.values()}
        return {
            number: self._sight(facts, issue)
            for number, issue in found.items()
            if number not in own and (issue is None or issue.author_id != facts.bot_id)
        }

    def _sight(self, facts: RepositoryFacts, issue: Issue | None) -> SpecIssueSight | None:
        if issue is None or issue.is_pull:
            return None
        key = (facts.id, issue.number)
        seen = self._seen.get(key)
        if seen is not None and seen[0] == issue:
            return seen[1]
        forge = self._bench.forge
        is_labelled = LABEL in issue.labels
        by = forge.labeller(facts, issue.number, LABEL) if is_labelled else None
        sight = SpecIssueSight(
            number=issue.number,
            title=issue.title,
            body=issue.body,
            author=issue.author,
            author_id=issue.author_id,
            is_open=issue.state is IssueState.OPEN,
            is_labelled=is_labelled,
            labelled_by=by or "",
            role=forge.role(facts, by) if by else Role.NONE,
        )
        if self._bench.clock.now() > issue.updated_at + _SETTLED:
            self._seen[key] = (issue, sight)
        return sight
