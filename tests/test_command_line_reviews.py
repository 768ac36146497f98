"""`headgate gates run` where the policy has a model read the diff: the real client asks a scripted model."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.localhub.model_server.server import running
from tests.gates.checkouts import Repository
from tests.scenarios.test_reviews_by_a_model import CLOSED, PATH, finding, reads
from tests.test_command_line import headgate
from tests.testkit.model import scene, script

PLACE = ".github/headgate.yml"
POLICY = "version: 1\ngates:\n  read: {review: {block: major}, required: true}\n"
WARNS = POLICY.replace(", required: true", "")
BAD, GOOD = ("# The till\ntotal = 10 / 0\n", "# The till\ntotal = 10 / 1\n")
MODEL = script(
    scene("earlier", CLOSED, task=["Earlier findings on a change"]),
    scene("bad", reads(finding("total = 10 / 0"), finding("made up")), task=["total = 10 / 0"]),
    scene("good", reads(), task=["total = 10 / 1"]),
)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with running(MODEL) as address:
        yield address


@pytest.fixture
def clone(tmp_path: Path) -> Repository:
    repository = Repository(tmp_path / "clone")
    repository.commit({PLACE: POLICY})
    repository.git("checkout", "-q", "-b", "work")
    repository.commit({PATH: BAD})
    return repository


def with_policy(clone: Repository, policy: str) -> None:
    clone.git("checkout", "-q", "main")
    clone.commit({PLACE: policy})
    clone.git("checkout", "-q", "-B", "work")
    clone.commit({PATH: BAD})


def told(clone: Repository, url: str, *more: str) -> subprocess.CompletedProcess[str]:
    key = {"ANTHROPIC_API_KEY": "made-up", "ANTHROPIC_BASE_URL": url} if url else {}
    return headgate("gates", "run", "--base", "main", *more, cwd=clone.folder, **key)


def test_a_finding_is_printed_at_its_line_and_checked_again_after_a_fix(
    clone: Repository, url: str
) -> None:
    red = told(clone, url, "--review")
    assert red.returncode == 1, red.stderr
    assert "failed  read: A model found 1 finding of grade major or worse." in red.stdout
    assert f"{PATH}:2: It divides by zero." in red.stdout
    assert "1 finding dropped" in red.stdout
    assert "read: it costs at most $0.16" in red.stderr
    assert "The model was asked once: " in red.stdout

    clone.commit({PATH: GOOD})
    green = told(clone, url, "read", "--json")
    assert green.returncode == 0, green.stderr
    said = json.loads(green.stdout)
    (gate,) = said["gates"]
    assert (gate["gate"], gate["required"], gate["ending"]) == ("read", True, "passed")
    assert (said["commit"], said["base"]) == (
        clone.git("rev-parse", "HEAD"),
        clone.git("rev-parse", "main"),
    )
    # Whether the finding is closed, what is new, and all of it once.
    assert said["model"]["calls"] == 2
    assert said["model"]["dollars"] > 0

    again = told(clone, "", "--review")
    assert "did not run: there is no key" in again.stdout
    assert "passed" in told(clone, "http://127.0.0.1:9", "--review").stdout


def test_findings_are_whole_in_json(clone: Repository, url: str) -> None:
    said = json.loads(told(clone, url, "--review", "--json").stdout)
    (gate,) = said["gates"]
    (note,) = gate["annotations"]
    assert (note["path"], note["line_start"], note["line_end"]) == (PATH, 2, 2)
    assert (note["level"], note["title"]) == ("failure", "A model says: critical")
    assert note["message"] == "It divides by zero."


def test_no_model_is_called_without_an_explicit_option(clone: Repository, url: str) -> None:
    said = told(clone, url)
    assert (said.returncode, said.stdout) == (2, "")
    assert (
        "read does not run: to let a model review the diff, use `headgate gates run read` or "
        "`--review`: it costs at most $0.16" in said.stderr
    )
    assert "No gate has run. Name one of: read." in said.stderr
    assert "There is no key for a model: set ANTHROPIC_API_KEY." in told(clone, "").stderr


@pytest.mark.parametrize(("policy", "code"), [(POLICY, 1), (WARNS, 2)])
def test_a_review_without_a_key_could_not_run(clone: Repository, policy: str, code: int) -> None:
    with_policy(clone, policy)
    said = told(clone, "", "read")
    assert said.returncode == code
    assert "could_not_run  read: The review by a model did not run: there is no key" in said.stdout


def test_a_warning_is_printed_and_the_run_succeeds(clone: Repository, url: str) -> None:
    with_policy(clone, WARNS)
    said = told(clone, url, "read")
    assert said.returncode == 0, said.stderr
    assert f"{PATH}:2: It divides by zero." in said.stdout


def test_models_and_budget_of_the_policy_apply(clone: Repository, url: str) -> None:
    with_policy(clone, POLICY + "models: {review: claude-haiku-4-5}\n")
    assert "at most $0.04 (7,526 tokens, claude-haiku-4-5)" in told(clone, url).stderr
    with_policy(clone, POLICY.replace("block: major", "dollars_max: 0.03"))
    said = told(clone, url, "read")
    assert said.returncode == 1
    assert "to read it may cost $0.16, and `dollars_max`" in said.stdout
    with_policy(clone, POLICY + "models: {review: gpt}\n")
    assert "nobody here knows a model or chain 'gpt'" in told(clone, url, "read").stdout


@pytest.mark.slow
def test_a_model_is_called_after_the_other_gates_passed(clone: Repository, url: str) -> None:
    with_policy(clone, POLICY + "  lint: {run: grep -q clean src/till.py, repeat: 0}\n")
    red = told(clone, url, "--review", "--json")
    assert red.returncode == 1, red.stderr
    said = json.loads(red.stdout)
    assert [(gate["gate"], gate["ending"]) for gate in said["gates"]] == [("lint", "failed")]
    assert "a required gate did not pass" in said["not_run"]["read"]
    clone.commit({PATH: BAD + "# clean\n"})
    both = told(clone, url, "--review")
    assert "passed  lint" in both.stdout
    assert "failed  read" in both.stdout
