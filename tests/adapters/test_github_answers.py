"""GitHub's rare answers, prepared word for word."""

import logging
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from bot.adapters.github.api import Api
from bot.adapters.github.app_tokens import AppTokens, NotInstalled, Purpose
from bot.adapters.github.forge import GitHubForge
from bot.core.values.check_run import PublishedCheckRun
from bot.core.values.ids import CommentId, IssueNumber, OrderId, ReviewCommentId, Sha, WorkflowRunId
from bot.core.values.repository import RepositoryFacts, Role, WorkflowRunState
from bot.ports import Retryable, UserError
from tests.adapters.rest_server import Answer, RestServer, rest_server
from tests.adapters.workshop import facts_of

MINT = "POST /app/installations/1/access_tokens"
REPO = "/repositories/7"
FACTS: RepositoryFacts = facts_of("http://127.0.0.1/octo/shop.git")
SINCE = datetime(2026, 3, 1, tzinfo=UTC)
BOT = {"id": FACTS.bot_id, "login": FACTS.bot_login, "type": "Bot"}


@pytest.fixture(scope="module")
def key() -> str:
    """An App's private key."""
    made = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    return made.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()


@pytest.fixture
def server() -> Iterator[RestServer]:
    """A server that creates tokens and has nothing else."""
    with rest_server() as running:
        running.answer(MINT, minted("ghs_one"))
        yield running


@pytest.fixture
def forge(server: RestServer, key: str) -> GitHubForge:
    """A forge of App 5."""
    return GitHubForge(server.url, 5, key)


def minted(token: str, minutes: int = 60) -> Answer:
    until = datetime.now(UTC) + timedelta(minutes=minutes)
    return Answer(201, {"token": token, "expires_at": until.isoformat()})


def run(number: int, title: str, **more: object) -> dict[str, object]:
    return {
        **{"id": number, "display_title": title, "status": "queued", "conclusion": None},
        **{"html_url": "http://x", "created_at": "2026-03-01T12:00:00Z", "actor": BOT},
        **more,
    }


def test_a_token_has_the_least_permissions_for_one_repository(
    server: RestServer, forge: GitHubForge
) -> None:
    server.answer(f"GET {REPO}/issues/1", Answer(404, {"message": "Not Found"}))
    for _ in range(3):
        assert forge.issue(FACTS, IssueNumber(1)) is None
    (asked,) = server.requests_to(MINT)
    assert asked.body["repository_ids"] == [7]
    permissions = asked.body["permissions"]
    assert isinstance(permissions, dict)
    assert set(permissions.values()) == {"read"}
    assert asked.headers["authorization"].startswith("Bearer ey")
    look = server.requests_to(f"GET {REPO}/issues/1")[0]
    assert look.headers["authorization"] == "Bearer ghs_one"
    assert look.headers["x-github-api-version"] == "2022-11-28"


