"""Workflows and actions of another repository, and the OIDC claims of a job."""

import os
import stat
import sys
from pathlib import Path

import httpx
import jwt
import pytest
from pydantic import JsonValue

from bot.core.talk.workflow_file import FOLDER, ActionSource, workflow_files
from bot.localhub.actions.runner_messages import Conclusion
from bot.localhub.actions.service import PushFacts
from tests.localhub_actions.kit import ALICE, ROOT, Box, runner
from tests.needs import needs_curl

TEAM = "acme/tide"
PRODUCT = "headgate/headgate"
SHARED = "acme/workflows"

CALLER = """
name: Caller
on: {workflow_dispatch: {inputs: {order_id: {required: true}}}}
permissions: {}
jobs:
  agent:
    permissions: {contents: read, id-token: write}
    uses: acme/workflows/.github/workflows/agent.yml@v1
    with: {order_id: "${{ inputs.order_id }}"}
  after:
    needs: agent
    runs-on: headgate
    steps: [{run: "echo called said ${{ needs.agent.outputs.said }}"}]
"""
CALLED = """
on:
  workflow_call:
    inputs: {order_id: {type: string, required: true}}
    outputs: {said: {value: "${{ jobs.work.outputs.said }}"}}
permissions: {}
jobs:
  work:
    runs-on: [self-hosted, headgate]
    permissions: {contents: read, id-token: write}
    outputs: {said: "${{ steps.act.outputs.said }}"}
    steps:
      - id: act
        uses: headgate/headgate/action@v1
        with: {order-id: "${{ inputs.order_id }}"}
      - run: test -z "$GITHUB_ACTION_PATH"
"""
ACTION = """
name: Headgate
description: For the test.
inputs:
  order-id: {required: true}
  mode: {default: "mode of ${{ github.repository }}"}
outputs:
  said: {value: "${{ steps.run.outputs.said }}"}
runs:
  using: composite
  steps:
    - id: run
      shell: bash
      env: {ORDER: "${{ inputs.order-id }}", MODE: "${{ inputs.mode }}", READ: "${{ github.token }}"}
      run: |
        cat "$GITHUB_ACTION_PATH/../beside.txt"
        echo "$MODE $ORDER $GITHUB_ACTION_REPOSITORY@$GITHUB_ACTION_REF"
        test "${READ#ghs_job_}" != "$READ"
        echo "said=$ORDER" >> "$GITHUB_OUTPUT"
        curl -sf -H "Authorization: bearer $ACTIONS_ID_TOKEN_REQUEST_TOKEN" \\
          "$ACTIONS_ID_TOKEN_REQUEST_URL&audience=https://headgate.example" > "$OUT/token.json"
        printf '%s\\n%s' "$ACTIONS_ID_TOKEN_REQUEST_URL" "$ACTIONS_ID_TOKEN_REQUEST_TOKEN" > "$OUT/request"
"""


def publish(served: Box, called: str, action: str = ACTION) -> None:
    served.host.add_repository(
        PRODUCT, {"action/action.yml": action, "beside.txt": "beside the action\n"}
    )
    served.host.add_repository(SHARED, {".github/workflows/agent.yml": called})
    for name in (PRODUCT, SHARED):
        served.host.tag(name, "v1")


