"""Commits of a stranger's pull that are small to send but endless to list."""

from pathlib import Path

import pytest

from bot.adapters.git import commits
from bot.adapters.git.mirror_git import MirrorGit
from bot.core.values.candidate import MergeConflict, MergedTree
from bot.core.values.ids import Sha
from bot.core.values.repository import RepositoryFacts
from bot.ports import UserError
from tests.adapters.workshop import Workshop, facts_of, git


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    return Workshop.opened(tmp_path / "remote")


@pytest.fixture
def facts(shop: Workshop) -> RepositoryFacts:
    return facts_of(shop.file_url)


@pytest.fixture
def mirror(shop: Workshop, facts: RepositoryFacts, tmp_path: Path) -> MirrorGit:
    made = MirrorGit(tmp_path / "mirrors", lambda _: "", protocols=("file",))
    made.fetch(facts)
    return made


def _bomb(shop: Workshop, inside: str) -> Sha:
    """Ten trees, each with ten times the one below it: ten thousand million files, or no file at all."""
    below, mode = shop.object("blob", b"boom"), b"100644"
    if inside == "nothing":
        below, mode = shop.object("tree", b""), b"40000"
    for _ in range(10):
        entries = (mode + b" %d\0" % name + bytes.fromhex(below) for name in range(10))
        below, mode = shop.object("tree", b"".join(entries)), b"40000"
    specs = shop.object("tree", b"40000 specs\0" + bytes.fromhex(below))
    return Sha(shop.commit_tree(specs, shop.head()))


@pytest.mark.attack(
    "A fork pull of a dozen small objects that name ten thousand million files, for the server's memory",
    held="`bot.adapters.git.mirror_git.MirrorGit`: a tree whose list is too long is refused before it is compared",
)
@pytest.mark.parametrize("inside", ["files", "nothing"])
def test_a_tree_bomb_of_a_pull_is_refused_quickly(
    shop: Workshop, facts: RepositoryFacts, mirror: MirrorGit, inside: str
) -> None:
    main, bomb = shop.head(), _bomb(shop, inside)
    git(shop.tree, "push", "--quiet", shop.file_url, f"{bomb}:refs/heads/bomb")
    mirror.fetch(facts)
    with pytest.raises(UserError, match="too many files: their names are longer"):
        mirror.merge(facts, main, bomb)
    with pytest.raises(UserError, match="too many files: their names are longer"):
        mirror.changed_paths(facts, main, bomb)
    with pytest.raises(UserError, match="too many files: their names are longer"):
        mirror.blobs(facts, bomb, ("",))


@pytest.mark.attack(
    "A fork pull that renames and rewrites thousands of files, each of which git compares with each",
    held="`bot.adapters.git.commits.Commits.merge`: a thousand are compared, more are a conflict",
)
def test_rename_detection_is_limited(
    shop: Workshop, facts: RepositoryFacts, mirror: MirrorGit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commits, "_RENAMES_MAX", 3)
    lines = {n: "".join(f"{n} line {line}\n" for line in range(20)) for n in range(4)}
    base = shop.commit("Base", {f"old{n}": lines[n] for n in lines})
    main = shop.commit("Main", {f"old{n}": f"{lines[n]}main\n" for n in lines})
    heads = {}
    for count in (3, 4):
        git(shop.tree, "checkout", "--quiet", "--detach", base)
        for n in range(count):
            git(shop.tree, "rm", "--quiet", f"old{n}")
        moved: dict[str, str | bytes | None] = {
            f"new/{n}": f"head\n{lines[n]}" for n in range(count)
        }
        heads[count] = shop.commit("Renamed", moved)
        git(shop.tree, "push", "--quiet", "--force", shop.file_url, f"HEAD:refs/heads/h{count}")
    git(shop.tree, "push", "--quiet", "--force", shop.file_url, f"{main}:refs/heads/main2")
    mirror.fetch(facts)
    assert isinstance(mirror.merge(facts, main, heads[3]), MergedTree)
    assert isinstance(mirror.merge(facts, main, heads[4]), MergeConflict)
