"""Which requirement depends on which, as the spec states it, with the quoted words.

"depends on" in prose is mostly no dependency, so an edge needs a target directly after the words:
an id or a range of ids of this spec, or the exact title of a requirement. The words may name the
dependent ("FR-010 to FR-017 depend on FR-001"); otherwise it is the requirement that contains the
line.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from bot.core.spec.drafts import Draft
from bot.core.spec.line_owners import first_owners
from bot.core.spec.reading import Source
from bot.core.spec.triage.prefiltered import PrefilteredPattern
from bot.core.values.spec_model import Finding, Reference, Severity

_WAITS = re.compile(
    r"(?:(?<![^\W_])(?:depends? on|dependent on|depending on|requires?|after|blocked by|blocked on|builds? on|built on|"
    r"waits? for|needs|follows|prerequisites?|dependenc(?:y|ies)|depends|"
    r"dépend(?:ent)? de|depende[n]? de|zale[żz]y od|zależą od|hängt ab von|setzt voraus|requiere|richiede|dipende da)\b|"
    r"зависит от|требует|前提|依赖于?|依存|의존)",
    re.IGNORECASE,
)
# fmt: off
_TRIGGER = PrefilteredPattern(
    _WAITS,
    "depend", "requi", "after", "block", "build", "built", "wait", "needs", "follows",
    "dépend", "zale", "hängt", "setzt", "richiede", "dipende", "завис", "требу", "前提", "依", "의존",
)
# fmt: on
_FILLER = re.compile(
    r"(?:[\s*_`\"'“”«»(\[:：]|\b(?:the|requirements?|reqs?\.?|story|stories|spec|both|on|of|completion|"
    r"exigences?|requisitos?)(?=\s)|需求|요구사항)*",
    re.IGNORECASE,
)
_ID = re.compile(
    r"[A-Z][A-Z0-9]{0,15}(?:-[A-Z0-9]{1,16}){0,4}?-?\d{1,5}(?:[.-]\d{1,4}){0,3}[a-z]?(?![^\W_])|\d{1,3}(?:\.\d{1,3})?(?![^\W_])"
)
# Nothing is tried twice: an id of many parts could be divided in as many ways as a number has bits.
_ONLY_IDS = re.compile(
    rf"(?:(?>{_ID.pattern})|[\s*_`,&/–—-]|and|through|to|or|all|\([^)]*\)|\.{{2,3}})*+",
    re.IGNORECASE,
)
_RANGE = re.compile(
    r"[*_`\s]*(?:through|thru|to|until|–|—|-|\.{2,3}|…|à|hasta|bis|至|到|~)[*_`\s]*", re.IGNORECASE
)
_AND = re.compile(
    r"[*_`\"'”\])\s]*(?:[,/&;、，+]|\b(?:and|und|et|y|e|и|as well as)\b|和)[*_`\"'“(\[\s]*(?:\b(?:and|requirements?)\b\s*)?",
    re.IGNORECASE,
)
_TAIL_NUMBER = re.compile(r"(?<!\d)(\d++)([a-z]?)$")
_ARROW = re.compile(r"(?<!\s)\s*+(?:→|->|=>|⇒)\s*")
_SPAN_MAX = 500
# Eight words may say that five hundred requirements depend on five hundred others.
_REFERENCES_MAX = 20_000
_TITLE_MAX = 160


@dataclass(slots=True)
class Known:
    """Ids and titles of a whole spec; a title counts if it has two words or is in quotes.

    Titles are kept by first word and length, so that a look-up never compares with all of them.
    """

    ids: set[str] = field(default_factory=set)
    titles: dict[str, dict[int, set[str]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(set))
    )

    def add(self, drafts: Iterable[Draft]) -> None:
        for draft in drafts:
            if draft.source_id:
                self.ids.add(draft.source_id)
            first = draft.title.split(" ", 1)[0]
            if first and len(draft.title) <= _TITLE_MAX:
                self.titles[first][len(draft.title)].add(draft.title)


def linked(
    source: Source, drafts: tuple[Draft, ...], known: Known
) -> tuple[tuple[Draft, ...], tuple[Finding, ...]]:
    """The drafts with the references that the file states, and a finding where it states too many."""
    if not drafts:
        return drafts, ()
    owner_of = _owners(drafts)
    by_id = {d.source_id: n for n, d in enumerate(drafts) if d.source_id}
    found: dict[int, dict[str, Reference]] = defaultdict(dict)
    left = _REFERENCES_MAX
    findings: tuple[Finding, ...] = ()
    for line, text in enumerate(source.visible, 1):
        if not text.strip():
            continue
        if left < 0:
            findings = (_too_many(source, line),)
            break
        quote = text.strip()[:200]
        for waiting, target in _stated(text, known):
            left -= max(len(waiting), 1)
            if left < 0:
                break
            waiters = [by_id[w] for w in waiting if w in by_id] or owner_of.get(line, [])
            for waiter in waiters:
                if target not in (drafts[waiter].source_id, drafts[waiter].title):
                    reference = Reference(target=target, line=line, quote=quote)
                    found[waiter].setdefault(target, reference)
    linked_drafts = tuple(
        replace(draft, references=tuple(found[n].values())) if n in found else draft
        for n, draft in enumerate(drafts)
    )
    return linked_drafts, findings


def _too_many(source: Source, line: int) -> Finding:
    question = (
        f"The text states more than {_REFERENCES_MAX:,} dependencies; those from here on are "
        "not followed. Which ones are needed?"
    )
    return source.finding("too_many_references", Severity.ASK, line, question)


def _owners(drafts: Sequence[Draft]) -> dict[int, list[int]]:
    """For each line its draft; of several the last one."""
    last = len(drafts) - 1
    owners = first_owners((d.line_start, d.line_end) for d in reversed(drafts))
    return {line: [last - position] for line, position in owners.items()}


def _stated(text: str, known: Known) -> list[tuple[list[str], str]]:
    """Pairs of dependent ("" if not named) and target, in one line."""
    pairs: list[tuple[list[str], str]] = []
    for trigger in _TRIGGER.finditer(text):
        targets = targets_at(text, trigger.end(), known)
        if targets:
            waiting = _before(text, trigger.start(), known)
            pairs += [(waiting, target) for target in targets]
    if "→" in text or "->" in text:
        pairs += _arrows(text, known)
    return pairs


def targets_at(text: str, position: int, known: Known) -> list[str]:
    """The ids or titles that begin at a position, with ranges expanded."""
    found: list[str] = []
    while len(found) < _SPAN_MAX:
        filler = _FILLER.match(text, position)
        begin = filler.end() if filler else position
        ids, end = _ids_at(text, begin, known)
        if not ids:
            title, end = _title_at(text, begin, known)
            ids = [title] if title else []
        if not ids:
            break
        found += [i for i in ids if i not in found]
        following = _AND.match(text, end)
        if not following:
            break
        position = following.end()
    return found


def _ids_at(text: str, position: int, known: Known) -> tuple[list[str], int]:
    first = _ID.match(text, position)
    if not first:
        return [], position
    identifier, end = first.group(), first.end()
    if identifier not in known.ids:
        shorter = identifier.rsplit(".", 1)[0]
        is_criterion = "." in identifier and shorter in known.ids and shorter.isdigit()
        if not is_criterion:
            return [], position
        identifier = shorter
    if identifier.isdigit() and not re.search(
        r"(?i)(?:requirements?|reqs?\.?|需求|_Depends:)[\d.,\s]*$",
        text[max(0, position - 40) : position],
    ):
        return [], position
    connector = _RANGE.match(text, end)
    last = _ID.match(text, connector.end()) if connector and connector.group().strip() else None
    if last:
        spelled = _range(identifier, last.group(), known)
        if spelled:
            return spelled, last.end()
    return [identifier], end


def _range(first: str, last: str, known: Known) -> list[str]:
    """The known ids from first to last, which may be only a number (`FR-001..09`)."""
    low, high = _TAIL_NUMBER.search(first), _TAIL_NUMBER.search(last)
    if not low or not high:
        return []
    prefix = first[: low.start()]
    if not last.isdigit() and last[: high.start()] != prefix:
        return []
    start, stop = int(low.group(1)), int(high.group(1))
    width = len(low.group(1))
    if not start <= stop <= start + _SPAN_MAX:
        return []
    names = (f"{prefix}{n:0{width}d}" for n in range(start, stop + 1))
    return [name for name in names if name in known.ids]


def _title_at(text: str, position: int, known: Known) -> tuple[str | None, int]:
    word = re.match(r"[^\s]+", text[position : position + _TITLE_MAX])
    if not word:
        return None, position
    quoted = position > 0 and text[position - 1] in "`\"'“«"
    best: str | None = None
    for first in {word.group(), word.group().rstrip("`\"'”».,;:")}:
        for length, titles in known.titles.get(first, {}).items():
            end = position + length
            title = text[position:end]
            whole = title in titles and not text[end : end + 1].isalnum()
            if whole and (quoted or " " in title) and length > len(best or ""):
                best = title
    return best, position + len(best or "")


def _before(text: str, position: int, known: Known) -> list[str]:
    """The ids directly before a trigger: the dependents."""
    head = text[max(0, position - 120) : position]
    for start in _ID.finditer(head):
        ids = targets_at(head, start.start(), known) if start.group() in known.ids else []
        rest = head[start.end() :]
        if ids and _ONLY_IDS.fullmatch(rest):
            return ids
    return []


def _arrows(text: str, known: Known) -> list[tuple[list[str], str]]:
    """`A → B → C`: each depends on the one before it."""
    pairs: list[tuple[list[str], str]] = []
    for arrow in _ARROW.finditer(text):
        head = text[max(0, arrow.start() - 60) : arrow.start()].rstrip("*_`) ")
        before = [m for m in _ID.finditer(head) if m.end() == len(head) and m.group() in known.ids]
        after = targets_at(text, arrow.end(), known)
        if before and after and not before[0].group().isdigit():
            pairs.append(([after[0]], before[0].group()))
    return pairs
