"""Two specs whose paths give the same key: the first planned one keeps it, the other is refused."""

import pytest

from bot.core.journal import events as ev
from bot.core.plan.readiness import same_key
from bot.core.spec.proposal import ProposedSpec, PullSnapshot
from bot.core.spec.read import read_spec
from bot.core.values.ids import PullNumber
from bot.core.values.spec_model import Spec
from tests.core.kit import World
from tests.core.test_stories_of_rival_pulls import said_at
from tests.core.values import sha

FIRST, SECOND = "specs/a.b.md", "specs/a/b.md"
PULL = PullNumber(31)
SAYS = f"This spec would get the name `specs.a.b`, which `{FIRST}` already has"


def text(path: str, area: str = "TILL", status: str = "") -> Spec:
    head = f"---\nstatus: {status}\n---\n" if status else ""
    body = f"### REQ-{area}-01: Sum up\nThe {area.lower()} MUST sum up the prices.\n"
    return read_spec(path, {path: f"{head}# Shop\n\n## Requirements\n\n{body}".encode()})


def push(world: World, path: str, area: str = "TILL", version: str = "v1") -> None:
    world.push_spec(text(path, area), version, path)
    world.settle()


def opened(world: World) -> list[str]:
    return [e.path for e in world.wrote("SpecRunOpened") if isinstance(e, ev.SpecRunOpened)]


def refused(world: World) -> list[tuple[str, str]]:
    found = (e for e in world.wrote("SpecRefused") if isinstance(e, ev.SpecRefused))
    return [(e.path, e.findings[0].question) for e in found]


@pytest.mark.parametrize("area", ["TILL", "DOOR"])
def test_the_newer_spec_with_the_same_key_is_refused_with_the_fix(area: str) -> None:
    world = World()
    push(world, FIRST)
    push(world, SECOND, area)
    assert opened(world) == [FIRST]
    ((path, sentence),) = refused(world)
    assert path == SECOND
    assert sentence.startswith(SAYS)
    assert "Rename" in sentence


def test_one_of_two_specs_with_the_same_key_is_planned() -> None:
    world = World()
    world.push_spec(text(SECOND), "v1", SECOND)
    push(world, FIRST)
    assert opened(world) == [FIRST]
    assert [path for path, _ in refused(world)] == [SECOND]


def test_the_older_spec_with_the_key_continues() -> None:
    world = World()
    push(world, FIRST)
    push(world, SECOND)
    push(world, FIRST, "DOOR", "v2")
    assert [path for path, _ in refused(world)] == [SECOND]
    assert len(world.state.register_now.live("specs.a.b")) == 1


def test_the_first_of_two_old_specs_keeps_a_shared_key() -> None:
    named = {FIRST: "specs.a.b", SECOND: "specs.a.b"}
    assert same_key(FIRST, named, named) == ()
    assert len(same_key(SECOND, named, named)) == 1


def test_a_spec_that_takes_the_place_of_another_keeps_its_name() -> None:
    world = World()
    push(world, FIRST)
    del world.specs[FIRST]
    push(world, SECOND)
    assert opened(world) == [FIRST, SECOND]
    assert refused(world) == []


def propose(world: World, *paths: str, gone: tuple[str, ...] = ()) -> str:
    made = [
        *((path, text(path), None) for path in gone),
        *((path, None, text(path)) for path in paths),
    ]
    specs = tuple(
        ProposedSpec(path=path, is_work=True, before=before, head=head, merged=head)
        for path, before, head in sorted(made, key=lambda one: one[0])
    )
    world.snapshots[PULL] = PullSnapshot(number=PULL, head=sha("head"), specs=specs)
    world.settle()
    return said_at(world, PULL)


def test_a_pull_reports_a_duplicate_key_before_the_merge() -> None:
    world = World()
    push(world, FIRST)
    assert SAYS in propose(world, SECOND)


def test_a_pull_with_both_specs_reports_the_duplicate_key() -> None:
    assert SAYS in propose(World(), FIRST, SECOND)


def test_a_pull_that_renames_the_older_spec_reports_no_duplicate() -> None:
    world = World()
    push(world, FIRST)
    assert SAYS not in propose(world, SECOND, gone=(FIRST,))
