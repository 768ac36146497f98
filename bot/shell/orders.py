"""The runner's side of an order: lease, heartbeat, bundle and report.

A lease is given only for the OIDC token of the workflow run that we dispatched. What arrives after
the lease is over is kept and refused. The journal is written by reconcile alone.
"""

import re
import secrets
from collections.abc import Mapping
from datetime import timedelta
from enum import StrEnum

from action.order import (
    HEARTBEAT_SECONDS,
    ORDER_VERSION,
    AgentOrder,
    HeartbeatAnswer,
    LeaseGrant,
    LeaseRequest,
    ModelCredentials,
)
from action.report import REPORT_VERSION, REPORT_VERSIONS_READ, Report
from bot.core.state.observed import Hint, HintKind
from bot.core.talk.access_text import why
from bot.core.values.ids import Digest, Frozen, OrderId, RepositoryId, WorkflowRunId
from bot.core.values.repository import RepositoryFacts
from bot.ports import LeasedOrder
from bot.shell.process_ports import Ports

# A lease ends after three missed heartbeats.
LEASE = timedelta(seconds=3 * HEARTBEAT_SECONDS)

BUNDLE_BYTES_MAX = 50 * 1024 * 1024

# The workflow that a dispatch starts is always the repository's own.
_OWN_WORKFLOW = re.compile(r"[^/@]+/[^/@]+/\.github/workflows/[^@]+")


class RefusalKind(StrEnum):
    """Each is an HTTP status of its own (`entry/web/runner_api.py`)."""

    UNAUTHORISED = "unauthorised"
    NOT_YOURS = "not_yours"
    OVER = "over"
    TOO_LARGE = "too_large"
    UPGRADE = "upgrade"


class Refused(Exception):
    """`sentence` tells the runner what to do."""

    def __init__(self, kind: RefusalKind, sentence: str) -> None:
        super().__init__(sentence)
        self.kind = kind
        self.sentence = sentence


class RunnerClaims(Frozen):
    """Claims of GitHub's OIDC token, once signature, issuer, audience and time are checked."""

    repository_id: int
    run_id: int
    run_attempt: int
    actor_id: int
    event_name: str
    workflow_ref: str
    job_workflow_ref: str = ""
    sha: str = ""


def read_claims(claims: Mapping[str, object]) -> RunnerClaims:
    """GitHub sends numbers as strings; `sub` is not read, because its format can be configured."""
    known = {name: claims[name] for name in RunnerClaims.model_fields if name in claims}
    return RunnerClaims.model_validate(known, strict=False)


def grant(
    ports: Ports,
    claims: RunnerClaims,
    request: LeaseRequest,
    model: ModelCredentials | None,
) -> LeaseGrant:
    """Give the lease of the order that this workflow run was dispatched for."""
    if request.version != ORDER_VERSION:
        raise Refused(
            RefusalKind.UPGRADE,
            f"This harness speaks version {request.version} of orders and the server "
            f"{ORDER_VERSION}: use the action that belongs to this server.",
        )
    repository = RepositoryId(claims.repository_id)
    state = ports.journal.load(repository)
    facts = state.facts
    if facts is None:
        raise Refused(RefusalKind.NOT_YOURS, "Headgate is not installed in that repository.")
    if state.away is not None:
        raise Refused(RefusalKind.NOT_YOURS, f"No lease: {why(state.away)}")
    known = state.orders.get(OrderId(request.order_id))
    _check_binding(facts, claims, known.dispatched_on if known else "")
    token = secrets.token_urlsafe(32)
    now = ports.clock.now()
    until = now + LEASE
    order_id = OrderId(request.order_id)
    run = WorkflowRunId(claims.run_id)
    order = ports.order_store.take(repository, order_id, run, (token, until), now)
    if order is None:
        raise Refused(
            RefusalKind.OVER,
            f"Order {order_id} is not to be had for this workflow run: it is in use, "
            "revoked, or dispatched as another run.",
        )
    ports.doorbell.ring_repository(repository)
    return LeaseGrant(
        lease_token=token,
        expires_at=until,
        order=order.replace(repository=facts.full_name, clone_url=facts.clone_url),
        model=model if isinstance(order, AgentOrder) and not order.remake else None,
    )


