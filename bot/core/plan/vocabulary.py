"""How the planner compares words of a spec: names, domains, terms, quotes.

Words are equal up to spelling (case, width, spaces, markup); meanings are not compared.
"""

import re
import unicodedata
from collections.abc import Container
from functools import lru_cache

from bot.core.spec.formats.prose_words import KIND_OF_ITEM
from bot.core.spec.triage.words import says_only_requirements, says_requirements_of
from bot.core.values.ids import RequirementId
from bot.core.values.spec_model import Requirement, Spec

_EDGES = " \t\r\n`*_\"'“”‘’«»[]().,;:"
# A word of four letters or more says what a scenario is about; shorter ones are mostly grammar.
_TERM = re.compile(r"[^\W\d_]{4,}")
_STEM_LETTERS = 5
# Far more than make a stem, of words without end.
_READ_LETTERS = 60
_IN_BRACKETS = re.compile(r"[(（][^()（）]{1,60}[)）]$")
_DENSE = re.compile(r"[\u3040-\u9fff\uac00-\ud7af]")
_DENSE_RUN = re.compile(r"[\u30a0-\u30ff\u4e00-\u9fff\uac00-\ud7af]{2,}")
# Longer quotes make the dependency hard to see in an issue.
_QUOTE_MAX = 160


def fold(text: str) -> str:
    """A key without width, case, spaces, markup and closing punctuation."""
    folded = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    return folded.removeprefix("### ").removeprefix("requirement:").strip(_EDGES)


def terms(text: str) -> frozenset[str]:
    return frozenset(_TERM.findall(unicodedata.normalize("NFKC", text).casefold()))


def stem(word: str) -> str:
    """The beginning of a word, by which its forms are one: share, shares, sharing."""
    return _stem(word[:_READ_LETTERS])


# A spec says the same words again and again.
@lru_cache(maxsize=8_192)
def _stem(word: str) -> str:
    plain = unicodedata.normalize("NFKC", word).casefold()
    return plain[:_STEM_LETTERS] if len(plain) > _STEM_LETTERS else plain.removesuffix("s")


def subjects(text: str) -> frozenset[str]:
    """What a text speaks of: stems of its words, and pairs of signs where there are no spaces."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    found = {stem(word) for word in _TERM.findall(plain) if not _DENSE.search(word)}
    for run in _DENSE_RUN.findall(plain):
        found.update(run[at : at + 2] for at in range(len(run) - 1))
    return frozenset(found)


def domain_of(requirement: Requirement, spec: Spec) -> str:
    """The requirement's domain, or else the spec itself."""
    return requirement.domain.strip() or spec.key


def names_the_whole(heading: str, spec: Spec) -> bool:
    """Whether a heading says only `Requirements` or `User stories`, or is the title of a page `Requirements of the garden`."""
    # `MVP features (first release)`
    bare = _IN_BRACKETS.sub("", heading).strip() or heading
    if says_only_requirements(bare) or KIND_OF_ITEM.match(bare):
        return True
    titles = {fold(document.title) for document in spec.documents}
    return says_requirements_of(heading) and fold(heading) in titles


def distinct(spec: Spec) -> tuple[Requirement, ...]:
    """One record per requirement id, in file order; several operations may have the same id."""
    first: dict[RequirementId, Requirement] = {}
    for requirement in spec.requirements:
        first.setdefault(requirement.id, requirement)
    return tuple(first.values())


def only(spec: Spec, wanted: Container[str]) -> Spec:
    return spec.with_documents(
        d.with_requirements(r for r in d.requirements if r.id in wanted) for d in spec.documents
    )


def evidence(path: str, line: int, words: str) -> str:
    """`path:line 'words'`, on one line."""
    quote = " ".join(words.split())
    if len(quote) > _QUOTE_MAX:
        quote = quote[: _QUOTE_MAX - 1].rstrip() + "…"
    return f"{path}:{line} '{quote}'"
