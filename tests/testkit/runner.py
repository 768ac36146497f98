"""A runner for stories: takes jobs from localhub, gets leases by OIDC, does orders, reports.

It speaks the same HTTP as the real harness and runs the real gates, without a sandbox; the agent is a
function. `do_all` returns when no job waits, so that a story needs no threads.
"""

import hashlib
import json
import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import httpx

from action.agents.threads import THREADS_FILE, read_accounts
from action.order import AgentOrder, EventBatch, GateOrder, LeaseGrant, LeaseRequest
from action.report import (
    AgentEnding,
    AgentQuestion,
    AgentReport,
    GateOrderReport,
    Report,
    ThreadAccount,
    TokenUse,
)
from bot.localhub.actions.runner_messages import (
    Annotation,
    Completion,
    Conclusion,
    JobMessage,
    Registration,
)
from gates.judge import Subject
from gates.result import GateResult
from gates.settings import Definition
from tests.testkit.gate_lines import judge_all
from tests.testkit.people import UNTIDIED

# Edits the work tree of its order, and may end with questions for people.
Agent = Callable[[AgentOrder, Path], tuple[AgentQuestion, ...] | None]


# A file that every change edits, and what git writes around both sides of a conflict.
SHARED = "src/routes.txt"
_MARKERS = ("<<<<<<<", "|||||||", "=======", ">>>>>>>")


def adds_a_route(order: AgentOrder, tree: Path) -> None:
    """Adds a line at the end of the shared file; keeps both sides of a conflict there."""
    writes_a_file(order, tree)
    routes = tree / SHARED
    told = routes.read_text().splitlines() if routes.exists() else []
    lines = [line for line in told if not line.startswith(_MARKERS)]
    routes.write_text("".join(f"{line}\n" for line in dict.fromkeys((*lines, order.change))))


def writes_a_file(order: AgentOrder, tree: Path) -> None:
    """The default agent: adds one file that names the requirements."""
    place = tree / "src" / f"{order.change}.txt"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text("".join(f"{r.id}: {r.title}\n" for r in order.requirements))


def accounts_for(tree: Path, *accounts: tuple[int, str]) -> None:
    """As an agent says what became of threads of reviews."""
    said = [{"thread": thread, "text": text} for thread, text in accounts]
    file = tree / THREADS_FILE
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps({"threads": said}))


def accounts_in(tree: Path) -> tuple[ThreadAccount, ...]:
    """What it said, which is no part of its work."""
    file = tree / THREADS_FILE
    if not file.exists():
        return ()
    said = read_accounts(file.read_bytes())
    file.unlink()
    return said


@dataclass
class Lease:
    """A job and the lease of its order."""

    job: JobMessage
    server: str
    grant: LeaseGrant

    @property
    def order(self) -> AgentOrder | GateOrder:
        return self.grant.order


_HEADGATE = ".git/refs/heads/headgate"


def _make_repository(folder: Path) -> None:
    """What `git init` makes, without a process."""
    for part in ("objects/info", "objects/pack", "refs/heads", "refs/tags"):
        (folder / part).mkdir(parents=True)
    (folder / "HEAD").write_text("ref: refs/heads/master\n")
    (folder / "config").write_text("[core]\n\trepositoryFormatVersion = 0\n\tbare = false\n")


