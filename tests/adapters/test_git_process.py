"""How git is started and ended."""

import os
import time
from pathlib import Path

import pytest

from bot.adapters.git.process import CallOptions, GitFailed, GitProgram, OutputTooLong, TimedOut


@pytest.fixture
def program(tmp_path: Path) -> GitProgram:
    """git with a home of its own."""
    return GitProgram(tmp_path, ())


def hang(sentence: str) -> list[str]:
    return ["-c", f"alias.hang=!{sentence}", "hang"]


def test_a_timeout_ends_git_and_its_children(program: GitProgram, tmp_path: Path) -> None:
    began = time.monotonic()
    with pytest.raises(TimedOut):
        program.run(
            tmp_path,
            hang(f"(sleep 30; touch {tmp_path}/late) & sleep 30"),
            options=CallOptions(timeout_seconds=0.3),
        )
    assert time.monotonic() - began < 10
    assert not (tmp_path / "late").exists()


def test_git_that_hangs_after_its_output_is_stopped(
    program: GitProgram, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stuck = tmp_path / "git"
    stuck.write_text("#!/bin/sh\nexec sleep 30 >&-\n")
    stuck.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    began = time.monotonic()
    with pytest.raises(TimedOut):
        program.run(tmp_path, ["version"], options=CallOptions(timeout_seconds=0.3))
    assert time.monotonic() - began < 10


def test_git_with_endless_output_is_stopped(
    program: GitProgram, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There is more output at every check."""
    read = os.read

    def slowly(descriptor: int, _most: int) -> bytes:
        time.sleep(0.02)
        return read(descriptor, 1_000)

    monkeypatch.setattr("bot.adapters.git.process.os.read", slowly)
    options = CallOptions(timeout_seconds=0.5, out_bytes_max=200_000)
    with pytest.raises(TimedOut):
        program.run(tmp_path, hang("yes"), options=options)


def test_too_much_output_ends_git(program: GitProgram, tmp_path: Path) -> None:
    with pytest.raises(OutputTooLong):
        program.run(tmp_path, hang("yes"), options=CallOptions(out_bytes_max=10_000))


def test_error_output_is_kept_and_redacted(program: GitProgram, tmp_path: Path) -> None:
    with pytest.raises(GitFailed, match=r"^the token \*\*\* is wrong$") as failed:
        program.run(
            tmp_path,
            hang("echo the token s3cret is wrong >&2; exit 3"),
            options=CallOptions(secrets=("s3cret",)),
        )
    assert failed.value.code == 3


def test_git_runs_under_limits_on_untrusted_input(program: GitProgram, tmp_path: Path) -> None:
    asked = hang("ulimit -t; ulimit -v; ulimit -f")
    said = program.run(tmp_path, asked, options=CallOptions(limited=True)).decode().split()
    assert "unlimited" not in said
    assert [int(number) for number in said] <= [60, 2_097_152, 2_097_152]
