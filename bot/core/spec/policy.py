"""`.github/headgate.yml` as a typed value, each setting with its origin.

Unknown keys are refused with their line and the most similar key. A missing key has its default;
`Policy.origins` says where each value is from. It is read from main only (law 7), never from a
branch.
"""

import difflib
import json
from collections.abc import Collection, Mapping
from datetime import date

from pydantic import BaseModel, ValidationError
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import MarkedYAMLError

from action.order import (
    AgentKind,
    AgentLimits,
    AgentSettings,
    Price,
    Remake,
    SandboxAllowance,
    SandboxRule,
    SetupCommand,
    SetupEnvironment,
)
from bot.core.spec.agent_entry import AgentEntry
from bot.core.spec.awaited_gates import (
    AcceptanceGate,
    ExternalGate,
    ReviewGate,
    acceptance_gates,
    external_gates,
    review_gates,
)
from bot.core.spec.environment_entry import EnvironmentEntry
from bot.core.spec.gate_entry import (
    BUILTIN_JUDGES,
    OF_CHANGES,
    READ_TESTS,
    GateEntry,
    GateMode,
)
from bot.core.spec.gate_line import is_folder, line_of
from bot.core.spec.policy_file import (
    ALWAYS_PROTECTED,
    POLICY_PATH,
    YAML_VALUES_MAX,
    CoveredWhen,
    Guarded,
    MergeEntry,
    PolicyFile,
    RunsOnFor,
    SandboxEntry,
    SetupEntry,
    SizeEntry,
)
from bot.core.spec.roots import paths_under
from bot.core.spec.smoke_entry import as_gates
from bot.core.spec.test_plan import TestPlan
from bot.core.spec.yaml_bounds import YAML_FAULTS, TooMuchError, loaded_yaml, plain_values
from bot.core.values.ids import Frozen
from bot.core.values.plan_model import ChangeType
from bot.core.values.spec_model import Finding, Severity
from gates.proof import ProofLevel
from gates.result import GateDefinition, ProfileUse


