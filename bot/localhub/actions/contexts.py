"""The contexts that expressions see on the server: `github`, `needs`, `inputs`, `jobs`.

`steps`, `runner`, `env` and `job` are known to runners only. Tokens are not included: a job's
`github.token` is added when a runner takes the job.
"""

from collections.abc import Iterable

from pydantic import JsonValue

from bot.localhub.actions.evaluation import EvaluationScope, WorldFunction
from bot.localhub.actions.records import Node, Scope, WorkflowRun
from bot.localhub.actions.runner_messages import Conclusion
from bot.localhub.actions.values import as_text


def github_context(run: WorkflowRun, base_url: str) -> dict[str, JsonValue]:
    facts = run.repository
    root = run.attempt.root.loaded
    return {
        "actor": run.actor.login,
        "actor_id": str(run.actor.id),
        "api_url": f"{base_url}/api/v3",
        "base_ref": run.base_ref,
        "event": run.event_payload,
        "event_name": run.event,
        "graphql_url": f"{base_url}/api/graphql",
        "head_ref": run.head_ref,
        "ref": run.ref,
        "ref_name": run.ref.split("/", 2)[-1],
        "ref_protected": False,
        "ref_type": "tag" if run.ref.startswith("refs/tags/") else "branch",
        "repository": facts.full_name,
        "repository_id": str(facts.id),
        "repository_owner": facts.owner,
        "repository_owner_id": str(facts.owner_id),
        "repositoryUrl": facts.clone_url,
        "retention_days": "90",
        "run_attempt": str(run.attempt.number),
        "run_id": str(run.id),
        "run_number": str(run.number),
        "server_url": base_url,
        "sha": run.head_sha,
        "triggering_actor": run.attempt.triggering_actor.login,
        "workflow": run.workflow.name,
        "workflow_ref": root.workflow_ref,
        "workflow_sha": root.sha,
    }


def needs_context(node: Node) -> dict[str, JsonValue]:
    return {name: _outcome(node.scope.nodes[name]) for name in node.job.needs}


def jobs_context(scope: Scope) -> dict[str, JsonValue]:
    return {name: _outcome(node) for name, node in scope.nodes.items()}


def _outcome(node: Node) -> JsonValue:
    return {"result": str(node.result or ""), "outputs": node.outputs}


def node_evaluation_scope(
    run: WorkflowRun, node: Node, base_url: str, variables: dict[str, str]
) -> EvaluationScope:
    """What the expressions of a job see before a runner has it."""
    contexts: dict[str, JsonValue] = {
        "github": {**github_context(run, base_url), "job": node.job.id},
        "inputs": node.scope.inputs,
        "vars": dict(variables),
        "needs": needs_context(node),
        "secrets": dict(node.scope.secrets),
        "strategy": {},
        "matrix": {},
    }
    return EvaluationScope(contexts, _status_functions(run, node))


def _status_functions(run: WorkflowRun, node: Node) -> dict[str, WorldFunction]:
    def results(names: list[JsonValue]) -> list[Conclusion | None]:
        if names:
            wanted = {as_text(name) for name in names}
            return [other.result for key, other in node.scope.nodes.items() if key in wanted]
        return [other.result for other in ancestors(node)]

    return {
        "success": lambda names: (
            not run.is_cancelled and all(one is Conclusion.SUCCESS for one in results(names))
        ),
        "failure": lambda names: (
            not run.is_cancelled and any(one is Conclusion.FAILURE for one in results(names))
        ),
        "always": lambda _: True,
        "cancelled": lambda _: run.is_cancelled,
    }


def ancestors(node: Node) -> Iterable[Node]:
    found: dict[str, Node] = {}
    waiting = list(node.job.needs)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = node.scope.nodes[name]
            waiting.extend(found[name].job.needs)
    return found.values()
