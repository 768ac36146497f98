"""The claims of a job's OIDC token, as GitHub sets them ("OpenID Connect reference").

Numbers are strings. `job_workflow_ref` names the file that holds the job, whether or not another
workflow called it (sigstore's Fulcio refuses a token without it). `sub` has the immutable form of
repositories made after 2026-07-15, with the ids of owner and repository; it should not be parsed.
"""

import uuid
from datetime import datetime

from bot.localhub.actions.records import JobRecord, WorkflowRun
from bot.localhub.actions.runner_access import are_hosted

# GitHub's lifetime of these tokens.
LIFE_SECONDS = 300


def default_audience(run: WorkflowRun, base_url: str) -> str:
    """The audience if a job names none: the owner's page."""
    return f"{base_url}/{run.repository.owner}"


def id_token_claims(
    run: WorkflowRun, job: JobRecord, audience: str, issued_at: datetime
) -> dict[str, object]:
    """All claims but `iss`, which the issuer adds, and `check_run_id`, which the caller adds."""
    facts = run.repository
    root = run.attempt.root.loaded
    issued = int(issued_at.timestamp())
    loaded = job.node.scope.loaded
    hosted = are_hosted(job.labels, job.group)
    return {
        "jti": str(uuid.uuid4()),
        "aud": audience,
        "sub": _subject(run),
        "ref": run.ref,
        "ref_type": "tag" if run.ref.startswith("refs/tags/") else "branch",
        "ref_protected": "false",
        "sha": run.head_sha,
        "head_ref": run.head_ref,
        "base_ref": run.base_ref,
        "repository": facts.full_name,
        "repository_id": str(facts.id),
        "repository_owner": facts.owner,
        "repository_owner_id": str(facts.owner_id),
        "repository_visibility": "private" if facts.private else "public",
        "run_id": str(run.id),
        "run_number": str(run.number),
        "run_attempt": str(job.run_attempt),
        "event_name": run.event,
        "actor": run.actor.login,
        "actor_id": str(run.actor.id),
        "workflow": run.workflow.name,
        "workflow_ref": root.workflow_ref,
        "workflow_sha": root.sha,
        "job_workflow_ref": loaded.workflow_ref,
        "job_workflow_sha": loaded.sha,
        "runner_environment": "github-hosted" if hosted else "self-hosted",
        "iat": issued,
        "nbf": issued,
        "exp": issued + LIFE_SECONDS,
    }


def _subject(run: WorkflowRun) -> str:
    facts = run.repository
    place = f"repo:{facts.owner}@{facts.owner_id}/{facts.name}@{facts.id}"
    if run.event == "pull_request":
        return f"{place}:pull_request"
    return f"{place}:ref:{run.ref.replace(':', '%3A')}"
