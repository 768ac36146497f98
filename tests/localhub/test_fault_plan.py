"""Files of faults: every kind works, and a fault that could never match is refused."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner

from bot.entry.cli import app as command_line
from bot.localhub.fault_file import FaultFileError, plant_file, read_faults
from bot.localhub.faults import MEANINGS, WEBHOOK, Fault, FaultKind
from bot.localhub.hub import Hub
from bot.localhub.rule_model import RefRule, Ruleset
from bot.localhub.secondary_limits import MESSAGE
from bot.localhub.server import running
from tests.localhub.kit import Box
from tests.shape.fault_page import example

ISSUES = "/repos/octo/demo/issues"


@pytest.fixture
def plan(box: Box, tmp_path: Path) -> "Planting":
    """Writes faults as a file and puts them in force in the box's hub."""
    return Planting(box, tmp_path / "faults.yml")


class Planting:
    """A file of faults, put in force line by line."""

    def __init__(self, box: Box, file: Path) -> None:
        self.box = box
        self.file = file

    def __call__(self, text: str) -> None:
        self.file.write_text(text, encoding="utf-8")
        plant_file(self.box.hub.faults, self.file)


@contextmanager
def client(box: Box) -> Iterator[httpx.Client]:
    """The installation's client."""
    with box.rest(box.installation_token()) as one:
        yield one


def tip(box: Box, branch: str = "main") -> str:
    """The head of a branch."""
    return box.hub.repository("octo/demo").refs[f"refs/heads/{branch}"]


@pytest.mark.parametrize("status", [409, 422, 502])
def test_a_chosen_request_is_refused_with_a_chosen_status(
    box: Box, plan: Planting, status: int
) -> None:
    plan(f"- {{kind: refuse_before, method: POST, path_glob: /repos/*/issues, status: {status}}}\n")
    with client(box) as github:
        assert github.get(ISSUES).status_code == 200
        assert github.post(ISSUES, json={"title": "one"}).status_code == status
        assert github.post(ISSUES, json={"title": "two"}).status_code == 201
    assert len(box.hub.repository("octo/demo").issues) == 1


@pytest.mark.parametrize(("setting", "header"), [("", None), (", retry_after_seconds: 7", "7")])
def test_a_secondary_limit_fault_has_githubs_words_with_and_without_retry_after(
    box: Box, plan: Planting, setting: str, header: str | None
) -> None:
    plan(f"- {{kind: secondary_limit, method: POST{setting}}}\n")
    with client(box) as github:
        answer = github.post(ISSUES, json={"title": "one"})
    assert (answer.status_code, answer.json()["message"]) == (403, MESSAGE)
    assert answer.headers.get("Retry-After") == header
    # A primary limit would report 0 requests left.
    assert int(answer.headers["X-RateLimit-Remaining"]) > 0


def test_a_request_that_times_out_has_no_effect(box: Box, plan: Planting) -> None:
    plan("- {kind: time_out, method: POST, delay_seconds: 30}\n- {kind: time_out, nth: 2}\n")
    with client(box) as github:
        with pytest.raises(httpx.ReadTimeout):
            github.post(ISSUES, json={"title": "one"}, timeout=0.2)
        with pytest.raises(httpx.TransportError):
            github.get(ISSUES)
        assert github.get(ISSUES).json() == []


def test_a_lost_dispatch_is_accepted_and_never_starts(box: Box, plan: Planting) -> None:
    workflow = b"on: workflow_dispatch\njobs:\n  a: {runs-on: x, steps: [{run: 'true'}]}\n"
    files: dict[str, bytes | None] = {".github/workflows/w.yml": workflow}
    box.hub.commit_files("octo/demo", files, "Add a workflow")
    plan("- {kind: lose_dispatch}\n")
    path = "/repos/octo/demo/actions"
    with client(box) as github:
        for _ in range(2):
            done = github.post(f"{path}/workflows/w.yml/dispatches", json={"ref": "main"})
            assert done.status_code in (200, 204)
        runs = github.get(f"{path}/runs").json()["workflow_runs"]
        jobs = [github.get(f"{path}/runs/{run['id']}/jobs").json()["total_count"] for run in runs]
    # Newest first: the second run has its job, the first never starts.
    assert jobs == [1, 0]


def test_main_is_rewound_before_the_matched_request(box: Box, plan: Planting) -> None:
    first = tip(box)
    box.hub.commit_files("octo/demo", {"a.txt": b"a\n"}, "Add a")
    plan("- {kind: rewind, method: GET, path_glob: '*/git/ref/heads/main', nth: 2}\n")
    with client(box) as github:
        seen = [
            github.get("/repos/octo/demo/git/ref/heads/main").json()["object"]["sha"]
            for _ in range(3)
        ]
    assert seen[1:] == [first, first]
    assert seen[0] != first
    box.settle()
    assert box.receiver.payloads("push")[-1]["forced"] is True


