"""The register: requirement ids are created once, kept through edits, and never reused.

Authors renumber, rename and move requirements, while tests, issues and plans refer to ids. So each
edit's requirements are matched one to one with the earlier entries, in rounds from certain to
likely, and a removed requirement leaves a tombstone. The file is sorted JSON lines, so that two
edits merge cleanly.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from enum import StrEnum

from pydantic import ValidationError

from bot.core.spec.drafts import normal
from bot.core.values.ids import Frozen, RequirementId
from bot.core.values.spec_model import Requirement, Spec, SpecDocument

# Measured on edits of real specs: renames keep 0.7 of their text; below 0.5 nothing was one.
_LIKE = 0.70
_MAYBE = 0.50
_MARGIN = 0.10
_MOVED = 0.80
# Texts that share fewer pairs of letters are never half alike; this spares the slow comparison.
_SHARED = 0.3
# More text than this does not change a decision, and comparing grows with its square.
_COMPARED_LETTERS = 600
# Each of a thousand old requirements is not compared with each of a thousand new ones: after so many
# letters by letters the rest counts as new, and a person can say which was which.
_LETTERS_BY_LETTERS_MAX = 30_000_000
_PAIRS_MAX = 100_000

# One file a spec, so that an edit rewrites no more than its own. Protected as the policy is: no
# agent writes it.
REGISTER_FOLDER = ".headgate/register"
# All specs in one file, as it was first; read, and emptied as its specs land again.
REGISTER_FILE = ".headgate/register.jsonl"


class EntryState(StrEnum):
    LIVE = "live"
    REMOVED = "removed"


class Entry(Frozen):
    """One requirement. `text` is compared to measure similarity.

    `was` is the text of which little is left under the same number, until people say that it is
    still the same requirement.
    """

    rid: RequirementId
    spec: str
    source_id: str | None = None
    title: str
    text: str
    text_hash: str
    state: EntryState = EntryState.LIVE
    first_seen: str
    last_seen: str
    aliases: tuple[str, ...] = ()
    was: str = ""


class Doubt(Frozen):
    """A new requirement that may be an old one; a person can confirm this."""

    rid: RequirementId
    maybe: RequirementId
    likeness: float


class Register(Frozen):
    entries: tuple[Entry, ...] = ()

    def live(self, spec_key: str) -> tuple[Entry, ...]:
        return tuple(e for e in self.entries if e.spec == spec_key and e.state is EntryState.LIVE)


@dataclass(frozen=True, slots=True)
class Registration:
    """The register after an edit, the spec with its kept ids, and the uncertain matches."""

    register: Register
    spec: Spec
    doubts: tuple[Doubt, ...] = ()
    minted: tuple[RequirementId, ...] = ()
    removed: tuple[RequirementId, ...] = ()


@dataclass(slots=True)
class _Match:
    """Unmatched old entries and new requirements, and the matches so far."""

    old: list[Entry]
    new: list[Requirement]
    pairs: dict[int, Entry] = field(default_factory=dict)
    likenesses: dict[tuple[int, int], float] = field(default_factory=dict)
    new_texts: list[str] = field(default_factory=list)
    pairs_of_letters: dict[str, frozenset[str]] = field(default_factory=dict)
    spent: int = 0
    apart: frozenset[RequirementId] = frozenset()

    @property
    def is_spent(self) -> bool:
        """Whether no more texts are compared."""
        return self.spent >= _LETTERS_BY_LETTERS_MAX or len(self.likenesses) >= _PAIRS_MAX

    def free_old(self) -> list[int]:
        taken = {e.rid for e in self.pairs.values()}
        return [n for n, e in enumerate(self.old) if e.rid not in taken]

    def free_new(self) -> list[int]:
        return [n for n in range(len(self.new)) if n not in self.pairs]

    def likeness(self, old: int, new: int) -> float:
        """Similarity of two texts, 0 to 1; computes cheap upper bounds first."""
        found = self.likenesses.get((old, new))
        if found is None:
            if self.is_spent:
                return 0.0
            first, second = self.old[old].text, self.new_texts[new]
            shared = self._letters(first) & self._letters(second)
            most = max(len(self._letters(first)), len(self._letters(second)), 1)
            found = 0.0
            if len(shared) >= _SHARED * most:
                self.spent += len(first) * len(second)
                found = likeness(first, second)
            self.likenesses[(old, new)] = found
        return found

    def _letters(self, text: str) -> frozenset[str]:
        """Pairs of letters: they work for any script."""
        found = self.pairs_of_letters.get(text)
        if found is None:
            found = frozenset(text[n : n + 2] for n in range(len(text) - 1))
            self.pairs_of_letters[text] = found
        return found


def registered(
    register: Register,
    spec: Spec,
    commit: str,
    moved_from: str | None = None,
    apart: Collection[RequirementId] = (),
) -> Registration:
    """The spec with the ids that its requirements had, or got now.

    `commit` names what is read (any text); `moved_from` is the key that the spec had before a file
    was moved, whose ids are then kept. `apart` are ids whose number people gave to another
    requirement. Registering the same spec again changes nothing but
    `last_seen`.
    """
    keys = {spec.key, moved_from} if moved_from else {spec.key}
    requirements = list(spec.requirements)
    match = _Match([e for e in register.entries if e.spec in keys], requirements)
    match.apart = frozenset(apart)
    match.new_texts = [_text(r) for r in requirements]
    _match_in_rounds(match)
    used = _Used({e.rid for e in register.entries})
    ids: list[RequirementId] = []
    minted: list[RequirementId] = []
    for n, requirement in enumerate(requirements):
        entry = match.pairs.get(n)
        rid = entry.rid if entry else used.free(requirement.id)
        used.ids.add(rid)
        ids.append(rid)
        if entry is None:
            minted.append(rid)
    entries = _entries(register, match, ids, spec.key, commit)
    removed = tuple(
        match.old[n].rid for n in match.free_old() if match.old[n].state is EntryState.LIVE
    )
    return Registration(
        register=Register(entries=entries),
        spec=_renamed(spec, ids),
        doubts=_doubts(match, ids),
        minted=tuple(minted),
        removed=removed,
    )


def renamed_in_archive(register: Register, spec_key: str, old: str, new: str) -> Register:
    """An OpenSpec rename moves the entry by its name; no similarity is used."""
    entries = tuple(
        e.replace(title=new, aliases=(*e.aliases, old))
        if e.spec == spec_key and normal(e.title) == normal(old) and e.state is EntryState.LIVE
        else e
        for e in register.entries
    )
    return Register(entries=entries)


def dump(register: Register) -> str:
    """JSON lines, sorted by id, each with a line end."""
    lines = (
        json.dumps(
            e.model_dump(mode="json", exclude=None if e.was else {"was"}),
            ensure_ascii=False,
            sort_keys=True,
        )
        for e in sorted(register.entries, key=lambda e: e.rid)
    )
    return "".join(f"{line}\n" for line in lines)


def load(text: str) -> tuple[Register, tuple[int, ...]]:
    """The register, and the numbers of invalid lines (a merge conflict, an edit).

    Of two lines with the same id the live one counts, else the later one.
    """
    found: dict[str, Entry] = {}
    unread = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            entry = Entry.model_validate_json(line)
        except ValidationError:
            unread.append(number)
            continue
        before = found.get(entry.rid)
        if before is None or entry.state is EntryState.LIVE or before.state is EntryState.REMOVED:
            found[entry.rid] = entry
    entries = tuple(sorted(found.values(), key=lambda e: e.rid))
    return Register(entries=entries), tuple(unread)


def updated(register: Register, entries: Iterable[Entry]) -> Register:
    found = {e.rid: e for e in register.entries} | {e.rid: e for e in entries}
    return Register(entries=tuple(found[rid] for rid in sorted(found)))


def of_spec(register: Register, spec_key: str) -> tuple[Entry, ...]:
    """All entries of a spec, those of removed requirements included."""
    return tuple(e for e in register.entries if e.spec == spec_key)


def register_path(spec_key: str) -> str:
    return f"{REGISTER_FOLDER}/{spec_key}.jsonl"


def is_register(path: str) -> bool:
    return path == REGISTER_FILE or path.startswith(f"{REGISTER_FOLDER}/")


def filed(files: Mapping[str, str], entries: Iterable[Entry]) -> dict[str, str | None]:
    """The files that change so that they hold these entries; None: the file goes.

    Each entry stands in its spec's file alone. Lines that are no entries are left out of a file
    that is written.
    """
    wanted: dict[str, list[Entry]] = {}
    for entry in entries:
        wanted.setdefault(register_path(entry.spec), []).append(entry)
    rids = {e.rid for own in wanted.values() for e in own}
    after: dict[str, str | None] = {}
    for path in {*files, *wanted}:
        before = load(files.get(path, ""))[0]
        others = [e for e in before.entries if e.rid not in rids]
        if path in wanted or len(others) < len(before.entries):
            after[path] = dump(updated(Register(), [*others, *wanted.get(path, ())])) or None
    return {path: text for path, text in after.items() if text != files.get(path)}


def digest_of_entries(entries: Iterable[Entry]) -> str:
    """Distinguishes sets of entries; empty for an empty set."""
    text = dump(Register(entries=tuple(entries)))
    return hashlib.sha256(text.encode()).hexdigest()[:12] if text else ""


def with_ids(spec: Spec, ids: Mapping[RequirementId, RequirementId]) -> Spec:
    """`ids` maps the ids derived from the text to registered ones."""
    if not ids:
        return spec
    return _renamed(spec, (ids.get(r.id, r.id) for r in spec.requirements))


def likeness(first: str, second: str) -> float:
    """Similarity of two normalised texts, 0 to 1."""
    if first == second:
        return 1.0
    matcher = SequenceMatcher(None, first, second, autojunk=False)
    if matcher.real_quick_ratio() < _MAYBE or matcher.quick_ratio() < _MAYBE:
        return 0.0
    return matcher.ratio()


def _match_in_rounds(match: _Match) -> None:
    _claim_same_ids(match, lambda old, new: match.old[old].text_hash == match.new[new].text_hash)
    _claim_equal(match, lambda e: e.text_hash, lambda n: match.new[n].text_hash)
    _claim_same_ids(match, lambda old, new: _is_still_itself(match, old, new))
    _claim_equal(match, lambda e: normal(e.title), lambda n: normal(match.new[n].title))
    _claim_restored(match)
    _claim_alike(match)


def _claim_same_ids(match: _Match, agrees: Callable[[int, int], bool]) -> None:
    by_id = {match.new[n].source_id: n for n in reversed(match.free_new())}
    by_rid = {match.new[n].id: n for n in reversed(match.free_new())}
    for old in match.free_old():
        entry = match.old[old]
        new = by_id.get(entry.source_id) if entry.source_id else by_rid.get(entry.rid)
        is_free = new is not None and new not in match.pairs
        if new is not None and is_free and entry.state is EntryState.LIVE and agrees(old, new):
            match.pairs[new] = entry


def _is_still_itself(match: _Match, old: int, new: int) -> bool:
    """An author's id counts if its text is similar, or if the old text is nowhere else.

    The second condition tells a rewritten requirement from a renumbered one.
    """
    if match.old[old].rid in match.apart:
        return False
    if match.is_spent:
        return True
    here = match.likeness(old, new)
    elsewhere = max((match.likeness(old, n) for n in match.free_new() if n != new), default=0.0)
    return (here >= _MAYBE and here >= elsewhere) or elsewhere < _MOVED


def _claim_equal(
    match: _Match, key_of_old: Callable[[Entry], str], key_of_new: Callable[[int], str]
) -> None:
    """Match pairs with an equal key that is unique on both sides."""
    olds: dict[str, list[int]] = {}
    news: dict[str, list[int]] = {}
    for n in match.free_old():
        if match.old[n].state is EntryState.LIVE:
            olds.setdefault(key_of_old(match.old[n]), []).append(n)
    for n in match.free_new():
        news.setdefault(key_of_new(n), []).append(n)
    for key, old in olds.items():
        if key and len(old) == 1 and len(news.get(key, ())) == 1:
            match.pairs[news[key][0]] = match.old[old[0]]


def _claim_restored(match: _Match) -> None:
    """A requirement that comes back word for word gets its id back."""
    removed: dict[tuple[str, str], list[int]] = {}
    for old in match.free_old():
        entry = match.old[old]
        if entry.state is EntryState.REMOVED:
            removed.setdefault((entry.text_hash, normal(entry.title)), []).append(old)
    for new in match.free_new() if removed else ():
        requirement = match.new[new]
        old_ones = removed.get((requirement.text_hash, normal(requirement.title)), [])
        own = [o for o in old_ones if match.old[o].source_id == requirement.source_id] or old_ones
        if len(own) == 1:
            match.pairs[new] = match.old[own[0]]
            old_ones.remove(own[0])


def _claim_alike(match: _Match) -> None:
    """Match the most similar pairs first, if each is clearly better than the next on both sides."""
    olds = [n for n in match.free_old() if match.old[n].state is EntryState.LIVE]
    news = match.free_new()
    if match.is_spent or len(olds) * len(news) > _PAIRS_MAX:
        return
    free_old, free_new = set(olds), set(news)
    scored = sorted(
        ((match.likeness(o, n), o, n) for o in olds for n in news),
        key=lambda s: (-s[0], s[1], s[2]),
    )
    for score, old, new in scored:
        if score < _LIKE:
            break
        if old not in free_old or new not in free_new:
            continue
        rivals = [match.likeness(o, new) for o in olds if o != old and o in free_old]
        rivals += [match.likeness(old, n) for n in news if n != new and n in free_new]
        if score - max(rivals, default=0.0) >= _MARGIN:
            match.pairs[new] = match.old[old]
            free_old.remove(old)
            free_new.remove(new)


def _doubts(match: _Match, ids: Sequence[RequirementId]) -> tuple[Doubt, ...]:
    doubts = []
    live = [n for n in match.free_old() if match.old[n].state is EntryState.LIVE]
    free_new = match.free_new()
    if match.is_spent or len(live) * len(free_new) > _PAIRS_MAX:
        return ()
    for new in free_new:
        best = max(((match.likeness(o, new), -o) for o in live), default=(0.0, 0))
        if best[0] >= _MAYBE:
            doubts.append(
                Doubt(rid=ids[new], maybe=match.old[-best[1]].rid, likeness=round(best[0], 2))
            )
    return tuple(doubts)


def _entries(
    register: Register, match: _Match, ids: Sequence[RequirementId], key: str, commit: str
) -> tuple[Entry, ...]:
    found = {e.rid: e for e in register.entries}
    for n in match.free_old():
        entry = match.old[n]
        found[entry.rid] = entry.replace(state=EntryState.REMOVED)
    for n, requirement in enumerate(match.new):
        before = match.pairs.get(n)
        found[ids[n]] = Entry(
            rid=ids[n],
            spec=key,
            source_id=requirement.source_id,
            title=requirement.title,
            text=match.new_texts[n],
            text_hash=requirement.text_hash,
            first_seen=before.first_seen if before else commit,
            last_seen=commit,
            aliases=_aliases(before, requirement, ids[n]),
            was=_was(match, n),
        )
    return tuple(sorted(found.values(), key=lambda e: e.rid))


def _was(match: _Match, new: int) -> str:
    """The text of before, if only the author's number says that it is the same requirement."""
    entry, requirement = match.pairs.get(new), match.new[new]
    if entry is None or entry.text_hash == requirement.text_hash:
        return entry.was if entry else ""
    first = entry.was or entry.text
    is_named = entry.source_id is not None and entry.source_id == requirement.source_id
    title = normal(requirement.title)
    is_excerpt = normal(requirement.statement).startswith(title.rstrip("…."))
    same_title = title == normal(entry.title) and not is_excerpt
    if not is_named or same_title or match.is_spent:
        return ""
    return first if likeness(first, match.new_texts[new]) < _MAYBE else ""