def test_concurrent_threads_create_one_token(server: RestServer, forge: GitHubForge) -> None:
    gate = threading.Barrier(8)
    found: list[str] = []

    def take() -> None:
        gate.wait()
        found.append(forge.tokens.token_for(FACTS, Purpose.PUSH))

    threads = [threading.Thread(target=take) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == ["ghs_one"] * 8
    assert len(server.requests_to(MINT)) == 1


def test_a_token_is_renewed_five_minutes_before_it_expires(server: RestServer, key: str) -> None:
    now = [datetime.now(UTC)]
    tokens = AppTokens(Api(server.url, "2022-11-28"), 5, key, lambda: now[0])
    server.answer(MINT, minted("ghs_one"), minted("ghs_two", 120))
    assert tokens.token_for(FACTS, Purpose.READ) == "ghs_one"
    now[0] += timedelta(minutes=54)
    assert tokens.token_for(FACTS, Purpose.READ) == "ghs_one"
    now[0] += timedelta(minutes=2)
    assert tokens.token_for(FACTS, Purpose.READ) == "ghs_two"


def test_a_missing_permission_is_named_in_the_refusal(
    server: RestServer, forge: GitHubForge
) -> None:
    words = "The permissions requested are not granted to this installation."
    server.answer(MINT, Answer(422, {"message": words}))
    with pytest.raises(NotInstalled, match="not granted"):
        forge.tokens.token_for(FACTS, Purpose.CHECK_RUNS)


def test_a_push_token_cannot_change_workflows(server: RestServer, forge: GitHubForge) -> None:
    server.answer(MINT, minted("ghs_push"))
    forge.tokens.token_for(FACTS, Purpose.PUSH)
    (asked,) = [one.body["permissions"] for one in server.requests_to(MINT)]
    assert asked == {"metadata": "read", "contents": "write"}


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_removed_installation_is_not_a_missing_object(
    server: RestServer, forge: GitHubForge, status: int
) -> None:
    server.answer(MINT, Answer(status, {"message": "Not Found"}))
    with pytest.raises(NotInstalled):
        forge.issue(FACTS, IssueNumber(1))


def test_a_second_401_is_a_refusal(server: RestServer, forge: GitHubForge) -> None:
    server.answer(f"POST {REPO}/issues/1/comments", Answer(401, {"message": "Bad credentials"}))
    server.answer(MINT, minted("ghs_one"), minted("ghs_two"))
    with pytest.raises(UserError, match="401"):
        forge.comment_on_issue(FACTS, IssueNumber(1), "x")
    sent = server.requests_to(f"POST {REPO}/issues/1/comments")
    tokens = [one.headers["authorization"] for one in sent]
    assert tokens == ["Bearer ghs_one", "Bearer ghs_two"]


@pytest.mark.parametrize(
    "answer",
    [
        Answer(502, {"message": "Server Error"}),
        Answer(0),
        Answer(200, '{"id": 5, '),
        Answer(200, {"unexpected": "shape"}),
        Answer(200, "<html>"),
        Answer(403, {"message": "You have exceeded a secondary rate limit."}),
        Answer(301, None, {"Location": "http://other.example/x"}),
    ],
)
def test_a_write_is_never_sent_twice(
    server: RestServer, forge: GitHubForge, answer: Answer
) -> None:
    server.answer(f"POST {REPO}/issues", answer)
    with pytest.raises(Retryable):
        forge.open_issue(FACTS, "t", "b", ())
    assert len(server.requests_to(f"POST {REPO}/issues")) == 1


def test_a_read_is_sent_again_once_after_a_broken_connection(
    server: RestServer, forge: GitHubForge
) -> None:
    server.answer(f"GET {REPO}/issues/1", Answer(0))
    with pytest.raises(Retryable):
        forge.issue(FACTS, IssueNumber(1))
    assert len(server.requests_to(f"GET {REPO}/issues/1")) == 2


def test_no_token_is_written_to_the_log(
    server: RestServer, forge: GitHubForge, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    server.answer(f"GET {REPO}/issues/1", Answer(500))
    with pytest.raises(Retryable):
        forge.issue(FACTS, IssueNumber(1))
    seen = [line for line in caplog.text.splitlines() if "/issues/1" in line]
    assert seen
    assert not [line for line in seen if "ghs_one" in line]


def test_a_dispatch_returns_its_run_if_the_server_supports_it(
    server: RestServer, forge: GitHubForge
) -> None:
    where = f"POST {REPO}/actions/workflows/headgate-agent.yml/dispatches"
    details = {"workflow_run_id": 44, "run_url": "http://x", "html_url": "http://x"}
    server.answer(where, Answer(200, details))
    inputs = {"order": "o12"}
    assert forge.dispatch_workflow(FACTS, "headgate-agent.yml", inputs) == 44
    asked = server.requests_to(where)[0].body
    assert asked == {"ref": "main", "inputs": inputs, "return_run_details": True}
    server.answer(where, Answer(204))
    assert forge.dispatch_workflow(FACTS, "headgate-agent.yml", inputs) is None
    older = Answer(422, {"message": '"return_run_details" is not a permitted key.'})
    server.answer(where, older, Answer(204))
    assert forge.dispatch_workflow(FACTS, "headgate-agent.yml", inputs) is None
    assert server.asked[-1].body == {"ref": "main", "inputs": inputs}
    server.answer(where, Answer(422, {"message": "Workflow does not have 'workflow_dispatch'"}))
    with pytest.raises(UserError, match="workflow_dispatch"):
        forge.dispatch_workflow(FACTS, "headgate-agent.yml", inputs)


def test_the_run_of_an_order_was_dispatched_by_us_and_names_it(
    server: RestServer, forge: GitHubForge
) -> None:
    person = {"id": 3, "login": "eve", "type": "User"}
    runs = [
        *(run(9, "agent o123"), run(8, "agent o12-1"), run(7, "o12 retry"), run(6, "agent (o12)")),
        run(5, "agent o12", actor=person),
    ]
    server.answer(
        f"GET {REPO}/actions/runs", Answer(200, {"total_count": 5, "workflow_runs": runs})
    )
    found = forge.workflow_run_of_order(FACTS, OrderId("o12"), SINCE)
    assert found is not None
    assert found.id == 6, "the first of those that are ours"
    asked = server.requests_to(f"GET {REPO}/actions/runs")[0].path
    assert "event=workflow_dispatch" in asked
    assert "created=%3E%3D2026-03-01T00%3A00%3A00Z" in asked
    assert forge.workflow_run_of_order(FACTS, OrderId("o1"), SINCE) is None


@pytest.mark.parametrize(
    ("status", "conclusion", "state"),
    [
        *((name, None, WorkflowRunState.QUEUED) for name in ("queued", "waiting", "pending")),
        *((name, None, WorkflowRunState.QUEUED) for name in ("requested", "a-new-word", None)),
        ("in_progress", None, WorkflowRunState.IN_PROGRESS),
        ("completed", "timed_out", WorkflowRunState.COMPLETED),
    ],
)
def test_states_of_workflow_runs_are_mapped_to_ours(
    server: RestServer,
    forge: GitHubForge,
    status: str | None,
    conclusion: str | None,
    state: WorkflowRunState,
) -> None:
    shown = run(4, "x", status=status, conclusion=conclusion)
    server.answer(f"GET {REPO}/actions/runs/4", Answer(200, shown))
    found = forge.workflow_run(FACTS, WorkflowRunId(4))
    assert found is not None
    assert (found.state, found.conclusion) == (state, conclusion)
    assert forge.workflow_run(FACTS, WorkflowRunId(5)) is None


def test_cancelling_an_ended_run_is_not_an_error(server: RestServer, forge: GitHubForge) -> None:
    where = f"POST {REPO}/actions/runs/4/cancel"
    server.answer(where, Answer(202, {}))
    forge.cancel_workflow_run(FACTS, WorkflowRunId(4))
    server.answer(
        where, Answer(409, {"message": "Cannot cancel a workflow run that is completed."})
    )
    forge.cancel_workflow_run(FACTS, WorkflowRunId(4))
    server.answer(where, Answer(403, {"message": "Resource not accessible by integration"}))
    with pytest.raises(UserError):
        forge.cancel_workflow_run(FACTS, WorkflowRunId(4))


def comment(number: int, user: object, app: object = None) -> dict[str, object]:
    return {
        **{"id": number, "body": None, "user": user, "performed_via_github_app": app},
        **{"created_at": "2026-03-01T12:00:00Z", "html_url": "http://x"},
        "updated_at": "2026-03-01T12:00:00Z",
        "issue_url": f"http://x{REPO}/issues/12",
    }


def test_comments_by_apps_or_deleted_accounts_are_not_by_a_person(
    server: RestServer, forge: GitHubForge
) -> None:
    ada = {"id": 3, "login": "ada", "type": "User"}
    comments = [comment(1, ada), comment(2, ada, {"id": 8}), comment(3, BOT), comment(4, None)]
    server.answer(f"GET {REPO}/issues/comments", Answer(200, comments))
    found = forge.comments_since(FACTS, SINCE)
    people = [one.author_is_person for one in found]
    assert people == [True, False, False, False]
    assert {one.issue for one in found} == {12}
    assert found[3].author == "ghost"


@pytest.mark.parametrize(
    ("changed", "line"),
    [
        ({}, 7),
        ({"line": None}, 5),
        ({"side": "LEFT"}, 0),
        ({"subject_type": "file", "line": None}, 0),
        ({"line": None, "original_line": None}, 0),
    ],
)
def test_a_comment_of_a_review_names_a_line_of_the_file_as_the_pull_has_it(
    server: RestServer, forge: GitHubForge, changed: dict[str, object], line: int
) -> None:
    shown = {
        **{"id": 9, "body": "Why?", "user": {"id": 3, "login": "ada", "type": "User"}},
        **{"path": "shop.py", "line": 7, "original_line": 5, "side": "RIGHT"},
        **{"subject_type": "line", "updated_at": "2026-03-01T12:00:00Z"},
        "pull_request_url": f"http://x{REPO}/pulls/12",
    }
    server.answer(f"GET {REPO}/pulls/comments/9", Answer(200, {**shown, **changed}))

    found = forge.review_comment(FACTS, ReviewCommentId(9))

    assert found is not None
    assert (found.pull, found.line, found.author_is_person) == (12, line, True)


def test_commit_comments_have_issue_zero(server: RestServer, forge: GitHubForge) -> None:
    sha = Sha("a" * 40)
    where = f"{REPO}/commits/{sha}/comments"
    shown = {key: value for key, value in comment(1, BOT).items() if key != "issue_url"}
    server.answer(f"GET {where}", Answer(200, [shown]))
    server.answer(f"POST {where}", Answer(201, shown))
    (found,) = forge.commit_comments(FACTS, sha)
    assert (found.issue, found.id) == (0, 1)
    forge.comment_on_commit(FACTS, sha, "Adopted.")
    assert server.asked[-1].body == {"body": "Adopted."}


@pytest.mark.parametrize(
    ("answer", "role"),
    [
        ({"permission": "write", "role_name": "maintain"}, Role.MAINTAIN),
        ({"permission": "write", "role_name": "release-captain"}, Role.WRITE),
        ({"permission": "read", "role_name": "triage"}, Role.TRIAGE),
        ({"permission": "admin"}, Role.ADMIN),
        ({"permission": "none", "role_name": ""}, Role.NONE),
        ({"permission": "strange", "role_name": "stranger"}, Role.NONE),
    ],
)
def test_custom_roles_count_as_their_base(
    server: RestServer, forge: GitHubForge, answer: dict[str, str], role: Role
) -> None:
    server.answer(f"GET {REPO}/collaborators/ada/permission", Answer(200, answer))
    assert forge.role(FACTS, "ada") is role


def test_a_moved_or_deleted_issue_is_none(server: RestServer, forge: GitHubForge) -> None:
    moved = {
        **{"number": 77, "id": 1, "title": "t", "state": "open", "html_url": "http://x"},
        "created_at": "2026-03-01T12:00:00Z",
        "updated_at": "2026-03-01T12:00:00Z",
    }
    server.answer(f"GET {REPO}/issues/1", Answer(301, None, {"Location": f"{server.url}/moved"}))
    server.answer("GET /moved", Answer(200, moved))
    assert forge.issue(FACTS, IssueNumber(1)) is None
    server.answer(f"GET {REPO}/issues/2", Answer(410, {"message": "This issue was deleted"}))
    assert forge.issue(FACTS, IssueNumber(2)) is None
    assert forge.comment(FACTS, CommentId(1)) is None
    unknown = Answer(422, {"message": f"No commit found for SHA: {'a' * 40}"})
    server.answer(f"GET {REPO}/commits/{'a' * 40}/check-runs", unknown)
    assert forge.check_run_by_us(FACTS, Sha("a" * 40), "x") is None


def test_a_check_run_of_another_app_is_ignored(server: RestServer, forge: GitHubForge) -> None:
    sha = Sha("c" * 40)
    theirs = {"id": 2, "external_id": "till:1", "app": {"id": FACTS.app_id + 1}}
    ours = {"id": 1, "external_id": "till:1", "app": {"id": FACTS.app_id}}
    page = Answer(200, {"check_runs": [theirs, ours]})
    server.answer(f"GET {REPO}/commits/{sha}/check-runs", page)
    assert forge.check_run_by_us(FACTS, sha, "till:1") == PublishedCheckRun(id=1)