def _check_binding(facts: RepositoryFacts, claims: RunnerClaims, dispatched_on: str) -> None:
    """The repository is known by its id; the name in `workflow_ref` may be a former one."""
    path, _, ref = claims.workflow_ref.partition("@")
    is_own = _OWN_WORKFLOW.fullmatch(path) is not None
    wrong = None
    if claims.event_name != "workflow_dispatch":
        wrong = f"the run was started by {claims.event_name}, not by a dispatch"
    elif claims.actor_id != facts.bot_id:
        wrong = "the run was not dispatched by Headgate"
    elif not is_own or not ref or ref not in {facts.main_ref, dispatched_on}:
        wrong = "the workflow is not the default branch's own"
    elif not _is_the_files_own_job(claims):
        wrong = (
            f"the job stands in {claims.job_workflow_ref}, not in the repository's own workflow: "
            "the file that Headgate proposes holds the job itself"
        )
    elif claims.run_attempt != 1:
        wrong = "the run was started again; Headgate dispatches orders itself"
    if wrong:
        raise Refused(RefusalKind.NOT_YOURS, f"No lease: {wrong}.")


def _is_the_files_own_job(claims: RunnerClaims) -> bool:
    """A workflow of somebody else's, which a tag may change any day, gets no lease (and no key).

    Not every server sends the claim; GitHub may name the commit in place of the branch.
    """
    path, _, ref = claims.job_workflow_ref.partition("@")
    own_path, _, own_ref = claims.workflow_ref.partition("@")
    return not path or (path == own_path and ref in {own_ref, claims.sha})


def heartbeat(ports: Ports, token: str, order: OrderId) -> HeartbeatAnswer:
    """Renew the lease, or tell the runner that it is over."""
    leased = _leased(ports, token, order)
    if leased.is_over:
        return HeartbeatAnswer(
            carry_on=False, sentence="The lease is over: stop, and hand nothing in."
        )
    _renew(ports, token)
    return HeartbeatAnswer(carry_on=True)


def _renew(ports: Ports, token: str) -> None:
    now = ports.clock.now()
    ports.order_store.renew(token, now + LEASE, now)


def keep_bundle(ports: Ports, token: str, order: OrderId, bundle: bytes) -> Digest:
    """Store a bundle before anything is done with it (law 13); also renews the lease."""
    if len(bundle) > BUNDLE_BYTES_MAX:
        raise Refused(
            RefusalKind.TOO_LARGE, f"A bundle may have {BUNDLE_BYTES_MAX:,} bytes at most."
        )
    leased = _leased(ports, token, order)
    digest = ports.blobs.put(bundle)
    if not leased.is_over:
        _renew(ports, token)
    return digest


def hand_in(ports: Ports, token: str, order: OrderId, report: Report) -> None:
    """Store a report. A late one is kept and refused; the same one again changes nothing."""
    if report.version not in REPORT_VERSIONS_READ:
        raise Refused(
            RefusalKind.UPGRADE,
            f"This harness reports in version {report.version} and the server reads "
            f"{REPORT_VERSION}: use the action that belongs to this server.",
        )
    if report.order_id != order:
        raise Refused(RefusalKind.NOT_YOURS, "The report names another order.")
    leased = _leased(ports, token, order)
    digest = ports.blobs.put(report.model_dump_json().encode())
    before = ports.order_store.entries(leased.repository, (order,)).get(order)
    if before is not None and before.report_digest == digest:
        return
    ports.order_store.hand_in(token, report, digest, Hint(kind=HintKind.AGAIN))
    ports.doorbell.ring_repository(leased.repository)
    if leased.is_over:
        raise Refused(RefusalKind.OVER, "The lease was over: the report is kept, and not used.")


def _leased(ports: Ports, token: str, order: OrderId) -> LeasedOrder:
    leased = ports.order_store.leased(token)
    if leased is None or leased.order != order:
        raise Refused(RefusalKind.UNAUTHORISED, "That is not the lease of this order.")
    return leased
