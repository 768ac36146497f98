"""`headgate spec archive` gives the same exit code and the same bytes as OpenSpec's own archive.

Intended differences are listed in docs/archive.md and have a test each. `make fuzz-archive` runs more.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from tests.contract.archive_cases import CASES, MAIN
from tests.contract.archive_worlds import World, worlds
from tests.contract.foreign import NODE, NODE_PROGRAM
from tests.contract.openspec_twin import Archived, OpenSpec, found_in, headgate, lay, openspec

ROOT = Path(__file__).parents[2]
_OPENSPEC = NODE / "node_modules" / "@fission-ai" / "openspec" / "bin" / "openspec.js"


@pytest.fixture(scope="module")
def original() -> Iterator[OpenSpec]:
    """OpenSpec's library."""
    with openspec() as running:
        yield running


def differs_on_purpose(world: World) -> bool:
    """Whether a project has an intended difference of docs/archive.md."""
    texts = [raw.decode() for path, raw in world.files.items() if "/specs/" in path]
    return any(_tight_twins(text) for text in texts)


def _tight_twins(text: str) -> bool:
    """Two requirements of one name, of which one has no blank behind its hashes."""
    loose = text.replace("###Requirement", "### Requirement").lower()
    return "###Requirement" in text and any(
        loose.count(line) > 1 for line in loose.splitlines() if line.startswith("### requirement")
    )


@pytest.mark.slow
def test_both_archive_random_projects_equally(original: OpenSpec) -> None:
    compare_many(original, 40)


def compare_many(original: OpenSpec, count: int, is_repeatable: bool = True) -> None:
    """Archive random projects twice; raises with the smallest that differs."""

    @settings(
        max_examples=count,
        derandomize=is_repeatable,
        database=None,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    @given(worlds())
    def compare(world: World) -> None:
        theirs, ours = original.archive(world.name, world.files), headgate(world.name, world.files)
        if not differs_on_purpose(world):
            assert (ours.code, ours.files) == (theirs.code, theirs.files), theirs.said

    compare()


@pytest.mark.parametrize("case", CASES)
def test_both_archive_a_project_equally(case: str, original: OpenSpec) -> None:
    world = CASES[case]
    theirs, ours = original.archive(world.name, world.files), headgate(world.name, world.files)
    assert (ours.code, ours.files) == (theirs.code, theirs.files), (theirs.said, ours.said)


@pytest.mark.slow
@pytest.mark.parametrize("case", ["adds", "no such folder"])
def test_both_command_lines_archive_equally(case: str, tmp_path: Path) -> None:
    assert_command_lines_agree(CASES[case], tmp_path)


def assert_command_lines_agree(world: World, folder: Path) -> None:
    """Archive a project with both programs as a person starts them."""
    ours = [sys.executable, "-m", "bot.entry.cli", "spec", "archive", world.name]
    theirs = [NODE_PROGRAM, str(_OPENSPEC), "archive", world.name, "--yes"]
    one = _run([*ours, "--root", "."], world, folder / "ours")
    other = _run(theirs, world, folder / "theirs")
    assert (one.code, one.files) == (other.code, other.files), (one.said, other.said)


def _run(command: list[str], world: World, root: Path) -> Archived:
    lay(root, world.files)
    home = root.parent / "home"
    home.mkdir(exist_ok=True)
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "PYTHONPATH": str(ROOT)}
    environment |= {"TZ": "UTC", "NO_COLOR": "1", "CI": "1"}
    environment |= {"OPENSPEC_TELEMETRY": "0", "DO_NOT_TRACK": "1"}
    done = subprocess.run(
        command,
        cwd=root,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return Archived(done.returncode, found_in(root), done.stdout + done.stderr)


# The intended differences of docs/archive.md.


def _change(main: str, delta: str) -> World:
    return World(
        {
            "openspec/specs/till/spec.md": main.encode("utf-8", "surrogateescape"),
            "openspec/changes/x/specs/till/spec.md": delta.encode(),
        },
        "x",
    )


def _both(world: World, original: OpenSpec) -> tuple[Archived, Archived]:
    return original.archive(world.name, world.files), headgate(world.name, world.files)


_STEPS = "\n\n#### Scenario: Ok\n- **WHEN** a\n- **THEN** b\n"


def test_an_archive_that_is_on_main_already_counts_as_done(original: OpenSpec) -> None:
    delta = (
        "## RENAMED Requirements\n- FROM: `### Requirement: Say thanks`\n- TO: `### Requirement: Greet`\n"
        f"## ADDED Requirements\n### Requirement: Say thanks\nIt SHALL bow.{_STEPS}"
    )
    first = headgate("x", _change(MAIN, delta).files)
    after = first.files["openspec/specs/till/spec.md"].decode()
    theirs, ours = _both(_change(after, delta), original)
    assert (first.code, theirs.code, ours.code) == (0, 1, 0)
    assert ours.files["openspec/specs/till/spec.md"].decode() == after


def test_two_requirements_of_one_name_are_refused(original: OpenSpec) -> None:
    main = MAIN + f"###Requirement: Say thanks\nIt SHALL be lost.{_STEPS}"
    delta = f"## ADDED Requirements\n### Requirement: New\nIt SHALL.{_STEPS}"
    theirs, ours = _both(_change(main, delta), original)
    assert (theirs.code, ours.code) == (0, 1)
    assert theirs.files["openspec/specs/till/spec.md"].decode().count("be lost") == 2
    assert "Say thanks' twice" in ours.said


def test_invalid_utf8_bytes_are_kept(original: OpenSpec) -> None:
    main = MAIN.replace("counter", "counter \udcff")
    delta = f"## ADDED Requirements\n### Requirement: New\nIt SHALL.{_STEPS}"
    theirs, ours = _both(_change(main, delta), original)
    assert (theirs.code, ours.code) == (0, 0)
    assert b"counter \xef\xbf\xbd" in theirs.files["openspec/specs/till/spec.md"]
    assert b"counter \xff" in ours.files["openspec/specs/till/spec.md"]
