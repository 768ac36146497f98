"""The runner's side of an order: lease, heartbeat, bundle and report.

A lease is given only for the OIDC token of the workflow run that we dispatched. What arrives after
the lease is over is kept and refused. The journal is written by reconcile alone.
"""

import re
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import timedelta
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from action.order import (
    ORDER_VERSION,
    AgentOrder,
    EventBatch,
    EventsAnswer,
    GateStatus,
    HeartbeatAnswer,
    LeaseGrant,
    LeaseRequest,
    ModelCredentials,
)
from action.redaction import redacted, redacted_texts
from action.report import REPORT_VERSION, REPORT_VERSIONS_READ, Report
from bot.core.journal.state import OrderFacts
from bot.core.state.observed import Hint, HintKind
from bot.core.talk.access_text import why
from bot.core.values.ids import Digest, Frozen, OrderId, RepositoryId, Sha, WorkflowRunId
from bot.core.values.pause import NO_LEASE
from bot.core.values.repository import RepositoryFacts
from bot.order_ports import LEASE, LeasedOrder
from bot.ports import Retryable, UserError
from bot.shell.perform import budget_of
from bot.shell.process_ports import Ports
from bot.shell.rate_limit import count_reads
from bot.shell.troubles import refuse_runner, runner_taken
from bot.shell.workflow_trust import may_lease

BUNDLE_BYTES_MAX = 50 * 1024 * 1024
# Of one lease, with what is on its way: an honest runner sends one bundle, and sends it again if no
# answer came.
LEASE_BYTES_MAX = 4 * BUNDLE_BYTES_MAX

# How the run of an order asks the model; None where the server has no key.
ModelFor = Callable[[RepositoryId, OrderId], ModelCredentials | None]

# The workflow that a dispatch starts is always the repository's own.
_OWN_WORKFLOW = re.compile(r"[^/@]+/[^/@]+/\.github/workflows/[^@]+")


class RefusalKind(StrEnum):
    """Each is an HTTP status of its own (`entry/web/runner_api.py`)."""

    UNAUTHORISED = "unauthorised"
    NOT_YOURS = "not_yours"
    OVER = "over"
    TOO_LARGE = "too_large"
    UPGRADE = "upgrade"
    LATER = "later"


class Refused(Exception):
    """`sentence` tells the runner what to do; `after`, when to ask again where that may help."""

    def __init__(
        self, kind: RefusalKind, sentence: str, after: timedelta = timedelta(seconds=5)
    ) -> None:
        super().__init__(sentence)
        self.kind = kind
        self.sentence = sentence
        self.after = after


# What a database's column takes.
ClaimedNumber = Annotated[int, Field(ge=0, lt=2**63)]


class RunnerClaims(Frozen):
    """Claims of GitHub's OIDC token, once signature, issuer, audience and time are checked."""

    repository_id: ClaimedNumber
    run_id: ClaimedNumber
    run_attempt: ClaimedNumber
    actor_id: ClaimedNumber
    event_name: str
    workflow_ref: str
    job_workflow_ref: str = ""
    sha: str = ""
    workflow_sha: str = ""


def read_claims(claims: Mapping[str, object]) -> RunnerClaims:
    """GitHub sends numbers as strings; `sub` is not read, because its format can be configured."""
    known = {name: claims[name] for name in RunnerClaims.model_fields if name in claims}
    return RunnerClaims.model_validate(known, strict=False)


def grant(
    ports: Ports,
    claims: RunnerClaims,
    request: LeaseRequest,
    model: ModelFor,
) -> LeaseGrant:
    """Give the lease of the order that this workflow run was dispatched for.

    A runner that must not have it is told why; so is whoever operates the server.
    """
    repository = RepositoryId(claims.repository_id)
    try:
        given = _granted(ports, repository, claims, request, model)
    except Refused as refused:
        if refused.kind in {RefusalKind.NOT_YOURS, RefusalKind.UPGRADE}:
            refuse_runner(ports, repository, refused.sentence)
        raise
    runner_taken(ports, repository)
    return given


