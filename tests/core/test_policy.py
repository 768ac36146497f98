"""`.github/headgate.yml`: every key, and every way to get one wrong, at its line."""

import json
from datetime import date

import jsonschema_rs
import pytest
from hypothesis import given, settings, strategies as st
from ruamel.yaml import YAML

from action.harness.protection import Protection
from action.order import AgentKind, AgentOrder, GateOrder, SandboxAllowance, SandboxRule
from bot.core.spec.policy import Policy, PolicyRefusal, read_policy
from bot.core.spec.policy_file import (
    POLICY_PATH,
    WATCHED,
    Approver,
    AutoQueue,
    CoveredWhen,
    Landing,
    ModelAdviceChoice,
    PlannerChoice,
    PolicyFile,
    RunsOnFor,
    policy_schema,
)
from bot.core.spec.triage.guardrails import Guard
from bot.core.spec.triage.triage import Strictness
from bot.core.values.model_roles import ModelRole, Profile
from bot.core.values.plan_model import ChangeSize, ChangeType
from gates.result import Judges
from tests.core.kit import approved
from tests.core.values import GATES, policy, policy_refusal

FULL = """\
version: 1
watch: [specs/, docs/specs/]
adopted: freeze
admit:
  - CHANGELOG.md
protect: [/deploy/]
languages: {elixir: '1.2'}
modules: {billing: [src/billing/]}
generated: ["*.pb.go"]
unprotect: [CODEOWNERS, AGENTS.md, CLAUDE.md, .cursor/, .mcp.json, .vscode/, .devcontainer/,
  .devcontainer.json, .envrc, .husky/, .gitattributes, .gitmodules]
setup:
  - uv sync
  - run: npm ci
    timeout_seconds: 300
strangers: {kilobytes: 32, commands_an_hour: 4}
changes_max: 40
approvals: 2
author_may_approve: false
egress: [pypi.org]
smoke:
  serves: {run: [make up, make ping], cwd: app, junit: out/*.xml, timeout_seconds: 90, repeat: 2}
environment: {variables: [NPM_TOKEN], ca_files: [/etc/ssl/acme.pem]}
gates:
  build:
    run: make build
  test:
    run: make test
    judges: tree
    junit: true
    timeout_seconds: 900
  report:
    run: make report
    junit: out/*.xml
    required: false
    repeat: 2
    judges: diff
  scope_check:
    builtin: scope_check
  ci:
    external: {check: build / test, app: github-actions}
    timeout_seconds: 3600
agent:
  kind: command
  command: my-agent --fast
  model: m1
  dollars_max: 0.5
  tokens_max: 1000
  turns_max: 5
  timeout_seconds: 60
sandbox: none_allowed
planner: model
digest: model
summary: model
profile: economy
models:
  plan.merge: best
  agent.small: m1
chains:
  best: [m1, claude-opus-4-6]
sizes:
  S: {tokens_max: 500, dollars_max: 0.25}
  M: {model: m1}
max_parallel: 7
gates_at_once: 2
stop_at_first_red: true
attempts_max: 2
conflicts_max: 3
merge:
  CHANGELOG.md: union
waive:
  tests.test_a: 2026-12-31
  tests.test_b:
runs_on: {agents: big, gates: [self-hosted, small]}
runner_start_seconds: 30
quiet_seconds: 10
approver: maintain
reviews: 2
change_reviews: 2
branches: [release/1]
auto_queue: approved
landing: github
forks: {runs_on: [ephemeral, small], auto_queue: true}
questions: strict
rules: tell
losses: 'off'
covered_when: passed
replan_cycles_max: 1
budgets: {change_dollars: 5, run_dollars: 50, day_dollars: 80}
prices:
  m1: {input: 3, output: 15.5, cache_read: 0.3, cache_write: 3.75}
agent_workflow: a.yml
gates_workflow: g.yml
"""


