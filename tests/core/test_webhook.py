"""Webhooks: only signed bytes count, and they are used only as hints."""

import hashlib
import hmac
import json
from dataclasses import fields

import pytest
from hypothesis import given, settings, strategies as st

from bot.core.state.observed import Hint, HintKind
from bot.core.state.webhook import DeliveryContent, is_signed, read_delivery
from tests.core.values import FACTS

SECRET = "s3cret"
BODY = b'{"a": 1}'


def _signature(secret: str, body: bytes) -> str:
    return "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


GOOD = _signature(SECRET, BODY)


@pytest.mark.parametrize(
    ("secret", "body", "signature", "is_theirs"),
    [
        (SECRET, BODY, GOOD, True),
        (SECRET, BODY + b" ", GOOD, False),
        (SECRET, BODY, None, False),
        (SECRET, BODY, "", False),
        (SECRET, BODY, "sha256=", False),
        (SECRET, BODY, GOOD.removeprefix("sha256="), False),
        (SECRET, BODY, GOOD.upper(), False),
        (SECRET, BODY, GOOD.replace("sha256", "sha1"), False),
        (SECRET, BODY, GOOD[:-1], False),
        (SECRET, BODY, GOOD + "0", False),
        (SECRET, BODY, _signature("other", BODY), False),
        (SECRET, BODY, "sha256=" + "é" * 64, False),
        (SECRET, BODY, "sha256=\udc80", False),
        ("", BODY, _signature("", BODY), False),
        ("schlüssel", BODY, _signature("schlüssel", BODY), True),
    ],
)
def test_a_signature_covers_exactly_the_body_bytes(
    secret: str, body: bytes, signature: str | None, is_theirs: bool
) -> None:
    assert is_signed(secret, body, signature) is is_theirs


@pytest.mark.parametrize("size", [0, 2_046, 2_047, 2_048, 11_000, 65_536, 65_537, 200_000])
def test_a_signature_covers_a_body_of_any_size(size: int) -> None:
    body = bytes(number % 251 for number in range(size))
    assert is_signed(SECRET, body, _signature(SECRET, body))
    assert not is_signed(SECRET, body, _signature(SECRET, body + b"\0"))
    assert not is_signed(SECRET, body[:-1] + b"\xff", _signature(SECRET, body))


@given(st.binary(max_size=100), st.text(max_size=80))
def test_no_signature_raises(body: bytes, signature: str) -> None:
    assert not is_signed(SECRET, body, f"sha256={signature}")


@pytest.mark.parametrize(
    ("body", "is_object"),
    [
        (b"{}", True),
        (b"[]", False),
        (b"null", False),
        (b"", False),
        (b"{", False),
        (b"\xff\xff", False),
        (b"[" * 100_000, False),
        (b"1" * 5_000, False),
    ],
)
def test_a_payload_is_a_json_object(body: bytes, is_object: bool) -> None:
    assert (read_delivery("push", body) is not None) is is_object


def read(event: str, body: bytes) -> DeliveryContent:
    reading = read_delivery(event, body)
    assert reading is not None
    return reading


def _delivery(**payload: object) -> bytes:
    return json.dumps(
        {
            "repository": {"id": 7, "full_name": "a/b", "default_branch": "trunk"},
            "installation": {"id": 3},
            **payload,
        }
    ).encode()


_COMMENT = {"comment": {"id": 11}, "issue": {"number": 5}}
_ISSUE = {"issue": {"number": 5}}
_BY_BOT = {"sender": {"type": "Bot"}}
_PULL = {"pull_request": {"number": 5}}
_RUN = {"workflow_run": {"id": 12}}


