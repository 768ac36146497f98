"""Checks and statuses: created by Apps only, bound to a commit, limited, requested again."""

from datetime import timedelta

import pytest
from github import GithubException

from tests.localhub.kit import ALL_EVENTS, ALL_PERMISSIONS, Box, at


def head(box: Box) -> str:
    """Main's commit."""
    return box.hub.repository("octo/demo").refs["refs/heads/main"]


def test_a_check_run_goes_from_queued_to_its_conclusion(box: Box) -> None:
    repository = box.as_app().get_repo("octo/demo")
    run = repository.create_check_run(
        "headgate/verdict", head(box), status="queued", external_id="order-1"
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
    listed = repository.get_commit(head(box)).get_check_runs(check_name="headgate/verdict")
    assert [one.id for one in listed] == [run.id]
    box.settle()
    assert box.receiver.names() == [
        "check_run.created",
        "check_run.completed",
        "check_suite.completed",
    ]


def test_a_completed_check_run_keeps_its_conclusion(box: Box) -> None:
    repository = box.as_app().get_repo("octo/demo")
    run = repository.create_check_run("gate", head(box), conclusion="failure")
    run.edit(status="in_progress", output={"title": "Again", "summary": "It runs once more."})
    run.edit(conclusion="success")
    shown = repository.get_check_run(run.id)
    assert (shown.status, shown.conclusion) == ("completed", "failure")
    assert shown.output.title == "Again"


def test_the_latest_check_run_of_a_name_counts(box: Box) -> None:
    repository = box.as_app().get_repo("octo/demo")
    repository.create_check_run("gate", head(box), conclusion="failure")
    newer = repository.create_check_run("gate", head(box), conclusion="success")
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
def test_a_check_run_above_githubs_limits_is_refused(box: Box, body: dict[str, object]) -> None:
    filled = {key: head(box) if value == "HEAD_SHA" else value for key, value in body.items()}
    with box.rest(box.installation_token()) as client:
        assert client.post("/repos/octo/demo/check-runs", json=filled).status_code == 422


def test_a_request_may_add_fifty_annotations_and_updates_append(box: Box) -> None:
    note = {
        "path": "README.md",
        "start_line": 1,
        "end_line": 1,
        "annotation_level": "notice",
        "message": "m",
    }
    with box.rest(box.installation_token()) as client:
        root = "/repos/octo/demo/check-runs"
        output = {"title": "t", "summary": "s", "annotations": [note] * 51}
        body = {"name": "gate", "head_sha": head(box), "output": output}
        assert client.post(root, json=body).status_code == 422
        output["annotations"] = [note] * 50
        run_id = client.post(root, json=body).json()["id"]
        client.patch(f"{root}/{run_id}", json={"output": output})
        shown = client.get(f"{root}/{run_id}").json()
    assert shown["output"]["annotations_count"] == 100


def test_only_apps_create_check_runs_and_change_only_their_own(box: Box) -> None:
    with pytest.raises(GithubException) as person:
        box.as_user().get_repo("octo/demo").create_check_run("gate", head(box))
    assert person.value.status == 403
    run = box.as_app().get_repo("octo/demo").create_check_run("gate", head(box))
    other = box.hub.register_app("Other", None, "", ALL_PERMISSIONS, ALL_EVENTS)
    box.installation_id = box.hub.install_app(other.app_id, "octo", ["octo/demo"])
    with pytest.raises(GithubException, match="can only be modified by") as app:
        box.as_app().get_repo("octo/demo").get_check_run(run.id).edit(conclusion="success")
    assert app.value.status == 403


def test_a_person_can_rerequest_a_check_and_press_its_button(box: Box) -> None:
    run = (
        box.as_app()
        .get_repo("octo/demo")
        .create_check_run(
            "gate",
            head(box),
            conclusion="failure",
            actions=[{"label": "Retry", "description": "Try again", "identifier": "retry"}],
        )
    )
    with box.rest(box.user_token) as client:
        again = client.post(f"/repos/octo/demo/check-runs/{run.id}/rerequest")
    assert again.status_code == 201
    held = box.hub.repository("octo/demo").check_runs[run.id]
    box.hub.checks.request_action(held, "retry", box.hub.account("octo"))
    box.settle()
    assert box.receiver.names()[-2:] == ["check_run.rerequested", "check_run.requested_action"]
    (pressed,) = box.receiver.payloads("check_run.requested_action")
    assert at(pressed, "requested_action", "identifier") == "retry"
    assert at(pressed, "sender", "login") == "octo"


def test_statuses_combine_by_context(box: Box) -> None:
    commit = box.as_app().get_repo("octo/demo").get_commit(head(box))
    commit.create_status("pending", context="a")
    commit.create_status("success", context="a", description="fine")
    commit.create_status("failure", context="b")
    combined = commit.get_combined_status()
    assert (combined.state, combined.total_count) == ("failure", 2)
    with pytest.raises(GithubException):
        commit.create_status("success", description="x" * 141)


def test_an_incomplete_check_is_stale_after_fourteen_days(box: Box) -> None:
    app = box.as_app().get_repo("octo/demo")
    main = app.get_branch("main").commit.sha
    run = app.create_check_run("gate", main, status="in_progress")
    done = app.create_check_run("other", main, conclusion="success")

    box.hub.state.drift += timedelta(days=13, hours=23)
    as_later = box.as_app().get_repo("octo/demo")
    assert as_later.get_check_run(run.id).status == "in_progress"

    box.hub.state.drift += timedelta(hours=2)
    at_last = box.as_app().get_repo("octo/demo")
    stale = at_last.get_check_run(run.id)
    assert (stale.status, stale.conclusion) == ("completed", "stale")
    (suite,) = at_last.get_commit(main).get_check_suites()
    assert suite.conclusion == "stale"
    assert at_last.get_check_run(done.id).conclusion == "success"
