"""What a model is asked about a spec's requirements, and which of its answers are kept.

An observation must quote the requirement's own lines exactly, or it is dropped and counted. It
belongs to one text and is dropped when that text changes. It is advice and changes nothing.
"""

import hashlib
import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from enum import StrEnum
from string import Template
from typing import Annotated, Literal

from pydantic import Field

from bot.core.prompts.plan_forms import schema_of
from bot.core.prompts.plan_layout import tokens_of
from bot.core.spec.reading import split_lines
from bot.core.values.ids import Frozen, PullNumber, RequirementId, Sha
from bot.core.values.prompt import Prompt, PromptPart
from bot.core.values.quoting import quote, visible
from bot.core.values.spec_model import Requirement, Spec

PLACE = "digest:"
# The place of a pull; a spec run's id is different, because it has an @.
_PULL = re.compile(r"pull:(\d+)")

OBSERVATIONS_MAX = 8
# With more text in one prompt, models miss requirements at the beginning.
REQUIREMENTS_MAX = 24
_TOKENS_MAX = 6_000
_OTHERS_MAX = 80
_OTHER_CHARACTERS = 200
_ANSWER_TOKENS_MAX = 4_000
# Shorter quotes occur in any text by chance.
_QUOTE_CHARACTERS_MIN = 8


class ObservationKind(StrEnum):
    """What a requirement leaves open."""

    AMBIGUITY = "ambiguity"
    CONTRADICTION = "contradiction"
    MISSING_CASE = "missing_case"
    UNDEFINED_TERM = "undefined_term"


class DigestPromptInput(Frozen):
    """Requirements of a spec at a commit, identified by the hashes of their texts.

    `reader` is who asked: a spec run's id, or the place of a pull.
    """

    kind: Literal["digest"] = "digest"
    reader: str
    path: str
    commit: Sha
    texts: tuple[str, ...]

    @property
    def place(self) -> str:
        return f"{PLACE}{self.reader}"

    @property
    def pull(self) -> PullNumber | None:
        """The pull that asked; None for a spec run."""
        found = _PULL.fullmatch(self.reader)
        return PullNumber(int(found[1])) if found else None


class Observation(Frozen):
    """One thing that a model noticed, at `offset` lines below its requirement's first.

    `against` is the text hash of the requirement that is contradicted; else empty.
    """

    kind: ObservationKind
    quote: str
    question: str
    offset: int = 0
    against: str = ""


class SpecSource(Frozen):
    """A spec as it was given to a model, with the lines of its files."""

    spec: Spec
    lines: dict[str, tuple[str, ...]]

    def text_of(self, requirement: Requirement) -> tuple[str, ...]:
        lines = self.lines.get(requirement.path, ())
        return lines[requirement.line_start - 1 : requirement.line_end]


class AnsweredObservation(Frozen):
    """One observation, as it must be answered."""

    requirement: Annotated[str, Field(max_length=200, description="An id as given.")]
    quote: Annotated[str, Field(max_length=400, description="Its own words, letter by letter.")]
    kind: ObservationKind
    question: Annotated[str, Field(min_length=1, max_length=400)]
    against: Annotated[str, Field(max_length=200, description="The other id, or empty.")]


class DigestAnswer(Frozen):
    """All that was noticed."""

    observations: Annotated[tuple[AnsweredObservation, ...], Field(max_length=OBSERVATIONS_MAX)]


class Weighed(Frozen):
    """The kept observations, by text hash; every text that was read has an entry."""

    noticed: dict[str, tuple[Observation, ...]]
    dropped: int


def source_of(spec: Spec, files: Mapping[str, bytes]) -> SpecSource:
    texts = {d.path: files.get(d.path, b"").decode("utf-8", "replace") for d in spec.documents}
    return SpecSource(spec=spec, lines={path: split_lines(t) for path, t in texts.items()})


def text_key(path: str, text_hash: str) -> str:
    return f"{path} {text_hash}"


