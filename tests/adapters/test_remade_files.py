"""Lock files in conflict: in the next start they are as main has them."""

from datetime import UTC, datetime

from bot.adapters.git.mirror_git import MirrorGit
from bot.core.journal.effects import PrepareStart
from bot.core.values.candidate import MergeConflict, MergedTree
from bot.core.values.ids import ChangeId, Ref, Sha
from bot.core.values.repository import RepositoryFacts
from bot.shell.perform_git import as_on_main
from tests.adapters.workshop import Workshop, git

LOCK = "app/package-lock.json"


def start_of(
    shop: Workshop,
    mirror: MirrorGit,
    facts: RepositoryFacts,
    ours: dict[str, str | bytes | None],
    theirs: dict[str, str | bytes | None],
) -> tuple[MergedTree | MergeConflict, Sha, tuple[str, ...]]:
    """The merge of both sides, and what becomes of its tree under a rule for the lock file."""
    fork = shop.commit("Start", {LOCK: "{}\n", "src/cart.py": "total = 0\n"})
    git(shop.tree, "branch", "-M", "main")
    base = shop.commit("Ours", ours)
    git(shop.tree, "checkout", "--quiet", "-b", "theirs", fork)
    head = shop.commit("Theirs", theirs)
    shop.publish("main:refs/heads/main")
    shop.publish("theirs:refs/heads/theirs")
    mirror.fetch(facts)
    effect = PrepareStart(
        change=ChangeId("shop/a"),
        attempt=2,
        base=base,
        head=head,
        ref=Ref("refs/headgate/starts/a/2"),
        at=datetime(2026, 1, 1, tzinfo=UTC),
        remake=("*/package-lock.json",),
    )
    merged = mirror.merge(facts, base, head)
    return merged, *as_on_main(mirror, facts, merged, effect)


def test_a_lock_file_is_as_on_main_and_the_rest_stays_in_conflict(
    shop: Workshop, mirror: MirrorGit, facts: RepositoryFacts
) -> None:
    _, tree, remade = start_of(
        shop,
        mirror,
        facts,
        {LOCK: '{"main": 1}\n', "src/cart.py": "total = 1\n"},
        {LOCK: '{"work": 1}\n', "src/cart.py": "total = 2\n"},
    )
    assert remade == (LOCK,)
    files = mirror.files(facts, tree, ("",))
    assert files[LOCK] == b'{"main": 1}\n'
    assert b"<<<<<<<" in files["src/cart.py"]


def test_a_removed_lock_file_stays_in_conflict(
    shop: Workshop, mirror: MirrorGit, facts: RepositoryFacts
) -> None:
    merged, tree, remade = start_of(shop, mirror, facts, {LOCK: '{"main": 1}\n'}, {LOCK: None})
    assert isinstance(merged, MergeConflict)
    assert remade == ()
    assert tree == merged.tree


def test_without_a_conflict_no_file_is_remade(
    shop: Workshop, mirror: MirrorGit, facts: RepositoryFacts
) -> None:
    merged, tree, remade = start_of(shop, mirror, facts, {LOCK: '{"main": 1}\n'}, {"a.md": "a"})
    assert isinstance(merged, MergedTree)
    assert (tree, remade) == (merged.tree, ())
