"""Webhooks: made from the hub's own state, signed, sent in order by one thread, never retried.

`announce` chooses the Apps, fixes the payload and puts it in the queue; the thread sends it and
records the result for the deliveries API. A redelivery is a new attempt under the same GUID. GitHub
makes no retries either.
"""

import hashlib
import hmac
import json
import ssl
import threading
import uuid
from collections import deque
from dataclasses import dataclass, replace
from functools import cache
from time import monotonic

import httpx

from bot.localhub.access import grants
from bot.localhub.faults import WEBHOOK, WEBHOOK_KINDS, Fault, FaultKind, FaultPlan
from bot.localhub.github_json import Json, node_id
from bot.localhub.model import Account, AccountType, App, Delivery, Installation, Repository
from bot.localhub.shapes.accounts import account_shape, organization_shape
from bot.localhub.shapes.repositories import repository_shape
from bot.localhub.state import State
from bot.localhub.traffic import notify_webhook

# GitHub's time limit for a receiver's answer.
DELIVERY_TIMEOUT_SECONDS = 10.0

# How long a reordered delivery waits for a later one.
REORDER_WAIT_SECONDS = 2.0

# The permission that an App needs to get an event; None needs no more than metadata.
EVENT_PERMISSIONS: dict[str, str | None] = {
    "push": "contents",
    "create": "contents",
    "delete": "contents",
    "commit_comment": "contents",
    "issues": "issues",
    "issue_comment": "issues",
    "sub_issues": "issues",
    "issue_dependencies": "issues",
    "label": None,
    "repository": None,
    "installation_target": None,
    "pull_request": "pull_requests",
    "pull_request_review": "pull_requests",
    "pull_request_review_comment": "pull_requests",
    "pull_request_review_thread": "pull_requests",
    "check_suite": "checks",
    "check_run": "checks",
    "status": "statuses",
    "workflow_run": "actions",
    "workflow_job": "actions",
    "workflow_dispatch": "contents",
    "repository_dispatch": "contents",
    "merge_group": "merge_queues",
    "branch_protection_rule": "administration",
    "repository_ruleset": None,
}


@dataclass(frozen=True)
class Announcement:
    repository: Repository
    event: str
    action: str | None
    body: Json
    sender: Account


@dataclass
class _Queued:
    delivery: Delivery
    not_before: float = 0.0
    overtaken_by_next: bool = False
    effect: Fault | None = None


