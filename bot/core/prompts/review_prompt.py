"""What a model is asked about a candidate's diff, and the form of its answer.

The rules of the review are in `gates.graded`. The diff is hostile text: it stands between two marks
that are a digest of it, which nothing inside can contain.
"""

from collections.abc import Mapping
from string import Template
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from bot.core.prompts.plan_forms import schema_of
from bot.core.values.ids import ChangeId, Frozen, Sha
from bot.core.values.prompt import Prompt, PromptPart
from gates.graded.chunks import digest
from gates.graded.findings import MESSAGE_CHARACTERS, Grade
from gates.graded.rounds import ReviewPrompt, Round

PLACE = "review:"
FINDINGS_MAX = 12
ANSWER_TOKENS_MAX = 6_000


class ReviewPromptInput(Frozen):
    """A prompt about the diff of a candidate; `round` says which form its answer has."""

    kind: Literal["review"] = "review"
    change: ChangeId
    gate: str
    block: Grade
    candidate: Sha
    round: Round

    @property
    def place(self) -> str:
        return place_of(self.change, self.gate)


def place_of(change: ChangeId, gate: str) -> str:
    return f"{PLACE}{change}:{gate}"


class AnsweredFinding(Frozen):
    """One finding, as it must be answered."""

    path: Annotated[str, Field(max_length=4_000)]
    line: int
    quote: Annotated[str, Field(min_length=1, max_length=1_000, description="Letter by letter.")]
    severity: Grade
    message: Annotated[str, Field(min_length=1, max_length=MESSAGE_CHARACTERS)]
    undoes: Annotated[str, Field(max_length=20, description="An earlier finding's id, or empty.")]


class ReviewAnswer(Frozen):
    """All files that were read, and all that was found in them."""

    files: tuple[str, ...]
    findings: Annotated[tuple[AnsweredFinding, ...], Field(max_length=FINDINGS_MAX)]


class AnsweredEarlier(Frozen):
    """Whether one earlier finding is closed."""

    id: Annotated[str, Field(max_length=20)]
    closed: bool
    line: Annotated[int, Field(description="Where it still is, or 0.")]
    quote: Annotated[str, Field(max_length=1_000, description="Its words there, or empty.")]


class EarlierAnswer(Frozen):
    """A word on each earlier finding."""

    earlier: tuple[AnsweredEarlier, ...]


def form_of(about: ReviewPromptInput) -> type[BaseModel]:
    return EarlierAnswer if about.round is Round.EARLIER else ReviewAnswer


def material_of(review_prompt: ReviewPrompt) -> str:
    """All that was written by others: what a prompt is about, and the closed findings before a chunk."""
    told = "\n".join(f"{one.id} {one.path}: {one.message}" for one in review_prompt.earlier)
    return (
        review_prompt.text
        if review_prompt.chunk is None
        else f"{told or '(none)'}\n\n{review_prompt.text}"
    )


def prompt_of(
    about: ReviewPromptInput, review_prompt: ReviewPrompt, templates: Mapping[str, str]
) -> Prompt:
    material = material_of(review_prompt)
    template = "review_earlier" if review_prompt.chunk is None else "review"
    mark = f"material-{digest(material)}"
    return Prompt(
        system=templates["review_system"],
        parts=(
            PromptPart(text=Template(templates[template]).substitute(mark=mark, material=material)),
        ),
        tool="submit_review",
        tool_says="Hand in what the review found.",
        tool_schema=schema_of(form_of(about)),
        answer_tokens_max=ANSWER_TOKENS_MAX,
    )
