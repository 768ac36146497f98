"""Webhooks: their signature, and hints on what to read from GitHub.

A delivery decides nothing (law 2): it gives only ids and hints. SHAs, texts, states and permissions
are read from the API. A payload of an unknown shape gives no hints and raises nothing.
"""

import hmac
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from bot.core.state.observed import Hint, HintKind
from bot.core.values.check_button import Button, Press
from bot.core.values.ids import Frozen, InstallationId, RepositoryId
from bot.core.values.queue_label import QUEUE_LABEL
from bot.core.values.repository import RepositoryFacts

# GitHub delivers nothing larger than 25 MB ("Webhook events and payloads").
BODY_BYTES_MAX = 25 * 1024 * 1024


# Python gives its lock away to hash 2,048 bytes or more. To get it back takes longer than to hash a usual body.
_PIECE_BYTES = 2_047
_SMALL_BYTES = 64 * 1024

# What an App subscribes to: the events that `read_delivery` reads, but for those that GitHub sends
# to every App without asking ("Webhook events and payloads": `installation*`).
EVENTS = (
    "check_run",
    "check_suite",
    "installation_target",
    "issue_comment",
    "issues",
    "pull_request",
    "pull_request_review",
    "pull_request_review_comment",
    "pull_request_review_thread",
    "push",
    "repository",
    "workflow_run",
)

# Actions that can change a pull's state, head or base, or whether it is a draft.
_PULL_ACTIONS = frozenset(
    {
        *("opened", "synchronize", "closed", "reopened", "edited"),
        *("ready_for_review", "converted_to_draft"),
    }
)

# Actions by which an opinion comes or goes; what is submitted may be a comment alone.
_REVIEW_ACTIONS = frozenset({"submitted", "dismissed"})
_NO_OPINION = "commented"

_THREAD_ACTIONS = frozenset({"resolved", "unresolved"})

_LABEL_ACTIONS = frozenset({"labeled", "unlabeled"})

# What GitHub sends when a person presses *Re-run* or one of our buttons.
_PRESSES = frozenset({"rerequested", "requested_action"})

# Actions that can make an issue a spec, change its text, or end that.
_ISSUE_ACTIONS = frozenset({"labeled", "unlabeled", "edited", "closed", "reopened"})

# Of use only if a person did it: a bot's comment has no commands.
_OF_PEOPLE = frozenset({("issue_comment", "created"), ("issues", "edited")})

# What concerns an installation as a whole, or which repositories it has.
_OF_INSTALLATIONS = frozenset({"installation", "installation_repositories", "installation_target"})
_LISTS = ("repositories", "repositories_added", "repositories_removed")


