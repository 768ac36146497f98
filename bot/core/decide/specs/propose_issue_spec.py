"""A spec that somebody writes as an issue: committed on a branch and proposed as a pull.

The label counts if the person who set it now has the role write. While the label is set, the issue
is the source of the text; after the merge the file is a spec like any other.
"""

from bot.core.decide.decision import Decision
from bot.core.journal.effects import ProposeSpec, WithdrawSpec
from bot.core.journal.events import DialogueEnding
from bot.core.journal.state import SpecIssue, spec_issue_of
from bot.core.spec.issue_text import IssueSpec, path_for, spec_of_issue
from bot.core.state.observed import SpecIssueSnapshot
from bot.core.talk import spec_issue
from bot.core.values.ids import IssueNumber
from bot.core.values.repository import Role


def next_steps(decision: Decision) -> None:
    for number, snapshot in decision.observed.spec_issues.items():
        if _belongs_to_dialogue(decision, number):
            continue
        known = spec_issue_of(decision.state, number)
        if snapshot is not None and snapshot.is_wanted:
            _offer(decision, snapshot, known)
        elif known is not None and not known.is_withdrawn:
            decision.intend(WithdrawSpec(issue=number, pull=known.pull, round=known.round))
            is_open = snapshot is not None and snapshot.is_open
            if is_open:
                _comment(
                    decision, number, f"withdrawn {known.round}", spec_issue.withdrawn(known.pull)
                )
    for number, spec in decision.state.spec_issues.items():
        if not spec.is_withdrawn and not _belongs_to_dialogue(decision, number):
            _comment(
                decision, number, f"offered {spec.pull}", spec_issue.offered(spec.pull, spec.path)
            )


def _offer(decision: Decision, snapshot: SpecIssueSnapshot, known: SpecIssue | None) -> None:
    if not snapshot.role.covers(Role.WRITE):
        text = spec_issue.label_needs_role(snapshot.labelled_by, snapshot.role)
        _comment(decision, snapshot.number, f"label by {snapshot.labelled_by}", text)
        return
    main, facts = decision.state.main, decision.state.facts
    read = spec_of_issue(snapshot.title, snapshot.body)
    is_proposed = known is not None and not known.is_withdrawn and known.digest == read.digest
    if is_proposed or main is None or facts is None or is_being_proposed(decision, snapshot.number):
        return
    path = path_of(decision, snapshot.number, snapshot.title)
    if _is_on_main(decision, path, read):
        _comment(decision, snapshot.number, f"on main {read.digest}", spec_issue.on_main(path))
        return
    proposed = decision.intend(
        ProposeSpec(
            issue=snapshot.number,
            round=known.round + 1 if known else 1,
            base=main,
            branch=f"headgate/specs/{snapshot.number}",
            path=path,
            text=read.text,
            digest=read.digest,
            title=spec_issue.pull_title(snapshot.title),
            body=spec_issue.pull_body(snapshot, path, read),
            message=spec_issue.commit_message(snapshot, path, facts),
            at=decision.now,
        )
    )
    if proposed:
        _comment_on_hidden_text(decision, snapshot.number, read)


def _is_on_main(decision: Decision, path: str, read: IssueSpec) -> bool:
    """Whether main's file is equal to the text of the issue: then a pull would be empty."""
    main = decision.observed.main
    there = main.specs if main is not None else decision.state.spec_versions
    return there.get(path) == read.blob


def is_being_proposed(decision: Decision, issue: IssueNumber) -> bool:
    """Whether an effect that opens or updates the issue's pull is open."""
    return any(
        isinstance(e, ProposeSpec) and e.issue == issue
        for e in decision.state.open_effects.values()
    )


def _belongs_to_dialogue(decision: Decision, issue: IssueNumber) -> bool:
    """Whether the issue's pull belongs to a dialogue, which opens and closes it."""
    dialogue = decision.state.dialogues.get(issue)
    known = decision.state.spec_issues.get(issue)
    if dialogue is None or dialogue.ending is DialogueEnding.IS_SPEC:
        return False
    return dialogue.is_open or (known is not None and known.round == dialogue.proposal)


def path_of(decision: Decision, issue: IssueNumber, title: str) -> str:
    """The file for an issue's spec: the path that was announced before, or else a free one."""
    before = spec_issue_of(decision.state, issue)
    if before is not None:
        return before.path
    folders = [w for w in decision.policy.file.watch if w.endswith("/") and "*" not in w]
    folder = "specs/" if "specs/" in folders or not folders else folders[0]
    there = {p for p, version in decision.state.spec_versions.items() if version}
    promised = {s.path for s in decision.state.spec_issues.values()}
    promised |= decision.state.retired_issues.paths()
    return path_for(title, issue, folder, frozenset(there | promised))


def _comment_on_hidden_text(decision: Decision, issue: IssueNumber, read: IssueSpec) -> None:
    if read.hidden or read.comments:
        _comment(decision, issue, f"hidden {read.digest}", spec_issue.left_out(read))


def _comment(decision: Decision, issue: IssueNumber, subject: str, text: str) -> None:
    decision.comment_once(issue, f"spec issue {issue} {subject}", text)