class Policy(Frozen):
    """The settings in force. `origins` maps each top-level key to `line N` or `default`; `gate_lines` what is
    said of a gate's mode (`test.required`, `test.modes.fix`) to its line.

    `quarantine` is a file of its own: tests that may be flaky, with the last day of that.
    """

    file: PolicyFile
    origins: dict[str, str]
    gate_lines: dict[str, int] = {}
    quarantine: dict[str, date] = {}

    def of_type(self, type_: ChangeType, raised: Collection[str] = ()) -> "Policy":
        """The settings for changes of a type, with each gate in its mode; the `raised` are required."""
        if not raised and not any(type_ in entry.modes for entry in self.file.gates.values()):
            return self
        gates = {
            name: entry.replace(required=mode is GateMode.REQUIRED)
            for name, entry in self.file.gates.items()
            if (mode := mode_of(entry, type_, is_raised=name in raised)) is not GateMode.OFF
        }
        return self.replace(file=self.file.replace(gates=gates))

    def of_pulls(self) -> "Policy":
        """The settings for people's pulls: without what is asked of a change alone (its scope, its
        requirements), and without checks of other Apps and of people."""
        gates = {
            name: entry
            for name, entry in self.file.gates.items()
            if (entry.run or entry.builtin) and entry.builtin not in OF_CHANGES
        }
        return self.replace(file=self.file.replace(gates=gates))

    def of_smoke(self) -> "Policy":
        """The settings for main after a landing: its smoke gates, and no others."""
        return self.replace(file=self.file.replace(gates=as_gates(self.file.smoke)))

    @property
    def all_lines(self) -> tuple[str, ...]:
        """The lines of gates and smoke gates; what they start steers the judgement."""
        return tuple(g.command for g in (*self.gates, *self.of_smoke().gates) if g.command)

    def of_forks(self) -> "Policy":
        """The settings for people's pulls from forks: their code is a stranger's. Setup reaches nothing,
        is given nothing, and the sandbox is whole."""
        alone = self.file.replace(
            egress=(),
            environment=EnvironmentEntry(),
            sandbox="required",
            runs_on=self.file.forks.runs_on or {},
        )
        return self.replace(file=alone).of_pulls()

    @property
    def when(self) -> dict[str, tuple[str, ...]]:
        """The paths of the gates that are about some only."""
        return {name: entry.when for name, entry in self.file.gates.items() if entry.when}

    @property
    def required_for(self) -> dict[str, tuple[str, ...]]:
        return {n: entry.required_for for n, entry in self.file.gates.items() if entry.required_for}

    @property
    def gates(self) -> tuple[GateDefinition, ...]:
        """The gates that runners run."""
        entries = self.file.gates.items()
        languages = tuple(
            ProfileUse(name=name, version=version) for name, version in self.file.languages.items()
        )
        return tuple(_definition(name, e, languages) for name, e in entries if e.run or e.builtin)

    @property
    def external_gates(self) -> tuple[ExternalGate, ...]:
        """The checks of other Apps that count as gates."""
        return external_gates(self.file.gates)

    @property
    def acceptance_gates(self) -> tuple[AcceptanceGate, ...]:
        """The gates at which a person is asked."""
        return acceptance_gates(self.file.gates)

    @property
    def review_gates(self) -> tuple[ReviewGate, ...]:
        """The gates at which a model is asked."""
        return review_gates(self.file.gates)

    @property
    def awaited_gates(self) -> tuple[ExternalGate | ReviewGate | AcceptanceGate, ...]:
        """What others say, after our own gates."""
        return (*self.external_gates, *self.review_gates, *self.acceptance_gates)

    @property
    def required_gates(self) -> tuple[str, ...]:
        return tuple(g.name for g in self.gates if g.required)

    @property
    def quick_gates(self) -> tuple[str, ...]:
        """The gates that an agent may ask while it works."""
        return tuple(g.name for g in self.gates if g.command and self.file.gates[g.name].quick)

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
        return tuple(place for place, rule in self.file.merge.items() if rule == "union")

    @property
    def remade(self) -> tuple[str, ...]:
        """Where a command makes files anew."""
        return tuple(place for place, rule in self.file.merge.items() if rule != "union")

    def remakes(self, files: tuple[str, ...]) -> tuple[Remake, ...]:
        """The commands that make these files anew, in the policy's order, each once."""
        found: dict[str, Remake] = {}
        for place, rule in self.file.merge.items():
            if isinstance(rule, MergeEntry) and (under := paths_under(files, (place,))):
                before = found[rule.run].files if rule.run in found else ()
                found[rule.run] = Remake(
                    files=tuple(dict.fromkeys((*before, *under))),
                    run=rule.run,
                    remake_timeout_seconds=rule.timeout_seconds,
                )
        return tuple(found.values())

    def repeats(self, gate: str) -> int:
        """How often a red gate runs once more before its red counts; Headgate's own never do."""
        entry = self.file.gates.get(gate)
        if entry is not None and entry.builtin == "spec_verify":
            # It is red where a test is: then it is asked again as often as that test's gate.
            return max((e.repeat for e in self.file.gates.values() if e.junit), default=0)
        return 0 if entry is None or entry.builtin is not None else entry.repeat

    @property
    def guards_of_tests(self) -> tuple[str, ...]:
        """The gates by which main's tests do not go, unless a person lets them."""
        guards = {"tests", "base_tests"}
        return tuple(name for name, e in self.file.gates.items() if e.builtin in guards)

    @property
    def test_plan(self) -> TestPlan:
        asked = (e.test_plan for e in self.file.gates.values() if e.builtin == "spec_verify")
        return next(asked, TestPlan())

    @property
    def level(self) -> ProofLevel:
        """The most that `spec_verify` asks of a requirement."""
        return self.test_plan.highest

    @property
    def measured(self) -> ProofLevel:
        """The proof up to which the tests of a change are measured; above `level` it is told."""
        asked = (e.measure for e in self.file.gates.values() if e.builtin == "spec_verify")
        return max(self.level, next(asked, ProofLevel.NONE), key=lambda level: level.rank)

    @property
    def setup(self) -> tuple[SetupCommand, ...]:
        return tuple(
            SetupCommand(run=s)
            if isinstance(s, str)
            else SetupCommand(run=s.run, setup_timeout_seconds=s.timeout_seconds)
            for s in self.file.setup
        )

    @property
    def environment(self) -> SetupEnvironment:
        said = self.file.environment
        return SetupEnvironment(variables=said.variables, ca_files=said.ca_files)

    @property
    def agent(self) -> AgentSettings:
        entry = self.file.agent
        return AgentSettings(
            kind=entry.kind,
            command=entry.command,
            model=entry.model,
            helpers=entry.helpers,
            mcp=entry.mcp,
            deny=entry.deny,
            before_done=entry.before_done,
            quiet_seconds=entry.quiet_minutes * 60,
            limits=AgentLimits(
                tokens_max=entry.tokens_max,
                dollars_max=entry.dollars_max,
                turns_max=entry.turns_max,
                agent_timeout_seconds=entry.timeout_seconds,
            ),
        )

    def runs_on(self, orders: RunsOnFor, type_: ChangeType | None) -> tuple[str, ...]:
        """The labels of an order's runner; empty: those that the workflow file names."""
        chosen = self.file.runs_on
        if isinstance(chosen, dict):
            keys = (orders,) if type_ is None else (RunsOnFor(type_), orders)
            chosen = next((chosen[key] for key in keys if key in chosen), ())
        return (chosen,) if isinstance(chosen, str) else chosen

    @property
    def sandbox(self) -> SandboxRule:
        said = self.file.sandbox
        return SandboxRule(said.rule if isinstance(said, SandboxEntry) else said)

    @property
    def sandbox_allow(self) -> tuple[SandboxAllowance, ...]:
        said = self.file.sandbox
        return said.allow if isinstance(said, SandboxEntry) else ()

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


def mode_of(entry: GateEntry, type_: ChangeType | None, *, is_raised: bool = False) -> GateMode:
    """What the gate means for a change of this type; None: for main. `is_raised`: by what the change touches."""
    if is_raised:
        return GateMode.REQUIRED
    plain = GateMode.REQUIRED if entry.is_needed else GateMode.WARN
    return plain if type_ is None else entry.modes.get(type_, plain)


