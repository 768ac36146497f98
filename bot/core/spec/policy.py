"""`.github/headgate.yml` as a typed value, each setting with its origin.

Unknown keys are refused with their line and the most similar key. A missing key has its default;
`Policy.origins` says where each value is from. It is read from main only (law 7), never from a
branch.
"""

import difflib
import json
from collections.abc import Mapping

from pydantic import BaseModel, ValidationError
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from action.order import AgentKind, AgentLimits, AgentSettings, Price, SandboxRule, SetupCommand
from bot.core.spec.policy_file import (
    ALWAYS_PROTECTED,
    POLICY_PATH,
    YAML_VALUES_MAX,
    AgentEntry,
    CoveredWhen,
    GateEntry,
    Guarded,
    PolicyFile,
    SetupEntry,
    SizeEntry,
)
from bot.core.values.ids import Frozen
from bot.core.values.spec_model import Finding, Severity
from gates.result import GateDefinition, Judges


class Policy(Frozen):
    """The settings in force. `origins` maps each top-level key to `line N` or `default`."""

    file: PolicyFile
    origins: dict[str, str]

    @property
    def gates(self) -> tuple[GateDefinition, ...]:
        return tuple(_definition(name, entry) for name, entry in self.file.gates.items())

    @property
    def required_gates(self) -> tuple[str, ...]:
        return tuple(g.name for g in self.gates if g.required)

    @property
    def covered_when(self) -> CoveredWhen:
        """What is asked of a requirement; a test that passed is asked for where it can be seen."""
        if self.file.covered_when is not None:
            return self.file.covered_when
        reports = any(g.required and g.junit is not None for g in self.gates)
        return CoveredWhen.PASSED if reports else CoveredWhen.LANDED

    @property
    def union(self) -> tuple[str, ...]:
        """Where the lines of both sides are kept."""
        return tuple(self.file.merge)

    def repeats(self, gate: str) -> int:
        """How often a red gate runs once more before its red counts; Headgate's own never do."""
        entry = self.file.gates.get(gate)
        return 0 if entry is None or entry.builtin is not None else entry.repeat

    @property
    def setup(self) -> tuple[SetupCommand, ...]:
        return tuple(
            SetupCommand(run=s)
            if isinstance(s, str)
            else SetupCommand(run=s.run, setup_timeout_seconds=s.timeout_seconds)
            for s in self.file.setup
        )

    @property
    def agent(self) -> AgentSettings:
        entry = self.file.agent
        return AgentSettings(
            kind=entry.kind,
            command=entry.command,
            model=entry.model,
            limits=AgentLimits(
                tokens_max=entry.tokens_max,
                dollars_max=entry.dollars_max,
                turns_max=entry.turns_max,
                agent_timeout_seconds=entry.timeout_seconds,
            ),
        )

    @property
    def sandbox(self) -> SandboxRule:
        """Whether a sandbox is required."""
        return SandboxRule(self.file.sandbox)

    @property
    def protected(self) -> tuple[str, ...]:
        """Patterns of paths that no agent may change: policy, workflows, what steers tools, specs
        and the team's list."""
        return (
            *ALWAYS_PROTECTED,
            *(g.value for g in Guarded if g not in self.file.unprotect),
            *(f"/{w.lstrip('/')}" for w in self.file.watch),
            *self.file.protect,
        )


class PolicyRefusal(Frozen):
    findings: tuple[Finding, ...]


def _definition(name: str, entry: GateEntry) -> GateDefinition:
    junit = entry.junit if isinstance(entry.junit, str) else None
    if entry.junit is True:
        junit = "$HEADGATE_JUNIT"
    return GateDefinition(
        name=name,
        judges=Judges.DIFF if entry.builtin else entry.judges,
        command=entry.run,
        builtin=entry.builtin,
        junit=junit,
        gate_timeout_seconds=entry.timeout_seconds,
        required=entry.required,
    )


