"""The wire contract of orders: what the bot asks a runner to do.

Versioned: a harness that meets an unknown version refuses it with a sentence that says what to
upgrade. An order carries everything the runner needs (requirement texts from the approved blob,
gate definitions from the base), so that nothing on the runner decides what counts. It holds no
secrets: the model credentials travel in the lease grant and stay in the harness's memory.
"""

import re
from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from action.report import Count, Frozen, Seconds, TokenUse
from gates.asked import AskedRequirement
from gates.declared import NOTHING_DECLARED, DeclaredScope
from gates.proof import ProofLevel
from gates.result import Ending, GateDefinition, GateResult

ORDER_VERSION = 8

# The harness renews its lease this often; three missed heartbeats end the lease.
HEARTBEAT_SECONDS = 15


class AgentKind(StrEnum):
    """Which agent does the work: our own loop, a program that we know, or any that edits the tree."""

    BUILTIN = "builtin"
    CLAUDE_CODE = "claude-code"
    CODEX = "codex"
    OPENCODE = "opencode"
    ACP = "acp"
    COMMAND = "command"


class SandboxRule(StrEnum):
    """Whether an order may run on a machine where no sandbox works."""

    REQUIRED = "required"
    NONE_ALLOWED = "none_allowed"


class SandboxAllowance(StrEnum):
    """What the sandbox refuses, and a policy may allow because an honest build needs it."""

    USER_NAMESPACES = "user-namespaces"
    MOUNTS = "mounts"
    IO_URING = "io-uring"


Dollars = Annotated[float, Field(ge=0)]

_DATED = re.compile(r"-20\d{6}$")


class Price(Frozen):
    """What a model costs, in US dollars per million tokens; a kind that is not priced is unknown."""

    input: Dollars = Field(description="Tokens that it reads.")
    output: Dollars = Field(description="Tokens that it writes.")
    cache_read: Dollars | None = Field(None, description="Tokens read out of its prompt cache.")
    cache_write: Dollars | None = Field(
        None, description="Tokens put into its prompt cache for five minutes."
    )
    cache_write_hour: Dollars | None = Field(
        None, description="Tokens put into its prompt cache for an hour."
    )

    def cost(self, tokens: TokenUse) -> float | None:
        spent = tokens.input * self.input + tokens.output * self.output
        for used, per_million in (
            (tokens.cache_read, self.cache_read),
            (tokens.cache_write, self.cache_write),
            (tokens.cache_write_hour, self.cache_write_hour),
        ):
            if used and per_million is None:
                return None
            spent += used * (per_million or 0.0)
        return spent / 1e6


def find_price(model: str, prices: Mapping[str, Price]) -> Price | None:
    """A model's price; a dated name (`claude-haiku-4-5-20251001`) has that of the plain one."""
    return prices.get(model) or prices.get(_DATED.sub("", model))


class AgentLimits(Frozen):
    """Where an agent run stops.

    `tokens_max` counts weighted tokens (`TokenUse.weighted`), `dollars_max` (None: no limit) what has a price.
    """

    tokens_max: int = 5_000_000
    dollars_max: Dollars | None = None
    turns_max: int = 120
    agent_timeout_seconds: int = 1_800


class AgentSettings(Frozen):
    """How the agent is started; `command` is a shell line and is set for `COMMAND` and `ACP`.

    `helpers` are further models that a program may ask. `prices` are those that are known, by model.
    `mcp` are shell lines of the servers of tools that a program gets, by name. `deny` and `before_done` are
    patterns of commands that it may not run, or runs before it is done; a program that does nothing for
    `quiet_seconds` is ended (0: never).
    """

    kind: AgentKind = AgentKind.BUILTIN
    command: str | None = None
    model: str = "claude-sonnet-4-6"
    helpers: tuple[str, ...] = ()
    limits: AgentLimits = AgentLimits()
    prices: dict[str, Price] = {}
    mcp: dict[str, str] = {}
    deny: tuple[str, ...] = ()
    before_done: tuple[str, ...] = ()
    quiet_seconds: int = 0


class SetupCommand(Frozen):
    """A shell line from the base's policy that prepares the checkout; hosts it may reach."""

    run: str
    setup_timeout_seconds: int = 600


class SetupEnvironment(Frozen):
    """What setup may use of the runner: variables by their names, files of certificates by their paths.

    No value stands in an order.
    """

    variables: tuple[str, ...] = ()
    ca_files: tuple[str, ...] = ()


class Remake(Frozen):
    """A shell line from the base's policy that makes files anew, and those of them that need it."""

    files: tuple[str, ...]
    run: str
    remake_timeout_seconds: int = 600


class RequirementText(Frozen):
    """A requirement as the approved blob words it, with its place in the spec."""

    id: str
    title: str
    statement: str
    scenarios: tuple[str, ...]
    spec_path: str
    line: int


