"""The model of a workflow file.

Texts keep their `${{ }}`, which are evaluated later. `parse_workflow.py` makes these values from
YAML and refuses keys that localhub does not execute, so that none is silently ignored.
"""

from enum import StrEnum
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, JsonValue


class Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    def replace(self, **changes: object) -> Self:
        """A copy with some fields replaced; the type checker knows the fields and their types."""
        return self.model_copy(update=changes)


class Level(StrEnum):
    """The level of one permission, lowest first."""

    NONE = "none"
    READ = "read"
    WRITE = "write"

    def covers(self, wanted: "Level") -> bool:
        order = list(Level)
        return order.index(self) >= order.index(wanted)


# Every scope of `permissions` (GitHub, "Workflow syntax", permissions).
PERMISSION_NAMES = (
    "actions",
    "artifact-metadata",
    "attestations",
    "checks",
    "contents",
    "deployments",
    "discussions",
    "id-token",
    "issues",
    "models",
    "packages",
    "pages",
    "pull-requests",
    "repository-projects",
    "security-events",
    "statuses",
)

Permissions = dict[str, Level]

# The default permissions of a job's token in a repository created today.
DEFAULT_PERMISSIONS: Permissions = {"contents": Level.READ, "packages": Level.READ}


class InputKind(StrEnum):
    STRING = "string"
    BOOLEAN = "boolean"
    NUMBER = "number"
    CHOICE = "choice"
    ENVIRONMENT = "environment"


class Input(Frozen):
    kind: InputKind = InputKind.STRING
    required: bool = False
    default: JsonValue = None
    options: tuple[str, ...] = ()
    description: str = ""


class Filter(Frozen):
    """Patterns, in their order; `ignored` are those of the `-ignore` form."""

    patterns: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()


class DispatchTrigger(Frozen):
    inputs: dict[str, Input] = {}


class CallTrigger(Frozen):
    """`on: workflow_call`; outputs are templates, secrets say whether they are required."""

    inputs: dict[str, Input] = {}
    secrets: dict[str, bool] = {}
    outputs: dict[str, str] = {}


class PushTrigger(Frozen):
    branches: Filter | None = None
    tags: Filter | None = None
    paths: Filter | None = None


class PullRequestTrigger(Frozen):
    types: tuple[str, ...] = ("opened", "synchronize", "reopened")
    branches: Filter | None = None
    paths: Filter | None = None


class RepositoryDispatchTrigger(Frozen):
    types: tuple[str, ...] | None = None


class Triggers(Frozen):
    """`on`; `others` are events that GitHub knows and localhub never sends."""

    dispatch: DispatchTrigger | None = None
    call: CallTrigger | None = None
    push: PushTrigger | None = None
    pull_request: PullRequestTrigger | None = None
    repository_dispatch: RepositoryDispatchTrigger | None = None
    others: tuple[str, ...] = ()


class Defaults(Frozen):
    shell: str | None = None
    working_directory: str | None = None


class Concurrency(Frozen):
    group: str
    cancel_in_progress: str = "false"


class Step(Frozen):
    """One step: exactly one of `run` and `uses` is set."""

    id: str = ""
    name: str | None = None
    condition: str | None = None
    uses: str | None = None
    run: str | None = None
    arguments: dict[str, str] = {}
    env: dict[str, str] = {}
    shell: str | None = None
    working_directory: str | None = None
    continue_on_error: str = "false"
    timeout_minutes: str | None = None
    line: int = 0


class RunsOn(Frozen):
    labels: JsonValue = None
    group: str | None = None


class Matrix(Frozen):
    """`strategy`: `axes` is the raw matrix, a mapping or an expression."""

    axes: JsonValue
    fail_fast: str = "true"


class Job(Frozen):
    """One job: either `runs_on` and `steps`, or `uses`."""

    id: str
    name: str | None = None
    needs: tuple[str, ...] = ()
    condition: str | None = None
    permissions: Permissions | None = None
    matrix: Matrix | None = None
    runs_on: RunsOn | None = None
    env: dict[str, str] = {}
    defaults: Defaults = Defaults()
    timeout_minutes: str | None = None
    outputs: dict[str, str] = {}
    steps: tuple[Step, ...] = ()
    uses: str | None = None
    arguments: dict[str, JsonValue] = {}
    secrets: dict[str, str] | Literal["inherit"] = {}
    line: int = 0


class Workflow(Frozen):
    name: str | None = None
    run_name: str | None = None
    triggers: Triggers
    permissions: Permissions | None = None
    env: dict[str, str] = {}
    defaults: Defaults = Defaults()
    concurrency: Concurrency | None = None
    jobs: dict[str, Job]


class ActionFile(Frozen):
    """A composite action's `action.yml`; outputs are templates."""

    name: str
    inputs: dict[str, Input] = {}
    outputs: dict[str, str] = {}
    steps: tuple[Step, ...]