def test_every_policy_key_has_an_effect() -> None:
    read = policy(FULL)
    file = read.file
    assert file.watch == ("specs/", "docs/specs/")
    assert (file.admit, file.adopted) == (("CHANGELOG.md",), "freeze")
    folders = ("/.github/", "/.headgate/", ".claude/", ".githooks/", "/specs/", "/docs/specs/")
    assert read.protected == (*folders, "/deploy/")
    assert [(s.run, s.setup_timeout_seconds) for s in read.setup] == [
        ("uv sync", 600),
        ("npm ci", 300),
    ]
    assert file.egress == ("pypi.org",)
    assert file.languages == {"elixir": "1.2"}
    assert (file.modules, file.generated) == ({"billing": ("src/billing/",)}, ("*.pb.go",))
    assert (file.strangers.kilobytes, file.strangers.requirements) == (32, 300)
    assert file.strangers.commands_an_hour == 4
    assert (file.changes_max, file.approvals, file.author_may_approve) == (40, 2, False)
    budgets = file.budgets
    assert (budgets.change_dollars, budgets.run_dollars, budgets.day_dollars) == (5, 50, 80)
    assert [g.name for g in read.gates] == ["build", "test", "report", "scope_check"]
    assert read.required_gates == ("build", "test", "scope_check")
    build, test, report, scope = read.gates
    (ci,) = read.external_gates
    assert (ci.name, ci.check, ci.deadline_seconds) == ("ci", "build / test", 3600)
    assert [ci.is_of(15368, slug) for slug in ("github-actions", "buildkite")] == [True, False]
    assert (build.command, build.junit, build.gate_timeout_seconds) == ("make build", None, 600)
    assert (test.junit, test.gate_timeout_seconds) == ("$HEADGATE_JUNIT", 900)
    assert (report.junit, report.judges) == ("out/*.xml", Judges.DIFF)
    assert (scope.builtin, scope.command, scope.judges) == ("scope_check", None, Judges.DIFF)
    assert (read.agent.kind, read.agent.command) == (AgentKind.COMMAND, "my-agent --fast")
    limits = read.agent.limits
    assert (limits.tokens_max, limits.turns_max, limits.agent_timeout_seconds) == (1000, 5, 60)
    assert limits.dollars_max == 0.5
    assert read.sandbox is SandboxRule.NONE_ALLOWED
    assert (file.max_parallel, file.attempts_max, file.conflicts_max) == (7, 2, 3)
    assert read.union == ("CHANGELOG.md",)
    assert file.waive == {"tests.test_a": date(2026, 12, 31), "tests.test_b": None}
    assert file.runs_on == {"agents": "big", "gates": ("self-hosted", "small")}
    assert (file.runner_start_seconds, file.quiet_seconds) == (30, 10)
    assert file.approver is Approver.MAINTAIN
    assert file.change_reviews == 2
    assert file.branches == ("release/1",)
    assert (file.auto_queue, file.landing) == (AutoQueue.APPROVED, Landing.GITHUB)
    assert (file.forks.runs_on, file.forks.auto_queue) == (("ephemeral", "small"), True)
    assert read.of_smoke().required_gates == ("serves",)
    assert read.of_smoke().repeats("serves") == 2
    (smoke,) = read.of_smoke().gates
    assert (smoke.command, smoke.junit) == ("cd app\nmake up\nmake ping", "out/*.xml")
    assert smoke.gate_timeout_seconds == 90
    assert file.replan_cycles_max == 1
    assert (file.questions, file.losses) == (Strictness.STRICT, Guard.OFF)
    assert file.covered_when is CoveredWhen.PASSED
    assert file.prices["m1"].output == 15.5
    assert (file.planner, file.profile) == (PlannerChoice.MODEL, Profile.ECONOMY)
    assert (file.digest, file.summary) == (ModelAdviceChoice.MODEL, ModelAdviceChoice.MODEL)
    assert file.models[ModelRole.PLAN_MERGE] == "best"
    assert file.chains["best"] == ("m1", "claude-opus-4-6")
    assert file.sizes[ChangeSize.S].tokens_max == 500
    assert file.sizes[ChangeSize.S].dollars_max == 0.25
    assert (file.agent_workflow, file.gates_workflow) == ("a.yml", "g.yml")
    assert (file.gates_at_once, file.stop_at_first_red) == (2, True)
    assert set(PolicyFile.model_fields) == set(YAML(typ="safe").load(FULL))


