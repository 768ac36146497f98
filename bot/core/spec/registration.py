"""Ids for the requirements of a spec that is about to be planned: kept, minted, or read back.

The rule: ids are in the journal before anything uses them. A spec that cannot be planned registers
nothing, so that a half-written file buries no requirement; a spec whose file was moved in the same
push keeps its ids. Deliberately absent: the matching (`register`), and the file in the tree.
"""

from bot.core.draft import Draft
from bot.core.ids import Frozen, RequirementId
from bot.core.journal.events import RequirementsRegistered
from bot.core.observed import MainSight, SpecReading
from bot.core.spec.model import Spec
from bot.core.spec.register import (
    REGISTER_PATH,
    Entry,
    Register,
    Registration,
    load,
    of_spec,
    registered,
)
from bot.core.spec.roots import key_of

# A spec that was moved and edited at once still has this share of its old texts.
_MOVED_SHARE = 0.5


class KnownSpec(Frozen):
    """A spec with registered ids; `ids` maps those of the text alone to them, where they differ."""

    spec: Spec
    ids: dict[RequirementId, RequirementId]


def read_back(draft: Draft) -> None:
    """A Headgate whose journal knows no id (else nobody looks) takes those that stand on main."""
    text = draft.observed.register_text
    sight = draft.observed.main
    if not text or sight is None:
        return
    found, _ = load(text)
    if found.entries:
        draft.emit(
            RequirementsRegistered(commit=sight.sha, entries=found.entries, read_from=REGISTER_PATH)
        )


def vanished(draft: Draft, sight: MainSight) -> tuple[str, ...]:
    """The keys of specs that were on main and are not any more."""
    known = draft.state.spec_versions
    gone = [path for path, version in known.items() if version and path not in sight.specs]
    keys = {run.path: run.key for run in draft.state.spec_runs.values()}
    return tuple(keys.get(path, key_of(path)) for path in gone)


def known_spec(draft: Draft, reading: SpecReading, gone: tuple[str, ...] = ()) -> KnownSpec:
    """The spec with the ids that it would get; nothing is written down."""
    return _known(reading, _registration(draft.state.register_now, reading, gone))


def register_spec(draft: Draft, reading: SpecReading, gone: tuple[str, ...]) -> KnownSpec:
    """The spec with its ids, written down; `gone` are keys that vanished in the same push."""
    before = draft.state.register_now
    registration = _registration(before, reading, gone)
    known = {e.rid: _without_time(e) for e in before.entries}
    changed = tuple(
        e for e in registration.register.entries if known.get(e.rid) != _without_time(e)
    )
    if changed:
        draft.emit(RequirementsRegistered(commit=reading.commit, entries=changed))
    return _known(reading, registration)


def _registration(before: Register, reading: SpecReading, gone: tuple[str, ...]) -> Registration:
    moved_from = _moved_from(before, reading.spec, gone)
    # By the version of the text, not by the commit: equal work gives an equal file.
    return registered(before, reading.spec, reading.version, moved_from)


def _known(reading: SpecReading, registration: Registration) -> KnownSpec:
    pairs = zip(reading.spec.requirements, registration.spec.requirements, strict=True)
    return KnownSpec(
        spec=registration.spec, ids={old.id: new.id for old, new in pairs if old.id != new.id}
    )


def _moved_from(before: Register, spec: Spec, gone: tuple[str, ...]) -> str | None:
    """The key that a spec had before its file was moved; None where it has entries of its own."""
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
    return entry.model_copy(update={"last_seen": ""})
