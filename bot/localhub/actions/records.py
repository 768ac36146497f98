"""What the service stores: runs, their jobs, runners.

A run's attempt is a tree: a scope holds the nodes of one workflow file; a node is one job of it,
which becomes job records (one, or one per matrix combination) or, if it calls a workflow, scopes.
Mutable, and changed only under the engine's lock.
"""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from pydantic import JsonValue

from bot.localhub.actions.host import ActorFacts, RepositoryFacts
from bot.localhub.actions.reusable_workflows import LoadedWorkflow
from bot.localhub.actions.runner_messages import (
    Annotation,
    Conclusion,
    JobSignal,
    Status,
    StepState,
)
from bot.localhub.actions.workflow import Job, Permissions


class WorkflowState(StrEnum):
    ACTIVE = "active"
    DISABLED = "disabled_manually"
    OF_A_FORK = "disabled_fork"


@dataclass(frozen=True)
class WorkflowFile:
    id: int
    repository: str
    branch: str
    path: str
    name: str
    created_at: datetime
    state: WorkflowState = WorkflowState.ACTIVE


@dataclass
class Runner:
    id: int
    name: str
    token: str
    labels: tuple[str, ...]
    group: str
    os: str
    ephemeral: bool
    repository: str | None
    contact_at: float
    job_id: int | None = None


@dataclass
class JobRecord:
    id: int
    run_id: int
    run_attempt: int
    name: str
    definition: Job
    node: "Node"
    matrix: dict[str, JsonValue] | None
    strategy: dict[str, JsonValue]
    created_at: datetime
    labels: tuple[str, ...] = ()
    group: str | None = None
    timeout_minutes: float = 360.0
    status: Status = Status.QUEUED
    conclusion: Conclusion | None = None
    started_at: datetime | None = None
    completed_at: datetime | None = None
    steps: tuple[StepState, ...] = ()
    annotations: tuple[Annotation, ...] = ()
    outputs: dict[str, str] = field(default_factory=dict)
    log: bytearray = field(default_factory=bytearray)
    runner: Runner | None = None
    signal: JobSignal = JobSignal.CONTINUE
    signalled_at: float = 0.0
    contact_at: float = 0.0
    token: str | None = None
    id_token_request_token: str | None = None

    @property
    def is_over(self) -> bool:
        return self.status is Status.COMPLETED


@dataclass(eq=False)
class Node:
    """One job of a workflow file within one attempt; `result` is None until it ends."""

    job: Job
    scope: "Scope"
    is_started: bool = False
    result: Conclusion | None = None
    outputs: dict[str, JsonValue] = field(default_factory=dict)
    jobs: list[JobRecord] = field(default_factory=list)
    scopes: list["Scope"] = field(default_factory=list)
    fail_fast: bool = True


@dataclass(eq=False)
class Scope:
    """One workflow file within one attempt. `permissions` is None for the file that was started."""

    loaded: LoadedWorkflow
    inputs: dict[str, JsonValue]
    secrets: dict[str, str]
    permissions: Permissions | None = None
    name_prefix: str = ""
    is_called: bool = False
    nodes: dict[str, Node] = field(default_factory=dict)


@dataclass
class Attempt:
    number: int
    started_at: datetime
    triggering_actor: ActorFacts
    root: Scope
    jobs: list[JobRecord] = field(default_factory=list)
    status: Status = Status.QUEUED
    conclusion: Conclusion | None = None
    updated_at: datetime | None = None


@dataclass
class WorkflowRun:
    id: int
    number: int
    repository: RepositoryFacts
    workflow: WorkflowFile
    event: str
    event_payload: dict[str, JsonValue]
    ref: str
    head_branch: str
    head_sha: str
    head_ref: str
    base_ref: str
    actor: ActorFacts
    display_title: str
    created_at: datetime
    check_suite_id: int
    attempts: list[Attempt]
    inputs: dict[str, JsonValue] = field(default_factory=dict)
    head_commit: dict[str, JsonValue] | None = None
    concurrency_group: str | None = None
    cancels_in_progress: bool = False
    is_cancelled: bool = False
    is_held: bool = False
    error: str | None = None

    @property
    def attempt(self) -> Attempt:
        return self.attempts[-1]

    @property
    def status(self) -> Status:
        return self.attempt.status

    @property
    def conclusion(self) -> Conclusion | None:
        return self.attempt.conclusion
