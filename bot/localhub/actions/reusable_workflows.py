"""Load a workflow with every workflow that it calls, at exact commits, before anything runs.

As on GitHub, a run is refused as a whole if a called workflow is missing, lacks a required input,
or asks for more permissions than its caller has. A called workflow of the same repository comes
from the caller's commit.
"""

from dataclasses import dataclass, field

from bot.localhub.actions.document import DocumentError, Position
from bot.localhub.actions.host import ActionsHost
from bot.localhub.actions.parse_workflow import read_workflow
from bot.localhub.actions.workflow import (
    DEFAULT_PERMISSIONS,
    CallTrigger,
    Job,
    Level,
    Permissions,
    Workflow,
)

# GitHub's limit of nested calls below the workflow that was started.
CALL_DEPTH_MAX = 4


@dataclass(frozen=True)
class LoadedWorkflow:
    """A workflow file at a commit; `ref` is full (`refs/tags/v1`), or the SHA that was given."""

    workflow: Workflow
    repository: str
    path: str
    ref: str
    sha: str
    called: dict[str, "LoadedWorkflow"] = field(default_factory=dict)

    @property
    def workflow_ref(self) -> str:
        return f"{self.repository}/{self.path}@{self.ref}"


@dataclass(frozen=True)
class Address:
    repository: str
    path: str
    ref: str
    sha: str


def qualify(host: ActionsHost, repository: str, ref: str) -> tuple[str, str] | None:
    """The full ref and its commit: a tag before a branch, a SHA last."""
    candidates = (
        [ref] if ref.startswith("refs/") else [f"refs/tags/{ref}", f"refs/heads/{ref}", ref]
    )
    for candidate in candidates:
        sha = host.resolve(repository, candidate)
        if sha is not None:
            return candidate, sha
    return None


def load(host: ActionsHost, address: Address) -> LoadedWorkflow | None:
    """A workflow and all it calls; None if the file is missing. Raises DocumentError."""
    return _load(host, address, DEFAULT_PERMISSIONS, 0)


def granted(job: Job, workflow: Workflow, limit: Permissions) -> Permissions:
    if job.permissions is not None:
        return job.permissions
    return workflow.permissions if workflow.permissions is not None else limit


def _load(
    host: ActionsHost, address: Address, limit: Permissions, depth: int
) -> LoadedWorkflow | None:
    raw = host.read_file(address.repository, address.sha, address.path)
    if raw is None:
        return None
    workflow = read_workflow(raw.decode("utf-8", "replace"))
    called: dict[str, LoadedWorkflow] = {}
    for job in workflow.jobs.values():
        permissions = granted(job, workflow, limit)
        if depth:
            _check_permissions(job, permissions, limit)
        if job.uses is not None:
            called[job.id] = _load_called(host, address, job, permissions, depth + 1)
    return LoadedWorkflow(
        workflow, address.repository, address.path, address.ref, address.sha, called
    )


def _load_called(
    host: ActionsHost, caller: Address, job: Job, permissions: Permissions, depth: int
) -> LoadedWorkflow:
    uses = job.uses or ""
    position = Position(job.line, 1)
    if depth > CALL_DEPTH_MAX:
        raise _call_error(uses, f"more than {CALL_DEPTH_MAX} workflows are nested", position)
    address = _address(host, caller, uses)
    try:
        loaded = _load(host, address, permissions, depth) if address else None
    except DocumentError as error:
        raise _call_error(uses, str(error), position) from error
    if loaded is None:
        raise _call_error(uses, "workflow was not found", position)
    trigger = loaded.workflow.triggers.call
    if trigger is None:
        raise _call_error(
            uses, "workflow is not reusable as it is missing a `on.workflow_call` trigger", position
        )
    _check_arguments(job, trigger, position)
    return loaded


def _address(host: ActionsHost, caller: Address, uses: str) -> Address | None:
    if uses.startswith(("./", "$/")):
        return Address(caller.repository, uses[2:], caller.ref, caller.sha)
    position, _, ref = uses.rpartition("@")
    owner, name, path = position.split("/", 2)
    repository = f"{owner}/{name}"
    try:
        facts = host.repository_facts(repository)
        home = host.repository_facts(caller.repository)
    except KeyError:
        return None
    # A private repository can share its workflows only with its owner's repositories.
    if facts.private and facts.owner_id != home.owner_id:
        return None
    qualified = qualify(host, repository, ref)
    return Address(facts.full_name, path, *qualified) if qualified else None


def _check_permissions(job: Job, wanted: Permissions, limit: Permissions) -> None:
    for name, level in wanted.items():
        allowed = limit.get(name, Level.NONE)
        if not allowed.covers(level):
            raise DocumentError(
                f"The nested job '{job.id}' is requesting '{name}: {level}', but is only allowed "
                f"'{name}: {allowed}'.",
                Position(job.line, 3),
            )


def _check_arguments(job: Job, trigger: CallTrigger, position: Position) -> None:
    for name in job.arguments:
        if name not in trigger.inputs:
            raise DocumentError(
                f"Invalid input, {name} is not defined in the referenced workflow.", position
            )
    for name, declared in trigger.inputs.items():
        if declared.required and name not in job.arguments:
            raise DocumentError(
                f"Input {name} is required, but not provided while calling.", position
            )
    if isinstance(job.secrets, str):
        return
    for name in job.secrets:
        if name not in trigger.secrets:
            raise DocumentError(
                f"Invalid secret, {name} is not defined in the referenced workflow.", position
            )
    for name, required in trigger.secrets.items():
        if required and name not in job.secrets:
            raise DocumentError(
                f"Secret {name} is required, but not provided while calling.", position
            )


def _call_error(uses: str, reason: str, position: Position) -> DocumentError:
    return DocumentError(f'error parsing called workflow "{uses}": {reason}', position)
