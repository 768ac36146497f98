"""A damaged mirror is found and recreated; no agent is blamed, and no wrong tree is given."""

import contextlib
import itertools
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.adapters.git.mirror_git import MirrorGit
from bot.core.values.candidate import (
    BundleRefusal,
    BundleRules,
    MergedTree,
    PushOutcome,
    RefUpdate,
)
from bot.core.values.ids import Ref, Sha
from bot.core.values.repository import RepositoryFacts
from bot.ports import Retryable, UserError
from tests.adapters.workshop import Workshop, facts_of, git, recipe_of

_NUMBERS = itertools.count()


@dataclass(frozen=True)
class Scene:
    """Main has `first`, `second` and `third`; an agent's bundle stands on `second`.

    Every object of the mirror is a file of its own.
    """

    mirror: MirrorGit
    facts: RepositoryFacts
    folder: Path
    first: Sha
    second: Sha
    third: Sha
    bundle: bytes

    def make_sound(self) -> None:
        shutil.rmtree(self.folder)
        shutil.copytree(self.folder.parents[1] / "sound.git", self.folder)

    def spoil(self, name: str, how: str) -> None:
        sha = git(self.folder, "rev-parse", name)
        file = self.folder / "objects" / sha[:2] / sha[2:]
        content = file.read_bytes()
        file.unlink()
        if how != "gone":
            file.write_bytes(b"" if how == "empty" else content[: len(content) // 2])


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    folder = tmp_path_factory.mktemp("damaged")
    shop = Workshop.opened(folder / "remote")
    facts = facts_of(shop.file_url)
    mirror = MirrorGit(folder / "mirrors", lambda _: "", protocols=("file",))
    commits = [shop.head()]
    mirror.fetch(facts)
    for files in ({"src/cart.py": "total = 1\n"}, {"docs/user/a.md": "a\n"}):
        commits.append(shop.commit("More", dict(files)))
        shop.publish()
        mirror.fetch(facts)
    first, second, third = commits
    git(shop.tree, "checkout", "--quiet", second)
    shop.commit("Agent", {"docs/b.md": "b\n"})
    at = folder / "mirrors" / f"{facts.id}.git"
    shutil.copytree(at, folder / "sound.git")
    return Scene(mirror, facts, at, first, second, third, shop.bundle(second))


@pytest.fixture
def scene(made: Scene) -> Scene:
    """With a sound mirror."""
    made.make_sound()
    return made


def _imported(scene: Scene) -> object:
    rules = BundleRules(start_sha=scene.second, protected=())
    return scene.mirror.import_bundle(scene.facts, scene.bundle, rules)


def _edited(scene: Scene) -> object:
    return scene.mirror.edit_tree(scene.facts, scene.third, {"src/new.py": b"", "docs/c.md": b""})


def _grafted(scene: Scene) -> object:
    return scene.mirror.with_folder_of(scene.facts, scene.first, scene.third, "docs/user")


def _merged(scene: Scene) -> object:
    return scene.mirror.merge(scene.facts, scene.third, scene.second)


def _history(scene: Scene) -> object:
    return scene.mirror.history(scene.facts, scene.first, scene.third)


def _files(scene: Scene) -> object:
    return scene.mirror.files(scene.facts, scene.third, ("",))


def _pushed(scene: Scene) -> object:
    """Whether work that the server has not seen yet gets there, in the end."""
    with contextlib.suppress(Retryable):
        return _push(scene)
    return _push(scene)


def _push(scene: Scene) -> object:
    work = {"src/new.py": f"number = {next(_NUMBERS)}\n".encode()}
    tree = scene.mirror.edit_tree(scene.facts, scene.third, work)
    made = scene.mirror.commit(scene.facts, recipe_of(tree, scene.third))
    update = RefUpdate(ref=Ref(f"refs/heads/{made[:8]}"), old=None, new=made)
    return scene.mirror.push(scene.facts, (update,)).outcome


@pytest.mark.parametrize("how", ["empty", "half", "gone"])
@pytest.mark.parametrize(
    ("spoilt", "does"),
    [
        ("main~1:src/cart.py", _imported),
        ("main~1^{tree}", _imported),
        ("main:src", _edited),
        ("main:docs", _grafted),
        ("main^{tree}", _merged),
        ("main:docs", _merged),
        ("main~1", _history),
        ("main~2", _history),
        ("main:src/cart.py", _files),
        ("main~1", _pushed),
    ],
)
def test_a_damaged_object_does_not_change_results(
    scene: Scene, spoilt: str, does: Callable[[Scene], object], how: str
) -> None:
    sound = does(scene)
    assert not isinstance(sound, BundleRefusal)
    scene.spoil(spoilt, how)
    assert does(scene) == sound


def test_a_fetch_that_builds_on_a_lost_object_succeeds(scene: Scene) -> None:
    assert _pushed(scene) is PushOutcome.DONE
    scene.make_sound()
    scene.spoil("main^{tree}", "gone")
    scene.mirror.fetch(scene.facts)
    assert "docs/user/a.md" in scene.mirror.files(scene.facts, scene.third, ("",))


def test_a_mirror_without_its_configuration_is_recreated_by_a_fetch(scene: Scene) -> None:
    (scene.folder / "config").write_text("")
    scene.mirror.fetch(scene.facts)
    assert _pushed(scene) is PushOutcome.DONE


def test_a_correctly_refused_bundle_does_not_replace_the_mirror(scene: Scene) -> None:
    before = scene.folder.stat().st_ino
    rules = BundleRules(start_sha=scene.second, protected=())
    spoilt = scene.bundle[:-30] + b"!" + scene.bundle[-29:]
    answer = scene.mirror.import_bundle(scene.facts, spoilt, rules)
    assert isinstance(answer, BundleRefusal)
    assert scene.folder.stat().st_ino == before


def test_a_repository_with_an_odd_history_is_not_cloned_repeatedly(
    shop: Workshop, mirror: MirrorGit, facts: RepositoryFacts, tmp_path: Path
) -> None:
    written = f"tree {git(shop.tree, 'rev-parse', 'HEAD^{tree}')}\nauthor A<a> 1 +0000\n"
    odd = git(
        *(shop.tree, "hash-object", "-t", "commit", "-w", "--literally", "--stdin"),
        stdin=f"{written}committer A<a> 1 +0000\n\nOdd\n".encode(),
    )
    git(shop.tree, "push", "--quiet", "origin", f"{odd}:refs/heads/odd")
    mirror.fetch(facts)
    folder = tmp_path / "mirrors" / f"{facts.id}.git"
    before = folder.stat().st_ino
    with pytest.raises(UserError):
        mirror.files(facts, Sha("1" * 40), ("",))
    assert folder.stat().st_ino == before


def test_a_git_warning_is_not_damage(
    shop: Workshop, mirror: MirrorGit, facts: RepositoryFacts
) -> None:
    """A branch that is named like a commit makes git warn at each use of that commit."""
    first = shop.head()
    second = shop.commit("Two", {"src/cart.py": "total = 1\n"})
    shop.publish()
    git(shop.tree, "push", "--quiet", "origin", f"{second}:refs/heads/{first}")
    mirror.fetch(facts)
    merged = mirror.merge(facts, second, first)
    assert merged == MergedTree(tree=mirror.tree_of(facts, second))
