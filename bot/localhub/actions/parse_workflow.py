"""Parse a workflow file into its model.

What GitHub refuses is refused here, with the position. What GitHub supports and localhub does not
is refused with a sentence of its own. `parse_steps.py` reads the steps, `parse_triggers.py` reads
`on`.
"""

import re
from functools import lru_cache

from pydantic import JsonValue

from bot.localhub.actions.context_availability import (
    WorkflowKey,
    check_tree,
    condition,
    template,
    templates,
)
from bot.localhub.actions.document import DocumentError, Node, read_document
from bot.localhub.actions.parse_steps import IDENTIFIER, read_steps
from bot.localhub.actions.parse_triggers import read_triggers
from bot.localhub.actions.workflow import (
    PERMISSION_NAMES,
    Concurrency,
    Defaults,
    Job,
    Level,
    Matrix,
    Permissions,
    RunsOn,
    Workflow,
)

_WORKFLOW_KEYS = ("name", "run-name", "on", "permissions", "env", "defaults", "concurrency", "jobs")
_JOB_KEYS = (
    "name",
    "needs",
    "if",
    "permissions",
    "runs-on",
    "strategy",
    "env",
    "defaults",
    "timeout-minutes",
    "outputs",
    "steps",
)
_CALL_KEYS = ("name", "needs", "if", "permissions", "strategy", "uses", "with", "secrets")
# Keys of GitHub's language that localhub does not execute.
_NOT_EXECUTED = ("environment", "container", "services", "concurrency", "continue-on-error")

_NO_FIRST_JOB = "The workflow must contain at least one job with no dependencies."


# A repository's few files are read again at every push and dispatch.
@lru_cache(maxsize=256)
def read_workflow(text: str) -> Workflow:
    """The workflow of a file's text. Raises DocumentError."""
    root = read_document(text)
    fields = root.mapping(_WORKFLOW_KEYS)
    for key in ("on", "jobs"):
        if key not in fields:
            raise root.refuse(f"Required property is missing: {key}")
    jobs = {job_id: _job(job_id, node) for job_id, node in fields["jobs"].mapping().items()}
    if not jobs:
        raise fields["jobs"].refuse(_NO_FIRST_JOB)
    _check_needs(jobs, fields["jobs"])
    return Workflow(
        name=fields["name"].text() if "name" in fields else None,
        run_name=template(fields["run-name"], WorkflowKey.RUN_NAME)
        if "run-name" in fields
        else None,
        triggers=read_triggers(fields["on"]),
        permissions=_permissions(fields.get("permissions")),
        env=templates(fields["env"], WorkflowKey.WORKFLOW_ENV) if "env" in fields else {},
        defaults=_defaults(fields.get("defaults")),
        concurrency=_concurrency(fields.get("concurrency")),
        jobs=jobs,
    )


def _job(job_id: str, node: Node) -> Job:
    if not IDENTIFIER.match(job_id):
        raise DocumentError(
            f"The identifier '{job_id}' is invalid. IDs may only contain alphanumeric characters, "
            "'_', and '-'. IDs must start with a letter or '_' and must be less than 100 characters.",
            node.key_position,
        )
    fields = node.mapping()
    for key in _NOT_EXECUTED:
        if key in fields:
            raise DocumentError(f"localhub does not execute '{key}'", fields[key].key_position)
    calls = "uses" in fields
    fields = node.mapping(_CALL_KEYS if calls else _JOB_KEYS)
    if not calls and "runs-on" not in fields:
        raise node.refuse("Required property is missing: runs-on")
    if not calls and "steps" not in fields:
        raise node.refuse("Required property is missing: steps")
    return Job(
        id=job_id,
        name=template(fields["name"], WorkflowKey.JOB_VALUE) if "name" in fields else None,
        needs=fields["needs"].texts() if "needs" in fields else (),
        condition=condition(fields["if"], WorkflowKey.JOB_IF) if "if" in fields else None,
        permissions=_permissions(fields.get("permissions")),
        matrix=_matrix(fields.get("strategy")),
        runs_on=_runs_on(fields["runs-on"]) if "runs-on" in fields else None,
        env=templates(fields["env"], WorkflowKey.JOB_ENV) if "env" in fields else {},
        defaults=_defaults(fields.get("defaults")),
        timeout_minutes=_number(fields["timeout-minutes"]) if "timeout-minutes" in fields else None,
        outputs=templates(fields["outputs"], WorkflowKey.JOB_OUTPUT) if "outputs" in fields else {},
        steps=read_steps(fields["steps"]) if "steps" in fields else (),
        uses=_called(fields["uses"]) if calls else None,
        arguments=_arguments(fields.get("with")),
        secrets=_secrets(fields.get("secrets")),
        line=node.key_position.line,
    )


def _naming(jobs: Node, job_id: str, needed: str) -> Node:
    named = jobs.mapping()[job_id].mapping()["needs"]
    members = named.members or (named,)
    return next(member for member in members if member.text() == needed)