def read_policy(text: str | None) -> Policy | PolicyRefusal:
    """None (no file) gives the defaults."""
    if text is None or not text.strip():
        return no_policy()
    try:
        tree = _loaded(text)
    except MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        return _refusal("yaml", line, error.problem or "not YAML", "Is this line valid YAML?")
    except (YAMLError, ValueError, RecursionError) as error:
        return _refusal("yaml", 1, str(error)[:200], "Is this file valid YAML?")
    if not isinstance(tree, CommentedMap):
        return _refusal("yaml", 1, text.strip()[:60], "The file is a mapping of settings.")
    try:
        plain = _plain(tree, [YAML_VALUES_MAX])
    except _TooMuchError:
        question = f"Which {YAML_VALUES_MAX:,} values are meant? Aliases may not multiply them."
        return _refusal("yaml", 1, "too many values", question)
    try:
        # Strict, and as JSON: what is read here is exactly what the schema for editors allows.
        text = json.dumps(plain, default=str)
        file = PolicyFile.model_validate_json(text, strict=True)
    except ValidationError as error:
        return PolicyRefusal(findings=tuple(_findings(tree, error)))
    incomplete = [
        _finding("gate", _line_of(tree, ("gates", name)), name, _GATE_QUESTION.format(name))
        for name, gate in file.gates.items()
        if (gate.run is None) == (gate.builtin is None)
    ]
    if file.agent.kind is AgentKind.COMMAND and not file.agent.command:
        line = _line_of(tree, ("agent",))
        incomplete.append(_finding("agent", line, "kind: command", "Which `command` is the agent?"))
    if incomplete:
        return PolicyRefusal(findings=tuple(incomplete))
    origins = {
        key: f"line {_line_of(tree, (key,))}" if key in tree else "default"
        for key in PolicyFile.model_fields
    }
    return Policy(file=file, origins=origins)


def no_policy() -> Policy:
    return Policy(file=PolicyFile(), origins=dict.fromkeys(PolicyFile.model_fields, "default"))


def _loaded(text: str) -> object:
    yaml = YAML(typ="rt")
    # An anchor that is used twice is valid YAML, so its warning is not logged.
    yaml.composer.warn_double_anchors = False
    tree: object = yaml.load(text)
    return tree


_GATE_QUESTION = "Gate `{}` needs exactly one of `run` and `builtin`: which is it?"


def policy_schema() -> str:
    """The JSON Schema of the file, for editors."""
    schema = PolicyFile.model_json_schema()
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = "Headgate policy (.github/headgate.yml)"
    return json.dumps(schema, indent=2, sort_keys=True) + "\n"


class _TooMuchError(Exception):
    """Aliases in the file expand to more values than any policy has."""


def _plain(tree: object, left: list[int]) -> object:
    """Ruamel's values as plain ones; maps keep their order, which is the gates' order."""
    left[0] -= 1
    if left[0] < 0:
        raise _TooMuchError
    if isinstance(tree, Mapping):
        return {str(k): _plain(v, left) for k, v in tree.items()}
    if isinstance(tree, CommentedSeq | list):
        return [_plain(v, left) for v in tree]
    return tree


def _finding(code: str, line: int, quote: str, question: str) -> Finding:
    return Finding(
        code=f"policy_{code}",
        severity=Severity.BLOCK,
        line=line,
        quote=quote,
        question=question,
        path=POLICY_PATH,
    )


def _refusal(code: str, line: int, quote: str, question: str) -> PolicyRefusal:
    return PolicyRefusal(findings=(_finding(code, line, quote, question),))


def _findings(tree: CommentedMap, error: ValidationError) -> list[Finding]:
    found = []
    for problem in error.errors():
        path = tuple(str(p) for p in problem["loc"])
        line = _line_of(tree, path)
        if problem["type"] == "extra_forbidden":
            question = _unknown(path)
            found.append(_finding("unknown_key", line, path[-1], question))
        else:
            question = f"`{'.'.join(path)}`: {problem['msg']}."
            found.append(_finding("value", line, str(problem["input"])[:80], question))
    return found


def _unknown(path: tuple[str, ...]) -> str:
    models: Mapping[str, type[BaseModel]] = {
        "gates": GateEntry,
        "agent": AgentEntry,
        "setup": SetupEntry,
        "prices": Price,
        "sizes": SizeEntry,
    }
    model = models.get(path[0], PolicyFile) if len(path) > 1 else PolicyFile
    known = sorted(model.model_fields)
    near = difflib.get_close_matches(path[-1], known, n=1)
    hint = f"did you mean `{near[0]}`?" if near else f"known here: {', '.join(known)}."
    return f"Unknown key `{path[-1]}`: {hint}"


def _line_of(tree: CommentedMap, path: tuple[str, ...]) -> int:
    """The line (from 1) of the longest part of the path that is in the file."""
    node: object = tree
    line = 1
    for part in path:
        if isinstance(node, CommentedMap) and part in node:
            # A value from a merge key (`<<`) has no line of its own.
            if part in (node.lc.data or ()):
                line = node.lc.key(part)[0] + 1
            node = node[part]
        elif isinstance(node, CommentedSeq) and part.isdigit() and int(part) < len(node):
            line = node.lc.item(int(part))[0] + 1
            node = node[int(part)]
    return line
