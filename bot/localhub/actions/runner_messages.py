"""The messages between runner and service. Our own: GitHub's protocol is not public.

A runner registers, asks for a job (long poll), renews it (long poll, answered at once if the job
must be cancelled), sends log and steps as they come, and completes it. Every message may be sent
twice.
"""

from datetime import datetime
from enum import StrEnum

from pydantic import Field, JsonValue

from bot.localhub.actions.workflow import Defaults, Frozen, Step

# The longest long poll; the runner asks again at once.
POLL_SECONDS_MAX = 20.0


class Status(StrEnum):
    """The status of a run, job or step. `PENDING` waits for its concurrency group."""

    PENDING = "pending"
    QUEUED = "queued"
    IN_PROGRESS = "in_progress"
    COMPLETED = "completed"


class Conclusion(StrEnum):
    """A job that exceeds its time is `CANCELLED`, as on GitHub."""

    SUCCESS = "success"
    FAILURE = "failure"
    CANCELLED = "cancelled"
    SKIPPED = "skipped"
    STARTUP_FAILURE = "startup_failure"


class JobSignal(StrEnum):
    CONTINUE = "carry_on"
    CANCEL = "cancel"
    FORCE_CANCEL = "force_cancel"


class Registration(Frozen):
    """`POST register`; without a token the runner serves every repository of the hub."""

    name: str
    labels: tuple[str, ...] = ()
    group: str = "Default"
    os: str = "Linux"
    architecture: str = "X64"
    ephemeral: bool = False
    token: str | None = None
    jit_config: str | None = None


class Registered(Frozen):
    """The answer: `runner_token` authorises all other requests."""

    runner_token: str
    name: str


class StepState(Frozen):
    number: int
    name: str
    status: Status
    conclusion: Conclusion | None = None
    started_at: datetime | None = None
    completed_at: datetime | None = None


class Annotation(Frozen):
    level: str
    message: str
    title: str = ""
    path: str = ""
    line: int = 0
    end_line: int = 0


class JobMessage(Frozen):
    """Everything that a runner needs to execute one job.

    `contexts` holds github, inputs, vars, needs, strategy, matrix and secrets; `env_layers` are
    templates, the workflow's before the job's.
    """

    job_id: int
    run_id: int
    job_key: str
    display_name: str
    contexts: dict[str, JsonValue]
    env_layers: tuple[dict[str, str], ...]
    defaults: Defaults
    steps: tuple[Step, ...]
    outputs: dict[str, str]
    timeout_minutes: float
    token: str
    masks: tuple[str, ...]
    id_token_url: str | None = None
    id_token_request_token: str | None = None


class RenewAnswer(Frozen):
    signal: JobSignal


class StepsUpdate(Frozen):
    steps: tuple[StepState, ...]


class Completion(Frozen):
    conclusion: Conclusion
    outputs: dict[str, str] = Field(default_factory=dict)
    steps: tuple[StepState, ...] = ()
    annotations: tuple[Annotation, ...] = ()


class ActionQuery(Frozen):
    """`POST jobs/{id}/action`: where is `owner/repo[/path]@ref`?"""

    uses: str


class ActionLocation(Frozen):
    """An action's repository at an exact commit; `path` is below its root."""

    repository: str
    ref: str
    sha: str
    path: str
    clone_url: str