def _check_needs(jobs: dict[str, Job], node: Node) -> None:
    for job in jobs.values():
        for needed in job.needs:
            if needed not in jobs:
                raise _naming(node, job.id, needed).refuse(
                    f"Job '{job.id}' depends on unknown job '{needed}'."
                )
    if all(job.needs for job in jobs.values()):
        raise node.refuse(_NO_FIRST_JOB)
    settled: set[str] = set()
    while len(settled) < len(jobs):
        ready = {job.id for job in jobs.values() if settled.issuperset(job.needs)} - settled
        if not ready:
            stuck = next(job for job in jobs.values() if job.id not in settled)
            needed = next(name for name in stuck.needs if name not in settled)
            raise node.refuse(
                f"Job '{stuck.id}' depends on job '{needed}' which creates a cycle in the "
                "dependency graph."
            )
        settled |= ready


def _permissions(node: Node | None) -> Permissions | None:
    if node is None:
        return None
    if node.is_scalar:
        levels = {"read-all": Level.READ, "write-all": Level.WRITE}
        if node.text() not in levels:
            raise node.refuse(f"Unexpected value '{node.text()}'")
        return dict.fromkeys(PERMISSION_NAMES, levels[node.text()])
    permissions: Permissions = {}
    for name, value in node.mapping(PERMISSION_NAMES).items():
        level = value.text()
        # GitHub has no `read` level for id-token: a request for a token is always a write.
        if level not in list(Level) or (name == "id-token" and level == Level.READ):
            raise value.refuse(f"Unexpected value '{level}'")
        permissions[name] = Level(level)
    return permissions


def _defaults(node: Node | None) -> Defaults:
    if node is None or "run" not in node.mapping(("run",)):
        return Defaults()
    fields = node.mapping()["run"].mapping(("shell", "working-directory"))
    texts = {key: template(value, WorkflowKey.JOB_DEFAULTS) for key, value in fields.items()}
    return Defaults(shell=texts.get("shell"), working_directory=texts.get("working-directory"))


def _concurrency(node: Node | None) -> Concurrency | None:
    if node is None:
        return None
    if node.is_scalar:
        return Concurrency(group=template(node, WorkflowKey.CONCURRENCY))
    fields = node.mapping(("group", "cancel-in-progress"))
    if "group" not in fields:
        raise node.refuse("Required property is missing: group")
    cancel = fields.get("cancel-in-progress")
    return Concurrency(
        group=template(fields["group"], WorkflowKey.CONCURRENCY),
        cancel_in_progress=template(cancel, WorkflowKey.CONCURRENCY) if cancel else "false",
    )


def _matrix(node: Node | None) -> Matrix | None:
    if node is None:
        return None
    fields = node.mapping(("matrix", "fail-fast", "max-parallel"))
    if "max-parallel" in fields:
        raise fields["max-parallel"].refuse("localhub does not execute 'max-parallel'")
    if "matrix" not in fields:
        raise node.refuse("Required property is missing: matrix")
    check_tree(fields["matrix"], WorkflowKey.JOB_STRATEGY)
    fail_fast = fields.get("fail-fast")
    return Matrix(
        axes=fields["matrix"].plain(),
        fail_fast=template(fail_fast, WorkflowKey.JOB_STRATEGY) if fail_fast else "true",
    )


def _runs_on(node: Node) -> RunsOn:
    check_tree(node, WorkflowKey.JOB_VALUE)
    if node.fields is None:
        if node.is_empty:
            raise node.refuse("Unexpected value ''")
        return RunsOn(labels=node.plain())
    fields = node.mapping(("group", "labels"))
    return RunsOn(
        labels=fields["labels"].plain() if "labels" in fields else None,
        group=fields["group"].text() if "group" in fields else None,
    )


def _number(node: Node) -> str:
    text = template(node, WorkflowKey.JOB_VALUE)
    if "${{" not in text and not isinstance(node.scalar, int | float):
        raise node.refuse(f"Unexpected value '{text}'")
    return text


_OWN_FOLDERS = ("./.github/workflows/", "$/.github/workflows/")


def _called(node: Node) -> str:
    text = node.filled_text()
    if "${{" in text:
        raise node.refuse(f"Unrecognized expression in 'uses': {text}")
    local = text.startswith(_OWN_FOLDERS) and "@" not in text
    remote = re.match(r"^[^/@\s]+/[^/@\s]+/\.github/workflows/[^/@\s]+\.ya?ml@\S+$", text)
    if not local and not remote:
        raise node.refuse(
            f"Invalid workflow reference '{text}': references to workflows must be prefixed with "
            "format 'owner/repository/.github/workflows/' or './.github/workflows/' and name a ref"
        )
    return text


def _arguments(node: Node | None) -> dict[str, JsonValue]:
    if node is None or node.is_empty:
        return {}
    check_tree(node, WorkflowKey.CALL_ARGUMENT)
    for value in node.mapping().values():
        value.text()
    return {key: value.plain() for key, value in node.mapping().items()}


def _secrets(node: Node | None) -> dict[str, str] | str:
    if node is None:
        return {}
    if node.is_scalar:
        if node.text() != "inherit":
            raise node.refuse(f"Unexpected value '{node.text()}'")
        return "inherit"
    return templates(node, WorkflowKey.CALL_SECRET)
