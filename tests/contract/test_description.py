"""The checks of exchanges: a planted fault is found, and documented exchanges pass."""

import json
from dataclasses import replace

import pytest

from tests.contract.description import Exchanged, description

ISSUE = "/repos/octo/demo/issues/1/comments"
GRANTED = Exchanged(
    method="POST",
    path=ISSUE,
    query="",
    body=b'{"body": "Seen."}',
    status=201,
    content_type="application/json; charset=utf-8",
    answer=b"",
)
USER: dict[str, object] = {
    **dict.fromkeys(("avatar_url", "html_url", "url", "repos_url"), "http://127.0.0.1/x"),
    **dict.fromkeys(("followers_url", "subscriptions_url"), "http://127.0.0.1/x"),
    **dict.fromkeys(("organizations_url", "received_events_url"), "http://127.0.0.1/x"),
    **dict.fromkeys(("following_url", "gists_url", "starred_url", "events_url"), "http://x/{y}"),
    **{"login": "octo", "id": 1, "node_id": "U_1", "gravatar_id": None},
    **{"type": "User", "site_admin": False},
}
COMMENT: dict[str, object] = {
    "id": 1,
    "node_id": "IC_1",
    "url": "http://127.0.0.1/x",
    "html_url": "http://127.0.0.1/x",
    "issue_url": "http://127.0.0.1/x",
    "user": USER,
    "created_at": "2026-01-01T00:00:00Z",
    "updated_at": "2026-01-01T00:00:00Z",
    "body": "Seen.",
}


def found(exchange: Exchanged) -> list[str]:
    """The findings as short texts."""
    return [finding.what for finding in description().judge(exchange)]


def answered(**changed: object) -> Exchanged:
    """The comment that was asked for, with something changed."""
    return replace(GRANTED, answer=json.dumps({**COMMENT, **changed}).encode())


def test_a_documented_exchange_has_no_finding() -> None:
    assert found(answered()) == []


@pytest.mark.parametrize(
    ("exchange", "fault"),
    [
        (answered(id="one"), "id breaks its schema:"),
        (answered(created_at="yesterday"), "created_at breaks its schema:"),
        (answered(user=None), ""),
        (answered(user={**USER, "login": None}), "user.login breaks its schema:"),
        (answered(mood="good"), "undocumented key mood"),
        (answered(user={**USER, "karma": 3}), "undocumented key user.karma"),
        (replace(answered(), body=b'{"text": "Seen."}'), " breaks its schema:"),
        (replace(answered(), body=b""), "has no body"),
        (replace(answered(), query="loud=1"), "undocumented query parameter loud"),
        (replace(answered(), status=200), "is a status that GitHub does not document"),
        (replace(answered(), content_type="text/html"), "is text/html"),
        (replace(answered(), status=500), "answered 500"),
        (replace(answered(), status=422), "undocumented key body"),
        (replace(answered(), path="/repos/octo/demo/moods"), "is no operation of GitHub"),
    ],
)
def test_an_undocumented_exchange_is_found(exchange: Exchanged, fault: str) -> None:
    assert fault in found(exchange) if fault else found(exchange) == []


@pytest.mark.parametrize(
    ("event", "payload"),
    [
        ("issues", {"action": "celebrated"}),
        ("parade", {}),
        ("push", {"ref": "refs/heads/main"}),
    ],
)
def test_an_undocumented_webhook_is_found(event: str, payload: dict[str, object]) -> None:
    assert description().judge_webhook(event, payload)


@pytest.mark.parametrize(
    ("method", "path", "operation"),
    [
        ("GET", "/repos/o/r/commits", "/repos/{owner}/{repo}/commits"),
        ("GET", "/repos/o/r/commits/a/b", "/repos/{owner}/{repo}/commits/{ref}"),
        (
            "GET",
            "/repos/o/r/commits/feature/x/check-runs",
            "/repos/{owner}/{repo}/commits/{ref}/check-runs",
        ),
        ("GET", "/repos/o/r/contents/", "/repos/{owner}/{repo}/contents/{path}"),
        ("GET", "/repos/o/r/issues/comments", "/repos/{owner}/{repo}/issues/comments"),
        ("PATCH", "/repos/o/r/git/refs/heads/a/b", "/repos/{owner}/{repo}/git/refs/{ref}"),
    ],
)
def test_a_request_is_matched_as_github_routes_it(method: str, path: str, operation: str) -> None:
    assert description().operation(method, path)[0] == f"{method} {operation}"
