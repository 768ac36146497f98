"""The description of earlier attempts matches the tree that an agent gets."""

import pytest

from action.agents.prompt import task_prompt
from action.order import RetryContext, RetryReason
from tests.action.test_harness_parts import order

WORK = "`git diff HEAD~1` shows that work"
MAIN = "holds nothing of the attempts before it"
REFUSED = "was refused as a whole, and is not in the tree"
UNFINISHED = "The last attempt ended before its work was finished"

R = RetryReason


@pytest.mark.parametrize(
    ("reason", "has_work", "said"),
    [
        (R.AGENT_ENDED, True, {WORK, UNFINISHED}),
        (R.AGENT_ENDED, False, {MAIN}),
        (R.BUNDLE_REFUSED, True, {WORK, REFUSED}),
        (R.BUNDLE_REFUSED, False, {MAIN, REFUSED}),
        (R.GATES_FAILED, True, {WORK}),
        (R.CONFLICT, True, {WORK}),
        (R.ASKED, False, {MAIN}),
        (R.ASKED, True, {WORK}),
    ],
)
def test_the_retry_prompt_describes_the_tree_correctly(
    reason: RetryReason, has_work: bool, said: set[str]
) -> None:
    retry = RetryContext(reason=reason, sentence="The agent has used all of its 60 turns.")

    text = task_prompt(order(retry=retry, start_sha="s" if has_work else "b"))

    assert {one for one in (WORK, MAIN, REFUSED, UNFINISHED) if one in text} == said
    assert "The agent has used all of its 60 turns." in text


def test_refused_files_are_not_called_a_conflict() -> None:
    retry = RetryContext(
        reason=R.BUNDLE_REFUSED, sentence="It is protected.", refused_files=("ci.yml",)
    )

    text = task_prompt(order(retry=retry))

    assert "Files that were refused:\n- ci.yml\n" in text
    assert "conflict" not in text
