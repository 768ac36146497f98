"""Command lines of programs, which every user of the machine may read."""

import re
import shutil
from pathlib import Path

import pytest

from tests.testkit.house import house
from tests.testkit.specs import requirement, spec

_GIT = """#!/bin/sh
echo "$@" >> {folder}/words
env | grep '^GIT_CONFIG_VALUE' >> {folder}/kept
exec {git} "$@"
"""


@pytest.mark.attack(
    "Another user of the server reads a token of the repository off the list of processes",
    held="`bot.adapters.git.remote`: git is told in its environment",
)
def test_git_command_lines_contain_no_token(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git, programs = shutil.which("git"), tmp_path / "bin"
    programs.mkdir()
    (programs / "git").write_text(_GIT.format(folder=programs, git=git))
    (programs / "git").chmod(0o755)
    with house(tmp_path / "house") as shop:
        monkeypatch.setenv("PATH", str(programs), prepend=":")
        shop.start(spec(requirement("TILL")))
        shop.work()
    kept = (programs / "kept").read_text()
    words = (programs / "words").read_text()
    tokens = set(re.findall(r"authorization: \w+ (\S+)", kept, re.IGNORECASE))
    assert tokens
    assert "fetch" in words
    assert "push" in words
    assert not [token for token in tokens if token in words]
