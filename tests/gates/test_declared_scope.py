"""Files of a diff outside the declared scope: renames, case, tests, generated files."""

import pytest

from gates.beyond import beyond
from gates.declared import DeclaredScope
from gates.result import Ending
from gates.scope_check import check_scope
from gates.settings import JudgeSettings
from gates.tree import ChangedFile, EntryKind, TreeDiff

FILE = EntryKind.FILE
DECLARED = DeclaredScope(
    files=("src/billing/invoice.py", "docs/", "setup.md"),
    modules=("web/pay/**", "!web/pay/old/"),
    generated=("*.pb.go", "/CHANGELOG.md"),
)
BINDING = DeclaredScope(files=("src/calc.py",), is_binding=True)


def added(path: str) -> ChangedFile:
    return ChangedFile(path, None, FILE, 10, 1, 0, None)


def edited(path: str) -> ChangedFile:
    return ChangedFile(path, FILE, FILE, 10, 1, 1, None)


def deleted(path: str) -> ChangedFile:
    return ChangedFile(path, FILE, None, None, 0, 1, None)


def paths_beyond(*diff: ChangedFile, declared: DeclaredScope = DECLARED) -> list[str]:
    return [one.path for one in beyond(declared, diff)]


@pytest.mark.parametrize(
    "file",
    [
        edited("src/billing/invoice.py"),
        deleted("src/billing/invoice.py"),
        added("src/billing/totals.py"),
        edited("docs/deep/er/page.md"),
        edited("web/pay/form.ts"),
        edited("setup.md"),
        edited("src/other/test_refunds.py"),
        edited("src/refunds.test.ts"),
        added("tests/data/invoice.json"),
    ],
)
def test_declared_files_are_within_the_scope(file: ChangedFile) -> None:
    assert paths_beyond(file) == []


@pytest.mark.parametrize(
    "file",
    [
        edited("src/billing/totals.py"),
        deleted("src/billing/totals.py"),
        added("src/billing/deep/totals.py"),
        added("README.md"),
        edited("documents/page.md"),
        edited("src/lib.rs"),
        edited("other/web/pay/form.ts"),
    ],
)
def test_undeclared_files_are_outside_the_scope(file: ChangedFile) -> None:
    assert paths_beyond(file) == [file.path]


def test_a_rename_counts_as_both_paths() -> None:
    assert paths_beyond(deleted("src/other.py"), added("docs/other.py")) == ["src/other.py"]
    assert paths_beyond(deleted("docs/other.py"), added("src/other.py")) == ["src/other.py"]


def test_paths_are_case_sensitive() -> None:
    found = beyond(DECLARED, (added("src/billing/Invoice.py"), edited("Docs/page.md")))
    assert [one.path for one in found] == ["src/billing/Invoice.py", "Docs/page.md"]
    assert found[0].why == (
        "The plan names src/billing/invoice.py, which differs only in upper and lower case."
    )


def test_generated_files_are_in_scope_with_their_source() -> None:
    assert paths_beyond(edited("docs/api.md"), edited("gen/api.pb.go")) == []
    assert paths_beyond(edited("gen/api.pb.go"), edited("CHANGELOG.md")) == [
        "gen/api.pb.go",
        "CHANGELOG.md",
    ]


def test_without_a_declaration_every_file_is_in_scope() -> None:
    assert paths_beyond(edited("x.py"), declared=DeclaredScope(generated=("*.lock",))) == []


def judged(*files: ChangedFile, **settings: object) -> tuple[Ending, str, list[str]]:
    made = JudgeSettings(**settings)  # type: ignore[arg-type]
    said = check_scope(TreeDiff("b" * 40, files), made)
    return said.ending, said.sentence, [one.title for one in said.annotations]


def test_undeclared_files_are_reported() -> None:
    told = judged(
        edited("src/calc.py"), edited("src/x.py"), declared=DeclaredScope(files=("src/calc.py",))
    )
    assert told == (
        Ending.PASSED,
        "The diff (2 files, +2 −2) stays in its scope, but touches files that the plan does "
        "not name: src/x.py.",
        ["Not declared"],
    )


def test_undeclared_files_are_red_if_the_policy_says_so() -> None:
    ending, sentence, titles = judged(edited("src/calc.py"), edited("src/x.py"), declared=BINDING)
    assert (ending, titles) == (Ending.FAILED, ["Not declared"])
    assert "not declared (src/x.py)" in sentence


def test_files_written_by_the_archive_need_no_declaration() -> None:
    files = (edited("src/calc.py"), edited("openspec/specs/sums/spec.md"))
    ending, *_ = judged(*files, declared=BINDING, archive_paths=("openspec/specs/",))
    assert ending is Ending.PASSED


@pytest.mark.parametrize(
    "path", [".GitHub/workflows/ci.yml", "deploy/Agents.md", "Specs/e\u0301.md"]
)
def test_a_protected_path_is_protected_in_any_case(path: str) -> None:
    protected = ("/.github/", "AGENTS.md", "/specs/\u00e9.md")
    assert judged(added(path), protected=protected)[::2] == (Ending.FAILED, ["Protected path"])


def test_two_paths_that_differ_in_case_only_are_red() -> None:
    files = (added("src/Calc.py"), added("src/calc.py"))
    ending, _, titles = judged(*files)
    assert (ending, titles) == (Ending.FAILED, ["Differs only in upper and lower case"])


def test_a_new_path_that_differs_only_in_case_from_an_existing_one_is_red() -> None:
    there = ("src/calc.py", "src/Calc.py")
    said = check_scope(TreeDiff("b" * 40, (added("src/Calc.py"),)), JudgeSettings(), there)
    assert [note.title for note in said.annotations] == ["Differs only in upper and lower case"]
    edit = check_scope(TreeDiff("b" * 40, (edited("src/Calc.py"),)), JudgeSettings(), there)
    assert edit.ending is Ending.PASSED


def test_a_file_may_be_renamed_to_another_case() -> None:
    assert judged(deleted("src/Calc.py"), added("src/calc.py"))[0] is Ending.PASSED


def test_invalid_module_patterns_could_not_be_judged() -> None:
    assert judged(edited("x"), declared=DeclaredScope(generated=("!",), files=("y",)))[0] is (
        Ending.COULD_NOT_RUN
    )
