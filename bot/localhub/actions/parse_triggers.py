"""Parse `on`.

An event that GitHub knows and localhub never sends is accepted with any settings: the file is
valid, it only waits for an event that does not happen here.
"""

from pydantic import JsonValue

from bot.localhub.actions.context_availability import WorkflowKey, template
from bot.localhub.actions.document import DocumentError, Node
from bot.localhub.actions.workflow import (
    CallTrigger,
    DispatchTrigger,
    Filter,
    Input,
    InputKind,
    PullRequestTrigger,
    PushTrigger,
    RepositoryDispatchTrigger,
    Triggers,
)

# GitHub accepts at most this many inputs of a dispatch (REST, "Create a workflow dispatch event").
INPUTS_MAX = 25

_RAISED = ("workflow_dispatch", "workflow_call", "push", "pull_request", "repository_dispatch")
_NEVER_RAISED = (
    "branch_protection_rule",
    "check_run",
    "check_suite",
    "create",
    "delete",
    "deployment",
    "deployment_status",
    "discussion",
    "discussion_comment",
    "fork",
    "gollum",
    "image_version",
    "issue_comment",
    "issues",
    "label",
    "merge_group",
    "milestone",
    "page_build",
    "project",
    "project_card",
    "project_column",
    "public",
    "pull_request_comment",
    "pull_request_review",
    "pull_request_review_comment",
    "pull_request_target",
    "registry_package",
    "release",
    "schedule",
    "status",
    "watch",
    "workflow_run",
)
_PULL_REQUEST_TYPES = frozenset(
    {
        "assigned",
        "unassigned",
        "labeled",
        "unlabeled",
        "opened",
        "edited",
        "closed",
        "reopened",
        "synchronize",
        "converted_to_draft",
        "locked",
        "unlocked",
        "enqueued",
        "dequeued",
        "milestoned",
        "demilestoned",
        "ready_for_review",
        "review_requested",
        "review_request_removed",
        "auto_merge_enabled",
        "auto_merge_disabled",
        "stacked",
    }
)
_MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
_DAYS = ("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT")
# Minute, hour, day of the month, month, day of the week: minimum, maximum, names.
_CRON_RANGES: tuple[tuple[int, int, tuple[str, ...]], ...] = (
    (0, 59, ()),
    (0, 23, ()),
    (1, 31, ()),
    (1, 12, _MONTHS),
    (0, 6, _DAYS),
)
_CALL_KINDS = (InputKind.STRING, InputKind.BOOLEAN, InputKind.NUMBER)


def read_triggers(node: Node) -> Triggers:
    """The triggers of a workflow. Raises DocumentError."""
    events = _events(node)
    for name, value in events.items():
        if name not in _RAISED and name not in _NEVER_RAISED:
            raise DocumentError(f"Unexpected value '{name}'", value.key_position)
    if "schedule" in events:
        _check_schedule(events["schedule"])
    return Triggers(
        dispatch=_dispatch(events["workflow_dispatch"]) if "workflow_dispatch" in events else None,
        call=_call(events["workflow_call"]) if "workflow_call" in events else None,
        push=_push(events["push"]) if "push" in events else None,
        pull_request=_pull_request(events["pull_request"]) if "pull_request" in events else None,
        repository_dispatch=(
            _repository_dispatch(events["repository_dispatch"])
            if "repository_dispatch" in events
            else None
        ),
        others=tuple(name for name in events if name in _NEVER_RAISED),
    )


def _events(node: Node) -> dict[str, Node]:
    """Every event with its settings; an event without settings has an empty node."""
    if node.fields is not None:
        return node.fields
    members = (node,) if node.is_scalar else node.sequence()
    return {member.filled_text(): Node(member.place) for member in members}


def _settings(node: Node, allowed: tuple[str, ...]) -> dict[str, Node]:
    return {} if node.is_empty else node.mapping(allowed)


def _dispatch(node: Node) -> DispatchTrigger:
    fields = _settings(node, ("inputs",))
    inputs = _inputs(fields.get("inputs"), tuple(InputKind))
    if len(inputs) > INPUTS_MAX:
        raise fields["inputs"].refuse(f"A workflow may declare at most {INPUTS_MAX} inputs")
    return DispatchTrigger(inputs=inputs)


def _call(node: Node) -> CallTrigger:
    fields = _settings(node, ("inputs", "secrets", "outputs"))
    secrets: dict[str, bool] = {}
    for name, value in _entries(fields.get("secrets")).items():
        settings = _settings(value, ("description", "required"))
        secrets[name] = "required" in settings and settings["required"].flag()
    outputs: dict[str, str] = {}
    for name, value in _entries(fields.get("outputs")).items():
        settings = value.mapping(("description", "value"))
        if "value" not in settings:
            raise value.refuse("Required property is missing: value")
        outputs[name] = template(settings["value"], WorkflowKey.CALL_OUTPUT)
    inputs = _inputs(fields.get("inputs"), _CALL_KINDS)
    for declared in _entries(fields.get("inputs")).values():
        if "type" not in declared.mapping():
            raise declared.refuse("Required property is missing: type")
    return CallTrigger(inputs=inputs, secrets=secrets, outputs=outputs)


