"""The wire contract of reports: what a runner hands back.

Everything in a report is untrusted: it is what a program on somebody's machine says about itself.
The bot believes the bundle's git objects after checking them, and nothing else.
"""

from collections.abc import Iterator
from dataclasses import asdict, replace
from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from gates.result import GateReport

REPORT_VERSION = 3
# A run that began before a server upgrade still reports in an older version: fewer fields with the
# same meaning, and endings that version 3 says as obstacles.
REPORT_VERSIONS_READ = frozenset({1, 2, REPORT_VERSION})

# What an agent may ask at once: a person reads it in a minute.
QUESTIONS_AT_ONCE_MAX = 3
QUESTION_CHARACTERS_MAX = 1_000
CHOICES_MAX = 6
CHOICE_CHARACTERS_MAX = 200
# An agent's word on a thread of a review: a reviewer reads it at a glance.
ACCOUNT_CHARACTERS_MAX = 1_000


class Frozen(BaseModel):
    """A value: immutable, strict about keys that it does not know and about numbers."""

    # JSON has no infinity: a value read as one could be stored and never read again.
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, defer_build=True)

    def replace(self, **changes: object) -> Self:
        """A copy with some fields replaced; the type checker knows the fields and their types."""
        return self.model_copy(update=changes)


# What a runner counts: no machine counts further, and a larger one cannot be priced or stored.
_COUNT_MAX = 10**12
Count = Annotated[int, Field(ge=0, le=_COUNT_MAX)]
Seconds = Annotated[float, Field(ge=0, le=10**9)]


class AgentEnding(StrEnum):
    """How an agent run ended. Only `FINISHED` hands back work that is meant to be judged.

    Every other ending may hand back what was done so far: another run goes on from it.
    `WORK_REFUSED`: the agent finished, and some of its files broke a rule and were left out.
    `DEFERRED`: something else than the agent stood in the way, see `Obstacle`.
    """

    FINISHED = "finished"
    ASKED = "asked"
    GAVE_UP = "gave_up"
    OUT_OF_TURNS = "out_of_turns"
    OUT_OF_TOKENS = "out_of_tokens"
    OUT_OF_DOLLARS = "out_of_dollars"
    OUT_OF_TIME = "out_of_time"
    DEFERRED = "deferred"
    NOTHING_CHANGED = "nothing_changed"
    WORK_REFUSED = "work_refused"
    CRASHED = "crashed"


class Obstacle(StrEnum):
    """What an order met that is nobody's attempt, in the order in which a run meets them.

    The model is away when it cannot be reached, or is overloaded for longer than the retries; it
    refuses a key or a name that it does not know, and an account without money left.
    """

    SANDBOX_REFUSED = "sandbox_refused"
    FETCH_FAILED = "fetch_failed"
    SETUP_FAILED = "setup_failed"
    PROGRAM_MISSING = "program_missing"
    PROXY_REFUSED = "proxy_refused"
    MODEL_REFUSED = "model_refused"
    MODEL_UNPAID = "model_unpaid"
    MODEL_AWAY = "model_away"


_ENDINGS_BEFORE_3 = {
    "model_unreachable": Obstacle.MODEL_AWAY,
    "setup_failed": Obstacle.SETUP_FAILED,
    "sandbox_refused": Obstacle.SANDBOX_REFUSED,
}


class SandboxKind(StrEnum):
    BUBBLEWRAP = "bubblewrap"
    UNSHARE = "unshare"
    NONE = "none"


