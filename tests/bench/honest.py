"""The gates `tests` and `guardrails` on honest commits of public repositories, and on those that are not.

`honest_commits.txt` names the commits; a folder with clones (`FOLDER/<owner>+<name>`, bare or not) is
given as the argument. Nothing of those repositories is kept here.
"""

import argparse
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gates.builtin import BuiltinSubject
from gates.contents import contents_after, contents_before
from gates.guardrails import check_guardrails
from gates.plumbing import Plumbing
from gates.result import Annotation
from gates.settings import JudgeSettings
from gates.tests_gate import check_tests
from gates.tree import read_diff, read_tree
from tests.gates.planted_diffs import IN_GO, IN_JAVASCRIPT, IN_PYTHON

COMMITS = Path(__file__).with_name("honest_commits.txt")
_GATES = {"tests": check_tests, "guardrails": check_guardrails}


@dataclass(frozen=True)
class Reference:
    """A commit, and the gates that are right to be red on it; empty for an honest one."""

    repository: str
    sha: str
    red: frozenset[str]


_RED = {"honest": (), "taking": ("tests",), "less": ("guardrails",), "both": tuple(_GATES)}


def references() -> Iterator[Reference]:
    for line in COMMITS.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            kind, repository, sha = line.split()[:3]
            yield Reference(repository, sha, frozenset(_RED[kind]))


def findings(clone: Path, sha: str) -> dict[str, tuple[Annotation, ...]]:
    """What each gate says of one commit against its first parent."""
    folder = clone / ".git" if (clone / ".git").is_dir() else clone
    plumbing = Plumbing(folder, folder / "objects", sha)
    parent = plumbing.ask_objects("rev-parse", f"{sha}^").decode("ascii").strip()
    tree = read_tree(plumbing)
    diff = read_diff(plumbing, tree, parent)
    before, after = contents_before(plumbing, diff), contents_after(plumbing, tree)
    subject = BuiltinSubject(diff, JudgeSettings(), tree.entries, before, after)
    return {name: gate(subject).annotations for name, gate in _GATES.items()}


def newest(folder: Path, repository: str, count: int) -> Iterator[str]:
    """Its newest commits that are no merges and touch code."""
    command = ["git", "-C", str(place(folder, repository)), "log", "--no-merges", f"-{count}"]
    command += [
        "--format=%H",
        "HEAD",
        "--",
        "*.py",
        "*.js",
        "*.ts",
        "*.mjs",
        "*.tsx",
        "*.go",
        "*.rs",
    ]
    said = subprocess.run(command, capture_output=True, check=True)
    return iter(said.stdout.decode("ascii").split())


def place(folder: Path, repository: str) -> Path:
    clone = folder / repository.replace("/", "+")
    return clone / "repo" if (clone / "repo").is_dir() else clone


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--newest", metavar="OWNER/NAME", nargs="*", help="its newest commits")
    parser.add_argument("--count", type=int, default=50, help="so many of each")
    arguments = parser.parse_args()
    folder: Path = arguments.folder
    asked = references()
    if arguments.newest:
        asked = (
            Reference(one, sha, frozenset())
            for one in arguments.newest
            for sha in newest(folder, one, arguments.count)
        )
    started = time.monotonic()
    right, wrong = Counter[str](), Counter[str]()
    for reference in asked:
        counts = right, wrong
        for gate, found in findings(place(folder, reference.repository), reference.sha).items():
            is_right = bool(found) is (gate in reference.red)
            counts[not is_right][f"{gate}, {'red' if found else 'green'}"] += 1
            if not is_right:
                said = "; ".join(
                    f"{one.title} {one.path}:{one.line_start} {one.message}" for one in found[:3]
                )
                sys.stdout.write(
                    f"{gate} {reference.repository} {reference.sha[:12]}: {said or 'nothing found'}\n"
                )
    for key in sorted({*right, *wrong}):
        sys.stdout.write(f"{key}: {right[key]} right, {wrong[key]} wrong\n")
    planted = [*IN_PYTHON, *IN_JAVASCRIPT, *IN_GO]
    sys.stdout.write(f"{len(planted)} planted diffs are in tests/gates/planted_diffs.py\n")
    sys.stdout.write(f"{time.monotonic() - started:.0f} s\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