def _aliases(before: Entry | None, requirement: Requirement, rid: str) -> tuple[str, ...]:
    """Other ids under which tests and issues may know it: those that it would get today."""
    known = before.aliases if before else ()
    if requirement.id == rid or requirement.id in known:
        return known
    return (*known, requirement.id)


@dataclass(slots=True)
class _Used:
    """The ids of all requirements, live or removed; `last` is the last number tried of each stem."""

    ids: set[RequirementId]
    last: Counter[str] = field(default_factory=Counter)

    def free(self, wanted: RequirementId) -> RequirementId:
        """The wanted id, or the next one that no requirement has."""
        rid = wanted
        stem = wanted.rsplit("~", 1)[0] if "~" in wanted else wanted
        count = self.last[stem] or 1
        while rid in self.ids:
            count += 1
            rid = RequirementId(f"{stem}~{count}")
        if rid != wanted:
            self.last[stem] = count
        return rid


def _renamed(spec: Spec, ids: Iterable[RequirementId]) -> Spec:
    left = iter(ids)
    documents: list[SpecDocument] = []
    for document in spec.documents:
        requirements = tuple(r.replace(id=next(left)) for r in document.requirements)
        documents.append(document.with_requirements(requirements))
    return spec.with_documents(documents)


def _text(requirement: Requirement) -> str:
    title, statement = normal(requirement.title), normal(requirement.statement)
    is_excerpt = statement.startswith(title.rstrip("….")) or not title
    return (statement if is_excerpt else f"{title} {statement}")[:_COMPARED_LETTERS]
