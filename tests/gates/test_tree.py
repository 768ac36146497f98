"""A checkout is read once, by content, and nothing in it can change how git reads it."""

import os
from pathlib import Path

import pytest

from gates.plumbing import CheckoutError, open_plumbing
from gates.tree import ChangedFile, EntryKind, TreeDiff, read_diff, read_tree
from tests.gates.checkouts import Repository


def diff_of(repository: Repository) -> TreeDiff:
    with open_plumbing(repository.folder) as plumbing:
        return read_diff(plumbing, read_tree(plumbing), repository.base_sha)


def changed(repository: Repository) -> dict[str, ChangedFile]:
    return {file.path: file for file in diff_of(repository).files}


def test_the_tree_is_read_as_git_has_it(repository: Repository) -> None:
    repository.write("run.sh", "#!/bin/sh\n")
    (repository.folder / "run.sh").chmod(0o755)
    (repository.folder / "link").symlink_to("src/calc.py")
    head = repository.commit()
    with open_plumbing(repository.folder) as plumbing:
        tree = read_tree(plumbing)
    assert tree.commit_sha == head
    assert tree.tree_sha == repository.git("rev-parse", "HEAD^{tree}")
    assert {entry.path: (entry.kind, entry.size_bytes) for entry in tree.entries.values()} == {
        "README.md": (EntryKind.FILE, 12),
        "link": (EntryKind.SYMLINK, 11),
        "run.sh": (EntryKind.EXECUTABLE, 10),
        "src/calc.py": (EntryKind.FILE, 8),
    }
    with pytest.raises(TypeError):
        tree.entries["x"] = tree.entries["run.sh"]  # type: ignore[index]


def test_a_diff_counts_lines_and_kinds(repository: Repository) -> None:
    repository.write("image.bin", b"\0\1\2" * 100)
    repository.write("src/calc.py", "ONE = 1\nTWO = 2\nTHREE = 3\n")
    (repository.folder / "README.md").unlink()
    (repository.folder / "link").symlink_to("src")
    repository.commit()
    diff = diff_of(repository)
    assert diff.files == (
        ChangedFile("README.md", EntryKind.FILE, None, None, 0, 1, None),
        ChangedFile("image.bin", None, EntryKind.FILE, 300, None, None, None),
        ChangedFile("link", None, EntryKind.SYMLINK, 3, 1, 0, "src"),
        ChangedFile("src/calc.py", EntryKind.FILE, EntryKind.FILE, 26, 2, 0, None),
    )
    assert (diff.lines_added, diff.lines_removed) == (3, 1)


def test_a_rename_is_a_deletion_and_an_addition(repository: Repository) -> None:
    repository.git("mv", "src/calc.py", "src/sums.py")
    repository.commit()
    files = changed(repository)
    assert files["src/calc.py"].after is None
    assert files["src/sums.py"].before is None


def test_a_changed_mode_is_a_change(repository: Repository) -> None:
    (repository.folder / "src/calc.py").chmod(0o755)
    repository.commit()
    file = changed(repository)["src/calc.py"]
    assert (file.before, file.after) == (EntryKind.FILE, EntryKind.EXECUTABLE)
    assert (file.lines_added, file.lines_removed) == (0, 0)


@pytest.mark.parametrize("name", ["tab\tand\nnewline", ":100644 colon", "ünïcode", "-rf"])
def test_any_file_name_is_read_as_it_is(repository: Repository, name: str) -> None:
    repository.commit({f"odd/{name}": "one\n"})
    assert changed(repository)[f"odd/{name}"].lines_added == 1


def test_a_file_name_that_is_not_text_is_still_a_path(repository: Repository) -> None:
    Path(os.fsdecode(os.fsencode(repository.folder) + b"/bad-\xff")).write_text("one\n")
    repository.commit()
    assert list(changed(repository)) == ["bad-\udcff"]


def test_gitattributes_of_the_candidate_hide_no_lines(repository: Repository) -> None:
    repository.commit({".gitattributes": "* -diff binary\n", "src/calc.py": "TWO = 2\n"})
    assert changed(repository)["src/calc.py"].lines_added == 1


def test_configuration_and_hooks_of_the_checkout_are_not_run(repository: Repository) -> None:
    trap = repository.folder.parent / "trap.sh"
    sprung = repository.folder.parent / "sprung"
    trap.write_text(f"#!/bin/sh\ntouch {sprung}\ncat\n")
    trap.chmod(0o755)
    repository.commit({".gitattributes": "* filter=trap diff=trap\n", "new.txt": "new\n"})
    for setting in (
        "core.fsmonitor",
        "filter.trap.clean",
        "filter.trap.smudge",
        "diff.trap.textconv",
        "diff.external",
        "core.sshCommand",
        "core.pager",
    ):
        repository.git("config", setting, str(trap))
    hook = repository.folder / ".git/hooks/post-index-change"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(trap.read_text())
    hook.chmod(0o755)
    with open_plumbing(repository.folder) as plumbing:
        read_diff(plumbing, read_tree(plumbing), repository.base_sha)
    assert not sprung.exists()


def test_git_replace_refs_have_no_effect(repository: Repository) -> None:
    bad = repository.commit({"bad.py": "bad\n"})
    good = repository.commit({"bad.py": "good\n"})
    repository.git("checkout", "--quiet", "--detach", bad)
    repository.git("replace", bad, good)
    with open_plumbing(repository.folder) as plumbing:
        tree = read_tree(plumbing)
    assert tree.entries["bad.py"].size_bytes == len("bad\n")


def test_a_folder_that_is_not_a_checkout_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CheckoutError, match="not the top folder"), open_plumbing(tmp_path):
        pass


def test_a_branch_without_a_commit_is_refused(tmp_path: Path, repository: Repository) -> None:
    repository.git("init", "--quiet", str(tmp_path / "empty"))
    with (
        pytest.raises(CheckoutError, match="no commit checked out"),
        open_plumbing(tmp_path / "empty"),
    ):
        pass


@pytest.mark.parametrize(
    ("base", "says"),
    [
        ("main", "not a full commit SHA"),
        ("--output=/tmp/x", "not a full commit SHA"),
        ("0" * 40, "not in this checkout"),
    ],
)
def test_a_base_must_be_a_full_sha_in_the_checkout(
    repository: Repository, base: str, says: str
) -> None:
    with open_plumbing(repository.folder) as plumbing:
        tree = read_tree(plumbing)
        with pytest.raises(CheckoutError, match=says):
            read_diff(plumbing, tree, base)


def test_a_linked_worktree_is_a_checkout(repository: Repository, tmp_path: Path) -> None:
    repository.commit({"new.txt": "new\n"})
    repository.git("worktree", "add", "--quiet", "--detach", str(tmp_path / "linked"))
    with open_plumbing(tmp_path / "linked") as plumbing:
        diff = read_diff(plumbing, read_tree(plumbing), repository.base_sha)
    assert [file.path for file in diff.files] == ["new.txt"]
