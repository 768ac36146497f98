"""Conflicts in files that merge by rule: the lines of both sides stay."""

from bot.adapters.git.mirror_git import MirrorGit
from bot.core.values.candidate import MergeConflict, MergedTree
from bot.core.values.ids import Sha
from bot.core.values.repository import RepositoryFacts
from tests.adapters.workshop import Workshop, git

LOG = "CHANGELOG.md"


def sides(
    shop: Workshop,
    mirror: MirrorGit,
    facts: RepositoryFacts,
    ours: dict[str, str | bytes | None],
    theirs: dict[str, str | bytes | None],
) -> tuple[Sha, Sha]:
    start = shop.commit("Start", {LOG: "# Changes\n\n", "src/cart.py": "total = 0\n"})
    git(shop.tree, "branch", "-M", "main")
    base = shop.commit("Ours", ours)
    git(shop.tree, "checkout", "--quiet", "-b", "theirs", start)
    head = shop.commit("Theirs", theirs)
    shop.publish("main:refs/heads/main")
    shop.publish("theirs:refs/heads/theirs")
    mirror.fetch(facts)
    return base, head


def test_both_lines_of_a_changelog_are_kept(
    shop: Workshop, mirror: MirrorGit, facts: RepositoryFacts
) -> None:
    base, head = sides(
        shop, mirror, facts, {LOG: "# Changes\n\n- a cart\n"}, {LOG: "# Changes\n\n- a till\n"}
    )
    assert isinstance(mirror.merge(facts, base, head), MergeConflict)
    merged = mirror.merge(facts, base, head, (LOG,))
    assert isinstance(merged, MergedTree)
    assert mirror.files(facts, merged.tree, (LOG,))[LOG] == b"# Changes\n\n- a cart\n- a till\n"
    assert mirror.merge(facts, base, head, (LOG,)) == merged


def test_other_files_stay_in_conflict_and_agents_see_no_markers_in_the_changelog(
    shop: Workshop, mirror: MirrorGit, facts: RepositoryFacts
) -> None:
    base, head = sides(
        shop,
        mirror,
        facts,
        {LOG: "# Changes\n\n- a cart\n", "src/cart.py": "total = 1\n"},
        {LOG: "# Changes\n\n- a till\n", "src/cart.py": "total = 2\n"},
    )
    conflict = mirror.merge(facts, base, head, ("*.md",))
    assert isinstance(conflict, MergeConflict)
    assert conflict.files == ("src/cart.py",)
    assert b"<<<<" not in mirror.files(facts, conflict.tree, (LOG,))[LOG]
    said = mirror.changed_since_fork(facts, base, head, conflict.files)
    assert "+total = 1" in said
    assert "till" not in said


def test_a_removed_file_is_not_merged_by_union(
    shop: Workshop, mirror: MirrorGit, facts: RepositoryFacts
) -> None:
    base, head = sides(shop, mirror, facts, {LOG: None}, {LOG: "# Changes\n\n- a till\n"})
    conflict = mirror.merge(facts, base, head, (LOG,))
    assert isinstance(conflict, MergeConflict)
    assert conflict.files == (LOG,)
