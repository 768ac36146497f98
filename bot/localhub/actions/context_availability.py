"""Which contexts and functions an expression may use, by workflow key.

The table is GitHub's ("Contexts reference", context availability). A name that is not available is
an error when the file is read; otherwise a workflow could work here and fail on GitHub.
"""

from enum import StrEnum

from bot.localhub.actions.document import Node
from bot.localhub.actions.evaluation import parse_condition
from bot.localhub.actions.expressions import STATUS_FUNCTIONS, Vocabulary, check_names, embedded

_EVENT = frozenset({"github", "inputs", "vars"})
_JOB = _EVENT | {"needs"}
_MATRIX = _JOB | {"strategy", "matrix"}
_STEP = _MATRIX | {"job", "runner", "env", "steps", "secrets"}
_COMPOSITE = frozenset({"github", "inputs", "strategy", "matrix", "steps", "job", "runner", "env"})
_HASH = frozenset({"hashfiles"})


class WorkflowKey(StrEnum):
    RUN_NAME = "run-name"
    CONCURRENCY = "concurrency"
    WORKFLOW_ENV = "env"
    CALL_OUTPUT = "on.workflow_call.outputs"
    JOB_IF = "jobs.if"
    JOB_STRATEGY = "jobs.strategy"
    JOB_VALUE = "jobs.runs-on"
    JOB_ENV = "jobs.env"
    JOB_DEFAULTS = "jobs.defaults"
    JOB_OUTPUT = "jobs.outputs"
    CALL_ARGUMENT = "jobs.with"
    CALL_SECRET = "jobs.secrets"  # noqa: S105 - a workflow key
    STEP = "steps"
    STEP_IF = "steps.if"
    COMPOSITE_STEP = "runs.steps"
    COMPOSITE_IF = "runs.steps.if"
    COMPOSITE_OUTPUT = "outputs"
    INPUT_DEFAULT = "inputs.default"


VOCABULARIES: dict[WorkflowKey, Vocabulary] = {
    WorkflowKey.RUN_NAME: Vocabulary(_EVENT),
    WorkflowKey.CONCURRENCY: Vocabulary(_EVENT),
    WorkflowKey.WORKFLOW_ENV: Vocabulary(_EVENT | {"secrets"}),
    WorkflowKey.CALL_OUTPUT: Vocabulary(_EVENT | {"jobs"}),
    WorkflowKey.JOB_IF: Vocabulary(_JOB, STATUS_FUNCTIONS),
    WorkflowKey.JOB_STRATEGY: Vocabulary(_JOB),
    WorkflowKey.JOB_VALUE: Vocabulary(_MATRIX),
    WorkflowKey.JOB_ENV: Vocabulary(_MATRIX | {"secrets"}),
    WorkflowKey.JOB_DEFAULTS: Vocabulary(_MATRIX | {"env"}),
    WorkflowKey.JOB_OUTPUT: Vocabulary(_STEP, _HASH),
    WorkflowKey.CALL_ARGUMENT: Vocabulary(_MATRIX),
    WorkflowKey.CALL_SECRET: Vocabulary(_MATRIX | {"secrets"}),
    WorkflowKey.STEP: Vocabulary(_STEP, _HASH),
    WorkflowKey.STEP_IF: Vocabulary(_STEP - {"secrets"}, _HASH | STATUS_FUNCTIONS),
    WorkflowKey.COMPOSITE_STEP: Vocabulary(_COMPOSITE, _HASH),
    WorkflowKey.COMPOSITE_IF: Vocabulary(_COMPOSITE, _HASH | STATUS_FUNCTIONS),
    WorkflowKey.COMPOSITE_OUTPUT: Vocabulary(_COMPOSITE),
    WorkflowKey.INPUT_DEFAULT: Vocabulary(
        frozenset({"github", "strategy", "matrix", "job", "runner", "inputs", "vars"})
    ),
}


def template(node: Node, workflow_key: WorkflowKey) -> str:
    """The text of a value whose `${{ }}` are allowed at its key. Raises DocumentError."""

    def check(text: str) -> str:
        for piece in embedded(text):
            if not isinstance(piece, str):
                check_names(piece, VOCABULARIES[workflow_key], text)
        return text

    return node.guarded(check)


def templates(node: Node, workflow_key: WorkflowKey) -> dict[str, str]:
    return {key: template(value, workflow_key) for key, value in node.mapping().items()}


def condition(node: Node, workflow_key: WorkflowKey) -> str:
    """The text of an `if`. Raises DocumentError."""

    def check(text: str) -> str:
        check_names(parse_condition(text), VOCABULARIES[workflow_key], text)
        return text

    return node.guarded(check)


def check_tree(node: Node, workflow_key: WorkflowKey) -> None:
    for value in (node.fields or {}).values():
        check_tree(value, workflow_key)
    for member in node.members or ():
        check_tree(member, workflow_key)
    if node.is_scalar and isinstance(node.scalar, str):
        template(node, workflow_key)
