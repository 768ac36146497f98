"""When a delta folder is moved to the archive: with its last landing, as it was approved."""

from action.order import GateOrder
from bot.core.journal import effects as ef
from bot.core.spec.archive.folding import DeltaConflict, Share, folded
from bot.core.values.lifecycle import ChangeState
from bot.core.values.spec_model import Spec
from tests.core.kit import World
from tests.core.values import GATES, requirement, spec
from tests.testkit.openspec import DOOR_DELTA

FOLDER = "openspec/changes/add-receipts"


def folder(*names: str) -> Spec:
    """A delta folder whose requirements wait for nothing."""
    made = spec(*(requirement(name, f"domain-{name}") for name in names))
    return made.model_copy(update={"path": FOLDER})


def approved_folder(policy_text: str = GATES) -> World:
    world = World(policy_text)
    world.push_spec(folder("A", "B"), "v1", FOLDER)
    world.settle()
    world.pass_time(40)
    world.settle()
    assert world.run.issue is not None
    world.say(world.run.issue, "/headgate approve")
    world.settle()
    world.pass_time(40)
    return world


def finishing(world: World) -> list[bool]:
    """Of each candidate: whether it was to move the folder."""
    built = [e for e in world.intended if isinstance(e, ef.BuildCandidate)]
    return [e.archive is not None and e.archive.finishes for e in built]


def judge_last(world: World) -> None:
    """Both changes are handed in and one has landed; the other's candidate is judged and green."""
    for name in ("A", "B"):
        world.hand_in(world.agent_order_of(name))
    world.work(lambda w: len(w.wrote("Landed")) == 1)
    world.settle()


def test_the_last_landing_moves_the_folder() -> None:
    world = approved_folder()
    world.work()
    assert finishing(world)[-1]
    assert len(world.wrote("Landed")) == 2


def test_a_folder_stays_while_an_edit_of_it_waits_for_approval() -> None:
    world = approved_folder()
    world.push_spec(folder("A", "B", "C"), "v2", FOLDER)
    world.work()
    assert world.run.proposed_edit is not None
    assert len(world.wrote("Landed")) == 2
    assert not any(finishing(world))


def test_a_candidate_that_would_move_the_folder_waits_until_a_push_was_read() -> None:
    world = approved_folder(GATES.replace("quiet_seconds: 0", "quiet_seconds: 30"))
    judge_last(world)
    world.push_spec(folder("A", "B", "C"), "v2", FOLDER)
    world.work(lambda w: not w.open_orders(GateOrder) and w.state.main_seen_at is not None)
    world.settle()
    assert len(world.wrote("Landed")) == 1

    world.pass_time(31)
    world.work()
    assert world.run.proposed_edit is not None
    assert len(world.wrote("Landed")) == 2
    assert not finishing(world)[-1]


def test_an_edit_without_new_requirements_is_archived_in_its_current_form() -> None:
    world = approved_folder(GATES.replace("quiet_seconds: 0", "quiet_seconds: 30"))
    judge_last(world)
    world.push_spec(folder("A", "B"), "v2", FOLDER)
    world.work(lambda w: not w.open_orders(GateOrder) and w.state.main_seen_at is not None)
    world.pass_time(31)
    world.work()
    newest = next(e for e in reversed(world.intended) if isinstance(e, ef.BuildCandidate))
    assert newest.archive is not None
    assert newest.archive.version == world.state.spec_versions[FOLDER]
    assert {c.state for c in world.state.changes.values()} == {ChangeState.LANDED}


def of_landed(world: World) -> list[str]:
    return [
        text for _, text in world.posted if "removed requirements that have already landed" in text
    ]


def test_an_edit_that_only_removes_landed_requirements_is_reported() -> None:
    world = approved_folder()
    world.push_spec(folder("A", "B", "C"), "v2", FOLDER)
    world.work()
    assert not any(finishing(world))
    world.push_spec(folder("A"), "v3", FOLDER)
    world.settle()
    (text,) = of_landed(world)
    assert "landed: `B`" in text
    assert "`A`" not in text
    assert "`headgate spec archive add-receipts`" in text


def test_removed_landed_requirements_are_reported_once_after_the_run() -> None:
    world = approved_folder()
    world.work()
    assert not world.run.is_open
    world.push_spec(folder("A"), "v2", FOLDER)
    world.settle()
    world.push_code("more")
    world.work()
    assert len(of_landed(world)) == 1


def test_a_folder_is_archived_by_landings_while_changes_are_running() -> None:
    world = approved_folder()
    world.hand_in(world.agent_order_of("A"))
    world.work(lambda w: len(w.wrote("Landed")) == 1)
    landed, left = ("A", "B") if world.change("A").state is ChangeState.LANDED else ("B", "A")
    world.push_spec(folder(left), "v2", FOLDER)
    world.work()
    (text,) = of_landed(world)
    assert f"landed: `{landed}`" in text
    assert "headgate spec archive" not in text
    assert finishing(world)[-1]


def test_an_edit_that_removes_no_landed_requirement_is_not_reported() -> None:
    world = approved_folder()
    world.push_spec(folder("A"), "v2", FOLDER)
    world.work()
    assert of_landed(world) == []


def test_a_missing_operation_of_the_folder_is_a_conflict() -> None:
    delta = {"specs/door/spec.md": DOOR_DELTA}
    share = Share(name="add-receipts", owned=("Open the door", "Ring the bell"))
    outcome = folded({}, delta, share)
    assert isinstance(outcome, DeltaConflict)
    assert [r.requirement for r in outcome.reasons] == ["Ring the bell"]
    assert not isinstance(
        folded({}, delta, Share(name="add-receipts", owned=("Open the door",))), DeltaConflict
    )