def prompt_id(path: str, texts: Sequence[str]) -> str:
    """Equal for the same texts of the same spec, so that they are read once."""
    said = hashlib.sha256("\n".join((path, *texts)).encode()).hexdigest()
    return f"digest-{said[:16]}"


def groups_of(requirements: Sequence[Requirement]) -> list[tuple[Requirement, ...]]:
    """Requirements by prompt, in file order; each prompt is small enough for careful reading."""
    groups: list[list[Requirement]] = []
    room = 0
    for requirement in requirements:
        tokens = tokens_of(requirement.statement) + sum(
            tokens_of(s.text) for s in requirement.scenarios
        )
        if not groups or tokens > room or len(groups[-1]) >= REQUIREMENTS_MAX:
            groups.append([])
            room = _TOKENS_MAX
        groups[-1].append(requirement)
        room -= tokens
    return [tuple(group) for group in groups]


def prompt_of(about: DigestPromptInput, source: SpecSource, templates: Mapping[str, str]) -> Prompt:
    asked = set(about.texts)
    requirements = [r for r in source.spec.requirements if r.text_hash in asked]
    others = [r for r in source.spec.requirements if r.text_hash not in asked][:_OTHERS_MAX]
    told = "\n".join(
        f"{r.id} | {r.title} | {' '.join(r.statement.split())[:_OTHER_CHARACTERS]}" for r in others
    )
    task = Template(templates["digest"]).substitute(
        count=len(requirements),
        requirements="\n\n".join(
            quote(f"id: {r.id}\n" + "\n".join(source.text_of(r)), f"{r.path}:{r.line_start}")
            for r in requirements
        ),
        others=quote(told, about.path) if told else "(none)",
    )
    return Prompt(
        system=templates["digest_system"],
        parts=(PromptPart(text=task),),
        tool="submit_observations",
        tool_says="Hand in what the requirements leave open.",
        tool_schema=schema_of(DigestAnswer),
        answer_tokens_max=_ANSWER_TOKENS_MAX,
    )


def weighed(about: DigestPromptInput, answer: str, source: SpecSource) -> Weighed:
    """The observations of a valid answer whose quotes are in their requirement's lines."""
    by_id = {r.id: r for r in source.spec.requirements}
    noticed: dict[str, list[Observation]] = {text: [] for text in about.texts}
    dropped = 0
    for said in DigestAnswer.model_validate_json(answer).observations:
        requirement = by_id.get(RequirementId(said.requirement))
        other = by_id.get(RequirementId(said.against))
        is_kept = requirement is not None and requirement.text_hash in noticed
        if said.kind is ObservationKind.CONTRADICTION:
            is_kept = is_kept and other is not None and other != requirement
        offset = _offset(said.quote, source.text_of(requirement)) if requirement else None
        if not is_kept or requirement is None or offset is None:
            dropped += 1
            continue
        against = other.text_hash if other and said.kind is ObservationKind.CONTRADICTION else ""
        noticed[requirement.text_hash].append(
            Observation(
                kind=said.kind,
                quote=said.quote,
                question=said.question,
                offset=offset,
                against=against,
            )
        )
    kept = {text: tuple(observations) for text, observations in noticed.items()}
    return Weighed(noticed=kept, dropped=dropped)


def _offset(words: str, lines: Sequence[str]) -> int | None:
    """How many lines below the first one the words begin; None if they are not there."""
    wanted = _folded(words)
    if len(wanted) < _QUOTE_CHARACTERS_MIN or wanted not in _folded("\n".join(lines)):
        return None
    # The words are behind every line above their own, and behind none below it.
    first_behind = bisect_left(
        range(len(lines)), True, key=lambda at: wanted not in _folded("\n".join(lines[at:]))
    )
    return max(first_behind - 1, 0)


def _folded(text: str) -> str:
    """The visible text, without line breaks; no other differences are ignored."""
    return " ".join(visible(text).split())
