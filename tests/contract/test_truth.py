"""`make truth`: localhub does not differ from itself, and a planted difference is reported."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import httpx
import pytest
from flask import Flask, Response, request

from bot.localhub.app import Extension
from bot.localhub.hub import Hub
from tests.contract.differences import difference
from tests.contract.scratch import MARK
from tests.contract.tour import Steps
from tests.contract.truth import STEPS, Asked, run
from tests.localhub.kit import Box, served_box

ROOT = Path(__file__).parents[2]
NAME = "octo/headgate-truth"


@dataclass
class Told:
    """What a run has printed, and how it ended."""

    code: int
    lines: list[object]
    words: list[str]


def told(asked: Asked, *steps: Callable[[Steps], None]) -> Told:
    """Run these steps; all of them where none is named."""
    found = Told(0, [], [])
    found.code = run(
        asked, lambda line: found.lines.append(json.loads(line)), found.words.append, steps or STEPS
    )
    return found


def asking(box: Box, repository: str = NAME, token: str | None = None, api: str = "") -> Asked:
    secret = box.user_token if token is None else token
    return Asked(repository, secret, api or box.url, pace_seconds=0)


def _forgetful(app: Flask, _hub: Hub) -> None:
    """One key of one answer is missing."""

    @app.after_request
    def forget(answer: Response) -> Response:
        if request.method == "GET" and request.path == f"/repos/{NAME}/issues/1":
            body = json.loads(answer.get_data())
            del body["reactions"]
            answer.set_data(json.dumps(body))
        return answer


@contextmanager
def other(folder: Path, *extensions: Extension) -> Iterator[Box]:
    """A localhub that stands for GitHub."""
    with served_box(folder, extensions=extensions) as box:
        box.hub.add_repository("octo", "headgate-truth")
        box.hub.commit_files(NAME, {"README.md": b"# Truth\n"}, "Begin")
        yield box


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    with other(tmp_path) as box:
        yield box


def test_localhub_does_not_differ_from_itself_and_is_left_as_it_was(box: Box) -> None:
    with box.rest(box.user_token) as client:

        def left(path: str) -> list[object]:
            found = client.get(f"/repos/{NAME}/{path}").json()
            return [(one.get("ref") or one.get("name"), one.get("object")) for one in found]

        kept = ("git/matching-refs/heads/", "git/matching-refs/tags/", "labels", "issues")
        before = [left(path) for path in kept]
        found = told(asking(box))
        assert (found.code, found.lines, found.words) == (0, [], ["No difference."])
        assert [left(path) for path in kept] == before


def test_only_the_planted_difference_is_reported(tmp_path: Path) -> None:
    with other(tmp_path, _forgetful) as box:
        found = told(asking(box), Steps.see_the_repository, Steps.write_on_issues)
    wanted = {
        "operation": "GET /repos/{owner}/{repo}/issues/{issue_number}",
        "extra": ["reactions"],
    }
    assert (found.code, found.lines) == (1, [wanted])


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"repository": "headgate-truth"}, "REPO is OWNER/NAME"),
        ({"token": ""}, "TOKEN is missing"),
        ({"token": "ghp_unknown"}, "The token is not known (401): make a new one"),
        ({"repository": "octo/truth-lost"}, "octo/truth-lost cannot be read (404 Not Found): make"),
        ({"repository": "octo/demo"}, "octo/demo may be in use"),
        ({"api": "http://github.example.org/api/v3"}, "would see the token in the clear"),
        ({"api": "http://127.0.0.1:9"}, "does not answer"),
    ],
)
def test_wrong_arguments_are_answered_with_the_next_step(
    box: Box, changed: dict[str, str], sentence: str
) -> None:
    found = told(asking(box, **changed))
    assert (found.code, found.lines) == (2, [])
    assert sentence in found.words[0]


def test_a_missing_app_permission_is_reported_with_the_request_that_needs_it(box: Box) -> None:
    own = box.hub.install_app(box.app.app_id, "octo", [NAME])
    everything = replace(box, installation_id=own).installation_token()
    found = told(asking(box, token=everything), Steps.check)
    assert (found.code, found.words) == (0, ["No difference."])
    less = replace(box, installation_id=own).installation_token(contents="write", checks="read")
    found = told(asking(box, token=less), Steps.check)
    assert (found.code, found.lines) == (0, [])
    wanted = "The token may not POST /repos/{owner}/{repo}/check-runs: give it the permission"
    assert found.words[0].startswith(wanted)
    assert "requests were sent to one side only" in found.words[1]


def test_a_repository_with_work_in_it_is_refused(box: Box) -> None:
    with box.rest(box.user_token) as client:
        client.post(f"/repos/{NAME}/issues", json={"title": "Work"})
    assert told(asking(box)).words == [
        f"{NAME} has open issues or pulls: close them, or take an empty one."
    ]


def test_an_interrupted_run_cleans_up_and_a_killed_one_is_cleaned_up_later(box: Box) -> None:
    def interrupt(steps: Steps) -> None:
        steps.bot.send("POST", f"{steps.repo}/issues", {"title": "Half"})
        raise KeyboardInterrupt

    found = told(asking(box), interrupt)
    assert (found.code, found.words[0].partition(".")[0]) == (2, "Interrupted")
    with box.rest(box.user_token) as client:
        repo = f"/repos/{NAME}"
        assert client.get(f"{repo}/issues").json() == []
        tip = client.get(f"{repo}/git/ref/heads/main").json()["object"]["sha"]
        client.post(f"{repo}/git/refs", json={"ref": f"refs/{MARK}", "sha": tip})
        client.post(f"{repo}/git/refs", json={"ref": "refs/heads/side", "sha": tip})
        client.post(f"{repo}/labels", json={"name": "on/hold", "color": "ff0000"})
        found = told(asking(box), Steps.see_the_repository)
        assert found.words == [
            "An earlier run was interrupted; tidying up after it.",
            "No difference.",
        ]
        assert client.get(f"{repo}/git/ref/heads/side").status_code == 404
        assert client.get(f"{repo}/git/ref/{MARK}").status_code == 404


def test_the_program_reads_its_arguments_from_the_environment() -> None:
    program = (sys.executable, "-m", "tests.contract.truth")
    done = subprocess.run(program, cwd=ROOT, env={}, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("REPO is OWNER/NAME: make truth REPO=")


def _answer(status: int, body: object) -> httpx.Response:
    request = httpx.Request("GET", "https://api.github.com/repos/octo/demo/labels")
    return httpx.Response(status, json=body, request=request)


@pytest.mark.parametrize(
    ("ours", "theirs", "told"),
    [
        ([{"id": 1}], [{"id": 2}], {}),
        ([{"id": 1, "who": None}], [{"id": 1, "who": {"login": "a"}}], {}),
        ([], [{"id": 1}], {}),
        ([{"id": 1}, {"name": "b"}], [{"id": 1, "name": "c"}], {}),
        ([{"id": 1, "a": 1}], [{"id": 1, "b": 1}], {"missing": ["[].b"], "extra": ["[].a"]}),
        (
            {"who": {"id": 1}},
            {"who": {"id": "1", "login": "a"}},
            {
                "missing": ["who.login"],
                "types": {"who.id": {"localhub": ["integer"], "other": ["string"]}},
            },
        ),
    ],
)
def test_null_and_missing_values_are_not_a_difference(
    ours: object, theirs: object, told: dict[str, object]
) -> None:
    wanted = {"operation": "GET /repos/{owner}/{repo}/labels", **told} if told else {}
    assert difference(_answer(200, ours), _answer(200, theirs)) == wanted


def test_a_different_status_is_reported_with_the_message() -> None:
    found = difference(_answer(200, []), _answer(410, {"message": "Issues are disabled"}))
    media = {"media": "application/json"}
    assert found == {
        "operation": "GET /repos/{owner}/{repo}/labels",
        "localhub": {"status": 200, **media},
        "other": {"status": 410, **media, "message": "Issues are disabled"},
    }
