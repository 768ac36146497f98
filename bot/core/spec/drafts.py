"""Turns a reader's drafts into requirements with ids, hashes, references and resources.

This is the same for all formats. An id is `<spec-key>#<author's id>`, or a slug with a digest of
what identifies the requirement, so that an edit of one requirement never renames another.
"""

import base64
import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from bot.core.spec.done_marks import finished
from bot.core.spec.reading import Source, code_spans
from bot.core.spec.triage.words import modality
from bot.core.values.ids import RequirementId
from bot.core.values.spec_model import (
    Constraint,
    EpicOf,
    Finding,
    Operation,
    Reference,
    Requirement,
    Scenario,
    Severity,
    Story,
    Task,
)

# A slug in an id is for people; the digest after it makes the id unique.
_SLUG_MAX = 40
_RESOURCES_MAX = 40
_MARKS = re.compile(r"[*`~]|__|^[^\S\n]*+(?:[-*+•]|\d+[.)])\s+|^[^\S\n]*+#+\s*", re.MULTILINE)
# A title may have been cut inside of the brackets.
_CLARIFICATION = re.compile(
    r"(?:(?<!\s)\s++)?(?:~~)?\[\s{0,3}(?:NEEDS?[ _]CLARIFICATION|RESOLVED|CLARIFIED|ANSWERED)\b[^\]\n]{0,400}(?:\](?:~~)?(?:\s*+(?:→|->|=>)\s*.{0,400})?|$)",
    re.IGNORECASE,
)
_EMPHASIS = re.compile(r"\*\*|__|~~")
_SENTENCE_END = re.compile(r"(?<=[.!?。；;])(?:\s|(?<=[。；]))")
_NO_LETTERS = re.compile(r"[^a-z0-9]+")
_ROUTE = re.compile(r"\b(?:GET|POST|PUT|PATCH|DELETE)\s+(/[\w\-./{}:*]*)")
_FILE = re.compile(
    r"(?<![\w/.@-])((?:[\w@.-]+/)+[\w.-]*\w\.\w{1,6}|[\w-]+\.(?:py|ts|tsx|js|go|rs|java|yml|yaml|toml|json|sql|md|html|css))(?![\w/])"
)
# Every file's name has one, and few texts do.
_SUFFIX = re.compile(r"\.\w")


