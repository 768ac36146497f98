"""Packages on runners and in images come from locks with hashes."""

import re

import pytest

from action.bare_python import PACKAGES
from tests.shape.runner_lock import ROOT, RUNNER, locks

LOCKS = locks()


@pytest.mark.parametrize("path", LOCKS)
def test_a_partial_lock_equals_its_part_of_the_full_lock(path: str) -> None:
    assert (ROOT / path).read_text() == LOCKS[path], "run `make runner-lock`"


def test_the_runners_lock_contains_packages_of_the_harness_but_not_of_the_server() -> None:
    names = {line.partition("==")[0] for line in LOCKS[RUNNER].splitlines() if "==" in line}
    assert set(PACKAGES.values()) <= names
    assert not names & {"flask", "gunicorn", "sqlalchemy", "rq"}


@pytest.mark.parametrize(
    "path", ["Dockerfile", "action/runner/Dockerfile", "action/bare_python.py", "action/action.yml"]
)
def test_packages_are_installed_only_with_hashes(path: str) -> None:
    text = (ROOT / path).read_text().replace("\\\n", " ")
    installs = re.findall(r"pip install ([^\n`&|;]*)", text)
    assert installs
    assert [one for one in installs if not re.search(r"--require-hashes|--no-deps", one)] == []
