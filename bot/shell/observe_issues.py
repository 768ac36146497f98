"""Looks at issues that are specs or ask for work: text, who labelled them, and that person's role.

The role is asked for again whenever an issue has changed: what counts is what the person may do
when something is to be done.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import TypeVar

from bot.core.journal.state import RepositoryState
from bot.core.state.observed import Looks, SpecIssueSnapshot, WorkIssueSnapshot
from bot.core.talk import dialogue_text
from bot.core.talk.commands import read_commands
from bot.core.talk.manual_text import ticked_in
from bot.core.talk.spec_issue import LABEL
from bot.core.values.ids import Frozen, IssueNumber, RepositoryId
from bot.core.values.issue_input import Remark
from bot.core.values.issue_snapshot import LabelledIssue
from bot.core.values.repository import Comment, Issue, IssueState, RepositoryFacts, Role
from bot.shell.process_ports import Ports
from bot.shell.recent import Recent

# GitHub's times are whole seconds: an issue that changed just now may change again unseen.
_SETTLED = timedelta(seconds=5)

# What a model is given of a discussion: the newest comments, and of each what fits a screen or two.
_REMARKS_MAX = 20
_REMARK_CHARACTERS_MAX = 4_000
# Each of them is a question to GitHub.
_AUTHORS_MAX = 10
# What is dropped is asked of GitHub again.
_ISSUES_KEPT = 1_000

_IssueT = TypeVar("_IssueT", bound=LabelledIssue)
_IssueKey = tuple[RepositoryId, IssueNumber]


class IssueSnapshots(Frozen):
    specs: dict[IssueNumber, SpecIssueSnapshot | None]
    works: dict[IssueNumber, WorkIssueSnapshot | None]


class IssueObserver:
    """Looks for one process; an issue that has not changed is not looked at again."""

    def __init__(self, ports: Ports) -> None:
        self._ports = ports
        self._specs: Recent[_IssueKey, tuple[Issue, SpecIssueSnapshot]] = Recent(_ISSUES_KEPT)
        self._works: Recent[_IssueKey, tuple[Issue, WorkIssueSnapshot]] = Recent(_ISSUES_KEPT)

    def look(self, facts: RepositoryFacts, state: RepositoryState, looks: Looks) -> IssueSnapshots:
        """The issues that are asked about; where all are, those with one of the labels."""
        forge = self._ports.forge
        specs, works = set(looks.spec_issues), set(looks.work_issues)
        found: dict[IssueNumber, Issue | None] = {}
        if looks.is_full:
            for label, wanted in ((LABEL, specs), (dialogue_text.LABEL, works)):
                labelled = {i.number: i for i in forge.labelled_issues(facts, label)}
                found |= labelled
                wanted |= set(labelled)
            specs |= {n for n, s in state.spec_issues.items() if not s.is_withdrawn}
            works |= {n for n, d in state.dialogues.items() if d.ending is None}
        for number in (specs | works) - set(found):
            found[number] = forge.issue(facts, number)
        own = {run.issue for run in state.spec_runs.values()}
        theirs = {
            n: i
            for n, i in found.items()
            if n not in own and (i is None or i.author_id != facts.bot_id)
        }
        return IssueSnapshots(
            specs={n: self._spec_snapshot(facts, i) for n, i in theirs.items() if n in specs},
            works={n: self._work_snapshot(facts, i) for n, i in theirs.items() if n in works},
        )

    def _spec_snapshot(
        self, facts: RepositoryFacts, issue: Issue | None
    ) -> SpecIssueSnapshot | None:
        if issue is None or issue.is_pull:
            return None
        key = (facts.id, issue.number)
        seen = self._specs.get(key)
        if seen is not None and seen[0] == issue:
            return seen[1]
        snapshot = self._labelled(SpecIssueSnapshot, facts, issue, LABEL)
        if self._is_settled(issue):
            self._specs.put(key, (issue, snapshot))
        return snapshot

    def _work_snapshot(
        self, facts: RepositoryFacts, issue: Issue | None
    ) -> WorkIssueSnapshot | None:
        if issue is None or issue.is_pull:
            return None
        key = (facts.id, issue.number)
        seen = self._works.get(key)
        if seen is not None and seen[0] == issue:
            return seen[1]
        snapshot = self._labelled(WorkIssueSnapshot, facts, issue, dialogue_text.LABEL)
        snapshot = snapshot.replace(is_spec=LABEL in issue.labels)
        if snapshot.is_wanted and snapshot.role.covers(Role.WRITE):
            remarks = self._remarks(facts, issue.number)
            snapshot = snapshot.replace(remarks=remarks)
        if self._is_settled(issue):
            self._works.put(key, (issue, snapshot))
        return snapshot

    def _labelled(
        self, kind: type[_IssueT], facts: RepositoryFacts, issue: Issue, label: str
    ) -> _IssueT:
        """The issue, with who put the label on it and what they may do here now."""
        forge = self._ports.forge
        by = forge.labelling(facts, issue.number, label) if label in issue.labels else None
        return kind(
            number=issue.number,
            title=issue.title,
            body=issue.body,
            author=issue.author,
            author_id=issue.author_id,
            is_open=issue.state is IssueState.OPEN,
            is_labelled=label in issue.labels,
            labelling=by.id if by else 0,
            labelled_by=by.by if by else "",
            role=forge.role(facts, by.by) if by else Role.NONE,
        )

    def _is_settled(self, issue: Issue) -> bool:
        return self._ports.clock.now() > issue.updated_at + _SETTLED

    def _remarks(self, facts: RepositoryFacts, number: IssueNumber) -> tuple[Remark, ...]:
        """What people who may write here said below the issue, commands left out, oldest first."""
        said = [
            c
            for c in self._ports.forge.issue_comments(facts, number)
            if c.author_is_person and not read_commands(c.body)
        ][-_REMARKS_MAX:]
        may = self._who_may_write(facts, said)
        return tuple(
            Remark(author=c.author, text=c.body[:_REMARK_CHARACTERS_MAX])
            for c in said
            if c.author in may
        )

    def _who_may_write(self, facts: RepositoryFacts, said: Sequence[Comment]) -> set[str]:
        authors = list(dict.fromkeys(c.author for c in reversed(said)))[:_AUTHORS_MAX]
        role = self._ports.forge.role
        return {author for author in authors if role(facts, author).covers(Role.WRITE)}


def ticked_steps(
    ports: Ports, facts: RepositoryFacts, looks: Looks
) -> dict[IssueNumber, tuple[str, ...]]:
    """What people have ticked in the lists of what they do by hand."""
    issues = {number: ports.forge.issue(facts, number) for number in looks.steps}
    return {number: ticked_in(issue.body) for number, issue in issues.items() if issue is not None}
