"""The first paragraph of a report, written by a model from the report's own facts.

If the paragraph has a number that is not among the facts, it is not used. The model also reads
reasons that agents and gates wrote; numbers in these are not facts.
"""

import re
from collections.abc import Mapping
from string import Template
from typing import Annotated, Literal

from pydantic import Field

from bot.core.prompts.plan_forms import schema_of
from bot.core.values.ids import Frozen, IssueNumber, SpecRunId
from bot.core.values.prompt import Prompt, PromptPart
from bot.core.values.quoting import quote

PLACE = "summary:"

WORDS_MAX = 120
_ANSWER_TOKENS_MAX = 1_500
_CHANGES_MAX = 60
_REASON_CHARACTERS = 300

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_MARKUP = re.compile(r"https?:|www\.|[<>\[\]`#@|*]")
# One and zero are left out: "one" is a pronoun as often as a number.
_WORDS = {
    word: str(number)
    for number, word in enumerate(
        [
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
            "twenty",
        ],
        2,
    )
} | {"thirty": "30", "forty": "40", "fifty": "50", "hundred": "100", "thousand": "1000"}
_COUNTING_WORDS = frozenset(
    {"half", "twice", "double", "dozen", "percent", "quarter", "third", "million"}
)


class ChangeFact(Frozen):
    """One change in the report; `why` is text from people and programs."""

    title: str
    ended: str
    attempts: int
    requirements: int
    why: str = ""


class SummaryFacts(Frozen):
    """`figures` maps what is counted to its number."""

    title: str
    figures: dict[str, int]
    changes: tuple[ChangeFact, ...]
    missing: tuple[str, ...]


class SummaryPromptInput(Frozen):
    """The report of a spec run in a `round`, as posted at `issue` under `subject`."""

    kind: Literal["summary"] = "summary"
    spec_run: SpecRunId
    round: int
    issue: IssueNumber
    subject: str
    report: str
    facts: SummaryFacts

    @property
    def place(self) -> str:
        return f"{PLACE}{self.spec_run}:{self.round}"


class SummaryAnswer(Frozen):
    """The paragraph, and a note on what is not covered."""

    paragraph: Annotated[str, Field(min_length=1, max_length=1_600)]
    not_covered_note: Annotated[str, Field(max_length=600)]


def prompt_of(about: SummaryPromptInput, templates: Mapping[str, str]) -> Prompt:
    facts = about.facts
    task = Template(templates["summary"]).substitute(
        title=quote(facts.title, "the specification"),
        figures="\n".join(f"- {name}: {value}" for name, value in facts.figures.items()),
        changes=quote("\n".join(_change_lines(facts)), "the report"),
        reasons=_quoted([f"{c.title}: {c.why[:_REASON_CHARACTERS]}" for c in _unlanded(facts)]),
        missing=_quoted(facts.missing[:_CHANGES_MAX]),
    )
    return Prompt(
        system=templates["summary_system"],
        parts=(PromptPart(text=task),),
        tool="submit_summary",
        tool_says="Hand in the report's first paragraph.",
        tool_schema=schema_of(SummaryAnswer),
        answer_tokens_max=_ANSWER_TOKENS_MAX,
    )


def read_summary(answer: str) -> SummaryAnswer:
    """The answer was already validated."""
    return SummaryAnswer.model_validate_json(answer)


def refusal_of(facts: SummaryFacts, answer: SummaryAnswer) -> str:
    """Why the answer is not shown; empty if it is."""
    text = f"{answer.paragraph} {answer.not_covered_note}"
    words = len(answer.paragraph.split())
    if words > WORDS_MAX:
        return f"It has {words} words; {WORDS_MAX} are the most."
    if _MARKUP.search(text):
        return "It holds markup or an address."
    invented = [n for n in _numbers(text) if n not in _numbers(_facts_text(facts))]
    if invented:
        return f"It names a number that is not among the facts: {invented[0]}."
    return ""


def _change_lines(facts: SummaryFacts) -> list[str]:
    lines = [
        f"{c.title} | {c.ended} | {c.attempts} | {c.requirements}"
        for c in facts.changes[:_CHANGES_MAX]
    ]
    rest = len(facts.changes) - len(lines)
    return [*lines, f"(and {rest} more)"] if rest else lines


def _unlanded(facts: SummaryFacts) -> list[ChangeFact]:
    return [c for c in facts.changes if c.why][:_CHANGES_MAX]


def _quoted(lines: list[str] | tuple[str, ...]) -> str:
    return quote("\n".join(lines), "the report") if lines else "(nothing)"


def _facts_text(facts: SummaryFacts) -> str:
    """Everything whose numbers may be repeated."""
    figures = (str(value) for value in facts.figures.values())
    return "\n".join((facts.title, *figures, *_change_lines(facts), *facts.missing))


def _numbers(text: str) -> list[str]:
    """Numbers in digits and in words, in one spelling; words such as "half" stay."""
    found = [n.replace(",", "") for n in _NUMBER.findall(text)]
    for word in re.findall(r"[a-z]+", text.lower()):
        if word in _WORDS:
            found.append(_WORDS[word])
        elif word in _COUNTING_WORDS:
            found.append(word)
    return found
