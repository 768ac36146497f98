"""Which names an expression may use, by its place in a file.

The table is GitHub's ("Contexts reference", context availability). A name that is not available
is an error when the file is read: a workflow that only works here would be a lie.
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


class Spot(StrEnum):
    """A kind of place where an expression may stand."""

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
    CALL_SECRET = "jobs.secrets"  # noqa: S105 - a place in a file
    STEP = "steps"
    STEP_IF = "steps.if"
    COMPOSITE_STEP = "runs.steps"
    COMPOSITE_IF = "runs.steps.if"
    COMPOSITE_OUTPUT = "outputs"
    INPUT_DEFAULT = "inputs.default"


VOCABULARIES: dict[Spot, Vocabulary] = {
    Spot.RUN_NAME: Vocabulary(_EVENT),
    Spot.CONCURRENCY: Vocabulary(_EVENT),
    Spot.WORKFLOW_ENV: Vocabulary(_EVENT | {"secrets"}),
    Spot.CALL_OUTPUT: Vocabulary(_EVENT | {"jobs"}),
    Spot.JOB_IF: Vocabulary(_JOB, STATUS_FUNCTIONS),
    Spot.JOB_STRATEGY: Vocabulary(_JOB),
    Spot.JOB_VALUE: Vocabulary(_MATRIX),
    Spot.JOB_ENV: Vocabulary(_MATRIX | {"secrets"}),
    Spot.JOB_DEFAULTS: Vocabulary(_MATRIX | {"env"}),
    Spot.JOB_OUTPUT: Vocabulary(_STEP, _HASH),
    Spot.CALL_ARGUMENT: Vocabulary(_MATRIX),
    Spot.CALL_SECRET: Vocabulary(_MATRIX | {"secrets"}),
    Spot.STEP: Vocabulary(_STEP, _HASH),
    Spot.STEP_IF: Vocabulary(_STEP - {"secrets"}, _HASH | STATUS_FUNCTIONS),
    Spot.COMPOSITE_STEP: Vocabulary(_COMPOSITE, _HASH),
    Spot.COMPOSITE_IF: Vocabulary(_COMPOSITE, _HASH | STATUS_FUNCTIONS),
    Spot.COMPOSITE_OUTPUT: Vocabulary(_COMPOSITE),
    Spot.INPUT_DEFAULT: Vocabulary(
        frozenset({"github", "strategy", "matrix", "job", "runner", "inputs", "vars"})
    ),
}


def template(node: Node, spot: Spot) -> str:
    """The text of a value whose `${{ }}` are fit for their place. Raises DocumentError."""

    def check(text: str) -> str:
        for piece in embedded(text):
            if not isinstance(piece, str):
                check_names(piece, VOCABULARIES[spot], text)
        return text

    return node.guarded(check)


def templates(node: Node, spot: Spot) -> dict[str, str]:
    """A mapping of templates such as `env`."""
    return {key: template(value, spot) for key, value in node.mapping().items()}


def condition(node: Node, spot: Spot) -> str:
    """The text of an `if`. Raises DocumentError."""

    def check(text: str) -> str:
        check_names(parse_condition(text), VOCABULARIES[spot], text)
        return text

    return node.guarded(check)


def check_tree(node: Node, spot: Spot) -> None:
    """Check every text in a raw value such as a matrix."""
    for value in (node.fields or {}).values():
        check_tree(value, spot)
    for member in node.members or ():
        check_tree(member, spot)
    if node.is_scalar and isinstance(node.scalar, str):
        template(node, spot)
