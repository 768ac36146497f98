"""A newcomer and CI run the same tests; only a missing system package skips one."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.needs import PACKAGES, sentence

ROOT = Path(__file__).parents[2]
NEEDS = ROOT / "tests" / "needs.py"

_SKIP = re.compile(r"pytest\.skip\(|\bskipif\b|\bimportorskip\b|\bmark\.(?:skip|xfail)\b|SkipTest")


def skips(text: str) -> list[str]:
    """The lines of a test file that leave a test out."""
    return [line.strip() for line in text.splitlines() if _SKIP.search(line)]


def test_only_the_needs_of_a_system_package_skip_a_test() -> None:
    files = [
        path for path in sorted((ROOT / "tests").rglob("*.py")) if "node_modules" not in path.parts
    ]
    own = {NEEDS, Path(__file__)}
    found = {str(path): skips(path.read_text()) for path in files if path not in own}
    assert {path: lines for path, lines in found.items() if lines} == {}


@pytest.mark.parametrize(
    "line",
    [
        'pytest.skip("not today")',
        '@pytest.mark.skipif(not DOCUMENTS, reason="absent")',
        'yaml = pytest.importorskip("yaml")',
        "@pytest.mark.skip",
    ],
)
def test_a_skipped_test_is_found(line: str) -> None:
    assert skips(f"import pytest\n{line}\n") == [line]


def test_missing_packages_are_named_with_the_command_that_installs_them() -> None:
    assert sentence([]) == ""
    assert sentence(["bubblewrap", "gh"]).endswith("sudo apt-get install bubblewrap gh")


@pytest.mark.parametrize("module", ["tests.bench.first_day", "tests.pictures"])
def test_a_program_that_needs_a_browser_says_so_at_start(module: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", module],
        cwd=ROOT,
        env={"PATH": "/nowhere"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    said = "This needs chromium: sudo apt-get install chromium\n"
    assert (done.returncode, done.stderr) == (1, said)


def test_ci_installs_every_package_that_tests_need() -> None:
    script = (ROOT / ".ci" / "run").read_text()
    assert [f"{p}:{name}" for p, name in PACKAGES.items() if f"{p}:{name}" not in script] == []


@pytest.mark.parametrize(("folder", "least"), [("contract", 100), ("agents", 3)])
def test_the_lock_of_npm_packages_names_hashes_and_no_host(folder: str, least: int) -> None:
    lock = json.loads((ROOT / f"tests/{folder}/node/package-lock.json").read_text())
    packages = [held for path, held in lock["packages"].items() if path]
    assert len(packages) > least
    assert all("integrity" in held and "resolved" not in held for held in packages)
