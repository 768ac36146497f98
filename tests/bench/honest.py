"""The test guard on honest commits of public repositories, and on diffs that take tests away.

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

from gates.test_guard.compare import Pair, TestLoss, losses
from gates.test_guard.languages import is_test_path, read_tests
from tests.gates.planted_diffs import IN_GO, IN_JAVASCRIPT, IN_PYTHON

COMMITS = Path(__file__).with_name("honest_commits.txt")


@dataclass(frozen=True)
class Reference:
    """A commit, and whether it takes nothing away from tests."""

    repository: str
    sha: str
    is_honest: bool


def references() -> Iterator[Reference]:
    for line in COMMITS.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            kind, repository, sha = line.split()[:3]
            yield Reference(repository, sha, kind == "honest")


def findings(clone: Path, sha: str) -> tuple[TestLoss, ...]:
    """What the guard says of one commit against its first parent."""
    changed = _git(clone, "diff-tree", "--no-commit-id", "-r", "--name-only", "--no-renames", sha)
    paths = [path for path in changed.decode("utf-8", "replace").splitlines() if is_test_path(path)]
    return losses(
        [
            Pair(
                read_tests(path, _git(clone, "show", f"{sha}^:{path}")),
                read_tests(path, _git(clone, "show", f"{sha}:{path}")),
            )
            for path in paths
        ]
    )


def _git(clone: Path, *arguments: str) -> bytes:
    return subprocess.run(
        ["git", "-C", str(clone), *arguments], capture_output=True, check=False
    ).stdout


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    started = time.monotonic()
    counts: Counter[tuple[str, bool, bool]] = Counter()
    for reference in references():
        clone = folder / reference.repository.replace("/", "+")
        clone = clone / "repo" if (clone / "repo").is_dir() else clone
        found = findings(clone, reference.sha)
        counts[reference.repository, reference.is_honest, bool(found)] += 1
        if bool(found) is reference.is_honest:
            said = "; ".join(f"{one.loss} {one.test}" for one in found[:3]) or "nothing found"
            sys.stdout.write(f"{reference.repository} {reference.sha[:12]}: {said}\n")
    for honest, kind in ((True, "honest"), (False, "taking")):
        hits = sum(n for (_, h, found), n in counts.items() if h is honest and found)
        total = sum(n for (_, h, _), n in counts.items() if h is honest)
        sys.stdout.write(f"{total} {kind} commits: {hits} with findings\n")
    planted = [*IN_PYTHON, *IN_JAVASCRIPT, *IN_GO]
    sys.stdout.write(f"{len(planted)} planted diffs are in tests/gates/planted_diffs.py\n")
    sys.stdout.write(f"{time.monotonic() - started:.0f} s\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
