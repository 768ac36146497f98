"""The form of `.github/headgate.yml`: every key with its default, its bounds and what it means.

Each key has code that obeys it. The descriptions are the page `docs/policy.md`.
"""

import json
from datetime import date
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from action.order import Price, SandboxAllowance
from bot.core.spec.agent_entry import AgentEntry, DollarsMax
from bot.core.spec.environment_entry import EnvironmentEntry
from bot.core.spec.gate_entry import GateEntry
from bot.core.spec.smoke_entry import SmokeEntry
from bot.core.spec.strangers_entry import StrangersEntry
from bot.core.spec.triage.guardrails import Guard
from bot.core.spec.triage.triage import Strictness
from bot.core.values.ids import Frozen
from bot.core.values.model_roles import ModelRole, Profile
from bot.core.values.plan_model import ChangeSize, ChangeType
from bot.core.values.repository import Role

POLICY_PATH = ".github/headgate.yml"

# Folders that hold specs in the formats that we read, unless `watch` says otherwise.
WATCHED = ("specs/", "openspec/", ".specify/", ".kiro/")

# A policy has dozens of values; many more, with aliases expanded, are a mistake or an attack.
YAML_VALUES_MAX = 5_000

# Paths that no agent may change: whoever is judged writes no part of the judgement (law 7).
ALWAYS_PROTECTED = ("/.github/", "/.headgate/")

# Each is asked about at every look. What git lets no branch be called is no name, and no pattern either.
BranchName = Annotated[str, Field(max_length=200, pattern=r"^[^\x00-\x20\x7f~^:?*\[\\]+$")]


class Guarded(StrEnum):
    """Paths, in any folder, that steer people's tools or reviews; `unprotect` names exceptions.

    The next agent, an editor, a shell or git obeys them, with more rights than the agent that
    wrote them had.
    """

    CODEOWNERS = "CODEOWNERS"
    AGENTS = "AGENTS.md"
    CLAUDE_FILE = "CLAUDE.md"
    CLAUDE_FOLDER = ".claude/"
    CURSOR = ".cursor/"
    MCP = ".mcp.json"
    VSCODE = ".vscode/"
    DEVCONTAINER = ".devcontainer/"
    DEVCONTAINER_FILE = ".devcontainer.json"
    ENVRC = ".envrc"
    HUSKY = ".husky/"
    GIT_ATTRIBUTES = ".gitattributes"
    GIT_MODULES = ".gitmodules"
    GIT_HOOKS = ".githooks/"


class CoveredWhen(StrEnum):
    """What a team asks before it calls a requirement covered; each asks what is before it, too."""

    LANDED = "landed"
    NAMED = "named"
    PASSED = "passed"


class MergeEntry(Frozen):
    """A shell line that makes a file anew, where both sides of a merge changed it."""

    run: str = Field(
        description="Shell line, run on a runner in the merged checkout, in which the file is as on "
        "main, without `setup` and with the network of `egress`. Only files with this rule are taken."
    )
    timeout_seconds: Annotated[int, Field(ge=1, le=21_600)] = Field(
        600, description="How long it may run."
    )


