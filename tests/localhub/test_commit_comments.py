"""Comments on commits."""

from tests.localhub.kit import Box, at


def test_a_commit_comment_is_listed_shown_and_sent_as_webhook(box: Box) -> None:
    repository = box.as_app().get_repo("octo/demo")
    commit = repository.get_commit("main")

    comment = commit.create_comment("Landed **out of turn**.", path="README.md", position=1)

    assert [held.id for held in commit.get_comments()] == [comment.id]
    assert repository.get_comment(comment.id).body == "Landed **out of turn**."
    commit.update()
    assert commit.commit.comment_count == 1
    with box.rest() as client:
        page = client.get(comment.html_url.removeprefix(box.url)).text
    assert f'id="commitcomment-{comment.id}"' in page
    assert "<strong>out of turn</strong>" in page
    box.settle()
    (payload,) = box.receiver.payloads("commit_comment.created")
    assert at(payload, "comment", "commit_id") == commit.sha


def test_author_and_writers_can_edit_and_delete_a_commit_comment(box: Box) -> None:
    box.hub.add_user("eve")
    box.hub.add_collaborator("octo/demo", "eve")
    by_app = box.as_app().get_repo("octo/demo").get_commit("main").create_comment("By the App")
    held = box.as_user().get_repo("octo/demo").get_comment(by_app.id)
    held.edit("Corrected by the owner")
    assert by_app.update()
    assert by_app.body == "Corrected by the owner"
    held.delete()
    with box.rest(box.user_token) as client:
        assert client.get(f"/repos/octo/demo/comments/{by_app.id}").status_code == 404


def test_commenting_on_an_unknown_commit_is_refused(box: Box) -> None:
    with box.rest(box.user_token) as client:
        place = f"/repos/octo/demo/commits/{'0' * 40}/comments"
        assert client.post(place, json={"body": "Hello?"}).status_code == 422
        blank = client.post("/repos/octo/demo/commits/main/comments", json={"body": " "})
        assert blank.status_code == 422
    with box.rest() as nobody:
        refused = nobody.post("/repos/octo/demo/commits/main/comments", json={"body": "x"})
        assert refused.status_code == 404
