"""Events from outside GitHub: they start workflows of the default branch by their type."""

import base64

import httpx
import pytest

from bot.localhub.faults import Fault, FaultKind
from tests.localhub.kit import ALL_PERMISSIONS, SECRET, Box, at, wait_for

PATH = "/repos/octo/demo/dispatches"
FOLDER = ".github/workflows"
RELEASED = {"event_type": "released", "client_payload": {"version": {"major": 2}}}


def workflow(triggers: str) -> bytes:
    jobs = "jobs:\n  one:\n    runs-on: [self-hosted]\n    steps: [{run: echo one}]\n"
    return f"run-name: ${{{{ github.event.client_payload.version.major }}}}\n{triggers}\n{jobs}".encode()


def send(box: Box, body: object, token: str = "") -> httpx.Response:
    with box.rest(token or box.user_token) as client:
        return client.post(PATH, json=body)


def runs(box: Box) -> list[dict[str, object]]:
    with box.rest(box.user_token) as client:
        found: list[dict[str, object]] = client.get("/repos/octo/demo/actions/runs").json()[
            "workflow_runs"
        ]
    return found


def test_an_event_starts_the_workflows_of_main_that_listen_for_its_type(box: Box) -> None:
    box.hub.commit_files(
        "octo/demo",
        {
            f"{FOLDER}/any.yml": workflow("on: repository_dispatch"),
            f"{FOLDER}/good.yml": workflow("on: {repository_dispatch: {types: [tried, released]}}"),
            f"{FOLDER}/other.yml": workflow("on: {repository_dispatch: {types: tried}}"),
            f"{FOLDER}/hand.yml": workflow("on: workflow_dispatch"),
        },
        "Wait for events",
    )
    with box.rest(box.user_token) as client:
        tip = client.get("/repos/octo/demo/git/ref/heads/main").json()["object"]["sha"]
        client.post("/repos/octo/demo/git/refs", json={"ref": "refs/heads/side", "sha": tip})
        content = base64.b64encode(workflow("on: repository_dispatch")).decode()
        file = {"message": "On a branch", "content": content, "branch": "side"}
        put = client.put(f"/repos/octo/demo/contents/{FOLDER}/side.yml", json=file)
        assert put.status_code == 201
    answer = send(box, RELEASED, box.installation_token(contents="write"))
    assert (answer.status_code, answer.content) == (204, b"")
    found = runs(box)
    assert {one["path"] for one in found} == {f"{FOLDER}/any.yml", f"{FOLDER}/good.yml"}
    assert {(one["event"], one["head_branch"], one["head_sha"]) for one in found} == {
        ("repository_dispatch", "main", tip)
    }
    assert {one["display_title"] for one in found} == {"2"}


def test_a_subscribed_app_gets_the_dispatch_webhook(box: Box) -> None:
    app = box.hub.register_app(
        "Ear", box.receiver.url, SECRET, ALL_PERMISSIONS, ["repository_dispatch"]
    )
    box.hub.install_app(app.app_id, "octo", ["octo/demo"])
    assert send(box, RELEASED).status_code == 204
    assert send(box, {"event_type": "bare"}).status_code == 204
    wait_for(lambda: bool(box.receiver.payloads("repository_dispatch.bare")))
    (told,) = box.receiver.payloads("repository_dispatch.released")
    assert (told["branch"], told["client_payload"]) == ("main", RELEASED["client_payload"])
    assert at(told, "sender", "login") == "octo"


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({}, '"event_type" wasn\'t supplied.'),
        ([], '"event_type" wasn\'t supplied.'),
        ({"event_type": 1}, "value is not a string."),
        ({"event_type": ""}, "event_type has 1 to 100 characters."),
        ({"event_type": "x" * 101}, "event_type has 1 to 100 characters."),
        ({"event_type": "x", "ref": "main"}, '"ref" are not permitted keys.'),
        ({"event_type": "x", "client_payload": None}, "value is not an object."),
        ({"event_type": "x", "client_payload": []}, "value is not an object."),
        (
            {"event_type": "x", "client_payload": dict.fromkeys("abcdefghijk", 1)},
            "No more than 10 properties are allowed; 11 were supplied.",
        ),
        (
            {"event_type": "x", "client_payload": {"a": "x" * 65_536}},
            "client_payload is too large.",
        ),
    ],
)
def test_an_invalid_dispatch_is_answered_with_422(box: Box, body: object, words: str) -> None:
    answer = send(box, body)
    assert answer.status_code == 422
    assert answer.json()["message"].endswith(words)


def test_a_dispatch_at_the_limits_is_accepted(box: Box) -> None:
    body = {"event_type": "x" * 100, "client_payload": dict.fromkeys("abcdefghij", 1)}
    assert send(box, body).status_code == 204


def test_a_dispatch_requires_contents_write(box: Box) -> None:
    reader = box.installation_token(contents="read", actions="write")
    assert send(box, RELEASED, reader).status_code == 403
    assert send(box, RELEASED, box.hub.add_user("stranger")).status_code == 404


def test_a_lost_workflow_dispatch_does_not_affect_repository_dispatches(box: Box) -> None:
    both = "on: {repository_dispatch: , workflow_dispatch: }"
    box.hub.commit_files("octo/demo", {f"{FOLDER}/both.yml": workflow(both)}, "Wait")
    box.hub.faults.add(Fault(kind=FaultKind.LOSE_DISPATCH, nth=2))
    assert send(box, RELEASED).status_code == 204
    with box.rest(box.user_token) as client:
        by_hand = "/repos/octo/demo/actions/workflows/both.yml/dispatches"
        for _ in range(2):
            assert client.post(by_hand, json={"ref": "main"}).status_code == 204
        jobs = [
            client.get(f"/repos/octo/demo/actions/runs/{one['id']}/jobs").json()["total_count"]
            for one in runs(box)
        ]
    # Newest first: of those by hand, the second one never starts.
    assert jobs == [0, 1, 1]
