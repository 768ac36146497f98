"""The form of `.github/headgate.yml`: every key with its default, its bounds and what it means.

Each key has code that obeys it. The descriptions are the page `docs/policy.md`.
"""

from datetime import date
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from action.order import AgentKind, AgentLimits, AgentSettings, Price
from bot.core.spec.triage.guardrails import Guard
from bot.core.spec.triage.triage import Strictness
from bot.core.values.model_roles import ModelRole, Profile
from bot.core.values.plan_model import ChangeSize
from bot.core.values.repository import Role
from gates.result import Judges

POLICY_PATH = ".github/headgate.yml"

# Folders that hold specs in the formats that we read, unless `watch` says otherwise.
WATCHED = ("specs/", "openspec/", ".specify/", ".kiro/")

# A policy has dozens of values; many more, with aliases expanded, are a mistake or an attack.
YAML_VALUES_MAX = 5_000

# Paths that no agent may change: whoever is judged writes no part of the judgement (law 7).
ALWAYS_PROTECTED = ("/.github/", "/.headgate/")


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
    repeat: Annotated[int, Field(ge=0, le=2)] = Field(
        1,
        description="How often it runs once more on the same commit before its red counts: a gate "
        "that is red and then green is told as flaky, and passes.",
    )


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


# Less than a cent pays for no turn.
DollarsMax = Annotated[float, Field(ge=0.01, le=10_000)]


class AgentEntry(BaseModel):
    """Which agent works on a change, and where it stops."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: AgentKind = Field(
        AgentKind.BUILTIN, description="Headgate's own agent, or a command of yours."
    )
    command: str | None = Field(None, description="Shell line, for kind: command.")
    model: str = Field(AgentSettings().model, description="Its model, unless a size names another.")
    dollars_max: DollarsMax = Field(
        2.0, description="US dollars that one attempt at a change of size M may cost; S half of it."
    )
    tokens_max: Annotated[int, Field(ge=1)] = Field(
        AgentLimits().tokens_max,
        description="Weighted tokens that one attempt may use, whatever its size: as many input "
        "tokens as cost the same. A cache read counts 0.1, a cache write 1.25 (2 for an hour), "
        "output 5. Where a price is unknown, this is the limit.",
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


class ModelAdviceChoice(StrEnum):
    """Whether a model may speak to people beside the rules."""

    MODEL = "model"
    RULES = "rules"


class SizeEntry(BaseModel):
    """What an agent may spend on a change of one size; what is not said is as for every change."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    dollars_max: DollarsMax | None = Field(
        None, description="US dollars that one attempt may cost."
    )
    tokens_max: Annotated[int, Field(ge=1)] | None = Field(
        None, description="Weighted tokens that one attempt may use."
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
    waive: dict[str, date | None] = Field(
        {},
        description="Tests that may fail, by the id in their JUnit report, with the last day on "
        "which they may, or null. They are named with each landing under them.",
    )
    merge: dict[str, Literal["union"]] = Field(
        {},
        description="Paths, folders or globs whose conflicts are resolved by a rule, without an "
        "agent. `union` keeps the lines of both sides: changelogs, lists.",
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
    conflicts_max: Annotated[int, Field(ge=1, le=20)] = Field(
        5, description="Conflicts with main that a change may meet; none counts as an attempt."
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
    covered_when: CoveredWhen | None = Field(
        None,
        description="When a requirement counts as covered: it has landed, a test on main names "
        "it, or such a test was seen passing. Unless said: passed where a required gate reports "
        "JUnit, else landed.",
    )
    planner: PlannerChoice = Field(
        PlannerChoice.AUTO,
        description="Who plans: model, deterministic, or auto (a model where one can be asked).",
    )
    digest: ModelAdviceChoice = Field(
        ModelAdviceChoice.RULES,
        description="Who reads specs for what they leave open: rules, or a model, too. Each text "
        "that a pull touches is paid for once, so a team asks for it.",
    )
    summary: ModelAdviceChoice = Field(
        ModelAdviceChoice.RULES,
        description="Who writes a report's first paragraph: nobody (rules), or a model.",
    )
    profile: Profile = Field(Profile.BALANCED, description="A named choice of models.")
    models: dict[ModelRole, str] = Field({}, description="A model or chain for a role.")
    chains: dict[Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]{0,49}$")], ChainModels] = Field(
        {}, description="Named chains of models, asked from left to right."
    )
    sizes: dict[ChangeSize, SizeEntry] = Field(
        {}, description="Budget and model of an agent by a change's size, S or M."
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