@needs_curl
def test_a_called_workflow_with_an_action_of_its_repository_and_the_claims_of_its_job(
    served: Box, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OUT", str(tmp_path))
    publish(served, CALLED)
    team_sha = served.host.add_repository(TEAM, {".github/workflows/c.yml": CALLER})
    with runner(served, tmp_path / "work"):
        run = served.finished(served.dispatch(TEAM, "c.yml", {"order_id": "o-1"}))
    log = served.log(run, "agent / work")
    assert run.conclusion is Conclusion.SUCCESS, log
    assert "beside the action" in log
    assert f"mode of {TEAM} o-1 {PRODUCT}@v1" in log
    assert "called said o-1" in served.log(run, "after")
    job = next(job for job in run.attempt.jobs if job.name == "agent / work")
    claims = jwt.decode(
        httpx.Response(200, content=(tmp_path / "token.json").read_bytes()).json()["value"],
        served.host.key.public_key(),
        algorithms=["RS256"],
        audience="https://headgate.example",
    )
    facts = served.host.repository_facts(TEAM)
    life = claims["exp"] - claims["iat"]
    for name in ("iat", "exp", "nbf", "jti"):
        claims.pop(name)
    assert life == 300
    assert claims == {
        "iss": f"{served.host.base_url}/_oidc",
        "aud": "https://headgate.example",
        "sub": f"repo:acme@{facts.owner_id}/tide@{facts.id}:ref:refs/heads/main",
        "ref": "refs/heads/main",
        "ref_type": "branch",
        "ref_protected": "false",
        "sha": team_sha,
        "head_ref": "",
        "base_ref": "",
        "repository": TEAM,
        "repository_id": str(facts.id),
        "repository_owner": "acme",
        "repository_owner_id": str(facts.owner_id),
        "repository_visibility": "public",
        "run_id": str(run.id),
        "run_number": "1",
        "run_attempt": "1",
        "event_name": "workflow_dispatch",
        "actor": ALICE.login,
        "actor_id": str(ALICE.id),
        "workflow": "Caller",
        "workflow_ref": f"{TEAM}/.github/workflows/c.yml@refs/heads/main",
        "workflow_sha": team_sha,
        "job_workflow_ref": f"{SHARED}/.github/workflows/agent.yml@refs/tags/v1",
        "job_workflow_sha": served.host.resolve(SHARED, "v1"),
        "runner_environment": "self-hosted",
        "check_run_id": str(served.host.checks[job.id].id),
    }
    assert {"contents": "read", "metadata": "read"} in served.host.all_token_permissions
    # The request token expires with its job, and is in no log.
    url, token = (tmp_path / "request").read_text().split("\n")
    late = httpx.get(url, headers={"Authorization": f"bearer {token}"}, trust_env=False)
    assert late.status_code == 401
    assert token not in log


@pytest.mark.parametrize(
    ("owner", "runs_on", "is_refused"),
    [
        ("acme", "[self-hosted, headgate]", False),
        ("headgate", "[self-hosted, headgate]", True),
        ("headgate", "headgate", True),
        ("headgate", "{group: Default}", True),
        ("headgate", "ubuntu-latest", False),
    ],
)
def test_a_called_workflow_has_self_hosted_runners_of_its_own_owner_only(
    served: Box, tmp_path: Path, owner: str, runs_on: str, is_refused: bool
) -> None:
    called = f"on: workflow_call\njobs: {{work: {{runs-on: {runs_on}, steps: [run: echo done]}}}}\n"
    path = ".github/workflows/called.yml"
    sha = served.host.add_repository(f"{owner}/shared", {path: called})
    caller = f"on: workflow_dispatch\njobs: {{one: {{uses: {owner}/shared/{path}@{sha}}}}}\n"
    served.host.add_repository(TEAM, {".github/workflows/c.yml": caller})
    with runner(served, tmp_path / "work", labels="self-hosted,headgate,ubuntu-latest"):
        run = served.finished(served.dispatch(TEAM, "c.yml"))
    assert run.conclusion is (Conclusion.FAILURE if is_refused else Conclusion.SUCCESS)
    notes = [note.message for job in run.attempt.jobs for note in job.annotations]
    words = "Called workflows cannot be queued onto self-hosted runners across"
    assert any(note.startswith(words) for note in notes) is is_refused


def test_nested_permissions_and_arguments_are_checked_before_anything_runs(served: Box) -> None:
    publish(served, CALLED)
    cases = [
        (CALLER.replace(", id-token: write", ""), "is only allowed 'id-token: none'"),
        (CALLER.replace("@v1", "@v9"), "workflow was not found"),
        (CALLER.replace("with: {order_id", "with: {order"), "order is not defined"),
        (CALLER.replace("    with:", "    # with:"), "order_id is required"),
        (CALLER.replace("agent.yml@v1", "none.yml@v1"), "workflow was not found"),
    ]
    served.host.add_repository(TEAM, {".github/workflows/c.yml": CALLER})
    for text, sentence in cases:
        served.host.commit(TEAM, {".github/workflows/c.yml": text})
        answer = served.http.post(
            f"/repos/{TEAM}/actions/workflows/c.yml/dispatches",
            json={"ref": "main", "inputs": {"order_id": "o"}},
        )
        assert answer.status_code == 422
        assert sentence in answer.json()["message"]
    # A push of such a file creates a run that fails at once.
    broken = cases[0][0].replace(
        "workflow_dispatch: {inputs: {order_id: {required: true}}}", "push"
    )
    broken = broken.replace("${{ inputs.order_id }}", "x")
    assert served.service.runs(TEAM) == []
    sha = served.host.commit(TEAM, {".github/workflows/c.yml": broken})
    push = PushFacts(TEAM, "refs/heads/main", "1" * 40, sha, ALICE, ())
    assert [run.conclusion for run in served.service.on_push(push)] == [Conclusion.STARTUP_FAILURE]


def test_local_actions_and_nested_composite_actions_run(served: Box, tmp_path: Path) -> None:
    inner = """
name: Inner
description: Fails if asked to.
inputs: {fail: {default: 'no'}}
runs:
  using: composite
  steps:
    - {shell: bash, run: 'echo "inner $OUTER"; test "${{ inputs.fail }}" = no'}
    - {shell: bash, if: failure(), run: echo inner cleanup}
"""
    outer = """
name: Outer
description: Calls inner.
inputs: {fail: {required: false}}
runs:
  using: composite
  steps:
    - {uses: ./actions/inner, env: {OUTER: from outer}}
    - {uses: ./actions/inner, with: {FAIL: "${{ inputs.fail }}"}}
    - {shell: bash, run: echo not reached}
"""
    text = """
on: workflow_dispatch
jobs:
  one:
    runs-on: headgate
    steps:
      - run: git clone -q ${{ github.repositoryUrl }} . && test -f actions/inner/action.yml
      - {id: outer, uses: ./actions/outer, with: {fail: 'yes', typo: x}}
      - {if: always(), run: "echo outer was ${{ steps.outer.outcome }}"}
  missing:
    runs-on: headgate
    steps: [{run: echo never}, {uses: acme/nothing@v1}]
"""
    served.host.add_repository(
        TEAM,
        {
            ".github/workflows/c.yml": text,
            "actions/inner/action.yml": inner,
            "actions/outer/action.yml": outer,
        },
    )
    with runner(served, tmp_path / "work"):
        run = served.finished(served.dispatch(TEAM, "c.yml"))
    log = served.log(run, "one")
    assert "inner from outer" in log
    assert "inner cleanup" in log
    assert "outer was failure" in log
    assert "Unexpected input(s) 'typo', valid inputs are ['fail']" in log
    assert "] not reached" not in log
    missing = served.log(run, "missing")
    assert "Unable to resolve action `acme/nothing@v1`, repository not found" in missing
    assert "Run echo never" not in missing


def saying(text: str, *uses: str) -> str:
    """A composite action."""
    used = "".join(f"    - {{uses: {one}}}\n" for one in uses)
    runs = f"    - {{shell: bash, run: echo {text}}}\n{used}"
    return f"name: A\ndescription: B\nruns:\n  using: composite\n  steps:\n{runs}"


def test_the_repository_itself_is_named_by_a_dollar_sign_and_needs_no_checkout(
    served: Box, tmp_path: Path
) -> None:
    """GitHub's changelog of 2026-07-30, "Reference same-repository actions with self-repository syntax"."""
    caller = """
on: workflow_dispatch
jobs:
  own: {runs-on: headgate, steps: [{uses: $/a}]}
  called: {uses: $/.github/workflows/called.yml}
  other: {uses: "acme/kit/.github/workflows/agent.yml@v1"}
  gone: {runs-on: headgate, steps: [{uses: $/nowhere}]}
"""
    called = "on: workflow_call\njobs: {work: {runs-on: headgate, steps: [{uses: $/a}]}}\n"
    served.host.add_repository(
        TEAM,
        {
            ".github/workflows/c.yml": caller,
            ".github/workflows/called.yml": called,
            "a/action.yml": saying("a of the team", "$/b", "acme/kit/a@v1"),
            "b/action.yml": saying("b of the team"),
        },
    )
    served.host.add_repository(
        "acme/kit",
        {
            ".github/workflows/agent.yml": called.replace("headgate", "ubuntu-latest"),
            "a/action.yml": saying("a of the kit", "$/b"),
            "b/action.yml": saying("b of the kit"),
        },
    )
    served.host.tag("acme/kit", "v1")
    # What the tag meant when the run began is not what main has now.
    served.host.commit("acme/kit", {"b/action.yml": saying("b of another day")})
    with runner(served, tmp_path / "work", labels="headgate,ubuntu-latest"):
        run = served.finished(served.dispatch(TEAM, "c.yml"))
    for job in ("own", "called / work"):
        log = served.log(run, job)
        for said in ("a of the team", "b of the team", "a of the kit", "b of the kit"):
            assert said in log, (job, said, log)
    other = served.log(run, "other / work")
    assert "b of the kit" in other
    assert "of the team" not in other
    assert "Can't find 'action.yml' or 'action.yaml'" in served.log(run, "gone")


@pytest.mark.parametrize("mode", ["agent", "gates", "other"])
@pytest.mark.parametrize("in_image", [False, True], ids=["action", "image"])
def test_our_own_workflows_start_the_harness(
    served: Box, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: str, in_image: bool
) -> None:
    """The files that teams install, with fake programs that print their arguments."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for called in ("headgate-python", "headgate-action"):
        program = programs / called
        program.write_text(
            f'#!/bin/sh\n[ "$2" != -c ] && [ "$1" != -c ] || exec {sys.executable} "$@"\n'
            f'echo "{called}: $*"; echo "path: $PYTHONPATH"; [ -n "$HEADGATE_READ_TOKEN" ]\n'
        )
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    sha = served.host.add_repository(
        PRODUCT, {"action/action.yml": (ROOT / "action/action.yml").read_text()}
    )
    source = None if in_image else ActionSource(repository=PRODUCT, sha=sha)
    name = "gates" if mode == "gates" else "agent"
    file = f"headgate-{name}.yml"
    text = workflow_files(source)[FOLDER + file]
    if mode == "other":
        text = text.replace("mode: agent", "mode: other")
    served.host.add_repository(TEAM, {FOLDER + file: text})
    inputs = {"order_id": 'o-1"; echo injected #', "server": "http://127.0.0.1:1/$(id)"}
    with runner(served, tmp_path / "work"):
        run = served.finished(served.dispatch(TEAM, file, dict(inputs)))
    assert run.display_title == f"headgate {inputs['order_id']}"
    log = served.log(run, name)
    if mode == "other" and not in_image:
        assert run.conclusion is Conclusion.FAILURE
        assert "mode is 'other', not agent or gates" in log
        return
    started = f"headgate-action: {name}" if in_image else f"headgate-python: -P -m action {name}"
    expected = f"{started} --order-id {inputs['order_id']} --server {inputs['server']}"
    assert run.conclusion is Conclusion.SUCCESS, log
    assert expected in log
    assert in_image or "/action/.." in log


def test_a_workflow_file_uses_the_runner_named_by_the_dispatch(served: Box, tmp_path: Path) -> None:
    """As the policy's `runs_on` does; GitHub's own machines take no `self-hosted` label."""
    path = ".github/workflows/headgate-agent.yml"
    text = workflow_files(None, ("headgate", "big"))[path].replace("exec headgate-action", "echo")
    served.host.add_repository(TEAM, {path: text})
    base: dict[str, JsonValue] = {"order_id": "o-1", "server": "http://127.0.0.1:1"}
    asked = [{}, {"runs_on": '["ubuntu-latest"]'}]
    with runner(served, tmp_path / "work", labels="self-hosted,headgate,big,ubuntu-latest"):
        runs = [
            served.finished(served.dispatch(TEAM, "headgate-agent.yml", {**base, **one}))
            for one in asked
        ]
    assert [run.conclusion for run in runs] == [Conclusion.SUCCESS] * 2
    assert [run.attempt.jobs[0].labels for run in runs] == [("headgate", "big"), ("ubuntu-latest",)]
