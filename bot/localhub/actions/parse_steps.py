"""Parse the steps of a job, and a composite action's file.

Both use the same language, except for the names that expressions may use and for `shell`, which is
required in a composite action.
"""

import re

from bot.localhub.actions.context_availability import WorkflowKey, condition, template, templates
from bot.localhub.actions.document import DocumentError, Node, read_document
from bot.localhub.actions.workflow import ActionFile, Input, Step

_STEP_KEYS = (
    "id",
    "name",
    "if",
    "uses",
    "run",
    "with",
    "env",
    "shell",
    "working-directory",
    "continue-on-error",
    "timeout-minutes",
)
# A composite action's steps have no time limit of their own (GitHub, "Metadata syntax").
_COMPOSITE_KEYS = tuple(key for key in _STEP_KEYS if key != "timeout-minutes")
# Of a job, a step and an output.
IDENTIFIER = re.compile(r"^[A-Za-z_][A-Za-z0-9_-]{0,99}$")
_NOT_ENOUGH = (
    "There's not enough info to determine what you meant. Add one of these properties: "
    "run, shell, uses, with, working-directory"
)


def read_steps(node: Node) -> tuple[Step, ...]:
    """The steps of a job. Raises DocumentError."""
    steps = tuple(
        _step(member, _STEP_KEYS, WorkflowKey.STEP, WorkflowKey.STEP_IF)
        for member in node.sequence()
    )
    if not steps:
        raise node.refuse("The job must contain at least one step")
    _check_ids(steps, node)
    return steps


def read_action(text: str) -> ActionFile:
    """A composite action's file. Raises DocumentError."""
    root = read_document(text)
    fields = root.mapping(
        ("name", "author", "description", "inputs", "outputs", "runs", "branding")
    )
    for key in ("name", "description", "runs"):
        if key not in fields:
            raise root.refuse(f"Required property is missing: {key}")
    runs = fields["runs"].mapping()
    using = runs["using"].text() if "using" in runs else ""
    if using != "composite":
        raise fields["runs"].refuse(f"localhub executes composite actions only, not '{using}'")
    runs = fields["runs"].mapping(("using", "steps"))
    if "steps" not in runs:
        raise fields["runs"].refuse("Required property is missing: steps")
    members = runs["steps"].sequence()
    steps = tuple(
        _step(member, _COMPOSITE_KEYS, WorkflowKey.COMPOSITE_STEP, WorkflowKey.COMPOSITE_IF)
        for member in members
    )
    for member, step in zip(members, steps, strict=True):
        if step.run is not None and step.shell is None:
            raise member.refuse("Required property is missing: shell")
    _check_ids(steps, runs["steps"])
    return ActionFile(
        name=fields["name"].text(),
        inputs=_inputs(fields.get("inputs")),
        outputs=_outputs(fields.get("outputs")),
        steps=steps,
    )


def _step(
    node: Node, keys: tuple[str, ...], workflow_key: WorkflowKey, if_spot: WorkflowKey
) -> Step:
    fields = node.mapping(keys)
    if "run" in fields and "uses" in fields:
        later = max(
            fields["run"].key_position, fields["uses"].key_position, key=lambda place: place.line
        )
        raise DocumentError(
            f"Unexpected value '{'uses' if later == fields['uses'].key_position else 'run'}'", later
        )
    if "run" not in fields and "uses" not in fields:
        raise node.refuse(_NOT_ENOUGH)
    foreign = ("shell", "working-directory") if "uses" in fields else ("with",)
    for key in foreign:
        if key in fields:
            raise DocumentError(f"Unexpected value '{key}'", fields[key].key_position)
    texts = {
        key: template(fields[key], workflow_key)
        for key in (
            "name",
            "run",
            "shell",
            "working-directory",
            "continue-on-error",
            "timeout-minutes",
        )
        if key in fields
    }
    return Step(
        id=_step_id(fields["id"]) if "id" in fields else "",
        name=texts.get("name"),
        condition=condition(fields["if"], if_spot) if "if" in fields else None,
        uses=_used(fields["uses"]) if "uses" in fields else None,
        run=texts.get("run"),
        arguments=templates(fields["with"], workflow_key) if "with" in fields else {},
        env=templates(fields["env"], workflow_key) if "env" in fields else {},
        shell=texts.get("shell"),
        working_directory=texts.get("working-directory"),
        continue_on_error=texts.get("continue-on-error", "false"),
        timeout_minutes=texts.get("timeout-minutes"),
        line=node.place.line,
    )


def _step_id(node: Node) -> str:
    text = node.text()
    if not IDENTIFIER.match(text) or text.startswith("__"):
        raise node.refuse(
            f"The identifier '{text}' is invalid. IDs may only contain alphanumeric characters, "
            "'_', and '-'. IDs must start with a letter or '_' and must be less than 100 characters."
        )
    return text


def _check_ids(steps: tuple[Step, ...], node: Node) -> None:
    seen: set[str] = set()
    for step in steps:
        if step.id and step.id.lower() in seen:
            raise node.refuse(
                f"The identifier '{step.id}' may not be used more than once within the same scope."
            )
        seen.add(step.id.lower())


# This repository, at the commit that runs.
_OWN = re.compile(r"^\$/[^@\s]+$")


def _used(node: Node) -> str:
    text = node.filled_text()
    if text.startswith("docker://"):
        raise node.refuse("localhub executes composite actions only, not containers")
    if text.startswith("./") or _OWN.match(text):
        return text
    if not re.match(r"^[^/@\s]+/[^/@\s]+(/[^@\s]+)?@\S+$", text):
        raise node.refuse(f"Expected format {{owner}}/{{repo}}[/path]@ref. Actual '{text}'")
    return text


def _inputs(node: Node | None) -> dict[str, Input]:
    inputs: dict[str, Input] = {}
    for name, value in (node.mapping() if node and not node.is_empty else {}).items():
        fields = value.mapping(("description", "required", "default", "deprecationMessage", "type"))
        inputs[name] = Input(
            required=fields["required"].text() == "true" if "required" in fields else False,
            default=template(fields["default"], WorkflowKey.INPUT_DEFAULT)
            if "default" in fields
            else None,
            description=fields["description"].text() if "description" in fields else "",
        )
    return inputs


def _outputs(node: Node | None) -> dict[str, str]:
    outputs: dict[str, str] = {}
    for name, value in (node.mapping() if node and not node.is_empty else {}).items():
        fields = value.mapping(("description", "value"))
        if "value" not in fields:
            raise value.refuse("Required property is missing: value")
        outputs[name] = template(fields["value"], WorkflowKey.COMPOSITE_OUTPUT)
    return outputs