@dataclass(frozen=True, slots=True)
class Draft:
    """A requirement as the format's reader found it.

    `identity` is its key if the author gave no id: the title and first statement, unless the format
    has a better key (an OpenSpec name).
    """

    title: str
    statement: str
    line_start: int
    line_end: int
    source_id: str | None = None
    scenarios: tuple[Scenario, ...] = ()
    domain: str = ""
    priority: str | None = None
    operation: Operation | None = None
    renamed_from: str | None = None
    identity: str | None = None
    references: tuple[Reference, ...] = ()
    is_done: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reader understood of one file.

    `context` are lines that it understood and that are not requirements (a purpose, a glossary), so
    that they do not count as unparsed.
    """

    title: str = ""
    drafts: tuple[Draft, ...] = ()
    findings: tuple[Finding, ...] = ()
    stories: tuple[Story, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    tasks: tuple[Task, ...] = ()
    context: tuple[tuple[int, int], ...] = ()
    epics: tuple[EpicOf, ...] = ()


def requirements_of(
    key: str, source: Source, drafts: tuple[Draft, ...], taken: Counter[str]
) -> tuple[tuple[Requirement, ...], tuple[Finding, ...]]:
    """Requirements in line order. `taken` counts the ids used in the spec, and is updated."""
    found: list[Requirement] = []
    findings: list[Finding] = []
    titles = Counter(normal(d.title) for d in drafts if d.operation is None)
    seen: set[str] = set()
    done = finished(drafts_in_order := sorted(drafts, key=lambda d: d.line_start))
    for place, draft in enumerate(drafts_in_order):
        local = draft.source_id or _minted(draft)
        identifier = f"{key}#{local}"
        taken[identifier] += 1
        count = taken[identifier]
        if count > 1:
            identifier = f"{identifier}~{count}"
        if count > 1:
            findings.append(_duplicate(source, draft))
        elif (
            titles[normal(draft.title)] > 1
            and normal(draft.title) in seen
            and draft.operation is None
            and draft.source_id is None
        ):
            findings.append(_same_title(source, draft))
        seen.add(normal(draft.title))
        found.append(_requirement(RequirementId(identifier), source, draft, place in done))
    return tuple(found), tuple(findings)


def normal(text: str) -> str:
    """The text for ids and hashes: NFKC, no Markdown marks, single spaces, no case."""
    return _kept(text) if len(text) <= _KEPT_MAX else _normal(text)


def _normal(text: str) -> str:
    plain = _MARKS.sub("", unicodedata.normalize("NFKC", text))
    return " ".join(plain.split()).casefold()


# Ids, hashes and the register ask for the same titles and statements: three a requirement, in the
# longest spec some 12,000 requirements. Longer texts are not cached.
_kept = lru_cache(maxsize=40_000)(_normal)
_KEPT_MAX = 1_000


def text_hash(statement: str, scenarios: Iterable[Scenario]) -> str:
    """SHA-256 (hex) of statement and scenarios; white space and Markdown marks do not count."""
    parts = [normal(statement)]
    for scenario in scenarios:
        parts += [normal(scenario.name), normal(scenario.text)]
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", "replace")).hexdigest()


def slug(text: str, length: int = _SLUG_MAX) -> str:
    """ASCII letters, digits and single hyphens; empty when the text has no Latin letter."""
    folded = unicodedata.normalize("NFKD", text.replace("ł", "l").replace("Ł", "L"))
    plain = folded.encode("ascii", "ignore").decode("ascii").lower()
    words = _NO_LETTERS.sub("-", plain).strip("-")
    if len(words) <= length:
        return words
    cut = words[: length + 1].rsplit("-", 1)[0]
    return cut[:length].strip("-")


def digest(text: str, length: int = 6) -> str:
    """The first letters of the SHA-256 in lower-case base32."""
    raw = hashlib.sha256(text.encode("utf-8", "replace")).digest()
    # Ten bytes give sixteen letters, more than any caller needs.
    return base64.b32encode(raw[:10]).decode("ascii").lower()[:length]


def first_words(text: str, length: int = 90) -> str:
    """The first sentence or clause of a text, for a title."""
    flat = _EMPHASIS.sub("", " ".join(text.split()))
    end = _SENTENCE_END.search(flat)
    sentence = (flat[: end.start()] if end else flat).rstrip(".。;； ")
    if len(sentence) <= length:
        return sentence
    return sentence[:length].rsplit(" ", 1)[0].rstrip(",;: ") + "…"


def resources_of(text: str) -> tuple[str, ...]:
    """Exact names in a text, in order: `backticked` terms, routes and file paths."""
    named: dict[str, None] = {}
    for begin, end in code_spans(text) if "`" in text else ():
        term = text[begin:end].strip("`").strip()
        if 1 < len(term) <= 120 and "\n" not in term:
            named.setdefault(term)
    routes = _ROUTE.finditer(text) if "/" in text else ()
    files = _FILE.finditer(text) if _SUFFIX.search(text) else ()
    for found in (*routes, *files):
        named.setdefault(found.group(1))
    return tuple(named)[:_RESOURCES_MAX]


def _plain_title(draft: Draft) -> str:
    """Without brackets that ask or answer; a name by which a format finds a requirement is kept."""
    if draft.identity is not None or "[" not in draft.title:
        return draft.title
    return _CLARIFICATION.sub("", draft.title).strip() or draft.title


def _minted(draft: Draft) -> str:
    identity = (
        draft.identity or f"{normal(draft.title)}\n{normal(first_words(draft.statement, 200))}"
    )
    words = slug(draft.title)
    return f"{words}-{digest(identity)}" if words else digest(identity, 10)


def _requirement(
    identifier: RequirementId, source: Source, draft: Draft, is_done: bool
) -> Requirement:
    text = "\n".join([draft.title, draft.statement, *(s.text for s in draft.scenarios)])
    return Requirement(
        id=identifier,
        source_id=draft.source_id,
        title=_plain_title(draft),
        statement=draft.statement,
        scenarios=draft.scenarios,
        domain=draft.domain,
        modality=modality(f"{draft.statement}\n{draft.title}"),
        priority=draft.priority,
        operation=draft.operation,
        renamed_from=draft.renamed_from,
        references=draft.references,
        resources=resources_of(text),
        path=source.path,
        line_start=draft.line_start,
        line_end=draft.line_end,
        text_hash=text_hash(draft.statement, draft.scenarios),
        is_done=is_done,
    )


def _duplicate(source: Source, draft: Draft) -> Finding:
    name = draft.source_id or draft.title
    return Finding(
        code="duplicate_id",
        severity=Severity.ASK,
        line=draft.line_start,
        quote=name[:200],
        question=f"'{name}' is defined twice in this spec. Is the second one another requirement?",
        path=source.path,
    )


def _same_title(source: Source, draft: Draft) -> Finding:
    return Finding(
        code="duplicate_title",
        severity=Severity.ASK,
        line=draft.line_start,
        quote=draft.title[:200],
        question="Two requirements have this title. Which of them is meant?",
        path=source.path,
    )
