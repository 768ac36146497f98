"""Files of a server are readable only by its own user."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.bench.stage import bare_stage, open_stage, start_doors, wait_until
from tests.testkit.specs import requirement, spec

# Somebody's shell, where others may read what is made.
_LAX = 0o022


@pytest.fixture
def lax() -> Iterator[None]:
    before = os.umask(_LAX)
    yield
    os.umask(before)


def open_to_others(var: Path) -> list[str]:
    """Each with its mode: whatever a group or others may read, write or enter."""
    every = ((path, stat.S_IMODE(path.lstat().st_mode)) for path in (var, *var.rglob("*")))
    # A link has no mode of its own.
    return [f"{path} {mode:o}" for path, mode in every if mode & 0o077 and not path.is_symlink()]


@pytest.mark.attack(
    "Somebody else on the server's machine reads its journal, mirrors of private code, bundles, sockets",
    held="`bot.entry.commands.processes.run_up` (umask 077) and `bot.entry.wiring.keep_private` (0700)",
)
@pytest.mark.slow
def test_all_files_of_a_server_are_readable_only_by_its_user(lax: None) -> None:
    with open_stage() as stage:
        issue = stage.plan(spec(requirement("TILL")))
        stage.approve(issue)
        wait_until(lambda: bool(stage.state().orders), "an order")
        var = stage.folder / "var"
        assert open_to_others(var) == []
        kinds = {path.relative_to(var).parts[0].partition(".")[0] for path in var.rglob("*")}
        assert {"journal", "inbox", "mirrors", "valkey"} <= kinds
        assert stat.S_IMODE(var.stat().st_mode) == 0o700


@pytest.mark.attack(
    "A part of the server is started alone, and others on its machine read what it keeps",
    held="`bot.entry.commands.processes`: each part takes umask 077 by itself",
)
@pytest.mark.slow
def test_files_of_a_part_started_alone_are_readable_only_by_its_user(lax: None) -> None:
    with bare_stage() as stage:
        start_doors(stage)
        var = stage.folder / "var"
        # The test itself starts Valkey.
        mine = [one for one in open_to_others(var) if "valkey" not in one]
        assert mine == []
        assert (var / "journal.db").is_file()