@pytest.mark.parametrize("kind", [AgentKind.CLAUDE_CODE, AgentKind.CODEX, AgentKind.OPENCODE])
def test_a_known_agent_program_needs_only_its_kind(kind: AgentKind) -> None:
    read = policy(f"agent: {{kind: {kind}}}")
    assert (read.agent.kind, read.agent.command, read.agent.mcp) == (kind, None, {})


def test_servers_of_tools_are_listed_by_name() -> None:
    read = policy("agent: {kind: claude-code, mcp: {fixtures: node tools.js}}")
    assert read.agent.mcp == {"fixtures": "node tools.js"}


def test_rules_over_an_agents_commands_reach_its_order() -> None:
    said = 'deny: ["git push*"], before_done: ["*pytest*"], quiet_minutes: 2'
    agent = policy(f"agent: {{{said}}}").agent
    assert (agent.deny, agent.before_done) == (("git push*",), ("*pytest*",))
    assert agent.quiet_seconds == 120
    assert policy("").agent.quiet_seconds == 900


def test_only_gates_with_a_line_are_quick() -> None:
    gates = (
        "lint: {run: make lint, quick: true}, all: {run: make}, t: {builtin: tests, quick: true}"
    )
    assert policy(f"gates: {{{gates}}}").quick_gates == ("lint",)


def test_every_setting_says_where_it_comes_from() -> None:
    origins = policy("version: 1\n\nmax_parallel: 5\n").origins
    assert origins["max_parallel"] == "line 3"
    assert origins["gates"] == "default"
    assert set(origins) == set(PolicyFile.model_fields)


@pytest.mark.parametrize("text", [None, "", "  \n"])
def test_without_a_file_the_defaults_apply_and_there_are_no_gates(text: str | None) -> None:
    read = read_policy(text)
    assert isinstance(read, Policy)
    assert read.file.watch == WATCHED
    assert read.required_gates == ()
    assert set(read.origins.values()) == {"default"}


@pytest.mark.parametrize(
    ("text", "line", "question"),
    [
        ("max_paralel: 3", 1, "Unknown key `max_paralel`: did you mean `max_parallel`?"),
        ("agent: {kind: acp}", 1, "Which `command` is the agent?"),
        ("agent: {kind: codex, command: x}", 1, "Is `command` meant?"),
        ("agent: {mcp: {a: x}}", 1, "Which agent is `mcp` for?"),
        ("agent: {kind: command, command: x, mcp: {a: x}}", 1, "Which agent is `mcp` for?"),
        ("gates:\n  t:\n    rnu: x", 3, "Unknown key `rnu`: did you mean `run`?"),
        ("agent:\n  modle: x", 2, "Unknown key `modle`: did you mean `model`?"),
        ("setup:\n  - run: x\n    timeout: 3", 3, "did you mean `timeout_seconds`?"),
        ("prices:\n  m: {input: 1, outptu: 2}", 2, "did you mean `output`?"),
        ("zzz: 1", 1, "known here: admit, adopted, agent,"),
        ('branches: [""]', 1, "`branches.0`: String should match"),
        ('branches: ["a\\0b"]', 1, "`branches.0`: String should match"),
        ("branches: [release/*]", 1, "`branches.0`: String should match"),
        (f"branches: {[f'r{n}' for n in range(21)]}", 1, "at most 20 items"),
        ("max_parallel: many", 1, "`max_parallel`: Input should be a valid integer"),
        ("max_parallel: 0", 1, "greater than or equal to 1"),
        ("max_parallel: '3'", 1, "valid integer"),
        ("version: 2", 1, "`version`"),
        ("version: true", 1, "`version`"),
        ("watch: specs/", 1, "valid array"),
        ("gates:\n  t:\n    run: x\n    required: yes", 4, "valid boolean"),
        ("gates:\n  Bad Name:\n    run: x", 2, "pattern"),
        (
            "gates:\n  t: {}",
            2,
            "Gate `t` needs exactly one of `run`, `builtin`, `external`, `acceptance` and `review`",
        ),
        ("gates:\n  t:\n    run: x\n    builtin: scope_check", 2, "exactly one of"),
        ("gates:\n  t:\n    builtin: other", 3, "scope_check"),
        ("agent:\n  kind: command", 1, "Which `command` is the agent?"),
        ("approver: boss", 1, "'maintain' or 'admin'"),
        ("approver: read", 1, "'triage', 'write', 'maintain' or 'admin'"),
        ("runner_start_seconds: 99999999999999999999", 1, "less than or equal to 86400"),
        ("prices:\n  m: {input: .inf, output: 1}", 2, "finite"),
        ("prices:\n  m: {input: -1, output: 1}", 2, "greater than or equal to 0"),
        ("version: 1\ngates: [", 2, "valid YAML"),
        ("version: 1\nversion: 1", 2, "valid YAML"),
        ("a: b: c", 1, "valid YAML"),
        ("x: *nowhere", 1, "valid YAML"),
        ("--- a\n--- b", 2, "valid YAML"),
        ("\x00", 1, "valid YAML"),
        ("- a", 1, "mapping"),
        ("just words", 1, "mapping"),
        ("quiet_seconds: 2026-01-01", 1, "valid integer"),
    ],
)
def test_a_mistake_is_reported_at_its_line(text: str, line: int, question: str) -> None:
    refusal = policy_refusal(text)
    assert any(f.line == line and question in f.question for f in refusal.findings), refusal
    assert {f.path for f in refusal.findings} == {POLICY_PATH}


