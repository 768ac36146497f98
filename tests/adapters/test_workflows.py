"""Heads carry the default branch's workflows, and bring none of their own into a merge."""

from bot.adapters.git.mirror_git import MirrorGit
from bot.core.values.candidate import WORKFLOWS_FOLDER, MergedTree
from bot.core.values.ids import Sha
from bot.core.values.repository import RepositoryFacts
from tests.adapters.workshop import Workshop, git

CI, DEPLOY = ".github/workflows/ci.yml", ".github/workflows/deploy.yml"
START: dict[str, str | bytes | None] = {
    CI: "on: push\n",
    ".github/headgate.yml": "gates: {}\n",
    "src/cart.py": "total = 0\n",
}


def files(mirror: MirrorGit, facts: RepositoryFacts, tree: Sha) -> dict[str, bytes]:
    return dict(mirror.files(facts, tree, ("",)))


def test_a_tree_gets_only_one_folder_of_another_tree(
    shop: Workshop, mirror: MirrorGit, facts: RepositoryFacts
) -> None:
    start = shop.commit("Start", {**START, DEPLOY: "on: release\n"})
    newer = shop.commit(
        "Bump", {CI: "on: pull_request\n", DEPLOY: None, "src/cart.py": "total = 1\n"}
    )
    without = shop.commit("No CI", {CI: None})
    nothing = shop.commit("Nothing", {".github/headgate.yml": None})
    shop.publish("HEAD:refs/heads/main")
    mirror.fetch(facts)
    before = files(mirror, facts, start)
    there = mirror.with_folder_of(facts, start, newer, WORKFLOWS_FOLDER)
    expected = {**before, CI: b"on: pull_request\n"}
    del expected[DEPLOY]
    assert files(mirror, facts, there) == expected
    assert mirror.with_folder_of(facts, start, start, WORKFLOWS_FOLDER) == mirror.tree_of(
        facts, start
    )
    for other in (without, nothing):
        gone = mirror.with_folder_of(facts, start, other, WORKFLOWS_FOLDER)
        assert set(before) - set(files(mirror, facts, gone)) == {CI, DEPLOY}
    made = mirror.with_folder_of(facts, nothing, start, WORKFLOWS_FOLDER)
    assert {CI, DEPLOY} <= set(files(mirror, facts, made))


def test_a_merge_always_takes_the_workflows_of_the_base(
    shop: Workshop, mirror: MirrorGit, facts: RepositoryFacts
) -> None:
    start = shop.commit("Start", START)
    git(shop.tree, "branch", "-M", "main")
    shop.commit("Bump", {CI: "on: [push]\n"})
    base = shop.commit("Bump again", {CI: "on: [push, release]\n", DEPLOY: "on: release\n"})
    git(shop.tree, "checkout", "--quiet", "-b", "head", start)
    head = shop.commit("Work", {CI: "on: [push]\n", "src/cart.py": "total = 2\n"})
    shop.publish("main:refs/heads/main")
    shop.publish("head:refs/heads/head")
    mirror.fetch(facts)
    merged = mirror.merge(facts, base, head)
    assert isinstance(merged, MergedTree)
    found = files(mirror, facts, merged.tree)
    assert (found[CI], found[DEPLOY]) == (b"on: [push, release]\n", b"on: release\n")
    assert found["src/cart.py"] == b"total = 2\n"
    assert mirror.merge(facts, base, head) == merged
