"""Two open pulls whose deltas claim one requirement name each other."""

from bot.core.journal import events as ev
from bot.core.journal.evolve import fold
from bot.core.spec.proposal import ProposedSpec, PullSnapshot
from bot.core.spec.read import read_spec
from bot.core.values.ids import PullNumber
from tests.core.kit import World
from tests.core.test_stories_of_proposed_ids import checks
from tests.core.values import sha

FIRST, SECOND = PullNumber(31), PullNumber(32)


def tell(world: World, number: PullNumber, title: str, till: str = "till") -> None:
    """A pull with a delta that changes a requirement of a main spec."""
    folder = f"openspec/changes/change-{number}"
    text = (
        f"## MODIFIED Requirements\n\n### Requirement: {title}\nThe till SHALL do it by {number}.\n\n"
        "#### Scenario: One\n- **WHEN** one\n- **THEN** two\n"
    )
    head = read_spec(folder, {f"{folder}/specs/{till}/spec.md": text.encode()})
    one = ProposedSpec(path=folder, is_work=True, before=None, head=head, merged=head)
    world.snapshots[number] = PullSnapshot(number=number, head=sha(str(number)), specs=(one,))
    world.settle()


def said_at(world: World, number: PullNumber) -> str:
    own = [c for c in checks(world) if c.external_id.startswith(f"spec-pull:{number}:")]
    return own[-1].text.summary


def test_rival_pulls_name_each_other() -> None:
    world = World()
    tell(world, FIRST, "Sum up")
    assert "Pull 32" not in said_at(world, FIRST)
    tell(world, SECOND, "Sum  `up`")
    assert "Pull 31 claims " in said_at(world, SECOND)
    assert "Pull 32 claims 'Sum up' of till, too" in said_at(world, FIRST)


def test_the_other_pull_is_read_again() -> None:
    world = World()
    tell(world, FIRST, "Sum up")
    known = len(world.journal)
    tell(world, SECOND, "Sum up")
    at = next(
        n for n, e in enumerate(world.journal) if n >= known and isinstance(e, ev.SpecPullDigested)
    )
    assert fold(world.journal[: at + 1]).pull_digests[FIRST].is_stale


def test_pulls_of_other_requirements_are_not_rivals() -> None:
    world = World()
    tell(world, FIRST, "Sum up")
    tell(world, SECOND, "Open the drawer")
    tell(world, PullNumber(33), "Sum up", till="desk")
    assert "too. What is" not in said_at(world, FIRST)


def test_a_closed_or_changed_pull_is_no_longer_a_rival() -> None:
    world = World()
    tell(world, FIRST, "Sum up")
    tell(world, SECOND, "Sum up")
    tell(world, SECOND, "Open the drawer")
    assert "Pull 32" not in said_at(world, FIRST)
    tell(world, SECOND, "Sum up")
    assert "Pull 32" in said_at(world, FIRST)
    world.snapshots[SECOND] = None
    world.settle()
    assert "Pull 32" not in said_at(world, FIRST)
