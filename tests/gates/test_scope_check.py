"""`scope_check` over real diffs: what a change may touch, and what it may not."""

import json
import os
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import pytest

from gates.builtin import ANNOTATIONS_MAX
from gates.plumbing import open_plumbing
from gates.result import Ending, GateResult
from gates.scope_check import check_scope
from gates.settings import JudgeSettings
from gates.tree import read_diff, read_tree
from tests.gates.checkouts import SCOPE_CHECK, Repository, report_on

SETTINGS = JudgeSettings(
    protected=(".github/", "/specs/", "*.lock", "!/free.lock", "/openspec/"),
    archive_paths=("openspec/specs/", "openspec/changes/add-sums/spec.md", "archive"),
    file_bytes_max=1_000,
)


def scope_of(repository: Repository) -> GateResult:
    repository.commit()
    return report_on(repository, SCOPE_CHECK, settings=SETTINGS).results[0]


def symlink(path: str, target: str) -> Callable[[Repository], None]:
    def plant(repository: Repository) -> None:
        place = repository.folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(target)

    return plant


def file(path: str, content: str | bytes = "x\n") -> Callable[[Repository], None]:
    return lambda repository: repository.write(path, content)


@pytest.mark.parametrize(
    "work",
    [
        file("src/new.py"),
        file("free.lock"),
        file("src/specs/not-the-top-one.md"),
        file("exactly-at-the-limit", b"x" * 1_000),
        symlink("src/link", "calc.py"),
        symlink("src/link", "../README.md"),
        symlink("src/deep/er/link", "../../../README.md"),
        symlink("link", "./src//calc.py"),
        symlink("link", "not/there/yet"),
        lambda repository: (repository.folder / "src/calc.py").chmod(0o755),
    ],
)
def test_work_inside_its_scope_passes(
    repository: Repository, work: Callable[[Repository], None]
) -> None:
    work(repository)
    result = scope_of(repository)
    assert (result.ending, result.annotations) == (Ending.PASSED, ())
    assert result.sentence.startswith("The diff (1 file, +")


@pytest.mark.parametrize(
    ("work", "path", "title"),
    [
        (file(".github/workflows/ci.yml"), ".github/workflows/ci.yml", "Protected path"),
        (file("sub/.github/CODEOWNERS"), "sub/.github/CODEOWNERS", "Protected path"),
        (file("sub/uv.lock"), "sub/uv.lock", "Protected path"),
        (file("sub/free.lock"), "sub/free.lock", "Protected path"),
        (file("specs/line\nbreak.md"), "specs/line\\nbreak.md", "Protected path"),
        (symlink("specs", "src"), "specs", "Protected path"),
        (file("large", b"x" * 1_001), "large", "File too large"),
        (symlink("link", "/etc/passwd"), "link", "Symlink leaves the tree"),
        (symlink("link", ".."), "link", "Symlink leaves the tree"),
        (symlink("src/link", "../../x"), "src/link", "Symlink leaves the tree"),
        (symlink("src/link", "deep/../../../x"), "src/link", "Symlink leaves the tree"),
        (symlink("src/link", "../.git/config"), "src/link", "Symlink leaves the tree"),
        (symlink("link", ".GIT"), "link", "Symlink leaves the tree"),
    ],
)
def test_work_outside_its_scope_fails_with_the_paths(
    repository: Repository,
    work: Callable[[Repository], None],
    path: str,
    title: str,
) -> None:
    work(repository)
    result = scope_of(repository)
    assert result.ending is Ending.FAILED
    assert [(one.path, one.title) for one in result.annotations] == [(path, title)]
    assert title.lower() in result.sentence
    assert path in result.sentence


def test_an_exception_in_another_case_frees_no_path(repository: Repository) -> None:
    repository.write("free.lock", "x\n")
    repository.commit()
    settings = JudgeSettings(protected=("*.lock", "!/FREE.lock"))
    (result,) = report_on(repository, SCOPE_CHECK, settings=settings).results
    assert [(one.path, one.title) for one in result.annotations] == [
        ("free.lock", "Protected path")
    ]


def test_a_protected_file_may_not_be_moved_away(repository: Repository) -> None:
    repository.write(".github/CODEOWNERS", "* @ada\n")
    repository.base_sha = repository.commit()
    repository.git("mv", ".github/CODEOWNERS", "CODEOWNERS")
    result = scope_of(repository)
    assert result.ending is Ending.FAILED
    assert [one.path for one in result.annotations] == [".github/CODEOWNERS"]