def test_all_mistakes_are_reported_together() -> None:
    refusal = policy_refusal("zzz: 1\nmax_parallel: x\ngates:\n  t:\n    rnu: 1\n")
    assert {f.line for f in refusal.findings} >= {1, 2, 5}


def _bomb() -> str:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 10)]
    return "\n".join(lines)


@pytest.mark.parametrize(
    "text",
    [
        _bomb(),
        f"watch: [{', '.join(['specs/'] * 6_000)}]",
        "watch: &w [*w]",
        "gates: &g\n  t: *g",
        "watch: " + "[" * 3_000,
        "watch: " + "[" * 200 + "]" * 200,
        "a" * 200_000,
        "x: !!python/object/apply:os.system [id]",
    ],
)
def test_a_small_file_cannot_expand_without_limit(text: str) -> None:
    assert isinstance(read_policy(text), PolicyRefusal)


def test_anchors_aliases_and_merge_keys_are_yaml() -> None:
    read = policy(
        "watch: &w [specs/]\nadmit: *w\ngates:\n  one: &g {run: x, timeout_seconds: 5}\n"
        "  two:\n    <<: *g\n    run: y\n"
    )
    assert read.file.admit == ("specs/",)
    assert [(g.command, g.gate_timeout_seconds) for g in read.gates] == [("x", 5), ("y", 5)]


@pytest.mark.parametrize("text", ["<<: {max_parallel: 3}", "watch: &x [a]\nadmit: &x [b]"])
def test_unusual_yaml_is_accepted(text: str) -> None:
    assert isinstance(read_policy(text), Policy)


_SCHEMA = jsonschema_rs.validator_for(json.loads(policy_schema()))


@pytest.mark.parametrize("text", [FULL, "version: 1", "gates: {t: {run: x}}"])
def test_the_schema_accepts_example_policies(text: str) -> None:
    policy(text)
    as_json = json.loads(json.dumps(YAML(typ="safe").load(text), default=str))
    assert _SCHEMA.is_valid(as_json)


_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-2, 1_000)
    | st.floats(allow_nan=False, allow_infinity=False, width=16)
    | st.sampled_from(["write", "x", "tree", "scope_check", "command", "required", "1", "yes"]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from(
                [
                    "run",
                    "builtin",
                    "judges",
                    "junit",
                    "required",
                    "kind",
                    "command",
                    "input",
                    "output",
                ]
            ),
            inner,
            max_size=3,
        )
    ),
    max_leaves=6,
)


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from(sorted(PolicyFile.model_fields)), _VALUES, max_size=3))
def test_the_schema_accepts_every_policy_that_the_reader_accepts(tree: dict[str, object]) -> None:
    if isinstance(read_policy(json.dumps(tree)), Policy) and tree:
        assert _SCHEMA.is_valid(tree)


@settings(deadline=None)
@given(st.text(max_size=60) | st.text(alphabet="ab: -[]{}&*!\n<|>'\"#%,?0.~", max_size=60))
def test_no_text_raises(text: str) -> None:
    assert isinstance(read_policy(text), Policy | PolicyRefusal)


