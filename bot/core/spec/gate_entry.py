"""One gate of the policy file, key by key, and what its modes and Headgate's own gates are."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from bot.core.spec.agent_entry import DollarsMax
from bot.core.spec.test_plan import Risk, TestPlan
from bot.core.values.ids import Frozen
from bot.core.values.plan_model import ChangeType
from gates.graded.findings import Grade
from gates.proof import ProofLevel
from gates.result import Judges


class ExternalEntry(Frozen):
    """A check run or commit status that another App reports on the candidate."""

    check: Annotated[str, Field(min_length=1, max_length=255)] = Field(
        description="Its name, as GitHub shows it."
    )
    app: int | str | None = Field(
        None, description="The id or slug of the App that reports it; unless said, any but ours."
    )


class ReviewEntry(Frozen):
    """A model that reads the candidate's diff."""

    block: Grade = Field(
        Grade.MAJOR, description="The least severity that is red: minor, major or critical."
    )
    dollars_max: DollarsMax = Field(
        10.0,
        description="US dollars that the model may cost for one candidate. What may cost more, by its length, is "
        "not begun, and the review could not run.",
    )


class LevelsByRisk(Frozen):
    """The proof that requirements need, by their risk."""

    high: ProofLevel = ProofLevel.L2
    normal: ProofLevel = ProofLevel.L2
    low: ProofLevel = ProofLevel.L2


_Tests = Annotated[int, Field(ge=0, le=5)]


class ScenariosByRisk(Frozen):
    """How many tests that pass the scenarios of requirements need, by their risk."""

    high: _Tests = 0
    normal: _Tests = 0
    low: _Tests = 0


Builtin = Literal[
    "scope_check", "secrets", "tests", "base_tests", "spec_verify", "rules", "guardrails", "junk"
]

BUILTIN_JUDGES: Mapping[Builtin, Judges] = {
    "scope_check": Judges.DIFF,
    "secrets": Judges.DIFF,
    "tests": Judges.CHANGE,
    "base_tests": Judges.CHANGE,
    "spec_verify": Judges.CHANGE,
    "rules": Judges.CHANGE,
    "guardrails": Judges.CHANGE,
    "junk": Judges.DIFF,
}

# They judge what an agent was asked to do, and so no pull of people.
OF_CHANGES: frozenset[Builtin] = frozenset({"scope_check", "spec_verify"})

# They read tests by their syntax, whatever the language.
READ_TESTS: frozenset[Builtin] = frozenset({"tests", "spec_verify"})


class ServiceEntry(Frozen):
    """What a gate needs beside it: a program that is started before it, and ends with it."""

    run: str = Field(description="Shell line that starts it and stays, or leaves it behind.")
    ready: str = Field(description="Shell line that exits with 0 as soon as it is ready.")
    timeout_seconds: Annotated[int, Field(ge=1, le=3_600)] = Field(
        60, description="How long it may take; then the gate is red."
    )


class GateMode(StrEnum):
    """What a gate means for a change: the verdict needs it, it is told, or it is not asked."""

    REQUIRED = "required"
    WARN = "warn"
    OFF = "off"


