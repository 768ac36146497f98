"""`.github/headgate.yml` as a typed value, each setting with its origin.

The rule: unknown keys are refused with their line and the nearest known key; what the file does not
say has a default, and `Policy.origins` tells which is which. Read from main only (law 7): a branch
never brings its own policy. Deliberately absent: secrets; the file is public to the team.
"""

import difflib
import json
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from action.order import AgentKind, AgentLimits, AgentSettings, SandboxRule, SetupCommand
from bot.core.ids import Frozen
from bot.core.models.price import Price
from bot.core.models.roles import ModelRole, Profile
from bot.core.plan.model import ChangeSize
from bot.core.repository import Role
from bot.core.spec.guardrails import Guard
from bot.core.spec.model import Finding, Severity
from bot.core.spec.triage import Strictness
from gates.result import GateDefinition, Judges

POLICY_PATH = ".github/headgate.yml"

# Folders that hold specs in the formats that we read, unless `watch` says otherwise.
WATCHED = ("specs/", "openspec/", ".specify/", ".kiro/")

# A policy has dozens of values; a file that says more, aliases followed, is a mistake or an attack.
YAML_VALUES_MAX = 5_000

# What an agent never touches: who is judged writes no part of the judgement (law 7).
ALWAYS_PROTECTED = ("/.github/", "/.headgate/")


class CoveredWhen(StrEnum):
    """What a team asks before it calls a requirement covered; each asks what is before it, too."""

    LANDED = "landed"
    NAMED = "named"
    PASSED = "passed"


class GateEntry(BaseModel):
    """One gate: a shell line judged by its exit code, or a gate that Headgate brings."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    run: str | None = Field(None, description="Shell line; exit code 0 passes.")
    builtin: Literal["scope_check"] | None = Field(None, description="A gate of Headgate's own.")
    judges: Judges = Field(Judges.TREE, description="What the result holds for.")
    junit: bool | str = Field(
        False, description="JUnit XML: true for $HEADGATE_JUNIT, or a glob below the checkout."
    )
    timeout_seconds: Annotated[int, Field(ge=1, le=21_600)] = Field(
        600, description="How long it may run; then it is red."
    )
    required: bool = Field(True, description="Whether the verdict needs it to pass.")


class SetupEntry(BaseModel):
    """A shell line that prepares the checkout before agents and gates."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    run: str = Field(description="Shell line; anything but exit code 0 ends the order.")
    timeout_seconds: Annotated[int, Field(ge=1, le=21_600)] = Field(
        600, description="How long it may run."
    )


class Clarify(StrEnum):
    """Whether an agent may ask people."""

    ON = "on"
    OFF = "off"


class AgentEntry(BaseModel):
    """Which agent works on a change, and where it stops."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: AgentKind = Field(
        AgentKind.BUILTIN, description="Headgate's own agent, or a command of yours."
    )
    command: str | None = Field(None, description="Shell line, for kind: command.")
    model: str = Field(AgentSettings().model, description="Its model, unless a size names another.")
    tokens_max: Annotated[int, Field(ge=1)] = Field(
        AgentLimits().tokens_max, description="Tokens of all kinds that one attempt may use."
    )
    turns_max: Annotated[int, Field(ge=1)] = Field(
        AgentLimits().turns_max, description="Turns that one attempt may take."
    )
    timeout_seconds: Annotated[int, Field(ge=1, le=86_400)] = Field(
        AgentLimits().agent_timeout_seconds, description="How long one attempt may take."
    )
    clarify: Clarify = Field(
        Clarify.ON,
        description="Whether an agent may ask people; a command does by `.headgate/questions.json`.",
    )
    clarify_within_hours: Annotated[int, Field(ge=1, le=720)] = Field(
        72, description="How long answers are waited for before the agent goes on as it assumes."
    )


class Approver(StrEnum):
    """Who may approve. Reading is anybody's on a public repository, and approving spends money."""

    TRIAGE = Role.TRIAGE
    WRITE = Role.WRITE
    MAINTAIN = Role.MAINTAIN
    ADMIN = Role.ADMIN


class PlannerChoice(StrEnum):
    """Who plans: a model, nobody but the rules, or a model where one can be asked."""

    MODEL = "model"
    DETERMINISTIC = "deterministic"
    AUTO = "auto"


class VoiceChoice(StrEnum):
    """Whether a model may speak to people beside the rules."""

    MODEL = "model"
    RULES = "rules"


