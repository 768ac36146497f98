"""The estimated cost of a review, and the limit in the policy."""

import pytest

from action.order import Price
from bot.core.prompts.plan_layout import tokens_of
from bot.core.prompts.review_cost import over_budget, upper_cost
from bot.core.prompts.review_prompt import ReviewPromptInput, prompt_of
from bot.core.values.ids import ChangeId
from bot.shell.prompt_texts import advice_templates
from gates.graded.chunks import ChangedFile
from gates.graded.findings import Grade, ReviewFinding
from gates.graded.rounds import Asking, ReviewLedger, ReviewPrompt, Subject, next_step
from tests.core.values import sha

OPUS, HAIKU = "claude-opus-4-6", "claude-haiku-4-5"
FILE = ChangedFile(path="a.py", before=None, after=b"total = 10\n" * 400)


def finding(number: int = 1, *, is_open: bool) -> ReviewFinding:
    return ReviewFinding(
        id=f"F{number}",
        path="a.py",
        line=1,
        quote="total = 10",
        grade=Grade.MAJOR,
        message="It is wrong. " * 40,
        is_open=is_open,
    )


def asked(
    *findings: ReviewFinding, files: tuple[ChangedFile, ...] = (FILE,)
) -> tuple[ReviewPrompt, ...]:
    subject = Subject(gate="review", block=Grade.MAJOR, files=files)
    step = next_step(subject, ReviewLedger(findings=findings), {}, {})
    assert isinstance(step, Asking)
    return step.prompts


@pytest.mark.parametrize(
    "earlier", [(), (finding(is_open=True),), tuple(finding(n, is_open=False) for n in range(100))]
)
def test_no_prompt_is_longer_than_its_estimate(earlier: tuple[ReviewFinding, ...]) -> None:
    (review_prompt,) = asked(*earlier)
    about = ReviewPromptInput(
        change=ChangeId("shop@1/till"),
        gate="review",
        block=Grade.MAJOR,
        candidate=sha("c"),
        round=review_prompt.round,
    )
    prompt = prompt_of(about, review_prompt, advice_templates())
    letters = prompt.system + prompt.parts[0].text + prompt.tool_schema
    told = upper_cost((review_prompt,), (OPUS,), {}).tokens
    assert tokens_of(letters) + prompt.answer_tokens_max <= told <= 2 * tokens_of(letters) + 9_000


def test_the_most_expensive_priced_model_of_a_chain_counts() -> None:
    dear, cheap = (upper_cost(asked(), (model,), {}).dollars for model in (OPUS, HAIKU))
    assert dear is not None
    assert cheap is not None
    assert dear > cheap
    assert upper_cost(asked(), (HAIKU, OPUS), {}).dollars == dear
    assert upper_cost(asked(), ("local", HAIKU), {}).dollars == cheap
    assert upper_cost(asked(), ("local",), {}).dollars is None
    free = Price(input=0, output=0, cache_read=0, cache_write=0)
    assert upper_cost(asked(), ("local",), {"local": free}).dollars == 0


def test_spent_dollars_count_and_unpriced_models_do_not() -> None:
    upper = upper_cost(asked(), (OPUS,), {})
    assert upper.dollars is not None
    assert over_budget(upper, 0.0, upper.dollars) == ""
    assert "it may cost $" in over_budget(upper, 0.0, upper.dollars - 0.001)
    assert "$0.01 are spent" in over_budget(upper, 0.01, upper.dollars)
    assert over_budget(upper_cost(asked(), ("local",), {}), None, 0.01) == ""
