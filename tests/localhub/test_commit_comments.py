"""Stories of comments on commits."""

from tests.localhub.kit import Stage, at


def test_a_comment_on_a_commit_is_listed_shown_on_its_page_and_announced(scene: Stage) -> None:
    repository = scene.as_app().get_repo("octo/demo")
    commit = repository.get_commit("main")

    comment = commit.create_comment("Landed **out of turn**.", path="README.md", position=1)

    assert [held.id for held in commit.get_comments()] == [comment.id]
    assert repository.get_comment(comment.id).body == "Landed **out of turn**."
    commit.update()
    assert commit.commit.comment_count == 1
    with scene.rest() as client:
        page = client.get(comment.html_url.removeprefix(scene.url)).text
    assert f'id="commitcomment-{comment.id}"' in page
    assert "<strong>out of turn</strong>" in page
    scene.settle()
    (payload,) = scene.receiver.payloads("commit_comment.created")
    assert at(payload, "comment", "commit_id") == commit.sha


def test_a_comment_is_changed_and_deleted_by_its_author_or_who_may_write(scene: Stage) -> None:
    scene.hub.add_user("eve")
    scene.hub.add_collaborator("octo/demo", "eve")
    by_app = scene.as_app().get_repo("octo/demo").get_commit("main").create_comment("By the App")
    held = scene.as_user().get_repo("octo/demo").get_comment(by_app.id)
    held.edit("Corrected by the owner")
    assert by_app.update()
    assert by_app.body == "Corrected by the owner"
    held.delete()
    with scene.rest(scene.user_token) as client:
        assert client.get(f"/repos/octo/demo/comments/{by_app.id}").status_code == 404


def test_a_commit_that_is_not_there_cannot_be_commented_on(scene: Stage) -> None:
    with scene.rest(scene.user_token) as client:
        place = f"/repos/octo/demo/commits/{'0' * 40}/comments"
        assert client.post(place, json={"body": "Hello?"}).status_code == 422
        blank = client.post("/repos/octo/demo/commits/main/comments", json={"body": " "})
        assert blank.status_code == 422
    with scene.rest() as nobody:
        refused = nobody.post("/repos/octo/demo/commits/main/comments", json={"body": "x"})
        assert refused.status_code == 404