class Webhooks:
    def __init__(self, state: State, faults: FaultPlan) -> None:
        self._state = state
        self._faults = faults
        self._queue: deque[_Queued] = deque()
        self._changed = threading.Condition()
        self._is_sending = False
        self._is_closed = False
        self._thread: threading.Thread | None = None

    def is_heard(self, repository: Repository, event: str) -> bool:
        installed = self._state.installations_on(repository)
        return any(_is_subscribed(installation, event) for installation in installed)

    def announce(self, announcement: Announcement) -> None:
        for installation in self._state.installations_on(announcement.repository):
            if _is_subscribed(installation, announcement.event):
                self.send_to(installation, announcement)

    def send_to(self, installation: Installation, announcement: Announcement) -> None:
        """Send to one App, subscribed or not (for events that every App gets)."""
        repository, owner = announcement.repository, announcement.repository.owner
        payload: Json = {}
        if announcement.action is not None:
            payload["action"] = announcement.action
        payload |= announcement.body
        payload["repository"] = repository_shape(self._state, repository)
        if owner.type is AccountType.ORGANIZATION:
            payload["organization"] = organization_shape(self._state, owner)
        payload["sender"] = account_shape(self._state, announcement.sender)
        payload["installation"] = short_installation(installation)
        self._enqueue(installation, announcement.event, payload, repository.id)

    def send_installation_event(
        self, installation: Installation, event: str, body: Json, sender: Account
    ) -> None:
        """The `installation*` events, which every App gets without subscribing."""
        payload: Json = {**body, "sender": account_shape(self._state, sender)}
        if installation.account.type is AccountType.ORGANIZATION:
            payload["organization"] = organization_shape(self._state, installation.account)
        self._enqueue(installation, event, payload, None)

    def _enqueue(
        self, installation: Installation, event: str, payload: Json, repository_id: int | None
    ) -> None:
        app = installation.app
        if not app.is_hook_active:
            return
        notify_webhook(event, payload)
        action = payload.get("action")
        raw = json.dumps(payload, separators=(",", ":"), ensure_ascii=False).encode()
        guid = str(uuid.uuid4())
        with self._state.lock:
            delivery = Delivery(
                id=self._state.next_id(),
                guid=guid,
                app=app,
                event=event,
                action=action if isinstance(action, str) else None,
                installation_id=installation.id,
                repository_id=repository_id,
                payload=raw,
                request_headers=_headers(app, event, guid, raw),
                created_at=self._state.now(),
            )
            self._state.deliveries.append(delivery)
        self._put(delivery)

    def redeliver(self, original: Delivery) -> None:
        """Send a delivery's payload again, under the same GUID, as an attempt of its own."""
        with self._state.lock:
            again = replace(
                original,
                id=self._state.next_id(),
                is_redelivery=True,
                created_at=self._state.now(),
                delivered_at=None,
                duration_seconds=0.0,
                status="pending",
                status_code=0,
                response_headers={},
                response_body="",
            )
            self._state.deliveries.append(again)
        self._put(again)

    def _put(self, delivery: Delivery) -> None:
        name = f"{delivery.event}.{delivery.action}" if delivery.action else delivery.event
        fault = self._faults.next_match(WEBHOOK, name, WEBHOOK_KINDS)
        queued = _Queued(delivery)
        copies = [queued]
        if fault is not None:
            match fault.kind:
                case FaultKind.DROP:
                    self._record(delivery, "dropped by a planted fault", 0)
                    return
                case FaultKind.DOUBLE:
                    copies = [queued, _Queued(delivery)]
                case FaultKind.DELAY:
                    queued.not_before = monotonic() + fault.delay_seconds
                case FaultKind.REORDER:
                    queued.not_before = monotonic() + REORDER_WAIT_SECONDS
                    queued.overtaken_by_next = True
                case _:
                    # The thread that announces may hold locks; the one that sends holds none.
                    queued.effect = fault
        with self._changed:
            self._queue.extend(copies)
            self._start()
            self._changed.notify_all()

    def _start(self) -> None:
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="webhooks", daemon=True)
            self._thread.start()

    def _work(self) -> None:
        trusted = _trusted_authorities()
        with httpx.Client(
            timeout=DELIVERY_TIMEOUT_SECONDS, trust_env=False, verify=trusted
        ) as client:
            while True:
                queued = self._next()
                if queued is None:
                    return
                if queued.effect is not None:
                    self._faults.apply(queued.effect, self._place_of(queued.delivery))
                self._send(client, queued.delivery)
                with self._changed:
                    self._is_sending = False
                    for other in self._queue:
                        # Only a later delivery can overtake it.
                        if other.overtaken_by_next and other.delivery.id < queued.delivery.id:
                            other.not_before = 0.0
                    self._changed.notify_all()

    def _place_of(self, delivery: Delivery) -> str:
        with self._state.lock:
            every = list(self._state.repositories.values())
        return next((held.full_name for held in every if held.id == delivery.repository_id), "")

    def _next(self) -> _Queued | None:
        with self._changed:
            while not self._is_closed:
                now = monotonic()
                for queued in self._queue:
                    if queued.not_before <= now:
                        self._queue.remove(queued)
                        self._is_sending = True
                        return queued
                earliest = min((queued.not_before for queued in self._queue), default=None)
                self._changed.wait(None if earliest is None else earliest - now)
            return None

    def _send(self, client: httpx.Client, delivery: Delivery) -> None:
        if delivery.app.webhook_url is None:
            self._record(delivery, "no webhook URL", 0)
            return
        started = monotonic()
        headers = {key: str(value) for key, value in delivery.request_headers.items()}
        try:
            answer = client.post(
                delivery.app.webhook_url, content=delivery.payload, headers=headers
            )
        except httpx.TimeoutException:
            self._record(delivery, "timed out", 0, monotonic() - started)
            return
        except (httpx.HTTPError, httpx.InvalidURL):
            self._record(delivery, "failed to connect to host", 0, monotonic() - started)
            return
        delivery.response_headers = dict(answer.headers)
        delivery.response_body = answer.text
        status = "OK" if answer.is_success else f"Invalid HTTP Response: {answer.status_code}"
        self._record(delivery, status, answer.status_code, monotonic() - started)

    def _record(
        self, delivery: Delivery, status: str, status_code: int, seconds: float = 0.0
    ) -> None:
        with self._state.lock:
            delivery.status = status
            delivery.status_code = status_code
            delivery.duration_seconds = round(seconds, 2)
            delivery.delivered_at = self._state.now()

    def wait_until_delivered(self, timeout_seconds: float) -> bool:
        """Whether every delivery was sent (or lost) within this time."""
        with self._changed:
            return self._changed.wait_for(
                lambda: not self._queue and not self._is_sending, timeout_seconds
            )

    def close(self) -> None:
        """End the thread; queued deliveries wait until another delivery starts a new one."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(DELIVERY_TIMEOUT_SECONDS)
        with self._changed:
            self._thread = None
            self._is_closed = False


def short_installation(installation: Installation) -> Json:
    """GitHub's `simple-installation`."""
    node = node_id("MDIzOkludGVncmF0aW9uSW5zdGFsbGF0aW9u", installation.id)
    return {"id": installation.id, "node_id": node}


@cache
def _trusted_authorities() -> ssl.SSLContext:
    """Reading them takes 25 ms, so that all hubs of a process share them."""
    return httpx.create_ssl_context(trust_env=False)


def _is_subscribed(installation: Installation, event: str) -> bool:
    if event not in installation.app.events:
        return False
    permission = EVENT_PERMISSIONS.get(event)
    return permission is None or grants(installation.permissions, permission, "read")


def _headers(app: App, event: str, guid: str, payload: bytes) -> Json:
    headers: Json = {
        "Content-Type": "application/json",
        "Accept": "*/*",
        "User-Agent": "GitHub-Hookshot/localhub",
        "X-GitHub-Delivery": guid,
        "X-GitHub-Event": event,
        "X-GitHub-Hook-ID": str(app.id),
        "X-GitHub-Hook-Installation-Target-ID": str(app.id),
        "X-GitHub-Hook-Installation-Target-Type": "integration",
    }
    if app.webhook_secret:
        secret = app.webhook_secret.encode()
        digest = hmac.new(secret, payload, hashlib.sha256).hexdigest()
        headers["X-Hub-Signature-256"] = f"sha256={digest}"
        sha1 = hmac.new(secret, payload, hashlib.sha1).hexdigest()
        headers["X-Hub-Signature"] = f"sha1={sha1}"
    return headers