class PolicyRefusal(Frozen):
    findings: tuple[Finding, ...]


def _definition(name: str, entry: GateEntry, languages: tuple[ProfileUse, ...]) -> GateDefinition:
    return GateDefinition(
        name=name,
        judges=BUILTIN_JUDGES[entry.builtin] if entry.builtin else entry.judges,
        command=line_of(entry),
        builtin=entry.builtin,
        junit="$HEADGATE_JUNIT" if entry.junit is True else entry.junit or None,
        sarif="$HEADGATE_SARIF" if entry.sarif is True else entry.sarif or None,
        gate_timeout_seconds=entry.timeout_seconds,
        required=entry.required,
        profiles=languages if entry.builtin in READ_TESTS else (),
    )


def read_policy(text: str | None) -> Policy | PolicyRefusal:
    """None (no file) gives the defaults."""
    if text is None or not text.strip():
        return no_policy()
    try:
        tree = loaded_yaml(text)
    except MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        return _refusal("yaml", line, error.problem or "not YAML", "Is this line valid YAML?")
    except YAML_FAULTS as error:
        return _refusal("yaml", 1, str(error)[:200], "Is this file valid YAML?")
    if not isinstance(tree, CommentedMap):
        return _refusal("yaml", 1, text.strip()[:60], "The file is a mapping of settings.")
    try:
        plain = plain_values(tree, [YAML_VALUES_MAX])
    except TooMuchError:
        question = f"Which {YAML_VALUES_MAX:,} values are meant? Aliases may not multiply them."
        return _refusal("yaml", 1, "too many values", question)
    try:
        # Strict, and as JSON: what is read here is exactly what the schema for editors allows.
        text = json.dumps(plain, default=str)
        file = PolicyFile.model_validate_json(text, strict=True)
    except ValidationError as error:
        return PolicyRefusal(findings=tuple(_findings(tree, error)))
    except ValueError as error:
        return _refusal("yaml", 1, str(error)[:200], "Which number is meant? One is too large.")
    incomplete = [
        _finding("gate", _line_of(tree, ("gates", name)), name, _GATE_QUESTION.format(name))
        for name, gate in file.gates.items()
        if (gate.run, gate.builtin, gate.external, gate.acceptance, gate.review).count(None) != 4
    ]
    incomplete += [
        _finding("gate", _line_of(tree, (key, name, "cwd")), gate.cwd, _FOLDER_QUESTION)
        for key, lines in (("gates", file.gates), ("smoke", file.smoke))
        for name, gate in lines.items()
        if gate.cwd is not None and (gate.run is None or not is_folder(gate.cwd))
    ]
    incomplete += [
        _finding("gate", _line_of(tree, ("gates", name, key)), name, _LINE_QUESTION)
        for name, gate in file.gates.items()
        if (key := "when" if gate.when else "services" if gate.services else "") and not gate.run
    ]
    incomplete += _agent_findings(tree, file.agent)
    if incomplete:
        return PolicyRefusal(findings=tuple(incomplete))
    origins = {
        key: f"line {_line_of(tree, (key,))}" if key in tree else "default"
        for key in PolicyFile.model_fields
    }
    said = {
        f"{name}.{key}": _line_of(tree, ("gates", name, *key.split(".")))
        for name, gate in file.gates.items()
        for key in ("required", "required_for", *(f"modes.{type_}" for type_ in gate.modes))
        if "." in key or key in gate.model_fields_set
    }
    return Policy(file=file, origins=origins, gate_lines=said)


def _agent_findings(tree: CommentedMap, agent: AgentEntry) -> list[Finding]:
    """What does not go together; a builtin agent's `command` has always been passed over."""
    kind = agent.kind
    line, quote = _line_of(tree, ("agent",)), f"kind: {kind}"
    wrong = []
    if kind in _BY_COMMAND and not agent.command:
        wrong.append(_finding("agent", line, quote, "Which `command` is the agent?"))
    if kind not in {*_BY_COMMAND, AgentKind.BUILTIN} and agent.command:
        question = f"Is `command` meant? Headgate knows how to start {kind}; leave it out."
        wrong.append(_finding("agent", line, quote, question))
    if kind in (AgentKind.BUILTIN, AgentKind.COMMAND) and agent.mcp:
        question = f"Which agent is `mcp` for? Kind {kind} uses no servers of tools."
        wrong.append(_finding("agent", line, quote, question))
    return wrong


_BY_COMMAND = frozenset({AgentKind.COMMAND, AgentKind.ACP})


def no_policy() -> Policy:
    return Policy(file=PolicyFile(), origins=dict.fromkeys(PolicyFile.model_fields, "default"))


_GATE_QUESTION = (
    "Gate `{}` needs exactly one of `run`, `builtin`, `external`, `acceptance` and `review`: which?"
)
_LINE_QUESTION = "`when` and `services` are for gates with `run`: what is meant here?"
_FOLDER_QUESTION = "In which folder below the top of the repository does the gate's `run` start?"


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
        "merge": MergeEntry,
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
