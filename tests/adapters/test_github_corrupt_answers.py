"""Answers that are cut off, pages of a proxy with 200, lists of a replica that is behind."""

import pytest

from bot.core.values.ids import IssueNumber
from bot.localhub.faults import Fault, FaultKind
from bot.ports import Retryable
from tests.adapters.hub_stage import HubStage, long_ago

SPOILT = [FaultKind.TRUNCATE, FaultKind.PAGE]


def _comments(stage: HubStage, issue: IssueNumber) -> list[str]:
    return [one.body for one in stage.forge.issue_comments(stage.facts, issue)]


@pytest.mark.parametrize("kind", SPOILT)
def test_a_spoilt_read_is_retryable_and_not_cached(stage: HubStage, kind: FaultKind) -> None:
    issue = stage.forge.open_issue(stage.facts, "First", "", ())
    stage.hub.faults.add(Fault(kind=kind, method="GET", path_glob="*/issues*", times=2))
    with pytest.raises(Retryable):
        stage.forge.issues_by_us(stage.facts, long_ago())
    with pytest.raises(Retryable):
        stage.forge.issue(stage.facts, issue.number)
    assert stage.forge.issues_by_us(stage.facts, long_ago()) == (issue,)


@pytest.mark.parametrize("kind", SPOILT)
def test_a_write_with_a_spoilt_answer_may_have_been_done(stage: HubStage, kind: FaultKind) -> None:
    forge, facts = stage.forge, stage.facts
    issue = forge.open_issue(facts, "First", "", ()).number
    stage.hub.faults.add(Fault(kind=kind, method="POST", path_glob="*/comments"))
    with pytest.raises(Retryable):
        forge.comment_on_issue(facts, issue, "Once")
    assert _comments(stage, issue) == (["Once"] if kind is FaultKind.TRUNCATE else [])


@pytest.mark.parametrize("kind", SPOILT)
def test_an_edit_with_a_spoilt_unused_response_fails(stage: HubStage, kind: FaultKind) -> None:
    forge, facts = stage.forge, stage.facts
    issue = forge.open_issue(facts, "First", "", ()).number
    forge.comment_on_issue(facts, issue, "One")
    (comment,) = forge.issue_comments(facts, issue)
    stage.hub.faults.add(Fault(kind=kind, method="PATCH", path_glob="*/comments/*"))
    with pytest.raises(Retryable):
        forge.edit_comment(facts, comment.id, "Two")


def test_a_list_may_lag_behind_a_creation(stage: HubStage) -> None:
    issue = stage.forge.open_issue(stage.facts, "First", "", ())
    fault = Fault(kind=FaultKind.LAG, method="GET", path_glob="*/issues", delay_seconds=60)
    stage.hub.faults.add(fault)
    assert stage.forge.issues_by_us(stage.facts, long_ago()) == ()
    assert stage.forge.issues_by_us(stage.facts, long_ago()) == (issue,)