def _granted(
    ports: Ports,
    repository: RepositoryId,
    claims: RunnerClaims,
    request: LeaseRequest,
    model: ModelFor,
) -> LeaseGrant:
    if request.version != ORDER_VERSION:
        raise Refused(
            RefusalKind.UPGRADE,
            f"This runner's action reads orders of version {request.version}, but the server "
            f"sends version {ORDER_VERSION}. Use the action that belongs to this server.",
        )
    state = ports.journal.load(repository)
    facts = state.facts
    if facts is None:
        name = "/".join(claims.workflow_ref.split("/", 2)[:2])
        raise Refused(
            RefusalKind.NOT_YOURS,
            f"{NO_LEASE}Headgate is not installed in {name}. Give its App access to that "
            "repository, or remove the workflow from it.",
        )
    if state.away is not None:
        raise Refused(RefusalKind.NOT_YOURS, f"No lease now: {why(state.away)}")
    order_id = OrderId(request.order_id)
    known = state.orders.get(order_id)
    _check_binding(facts, claims, known.dispatched_on if known else "")
    _check_workflow(ports, facts, claims, order_id, known)
    token = secrets.token_urlsafe(32)
    now = ports.clock.now()
    until = now + LEASE
    run = WorkflowRunId(claims.run_id)
    order = ports.order_store.take(repository, order_id, run, (token, until), now)
    if order is None:
        raise Refused(
            RefusalKind.OVER,
            f"This workflow run cannot get order {order_id}: it is in use, revoked, or belongs "
            "to another run.",
        )
    ports.doorbell.ring_repository(repository)
    return LeaseGrant(
        lease_token=token,
        expires_at=until,
        order=order.replace(repository=facts.full_name, clone_url=facts.clone_url),
        model=model(repository, order_id)
        if isinstance(order, AgentOrder) and not order.remake
        else None,
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
            f"the job is in {claims.job_workflow_ref}, not in the repository's own workflow. "
            "Use the file that Headgate proposes, which has the job itself"
        )
    elif claims.run_attempt != 1:
        wrong = "the run was started again by hand, but only Headgate may start it"
    if wrong:
        raise Refused(RefusalKind.NOT_YOURS, f"{NO_LEASE}{wrong}.")


def _check_workflow(
    ports: Ports,
    facts: RepositoryFacts,
    claims: RunnerClaims,
    id_: OrderId,
    order: OrderFacts | None,
) -> None:
    """What counts is the file that runs: main may have moved since the order was dispatched."""
    if order is not None and order.dispatched_at and not order.dispatched_with:
        # By a release that did not look at the file.
        return
    approved = ports.order_store.workflow(facts.id, id_)
    owner, name, path = claims.workflow_ref.partition("@")[0].split("/", 2)
    commit = Sha(claims.workflow_sha or claims.sha)
    try:
        if approved and commit and may_lease(ports, facts, approved, path, commit):
            return
    except Retryable as failure:
        raise _unsure(failure.sentence, failure.after) from failure
    except UserError as failure:
        raise _unsure(failure.sentence, None) from failure
    finally:
        count_reads(ports, budget_of(facts))
    raise Refused(
        RefusalKind.NOT_YOURS,
        f"{NO_LEASE}{path} of {owner}/{name} as it runs, at {commit or 'an unknown commit'}, is not the "
        "file that the order was dispatched with.",
    )


def _unsure(why_not: str, after: timedelta | None) -> Refused:
    """That GitHub does not answer speaks against no runner: it asks again."""
    sentence = (
        "No lease yet: Headgate does not know yet whether the workflow file was approved. "
        f"{why_not}"
    )
    return Refused(RefusalKind.LATER, sentence, *([after] if after else []))


def _is_the_files_own_job(claims: RunnerClaims) -> bool:
    """A workflow of somebody else's, which a tag may change any day, gets no lease (and no key).

    Not every server sends the claim; GitHub may name the commit in place of the branch.
    """
    path, _, ref = claims.job_workflow_ref.partition("@")
    own_path, _, own_ref = claims.workflow_ref.partition("@")
    return not path or (path == own_path and ref in {own_ref, claims.sha})


def heartbeat(ports: Ports, token: str, order: OrderId) -> HeartbeatAnswer:
    leased = _leased(ports, token, order)
    if leased.is_over:
        return HeartbeatAnswer(
            carry_on=False, sentence="The lease has ended. Stop, and send no result."
        )
    _renew(ports, token)
    return HeartbeatAnswer(carry_on=True)


def _renew(ports: Ports, token: str) -> None:
    now = ports.clock.now()
    ports.order_store.renew(token, now + LEASE, now)