def _entries(node: Node | None) -> dict[str, Node]:
    return {} if node is None else node.mapping()


def _inputs(node: Node | None, kinds: tuple[InputKind, ...]) -> dict[str, Input]:
    return {name: _input(value, kinds) for name, value in _entries(node).items()}


def _input(node: Node, kinds: tuple[InputKind, ...]) -> Input:
    fields = node.mapping(
        ("description", "type", "required", "default", "options", "deprecationMessage")
    )
    kind = fields["type"].text() if "type" in fields else InputKind.STRING
    if kind not in list(kinds):
        raise fields["type"].refuse(f"Unexpected value '{kind}'")
    options = fields["options"].texts() if "options" in fields else ()
    if kind == InputKind.CHOICE and not options:
        raise node.refuse("Missing 'options' for choice input")
    return Input(
        kind=InputKind(kind),
        required="required" in fields and fields["required"].flag(),
        default=_default(fields.get("default")),
        options=options,
        description=fields["description"].text() if "description" in fields else "",
    )


def _default(node: Node | None) -> JsonValue:
    if node is None:
        return None
    template(node, WorkflowKey.INPUT_DEFAULT)
    return node.plain()


def _filter(fields: dict[str, Node], name: str) -> Filter | None:
    plain, ignoring = fields.get(name), fields.get(f"{name}-ignore")
    if plain is not None and ignoring is not None:
        raise ignoring.refuse(f"You may only define one of '{name}' and '{name}-ignore'")
    if plain is None and ignoring is None:
        return None
    return Filter(
        patterns=plain.texts() if plain else (), ignored=ignoring.texts() if ignoring else ()
    )


def _push(node: Node) -> PushTrigger:
    names = ("branches", "tags", "paths")
    fields = _settings(node, (*names, *(f"{name}-ignore" for name in names)))
    return PushTrigger(
        branches=_filter(fields, "branches"),
        tags=_filter(fields, "tags"),
        paths=_filter(fields, "paths"),
    )


def _pull_request(node: Node) -> PullRequestTrigger:
    fields = _settings(node, ("types", "branches", "branches-ignore", "paths", "paths-ignore"))
    trigger = PullRequestTrigger(
        branches=_filter(fields, "branches"), paths=_filter(fields, "paths")
    )
    if "types" in fields:
        types = fields["types"].texts()
        for named in fields["types"].members or (fields["types"],):
            if named.text() not in _PULL_REQUEST_TYPES:
                raise named.refuse(f"Unexpected value '{named.text()}'")
        return trigger.replace(types=types)
    return trigger


def _repository_dispatch(node: Node) -> RepositoryDispatchTrigger:
    """Types are words of the team's own, so any is good."""
    fields = _settings(node, ("types",))
    types = fields["types"].texts() if "types" in fields else None
    return RepositoryDispatchTrigger(types=types)


def _check_schedule(node: Node) -> None:
    """`on.schedule`: never runs here, but an invalid cron expression makes the file invalid."""
    for entry in node.sequence():
        fields = entry.mapping(("cron", "timezone"))
        if "cron" not in fields:
            raise entry.refuse("Required property is missing: cron")
        words = fields["cron"].text().split()
        if len(words) != len(_CRON_RANGES) or not all(
            _is_cron(word.upper(), names, least, most)
            for word, (least, most, names) in zip(words, _CRON_RANGES, strict=True)
        ):
            raise fields["cron"].refuse(
                "Invalid cron expression. Expected format: '* * * * *' "
                "(minute hour day month weekday)"
            )


def _is_cron(word: str, names: tuple[str, ...], least: int, most: int) -> bool:
    """Whether one field of a cron expression is a list of values, ranges and steps."""
    for part in word.split(","):
        values, slash, step = part.partition("/")
        if slash and not (step.isdecimal() and 0 < int(step) <= most):
            return False
        if values == "*":
            continue
        bounds = [_cron_value(value, names, least) for value in values.split("-")]
        if len(bounds) > 2 or any(not least <= bound <= most for bound in bounds):
            return False
        if bounds != sorted(bounds):
            return False
    return True


def _cron_value(word: str, names: tuple[str, ...], least: int) -> int:
    """A number or a name (names count from the minimum); -1 for anything else."""
    if word in names:
        return names.index(word) + least
    return int(word) if word.isdecimal() else -1
