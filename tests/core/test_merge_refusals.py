"""What people read if GitHub refuses a merge for a reason that Headgate could not see before."""

from collections.abc import Callable

import pytest

from bot.core.talk.merge_text import merge_refused, not_queued
from bot.core.values.ids import PullNumber

SEVEN = PullNumber(7)


@pytest.mark.parametrize("say", [merge_refused, not_queued])
@pytest.mark.parametrize(
    ("words", "mend"),
    [
        (
            "A conversation must be resolved before this pull request can be merged.",
            "conversations",
        ),
        ("Pull request All comments must be resolved.", "Resolve the conversations"),
        (
            "At least 1 approving review is required by reviewers with write access.",
            "Ask for a review",
        ),
        ('Required status check "build" is expected.', "green on the pull request's head"),
        ("Pull Request is not mergeable", "Resolve the conflicts"),
        ("Something new", "Correct what GitHub names"),
    ],
)
def test_a_refusal_has_githubs_words_and_the_next_step(
    say: Callable[[PullNumber, str], str], words: str, mend: str
) -> None:
    said = say(SEVEN, words)

    assert "#7" in said
    assert words.rstrip(".") in said
    assert mend in said
    assert said.endswith("Headgate tries again in a few minutes.")


def test_a_merge_queue_rule_does_not_prevent_queueing_a_pull() -> None:
    words = "Changes must be made through the merge queue"

    assert "Remove its rule" in merge_refused(SEVEN, words)
    assert "Remove its rule" not in not_queued(SEVEN, words)