class RetryReason(StrEnum):
    GATES_FAILED = "gates_failed"
    CONFLICT = "conflict"
    BUNDLE_REFUSED = "bundle_refused"
    AGENT_ENDED = "agent_ended"
    RUNNER_LOST = "runner_lost"
    ARCHIVE_REFUSED = "archive_refused"
    ASKED = "asked"


class RetryContext(Frozen):
    """What the next attempt must know about the previous one.

    `refused_files` broke a rule and are not in the work. Where that does not merge with main: `landed_since`
    are the titles of what landed since it began, `main_changed` and `work_changed` both diffs of the files.
    """

    reason: RetryReason
    sentence: str
    failed_gates: tuple[GateResult, ...] = ()
    refused_files: tuple[str, ...] = ()
    conflicting_files: tuple[str, ...] = ()
    landed_since: tuple[str, ...] = ()
    main_changed: str = ""
    work_changed: str = ""


class AskingRule(StrEnum):
    """Whether the agent may ask people, or has asked as often as it may."""

    ALLOWED = "allowed"
    USED_UP = "used_up"
    OFF = "off"


class SettledQuestion(Frozen):
    """A question of an earlier agent run, and its answer.

    `answered_by` is a GitHub login; None if nobody answered in time: `answer` is the agent's assumption then.
    """

    number: int
    question: str
    answer: str
    answered_by: str | None = None


class ToldWords(Frozen):
    """What a person who may write to the repository told an agent; `author` is a GitHub login.

    `path` and `line` are where it was said in a review, `line` is 0 where no line is meant. The newest of
    an open thread has a number, `thread`, by which the report accounts for it; else `answered` is the account.
    """

    author: str
    text: str
    path: str = ""
    line: int = 0
    thread: Count = 0
    answered: str = ""


class SiblingChange(Frozen):
    """Another change of the same spec; `state` is a word of its lifecycle."""

    title: str
    state: str
    files: tuple[str, ...] = ()


class ChangeBrief(Frozen):
    """What is known of a change besides its requirements.

    `scope`, `left_out`, `files` and `done` are the plan's words, and bind nobody; `held_to` are the files and
    patterns outside of which a change of this kind is red, empty where that is not asked. `likely` are further
    files, by words and by history. `landed` are the titles of this spec's changes that are on main, newest
    first. `attempts` has one line for each attempt before this one. `test_plan`: what the tests must show.
    """

    scope: str = ""
    left_out: str = ""
    files: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    siblings: tuple[SiblingChange, ...] = ()
    landed: tuple[str, ...] = ()
    attempts: tuple[str, ...] = ()
    likely: tuple[str, ...] = ()
    test_plan: tuple[str, ...] = ()
    held_to: tuple[str, ...] = ()


class Artefacts(Frozen):
    """Files of a change of its own in an OpenSpec `folder`, which land in the archive.

    The agent ticks the boxes of `tasks` and fills `design`; both are the texts to begin with.
    """

    folder: str
    tasks_path: str
    tasks: str
    design_path: str
    design: str

    @property
    def paths(self) -> tuple[str, str]:
        """Exempt from what is protected, as plain files."""
        return self.tasks_path, self.design_path


class _Order(Frozen):
    version: int = ORDER_VERSION
    order_id: str
    repository: str
    clone_url: str
    protected: tuple[str, ...] = ()
    setup: tuple[SetupCommand, ...] = ()
    setup_sha: str = ""
    environment: SetupEnvironment = SetupEnvironment()
    egress_hosts: tuple[str, ...] = ()
    sandbox: SandboxRule = SandboxRule.REQUIRED
    sandbox_allow: tuple[SandboxAllowance, ...] = ()


class AgentOrder(_Order):
    """Implement one change.

    The checkout is `start_sha`, fetched as `start_ref`; the bundle that comes back holds exactly
    the commits of `base_sha..HEAD`, where `base_sha` is an ancestor of `start_sha` or equal to it.
    Paths that match `protected` (gitignore patterns) may not be touched. `bearings` are context
    notes for every change of the spec: its stories and constraints, one text each. `settled` are
    the questions that the agent asked before, oldest first. `gates` are those that will judge the
    work; the agent may ask those named in `quick_gates` inside its sandbox. `told` are people's words for
    this change, oldest first. `artefacts` stand in the tree from the beginning. `remake`: no agent is started; these lines are run instead, with the network of
    `egress_hosts`.
    """

    kind: Literal["agent"] = "agent"
    base_sha: str
    start_sha: str
    start_ref: str
    change: str
    title: str
    attempt: int
    requirements: tuple[RequirementText, ...]
    bearings: tuple[str, ...] = ()
    agent: AgentSettings = AgentSettings()
    retry: RetryContext | None = None
    asking: AskingRule = AskingRule.OFF
    settled: tuple[SettledQuestion, ...] = ()
    told: tuple[ToldWords, ...] = ()
    gates: tuple[GateDefinition, ...] = ()
    quick_gates: tuple[str, ...] = ()
    brief: ChangeBrief = ChangeBrief()
    artefacts: Artefacts | None = None
    remake: tuple[Remake, ...] = ()


