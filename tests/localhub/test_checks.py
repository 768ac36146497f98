"""Stories of checks and statuses: made by Apps only, bound to a commit, limited, asked for again."""

from datetime import timedelta

import pytest
from github import GithubException

from tests.localhub.kit import ALL_EVENTS, ALL_PERMISSIONS, Stage, at


def head(scene: Stage) -> str:
    """Main's commit."""
    return scene.hub.repository("octo/demo").refs["refs/heads/main"]


def test_a_check_run_goes_from_queued_to_its_conclusion(scene: Stage) -> None:
    repository = scene.as_app().get_repo("octo/demo")
    run = repository.create_check_run(
        "headgate/verdict", head(scene), status="queued", external_id="order-1"
    )
    run.edit(status="in_progress", output={"title": "Judging", "summary": "3 of 5"})
    run.edit(
        conclusion="failure",
        output={
            "title": "Refused",
            "summary": "One gate failed.",
            "annotations": [
                {
                    "path": "README.md",
                    "start_line": 1,
                    "end_line": 1,
                    "annotation_level": "failure",
                    "message": "No.",
                }
            ],
        },
    )
    shown = repository.get_check_run(run.id)
    assert (shown.status, shown.conclusion, shown.external_id) == (
        "completed",
        "failure",
        "order-1",
    )
    assert [note.message for note in shown.get_annotations()] == ["No."]
    listed = repository.get_commit(head(scene)).get_check_runs(check_name="headgate/verdict")
    assert [one.id for one in listed] == [run.id]
    scene.settle()
    assert scene.receiver.names() == [
        "check_run.created",
        "check_run.completed",
        "check_suite.completed",
    ]


def test_the_latest_of_a_name_stands_for_the_others(scene: Stage) -> None:
    repository = scene.as_app().get_repo("octo/demo")
    repository.create_check_run("gate", head(scene), conclusion="failure")
    newer = repository.create_check_run("gate", head(scene), conclusion="success")
    commit = repository.get_commit("main")
    assert [run.id for run in commit.get_check_runs()] == [newer.id]
    assert commit.get_check_runs(filter="all").totalCount == 2


@pytest.mark.parametrize(
    "body",
    [
        {"name": "gate"},
        {"head_sha": "HEAD_SHA"},
        {"name": "gate", "head_sha": "0" * 40},
        {"name": "gate", "head_sha": "HEAD_SHA", "status": "completed"},
        {"name": "gate", "head_sha": "HEAD_SHA", "conclusion": "stale"},
        {"name": "gate", "head_sha": "HEAD_SHA", "output": {"title": "t"}},
        {"name": "g", "head_sha": "HEAD_SHA", "output": {"title": "t", "summary": "x" * 65_536}},
        {
            "name": "gate",
            "head_sha": "HEAD_SHA",
            "actions": [{"label": "x" * 21, "description": "d", "identifier": "i"}],
        },
    ],
)
def test_a_check_run_over_githubs_limits_is_refused(scene: Stage, body: dict[str, object]) -> None:
    filled = {key: head(scene) if value == "HEAD_SHA" else value for key, value in body.items()}
    with scene.rest(scene.installation_token()) as client:
        assert client.post("/repos/octo/demo/check-runs", json=filled).status_code == 422


def test_only_fifty_annotations_travel_at_once_and_updates_append(scene: Stage) -> None:
    note = {
        "path": "README.md",
        "start_line": 1,
        "end_line": 1,
        "annotation_level": "notice",
        "message": "m",
    }
    with scene.rest(scene.installation_token()) as client:
        root = "/repos/octo/demo/check-runs"
        output = {"title": "t", "summary": "s", "annotations": [note] * 51}
        body = {"name": "gate", "head_sha": head(scene), "output": output}
        assert client.post(root, json=body).status_code == 422
        output["annotations"] = [note] * 50
        run_id = client.post(root, json=body).json()["id"]
        client.patch(f"{root}/{run_id}", json={"output": output})
        shown = client.get(f"{root}/{run_id}").json()
    assert shown["output"]["annotations_count"] == 100


def test_people_make_no_check_runs_and_apps_change_only_their_own(scene: Stage) -> None:
    with pytest.raises(GithubException) as person:
        scene.as_user().get_repo("octo/demo").create_check_run("gate", head(scene))
    assert person.value.status == 403
    run = scene.as_app().get_repo("octo/demo").create_check_run("gate", head(scene))
    other = scene.hub.register_app("Other", None, "", ALL_PERMISSIONS, ALL_EVENTS)
    scene.installation_id = scene.hub.install_app(other.app_id, "octo", ["octo/demo"])
    with pytest.raises(GithubException, match="can only be modified by") as app:
        scene.as_app().get_repo("octo/demo").get_check_run(run.id).edit(conclusion="success")
    assert app.value.status == 403


def test_a_person_asks_for_a_check_again_and_presses_its_button(scene: Stage) -> None:
    run = (
        scene.as_app()
        .get_repo("octo/demo")
        .create_check_run(
            "gate",
            head(scene),
            conclusion="failure",
            actions=[{"label": "Retry", "description": "Try again", "identifier": "retry"}],
        )
    )
    with scene.rest(scene.user_token) as client:
        again = client.post(f"/repos/octo/demo/check-runs/{run.id}/rerequest")
    assert again.status_code == 201
    held = scene.hub.repository("octo/demo").check_runs[run.id]
    scene.hub.checks.request_action(held, "retry", scene.hub.account("octo"))
    scene.settle()
    assert scene.receiver.names()[-2:] == ["check_run.rerequested", "check_run.requested_action"]
    (pressed,) = scene.receiver.payloads("check_run.requested_action")
    assert at(pressed, "requested_action", "identifier") == "retry"
    assert at(pressed, "sender", "login") == "octo"


def test_statuses_combine_by_context(scene: Stage) -> None:
    commit = scene.as_app().get_repo("octo/demo").get_commit(head(scene))
    commit.create_status("pending", context="a")
    commit.create_status("success", context="a", description="fine")
    commit.create_status("failure", context="b")
    combined = commit.get_combined_status()
    assert (combined.state, combined.total_count) == ("failure", 2)
    with pytest.raises(GithubException):
        commit.create_status("success", description="x" * 141)


def test_a_check_that_nobody_ends_is_stale_after_a_fortnight(scene: Stage) -> None:
    app = scene.as_app().get_repo("octo/demo")
    main = app.get_branch("main").commit.sha
    run = app.create_check_run("gate", main, status="in_progress")
    done = app.create_check_run("other", main, conclusion="success")

    scene.hub.state.drift += timedelta(days=13, hours=23)
    as_later = scene.as_app().get_repo("octo/demo")
    assert as_later.get_check_run(run.id).status == "in_progress"

    scene.hub.state.drift += timedelta(hours=2)
    at_last = scene.as_app().get_repo("octo/demo")
    stale = at_last.get_check_run(run.id)
    assert (stale.status, stale.conclusion) == ("completed", "stale")
    (suite,) = at_last.get_commit(main).get_check_suites()
    assert suite.conclusion == "stale"
    assert at_last.get_check_run(done.id).conclusion == "success"