def test_a_changes_type_chooses_its_runner_before_the_kind_of_order() -> None:
    chosen = policy("runs_on: {agents: headgate, gates: [self-hosted, small], fix: ubuntu-latest}")
    assert chosen.runs_on(RunsOnFor.AGENTS, ChangeType.FEATURE) == ("headgate",)
    assert chosen.runs_on(RunsOnFor.GATES, None) == ("self-hosted", "small")
    assert chosen.runs_on(RunsOnFor.GATES, ChangeType.FIX) == ("ubuntu-latest",)
    assert policy("version: 1").runs_on(RunsOnFor.AGENTS, ChangeType.FIX) == ()


@pytest.mark.parametrize(
    ("text", "labels"),
    [("ubuntu-latest", ("ubuntu-latest",)), ("[self-hosted, big]", ("self-hosted", "big"))],
)
def test_one_choice_of_runner_is_for_all_orders(text: str, labels: tuple[str, ...]) -> None:
    chosen = policy(f"runs_on: {text}")
    assert {
        chosen.runs_on(orders, type_) for orders in RunsOnFor for type_ in (*ChangeType, None)
    } == {labels}


@pytest.mark.parametrize("text", ["agents: []", "agents: ''", "agents: 'a,b'", "feat: a"])
def test_runners_without_a_label_or_for_unknown_orders_are_refused(text: str) -> None:
    (finding,) = {f.line for f in policy_refusal(f"runs_on: {{{text}}}").findings}
    assert finding == 1


@pytest.mark.parametrize(
    "path",
    [
        *("CODEOWNERS", "docs/CODEOWNERS", ".github/CODEOWNERS", "AGENTS.md", "lib/agents.md"),
        *("CLAUDE.md", "deep/down/CLAUDE.md", ".claude/settings.json", "sub/.claude/hooks/x"),
        *(".cursor/rules/a.mdc", ".mcp.json", ".vscode/tasks.json", ".devcontainer/Dockerfile"),
        *(".devcontainer.json", ".envrc", ".husky/pre-commit", ".gitattributes", ".gitmodules"),
        *("src/.gitattributes", ".githooks/pre-commit", ".claude", ".github/workflows/ci.yml"),
    ],
)
def test_configuration_of_tools_and_reviews_is_protected_by_default(
    path: str,
) -> None:
    assert Protection(policy("version: 1\n").protected).covers(path)


def test_unprotect_applies_only_to_named_paths() -> None:
    told = Protection(policy("unprotect: [CLAUDE.md, .vscode/]\n").protected)
    free = ("CLAUDE.md", "lib/CLAUDE.md", ".vscode/tasks.json")
    assert not any(told.covers(path) for path in free)
    assert told.covers("AGENTS.md")


@pytest.mark.parametrize("path", [".github/", ".headgate/", "specs/", "docs/"])
def test_the_judgement_itself_cannot_be_unprotected(path: str) -> None:
    (finding,) = policy_refusal(f"unprotect: ['{path}']\n").findings
    assert finding.line == 1
    assert "CODEOWNERS" in finding.question


def test_a_policy_lists_what_the_sandbox_allows() -> None:
    read = read_policy("sandbox: {allow: [user-namespaces]}")
    assert isinstance(read, Policy)
    assert (read.sandbox, read.sandbox_allow) == (
        SandboxRule.REQUIRED,
        (SandboxAllowance.USER_NAMESPACES,),
    )
    plain = read_policy("sandbox: none_allowed")
    assert isinstance(plain, Policy)
    assert plain.sandbox_allow == ()
    assert isinstance(read_policy("sandbox: {allow: [everything]}"), PolicyRefusal)


def test_every_order_contains_what_the_sandbox_allows() -> None:
    world = approved(policy_text=f"{GATES}sandbox: {{allow: [io-uring]}}\n")
    agent = world.open_orders(AgentOrder)[0]
    assert world.orders[agent].sandbox_allow == (SandboxAllowance.IO_URING,)
    world.hand_in(agent)
    world.settle()
    gate = world.open_orders(GateOrder)[0]
    assert world.orders[gate].sandbox_allow == (SandboxAllowance.IO_URING,)
