"""Commands with missing or unexpected input print one sentence each."""

import json
from pathlib import Path

from tests.test_command_line import SPEC, headgate

WISHES = "# Notes\n\nWe met on Monday.\n"


def test_an_empty_plan_prints_no_empty_table(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text(WISHES)
    shown = headgate("plan", "notes.md", cwd=tmp_path).stdout
    assert "No requirement was recognised" in shown
    assert ("Requirements" in shown, "0 changes" in shown) == (False, False)


def test_an_empty_journal_is_not_an_error(tmp_path: Path) -> None:
    for command in ("queue", "journal"):
        asked = headgate(command, cwd=tmp_path)
        assert asked.returncode == 0
        assert "The journal is empty" in asked.stdout
        assert "HEADGATE_VAR" in asked.stdout
    assert json.loads(headgate("queue", "--json", cwd=tmp_path).stdout) == {}
    lines = headgate("journal", "--json", cwd=tmp_path)
    assert (lines.returncode, lines.stdout) == (0, "")


def test_the_journal_of_an_unknown_repository_is_an_error(tmp_path: Path) -> None:
    for more in ((), ("--json",), ("--replay",)):
        done = headgate("journal", "--repository", "a/b", *more, cwd=tmp_path)
        assert (done.returncode, done.stdout) == (1, "")
        assert "The journal has no repository a/b." in done.stderr


def test_a_missing_report_is_named_without_an_errno(tmp_path: Path) -> None:
    done = headgate("coverage", "--junit", "gone.xml", cwd=tmp_path)
    assert done.returncode == 2
    assert "gone.xml cannot be read (No such file or directory)" in done.stderr
    assert "Errno" not in done.stderr


def test_an_unknown_role_is_reported_without_an_empty_table(tmp_path: Path) -> None:
    done = headgate("models", "explain", "--model", "nonsense", cwd=tmp_path)
    assert done.returncode == 1
    assert "names the role 'nonsense'" in " ".join(done.stdout.split())
    assert ("Set by" in done.stdout, "One turn of an agent" in done.stdout) == (False, False)


def test_an_invalid_server_address_is_reported_in_a_sentence(tmp_path: Path) -> None:
    for server in ("nonsense", "ftp://somewhere", "https://"):
        told = " ".join(
            headgate("runner", "doctor", "--server", server, cwd=tmp_path).stdout.split()
        )
        assert f"{server} is not the address of a server" in told
        assert "--server https://your-server" in told
        assert "Error:" not in told


def test_constraints_for_every_change_are_shown_and_counted(tmp_path: Path) -> None:
    """Constraints that are not shown look like lost lines."""
    (tmp_path / "till.md").write_text(
        f"{SPEC}\n## Non-functional requirements\n\n- The till must answer within 2 seconds.\n"
    )
    assert (
        "1 constraint, can be planned" in headgate("spec", "check", "till.md", cwd=tmp_path).stdout
    )
    shown = headgate("spec", "show", "till.md", cwd=tmp_path).stdout
    assert "applies to every change: The till must answer within 2 seconds." in shown
    (tmp_path / "till.md").write_text(f"{SPEC}\n## 非機能要件\n\n- {'応答は二秒以内とする' * 12}\n")
    shown = headgate("spec", "show", "till.md", cwd=tmp_path).stdout
    assert "applies to every change: 応答は二秒以内とする" in shown


def test_a_message_about_one_line_uses_the_singular(tmp_path: Path) -> None:
    (tmp_path / "till.md").write_text(f"{SPEC}\n## Notes\n\nNothing more.\n")
    shown = headgate("spec", "show", "till.md", cwd=tmp_path).stdout
    assert "line 14 belongs to no requirement" in shown


def test_counts_of_one_use_the_singular(tmp_path: Path) -> None:
    (tmp_path / "till.md").write_text(SPEC)
    said = headgate("spec", "check", "till.md", cwd=tmp_path).stdout
    assert "till.md: 1 requirement, 1 scenario, can be planned" in said


def test_specs_without_requirements_are_named_by_the_given_path(tmp_path: Path) -> None:
    for folder in ("old", "new"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "notes.md").write_text(WISHES)
    done = headgate("spec", "diff", "old/notes.md", "new/notes.md", cwd=tmp_path)
    assert done.returncode == 2
    assert ("old/notes.md" in done.stderr, "new/notes.md" in done.stderr) == (True, True)


def test_a_folder_in_place_of_the_policy_is_reported_before_any_write(
    tmp_path: Path,
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".github" / "headgate.yml").mkdir(parents=True)
    done = headgate("init", cwd=tmp_path)
    assert done.returncode == 2
    assert ".github/headgate.yml is not a file" in done.stderr
    assert not (tmp_path / ".github" / "workflows").exists()
