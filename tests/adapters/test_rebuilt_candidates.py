"""Candidates are rebuilt from their recipes in a repository with only main and the heads.

Three changes of one delta folder are built on one another. Whichever of them goes, and in whatever
order they land, the others follow from what stands below them.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import permutations
from pathlib import Path

import pytest

from bot.adapters.git.mirror_git import MirrorGit
from bot.core.decide.specs.plan_new_spec import version_of
from bot.core.journal.candidate_facts import Recipe, Shape, Step
from bot.core.journal.ground import after, carried_by, ground_of
from bot.core.talk.candidate_content import step_for
from bot.core.values.ids import EntryId, Sha
from bot.core.values.repository import RepositoryFacts
from bot.shell.make_candidate import Made, make
from tests.adapters.workshop import Workshop, git
from tests.core.kit import World
from tests.core.test_stories_of_folders import FOLDER, folder
from tests.core.values import START

NAMES = ("A", "B", "C")
ARCHIVED = "openspec/changes/archive"
SPEC = "openspec/specs/shop/spec.md"


def _block(name: str) -> str:
    return f"### Requirement: Title of {name}\nThe shop SHALL do {name}.\n\n#### Scenario: It does\n- **WHEN** asked\n- **THEN** done\n"


DELTA = "\n".join(("## ADDED Requirements\n", *(_block(name) for name in NAMES)))


def _approved() -> World:
    """A delta folder with three changes, whose work is there."""
    world = World()
    world.push_spec(folder(*NAMES), "v1", FOLDER)
    world.settle()
    world.pass_time(40)
    world.settle()
    world.say(world.run.issue or 0, "/headgate approve")
    world.settle()
    for name in NAMES:
        world.hand_in(world.agent_order_of(name))
    world.unreachable.add("BuildCandidate")
    world.settle()
    return world


@dataclass
class Yard:
    """The same folder in a real repository, with a head for each change."""

    world: World
    mirror: MirrorGit
    facts: RepositoryFacts
    main: Sha
    heads: dict[str, Sha]
    mirrored: Path

    def chain(self, names: Iterable[str]) -> list[tuple[Recipe, Made]]:
        """The changes built on one another, the first on main."""
        state, run, base = self.world.state, self.world.run, self.main
        spec = self.world.observe().specs[run.id]
        ground, built = ground_of(state), list[tuple[Recipe, Made]]()
        for name in names:
            change = self.world.change(name)
            step = step_for(state, ground, run, change, spec)
            assert step is not None
            recipe = Recipe(
                base=base,
                steps=(replace(step, head=self.heads[name]),),
                shape=Shape.LINEAR,
                at=START,
            )
            made = make(self.mirror, self.facts, recipe)
            assert isinstance(made, Made)
            built.append((recipe, made))
            ground = after(ground, carried_by(state, change, step.register))
            base = made.sha
        return built

    def files(self, commit: Sha) -> dict[str, bytes]:
        return dict(self.mirror.files(self.facts, commit, ("openspec/",)))


@pytest.fixture
def yard(shop: Workshop, mirror: MirrorGit, facts: RepositoryFacts, tmp_path: Path) -> Yard:
    files = {f"{FOLDER}/proposal.md": "## Why\n", f"{FOLDER}/specs/shop/spec.md": DELTA}
    main = shop.commit("Propose", {**files})
    shop.publish()
    heads = {}
    for name in NAMES:
        git(shop.tree, "checkout", "--quiet", "--detach", main)
        heads[name] = shop.commit(f"Do {name}", {f"src/{name.lower()}.py": f"{name} = 1\n"})
        shop.publish(f"HEAD:refs/heads/{name}")
    mirror.fetch(facts)
    world = _approved()
    version = version_of(mirror.blobs(facts, main, (f"{FOLDER}/",)))
    world.state = replace(world.state, spec_versions={**world.state.spec_versions, FOLDER: version})
    return Yard(world, mirror, facts, main, heads, tmp_path / "mirrors" / "7.git")


@pytest.mark.parametrize("gone", ["", "A", "B", "C"])
def test_an_empty_repository_gives_the_same_commits(yard: Yard, gone: str, tmp_path: Path) -> None:
    yard.chain(NAMES)
    built = yard.chain(name for name in NAMES if name != gone)
    empty = MirrorGit(tmp_path / "empty", lambda _: "", protocols=("file",))
    empty.fetch(yard.facts)
    assert not empty.has(yard.facts, built[0][1].sha)
    again = [make(empty, yard.facts, recipe) for recipe, _ in built]
    assert again == [made for _, made in built]


@pytest.mark.parametrize("gone", ["", "A", "B", "C"])
def test_the_folder_is_moved_by_the_last_candidate_that_remains(yard: Yard, gone: str) -> None:
    built = yard.chain(name for name in NAMES if name != gone)
    moved = [any(p.startswith(ARCHIVED) for p in yard.files(made.sha)) for _, made in built]
    assert moved == ([False, False, True] if not gone else [False, False])


@pytest.mark.parametrize("gone", ["", "A"])
def test_the_register_is_added_by_the_first_remaining_candidate(yard: Yard, gone: str) -> None:
    built = yard.chain(name for name in NAMES if name != gone)
    first, *others = built
    assert first[0].steps[0].register
    assert all(not recipe.steps[0].register for recipe, _ in others)


def test_a_persons_pull_is_a_merge_of_both(yard: Yard) -> None:
    (recipe, alone), *_ = yard.chain("A")
    step = Step(entry=EntryId("pull:7"), head=yard.heads["B"], message="Merge #7")
    merge = replace(recipe, base=alone.sha, steps=(step,), shape=Shape.MERGE)
    made = make(yard.mirror, yard.facts, merge)
    assert isinstance(made, Made)
    said = git(yard.mirrored, "log", "-1", "--format=%P|%s", made.sha)
    assert said == f"{alone.sha} {yard.heads['B']}|Merge #7"
    assert made.archive_paths == ()


def test_every_order_ends_in_one_tree(yard: Yard) -> None:
    ends = {yard.chain(order)[-1][1].tree for order in permutations(NAMES)}
    assert len(ends) == 1
