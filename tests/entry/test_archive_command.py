"""`headgate spec archive` on disk: what it moves, what it refuses, and that it is all or nothing."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.entry.commands.spec_archive import archive_delta

STEPS = "\n\n#### Scenario: Ok\n- **WHEN** a\n- **THEN** b\n"
MAIN = f"# till\n\n## Purpose\nWhat the till does.\n\n## Requirements\n\n### Requirement: Sum up\nIt SHALL add.{STEPS}"
DELTA = f"## ADDED Requirements\n\n### Requirement: Print\nIt SHALL print.{STEPS}"


def lay(root: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        place = root / "openspec" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)


def tree(root: Path) -> dict[str, bytes]:
    return {
        p.relative_to(root / "openspec").as_posix(): p.read_bytes()
        for p in root.rglob("*")
        if p.is_file()
    }


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project with one capability and one change of it."""
    lay(tmp_path, {"specs/till/spec.md": MAIN, "changes/receipts/specs/till/spec.md": DELTA})
    return tmp_path


def test_the_folder_moves_under_todays_date(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lay(root, {"changes/receipts/notes/why.txt": "People ask."})
    assert archive_delta("receipts", root, True) == 0
    today = datetime.now(UTC).astimezone().date().isoformat()
    shown = json.loads(capsys.readouterr().out)
    assert shown["archived_as"] == f"{today}-receipts"
    assert shown["totals"] == {"added": 1, "modified": 0, "removed": 0, "renamed": 0}
    assert sorted(tree(root)) == [
        f"changes/archive/{today}-receipts/notes/why.txt",
        f"changes/archive/{today}-receipts/specs/till/spec.md",
        "specs/till/spec.md",
    ]


def test_open_tasks_are_reported_and_do_not_stop_an_archive(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lay(root, {"changes/receipts/tasks.md": "- [x] 1.1 Done\n- [ ] 1.2 Open\n- [~] 1.3 Half\n"})
    assert archive_delta("receipts", root, False) == 0
    assert "tasks.md still has 2 open task(s)" in capsys.readouterr().out


def test_a_write_that_fails_leaves_every_file_as_it_was(root: Path) -> None:
    new = {
        "changes/receipts/specs/web/spec.md": DELTA,
        "specs/web": "a file where a folder must be",
    }
    lay(root, new)
    before = tree(root)
    assert archive_delta("receipts", root, False) == 1
    assert tree(root) == before


def test_a_move_that_fails_leaves_every_file_as_it_was(root: Path) -> None:
    lay(root, {"changes/archive": "a file where a folder must be"})
    before = tree(root)
    assert archive_delta("receipts", root, False) == 1
    assert tree(root) == before


def test_a_name_that_exists_in_the_archive_is_refused(root: Path) -> None:
    lay(root, {"changes/2026-01-02-old/specs/till/spec.md": DELTA})
    (root / "openspec/changes/archive").mkdir()
    (root / "openspec/changes/archive/2026-01-02-old").symlink_to("nowhere")
    assert archive_delta("2026-01-02-old", root, False) == 1
    assert (root / "openspec/changes/2026-01-02-old").is_dir()


def test_a_second_archive_is_refused_while_one_runs(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lay(root, {"changes/archive/.openspec-archive.lock": "{}"})
    assert archive_delta("receipts", root, False) == 1
    assert "another `headgate spec archive`" in capsys.readouterr().out.lower()
    (root / "openspec/changes/archive/.openspec-archive.lock").unlink()
    assert archive_delta("receipts", root, False) == 0
    assert not (root / "openspec/changes/archive/.openspec-archive.lock").exists()


@pytest.mark.parametrize("place", ["specs/till/spec.md", "changes/receipts/specs/till/spec.md"])
def test_a_symlink_out_of_the_project_is_neither_read_nor_written(
    root: Path, place: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside") / "spec.md"
    outside.write_text((root / "openspec" / place).read_text())
    (root / "openspec" / place).unlink()
    (root / "openspec" / place).symlink_to(outside)
    before = outside.read_text()
    assert archive_delta("receipts", root, False) == 1
    assert outside.read_text() == before
    assert (root / "openspec/changes/receipts").is_dir()


def test_a_delta_folder_that_is_a_link_is_refused(root: Path) -> None:
    (root / "openspec/changes/alias").symlink_to("receipts")
    assert archive_delta("alias", root, False) == 1


def test_a_folder_of_delta_folders_is_refused(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lay(root, {"changes/wave/one/proposal.md": "## Why\nBecause.\n"})
    assert archive_delta("wave", root, False) == 1
    assert "openspec/changes/wave-one" in capsys.readouterr().out


def test_a_project_schema_may_retire_a_capability(root: Path) -> None:
    marker = "schema: ours\nretire_capabilities: true\n"
    removes = "## REMOVED Requirements\n- `### Requirement: Sum up`\n"
    lay(root, {"changes/end/specs/till/spec.md": removes, "changes/end/.openspec.yaml": marker})
    assert archive_delta("end", root, False) == 1
    lay(root, {"schemas/ours/schema.yaml": "name: ours\n"})
    assert archive_delta("end", root, False) == 0
    assert not (root / "openspec/specs/till").exists()
