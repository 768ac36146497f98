"""Names that a spec does not define although it defines others.

For documents with a glossary and EARS criteria: the actor in `THE Name SHALL` must be in the
glossary, and `Requirement 3.2` must exist.
"""

import re
from collections.abc import Iterable

from bot.core.spec.line_owners import first_owners
from bot.core.spec.reading import Source
from bot.core.values.spec_model import SpecDocument

_GLOSSARY = re.compile(r"^#{1,4}\s+(?:glossary|terms|术语表?|глоссарий|glosario|glossaire)\b", re.I)
_TERM = re.compile(r"^\s*[-*+]\s+\*{0,2}[`\"]?([^\n*:`\"(（：]{2,60})[`\"]?\*{0,2}")
# Only names that are written as names; "the system" is not a term.
_ACTOR = re.compile(r"\b[Tt](?:HE|he) ([A-Z][A-Za-z0-9_]{1,60}) (?:SHALL|shall)\b")
_IS_NAME = re.compile(r"[A-Za-z0-9]+(?:_|(?<=[a-z0-9])[A-Z])")
# A name that ends so says what it is.
_SAYS_WHAT = re.compile(
    r"(?:page|screen|view|button|modal|dialog|form|menu|toolbar|container|component|panel|tab|list|grid|card|toast|banner|"
    r"field|fee|price|total|status|flag|guard|dto|endpoint|controller|repository|middleware|table)s?$",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\bRequirements? (\d{1,4})(?:\.(\d{1,4}))?(?!\d|\.\d)")


def undefined_actors(source: Source) -> Iterable[tuple[int, str]]:
    """Lines where an actor that is not in the glossary first appears, with the question."""
    known = _glossary(source)
    if not known:
        return
    for line, text in enumerate(source.visible, 1):
        for found in _ACTOR.finditer(text):
            name = found.group(1)
            if _IS_NAME.match(name) and not _SAYS_WHAT.search(name) and _plain(name) not in known:
                known.add(_plain(name))
                yield line, f"'{name}' acts here and is not in the glossary. What is it?"


def missing_numbers(document: SpecDocument, source: Source) -> Iterable[tuple[int, str]]:
    """Lines that refer to a numbered requirement or criterion that does not exist."""
    counts = {
        r.source_id: len(r.scenarios)
        for r in document.requirements
        if (r.source_id or "").isdigit()
    }
    if not counts:
        return
    below_titles = ((r.line_start + 1, r.line_end) for r in document.requirements)
    for line in sorted(first_owners(below_titles)):
        for found in _NUMBER.finditer(source.visible[line - 1]):
            number, part = found.group(1), found.group(2)
            if number not in counts or (part and int(part) > counts[number] > 0):
                said = found.group().removeprefix("Requirements").removeprefix("Requirement")
                yield line, f"There is no requirement{said} in this spec. What is meant?"


def _glossary(source: Source) -> set[str]:
    known: set[str] = set()
    inside = False
    for text in source.visible:
        if text.startswith("#"):
            inside = bool(_GLOSSARY.match(text))
        elif inside and (found := _TERM.match(text)):
            known.add(_plain(found.group(1)))
    return known


def _plain(name: str) -> str:
    return re.sub(r"[\s_-]+", "", name).casefold()