class GateEntry(Frozen):
    """One gate: a shell line judged by its exit code, a gate that Headgate brings, or a check of
    another App or a person's word, which are awaited."""

    run: str | Annotated[tuple[str, ...], Field(min_length=1)] | None = Field(
        None,
        description="Shell line, or a list of lines of one shell; exit code 0 passes, and the first "
        "line that fails ends it.",
    )
    cwd: str | None = Field(
        None, description="For `run`: the folder of the checkout in which it runs."
    )
    services: dict[Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]{0,49}$")], ServiceEntry] = Field(
        {},
        description="For `run`: services that start before it, in the same sandbox, in this order.",
    )
    builtin: Builtin | None = Field(
        None,
        description="A gate that Headgate provides: `scope_check` (what a diff may touch), `secrets` "
        "(no key of a provider is added), `tests` (no test is lost, skipped or weakened), "
        "`base_tests` (main's own tests run over the change, and pass as on main), "
        "`spec_verify` (each requirement of the change has its proof), `rules` (what "
        "`.headgate/rules/*.md` on main forbid or require), `guardrails` (no requirement, "
        "threshold, limit, check or lint rule asks for less), `junk` (what nobody commits "
        "on purpose).",
    )
    level: ProofLevel | LevelsByRisk = Field(
        ProofLevel.L2,
        description="For `spec_verify`: the proof that each requirement needs. L0: a test that "
        "asserts names it. L1: the test means the approved text. L2: it passed on this commit. L3: it runs "
        "lines that the change added. L4: it fails by an assertion without the change. By risk: "
        "`{high: L4, low: L1}`.",
    )
    measure: ProofLevel = Field(
        ProofLevel.L3,
        description="For `spec_verify`: the proof up to which it looks beyond `level`; what is missing is a "
        "warning. L3 runs the tests of the change once more, L4 up to four times more.",
    )
    scenarios: _Tests | ScenariosByRisk = Field(
        0,
        description="For `spec_verify`: how many tests that pass each scenario needs, by its name in "
        "their words. By risk: `{high: 2, normal: 1}`.",
    )
    risks: Mapping[Annotated[str, Field(min_length=1, max_length=200)], Risk] = Field(
        {},
        description="For `spec_verify`: the risk of requirements by patterns of their ids, the first that "
        'fits: `{"payments#*": high}`. Unless said, it follows from the priority that the spec gives (P0 and '
        "P1 are high, P3 and P4 low), and is low for SHOULD and MAY.",
    )
    declared: GateMode = Field(
        GateMode.WARN,
        description="For `scope_check`: what happens if a change touches a file that its plan does not "
        "name. It is told (warn), it is red (required), or nothing (off).",
    )
    external: ExternalEntry | None = Field(
        None,
        description="A check of another App on the candidate. Headgate waits for it for "
        "`timeout_seconds`.",
    )
    acceptance: Literal["triage", "write", "maintain", "admin"] | None = Field(
        None,
        description="When all other gates have passed, a person with this role accepts or rejects with "
        "buttons of the gate's check run. The decision also counts for the same diff on a "
        "newer main.",
    )
    review: ReviewEntry | None = Field(
        None,
        description="When all other gates have passed, a model of this server reviews the diff within "
        "`timeout_seconds`. It only warns unless `required: true` is set. A diff can "
        "persuade a model to pass it.",
    )
    judges: Judges = Field(Judges.TREE, description="What the result holds for.")
    junit: bool | str = Field(
        False, description="JUnit XML: true for $HEADGATE_JUNIT, or a glob below the checkout."
    )
    sarif: bool | str = Field(
        False,
        description="SARIF: true for $HEADGATE_SARIF, or a glob below the checkout. An error in it is "
        "red, whatever the exit code.",
    )
    timeout_seconds: Annotated[int, Field(ge=1, le=21_600)] = Field(
        600, description="How long it may run. After that it is red."
    )
    required: bool = Field(
        True,
        description="Whether the verdict needs it to pass. A `review` is required only if this is set.",
    )
    modes: dict[ChangeType, GateMode] = Field(
        {},
        description="For changes of a type, in place of `required`: required, warn (a warning that "
        "stops no landing) or off.",
    )
    when: tuple[str, ...] = Field(
        (),
        description="For `run`: paths, folders or globs. A change that touches none of them uses "
        "main's passed result.",
    )
    required_for: tuple[str, ...] = Field(
        (),
        description="Paths, folders or globs: for a change that touches one of them it is required, "
        "whatever `required` and `modes` say. It never removes a gate.",
    )
    quick: bool = Field(
        False,
        description="Whether an agent may run it during its work, in the agent's own sandbox. It also "
        "runs there when the agent says that it is done. Only its exit code counts, and "
        "the result is not a verdict.",
    )
    repeat: Annotated[int, Field(ge=0, le=2)] = Field(
        1,
        description="How often a red gate runs again on the same commit before its red counts. A gate "
        "that is red and then green is reported as flaky, and passes.",
    )

    @property
    def test_plan(self) -> TestPlan:
        """What `spec_verify` asks of requirements by their risk."""
        level, scenarios = self.level, self.scenarios
        return TestPlan(
            levels={r: level if isinstance(level, ProofLevel) else getattr(level, r) for r in Risk},
            scenarios={
                r: scenarios if isinstance(scenarios, int) else getattr(scenarios, r) for r in Risk
            },
            risks=self.risks,
        )

    @property
    def is_needed(self) -> bool:
        """Whether the verdict needs it to pass, where no mode says otherwise."""
        return self.required and (self.review is None or "required" in self.model_fields_set)