@dataclass
class Runner:
    """As many runners as jobs are taken at once. `taken` lists every order that was leased."""

    url: str
    folder: Path
    http: httpx.Client
    agent: Agent = writes_a_file
    # What a gate seems to say: a story may let it flake.
    seems: Callable[[GateResult], GateResult] = lambda result: result
    # How long to wait for a job; a story does not wait.
    wait_seconds: float = 0
    # The name to register with; a second runner of one name would replace the first.
    name: str = "story"
    labels: tuple[str, ...] = ("self-hosted", "headgate")
    # Where the server keeps a repository's objects: they are read from there, without a fetch.
    objects_of: Callable[[str], Path] | None = None
    taken: list[AgentOrder | GateOrder] = field(default_factory=list)
    # Why leases were refused.
    refused: list[str] = field(default_factory=list)
    _idle: list[str] = field(default_factory=list)
    _busy: dict[int, str] = field(default_factory=dict)
    _trees: int = 0

    def do_all(self) -> int:
        """Do every waiting order; returns how many there were."""
        count = 0
        while (lease := self.take()) is not None:
            self.do(lease)
            count += 1
        return count

    def take(self) -> Lease | None:
        """Take a waiting job and lease its order; None where no job waits."""
        while (job := self._acquire()) is not None:
            lease = self.lease_of(job)
            if lease is not None:
                return lease
        return None

    def lease_of(self, job: JobMessage) -> Lease | None:
        """Lease a job's order; where that is refused the job fails, as with the real harness."""
        inputs = job.contexts["inputs"]
        assert isinstance(inputs, dict)
        server, order_id = str(inputs["server"]), str(inputs["order_id"])
        asked = LeaseRequest(order_id=order_id, oidc_token=self.oidc(job, server))
        answer = self.ask(server, asked)
        if answer.status_code != 200:
            sentence = str(answer.json().get("sentence"))
            self.refused.append(sentence)
            said = f"The server did not give the order to this job: {sentence}"
            error = Annotation(level="failure", message=said, path=".github")
            self.complete(job, Conclusion.FAILURE, (error,))
            return None
        lease = Lease(job, server, LeaseGrant.model_validate_json(answer.content))
        self.taken.append(lease.order)
        return lease

    def ask(self, server: str, asked: LeaseRequest) -> httpx.Response:
        return self.http.post(f"{server}/runner/lease", content=asked.model_dump_json())

    def do(self, lease: Lease) -> httpx.Response:
        """Do the order, report and complete the job; returns the answer to the report."""
        report = self.work(lease)
        answer = self.report(lease, report)
        self.complete(lease.job)
        return answer

    def work(self, lease: Lease) -> Report:
        """Do the order, with the upload of a bundle."""
        order = lease.order
        if isinstance(order, GateOrder):
            return self._judge(order, lease)
        return self._implement(order, lease)

    def report(self, lease: Lease, report: Report) -> httpx.Response:
        return self.http.post(
            f"{lease.server}/runner/orders/{lease.order.order_id}/report",
            content=report.model_dump_json(),
            headers=self._authorised(lease),
        )

    def complete(
        self,
        job: JobMessage,
        conclusion: Conclusion = Conclusion.SUCCESS,
        annotations: tuple[Annotation, ...] = (),
    ) -> None:
        """End the job; `annotations` as its log's `::error::` lines would make them."""
        token = self._busy.pop(job.job_id)
        ended = Completion(conclusion=conclusion, annotations=annotations)
        self._post(f"/jobs/{job.job_id}/complete", token, ended)
        self._idle.append(token)

    def heartbeat(self, lease: Lease) -> httpx.Response:
        return self.http.post(
            f"{lease.server}/runner/orders/{lease.order.order_id}/heartbeat",
            content="{}",
            headers=self._authorised(lease),
        )

    def events(self, lease: Lease, batch: EventBatch) -> httpx.Response:
        return self.http.post(
            f"{lease.server}/runner/orders/{lease.order.order_id}/events",
            content=batch.model_dump_json(),
            headers=self._authorised(lease),
        )

    def upload(self, lease: Lease, bundle: bytes) -> httpx.Response:
        return self.http.put(
            f"{lease.server}/runner/orders/{lease.order.order_id}/bundle",
            content=bundle,
            headers=self._authorised(lease),
        )

    def checkout(self, lease: Lease, sha: str) -> Path:
        """A clean work tree at a commit; what is not lent is fetched with the job's own token."""
        self._trees += 1
        tree = self.folder / f"tree{self._trees}"
        tree.mkdir(parents=True)
        order = lease.order
        _make_repository(tree / ".git")
        if self.objects_of is None:
            url = order.clone_url.replace("://", f"://x-access-token:{lease.job.token}@")
            base = order.base_sha if isinstance(order, AgentOrder) else order.diff_base_sha
            self.git(tree, "fetch", "-q", url, sha, base)
        else:
            lent = tree / ".git/objects/info/alternates"
            lent.write_text(f"{self.objects_of(order.repository)}\n")
        self.git(tree, "checkout", "-q", "--detach", sha)
        return tree

    def bundle(self, tree: Path, base: str) -> bytes:
        """Commit everything in a tree and bundle it on top of `base`."""
        self.git(tree, "add", "-A")
        self.git(tree, "commit", "-q", "--allow-empty", "-m", "an agent's work")
        head = self.git(tree, "rev-parse", "HEAD")
        (tree / _HEADGATE).write_text(f"{head}\n")
        self.git(tree, "bundle", "create", "-q", "out.bundle", f"{base}..headgate")
        return (tree / "out.bundle").read_bytes()

    def git(self, tree: Path, *arguments: str) -> str:
        """git in a work tree, without the machine's settings."""
        who = {
            f"GIT_{role}_{part}": value
            for role in ("AUTHOR", "COMMITTER")
            for part, value in (("NAME", "agent"), ("EMAIL", "agent@example.com"))
        }
        done = subprocess.run(
            ["git", *arguments],
            cwd=tree,
            env={"PATH": os.environ["PATH"], "HOME": str(self.folder), **who, **UNTIDIED},
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout.strip()

    def _implement(self, order: AgentOrder, lease: Lease) -> AgentReport:
        tree = self.checkout(lease, order.start_sha)
        asked = self.agent(order, tree) or ()
        accounts = accounts_in(tree)
        bundle = self.bundle(tree, order.base_sha)
        head = (tree / _HEADGATE).read_text().strip()
        shutil.rmtree(tree)
        self.upload(lease, bundle).raise_for_status()
        return AgentReport(
            order_id=order.order_id,
            ending=AgentEnding.ASKED if asked else AgentEnding.FINISHED,
            sentence="Done.",
            questions=asked,
            accounts=accounts,
            head_sha=head,
            bundle_sha256=hashlib.sha256(bundle).hexdigest(),
            model="a-model",
            turns=3,
            tokens=TokenUse(input=1_000, output=200),
            seconds=1.0,
        )

    def _judge(self, order: GateOrder, lease: Lease) -> GateOrderReport:
        tree = self.checkout(lease, order.candidate_sha)
        definition = Definition(
            gates=order.gates,
            protected=order.protected,
            archive_paths=order.archive_paths,
            requirements=order.requirements,
            is_of_person=order.is_of_person,
            declared=order.declared,
        )
        report = judge_all(Subject(tree, order.diff_base_sha), order.gates, definition)
        shutil.rmtree(tree)
        seen = replace(report, results=tuple(self.seems(result) for result in report.results))
        return GateOrderReport(order_id=order.order_id, sentence="Judged.", report=seen)

    def oidc(self, job: JobMessage, audience: str) -> str:
        """The OIDC token of a job."""
        answer = self.http.get(
            f"{job.id_token_url}&audience={audience}",
            headers={"Authorization": f"bearer {job.id_token_request_token}"},
        )
        answer.raise_for_status()
        return str(answer.json()["value"])

    def _acquire(self) -> JobMessage | None:
        token = self._idle.pop() if self._idle else self._register()
        answer = self._post(f"/acquire?wait_seconds={self.wait_seconds}", token)
        if answer.status_code != 200:
            self._idle.append(token)
            return None
        job = JobMessage.model_validate_json(answer.content)
        self._busy[job.job_id] = token
        # The first renewal puts the job in progress.
        self._post(f"/jobs/{job.job_id}/renew?wait_seconds=0", token)
        return job

    def _register(self) -> str:
        name = f"{self.name}{len(self._busy) + len(self._idle) + 1}"
        registration = Registration(name=name, labels=self.labels)
        return str(self._post("/register", "", registration).json()["runner_token"])

    def _post(
        self, path: str, token: str, body: Registration | Completion | None = None
    ) -> httpx.Response:
        answer = self.http.post(
            f"{self.url}/_actions/runner{path}",
            content=body.model_dump_json() if body else "",
            headers={"Authorization": f"bearer {token}"} if token else {},
        )
        answer.raise_for_status()
        return answer

    def _authorised(self, lease: Lease) -> dict[str, str]:
        return {"Authorization": f"Bearer {lease.grant.lease_token}"}