def test_a_large_file_or_a_bad_link_may_be_deleted(repository: Repository) -> None:
    repository.write("large", b"x" * 5_000)
    (repository.folder / "link").symlink_to("/etc/passwd")
    repository.base_sha = repository.commit()
    (repository.folder / "large").unlink()
    (repository.folder / "link").unlink()
    assert scope_of(repository).ending is Ending.PASSED


def test_a_submodule_is_refused(repository: Repository) -> None:
    repository.git(
        "update-index", "--add", "--cacheinfo", f"160000,{repository.base_sha},vendor/lib"
    )
    (repository.folder / "vendor/lib").mkdir(parents=True)
    repository.git("commit", "--quiet", "--message", "Add a submodule")
    result = report_on(repository, SCOPE_CHECK, settings=SETTINGS).results[0]
    assert result.ending is Ending.FAILED
    assert [(one.path, one.title) for one in result.annotations] == [("vendor/lib", "Submodule")]


def test_a_target_too_long_for_a_link_is_refused(repository: Repository) -> None:
    repository.write("target", "x/" * 3_000)
    blob = repository.git("hash-object", "-w", "target")
    (repository.folder / "target").unlink()
    repository.git("update-index", "--add", "--cacheinfo", f"120000,{blob},link")
    repository.git("commit", "--quiet", "--message", "Add a long link")
    # No file system can check this out, so what is judged lies beside the files on disk.
    repository.git("clone", "--quiet", "--no-checkout", ".", "../bare-of-files")
    with open_plumbing(repository.folder.parent / "bare-of-files") as plumbing:
        diff = read_diff(plumbing, read_tree(plumbing), repository.base_sha)
    judgement = check_scope(diff, SETTINGS)
    assert [one.message for one in judgement.annotations] == ["Its target is too long to be one."]


def test_archive_paths_may_be_written(repository: Repository) -> None:
    repository.write("src/calc.py", "TWO = 2\n")
    repository.write("openspec/specs/sums/spec.md", "# Sums\n")
    repository.write("openspec/changes/add-sums/spec.md", "# Sums\n")
    assert scope_of(repository).ending is Ending.PASSED
    repository.write("openspec/changes/other/spec.md", "# Other\n")
    repository.write("src/archive/uv.lock", "x\n")
    assert [one.path for one in scope_of(repository).annotations] == [
        "openspec/changes/other/spec.md",
        "src/archive/uv.lock",
    ]


def test_archive_paths_are_still_judged_by_every_other_rule(repository: Repository) -> None:
    repository.write("src/calc.py", "TWO = 2\n")
    repository.write("openspec/specs/big.md", b"x" * 2_000)
    symlink("archive/link", "/etc")(repository)
    assert {one.title for one in scope_of(repository).annotations} == {
        "File too large",
        "Symlink leaves the tree",
    }


def test_an_empty_diff_fails(repository: Repository) -> None:
    result = scope_of(repository)
    assert (result.ending, result.sentence) == (Ending.FAILED, "The diff changes nothing.")


def test_a_diff_of_archive_paths_only_counts_as_empty(repository: Repository) -> None:
    repository.write("openspec/specs/sums/spec.md", "# Sums\n")
    result = scope_of(repository)
    assert result.ending is Ending.FAILED
    assert result.sentence == "The diff changes nothing besides what the archive writes."


@pytest.mark.parametrize("pattern", ["!", "\\"])
def test_invalid_patterns_could_not_run(repository: Repository, pattern: str) -> None:
    repository.commit({"src/new.py": "x\n"})
    settings = JudgeSettings(protected=(pattern,))
    result = report_on(repository, SCOPE_CHECK, settings=settings).results[0]
    assert result.ending is Ending.COULD_NOT_RUN
    assert "not gitignore patterns" in result.sentence


def test_a_long_list_of_faults_is_counted_and_cut(repository: Repository) -> None:
    for number in range(260):
        repository.write(f".github/{number:03}", "x\n")
    Path(os.fsdecode(os.fsencode(repository.folder) + b"/.github/000\xff\x1b[31m")).write_text("x")
    result = scope_of(repository)
    assert len(result.annotations) == ANNOTATIONS_MAX
    assert ".github/000, .github/000\\xff\\x1b[31m, .github/001 and 258 more" in result.sentence
    assert json.dumps(asdict(result), ensure_ascii=False).encode()