class GateOrder(_Order):
    """Judge one candidate: a clean checkout of `candidate_sha`, fetched as `candidate_ref`.

    `definition_hash` names the definitions, and the report repeats it. `diff_base_sha` is what a
    gate that judges a diff compares with. `protected`, `archive_paths` and `declared` are for `scope_check`,
    `requirements` for `tests` and `spec_verify`, whose proof is measured up to `measured`. `is_of_person`: people put it on main, and no
    change is judged.
    `setup` runs on the tree of `setup_sha`, an ancestor; empty: on the candidate's own.
    `begin_with` names gates in the order in which they begin, others follow in their own; `at_once` is how
    many may run side by side, 0: as many as the machine has cores. `stop_at_first_red`: after a required
    gate that is red nothing more is begun. `repeats`: a line that is red runs once more each time it is named.
    """

    kind: Literal["gate"] = "gate"
    candidate_sha: str
    candidate_ref: str
    diff_base_sha: str
    definition_hash: str
    gates: tuple[GateDefinition, ...]
    archive_paths: tuple[str, ...] = ()
    requirements: tuple[AskedRequirement, ...] = ()
    measured: ProofLevel = ProofLevel.NONE
    is_of_person: bool = False
    declared: DeclaredScope = NOTHING_DECLARED
    begin_with: tuple[str, ...] = ()
    at_once: int = 1
    stop_at_first_red: bool = False
    repeats: tuple[str, ...] = ()


Order = Annotated[AgentOrder | GateOrder, Field(discriminator="kind")]


class LeaseRequest(Frozen):
    version: int = ORDER_VERSION
    order_id: Annotated[str, Field(max_length=40, pattern=r"^[!-~]+$")]
    oidc_token: str


class ModelCredentials(Frozen):
    """Where and with which key the harness asks the model; never stored, never in a sandbox."""

    base_url: str
    api_key: str


class LeaseGrant(Frozen):
    """The answer to a lease request. `lease_token` authorises heartbeats, bundle and report."""

    version: int = ORDER_VERSION
    lease_token: str
    expires_at: datetime
    heartbeat_seconds: int = HEARTBEAT_SECONDS
    order: Order
    model: ModelCredentials | None = None


class Heartbeat(Frozen):
    """`POST /runner/orders/<order_id>/heartbeat`: still running, and what it is doing."""

    sentence: str = ""
    turns: Count = 0
    tokens: Count = 0


class HeartbeatAnswer(Frozen):
    """Whether to go on. A harness that must stop ends its sandbox and reports nothing."""

    carry_on: bool
    sentence: str = ""


class GateStatus(Frozen):
    """Where a gate of a run stands: it waits, it runs, or it has ended.

    The report at the end of the run says it all again, so that nothing is lost with this.
    """

    gate: str
    is_running: bool = False
    ending: Ending | None = None
    sentence: str = ""
    seconds: Seconds = 0.0
    log_tail: str = ""


class Fingerprint(Frozen):
    """What an agent's run has come to: equal ones say that nothing moved in between.

    `files` are those of its tree that changed since it began, `tree` a digest of which and when;
    `ticked` of `tasks` boxes are ticked; `red` are the quick gates that were red when they ran last.
    """

    files: Count = 0
    tree: str = ""
    ticked: Count = 0
    tasks: Count = 0
    red: tuple[str, ...] = ()


class RunStatus(Frozen):
    """What a run is doing; `dollars` is None where nothing was asked of a model with a price.

    `last_tool` is what the agent called last, `gates` are those of a gate order.
    """

    sentence: str = ""
    last_tool: str = ""
    turns: Count = 0
    tokens: Count = 0
    dollars: Dollars | None = None
    gates: tuple[GateStatus, ...] = ()
    fingerprint: Fingerprint = Fingerprint()


class EventBatch(Frozen):
    """`POST /runner/orders/<order_id>/events`: what was said and done since the last batch.

    Each line is the JSON of one event, `first` the number of the first. `heard`: how many of the
    words that people told this run it has.
    """

    first: Annotated[int, Field(ge=0, le=2**31 - 1)] = 0
    lines: tuple[str, ...] = ()
    status: RunStatus = RunStatus()
    heard: Count = 0


class EventsAnswer(Frozen):
    """The words that people told this run and that it does not have yet."""

    told: tuple[ToldWords, ...] = ()


class Refusal(Frozen):
    """The body of every 4xx of the runner API: what happened and what to do next."""

    sentence: str