class Installation(Frozen):
    """`lacks` are permissions that the installation does not grant, where they were read."""

    repository: RepositoryId
    full_name: str
    installation: InstallationId
    lacks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DeliveryContent:
    """`full_name`, `default_branch` and `installation` only say whether they are those we know.

    `pushed` is a branch beside the default one, which may have a queue of its own.
    `doubted` are repositories that may not be what we know; with `is_of_all` it is every one of the
    installation.
    """

    repository: RepositoryId | None = None
    installation: InstallationId | None = None
    full_name: str = ""
    default_branch: str = ""
    hints: tuple[Hint, ...] = ()
    pushed: str = ""
    installations: tuple[Installation, ...] = ()
    doubted: tuple[RepositoryId, ...] = ()
    is_of_all: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether it says nothing that is of use."""
        return not (
            self.hints or self.pushed or self.installations or self.doubted or self.is_of_all
        )

    def is_as_known(self, facts: RepositoryFacts) -> bool:
        said = (self.full_name, self.default_branch, self.installation)
        known = (facts.full_name, facts.default_branch, facts.installation_id)
        return all(a == b for a, b in zip(said, known, strict=True) if a)


def is_signed(secret: str, body: bytes, signature: str | None) -> bool:
    """Whether `X-Hub-Signature-256` is the right signature of exactly these bytes."""
    if not secret or not signature or not signature.startswith("sha256="):
        return False
    summed = hmac.new(secret.encode(), digestmod="sha256")
    piece = _PIECE_BYTES if len(body) <= _SMALL_BYTES else len(body)
    for start in range(0, len(body), piece):
        summed.update(body[start : start + piece])
    expected = summed.hexdigest()
    # As bytes: comparing texts with letters outside ASCII raises an exception.
    given = signature.removeprefix("sha256=").encode(errors="replace")
    return hmac.compare_digest(expected.encode(), given)


def _payload(body: bytes) -> Mapping[str, object] | None:
    try:
        payload = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return payload if isinstance(payload, dict) else None


def read_delivery(event: str, body: bytes) -> DeliveryContent | None:
    """The hints in a delivery; empty for other events and unknown shapes, None for no JSON object."""
    payload = _payload(body)
    if payload is None:
        return None
    if event in _OF_INSTALLATIONS:
        return DeliveryContent(
            installation=InstallationId(_int(_at(payload, "installation").get("id"))) or None,
            installations=_installations(payload),
            doubted=tuple(RepositoryId(_int(one.get("id"))) for one in _listed(payload, *_LISTS)),
            is_of_all=event != "installation_repositories",
        )
    repository = _at(payload, "repository")
    id_ = _int(repository.get("id"))
    if not id_:
        return DeliveryContent()
    is_of_people = (event, str(payload.get("action"))) in _OF_PEOPLE
    hints = () if is_of_people and _is_by_bot(payload) else _hints(event, payload)
    return DeliveryContent(
        repository=RepositoryId(id_),
        installation=InstallationId(_int(_at(payload, "installation").get("id"))),
        full_name=str(repository.get("full_name") or ""),
        default_branch=str(repository.get("default_branch") or ""),
        hints=hints,
        pushed=_pushed(payload) if event == "push" and not hints else "",
    )


def _hints(event: str, payload: Mapping[str, object]) -> tuple[Hint, ...]:
    action = str(payload.get("action"))
    match event:
        case "push":
            return _of_push(payload)
        case "issue_comment" if action == "created":
            comment = _int(_at(payload, "comment").get("id"))
            issue = _int(_at(payload, "issue").get("number"))
            return _hint(HintKind.COMMENT, comment, issue) if issue else ()
        case "issues" if action in _ISSUE_ACTIONS:
            return _hint(HintKind.ISSUE, _int(_at(payload, "issue").get("number")))
        case "pull_request":
            return _of_pull(action, payload)
        case "pull_request_review" | "pull_request_review_thread":
            return _of_review(action, payload)
        case "pull_request_review_comment" if action == "created":
            comment = _int(_at(payload, "comment").get("id"))
            pull = _int(_at(payload, "pull_request").get("number"))
            return _hint(HintKind.REVIEW, comment, pull) if pull else ()
        case "repository":
            return (Hint(kind=HintKind.REPOSITORY),)
        case "repository_ruleset" | "branch_protection_rule":
            return (Hint(kind=HintKind.RULES),)
        case "check_run" if action in _PRESSES:
            return _pressed(payload, _at(payload, "check_run"), action)
        case "check_suite":
            return _of_suite(action, payload)
        case "workflow_run" if action == "completed":
            return _hint(HintKind.WORKFLOW_RUN, _int(_at(payload, "workflow_run").get("id")))
        case _:
            return ()


# A branch for each group of GitHub's merge queue.
MERGE_GROUPS = "refs/heads/gh-readonly-queue/"


_MAIN = (Hint(kind=HintKind.MAIN),)
_BRANCH = (Hint(kind=HintKind.BRANCH),)


def _of_push(payload: Mapping[str, object]) -> tuple[Hint, ...]:
    branch = str(_at(payload, "repository").get("default_branch") or "main")
    ref = str(payload.get("ref"))
    if ref == f"refs/heads/{branch}" or ref.startswith(MERGE_GROUPS):
        return _MAIN
    is_theirs = ref.startswith("refs/heads/headgate/") and not _is_by_bot(payload)
    return _BRANCH if is_theirs else ()


def _pushed(payload: Mapping[str, object]) -> str:
    """The branch of a person's push that hints at nothing: neither the default one nor a change's."""
    branch = str(payload.get("ref")).removeprefix("refs/heads/")
    is_other = branch != payload.get("ref") and not branch.startswith("headgate/")
    return branch if is_other and not _is_by_bot(payload) else ""


def _of_pull(action: str, payload: Mapping[str, object]) -> tuple[Hint, ...]:
    number = _int(_at(payload, "pull_request").get("number"))
    if action in _LABEL_ACTIONS:
        # A label of other tools is no reason to look.
        is_ours = _at(payload, "label").get("name") == QUEUE_LABEL
        return _hint(HintKind.LABEL, number) if is_ours else ()
    return _hint(HintKind.PULL, number) if action in _PULL_ACTIONS else ()


def _of_review(action: str, payload: Mapping[str, object]) -> tuple[Hint, ...]:
    is_opinion = _at(payload, "review").get("state") != _NO_OPINION
    number = _int(_at(payload, "pull_request").get("number"))
    if action in _THREAD_ACTIONS:
        # We resolve threads, too.
        return () if _is_by_bot(payload) else _hint(HintKind.THREAD, number)
    is_news = is_opinion and action in _REVIEW_ACTIONS
    return _hint(HintKind.REVIEWED, number) if is_news else ()


def _of_suite(action: str, payload: Mapping[str, object]) -> tuple[Hint, ...]:
    if action == "rerequested":
        return _pressed(payload, _at(payload, "check_suite"), action)
    return _of_green_suite(payload) if action == "completed" else ()


def _of_green_suite(payload: Mapping[str, object]) -> tuple[Hint, ...]:
    """The pulls at whose head an App's checks are all green. Our own checks are reported by a bot, and
    GitHub names no pulls of forks here: the next full look sees those.
    """
    suite = _at(payload, "check_suite")
    if suite.get("conclusion") != "success" or _is_by_bot(payload):
        return ()
    pulls = _listed(suite, "pull_requests")
    numbers = dict.fromkeys(_int(pull.get("number")) for pull in pulls)
    return tuple(Hint(kind=HintKind.CHECKED, number=n) for n in numbers if n)


def _is_by_bot(payload: Mapping[str, object]) -> bool:
    """What bots push to our branches and edit is nearly all ours; the sweep sees the rest."""
    return _at(payload, "sender").get("type") == "Bot"


def _pressed(
    payload: Mapping[str, object], pressed: Mapping[str, object], action: str
) -> tuple[Hint, ...]:
    """What a person asked of a check run or a suite; Apps ask for nothing."""
    sender = _at(payload, "sender")
    said = str(_at(payload, "requested_action").get("identifier"))
    button = Button.AGAIN.value if action == "rerequested" else said
    if sender.get("type") != "User" or button not in set(Button):
        return ()
    press = Press(
        button=Button(button),
        sha=str(pressed.get("head_sha") or ""),
        external_id=str(pressed.get("external_id") or ""),
        person=str(sender.get("login") or ""),
    )
    return (Hint(kind=HintKind.BUTTON, press=press),) if press.sha and press.person else ()


def _hint(kind: HintKind, number: int, issue: int = 0) -> tuple[Hint, ...]:
    return (Hint(kind=kind, number=number, issue=issue),) if number else ()


def _installations(payload: Mapping[str, object]) -> tuple[Installation, ...]:
    installation = _int(_at(payload, "installation").get("id"))
    if str(payload.get("action")) not in {"created", "added", "unsuspend"} or not installation:
        return ()
    return tuple(
        Installation(
            repository=RepositoryId(_int(repository.get("id"))),
            full_name=str(repository.get("full_name") or ""),
            installation=InstallationId(installation),
        )
        for repository in _listed(payload, "repositories", "repositories_added")
    )


def _listed(
    payload: Mapping[str, object],
    *keys: str,
) -> Iterator[Mapping[str, object]]:
    """The repositories with an id in these lists of a payload."""
    for key in keys:
        listed = payload.get(key)
        for one in listed if isinstance(listed, list) else ():
            if isinstance(one, dict) and _int(one.get("id")):
                yield one


def _at(payload: Mapping[str, object], key: str) -> Mapping[str, object]:
    value = payload.get(key)
    return value if isinstance(value, dict) else {}


def _int(value: object) -> int:
    """A positive 63-bit number, or 0."""
    if not isinstance(value, int) or isinstance(value, bool):
        return 0
    return value if 0 < value < 2**63 else 0
