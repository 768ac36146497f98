"""The forms of planning answers: what a model must call its tool with.

An answer has exactly this form or it is refused: unknown keys are refused, and nothing has a default
that would hide an omission.
"""

import json
from typing import Annotated, cast

from pydantic import BaseModel, Field, JsonValue, TypeAdapter, ValidationError

from bot.core.values.ids import Frozen
from bot.core.values.plan_input import Phase
from bot.core.values.plan_model import ChangeType

# Longer answers are errors of the model; the sums fit the answer's token limit.
_Line = Annotated[str, Field(max_length=400)]
_Id = Annotated[str, Field(max_length=200)]
_ERRORS_MAX = 12


class AnsweredEdge(Frozen):
    """Why a change waits for another."""

    on: Annotated[str, Field(max_length=60, description="The slug of the change waited for.")]
    evidence: Annotated[
        _Line, Field(description="The specification's own words, letter by letter.")
    ]


class AnsweredChange(Frozen):
    """One change."""

    slug: Annotated[str, Field(max_length=60)]
    title: Annotated[str, Field(max_length=160)]
    type: ChangeType
    scope: Annotated[_Line, Field(description="What it builds, in one or two sentences.")]
    left_out: Annotated[_Line, Field(description="What a reader might expect and it does not do.")]
    requirements: Annotated[
        tuple[_Id, ...], Field(min_length=1, max_length=40, description="Ids as given.")
    ]
    files: Annotated[tuple[_Id, ...], Field(max_length=20, description="Files it will touch.")]
    depends_on: Annotated[tuple[AnsweredEdge, ...], Field(max_length=20)]
    gates: Annotated[tuple[_Line, ...], Field(max_length=8, description="What to check closely.")]
    done: Annotated[tuple[_Line, ...], Field(max_length=8, description="When it is done.")]


class PlanAnswer(Frozen):
    """The plan of a whole spec, or of one part."""

    changes: Annotated[tuple[AnsweredChange, ...], Field(min_length=1, max_length=120)]
    risks: Annotated[tuple[_Line, ...], Field(max_length=10)]
    left_out: Annotated[
        tuple[_Line, ...], Field(max_length=10, description="What the specification leaves open.")
    ]


class AnsweredShare(Frozen):
    """What several parts touch, and who makes it."""

    resource: Annotated[str, Field(max_length=200)]
    made_by: Annotated[str, Field(max_length=200, description="The part that makes it.")]
    why: _Line


class AnsweredOrder(Frozen):
    """One part waits for another."""

    part: Annotated[str, Field(max_length=200)]
    after: Annotated[str, Field(max_length=200)]
    evidence: _Line


class BriefAnswer(Frozen):
    """What planners of single parts cannot see."""

    shared: Annotated[tuple[AnsweredShare, ...], Field(max_length=40)]
    order: Annotated[tuple[AnsweredOrder, ...], Field(max_length=40)]
    risks: Annotated[tuple[_Line, ...], Field(max_length=10)]


class CrossEdge(Frozen):
    """A change waits for a change of another part."""

    change: Annotated[str, Field(max_length=60)]
    on: Annotated[str, Field(max_length=60)]
    evidence: Annotated[
        _Line, Field(description="The specification's own words, letter by letter.")
    ]


class MergeAnswer(Frozen):
    """How the parts' plans become one."""

    edges: Annotated[tuple[CrossEdge, ...], Field(max_length=200)]
    join: Annotated[
        tuple[Annotated[tuple[_Id, ...], Field(min_length=2, max_length=6)], ...],
        Field(
            max_length=40,
            description="Slugs of changes that become one, the first keeping its name.",
        ),
    ]
    risks: Annotated[tuple[_Line, ...], Field(max_length=10)]
    left_out: Annotated[tuple[_Line, ...], Field(max_length=10)]


Answer = PlanAnswer | BriefAnswer | MergeAnswer

_FORMS: dict[Phase, type[PlanAnswer] | type[BriefAnswer] | type[MergeAnswer]] = {
    Phase.WHOLE: PlanAnswer,
    Phase.BRIEF: BriefAnswer,
    Phase.DOMAIN: PlanAnswer,
    Phase.MERGE: MergeAnswer,
}
_TOOLS = {
    Phase.WHOLE: ("submit_plan", "Hand in the plan of the whole specification."),
    Phase.BRIEF: ("submit_brief", "Hand in what the planners of the parts must know."),
    Phase.DOMAIN: ("submit_plan", "Hand in the plan of this part."),
    Phase.MERGE: ("submit_merge", "Hand in how the parts become one plan."),
}


def form_of(phase: Phase) -> type[PlanAnswer] | type[BriefAnswer] | type[MergeAnswer]:
    return _FORMS[phase]


def tool_of(phase: Phase) -> tuple[str, str]:
    return _TOOLS[phase]


def schema_of(form: type[BaseModel]) -> str:
    """A JSON Schema without titles, which cost tokens."""
    schema = cast(JsonValue, form.model_json_schema())
    return json.dumps(_without_titles(schema), sort_keys=True, separators=(",", ":"))


def _without_titles(schema: JsonValue) -> JsonValue:
    if isinstance(schema, dict):
        # A property may be called title; its value is a schema, while a schema's title is a text.
        kept = {k: v for k, v in schema.items() if k != "title" or not isinstance(v, str)}
        return {key: _without_titles(value) for key, value in kept.items()}
    return [_without_titles(one) for one in schema] if isinstance(schema, list) else schema


def read_plan_answer(text: str) -> PlanAnswer:
    """The text was already validated."""
    return PlanAnswer.model_validate_json(text)


def read_merge_answer(text: str) -> MergeAnswer:
    """The text was already validated."""
    return MergeAnswer.model_validate_json(text)


def faults_of(form: type[BaseModel], text: str) -> tuple[str, ...]:
    """Why a text does not fit the form, for the model; empty if it fits."""
    try:
        TypeAdapter(form).validate_json(text)
    except ValidationError as error:
        found = error.errors(include_url=False, include_context=False, include_input=False)
        return tuple(
            f"{'.'.join(str(p) for p in one['loc']) or 'answer'}: {one['msg']}"
            for one in found[:_ERRORS_MAX]
        )
    return ()
