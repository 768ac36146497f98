"""Fallback from model to model, repair, and bounded delays."""

from datetime import UTC, datetime, timedelta

import pytest

from action.report import TokenUse
from bot.core.journal.effects import AskModel
from bot.core.prompts.plan_forms import BriefAnswer
from bot.core.values.ids import Sha, SpecRunId
from bot.core.values.model_roles import ModelRole
from bot.core.values.plan_input import Phase, PlanPromptInput
from bot.core.values.prompt import (
    CallOutcome,
    Prompt,
    PromptOutcome,
    PromptPart,
    PromptResult,
    Reply,
    ReplyEnding,
)
from bot.ports import Retryable, UserError
from bot.shell.model_calls import ROUNDS_MAX
from bot.shell.model_fallback import ModelFallback

GOOD = BriefAnswer(shared=(), order=(), risks=()).model_dump_json()
PROMPT = Prompt(
    system="You plan.",
    parts=(PromptPart(text="Plan."),),
    tool="submit_brief",
    tool_says="Hand it in.",
    tool_schema="{}",
    answer_tokens_max=1_000,
)


class Model:
    """Each model name returns or raises the next of its prepared replies."""

    def __init__(self, **says: list[str | Exception]) -> None:
        self.says = says
        self.asked: list[str] = []

    def ask(self, model: str, question: Prompt) -> Reply:
        self.asked.append(model)
        said = self.says[model].pop(0)
        if isinstance(said, Exception):
            raise said
        tokens = TokenUse(input=1_000, output=100)
        return Reply(ending=ReplyEnding.COMPLETE, text=said, tokens=tokens, request_id="r")


def effect(stem: str = "brief:1", models: tuple[str, ...] = ("strong", "next")) -> AskModel:
    about = PlanPromptInput(
        spec_run=SpecRunId("shop@1"),
        path="specs/shop.md",
        commit=Sha("0" * 40),
        phase=Phase.BRIEF,
        part="shop",
        requirements=(),
        stem=stem,
    )
    return AskModel(
        prompt=f"{stem}:0",
        role=ModelRole.PLAN_BRIEF,
        models=models,
        about=about,
        asked_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


def ask(model: Model, tries: int = 0, stem: str = "brief:1") -> PromptResult:
    return ModelFallback(model, effect(stem), {}).ask(PROMPT, tries)


def busy(after_seconds: float | None = None) -> Retryable:
    after = timedelta(seconds=after_seconds) if after_seconds is not None else None
    return Retryable("It is busy (529 overloaded_error).", after)


def test_a_busy_model_falls_back_to_the_next_one() -> None:
    model = Model(strong=[busy()], next=[GOOD])
    asked = ask(model)
    assert asked.outcome is PromptOutcome.ANSWERED
    assert model.asked == ["strong", "next"]
    assert [c.outcome for c in asked.calls] == [CallOutcome.BUSY, CallOutcome.ANSWERED]


@pytest.mark.parametrize(
    "sentence",
    ["There is no key for strong on this server.", "The request to strong was refused (400)."],
)
def test_permanent_error_stops_fallback(
    sentence: str,
) -> None:
    model = Model(strong=[UserError(sentence)], next=[GOOD])
    asked = ask(model)
    assert (asked.outcome, asked.sentence) == (PromptOutcome.FAILED, sentence)
    assert model.asked == ["strong"]


@pytest.mark.parametrize("tries", range(ROUNDS_MAX))
def test_the_delay_doubles_up_to_a_bound_and_is_spread(tries: int) -> None:
    stems = [f"brief:{at}" for at in range(20)]
    delays = [
        ask(Model(strong=[busy()], next=[busy()]), tries, stem).after_seconds for stem in stems
    ]
    middle = min(2.0 * 2**tries, 120.0)
    assert all(0.75 * middle <= delay <= 1.25 * middle for delay in delays)
    assert len(set(delays)) > 10


def test_the_longest_requested_wait_is_used() -> None:
    asked = ask(Model(strong=[busy(90)], next=[busy(7)]))
    assert (asked.outcome, asked.after_seconds) == (PromptOutcome.BUSY, 90)


def test_a_requested_wait_of_hours_fails_the_prompt() -> None:
    asked = ask(Model(strong=[busy(7_200)], next=[busy()]))
    assert asked.outcome is PromptOutcome.FAILED


def test_an_invalid_reply_is_repaired_once_by_the_same_model() -> None:
    model = Model(strong=["no", "{}"], next=[GOOD])
    asked = ask(model)
    assert asked.outcome is PromptOutcome.FAILED
    assert model.asked == ["strong", "strong"]
    assert "twice gave an answer without the required format" in asked.sentence


def test_dollars_are_none_for_an_unknown_price() -> None:
    assert ask(Model(strong=[GOOD])).calls[0].dollars is None