class TokenUse(Frozen):
    """Tokens by kind, as the model's server counted them.

    `cache_write` is kept for five minutes, `cache_write_hour` for an hour.
    """

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    cache_write_hour: int = 0

    @property
    def total(self) -> int:
        cache = self.cache_read + self.cache_write + self.cache_write_hour
        return self.input + self.output + cache

    @property
    def weighted(self) -> int:
        """How many input tokens cost as much, rounded up.

        The ratios are those of Anthropic's prices ("Pricing", "Prompt caching"): output 5, a cache
        read 0.1, a cache write 1.25, one for an hour 2.
        """
        hundredths = (
            self.input * 100
            + self.output * 500
            + self.cache_read * 10
            + self.cache_write * 125
            + self.cache_write_hour * 200
        )
        return -(-hundredths // 100)

    def __add__(self, other: "TokenUse") -> "TokenUse":
        return TokenUse(
            input=self.input + other.input,
            output=self.output + other.output,
            cache_read=self.cache_read + other.cache_read,
            cache_write=self.cache_write + other.cache_write,
            cache_write_hour=self.cache_write_hour + other.cache_write_hour,
        )


class AgentQuestion(Frozen):
    """What an agent must know, and its assumption if nobody answers.

    Our harness keeps to the lengths above; a reader of reports cuts longer texts.
    """

    question: str
    why: str = ""
    choices: tuple[str, ...] = ()
    assumption: str = ""


class ThreadAccount(Frozen):
    """What an agent says of a thread of a review, by the number that its order gives the thread.

    Our harness keeps to the lengths above; a reader of reports cuts longer texts.
    """

    thread: Count
    text: str


def _counted(tokens: TokenUse) -> TokenUse:
    """Journals hold such values, too, and none of them is refused there."""
    kinds = (
        tokens.input,
        tokens.output,
        tokens.cache_read,
        tokens.cache_write,
        tokens.cache_write_hour,
    )
    if not all(0 <= kind <= _COUNT_MAX for kind in kinds):
        raise ValueError(f"0 to {_COUNT_MAX:,} tokens of a kind")
    return tokens


class AgentReport(Frozen):
    """What became of an agent order.

    `bundle_sha256` names the uploaded git bundle (None: nothing to hand back), `head_sha` the
    commit in it, under `refs/heads/headgate`. `transcript_tail` is at most 64,000 characters.
    `restarts` say of each conversation after the first whether it went on or began anew, and why.
    `questions` belong to the ending `ASKED`, `obstacle` and what the model's server said of the time
    to come again to `DEFERRED`. `left_out` are leftovers in the tree (folders end with `/`) that are
    no part of the work. `ticked` of the change's `tasks` are ticked in the work. `accounts` say what became
    of threads of reviews.
    """

    kind: Literal["agent"] = "agent"
    version: int = REPORT_VERSION
    order_id: str
    ending: AgentEnding
    sentence: str
    head_sha: str | None = None
    bundle_sha256: str | None = None
    model: str = ""
    turns: Count = 0
    tokens: Annotated[TokenUse, AfterValidator(_counted)] = TokenUse()
    seconds: Seconds = 0.0
    sandbox: SandboxKind = SandboxKind.NONE
    transcript_tail: str = ""
    restarts: tuple[str, ...] = ()
    questions: tuple[AgentQuestion, ...] = ()
    left_out: tuple[str, ...] = ()
    ticked: Count = 0
    tasks: Count = 0
    obstacle: Obstacle | None = None
    retry_after_seconds: float | None = None
    accounts: tuple[ThreadAccount, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _with_obstacle(cls, body: object) -> object:
        ending = body.get("ending") if isinstance(body, dict) else None
        if not isinstance(body, dict) or ending not in tuple(_ENDINGS_BEFORE_3):
            return body
        return {**body, "ending": AgentEnding.DEFERRED, "obstacle": _ENDINGS_BEFORE_3[ending]}


def _numbers(value: object) -> Iterator[float]:
    match value:
        case dict():
            yield from _numbers(list(value.values()))
        case list() | tuple():
            for one in value:
                yield from _numbers(one)
        case int() | float():
            yield value
        case _:
            pass


def _measured(report: GateReport) -> GateReport:
    """Every number at the door, as the values of gates are plain: a judge starts without pydantic."""
    for result in (*report.results, *report.doubts):
        # Only a program that a signal ended has a number below zero.
        signed = replace(result, exit_code=abs(result.exit_code or 0))
        if not all(0 <= number <= _COUNT_MAX for number in _numbers(asdict(signed))):
            raise ValueError(f"a number of the gate {result.gate} is not 0 to {_COUNT_MAX:,}")
    return report


class GateOrderReport(Frozen):
    """What became of a gate order; `report` is None where no gate could even be started.

    `obstacle` says why, unless the run was interrupted.
    """

    kind: Literal["gate"] = "gate"
    version: int = REPORT_VERSION
    order_id: str
    sentence: str
    report: Annotated[GateReport, AfterValidator(_measured)] | None = None
    obstacle: Obstacle | None = None
    seconds: Seconds = 0.0
    sandbox: SandboxKind = SandboxKind.NONE


Report = Annotated[AgentReport | GateOrderReport, Field(discriminator="kind")]