class SetupEntry(Frozen):
    """A shell line that prepares the checkout before agents and gates."""

    run: str = Field(description="Shell line; anything but exit code 0 ends the order.")
    timeout_seconds: Annotated[int, Field(ge=1, le=21_600)] = Field(
        600, description="How long it may run."
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


class ModelAdviceChoice(StrEnum):
    """Whether a model may speak to people beside the rules."""

    MODEL = "model"
    RULES = "rules"


# As GitHub bounds labels; what is longer is a mistake.
RunnerLabel = Annotated[str, Field(min_length=1, max_length=100, pattern=r"^[^\x00-\x1f,]+$")]
RunnerLabels = RunnerLabel | Annotated[tuple[RunnerLabel, ...], Field(min_length=1, max_length=10)]


class RunsOnFor(StrEnum):
    """Orders that a choice of runner is for; a change's type goes before agents and gates."""

    AGENTS = "agents"
    GATES = "gates"
    CONTRACT = ChangeType.CONTRACT
    FEATURE = ChangeType.FEATURE
    FIX = ChangeType.FIX
    REMOVAL = ChangeType.REMOVAL
    CROSS_CUTTING = ChangeType.CROSS_CUTTING


class ReviewsOf(StrEnum):
    """Whose approvals a person's pull in the queue needs, where the policy gives no number."""

    RULES = "rules"
    CODE_OWNERS = "code-owners"
    NONE = "none"


class AutoQueue(StrEnum):
    """When a person's pull enters the queue although nobody asks for it."""

    NEVER = "never"
    APPROVED = "approved"


class OnRules(StrEnum):
    """What a rule of the repository that would refuse every landing does to agents."""

    WAIT = "wait"
    TELL = "tell"


class Landing(StrEnum):
    """How main is moved where a rule takes nothing but merges by GitHub."""

    EXACT = "exact"
    GITHUB = "github"


class OnAdopted(StrEnum):
    """What a commit on main does that Headgate did not land, and that `admit` does not name."""

    JUDGE = "judge"
    TELL = "tell"
    FREEZE = "freeze"


class SizeEntry(Frozen):
    """What an agent may spend on a change of one size; what is not said is as for every change."""

    dollars_max: DollarsMax | None = Field(
        None, description="US dollars that one attempt may cost."
    )
    tokens_max: Annotated[int, Field(ge=1)] | None = Field(
        None, description="Weighted tokens that one attempt may use."
    )
    model: str | None = Field(None, description="The agent's model.")


ChainModels = Annotated[tuple[str, ...], Field(min_length=1, max_length=5)]


class SandboxEntry(Frozen):
    """Where the sandbox is required, and what it lets through that it refuses otherwise.

    A browser's own sandbox needs `user-namespaces`.
    """

    rule: Literal["required", "none_allowed"] = Field(
        "required", description="Whether work may be done where no sandbox can be had."
    )
    allow: tuple[SandboxAllowance, ...] = Field(
        (), description="Of `user-namespaces`, `mounts` and `io-uring` those that builds need."
    )


class BudgetsEntry(Frozen):
    """What agents may cost together, beside the budget of each attempt."""

    change_dollars: DollarsMax | None = Field(
        None,
        description="US dollars that all attempts at a change may cost; then it fails, and `/headgate "
        "retry` gives it as much again.",
    )
    run_dollars: DollarsMax | None = Field(
        None,
        description="US dollars that all agents of a spec run may cost; then its tracking issue asks "
        "whether to go on.",
    )
    day_dollars: DollarsMax | None = Field(
        None,
        description="US dollars that agents of this repository may cost in a day (UTC); then no more "
        "are ordered until the next.",
    )


class ForksEntry(Frozen):
    """Where and when code of a pull from a fork runs; without `runs_on` it never does."""

    runs_on: RunnerLabels | None = Field(
        None,
        description="Label or labels of the runners for pull requests from forks, which a person "
        "queues by naming the commit. Use runners that are created for each job and have "
        "no access to your secrets or network.",
    )
    auto_queue: bool = Field(
        False,
        description="Whether `auto_queue` also applies to pull requests from forks. An approval then "
        "also allows their code to run.",
    )


class PolicyFile(Frozen):
    """The file `.github/headgate.yml`, key by key."""

    version: Annotated[int, Field(ge=1, le=1)] = Field(
        1, description="The version of this file's format."
    )
    watch: tuple[str, ...] = Field(WATCHED, description="Folders whose specs start work.")
    admit: tuple[str, ...] = Field(
        (),
        description="Paths that people may push to main; specs, this file and its workflows always.",
    )
    adopted: OnAdopted = Field(
        OnAdopted.JUDGE,
        description="What happens after another commit that Headgate did not land: the gates judge "
        "main (judge); also, an issue reports it (tell); also, no change lands until a "
        "person ends the freeze (freeze).",
    )
    waive: dict[str, date | None] = Field(
        {},
        description="Tests that may fail, by the id in their JUnit report, with the last day on which "
        "they may, or null. Each landing in that time names them.",
    )
    merge: dict[str, Literal["union"] | MergeEntry] = Field(
        {},
        description="Paths, folders or globs whose conflicts are resolved by a rule, without an agent. "
        "`union` keeps the lines of both sides: changelogs, lists. A command generates the "
        "file again: lock files.",
    )
    protect: tuple[str, ...] = Field(
        (), description="Paths (gitignore patterns) that no agent may touch."
    )
    unprotect: tuple[Guarded, ...] = Field(
        (),
        description="Which of these an agent may touch, in any folder: "
        + ", ".join(f"`{one}`" for one in Guarded)
        + ".",
    )
    modules: dict[str, tuple[str, ...]] = Field(
        {},
        description="Paths, folders or globs that belong together, by a name. A change whose "
        "domain is that name, or whose plan names a file of it, has declared all of them.",
    )
    generated: tuple[str, ...] = Field(
        (),
        description="Paths (gitignore patterns) that a program writes. They may change together with "
        "their sources, even if the plan does not name them.",
    )
    setup: tuple[str | SetupEntry, ...] = Field((), description="Commands run before anything.")
    environment: EnvironmentEntry = Field(
        EnvironmentEntry(),
        description="Variables and certificates of the runner that `setup` may use: private registries, "
        "a proxy that reads TLS.",
    )
    egress: tuple[str, ...] = Field(
        (), description="Hosts that `setup` and commands under `merge` may connect to."
    )
    gates: dict[Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]{0,49}$")], GateEntry] = Field(
        {},
        description="The gates. Headgate's own run first, then the quickest by their last time.",
    )
    smoke: dict[Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]{0,49}$")], SmokeEntry] = Field(
        {},
        description="Gates that run on main after each landing. If they are red, the queue freezes and "
        "an issue names the landing. They do not judge changes or pull requests.",
    )
    languages: dict[
        Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]{0,49}$")],
        Annotated[str, Field(pattern=r"^[\w.+-]{1,50}$")],
    ] = Field(
        {},
        description="Profiles of plugins by which `tests` and `spec_verify` read tests, each with the "
        "version that runners must have. Python, JavaScript, TypeScript, Go and Rust need none.",
    )
    gates_at_once: Annotated[int, Field(ge=0, le=8)] = Field(
        0, description="How many gates run side by side; 0: as many as the runner has cores."
    )
    stop_at_first_red: bool = Field(
        False,
        description="Whether no more gates start on a candidate after a required gate is red. Main is "
        "always judged by all its gates.",
    )
    agent: AgentEntry = Field(AgentEntry(), description="Which agent works, and its limits.")
    sandbox: Literal["required", "none_allowed"] | SandboxEntry = Field(
        "required",
        description="Whether work may run without a sandbox, and what the sandbox allows.",
    )
    max_parallel: Annotated[int, Field(ge=1, le=50)] = Field(
        3, description="How many agents work at once."
    )
    conflicts_max: Annotated[int, Field(ge=1, le=20)] = Field(
        5,
        description="How many conflicts with main a change may have. A conflict does not count as an "
        "attempt.",
    )
    attempts_max: Annotated[int, Field(ge=1, le=20)] = Field(
        3, description="How many attempts a change has before it has failed."
    )
    runner_start_seconds: Annotated[int, Field(ge=5, le=86_400)] = Field(
        900, description="How long an order waits for a runner before Headgate sends it again."
    )
    quiet_seconds: Annotated[int, Field(ge=0, le=600)] = Field(
        2, description="How long main must stay unchanged before a pushed spec is planned."
    )
    approver: Approver = Field(
        Approver.WRITE, description="The weakest role that may approve a plan."
    )
    approvals: Annotated[int, Field(ge=1, le=5)] = Field(
        1,
        description="How many people must approve a plan. With 2, the author of a spec cannot start it "
        "alone.",
    )
    author_may_approve: bool = Field(
        True,
        description="Whether the author of the newest version of a spec may approve it alone.",
    )
    reviews: ReviewsOf | Annotated[int, Field(ge=0, le=6)] = Field(
        ReviewsOf.RULES,
        description="How many people must approve a person's pull request before it lands through the "
        "queue: as many as the rules of the default branch require (rules), for each "
        "changed file one person whom CODEOWNERS names (code-owners), a number, or none. "
        "Unless it is none, a pull request also waits while a person with write access "
        "requests changes.",
    )
    change_reviews: Literal["none"] | Annotated[int, Field(ge=0, le=6)] = Field(
        0,
        description="How many people must approve the pull request of a change before it lands. Unless "
        "it is none, a change does not land while a person with write access requests "
        "changes on its pull request.",
    )
    branches: Annotated[tuple[BranchName, ...], Field(max_length=20)] = Field(
        (),
        description="Names of up to 20 more branches with their own queue for people's pull requests. "
        "This key is read from the default branch. The policy on the other branch decides "
        "how its pull requests are judged.",
    )
    auto_queue: AutoQueue = Field(
        AutoQueue.NEVER,
        description="When a person's pull request enters the queue automatically: never, or when it is "
        "approved. Approved means as many approvals as `reviews` requires, at least one by "
        "a person who may queue it, and green checks of other Apps that rules or `gates` "
        "require. After a person removes it from the queue, it stays out until the next "
        "push to it.",
    )
    forks: ForksEntry = Field(
        ForksEntry(),
        description="Where the gates of a pull request from a fork run. There, `setup` also runs in "
        "the sandbox.",
    )
    changes_max: Annotated[int, Field(ge=1, le=1_000)] = Field(
        60,
        description="How many changes a plan may have for a normal approval. A larger plan starts when "
        "a person comments `/headgate approve all`.",
    )
    questions: Strictness = Field(
        Strictness.LENIENT, description="Whether an unanswered question stops the plan."
    )
    landing: Landing = Field(
        Landing.EXACT,
        description="What happens if a rule allows only merges of pull requests and the App may not "
        "bypass it: no change lands, because main could become a commit that no gate has "
        "judged (exact), or GitHub merges the pull request and Headgate checks main "
        "afterwards (github).",
    )
    rules: OnRules = Field(
        OnRules.WAIT,
        description="What happens while a rule of the repository would refuse every landing: no agent "
        "starts (wait), or Headgate only reports it (tell).",
    )
    strangers: StrangersEntry = Field(
        StrangersEntry(),
        description="Limits for the specs in a pull request from a fork, and for replies to people "
        "without a role.",
    )
    losses: Guard = Field(
        Guard.WARN,
        description="What the check of a pull request says if it removes or weakens a requirement or a "
        "scenario. With `fail`, it also does not land through the queue.",
    )
    covered_when: CoveredWhen | None = Field(
        None,
        description="When a requirement counts as covered: it has landed, a test on main names it, or "
        "such a test has passed. Default: passed if a required gate reports JUnit, "
        "otherwise landed.",
    )
    planner: PlannerChoice = Field(
        PlannerChoice.AUTO,
        description="Who plans: model, deterministic, or auto (a model if one is available).",
    )
    digest: ModelAdviceChoice = Field(
        ModelAdviceChoice.RULES,
        description="Who checks specs for open points: only rules, or also a model. A model costs "
        "money once for each changed text.",
    )
    summary: ModelAdviceChoice = Field(
        ModelAdviceChoice.RULES,
        description="Who writes a report's first paragraph: no one (rules), or a model.",
    )
    profile: Profile = Field(Profile.BALANCED, description="A named choice of models.")
    models: dict[ModelRole, str] = Field({}, description="A model or chain for a role.")
    chains: dict[Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]{0,49}$")], ChainModels] = Field(
        {}, description="Named chains of models, asked from left to right."
    )
    sizes: dict[ChangeSize, SizeEntry] = Field(
        {}, description="Budget and model of an agent by a change's size, S, M or L."
    )
    budgets: BudgetsEntry = Field(
        BudgetsEntry(),
        description="Budgets in addition to that of an attempt (`agent.dollars_max`). Models without a "
        "price do not count.",
    )
    replan_cycles_max: Annotated[int, Field(ge=0, le=3)] = Field(
        3, description="How often uncovered requirements are planned again at the end; 0: never."
    )
    prices: dict[str, Price] = Field({}, description="Prices by model; they replace list prices.")
    runs_on: RunnerLabels | dict[RunsOnFor, RunnerLabels] = Field(
        {},
        description="Label or labels of the runner for all orders, or for those of agents or gates, or "
        "for changes of one type. Default: the labels in the workflow file.",
    )
    agent_workflow: str = Field(
        "headgate-agent.yml", description="The workflow file that agent orders are dispatched to."
    )
    gates_workflow: str = Field(
        "headgate-gates.yml", description="The workflow file that gate orders are dispatched to."
    )


def policy_schema() -> str:
    """The JSON Schema of the file, for editors."""
    schema = PolicyFile.model_json_schema()
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = "Headgate policy (.github/headgate.yml)"
    return json.dumps(schema, indent=2, sort_keys=True) + "\n"