def test_a_ruleset_applies_to_a_planted_rewind_too(box: Box, plan: Planting) -> None:
    box.hub.commit_files("octo/demo", {"a.txt": b"a\n"}, "Add a")
    before = tip(box)
    rules = frozenset({RefRule.NON_FAST_FORWARD})
    box.hub.add_ruleset("octo/demo", Ruleset(1, "Keep", ("~DEFAULT_BRANCH",), rules))
    plan("- {kind: rewind}\n")
    with client(box) as github:
        assert github.get(ISSUES).status_code == 200
    assert tip(box) == before


def test_a_commit_is_pushed_before_the_matched_request(box: Box, plan: Planting) -> None:
    with client(box) as github:
        made = {"ref": "refs/heads/work/x", "sha": tip(box)}
        assert github.post("/repos/octo/demo/git/refs", json=made).status_code == 201
        plan("- {kind: push, method: POST, branch: work/*, file: README.md, text: Mine}\n")
        assert github.post(ISSUES, json={"title": "one"}).status_code == 201
    repository = box.hub.repository("octo/demo")
    entry = repository.git.entry(tip(box, "work/x"), "README.md")
    assert entry is not None
    assert repository.git.blob(entry.sha) == b"Mine"
    assert tip(box) == made["sha"]


def test_a_commit_is_pushed_before_the_matched_webhook(box: Box, plan: Planting) -> None:
    plan(f"- {{kind: push, method: {WEBHOOK}, path_glob: issues.opened}}\n")
    before = tip(box)
    with client(box) as github:
        github.post(ISSUES, json={"title": "one"})
    box.settle()
    assert tip(box) != before
    assert [n for n in box.receiver.names() if n in ("push", "issues.opened")] == [
        "issues.opened",
        "push",
    ]


def test_the_clock_of_the_hub_can_drift(box: Box, plan: Planting) -> None:
    plan("- {kind: drift, path_glob: /meta, drift_seconds: 5400}\n")
    with client(box) as github:
        assert github.get(ISSUES).status_code == 200
        github.get("/meta")
        # By the hub's clock, which its answers show, a token of one hour has expired.
        answer = github.get(ISSUES)
    assert answer.status_code == 401
    told = parsedate_to_datetime(answer.headers["Date"])
    assert told - datetime.now(UTC) > timedelta(minutes=80)


def test_the_docs_describe_every_kind_and_their_example_is_valid() -> None:
    assert set(MEANINGS) == set(FaultKind)
    assert len(read_faults(example(), "faults.yml")) == 5


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("- kind: dropp\n", "line 1: `dropp` is not a kind; did you mean `drop`?"),
        ("- method: GET\n", "line 1: `kind` is missing; known: refuse_before, "),
        (
            "- kind: drop\n  nht: 2\n",
            "line 2: `nht` is not a setting of a fault; did you mean `nth`?",
        ),
        (
            "- kind: drop\n\n  status: 502\n",
            "line 3: `status` does not apply to `drop`; settings that do: ",
        ),
        ("- kind: drop\n- kind: delay\n  nth: 0\n", "line 3: `nth`: Input should be greater than"),
        ("- kind: push\n  method: PSOT\n", "line 2: `PSOT` is not a method; did you mean `POST`?"),
        (
            "- kind: drop\n  path_glob: issue.opened\n",
            "`issue` is not an event; did you mean `issues`?",
        ),
        ("- kind: drop\n  method: GET\n", "line 2: `drop` applies to webhooks: `method: WEBHOOK`."),
        ("- kind: lose_answer\n  method: WEBHOOK\n", "line 2: `lose_answer` applies to requests"),
        ("- kind: push\n  path_glob: issues\n", "line 2: `issues` matches no path"),
        ("kind: drop\n", "line 1: a list of faults is required"),
        ("- drop\n", "line 1: a fault must be a mapping"),
        ("- kind: [\n", "line 2: "),
        ("- kind: drop\n  kind: drop\n", "line 2: "),
    ],
)
def test_a_fault_that_could_never_match_is_refused_with_its_line(text: str, sentence: str) -> None:
    with pytest.raises(FaultFileError) as refused:
        read_faults(text, "faults.yml")
    assert str(refused.value).startswith("faults.yml, line")
    assert sentence in str(refused.value)


def test_the_command_line_refuses_an_invalid_fault_file_before_serving(tmp_path: Path) -> None:
    seed, faults = tmp_path / "seed.yml", tmp_path / "faults.yml"
    seed.write_text("users: [octo]\n", encoding="utf-8")
    faults.write_text("- kind: dorp\n", encoding="utf-8")
    done = CliRunner().invoke(
        command_line, ["localhub", "--seed", str(seed), "--faults", str(faults), "--port", "0"]
    )
    assert done.exit_code == 1
    assert "faults.yml, line 1: `dorp` is not a kind; did you mean `drop`?" in done.output


def test_clock_drift_stays_after_the_faults_are_cleared(tmp_path: Path) -> None:
    noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    with running(hub := Hub(tmp_path / "hub", lambda: noon)) as url:
        hub.faults.add(Fault(kind=FaultKind.DRIFT, drift_seconds=-600))
        assert httpx.get(f"{url}/meta", trust_env=False).headers["Date"].endswith("11:50:00 GMT")
        hub.faults.clear()
        assert httpx.get(f"{url}/meta", trust_env=False).headers["Date"].endswith("11:50:00 GMT")