@pytest.mark.parametrize(
    ("event", "payload", "hints"),
    [
        ("push", {"ref": "refs/heads/trunk"}, (Hint(kind=HintKind.MAIN),)),
        ("push", {"ref": "refs/heads/main"}, ()),
        ("push", {"ref": "refs/tags/trunk"}, ()),
        (
            "issue_comment",
            {"action": "created", **_COMMENT},
            (Hint(kind=HintKind.COMMENT, number=11, issue=5),),
        ),
        ("issue_comment", {"action": "created", **_COMMENT, **_BY_BOT}, ()),
        ("issue_comment", {"action": "edited", **_COMMENT}, ()),
        ("issue_comment", {"action": "deleted", **_COMMENT}, ()),
        ("issue_comment", {"action": "created"}, ()),
        ("issue_comment", {"action": "created", "comment": {"id": -1}, "issue": []}, ()),
        ("issues", {"action": "edited", **_ISSUE}, (Hint(kind=HintKind.ISSUE, number=5),)),
        ("issues", {"action": "edited", **_ISSUE, **_BY_BOT}, ()),
        (
            "issues",
            {"action": "closed", **_ISSUE, **_BY_BOT},
            (Hint(kind=HintKind.ISSUE, number=5),),
        ),
        (
            "pull_request_review_comment",
            {"action": "created", "comment": {"id": 11}, **_PULL},
            (Hint(kind=HintKind.REVIEW, number=11, issue=5),),
        ),
        ("pull_request_review_comment", {"action": "edited", "comment": {"id": 11}, **_PULL}, ()),
        ("pull_request_review_comment", {"action": "created", "comment": {"id": 11}}, ()),
        ("pull_request", {"action": "closed", **_PULL}, (Hint(kind=HintKind.PULL, number=5),)),
        ("pull_request", {"action": "synchronize", **_PULL}, (Hint(kind=HintKind.PULL, number=5),)),
        ("pull_request", {"action": "labeled", **_PULL}, ()),
        (
            "pull_request_review",
            {"action": "submitted", "review": {"state": "approved"}, **_PULL},
            (Hint(kind=HintKind.REVIEWED, number=5),),
        ),
        (
            "pull_request_review",
            {"action": "dismissed", "review": {"state": "dismissed"}, **_PULL},
            (Hint(kind=HintKind.REVIEWED, number=5),),
        ),
        (
            "pull_request_review",
            {"action": "submitted", "review": {"state": "commented"}, **_PULL},
            (),
        ),
        ("pull_request_review", {"action": "edited", "review": {"state": "approved"}, **_PULL}, ()),
        (
            "pull_request_review_thread",
            {"action": "unresolved", **_PULL},
            (Hint(kind=HintKind.THREAD, number=5),),
        ),
        (
            "pull_request_review_thread",
            {"action": "resolved", **_PULL},
            (Hint(kind=HintKind.THREAD, number=5),),
        ),
        ("pull_request_review_thread", {"action": "resolved", **_PULL, **_BY_BOT}, ()),
        ("pull_request", {"action": "closed", "pull_request": {"number": True}}, ()),
        (
            "workflow_run",
            {"action": "completed", **_RUN},
            (Hint(kind=HintKind.WORKFLOW_RUN, number=12),),
        ),
        ("workflow_run", {"action": "completed", "workflow_run": {"id": 2**63}}, ()),
        ("workflow_run", {"action": "requested", **_RUN}, ()),
        ("repository", {"action": "renamed"}, (Hint(kind=HintKind.REPOSITORY),)),
        ("check_run", {"action": "completed"}, ()),
        ("star", {"action": "created"}, ()),
    ],
)
def test_a_delivery_is_read_as_hints(
    event: str, payload: dict[str, object], hints: tuple[Hint, ...]
) -> None:
    reading = read(event, _delivery(**payload))
    assert (reading.repository, reading.installation) == (7, 3)
    assert reading.hints == hints


@pytest.mark.parametrize("action", ["created", "added", "unsuspend", "deleted", "suspend", None])
def test_arrivals_are_repositories_that_headgate_was_given(action: str | None) -> None:
    listed = [{"id": 1, "full_name": "a/b"}, {"id": "2"}, 3, {"id": 4}]
    reading = read(
        "installation",
        json.dumps({"action": action, "installation": {"id": 9}, "repositories": listed}).encode(),
    )
    given_to_us = action in {"created", "added", "unsuspend"}
    assert [a.repository for a in reading.installations] == ([1, 4] if given_to_us else [])
    assert reading.repository is None


