"""The prompt about an issue: reviewed words around quoted data.

Everything that a person outside of Headgate wrote goes through `quote`. The prompt is made of its
input alone: byte for byte the same for the same input.
"""

from collections.abc import Iterable, Mapping
from string import Template

from bot.core.prompts.issue_forms import LAST_TOOL, ROUND_TOOL, ReadinessAnswer, SpecAnswer
from bot.core.prompts.plan_forms import schema_of
from bot.core.values.issue_input import ROUNDS_MAX, Exchange, IssuePromptInput
from bot.core.values.prompt import Prompt, PromptPart
from bot.core.values.quoting import quote

TEMPLATES = ("system", "round", "last", "again")

# Forty requirements with their scenarios; a model that needs more is stuck in a loop.
_ANSWER_TOKENS_MAX = 16_000
_NOTHING = "(nothing)"


def form_of(about: IssuePromptInput) -> type[ReadinessAnswer] | type[SpecAnswer]:
    return SpecAnswer if about.is_last else ReadinessAnswer


def prompt_of(about: IssuePromptInput, templates: Mapping[str, str]) -> Prompt:
    task = Template(templates["last" if about.is_last else "round"]).substitute(
        issue=quote(f"{about.title}\n\n{about.body}", f"issue {about.issue} by {about.author}"),
        remarks=_all(
            quote(r.text, f"comment on issue {about.issue} by {r.author}") for r in about.remarks
        ),
        specs=quote("\n".join(about.specs), "the repository's tree") if about.specs else _NOTHING,
        exchanges=_all(_exchange_text(e) for e in about.exchanges),
        round=about.round,
        rounds=ROUNDS_MAX,
    )
    again = [
        PromptPart(
            text=Template(templates["again"]).substitute(
                previous=quote(rejection.previous, "your last answer"),
                reasons=quote("\n".join(f"- {r}" for r in rejection.reasons), "the check"),
            )
        )
        for rejection in about.rejections
    ]
    tool, tool_says = LAST_TOOL if about.is_last else ROUND_TOOL
    return Prompt(
        system=templates["system"],
        parts=(PromptPart(text=task, ends_stretch=True), *again),
        tool=tool,
        tool_says=tool_says,
        tool_schema=schema_of(form_of(about)),
        answer_tokens_max=_ANSWER_TOKENS_MAX,
    )


def _all(quotations: Iterable[str]) -> str:
    return "\n\n".join(quotations) or _NOTHING


def _exchange_text(exchange: Exchange) -> str:
    asked = quote(exchange.question, f"question {exchange.number}")
    if not exchange.answer:
        return f"{asked}\n(no answer)"
    return f"{asked}\n{quote(exchange.answer, f'answer to {exchange.number} by {exchange.author}')}"
