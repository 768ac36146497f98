"""Ids are in the journal before anything uses them, and land with the next candidate."""

from bot.core.journal import effects as ef, events as ev
from bot.core.journal.events import FailureReason
from bot.core.spec.identity.register import Entry, Register, dump
from bot.core.values.spec_model import Finding, Requirement, Severity, Spec
from tests.core.kit import World, approved, proposed
from tests.core.values import PATH, beside, chain, requirement, spec

STORE = "specs/store.md"


def store(*names: str) -> Spec:
    """The shop's requirements in another file, under the ids that this file gives."""
    return moved(*(requirement(name, f"domain {name}") for name in names))


def moved(*requirements: Requirement) -> Spec:
    placed = tuple(
        r.model_copy(update={"id": r.id.replace("shop#", "store#"), "path": STORE})
        for r in requirements
    )
    of_shop = spec(*placed)
    return of_shop.model_copy(update={"path": STORE, "key": "store"})


def registered(world: World) -> list[str]:
    return [str(e.rid) for e in world.state.register_now.entries]


def test_ids_are_recorded_before_the_plan() -> None:
    world = proposed(chain())
    types = [event.type for event in world.journal]
    assert types.index("RequirementsRegistered") < types.index("PlanMade")
    assert registered(world) == ["shop#A", "shop#B", "shop#C"]


def test_a_spec_that_cannot_be_planned_registers_no_ids() -> None:
    world = proposed(chain())
    blocked = Finding(code="x", severity=Severity.BLOCK, line=1, quote="", question="What?")
    half = spec(requirement("A", "cart"))
    document = half.documents[0].model_copy(update={"findings": (blocked,)})
    world.push_spec(half.model_copy(update={"documents": (document,)}), "v2")
    world.settle()
    assert len(world.wrote("RequirementsRegistered")) == 1


def test_a_file_that_was_moved_keeps_its_ids_and_another_new_file_gets_its_own() -> None:
    world = proposed(chain())
    del world.specs[PATH]
    world.push_spec(store("A", "B", "C"), path=STORE)
    world.settle()
    assert registered(world) == ["shop#A", "shop#B", "shop#C"]
    assert {r for c in world.state.changes_of(world.run.id) for r in c.planned.requirements} == {
        "shop#A",
        "shop#B",
        "shop#C",
    }
    other = proposed(chain())
    del other.specs[PATH]
    other.push_spec(store("A", "X", "Y", "Z"), path=STORE)
    other.settle()
    assert registered(other)[3:] == ["store#A", "store#X", "store#Y", "store#Z"]


def test_a_moved_file_keeps_its_ids_even_if_read_later() -> None:
    world = proposed(chain())
    del world.specs[PATH]
    world.push_spec(store("A", "B", "C"), path=STORE)
    world.left_for_later = {STORE}
    world.settle()
    world.left_for_later = set()
    world.settle()
    assert registered(world) == ["shop#A", "shop#B", "shop#C"]
    assert world.run.path == STORE


def test_a_journal_with_ids_reads_none_from_main() -> None:
    known = entry("shop#OLD")
    fresh = World()
    fresh.register_text = dump(Register(entries=(known,)))
    fresh.push_spec(chain())
    fresh.settle()
    (read, _) = fresh.wrote("RequirementsRegistered")
    assert isinstance(read, ev.RequirementsRegistered)
    assert (read.read_from, read.entries) == (".headgate/register", (known,))
    assert "shop#OLD" in registered(fresh)

    old = proposed(chain())
    old.register_text = fresh.register_text
    old.settle()
    assert "shop#OLD" not in registered(old)


def test_candidates_carry_the_ids_until_one_has_landed() -> None:
    world = approved(chain())
    world.work()
    built = [e for e in world.intended if isinstance(e, ef.BuildCandidate)]
    first, last = built[0], built[-1]
    assert [e.rid for e in first.register_entries] == ["shop#A", "shop#B", "shop#C"]
    assert last.register_entries == ()


def test_a_retry_accepts_only_the_edits_that_were_shown() -> None:
    world = approved(beside(1))
    world.archive_refusals, world.edited_blocks = ["It was edited."], {"till#Sum up": "abc"}
    world.work()
    change = world.change("R0")
    assert change.failure is FailureReason.ARCHIVE_REFUSED
    assert change.accepted_blocks == {}
    world.say(change.issue or 0, "/headgate retry")
    world.settle()
    assert world.change("R0").accepted_blocks == {"till#Sum up": "abc"}


def entry(rid: str) -> Entry:
    return Entry.model_validate(
        {
            "rid": rid,
            "spec": "shop",
            "title": "zzz",
            "text": "qqq qqq qqq",
            "text_hash": "0",
            "first_seen": "c0",
            "last_seen": "c0",
        }
    )
