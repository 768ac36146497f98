"""`headgate gates run` on a clone, and `headgate gates explain` of a type of changes."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.gates.checkouts import Repository
from tests.test_command_line import headgate

POLICY = """\
version: 1
stop_at_first_red: false
gates:
  lint: {run: 'echo src/calc.py:1:1: E501 too long; grep -q clean src/calc.py'}
  walls: {run: test ! -e "$CLONE_SECRET"}
  scope: {builtin: scope_check}
  web: {run: 'true', required: false, modes: {fix: "off"}}
  proof: {builtin: spec_verify, required: false}
"""
PLACE = ".github/headgate.yml"


@pytest.fixture
def clone(tmp_path: Path) -> Repository:
    repository = Repository(tmp_path / "clone")
    repository.commit({PLACE: POLICY})
    repository.git("checkout", "-q", "-b", "work")
    return repository


@pytest.mark.slow
def test_the_gates_of_main_judge_what_is_checked_out(clone: Repository, tmp_path: Path) -> None:
    evil = POLICY.replace("grep -q clean src/calc.py", "true")
    clone.commit({"src/calc.py": "ONE = 2\n"})
    red = headgate("gates", "run", "--base", "main", cwd=clone.folder, HEADGATE_LAYERS="off")
    assert red.returncode == 1, red.stderr
    assert "failed  lint" in red.stdout
    assert "src/calc.py:1: E501 too long" in red.stdout
    assert "passed  scope" in red.stdout
    assert "a server is needed: proof" in red.stderr

    clone.commit({"src/calc.py": "ONE = 2  # clean\n", PLACE: evil})
    clone.write("src/calc.py", "not committed\n")
    some = ("lint", "walls")
    green = headgate(
        "gates", "run", *some, "--base", "main", cwd=clone.folder, HEADGATE_LAYERS="off"
    )
    assert green.returncode == 0, green.stdout + green.stderr
    assert "What is not committed is not judged." in green.stderr
    assert "scope" not in green.stdout


def test_a_type_of_changes_is_explained(clone: Repository) -> None:
    told = headgate("gates", "explain", "fix", "--json", cwd=clone.folder)
    rows = {row["gate"]: (row["mode"], row["said by"]) for row in json.loads(told.stdout)}
    assert rows["lint"] == ("required", "default")
    assert rows["web"] == ("off", "line 7 (`modes.fix`)")
    assert headgate("gates", "explain", "nothing", cwd=clone.folder).returncode == 1


def test_where_nothing_can_be_judged_it_says_why(clone: Repository, tmp_path: Path) -> None:
    def told(folder: Path, *arguments: str) -> str:
        done = headgate("gates", "run", *arguments, cwd=folder)
        assert (done.returncode, done.stdout) == (2, "")
        return done.stderr

    assert "name the branch with --base" in told(clone.folder, "--base", "gone")
    no_gate = told(clone.folder, "lint", "nothing", "--base", "main")
    assert "There is no such gate that can run here (nothing). Gates: lint, walls" in no_gate
    bare = tmp_path / "bare"
    bare.mkdir()
    assert "Go into a clone of the repository." in told(bare)
    subprocess.run(["git", "init", "-q", str(bare)], check=True)
    assert "Commit first: gates judge a commit." in told(bare)
    other = Repository(tmp_path / "other")
    other.commit({"README.md": "x\n"})
    assert "`headgate init` writes a first one" in told(other.folder, "--base", "main")
