"""Ids for the requirements of a spec before it is planned: kept, new, or read from main's register.

Ids are in the journal before anything uses them. A spec that cannot be planned registers nothing,
so that a half-written file retires no id. A spec whose file was moved in the same push keeps its
ids.
"""

from collections.abc import Iterable
from dataclasses import replace

from bot.core.decide.decision import Decision
from bot.core.journal.events import RequirementsRegistered
from bot.core.spec.identity.doubtful_ids import Sameness, in_doubt, sameness, with_doubts
from bot.core.spec.identity.id_changes import (
    IdChanges,
    Rematched,
    Rename,
    close_calls,
    follow_renames,
    id_changes,
)
from bot.core.spec.identity.register import (
    REGISTER_FOLDER,
    Entry,
    Register,
    Registration,
    load,
    of_spec,
    registered,
)
from bot.core.spec.proposal import PullSnapshot
from bot.core.spec.roots import key_of
from bot.core.state.observed import MainSnapshot, SpecReading
from bot.core.values.ids import Frozen, RequirementId
from bot.core.values.spec_model import Requirement, Spec

# A spec that was moved and edited in one push must still have this share of its old texts.
_MOVED_SHARE = 0.5


class KnownSpec(Frozen):
    """A spec with registered ids; `ids` maps ids derived from the text to registered ones."""

    spec: Spec
    ids: dict[RequirementId, RequirementId]


def read_back(decision: Decision) -> None:
    """Take the ids from main's register; it is read only while the journal has none."""
    text = decision.observed.register_text
    snapshot = decision.observed.main
    if not text or snapshot is None:
        return
    found, _ = load(text)
    if found.entries:
        decision.emit(
            RequirementsRegistered(
                commit=snapshot.sha, entries=found.entries, read_from=REGISTER_FOLDER
            )
        )


def vanished(decision: Decision, snapshot: MainSnapshot) -> tuple[str, ...]:
    known = decision.state.spec_versions
    gone = [path for path, version in known.items() if version and path not in snapshot.specs]
    return _keys(decision, gone)


def _taken_away(decision: Decision, snapshot: PullSnapshot) -> tuple[str, ...]:
    gone = (one.path for one in snapshot.specs if one.is_work and one.merged is None)
    return _keys(decision, gone)


def _keys(decision: Decision, paths: Iterable[str]) -> tuple[str, ...]:
    keys = decision.state.spec_keys
    return tuple(keys.get(path, key_of(path)) for path in paths)


def known_spec(decision: Decision, reading: SpecReading, gone: tuple[str, ...] = ()) -> KnownSpec:
    """The spec with the ids that it would get; records nothing."""
    registration = _registration(decision, reading.spec, reading.version, gone)[0]
    asked = with_doubts(registration.spec, in_doubt(registration.register, registration.spec))
    return _known(reading.spec, registration).replace(spec=asked)


def proposed_ids(
    decision: Decision, merged: Spec, snapshot: PullSnapshot
) -> tuple[Spec, IdChanges]:
    """The text that a merge would put on main, with its ids, and how the ids would change."""
    gone = _taken_away(decision, snapshot)
    before = decision.state.register_now
    registration, _ = _registration(decision, merged, snapshot.head, gone)
    return registration.spec, id_changes(before, merged, registration)


def doubts_of_pull(
    decision: Decision, head: Spec, merged: Spec, snapshot: PullSnapshot
) -> tuple[tuple[Requirement, Entry], ...]:
    """The numbers that a merge would keep over another text, at the lines of the pull's head."""
    gone = _taken_away(decision, snapshot)
    # Also what was answered, so that the answer stays in sight.
    registration, _ = _matched(decision.state.register_now, merged, snapshot.head, gone, ())
    found = {
        (r.path, r.source_id, r.text_hash): entry
        for r, entry in in_doubt(registration.register, registration.spec)
    }
    keyed = (((r.path, r.source_id, r.text_hash), r) for r in head.requirements)
    return tuple((r, found[key]) for key, r in keyed if key in found)


def register_spec(decision: Decision, reading: SpecReading, gone: tuple[str, ...]) -> KnownSpec:
    """Record and return the spec with its ids; `gone` are keys of specs removed by the push."""
    before = decision.state.register_now
    registration, renamed = _registration(decision, reading.spec, reading.version, gone)
    known = {e.rid: _without_time(e) for e in before.entries}
    changed = tuple(
        e for e in registration.register.entries if known.get(e.rid) != _without_time(e)
    )
    if changed:
        decision.emit(
            RequirementsRegistered(
                commit=reading.commit,
                entries=changed,
                spec=reading.spec.key,
                rematched=Rematched(close=close_calls(before, registration), renamed=renamed),
            )
        )
    return _known(reading.spec, registration)


def _registration(
    decision: Decision, spec: Spec, version: str, gone: tuple[str, ...]
) -> tuple[Registration, tuple[Rename, ...]]:
    """The ids that the spec gets. A number that people gave to another requirement gets a new one."""
    before = decision.state.register_now
    found, renamed = _matched(before, spec, version, gone, ())
    said = {
        requirement.id: sameness(decision.state.decisions, requirement, entry)
        for requirement, entry in in_doubt(found.register, found.spec)
    }
    apart = tuple(id_ for id_, answer in said.items() if answer is Sameness.ANOTHER)
    if apart:
        found, renamed = _matched(before, spec, version, gone, apart)
    same = [id_ for id_, answer in said.items() if answer is Sameness.SAME]
    entries = (e.replace(was="") if e.rid in same else e for e in found.register.entries)
    return replace(found, register=Register(entries=tuple(entries))), renamed


def _matched(
    before: Register,
    spec: Spec,
    version: str,
    gone: tuple[str, ...],
    apart: tuple[RequirementId, ...],
) -> tuple[Registration, tuple[Rename, ...]]:
    moved_from = _moved_from(before, spec, gone)
    known, renamed = follow_renames(before, spec)
    # The version of the text, not the commit: the same text must give the same register file.
    return registered(known, spec, version, moved_from, apart), renamed


def _known(text: Spec, registration: Registration) -> KnownSpec:
    pairs = zip(text.requirements, registration.spec.requirements, strict=True)
    return KnownSpec(
        spec=registration.spec, ids={old.id: new.id for old, new in pairs if old.id != new.id}
    )


def _moved_from(before: Register, spec: Spec, gone: tuple[str, ...]) -> str | None:
    if of_spec(before, spec.key):
        return None
    texts = {r.text_hash for r in spec.requirements}
    shares = {
        key: len(texts & {e.text_hash for e in entries}) / max(len(entries), len(texts))
        for key in gone
        if (entries := before.live(key))
    }
    best = max(shares, key=lambda key: shares[key], default=None)
    return best if best is not None and shares[best] >= _MOVED_SHARE else None


def _without_time(entry: Entry) -> Entry:
    return entry.replace(last_seen="")
