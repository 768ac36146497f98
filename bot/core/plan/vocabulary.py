"""How the planner compares the words of a spec: names, domains, terms, quotes.

Comparison is exact up to spelling (case, width, spaces, markup); nothing here guesses that two
names mean the same.
"""

import re
import unicodedata
from collections.abc import Container

from bot.core.values.ids import RequirementId
from bot.core.values.spec_model import Requirement, Spec

_EDGES = " \t\r\n`*_\"'“”‘’«»[]().,;:"
# A word of four letters or more says what a scenario is about; shorter ones are mostly grammar.
_TERM = re.compile(r"[^\W\d_]{4,}")
# Longer quotes push the edge itself out of sight in an issue.
_QUOTE_MAX = 160


def fold(text: str) -> str:
    """`text` as a key: width, case, spaces, markup and closing punctuation do not count."""
    folded = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    return folded.removeprefix("### ").removeprefix("requirement:").strip(_EDGES)


def terms(text: str) -> frozenset[str]:
    """The longer words of `text`, folded."""
    return frozenset(_TERM.findall(unicodedata.normalize("NFKC", text).casefold()))


def domain_of(requirement: Requirement, spec: Spec) -> str:
    """The domain that the spec gives the requirement; without one, the spec itself."""
    return requirement.domain.strip() or spec.key


def distinct(spec: Spec) -> tuple[Requirement, ...]:
    """One record per requirement id, in file order; operations may share an id."""
    first: dict[RequirementId, Requirement] = {}
    for requirement in spec.requirements:
        first.setdefault(requirement.id, requirement)
    return tuple(first.values())


def only(spec: Spec, wanted: Container[str]) -> Spec:
    """The spec with only those requirements, in its order."""
    documents = tuple(
        d.model_copy(update={"requirements": tuple(r for r in d.requirements if r.id in wanted)})
        for d in spec.documents
    )
    return spec.model_copy(update={"documents": documents})


def evidence(path: str, line: int, words: str) -> str:
    """`path:line 'words'`, on one line."""
    quote = " ".join(words.split())
    if len(quote) > _QUOTE_MAX:
        quote = quote[: _QUOTE_MAX - 1].rstrip() + "…"
    return f"{path}:{line} '{quote}'"
