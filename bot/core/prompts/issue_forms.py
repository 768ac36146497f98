"""The forms of answers about an issue: questions for people, or a spec as its parts.

An answer has exactly one of both. What it says is text that our own code writes down; it can name no
file, label, command or gate.
"""

from typing import Annotated, Self

from pydantic import Field, model_validator

from bot.core.values.ids import Frozen

# More than this in one comment is not answered (a round is read on a phone, too).
QUESTIONS_MAX = 7

_Line = Annotated[str, Field(min_length=1, max_length=400)]
_Step = Annotated[str, Field(min_length=1, max_length=300)]


class AskedQuestion(Frozen):
    """One question for the people of the issue."""

    question: _Line
    why: Annotated[str, Field(max_length=300, description="What depends on the answer.")]
    choices: Annotated[
        tuple[Annotated[str, Field(min_length=1, max_length=120)], ...],
        Field(max_length=6, description="Answers to choose from, where there are a few; else []."),
    ]


class WrittenScenario(Frozen):
    """One example by which the requirement is seen to hold."""

    name: Annotated[str, Field(min_length=1, max_length=120)]
    given: Annotated[tuple[_Step, ...], Field(max_length=5)]
    when: Annotated[tuple[_Step, ...], Field(min_length=1, max_length=5)]
    then: Annotated[tuple[_Step, ...], Field(min_length=1, max_length=8)]


class WrittenRequirement(Frozen):
    """One thing that must become true."""

    area: Annotated[
        str,
        Field(
            pattern=r"^[a-z][a-z0-9]{1,15}$",
            description="One word for the part of the product: cart, login.",
        ),
    ]
    title: Annotated[str, Field(min_length=1, max_length=120)]
    statement: Annotated[
        str, Field(min_length=1, max_length=800, description="One obligation, with SHALL or MUST.")
    ]
    scenarios: Annotated[tuple[WrittenScenario, ...], Field(min_length=1, max_length=8)]


class WrittenSpec(Frozen):
    """A specification, as its parts."""

    title: Annotated[str, Field(min_length=1, max_length=120)]
    purpose: Annotated[str, Field(max_length=1_000, description="Why, in a few sentences.")]
    requirements: Annotated[tuple[WrittenRequirement, ...], Field(min_length=1, max_length=40)]
    out_of_scope: Annotated[tuple[_Line, ...], Field(max_length=20)]


class ReadinessAnswer(Frozen):
    """Either what has to be asked first, or the spec."""

    questions: Annotated[
        tuple[AskedQuestion, ...],
        Field(max_length=QUESTIONS_MAX, description="What has to be known first; [] with a spec."),
    ]
    spec: Annotated[WrittenSpec | None, Field(description="The spec; null with questions.")]

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if bool(self.questions) == (self.spec is not None):
            raise ValueError("answer with questions or with a spec, and never with both or neither")
        return self


class SpecAnswer(Frozen):
    """The spec, when everything has been asked that may be asked."""

    spec: WrittenSpec


ROUND_TOOL = ("submit_readiness", "Hand in the questions that come first, or the specification.")
LAST_TOOL = ("submit_spec", "Hand in the specification.")
