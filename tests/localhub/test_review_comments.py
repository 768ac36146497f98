"""Comments of reviews: at lines that the diff shows, and nowhere else."""

import pytest
from github import GithubException
from github.PullRequest import PullRequest

from tests.localhub.kit import Box, at
from tests.localhub.test_pulls import branch_with


def _pull(box: Box, text: str = "one\ntwo\n") -> PullRequest:
    repository = box.as_app().get_repo("octo/demo")
    branch_with(repository, "topic", "shop.py", text)
    return repository.create_pull("main", "topic", title="Topic", body="")


def _as_person(box: Box, pull: PullRequest) -> PullRequest:
    return box.as_user().get_repo("octo/demo").get_pull(pull.number)


def test_a_comment_at_a_line_is_listed_shown_reacted_to_and_sent_as_webhook(box: Box) -> None:
    pull = _pull(box)
    person = _as_person(box, pull)
    commit = box.as_user().get_repo("octo/demo").get_commit(pull.head.sha)

    comment = person.create_review_comment("Why two?", commit, "shop.py", line=2, side="RIGHT")

    assert [held.id for held in pull.get_review_comments()] == [comment.id]
    repository = box.as_app().get_repo("octo/demo")
    (listed,) = repository.get_pulls_review_comments(sort="updated", direction="asc")
    assert (listed.path, listed.raw_data["line"]) == ("shop.py", 2)
    assert listed.diff_hunk.endswith("+two")
    pull.get_review_comment(comment.id).create_reaction("rocket")
    assert [held.content for held in pull.get_review_comment(comment.id).get_reactions()] == [
        "rocket"
    ]
    pull.update()
    assert pull.review_comments == 1
    # It makes a review of its own.
    assert [review.state for review in pull.get_reviews()] == ["COMMENTED"]
    box.settle()
    (event,) = box.receiver.payloads("pull_request_review_comment.created")
    assert at(event, "comment", "line") == 2
    assert at(event, "pull_request", "number") == pull.number
    assert box.receiver.names().count("pull_request_review.submitted") == 1


def test_a_comment_is_outdated_once_the_file_changed(box: Box) -> None:
    pull = _pull(box)
    commit = box.as_user().get_repo("octo/demo").get_commit(pull.head.sha)
    comment = _as_person(box, pull).create_review_comment("Why?", commit, "shop.py", line=1)
    repository = box.as_app().get_repo("octo/demo")
    held = repository.get_contents("shop.py", ref="topic")
    assert not isinstance(held, list)

    repository.update_file("shop.py", "Again", "three\n", held.sha, branch="topic")

    seen = pull.get_review_comment(comment.id).raw_data
    assert (seen["line"], seen["position"], seen["original_line"]) == (None, None, 1)
    assert seen["commit_id"] == seen["original_commit_id"] == commit.sha


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"line": 3}, "line"),
        ({"line": 1, "side": "LEFT"}, "line"),
        ({"path": "other.py"}, "path"),
        ({"commit_id": "0" * 40}, "commit_id"),
    ],
)
def test_lines_outside_the_diff_cannot_be_commented_on(
    box: Box, changed: dict[str, object], field: str
) -> None:
    pull = _pull(box)
    place = {"path": "shop.py", "line": 1, "side": "RIGHT", "commit_id": pull.head.sha}
    with box.rest(box.user_token) as client:
        path = f"/repos/octo/demo/pulls/{pull.number}/comments"
        refused = client.post(path, json={"body": "Why?", **place, **changed})
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["field"] == f"pull_request_review_thread.{field}"


def test_a_whole_file_can_be_commented_on(box: Box) -> None:
    pull = _pull(box)
    place = {"path": "shop.py", "subject_type": "file", "commit_id": pull.head.sha}
    with box.rest(box.user_token) as client:
        path = f"/repos/octo/demo/pulls/{pull.number}/comments"
        shown = client.post(path, json={"body": "Why?", **place}).json()
    assert (shown["subject_type"], shown["line"]) == ("file", None)


def test_unknown_comments_and_reactions_are_refused(box: Box) -> None:
    pull = _pull(box)
    with pytest.raises(GithubException) as missing:
        pull.get_review_comment(4_321)
    assert missing.value.status == 404