def keep_events(ports: Ports, token: str, order: OrderId, batch: EventBatch) -> EventsAnswer:
    """Keep what a run said, without secrets, and hand it what people told it since.

    What comes after the lease is over is kept: a stopped run's last words explain it.
    """
    leased = _leased(ports, token, order)
    # PostgreSQL takes no zero character.
    lines = tuple(redacted(line.replace("\0", "\ufffd")) for line in batch.lines)
    gates = tuple(
        one.replace(sentence=redacted(one.sentence), log_tail=redacted(one.log_tail))
        for one in batch.status.gates
    )
    kept = batch.replace(lines=lines, status=batch.status.replace(gates=gates))
    is_news = bool(gates) and not leased.is_over and _gates_moved(ports, leased, gates)
    ports.transcripts.keep(leased.repository, order, kept, ports.clock.now())
    if is_news:
        ports.doorbell.ring_repository(leased.repository)
    told = () if leased.is_over else ports.transcripts.told(leased.repository, order)
    return EventsAnswer(told=told[batch.heard :])


def _gates_moved(ports: Ports, leased: LeasedOrder, gates: tuple[GateStatus, ...]) -> bool:
    """Whether a gate has begun or ended since the last batch, and the report is still to come."""
    before = ports.order_store.entries(leased.repository, (leased.order,)).get(leased.order)
    if before is None or before.report is not None:
        return False
    return before.doing is None or before.doing.status.gates != gates


def keep_bundle(
    ports: Ports, token: str, order: OrderId, bundle: Iterable[bytes], length: int | None = None
) -> Digest:
    """Store a bundle before anything is done with it (law 13); also renews the lease.

    Nothing of it is read before the token is known and has room, and never all of it at once.
    `length` is what the request says of it.
    """
    leased = _leased(ports, token, order)
    most = BUNDLE_BYTES_MAX if length is None else min(length, BUNDLE_BYTES_MAX)
    _reserve(ports, token, most, LEASE_BYTES_MAX)
    counted = _Counted(most, bundle)
    digest = None
    try:
        digest = ports.blobs.receive(counted)
    finally:
        kept = (counted.count if digest else 0, digest)
        now = ports.clock.now()
        renewed = (now + LEASE, now) if digest and not leased.is_over else None
        ports.order_store.settle(token, most, kept, renewed)
    return digest


def _reserve(ports: Ports, token: str, count: int, most: int) -> None:
    if not ports.order_store.reserve(token, count, most):
        raise Refused(
            RefusalKind.TOO_LARGE,
            f"The data that a lease sends may have {most:,} bytes at most. Headgate keeps no "
            "more data of it.",
        )


class _Counted:
    """Pieces, up to a limit; `count` is how many bytes came."""

    def __init__(self, bytes_max: int, pieces: Iterable[bytes]) -> None:
        self._bytes_max, self._pieces = bytes_max, pieces
        self.count = 0

    def __iter__(self) -> Iterator[bytes]:
        for piece in self._pieces:
            self.count += len(piece)
            if self.count > self._bytes_max:
                sentence = f"A bundle may have {BUNDLE_BYTES_MAX:,} bytes at most."
                raise Refused(RefusalKind.TOO_LARGE, sentence)
            yield piece


def check_lease(ports: Ports, token: str, order: OrderId) -> None:
    _leased(ports, token, order)


def hand_in(ports: Ports, token: str, order: OrderId, report: Report) -> None:
    """Store a report. A late one is kept and refused; another one changes nothing."""
    if report.version not in REPORT_VERSIONS_READ:
        raise Refused(
            RefusalKind.UPGRADE,
            f"This runner's action sends reports of version {report.version}, but the server "
            f"reads version {REPORT_VERSION}. Use the action that belongs to this server.",
        )
    if report.order_id != order:
        raise Refused(RefusalKind.NOT_YOURS, "The report is for another order.")
    leased = _leased(ports, token, order)
    before = ports.order_store.entries(leased.repository, (order,)).get(order)
    if before is not None and before.report_digest is not None:
        # The first one counts, and nothing more is kept.
        return
    # The runner has looked, and is not trusted: much of a report is shown to people.
    said: Report = type(report).model_validate(redacted_texts(report.model_dump()))
    digest = ports.blobs.put(said.model_dump_json().encode())
    ports.order_store.hand_in(token, said, digest, Hint(kind=HintKind.AGAIN))
    ports.doorbell.ring_repository(leased.repository)
    if leased.is_over:
        raise Refused(RefusalKind.OVER, "The lease had ended. The report is kept, but not used.")


def _leased(ports: Ports, token: str, order: OrderId) -> LeasedOrder:
    leased = ports.order_store.leased(token)
    if leased is None or leased.order != order:
        raise Refused(RefusalKind.UNAUTHORISED, "This lease does not belong to this order.")
    return leased