def test_a_repository_that_is_added_later_arrives() -> None:
    body = {
        "action": "added",
        "installation": {"id": 9},
        "repositories_added": [{"id": 5, "full_name": "a/c"}],
    }
    reading = read("installation_repositories", json.dumps(body).encode())
    assert [(a.repository, a.full_name, a.installation) for a in reading.installations] == [
        (5, "a/c", 9)
    ]


@pytest.mark.parametrize(
    ("event", "lists", "doubted", "is_of_all"),
    [
        ("installation", {}, (), True),
        ("installation", {"repositories": [{"id": 1}, {"id": "2"}]}, (1,), True),
        ("installation_target", {}, (), True),
        ("installation_repositories", {"repositories_removed": [{"id": 5}]}, (5,), False),
        ("installation_repositories", {"repositories_added": [{"id": 6}, 7]}, (6,), False),
    ],
)
def test_installation_events_mark_repositories_for_a_check(
    event: str, lists: dict[str, object], doubted: tuple[int, ...], is_of_all: bool
) -> None:
    body = {"action": "suspend", "installation": {"id": 9}, **lists}
    reading = read(event, json.dumps(body).encode())
    assert (reading.installation, reading.doubted, reading.is_of_all) == (9, doubted, is_of_all)


@pytest.mark.parametrize(
    ("said", "is_as_known"),
    [
        ({}, True),
        ({"full_name": "acme/shop", "default_branch": "main"}, True),
        ({"full_name": "acme/store"}, False),
        ({"default_branch": "trunk"}, False),
    ],
)
def test_any_delivery_may_reveal_a_renamed_repository(
    said: dict[str, object], is_as_known: bool
) -> None:
    body = {"repository": {"id": 7, **said}, "installation": {"id": 3}}
    reading = read("push", json.dumps(body).encode())
    assert reading.is_as_known(FACTS) is is_as_known
    elsewhere = FACTS.model_copy(update={"installation_id": 4})
    assert not reading.is_as_known(elsewhere)


_EVENTS = st.sampled_from(
    [
        *("push", "issue_comment", "pull_request", "workflow_run", "repository", "x", ""),
        *("installation", "installation_repositories", "installation_target"),
        "pull_request_review_comment",
    ]
)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "action",
                    "repository",
                    "id",
                    "comment",
                    "issue",
                    "number",
                    "installation",
                    "repositories",
                    "repositories_removed",
                    "pull_request",
                    "workflow_run",
                    "full_name",
                    "ref",
                    "default_branch",
                ]
            ),
            inner | st.sampled_from(["created", "closed", "completed"]),
            max_size=6,
        )
    ),
    max_leaves=20,
)


@settings(deadline=None)
@given(_EVENTS, st.binary(max_size=200) | _JSON.map(lambda v: json.dumps(v).encode()))
def test_any_delivery_is_read_without_an_error_and_gives_only_ids(event: str, body: bytes) -> None:
    reading = read_delivery(event, body)
    for hint in reading.hints if reading is not None else ():
        assert set(hint.model_dump()) == {"kind", "number", "issue"}
        assert isinstance(hint.number, int)
        assert 0 <= hint.number < 2**63
        assert 0 <= hint.issue < 2**63
    assert {one.name for one in fields(DeliveryContent)} == {
        "repository",
        "installation",
        "full_name",
        "default_branch",
        "hints",
        "pushed",
        "installations",
        "doubted",
        "is_of_all",
    }


@pytest.mark.parametrize(
    ("ref", "hints"),
    [
        ("refs/heads/gh-readonly-queue/main/pr-7-abc", (Hint(kind=HintKind.MAIN),)),
        ("refs/heads/topic", ()),
    ],
)
def test_a_merge_group_delivery_gives_a_hint_about_main(ref: str, hints: tuple[Hint, ...]) -> None:
    payload = {"ref": ref, "repository": {"id": 7, "default_branch": "main"}}
    content = read_delivery("push", json.dumps(payload).encode())
    assert content is not None
    assert content.hints == hints
