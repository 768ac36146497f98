"""GitHub's own command line works with localhub, by REST and by GraphQL."""

import base64
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.contract.foreign import Gh
from tests.contract.tour import WORKFLOW, WORKFLOW_PATH
from tests.localhub.kit import Box, served_box, wait_for
from tests.needs import needs_gh

pytestmark = needs_gh


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    """A repository with a workflow, an issue with comments, and a pull with two checks."""
    with served_box(tmp_path) as one:
        one.hub.commit_files("octo/demo", {WORKFLOW_PATH: WORKFLOW}, "Greet")
        repository = one.as_app().get_repo("octo/demo")
        issue = repository.create_issue("A leak", "It drips.", labels=["held"], assignees=["octo"])
        issue.create_comment("Seen.").create_reaction("eyes")
        repository.create_git_ref("refs/heads/topic", repository.get_branch("main").commit.sha)
        made = repository.create_file("c.txt", "C", "c\n", branch="topic")
        repository.create_pull("main", "topic", title="A mend", body="Closes #1")
        sha = made["commit"].sha
        repository.create_check_run("gate", sha, status="completed", conclusion="success")
        repository.create_check_run("slow", sha, status="in_progress")
        yield one


@pytest.fixture
def gh(box: Box, tmp_path: Path) -> Gh:
    """gh as octo."""
    return Gh(box.url, tmp_path, box.user_token)


def test_gh_lists_searches_and_shows_issues(gh: Gh) -> None:
    listed = gh.run("issue", "list").split("\t")
    assert listed[:4] == ["1", "OPEN", "A leak", "held"]
    assert gh.run("issue", "list", "--label", "held", "--json", "number") == '[{"number":1}]\n'
    assert gh.run("issue", "list", "--label", "other") == ""
    shown = gh.run("issue", "view", "1", "--comments")
    assert "Seen." in shown
    fields = "title,state,author,assignees,labels,comments,body,url,reactionGroups"
    seen = json.loads(gh.run("issue", "view", "1", "--json", fields))
    assert seen["author"] == {"is_bot": True, "login": "app/headgate-test"}
    assert seen["assignees"][0]["login"] == "octo"
    assert seen["comments"][0]["reactionGroups"] == [
        {"content": "EYES", "users": {"totalCount": 1}}
    ]


def test_gh_shows_pulls_and_their_checks(gh: Gh) -> None:
    assert gh.run("pr", "list").split("\t")[:3] == ["2", "A mend", "topic"]
    view = gh.run("pr", "view", "2")
    assert "A mend" in view
    fields = "mergeable,additions,commits,headRefOid,baseRefName,reviews,statusCheckRollup,isDraft"
    gh.run("pr", "view", "2", "--json", fields)
    seen = json.loads(gh.run("pr", "view", "2", "--json", fields))
    assert (seen["mergeable"], seen["additions"], seen["isDraft"]) == ("MERGEABLE", 1, False)
    assert {one["name"]: one["conclusion"] for one in seen["statusCheckRollup"]} == {
        "gate": "SUCCESS",
        "slow": "",
    }
    checks = gh.attempt("pr", "checks", "2")
    assert checks.stdout, checks.stderr
    lines = [line.split("\t")[:2] for line in checks.stdout.splitlines()]
    assert sorted(lines) == [["gate", "pass"], ["slow", "pending"]]


def test_gh_runs_lists_and_shows_workflows(gh: Gh, box: Box) -> None:
    gh.run("workflow", "run", "greet.yml")
    wait_for(lambda: gh.run("run", "list") != "")
    (run,) = json.loads(gh.run("run", "list", "--json", "databaseId,status,workflowName,event"))
    assert (run["status"], run["workflowName"]) == ("queued", "Greet")
    assert "greet" in gh.run("run", "view", str(run["databaseId"]))
    assert "Greet" in gh.run("workflow", "list")


def test_gh_can_make_any_rest_call(gh: Gh) -> None:
    body = base64.b64encode(b"d\n").decode()
    arguments = ("-X", "PUT", "-f", "message=D", "-f", f"content={body}")
    made = json.loads(gh.run("api", "repos/octo/demo/contents/d.txt", *arguments))
    assert made["content"]["path"] == "d.txt"
    assert gh.attempt("api", "repos/octo/nowhere").returncode == 1


def test_gh_reports_missing_objects_as_with_github(gh: Gh) -> None:
    missing = gh.attempt("issue", "view", "99")
    assert missing.returncode == 1
    assert "Could not resolve to an issue or pull request with the number of 99" in missing.stderr
