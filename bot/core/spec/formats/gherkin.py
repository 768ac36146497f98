"""Gherkin features in any of its languages, also inside Markdown; read by the official parser.

A Feature is a requirement, or each of its Rules is; scenarios directly below a Feature with Rules
make it one too. An outline is one scenario with its examples. Background steps come first in every
scenario of their scope. What the parser refuses is a finding with its line.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from pydantic import BaseModel, Field

from bot.core.spec.drafts import Draft, Reading, normal
from bot.core.spec.id_cells import ID
from bot.core.spec.reading import Source
from bot.core.values.spec_model import Finding, Scenario, Severity

if TYPE_CHECKING:
    from gherkin.errors import ParserError
    from gherkin.token import Token
    from gherkin.token_matcher import TokenMatcher
    from gherkin.token_scanner import TokenScanner

_TAG_ID = re.compile(rf"^@({ID})$")
# They are repeated in every scenario; more are a program and no background.
_BACKGROUND_STEPS_MAX = 50
# `Scenario: …`; no keyword has more words.
_KEYWORD_LINE = re.compile(r"^[ \t]*+([^\W\d_][^:\n]{1,40}):")
_KINDS = {"Context": "given", "Action": "when", "Outcome": "then"}


class _Location(BaseModel):
    line: int


class _Tag(BaseModel):
    name: str


class _Step(BaseModel):
    keyword: str
    text: str
    keyword_type: str = Field(alias="keywordType", default="Unknown")


class _Scenario(BaseModel):
    location: _Location
    tags: list[_Tag] = []
    name: str
    description: str = ""
    steps: list[_Step] = []


class _Child(BaseModel):
    background: _Scenario | None = None
    scenario: _Scenario | None = None
    rule: "_Holder | None" = None


class _Holder(BaseModel):
    location: _Location
    tags: list[_Tag] = []
    name: str
    description: str = ""
    children: list[_Child] = []


class _Document(BaseModel):
    feature: _Holder | None = None


def read(source: Source) -> Reading:
    # The parser is slow to load, and most processes never read a feature file.
    from gherkin.errors import ParserError
    from gherkin.parser import Parser

    try:
        parsed = Parser().parse(_scanner(source), _matcher(source))
    except ParserError as error:
        return Reading(findings=(_refused(source, error),))
    feature = _Document.model_validate(parsed).feature
    if feature is None:
        return Reading()
    rules = [c.rule for c in feature.children if c.rule is not None]
    holders = [*([feature] if not rules or _scenarios(feature) else []), *rules]
    starts = _starts(feature)
    background = _background(feature)
    drafts = tuple(
        _draft(source, holder, "" if holder is feature else feature.name, starts, background)
        for holder in holders
    )
    context = ((1, len(source.lines)),)
    return Reading(title=feature.name, drafts=drafts, context=context)


def _scanner(source: Source) -> "TokenScanner":
    """The lines with their numbers; of many blank ones in a row only the first two, as each costs as
    much as a step.
    """
    from gherkin.token_scanner import TokenScanner

    class _Scanner(TokenScanner):
        def read(self) -> "Token":
            token = super().read()
            while self.line_number in skipped:
                token = super().read()
            return token

    lines = source.lines
    skipped = {
        number
        for number in range(3, len(lines) + 1)
        if not any(line.strip() for line in lines[number - 3 : number])
    }
    return _Scanner("\n".join(lines) + "\n")


def _matcher(source: Source) -> "TokenMatcher":
    from gherkin.token_matcher import TokenMatcher
    from gherkin.token_matcher_markdown import GherkinInMarkdownTokenMatcher

    if source.path.lower().endswith(".md") and any(line.startswith("# ") for line in source.lines):
        headed = any(re.match(r"^#{1,6} \S.*:", line) for line in source.lines)
        if headed:
            return GherkinInMarkdownTokenMatcher("en")
    return TokenMatcher(_language(source))


def _language(source: Source) -> str:
    """The language whose keywords most lines begin with: many leave `# language: pt` out.

    English where it is one of those that are as good.
    """
    from gherkin.dialect import DIALECTS

    begins = Counter(
        found[1].strip() for line in source.lines if (found := _KEYWORD_LINE.match(line))
    )

    def known(language: str) -> int:
        words = cast("Mapping[str, Sequence[str]]", DIALECTS[language])
        if not any(word in begins for word in words["feature"]):
            return 0
        names = ("feature", "background", "rule", "scenario", "scenarioOutline", "examples")
        return sum(begins[word] for word in {w for name in names for w in words[name]})

    return max(sorted(DIALECTS, key=lambda name: name != "en"), key=known)


def _draft(
    source: Source, holder: _Holder, domain: str, starts: Sequence[int], outer: list[_Step]
) -> Draft:
    line = holder.location.line
    background = [*(outer if domain else []), *_background(holder)]
    own = _scenarios(holder)
    scenarios = tuple(
        _scenario_of(source, s, background, _end(source, s.location.line, starts)) for s in own
    )
    last = max([s.line_end for s in scenarios], default=_end(source, line, starts))
    identifier = next((m.group(1) for t in holder.tags if (m := _TAG_ID.match(t.name))), None)
    title = holder.name.strip() or "Feature"
    return Draft(
        title=title,
        statement=holder.description.strip() or title,
        source_id=identifier,
        scenarios=scenarios,
        domain=domain,
        line_start=line,
        line_end=last,
        identity=f"{normal(domain)}\n{normal(title)}",
    )


def _scenario_of(
    source: Source, scenario: _Scenario, background: list[_Step], end: int
) -> Scenario:
    start = scenario.location.line
    steps: dict[str, list[str]] = {"given": [], "when": [], "then": []}
    current = "given"
    for step in [*background, *scenario.steps]:
        current = _KINDS.get(step.keyword_type, current)
        steps[current].append(step.text)
    return Scenario(
        name=scenario.name or "Scenario",
        text=source.shown_text(start + 1, end).strip(),
        given=tuple(steps["given"]),
        when=tuple(steps["when"]),
        then=tuple(steps["then"]),
        line_start=start,
        line_end=end,
    )


def _scenarios(holder: _Holder) -> list[_Scenario]:
    return [c.scenario for c in holder.children if c.scenario is not None]


def _background(holder: _Holder) -> list[_Step]:
    steps = [s for c in holder.children if c.background is not None for s in c.background.steps]
    return steps[:_BACKGROUND_STEPS_MAX]


def _starts(feature: _Holder) -> list[int]:
    """Lines where an element with a name begins."""
    lines = [feature.location.line]
    for child in feature.children:
        if child.rule is not None:
            lines += _starts(child.rule)
        for one in (child.scenario, child.background):
            if one is not None:
                lines.append(one.location.line)
    return sorted(lines)


def _end(source: Source, line: int, starts: Sequence[int]) -> int:
    """The last line with text before the next element, without that element's tags and comments."""
    at = bisect_right(starts, line)
    end = (starts[at] if at < len(starts) else len(source.lines) + 1) - 1
    while end > line and re.match(r"^\s*(?:[@#].*)?$", source.lines[end - 1]):
        end -= 1
    return end


def _refused(source: Source, error: "ParserError") -> Finding:
    from gherkin.errors import CompositeParserException, ParserException

    first = (
        error.errors[0] if isinstance(error, CompositeParserException) and error.errors else error
    )
    line = first.location["line"] if isinstance(first, ParserException) else 1
    line = min(max(line, 1), max(len(source.lines), 1))
    question = f"Gherkin's parser cannot read this: {str(first)[:160]}. What is meant?"
    return source.finding("gherkin_refused", Severity.ASK, line, question)
