"""Webhooks, read without trusting them: a signature, and what to look at.

The rule (law 2): a delivery decides nothing. What comes out are a repository's id and hints; SHAs,
texts, states and permissions are looked up. Anything that does not fit gives no hints and never an
exception. Deliberately absent: payload fields that say what is so.
"""

import hmac
import json
from collections.abc import Mapping

from bot.core.state.observed import Hint, HintKind
from bot.core.values.ids import Frozen, InstallationId, RepositoryId

# GitHub delivers nothing larger than 25 MB ("Webhook events and payloads").
BODY_BYTES_MAX = 25 * 1024 * 1024


# What can change a pull's state, head or base; labels, reviews and the like are not looked at.
_PULL_ACTIONS = frozenset({"opened", "synchronize", "closed", "reopened", "edited"})

# What can make an issue a spec, change its text, or make it none any more.
_ISSUE_ACTIONS = frozenset({"labeled", "unlabeled", "edited", "closed", "reopened"})


class Installation(Frozen):
    """A repository that Headgate was given, as the delivery names it."""

    repository: RepositoryId
    full_name: str
    installation: InstallationId


class Reading(Frozen):
    """What a delivery comes to."""

    repository: RepositoryId | None = None
    installation: InstallationId | None = None
    full_name: str = ""
    hints: tuple[Hint, ...] = ()
    installations: tuple[Installation, ...] = ()


def is_signed(secret: str, body: bytes, signature: str | None) -> bool:
    """Whether `X-Hub-Signature-256` is GitHub's over exactly these bytes."""
    if not secret or not signature or not signature.startswith("sha256="):
        return False
    expected = hmac.digest(secret.encode(), body, "sha256").hex()
    # As bytes: a header may hold letters that text comparison refuses with an exception.
    said = signature.removeprefix("sha256=").encode(errors="replace")
    return hmac.compare_digest(expected.encode(), said)


def is_payload(body: bytes) -> bool:
    """Whether the bytes are a JSON object."""
    return _payload(body) is not None


def _payload(body: bytes) -> Mapping[str, object] | None:
    try:
        payload = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return payload if isinstance(payload, dict) else None


def read_delivery(event: str, body: bytes) -> Reading:
    """The hints in a delivery; empty for events and shapes that say nothing to us."""
    payload = _payload(body)
    if payload is None:
        return Reading()
    if event in {"installation", "installation_repositories"}:
        return Reading(installations=_installations(payload))
    repository = _at(payload, "repository")
    id_ = _int(repository.get("id"))
    if not id_:
        return Reading()
    return Reading(
        repository=RepositoryId(id_),
        installation=InstallationId(_int(_at(payload, "installation").get("id"))),
        full_name=str(repository.get("full_name") or ""),
        hints=_hints(event, payload),
    )


def _hints(event: str, payload: Mapping[str, object]) -> tuple[Hint, ...]:
    action = str(payload.get("action"))
    match event:
        case "push":
            branch = str(_at(payload, "repository").get("default_branch") or "main")
            on_main = payload.get("ref") == f"refs/heads/{branch}"
            return (Hint(kind=HintKind.MAIN),) if on_main else ()
        case "issue_comment" if action == "created":
            comment = _int(_at(payload, "comment").get("id"))
            issue = _int(_at(payload, "issue").get("number"))
            return _hint(HintKind.COMMENT, comment, issue) if issue else ()
        case "issues" if action in _ISSUE_ACTIONS:
            return _hint(HintKind.ISSUE, _int(_at(payload, "issue").get("number")))
        case "pull_request" if action in _PULL_ACTIONS:
            return _hint(HintKind.PULL, _int(_at(payload, "pull_request").get("number")))
        case "workflow_run" if action == "completed":
            return _hint(HintKind.WORKFLOW_RUN, _int(_at(payload, "workflow_run").get("id")))
        case _:
            return ()


def _hint(kind: HintKind, number: int, issue: int = 0) -> tuple[Hint, ...]:
    return (Hint(kind=kind, number=number, issue=issue),) if number else ()


def _installations(payload: Mapping[str, object]) -> tuple[Installation, ...]:
    installation = _int(_at(payload, "installation").get("id"))
    if str(payload.get("action")) not in {"created", "added", "unsuspend"} or not installation:
        return ()
    listed = [payload.get("repositories"), payload.get("repositories_added")]
    return tuple(
        Installation(
            repository=RepositoryId(_int(repository.get("id"))),
            full_name=str(repository.get("full_name") or ""),
            installation=InstallationId(installation),
        )
        for repositories in listed
        if isinstance(repositories, list)
        for repository in repositories
        if isinstance(repository, dict) and _int(repository.get("id"))
    )


def _at(payload: Mapping[str, object], key: str) -> Mapping[str, object]:
    value = payload.get(key)
    return value if isinstance(value, dict) else {}


def _int(value: object) -> int:
    """A positive 63-bit number, or 0."""
    if not isinstance(value, int) or isinstance(value, bool):
        return 0
    return value if 0 < value < 2**63 else 0