class SizeEntry(BaseModel):
    """What an agent may spend on a change of one size; what is not said is as for every change."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    tokens_max: Annotated[int, Field(ge=1)] | None = Field(
        None, description="Tokens that one attempt may use."
    )
    model: str | None = Field(None, description="The agent's model.")


ChainModels = Annotated[tuple[str, ...], Field(min_length=1, max_length=5)]


class PolicyFile(BaseModel):
    """The file `.github/headgate.yml`, key by key."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    version: Annotated[int, Field(ge=1, le=1)] = Field(
        1, description="The version of this file's form."
    )
    watch: tuple[str, ...] = Field(WATCHED, description="Folders whose specs start work.")
    admit: tuple[str, ...] = Field(
        (), description="Paths that people may push to main; specs and this file always."
    )
    protect: tuple[str, ...] = Field(
        (), description="Paths (gitignore patterns) that no agent may touch."
    )
    setup: tuple[str | SetupEntry, ...] = Field((), description="Commands run before anything.")
    egress: tuple[str, ...] = Field((), description="Hosts that setup commands may reach.")
    gates: dict[Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]{0,49}$")], GateEntry] = Field(
        {}, description="The gates, in the order in which they run."
    )
    agent: AgentEntry = Field(AgentEntry(), description="Who works, and where it stops.")
    sandbox: Literal["required", "none_allowed"] = Field(
        "required", description="Whether work may be done where no sandbox can be had."
    )
    max_parallel: Annotated[int, Field(ge=1, le=50)] = Field(
        3, description="How many agents work at once."
    )
    attempts_max: Annotated[int, Field(ge=1, le=20)] = Field(
        3, description="How many attempts a change has before it has failed."
    )
    runner_start_seconds: Annotated[int, Field(ge=5, le=86_400)] = Field(
        900, description="How long an order waits for a runner before it is placed again."
    )
    quiet_seconds: Annotated[int, Field(ge=0, le=600)] = Field(
        2, description="How long main must rest before a pushed spec is planned."
    )
    approver: Approver = Field(
        Approver.WRITE, description="The weakest role that may approve a plan."
    )
    questions: Strictness = Field(
        Strictness.LENIENT, description="Whether a question that nobody answered holds the plan."
    )
    losses: Guard = Field(
        Guard.WARN,
        description="What a pull is told that takes a requirement, its force or a scenario away.",
    )
    covered_when: CoveredWhen = Field(
        CoveredWhen.LANDED,
        description="When a requirement counts as covered: it has landed, a test on main names "
        "it, or such a test was seen passing.",
    )
    planner: PlannerChoice = Field(
        PlannerChoice.AUTO,
        description="Who plans: model, deterministic, or auto (a model where one can be asked).",
    )
    digest: VoiceChoice = Field(
        VoiceChoice.RULES,
        description="Who reads specs for what they leave open: rules, or a model, too. Each text "
        "that a pull touches is paid for once, so a team asks for it.",
    )
    summary: VoiceChoice = Field(
        VoiceChoice.RULES,
        description="Who writes a report's first paragraph: nobody (rules), or a model, in a batch.",
    )
    profile: Profile = Field(Profile.BALANCED, description="A named choice of models.")
    models: dict[ModelRole, str] = Field({}, description="A model or chain for a role.")
    chains: dict[Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]{0,49}$")], ChainModels] = Field(
        {}, description="Named chains of models, asked from left to right."
    )
    sizes: dict[ChangeSize, SizeEntry] = Field(
        {}, description="Token budget and model of an agent by a change's size, S or M."
    )
    replan_cycles_max: Annotated[int, Field(ge=0, le=3)] = Field(
        3, description="How often what is not covered at the end is planned again; 0: never."
    )
    prices: dict[str, Price] = Field({}, description="Prices by model; they beat list prices.")
    agent_workflow: str = Field(
        "headgate-agent.yml", description="The workflow file that agent orders are dispatched to."
    )
    gates_workflow: str = Field(
        "headgate-gates.yml", description="The workflow file that gate orders are dispatched to."
    )


class Policy(Frozen):
    """The settings in force. `origins` maps each top-level key to `line N` or `default`."""

    file: PolicyFile
    origins: dict[str, str]

    @property
    def gates(self) -> tuple[GateDefinition, ...]:
        """The gates as runners are asked for them."""
        return tuple(_definition(name, entry) for name, entry in self.file.gates.items())

    @property
    def required_gates(self) -> tuple[str, ...]:
        """The names of the gates that a candidate must pass."""
        return tuple(g.name for g in self.gates if g.required)

    @property
    def setup(self) -> tuple[SetupCommand, ...]:
        """The setup commands as runners are asked for them."""
        return tuple(
            SetupCommand(run=s)
            if isinstance(s, str)
            else SetupCommand(run=s.run, setup_timeout_seconds=s.timeout_seconds)
            for s in self.file.setup
        )

    @property
    def agent(self) -> AgentSettings:
        """The agent as runners are asked for it."""
        entry = self.file.agent
        return AgentSettings(
            kind=entry.kind,
            command=entry.command,
            model=entry.model,
            limits=AgentLimits(
                tokens_max=entry.tokens_max,
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
        """Patterns that no agent may touch: policy, workflows, specs and what the team lists."""
        return (
            *ALWAYS_PROTECTED,
            *(f"/{w.lstrip('/')}" for w in self.file.watch),
            *self.file.protect,
        )


class PolicyRefusal(Frozen):
    """A policy file that cannot be read, with every reason."""

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
    """The policy that a file's text means; None (no file) gives the defaults."""
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
    """The policy of a repository that says nothing."""
    return Policy(file=PolicyFile(), origins=dict.fromkeys(PolicyFile.model_fields, "default"))


def _loaded(text: str) -> object:
    yaml = YAML(typ="rt")
    # An anchor that is used twice is YAML; a warning on the server's log helps nobody.
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
    """More values than any policy has: a file whose aliases multiply."""


def _plain(tree: object, left: list[int]) -> object:
    """Ruamel's values as plain ones; its maps keep order, which is the gates' order."""
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
    """The line of the deepest part of the path that is in the file, from 1."""
    node: object = tree
    line = 1
    for part in path:
        if isinstance(node, CommentedMap) and part in node:
            # What came by a merge key (`<<`) has no line of its own.
            if part in (node.lc.data or ()):
                line = node.lc.key(part)[0] + 1
            node = node[part]
        elif isinstance(node, CommentedSeq) and part.isdigit() and int(part) < len(node):
            line = node.lc.item(int(part))[0] + 1
            node = node[int(part)]
    return line
