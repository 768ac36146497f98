"""Runs the tests of one Go package that are asked for, each by itself, in place of `go test`.

`go test -exec` starts it in the package's folder, with the built program and its arguments. The plan is the JSON file that `HEADGATE_PROBE` names: `root` (the checkout), `out`
(a folder), `select` (names of tests, or null for all) and `lines` (lines to look for, by path).
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

# The two forms of `go help testflag`: a test that failed by its own word ends with 1, a panic with 2.
_RESULT = re.compile(r"^--- (PASS|FAIL|SKIP): (\S+)", re.MULTILINE)
_OUTCOMES = {"PASS": "passed", "FAIL": "failed", "SKIP": "skipped"}
_FAILED = 1
_FUNCTION = re.compile(rb"^func\s+((?:Test|Fuzz|Example)\w*)\s*\(", re.MULTILINE)
_CASE = re.compile(r"(?<=\.)((?:Test|Fuzz|Example)\w*)/.*", re.DOTALL)
_MODULE = re.compile(r"^module\s+\"?([^\s\"]+)", re.MULTILINE)
# `go help testflag`, "Coverage profile": file:line.column,line.column statements count.
_BLOCK = re.compile(r"^(.+):(\d+)\.(\d+),(\d+)\.(\d+) \d+ (\d+)$")


class Package:
    def __init__(self, plan: dict[str, Any], program: str, arguments: list[str]) -> None:
        self.root = Path(plan["root"]).resolve()
        self.out = Path(plan["out"])
        self.select = None if plan["select"] is None else frozenset(plan["select"])
        self.lines = {path: frozenset(numbers) for path, numbers in plan["lines"].items()}
        self.program = program
        own = [place for place, one in enumerate(arguments) if one.startswith("-test.")]
        at = own[-1] + 1 if own else 0
        self.arguments, self.others = arguments[:at], arguments[at:]
        self.folder = Path.cwd()

    def run(self) -> int:
        tests: list[dict[str, Any]] = []
        countable: set[tuple[str, int]] = set()
        worst = 0
        for path, name in self._tests():
            names = [f"{path}::{name}", f"{path}::{name}", f"{self._imported_as()}.{name}"]
            reported = [one for one in self.select or () if is_reported_as(one, names[-1])]
            names += [one for one in reported if one not in names]
            if self.select is not None and self.select.isdisjoint(names):
                continue
            profile = self.out / f"cover-{os.getpid()}"
            code, output = self._run_one(name, profile)
            worst = max(worst, code)
            said = {found[2]: found[1] for found in _RESULT.finditer(output)}
            outcome = _OUTCOMES.get(said.get(name, ""), "passed" if code == 0 else "failed")
            ran, can = self._seen(profile)
            countable |= can
            tests.append(
                {
                    "names": names,
                    "outcome": outcome,
                    "asserted": code == _FAILED and said.get(name) == "FAIL",
                    "lines": sorted(ran),
                }
            )
        collected = [test["names"][1] for test in tests]
        seen = {"collected": collected, "tests": tests, "countable": len(countable)}
        if tests:
            place = self.out / f"probe-{os.getpid()}.json"
            place.write_text(json.dumps(seen), encoding="utf-8")
        return worst

    def _tests(self) -> Iterator[tuple[str, str]]:
        for file in sorted(self.folder.glob("*_test.go")):
            path = os.path.relpath(file.resolve(), self.root).replace(os.sep, "/")
            for name in _FUNCTION.findall(file.read_bytes()):
                yield path, name.decode("utf-8", "replace")

    def _run_one(self, name: str, profile: Path) -> tuple[int, str]:
        flags = ["-test.v=true", f"-test.run=^{name}$"]
        if self.lines:
            flags.append(f"-test.coverprofile={profile}")
        done = subprocess.run(
            [self.program, *self.arguments, *flags, *self.others],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        output = done.stdout.decode("utf-8", "replace")
        sys.stdout.write(output)
        return done.returncode, output

    def _seen(self, profile: Path) -> tuple[set[tuple[str, int]], set[tuple[str, int]]]:
        """The asked lines that ran, and those that can run."""
        try:
            blocks = profile.read_text(encoding="utf-8").splitlines()
        except OSError:
            return set(), set()
        profile.unlink()
        paths = {self._imported_file(path): path for path in self.lines}
        texts = {path: _lines_of(self.root / path) for path in self.lines}
        ran, can = set(), set()
        for block in blocks:
            found = _BLOCK.match(block)
            path = paths.get(found[1]) if found else None
            if found is None or path is None:
                continue
            first, last = statements(texts[path], *(int(found[at]) for at in (2, 3, 4, 5)))
            lines = {(path, n) for n in self.lines[path] if first <= n <= last}
            can |= lines
            ran |= lines if int(found[6]) else set()
        return ran, can

    def _imported_as(self) -> str:
        return self._imported_file("x.go", self.folder)[: -len("/x.go")]

    def _imported_file(self, path: str, below: Path | None = None) -> str:
        """A file as a profile names it: by its module."""
        file = (below or self.root) / path
        for folder in file.resolve().parents:
            module = folder / "go.mod"
            if module.is_file():
                named = _MODULE.search(module.read_text(encoding="utf-8", errors="replace"))
                inside = file.resolve().relative_to(folder).as_posix()
                return f"{named[1]}/{inside}" if named else inside
            if folder == self.root:
                break
        return path


def is_reported_as(name: str, test: str) -> bool:
    """Whether a name in JUnit XML is a test's, or that of a case in it.

    `test` has the path by which its package is imported; some reports have only the last of it.
    """
    function = _CASE.sub(r"\1", name)
    return f"/{test}".endswith(f"/{function}")


def _lines_of(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError:
        return []


def statements(text: list[str], first: int, left: int, last: int, right: int) -> tuple[int, int]:
    """The lines of a block without those that hold nothing of it but its brace."""
    if first < last and first <= len(text) and text[first - 1][left - 1 :].strip() in ("{", ""):
        first += 1
    if first < last <= len(text) and text[last - 1][: right - 1].strip() in ("}", ""):
        last -= 1
    return first, last


if __name__ == "__main__":
    asked = json.loads(Path(os.environ["HEADGATE_PROBE"]).read_text(encoding="utf-8"))
    sys.exit(Package(asked, sys.argv[1], sys.argv[2:]).run())
